package compile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Zone is one section of an envelope. Stable zones do not depend on the query.
type Zone struct {
	Name   string `json:"name"`
	Stable bool   `json:"stable"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

// Message is one message of a chat: stable zones as the system, the other zones as data in a user's turn,
// then the query.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Envelope is exactly what a model may see. Text joins the zones in order and takes at most the budget; the
// query is in Messages only.
type Envelope struct {
	Zones    []Zone    `json:"zones"`
	Text     string    `json:"text"`
	Messages []Message `json:"messages"`

	tokens int
}

// order lists stable zones first, so that a provider can cache the prefix (Context Architecture, pipeline
// stage 9).
var order = []struct {
	name, title string
	stable      bool
}{
	{zonePolicy, "Policy", true},
	{zoneIdentity, "Identity", true},
	{zoneFacts, "Facts", false},
	{zoneRemarks, "Remarks (said, not established)", false},
	{zoneEnvironment, "Environment", false},
	{zoneWorkingSet, "Working set", false},
	{zoneUnconfirmed, "Unconfirmed", false},
}

const zoneBreak = "\n\n"

// writer delimits zones as the provider expects and escapes lines that look like a delimiter.
type writer struct {
	open, close func(name, title string) string
	escape      func(line string) string
}

func writerFor(provider string) writer {
	nothing := func(string, string) string { return "" }
	switch provider {
	case Anthropic:
		return writer{
			open:   func(name, _ string) string { return "<" + name + ">\n" },
			close:  func(name, _ string) string { return "\n</" + name + ">" },
			escape: escapeTags,
		}
	case OpenAI:
		return writer{open: func(_, title string) string { return "## " + title + "\n" }, close: nothing, escape: escapeMark}
	default:
		return writer{open: func(_, title string) string { return "== " + title + " ==\n" }, close: nothing,
			escape: escapeMark}
	}
}

// frame returns what a zone adds to its lines.
func (w writer) frame(zone string) string {
	for _, z := range order {
		if z.name == zone {
			return w.open(z.name, z.title) + w.close(z.name, z.title) + zoneBreak
		}
	}
	return ""
}

var zoneTag = regexp.MustCompile(`(?i)<(\s*/?\s*(?:policy|identity|facts|remarks|environment|working_set|unconfirmed)\b)`)

// escapeTags escapes the tags of zones and leaves other markup alone.
func escapeTags(line string) string {
	if !strings.Contains(line, "<") {
		return line
	}
	return zoneTag.ReplaceAllString(line, "&lt;$1")
}

// escapeMark escapes a line that starts like a heading, a rule or a fence.
func escapeMark(line string) string {
	for _, mark := range []string{"#", "=", "`", "~", "---"} {
		if strings.HasPrefix(line, mark) {
			return `\` + line
		}
	}
	return line
}

// write lays out the lines. Constraints are sorted independently of the query; facts and signals keep the
// order of their rank.
func (w writer) write(kept sections, tokens Counter, query string) Envelope {
	if policy := kept[zonePolicy]; len(policy) > 1 {
		slices.SortFunc(policy, func(a, b entry) int {
			return cmp.Or(
				cmp.Compare(a.object.claim().Source.AuthorityLevel, b.object.claim().Source.AuthorityLevel),
				cmp.Compare(a.object.line, b.object.line),
			)
		})
	}
	env := Envelope{Zones: []Zone{}, Messages: []Message{}}
	var all, stable, volatile []string
	for _, z := range order {
		if len(kept[z.name]) == 0 {
			continue
		}
		lines := make([]string, len(kept[z.name]))
		for i, e := range kept[z.name] {
			lines[i] = w.escape(e.text)
		}
		text := w.open(z.name, z.title) + strings.Join(lines, "\n") + w.close(z.name, z.title)
		env.Zones = append(env.Zones, Zone{Name: z.name, Stable: z.stable, Text: text, Tokens: tokens.Count(text)})
		all = append(all, text)
		if z.stable {
			stable = append(stable, text)
		} else {
			volatile = append(volatile, text)
		}
	}
	env.Text = strings.Join(all, zoneBreak)
	env.tokens = tokens.Count(env.Text)
	for _, m := range []Message{
		{"system", strings.Join(stable, zoneBreak)}, {"user", strings.Join(volatile, zoneBreak)}, {"user", query},
	} {
		if strings.TrimSpace(m.Content) != "" {
			env.Messages = append(env.Messages, m)
		}
	}
	return env
}

// identityLines returns the lines about the requester (StateBench specification, Layer 1). They contain no
// ids.
func identityLines(who *Identity) []entry {
	if who == nil {
		return nil
	}
	var list []entry
	for _, f := range []struct{ key, value, pointer string }{
		{"user_name", who.Name, "/identity/name"},
		{"authority", who.Authority, "/identity/authority"},
		{"roles", strings.Join(who.Roles, ", "), "/identity/roles"},
		{"department", who.Department, "/identity/department"},
		{"organization", who.Organization, "/identity/organization"},
		{"communication_style", who.CommunicationStyle, "/identity/communication_style"},
		{"permissions", strings.Join(who.Permissions, ", "), "/identity/permissions"},
	} {
		if v := oneLine(f.value); v != "" {
			list = append(list, entry{text: f.key + ": " + v, pointer: f.pointer})
		}
	}
	return list
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// pointerToken escapes a member's name for a JSON pointer (RFC 6901).
func pointerToken(name string) string { return pointerEscaper.Replace(name) }
