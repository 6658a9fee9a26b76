package neo4j

import (
	"maps"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

var _ tenure.ChangeVisitor = (*batch)(nil)

// ObservationAdded collects the observation; its mentions and claims are added to its row.
func (b *batch) ObservationAdded(c tenure.ObservationAdded) error {
	o := c.Observation
	body, err := engine.Encode(o)
	r := args{"mentions": []any{}, "claims": []any{}, "set": args{
		"tenant": b.tenant, "id": string(o.ID), "origin": o.Source.Origin, "speaker": orNull(o.Source.Speaker),
		"authority_level": o.Source.AuthorityLevel, "source_authority": o.Source.SourceAuthority,
		"observed_at": int64(o.ObservedAt), "tx_start": b.tx, "body": body, "text": orNull(o.Text),
		"session_id": orNull(store.BySession.Field(o)), "project_id": orNull(store.ByProject.Field(o)),
	}}
	withTimes(r["set"].(args), "observed_at", "tx_start")
	b.observation[o.ID] = r
	b.observations = append(b.observations, r)
	return err
}

// MentionAdded collects the mention, in the row of its observation if that is new, too.
func (b *batch) MentionAdded(c tenure.MentionAdded) error {
	m := c.Mention
	body, err := engine.Encode(m)
	r := args{"observation": string(m.Observation), "set": args{
		"tenant": b.tenant, "id": string(m.ID), "name": m.Name, "type": orNull(m.Type), "tx_start": b.tx, "body": body,
	}}
	b.mention[m.ID] = r
	if o := b.observation[m.Observation]; o != nil {
		o["mentions"] = append(o["mentions"].([]any), r)
	} else {
		b.mentions = append(b.mentions, r)
	}
	return err
}

// MentionAssigned collects the assignment, in the row of its mention if that is new, too.
func (b *batch) MentionAssigned(c tenure.MentionAssigned) error {
	a := c.Assignment
	set := args{
		"tenant": b.tenant, "entity": string(a.Entity), "mention": string(a.Mention), "score": a.Score,
		"decision": string(a.Outcome), "reason": a.Reason, "tx_start": b.tx, "tx_end": forever,
	}
	if m := b.mention[a.Mention]; m != nil && m["entity"] == nil {
		m["entity"], m["assigned"] = string(a.Entity), set
		return nil
	}
	b.assignments = append(b.assignments, args{
		"id": string(a.Mention), "entity": string(a.Entity), "tx": b.tx, "set": set,
	})
	return nil
}

// ClaimAdded collects the claim, in the row of its observation if that is new, too.
func (b *batch) ClaimAdded(added tenure.ClaimAdded) error {
	c := added.Claim
	body, raw, err := encodeClaim(c)
	key := any(nil)
	if c.Key != "" {
		key = indexable(c.Key)
	}
	r := args{"observation": string(c.Observation), "subject": string(c.Subject), "past": []any{},
		"relation": c.Value.Entity != "", "current": false, "contested": false, "tx": b.tx, "set": args{
			"tenant": b.tenant, "id": string(c.ID), "slot": c.Slot().Key(), "key": key,
			"subject": string(c.Subject), "object": orNull(c.Value.Entity), "predicate": c.Predicate,
			"value": valueText(c.Value), "value_json": raw, "said": orNull(engine.SaidBy(c.Value)), "object_type": string(c.ObjectType),
			"layer": orNull(c.Layer), "scope_kind": string(c.Scope.Canonical().Kind), "user_id": orNull(c.Scope.UserID),
			"project_id": orNull(c.Scope.ProjectID), "authority_level": c.Source.AuthorityLevel,
			"confidence_score": c.Confidence, "valid_from": int64(c.Window.From), "valid_until": int64(c.Window.Until),
			"tx_start": b.tx, "tx_end": b.tx, "standing_tx": b.tx, "stands": []any{b.tx}, "standing": stamp(b.tx, "null"),
			"body": body,
		}}
	withTimes(r["set"].(args), "valid_from", "valid_until", "tx_start")
	b.claim[c.ID] = r
	if o := b.observation[c.Observation]; o != nil {
		o["claims"] = append(o["claims"].([]any), r)
	} else {
		b.claims = append(b.claims, r)
	}
	if c.Value.Entity != "" {
		b.relations = append(b.relations, args{"id": string(c.ID), "object": string(c.Value.Entity)})
	}
	b.names = append(b.names, links(c.ID, c.Supersedes)...)
	b.depends = append(b.depends, links(c.ID, c.DependsOn)...)
	return err
}

// EntityPut collects a version of the entity.
func (b *batch) EntityPut(c tenure.EntityPut) error {
	e := c.Entity
	body, err := engine.Encode(e)
	b.entities.put(string(e.ID), b.tx, args{
		"body": stamp(b.tx, body),
		"type": e.Type, "status": string(e.Status), "name": e.Name, "project_id": orNull(e.Project),
		"merged_into": orNull(e.MergedInto), "attributes": pairs(e.Attributes),
	})
	return err
}

// pairs converts attributes to a list for analysts, since Neo4j has no map properties.
func pairs(attributes map[string][]string) any {
	var list []any
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		for _, value := range attributes[name] {
			list = append(list, name+": "+value)
		}
	}
	if list == nil {
		return nil
	}
	return list
}

