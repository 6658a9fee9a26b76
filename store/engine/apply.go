package engine

import (
	"hash/fnv"

	"tenure"
)

// Head is the newest entry of a tenant's log, the zero Head that of an empty one.
type Head struct {
	Seq  tenure.Seq
	Tx   tenure.Instant
	Hash string
}

// Append returns the entry that a change set makes after the head, sealed, and its
// receipt. Transaction times rise, also where the clock does not.
func (h Head) Append(cs tenure.ChangeSet, now tenure.Instant) (tenure.Entry, tenure.Receipt) {
	entry := tenure.EntryOf(cs, h.Seq+1, max(now, h.Tx+1))
	entry.Hash = entry.Seal(h.Hash)
	return entry, ReceiptOf(cs, entry.Seq, entry.Tx)
}

// HeadOf returns the head of a log that the entry was appended to.
func HeadOf(e tenure.Entry) Head { return Head{e.Seq, e.Tx, e.Hash} }

// ReceiptOf returns the receipt of a change set that was applied.
func ReceiptOf(cs tenure.ChangeSet, seq tenure.Seq, tx tenure.Instant) tenure.Receipt {
	r := tenure.Receipt{Seq: seq, Tx: tx, Answer: cs.Answer}
	if cs.Key != nil {
		r.Hash = cs.Key.Hash
	}
	return r
}

// ErrChanged is the error of sets that were decided on what has changed since.
var ErrChanged = tenure.Errorf(tenure.Conflicting, "what was decided upon has changed in the meantime")

// CheckReads returns ErrChanged where one of the sets has read a cell that was
// touched. Cells are compared by their hashes: that two share one costs another
// decision and nothing else.
func CheckReads(sets []tenure.ChangeSet, touched map[int64]bool) error {
	for _, cs := range sets {
		for _, cell := range cs.ReadSet {
			if touched[Hash(string(cell))] {
				return ErrChanged
			}
		}
	}
	return nil
}

// Hash returns a short stand-in for a text, the FNV-1a hash of 64 bits: equal texts
// have equal hashes.
func Hash(text string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return int64(h.Sum64())
}
