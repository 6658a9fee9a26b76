package index

import (
	"slices"
	"strings"

	"tenure"

	"tenure/similarity"
)

// Bounds of a query; whatever exceeds them is ignored.
const (
	defaultLimit   = 50
	maxLimit       = 1000
	maxQueryNames  = 16
	maxIdentifiers = 64
	maxTypes       = 64
	// maxDescriptions bounds the descriptions of a document, too.
	maxDescriptions = 4
)

// plan is a query as terms of tenant 0.
type plan struct {
	projects, types []term
	asked           []asked
	limit           int
}

// asked is a unit of search: a name, a description, or all identifiers together.
type asked struct {
	parts []part
	grams []term // of a name
}

// part is one thing that a document may match: a word, the whole name, an identifier.
type part struct {
	// word marks a part that may be too common on its own: two matched words qualify a document.
	word bool
	// alone marks a part whose match qualifies a document on its own.
	alone bool
	tiers []tier
}

// key returns a value that is equal for parts with equal matches.
func (p part) key() partKey {
	strict := p.tiers[len(p.tiers)-1]
	return partKey{word: p.word, alone: p.alone, strict: strict.terms[0]}
}

// shareable reports whether the key alone determines the matches, so that searches for different names can
// share them. It does not for several acronyms, of which the key has the first.
func (p part) shareable() bool { return len(p.tiers[len(p.tiers)-1].terms) == 1 }

type partKey struct {
	word, alone bool
	gram        bool // of an n-gram, which is no part
	strict      term
}

// tier is one way to match a part. The gains of all matched tiers add up, since a document that matches a
// strict tier also matches the loose ones.
type tier struct {
	gain  float64
	terms []term
}

func newPlan(q Query) plan {
	of := func(class byte, keys ...string) []term {
		list := make([]term, len(keys))
		for i, k := range keys {
			list[i] = termOf(class, k)
		}
		return list
	}
	p := plan{limit: limit(q.Limit), projects: of(projectClass, "")}
	if q.Project != "" {
		p.projects = of(projectClass, "", q.Project)
	}
	p.types = of(typeClass, q.Types[:min(len(q.Types), maxTypes)]...)
	seen := map[string]bool{}
	for _, n := range q.Names {
		b := similarity.Block(n)
		if key := wordsOf(b); key == "" || seen[key] {
			continue
		} else if seen[key] = true; len(seen) > maxQueryNames {
			break
		}
		p.asked = append(p.asked, asked{nameParts(b, of), of(gramClass, similarity.BlockingNGrams(n)...)})
	}
	for _, text := range q.Descriptions[:min(len(q.Descriptions), maxDescriptions)] {
		var parts []part
		for _, w := range similarity.BlockDescription(text) {
			parts = append(parts, part{word: true, tiers: []tier{{described, of(describedClass, w)}}})
		}
		if len(parts) > 0 {
			p.asked = append(p.asked, asked{parts: parts})
		}
	}
	var identifiers asked
	for _, f := range q.Identifiers[:min(len(q.Identifiers), maxIdentifiers)] {
		identifiers.parts = append(identifiers.parts, identifierPart(f, of))
	}
	p.asked = append(p.asked, identifiers)
	return p
}

// wordsOf returns the words of a name in alphabetical order, so that names of the same words have the same
// plan.
func wordsOf(b similarity.Blocking) string {
	var words []string
	for _, w := range b.Words {
		words = append(words, w.Exact)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// described is the gain of a word of a description: less than that of a word of a name.
const described = .5

func limit(n int) int {
	if n <= 0 {
		return defaultLimit
	}
	return min(n, maxLimit)
}

// nameParts returns the words of a name, then the name as a whole. The last three tiers of a word are those
// of [levels].
func nameParts(b similarity.Blocking, of func(byte, ...string) []term) []part {
	var parts []part
	for _, w := range b.Words {
		loose := tier{.3, of(nameClass, w.Abbreviated)}
		if w.Sound != "" {
			parts = append(parts, part{word: true, alone: len(b.Words) == 1, tiers: []tier{
				loose, {.3, of(nameClass, w.Sound)}, {.45, of(nameClass, w.Near...)}, {.25, of(nameClass, w.Exact)},
			}})
			continue
		}
		parts = append(parts, part{word: true, alone: len(b.Words) == 1, tiers: []tier{
			loose, {.45, of(nameClass, w.Near...)}, {.25, of(nameClass, w.Exact)},
		}})
	}
	parts = append(parts,
		part{alone: true, tiers: []tier{{.5, of(nameClass, b.Whole)}}},
		part{tiers: []tier{{.3, of(nameClass, b.Length)}}})
	if len(b.Acronyms) > 0 {
		parts = append(parts, part{
			alone: len(b.Words) == 1 || len(b.Words) > 2, tiers: []tier{{.5, of(nameClass, b.Acronyms...)}},
		})
	}
	return parts
}

func identifierPart(f tenure.AliasKey, of func(byte, ...string) []term) part {
	return part{alone: true, tiers: []tier{{2, of(identifierClass, identifierKey(f))}}}
}
