package main

import (
	talk "tenure/eval/talk/conversation"

	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// set is conversations that are scored together. Of a closed set, only totals are shown: it measures whether what was
// built for the others holds for words that nobody has seen.
type set struct {
	name   string
	closed bool
	list   []conversation
}

// sets returns the sets of the named files, or without any those that there are of our own: talk of the belief data,
// the paraphrases, and the forgetting cases.
func sets(o options, files []string) ([]set, error) {
	var out []set
	add := func(name, path string, closed bool, read func(string) ([]conversation, error)) error {
		list, err := read(path)
		if err == nil {
			list, err = o.part(list)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, set{name, closed && !o.open, list})
		return nil
	}
	for _, f := range files {
		if err := add(filepath.Base(f), f, false, talk.Load); err != nil {
			return nil, err
		}
	}
	if len(files) > 0 {
		return out, nil
	}
	for _, s := range []struct {
		name, path string
		closed     bool
		read       func(string) ([]conversation, error)
	}{
		{"talk", filepath.Join(o.data, "beliefs", "talk", "dev.jsonl"), false, talk.Load},
		{"paraphrases", filepath.Join("eval", "talk", "paraphrases", "dev.jsonl"), false, talk.Load},
		{"held", filepath.Join("eval", "talk", "paraphrases", "held.jsonl"), false, talk.Load},
		{"unseen", filepath.Join("eval", "talk", "paraphrases", "unseen.jsonl"), true, talk.Load},
		{"forget", filepath.Join(o.data, "beliefs", "forget", "dev.jsonl.gz"), false, loadForget},
	} {
		err := add(s.name, s.path, s.closed, s.read)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "%s: no %s\n", s.name, s.path)
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no conversations: set TENURE_DATA or --data, and start at the root of the module")
	}
	return out, nil
}

// part returns what the options leave of a set.
func (o options) part(list []conversation) ([]conversation, error) {
	list, err := half(list, o.half)
	if err == nil && o.limit > 0 {
		list = list[:min(o.limit, len(list))]
	}
	return list, err
}
