package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// statement adds the mutants of one statement, without those of its parts.
func (v *finder) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		v.call(s)
	case *ast.AssignStmt:
		v.assignment(s)
	case *ast.IncDecStmt:
		v.operator(s.TokPos, s.Tok, inverted[s.Tok], "arithmetic")
	case *ast.BranchStmt:
		v.branch(s)
	case *ast.ReturnStmt:
		v.results(s)
	}
}

// call removes a call made for its side effect.
func (v *finder) call(s *ast.ExprStmt) {
	call, ok := s.X.(*ast.CallExpr)
	if !ok || v.isTalk(call) {
		return
	}
	kind := "removal"
	if fun, ok := call.Fun.(*ast.SelectorExpr); ok {
		if slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock", "Grow"}, fun.Sel.Name) {
			return
		}
		if in, name := v.packageOf(fun); in == "sort" || in == "slices" && strings.HasPrefix(name, "Sort") {
			kind = "order"
		}
	}
	v.replace(s, kind, "")
}

// assignment removes an assignment to an existing variable, and inverts a compound assignment.
func (v *finder) assignment(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		return
	}
	if _, waits := v.parent(0).(*ast.CommClause); waits {
		return
	}
	if id, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 && id.Name == "_" {
		return
	}
	if to, ok := inverted[s.Tok]; ok && isBasic(v.p.info.TypeOf(s.Lhs[0]), types.IsNumeric) {
		v.operator(s.TokPos, s.Tok, to, "arithmetic")
	}
	v.replace(s, "removal", "")
}

// branch exchanges break and continue.
func (v *finder) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.CONTINUE:
		v.operator(s.TokPos, token.CONTINUE, token.BREAK, "loop")
	case token.BREAK:
		v.operator(s.TokPos, token.BREAK, token.CONTINUE, "loop")
	}
}

// results replaces each result by its zero value.
func (v *finder) results(s *ast.ReturnStmt) {
	var kinds []ast.Expr
	if in := v.inFunction(); in != nil && in.Results != nil {
		for _, field := range in.Results.List {
			for range max(1, len(field.Names)) {
				kinds = append(kinds, field.Type)
			}
		}
	}
	if len(kinds) != len(s.Results) { // a bare return, or one call that returns all results
		return
	}
	for i, e := range s.Results {
		if to := v.zero(e, kinds[i]); to != "" {
			v.replace(e, "result", to)
		}
	}
}

// zero returns the zero value of a result as source text; empty where another mutant does the same or e is
// already zero.
func (v *finder) zero(e, kind ast.Expr) string {
	if _, literal := ast.Unparen(e).(*ast.BasicLit); literal {
		return ""
	}
	t := v.p.info.TypeOf(kind)
	if _, generic := t.(*types.TypeParam); generic {
		return "*new(" + v.text(kind) + ")"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0"
		case u.Info()&types.IsString != 0:
			return `""`
		}
		return "" // booleans are negated instead
	case *types.Struct, *types.Array:
		if c, ok := e.(*ast.CompositeLit); ok && len(c.Elts) == 0 {
			return ""
		}
		return "*new(" + v.text(kind) + ")"
	}
	if v.p.info.Types[e].IsNil() {
		return ""
	}
	return "nil"
}
