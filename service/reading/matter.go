package reading

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/audience"
	"tenure/ingest"
	"tenure/linking"
	"tenure/roles"
	"tenure/statements/matter"
	"tenure/store"
	"tenure/text"
	"tenure/vocabulary"
)

// Compares reports whether stated claims of an input are compared with what is held under other predicates: see
// [Stage.Compare].
func Compares(in ingest.Input) bool {
	return BringsNews(in) || in.Extract != ingest.ExtractNone && slices.ContainsFunc(in.Claims, settles)
}

// settles reports whether the value of a claim is a sentence that settles a matter.
func settles(c ingest.Claim) bool {
	if c.Layer != "" && c.Layer != tenure.LayerFact || c.Labels.Any() || len(c.Value.JSON) == 0 || c.Value.JSON[0] != '"' ||
		len(c.Value.JSON) > longestSentence || strings.Count(string(c.Value.JSON), " ") < leastWords {
		return false
	}
	return saidIn(textOf(tenure.Value{JSON: c.Value.JSON}, nil), voice{}).Settles()
}

// longestSentence bounds the bytes of a value that is read as a sentence.
const longestSentence = 1000

// voice is who says a sentence: a name, and titles that may tell the rank, the surest first.
type voice struct {
	name   string
	titles []string
}

// sentence is a sentence with its voice and its time.
type sentence struct {
	matter.Sentence
	voice
	text string
	at   tenure.Instant
}

// saidIn reads a sentence. Its voice is the one that it names at its beginning, else the given one.
func saidIn(s string, of voice) sentence {
	out := sentence{voice: of, text: s}
	if v, from, ok := matter.Spoken(s); ok {
		out.voice = voice{v.Name, append(v.Titles, of.titles...)}
		s = s[from:]
	}
	out.Sentence = matter.Read(s)
	return out
}

// Compare compares the stated claims of an input with beliefs under other predicates. News displace what they are about
// (see [Stage.News]); of two sentences that disagree, that of the weaker voice, or of one voice the earlier, does not
// stand. The input is bound to the caller.
func (s Stage) Compare(
	ctx context.Context, r store.Reader, c tenure.Caller, in ingest.Input, now tenure.Instant,
) (ingest.Input, error) {
	if BringsNews(in) {
		var err error
		if in, err = s.News(ctx, r, c, in, now); err != nil {
			return in, err
		}
	}
	t := &turn{Stage: s, r: r, caller: c, sight: audience.Of(c), in: in, at: now}
	if in.ObservedAt != nil {
		t.at = *in.ObservedAt
	}
	level, err := c.Level(in.Source.AuthorityLevel, tenure.UserLevel, "")
	if err != nil || in.Scope.Provisional() {
		return in, nil //nolint:nilerr // the write refuses it
	}
	t.in.Claims = slices.Clone(in.Claims)
	for i, claim := range t.in.Claims {
		if !settles(claim) {
			continue
		}
		if err := t.settle(ctx, &t.in.Claims[i], level); err != nil {
			return in, err
		}
	}
	return t.in, nil
}

// settle compares a claim with what stands of its subject.
func (t *turn) settle(ctx context.Context, c *ingest.Claim, level int) error {
	said := saidIn(textOf(tenure.Value{JSON: c.Value.JSON}, nil), voice{t.in.Source.Speaker, titles(t.in.Source.Role)})
	said.at = t.at
	if c.ValidFrom != nil {
		said.at = *c.ValidFrom
	}
	roots, err := t.subjects(ctx, *c)
	if err != nil || len(roots) == 0 {
		return err
	}
	w := tenure.Window{From: said.at, Until: tenure.MaxTime}
	list, err := t.r.Facts(ctx, roots[0].Whole(), w, maxBeliefs)
	if err != nil {
		return err
	}
	order, err := t.order(ctx)
	if err != nil {
		return err
	}
	stated, evidence := c.Supersedes, c.Evidence
	for _, b := range list {
		if !t.comparable(b, *c, said.at) {
			continue
		}
		o := saidIn(textOf(b.Claim.Value, nil), voice{b.Claim.Source.Speaker, titles(b.Claim.Source.Role)})
		o.at = b.Claim.Window.From
		v, disagree := matter.Disagree(said.Sentence, o.Sentence, said.at, o.at)
		if !disagree {
			continue
		}
		switch loser(said, o, v, order) {
		case 1:
			if b.Claim.Source.AuthorityLevel <= level {
				c.Outranked = &ingest.Outranked{By: b.Claim.ID, At: max(said.at, o.at), Why: said.lostTo(o, v)}
			}
		case 2:
			if b.Claim.Source.AuthorityLevel >= level {
				c.Supersedes = append(c.Supersedes, string(b.Claim.ID))
				if c.Evidence == nil {
					c.Evidence = &tenure.Evidence{
						Rule: "matter", Span: text.Head(said.text, maxSpan), Trigger: text.Head(v.Why, maxTrigger), Source: "value",
					}
				}
			}
		}
	}
	if c.Outranked != nil { // what does not stand displaces nothing
		c.Supersedes, c.Evidence = stated, evidence
	}
	return nil
}

