package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	api "tenure/client"
	"tenure/internal/erdata"
	"tenure/similarity"
)

// ordinaryCase is a row of the ordinary cases: a pair of mentions, or the steps of a story.
type ordinaryCase struct {
	erdata.Pair
	Class string      `json:"class"`
	Name  string      `json:"name"`
	Steps []storyStep `json:"steps"`
}

// storyStep is an observation of one mention.
type storyStep struct {
	erdata.Record
	Of      string `json:"of"` // who is meant; nobody can tell where it is "?"
	Session string `json:"session"`
	Project string `json:"project"`
	Ask     string `json:"ask"` // the right outcome: merge or not_merge, "" if the step only prepares
}

// ordinaryTally counts the outcomes of ordinary cases. The road of a pair is a comparison, or a registry that
// holds its left side alone.
type ordinaryTally struct {
	sync.Mutex
	n, wrong, found                  map[string]int // by road: automatic merges, the wrong ones, the right ones
	matches                          int
	mustMerge, merged, asked, joined int // steps of stories: that ask for a merge, their outcomes; wrong merges
	wrongs                           []string
}

const byCompare, byRegistry = "compare", "registry"

// measureOrdinary compares each pair, resolves its right side against a tenant that holds its left side alone, and
// tells each story to a tenant of its own.
func measureOrdinary(ctx context.Context, w *workshop, s *service, x set, rows []ordinaryCase, t *taken) (map[string]any, error) {
	tally := &ordinaryTally{n: map[string]int{}, wrong: map[string]int{}, found: map[string]int{}}
	err := each(len(rows), func(i int) error {
		c := &rows[i]
		key, err := w.binary.Key(ctx, w.engine.store(x.name), fmt.Sprintf("resolution-%d-%s-%d", os.Getpid(), x.name, i))
		if err != nil {
			return err
		}
		own, err := newClient(s.URL, key)
		if err != nil {
			return err
		}
		if len(c.Steps) > 0 {
			return tally.tell(ctx, own, c)
		}
		return tally.pair(ctx, own, c)
	})
	t.asked = len(rows)
	if w.errors > 0 {
		slices.Sort(tally.wrongs)
		for _, line := range tally.wrongs {
			fmt.Println("   ", line)
		}
	}
	return tally.figures(), err
}

func (y *ordinaryTally) figures() map[string]any {
	list := map[string]any{
		"must_merge": float64(y.mustMerge), "must_merge_met": float64(y.merged + y.asked), "must_merge_auto": float64(y.merged),
		"stories_wrong": float64(y.joined),
	}
	for _, road := range []string{byCompare, byRegistry} {
		list[road+"_merges"], list[road+"_wrong"] = float64(y.n[road]), float64(y.wrong[road])
		list[road+"_recall"] = float64(y.found[road]) / float64(max(y.matches, 1))
	}
	return list
}

func (y *ordinaryTally) pair(ctx context.Context, own *client, c *ordinaryCase) error {
	res, err := own.CompareWithResponse(ctx, api.CompareInput{Left: mentionOf(c.Left), Right: mentionOf(c.Right)})
	if err != nil {
		return err
	}
	left, err := own.tell(ctx, storyStep{Record: c.Left})
	if err != nil {
		return err
	}
	right, err := own.tell(ctx, storyStep{Record: c.Right})
	if err != nil {
		return err
	}
	y.Lock()
	defer y.Unlock()
	if c.Match {
		y.matches++
	}
	y.count(byCompare, c, res.JSON200.Score, string(res.JSON200.Veto), res.JSON200.Score >= similarity.MergeAt && res.JSON200.Veto == "")
	merged := right.Decision == api.OutcomeAutoMerge && right.EntityId == left.EntityId
	y.count(byRegistry, c, right.Score, string(right.Reason), merged)
	return nil
}

func (y *ordinaryTally) count(road string, c *ordinaryCase, score float64, reason string, merged bool) {
	if merged {
		y.n[road]++
		if c.Match {
			y.found[road]++
		} else {
			y.wrong[road]++
		}
	}
	if merged != c.Match {
		y.wrongs = append(y.wrongs, fmt.Sprintf("%-8s match %-5v %.3f %-14s %-22s %q / %q", road, c.Match, score, c.Class, reason,
			c.Left.Name, c.Right.Name))
	}
}

// tell tells a story and counts the steps with a right outcome.
func (y *ordinaryTally) tell(ctx context.Context, own *client, c *ordinaryCase) error {
	entities := map[string]string{}
	for i, step := range c.Steps {
		m, err := own.tell(ctx, step)
		if err != nil {
			return err
		}
		y.Lock()
		merged := m.Decision == api.OutcomeAutoMerge
		right := merged && m.EntityId == entities[step.Of]
		fail := merged && !right
		if step.Ask == "merge" {
			y.mustMerge++
			y.merged += oneIf(right)
			y.asked += oneIf(m.Decision == api.OutcomeReview)
			fail = fail || m.Decision == api.OutcomeNewEntity
		}
		y.joined += oneIf(merged && !right)
		if fail {
			y.wrongs = append(y.wrongs, fmt.Sprintf("story %q, step %d %q: %s (%s, %.3f)", c.Name, i+1, step.Name, m.Decision, m.Reason, m.Score))
		}
		y.Unlock()
		if entities[step.Of] == "" && m.Decision != api.OutcomeReview {
			entities[step.Of] = m.EntityId
		}
	}
	return nil
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tell writes one mention and returns its resolution.
func (c *client) tell(ctx context.Context, step storyStep) (api.MentionAnswer, error) {
	in := api.ObservationInput{
		Source: api.SourceInput{Origin: "notes://ordinary", SessionId: step.Session}, Mentions: []api.MentionInput{mentionOf(step.Record)},
	}
	if step.Project != "" {
		in.Scope = api.Scope{ProjectId: step.Project}
	}
	res, err := c.ObserveWithResponse(ctx, nil, in)
	if err != nil {
		return api.MentionAnswer{}, err
	}
	if res.JSON201 == nil || len(res.JSON201.Mentions) != 1 {
		return api.MentionAnswer{}, fmt.Errorf("observe %q: %s: %s", step.Name, res.Status(), res.Body)
	}
	return res.JSON201.Mentions[0], nil
}
