package vocabulary

import (
	"fmt"
	"slices"
	"strings"

	"tenure"
)

// MaxName is the number of bytes that a name may have.
const MaxName = 200

// Fault is what is wrong with a term. Term is the index among those checked, Field the name of the JSON field.
type Fault struct {
	Term   int
	Name   string
	Field  string
	Reason string
}

func (f Fault) String() string { return fmt.Sprintf("%s: %s %s", f.Name, f.Field, f.Reason) }

// Check returns the faults of a set of terms, in the order of the terms. A tenant's terms are checked with those that
// they extend (see Extend), with the defaults of cardinality and value type filled in.
func Check(terms []Term) []Fault {
	c := checker{terms: terms, named: map[string]int{}, listed: map[string]int{}}
	for i, t := range terms {
		if _, twice := c.named[t.Name]; !twice {
			c.named[t.Name] = i
		}
		for _, word := range t.Synonyms {
			if _, twice := c.listed[word]; !twice {
				c.listed[word] = i
			}
		}
	}
	for i := range terms {
		c.name(i)
		c.kinds(i)
		c.synonyms(i)
		if terms[i].Parent != "" {
			c.parent(i)
			continue
		}
		c.values(i)
		c.inverse(i)
	}
	return c.faults
}

type checker struct {
	terms  []Term
	named  map[string]int // the first term of each name
	listed map[string]int // the first term that lists a synonym
	faults []Fault
}

func (c *checker) fault(i int, field, reason string, args ...any) {
	c.faults = append(c.faults, Fault{i, c.terms[i].Name, field, fmt.Sprintf(reason, args...)})
}

func (c *checker) name(i int) {
	t := &c.terms[i]
	switch {
	case t.Name == "":
		c.fault(i, "name", "is empty")
	case len(t.Name) > MaxName:
		c.fault(i, "name", "is longer than %d bytes", MaxName)
	case Normal(t.Name) != t.Name:
		c.fault(i, "name", "is not in normal form: write %q", Normal(t.Name))
	case c.named[t.Name] != i:
		c.fault(i, "name", "is defined twice")
	}
}

func (c *checker) kinds(i int) {
	t := &c.terms[i]
	for n, kind := range t.Subjects {
		switch {
		case strings.TrimSpace(kind) == "":
			c.fault(i, "subjects", "has an empty one")
		case slices.Index(t.Subjects, kind) != n:
			c.fault(i, "subjects", "has %q twice", kind)
		}
	}
}

func (c *checker) values(i int) {
	t := &c.terms[i]
	if t.Cardinality != tenure.One && t.Cardinality != tenure.Many {
		c.fault(i, "cardinality", "is %q, neither one nor many", t.Cardinality)
	}
	if !slices.Contains(types, t.ValueType) {
		c.fault(i, "value_type", "is %q, which is none", t.ValueType)
	}
	if _, ok := halfLives[t.Decay]; !ok {
		c.fault(i, "decay", "is %q, which is none", t.Decay)
	} else if t.Constant && HalfLifeDays(t.Decay) > 0 {
		c.fault(i, "decay", "is %s, and the values never change", t.Decay)
	}
}

func (c *checker) synonyms(i int) {
	t := &c.terms[i]
	for n, word := range t.Synonyms {
		other, named := c.named[word]
		switch {
		case word == "" || len(word) > MaxName:
			c.fault(i, "synonyms", "has one of %d bytes: from 1 to %d", len(word), MaxName)
		case Normal(word) != word:
			c.fault(i, "synonyms", "has %q, which is not in normal form: write %q", word, Normal(word))
		case word == t.Name:
			c.fault(i, "synonyms", "has the name of the term itself")
		case slices.Index(t.Synonyms, word) != n:
			c.fault(i, "synonyms", "has %q twice", word)
		case c.listed[word] != i:
			c.fault(i, "synonyms", "has %q, which is one of %q too", word, c.terms[c.listed[word]].Name)
		case named && c.circular(word):
			c.fault(i, "synonyms", "has %q, whose synonym this term is in turn", word)
		case named && c.terms[other].Parent != t.Name:
			c.fault(i, "synonyms", "has %q, which is a term of its own", word)
		}
	}
}

// meaning returns the name of the term whose other name a word is, "" if it is none.
func (c *checker) meaning(word string) string {
	if i, ok := c.named[word]; ok && c.terms[i].Parent != "" {
		return c.terms[i].Parent
	}
	if i, ok := c.listed[word]; ok {
		return c.terms[i].Name
	}
	return ""
}

// circular reports whether the words that a word stands for lead back to it.
func (c *checker) circular(word string) bool {
	at := c.meaning(word)
	for range c.terms {
		if at == word {
			return true
		}
		at = c.meaning(at)
	}
	return false
}

// parent checks a term that is another name of one: of such a name, what it says for itself must be the same.
func (c *checker) parent(i int) {
	t := &c.terms[i]
	p, ok := c.named[t.Parent]
	if !ok {
		c.fault(i, "parent", "is %q, which is no term", t.Parent)
		return
	}
	if c.circular(t.Name) {
		c.fault(i, "parent", "is %q, which leads back to this term", t.Parent)
		return
	}
	of := &c.terms[p]
	if of.Parent != "" {
		c.fault(i, "parent", "is %q, which is another name of %q: name that", t.Parent, of.Parent)
		return
	}
	if len(t.Synonyms) > 0 {
		c.fault(i, "synonyms", "are those of %q: another name has none", t.Parent)
	}
	if l, twice := c.listed[t.Name]; twice && c.terms[l].Name != t.Parent {
		c.fault(i, "parent", "is %q, and %q lists it as a synonym", t.Parent, c.terms[l].Name)
	}
	for _, d := range []struct{ field, own, parents string }{
		{"cardinality", string(t.Cardinality), string(of.Cardinality)},
		{"value_type", string(t.ValueType), string(of.ValueType)},
		{"inverse", t.Inverse, of.Inverse},
		{"decay", string(t.Decay), string(of.Decay)},
	} {
		if d.own != "" && d.own != d.parents {
			c.fault(i, d.field, "is %s, and %s for %q, of which it is another name", d.own, d.parents, t.Parent)
		}
	}
}

// inverse checks both directions of a relation. A claim in one is a claim in the other, so that they agree in all
// that does not depend on the direction. Cardinality does: a manager has many reports, each of whom has one manager.
func (c *checker) inverse(i int) {
	t := &c.terms[i]
	if t.Inverse == "" {
		return
	}
	at, ok := c.named[t.Inverse]
	if !ok || c.terms[at].Parent != "" {
		if means := c.meaning(t.Inverse); means != "" {
			c.fault(i, "inverse", "is %q, which is another name of %q: name that", t.Inverse, means)
		} else {
			c.fault(i, "inverse", "is %q, which is no term", t.Inverse)
		}
		return
	}
	other := &c.terms[at]
	switch {
	case t.ValueType != tenure.EntityValue && t.ValueType != tenure.AnyValue:
		c.fault(i, "inverse", "needs values that are entities, and they are of type %s", t.ValueType)
	case other.Inverse == "":
		c.fault(i, "inverse", "is %q, which has none", t.Inverse)
	case other.Inverse != t.Name:
		c.fault(i, "inverse", "is %q, whose own is %q", t.Inverse, other.Inverse)
	case other.Constant != t.Constant:
		c.fault(i, "constant", "differs from that of the inverse %q", t.Inverse)
	case HalfLifeDays(other.Decay) != HalfLifeDays(t.Decay):
		c.fault(i, "decay", "differs from that of the inverse %q", t.Inverse)
	}
}
