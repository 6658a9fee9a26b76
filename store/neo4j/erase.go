package neo4j

import (
	"context"
	"fmt"

	"tenure"
	"tenure/store/neo4j/graph"
)

// This file erases content from the nodes that hold it. A node is read, and gets the properties of what is left.

const (
	// contentOf reads a node that has no versions.
	contentOf = `MATCH (n:%[1]s {tenant: $tenant, id: $id}) RETURN n.id, n.body, n.tx_start`
	// versionsOf reads the versions of a thing up to a time, each with the start by which setVersion finds it: 0 for
	// the newest, which is in the node of the thing itself.
	versionsOf = `MATCH (n:%[1]s {tenant: $tenant, id: $id})
RETURN n.id AS id, n.body AS body, 0 AS start, n.version_tx AS at
UNION ALL
MATCH (:%[1]s {tenant: $tenant, id: $id})-[:WAS]->(w:%[1]sVersion) WHERE w.tx_start <= $until
RETURN w.id AS id, w.body AS body, w.tx_start AS start, w.tx_start AS at`
	setContent = `MATCH (n:%[1]s {tenant: $tenant, id: $id}) SET n += $set`
	setVersion = `MATCH (:%[1]s {tenant: $tenant, id: $id})-[:WAS]->(w:%[1]sVersion) WHERE w.tx_start = $start
SET w += $set`
)

const (
	dropProposals = `MATCH (:Observation {tenant: $tenant, id: $id})-[p:PROPOSES]->() DELETE p`

	claimContent = `MATCH (n:Belief {tenant: $tenant, id: $id}) RETURN n.id, n.body, n.tx_start, n.value_json, n.standing`
	dropValue    = `MATCH (b:Belief {tenant: $tenant, id: $id}) REMOVE b:Relation
WITH b
CALL (b) {
  MATCH (b)-[v:VALUE]->(:Entity) DELETE v
}
CALL (b) {
  MATCH (b)-[:MOVED_TO]->(h:Relocation) SET h.object = null
}`
	standingsOf = `MATCH (b:Belief {tenant: $tenant, id: $id})-[:STOOD]->(s:Standing)
RETURN s.belief, s.standing, s.tx_start`
	setStanding = `MATCH (b:Belief {tenant: $tenant, id: $id})-[:STOOD]->(s:Standing) WHERE s.tx_start = $start
SET s += $set`
	amendmentsOn = `MATCH (a:Amendment) USING INDEX a:Amendment(tenant, belief)
WHERE a.tenant = $tenant AND a.belief IN $beliefs RETURN a.id, a.body`

	assignedTo       = `MATCH (m:Mention {tenant: $tenant, id: $id})-[:ASSIGNED]->(e:Entity) RETURN DISTINCT e.id`
	aliasesOfMention = `MATCH (m:Mention {tenant: $tenant, id: $id})-[:ASSIGNED]->(e:Entity)
WITH DISTINCT e
MATCH (e)-[h:HAS_ALIAS]->(a:Alias) WHERE h.mention = $id AND a.kind <> $erased
RETURN DISTINCT e.id, a.form`
	eraseAlias = `MATCH (e:Entity {tenant: $tenant, id: $entity})-[h:HAS_ALIAS]->(a:Alias {tenant: $tenant, form: $form})
WHERE h.mention = $id
MERGE (t:Alias {tenant: $tenant, form: $erased_form})
ON CREATE SET t.kind = $kind, t.key = $key
CREATE (e)-[n:HAS_ALIAS]->(t)
SET n = properties(h), n.spelling = '', n.exclusive = false
DELETE h
WITH DISTINCT a WHERE NOT EXISTS { (a)<-[:HAS_ALIAS]-() }
DELETE a`

	reviewsOn   = `MATCH (n:Review)-[:ASKS_ABOUT]->(:Entity {tenant: $tenant, id: $id}) RETURN DISTINCT n.id`
	decisionsOn = `MATCH (n:IdentityDecision)-[:CONCERNS]->(:Entity {tenant: $tenant, id: $id}) RETURN DISTINCT n.id`
	casesOn     = `MATCH (n:QuarantineCase) USING INDEX n:QuarantineCase(tenant, subject)
WHERE n.tenant = $tenant AND n.subject = $id RETURN n.id`
)

