package compile

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tenure"
)

func itemsNamed(names ...string) (list []RecalledItem) {
	for i, n := range names {
		item := RecalledItem{Text: n, Score: float64(10 - i)}
		item.Belief.Claim.ID = tenure.ID(n)
		list = append(list, item)
	}
	return list
}

func textsOfItems(list []RecalledItem) (texts []string) {
	for _, item := range list {
		texts = append(texts, item.Text)
	}
	return texts
}

// TestFuse: what both rankings have is first, of equal ones what words found.
func TestFuse(t *testing.T) {
	alike := itemsNamed("c", "a", "d")
	for i := range alike {
		alike[i].Similarity = .5
	}
	got := fuse(itemsNamed("a", "b"), alike)
	if want := []string{"a", "c", "b", "d"}; !slices.Equal(textsOfItems(got), want) {
		t.Errorf("it is %v, want %v", textsOfItems(got), want)
	}
	if got[0].Score != rounded(1./61+1./62) || got[0].Similarity != .5 || got[2].Similarity != 0 {
		t.Errorf("it is %+v", got)
	}
	if words := fuse(itemsNamed("a", "b"), nil); words[0].Score != 10 || words[1].Score != 9 {
		t.Errorf("without similarity: %+v", words)
	}
}

// ranker scores texts by their first byte, or fails.
type ranker struct{ fail error }

func (ranker) Name() string { return "first" }

func (r ranker) Rerank(_ context.Context, _ string, texts []string) (scores []float64, err error) {
	for _, s := range texts {
		scores = append(scores, float64(s[0]))
	}
	return scores, r.fail
}

func TestRerank(t *testing.T) {
	names := []string{"b", "c", "a"}
	for len(names) < reranked+1 {
		names = append(names, "a")
	}
	names = append(names, "z") // which is not read
	c := &Compiler{cfg: Config{Reranker: ranker{}}}
	got, degraded, err := c.rerank(t.Context(), "q", itemsNamed(names...))
	if texts := textsOfItems(got); err != nil || degraded != "" || texts[0] != "c" || texts[1] != "b" || texts[len(texts)-1] != "z" {
		t.Errorf("it is %v, %q, %v", texts, degraded, err)
	}
	c.cfg.Reranker = ranker{fail: errors.New("down")}
	got, degraded, err = c.rerank(t.Context(), "q", itemsNamed("a", "b"))
	if err != nil || degraded == "" || !slices.Equal(textsOfItems(got), []string{"a", "b"}) {
		t.Errorf("down, it is %v, %q, %v", textsOfItems(got), degraded, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.rerank(ctx, "q", itemsNamed("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gave up: %v", err)
	}
}
