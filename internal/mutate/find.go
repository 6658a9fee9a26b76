package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mutant is one change of one file: it replaces the bytes from start to end.
type mutant struct {
	file       *file
	start, end int
	line, col  int
	kind       string
	was        string // the source line, trimmed
	change     string // for display: "< becomes <="
	becomes    string
}

// finder collects the mutants of a file.
//
// It tries: comparisons negated and their bounds moved; && and || exchanged; conditions negated; arithmetic inverted;
// whole numbers one more and one less, fractions doubled; truth values flipped; zero values returned; statements
// removed, sorting and loop control among them.
//
// It does not touch what only people read (errors, logs, panics, String methods), text, the values of tables, locks,
// capacities, and what is deferred to the end of a function. Code of a package-level table is tried if it is in a
// function.
type finder struct {
	p     *pkg
	f     *file
	above []ast.Node // the path to the node, outermost first
	found []mutant
}

// mutants returns the mutants of the package in the order of the source. A nil set of places stands for every file.
func (p *pkg) mutants(places map[string]bool) []mutant {
	var all []mutant
	for _, f := range p.files {
		if ast.IsGenerated(f.tree) {
			continue
		}
		v := &finder{p: p, f: f}
		ast.Inspect(f.tree, v.enter)
		slices.SortStableFunc(v.found, func(a, b mutant) int { return a.start - b.start })
		all = append(all, v.found...)
	}
	if places != nil {
		all = slices.DeleteFunc(all, func(m mutant) bool {
			name := path.Base(m.file.rel)
			return !places[name] && !places[name+":"+strconv.Itoa(m.line)]
		})
	}
	return all
}

// enter visits a node; nil marks the end of the node's children.
func (v *finder) enter(n ast.Node) bool {
	if n == nil {
		v.above = v.above[:len(v.above)-1]
		return false
	}
	if v.leaveAlone(n) {
		return false
	}
	switch n := n.(type) {
	case ast.Stmt:
		v.statement(n)
	case ast.Expr:
		v.expression(n)
	}
	v.above = append(v.above, n)
	return true
}

// leaveAlone reports whether no node below n is worth a mutant.
func (v *finder) leaveAlone(n ast.Node) bool {
	if call, ok := v.parent(0).(*ast.CallExpr); ok && v.isCapacity(call, n) {
		return true
	}
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.TypeSpec, *ast.CommentGroup, *ast.DeferStmt, *ast.FuncType:
		return true
	case *ast.FuncDecl:
		return n.Recv != nil && slices.Contains([]string{"String", "GoString", "Error", "LogValue"}, n.Name.Name)
	case *ast.ArrayType, *ast.IndexListExpr:
		return true
	case *ast.CallExpr:
		return v.isTalk(n)
	}
	return false
}

// isTalk reports whether a call only addresses people: it makes an error, logs or panics.
func (v *finder) isTalk(call *ast.CallExpr) bool {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name == "panic" && v.p.info.Uses[fun] == types.Universe.Lookup("panic")
	case *ast.SelectorExpr:
		if named := strings.TrimPrefix(v.p.info.TypeOf(fun.X).String(), "*"); named == "log/slog.Logger" {
			return true
		}
		in, name := v.packageOf(fun)
		return in == "log/slog" || in == "log" || in == "errors" && name == "New" || in == "fmt" && name == "Errorf"
	}
	return false
}

// isCapacity reports whether an argument is the capacity passed to make or Grow, which changes no result.
func (v *finder) isCapacity(call *ast.CallExpr, arg ast.Node) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		if fun.Name != "make" || len(call.Args) < 2 || arg != call.Args[len(call.Args)-1] {
			return false
		}
		_, sized := v.p.info.TypeOf(call).Underlying().(*types.Slice)
		return !sized || len(call.Args) == 3
	case *ast.SelectorExpr:
		return fun.Sel.Name == "Grow" && arg != ast.Node(fun)
	}
	return false
}

// packageOf returns the package and the name that a selector selects; empty for any other selector.
func (v *finder) packageOf(s *ast.SelectorExpr) (path, name string) {
	id, ok := s.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	used, ok := v.p.info.Uses[id].(*types.PkgName)
	if !ok {
		return "", ""
	}
	return used.Imported().Path(), s.Sel.Name
}

// parent returns the node that is n levels above the one that is entered, 0 for the nearest; nil above the file.
func (v *finder) parent(n int) ast.Node {
	if i := len(v.above) - 1 - n; i >= 0 {
		return v.above[i]
	}
	return nil
}

// inFunction returns the innermost function around the node that is entered, or nil.
func (v *finder) inFunction() *ast.FuncType {
	for _, n := range slices.Backward(v.above) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Type
		case *ast.FuncLit:
			return n.Type
		}
	}
	return nil
}

// text returns the source of a node.
func (v *finder) text(n ast.Node) string {
	return string(v.f.text[v.offset(n.Pos()):v.offset(n.End())])
}

func (v *finder) offset(p token.Pos) int { return v.p.fset.Position(p).Offset }

// replace adds the mutant in which a node becomes other text.
func (v *finder) replace(n ast.Node, kind, becomes string) {
	was := v.text(n)
	shown := becomes
	if shown == "" {
		shown = "nothing"
	}
	v.span(n.Pos(), n.End(), kind, becomes, brief(was)+" becomes "+brief(shown))
}

// operator adds the mutant in which the token at pos becomes another.
func (v *finder) operator(pos token.Pos, was, becomes token.Token, kind string) {
	v.span(pos, pos+token.Pos(len(was.String())), kind, becomes.String(), was.String()+" becomes "+becomes.String())
}

func (v *finder) span(from, to token.Pos, kind, becomes, change string) {
	at := v.p.fset.Position(from)
	line := v.f.text[at.Offset-at.Column+1:]
	was, _, _ := strings.Cut(string(line), "\n")
	v.found = append(v.found, mutant{
		file: v.f, start: at.Offset, end: v.offset(to), line: at.Line, col: at.Column,
		kind: kind, was: strings.TrimSpace(was), change: change, becomes: becomes,
	})
}

// brief returns the text in one line, truncated.
func brief(text string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return string(runes)
}

// isConstant reports whether an expression has a compile-time value.
func (v *finder) isConstant(e ast.Expr) bool { return v.constant(e) != nil }

func (v *finder) constant(e ast.Expr) constant.Value { return v.p.info.Types[e].Value }

// isBoolean reports whether an expression is boolean.
func (v *finder) isBoolean(e ast.Expr) bool { return isBasic(v.p.info.TypeOf(e), types.IsBoolean) }

func isBasic(t types.Type, info types.BasicInfo) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}
