package vocabulary

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tenure"
)

// Version is that of the base vocabulary. It rises with every change to what a term does.
const Version = 1

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
	if i, ok := s.words[predicate]; ok {
		return &s.terms[i]
	}
	for _, p := range prefixes {
		for _, word := range p.words {
			rest, ok := strings.CutPrefix(predicate, word)
			if !ok {
				continue
			}
			if t := s.find(rest); t != nil && p.safe(rest, t) {
				return t
			}
			return nil
		}
	}
	return nil
}

// Extend returns the base vocabulary with a tenant's terms. A term of the tenant stands in the place of the base
// term of the same name, and takes its words from the synonyms of others. Check says what is wrong with the result.
func Extend(own []Term) []Term {
	taken := map[string]bool{}
	for _, t := range own {
		taken[t.Name] = true
		for _, word := range t.Synonyms {
			taken[word] = true
		}
	}
	named := map[string]bool{}
	for _, t := range own {
		named[t.Name] = true
	}
	var all []Term
	for _, t := range base().terms {
		if named[t.Name] {
			continue
		}
		t.Synonyms = slices.DeleteFunc(slices.Clone(t.Synonyms), func(word string) bool { return taken[word] })
		all = append(all, t)
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
			},
			Subjects: strings.Fields(row[1]), Decay: Decay(row[5]), Inverse: row[6],
			Synonyms: strings.Fields(row[7]), Description: row[8],
		})
	}
	return terms, nil
}
