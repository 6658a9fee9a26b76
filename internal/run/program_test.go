package run_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tenure/internal/run"
)

func TestOnlyWhatTheFlagNames(t *testing.T) {
	all := []string{"a", "b", "c"}
	self := func(s string) string { return s }
	for flag, want := range map[string][]string{"": all, "b": {"b"}, "c,a": {"c", "a"}} {
		if got, err := run.Only(all, self, flag, "letter"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", flag, got, err, want)
		}
	}
	if _, err := run.Only(all, self, "a,x", "letter"); err == nil || err.Error() != `there is no letter "x"` {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestWriteJSON(t *testing.T) {
	if err := run.WriteJSON("", 1); err != nil {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "out.json")
	if err := run.WriteJSON(file, []int{1}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "[\n 1\n]" {
		t.Errorf("%q, %v", text, err)
	}
}
