package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// forgetting is a case of the forgetting data: sentences, what is done to them, and a question. A mutation is
// "supersede", what it is about and a sentence, or "release" or "purge" and the words for what is to go.
type forgetting struct {
	ID        string     `json:"id"`
	Family    string     `json:"family"`
	Setup     []string   `json:"setup"`
	Mutations [][]string `json:"mutations"`
	Query     string     `json:"query"`
	Must      []string   `json:"must_contain"`
	MustNot   []string   `json:"must_not_contain"`
}

// loadForget reads forgetting cases as conversations: all of a case is said in sentences, by one speaker, a minute
// apart.
func loadForget(path string) ([]conversation, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var list []conversation
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		var c forgetting
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, len(list)+1, err)
		}
		list = append(list, c.conversation())
	}
	return list, lines.Err()
}

func (c forgetting) conversation() conversation {
	at := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	out := conversation{ID: c.ID, Register: c.Family, Language: "en"}
	say := func(text string) {
		out.Turns = append(out.Turns, turn{At: at, Speaker: "Robin Marsh", Text: text})
		at = at.Add(time.Minute)
	}
	for _, s := range c.Setup {
		say(s)
	}
	for _, m := range c.Mutations {
		say(sentence(m))
	}
	out.Asks = []ask{{At: at, Question: c.Query, Must: c.Must, MustNot: c.MustNot, Aim: "change", Act: c.Family}}
	return out
}

// sentence says a mutation as somebody would who only talks.
func sentence(m []string) string {
	const about, said = 1, 2
	switch m[0] {
	case "release":
		return "Please forget " + m[about] + "."
	case "purge":
		return "Please delete everything that mentions " + m[about] + "."
	}
	return m[said]
}