// AliasAdded collects the edge from the entity to its alias key.
func (b *batch) AliasAdded(c tenure.AliasAdded) error {
	o := c.Alias
	set := args{
		"tenant": b.tenant, "type": o.Type, "project_id": orNull(o.Project), "spelling": o.Spelling,
		"exclusive": o.Exclusive, "mention": string(o.Mention), "tx_start": b.tx, "tx_end": forever,
	}
	k := aliasID{o.Key, o.Entity, o.Mention}
	b.openAliases[k] = append(b.openAliases[k], set)
	b.aliases = append(b.aliases, args{
		"entity": string(o.Entity), "form": formKey(o.Key), "kind": o.Key.Kind, "key": o.Key.Key, "set": set,
	})
	return nil
}

// AliasClosed ends the edges of the alias, both the batch's own and the stored ones.
func (b *batch) AliasClosed(c tenure.AliasClosed) error {
	o := c.Alias
	k := aliasID{o.Key, o.Entity, o.Mention}
	for _, set := range b.openAliases[k] {
		set["tx_end"] = b.tx
	}
	delete(b.openAliases, k)
	if b.ending[k] {
		return nil
	}
	b.ending[k] = true
	b.closedAliases = append(b.closedAliases, args{
		"entity": string(o.Entity), "form": formKey(o.Key), "mention": string(o.Mention), "tx": b.tx,
	})
	return nil
}

// IdentityDecisionPut collects a version of the identity decision.
func (b *batch) IdentityDecisionPut(c tenure.IdentityDecisionPut) error {
	v := c.Decision
	body, err := engine.Encode(v)
	set := args{
		"body": stamp(b.tx, body), "kind": string(v.Kind), "from": string(v.From), "into": string(v.Into),
		"automatic": v.Automatic, "score": v.Score, "reason": orNull(v.Reason), "actor": v.Actor, "at": int64(v.At),
		"undone": v.Undone,
	}
	withTimes(set, "at")
	b.decisions.put(string(v.ID), b.tx, set)
	return err
}

// ReviewPut collects a version of the review, and the edges to every entity that it names.
func (b *batch) ReviewPut(c tenure.ReviewPut) error {
	v := c.Review
	body, err := engine.Encode(v)
	set := args{
		"body": stamp(b.tx, body), "state": string(v.State), "reason": v.Reason, "name": v.Name, "type": orNull(v.Type),
		"project_id": orNull(v.Project), "opened_at": int64(v.OpenedAt), "decision": orNull(v.Decision),
		"rank": v.Rank(), "priority": v.Priority,
		"decided_by": orNull(v.DecidedBy),
	}
	withTimes(set, "opened_at")
	b.reviews.put(string(v.ID), b.tx, set)
	edge := func(entity tenure.ID, role string, score any) args {
		return args{"entity": string(entity), "set": args{
			"tenant": b.tenant, "review": string(v.ID), "entity": string(entity), "role": role, "score": score,
			"tx_start": b.tx, "tx_end": forever,
		}}
	}
	asks := []any{edge(v.Entity, "entity", nil)}
	for _, c := range v.Candidates {
		asks = append(asks, edge(c.Entity, "candidate", c.Score))
	}
	b.asked = append(b.asked, args{"id": string(v.ID), "tx": b.tx, "asks": asks})
	return err
}

