package main

import (
	"context"
	"slices"
	"strings"

	api "tenure/client"
)

// memory is what is told conversations and asked for contexts.
type memory interface {
	begin(ctx context.Context, c *conversation) error
	hear(ctx context.Context, t turn) ([]api.Statement, error) // and returns what it read, if it says
	compile(ctx context.Context, q ask) (string, error)
}

// answers tells a memory each conversation, and asks each question when all that was said until then has been told.
func answers(ctx context.Context, m memory, list []conversation) ([]answer, error) {
	var out []answer
	for i := range list {
		c := &list[i]
		if err := m.begin(ctx, c); err != nil {
			return nil, err
		}
		var said [][]api.Statement
		for _, q := range c.Asks {
			for len(said) < len(c.Turns) && !c.Turns[len(said)].At.After(q.At) {
				list, err := m.hear(ctx, c.Turns[len(said)])
				if err != nil {
					return nil, err
				}
				said = append(said, list)
			}
			text, err := m.compile(ctx, q)
			if err != nil {
				return nil, err
			}
			a := judge(c, q, text)
			a.Said = said
			out = append(out, a)
		}
	}
	return out, nil
}

// budget is the most tokens of a context.
const budget = 2000

// baseline is a memory without any judgement: it gives back lines of what it was told.
type baseline struct {
	name  string
	lines func(known []known, turns []turn) []string

	known []known
	turns []turn
}

func baselines() []*baseline {
	latest := func(n int) func([]known, []turn) []string {
		return func(_ []known, turns []turn) []string { return lines(turns[max(0, len(turns)-n):]) }
	}
	const few = 5
	return []*baseline{
		{name: "everything", lines: func(k []known, t []turn) []string { return slices.Concat(lines(k), lines(t)) }},
		{name: "latest-5", lines: latest(few)},
		{name: "latest turn", lines: latest(1)},
		{name: "known only", lines: func(k []known, _ []turn) []string { return lines(k) }},
		{name: "nothing", lines: func([]known, []turn) []string { return nil }},
	}
}

func lines[T interface{ Line() string }](list []T) []string {
	var out []string
	for _, x := range list {
		out = append(out, x.Line())
	}
	return out
}

func (b *baseline) begin(_ context.Context, c *conversation) error {
	b.known, b.turns = c.Known, nil
	return nil
}

func (b *baseline) hear(_ context.Context, t turn) ([]api.Statement, error) {
	b.turns = append(b.turns, t)
	return nil, nil
}

// compile gives the newest lines that the budget has room for.
func (b *baseline) compile(context.Context, ask) (string, error) {
	var kept []string
	used := 0
	for _, line := range slices.Backward(b.lines(b.known, b.turns)) {
		if n := tokens(line) + 1; used+n <= budget {
			kept = append(kept, line)
			used += n
		}
	}
	slices.Reverse(kept)
	return strings.Join(kept, "\n"), nil
}
