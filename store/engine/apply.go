package engine

import (
	"hash/fnv"
	"slices"

	"tenure"
)

// Head is the newest entry of a tenant's log. The zero Head stands for an empty log.
type Head struct {
	Seq  tenure.Seq
	Tx   tenure.Instant
	Hash string
}

// Append returns the sealed log entry of a change set that is applied after the head, with a new salt, and its
// receipt. Transaction times increase strictly, even if the clock stands or goes back.
func (h Head) Append(cs tenure.ChangeSet, now tenure.Instant) (entry tenure.Entry, r tenure.Receipt, err error) {
	entry = tenure.EntryOf(cs, h.Seq+1, max(now, h.Tx+1))
	salt := tenure.NewSalt()
	if entry.Digest, err = cs.Digest(salt); err != nil {
		return entry, r, err
	}
	if entry.Digest != "" {
		entry.Salt = salt
	}
	entry.Hash = entry.Seal(h.Hash)
	return entry, ReceiptOf(cs, entry.Seq, entry.Tx), nil
}

// HeadOf returns the head of a log whose newest entry is e.
func HeadOf(e tenure.Entry) Head { return Head{e.Seq, e.Tx, e.Hash} }

// ReceiptOf returns the receipt of a change set that was applied.
func ReceiptOf(cs tenure.ChangeSet, seq tenure.Seq, tx tenure.Instant) tenure.Receipt {
	r := tenure.Receipt{Seq: seq, Tx: tx, Answer: cs.Answer}
	if cs.Key != nil {
		r.Hash = cs.Key.Hash
	}
	return r
}

// ErrChanged reports that something in the read set of a change set was changed since.
var ErrChanged = tenure.Errorf(tenure.Conflicting, "what was decided upon has changed in the meantime")

// CheckReads returns ErrChanged if a read set contains a touched conflict key. Conflict keys are compared by
// their hashes: a collision costs one needless retry and nothing else.
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

// Hash returns the 64-bit FNV-1a hash of a text.
func Hash(text string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return int64(h.Sum64())
}

// Erases reports whether a set erases content.
func Erases(cs tenure.ChangeSet) bool {
	return slices.ContainsFunc(cs.Changes, func(c tenure.Change) bool {
		_, erases := c.(tenure.ContentErased)
		return erases
	})
}
