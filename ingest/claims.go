package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"tenure"
	"tenure/amend"
	"tenure/beliefs"
	"tenure/projection"
	"tenure/vocabulary"
)

// writeClaims writes the claims of the input. One that a statement makes and that is refused leaves the statement
// without an effect.
func (in *intake) writeClaims(ctx context.Context) ([]tenure.Claim, error) {
	var claims []tenure.Claim
	for i, c := range in.cmd.Input.Claims {
		claim, err := in.claim(ctx, i, c)
		if in.cmd.Input.Reading != nil && err != nil && refused(err) {
			in.keep(c.Statement, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		in.did(c.Statement, claim.ID)
		var void []amend.Belief
		if c.Labels.Void != "" {
			if claim, void, err = in.voided(ctx, c, claim); err != nil {
				return nil, err
			}
		}
		claims = append(claims, claim)
		in.observation.Claims = append(in.observation.Claims, claim.ID)
		in.txn.Put(tenure.ClaimAdded{Claim: claim})
		if c.Labels.Void != "" {
			if err := in.void(ctx, claim, c.Labels.Written, void); err != nil {
				return nil, err
			}
		}
		if c.Outranked != nil {
			in.outranked(i, c, claim)
		}
	}
	return claims, nil
}

// outranked writes that a claim does not stand beside what a stronger voice said of the same matter.
func (in *intake) outranked(i int, c Claim, claim tenure.Claim) {
	in.txn.Put(tenure.Amended{Slot: claim.Slot(), Amendment: tenure.Amendment{
		ID: in.mint.NewID(), Kind: tenure.End, Belief: claim.ID, At: c.Outranked.At,
		AuthorityLevel: claim.Source.AuthorityLevel, Role: claim.Source.Role, Actor: in.cmd.Caller.Actor, Reason: c.Outranked.Why,
	}})
	in.warn(tenure.Outranked, fmt.Sprintf("/claims/%d/value", i), c.Outranked.By)
}

func (in *intake) claim(ctx context.Context, i int, c Claim) (tenure.Claim, error) {
	at := fmt.Sprintf("/claims/%d", i)
	claim := in.plain(i, c)
	var err error
	if claim.Subject, err = in.entity(ctx, c.Subject, at+"/subject"); err != nil {
		return claim, err
	}
	claim.SubjectMention = in.mentionOf(c.Subject)
	if err := in.predicate(ctx, c, at+"/predicate"); err != nil {
		return claim, err
	}
	if c.Value.Entity != nil {
		if claim.Value, err = in.entityValue(ctx, *c.Value.Entity, at+"/value"); err != nil {
			return claim, err
		}
	}
	if err := in.raise(ctx, &claim); err != nil {
		return claim, err
	}
	claim, term, err := vocabulary.Place(ctx, in.txn, claim, c.Value.shape)
	if err == nil && term.Registered {
		err = in.unknownPredicate(ctx, term, c, claim.Label(), at+"/predicate")
	}
	if err != nil {
		return claim, err
	}
	if claim.Value, err = in.value(ctx, term, claim.Value, c.Value, at+"/value"); err != nil {
		return claim, err
	}
	if claim.Window.Empty() {
		return claim, tenure.FieldError(tenure.Invalid, at+"/valid_until",
			"is not after valid_from: "+claim.Window.From.String())
	}
	if claim.Supersedes, err = in.supersedes(ctx, c, claim, at); err != nil {
		return claim, err
	}
	if claim.DependsOn, err = in.dependsOn(ctx, c, claim, at); err != nil {
		return claim, err
	}
	return claim, nil
}

// shape returns what the value of a claim looks like.
func (v Value) shape() vocabulary.Shape {
	if v.Entity != nil {
		return vocabulary.Thing
	}
	return beliefs.Shape(tenure.Value{JSON: v.JSON})
}

// predicate refuses a predicate whose term is none of the tenant's in a closed vocabulary.
func (in *intake) predicate(ctx context.Context, c Claim, at string) error {
	t, err := vocabulary.Resolve(ctx, in.txn, c.Predicate)
	if err != nil || t.Registered || !t.Base {
		return err
	}
	if v, err := in.txn.Vocabulary(ctx, t.Vocabulary); err != nil || !v.Closed {
		return err
	}
	return in.closed(t.Vocabulary, c.Predicate, at)
}

// unknownPredicate registers an unknown predicate in an open vocabulary; a closed one refuses it.
func (in *intake) unknownPredicate(
	ctx context.Context, t tenure.Term, c Claim, l tenure.Label, at string,
) error {
	in.unknown[t.Name] = true
	if c.Value.Entity != nil {
		t.ValueType = tenure.EntityValue
	}
	return in.register(ctx, t, l, at)
}

// plain returns the claim without the fields that need reads: subject, value, and references to other
// beliefs.
func (in *intake) plain(i int, c Claim) tenure.Claim {
	o := in.observation
	claim := tenure.Claim{
		ID: in.mint.NewID(), Observation: o.ID, Index: i, Predicate: c.Predicate, Key: c.Key, Scope: o.Scope,
		Layer: c.Layer, Source: o.Source, Confidence: 1, ObservedAt: o.ObservedAt,
		Window: tenure.Window{From: o.ObservedAt, Until: tenure.MaxTime}, Basis: tenure.Observed,
		Evidence: c.Evidence, Description: c.Description, Many: c.Many,
	}
	if claim.Layer == "" {
		claim.Layer = tenure.LayerFact
	}
	if claim.ObjectType == "" {
		claim.ObjectType = tenure.InferredBelief
	}
	claim.Description = in.cmd.described(claim.Description)
	claim = labelled(labelled(claim, in.cmd.Input.Labels), c.Labels)
	if c.Confidence != nil {
		claim.Confidence = *c.Confidence
	}
	if c.Recalls != nil {
		claim.Recalls = *c.Recalls
	} else {
		claim.Recalls = recalls(in.cmd.Input.Text, in.words(c.Value))
	}
	if c.ValidFrom != nil {
		claim.Window.From, claim.Basis = *c.ValidFrom, tenure.Stated
	}
	if c.ValidUntil != nil {
		claim.Window.Until = *c.ValidUntil
	}
	return claim
}

// words returns how the text may write a value: as it is stated, or the name of the mention.
func (in *intake) words(v Value) string {
	var s string
	switch e := v.Entity; {
	case e != nil && e.Mention != nil && *e.Mention >= 0 && *e.Mention < len(in.mentions):
		return in.mentions[*e.Mention].Name
	case e != nil:
		return ""
	case json.Unmarshal(v.JSON, &s) != nil:
		return string(v.JSON)
	}
	return s
}

// entity returns the entity that a reference points at.
func (in *intake) entity(ctx context.Context, r Ref, at string) (tenure.ID, error) {
	if r.Mention != nil {
		if *r.Mention < 0 || *r.Mention >= len(in.decisions) {
			return "", tenure.FieldError(tenure.Invalid, at+"/mention",
				fmt.Sprintf("there is no mention %d in this observation", *r.Mention))
		}
		return in.decisions[*r.Mention].Entity, nil
	}
	e, err := in.txn.Entity(ctx, r.EntityID)
	if err != nil {
		return "", err
	}
	if e == nil || !in.cmd.Caller.Within(tenure.Scope{ProjectID: e.Project}) ||
		!in.sees.Sees(e.Label) {
		return "", tenure.FieldError(tenure.Unprocessable, at+"/entity_id", "there is no such entity")
	}
	return e.ID, nil
}

// mentionOf returns the mention that a reference points at, "" if it points at none.
func (in *intake) mentionOf(r Ref) tenure.ID {
	if r.Mention == nil {
		return ""
	}
	return in.mentions[*r.Mention].ID
}

// sameRoot reports whether two entities are members of one root.
func (in *intake) sameRoot(ctx context.Context, a, b tenure.ID) (bool, error) {
	if a == b {
		return true, nil
	}
	x, err := in.txn.Entity(ctx, a)
	if x == nil || err != nil {
		return false, err
	}
	y, err := in.txn.Entity(ctx, b)
	return y != nil && x.Root() == y.Root(), err
}

// entityValue returns the value that is an entity, with the name by which it was stated.
func (in *intake) entityValue(ctx context.Context, r Ref, at string) (tenure.Value, error) {
	id, err := in.entity(ctx, r, at)
	return tenure.Value{Entity: id, Mention: in.mentionOf(r)}, err
}

// value completes the value of a claim that has its predicate.
func (in *intake) value(
	ctx context.Context, term tenure.Term, v tenure.Value, said Value, at string,
) (tenure.Value, error) {
	if v.Entity != "" {
		if term.ValueType != tenure.EntityValue && term.ValueType != tenure.AnyValue && !term.Registered && !term.Base {
			return v, tenure.FieldError(tenure.Unprocessable, at,
				fmt.Sprintf("is an entity; the predicate %q takes a %s", term.Name, term.ValueType))
		}
		v.Canonical = beliefs.CanonicalEntity(v.Entity)
		var err error
		v.Name, err = in.nameOf(ctx, v)
		return v, err
	}
	canonical, err := beliefs.Canonical(term, said.JSON)
	if err != nil {
		return v, tenure.FieldError(tenure.Unprocessable, at, err.Error())
	}
	if beliefs.Ambiguous(term, said.JSON) {
		in.warn(tenure.AmbiguousValue, at)
	}
	return tenure.Value{JSON: said.JSON, Canonical: canonical}, nil
}

// nameOf returns the name by which an entity is stated: that of the mention, or the one that it goes by.
func (in *intake) nameOf(ctx context.Context, v tenure.Value) (string, error) {
	for _, m := range in.mentions {
		if m.ID == v.Mention {
			return m.Name, nil
		}
	}
	e, err := in.txn.Entity(ctx, v.Entity)
	if e == nil || err != nil {
		return "", err
	}
	return e.Name, nil
}

// supersedes resolves the beliefs that the claim names as superseded (see targets), including claims of the
// same observation that come before it. A claim of a stronger authority is never superseded. A key that
// resolves to nothing else is an error, because the caller expects an effect.
func (in *intake) supersedes(ctx context.Context, c Claim, claim tenure.Claim, at string) ([]tenure.ID, error) {
	var ids []tenure.ID
	for k, name := range c.Supersedes {
		pointer := fmt.Sprintf("%s/supersedes/%d", at, k)
		targets, err := in.targets(ctx, name, claim, true)
		if err != nil {
			return nil, err
		}
		if len(targets) == 0 {
			return nil, tenure.FieldError(tenure.Unprocessable, pointer, "names no belief that is visible in this scope")
		}
		weaker := slices.DeleteFunc(slices.Clone(targets), func(t tenure.Claim) bool {
			return t.Source.AuthorityLevel < claim.Source.AuthorityLevel
		})
		if len(weaker) == 0 {
			return nil, tenure.FieldError(tenure.Forbidden, pointer, fmt.Sprintf(
				"stands on authority level %d, which a claim of level %d cannot supersede",
				targets[0].Source.AuthorityLevel, claim.Source.AuthorityLevel))
		}
		for _, t := range weaker {
			if !slices.Contains(ids, t.ID) {
				ids = append(ids, t.ID)
			}
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// targets resolves a name in a claim among the beliefs visible in its scope, in this order: the belief with
// that id; beliefs with that key, on the claim's own subject before others; claims about the same subject
// under the predicate of that name. With siblings set, preceding claims of the observation are included.
func (in *intake) targets(ctx context.Context, name string, claim tenure.Claim, siblings bool) ([]tenure.Claim, error) {
	if id, ok := tenure.ParseID(name); ok {
		b, err := in.txn.Belief(ctx, id)
		if err != nil {
			return nil, err
		}
		if b != nil && in.finds(b.Claim, claim.Scope) {
			return []tenure.Claim{b.Claim}, nil
		}
	}
	found, err := in.txn.ByKey(ctx, name)
	if err != nil {
		return nil, err
	}
	var all []tenure.Claim
	for _, b := range found {
		if in.finds(b.Claim, claim.Scope) && (siblings || !in.sibling(b.Claim)) {
			all = append(all, b.Claim)
		}
	}
	if ours, err := in.about(ctx, all, claim.AsSaid().Subject); err != nil || len(ours) > 0 {
		return ours, err
	}
	if len(all) > 0 {
		return all, nil
	}
	return in.underPredicate(ctx, name, claim, siblings)
}

// about returns the claims about the root of the subject, as they were said.
func (in *intake) about(ctx context.Context, claims []tenure.Claim, subject tenure.ID) ([]tenure.Claim, error) {
	var list []tenure.Claim
	for _, c := range claims {
		same, err := in.sameRoot(ctx, c.AsSaid().Subject, subject)
		if err != nil {
			return nil, err
		}
		if same {
			list = append(list, c)
		}
	}
	return list, nil
}

// underPredicate lists the claims about the root of a claim's subject under a predicate as written: those that say it
// of the subject, and those that say it from the other side.
func (in *intake) underPredicate(
	ctx context.Context, name string, claim tenure.Claim, siblings bool,
) ([]tenure.Claim, error) {
	said := claim.AsSaid()
	var list []tenure.Claim
	slots, err := slotsNamed(ctx, in.txn, name, said.Subject, claim.Scope)
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Concat(slots, projection.Expand(in.txn, slots)) {
		st, err := in.txn.Slot(ctx, s)
		if err != nil {
			return nil, err
		}
		for _, b := range st.Beliefs {
			known := func(c tenure.Claim) bool { return c.ID == b.Claim.ID }
			if in.mayName(b.Claim, claim.Scope, siblings) && !slices.ContainsFunc(list, known) {
				list = append(list, b.Claim)
			}
		}
	}
	converse, err := in.converse(ctx, name, said.Subject)
	for _, c := range converse {
		if in.mayName(c, claim.Scope, siblings) {
			list = append(list, c)
		}
	}
	return list, err
}

// converse lists the claims whose value is a subject and that are held under the converse of a predicate.
func (in *intake) converse(ctx context.Context, name string, subject tenure.ID) ([]tenure.Claim, error) {
	t, err := vocabulary.Resolve(ctx, in.txn, name)
	if err != nil {
		return nil, err
	}
	held, inverted, err := vocabulary.Held(ctx, in.txn, t)
	if err != nil || !inverted {
		return nil, err
	}
	e, err := in.txn.Entity(ctx, subject)
	if e == nil || err != nil {
		return nil, err
	}
	root := e.Root()
	if e, err = in.txn.Entity(ctx, root); e == nil || err != nil {
		return nil, err
	}
	var list []tenure.Claim
	for _, id := range e.Whole() {
		found, err := in.txn.Referring(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, b := range found {
			if b.Claim.Predicate == held.Name {
				list = append(list, b.Claim)
			}
		}
	}
	return list, nil
}

// sibling reports whether a claim belongs to this observation.
func (in *intake) sibling(c tenure.Claim) bool { return c.Observation == in.observation.ID }

// mayName reports whether a claim of the observation may name another by its predicate.
func (in *intake) mayName(c tenure.Claim, from tenure.Scope, siblings bool) bool {
	if in.sibling(c) {
		return siblings
	}
	return in.finds(c, from)
}

// finds reports whether the caller may name a claim from a scope. An invisible claim is refused like one that
// does not exist, so that an error reveals nothing.
func (in *intake) finds(c tenure.Claim, from tenure.Scope) bool {
	return c.Scope.VisibleIn(from) && in.sees.Sees(c.Label())
}

// slotsNamed lists the slots of a subject under a predicate as written in a scope and, where that is narrower, in the
// global one.
func slotsNamed(
	ctx context.Context, terms vocabulary.Terms, predicate string, subject tenure.ID, scope tenure.Scope,
) ([]tenure.Slot, error) {
	t, err := vocabulary.Resolve(ctx, terms, predicate)
	if err != nil {
		return nil, err
	}
	apart, err := vocabulary.Apart(ctx, terms, predicate)
	if err != nil {
		return nil, err
	}
	var slots []tenure.Slot
	for _, name := range []string{t.Name, apart} {
		if name == "" {
			continue
		}
		slots = append(slots, tenure.Slot{Subject: subject, Predicate: name, Scope: scope})
		if global := (tenure.Scope{}).Canonical(); scope != global {
			slots = append(slots, tenure.Slot{Subject: subject, Predicate: name, Scope: global})
		}
	}
	return slots, nil
}

// dependsOn resolves the grounds of the claim. A key means the beliefs with that key that stand at some time.
func (in *intake) dependsOn(ctx context.Context, c Claim, claim tenure.Claim, at string) ([]tenure.ID, error) {
	var ids []tenure.ID
	for k, name := range c.DependsOn {
		pointer := fmt.Sprintf("%s/depends_on/%d", at, k)
		targets, err := in.targets(ctx, name, claim, false)
		if err != nil {
			return nil, err
		}
		_, byID := tenure.ParseID(name)
		before := len(ids)
		for _, t := range targets {
			if byID || in.standsSomewhere(t.ID) {
				ids = append(ids, t.ID)
			}
		}
		if len(ids) == before {
			return nil, tenure.FieldError(tenure.Unprocessable, pointer,
				"names no belief that is visible in this scope and stands")
		}
		if err := in.noCycle(ctx, claim, ids[before:], pointer); err != nil {
			return nil, err
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func (in *intake) standsSomewhere(id tenure.ID) bool {
	b := in.txn.CachedBelief(id)
	stands := func(g tenure.Segment) bool { return g.Cause == tenure.Stands }
	return b != nil && slices.ContainsFunc(b.Standing.Segments, stands)
}

// noCycle refuses a claim that depends, directly or transitively, on a belief that it supersedes: the claim
// would withdraw its own ground.
func (in *intake) noCycle(ctx context.Context, claim tenure.Claim, grounds []tenure.ID, pointer string) error {
	queue, seen := slices.Clone(grounds), map[tenure.ID]bool{}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		if slices.Contains(claim.Supersedes, id) {
			return tenure.FieldError(tenure.Unprocessable, pointer,
				"rests on a belief that the claim itself supersedes: a cycle")
		}
		b, err := in.txn.Belief(ctx, id)
		if err != nil {
			return err
		}
		if b != nil {
			queue = append(queue, b.Claim.DependsOn...)
		}
	}
	return nil
}
