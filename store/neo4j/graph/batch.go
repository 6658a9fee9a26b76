package graph

import (
	"tenure"
	"tenure/store/engine"
)

// Batch collects the rows of a group of change sets, so that each kind of thing is written by one statement.
type Batch struct {
	tenant  string
	salting engine.Salting
	tx      int64 // of the change set being added

	Entities, Decisions, Reviews, Cases, Vocabularies, Terms, Standings, Documents Versions

	Observations  []any // with their mentions and claims
	Proposals     []any // the entities of which observations propose a change
	Mentions      []any // of existing observations
	Assignments   []any // of existing mentions
	Aliases       []any
	ClosedAliases []any // stored aliases to close
	Asked         []any // the entities that versions of reviews name
	Claims        []any // of existing observations
	Relations     []any
	Names         []any // what claims name as superseded
	Depends       []any
	Amendments    []any
	Undone        []any
	Moves         []any
	Passages      []any
	Entries       []any
	Erasures      []Erasure
	Erased        int64 // the newest entry that erases
	Last          int64 // the newest entry

	observation map[tenure.ID]props
	mention     map[tenure.ID]props
	claim       map[tenure.ID]props
	// judged lists the beliefs that get a standing, losses what each of these standings lost.
	judged []tenure.ID
	losses map[tenure.ID][]LossVersion
	// ending holds the stored aliases that the batch closes, openAliases the batch's own open alias edges.
	ending      map[aliasID]bool
	openAliases map[aliasID][]props
}

// aliasID identifies an alias. The same alias may be added and closed several times.
type aliasID struct {
	form            tenure.AliasKey
	entity, mention tenure.ID
}

// NewBatch returns an empty batch of a tenant, whose write sets are hashed with a salt.
func NewBatch(tenant string, salting engine.Salting) *Batch {
	return &Batch{
		tenant: tenant, salting: salting,
		observation: map[tenure.ID]props{}, mention: map[tenure.ID]props{}, claim: map[tenure.ID]props{},
		losses: map[tenure.ID][]LossVersion{},
		ending: map[aliasID]bool{}, openAliases: map[aliasID][]props{},
	}
}

// Versions collects the versions of things by key. The newest version goes into the thing's own node, each
// earlier one into a history node.
type Versions struct {
	Rows []any
	by   map[string]*version
}

type version struct {
	row  props
	tx   int64
	past []any
}

// put adds a version with the node's properties as values. Of two versions with the same time no reader can
// have seen the first, so the second replaces it.
func (v *Versions) put(key string, tx int64, values props) {
	have := v.by[key]
	if have == nil {
		if v.by == nil {
			v.by = map[string]*version{}
		}
		have = &version{row: props{"id": key, "first": tx}}
		v.by[key] = have
		v.Rows = append(v.Rows, have.row)
	} else if have.tx != tx {
		old := have.row["set"].(props)
		old["tx_start"], old["tx_end"] = have.tx, tx
		have.past = append(have.past, old)
	}
	have.tx = tx
	have.row["tx"], have.row["set"], have.row["past"] = tx, values, have.past
}

// Add collects the rows of one change set. Observations come first, since their mentions and claims are
// written with them.
func (b *Batch) Add(cs tenure.ChangeSet, tx int64) error {
	b.tx = tx
	for _, first := range []bool{true, false} {
		for _, c := range cs.Changes {
			if _, is := c.(tenure.ObservationAdded); is != first {
				continue
			}
			if err := c.Accept(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// Log adds the log entry of a change set, which is also its receipt.
func (b *Batch) Log(cs tenure.ChangeSet, e tenure.Entry) error {
	body, err := engine.Encode(e)
	if err != nil {
		return err
	}
	b.Last = int64(e.Seq)
	if engine.Erases(cs) {
		b.Erased = int64(e.Seq)
	}
	keys := []any{}
	for _, c := range cs.WriteSet() {
		keys = append(keys, b.salting.Hash(c))
	}
	set := props{
		"tenant": b.tenant, "seq": int64(e.Seq), "tx": int64(e.Tx), "id": string(e.ID), "operation": e.Operation,
		"actor": e.Actor, "hash": e.Hash, "write_set": keys, "body": body,
	}
	withTimes(set, "tx")
	if e.Salt != nil {
		set["salt"] = e.Salt
	}
	if cs.Answer != nil {
		set["answer"] = cs.Answer
	}
	if cs.Key != nil {
		set["key"], set["key_hash"] = Indexable(cs.Key.Scope), cs.Key.Hash
	}
	touched := Texts(e.Entities())
	r := props{"set": set, "seq": int64(e.Seq), "others": []any{}}
	if len(touched) > 0 {
		set["entity"], r["others"] = touched[0], touched[1:]
	}
	b.Entries = append(b.Entries, r)
	return nil
}

// Gather numbers, stamps and seals the change sets and converts them to rows.
func (b *Batch) Gather(
	sets []tenure.ChangeSet, last engine.Head, now tenure.Instant,
) ([]tenure.Receipt, engine.Head, error) {
	receipts := make([]tenure.Receipt, 0, len(sets))
	for _, cs := range sets {
		entry, receipt, err := last.Append(cs, now)
		if err != nil {
			return nil, last, err
		}
		if err := b.Add(cs, int64(entry.Tx)); err != nil {
			return nil, last, err
		}
		if err := b.Log(cs, entry); err != nil {
			return nil, last, err
		}
		last = engine.HeadOf(entry)
		receipts = append(receipts, receipt)
	}
	return receipts, last, nil
}
