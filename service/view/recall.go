package view

import (
	"context"

	"tenure"
	"tenure/compile"
	"tenure/store"
)

// Recaller finds beliefs by words: see [compile.Compiler.Recall].
type Recaller interface {
	Recall(
		ctx context.Context, r store.Reader, caller tenure.Caller, req compile.RecallRequest, now tenure.Instant,
	) (compile.Recalled, error)
}

// Recalled is what a search by words has found, best first.
type Recalled struct {
	Items        []RecalledItem
	Passages     []compile.RecalledPassage
	MorePassages bool
	// More reports whether more was found than the limit, Cut whether more beliefs have words of the query than were
	// ranked.
	More, Cut bool
	// Degraded says why similarity, or a reranker, counts for nothing; "" if all counts that there is.
	Degraded string
}

// RecalledItem is a belief that a search by words has found, as it stands at the instant of the view.
type RecalledItem struct {
	compile.RecalledItem
	Belief Belief
}

// Recall finds beliefs by words, at the instant of the view.
func (v *View) Recall(ctx context.Context, by Recaller, req compile.RecallRequest) (Recalled, error) {
	req.ValidAt = v.validAt
	found, err := by.Recall(ctx, v.reader, v.caller, req, v.now)
	if err != nil {
		return Recalled{}, err
	}
	list := make([]tenure.Belief, len(found.Items))
	for i, item := range found.Items {
		list[i] = item.Belief
	}
	described, err := v.describe(ctx, list)
	if err != nil {
		return Recalled{}, err
	}
	out := Recalled{
		Items: make([]RecalledItem, len(list)), More: found.More, Cut: found.Cut, Degraded: found.Degraded,
		Passages: found.Passages, MorePassages: found.MorePassages,
	}
	for i, b := range described {
		out.Items[i] = RecalledItem{found.Items[i], b}
	}
	return out, nil
}
