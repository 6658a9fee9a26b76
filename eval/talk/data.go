package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"
)

// conversation is one of a set: what is known before it, what is said, and what is asked.
type conversation struct {
	ID       string  `json:"id"`
	Slot     string  `json:"slot"` // of a paraphrase: conversations of one slot are about the same subject and property
	Writer   string  `json:"writer"`
	Register string  `json:"register"`
	Domain   string  `json:"domain"`
	Language string  `json:"language"`
	Known    []known `json:"known"`
	Turns    []turn  `json:"turns"`
	Asks     []ask   `json:"asks"`
}

type known struct {
	Subject   string    `json:"subject"`
	Predicate string    `json:"predicate"`
	Value     string    `json:"value"`
	Speaker   string    `json:"speaker"`
	Role      string    `json:"role"`
	At        time.Time `json:"at"`
}

func (k known) line() string { return k.Subject + " / " + k.Predicate + ": " + k.Value }

type turn struct {
	At      time.Time `json:"at"`
	Speaker string    `json:"speaker"`
	Role    string    `json:"role"`
	Text    string    `json:"text"`
}

func (t turn) line() string { return t.Speaker + ": " + t.Text }

// ask is a question. Must and MustNot hold phrases, each of its spellings separated by "|".
type ask struct {
	At       time.Time `json:"at"`
	Question string    `json:"question"`
	Must     []string  `json:"must"`
	MustNot  []string  `json:"must_not"`
	Aim      string    `json:"aim"`
	Act      string    `json:"act"`
	Why      string    `json:"why"`
}

func load(path string) ([]conversation, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var list []conversation
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var c conversation
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, len(list)+1, err)
		}
		list = append(list, c)
	}
	return list, lines.Err()
}

// half returns every other conversation, or every other slot where conversations have one, so that what was seen while
// a rule was written can be kept apart from what was not. An empty name is all of them.
func half(list []conversation, name string) ([]conversation, error) {
	if name == "" {
		return list, nil
	}
	rest, ok := map[string]int{"odd": 0, "even": 1}[name]
	if !ok {
		return nil, fmt.Errorf("there is no half %q: odd or even", name)
	}
	var slots []string
	var kept []conversation
	for i, c := range list {
		if c.Slot != "" {
			if i = slices.Index(slots, c.Slot); i < 0 {
				i = len(slots)
				slots = append(slots, c.Slot)
			}
		}
		if i%2 == rest {
			kept = append(kept, c)
		}
	}
	return kept, nil
}
