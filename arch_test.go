package tenure_test

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rings says how far out each package folder is. Imports go strictly inward: a package may import only packages
// of lower rings, never one of its own ring. Files named _test.go are free.
//
// A name that ends in "/" stands for every folder below it that has no entry of its own.
var rings = map[string]int{
	// the vocabulary, and files that hold no rule
	".":          0,
	"migrations": 0,
	"cache":      0,

	// one question each
	"conflicts":  1,
	"ner/words":  1,
	"quarantine": 1,
	"registry":   1,
	"store":      1,

	// answers made of those
	"beliefs":         2,
	"ner/cjk":         2,
	"ner/coref":       2,
	"ner/identifier":  2,
	"store/storetest": 2,
	"ner":             3,
	"projection":      3,
	"recalibrate":     2,

	// what is done for a caller
	"api":     4,
	"auth":    4,
	"compile": 4,
	"ingest":  4,
	"review":  4,
	"verify":  4,

	// the outside world
	"httpapi":      5,
	"index":        5,
	"ner/remote":   5,
	"observe":      5,
	"store/neo4j":  5,
	"store/sqlite": 5,

	// all of it together
	"app": 6,

	// programs, which nothing imports but other programs
	"cmd/server": 7,
	"internal/":  7,
	"e2e":        8,
	"eval/":      8,
}

// only narrows the ring rule: these packages may import nothing of ours but what is listed.
var only = map[string][]string{
	"store": {".", "cache"},
}

func TestImportsGoInward(t *testing.T) {
	imports, err := ownImports(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range ringViolations(imports) {
		t.Error(v)
	}
}

func TestRingViolations(t *testing.T) {
	for _, c := range []struct {
		name    string
		imports map[string][]string
		want    string
	}{
		{"inward-is-fine", map[string][]string{"httpapi": {".", "store"}}, ""},
		{"outward", map[string][]string{"registry": {"httpapi"}}, "registry (ring 1) imports httpapi (ring 5): imports go inward"},
		{"equals", map[string][]string{"registry": {"quarantine"}}, "registry (ring 1) imports quarantine (ring 1): imports go inward"},
		{"root-imports-nothing", map[string][]string{".": {"migrations"}}, ". (ring 0) imports migrations (ring 0): imports go inward"},
		{"no-ring", map[string][]string{"utils": nil}, "utils has no ring: give it one in arch_test.go"},
		{"no-ring-imported", map[string][]string{"eval/x": {"utils"}}, "eval/x imports utils, which has no ring: give it one in arch_test.go"},
		{"by-folder", map[string][]string{"eval/beliefs": {"cmd/server"}}, ""},
		{"own-entry-before-folder", map[string][]string{"migrations": {"store"}}, "migrations (ring 0) imports store (ring 1): imports go inward"},
		{"narrowed", map[string][]string{"store": {"migrations"}}, "store imports migrations: it may import only ., cache"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(ringViolations(c.imports), "\n"); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestOwnImports(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{
		"root.go":          "package x\nimport \"fmt\"",
		"a/a.go":           "package a\nimport (\"tenure\"; \"tenure/b/c\"; \"tenureish/d\")",
		"a/a_test.go":      "package a\nimport \"tenure/httpapi\"",
		"b/c/c.go":         "//go:build ignore\n\npackage c\nimport \"tenure/a\"",
		"t/only_test.go":   "package t",
		"a/testdata/x.go":  "not Go",
		".bin/x.go":        "not Go",
		"tools/go.mod":     "module other",
		"tools/x/tools.go": "not Go",
	} {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ownImports(top)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{".": nil, "a": {".", "b/c"}, "b/c": {"a"}, "t": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// ringViolations judges the imports of each folder, in the order of their names.
func ringViolations(imports map[string][]string) []string {
	var found []string
	for _, dir := range slices.Sorted(maps.Keys(imports)) {
		from, ok := ringOf(dir)
		if !ok {
			found = append(found, dir+" has no ring: give it one in arch_test.go")
			continue
		}
		for _, dep := range imports[dir] {
			to, ok := ringOf(dep)
			allowed, narrowed := only[dir]
			switch {
			case !ok:
				found = append(found, fmt.Sprintf("%s imports %s, which has no ring: give it one in arch_test.go", dir, dep))
			case to >= from:
				found = append(found, fmt.Sprintf("%s (ring %d) imports %s (ring %d): imports go inward", dir, from, dep, to))
			case narrowed && !slices.Contains(allowed, dep):
				found = append(found, fmt.Sprintf("%s imports %s: it may import only %s", dir, dep, strings.Join(allowed, ", ")))
			}
		}
	}
	return found
}

func ringOf(dir string) (int, bool) {
	if r, ok := rings[dir]; ok {
		return r, true
	}
	for up := path.Dir(dir); up != "."; up = path.Dir(up) {
		if r, ok := rings[up+"/"]; ok {
			return r, true
		}
	}
	return 0, false
}

// ownImports reads, for every folder below top that holds Go files, which folders of this module its files import;
// test files count as files but their imports do not. Build tags are not looked at: a rule holds on every system.
func ownImports(top string) (map[string][]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(top, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipped(top, file, entry.Name())
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		rel, err := filepath.Rel(top, filepath.Dir(file))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(rel)
		deps := found[dir]
		if !strings.HasSuffix(file, "_test.go") {
			if deps, err = withImports(deps, file); err != nil {
				return err
			}
		}
		found[dir] = deps
		return nil
	})
	return found, err
}

// skipped is fs.SkipDir for folders that hold no package of this module.
func skipped(top, dir, name string) error {
	if dir == top {
		return nil
	}
	if name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	switch _, err := os.Stat(filepath.Join(dir, "go.mod")); {
	case err == nil: // a module of its own
		return fs.SkipDir
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return err
	}
}

// withImports adds the folders of this module that file imports to deps.
func withImports(deps []string, file string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		dep, own := strings.CutPrefix(name, "tenure/")
		if name == "tenure" {
			dep, own = ".", true
		}
		if own && !slices.Contains(deps, dep) {
			deps = append(deps, dep)
		}
	}
	return deps, nil
}
