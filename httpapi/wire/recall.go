package wire

import (
	"tenure"
	"tenure/api"
	"tenure/service"
)

// RecallRequest converts a request to recall. It returns Invalid for a known_at that cannot be read.
func RecallRequest(in api.RecallInput) (r service.RecallRequest, at service.AsOf, err error) {
	r = service.RecallRequest{Query: in.Query, Scope: in.Scope, Limit: Value(in.Limit)}
	for _, k := range in.Kinds {
		r.Kinds = append(r.Kinds, service.DocumentKind(k))
	}
	if !in.ValidAt.IsZero() {
		t := tenure.At(in.ValidAt)
		at.ValidAt = &t
	}
	if in.KnownAt != "" {
		at.Known, err = parseKnownAt(in.KnownAt, "/known_at")
	}
	return r, at, err
}

// RecalledItem returns a function that encodes what a caller of the tenant has found.
func RecalledItem(tenant string) func(service.RecalledItem) api.RecalledItem {
	return func(item service.RecalledItem) api.RecalledItem {
		return api.RecalledItem{
			Kind: string(item.Kind), Belief: Belief(tenant)(item.Belief), Text: item.Text, Score: item.Score,
			Why: Each(item.Why, wordFound), Similarity: item.Similarity,
		}
	}
}

// RecalledPassage encodes a passage that was found.
func RecalledPassage(p service.RecalledPassage) api.RecalledPassage {
	return api.RecalledPassage{
		PassageId: p.ID, DocumentId: p.Document, Version: p.Version, Number: p.Number, Uri: p.Of.URI, Title: p.Of.Title,
		Headings: p.Headings, Text: p.Text, AuthorityLevel: p.Of.Source.AuthorityLevel, Score: p.Score,
		Similarity: p.Similarity, Why: Each(p.Why, wordFound),
	}
}

func wordFound(w service.WordFound) api.WordFound {
	places := make([]string, len(w.In))
	for i, p := range w.In {
		places[i] = string(p)
	}
	return api.WordFound{Word: w.Word, In: places, Synonym: w.Synonym}
}
