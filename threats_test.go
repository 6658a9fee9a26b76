package tenure_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThreatsNameTheirTests checks that docs/security.md has a test for each threat, and that there are those that it
// names: functions, scenarios and files of tests.
func TestThreatsNameTheirTests(t *testing.T) {
	tests := sourcesOfTests(t)
	_, table, _ := strings.Cut(string(read(t, "docs/security.md")), "| threat | answer | shown by |")
	quoted := regexp.MustCompile("`([^`]+)`")
	rows := 0
	for _, row := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(row, "|")
		if len(cells) != 5 {
			break
		}
		rows++
		names := quoted.FindAllStringSubmatch(cells[3], -1)
		if len(names) == 0 {
			t.Errorf("%s: no test is named", cells[1])
		}
		for _, n := range names {
			if !known(t, n[1], tests) {
				t.Errorf("%s: there is no %s", cells[1], n[1])
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d threats", rows)
	}
}

// known reports whether a name is that of a test, of a scenario, of a target of make, of a folder or of a file.
func known(t *testing.T, name, tests string) bool {
	t.Helper()
	switch {
	case regexp.MustCompile(`^(Test|Fuzz)\w+$`).MatchString(name):
		return strings.Contains(tests, "func "+name+"(")
	case strings.HasPrefix(name, "make "):
		return strings.Contains("\n"+string(read(t, "Makefile")), "\n"+strings.TrimPrefix(name, "make ")+":")
	case strings.Contains(tests, `"`+name+`"`):
		return true
	}
	_, err := os.Stat(name)
	return err == nil
}

// sourcesOfTests joins all files of tests.
func sourcesOfTests(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		all.Write(read(t, path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
