package similarity

import (
	"fmt"
	"hash/maphash"

	"tenure"
	"tenure/cache"
)

// Bounds of the profiles and of the pairs of them that a model keeps, in each half
// of a cache.
const (
	readied = 4096
	paired  = 1 << 16
)

// kept is what a model remembers of what it was asked about: the same come again
// with all that happens near them.
type kept struct {
	ready *cache.Cache[uint64, *Prepared]
	pairs *cache.Cache[[2]uint64, Pair]
}

func newKept() kept {
	return kept{cache.New[uint64, *Prepared](readied), cache.New[[2]uint64, Pair](paired)}
}

// hashSeed makes the fingerprints of profiles; it is another in each process.
var hashSeed = maphash.MakeSeed()

// PrepareRoot is Prepare for the profile of a root, which is kept ready: making
// it so costs ten times as much as a comparison.
func (m *Model) PrepareRoot(members []tenure.Entity) *Prepared {
	return m.readied(Fingerprint(members), func() Profile { return ProfileOf(members) })
}

// Ready is Prepare for a profile that comes again, and is kept.
func (m *Model) Ready(p Profile) *Prepared {
	h := newFingerprint()
	h.says(p.Type, p.Project, p.Names, p.Context, p.Records, p.Attributes)
	h.defines(p.IdentifierKinds)
	for _, n := range p.Neighbours {
		h.part(string(n))
	}
	return m.readied(h.Sum64(), func() Profile { return p })
}

func (m *Model) readied(key uint64, profile func() Profile) *Prepared {
	if p, ok := m.kept.ready.Get(key); ok {
		return p
	}
	p := m.Prepare(profile())
	m.kept.ready.Put(key, p, 1)
	return p
}

// Anticipate works out what a judge is going to ask of a profile and a root, which
// a caller may know beforehand and many processors can do beside one another.
func (m *Model) Anticipate(l *Prepared, members []tenure.Entity) {
	m.Pair(l, m.PrepareRoot(members))
}

// Pair compares two in both ways at once.
func (m *Model) Pair(l, r *Prepared) Pair {
	key := [2]uint64{min(l.hash, r.hash), max(l.hash, r.hash)}
	p, ok := m.kept.pairs.Get(key)
	if !ok {
		p = m.comparePair(l, r)
		m.kept.pairs.Put(key, p, 1)
	}
	return p
}

// Fingerprint tells what members say apart, but for one case in 2^64. It is another in
// each process.
func Fingerprint(members []tenure.Entity) uint64 {
	h := newFingerprint()
	for _, e := range members {
		h.part(e.Name)
		h.says(e.Type, e.Project, e.Names, e.Context, e.Records, e.Attributes)
		h.defines(e.IdentifierKinds)
	}
	return h.Sum64()
}

type fingerprint struct{ maphash.Hash }

func newFingerprint() *fingerprint {
	var h fingerprint
	h.SetSeed(hashSeed)
	return &h
}

func (h *fingerprint) part(s string) {
	_, _ = h.WriteString(s)
	_ = h.WriteByte(0)
}

func (h *fingerprint) list(l []string) {
	for _, s := range l {
		h.part(s)
	}
	_ = h.WriteByte(1)
}

func (h *fingerprint) says(typ, project string, names, context []string, records []tenure.Record, attributes map[string][]string) {
	h.part(typ)
	h.part(project)
	h.list(names)
	h.list(context)
	for _, r := range records {
		h.part(r.Source)
		h.part(r.ID)
	}
	for _, k := range SortedKeys(attributes) {
		h.part(k)
		h.list(attributes[k])
	}
	_ = h.WriteByte(2)
}

func (h *fingerprint) defines(kinds []tenure.IdentifierKind) {
	for _, k := range kinds {
		h.part(k.Attribute)
		h.part(k.Kind)
		h.part(fmt.Sprint(k.Exclusive, k.Normalizer, k.Region))
	}
	_ = h.WriteByte(3)
}
