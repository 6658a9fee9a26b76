package engine

import (
	"crypto/sha256"
	"encoding/binary"
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

// Salting hashes the conflict keys of a tenant for its log. Each erasure replaces the salt, so that the hashes in the
// log confirm no guess of what was erased.
type Salting struct {
	Salt []byte
	From tenure.Seq // the newest entry whose write set was hashed with an earlier salt
}

// Hash returns a 64-bit hash of a conflict key.
func (s Salting) Hash(key tenure.ConflictKey) int64 {
	var room [128]byte
	sum := sha256.Sum256(append(append(room[:0], s.Salt...), key...))
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

// Check returns ErrChanged if an entry after base may have touched a conflict key that one of the sets reads. Last is
// the newest entry, and touched returns the hashes of the write sets of the entries after base. A collision of hashes
// costs one needless retry and nothing else, and so does an erasure since base.
func (s Salting) Check(
	base, last tenure.Seq, sets []tenure.ChangeSet, touched func() (map[int64]bool, error),
) error {
	if last == base {
		return nil
	}
	if last < base || base < s.From {
		return ErrChanged
	}
	hashes, err := touched()
	if err != nil {
		return err
	}
	for _, cs := range sets {
		for _, key := range cs.ReadSet {
			if hashes[s.Hash(key)] {
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
