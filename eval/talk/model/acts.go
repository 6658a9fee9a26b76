package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tenure"
	talk "tenure/eval/talk/conversation"
	"tenure/eval/talk/memory"
	"tenure/statements"
)

// clausesOf returns the clauses of a conversation of which its author says what they do.
func clausesOf(c *talk.Conversation) (list []clause, err error) {
	hearing := memory.NewHearing(c.Known, nil)
	for i, t := range c.Turns {
		turn, before, err := hearing.Next(t)
		if err != nil {
			return nil, err
		}
		for _, cl := range statements.Measure(turn, before) {
			act := actOf(c, i, cl.Text)
			if act == "" || act == tenure.Plans && cl.Dated {
				continue
			}
			list = append(list, clause{writer: writerOf(c), traits: cl.Traits, yes: act.Changes() && act != tenure.Plans})
		}
	}
	return list, nil
}

func writerOf(c *talk.Conversation) string { return cmp.Or(c.Writer, "talk") }

// actOf returns what a clause of a turn does as the author says: by the value that it names; "" if that is not known.
func actOf(c *talk.Conversation, turn int, clause string) (act tenure.Act) {
	low := strings.ToLower(clause)
	has := func(v string) bool { return v != "" && talk.Find(low, strings.ToLower(v)) >= 0 }
	for _, g := range c.Gold {
		if g.Turn == turn && (has(g.New) || g.New == "" && has(g.Old)) {
			act = tenure.Act(g.Act)
		}
	}
	if len(c.Gold) > 0 {
		return act
	}
	return actByAsks(c, has)
}

// actByAsks returns what a clause does of a conversation that only has questions: what they test, if it has a value that
// they want or refuse and that was not known before.
func actByAsks(c *talk.Conversation, has func(string) bool) tenure.Act {
	known := func(s string) bool {
		return slices.ContainsFunc(c.Known, func(k talk.Known) bool { return talk.Contains(k.Value, s) })
	}
	for _, a := range c.Asks {
		ends := a.Act == string(tenure.Ends) || a.Act == string(tenure.Retracts)
		for _, p := range slices.Concat(a.Must, a.MustNot) {
			for s := range strings.SplitSeq(p, "|") {
				if has(s) && (!known(s) || ends && slices.Contains(a.MustNot, p)) {
					return tenure.Act(a.Act)
				}
			}
		}
	}
	return ""
}

// acts are the weights of the words of clauses: of all writers, and for each writer those that were learned from all
// others.
type acts struct {
	all *statements.Weights
	of  map[string]*statements.Weights
}

// learnActs learns the weights from clauses, and prints what they tell of writers that they were not learned from.
func learnActs(w io.Writer, list []clause, s regression) acts {
	a := acts{of: map[string]*statements.Weights{}}
	var odds []float64
	var yes []bool
	for _, writer := range writers(list) {
		var seen, left []clause
		for _, c := range list {
			if c.writer == writer {
				left = append(left, c)
			} else {
				seen = append(seen, c)
			}
		}
		m := s.weights(seen)
		a.of[writer] = m
		for _, c := range left {
			odds, yes = append(odds, m.Log(c.traits)), append(yes, c.yes)
		}
	}
	a.all = s.weights(list)
	stretch, move := calibrate(odds, yes)
	a.all.Scale, a.all.Base = a.all.Scale*stretch, a.all.Base*stretch+move
	for _, m := range a.of {
		m.Scale, m.Base = m.Scale*stretch, m.Base*stretch+move
	}
	for i := range odds {
		odds[i] = odds[i]*stretch + move
	}
	fmt.Fprintf(w, "clauses: %d, log-odds stretched by %.2f and moved by %.2f\n", len(list), stretch, move)
	reportActs(w, odds, yes)
	return a
}

func writers(list []clause) (names []string) {
	for _, c := range list {
		names = append(names, c.writer)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// weights returns the weights that are learned from clauses, rounded as they are kept.
func (s regression) weights(list []clause) *statements.Weights {
	table, base := s.fit(list)
	greatest := 0.0
	for _, x := range table {
		greatest = max(greatest, math.Abs(x))
	}
	w := &statements.Weights{Version: statements.TraitsVersion(), Table: make([]byte, len(table)), Base: base, Scale: greatest / s.levels}
	for i, x := range table {
		w.Table[i] = byte(int8(math.Round(x / w.Scale)))
	}
	return w
}

// reportActs prints how well the odds separate the clauses that change something, and how well they are calibrated.
func reportActs(w io.Writer, odds []float64, yes []bool) {
	var right, all [10]int
	loss := 0.0
	order := make([]int, len(odds))
	for i, z := range odds {
		order[i] = i
		p := 1 / (1 + math.Exp(-z))
		bin := min(9, int(p*10))
		all[bin]++
		if yes[i] {
			right[bin]++
			loss -= math.Log(p)
		} else {
			loss -= math.Log(1 - p)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(odds[a], odds[b]) })
	negatives, pairs, positives := 0, 0, 0
	for _, i := range order {
		if yes[i] {
			pairs += negatives
			positives++
		} else {
			negatives++
		}
	}
	fmt.Fprintf(w, "   area under the curve %.3f, loss %.3f\n", float64(pairs)/float64(positives*negatives), loss/float64(len(odds)))
	for i := range all {
		if all[i] > 0 {
			fmt.Fprintf(w, "   %.1f %5d %.2f\n", float64(i)/10, all[i], float64(right[i])/float64(all[i]))
		}
	}
}
