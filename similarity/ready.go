package similarity

import (
	"fmt"
	"hash/maphash"

	"tenure"
	"tenure/attribute"
	"tenure/cache"
)

// Bounds of the cached profiles and pairs, in each half of a cache.
const (
	readied = 4096
	paired  = 1 << 16
)

// kept holds a model's caches of profiles and pairs. Resolution asks for the same profiles again whenever
// something similar arrives.
type kept struct {
	ready *cache.Cache[uint64, *Prepared]
	pairs *cache.Cache[[2]uint64, Pair]
}

func newKept() kept {
	return kept{cache.New[uint64, *Prepared](readied), cache.New[[2]uint64, Pair](paired)}
}

// hashSeed seeds the hashes of profiles; it differs in each process.
var hashSeed = maphash.MakeSeed()

// PrepareRoot returns the prepared profile of a root from the cache. Preparing costs about ten times as much
// as comparing.
func (m *Model) PrepareRoot(members []tenure.Entity) *Prepared {
	return m.readied(Fingerprint(members), func() Profile { return ProfileOf(members) })
}

// Ready is Prepare with a cache.
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

// Anticipate fills the caches with the comparison of a profile and a root. Callers run it concurrently ahead
// of a decision that needs the result.
func (m *Model) Anticipate(l *Prepared, members []tenure.Entity) {
	m.Pair(l, m.PrepareRoot(members))
}

// Pair compares two profiles under both priors, with a cache.
func (m *Model) Pair(l, r *Prepared) Pair {
	key := [2]uint64{min(l.hash, r.hash), max(l.hash, r.hash)}
	p, ok := m.kept.pairs.Get(key)
	if !ok {
		p = m.comparePair(l, r)
		m.kept.pairs.Put(key, p, 1)
	}
	return p
}

// Fingerprint hashes the profile of members to 64 bits. It differs in each process.
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

func (h *fingerprint) says(
	typ, project string, names, context []string, records []tenure.Record, attributes map[string][]string,
) {
	h.part(typ)
	h.part(project)
	h.list(names)
	h.list(context)
	for _, r := range records {
		h.part(r.Source)
		h.part(r.ID)
	}
	for _, k := range attribute.Names(attributes) {
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
