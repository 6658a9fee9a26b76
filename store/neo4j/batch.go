package neo4j

import (
	"fmt"

	"tenure"
	"tenure/store"
)

// batch gathers the rows of a group of change sets, so that each kind of thing
// is written by one statement.
type batch struct {
	entities, verdicts, reviews, cases, vocabularies, terms, standings versions

	observations []any // with their mentions and claims
	mentions     []any // of observations that are there already
	assignments  []any // of mentions that are there already
	owners       []any
	disowned     []any // forms that are taken away from who had them before the batch
	asked        []any // whom the versions of reviews name
	claims       []any // of observations that are there already
	relations    []any
	supersedes   []any
	depends      []any
	amendments   []any
	moves        []any
	entries      []any

	observation map[tenure.ID]args
	mention     map[tenure.ID]args
	claim       map[tenure.ID]args
	// ending tells by owner which forms were taken away, owned which of the
	// batch's own edges are open.
	ending map[owned]bool
	owned  map[owned][]args
}

// owned names what an owner is: the same one may come and go several times.
type owned struct {
	form            tenure.Form
	entity, mention tenure.ID
}

func newBatch() *batch {
	return &batch{
		observation: map[tenure.ID]args{}, mention: map[tenure.ID]args{}, claim: map[tenure.ID]args{},
		ending: map[owned]bool{}, owned: map[owned][]args{},
	}
}

// versions gathers the versions of things by key. The newest goes into the
// thing's own node; those between are put beside it.
type versions struct {
	rows []any
	by   map[string]*version
}

type version struct {
	row  args
	tx   int64
	past []any
}

// put adds a version. Of two with the same time the first was never seen, and
// makes room. The values are the node's properties.
func (v *versions) put(key string, tx int64, values args) {
	have := v.by[key]
	if have == nil {
		if v.by == nil {
			v.by = map[string]*version{}
		}
		have = &version{row: args{"id": key, "first": tx}}
		v.by[key] = have
		v.rows = append(v.rows, have.row)
	} else if have.tx != tx {
		old := have.row["set"].(args)
		old["tx_start"], old["tx_end"] = have.tx, tx
		have.past = append(have.past, old)
	}
	have.tx = tx
	have.row["tx"], have.row["set"], have.row["past"] = tx, values, have.past
}

