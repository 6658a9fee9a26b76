package ledger

import "github.com/google/uuid"

// Digests is the cache of digests, with a limit of its own.
type Digests struct{ d *digests }

func NewDigests(limit int) Digests { return Digests{newDigests(limit)} }

func (d Digests) Put(id uuid.UUID, digest string) { d.d.put(digestKey{1, id}, []byte(digest)) }
func (d Digests) Get(id uuid.UUID) string         { return string(d.d.get(digestKey{1, id})) }
