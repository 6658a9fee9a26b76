// Command model makes the model by which statements are aligned: go run ./eval/talk/model [-dry-run] [-data DIR]
//
// It learns from conversations whose authors say what each deciding turn does (learn.jsonl of eval/talk/paraphrases, and
// dev.jsonl by its questions; the talk set), and reports on conversations by other writers that it did not learn from
// (held.jsonl). The output is deterministic.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	talk "tenure/eval/talk/conversation"
	"tenure/statements/align"
)

type options struct {
	data, sets, out, acts string
	dry                   bool
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"), "folder of the data sets")
	flag.StringVar(&o.sets, "sets", "eval/talk/paraphrases", "folder of the conversations to learn from")
	flag.StringVar(&o.out, "out", "statements/align/model.json", "the file of the model of alignment")
	flag.StringVar(&o.acts, "acts", "statements/acts.json", "the file of the weights of words")
	flag.BoolVar(&o.dry, "dry-run", false, "report, and write nothing")
	flag.Parse()
	if err := run(o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "model:", err)
		os.Exit(1)
	}
}

func run(o options, w io.Writer) error {
	var learn []talk.Conversation
	for _, path := range []string{
		filepath.Join(o.sets, "learn.jsonl"), filepath.Join(o.sets, "dev.jsonl"),
		filepath.Join(o.data, "beliefs", "talk", "dev.jsonl"),
	} {
		list, err := talk.Load(path)
		if err != nil {
			return err
		}
		learn = append(learn, list...)
	}
	held, err := talk.Load(filepath.Join(o.sets, "held.jsonl"))
	if err != nil {
		return err
	}
	words, err := each(learn, clausesOf)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return errors.New("nothing to learn from")
	}
	a := learnActs(w, words, usualRegression)
	neighbours := newCrowd(learn)
	pairs, err := each(learn, func(c *talk.Conversation) ([]pairing, error) { return tell(c, a.of[writerOf(c)], neighbours) })
	if err != nil {
		return err
	}
	m := calibrated(boost(examples(pairs), usual), leftOut(w, pairs))
	fmt.Fprintf(w, "odds stretched by %.2f and moved by %.2f\n", m.Stretch, m.Move)
	neighbours = newCrowd(held)
	others, err := each(held, func(c *talk.Conversation) ([]pairing, error) { return tell(c, a.all, neighbours) })
	if err != nil {
		return err
	}
	for _, v := range []struct{ name, heading string }{
		{asTold, "as told"}, {crowded, "among further properties of the subject"}, {missing, "without the property"},
		{crowdedMissing, "among further properties, without the one that is meant"},
	} {
		other := func(p pairing) bool { return p.variant != v.name }
		fmt.Fprintf(w, "%s\n", v.heading)
		report(w, slices.DeleteFunc(slices.Clone(others), other), m)
	}
	if o.dry {
		return nil
	}
	return errors.Join(write(o.acts, a.all), write(o.out, m))
}

// each collects what is found in each conversation.
func each[T any](list []talk.Conversation, of func(*talk.Conversation) ([]T, error)) (all []T, err error) {
	for i := range list {
		found, err := of(&list[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", list[i].ID, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

func write(path string, m any) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644) //nolint:gosec // G306: a file of the source tree
}

// folds are groups of writers, each of which is left out in turn.
var folds = [][]string{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}, {"k", "l", "m"}, {"w1", "w2", "w3", "w4", "w5", "w6"},
	{"w7", "w8", "w9", "w10", "w11", "w12"}, {"talk"}}

// leftOut returns the best pairings of each group of writers by what is learned from the others, and reports how well
// they are ordered.
func leftOut(w io.Writer, list []pairing) (all []judged) {
	sum := 0.0
	for _, fold := range folds {
		var seen, left []pairing
		for _, p := range list {
			if slices.Contains(fold, p.writer) {
				left = append(left, p)
			} else {
				seen = append(seen, p)
			}
		}
		best, n := foremost(left, boost(examples(seen), usual))
		precision := averagePrecision(best, n)
		fmt.Fprintf(w, "writers %v: average precision %.3f of %d\n", fold, precision, n)
		sum += precision
		all = append(all, best...)
	}
	fmt.Fprintf(w, "mean of the writers: %.3f\n", sum/float64(len(folds)))
	return all
}

// least is the least of the odds that are calibrated: nothing is done by those below.
const least = -3

// calibrated gives a model that its confidence is how often it is right, by what was found of writers that were left out.
func calibrated(m align.Model, list []judged) align.Model {
	var odds []float64
	var yeses []bool
	for _, j := range list {
		if j.odds > least && j.class != unknown {
			odds, yeses = append(odds, j.odds), append(yeses, j.class == yes)
		}
	}
	m.Stretch, m.Move = calibrate(odds, yeses)
	return m
}

// examples returns the pairings of which a class is known.
func examples(list []pairing) (out []example) {
	groups := map[string]int{}
	for _, p := range list {
		if c := p.class(); c != unknown && p.row != nil {
			group, ok := groups[p.slot]
			if !ok {
				group = len(groups)
				groups[p.slot] = group
			}
			out = append(out, example{p.row, c == yes, group})
		}
	}
	return out
}

// report prints how many of the slots to which a turn gives a new value are found, and how many of those found are right.
func report(w io.Writer, list []pairing, m align.Model) {
	best, all := foremost(list, m)
	fmt.Fprintf(w, "   new values of known slots: %d\n", all)
	for _, at := range []float64{.1, .2, .3, .4, .5, .6, .7, .8, .9} {
		right, wrong := 0, 0
		for _, b := range best {
			if p := m.Confidence(b.odds); p >= at && b.class == yes {
				right++
			} else if p >= at && b.class == no {
				wrong++
			}
		}
		fmt.Fprintf(w, "   from %.1f: found %.3f, right %.3f (%d, %d)\n", at, float64(right)/float64(max(1, all)),
			float64(right)/float64(max(1, right+wrong)), right, wrong)
	}
	fmt.Fprintf(w, "   average precision %.3f\n", averagePrecision(best, all))
}

// judged is the best pairing of a slot in a turn.
type judged struct {
	odds  float64
	class class
}

// foremost returns the best pairing of each slot in each turn, the likeliest first, and how many slots have a right one.
func foremost(list []pairing, m align.Model) (best []judged, all int) {
	at := map[string]int{}
	for _, p := range list {
		if p.row == nil {
			all++
			continue
		}
		j := judged{m.Odds(p.row), p.class()}
		if n, found := at[p.slot]; !found {
			at[p.slot] = len(best)
			best = append(best, j)
		} else if j.odds > best[n].odds {
			best[n] = j
		}
	}
	slices.SortStableFunc(best, func(a, b judged) int { return cmp.Compare(b.odds, a.odds) })
	return best, all
}

func averagePrecision(best []judged, all int) (sum float64) {
	right, wrong := 0.0, 0.0
	for _, b := range best {
		switch b.class {
		case yes:
			right++
			sum += right / (right + wrong)
		case no:
			wrong++
		}
	}
	return sum / float64(max(1, all))
}
