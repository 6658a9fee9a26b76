// Package conversation reads sets of conversations in plain words, and says whether a context has a phrase.
package conversation

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Conversation is one of a set: what is known before it, what is said, and what is asked.
type Conversation struct {
	ID       string  `json:"id"`
	Slot     string  `json:"slot"` // of a paraphrase: conversations of one slot are about the same subject and property
	Writer   string  `json:"writer"`
	Register string  `json:"register"`
	Domain   string  `json:"domain"`
	Language string  `json:"language"`
	Known    []Known `json:"known"`
	Turns    []Turn  `json:"turns"`
	Asks     []Ask   `json:"asks"`
	Gold     []Gold  `json:"gold"`
}

// Known is a fact that stands before the first turn.
type Known struct {
	Subject   string    `json:"subject"`
	Predicate string    `json:"predicate"`
	Value     string    `json:"value"`
	Speaker   string    `json:"speaker"`
	Role      string    `json:"role"`
	At        time.Time `json:"at"`
}

// Line returns the fact on one line.
func (k Known) Line() string { return k.Subject + " / " + k.Predicate + ": " + k.Value }

// Turn is what somebody says.
type Turn struct {
	At      time.Time `json:"at"`
	Speaker string    `json:"speaker"`
	Role    string    `json:"role"`
	Text    string    `json:"text"`
}

// Line returns the turn on one line.
func (t Turn) Line() string { return t.Speaker + ": " + t.Text }

// Ask is a question. Must and MustNot hold phrases, each of its spellings separated by "|".
type Ask struct {
	At       time.Time `json:"at"`
	Question string    `json:"question"`
	Must     []string  `json:"must"`
	MustNot  []string  `json:"must_not"`
	Aim      string    `json:"aim"`
	Act      string    `json:"act"`
	Why      string    `json:"why"`
}

// Gold is what the author of a conversation says that a turn does. Nothing that is measured is shown it.
type Gold struct {
	Turn      int    `json:"turn"`
	Act       string `json:"act"`
	Subject   string `json:"subject"`
	About     string `json:"about"`
	Old       string `json:"old"`
	New       string `json:"new"`
	ValidFrom string `json:"valid_from"`
}

// Load reads a file of conversations, one JSON object a line.
func Load(path string) ([]Conversation, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var list []Conversation
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var c Conversation
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, len(list)+1, err)
		}
		list = append(list, c)
	}
	return list, lines.Err()
}
