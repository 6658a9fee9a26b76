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
	lexicon := words.Load()
	value, between := strings.Fields(text.Fold(r.New.Text)), strings.Fields(text.Fold(r.between()))
	n := len(between)
	if len(value) == 0 || n < 2 || !indefinite[between[n-1]] || !r.first && !lexicon.LooksLikePerson(r.Subject.Text) {
		return false
	}
	head := value[len(value)-1]
	praised := slices.ContainsFunc(value, func(w string) bool { return praise[w] })
	if !lexicon.RoleHeads.Has(head) || noPosts[head] || praised {
		return false
	}
	is := false
	for _, w := range between[:n-1] {
		class := lex.ClassOf(strings.TrimLeft(w, "'’"))
		if class&(lex.Be|lex.Adverb|lex.Have) == 0 {
			return false
		}
		is = is || class&lex.Be != 0 // "has been a nurse", but not "has a gardener"
	}
	return is
}

// noPosts are words for those who do something without its being their job, and praise what is said of how they do it.
var (
	noPosts = wordSet("champion expert guest guide helper host leader owner sponsor witness supporter member volunteer")
	praise  = wordSet(`good great bad best better worst worse poor terrible awful dreadful excellent brilliant wonderful
		fantastic amazing decent nice lousy keen avid passionate big huge careful careless fast slow happy natural born true
		real`)
)

var indefinite = wordSet("a an")

// longestTerm bounds the words of a property at the beginning of a value.
const longestTerm = 3

// afterTerm is a statement without the words of a base term that its value begins with: "is allergic to penicillin".
// The value goes on to the end of the clause where only "allergic" was read as such.
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
