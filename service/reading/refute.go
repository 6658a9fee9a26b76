package reading

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/ingest"
	"tenure/roles"
	"tenure/statements"
	"tenure/statements/align"
	"tenure/statements/matter"
	"tenure/text"
)

// refutation is a sentence that says that something was wrong, with the earlier turns that said it and their voices.
type refutation struct {
	statements.Refutation
	turns []past
	names []string
}

// refuted finds the sentences that call wrong what somebody said earlier in the thread, as in "L1's diagnosis was
// wrong", and removes them from the statements.
func (t *turn) refuted() (list []refutation) {
	var voices []string
	latest := map[string]past{}
	for _, p := range t.before {
		name := p.Source.Speaker
		if v, _, ok := matter.Spoken(p.Text); ok {
			name = v.Name
		}
		if _, known := latest[name]; name != "" && !known {
			latest[name], voices = p, append(voices, name)
		}
	}
	for _, r := range statements.Refutations(t.text, voices) {
		f := refutation{Refutation: r}
		for _, v := range r.Voices {
			f.turns, f.names = append(f.turns, latest[voices[v]]), append(f.names, voices[v])
		}
		t.said = slices.DeleteFunc(t.said, func(s tenure.Statement) bool { return s.Start < r.End && r.Start < s.End })
		list = append(list, f)
	}
	return list
}

// refute retracts the beliefs that are said to be wrong, and appends the refutations to the statements.
func (t *turn) refute(ctx context.Context, list []refutation) error {
	if len(list) == 0 || t.late != nil { // it cannot mean what arrived after it
		return nil
	}
	if t.slots == nil {
		var err error
		if t.slots, err = t.slotsOf(ctx); err != nil {
			return err
		}
	}
	order, err := t.order(ctx)
	if err != nil {
		return err
	}
	own := saidIn(t.text, voice{t.in.Source.Speaker, titles(t.in.Source.Role)}).rank(order)
	for _, r := range list {
		said := tenure.Said{Effect: align.Keeps, Why: whyNothing, Statement: tenure.Statement{
			Span: r.Span, Act: tenure.Retracts, Trigger: r.Trigger, Confidence: sureOfWish, Extractor: statements.Extractor,
		}}
		if t.former[saying(said.Statement)] {
			said.Why = whyBefore
			t.out.Statements = append(t.out.Statements, said)
			continue
		}
		wrong, why, err := t.wrong(ctx, r, own, order)
		if err != nil {
			return err
		}
		said.Why = cmp.Or(why, whyNothing)
		for _, b := range wrong {
			if !slices.ContainsFunc(t.out.Amendments, func(a ingest.Amendment) bool { return a.Belief == b.Claim.ID }) {
				said.Effect = align.Retracts
				t.out.Amendments = append(t.out.Amendments, ingest.Amendment{
					Statement: len(t.out.Statements), Kind: tenure.Retract, Belief: b.Claim.ID,
				})
			}
		}
		if said.Effect == align.Keeps {
			said.Why = whyNothing
		}
		t.out.Statements = append(t.out.Statements, said)
	}
	return nil
}

// wrong returns the beliefs that a refutation by a voice of the rank own means, and why.
func (t *turn) wrong(
	ctx context.Context, r refutation, own string, order roles.Order,
) (list []tenure.Belief, why string, err error) {
	if r.Quoted != "" {
		list, why = t.saying(r.Quoted), "it quotes what is wrong"
	}
	for i, p := range r.turns {
		other := saidIn(p.Text, voice{p.Source.Speaker, titles(p.Source.Role)}).rank(order)
		if order.Outranks(other, own) {
			continue
		}
		found, err := t.saidBy(ctx, p, r.About)
		if err != nil {
			return nil, "", err
		}
		list, why = append(list, found...), fmt.Sprintf("it says that %s was wrong", r.names[i])
	}
	return list, why, nil
}

// saying lists the beliefs whose value is in a text, word by word.
func (t *turn) saying(s string) (list []tenure.Belief) {
	whole := text.Spaced(s)
	for _, s := range t.slots {
		for i, b := range s.beliefs {
			if value := text.Spaced(s.Values[i]); says(whole, value) && b.Claim.Scope.Key() == t.in.Scope.Key() {
				list = append(list, b)
			}
		}
	}
	return list
}

// saidBy lists the beliefs that stand, that an earlier turn made or says in their words, and that have all words of
// about.
func (t *turn) saidBy(ctx context.Context, p past, about []string) ([]tenure.Belief, error) {
	list, err := t.r.Beliefs(ctx, p.Claims)
	if err != nil {
		return nil, err
	}
	list = append(list, t.saying(p.Text)...)
	return slices.DeleteFunc(list, func(b tenure.Belief) bool {
		if !t.stands(b) || !t.sees(b) || b.Claim.Scope.Key() != t.in.Scope.Key() {
			return true
		}
		terms := termsOf(textOf(b.Claim.Value, nil), b.Claim.Predicate)
		return slices.ContainsFunc(about, func(w string) bool {
			var missing bool
			text.Terms(w, nil, func(term []byte) { missing = missing || !terms[string(term)] })
			return missing
		})
	}), nil
}
