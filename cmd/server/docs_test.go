package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/alecthomas/kong"

	"tenure"
	"tenure/api"
	"tenure/auth"
	"tenure/index"
	"tenure/internal/serving"
	"tenure/service"
	"tenure/store/sqlite"
)

// The examples of the documents are run. What is fenced as
//
//	sh run [NAME=path]...  is run by bash, in order; from its JSON answer the
//	                       value at the path is given to later ones as $NAME
//	json expect            must be part of the answer, value by value: "…"
//	                       stands for any value or part of a text, and as the
//	                       last item of an array for any more items
//	text expect            has lines that are lines of the answer
//	python run             is run by the Python session of the document
//	text output            is the answer, line by line
//
// and a block that calls the service without being run is a fault.

// asServer makes the test binary the server program: see TestMain.
const asServer = "TENURE_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

const top = "../.."

// text returns the content of a file of the repository.
func text(t *testing.T, file string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// block is a fenced block of a document.
type block struct {
	at   string // file and line
	lang string
	info []string
	text string
}

func (b block) is(lang, what string) bool {
	return b.lang == lang && len(b.info) > 0 && b.info[0] == what
}

func blocksOf(t *testing.T, file string) []block {
	t.Helper()
	var list []block
	var open *block
	for i, line := range strings.Split(text(t, file), "\n") {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open == nil:
			words := append(strings.Fields(fence), "")
			open = &block{at: fmt.Sprintf("%s:%d", file, i+1), lang: words[0], info: words[1 : len(words)-1]}
			if words[0] == "" {
				open.info = nil
			}
		case isFence:
			list = append(list, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Fatalf("%s: the block is not closed", open.at)
	}
	return list
}

// document runs the examples of a document.
type document struct {
	env    map[string]string
	dir    string
	python func(block) []byte // nil if there is no session
}

func (d document) run(t *testing.T, file string) {
	t.Helper()
	var last *block
	var answer []byte
	checked := true
	for _, b := range blocksOf(t, file) {
		switch {
		case b.is("sh", "run"):
			if !checked {
				t.Errorf("%s: nothing is expected of it", last.at)
			}
			answer = d.bash(t, b)
			last, checked = &b, false
		case b.is("python", "run"):
			if !checked {
				t.Errorf("%s: nothing is expected of it", last.at)
			}
			answer = d.python(b)
			last, checked = &b, len(answer) == 0
		case b.is("json", "expect"), b.is("text", "expect"), b.is("text", "output"):
			checked = true
			if fault := b.fault(answer); fault != nil {
				t.Errorf("%s: %v\n%s", b.at, fault, answer)
			}
		case b.lang == "sh" && strings.Contains(b.text, "curl"):
			t.Errorf("%s: is not run", b.at)
		}
	}
	if !checked {
		t.Errorf("%s: nothing is expected of it", last.at)
	}
}

// bash runs a block and keeps the parts of its answer that the block names.
func (d document) bash(t *testing.T, b block) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", b.text)
	cmd.Dir = d.dir
	cmd.Env = os.Environ()
	for name, value := range d.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var errOut strings.Builder
	cmd.Stderr = &errOut
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", b.at, err, answer, errOut.String())
	}
	for _, capture := range b.info[1:] {
		name, path, _ := strings.Cut(capture, "=")
		value, err := find(answer, path)
		if err != nil {
			t.Fatalf("%s: %s: %v\n%s", b.at, capture, err, answer)
		}
		d.env[name] = value
	}
	return answer
}

// find returns the text at a path such as items.0.case_id.
func find(answer []byte, path string) (string, error) {
	var v any
	if err := json.Unmarshal(answer, &v); err != nil {
		return "", err
	}
	for _, step := range strings.Split(path, ".") {
		switch have := v.(type) {
		case map[string]any:
			v = have[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(have) {
				return "", fmt.Errorf("there is no item %s", step)
			}
			v = have[i]
		default:
			return "", fmt.Errorf("there is no %s", step)
		}
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("%v is no text or number", v)
}

// fault compares an answer with the expectation and returns the difference, nil for none.
func (b block) fault(answer []byte) error {
	if b.is("text", "output") {
		if !like(b.text, string(answer)) {
			return errors.New("that is not the answer")
		}
		return nil
	}
	if b.lang == "text" {
		lines := strings.Split(string(answer), "\n")
		for want := range strings.Lines(b.text) {
			want = strings.TrimSpace(want)
			if !slices.ContainsFunc(lines, func(have string) bool { return like(want, strings.TrimSpace(have)) }) {
				return fmt.Errorf("there is no line %q", want)
			}
		}
		return nil
	}
	want, err := values(b.text)
	if err != nil {
		return fmt.Errorf("what is expected is not JSON: %w", err)
	}
	have, err := values(string(answer))
	if err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	return within("", any(want), any(have))
}

// values decodes consecutive JSON values.
func values(text string) ([]any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	var list []any
	for {
		var v any
		switch err := d.Decode(&v); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, v)
	}
}

const anything = "…"

// like reports whether have matches want, in which "…" stands for any text.
func like(want, have string) bool {
	parts := strings.Split(regexp.QuoteMeta(want), anything)
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, ".*") + `$`).MatchString(have)
}

