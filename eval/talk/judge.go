package main

import (
	"slices"
	"strings"

	api "tenure/client"
	talk "tenure/eval/talk/conversation"
)

// answer is a question with the context that it got.
type answer struct {
	ask

	Conversation *conversation
	Got, Bad     []string // of Must and MustNot, what the context has
	Context      string
	Said         [][]api.Statement // what was read in each turn before it
}

func judge(c *conversation, q ask, context string) answer {
	has := func(phrase string) bool { return talk.Contains(context, phrase) }
	a := answer{ask: q, Conversation: c, Context: context}
	for _, p := range q.Must {
		if has(p) {
			a.Got = append(a.Got, p)
		}
	}
	for _, p := range q.MustNot {
		if has(p) {
			a.Bad = append(a.Bad, p)
		}
	}
	return a
}

// right reports whether the context is complete and clean: it has all that it must have and nothing that it must not.
func (a answer) right() bool { return len(a.Got) == len(a.Must) && len(a.Bad) == 0 }

// The ways in which an answer is wrong.
const (
	empty   = "empty"   // nothing of what must be there, and nothing at all
	missing = "missing" // clean, but not complete
	beside  = "beside"  // complete, with something that nobody holds beside it
	stale   = "stale"   // neither
)

// fault returns how an answer is wrong, "" if it is right.
func (a answer) fault() string {
	complete, clean := len(a.Got) == len(a.Must), len(a.Bad) == 0
	switch {
	case a.right():
		return ""
	case strings.TrimSpace(a.Context) == "":
		return empty
	case clean:
		return missing
	case complete:
		return beside
	}
	return stale
}

// class returns what kind of answer it is.
func (a answer) class() string { return a.Aim + " " + a.Act }

// score sums up answers.
type score struct {
	Asks, Right     int
	Must, Got       int // phrases
	Live, Bad       int // questions with a forbidden phrase, and those whose context has one
	Tokens, Tokens5 int // mean, and what 95 of 100 do not exceed

	Faults map[string]int
}

func sum(answers []answer) score {
	s := score{Faults: map[string]int{}}
	var sizes []int
	total := 0
	for _, a := range answers {
		s.Asks++
		s.Must += len(a.Must)
		s.Got += len(a.Got)
		if f := a.fault(); f != "" {
			s.Faults[f]++
		} else {
			s.Right++
		}
		if len(a.MustNot) > 0 {
			s.Live++
		}
		if len(a.Bad) > 0 {
			s.Bad++
		}
		sizes = append(sizes, tokens(a.Context))
		total += tokens(a.Context)
	}
	if s.Asks > 0 {
		slices.Sort(sizes)
		s.Tokens = (total + s.Asks/2) / s.Asks
		s.Tokens5 = sizes[int(.95*float64(len(sizes)-1))]
	}
	return s
}

// tokens estimates the tokens of a text: a quarter of its bytes.
func tokens(text string) int { return (len(text) + 3) / 4 }

// whole counts conversations, and those whose questions are all right.
func whole(answers []answer) (right, all int) {
	wrong := map[*conversation]bool{}
	for _, a := range answers {
		wrong[a.Conversation] = wrong[a.Conversation] || !a.right()
	}
	for _, w := range wrong {
		if !w {
			right++
		}
	}
	return right, len(wrong)
}
