package body

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"tenure"
)

const (
	// maxDepth bounds the nesting of a body.
	maxDepth = 64
	// maxItems bounds an array outside of values, before its items are decoded. It is the largest maxItems of
	// openapi.yaml.
	maxItems = 1000
)

// inspect scans the text of one JSON value and returns an error for bad syntax, duplicate names, invalid
// UTF-8, lone surrogates, NUL, excessive nesting or arrays, and trailing data. Its memory grows with the
// nesting only.
func inspect(raw []byte) error {
	dec := jsontext.NewDecoder(newReader(raw))
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			return syntaxError(dec, err)
		}
		if err := checkToken(dec, tok); err != nil {
			return err
		}
		if dec.StackDepth() == 0 {
			break
		}
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return tenure.FieldError(tenure.Malformed, "", "one JSON value is expected; there is more after it")
	}
	return nil
}

func checkToken(dec *jsontext.Decoder, tok jsontext.Token) error {
	if tok.Kind() == '"' && strings.ContainsRune(tok.String(), 0) {
		return tenure.FieldError(tenure.Malformed, string(dec.StackPointer()), "NUL characters are not taken")
	}
	depth := dec.StackDepth()
	if depth > maxDepth {
		return tenure.FieldError(tenure.TooLarge, string(dec.StackPointer()),
			fmt.Sprintf("is nested more than %d deep", maxDepth))
	}
	if depth == 0 {
		return nil
	}
	if kind, n := dec.StackIndex(depth); kind == '[' && n == maxItems+1 {
		pointer := dec.StackPointer()
		if !inValue(pointer) {
			return tenure.FieldError(tenure.TooLarge, string(pointer.Parent()), fmt.Sprintf("has more than %d items", maxItems))
		}
	}
	return nil
}

// inValue reports whether a pointer leads into the value of a claim or the object of a fact, which is opaque and
// bounded by its size in bytes.
func inValue(p jsontext.Pointer) bool {
	if rest, ok := strings.CutPrefix(string(p), "/facts/"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return strings.HasPrefix(rest, "object/") || strings.HasPrefix(rest, "2/")
	}
	return strings.Contains(string(p), "/value/")
}

func syntaxError(dec *jsontext.Decoder, err error) error {
	pointer, reason := string(dec.StackPointer()), "is not JSON"
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		pointer = string(s.JSONPointer)
		if s.Err != nil {
			reason = strings.TrimPrefix(s.Err.Error(), "jsontext: ")
		}
		if errors.Is(s.Err, jsontext.ErrDuplicateName) {
			reason = "the name occurs twice"
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		reason = "the JSON ends too early"
	}
	return &tenure.Error{
		Code: tenure.Malformed, Message: "the body is not the JSON that was asked for",
		Fields: []tenure.Field{{Pointer: pointer, Reason: reason}}, Err: errors.Join(err, eofOf(err)),
	}
}

func eofOf(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return nil
}

// reached returns a pointer to the value in which a truncated text ends.
func reached(raw []byte) string {
	dec := jsontext.NewDecoder(newReader(raw))
	for {
		if _, err := dec.ReadToken(); err == nil {
			continue
		}
		at := dec.StackPointer()
		if kind, n := dec.StackIndex(dec.StackDepth()); kind == '[' {
			if n > 0 {
				at = at.Parent()
			}
			at = at.AppendToken(jsontext.Int(n).String())
		}
		return string(at)
	}
}
