package reading

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"tenure"
	"tenure/audience"
	"tenure/ingest"
	"tenure/store"
	"tenure/text"
	"tenure/values"
	"tenure/vocabulary"
)

// BringsNews reports whether a claim of an input is a signal of the environment under a predicate of news: see
// [Stage.News].
func BringsNews(in ingest.Input) bool {
	return in.Extract != ingest.ExtractNone && slices.ContainsFunc(in.Claims, isNews)
}

func isNews(c ingest.Claim) bool {
	words := strings.Split(vocabulary.Normal(c.Predicate), "_")
	return c.Layer == tenure.LayerEnvironment && len(c.Supersedes) == 0 && slices.Contains(news, words[len(words)-1])
}

// news are the last words of predicates that name no property: they say that something is new.
var news = strings.Fields("alert alarm warning notice notification update news announcement bulletin")

// News has news supersede what they are about: "alert: VendorX renews tomorrow" supersedes an older signal of the
// environment that names the same thing and shares another word, as "deadline: VendorX renews in 30 days". The input is
// bound to the caller.
func (s Stage) News(
	ctx context.Context, r store.Reader, c tenure.Caller, in ingest.Input, now tenure.Instant,
) (ingest.Input, error) {
	t := &turn{Stage: s, r: r, caller: c, sight: audience.Of(c), in: in, at: now}
	if in.ObservedAt != nil {
		t.at = *in.ObservedAt
	}
	level, err := c.Level(in.Source.AuthorityLevel, tenure.UserLevel, "")
	if err != nil {
		return in, nil //nolint:nilerr // the write refuses it
	}
	in.Claims = slices.Clone(in.Claims)
	for i, claim := range in.Claims {
		if !isNews(claim) {
			continue
		}
		old, err := t.signals(ctx, claim)
		if err != nil {
			return in, err
		}
		said := topicOf(textOf(tenure.Value{JSON: claim.Value.JSON}, nil))
		for _, b := range old {
			thing, same := said.about(topicOf(textOf(b.Claim.Value, nil)))
			if !same || b.Claim.Source.AuthorityLevel < level {
				continue
			}
			in.Claims[i].Supersedes = append(in.Claims[i].Supersedes, string(b.Claim.ID))
			if in.Claims[i].Evidence == nil {
				in.Claims[i].Evidence = &tenure.Evidence{Rule: "news", Trigger: text.Head(thing, maxTrigger), Source: "value"}
			}
		}
	}
	return in, nil
}

// signals lists the signals of other predicates that stand of a claim's subject, in the scope of the input.
func (t *turn) signals(ctx context.Context, c ingest.Claim) ([]tenure.Belief, error) {
	roots, err := t.subjects(ctx, c)
	if err != nil || len(roots) == 0 {
		return nil, err
	}
	at := t.at
	if c.ValidFrom != nil {
		at = *c.ValidFrom
	}
	list, err := t.r.Live(ctx, roots[0].Whole(), tenure.Window{From: at, Until: at + 1}, maxBeliefs)
	return slices.DeleteFunc(list, func(b tenure.Belief) bool {
		g, ok := b.Standing.At(at)
		return b.Claim.Layer != tenure.LayerEnvironment || !ok || g.Cause != tenure.Stands || !t.sees(b) ||
			b.Claim.Scope.Key() != t.in.Scope.Key() || b.Claim.Predicate == vocabulary.Normal(c.Predicate) ||
			b.Claim.Window.From > at
	}), err
}

// topic is what a signal speaks of: the things that it names, and its other words.
type topic struct{ things, words []string }

// about returns a thing that both topics name, if they share another word as well.
func (p topic) about(o topic) (thing string, same bool) {
	for _, name := range p.things {
		if !slices.Contains(o.things, name) {
			continue
		}
		if slices.ContainsFunc(p.words, func(w string) bool {
			return slices.ContainsFunc(o.words, func(v string) bool { return text.Inflected(w, v) })
		}) {
			return name, true
		}
	}
	return "", false
}

// topicOf returns what a signal speaks of. A thing is an identifier: #1234, TICKET-9999, CloudServices.
func topicOf(s string) (p topic) {
	for _, w := range strings.Fields(s) {
		w = strings.TrimFunc(w, func(r rune) bool { return r != '#' && !isWord(r) })
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		switch plain := text.Plain(w); {
		case isThing(w):
			p.things = append(p.things, plain)
		case len(plain) >= leastRepeated && values.Of(w).Kind == values.Text && !slices.Contains(emptyWords, plain):
			p.words = append(p.words, plain)
		}
	}
	return p
}

// emptyWords say nothing of what a signal is about.
var emptyWords = strings.Fields("the and for are was were has have had not but with from this that will must can all its " +
	"now today tomorrow tonight yesterday hour hours day days week weeks month minute minutes")

// isThing reports whether a word looks like an identifier: it has a digit after a number sign or beside a capital and a
// hyphen, or a capital after a small letter.
func isThing(w string) bool {
	var digit, letter, inner bool
	small := false
	for _, r := range w {
		digit = digit || unicode.IsDigit(r)
		letter = letter || unicode.IsUpper(r)
		inner = inner || small && unicode.IsUpper(r)
		small = unicode.IsLower(r)
	}
	return inner || digit && (strings.HasPrefix(w, "#") || letter && strings.Contains(w, "-"))
}
