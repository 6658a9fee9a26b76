package chatlog_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"tenure/chatlog"
)

// FuzzOpen has files in every format, damaged ones too, read in bounded pieces: each usable message has a speaker and
// words, and a conversation reads the same twice.
func FuzzOpen(f *testing.F) {
	for _, name := range []string{"team.jsonl", "chatgpt.json", "claude.json"} {
		file, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file, uint8(0))
		f.Add(file[:len(file)/2], uint8(1))
	}
	f.Add([]byte("\uFEFF[]"), uint8(0))
	f.Add([]byte(`[{"mapping":{"a":{"parent":"a"}},"current_node":"a"}]`), uint8(2))
	formats := []chatlog.Format{"", chatlog.JSONL, chatlog.ChatGPT, chatlog.Claude}
	f.Fuzz(func(t *testing.T, file []byte, format uint8) {
		cfg := chatlog.Config{Format: formats[int(format)%len(formats)], User: "Ilka", Thread: "t"}
		log, err := chatlog.Open(bytes.NewReader(file), int64(len(file)), cfg, func(chatlog.Turn) error { return nil })
		if err != nil {
			return
		}
		for _, c := range log.Conversations {
			first, err := read(log, c)
			again, errAgain := read(log, c)
			if (err == nil) != (errAgain == nil) || !slices.Equal(first, again) {
				t.Fatalf("the conversation %q is not the same twice", c.ID)
			}
			for _, turn := range first {
				usable := turn.Fault == "" && turn.Skipped == ""
				if usable && (strings.TrimSpace(turn.Speaker) == "" || strings.TrimSpace(turn.Text) == "") {
					t.Errorf("the turn at %s has no speaker or no words: %+v", turn.Place, turn)
				}
			}
		}
	})
}

func read(log *chatlog.Log, c *chatlog.Conversation) (list []chatlog.Turn, err error) {
	for turn, err := range log.TurnsOf(c) {
		if err != nil {
			return list, err
		}
		list = append(list, turn)
	}
	return list, nil
}
