package tenure_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEmbeddedFilesHaveASource finds files that are built into a program and that docs/sources.md does not name: of
// each it says from whom it is and under which licence.
func TestEmbeddedFilesHaveASource(t *testing.T) {
	sources := string(read(t, "docs/sources.md"))
	embed := regexp.MustCompile(`(?m)^//go:embed (.+)$`)
	found := 0
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipped(".", file, entry.Name())
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		for _, m := range embed.FindAllStringSubmatch(string(read(t, file)), -1) {
			for pattern := range strings.FieldsSeq(m[1]) {
				found++
				if name := path.Join(filepath.ToSlash(filepath.Dir(file)), pattern); !strings.Contains(sources, "`"+name+"`") {
					t.Errorf("docs/sources.md does not say where %s comes from", name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no file is embedded: the search has gone wrong")
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
