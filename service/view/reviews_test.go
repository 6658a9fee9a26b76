package view

import (
	"testing"

	"tenure"
)

func TestReviewsAreChosen(t *testing.T) {
	at := func(n int) *tenure.Instant { return ptr(tenure.Instant(n)) }
	r := tenure.Review{
		Name: "Wojciech Kowalczyk", OpenedAt: 10, State: tenure.ReviewSettled, DecidedBy: "key-1",
		Candidates: []tenure.Candidate{{Score: .8}, {Score: .9}}, Events: []tenure.ReviewEvent{{Reviewer: "Dana"}},
		Lease: tenure.Lease{LeasedBy: "me", LeasedUntil: 100},
	}
	const now = 50
	for name, c := range map[string]struct {
		filter ReviewFilter
		want   bool
	}{
		"by-nothing":                  {ReviewFilter{}, true},
		"opened-at-the-bound":         {ReviewFilter{OpenedAfter: at(10), OpenedBefore: at(11)}, true},
		"opened-too-early":            {ReviewFilter{OpenedAfter: at(11)}, false},
		"opened-too-late":             {ReviewFilter{OpenedBefore: at(10)}, false},
		"by-its-best-score":           {ReviewFilter{MinScore: ptr(.9), MaxScore: ptr(.9)}, true},
		"by-a-higher-score":           {ReviewFilter{MinScore: ptr(.91)}, false},
		"by-a-lower-score":            {ReviewFilter{MaxScore: ptr(.89)}, false},
		"by-a-part-of-its-name":       {ReviewFilter{Name: "KOWAL"}, true},
		"by-another-name":             {ReviewFilter{Name: "Nowak"}, false},
		"by-the-credential":           {ReviewFilter{DecidedBy: "key-1"}, true},
		"by-the-reviewer":             {ReviewFilter{DecidedBy: "Dana"}, true},
		"by-another-reviewer":         {ReviewFilter{DecidedBy: "Robin"}, false},
		"that-the-caller-has-leased":  {ReviewFilter{Lease: LeaseMine}, true},
		"that-anybody-has-leased":     {ReviewFilter{Lease: LeaseHeld}, true},
		"that-nobody-has-leased":      {ReviewFilter{Lease: LeaseFree}, false},
		"by-two-of-which-one-is-none": {ReviewFilter{Name: "kowal", Lease: LeaseFree}, false},
	} {
		if got := c.filter.chooses(r, "me", now); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !(ReviewFilter{Lease: LeaseFree}).chooses(r, "me", 100) {
		t.Error("a lease that has run out still holds")
	}
}

func ptr[T any](v T) *T { return &v }
