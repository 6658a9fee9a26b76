package index

import (
	"tenure"
	"tenure/audience"

	"tenure/blocking"
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
	seen            *audience.Bounds
	in              []bound // besides seen
	asked           []queryTerms
	limit, again    int
	parts, alike    bool
}

// queryTerms is a unit of search: a name, a description, or all identifiers together.
type queryTerms struct {
	spelling term // of a name: equal for equal spellings
	parts    []part
	shorter  []term  // the lengths of names with fewer words than a name
	initials []term  // of the words of a name
	grams    []term  // of a name
	spoken   *spoken // of a name
}

// part is one thing that a document may match: a word, the whole name, an identifier.
type part struct {
	// word marks a part that may be too common on its own: two matched words qualify a document.
	word bool
	// silent marks a stop word, or a word of a legal form, which identifies nothing.
	silent bool
	// alone marks a part whose match qualifies a document on its own.
	alone bool
	// more marks a word that is no word of the name by itself: neighbours together, or a word by its sound.
	more bool
	// sound marks a word by its sound. Its looser tiers hold the terms that the stricter ones lack, and not all.
	sound bool
	// joined marks neighbouring words together.
	joined bool
	// known identifies a part whose matches depend on more than one strict term.
	known term
	tiers []tier
}

// key returns a value that is equal for parts with equal matches.
func (p part) key() partKey {
	strict := p.tiers[len(p.tiers)-1]
	key := partKey{word: p.word, alone: p.alone, more: p.more, strict: strict.terms[0], gain: strict.gain}
	if p.known != (term{}) {
		key.strict = p.known
	}
	return key
}

// shareable reports whether the key alone determines the matches, so that searches for different names can
// share them.
func (p part) shareable() bool { return p.known != (term{}) || len(p.tiers[len(p.tiers)-1].terms) == 1 }

type partKey struct {
	word, alone, more bool
	gram              bool // of an n-gram, which is no part
	strict            term
	gain              float64
}

// tier is one way to match a part. The gains of all matched tiers add up, since a document that matches a
// strict tier also matches the loose ones.
type tier struct {
	gain  float64
	terms []term
}

func newPlan(q Query) plan {
	p := plan{
		limit: limit(q.Limit), again: q.Again, parts: q.Parts, alike: q.Alike, projects: termsOf(projectClass, ""),
		seen: q.Seen,
	}
	switch {
	case q.AnyProject:
		p.projects = termsOf(sizeClass, sizes[:]...) // each entity with a name has one
	case q.Project != "":
		p.projects = termsOf(projectClass, "", q.Project)
	}
	p.types = termsOf(typeClass, q.Types[:min(len(q.Types), maxTypes)]...)
	seen := map[string]bool{}
	for _, n := range q.Names {
		b := block(n)
		if b.words == "" || seen[b.words] {
			continue
		} else if seen[b.words] = true; len(seen) > maxQueryNames {
			break
		}
		p.asked = append(p.asked, b.asked)
	}
	for _, text := range q.Descriptions[:min(len(q.Descriptions), maxDescriptions)] {
		var parts []part
		for _, w := range blocking.DescriptionWords(text) {
			parts = append(parts, part{word: true, tiers: []tier{{described, termsOf(describedClass, w)}}})
		}
		if len(parts) > 0 {
			p.asked = append(p.asked, queryTerms{parts: parts})
		}
	}
	var identifiers queryTerms
	for _, key := range q.Identifiers[:min(len(q.Identifiers), maxIdentifiers)] {
		identifiers.parts = append(identifiers.parts, identifierPart(key))
	}
	p.asked = append(p.asked, identifiers)
	return p
}

// described is the gain of a word of a description: less than that of a word of a name.
const described = .5

func limit(n int) int {
	if n <= 0 {
		return defaultLimit
	}
	return min(n, maxLimit)
}

func identifierPart(key tenure.AliasKey) part {
	return part{alone: true, tiers: []tier{{2, termsOf(identifierClass, identifierKey(key))}}}
}