// add gathers the rows of one change set. Observations are first, as what was
// made of them is written with them.
func (b *batch) add(cs tenure.ChangeSet, tx int64, tenant string) error {
	for _, c := range cs.Changes {
		if c, ok := c.(tenure.ObservationAdded); ok {
			if err := b.addObservation(c.Observation, tx, tenant); err != nil {
				return err
			}
		}
	}
	for _, c := range cs.Changes {
		if err := b.change(c, tx, tenant); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) change(c tenure.Change, tx int64, tenant string) error {
	switch c := c.(type) {
	case tenure.ObservationAdded:
		return nil
	case tenure.MentionAdded:
		return b.addMention(c.Mention, tx, tenant)
	case tenure.MentionAssigned:
		b.assign(c.Assignment, tx, tenant)
		return nil
	case tenure.EntityPut:
		return b.putEntity(c.Entity, tx)
	case tenure.OwnerAdded:
		b.addOwner(c.Owner, tx, tenant)
		return nil
	case tenure.OwnerClosed:
		b.closeOwner(c.Owner, tx)
		return nil
	case tenure.VerdictPut:
		return b.putVerdict(c.Verdict, tx)
	case tenure.ReviewPut:
		return b.putReview(c.Review, tx, tenant)
	case tenure.ClaimAdded:
		return b.addClaim(c.Claim, tx, tenant)
	case tenure.ClaimMoved:
		b.move(c, tx, tenant)
		return nil
	case tenure.StandingPut:
		return b.putStanding(c.Standing, tx)
	case tenure.Amended:
		return b.amend(c.Amendment, tx, tenant)
	case tenure.CasePut:
		return b.putCase(c.Case, tx)
	case tenure.VocabularyPut:
		return b.putVocabulary(c.Vocabulary, tx)
	case tenure.TermPut:
		return b.putTerm(c.Term, tx)
	}
	return fmt.Errorf("a change of the unknown kind %s", c.Kind())
}

func (b *batch) addObservation(o tenure.Observation, tx int64, tenant string) error {
	body, err := encode(o)
	r := args{"mentions": []any{}, "claims": []any{}, "set": args{
		"tenant": tenant, "id": string(o.ID), "origin": o.Source.Origin, "speaker": orNull(o.Source.Speaker),
		"authority_level": o.Source.AuthorityLevel, "source_authority": o.Source.SourceAuthority,
		"observed_at": int64(o.ObservedAt), "tx_start": tx, "body": body,
	}}
	b.observation[o.ID] = r
	b.observations = append(b.observations, r)
	return err
}

func (b *batch) addMention(m tenure.Mention, tx int64, tenant string) error {
	body, err := encode(m)
	r := args{"observation": string(m.Observation), "set": args{
		"tenant": tenant, "id": string(m.ID), "name": m.Name, "type": orNull(m.Type), "tx_start": tx, "body": body,
	}}
	b.mention[m.ID] = r
	if o := b.observation[m.Observation]; o != nil {
		o["mentions"] = append(o["mentions"].([]any), r)
	} else {
		b.mentions = append(b.mentions, r)
	}
	return err
}

// assign goes with the mention where that is new, too.
func (b *batch) assign(a tenure.Assignment, tx int64, tenant string) {
	set := args{
		"tenant": tenant, "entity": string(a.Entity), "mention": string(a.Mention), "score": a.Score,
		"decision": string(a.Outcome), "reason": a.Reason, "tx_start": tx, "tx_end": forever,
	}
	if m := b.mention[a.Mention]; m != nil && m["entity"] == nil {
		m["entity"], m["assigned"] = string(a.Entity), set
		return
	}
	b.assignments = append(b.assignments, args{"id": string(a.Mention), "entity": string(a.Entity), "tx": tx, "set": set})
}

func (b *batch) addClaim(c tenure.Claim, tx int64, tenant string) error {
	body, raw, err := encodeClaim(c)
	key := any(nil)
	if c.Key != "" {
		key = indexable(c.Key)
	}
	r := args{"observation": string(c.Observation), "subject": string(c.Subject), "past": []any{},
		"relation": c.Value.Entity != "", "current": false, "contested": false, "tx": tx, "set": args{
			"tenant": tenant, "id": string(c.ID), "slot": c.Slot().Key(), "key": key,
			"subject": string(c.Subject), "object": orNull(c.Value.Entity), "predicate": c.Predicate,
			"value": valueText(c.Value), "value_json": raw, "object_type": string(c.ObjectType),
			"layer": orNull(c.Layer), "scope_kind": string(c.Scope.Normal().Kind), "user_id": orNull(c.Scope.UserID),
			"project_id": orNull(c.Scope.ProjectID), "authority_level": c.Source.AuthorityLevel,
			"confidence_score": c.Confidence, "valid_from": int64(c.Window.From), "valid_until": int64(c.Window.Until),
			"tx_start": tx, "tx_end": tx, "standing_tx": tx, "stands": []any{tx}, "standing": stamp(tx, "null"),
			"body": body,
		}}
	b.claim[c.ID] = r
	if o := b.observation[c.Observation]; o != nil {
		o["claims"] = append(o["claims"].([]any), r)
	} else {
		b.claims = append(b.claims, r)
	}
	if c.Value.Entity != "" {
		b.relations = append(b.relations, args{"id": string(c.ID), "object": string(c.Value.Entity)})
	}
	b.supersedes = append(b.supersedes, links(c.ID, c.Supersedes)...)
	b.depends = append(b.depends, links(c.ID, c.DependsOn)...)
	return err
}

func links(from tenure.ID, to []tenure.ID) []any {
	var list []any
	for _, id := range texts(to) {
		list = append(list, args{"from": string(from), "to": id})
	}
	return list
}

// putStanding goes with the claim where that is new, too.
func (b *batch) putStanding(s tenure.Standing, tx int64) error {
	body, err := encode(s)
	if err != nil {
		return err
	}
	set := args{
		"standing": stamp(tx, body), "standing_tx": tx, "stands": stands(tx, s), "status": string(statusOf(s, tx)),
		"contested": store.Contested(s), "needs_review": s.NeedsReview,
	}
	r := b.claim[s.Belief]
	if r == nil {
		b.standings.put(string(s.Belief), tx, set)
		return nil
	}
	own := r["set"].(args)
	if before := own["standing_tx"].(int64); before != tx {
		r["past"] = append(r["past"].([]any), args{
			"standing": own["standing"], "standing_tx": before, "stands": own["stands"], "status": own["status"],
			"contested": own["contested"], "tx_start": before, "tx_end": tx,
		})
	}
	for name, value := range set {
		own[name] = value
	}
	wasCurrent := r["current"].(bool)
	r["current"] = len(set["stands"].([]any)) > 1
	r["contested"] = r["contested"].(bool) || set["contested"].(bool)
	switch {
	case r["current"].(bool):
		own["tx_end"] = forever
	case wasCurrent:
		own["tx_end"] = tx
	}
	return nil
}

// statusOf is what became of the claim at the time of the standing, or at its
// end where its window does not hold that time.
func statusOf(s tenure.Standing, tx int64) tenure.Status {
	if g, ok := s.At(tenure.Instant(tx)); ok {
		return g.Cause.Status()
	}
	if n := len(s.Segments); n > 0 {
		return s.Segments[n-1].Cause.Status()
	}
	return tenure.Clean
}

func (b *batch) amend(a tenure.Amendment, tx int64, tenant string) error {
	body, err := encode(a)
	b.amendments = append(b.amendments, args{"belief": string(a.Belief), "set": args{
		"tenant": tenant, "id": string(a.ID), "belief": string(a.Belief), "kind": string(a.Kind), "at": int64(a.At),
		"authority_level": a.AuthorityLevel, "actor": a.Actor, "tx_start": tx, "body": body,
	}})
	return err
}

func (b *batch) putCase(c tenure.Case, tx int64) error {
	body, err := encode(c)
	slot := any(nil)
	if !c.CrossScope {
		slot = c.Slot().Key()
	}
	b.cases.put(string(c.ID), tx, args{
		"body": stamp(tx, body),
		"slot": slot, "subject": string(c.Subject), "predicate": c.Predicate, "state": string(c.State),
		"holds": texts(c.Holds),
	})
	return err
}

func (b *batch) putVocabulary(v tenure.Vocabulary, tx int64) error {
	body, err := encode(v)
	b.vocabularies.put(v.Name, tx, args{"body": stamp(tx, body), "name": v.Name, "closed": v.Closed})
	return err
}

func (b *batch) putTerm(t tenure.Term, tx int64) error {
	body, err := encode(t)
	b.terms.put(t.ID(), tx, args{
		"body": stamp(tx, body), "vocabulary": t.Vocabulary, "name": t.Name, "removed": t.Removed,
	})
	return err
}

// log adds the entry of a change set, which is also its receipt.
func (b *batch) log(cs tenure.ChangeSet, e tenure.Entry, tenant string) error {
	body, err := encode(e)
	if err != nil {
		return err
	}
	cells := []any{}
	for _, c := range cs.Touches() {
		cells = append(cells, cellHash(c))
	}
	set := args{
		"tenant": tenant, "seq": int64(e.Seq), "tx": int64(e.Tx), "id": string(e.ID), "operation": e.Operation,
		"actor": e.Actor, "hash": e.Hash, "cells": cells, "body": body,
	}
	if cs.Answer != nil {
		set["answer"] = cs.Answer
	}
	if cs.Key != nil {
		set["key"], set["key_hash"] = indexable(cs.Key.Scope), cs.Key.Hash
	}
	touched := texts(e.Entities())
	r := args{"set": set, "seq": int64(e.Seq), "others": []any{}}
	if len(touched) > 0 {
		set["entity"], r["others"] = touched[0], touched[1:]
	}
	b.entries = append(b.entries, r)
	return nil
}