func links(from tenure.ID, to []tenure.ID) []any {
	var list []any
	for _, id := range texts(to) {
		list = append(list, args{"from": string(from), "to": id})
	}
	return list
}

// StandingPut collects the standing, in the row of its claim if that is new, too.
func (b *batch) StandingPut(c tenure.StandingPut) error {
	s := c.Standing
	body, err := engine.Encode(s)
	if err != nil {
		return err
	}
	set := args{
		"standing": stamp(b.tx, body), "standing_tx": b.tx, "stands": stands(b.tx, s), "status": string(statusOf(s, b.tx)),
		"contested": s.Contested(), "needs_review": s.NeedsReview,
	}
	if b.losses[s.Belief] == nil {
		b.judged = append(b.judged, s.Belief)
	}
	b.losses[s.Belief] = putLosses(b.losses[s.Belief], b.tx, s)
	r := b.claim[s.Belief]
	if r == nil {
		b.standings.put(string(s.Belief), b.tx, set)
		return nil
	}
	own := r["set"].(args)
	if before := own["standing_tx"].(int64); before != b.tx {
		r["past"] = append(r["past"].([]any), args{
			"standing": own["standing"], "standing_tx": before, "stands": own["stands"], "status": own["status"],
			"contested": own["contested"], "tx_start": before, "tx_end": b.tx,
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
		own["tx_end"] = b.tx
	}
	return nil
}

// statusOf returns the status of the claim at the time of the standing, or at the end of its window if the
// window does not contain that time.
func statusOf(s tenure.Standing, tx int64) tenure.Status {
	if g, ok := s.At(tenure.Instant(tx)); ok {
		return g.Cause.Status()
	}
	if n := len(s.Segments); n > 0 {
		return s.Segments[n-1].Cause.Status()
	}
	return tenure.Clean
}

// Amended collects the amendment.
func (b *batch) Amended(c tenure.Amended) error {
	a := c.Amendment
	body, err := engine.Encode(a)
	set := args{
		"tenant": b.tenant, "id": string(a.ID), "belief": string(a.Belief), "kind": string(a.Kind), "at": int64(a.At),
		"authority_level": a.AuthorityLevel, "role": orNull(a.Role), "actor": a.Actor, "reason": orNull(a.Reason),
		"tx_start": b.tx, "body": body,
	}
	withTimes(set, "at", "tx_start")
	b.amendments = append(b.amendments, args{"belief": string(a.Belief), "set": set})
	if a.Undoes != "" {
		b.undone = append(b.undone, args{"from": string(a.ID), "to": string(a.Undoes)})
	}
	return err
}

// CasePut collects a version of the case. A case across scopes has no slot.
func (b *batch) CasePut(put tenure.CasePut) error {
	c := put.Case
	body, err := engine.Encode(c)
	slot := any(nil)
	if !c.CrossScope {
		slot = c.Slot().Key()
	}
	b.cases.put(string(c.ID), b.tx, args{
		"body": stamp(b.tx, body),
		"slot": slot, "subject": string(c.Subject), "predicate": c.Predicate, "state": string(c.State),
		"rank": c.Rank(), "holds": texts(c.Holds),
	})
	return err
}

// VocabularyPut collects a version of the vocabulary.
func (b *batch) VocabularyPut(c tenure.VocabularyPut) error {
	v := c.Vocabulary
	body, err := engine.Encode(v)
	b.vocabularies.put(v.Name, b.tx, args{"body": stamp(b.tx, body), "name": v.Name, "closed": v.Closed})
	return err
}

// TermPut collects a version of the term.
func (b *batch) TermPut(c tenure.TermPut) error {
	t := c.Term
	body, err := engine.Encode(t)
	b.terms.put(t.ID(), b.tx, args{
		"body": stamp(b.tx, body), "vocabulary": t.Vocabulary, "name": t.Name, "removed": t.Removed,
	})
	return err
}

// ClaimMoved collects a new home of the claim.
func (b *batch) ClaimMoved(c tenure.ClaimMoved) error {
	b.moves = append(b.moves, args{"id": string(c.Claim), "set": args{
		"tenant": b.tenant, "belief": string(c.Claim), "slot": c.To.Key(), "subject": string(c.To.Subject),
		"predicate": c.To.Predicate, "object": orNull(c.Object), "tx_start": b.tx, "tx_end": forever,
	}})
	return nil
}