// eraseSalts erases the salts of the entries that added what is erased, so that their digests confirm no guess. The
// entry that erases is not in the log yet.
const eraseSalts = `UNWIND $rows AS id
CALL (id) {
  MATCH (n:Observation {tenant: $tenant, id: id}) RETURN n.tx_start AS tx
  UNION ALL
  MATCH (n:Mention {tenant: $tenant, id: id}) RETURN n.tx_start AS tx
  UNION ALL
  MATCH (n:Belief {tenant: $tenant, id: id}) RETURN n.tx_start AS tx
  UNION ALL
  MATCH (n:Document {tenant: $tenant, id: id}) RETURN n.version_tx AS tx
  UNION ALL
  MATCH (:Document {tenant: $tenant, id: id})-[:WAS]->(w:DocumentVersion) RETURN w.tx_start AS tx
}
WITH DISTINCT tx
MATCH (x:Entry) USING INDEX x:Entry(tenant, tx)
WHERE x.tenant = $tenant AND x.tx = tx
REMOVE x.salt`

// erase erases content in all nodes that hold it.
func (w *txWriter) erase(ctx context.Context, b *graph.Batch) error {
	for _, e := range b.Erasures {
		var err error
		switch e.Kind {
		case tenure.ErasedObservation:
			err = w.eraseObservation(ctx, e, tenure.Observation.Erase)
		case tenure.ErasedText:
			err = w.eraseObservation(ctx, e, tenure.Observation.EraseText)
		case tenure.ErasedMention:
			err = w.eraseMention(ctx, e)
		case tenure.ErasedClaim:
			err = w.eraseClaim(ctx, e)
		case tenure.ErasedWording:
			_, err = w.rewriteClaim(ctx, e, tenure.Claim.EraseWording)
		case tenure.ErasedDocument:
			err = w.eraseDocument(ctx, e)
		case tenure.ErasedEntity: // below, with those that erased mentions were assigned to
		}
		if err != nil {
			return fmt.Errorf("erase the %s %s: %w", e.Kind, e.ID, err)
		}
	}
	if b.Erased == 0 {
		return nil
	}
	if err := w.eraseEntities(ctx, b.Erasures); err != nil {
		return err
	}
	ids := make([]any, len(b.Erasures))
	for i, e := range b.Erasures {
		ids[i] = string(e.ID)
	}
	if _, err := w.each(ctx, eraseSalts, ids); err != nil {
		return err
	}
	_, _, err := w.run(ctx, `MATCH (t:Tenant {name: $tenant}) SET t.erased = $erased, t.salt = $salt, t.salted = $last`,
		args{"erased": b.Erased, "salt": tenure.NewSalt(), "last": b.Last})
	return err
}

// eraseEntities erases the entities, and of those that the erased mentions were ever assigned to what these said.
func (w *txWriter) eraseEntities(ctx context.Context, list []graph.Erasure) error {
	tx := map[string]int64{} // by entity
	for _, e := range list {
		switch e.Kind {
		case tenure.ErasedEntity:
			tx[string(e.ID)] = e.Tx
		case tenure.ErasedMention:
			rows, _, err := w.run(ctx, assignedTo, args{"id": string(e.ID)})
			if err != nil {
				return err
			}
			for _, r := range rows {
				tx[r.text(0)] = e.Tx
			}
		}
	}
	for id, until := range tx {
		if err := w.eraseEntity(ctx, id, until); err != nil {
			return fmt.Errorf("erase the entity %s: %w", id, err)
		}
	}
	return nil
}

