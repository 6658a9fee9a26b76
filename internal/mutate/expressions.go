package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// The operators exchanged for one another.
var (
	negated = map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL,
		token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	}
	moved = map[token.Token]token.Token{
		token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	}
	joined   = map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}
	inverted = map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
		token.AND: token.OR, token.OR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
		token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
		token.INC: token.DEC, token.DEC: token.INC,
	}
)

// expression adds the mutants of one expression, without those of its subexpressions.
func (v *finder) expression(e ast.Expr) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		v.binary(e)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			v.replace(e, "negation", v.text(e.X))
		} else if e.Op == token.SUB && !v.isConstant(e) {
			v.replace(e, "arithmetic", v.text(e.X))
		}
	case *ast.BasicLit:
		v.number(e)
	case *ast.Ident:
		v.truth(e)
	case *ast.CallExpr:
		v.sorted(e)
		v.condition(e)
	case *ast.SelectorExpr, *ast.IndexExpr:
		v.condition(e)
	}
}

func (v *finder) binary(e *ast.BinaryExpr) {
	if to, ok := negated[e.Op]; ok {
		v.operator(e.OpPos, e.Op, to, "comparison")
	}
	if to, ok := moved[e.Op]; ok {
		v.operator(e.OpPos, e.Op, to, "bound")
	}
	if to, ok := joined[e.Op]; ok {
		v.operator(e.OpPos, e.Op, to, "logic")
	}
	if to, ok := inverted[e.Op]; ok && isBasic(v.p.info.TypeOf(e), types.IsNumeric) {
		v.operator(e.OpPos, e.Op, to, "arithmetic")
	}
}

// number mutates a literal in a function, or one that is the whole value of a constant or variable.
func (v *finder) number(lit *ast.BasicLit) {
	if _, alone := v.parent(0).(*ast.ValueSpec); v.inFunction() == nil && !alone {
		return
	}
	switch lit.Kind {
	case token.INT:
		n, err := strconv.ParseInt(lit.Value, 0, 64)
		if err != nil {
			return
		}
		v.replace(lit, "constant", strconv.FormatInt(n+1, 10))
		if n > 0 {
			v.replace(lit, "constant", strconv.FormatInt(n-1, 10))
		}
	case token.FLOAT:
		if x, err := strconv.ParseFloat(lit.Value, 64); err == nil && x != 0 {
			v.replace(lit, "constant", fmt.Sprintf("(2 * %s)", lit.Value))
		}
	}
}

// truth flips the literals true and false, and negates a name that is a condition.
func (v *finder) truth(id *ast.Ident) {
	switch v.p.info.Uses[id] {
	case types.Universe.Lookup("true"):
		v.replace(id, "truth", "false")
	case types.Universe.Lookup("false"):
		v.replace(id, "truth", "true")
	default:
		v.condition(id)
	}
}

// condition negates a condition of a statement or an operand of && or || that contains no operator with a
// mutant of its own.
func (v *finder) condition(e ast.Expr) {
	if !v.isBoolean(e) || v.isConstant(e) {
		return
	}
	decides := false
	switch p := v.parent(0).(type) {
	case *ast.IfStmt:
		decides = p.Cond == e
	case *ast.ForStmt:
		decides = p.Cond == e
	case *ast.BinaryExpr:
		_, decides = joined[p.Op]
	case *ast.ReturnStmt:
		decides = true
	case *ast.CaseClause:
		s, ok := v.parent(2).(*ast.SwitchStmt)
		decides = ok && s.Tag == nil
	}
	if decides {
		v.replace(e, "negation", "!("+v.text(e)+")")
	}
}

// sorted replaces slices.Sorted by the unsorted iteration order.
func (v *finder) sorted(call *ast.CallExpr) {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		if in, name := v.packageOf(s); in == "slices" && name == "Sorted" {
			v.replace(s.Sel, "order", "Collect")
		}
	}
}
