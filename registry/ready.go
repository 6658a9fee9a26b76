package registry

import (
	"hash/maphash"

	"tenure"
)

// readied bounds the profiles that a model keeps ready, in each half of its
// cache.
const readied = 4096

// hashSeed makes the fingerprints of profiles; it is another in each process.
var hashSeed = maphash.MakeSeed()

// PrepareRoot is Prepare for the profile of a root, which is kept ready: making
// it so costs ten times as much as a comparison.
func (m *Model) PrepareRoot(members []tenure.Entity) *Prepared {
	key := Fingerprint(members)
	if p, ok := m.ready.Get(key); ok {
		return p
	}
	p := m.Prepare(ProfileOf(members))
	m.ready.Put(key, p, 1)
	return p
}

// Fingerprint tells what members say apart, but for one case in 2^64. It is another in
// each process.
func Fingerprint(members []tenure.Entity) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	part := func(s string) {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0)
	}
	list := func(l []string) {
		for _, s := range l {
			part(s)
		}
		_ = h.WriteByte(1)
	}
	for _, e := range members {
		part(e.Type)
		part(e.Project)
		part(e.Name)
		list(e.Names)
		list(e.Context)
		for _, r := range e.Records {
			part(r.Source)
			part(r.ID)
		}
		for _, k := range sortedKeys(e.Attributes) {
			part(k)
			list(e.Attributes[k])
		}
		_ = h.WriteByte(2)
	}
	return h.Sum64()
}
