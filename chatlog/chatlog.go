package chatlog

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"tenure"
)

// Format is how a file of chats is written.
type Format string

// The formats.
const (
	JSONL   Format = "jsonl"   // one message a line
	ChatGPT Format = "chatgpt" // conversations.json of an export of ChatGPT
	Claude  Format = "claude"  // conversations.json of an export of Claude
)

// Assistant is the name of the program that answers, in a format that does not name it.
const Assistant = "assistant"

// The bounds of what is read.
const (
	maxName         = 1000     // characters of a speaker, an addressee, a role or an id
	maxMessage      = 1 << 20  // bytes of the words of a message
	maxLine         = 4 << 20  // bytes of a line of JSON
	maxConversation = 64 << 20 // bytes of a conversation of an export
)

// Config says what a file does not.
type Config struct {
	// Format is that of the file; "" finds it out.
	Format Format
	// User is the name of the person who speaks where the file says only that it is the user. Exports need it.
	User string
	// Thread is the conversation of the lines that name none.
	Thread string
}

// Message is a message of a conversation, with who sent it.
type Message struct {
	ID        string // within its conversation
	At        tenure.Instant
	Speaker   string
	Addressee string // may be ""
	Role      string // of the speaker in the tenant's order of roles; may be ""
	Assistant bool   // a program says it
	Text      string
}

// Turn is a message, or the part of a file where one should be.
type Turn struct {
	Message

	// Place is where in the file it is: "line 7", or a JSON pointer.
	Place string
	// Fault is why it cannot be used, "" if it can.
	Fault string
	// Skipped is the reason for which the turn is left out, "" if it is not.
	Skipped string
	// Late reports whether the file has it after one that is newer.
	Late bool
}

// Conversation is a conversation of a file.
type Conversation struct {
	ID string

	first tenure.Instant // of a turn that can be used
	parts []part
}

// part is where something of a conversation is in the file: a line, or all of it.
type part struct {
	extent

	number int // of the line, else of the element
	at     tenure.Instant
	late   bool
}

// Log is an opened file of chats.
type Log struct {
	Format Format
	// Conversations are in the order of their first messages.
	Conversations []*Conversation
	// Turns is how many turns the conversations have.
	Turns int

	cfg  Config
	file io.ReaderAt
}

// ErrNoUser is returned for an export, which does not name its user, if no name is given.
var ErrNoUser = errors.New("an export does not name its user")

// Open reads a file of chats once, for where its conversations are. It passes to refuse what belongs to none of them,
// each with its fault.
func Open(file io.ReaderAt, size int64, cfg Config, refuse func(Turn) error) (*Log, error) {
	file, size = withoutMark(file, size)
	l := &Log{Format: cfg.Format, cfg: cfg, file: file}
	whole := func() io.Reader { return io.NewSectionReader(file, 0, size) }
	if l.Format == "" {
		var err error
		if l.Format, err = detect(whole); err != nil {
			return nil, err
		}
	}
	if l.Format != JSONL && strings.TrimSpace(cfg.User) == "" {
		return nil, ErrNoUser
	}
	x := &indexing{log: l, refuse: refuse, byID: map[string]*Conversation{}}
	read := x.conversations
	if l.Format == JSONL {
		read = x.lines
	}
	if err := read(whole()); err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.Conversations, func(a, b *Conversation) int { return cmp.Compare(a.first, b.first) })
	return l, nil
}

// withoutMark returns a file without the mark of the order of bytes that some programs begin one with.
func withoutMark(file io.ReaderAt, size int64) (io.ReaderAt, int64) {
	const mark = "\uFEFF"
	head := make([]byte, len(mark))
	if n, _ := file.ReadAt(head, 0); string(head[:n]) != mark {
		return file, size
	}
	size -= int64(len(mark))
	return io.NewSectionReader(file, int64(len(mark)), size), size
}

// TurnsOf passes the turns of a conversation in the order of their times. One that has none stays where it is in the
// file.
func (l *Log) TurnsOf(c *Conversation) iter.Seq2[Turn, error] {
	if l.Format == JSONL {
		return l.linesOf(c)
	}
	return func(yield func(Turn, error) bool) {
		var turns []Turn
		for _, p := range c.parts {
			text := make([]byte, p.length)
			if _, err := l.file.ReadAt(text, p.offset); err != nil {
				yield(Turn{}, err)
				return
			}
			turns = append(turns, l.export(p.number, text).turns...)
		}
		for _, t := range inTime(turns) {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// inTime sorts turns by time and tells which are late. A turn without a time follows the one before it.
func inTime(turns []Turn) []Turn {
	type placed struct {
		Turn
		at tenure.Instant
	}
	list := make([]placed, len(turns))
	last, newest := tenure.MinTime, tenure.MinTime
	for i, t := range turns {
		if t.usable() {
			t.Late = t.At < newest
			last, newest = t.At, max(newest, t.At)
		}
		list[i] = placed{t, last}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	for i, p := range list {
		turns[i] = p.Turn
	}
	return turns
}

func (t Turn) usable() bool { return t.Fault == "" && t.Skipped == "" }

// firstOf returns the time of the first turn that can be used, the end of time if there is none.
func firstOf(turns []Turn) tenure.Instant {
	first := tenure.MaxTime
	for _, t := range turns {
		if t.usable() {
			first = min(first, t.At)
		}
	}
	return first
}

// checked returns a turn with its fault, if its message has one.
func (t Turn) checked() Turn {
	if !t.usable() {
		return t
	}
	switch {
	case strings.TrimSpace(t.Speaker) == "":
		t.Fault = "has no speaker"
	case strings.TrimSpace(t.Text) == "":
		t.Fault = "has no text"
	case len(t.Text) > maxMessage:
		t.Fault = fmt.Sprintf("has %d bytes of text, more than %d", len(t.Text), maxMessage)
	case !t.hasNames():
		t.Fault = fmt.Sprintf("has a name or an id of more than %d characters", maxName)
	}
	return t
}

func (t Turn) hasNames() bool {
	return !slices.ContainsFunc([]string{t.ID, t.Speaker, t.Addressee, t.Role}, tooLong)
}

func tooLong(name string) bool { return utf8.RuneCountInString(name) > maxName }

// The reasons for which a turn is left out.
const (
	bySystem  = "of the system or a tool"
	wordless  = "without words"
	abandoned = "not on the current branch"
	toTool    = "addressed to a tool"
)

// voice is whose words a role of a chat stands for.
type voice int

const (
	otherVoice voice = iota // the role says nothing of it
	userVoice
	assistantVoice
	systemVoice
)

var voices = map[string]voice{
	"user": userVoice, "human": userVoice, "assistant": assistantVoice,
	"system": systemVoice, "developer": systemVoice, "tool": systemVoice, "function": systemVoice,
}

func voiceOf(role string) voice { return voices[strings.ToLower(strings.TrimSpace(role))] }
