package compile

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Zone is one section of an envelope. Stable zones do not depend on the query.
type Zone struct {
	Name   string `json:"name"`
	Stable bool   `json:"stable"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

// Message is one message of a chat: stable zones as the system, then data in a user's turn, then guidance and
// constraints of this query as the system, which leaves the cached prefix as it is, then the query. A provider that
// takes the system apart gets it as [SystemBlock], and guidance and constraints in the user's turn.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// SystemBlock is a part of the system prompt, in the form of Anthropic's API.
type SystemBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// CacheControl marks the end of a prefix that the provider should cache.
	CacheControl *CacheControl `json:"cache_control,omitempty"`
}

// CacheControl is a cache breakpoint, in the form of Anthropic's API.
type CacheControl struct {
	Type string `json:"type"`
	TTL  string `json:"ttl"`
}

// Envelope is exactly what a model may see. Text joins the zones in order and takes at most the budget; the
// query is in Messages only. System is set for a provider that takes the system prompt apart from the messages.
type Envelope struct {
	Zones    []Zone        `json:"zones"`
	Text     string        `json:"text"`
	System   []SystemBlock `json:"system,omitempty"`
	Messages []Message     `json:"messages"`

	tokens int
}

// place says where a zone stands among the messages.
type place int

const (
	shared   place = iota // equal for all sessions of a scope
	personal              // equal within a session
	data                  // of this query
	closing               // of this query, and binding
)

// order lists the zones: stable ones first, so that a provider can cache the prefix (Context Architecture, pipeline
// stage 9), and what binds at the edges, where a model attends most (State, Long Context And Lost-In-The-Middle).
// What is from outside stands in the middle.
var order = []struct {
	name, title string
	at          place
	critical    bool
}{
	{zonePolicy, "Policy", shared, true},
	{zoneTools, "Tools", shared, false},
	{zoneIdentity, "Identity", personal, false},
	{zoneFacts, "Facts", data, false},
	{zoneRemarks, "Remarks (said, not established)", data, false},
	{zoneUnconfirmed, "Unconfirmed", data, false},
	{zoneUntrusted, "From outside", data, false},
	{zoneEnvironment, "Environment", data, false},
	{zoneWorkingSet, "Working set", data, false},
	{zoneTurns, "Conversation", data, false},
	{zoneGuidance, "Guidance", closing, false},
	{zoneConstraints, "Constraints", closing, true},
}

const zoneBreak = "\n\n"

// writer delimits zones as the provider expects and escapes lines that look like a delimiter.
type writer struct {
	open, close func(name, title string, critical bool) string
	escape      func(line string) string
	limits      providerLimits
}

// providerLimits say what a provider caches.
type providerLimits struct {
	LeastTokens int `json:"least_tokens"` // of a prefix
	Breakpoints int `json:"breakpoints"`  // marks in one request, 0 where prefixes are found without them
}

//go:embed providers.json
var providersFile []byte

var providers = sync.OnceValue(func() map[string]providerLimits {
	var file map[string]json.RawMessage
	err := json.Unmarshal(providersFile, &file)
	all := map[string]providerLimits{}
	for _, name := range []string{Anthropic, OpenAI, Plain} {
		var l providerLimits
		err = errors.Join(err, json.Unmarshal(file[name], &l))
		all[name] = l
	}
	if err != nil {
		panic(err) // the file is part of the program
	}
	return all
})

func writerFor(provider string) writer {
	nothing := func(string, string, bool) string { return "" }
	w := writer{close: nothing, escape: escapeMark, limits: providers()[provider]}
	switch provider {
	case Anthropic:
		w.open, w.close = openTag, closeTag
		w.escape = escapeTags
	case OpenAI:
		w.open = func(_, title string, critical bool) string {
			if critical {
				title += " (critical)"
			}
			return "## " + title + "\n"
		}
	default:
		w.open = func(_, title string, _ bool) string { return "== " + title + " ==\n" }
	}
	return w
}

func openTag(name, _ string, critical bool) string {
	if critical {
		return "<critical>\n<" + name + ">\n"
	}
	return "<" + name + ">\n"
}

func closeTag(name, _ string, critical bool) string {
	if critical {
		return "\n</" + name + ">\n</critical>"
	}
	return "\n</" + name + ">"
}

// frame returns what a zone adds to its lines.
func (w writer) frame(zone string) string {
	for _, z := range order {
		if z.name == zone {
			return w.open(z.name, z.title, z.critical) + w.close(z.name, z.title, z.critical) + zoneBreak
		}
	}
	return ""
}

var zoneTag = regexp.MustCompile(`(?i)<(\s*/?\s*(?:critical|policy|tools|identity|facts|remarks|environment|working_set|` +
	`turns|guidance|constraints|unconfirmed|untrusted)\b)`)

// escapeTags escapes the tags of zones and leaves other markup alone.
func escapeTags(line string) string {
	if !strings.Contains(line, "<") {
		return line
	}
	return zoneTag.ReplaceAllString(line, "&lt;$1")
}

// escapeMark escapes a line that starts like a heading, a rule or a fence, or that has the tag of what is contained.
func escapeMark(line string) string {
	line = containedTag.ReplaceAllString(line, "&lt;$1")
	for _, mark := range []string{"#", "=", "`", "~", "---"} {
		if strings.HasPrefix(line, mark) {
			return `\` + line
		}
	}
	return line
}

// body returns the text of a zone without its delimiters.
func (w writer) body(zone string, list []entry) string {
	if zone == zoneUntrusted {
		return contain(sourcesOf(list))
	}
	lines := make([]string, len(list))
	for i, e := range list {
		lines[i] = w.escape(e.text)
	}
	return strings.Join(lines, "\n")
}

// write lays out the lines. Constraints are in the order of their record, which does not depend on the query; facts and
// signals keep the order of their rank.
func (w writer) write(kept sections, tokens Counter, query string) Envelope {
	for _, zone := range []string{zonePolicy, zoneConstraints} {
		slices.SortStableFunc(kept[zone], func(a, b entry) int {
			if a.object == nil || b.object == nil {
				return cmp.Compare(a.pointer, b.pointer)
			}
			return byRecord(a.object, b.object)
		})
	}
	env := Envelope{Zones: []Zone{}}
	var all []string
	at := map[place][]string{}
	for _, z := range order {
		if len(kept[z.name]) == 0 {
			continue
		}
		text := w.open(z.name, z.title, z.critical) + w.body(z.name, kept[z.name]) + w.close(z.name, z.title, z.critical)
		stable := z.at == shared || z.at == personal
		env.Zones = append(env.Zones, Zone{Name: z.name, Stable: stable, Text: text, Tokens: tokens.Count(text)})
		all = append(all, text)
		at[z.at] = append(at[z.at], text)
	}
	env.Text = strings.Join(all, zoneBreak)
	env.tokens = tokens.Count(env.Text)
	system, closingRole := textAt(at, shared, personal), "system"
	if w.limits.Breakpoints > 0 {
		env.System, system, closingRole = w.system(at, tokens), "", "user"
	}
	env.Messages = slices.DeleteFunc([]Message{
		{"system", system}, {"user", textAt(at, data)}, {closingRole, textAt(at, closing)}, {"user", query},
	}, func(m Message) bool { return strings.TrimSpace(m.Content) == "" })
	return env
}

// textAt joins the zones of some places.
func textAt(at map[place][]string, places ...place) string {
	var parts []string
	for _, p := range places {
		parts = append(parts, at[p]...)
	}
	return strings.Join(parts, zoneBreak)
}

// system returns the stable zones as a system prompt with marks of what to cache: what all sessions share is a block of
// its own, which lives longer, before what is personal.
func (w writer) system(at map[place][]string, tokens Counter) (blocks []SystemBlock) {
	prefix := 0
	for _, part := range []struct {
		at  place
		ttl string
	}{{shared, "1h"}, {personal, "5m"}} {
		text := textAt(at, part.at)
		if text == "" {
			continue
		}
		b := SystemBlock{Type: "text", Text: text}
		if prefix += tokens.Count(text); prefix >= w.limits.LeastTokens {
			b.CacheControl = &CacheControl{Type: "ephemeral", TTL: part.ttl}
		}
		blocks = append(blocks, b)
	}
	return blocks
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

// toolLines returns the lines of tools, in the order of their names, so that the prefix does not depend on the order in
// which they were registered.
func toolLines(tools []Tool) (list []entry) {
	for i, t := range tools {
		text := oneLine(t.Name)
		if schema := compactJSON(t.Parameters); schema != "" {
			text += " " + schema
		}
		if about := oneLine(t.Description); about != "" {
			text += ": " + about
		}
		list = append(list, entry{text: text, pointer: fmt.Sprintf("/tools/%d", i)})
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.text, b.text) })
	return list
}

// compactJSON returns JSON as one line.
func compactJSON(raw json.RawMessage) string {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return ""
	}
	return oneLine(b.String())
}

// turnLines returns the lines of the conversation; what tools said is returned apart, as it came from outside.
func turnLines(turns []Turn) (said, outside []entry) {
	for i, t := range turns {
		pointer := fmt.Sprintf("/turns/%d", i)
		if t.Role == RoleTool {
			outside = append(outside, outsideEntry(t.Content, "a tool", "", pointer))
			continue
		}
		said = append(said, entry{text: t.Role + ": " + oneLine(t.Content), pointer: pointer})
	}
	return said, outside
}

// outsideEntry returns the entry of content from outside.
func outsideEntry(content, origin, title, pointer string) entry {
	text := strings.Join(contentLines(content), "\n")
	return entry{text: text, pointer: pointer, origin: origin, title: title, flags: flagsOf(text)}
}

// payloadEntries returns the entries of payloads.
func payloadEntries(payloads []Payload) (list []entry) {
	for i, p := range payloads {
		if e := outsideEntry(p.Content, p.Origin, p.Title, fmt.Sprintf("/payloads/%d", i)); e.text != "" {
			list = append(list, e)
		}
	}
	return list
}
