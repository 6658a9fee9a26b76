package vocabulary

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tenure"
	"tenure/text"
)

// Version is that of the base vocabulary. It rises with every change to what a term does.
const Version = 4

//go:embed predicates.csv
var file string

// base is the vocabulary in predicates.csv.
var base = sync.OnceValue(func() *Set {
	terms, err := parse(file)
	if err != nil {
		panic(fmt.Errorf("vocabulary: predicates.csv: %w", err))
	}
	return NewSet(terms)
})

// All returns the terms of the base vocabulary, in the order of the file. Their slices are shared.
func All() []Term { return slices.Clone(base().terms) }

// Lookup returns the term of the base vocabulary that a predicate names. See Set.Lookup.
func Lookup(predicate string) (Term, bool) { return base().Lookup(predicate) }

// Set finds terms by their words. It does not change.
type Set struct {
	terms []Term
	words map[string]int // name or synonym -> index in terms
}

// NewSet returns the set of some terms in which Check finds no fault.
func NewSet(terms []Term) *Set {
	s := &Set{terms: terms, words: make(map[string]int, 8*len(terms))}
	for i, t := range terms {
		if t.Parent != "" {
			continue
		}
		s.words[t.Name] = i
		for _, word := range t.Synonyms {
			s.words[word] = i
		}
	}
	for _, t := range terms {
		if i, ok := s.words[t.Parent]; ok && t.Parent != "" {
			s.words[t.Name] = i
		}
	}
	return s
}

// Lookup returns the term that a predicate names, by its name or a synonym, in any spelling that Normal makes one.
// A word that changes nothing, as the first of "has_email" and "is_owner_of", may stand before it.
func (s *Set) Lookup(predicate string) (Term, bool) {
	if t := s.find(Normal(predicate)); t != nil {
		return *t, true
	}
	return Term{}, false
}

// find returns the term of a predicate in normal form, nil if there is none.
func (s *Set) find(predicate string) *Term {
	for _, p := range phrases(predicate) {
		if t := s.exact(p.word); t != nil {
			if p.means(&t.Term) {
				return t
			}
			return nil
		}
	}
	return nil
}

// exact returns the term that has a word as its name or as a synonym, nil if there is none.
func (s *Set) exact(word string) *Term {
	if i, ok := s.words[word]; ok {
		return &s.terms[i]
	}
	return nil
}

// The bounds of predicates in a text: phrases of at most phraseWords words that start at one of the first textWords.
const (
	phraseWords = 4
	textWords   = 400
)

// Mentioned returns, with spaces between them, the words of the names of the base terms that a text has other words
// for: of "office" those of office_location.
func Mentioned(s string) string {
	words := text.Words(s)
	var found []string
	for i := range words[:min(len(words), textWords)] {
		for n := 1; n <= phraseWords && i+n <= len(words); n++ {
			word := Normal(s[words[i].From:words[i+n-1].Until])
			if t := base().exact(word); t != nil && t.Name != word && !slices.Contains(found, t.Name) {
				found = append(found, t.Name)
			}
		}
	}
	return strings.ReplaceAll(strings.Join(found, " "), "_", " ")
}

// Extend returns the base vocabulary with a tenant's terms. A term of the tenant stands in the place of the base
// term of the same name, of which it has what it does not say itself (see Resolve), and takes its words from the
// synonyms of others. Check says what is wrong with the result. The tenant's terms are the last ones, in their order.
func Extend(own []Term) []Term {
	taken, named := map[string]bool{}, map[string]int{}
	for i, t := range own {
		taken[t.Name], named[t.Name] = true, i
		for _, word := range t.Synonyms {
			taken[word] = true
		}
	}
	own = slices.Clone(own)
	var all []Term
	for _, t := range base().terms {
		t.Synonyms = slices.DeleteFunc(slices.Clone(t.Synonyms), func(word string) bool { return taken[word] })
		if i, ok := named[t.Name]; ok {
			if own[i].Parent == "" {
				own[i].Term = inherit(own[i].Term)
				own[i].Synonyms = append(slices.Clip(own[i].Synonyms), t.Synonyms...)
			}
			continue
		}
		all = append(all, t)
	}
	for i, t := range all {
		if at, ok := named[t.Inverse]; ok && (own[at].Parent != "" || inherit(own[at].Term).Inverse != t.Name) {
			all[i].Inverse = "" // the tenant's term has no converse, or another
		}
	}
	return append(all, own...)
}

var columns = strings.Split("name,subjects,cardinality,type,changes,decay,inverse,synonyms,description", ",")

// parse reads a file of terms: a header, then one term on each line.
func parse(file string) ([]Term, error) {
	r := csv.NewReader(strings.NewReader(file))
	r.FieldsPerRecord = len(columns)
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || !slices.Equal(rows[0], columns) {
		return nil, fmt.Errorf("the first line is not %s", strings.Join(columns, ","))
	}
	terms := make([]Term, 0, len(rows))
	for _, row := range rows[1:] {
		if row[4] != "yes" && row[4] != "never" {
			return nil, fmt.Errorf("%s: changes is %q, neither yes nor never", row[0], row[4])
		}
		terms = append(terms, Term{
			Term: tenure.Term{
				Vocabulary: tenure.Predicates, Name: row[0], Cardinality: tenure.Cardinality(row[2]),
				ValueType: tenure.ValueType(row[3]), Constant: row[4] == "never",
				SuccessionGap: tenure.DefaultSuccessionGap, Decay: tenure.Decay(row[5]), Inverse: row[6],
				Synonyms: strings.Fields(row[7]), Description: row[8], Base: true,
			},
			Subjects: strings.Fields(row[1]),
		})
	}
	return terms, nil
}
