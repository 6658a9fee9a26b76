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

// rings maps each package folder to its ring. Imports go strictly inward: a package imports only packages of
// lower rings, never one of its own ring. Test files are exempt.
//
// A name that ends in "/" stands for every folder below it without an entry of its own.
var rings = map[string]int{
	// the vocabulary, and packages that hold no rule
	".":          0,
	"migrations": 0,
	"cache":      0,
	"fair":       0,
	"grain":      0,
	"text":       0,
	"tracing":    0,

	// one question each
	"attribute":            1,
	"chatlog":              1,
	"conflicts":            1,
	"contain":              1,
	"encode":               1, // vectors of texts
	"endpoint":             1, // models behind HTTP
	"httpapi/admission":    1,
	"httpapi/body":         1,
	"ner/words":            1,
	"queries":              1,
	"passages":             1, // of documents
	"queue":                1,
	"similarity/syllables": 1,
	"text/phonetic":        1,
	"store":                1,
	"values":               1,
	"vocabulary":           1,

	// the write pipeline, the feed of its log, and answers made of those
	"beliefs":           2,
	"changefeed":        2,
	"encode/encodetest": 2,
	"encode/minilm":     2,
	"encode/remote":     2,
	"ledger":            2,
	"quarantine":        2,
	"store/engine":      2,
	"ner/cjk":           2,
	"ner/coref":         2,
	"ner/identifier":    2,
	"roles":             2,
	"search":            2,
	"similarity":        2,
	"store/storetest":   2,
	"store/neo4j/graph": 3,
	"audience":          3,
	"blocking":          3,
	"labels":            3,
	"ner":               3,
	"projection":        3,
	"registry/forest":   3,

	// which entity, and what is done for a caller
	"linking":   4,
	"ner/alias": 4,
	"proposals": 4,
	"recall":    5,
	"registry":  5,
	"api":       6,
	"amend":     6,
	"auth":      6,
	"calibrate": 6,
	"client":    6,
	"compile":   6,
	"documents": 6,
	"erasure":   6,
	"transfer":  6,
	"visible":   4,

	// the outside world
	"auth/oidc":    7,
	"ingest":       7, // a text may amend
	"index":        7,
	"ner/remote":   7,
	"observe":      7,
	"store/neo4j":  7,
	"store/sqlite": 7,
	"vectors":      7, // of beliefs
	"verify":       7,
	"webhook":      7,

	// an older schema for tests, which each engine's driver has to make
	"store/neo4j/older":  3,
	"store/sqlite/older": 3,

	// what a text says, and which of the things believed it means
	"statements/forget":  1,
	"statements/lex":     1,
	"statements/clauses": 2,

	"statements": 4,

	"statements/align":  6,
	"statements/matter": 6,
	"statements/model":  7,

	// every use case, for any front door. The worker beside the requests is below, because service starts it and
	// asks it for candidates.
	"service/reading":    8,
	"service/resolution": 8,
	"service/view":       8,
	"service":            9,

	// what a front door says of service
	"httpapi/wire": 10,

	// who calls service: the front doors, of which none imports another, and the jobs of an operator, which import
	// rows by the same use case as any caller. They stand in service/ because they know no transport either.
	"httpapi":      11,
	"service/bulk": 11,

	// all of it together
	"internal/serving": 12,

	// programs, which nothing imports but other programs
	"cmd/server":             13,
	"internal/":              13,
	"internal/measure":       12,
	"internal/run":           12,
	"e2e":                    14,
	"eval/talk/conversation": 12,
	"eval/talk/memory":       13,

	"eval/": 14,
}

// only narrows the ring rule: these packages may import only the listed packages of ours.
var only = map[string][]string{
	"store":  {"."},
	"ledger": {".", "cache", "contain", "fair", "store", "tracing"},
	"httpapi": {
		".", "api", "auth", "fair", "httpapi/admission", "httpapi/body", "httpapi/wire", "queries", "service", "tracing",
	},

	"httpapi/wire": {".", "api", "queries", "service"},
}

// never narrows the ring rule further: these folders and those below import nothing of what is listed, though it lies
// further in. A use case knows no transport.
var never = map[string][]string{
	"service": {"api"},
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
		{"inward-is-fine", map[string][]string{"httpapi": {".", "service"}}, ""},
		{"outward", map[string][]string{"registry": {"httpapi"}}, "registry (ring 5) imports httpapi (ring 11): imports go inward"},
		{"equals", map[string][]string{"conflicts": {"store"}}, "conflicts (ring 1) imports store (ring 1): imports go inward"},
		{"root-imports-nothing", map[string][]string{".": {"migrations"}}, ". (ring 0) imports migrations (ring 0): imports go inward"},
		{"no-ring", map[string][]string{"utils": nil}, "utils has no ring: give it one in arch_test.go"},
		{"no-ring-imported", map[string][]string{"eval/x": {"utils"}}, "eval/x imports utils, which has no ring: give it one in arch_test.go"},
		{"by-folder", map[string][]string{"eval/beliefs": {"cmd/server"}}, ""},
		{"own-entry-before-folder", map[string][]string{"migrations": {"store"}}, "migrations (ring 0) imports store (ring 1): imports go inward"},
		{"front-doors-are-equals", map[string][]string{"service/bulk": {"httpapi"}}, "service/bulk (ring 11) imports httpapi (ring 11): imports go inward"},
		{"a-front-door-decides-nothing", map[string][]string{"httpapi": {"registry"}}, "httpapi imports registry: it may import only ., api, auth, fair, httpapi/admission, httpapi/body, httpapi/wire, queries, service, tracing"},
		{"a-use-case-knows-no-transport", map[string][]string{"service/bulk": {"api"}}, "service/bulk imports api: it must not"},
		{"narrowed", map[string][]string{"store": {"migrations"}}, "store imports migrations: it may import only ."},
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

// ringViolations lists the imports that break the rule, in the order of the folders' names.
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
			case forbidden(dir, dep):
				found = append(found, fmt.Sprintf("%s imports %s: it must not", dir, dep))
			case narrowed && !slices.Contains(allowed, dep):
				found = append(found, fmt.Sprintf("%s imports %s: it may import only %s", dir, dep, strings.Join(allowed, ", ")))
			}
		}
	}
	return found
}

// forbidden reports whether never has the import, for the folder or one above it.
func forbidden(dir, dep string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if slices.Contains(never[dir], dep) {
			return true
		}
	}
	return false
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

// ownImports returns, for every folder below top that holds Go files, the folders of this module that its files
// import. It ignores the imports of test files, and build tags: the rule holds on every system.
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

// skipped returns fs.SkipDir for folders that hold no package of this module.
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
