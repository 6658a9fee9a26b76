package neo4j

import (
	"tenure"
	"tenure/store/engine"
)

// batch collects the rows of a group of change sets, so that each kind of thing is written by one statement.
type batch struct {
	tenant string
	tx     int64 // of the change set being added

	entities, decisions, reviews, cases, vocabularies, terms, standings versions

	observations  []any // with their mentions and claims
	mentions      []any // of existing observations
	assignments   []any // of existing mentions
	aliases       []any
	closedAliases []any // stored aliases to close
	asked         []any // the entities that versions of reviews name
	claims        []any // of existing observations
	relations     []any
	names         []any // what claims name as superseded
	depends       []any
	amendments    []any
	undone        []any
	moves         []any
	entries       []any

	observation map[tenure.ID]args
	mention     map[tenure.ID]args
	claim       map[tenure.ID]args
	// judged lists the beliefs that get a standing, losses what each of these standings lost.
	judged []tenure.ID
	losses map[tenure.ID][]lossVersion
	// ending holds the stored aliases that the batch closes, openAliases the batch's own open alias edges.
	ending      map[aliasID]bool
	openAliases map[aliasID][]args
}

// aliasID identifies an alias. The same alias may be added and closed several times.
type aliasID struct {
	form            tenure.AliasKey
	entity, mention tenure.ID
}

func newBatch(tenant string) *batch {
	return &batch{
		tenant:      tenant,
		observation: map[tenure.ID]args{}, mention: map[tenure.ID]args{}, claim: map[tenure.ID]args{},
		losses: map[tenure.ID][]lossVersion{},
		ending: map[aliasID]bool{}, openAliases: map[aliasID][]args{},
	}
}

// versions collects the versions of things by key. The newest version goes into the thing's own node, each
// earlier one into a history node.
type versions struct {
	rows []any
	by   map[string]*version
}

type version struct {
	row  args
	tx   int64
	past []any
}

// put adds a version with the node's properties as values. Of two versions with the same time no reader can
// have seen the first, so the second replaces it.
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

// add collects the rows of one change set. Observations come first, since their mentions and claims are
// written with them.
func (b *batch) add(cs tenure.ChangeSet, tx int64) error {
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

// log adds the log entry of a change set, which is also its receipt.
func (b *batch) log(cs tenure.ChangeSet, e tenure.Entry) error {
	body, err := engine.Encode(e)
	if err != nil {
		return err
	}
	keys := []any{}
	for _, c := range cs.WriteSet() {
		keys = append(keys, engine.Hash(string(c)))
	}
	set := args{
		"tenant": b.tenant, "seq": int64(e.Seq), "tx": int64(e.Tx), "id": string(e.ID), "operation": e.Operation,
		"actor": e.Actor, "hash": e.Hash, "write_set": keys, "body": body,
	}
	withTimes(set, "tx")
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
