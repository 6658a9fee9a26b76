package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// tally counts what was right, said and expected.
type tally struct{ right, said, gold int }

func (t tally) String() string {
	p, r := ratio(t.right, t.said), ratio(t.right, t.gold)
	f := 0.0
	if p+r > 0 {
		f = 2 * p * r / (p + r)
	}
	return fmt.Sprintf("P %.3f  R %.3f  F1 %.3f   (%d right, %d said, %d gold)", p, r, f, t.right, t.said, t.gold)
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// score is that of mentions_score.py, without overlaps and chains.
type score struct {
	texts        int
	exact, typed tally
	byType       map[string]*tally
	byRegister   map[string]*tally
	errors       []string
}

type place struct{ start, end int }

// add scores one text. A prediction equal to an optional span is neither right
// nor wrong.
func (s *score) add(r record, said []span) {
	if s.byType == nil {
		s.byType, s.byRegister = map[string]*tally{}, map[string]*tally{}
	}
	s.texts++
	gold, optional, found := map[place]span{}, map[place]bool{}, map[place]bool{}
	for _, m := range r.Mentions {
		gold[place{m.Start, m.End}] = m
		s.of(s.byType, m.Type).gold++
	}
	for _, m := range r.Optional {
		optional[place{m.Start, m.End}] = true
	}
	register := s.of(s.byRegister, r.Register)
	for _, t := range []*tally{&s.exact, &s.typed, register} {
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

func (s *score) judge(r record, said, want span, exact bool, register *tally) {
	for _, t := range []*tally{&s.exact, &s.typed, register, s.of(s.byType, said.Type)} {
		t.said++
	}
	switch {
	case !exact:
		s.errors = append(s.errors, fmt.Sprintf("%s\tspurious\t%s\t%s", r.ID, said.Type, said.Text))
		return
	case want.Type == said.Type:
		s.typed.right++
		s.byType[said.Type].right++
	default:
		s.errors = append(s.errors, fmt.Sprintf("%s\t%s, not %s\t%s", r.ID, want.Type, said.Type, said.Text))
	}
	s.exact.right++
	register.right++
}

func (s *score) of(m map[string]*tally, key string) *tally {
	if m[key] == nil {
		m[key] = &tally{}
	}
	return m[key]
}

// peers is what others reach on the style sample; its README has the details.
const peers = `
peers on the style sample (F1 exact, typed): CoreNLP with regexes and aliases .737, .698; regexes and
capitalised runs .726, .619; CoreNLP .547, .514; spaCy small .521, .309; prose .444, .246
`

func (s *score) print(w io.Writer, errors int) {
	fmt.Fprintf(w, "%d texts\nexact          %v\nexact, typed   %v\n", s.texts, s.exact, s.typed)
	for _, group := range []struct {
		title string
		of    map[string]*tally
	}{{"by type (exact, typed)", s.byType}, {"by register (exact)", s.byRegister}} {
		fmt.Fprintf(w, "\n%s\n", group.title)
		for _, key := range slices.Sorted(maps.Keys(group.of)) {
			fmt.Fprintf(w, "  %-14s %v\n", key, *group.of[key])
		}
	}
	fmt.Fprint(w, peers)
	for _, e := range s.errors[:min(errors, len(s.errors))] {
		fmt.Fprintln(w, e)
	}
}
