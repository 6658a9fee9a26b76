package align

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tenure"
	"tenure/ner/words"
	"tenure/statements/clauses"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/vocabulary"
)

// joints stand between values that a clause joins: "Dutch, Greek and French". A sign as in "Ernst & Young" joins words
// of one.
var joints = regexp.MustCompile(`\s*,?\s+(?:and|und|y|e|et)\s+|\s*,\s*`)

// Bounds of the values that a clause joins, and of the words of each.
const (
	mostConjuncts   = 16
	longestConjunct = 4
)

// withConjuncts gives a change all values that its clause joins to the new one. What has one value has them as one:
// "Marks and Spencer".
func (r *compared) withConjuncts(c Change, many bool) Change {
	if c.Value == "" || c.Value != r.New.Text {
		return c
	}
	list, whole := r.conjuncts()
	switch {
	case list == nil:
	case many:
		c.Value, c.More = list[0], list[1:]
	default:
		c.Value = whole
	}
	return c
}

// conjuncts lists the values that the end of a clause joins by "and", from the new value on, and returns them as they
// stand; none if it joins none, or says more than them.
func (r *compared) conjuncts() (list []string, whole string) {
	from := r.New.Start - r.Start
	if !r.group.words() || r.New.Text == "" || from < 0 || from >= len(r.Text) || r.quoted() {
		return nil, ""
	}
	whole = strings.TrimRight(r.Text[from:], ".!;: ")
	list = joints.Split(whole, mostConjuncts+1)
	last := list[len(list)-1]
	if len(list) < 2 || len(list) > mostConjuncts || strings.HasSuffix(strings.TrimSuffix(whole, last), ", ") {
		return nil, "" // commas alone may begin something else
	}
	value := r.New.Text + " "
	if !strings.HasPrefix(value, list[0]+" ") && !strings.HasPrefix(value, list[0]+",") {
		return nil, ""
	}
	if slices.ContainsFunc(list, func(part string) bool { return !r.isConjunct(part, list[0]) }) {
		return nil, ""
	}
	return list, whole
}

// isConjunct reports whether words are a value like the first one, to which they are joined: "Marta Lund in York" is
// none, nor is a person beside a town.
func (r *compared) isConjunct(part, first string) bool {
	list := strings.Fields(part)
	if len(list) == 0 || len(list) > longestConjunct || !groupOf(clauses.KindOf(part), newWorded(part)).words() {
		return false
	}
	if r.group == groupName && !unicode.IsUpper([]rune(list[0])[0]) {
		return false
	}
	isPerson := words.Load().LooksLikePerson
	if len(list) > 1 && isPerson(strings.Join(list[:2], " ")) && !isPerson(first) {
		return false
	}
	return !slices.ContainsFunc(list, r.isOther)
}

// isOther reports whether a word is of no value but of the rest of a clause: beside names whatever is in small letters,
// beside others function words, verbs and adverbs.
func (r *compared) isOther(w string) bool {
	k := text.Fold(w)
	switch class := lex.ClassOf(k); {
	case unicode.IsUpper([]rune(w)[0]):
		return false
	case r.group == groupName:
		return !binding[k] || class&(lex.Be|lex.Pronoun) != 0
	default:
		return class&(lex.FunctionWord|lex.Verb|lex.Adverb) != 0 && class&lex.Noun == 0
	}
}

// hasMany reports whether the base vocabulary says of a predicate that it has many values.
func hasMany(predicate string) bool {
	term, ok := vocabulary.Lookup(predicate)
	return ok && term.Cardinality == tenure.Many
}
