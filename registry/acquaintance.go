package registry

import (
	"context"
	"slices"

	"tenure"
)

// MayMean tells whether a name could be short for another, or another form of it:
// they share a word, nearly a word or its sound, one has an initial for a word of
// the other, is made of its initials, or has a short form of its given name.
func MayMean(a, b string) bool {
	x, y := Block(a), Block(b)
	for _, v := range x.Words {
		for _, w := range y.Words {
			if v.meets(w) {
				return true
			}
		}
	}
	if x.Whole == y.Whole || slices.ContainsFunc(x.Acronyms, func(k string) bool { return slices.Contains(y.Acronyms, k) }) {
		return x.Whole != ""
	}
	return shareGiven(words(a, people), words(b, people))
}

func (w BlockingWord) meets(o BlockingWord) bool {
	if w.Sound == "" || o.Sound == "" { // an initial
		return w.Initial == o.Initial
	}
	return w.Sound == o.Sound || slices.ContainsFunc(w.Near, func(k string) bool { return slices.Contains(o.Near, k) })
}

func shareGiven(a, b []token) bool {
	for _, v := range a {
		for _, w := range b {
			if sameGiven(givenNames[v.text], givenNames[w.text]) {
				return true
			}
		}
	}
	return false
}

// acquaintances adds those that the mention's company is related to and that it
// could be a form of: "Ada" beside the project that Ada Park leads.
func (l *lineup) acquaintances(ctx context.Context) error {
	if len(l.company) == 0 || slices.ContainsFunc(l.list, func(c Scored) bool { return c.Comparison.Score >= MergeAt }) {
		return nil
	}
	related, err := l.known.Related(ctx, l.company)
	if err != nil {
		return err
	}
	for _, id := range related {
		e, err := l.known.Entity(ctx, id)
		if err != nil {
			return err
		}
		if e == nil || !l.mayMean(*e) {
			continue
		}
		if _, err := l.add(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (l *lineup) mayMean(e tenure.Entity) bool {
	return MayMean(l.mention.Name, e.Name) || slices.ContainsFunc(e.Names, func(n string) bool { return MayMean(l.mention.Name, n) })
}
