package recall

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/ner/words"
	"tenure/search"
)

// Term is a term of a query, and by how much it counts where a text has it. Of a text that has it in a synonym of its
// predicate alone it counts half.
type Term struct {
	Word    string
	Written string
	Weight  int
}

// The weights of terms. They depend on the words alone: how many texts have one is not the same for all callers.
const (
	commonWeight = 2
	rareWeight   = 3
	namesWeight  = 8
	dateWeight   = 1
)

// maxTerms bounds the terms of a query that documents are looked for by: of more, those that weigh most.
const maxTerms = 64

// TermsOf returns the terms of a query.
func TermsOf(q search.Query) []Term {
	lexicon := words.Load()
	var list []Term
	for _, s := range q.Sought() {
		t := Term{Word: s.Term, Written: s.Written, Weight: rareWeight}
		switch {
		case s.Names:
			t.Weight = namesWeight
		case s.Date:
			t.Weight = dateWeight
		case lexicon.IsCommon(s.Written):
			t.Weight = commonWeight
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b Term) int { return cmp.Compare(b.Weight, a.Weight) })
	return list[:min(len(list), maxTerms)]
}

// Query asks for the beliefs of some kinds that have a term in common with it, are visible in a scope, and stand at an
// instant.
type Query struct {
	Tenant  string
	Terms   []Term
	Kinds   []Kind
	In      tenure.Scope
	ValidAt tenure.Instant
	Limit   int
}

// Wanted chooses documents of an index.
type Wanted struct {
	Terms []Term
	Kinds []Kind
	In    tenure.Scope
	// Seen bounds the search to what an audience sees; nil does not bound it.
	Seen *audience.Bounds
	// Until is the transaction time of the newest documents that count.
	Until tenure.Instant
	Limit int
}

// Hit is a document of an index with the score that it has at most. The score of a document is the sum of the weights
// of the terms that it has, doubled, or not doubled where it has a term in a synonym alone.
type Hit struct {
	ID         tenure.ID
	RecordedAt tenure.Instant
	Score      int
}

// compare orders hits, best first: of equal scores the newer one.
func (h Hit) compare(o Hit) int {
	return cmp.Or(
		cmp.Compare(o.Score, h.Score), cmp.Compare(o.RecordedAt, h.RecordedAt), cmp.Compare(o.ID, h.ID),
	)
}

// Source finds the documents of an index.
type Source interface {
	// Documents lists the best documents, best first, and reports whether these are all that match. A document of which
	// there are several versions may be listed several times. The index knows the log at least up to a number; where it
	// cannot in time, the error is Unavailable.
	Documents(ctx context.Context, tenant string, upTo tenure.Seq, w Wanted) (list []Hit, all bool, err error)
}
