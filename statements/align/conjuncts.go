package align

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tenure"
	"tenure/statements/clauses"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/vocabulary"
)

// joints stand between values that a clause joins: "Dutch, Greek and French".
var joints = regexp.MustCompile(`\s*,?\s+(?:and|und|y|e|et|&)\s+|\s*,\s*`)

// longestConjunct bounds the words of one of several values.
const longestConjunct = 4

// conjuncts lists the values that the end of a clause joins by "and", from the new value on; nil if it joins none, or
// says more than them.
func (r *compared) conjuncts() []string {
	from := r.New.Start - r.Start
	if !r.group.words() || r.New.Text == "" || from < 0 || from >= len(r.Text) || r.quoted() {
		return nil
	}
	end := strings.TrimRight(r.Text[from:], ".!;: ")
	list := joints.Split(end, -1)
	if len(list) < 2 || strings.HasSuffix(strings.TrimSuffix(end, list[len(list)-1]), ", ") {
		return nil // commas alone may begin something else
	}
	for i, part := range list {
		list[i] = bare(part)
		if !r.isConjunct(list[i]) {
			return nil
		}
	}
	if value := r.New.Text + " "; !strings.HasPrefix(value, list[0]+" ") && !strings.HasPrefix(value, list[0]+",") {
		return nil
	}
	return list
}

// isConjunct reports whether words are a value like the one that they are joined to.
func (r *compared) isConjunct(part string) bool {
	words := strings.Fields(part)
	if len(words) == 0 || len(words) > longestConjunct || !groupOf(clauses.KindOf(part), newWorded(part)).words() {
		return false
	}
	named := unicode.IsUpper([]rune(words[0])[0])
	if r.group == groupName && !named {
		return false
	}
	const others = lex.FunctionWord | lex.Verb | lex.Adverb
	return named || !slices.ContainsFunc(words, func(w string) bool {
		class := lex.ClassOf(text.Fold(w))
		return class&others != 0 && class&lex.Noun == 0
	})
}

// divide gives a change all values that its clause joins. What has one value has them as one: "Marks and Spencer".
func (r *compared) divide(c Change, one bool) Change {
	list := r.conjuncts()
	switch {
	case c.Value != r.New.Text || list == nil:
	case one:
		from := r.New.Start - r.Start
		c.Value = strings.TrimRight(r.Text[from:], ".!;: ")
	default:
		c.Value, c.More = list[0], list[1:]
	}
	return c
}

// hasOne reports whether the base vocabulary says of a predicate that it has one value.
func hasOne(predicate string) bool {
	term, ok := vocabulary.Lookup(predicate)
	return ok && term.Cardinality == tenure.One
}
