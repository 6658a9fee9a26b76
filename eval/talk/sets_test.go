package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestForgettingIsToldInSentences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.jsonl.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	_, err = z.Write([]byte(`{"id": "a", "family": "drift", "setup": ["Ada lives in Ghent."], "mutations": ` +
		`[["supersede", "Ada city", "Ada moved to Turin."], ["release", "Ada Finnish lessons"], ["purge", "key-1"]], ` +
		`"query": "Where does Ada live?", "must_contain": ["Turin"], "must_not_contain": ["Ghent"]}` + "\n"))
	if err != nil || z.Close() != nil || f.Close() != nil {
		t.Fatal("writing", path)
	}
	list, err := loadForget(path)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	var said []string
	for i, turn := range list[0].Turns {
		said = append(said, turn.Text)
		if i > 0 && !turn.At.After(list[0].Turns[i-1].At) || turn.At.After(list[0].Asks[0].At) {
			t.Errorf("turn %d is out of order", i)
		}
	}
	want := "Ada lives in Ghent. Ada moved to Turin. Please forget Ada Finnish lessons. Please delete everything that mentions key-1."
	if got := strings.Join(said, " "); got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}

func TestOfAClosedSetNothingButTotalsIsShown(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	path := filepath.Join("eval", "talk", "paraphrases")
	if err := os.MkdirAll(path, 0o750); err != nil {
		t.Fatal(err)
	}
	const one = `{"id": "x", "asks": [{"question": "q", "must": ["m"], "aim": "change"}]}`
	if err := os.WriteFile(filepath.Join(path, "unseen.jsonl"), []byte(one+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for open, rows := range map[bool]int{false: 0, true: 1} {
		list, err := sets(options{data: dir, open: open}, nil)
		if err != nil || len(list) != 1 || list[0].name != "unseen" {
			t.Fatalf("%v, %v", list, err)
		}
		s := scored{list[0], "x", []answer{judge(&list[0].list[0], list[0].list[0].Asks[0], "")}}
		if got := len(rowsOf(s)); got != rows {
			t.Errorf("open %v: %d rows, want %d", open, got, rows)
		}
	}
}

func TestFloors(t *testing.T) {
	bound := floors[0]
	one := func(right bool) answer {
		context := map[bool]string{true: "m", false: "n"}[right]
		return judge(&conversation{}, ask{Must: []string{"m"}, MustNot: []string{"n"}}, context)
	}
	var out strings.Builder
	good := scored{set{name: bound.set}, "x", []answer{one(true)}}
	bad := scored{set{name: bound.set}, "x", []answer{one(false)}}
	if !judgeFloors(&out, "x", []scored{good}, nil) || judgeFloors(&out, "x", []scored{bad}, nil) ||
		judgeFloors(&out, "x", []scored{good}, []string{"500"}) {
		t.Error(out.String())
	}
}