// rewrite gives the nodes that a statement reads the properties that set computes.
func (w *txWriter) rewrite(
	ctx context.Context, read, write string, params args, set func(graph.Node, row) (map[string]any, error),
) error {
	rows, _, err := w.run(ctx, read, params)
	if err != nil {
		return err
	}
	for _, r := range rows {
		n := graph.Node{Body: r.text(1), Tx: r.number(2)}
		values, err := set(n, r)
		if err != nil {
			return err
		}
		if _, _, err := w.run(ctx, write, args{"id": params["id"], "start": n.Tx, "set": values}); err != nil {
			return err
		}
	}
	return nil
}

func (w *txWriter) eraseObservation(
	ctx context.Context, e graph.Erasure, erase func(tenure.Observation) tenure.Observation,
) error {
	var claims []tenure.ID
	erased := func(o tenure.Observation) tenure.Observation {
		claims = o.Claims
		return erase(o)
	}
	err := w.rewrite(ctx, fmt.Sprintf(contentOf, "Observation"), fmt.Sprintf(setContent, "Observation"),
		args{"id": string(e.ID)}, func(n graph.Node, _ row) (map[string]any, error) { return n.Observation(w.tenant, erased) })
	if err != nil {
		return err
	}
	if e.Kind == tenure.ErasedObservation { // with who said it and where
		for _, id := range claims {
			claim := e
			claim.ID = id
			if _, err := w.rewriteClaim(ctx, claim, tenure.Claim.EraseSource); err != nil {
				return err
			}
		}
	}
	_, _, err = w.run(ctx, dropProposals, args{"id": string(e.ID)})
	return err
}

// eraseMention erases a mention and the aliases that it gave.
func (w *txWriter) eraseMention(ctx context.Context, e graph.Erasure) error {
	err := w.rewrite(ctx, fmt.Sprintf(contentOf, "Mention"), fmt.Sprintf(setContent, "Mention"),
		args{"id": string(e.ID)}, func(n graph.Node, _ row) (map[string]any, error) { return n.Mention(w.tenant) })
	if err != nil {
		return err
	}
	found, _, err := w.run(ctx, aliasesOfMention, args{"id": string(e.ID), "erased": tenure.ErasedAlias})
	if err != nil {
		return err
	}
	for i, r := range found {
		a := tenure.Alias{Mention: e.ID}.Erase(i + 1)
		if _, _, err := w.run(ctx, eraseAlias, args{
			"id": string(e.ID), "entity": r.text(0), "form": r.text(1), "erased_form": graph.FormKey(a.Key),
			"kind": a.Key.Kind, "key": a.Key.Key,
		}); err != nil {
			return err
		}
	}
	return nil
}

// rewriteClaim replaces a claim, and returns the standing that it has, which is none where there is no such claim.
func (w *txWriter) rewriteClaim(
	ctx context.Context, e graph.Erasure, erase func(tenure.Claim) tenure.Claim,
) (standing string, err error) {
	err = w.rewrite(ctx, claimContent, fmt.Sprintf(setContent, "Belief"), args{"id": string(e.ID)},
		func(n graph.Node, r row) (map[string]any, error) {
			standing = r.text(4)
			return n.Claim(r.text(3), erase)
		})
	return standing, err
}

// eraseClaim erases a claim, with its standings, the reasons of its amendments, and the edges to its value.
func (w *txWriter) eraseClaim(ctx context.Context, e graph.Erasure) error {
	standing, err := w.rewriteClaim(ctx, e, tenure.Claim.Erase)
	if err != nil || standing == "" {
		return err
	}
	if _, _, err := w.run(ctx, dropValue, args{"id": string(e.ID)}); err != nil {
		return err
	}
	if _, err := w.each(ctx, unlinkCurrent, []any{args{"id": string(e.ID)}}); err != nil {
		return err
	}
	present, err := graph.Node{Body: standing}.PresentStanding()
	if err != nil {
		return err
	}
	if err := w.rewrite(ctx, standingsOf, setStanding, args{"id": string(e.ID)},
		func(n graph.Node, _ row) (map[string]any, error) { return n.Standing(present) }); err != nil {
		return err
	}
	if !present.Contested() {
		if _, _, err := w.run(ctx, `MATCH (b:Belief {tenant: $tenant, id: $id}) REMOVE b:WasContested`,
			args{"id": string(e.ID)}); err != nil {
			return err
		}
	}
	return w.eraseReasons(ctx, []tenure.ID{e.ID}, func(tenure.Amendment) bool { return true })
}

