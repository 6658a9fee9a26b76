package sqlite

import (
	"cmp"
	"database/sql"
	"fmt"

	"tenure"
	"tenure/store"
)

// batch gathers the rows of a group of change sets, so that each table is
// written in few statements.
type batch struct {
	w      *writer
	tenant int64
	rows   map[*table][][]any
	// newest is the newest version in this batch of each thing.
	newest map[version][]any
	ends   []ending
	// claims are those that standings are put for.
	claims map[tenure.ID]claimed
}

// version names a thing that has versions: its table and its key.
type version struct {
	t   *table
	key [4]string
}

// ending closes the version of a thing that was there before the batch.
type ending struct {
	t    *table
	args []any
}

type claimed struct {
	object string
	tx     int64 // 0 for one that the batch adds
	fresh  bool
}

func newBatch(w *writer, tenant int64) *batch {
	return &batch{
		w: w, tenant: tenant, rows: map[*table][][]any{},
		newest: map[version][]any{}, claims: map[tenure.ID]claimed{},
	}
}

// learn finds the claims that are there and get a standing.
func (b *batch) learn(sets []tenure.ChangeSet) error {
	for _, cs := range sets {
		for _, c := range cs.Changes {
			if c, ok := c.(tenure.ClaimAdded); ok {
				b.claims[c.Claim.ID] = claimed{object: string(c.Claim.Value.Entity), fresh: true}
			}
		}
	}
	for _, cs := range sets {
		for _, c := range cs.Changes {
			c, ok := c.(tenure.StandingPut)
			if !ok {
				continue
			}
			if err := b.learnClaim(c.Standing.Belief); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *batch) learnClaim(id tenure.ID) error {
	if _, ok := b.claims[id]; ok {
		return nil
	}
	rows, err := b.w.query(`SELECT object, tx FROM claim WHERE tenant = ?1 AND id = ?2`, b.tenant, string(id))
	found, err := scanAll(rows, err, func(rows *sql.Rows, c *claimed) error {
		return rows.Scan(&c.object, &c.tx)
	})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return tenure.Errorf(tenure.Internal, "the standing of %s is of no claim", id)
	}
	b.claims[id] = found[0]
	return nil
}

// add gathers the rows of one change set and returns what is the newest entry
// then.
func (b *batch) add(cs tenure.ChangeSet, seq tenure.Seq, tx tenure.Instant, previous string) (head, error) {
	for _, c := range cs.Changes {
		if err := b.change(c, int64(tx)); err != nil {
			return head{}, err
		}
	}
	entry := tenure.EntryOf(cs, seq, tx)
	entry.Hash = entry.Seal(previous)
	body, err := encode(entry)
	if err != nil {
		return head{}, err
	}
	b.insert(logTable, int64(seq), int64(tx), string(cs.ID), entry.Hash, packCells(cs.Touches()), body)
	for _, id := range entry.Entities() {
		b.insert(historyTable, string(id), int64(seq))
	}
	if cs.Key != nil {
		b.insert(receiptTable, cs.Key.Scope, int64(seq), int64(tx), cs.Key.Hash, cs.Answer)
	}
	return head{seq, tx, entry.Hash}, nil
}

// flush writes what was gathered.
func (b *batch) flush() error {
	for _, e := range b.ends {
		if err := b.w.exec(e.t.end, e.args...); err != nil {
			return err
		}
	}
	for _, t := range []*table{
		observationTable, mentionTable, assignmentTable, entityTable, ownerTable, verdictTable, reviewTable,
		aboutTable, claimTable, slotTable, linkTable, homeTable, standingTable, amendmentTable, caseTable, vocabularyTable, termTable, logTable, historyTable, receiptTable,
	} {
		if err := b.w.insert(t, b.rows[t]); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) insert(t *table, values ...any) {
	b.rows[t] = append(b.rows[t], append([]any{b.tenant}, values...))
}

// put adds a version of a thing and closes the one before. A fresh thing is
// known to have none. Of two versions with the same transaction time the
// first was never seen, and makes room.
func (b *batch) put(t *table, fresh bool, tx int64, key []string, values ...any) {
	row := []any{b.tenant}
	v := version{t: t}
	copy(v.key[:], key)
	for _, k := range key {
		row = append(row, k)
	}
	start, end := len(row), len(row)+1
	row = append(append(row, tx, forever), values...)
	switch before, ok := b.newest[v]; {
	case ok && before[start] == any(tx):
		copy(before, row)
		return
	case ok:
		before[end] = tx
	case !fresh:
		b.ends = append(b.ends, ending{t, append(append([]any{}, row[:start]...), tx)})
	}
	b.newest[v] = row
	b.rows[t] = append(b.rows[t], row)
}

// close ends the version of a thing.
func (b *batch) close(t *table, tx int64, key []string) {
	v := version{t: t}
	copy(v.key[:], key)
	args := []any{b.tenant}
	for _, k := range key {
		args = append(args, k)
	}
	if row, ok := b.newest[v]; ok {
		row[len(args)+1] = tx
		delete(b.newest, v)
		return
	}
	b.ends = append(b.ends, ending{t, append(args, tx)})
}

// move makes a claim that is found where it was made found elsewhere, too.
func (b *batch) move(c tenure.ClaimMoved, tx int64) error {
	body, err := encode(c.To)
	b.insert(homeTable, string(c.Claim), hash64(c.To.Key()), string(c.To.Subject), string(c.Object))
	b.insert(slotTable, c.To.Key(), tx, body)
	return err
}

// change gathers the rows of one change.
func (b *batch) change(c tenure.Change, tx int64) error {
	body, err := encode(bodyOf(c))
	if err != nil {
		return err
	}
	switch c := c.(type) {
	case tenure.ObservationAdded:
		b.insert(observationTable, string(c.Observation.ID), tx, body)
	case tenure.MentionAdded:
		b.insert(mentionTable, string(c.Mention.ID), tx, string(c.Mention.Observation), body)
	case tenure.MentionAssigned:
		b.put(assignmentTable, false, tx, []string{string(c.Assignment.Mention)}, string(c.Assignment.Entity), body)
	case tenure.EntityPut:
		b.put(entityTable, false, tx, []string{string(c.Entity.ID)}, body)
	case tenure.OwnerAdded:
		b.put(ownerTable, false, tx, ownerKey(c.Owner), body)
	case tenure.OwnerClosed:
		b.close(ownerTable, tx, ownerKey(c.Owner))
	case tenure.VerdictPut:
		b.put(verdictTable, false, tx, []string{string(c.Verdict.ID)}, string(c.Verdict.From), string(c.Verdict.Into), body)
	case tenure.ReviewPut:
		b.put(reviewTable, false, tx, []string{string(c.Review.ID)}, string(c.Review.State), c.Review.Rank(), body)
		b.insert(aboutTable, string(c.Review.Entity), string(c.Review.ID))
		for _, o := range c.Review.Candidates {
			b.insert(aboutTable, string(o.Entity), string(c.Review.ID))
		}
	case tenure.ClaimAdded:
		return b.claim(c.Claim, tx)
	case tenure.ClaimMoved:
		return b.move(c, tx)
	case tenure.StandingPut:
		b.standing(c, tx, body)
	case tenure.Amended:
		b.insert(amendmentTable, string(c.Amendment.Belief), tx, string(c.Amendment.ID), body)
	case tenure.CasePut:
		slot := int64(0)
		if !c.Case.CrossScope {
			slot = hash64(c.Case.Slot().Key())
		}
		b.put(caseTable, false, tx, []string{string(c.Case.ID)}, slot, string(c.Case.Subject), string(c.Case.State), body)
	case tenure.VocabularyPut:
		b.put(vocabularyTable, false, tx, []string{c.Vocabulary.Name}, body)
	case tenure.TermPut:
		b.put(termTable, false, tx, []string{c.Term.ID()}, c.Term.Vocabulary, c.Term.Name, flag(c.Term.Removed), body)
	default:
		return fmt.Errorf("a change of the unknown kind %s", c.Kind())
	}
	return nil
}

// bodyOf is what is kept of a change as JSON.
func bodyOf(c tenure.Change) any {
	switch c := c.(type) {
	case tenure.ObservationAdded:
		return c.Observation
	case tenure.MentionAdded:
		return c.Mention
	case tenure.MentionAssigned:
		return c.Assignment
	case tenure.EntityPut:
		return c.Entity
	case tenure.OwnerAdded:
		return c.Owner
	case tenure.VerdictPut:
		return c.Verdict
	case tenure.ReviewPut:
		return c.Review
	case tenure.StandingPut:
		return c.Standing
	case tenure.Amended:
		return c.Amendment
	case tenure.CasePut:
		return c.Case
	case tenure.VocabularyPut:
		return c.Vocabulary
	case tenure.TermPut:
		return c.Term
	}
	return nil
}

func ownerKey(o tenure.Owner) []string {
	return []string{o.Form.Kind, o.Form.Key, string(o.Entity), string(o.Mention)}
}

// The kinds of link.
const (
	supersedes = 1
	dependsOn  = 2
)

func (b *batch) claim(c tenure.Claim, tx int64) error {
	body, value, err := encodeClaim(c)
	if err != nil {
		return err
	}
	slot := c.Slot()
	slotBody, err := encode(slot)
	if err != nil {
		return err
	}
	b.insert(claimTable, string(c.ID), tx, hash64(slot.Key()), hash64(c.Key), string(c.Subject), c.Predicate,
		string(c.Value.Entity), value, body)
	b.insert(slotTable, slot.Key(), tx, slotBody)
	for _, id := range c.Supersedes {
		b.insert(linkTable, supersedes, string(id), string(c.ID), tx)
	}
	for _, id := range c.DependsOn {
		b.insert(linkTable, dependsOn, string(id), string(c.ID), tx)
	}
	known := b.claims[c.ID]
	known.tx = tx
	b.claims[c.ID] = known
	return nil
}

func (b *batch) standing(c tenure.StandingPut, tx int64, body string) {
	known := b.claims[c.Standing.Belief]
	from, until, gaps := hullOf(c.Standing)
	recorded := known.tx
	if recorded == 0 {
		recorded = tx // the claim follows in the same set
	}
	object := cmp.Or(string(c.Standing.Object), known.object)
	b.put(standingTable, known.fresh, tx, []string{string(c.Standing.Belief)}, string(c.Slot.Subject), object,
		recorded, from, until, flag(gaps), flag(store.Contested(c.Standing)), body)
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
