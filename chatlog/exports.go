package chatlog

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"tenure"
)

// exported is a conversation of an export.
type exported struct {
	id    string
	fault string // of the whole
	turns []Turn // in the order of the conversation
}

// conversations finds the conversations of an export.
func (x *indexing) conversations(r io.Reader) error {
	return elements(r, func(e element) error {
		c := exported{fault: e.fault}
		if e.fault == "" {
			c = x.log.export(e.number, e.text)
		}
		if c.fault != "" {
			return x.refuse(Turn{Place: fmt.Sprintf("/%d", e.number), Fault: c.fault})
		}
		x.log.Turns += len(c.turns)
		x.part(c.id, part{extent: e.extent, number: e.number, at: firstOf(c.turns)})
		return nil
	})
}

// export reads a conversation of an export.
func (l *Log) export(number int, text []byte) exported {
	read := l.claude
	if l.Format == ChatGPT {
		read = l.chatGPT
	}
	c := read(fmt.Sprintf("/%d", number), text)
	if c.fault == "" && tooLong(c.id) {
		c.fault = fmt.Sprintf("has an id of more than %d characters", maxName)
	}
	return c
}

// say sets the speaker and the addressee of a turn in a conversation of two.
func (l *Log) say(t *Turn, v voice) {
	switch v {
	case userVoice:
		t.Speaker, t.Addressee = l.cfg.User, Assistant
	case assistantVoice:
		t.Speaker, t.Addressee, t.Assistant = Assistant, l.cfg.User, true
	case systemVoice:
		t.Skipped = bySystem
	case otherVoice:
		t.Fault = "has no speaker"
	}
}

// claude reads a conversation of an export of Claude.
func (l *Log) claude(place string, text []byte) exported {
	var c struct {
		ID       string           `json:"uuid"`
		Messages []jsontext.Value `json:"chat_messages"`
	}
	if err := decode(text, &c); err != nil {
		return exported{fault: faultOf(err)}
	}
	switch {
	case c.Messages == nil:
		return exported{fault: "has no chat_messages: it is no conversation of Claude"}
	case c.ID == "":
		return exported{fault: "has no uuid"}
	}
	out := exported{id: c.ID}
	for i, raw := range c.Messages {
		t := l.claudeTurn(raw)
		t.Place = fmt.Sprintf("%s/chat_messages/%d", place, i)
		out.turns = append(out.turns, t.checked())
	}
	return out
}

