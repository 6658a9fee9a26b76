package statements

import (
	"math"
	"slices"
	"strings"
)

// propertyShare is how much of a name of the property a list of words has, and by which of its names.
func (c *candidate) propertyShare(list []string) (best float64, head bool) {
	for i, p := range c.phrases {
		n := 0
		last := false
		for j, w := range p {
			if hasForm(list, w) {
				n++
				last = last || j == len(p)-1
			}
		}
		if len(p) == 0 || n == 0 {
			continue
		}
		share := float64(n) / float64(len(p))
		if i > 0 {
			if share < 1 {
				continue // a synonym is meant as a whole
			}
			share = 0.9
		}
		if share > best {
			best, head = share, last
		}
	}
	return best, head
}

// propertyScore is the evidence that a clause speaks of the property of a slot.
func (a *alignment) propertyScore(r *compared, c *candidate) float64 {
	score := propertyNamed * c.property
	switch {
	case c.property > 0 && c.part(r.property):
		score = max(score, propertyPart) // all that is said of it: "subject" of the subject line
	case !c.head:
		score *= 0.7
	}
	if a.betterProperty(c) {
		score += propertyOther
	}
	if score < propertyWay && c.spoken(r) {
		return max(score, 0) + propertyWay*(1-c.property)
	}
	if c.property == 0 && r.noun {
		score += propertyForeign
	}
	return score
}

// part reports whether words are all of the property's name.
func (c *candidate) part(list []string) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(w string) bool { return !hasForm(c.phrases[0], w) })
}

// betterProperty reports whether a clause names another property of the subject by more words, or by as many that
// stand nearer to the value.
func (a *alignment) betterProperty(c *candidate) bool {
	return slices.ContainsFunc(a.list, func(o *candidate) bool {
		return o != c && sameSubject(o, c) && (o.property > c.property+0.01 && c.property < 0.99 ||
			o.property > 0 && o.property >= c.property-0.01 && o.near < c.near)
	})
}

// near is how far from the value the clause has a word of a property, what stands behind the value being farther.
func (r *compared) near(c *candidate) float64 {
	best := math.Inf(1)
	for _, t := range r.clause {
		if slices.ContainsFunc(c.phrases, func(p []string) bool { return hasForm(p, t.word) }) {
			best = min(best, apart(t.at, r.valueAt()))
		}
	}
	return best
}

func (r *compared) valueAt() int {
	if r.New.Text != "" {
		return r.New.Start
	}
	return r.Old.Start
}

func apart(word, value int) float64 {
	if d := float64(value - word); d > 0 {
		return d
	}
	return 3 * float64(word-value)
}

// way reports whether words are an everyday way to speak of the kind of property.
func (c *candidate) way(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return c.wayOf(w) != nil })
}

func (c *candidate) wayOf(w string) *propertyField {
	for i, f := range c.fields {
		if f.ways[w] {
			return &c.fields[i]
		}
	}
	return nil
}

// spoken reports whether a clause has an everyday way to speak of the kind of property. Who has or does something
// stands before the verb: what stands behind it is not a person who has the subject, unless the clause names that.
func (c *candidate) spoken(r *compared) bool {
	return slices.ContainsFunc(r.clause, func(t wordAt) bool {
		if inside(r.New, t.at) || inside(r.Old, t.at) || !containsWord(c.list, t.word) {
			return false
		}
		if t.class&prep != 0 && (t.at > r.valueAt() || t.at+len(t.word)+5 < r.valueAt()) {
			return false // a preposition says it only of what it stands before
		}
		f := c.wayOf(t.word)
		switch {
		case f == nil:
			return false
		case f.agent:
			return c.inClause.known() || t.class&(verb|have|do) == 0 || r.does(t)
		}
		return t.at < r.valueAt() || strings.HasSuffix(t.word, "ed")
	})
}

// longestGap is how many bytes may stand between who does something and the verb: "Femi Adeyemi, who holds".
const longestGap = 10

// does reports whether a value is who does what a verb says: it stands before it.
func (r *compared) does(t wordAt) bool {
	at := r.New.End
	if r.New.Text == "" {
		at = r.Old.End
	}
	if t.at < at || t.at > at+longestGap || at < r.Start || t.at > r.Start+len(r.Text) {
		return false
	}
	return !strings.Contains(r.Text[at-r.Start:t.at-r.Start], " to ")
}

// withoutNames removes the words of the subject's names, but those that the property shares.
func withoutNames(c *candidate, list []string) (kept []string) {
	for _, w := range list {
		name := false
		for _, n := range c.names {
			name = name || containsWord(n.words, w)
		}
		if !name {
			kept = append(kept, w)
		}
	}
	return kept
}
