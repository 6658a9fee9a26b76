package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/statements"
)

// conversation is one line of a file of talk.
type conversation struct {
	ID    string `json:"id"`
	Known []fact `json:"known"`
	Turns []turn `json:"turns"`
	Asks  []ask  `json:"asks"`
	Gold  []gold `json:"gold"`
}

type fact struct {
	Subject   string    `json:"subject"`
	Predicate string    `json:"predicate"`
	Value     string    `json:"value"`
	Speaker   string    `json:"speaker"`
	Role      string    `json:"role"`
	At        time.Time `json:"at"`
}

type turn struct {
	At      time.Time `json:"at"`
	Speaker string    `json:"speaker"`
	Role    string    `json:"role"`
	Text    string    `json:"text"`
}

type ask struct {
	At       time.Time  `json:"at"`
	Question string     `json:"question"`
	Must     []string   `json:"must"`
	MustNot  []string   `json:"must_not"`
	Aim      string     `json:"aim"`
	Act      tenure.Act `json:"act"`
}

// gold is what the author of a conversation says that a turn does. No reader is shown it, but the oracle.
type gold struct {
	Turn      int        `json:"turn"`
	Act       tenure.Act `json:"act"`
	Old       string     `json:"old"`
	New       string     `json:"new"`
	ValidFrom string     `json:"valid_from"`
}

func load(file string) ([]conversation, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []conversation
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var c conversation
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// result is one question and what came of it.
type result struct {
	c          *conversation
	a          *ask
	context    string
	found, bad []string
	trace      []string
	said       []said
}

// said is a statement that was read and what it was taken to mean.
type said struct {
	tenure.Statement
	change statements.Change
}

func (r *result) ok() bool { return len(r.found) == len(r.a.Must) && len(r.bad) == 0 }

// judge says which of the strings that are wanted, and that are not, a context has.
func judge(r *result) {
	for _, p := range r.a.Must {
		if contains(r.context, p) {
			r.found = append(r.found, p)
		}
	}
	for _, p := range r.a.MustNot {
		if contains(r.context, p) {
			r.bad = append(r.bad, p)
		}
	}
}

// contains reports whether a text has one of the spellings between bars as whole words (rule v2 of the referee).
func contains(text, spellings string) bool {
	text = strings.ToLower(text)
	for s := range strings.SplitSeq(strings.ToLower(spellings), "|") {
		if at := find(text, strings.TrimSpace(s)); at >= 0 {
			return true
		}
	}
	return false
}

// find returns where a text has some words, whole, or -1.
func find(text, words string) int {
	if words == "" {
		return -1
	}
	for _, m := range regexp.MustCompile(regexp.QuoteMeta(words)).FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:m[0]])
		after, _ := utf8.DecodeRuneInString(text[m[1]:])
		first, _ := utf8.DecodeRuneInString(words)
		last, _ := utf8.DecodeLastRuneInString(words)
		if (m[0] == 0 || !inWord(before) || !inWord(first)) && (m[1] == len(text) || !inWord(after) || !inWord(last)) {
			return m[0]
		}
	}
	return -1
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
