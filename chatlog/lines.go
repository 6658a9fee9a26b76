package chatlog

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tenure"
)

// line is a line of a file that is not blank.
type line struct {
	extent

	number int
	text   []byte // nil for one that is too long
}

// lines passes the lines of a file to use.
func lines(r io.Reader, use func(line) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var l line
	for l.number = 1; ; l.number++ {
		l.offset, l.length, l.text = l.offset+int64(l.length), 0, l.text[:0]
		more := true
		for more {
			chunk, err := in.ReadSlice('\n')
			more = errors.Is(err, bufio.ErrBufferFull)
			if err != nil && !more && !errors.Is(err, io.EOF) {
				return err
			}
			if l.length += len(chunk); l.length <= maxLine {
				l.text = append(l.text, chunk...)
			}
		}
		if l.length == 0 {
			return nil
		}
		whole := l
		if l.length > maxLine {
			whole.text = nil
		} else if len(bytes.TrimSpace(l.text)) == 0 {
			continue
		}
		if err := use(whole); err != nil {
			return err
		}
	}
}

// message is a line of JSON.
type message struct {
	ID        jsontext.Value `json:"id"`
	At        string         `json:"at"`
	Thread    string         `json:"thread"`
	Speaker   string         `json:"speaker"`
	Role      string         `json:"role"`
	Addressee string         `json:"addressee"`
	Text      string         `json:"text"`
}

// indexing finds where the conversations of a file are.
type indexing struct {
	log    *Log
	refuse func(Turn) error
	byID   map[string]*Conversation
}

// part adds a part of a conversation.
func (x *indexing) part(id string, p part) {
	c := x.byID[id]
	if c == nil {
		c = &Conversation{ID: id, first: p.at}
		x.byID[id] = c
		x.log.Conversations = append(x.log.Conversations, c)
	}
	c.first = min(c.first, p.at)
	c.parts = append(c.parts, p)
}

// lines finds the messages of a file of lines.
func (x *indexing) lines(r io.Reader) error {
	newest := map[string]tenure.Instant{}
	err := lines(r, func(l line) error {
		thread, t := x.log.line(l.number, l.text)
		if t.Fault != "" {
			return x.refuse(t)
		}
		before, known := newest[thread]
		x.log.Turns++
		x.part(thread, part{extent: l.extent, number: l.number, at: t.At, late: known && t.At < before})
		newest[thread] = max(before, t.At)
		return nil
	})
	for _, c := range x.log.Conversations {
		slices.SortStableFunc(c.parts, func(a, b part) int { return cmp.Compare(a.at, b.at) })
	}
	return err
}

// linesOf passes the turns of a conversation of a file of lines.
func (l *Log) linesOf(c *Conversation) iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		for _, p := range c.parts {
			text := make([]byte, p.length)
			if _, err := l.file.ReadAt(text, p.offset); err != nil {
				yield(Turn{}, err)
				return
			}
			_, t := l.line(p.number, text)
			if t.Late = p.late; !yield(t, nil) {
				return
			}
		}
	}
}

// line reads a line, and which conversation it is of.
func (l *Log) line(number int, text []byte) (thread string, t Turn) {
	t.Place = fmt.Sprintf("line %d", number)
	if text == nil {
		t.Fault = fmt.Sprintf("has more than %d bytes", maxLine)
		return "", t
	}
	var m message
	if err := decode(text, &m); err != nil {
		t.Fault = faultOf(err)
		return "", t
	}
	thread = cmp.Or(m.Thread, l.cfg.Thread)
	if tooLong(thread) {
		t.Fault = fmt.Sprintf("has a thread of more than %d characters", maxName)
		return "", t
	}
	var err error
	if t.At, err = parseTime(m.At); err != nil {
		t.Fault = err.Error()
		return "", t
	}
	t.Text, t.Addressee = m.Text, m.Addressee
	l.speak(&t, m)
	var ok bool
	if t.ID, ok = idOf(m.ID); !ok {
		t.Fault = "has an id that is neither a text nor a number"
	}
	if t.ID == "" {
		t.ID = t.hash()
	}
	return thread, t.checked()
}

// speak says who speaks in a line.
func (l *Log) speak(t *Turn, m message) {
	t.Speaker = m.Speaker
	voice := cmp.Or(voiceOf(m.Role), voiceOf(m.Speaker))
	byRole := voiceOf(m.Speaker) != otherVoice || strings.TrimSpace(m.Speaker) == ""
	switch voice {
	case userVoice:
		if byRole {
			t.Speaker = l.cfg.User
		}
	case assistantVoice:
		t.Assistant = true
		if byRole {
			t.Speaker = Assistant
		}
	case systemVoice:
		t.Skipped = bySystem
	case otherVoice:
	}
	if voiceOf(m.Role) == otherVoice {
		t.Role = m.Role
	}
}

// hash returns an id for a message without one: the same words of the same speaker at the same time are the same
// message.
func (t Turn) hash() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", t.At, t.Speaker, t.Text))
	return hex.EncodeToString(sum[:12])
}

// idOf returns the text of an id, which is a text or a number; "" if there is none.
func idOf(raw jsontext.Value) (id string, ok bool) {
	switch raw.Kind() {
	case '"':
		err := decode(raw, &id)
		return id, err == nil
	case '0':
		return string(raw), true
	}
	return "", raw == nil || raw.Kind() == 'n'
}

// parseTime reads a time of RFC 3339.
func parseTime(s string) (tenure.Instant, error) {
	if strings.TrimSpace(s) == "" {
		return 0, errNoTime
	}
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !inCalendar(at) {
		return 0, fmt.Errorf("has the time %.40q, which is none of RFC 3339 with a zone", s)
	}
	return tenure.At(at), nil
}

func inCalendar(at time.Time) bool { return at.UTC().Year() >= 1 && at.UTC().Year() <= 9999 }

var errNoTime = errors.New("has no time")

// decode reads JSON. What is no character in it becomes the sign for that.
func decode(text []byte, v any) error {
	return jsonv2.Unmarshal(text, v, jsontext.AllowInvalidUTF8(true))
}

// faultOf says in words why a text is not read as JSON.
func faultOf(err error) string {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("is not JSON: %v at byte %d", syntax.Err, syntax.ByteOffset)
	}
	var semantic *jsonv2.SemanticError
	if errors.As(err, &semantic) {
		return fmt.Sprintf("has %s as a %s", cmp.Or(string(semantic.JSONPointer), "its whole"), semantic.JSONKind)
	}
	return err.Error()
}
