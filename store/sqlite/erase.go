package sqlite

import (
	"database/sql"
	"fmt"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// erasure is content to be erased, and the transaction time of the change set that erases it: later versions were made
// of what is left.
type erasure struct {
	tenure.ContentErased

	tx int64
}

// ContentErased notes what is erased once the versions of the batch are written.
func (b *batch) ContentErased(c tenure.ContentErased) error {
	b.erasures = append(b.erasures, erasure{c, b.tx})
	return nil
}

// erase erases content in all rows that hold it.
func (b *batch) erase() error {
	for _, e := range b.erasures {
		var err error
		switch e.Kind {
		case tenure.ErasedObservation:
			err = b.eraseObservation(e, tenure.Observation.Erase)
		case tenure.ErasedText:
			err = b.eraseObservation(e, tenure.Observation.EraseText)
		case tenure.ErasedMention:
			err = b.eraseMention(e)
		case tenure.ErasedClaim:
			err = b.eraseClaim(e)
		case tenure.ErasedWording:
			_, err = b.rewriteClaim(e, tenure.Claim.EraseWording)
		case tenure.ErasedDocument:
			err = b.eraseDocument(e)
		case tenure.ErasedEntity: // below, with those that erased mentions were assigned to
		}
		if err != nil {
			return fmt.Errorf("erase the %s %s: %w", e.Kind, e.ID, err)
		}
	}
	if b.erased == 0 {
		return nil
	}
	if err := b.eraseEntities(); err != nil {
		return err
	}
	if err := b.eraseSalts(); err != nil {
		return err
	}
	for _, table := range []string{"erasure", "unpurged"} {
		if err := b.w.exec(`INSERT OR REPLACE INTO `+table+` (tenant, seq) VALUES (?1, ?2)`, b.tenant, b.erased); err != nil {
			return err
		}
	}
	return nil
}

// eraseSalts erases the salts of the entries that added what is erased, and replaces that of write sets, so that
// neither digests nor write sets confirm a guess.
func (b *batch) eraseSalts() error {
	for _, e := range b.erasures {
		if err := b.w.exec(`UPDATE log SET salt = NULL WHERE tenant = ?1 AND tx < ?3 AND tx IN (
			SELECT tx FROM observation WHERE tenant = ?1 AND id = ?2
			UNION ALL SELECT tx FROM mention WHERE tenant = ?1 AND id = ?2
			UNION ALL SELECT tx FROM claim WHERE tenant = ?1 AND id = ?2
			UNION ALL SELECT tx_start FROM document WHERE tenant = ?1 AND id = ?2)`,
			b.tenant, string(e.ID), e.tx); err != nil {
			return err
		}
	}
	return b.w.exec(`UPDATE tenant SET salt = ?2, salted = ?3 WHERE pk = ?1`, b.tenant, tenure.NewSalt(), b.last)
}

// rewrite replaces, in one table, the bodies of the rows whose first keys are those given: the rest of the primary key
// of a row is in last. The statement to read selects last and body.
func rewrite[T any](b *batch, table, where, last string, keys []any, change func(T) T) error {
	type kept struct {
		last any
		body T
	}
	args := append([]any{b.tenant}, keys...)
	found, err := query(b.w, func(rows *sql.Rows, k *kept) error {
		var body string
		if err := rows.Scan(&k.last, &body); err != nil {
			return err
		}
		return engine.Decode(body, &k.body)
	}, fmt.Sprintf(`SELECT %s, body FROM %s WHERE tenant = ?1 AND %s`, last, table, where), args...)
	if err != nil {
		return err
	}
	set := fmt.Sprintf(`UPDATE %s SET body = ?%d WHERE tenant = ?1 AND %s AND %s = ?%d`, table, len(args)+1, where, last,
		len(args)+2)
	for _, k := range found {
		body, err := engine.Encode(change(k.body))
		if err != nil {
			return err
		}
		if err := b.w.exec(set, append(args, body, k.last)...); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) eraseObservation(e erasure, erase func(tenure.Observation) tenure.Observation) error {
	found, err := query(b.w, scanBody[tenure.Observation],
		`SELECT body FROM observation WHERE tenant = ?1 AND id = ?2`, b.tenant, string(e.ID))
	if err != nil {
		return err
	}
	for _, had := range found {
		o := erase(had)
		if err := b.eraseSources(e, had); err != nil {
			return err
		}
		body, err := engine.Encode(o)
		if err != nil {
			return err
		}
		if err := b.w.exec(`UPDATE observation SET body = ?3, session = ?4, project = ?5, speaker = ?6, thread = ?7,
			proposes = ?8, text_speaker = ?9, text_thread = ?10 WHERE tenant = ?1 AND id = ?2`,
			b.tenant, string(e.ID), body, store.BySession.Field(o), store.ByProject.Field(o), store.BySpeaker.Field(o),
			store.ByThread.Field(o), store.ByProposal.Field(o), store.ByTextSpeaker.Field(o), store.ByTextThread.Field(o),
		); err != nil {
			return err
		}
		for _, of := range had.ProposesOf() {
			if err := b.w.exec(`DELETE FROM proposal WHERE tenant = ?1 AND entity = ?2 AND observation = ?3`, b.tenant,
				string(of), string(o.ID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// eraseSources takes who said it and where from the claims of an observation of which that is erased.
func (b *batch) eraseSources(e erasure, o tenure.Observation) error {
	if e.Kind != tenure.ErasedObservation {
		return nil
	}
	for _, id := range o.Claims {
		e.ID = id
		if _, err := b.rewriteClaim(e, tenure.Claim.EraseSource); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) eraseMention(e erasure) error {
	return rewrite(b, "mention", "id = ?2", "tx", []any{string(e.ID)}, tenure.Mention.Erase)
}

// eraseEntities erases the entities, and of those that the erased mentions were ever assigned to what the mentions said
// and gave.
func (b *batch) eraseEntities() error {
	mentions, tx := map[string]map[tenure.ID]bool{}, map[string]int64{} // by entity
	for _, e := range b.erasures {
		var entities []string
		switch e.Kind {
		case tenure.ErasedEntity:
			entities = []string{string(e.ID)}
		case tenure.ErasedMention:
			var err error
			if entities, err = query(b.w, scanOne[string],
				`SELECT DISTINCT entity FROM assignment WHERE tenant = ?1 AND mention = ?2`, b.tenant, string(e.ID)); err != nil {
				return err
			}
		}
		for _, id := range entities {
			if mentions[id] == nil {
				mentions[id] = map[tenure.ID]bool{}
			}
			mentions[id][e.ID], tx[id] = true, e.tx
		}
	}
	for id, of := range mentions {
		if err := b.eraseAliasesOf(id, of); err != nil {
			return err
		}
		if err := b.eraseEntity(id, tx[id]); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) eraseAliasesOf(entity string, mentions map[tenure.ID]bool) error {
	found, err := query(b.w, scanBody[tenure.Alias],
		`SELECT body FROM alias INDEXED BY alias_entity WHERE tenant = ?1 AND entity = ?2`, b.tenant, entity)
	if err != nil {
		return err
	}
	numbers := map[tenure.ID]int{}
	done := map[string]bool{}
	for _, a := range found {
		row := aliasRowKey(a)
		if !mentions[a.Mention] || done[fmt.Sprint(row)] || a.Key.Kind == tenure.ErasedAlias {
			continue
		}
		done[fmt.Sprint(row)] = true
		numbers[a.Mention]++
		erased := a.Erase(numbers[a.Mention])
		body, err := engine.Encode(erased)
		if err != nil {
			return err
		}
		if err := b.w.exec(`UPDATE alias SET kind = ?6, key = ?7, body = ?8
			WHERE tenant = ?1 AND kind = ?2 AND key = ?3 AND entity = ?4 AND mention = ?5`,
			b.tenant, row[0], row[1], row[2], row[3], erased.Key.Kind, erased.Key.Key, body); err != nil {
			return err
		}
	}
	return nil
}

// rewriteClaim replaces a claim, and returns whether there is one.
func (b *batch) rewriteClaim(e erasure, erase func(tenure.Claim) tenure.Claim) (bool, error) {
	found, err := query(b.w, func(rows *sql.Rows, c *tenure.Belief) (err error) {
		belief, _, err := scanBelief(rows)
		if err == nil {
			*c = *belief
		}
		return err
	}, `SELECT 0, tx, body, value, NULL FROM claim WHERE tenant = ?1 AND id = ?2`, b.tenant, string(e.ID))
	if err != nil || len(found) == 0 {
		return false, err
	}
	c := erase(found[0].Claim)
	body, value, err := encodeClaim(c)
	if err != nil {
		return true, err
	}
	return true, b.w.exec(`UPDATE claim SET key = ?3, object = ?4, value = ?5, body = ?6 WHERE tenant = ?1 AND id = ?2`,
		b.tenant, string(e.ID), engine.Hash(c.Key), string(c.Value.Entity), value, body)
}

// eraseClaim erases a claim, with its standings, the reasons of its amendments, and where it was before it was moved.
func (b *batch) eraseClaim(e erasure) error {
	if found, err := b.rewriteClaim(e, tenure.Claim.Erase); err != nil || !found {
		return err
	}
	id := string(e.ID)
	present, err := query(b.w, scanBody[tenure.Standing], `SELECT body FROM standing
		WHERE tenant = ?1 AND belief = ?2 AND tx_start <= ?3 ORDER BY tx_start DESC LIMIT 1`, b.tenant, id, e.tx)
	if err != nil || len(present) == 0 {
		return err
	}
	if err := rewrite(b, "standing", "belief = ?2", "tx_start", []any{id},
		func(s tenure.Standing) tenure.Standing { return s.Erase(present[0]) }); err != nil {
		return err
	}
	from, until, gaps := spanOf(present[0])
	if err := b.w.exec(`UPDATE standing SET object = '', span_from = ?3, span_until = ?4, gaps = ?5, contested = ?6
		WHERE tenant = ?1 AND belief = ?2`,
		b.tenant, id, from, until, flag(gaps), flag(present[0].Contested())); err != nil {
		return err
	}
	if err := b.w.exec(`UPDATE OR REPLACE relocation SET object = '' WHERE tenant = ?1 AND belief = ?2`, b.tenant,
		id); err != nil {
		return err
	}
	return rewrite(b, "amendment", "belief = ?2", "id", []any{id}, tenure.Amendment.Erase)
}

// eraseEntity erases from the versions of an entity up to a time what the last of these does not say, and the notes of
// people on it.
func (b *batch) eraseEntity(id string, tx int64) error {
	present, err := query(b.w, scanBody[tenure.Entity], `SELECT body FROM entity
		WHERE tenant = ?1 AND id = ?2 AND tx_start <= ?3 ORDER BY tx_start DESC LIMIT 1`, b.tenant, id, tx)
	if err != nil || len(present) == 0 {
		return err
	}
	if err := rewrite(b, "entity", "id = ?2 AND tx_start <= ?3", "tx_start", []any{id, tx},
		func(v tenure.Entity) tenure.Entity { return v.Erase(present[0]) }); err != nil {
		return err
	}
	reviews, err := query(b.w, scanOne[string], `SELECT review FROM review_entity WHERE tenant = ?1 AND entity = ?2`,
		b.tenant, id)
	if err != nil {
		return err
	}
	for _, review := range reviews {
		if err := rewrite(b, "review", "id = ?2 AND tx_start <= ?3", "tx_start", []any{review, tx},
			func(r tenure.Review) tenure.Review { return r.Erase(present[0]) }); err != nil {
			return err
		}
	}
	for _, side := range []string{"source", "target"} {
		if err := rewrite(b, "identity_decision INDEXED BY identity_decision_"+side, side+" = ?2 AND tx_start <= ?3",
			"id || '/' || tx_start", []any{id, tx}, tenure.IdentityDecision.Erase); err != nil {
			return err
		}
	}
	cases, err := query(b.w, scanOne[string], `SELECT id FROM quarantine INDEXED BY quarantine_subject
		WHERE tenant = ?1 AND subject = ?2 AND tx_end = 9223372036854775807`, b.tenant, id)
	if err != nil {
		return err
	}
	for _, c := range cases {
		if err := b.eraseCase(c, tx); err != nil {
			return err
		}
	}
	return nil
}

// eraseCase erases the notes of people on a case, which are the reasons of its amendments, too.
func (b *batch) eraseCase(id string, tx int64) error {
	held := map[tenure.ID]bool{}
	if err := rewrite(b, "quarantine", "id = ?2 AND tx_start <= ?3", "tx_start", []any{id, tx},
		func(c tenure.Case) tenure.Case {
			for _, belief := range c.Holds {
				held[belief] = true
			}
			return c.Erase()
		}); err != nil {
		return err
	}
	for belief := range held {
		if err := rewrite(b, "amendment", "belief = ?2 AND body ->> '$.case' = ?3", "id", []any{string(belief), id},
			tenure.Amendment.Erase); err != nil {
			return err
		}
	}
	return nil
}
