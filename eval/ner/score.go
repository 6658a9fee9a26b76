package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"tenure/internal/measure"
)

// tally counts correct, predicted and expected mentions.
type tally struct{ right, said, gold int }

func (t tally) String() string {
	return fmt.Sprintf("P %.3f  R %.3f  F1 %.3f   (%d right, %d said, %d gold)",
		measure.Share(t.right, t.said), measure.Share(t.right, t.gold), t.f1(), t.right, t.said, t.gold)
}

func (t tally) f1() float64 {
	return harmonic(measure.Share(t.right, t.said), measure.Share(t.right, t.gold))
}

func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// score computes the score of mentions_score.py, without overlaps.
type score struct {
	texts        int
	exact, typed tally
	byType       map[string]*tally
	byRegister   map[string]*both
	chains       bcubed
	errors       []string
}

// both holds the tallies of a register.
type both struct{ exact, typed tally }

func (b both) String() string { return fmt.Sprintf("%v  typed F1 %.3f", b.exact, b.typed.f1()) }

// bcubed sums B-cubed precision over predicted mentions and recall over expected ones.
type bcubed struct {
	precision, recall float64
	said, gold        int
}

func (b *bcubed) add(gold, said map[place]int) {
	b.said += len(said)
	b.gold += len(gold)
	common := func(p place) (n, ofGold, ofSaid float64) {
		for q, c := range gold {
			if c == gold[p] {
				ofGold++
				if d, ok := said[q]; ok && d == said[p] {
					n++
				}
			}
		}
		for _, d := range said {
			if d == said[p] {
				ofSaid++
			}
		}
		return n, ofGold, ofSaid
	}
	for p := range gold {
		if _, ok := said[p]; ok {
			n, ofGold, ofSaid := common(p)
			b.precision += n / ofSaid
			b.recall += n / ofGold
		}
	}
}

func (b bcubed) String() string {
	p, r := b.precision/float64(max(b.said, 1)), b.recall/float64(max(b.gold, 1))
	return fmt.Sprintf("P %.3f  R %.3f  F1 %.3f", p, r, harmonic(p, r))
}

type place struct{ start, end int }

// add scores one text. A prediction equal to an optional span counts as neither right nor wrong.
func (s *score) add(r record, said []span) {
	if s.byType == nil {
		s.byType, s.byRegister = map[string]*tally{}, map[string]*both{}
	}
	s.texts++
	s.addChains(r, said)
	gold, optional, found := map[place]span{}, map[place]bool{}, map[place]bool{}
	for _, m := range r.Mentions {
		gold[place{m.Start, m.End}] = m
		s.of(s.byType, m.Type).gold++
	}
	for _, m := range r.Optional {
		optional[place{m.Start, m.End}] = true
	}
	register := s.byRegister[r.Register]
	if register == nil {
		register = &both{}
		s.byRegister[r.Register] = register
	}
	for _, t := range []*tally{&s.exact, &s.typed, &register.exact, &register.typed} {
		t.gold += len(gold)
	}
	for _, m := range said {
		at := place{m.Start, m.End}
		want, ok := gold[at]
		if !ok && optional[at] {
			continue
		}
		found[at] = true
		s.judge(r, m, want, ok, register)
	}
	for _, m := range r.Mentions {
		if !found[place{m.Start, m.End}] {
			s.errors = append(s.errors, fmt.Sprintf("%s\tmissed\t%s\t%s", r.ID, m.Type, m.Text))
		}
	}
}

func (s *score) judge(r record, said, want span, exact bool, register *both) {
	for _, t := range []*tally{&s.exact, &s.typed, &register.exact, &register.typed, s.of(s.byType, said.Type)} {
		t.said++
	}
	switch {
	case !exact:
		s.errors = append(s.errors, fmt.Sprintf("%s\tspurious\t%s\t%s", r.ID, said.Type, said.Text))
		return
	case want.Type == said.Type:
		s.typed.right++
		register.typed.right++
		s.byType[said.Type].right++
	default:
		s.errors = append(s.errors, fmt.Sprintf("%s\t%s, not %s\t%s", r.ID, want.Type, said.Type, said.Text))
	}
	s.exact.right++
	register.exact.right++
}

// addChains scores the chains of one text; optional mentions do not count.
func (s *score) addChains(r record, said []span) {
	gold, optional, found := map[place]int{}, map[place]bool{}, map[place]int{}
	for _, m := range r.Mentions {
		gold[place{m.Start, m.End}] = m.Chain
	}
	for _, m := range r.Optional {
		optional[place{m.Start, m.End}] = true
	}
	for _, m := range said {
		at := place{m.Start, m.End}
		if _, ok := gold[at]; ok || !optional[at] {
			found[at] = m.Chain
		}
	}
	s.chains.add(gold, found)
}

func (s *score) of(m map[string]*tally, key string) *tally {
	if m[key] == nil {
		m[key] = &tally{}
	}
	return m[key]
}

// peers is the table of other systems on the style sample; its README has the details.
const peers = `
peers on the style sample (F1 exact, typed, chains): CoreNLP with regexes and aliases .737, .698, .717; regexes
and capitalised runs .726, .619, .706; CoreNLP .547, .514, .517; spaCy small .521, .309, .495; prose .444, .246, .414
`

func (s *score) print(w io.Writer, errors int) {
	fmt.Fprintf(w, "%d texts\nexact          %v\nexact, typed   %v\nchains         %v\n", s.texts, s.exact, s.typed,
		s.chains)
	fmt.Fprint(w, "\nby type (exact, typed)\n")
	for _, key := range slices.Sorted(maps.Keys(s.byType)) {
		fmt.Fprintf(w, "  %-14s %v\n", key, *s.byType[key])
	}
	fmt.Fprint(w, "\nby register (exact)\n")
	for _, key := range slices.Sorted(maps.Keys(s.byRegister)) {
		fmt.Fprintf(w, "  %-14s %v\n", key, *s.byRegister[key])
	}
	fmt.Fprint(w, peers)
	for _, e := range s.errors[:min(errors, len(s.errors))] {
		fmt.Fprintln(w, e)
	}
}
