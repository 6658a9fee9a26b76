package service

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/webhook"
)

// TestDeadLettersComeByPages checks that each dead letter is on one page, the oldest first, also where the one that
// the first page ended with is retried, and those that were given up at one time.
func TestDeadLettersComeByPages(t *testing.T) {
	var all []DeadLetter
	var want []tenure.ID
	for n := range 10 {
		id := tenure.ID(fmt.Sprintf("0198c1f0-0000-7000-8000-%012d", 50-n)) // in another order than their times
		at := time.Unix(int64(1_700_000_000+n/2), 0)
		all = append(all, DeadLetter{Event: webhook.Event{ID: id}, LastAt: at})
	}
	for n := 0; n < 10; n += 2 {
		pair := []tenure.ID{all[n].Event.ID, all[n+1].Event.ID}
		slices.Sort(pair)
		want = append(want, pair...)
	}
	var got []tenure.ID
	for p := (Page{Limit: 3}); ; {
		page := deadLetters(slices.Clone(all), p)
		for _, d := range page.Items {
			got = append(got, d.Event.ID)
		}
		if !page.More {
			break
		}
		if retried := got[len(got)-1]; p.After == "" {
			all = slices.DeleteFunc(all, func(d DeadLetter) bool { return d.Event.ID == retried })
		}
		p.After = page.Last
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