func (l *Log) claudeTurn(raw jsontext.Value) (t Turn) {
	var m struct {
		ID      string `json:"uuid"`
		Sender  string `json:"sender"`
		At      string `json:"created_at"`
		Text    string `json:"text"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Attachments []jsontext.Value `json:"attachments"`
		Files       []jsontext.Value `json:"files"`
	}
	if err := decode(raw, &m); err != nil {
		t.Fault = faultOf(err)
		return t
	}
	t.ID, t.Text = m.ID, m.Text
	if strings.TrimSpace(t.Text) == "" {
		var said []string
		for _, c := range m.Content {
			if c.Type == "text" {
				said = append(said, c.Text)
			}
		}
		t.Text = strings.Join(said, "\n\n")
	}
	l.say(&t, voiceOf(m.Sender))
	if t.Text == "" && t.usable() && len(m.Content)+len(m.Attachments)+len(m.Files) > 0 {
		t.Skipped = wordless
	}
	at, err := parseTime(m.At)
	t.At = at
	if t.usable() && err != nil {
		t.Fault = err.Error()
	}
	if t.ID == "" {
		t.ID = t.hash()
	}
	return t
}

// gptConversation is a conversation of an export of ChatGPT: a tree, since a message that was edited begins another
// branch.
type gptConversation struct {
	ID      string                    `json:"conversation_id"`
	OldID   string                    `json:"id"`
	Current string                    `json:"current_node"`
	Mapping map[string]jsontext.Value `json:"mapping"`

	place string
	nodes map[string]gptNode
}

type gptNode struct {
	Parent  string         `json:"parent"`
	Message jsontext.Value `json:"message"`
}

// chatGPT reads a conversation of an export of ChatGPT: its current branch, from its end to its beginning.
func (l *Log) chatGPT(place string, text []byte) exported {
	c := gptConversation{place: place, nodes: map[string]gptNode{}}
	if err := decode(text, &c); err != nil {
		return exported{fault: faultOf(err)}
	}
	out := exported{id: cmp.Or(c.ID, c.OldID)}
	switch {
	case c.Mapping == nil:
		return exported{fault: "has no mapping: it is no conversation of ChatGPT"}
	case out.id == "":
		return exported{fault: "has no conversation_id"}
	}
	var faults []Turn
	for _, id := range slices.Sorted(maps.Keys(c.Mapping)) {
		var n gptNode
		if err := decode(c.Mapping[id], &n); err != nil {
			faults = append(faults, Turn{Place: c.at(id), Fault: faultOf(err)})
			continue
		}
		c.nodes[id] = n
	}
	branch, fault := c.branch()
	if fault != nil {
		faults = append(faults, *fault)
	}
	shown := map[string]bool{}
	for _, id := range branch {
		shown[id] = true
		if n := c.nodes[id]; n.hasMessage() {
			out.turns = append(out.turns, l.gptTurn(c.at(id), id, n.Message))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.nodes)) {
		if c.nodes[id].hasMessage() && !shown[id] {
			faults = append(faults, Turn{Place: c.at(id), Message: Message{ID: id}, Skipped: abandoned})
		}
	}
	out.turns = append(out.turns, faults...)
	return out
}

func (n gptNode) hasMessage() bool { return n.Message.Kind() == '{' }

// at returns the place of a node.
func (c *gptConversation) at(node string) string {
	return c.place + "/mapping/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(node)
}

// branch lists the nodes from the beginning to the current one, as far as the parents lead, and the fault where they
// lead nowhere. If the current one is not there, the newest is taken for it.
func (c *gptConversation) branch() (list []string, fault *Turn) {
	node := c.Current
	if _, ok := c.nodes[node]; !ok {
		fault = &Turn{Place: c.place + "/current_node", Fault: "names no node: the branch of the newest message is taken"}
		node = c.newest()
	}
	seen := map[string]bool{}
	for node != "" {
		n, ok := c.nodes[node]
		switch {
		case seen[node]:
			fault = &Turn{Place: c.at(node), Fault: "its parents lead back to it"}
			node = ""
		case !ok:
			fault = &Turn{Place: c.at(list[len(list)-1]), Fault: fmt.Sprintf("its parent %.80q is no node", node)}
			node = ""
		default:
			seen[node] = true
			list = append(list, node)
			node = n.Parent
		}
	}
	slices.Reverse(list)
	return list, fault
}

// newest returns the node of the newest message, "" if there is none.
func (c *gptConversation) newest() (node string) {
	newest := math.Inf(-1)
	for _, id := range slices.Sorted(maps.Keys(c.nodes)) {
		var m gptMessage
		if c.nodes[id].hasMessage() && decode(c.nodes[id].Message, &m) == nil && m.At != nil && *m.At > newest {
			newest, node = *m.At, id
		}
	}
	return node
}

type gptMessage struct {
	Author struct {
		Role string `json:"role"`
	} `json:"author"`
	At        *float64 `json:"create_time"`
	Recipient string   `json:"recipient"`
	Content   struct {
		Type  string           `json:"content_type"`
		Parts []jsontext.Value `json:"parts"`
	} `json:"content"`
}

func (l *Log) gptTurn(place, id string, raw jsontext.Value) Turn {
	t := Turn{Place: place, Message: Message{ID: id}}
	var m gptMessage
	if err := decode(raw, &m); err != nil {
		t.Fault = faultOf(err)
		return t
	}
	l.say(&t, voiceOf(m.Author.Role))
	switch {
	case t.Skipped != "":
	case m.Recipient != "" && m.Recipient != "all":
		t.Skipped = toTool
	case m.Content.Type != "" && m.Content.Type != "text" && m.Content.Type != "multimodal_text":
		t.Skipped = wordless
	}
	if !t.usable() {
		return t
	}
	t.Text = words(m.Content.Parts)
	if t.Text == "" && slices.ContainsFunc(m.Content.Parts, isObject) {
		t.Skipped = wordless // a picture
		return t
	}
	var ok bool
	if t.At, ok = fromSeconds(m.At); !ok {
		t.Fault = errNoTime.Error()
	}
	return t.checked()
}

// words joins the parts of a message that are texts.
func words(parts []jsontext.Value) string {
	var list []string
	for _, p := range parts {
		var s string
		if p.Kind() == '"' && decode(p, &s) == nil && strings.TrimSpace(s) != "" {
			list = append(list, s)
		}
	}
	return strings.Join(list, "\n\n")
}

func isObject(v jsontext.Value) bool { return v.Kind() == '{' }

// fromSeconds returns the instant of seconds since 1970.
func fromSeconds(s *float64) (tenure.Instant, bool) {
	const most = 253402300800 // the year 10000
	if s == nil || *s <= 0 || *s >= most {
		return 0, false
	}
	return tenure.At(time.UnixMicro(int64(math.Round(*s * 1e6)))), true
}
