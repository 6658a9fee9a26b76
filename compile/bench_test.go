package compile_test

import (
	"context"
	"fmt"
	"testing"

	"tenure"
	"tenure/compile"
	"tenure/store"
)

// loaded answers at once with what a world would have found, so that a
// benchmark of it is one of the pure part.
type loaded struct {
	*world
	live []tenure.Belief
}

func (l *loaded) Live(context.Context, []tenure.ID, tenure.Window, int) ([]tenure.Belief, error) {
	return l.live, nil
}

func (l *loaded) Displaced(context.Context, []tenure.ID, tenure.Window, int) ([]tenure.Belief, error) {
	return nil, nil
}

func (l *loaded) Relations(context.Context, []tenure.ID, tenure.Window, int) ([]tenure.Belief, error) {
	return nil, nil
}

// BenchmarkCompileOfAThousandBeliefs has to stay under 5 ms on an idle machine.
func BenchmarkCompileOfAThousandBeliefs(b *testing.B) {
	w := &world{}
	alice := w.entity(1, "Alice Johnson")
	for n := range 1000 {
		w.claim(100+n, alice, fmt.Sprintf("predicate_%d", n/2), fmt.Sprintf("some value of %d words and more", n),
			scoped([]tenure.Scope{{}, {UserID: "u"}}[n%2]), from(2+n%9))
	}
	var r store.Reader = &loaded{world: w, live: w.beliefs}
	c, err := compile.New(tokens, compile.Config{})
	if err != nil {
		b.Fatal(err)
	}
	req := ask("Which value has predicate 7 of Alice Johnson, and how many words?")
	req.Scope.UserID = "u"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Compile(context.Background(), r, agent(), req, day(15)); err != nil {
			b.Fatal(err)
		}
	}
}
