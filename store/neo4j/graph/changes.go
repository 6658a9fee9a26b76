package graph

import (
	"maps"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

var _ tenure.ChangeVisitor = (*Batch)(nil)

// ObservationAdded collects the observation; its mentions and claims are added to its row.
func (b *Batch) ObservationAdded(c tenure.ObservationAdded) error {
	o := c.Observation
	set, err := observationProps(b.tenant, o, b.tx)
	r := props{"mentions": []any{}, "claims": []any{}, "set": set}
	b.observation[o.ID] = r
	b.Observations = append(b.Observations, r)
	b.Proposals = append(b.Proposals, Proposals(b.tenant, o, b.tx)...)
	return err
}

func observationProps(tenant string, o tenure.Observation, tx int64) (props, error) {
	body, err := engine.Encode(o)
	set := props{
		"tenant": tenant, "id": string(o.ID), "origin": o.Source.Origin, "speaker": OrNull(o.Source.Speaker),
		"authority_level": o.Source.AuthorityLevel, "source_authority": o.Source.SourceAuthority,
		"observed_at": int64(o.ObservedAt), "tx_start": tx, "body": body, "text": OrNull(o.Text),
		"session_id": OrNull(store.BySession.Field(o)), "project_id": OrNull(store.ByProject.Field(o)),
		"thread": OrNull(store.ByThread.Field(o)), "proposes": OrNull(store.ByProposal.Field(o)),
		"text_speaker": OrNull(store.ByTextSpeaker.Field(o)), "text_thread": OrNull(store.ByTextThread.Field(o)),
	}
	withTimes(set, "observed_at", "tx_start")
	return set, err
}

// Proposals returns the edges from an observation, recorded at a time, to the entities of which it proposes a change.
func Proposals(tenant string, o tenure.Observation, tx int64) (rows []any) {
	for _, e := range o.ProposesOf() {
		rows = append(rows, props{"set": props{
			"tenant": tenant, "observation": string(o.ID), "entity": string(e), "place": engine.Place(o.Scope), "tx_start": tx,
		}})
	}
	return rows
}

// MentionAdded collects the mention, in the row of its observation if that is new, too.
func (b *Batch) MentionAdded(c tenure.MentionAdded) error {
	m := c.Mention
	set, err := mentionProps(b.tenant, m, b.tx)
	r := props{"observation": string(m.Observation), "set": set}
	b.mention[m.ID] = r
	if o := b.observation[m.Observation]; o != nil {
		o["mentions"] = append(o["mentions"].([]any), r)
	} else {
		b.Mentions = append(b.Mentions, r)
	}
	return err
}

func mentionProps(tenant string, m tenure.Mention, tx int64) (props, error) {
	body, err := engine.Encode(m)
	return props{
		"tenant": tenant, "id": string(m.ID), "name": m.Name, "type": OrNull(m.Type), "tx_start": tx, "body": body,
	}, err
}

// MentionAssigned collects the assignment, in the row of its mention if that is new, too.
func (b *Batch) MentionAssigned(c tenure.MentionAssigned) error {
	a := c.Assignment
	set := props{
		"tenant": b.tenant, "entity": string(a.Entity), "mention": string(a.Mention), "score": a.Score,
		"decision": string(a.Outcome), "reason": a.Reason, "tx_start": b.tx, "tx_end": Forever,
	}
	if m := b.mention[a.Mention]; m != nil && m["entity"] == nil {
		m["entity"], m["assigned"] = string(a.Entity), set
		return nil
	}
	b.Assignments = append(b.Assignments, props{
		"id": string(a.Mention), "entity": string(a.Entity), "tx": b.tx, "set": set,
	})
	return nil
}

// ClaimAdded collects the claim, in the row of its observation if that is new, too.
func (b *Batch) ClaimAdded(added tenure.ClaimAdded) error {
	c := added.Claim
	body, raw, err := encodeClaim(c)
	key := any(nil)
	if c.Key != "" {
		key = Indexable(c.Key)
	}
	r := props{"observation": string(c.Observation), "subject": string(c.Subject), "past": []any{},
		"relation": c.Value.Entity != "", "remark": c.Predicate == tenure.Remark, "directive": c.Directs(), "current": false, "contested": false, "tx": b.tx, "set": props{
			"tenant": b.tenant, "id": string(c.ID), "slot": c.Slot().Key(), "key": key,
			"subject": string(c.Subject), "object": OrNull(c.Value.Entity), "predicate": c.Predicate,
			"value": valueText(c.Value), "value_json": raw, "said": OrNull(engine.SaidBy(c.Value)), "place": engine.Place(c.Scope), "object_type": string(c.ObjectType),
			"layer": OrNull(c.Layer), "scope_kind": string(c.Scope.Canonical().Kind), "user_id": OrNull(c.Scope.UserID),
			"project_id": OrNull(c.Scope.ProjectID), "authority_level": c.Source.AuthorityLevel,
			"confidence_score": c.Confidence, "valid_from": int64(c.Window.From), "valid_until": int64(c.Window.Until),
			"tx_start": b.tx, "tx_end": b.tx, "standing_tx": b.tx, "stands": []any{b.tx}, "standing": stamp(b.tx, "null"),
			"body": body,
		}}
	withTimes(r["set"].(props), "valid_from", "valid_until", "tx_start")
	b.claim[c.ID] = r
	if o := b.observation[c.Observation]; o != nil {
		o["claims"] = append(o["claims"].([]any), r)
	} else {
		b.Claims = append(b.Claims, r)
	}
	if c.Value.Entity != "" {
		b.Relations = append(b.Relations, props{"id": string(c.ID), "object": string(c.Value.Entity)})
	}
	b.Names = append(b.Names, links(c.ID, c.Supersedes)...)
	b.Depends = append(b.Depends, links(c.ID, c.DependsOn)...)
	return err
}

// EntityPut collects a version of the entity.
func (b *Batch) EntityPut(c tenure.EntityPut) error {
	set, err := entityProps(c.Entity, b.tx)
	b.Entities.put(string(c.Entity.ID), b.tx, set)
	return err
}

func entityProps(e tenure.Entity, tx int64) (props, error) {
	body, err := engine.Encode(e)
	return props{
		"body": stamp(tx, body),
		"type": e.Type, "status": string(e.Status), "name": e.Name, "project_id": OrNull(e.Project),
		"merged_into": OrNull(e.MergedInto), "attributes": pairs(e.Attributes),
	}, err
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
func (b *Batch) AliasAdded(c tenure.AliasAdded) error {
	o := c.Alias
	set := props{
		"tenant": b.tenant, "type": o.Type, "project_id": OrNull(o.Project), "spelling": o.Spelling,
		"exclusive": o.Exclusive, "mention": string(o.Mention), "tx_start": b.tx, "tx_end": Forever,
	}
	if o.Label != (tenure.Label{}) {
		label, err := engine.Encode(o.Label)
		if err != nil {
			return err
		}
		set["label"] = label
	}
	k := aliasID{o.Key, o.Entity, o.Mention}
	b.openAliases[k] = append(b.openAliases[k], set)
	b.Aliases = append(b.Aliases, props{
		"entity": string(o.Entity), "form": FormKey(o.Key), "kind": o.Key.Kind, "key": o.Key.Key, "set": set,
	})
	return nil
}

// AliasClosed ends the edges of the alias, both the batch's own and the stored ones.
func (b *Batch) AliasClosed(c tenure.AliasClosed) error {
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
	b.ClosedAliases = append(b.ClosedAliases, props{
		"entity": string(o.Entity), "form": FormKey(o.Key), "mention": string(o.Mention), "tx": b.tx,
	})
	return nil
}

// IdentityDecisionPut collects a version of the identity decision.
func (b *Batch) IdentityDecisionPut(c tenure.IdentityDecisionPut) error {
	set, err := decisionProps(c.Decision, b.tx)
	b.Decisions.put(string(c.Decision.ID), b.tx, set)
	return err
}

func decisionProps(v tenure.IdentityDecision, tx int64) (props, error) {
	body, err := engine.Encode(v)
	set := props{
		"body": stamp(tx, body), "kind": string(v.Kind), "from": string(v.From), "into": string(v.Into),
		"automatic": v.Automatic, "score": v.Score, "reason": OrNull(v.Reason), "actor": v.Actor, "at": int64(v.At),
		"undone": v.Undone,
	}
	withTimes(set, "at")
	return set, err
}

// ReviewPut collects a version of the review, and the edges to every entity that it names.
func (b *Batch) ReviewPut(c tenure.ReviewPut) error {
	v := c.Review
	set, err := reviewProps(v, b.tx)
	b.Reviews.put(string(v.ID), b.tx, set)
	edge := func(entity tenure.ID, role string, score any) props {
		return props{"entity": string(entity), "set": props{
			"tenant": b.tenant, "review": string(v.ID), "entity": string(entity), "role": role, "score": score,
			"tx_start": b.tx, "tx_end": Forever,
		}}
	}
	asks := []any{edge(v.Entity, "entity", nil)}
	for _, c := range v.Candidates {
		asks = append(asks, edge(c.Entity, "candidate", c.Score))
	}
	b.Asked = append(b.Asked, props{"id": string(v.ID), "tx": b.tx, "asks": asks})
	return err
}

func reviewProps(v tenure.Review, tx int64) (props, error) {
	body, err := engine.Encode(v)
	set := props{
		"body": stamp(tx, body), "state": string(v.State), "reason": v.Reason, "name": v.Name, "type": OrNull(v.Type),
		"project_id": OrNull(v.Project), "opened_at": int64(v.OpenedAt), "decision": OrNull(v.Decision),
		"rank": v.Rank(), "priority": v.Priority,
		"decided_by": OrNull(v.DecidedBy),
	}
	withTimes(set, "opened_at")
	return set, err
}

func links(from tenure.ID, to []tenure.ID) []any {
	var list []any
	for _, id := range Texts(to) {
		list = append(list, props{"from": string(from), "to": id})
	}
	return list
}

// StandingPut collects the standing, in the row of its claim if that is new, too.
func (b *Batch) StandingPut(c tenure.StandingPut) error {
	s := c.Standing
	set, err := standingProps(s, b.tx)
	if err != nil {
		return err
	}
	if b.losses[s.Belief] == nil {
		b.judged = append(b.judged, s.Belief)
	}
	b.losses[s.Belief] = putLosses(b.losses[s.Belief], b.tx, s)
	r := b.claim[s.Belief]
	if r == nil {
		b.Standings.put(string(s.Belief), b.tx, set)
		return nil
	}
	own := r["set"].(props)
	if before := own["standing_tx"].(int64); before != b.tx {
		r["past"] = append(r["past"].([]any), props{
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
		own["tx_end"] = Forever
	case wasCurrent:
		own["tx_end"] = b.tx
	}
	return nil
}

func standingProps(s tenure.Standing, tx int64) (props, error) {
	body, err := engine.Encode(s)
	return props{
		"standing": stamp(tx, body), "standing_tx": tx, "stands": stands(tx, s), "status": string(statusOf(s, tx)),
		"contested": s.Contested(), "needs_review": s.NeedsReview,
	}, err
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
func (b *Batch) Amended(c tenure.Amended) error {
	a := c.Amendment
	body, err := engine.Encode(a)
	set := props{
		"tenant": b.tenant, "id": string(a.ID), "belief": string(a.Belief), "kind": string(a.Kind), "at": int64(a.At),
		"authority_level": a.AuthorityLevel, "role": OrNull(a.Role), "actor": a.Actor, "reason": OrNull(a.Reason),
		"tx_start": b.tx, "body": body,
	}
	withTimes(set, "at", "tx_start")
	b.Amendments = append(b.Amendments, props{"belief": string(a.Belief), "set": set})
	if a.Undoes != "" {
		b.Undone = append(b.Undone, props{"from": string(a.ID), "to": string(a.Undoes)})
	}
	return err
}

// CasePut collects a version of the case. A case across scopes has no slot.
func (b *Batch) CasePut(put tenure.CasePut) error {
	set, err := caseProps(put.Case, b.tx)
	b.Cases.put(string(put.Case.ID), b.tx, set)
	return err
}

func caseProps(c tenure.Case, tx int64) (props, error) {
	body, err := engine.Encode(c)
	slot := any(nil)
	if !c.CrossScope {
		slot = c.Slot().Key()
	}
	return props{
		"body": stamp(tx, body),
		"slot": slot, "subject": string(c.Subject), "predicate": c.Predicate, "state": string(c.State),
		"rank": c.Rank(), "holds": Texts(c.Holds),
	}, err
}

// VocabularyPut collects a version of the vocabulary.
func (b *Batch) VocabularyPut(c tenure.VocabularyPut) error {
	v := c.Vocabulary
	body, err := engine.Encode(v)
	b.Vocabularies.put(v.Name, b.tx, props{"body": stamp(b.tx, body), "name": v.Name, "closed": v.Closed})
	return err
}

// TermPut collects a version of the term.
func (b *Batch) TermPut(c tenure.TermPut) error {
	t := c.Term
	body, err := engine.Encode(t)
	b.Terms.put(t.ID(), b.tx, props{
		"body": stamp(b.tx, body), "vocabulary": t.Vocabulary, "name": t.Name, "removed": t.Removed,
	})
	return err
}

// ClaimMoved collects a new home of the claim.
func (b *Batch) ClaimMoved(c tenure.ClaimMoved) error {
	b.Moves = append(b.Moves, props{"id": string(c.Claim), "set": props{
		"tenant": b.tenant, "belief": string(c.Claim), "slot": c.To.Key(), "subject": string(c.To.Subject),
		"predicate": c.To.Predicate, "object": OrNull(c.Object), "tx_start": b.tx, "tx_end": Forever,
	}})
	return nil
}
