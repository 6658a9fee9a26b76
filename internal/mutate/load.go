package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pkg is a package under mutation: its files parsed, with their types.
type pkg struct {
	root  string // the folder of the module
	path  string // the import path
	dir   string // relative to the module, with slashes
	fset  *token.FileSet
	files []*file
	info  *types.Info
	deps  types.Importer
}

// file is one file of a package.
type file struct {
	abs  string // the path on this machine
	rel  string // relative to the module, with slashes
	text []byte
	tree *ast.File
}

// listed is the output of go list for a package.
type listed struct {
	ImportPath string
	Dir        string
	Export     string
	GoFiles    []string
	DepOnly    bool
	Module     *struct{ Dir string }
}

// load parses and type-checks the packages that match the patterns, against the export data of their imports.
func load(ctx context.Context, patterns []string) ([]*pkg, error) {
	args := append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,DepOnly,Module"}, patterns...)
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the patterns are the caller's own
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	exports := map[string]string{}
	var roots []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		if !l.DepOnly {
			roots = append(roots, l)
		}
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("no package is named %v", patterns)
	}
	packages := make([]*pkg, 0, len(roots))
	for _, l := range roots {
		p, err := parse(l, exports)
		if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// parse parses and type-checks the files of a package.
func parse(l listed, exports map[string]string) (*pkg, error) {
	fset := token.NewFileSet()
	p := &pkg{root: l.Module.Dir, path: l.ImportPath, fset: fset, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}}
	p.deps = importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var err error
	if p.dir, err = filepath.Rel(l.Module.Dir, l.Dir); err != nil {
		return nil, err
	}
	p.dir = filepath.ToSlash(p.dir)
	for _, name := range l.GoFiles {
		f := &file{abs: filepath.Join(l.Dir, name), rel: p.dir + "/" + name}
		if f.text, err = os.ReadFile(f.abs); err != nil {
			return nil, err
		}
		if f.tree, err = parser.ParseFile(fset, f.abs, f.text, parser.ParseComments); err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	if faults := p.check(nil, nil, p.info); len(faults) > 0 {
		return nil, faults[0]
	}
	return p, nil
}

// check type-checks the package, with tree in place of the file instead, and returns every error.
func (p *pkg) check(instead *file, tree *ast.File, info *types.Info) []error {
	var faults []error
	config := types.Config{Importer: p.deps, Error: func(err error) { faults = append(faults, err) }}
	trees := make([]*ast.File, len(p.files))
	for i, f := range p.files {
		trees[i] = f.tree
		if f == instead {
			trees[i] = tree
		}
	}
	_, _ = config.Check(p.path, p.fset, trees, info) // config.Error has collected every error
	return faults
}

// compile returns the text of the file with the mutant applied. ok is false if the result does not compile.
// An import left unused by the mutant becomes a blank import.
func (p *pkg) compile(m mutant) (text []byte, ok bool) {
	text = bytes.Join([][]byte{m.file.text[:m.start], []byte(m.becomes), m.file.text[m.end:]}, nil)
	for range 2 {
		tree, err := parser.ParseFile(p.fset, m.file.abs, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, false
		}
		faults := p.check(m.file, tree, nil)
		if len(faults) == 0 {
			return text, true
		}
		if text = p.withoutUnused(text, tree, faults); text == nil {
			return nil, false
		}
	}
	return nil, false
}

// withoutUnused makes the imports that faults report as unused blank; nil if there is any other fault.
func (p *pkg) withoutUnused(text []byte, tree *ast.File, faults []error) []byte {
	unused := map[int]bool{}
	for _, err := range faults {
		var fault types.Error
		if !errors.As(err, &fault) || !strings.HasSuffix(fault.Msg, "imported and not used") {
			return nil
		}
		unused[p.fset.Position(fault.Pos).Offset] = true
	}
	var out []byte
	last := 0
	for _, spec := range tree.Imports {
		if at := p.fset.Position(spec.Pos()).Offset; unused[at] && spec.Name == nil {
			out = append(append(out, text[last:at]...), "_ "...)
			last = at
		}
	}
	return append(out, text[last:]...)
}
