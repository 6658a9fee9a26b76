package sqlite

import (
	"database/sql"

	"tenure"
	"tenure/store/engine"
)

// batch collects the rows of a group of change sets, so that each table is written in few statements.
type batch struct {
	w      *writer
	tenant int64
	tx     int64 // of the change set being added
	rows   map[*table][][]any
	// newest holds the newest version of each thing in this batch.
	newest map[version][]any
	ends   []ending
	// claims holds the claims whose standings are put.
	claims map[tenure.ID]claimed
	// erasures are carried out once the rows are written.
	erasures []erasure
	erased   int64 // the newest entry that erases
	last     int64 // the newest entry
	salting  engine.Salting
}

// version identifies a versioned thing by its table and its key.
type version struct {
	t   *table
	key [4]string
}

// ending closes a version that was stored before the batch.
type ending struct {
	t    *table
	args []any
}

type claimed struct {
	object string
	tx     int64 // 0 for a claim that the batch adds
	fresh  bool
}

func newBatch(w *writer, tenant int64) (*batch, error) {
	found, err := query(w, func(rows *sql.Rows, s *engine.Salting) error { return rows.Scan(&s.Salt, &s.From) },
		`SELECT salt, salted FROM tenant WHERE pk = ?1`, tenant)
	if err != nil {
		return nil, err
	}
	return &batch{
		w: w, tenant: tenant, rows: map[*table][][]any{},
		newest: map[version][]any{}, claims: map[tenure.ID]claimed{}, salting: found[0],
	}, nil
}

// learn loads the stored claims that get a standing.
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
	found, err := query(b.w, func(rows *sql.Rows, c *claimed) error {
		return rows.Scan(&c.object, &c.tx)
	}, `SELECT object, tx FROM claim WHERE tenant = ?1 AND id = ?2`, b.tenant, string(id))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return tenure.Errorf(tenure.Internal, "the standing of %s is of no claim", id)
	}
	b.claims[id] = found[0]
	return nil
}

// add collects the rows of one change set and its log entry.
func (b *batch) add(cs tenure.ChangeSet, entry tenure.Entry) error {
	seq := int64(entry.Seq)
	b.last = seq
	if engine.Erases(cs) {
		b.erased = seq
	}
	b.tx = int64(entry.Tx)
	for _, c := range cs.Changes {
		if err := c.Accept(b); err != nil {
			return err
		}
	}
	body, err := engine.Encode(entry)
	if err != nil {
		return err
	}
	b.insert(logTable, seq, b.tx, string(cs.ID), entry.Hash, packHashes(b.salting, cs.WriteSet()), body, entry.Salt)
	for _, id := range entry.Entities() {
		b.insert(historyTable, string(id), seq)
	}
	if cs.Key != nil {
		b.insert(receiptTable, cs.Key.Scope, seq, b.tx, cs.Key.Hash, cs.Answer)
	}
	return nil
}

// flush writes the collected rows.
func (b *batch) flush() error {
	for _, e := range b.ends {
		if err := b.w.exec(e.t.end, e.args...); err != nil {
			return err
		}
	}
	for _, t := range []*table{
		observationTable, proposalTable, mentionTable, assignmentTable, entityTable, aliasTable, identityDecisionTable,
		reviewTable, aboutTable, claimTable, slotTable, linkTable, relocationTable, standingTable, amendmentTable,
		caseTable, vocabularyTable, termTable, documentTable, passageTable, logTable, historyTable, receiptTable,
	} {
		if err := b.w.insert(t, b.rows[t]); err != nil {
			return err
		}
	}
	return b.erase()
}

func (b *batch) insert(t *table, values ...any) {
	b.rows[t] = append(b.rows[t], append([]any{b.tenant}, values...))
}

// put adds a version of a thing and closes the version before. A fresh thing is known to have none. Of two
// versions with the same transaction time no reader can have seen the first, so the second replaces it.
func (b *batch) put(t *table, fresh bool, key []string, values ...any) {
	row := []any{b.tenant}
	v := version{t: t}
	copy(v.key[:], key)
	for _, k := range key {
		row = append(row, k)
	}
	start, end := len(row), len(row)+1
	row = append(append(row, b.tx, forever), values...)
	switch before, ok := b.newest[v]; {
	case ok && before[start] == any(b.tx):
		copy(before, row)
		return
	case ok:
		before[end] = b.tx
	case !fresh:
		b.ends = append(b.ends, ending{t, append(append([]any{}, row[:start]...), b.tx)})
	}
	b.newest[v] = row
	b.rows[t] = append(b.rows[t], row)
}

// close closes the open version of a thing.
func (b *batch) close(t *table, key []string) {
	v := version{t: t}
	copy(v.key[:], key)
	args := []any{b.tenant}
	for _, k := range key {
		args = append(args, k)
	}
	if row, ok := b.newest[v]; ok {
		row[len(args)+1] = b.tx
		delete(b.newest, v)
		return
	}
	b.ends = append(b.ends, ending{t, append(args, b.tx)})
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
