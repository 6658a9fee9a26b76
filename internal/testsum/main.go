// Testsum reads the event stream of "go test -json" on standard input and prints what a person wants of it.
//
// In: the events of any number of packages. Out: for each package that failed, the whole output of its failing
// tests and of its build; nothing for one that passed; then the skipped tests, how many packages were fine, which
// was slowest, and as the last line "N passed, N failed, N skipped".
//
// A test with subtests counts as its subtests. A package that fails although no test of it did (it does not build,
// TestMain found a leak) counts as one failure.
//
// The rule that lives here: a run is good only if something ran, nothing failed and nothing was skipped.
// Otherwise the exit status is 1.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	sum, err := summarise(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum:", err)
		os.Exit(1)
	}
	if !sum.good() {
		os.Exit(1)
	}
}

// event is one line of "go test -json" (see "go doc test2json" and "go help buildjson").
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build-output and build-fail
	Test        string // empty: about the package
	Elapsed     float64
	Output      string
	FailedBuild string
}

// test is what the stream told of one test.
type test struct {
	end    string // "pass", "fail", "skip"; empty until it ended
	output strings.Builder
	parent bool // it has subtests
}

// pkg is what the stream told of one package under test.
type pkg struct {
	names  []string // in the order they started
	tests  map[string]*test
	output strings.Builder
}

func (p *pkg) test(name string) *test {
	t := p.tests[name]
	if t == nil {
		t = &test{}
		p.tests[name] = t
		p.names = append(p.names, name)
		for above := range parents(name) {
			if up := p.tests[above]; up != nil {
				up.parent = true
			}
		}
	}
	return t
}

// parents yields "A/b" and "A" for "A/b/c", nearest first.
func parents(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
			if !yield(name[:i]) {
				return
			}
		}
	}
}

// summary counts the tests of a run.
type summary struct{ passed, failed, skipped int }

func (s summary) good() bool { return s.passed > 0 && s.failed == 0 && s.skipped == 0 }

func (s summary) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", s.passed, s.failed, s.skipped)
}

// run is the state of one reading.
type run struct {
	out     io.Writer
	pkgs    map[string]*pkg
	builds  map[string]*strings.Builder // output of the compiler and of vet, by what was built
	sum     summary
	skips   []string
	fine    int
	slowest event
}

// summarise reads events to the end of in and writes the report to out.
func summarise(in io.Reader, out io.Writer) (summary, error) {
	r := &run{out: out, pkgs: map[string]*pkg{}, builds: map[string]*strings.Builder{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			r.line(line)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return r.sum, err
		}
	}
	r.finish()
	return r.sum, nil
}

// line takes one line; what is no event is passed on as it is.
func (r *run) line(line string) {
	var e event
	if err := json.Unmarshal([]byte(line), &e); err != nil || e.Action == "" {
		fmt.Fprintln(r.out, strings.TrimSuffix(line, "\n"))
		return
	}
	switch {
	case e.Action == "build-output":
		if r.builds[e.ImportPath] == nil {
			r.builds[e.ImportPath] = &strings.Builder{}
		}
		r.builds[e.ImportPath].WriteString(e.Output)
	case e.Action == "build-fail":
		if b := r.builds[e.ImportPath]; b != nil {
			fmt.Fprintf(r.out, "FAIL %s: does not build\n%s\n", e.ImportPath, b)
			delete(r.builds, e.ImportPath)
		}
	case e.Package != "":
		r.tested(e)
	}
}

// tested takes an event of a package or of one of its tests.
func (r *run) tested(e event) {
	p := r.pkgs[e.Package]
	if p == nil {
		p = &pkg{tests: map[string]*test{}}
		r.pkgs[e.Package] = p
	}
	switch {
	case e.Action == "output" && e.Test != "":
		p.test(e.Test).output.WriteString(e.Output)
	case e.Action == "output":
		p.output.WriteString(e.Output)
	case e.Test != "" && e.Action == "run":
		p.test(e.Test)
	case e.Test != "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
		p.test(e.Test).end = e.Action
	case e.Test == "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
		r.ended(e, p)
		delete(r.pkgs, e.Package)
	}
}

// ended counts the tests of a package that is over and reports it if it failed.
func (r *run) ended(e event, p *pkg) {
	failedBefore := r.sum.failed
	bad := e.Action == "fail"
	for _, name := range p.names {
		t := p.tests[name]
		switch {
		case t.end == "skip":
			r.sum.skipped++
			r.skips = append(r.skips, e.Package+" "+name+"\n"+t.output.String())
		case t.end == "pass" && !t.parent:
			r.sum.passed++
		case t.end == "fail" && !p.failsBelow(name), t.end == "" && bad && !t.parent:
			r.sum.failed++
		}
	}
	if !bad {
		if len(p.names) > 0 {
			r.fine++
		}
		if e.Elapsed > r.slowest.Elapsed {
			r.slowest = e
		}
		return
	}
	if r.sum.failed == failedBefore {
		r.sum.failed++
	}
	if e.FailedBuild == "" { // otherwise build-fail has said it all
		r.report(e, p)
	}
}

// failsBelow tells whether a subtest of name failed or never ended, which is then what counts.
func (p *pkg) failsBelow(name string) bool {
	return slices.ContainsFunc(p.names, func(other string) bool {
		return strings.HasPrefix(other, name+"/") && p.tests[other].end != "pass" && p.tests[other].end != "skip"
	})
}

// report prints a failed package: its failing and unfinished tests whole, then what it said itself.
func (r *run) report(e event, p *pkg) {
	fmt.Fprintf(r.out, "FAIL %s (%.1f s)\n", e.Package, e.Elapsed)
	for _, name := range p.names {
		t := p.tests[name]
		if t.end != "fail" && t.end != "" {
			continue
		}
		if t.end == "" {
			fmt.Fprintf(r.out, "--- did not end: %s\n", name)
		}
		fmt.Fprint(r.out, t.output.String())
	}
	fmt.Fprintln(r.out, p.output.String())
}

// finish reports packages that were cut off, and prints the closing lines.
func (r *run) finish() {
	cut := make([]string, 0, len(r.pkgs))
	for name := range r.pkgs {
		cut = append(cut, name)
	}
	slices.Sort(cut)
	for _, name := range cut {
		fmt.Fprintf(r.out, "%s: the stream ended before the package did\n", name)
		r.ended(event{Action: "fail", Package: name}, r.pkgs[name])
	}
	for _, s := range r.skips {
		fmt.Fprintf(r.out, "SKIP %s\n", s)
	}
	if r.slowest.Package != "" {
		fmt.Fprintf(r.out, "%d packages passed, the slowest %s in %.1f s\n", r.fine, r.slowest.Package, r.slowest.Elapsed)
	}
	switch {
	case r.sum == summary{}:
		fmt.Fprintln(r.out, "no test ran: that is a failure too")
	case r.sum.skipped > 0:
		fmt.Fprintln(r.out, "a test was skipped: nothing here may skip")
	}
	fmt.Fprintln(r.out, r.sum)
}
