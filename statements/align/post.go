package align

import (
	"slices"
	"strings"

	"tenure"
	"tenure/ner/words"
	"tenure/statements/clauses"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/vocabulary"
)

// postTerm is the property of somebody who is said to be "a nurse".
const postTerm = "job_title"

// isPost reports whether a clause says what somebody is by a word for those who do a job: "Vera is now a midwife".
func (r *compared) isPost() bool {
	words := words.Load()
	fields := strings.Fields(r.New.Text)
	if len(fields) == 0 || !words.RoleHeads.Has(text.Fold(fields[len(fields)-1])) {
		return false
	}
	between := strings.Fields(r.between())
	n := len(between)
	if n < 2 || !indefinite[text.Fold(between[n-1])] || !r.first && !words.LooksLikePerson(r.Subject.Text) {
		return false
	}
	return !slices.ContainsFunc(between[:n-1], func(w string) bool {
		return lex.ClassOf(text.Fold(strings.TrimLeft(w, "'’")))&(lex.Be|lex.Adverb|lex.Have) == 0
	})
}

var indefinite = wordSet("a an")

// longestTerm bounds the words of a property at the beginning of a value.
const longestTerm = 3

// afterTerm is a statement without the words of a base term that its value begins with: "is allergic to penicillin".
// The last of them is a preposition, which no value ends in, so that the value may have been read too short.
func afterTerm(st tenure.Statement) (tenure.Statement, bool) {
	from := st.New.Start - st.Start
	if st.New.Text == "" || from < 0 || from >= len(st.Text) {
		return st, false
	}
	rest := st.Text[from:]
	list := text.Words(rest)
	for n := min(longestTerm, len(list)-1); n >= 2; n-- {
		if lex.ClassOf(text.Fold(rest[list[n-1].From:list[n-1].Until]))&lex.Prep == 0 {
			continue
		}
		name := rest[:list[n-1].Until]
		if _, ok := vocabulary.Lookup(vocabulary.Normal(name)); !ok {
			continue
		}
		end := max(st.New.End-st.Start-from, 0)
		if end <= list[n].From {
			end = list[len(list)-1].Until
		}
		value := rest[list[n].From:min(end, len(rest))]
		start := st.New.Start + list[n].From
		st.Property = name
		st.New = tenure.Span{Start: start, End: start + len(value), Text: value}
		st.Kind = clauses.KindOf(value)
		return st, true
	}
	return st, false
}