// comparable reports whether a belief may disagree with a claim: a text under another predicate that stands in the same
// scope when the later of the two is said. All who may read the claim must be able to read the belief, because the
// reason why the claim does not stand quotes it.
func (t *turn) comparable(b tenure.Belief, c ingest.Claim, at tenure.Instant) bool {
	g, ok := b.Standing.At(max(at, b.Claim.Window.From))
	open := b.Claim.Classification.Rank() <= cmp.Or(c.Classification, tenure.Restricted).Rank() &&
		len(b.Claim.Permission.AllowRoles)+len(b.Claim.Permission.DenyRoles) == 0
	return ok && g.Cause == tenure.Stands && open && t.sees(b) && b.Claim.Layer == tenure.LayerFact &&
		b.Claim.Scope.Key() == t.in.Scope.Key() && b.Claim.Predicate != vocabulary.Normal(c.Predicate) &&
		len(b.Claim.Value.JSON) > 0 && len(b.Claim.Value.JSON) <= longestSentence &&
		!slices.Contains(c.Supersedes, string(b.Claim.ID))
}

// titles lists a role, if there is one.
func titles(role string) []string {
	if role == "" {
		return nil
	}
	return []string{role}
}

// loser returns which of two sentences that disagree does not stand, 1 or 2, and 0 for neither: that of the weaker
// voice, of one voice the earlier. A voice may go beyond its own limit, and beyond that of a voice which it outranks.
func loser(a, b sentence, v matter.Verdict, order roles.Order) int {
	weaker := 0
	switch x, y := a.rank(order), b.rank(order); {
	case a.name != "" && text.Key(a.name) == text.Key(b.name):
		if v.Bends != 0 {
			return 0
		}
		weaker = 1
		if a.at >= b.at {
			weaker = 2
		}
	case order.Outranks(x, y):
		weaker = 2
	case order.Outranks(y, x):
		weaker = 1
	}
	if v.Bends != 0 && v.Bends != weaker {
		return 0
	}
	return weaker
}

// rank returns the role of a voice: that of its first title which names one, "" if none does.
func (v voice) rank(order roles.Order) string {
	for _, title := range v.titles {
		if r, ok := order.Rank(title); ok {
			return r
		}
	}
	return ""
}

// lostTo says why a sentence does not stand beside another.
func (s sentence) lostTo(o sentence, v matter.Verdict) string {
	return fmt.Sprintf("%s, and %s says: %s", v.Why, cmp.Or(o.name, "a stronger voice"), text.Head(o.text, maxTrigger))
}

// order returns the tenant's order of roles.
func (t *turn) order(ctx context.Context) (roles.Order, error) {
	policy, err := t.r.Vocabularies(ctx, []string{tenure.SpeakerRoles})
	if err != nil || len(policy) == 0 {
		return roles.Base(), err
	}
	terms, err := t.r.ListTerms(ctx, tenure.SpeakerRoles, "", roles.MaxTerms)
	return roles.New(terms, policy[0].Closed), err
}

// subjects returns the root that a claim is about, none if it is not known.
func (t *turn) subjects(ctx context.Context, c ingest.Claim) ([]tenure.Entity, error) {
	ids := []tenure.ID{c.Subject.EntityID}
	if m := c.Subject.Mention; m != nil && *m >= 0 && *m < len(t.in.Mentions) {
		named, err := t.Linker.Places(ctx, t.r, linking.Utterance{
			Tenant: t.caller.Tenant, Text: t.in.Mentions[*m].Name, Project: t.in.Scope.ProjectID,
		})
		if err != nil || len(named.Places) != 1 {
			return nil, err
		}
		ids = []tenure.ID{named.Places[0].Root.ID}
	}
	return t.roots(ctx, unique(ids))
}
