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
	profileBound = 4096
	pairBound    = 1 << 14
)

// caches holds a model's caches: of prepared profiles, and of compared pairs. Resolution asks for the same
// profiles again whenever something similar arrives.
//
// [Model.Prepare] and [Model.Compare] compute; what is named Cached takes the result from a cache, or computes
// and keeps it. [Model.WarmPair] fills both caches ahead of a decision.
type caches struct {
	profiles *cache.Cache[uint64, *Prepared]
	pairs    *cache.Cache[[2]uint64, Pair]
}

func newCaches() caches {
	return caches{cache.New[uint64, *Prepared](profileBound), cache.New[[2]uint64, Pair](pairBound)}
}

// hashSeed seeds the hashes of profiles; it differs in each process.
var hashSeed = maphash.MakeSeed()

// CachedRoot returns the prepared profile of a root, with a cache. Preparing costs about ten times as much
// as comparing.
func (m *Model) CachedRoot(members []tenure.Entity) *Prepared {
	return m.cached(Fingerprint(members), func() Profile { return ProfileOf(members) })
}

// CachedProfile is Prepare with a cache.
func (m *Model) CachedProfile(p Profile) *Prepared {
	h := newFingerprint()
	h.says(p.Type, p.Project, p.Names, p.Context, p.Records, p.Attributes)
	h.defines(p.IdentifierKinds)
	for _, n := range p.Neighbours {
		h.part(string(n))
	}
	return m.cached(h.Sum64(), func() Profile { return p })
}

func (m *Model) cached(key uint64, profile func() Profile) *Prepared {
	if p, ok := m.caches.profiles.Get(key); ok {
		return p
	}
	p := m.Prepare(profile())
	m.caches.profiles.Put(key, p, 1)
	return p
}

// WarmPair fills the caches with the comparison of a profile and a root. Callers run it concurrently ahead
// of a decision that needs the result.
func (m *Model) WarmPair(l *Prepared, members []tenure.Entity) {
	m.CachedPair(l, m.CachedRoot(members))
}

// CachedPair compares two profiles under both priors, with a cache.
func (m *Model) CachedPair(l, r *Prepared) Pair {
	key := [2]uint64{min(l.hash, r.hash), max(l.hash, r.hash)}
	p, ok := m.caches.pairs.Get(key)
	if !ok {
		p = m.comparePair(l, r)
		m.caches.pairs.Put(key, p, 1)
	}
	return p
}

// Fingerprint hashes the profile of members to 64 bits. It differs in each process. An entity that one mention made has
// the mention's, so that what was prepared to resolve the mention serves to resolve the entity again.
func Fingerprint(members []tenure.Entity) uint64 {
	h := newFingerprint()
	for _, e := range members {
		names := e.Names
		if len(names) == 0 || names[0] != e.Name {
			names = e.Spellings()
		}
		h.says(e.Type, e.Project, names, e.Context, e.Records, e.Attributes)
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
