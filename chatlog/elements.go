package chatlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// extent is a part of a file.
type extent struct {
	offset int64
	length int
}

// element is a value of a list of values, or of values one after the other.
type element struct {
	extent

	number int
	text   []byte // until the next one is read; nil if there is a fault
	fault  string
}

// splitter finds the elements of a file by their brackets alone, so that one that is no JSON does not hide those
// after it.
type splitter struct {
	in     *bufio.Reader
	offset int64 // after the last byte
	number int
	buffer []byte // of the text of an element
	use    func(element) error
}

// elements passes the elements of a file to use.
func elements(r io.Reader, use func(element) error) error {
	s := &splitter{in: bufio.NewReaderSize(r, 64<<10), use: use}
	list := false
	for {
		b, err := s.next()
		switch {
		case errors.Is(err, io.EOF) && list:
			return s.pass(element{fault: "the list does not end: the file is cut off"})
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case isSpace(b) || b == ',':
		case b == '[' && !list && s.number == 0:
			list = true
		case b == ']' && list:
			return nil
		default:
			if err := s.element(b); err != nil {
				return err
			}
		}
	}
}

func (s *splitter) next() (byte, error) {
	b, err := s.in.ReadByte()
	if err == nil {
		s.offset++
	}
	return b, err
}

func (s *splitter) pass(e element) error {
	e.number = s.number
	s.number++
	return s.use(e)
}

// element passes the element that begins with a byte.
func (s *splitter) element(b byte) error {
	e := element{extent: extent{offset: s.offset - 1}, text: s.buffer[:0]}
	if b != '{' {
		e.fault = "is no object"
	}
	var in nesting
	for {
		if e.length++; e.length <= maxConversation {
			e.text = append(e.text, b)
		}
		in.read(b)
		if in.depth <= 0 && !in.quoted && s.ends() {
			return s.end(e)
		}
		var err error
		if b, err = s.next(); errors.Is(err, io.EOF) {
			e.fault = "does not end: the file is cut off"
			return s.end(e)
		} else if err != nil {
			return err
		}
	}
}

// nesting is how deep a place of JSON lies in brackets and quotes.
type nesting struct {
	depth           int
	quoted, escaped bool
}

func (n *nesting) read(b byte) {
	switch {
	case n.escaped:
		n.escaped = false
	case n.quoted:
		n.escaped, n.quoted = b == '\\', b != '"'
	case b == '"':
		n.quoted = true
	case b == '{' || b == '[':
		n.depth++
	case b == '}' || b == ']':
		n.depth--
	}
}

// ends reports whether no more of an element follows, outside of brackets and quotes.
func (s *splitter) ends() bool {
	after, err := s.in.Peek(1)
	return err != nil || isSpace(after[0]) || strings.IndexByte(",]{", after[0]) >= 0
}

func (s *splitter) end(e element) error {
	s.buffer = e.text
	if e.length > maxConversation && e.fault == "" {
		e.fault = fmt.Sprintf("has %d bytes, more than %d", e.length, maxConversation)
	}
	if e.fault != "" {
		e.text = nil
	}
	return s.pass(e)
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// lookedAt bounds the elements or lines by which the format is found out.
const lookedAt = 100

var (
	errSeen = errors.New("seen enough")
	// errFormat says that nothing in a file shows how it is written.
	errFormat = errors.New("it is neither JSON lines of messages nor a list of conversations of ChatGPT or Claude: " +
		"say which of them it is meant to be")
)

// detect finds out the format of a file by the members of its first objects.
func detect(open func() io.Reader) (Format, error) {
	var found Format
	look := func(text []byte) {
		var o struct {
			Mapping      jsontext.Value `json:"mapping"`
			ChatMessages jsontext.Value `json:"chat_messages"`
			Text         jsontext.Value `json:"text"`
			Speaker      jsontext.Value `json:"speaker"`
		}
		switch err := decode(text, &o); {
		case err != nil:
		case o.Mapping != nil:
			found = ChatGPT
		case o.ChatMessages != nil:
			found = Claude
		case o.Text != nil || o.Speaker != nil:
			found = JSONL
		}
	}
	n := 0
	enough := func() error {
		if n++; found != "" || n == lookedAt {
			return errSeen
		}
		return nil
	}
	first, err := firstByte(open())
	if err != nil {
		return "", err
	}
	if first == '[' {
		err = elements(open(), func(e element) error {
			look(e.text)
			return enough()
		})
		if found == JSONL {
			found = "" // a list of messages is no lines
		}
	} else {
		err = lines(open(), func(l line) error {
			look(l.text)
			return enough()
		})
	}
	if err != nil && !errors.Is(err, errSeen) {
		return "", err
	}
	if found == "" {
		return "", errFormat
	}
	return found, nil
}

// firstByte returns the first byte of a file that is no space.
func firstByte(r io.Reader) (byte, error) {
	in := bufio.NewReader(r)
	for {
		switch b, err := in.ReadByte(); {
		case errors.Is(err, io.EOF):
			return 0, errors.New("it has nothing in it")
		case err != nil:
			return 0, err
		case !isSpace(b):
			return b, nil
		}
	}
}
