package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// schema is a package with many mutants compiled in, one active at a time: a mutant schema (Untch, 1993). Each mutant
// is a copy of its function, and the original calls the copy whose number is in the environment. A test binary is then
// built once for all mutants. Mutants outside functions have no number and are built one by one.
type schema struct {
	numbers  map[mutant]int
	binaries []string // by run; empty where a run has none
	dirs     []string // the folder of each run's package
}

// chosenBy is the environment variable with the number of the active mutant.
const chosenBy = "TENURE_MUTANT"

// edit replaces a range of a text.
type edit struct {
	start, end int
	text       string
}

// apply returns text with the edits made, which do not overlap. Insertions at one place keep their order.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out bytes.Buffer
	last := 0
	for _, e := range edits {
		out.Write(text[last:e.start])
		out.WriteString(e.text)
		last = e.end
	}
	out.Write(text[last:])
	return out.Bytes()
}

// newSchema builds the test binaries of the runs with the trials compiled in.
func (t *tester) newSchema(ctx context.Context, p *pkg, runs []baseline, trials []trial) (*schema, error) {
	s := &schema{numbers: map[mutant]int{}}
	texts := p.schema(trials, s.numbers)
	overlay, _, err := t.overlay(texts)
	if err != nil {
		return nil, err
	}
	for i, b := range runs {
		name := filepath.Join(filepath.Dir(overlay), "test"+strconv.Itoa(i))
		//nolint:gosec // the tests of this module
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", name, b.args[0])
		cmd.Dir = t.root
		cmd.Env = append(os.Environ(), "GOCACHE="+t.cache, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the package with its mutants does not compile: %w\n%s", err, out)
		}
		s.binaries = append(s.binaries, name)
		s.dirs = append(s.dirs, filepath.Join(t.root, filepath.FromSlash(b.args[0])))
	}
	return s, nil
}

// schema returns the files of the package with the mutants of functions compiled in, by their names, and numbers those
// mutants.
func (p *pkg) schema(trials []trial, numbers map[mutant]int) map[string][]byte {
	texts := map[string][]byte{}
	for _, f := range p.files {
		copies := map[*ast.FuncDecl][]int{}
		var more bytes.Buffer
		for _, m := range trials {
			decl := m.function()
			if m.file != f || decl == nil {
				continue
			}
			n := len(numbers) + 1
			numbers[m.mutant] = n
			copies[decl] = append(copies[decl], n)
			more.WriteString("\n" + p.copied(decl, m.mutant, n) + "\n")
		}
		if len(copies) == 0 {
			continue
		}
		var edits []edit
		for decl, list := range copies {
			edits = append(edits, p.dispatch(decl, list)...)
		}
		texts[f.abs] = append(apply(f.text, edits), more.Bytes()...)
	}
	texts[filepath.Join(p.root, filepath.FromSlash(p.dir), "mutant_chosen.go")] = fmt.Appendf(nil, `package %s

import (
	"os"
	"strconv"
)

var mutantChosen, _ = strconv.Atoi(os.Getenv(%q))
`, p.files[0].tree.Name.Name, chosenBy)
	return texts
}

// function returns the declared function around the mutant, nil for a mutant outside functions and in init and main,
// which cannot be called.
func (m mutant) function() *ast.FuncDecl {
	for _, d := range m.file.tree.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil || decl.Recv == nil && slices.Contains([]string{"init", "main"}, decl.Name.Name) {
			continue
		}
		base := int(m.file.tree.FileStart)
		if int(decl.Body.Lbrace)-base < m.start && m.end <= int(decl.Body.Rbrace)-base {
			return decl
		}
	}
	return nil
}

// copyName is the name of the copy of a function with mutant n.
func copyName(name string, n int) string { return name + "Mutant" + strconv.Itoa(n) }

// copied returns the text of a function with mutant n in it, under the name of the copy.
func (p *pkg) copied(decl *ast.FuncDecl, m mutant, n int) string {
	from, to := p.fset.Position(decl.Pos()).Offset, p.fset.Position(decl.End()).Offset
	name := p.fset.Position(decl.Name.End()).Offset
	return string(apply(m.file.text[from:to], []edit{
		{name - from, name - from, copyName("", n)},
		{m.start - from, m.end - from, m.becomes},
	}))
}

// dispatch returns the edits by which a function calls the chosen copy of itself. Parameters get names where they have
// none.
func (p *pkg) dispatch(decl *ast.FuncDecl, copies []int) []edit {
	var edits []edit
	unnamed := 0
	name := func(fields *ast.FieldList) (names []string) {
		if fields == nil {
			return nil
		}
		for _, field := range fields.List {
			idents := field.Names
			if len(idents) == 0 {
				unnamed++
				fresh := "mutantParam" + strconv.Itoa(unnamed)
				at := p.fset.Position(field.Type.Pos()).Offset
				edits = append(edits, edit{at, at, fresh + " "})
				names = append(names, fresh)
			}
			for _, id := range idents {
				fresh := id.Name
				if fresh == "_" {
					unnamed++
					fresh = "mutantParam" + strconv.Itoa(unnamed)
					edits = append(edits, edit{p.fset.Position(id.Pos()).Offset, p.fset.Position(id.End()).Offset, fresh})
				}
				names = append(names, fresh)
			}
		}
		return names
	}
	prefix := ""
	if receiver := name(decl.Recv); receiver != nil {
		prefix = receiver[0] + "."
	}
	args := strings.Join(name(decl.Type.Params), ", ")
	if list := decl.Type.Params.List; len(list) > 0 {
		if _, variadic := list[len(list)-1].Type.(*ast.Ellipsis); variadic {
			args += "..."
		}
	}
	types := ""
	if decl.Type.TypeParams != nil {
		types = "[" + strings.Join(name(decl.Type.TypeParams), ", ") + "]"
	}
	var calls strings.Builder
	calls.WriteString(" switch mutantChosen {")
	for _, n := range copies {
		call := prefix + copyName(decl.Name.Name, n) + types + "(" + args + ")"
		if decl.Type.Results == nil {
			fmt.Fprintf(&calls, "case %d: %s; return;", n, call)
		} else {
			fmt.Fprintf(&calls, "case %d: return %s;", n, call)
		}
	}
	calls.WriteString("};")
	at := p.fset.Position(decl.Body.Lbrace).Offset + 1
	return append(edits, edit{at, at, calls.String()})
}

// run returns the output of run i over mutant n.
func (s *schema) run(ctx context.Context, i int, b baseline, n int) ([]byte, error) {
	args := []string{"-test.count=1", "-test.short", "-test.failfast", "-test.timeout=" + b.limit.String()}
	for _, arg := range b.args[1:] {
		for _, known := range []string{"run", "skip"} {
			if arg == "-"+known || strings.HasPrefix(arg, "-"+known+"=") {
				arg = "-test." + arg[1:]
			}
		}
		args = append(args, arg)
	}
	cmd := exec.CommandContext(ctx, s.binaries[i], args...) //nolint:gosec // a binary built by newSchema
	cmd.Dir = s.dirs[i]
	cmd.Env = append(os.Environ(), chosenBy+"="+strconv.Itoa(n))
	return grouped(cmd)
}

// grouped runs a command in a process group of its own, so that the processes that a test started end with it.
func grouped(cmd *exec.Cmd) ([]byte, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = waitForOutput
	err := cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return out.Bytes(), err
}
