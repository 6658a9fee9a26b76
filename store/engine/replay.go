package engine

import (
	"tenure"
	"tenure/store"
)

// Continue returns the entries that are not there yet, of a list of which the first continues the log after
// the head or is there already. It fails with Conflicting if the list is of another history.
func (h Head) Continue(list []store.Recorded) ([]store.Recorded, error) {
	other := tenure.Errorf(tenure.Conflicting, "the entries are not those of the history that is there")
	if n := len(list); n > 0 && list[n-1].Entry.Seq < h.Seq {
		return nil, other // whether they are there cannot be told by the head
	}
	for len(list) > 0 && list[0].Entry.Seq <= h.Seq {
		if e := list[0].Entry; e.Seq == h.Seq && e.Hash != h.Hash {
			return nil, other
		}
		list = list[1:]
	}
	before := h
	for _, r := range list {
		e := r.Entry
		if e.Seq != before.Seq+1 || e.Tx <= before.Tx && before.Seq > 0 {
			return nil, other
		}
		if e.Hash != e.Seal(before.Hash) {
			return nil, tenure.Errorf(tenure.Conflicting, "entry %d does not carry the hash of what it says", e.Seq)
		}
		before = HeadOf(e)
	}
	return list, nil
}

// SetsOf returns the change sets of entries.
func SetsOf(list []store.Recorded) []tenure.ChangeSet {
	sets := make([]tenure.ChangeSet, len(list))
	for i, r := range list {
		sets[i] = r.Set
	}
	return sets
}