// within returns an error that locates the first value of want that is not part of have.
func within(at string, want, have any) error {
	if want == anything {
		return nil
	}
	switch want := want.(type) {
	case map[string]any:
		object, ok := have.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is %v, no object", at, have)
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			value, ok := object[name]
			if !ok {
				return fmt.Errorf("%s/%s is missing", at, name)
			}
			if err := within(at+"/"+name, want[name], value); err != nil {
				return err
			}
		}
		return nil
	case []any:
		list, ok := have.([]any)
		if n := len(want); n > 0 && want[n-1] == anything {
			want = want[:n-1]
			list = list[:min(len(list), len(want))]
		}
		if !ok || len(list) != len(want) {
			return fmt.Errorf("%s has not %d items: %v", at, len(want), have)
		}
		for i := range want {
			if err := within(fmt.Sprintf("%s/%d", at, i), want[i], list[i]); err != nil {
				return err
			}
		}
		return nil
	case string:
		if text, ok := have.(string); ok && like(want, text) {
			return nil
		}
	default:
		if reflect.DeepEqual(want, have) {
			return nil
		}
	}
	return fmt.Errorf("%s is %v, not %v", at, have, want)
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		name, want, have string
		ok               bool
	}{
		{"part", `{"a": 1}`, `{"a": 1, "b": 2}`, true},
		{"missing", `{"a": 1}`, `{"b": 2}`, false},
		{"other-value", `{"a": [1, {"b": true}]}`, `{"a": [1, {"b": false}]}`, false},
		{"any", `{"a": "…"}`, `{"a": null}`, true},
		{"any-part", `"a…c"`, `"abc"`, true},
		{"any-other-part", `"a…c"`, `"abd"`, false},
		{"all-items", `[1]`, `[1, 2]`, false},
		{"more-items", `[1, "…"]`, `[1, 2]`, true},
		{"fewer-items", `[1, 2, "…"]`, `[1]`, false},
		{"null", `{"a": null}`, `{}`, false},
		{"lines", "{}\n{\"a\": 1}", "{\"b\": 1}\n{\"a\": 1}", true},
	} {
		b := block{lang: "json", text: c.want}
		if err := b.fault([]byte(c.have)); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestReadme runs the tour against the demo, and compares the tour with the output of the demo.
func TestReadme(t *testing.T) {
	runOnDemo(t, "README.md")
	var shown []string
	for _, b := range blocksOf(t, "README.md") {
		if b.is("sh", "run") {
			shown = append(shown, strings.TrimSpace(b.text))
		}
	}
	for i, c := range calls {
		at := slices.Index(shown, c.curl())
		if at < 0 {
			t.Errorf("call %d of the demo is not in the README, or not in this order:\n%s", i+1, c.curl())
			continue
		}
		shown = shown[at+1:]
	}
}

// TestCompile runs the examples of the stages with the demo's data.
func TestCompile(t *testing.T) { runOnDemo(t, "docs/compile.md") }

// runOnDemo runs the examples of a document with the server of the demo.
func runOnDemo(t *testing.T, file string) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	var out screen
	ended := make(chan error, 1)
	go func() { ended <- (&demoCmd{Listen: "127.0.0.1:0"}).Run(demoWorld(ctx, &out)) }()
	for !strings.Contains(out.String(), "\nServing at ") {
		select {
		case err := <-ended:
			t.Fatalf("the demo ended: %v\n%s", err, out.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	env := map[string]string{}
	for _, export := range regexp.MustCompile(`(?m)^export (\w+)=(.*)$`).FindAllStringSubmatch(out.String(), -1) {
		env[export[1]] = export[2]
	}
	document{env: env, dir: t.TempDir()}.run(t, file)
	interrupt()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestReadmeSetup holds the first commands of the README to those of the quickstart, which are run.
func TestReadmeSetup(t *testing.T) {
	quickstart := map[string]bool{}
	for _, b := range blocksOf(t, "docs/quickstart.md") {
		for line := range strings.Lines(b.text) {
			quickstart[line] = true
		}
	}
	found := 0
	for _, b := range blocksOf(t, "README.md") {
		if !b.is("sh", "setup") {
			continue
		}
		for line := range strings.Lines(b.text) {
			if found++; !quickstart[line] {
				t.Errorf("%s: the quickstart has no %q", b.at, line)
			}
		}
	}
	if found < 3 {
		t.Errorf("%d commands were found: to build, to make a key, to serve", found)
	}
}

// TestReadmeChecksExist finds checks of the README that would run no test.
func TestReadmeChecksExist(t *testing.T) {
	body := text(t, "README.md")
	checks := regexp.MustCompile("`(?:go test |make test PKG=)\\./([a-z0-9/]*[a-z0-9])(?:/\\.\\.\\.)?(?: TESTFLAGS=')?(?: ?-run ([^'`]+))?'?`").FindAllStringSubmatch(body, -1)
	if len(checks) < 10 {
		t.Fatalf("%d checks were found", len(checks))
	}
	for _, c := range checks {
		files := c[1] + "/*_test.go"
		if strings.Contains(c[0], "/...") {
			files = c[1] + "/*/*_test.go" // the contract in store/ has no tests, its engines have
		}
		tests := read(t, files)
		test, subtests, _ := strings.Cut(c[2], "/")
		if !regexp.MustCompile(`func \w*` + test).MatchString(tests) {
			t.Errorf("%s runs no test", c[0])
		}
		for part := range strings.SplitSeq(subtests, "/") {
			if part != "" && part != ".*" && !strings.Contains(tests, `"`+part) {
				t.Errorf("%s runs no subtest %s", c[0], part)
			}
		}
	}
}

// TestQuickstart runs the commands of the quickstart with the server program.
func TestQuickstart(t *testing.T) {
	served(t, "docs/quickstart.md").run(t, "docs/quickstart.md")
}

// TestOneManyConstant runs the examples with the server of the quickstart.
func TestOneManyConstant(t *testing.T) {
	served(t, "docs/quickstart.md").run(t, "docs/one-many-constant.md")
}

// TestRecallDocument runs the examples with the server of the quickstart.
func TestRecallDocument(t *testing.T) {
	served(t, "docs/quickstart.md").run(t, "docs/recall.md")
}

// TestDocuments runs the examples with the server of the quickstart.
func TestDocuments(t *testing.T) {
	served(t, "docs/quickstart.md").run(t, "docs/documents.md")
}

// served builds what a document asks for: "sh setup [NAME]" makes a key, $KEY unless it is named, and "sh serve" starts
// the server program.
func served(t *testing.T, file string) document {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", asServer, self)
	if err := os.WriteFile(filepath.Join(dir, "server"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TENURE_LISTEN", "127.0.0.1:0") // in place of the default port, which may be taken
	d := document{dir: dir, env: map[string]string{}}
	for _, b := range blocksOf(t, file) {
		switch {
		case b.is("sh", "setup"):
			name := "KEY"
			if len(b.info) > 1 {
				name = b.info[1]
			}
			b.info = b.info[:1]
			d.env[name] = strings.TrimSpace(string(d.bash(t, b)))
		case b.is("sh", "serve"):
			d.env["TENURE_URL"] = d.background(t, b)
		}
	}
	return d
}

// background runs a block until the test ends, checks that it exits cleanly, and returns the first line of
// its output.
func (d document) background(t *testing.T, b block) string {
	t.Helper()
	cmd := exec.Command("bash", "-c", "exec "+b.text)
	log := &screen{}
	cmd.Dir, cmd.Stderr = d.dir, log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", b.at, err)
		}
		if t.Failed() {
			t.Log(log)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s: no address: %v\n%s", b.at, err, log)
	}
	return strings.TrimSpace(line)
}

// TestAPITour runs the tour and finds operations that it leaves out.
func TestAPITour(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tenure.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	credential, key, err := auth.Issue(tenure.NewMint(time.Now()), rand.Reader, tenure.Credential{
		Tenant: "museum", Roles: tenure.Roles, Clearance: tenure.HighlyRestricted, ActFor: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutCredential(t.Context(), credential); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.TempDir(), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	a, err := serving.HTTP(s, service.Config{Now: time.Now, Index: x}, serving.Options{CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	made := &recorder{next: a.Handler}
	server := httptest.NewServer(made)
	defer server.Close()
	document{dir: t.TempDir(), env: map[string]string{"TENURE_URL": server.URL, "KEY": key}}.run(t, "docs/api.md")
	spec, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\\\{\w+\\\}`)
	for path, item := range spec.Paths.Map() {
		route := "^" + parameter.ReplaceAllString(regexp.QuoteMeta(path), `[^/:]+`) + "$"
		for method := range item.Operations() {
			if !made.has(method, regexp.MustCompile(route)) {
				t.Errorf("docs/api.md does not show %s %s", method, path)
			}
		}
	}
}

// recorder records the requests.
type recorder struct {
	next http.Handler
	mu   sync.Mutex
	made []string
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.made = append(r.made, req.Method+" "+req.URL.Path)
	r.mu.Unlock()
	r.next.ServeHTTP(w, req)
}

func (r *recorder) has(method string, route *regexp.Regexp) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.made, func(m string) bool {
		path, ok := strings.CutPrefix(m, method+" ")
		return ok && route.MatchString(path)
	})
}

// TestOperationsTellsEveryFlag finds flags and variables that the table of
// docs/operations.md leaves out.
func TestOperationsTellsEveryFlag(t *testing.T) {
	body := text(t, "docs/operations.md")
	var c cli
	parser, err := kong.New(&c, kong.Name("server"), kong.DefaultEnvars("TENURE"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| .*$`).FindAllString(body, -1)
	var check func(n *kong.Node)
	check = func(n *kong.Node) {
		for _, f := range n.Flags {
			if f.Name == "help" {
				continue
			}
			words := append([]string{"`--" + f.Name + "`"}, f.Envs...)
			if !slices.ContainsFunc(rows, func(row string) bool {
				return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(row, w) })
			}) {
				t.Errorf("%s: no row tells all of %v", n.FullPath(), words)
			}
		}
		for _, child := range n.Children {
			check(child)
		}
	}
	check(parser.Model.Node)
	blocks := blocksOf(t, "docs/operations.md")
	t.Chdir(t.TempDir())
	for _, name := range []string{"people.jsonl", "conversations.json"} { // an import requires an existing file
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range blocks {
		for line := range strings.Lines(b.text) {
			command, ok := strings.CutPrefix(line, "server ")
			if !ok {
				continue
			}
			if _, err := parser.Parse(strings.Fields(command)); err != nil {
				t.Errorf("%s: %s: %v", b.at, strings.TrimSpace(line), err)
			}
		}
	}
}

// TestTermsAreUsed checks that each word of docs/terms.md occurs where the table says that it is used.
func TestTermsAreUsed(t *testing.T) {
	body := text(t, "docs/terms.md")
	places := []map[string]bool{
		words(read(t, "*.go") + read(t, "*/*.go")),
		words(read(t, "api/openapi.yaml")),
		words(read(t, "store/neo4j/*.go") + read(t, "store/neo4j/graph/*.go") + read(t, "migrations/cypher/*.cypher")),
	}
	word := regexp.MustCompile("`([^`]+)`")
	for _, row := range regexp.MustCompile(`(?m)^\| \*\*.*$`).FindAllString(body, -1) {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|"), "|")
		if len(cells) != 6 {
			t.Errorf("%d cells: %s", len(cells), row)
			continue
		}
		for i, place := range places {
			for _, w := range word.FindAllStringSubmatch(cells[i+3], -1) {
				plain := strings.Trim(w[1], ":()[]/{}")
				if !place[plain] {
					t.Errorf("%s is not used where it should be: %s", w[0], row)
				}
			}
		}
	}
}

// words returns the set of identifiers in a text.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		set[w] = true
	}
	return set
}

func read(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	var all strings.Builder
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(body)
	}
	return all.String()
}

// TestLinksLead finds broken links in the documents.
func TestLinksLead(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md"} {
		found, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(body), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: %s leads nowhere", file, m[1])
			}
		}
	}
}