// eraseReasons erases the reasons of chosen amendments of some beliefs.
func (w *txWriter) eraseReasons(ctx context.Context, beliefs []tenure.ID, chosen func(tenure.Amendment) bool) error {
	rows, _, err := w.run(ctx, amendmentsOn, args{"beliefs": graph.Texts(beliefs)})
	for _, r := range rows {
		set, err := graph.Node{Body: r.text(1)}.Amendment(chosen)
		if err != nil {
			return err
		}
		if set == nil {
			continue
		}
		if _, _, err := w.run(ctx, fmt.Sprintf(setContent, "Amendment"), args{"id": r.text(0), "set": set}); err != nil {
			return err
		}
	}
	return err
}

// eraseVersions gives the versions of a thing up to the erasure the properties that set computes.
func (w *txWriter) eraseVersions(
	ctx context.Context, label string, id string, until int64, set func(graph.Node) (map[string]any, error),
) error {
	rows, _, err := w.run(ctx, fmt.Sprintf(versionsOf, label), args{"id": id, "until": until})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.number(3) > until {
			continue
		}
		values, err := set(graph.Node{Body: r.text(1)})
		if err != nil {
			return err
		}
		write := fmt.Sprintf(setVersion, label)
		if r.number(2) == 0 {
			write = fmt.Sprintf(setContent, label)
		}
		if _, _, err := w.run(ctx, write, args{"id": id, "start": r.number(2), "set": values}); err != nil {
			return err
		}
	}
	return nil
}

// eraseEntity erases from the versions of an entity up to a time what the last of these does not say, and the notes of
// people on it.
func (w *txWriter) eraseEntity(ctx context.Context, id string, until int64) error {
	rows, _, err := w.run(ctx, fmt.Sprintf(versionsOf, "Entity"), args{"id": id, "until": until})
	if err != nil {
		return err
	}
	var newest row
	for _, r := range rows {
		if at := r.number(3); at <= until && (newest == nil || at > newest.number(3)) {
			newest = r
		}
	}
	if newest == nil {
		return nil
	}
	present, err := graph.Node{Body: newest.text(1)}.PresentEntity()
	if err != nil {
		return err
	}
	if err := w.eraseVersions(ctx, "Entity", id, until, func(n graph.Node) (map[string]any, error) {
		return n.Entity(present)
	}); err != nil {
		return err
	}
	held := map[tenure.ID][]tenure.ID{} // the beliefs of each case
	for _, about := range []struct {
		label, find string
		set         func(graph.Node) (map[string]any, error)
	}{
		{"Review", reviewsOn, func(n graph.Node) (map[string]any, error) { return n.Review(present) }},
		{"IdentityDecision", decisionsOn, graph.Node.Decision},
		{"QuarantineCase", casesOn, func(n graph.Node) (map[string]any, error) {
			return n.Case(func(c tenure.Case) { held[c.ID] = append(held[c.ID], c.Holds...) })
		}},
	} {
		found, _, err := w.run(ctx, about.find, args{"id": id})
		if err != nil {
			return err
		}
		for _, r := range found {
			if err := w.eraseVersions(ctx, about.label, r.text(0), until, about.set); err != nil {
				return err
			}
		}
	}
	for id, beliefs := range held { // the notes on a case are the reasons of its amendments, too
		if err := w.eraseReasons(ctx, beliefs, func(a tenure.Amendment) bool { return a.Case == id }); err != nil {
			return err
		}
	}
	return nil
}
