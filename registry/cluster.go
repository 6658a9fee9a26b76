package registry

import (
	"cmp"
	"slices"

	"tenure/similarity"
)

// recordSet is the input of clustering: the records that a neighbourhood of entities can be divided into. A
// record is one row of a system of record, or the mentions of one entity in texts.
type recordSet struct {
	model *similarity.Model
	list  []record
	// mustLink lists must-link pairs of indices: a person decided that the two are the same.
	mustLink [][2]int
	// cannotLink reports whether two indices cannot be linked: by an identity decision, by a deduplicated source,
	// or by incompatible types.
	cannotLink func(i, j int) bool
	// near reports whether two indices may link; nil means that all may.
	near func(i, j int) bool
}

// cluster is a set of records of one entity. Its competitors are the competing clusters: each could be merged with
// the cluster, but not all of them with one another.
type cluster struct {
	places      []int // sorted indices of records
	profile     similarity.Profile
	prepared    *similarity.Prepared
	competitors []int // indices of clusters
}

// clusters partitions the records by agglomerative clustering with cannot-link constraints. It merges the
// most likely pair of clusters first, compares merged profiles, and skips a pair if one side has a competing
// cluster. The result depends on the set of records, not on their order.
//
// Source: agglomerative clustering with cannot-link constraints (Davidson and Ravi, Agglomerative
// hierarchical clustering with constraints, PKDD 2005).
func (s *recordSet) clusters() []cluster {
	list := s.start()
	pairs := newPairMatrix(s, list)
	for {
		i, j := pairs.next(list)
		if i < 0 {
			break
		}
		list[i] = s.union(list[i], list[j])
		list[j].places = nil
		pairs.renew(i, j)
	}
	for i := range list {
		if list[i].places != nil {
			list[i].competitors = pairs.competitorsOf(list, i)
		}
	}
	return list
}

// start returns the initial clusters: one for each record, with must-link pairs joined. The clusters are
// sorted by content so that the result is independent of the input order.
func (s *recordSet) start() []cluster {
	at := make([]int, len(s.list))
	for i := range at {
		at[i] = i
	}
	for _, pair := range s.mustLink {
		from, to := at[pair[0]], at[pair[1]]
		for i := range at {
			if at[i] == from {
				at[i] = to
			}
		}
	}
	var list []cluster
	for to := range at {
		var c cluster
		for i := range at {
			if at[i] == to {
				one := cluster{places: []int{i}, profile: s.list[i].profile}
				if c.places == nil {
					c = one
				} else {
					c = s.union(c, one)
				}
			}
		}
		if c.places != nil {
			c.prepared = s.model.CachedProfile(c.profile)
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b cluster) int { return cmp.Compare(a.prepared.Key, b.prepared.Key) })
	return list
}

func (s *recordSet) union(a, b cluster) cluster {
	c := cluster{places: slices.Concat(a.places, b.places), profile: unite(a.profile, b.profile)}
	slices.Sort(c.places)
	c.prepared = s.model.CachedProfile(c.profile)
	return c
}

// unite returns the union of two profiles.
func unite(a, b similarity.Profile) similarity.Profile {
	c := similarity.Profile{
		Type: cmp.Or(a.Type, b.Type), Project: a.Project,
		Names:           similarity.AppendDistinct(a.Names, similarity.MaxProfileNames, b.Names...),
		Context:         similarity.AppendDistinct(a.Context, similarity.MaxProfileContexts, b.Context...),
		Records:         similarity.AppendDistinct(a.Records, similarity.MaxProfileRecords, b.Records...),
		Attributes:      map[string][]string{},
		IdentifierKinds: similarity.Redefined(a.IdentifierKinds, b.IdentifierKinds),
	}
	for _, attributes := range []map[string][]string{a.Attributes, b.Attributes} {
		for k, v := range attributes {
			c.Attributes[k] = similarity.AppendDistinct(c.Attributes[k], similarity.MaxProfileValues, v...)
		}
	}
	return c
}

// pairMatrix holds the comparisons of pairs of clusters, each made when it is first needed.
type pairMatrix struct {
	*recordSet
	of       [][]*similarity.Pair // nil until it is needed
	linkable [][]bool             // both exist, and any of their records are near each other
}

func newPairMatrix(s *recordSet, list []cluster) *pairMatrix {
	m := &pairMatrix{s, make([][]*similarity.Pair, len(list)), make([][]bool, len(list))}
	for i := range list {
		m.of[i], m.linkable[i] = make([]*similarity.Pair, len(list)), make([]bool, len(list))
		for j := range i {
			m.linkable[i][j] = m.anyNear(list[i], list[j])
			m.linkable[j][i] = m.linkable[i][j]
		}
	}
	return m
}

// pair returns the comparison of two clusters.
func (m *pairMatrix) pair(list []cluster, i, j int) similarity.Pair {
	if m.of[i][j] == nil {
		p := m.compare(list[i], list[j])
		for _, a := range list[i].places {
			p.Barred = p.Barred || slices.ContainsFunc(list[j].places, func(b int) bool { return m.cannotLink(a, b) })
		}
		m.of[i][j], m.of[j][i] = &p, &p
	}
	return *m.of[i][j]
}

// anyNear reports whether any of the records of two clusters are near each other.
func (s *recordSet) anyNear(a, b cluster) bool {
	return s.near == nil || slices.ContainsFunc(a.places, func(i int) bool {
		return slices.ContainsFunc(b.places, func(j int) bool { return s.near(i, j) })
	})
}

// compare compares two clusters. What a description says depends on the name that it is compared under, of which a
// cluster has several: there the records that are most alike count, if they are more so than all together.
func (m *pairMatrix) compare(a, b cluster) similarity.Pair {
	p := m.model.CachedPair(a.prepared, b.prepared)
	if p.Barred || len(a.profile.Context) == 0 || len(b.profile.Context) == 0 {
		return p
	}
	for _, i := range a.places {
		for _, j := range b.places {
			one := m.model.CachedPair(m.model.CachedProfile(m.list[i].profile), m.model.CachedProfile(m.list[j].profile))
			if !one.Barred && one.Registry > p.Registry {
				p = one
			}
		}
	}
	return p
}

// renew forgets the comparisons of cluster i, which j was joined to. What was near j is near i.
func (m *pairMatrix) renew(i, j int) {
	for k := range m.of {
		m.of[i][k], m.of[k][i] = nil, nil
		near := k != i && k != j && (m.linkable[i][k] || m.linkable[j][k])
		m.linkable[i][k], m.linkable[k][i] = near, near
		m.linkable[j][k], m.linkable[k][j] = false, false
	}
}

// next returns the indices of the most likely pair that can be merged and has no competing cluster, or -1 if
// there is none.
func (m *pairMatrix) next(list []cluster) (int, int) {
	bi, bj := -1, -1
	for i := range list {
		for j := range i {
			if !m.linkable[i][j] {
				continue
			}
			p := m.pair(list, i, j)
			if !p.Links() || bi >= 0 && p.Registry <= m.of[bi][bj].Registry {
				continue
			}
			if !m.hasCompetitor(list, i, j) && !m.hasCompetitor(list, j, i) {
				bi, bj = i, j
			}
		}
	}
	return bi, bj
}

// hasCompetitor reports whether a cluster that cannot be merged with j competes with j for i.
func (m *pairMatrix) hasCompetitor(list []cluster, i, j int) bool {
	for k := range list {
		if k != i && k != j && m.competes(list, i, j, k) {
			return true
		}
	}
	return false
}

// competes reports whether k fits i about as well as j does and cannot be merged with j.
func (m *pairMatrix) competes(list []cluster, i, j, k int) bool {
	if !m.linkable[i][k] {
		return false
	}
	p := m.pair(list, i, k)
	return !p.Barred && similarity.Probability(p.Registry) > similarity.NewAt &&
		m.pair(list, i, j).Registry-p.Registry < similarity.Margin && m.pair(list, j, k).CannotLink()
}

// competitorsOf lists the clusters among which i is undecided: the clusters linked to i and their competing
// clusters.
func (m *pairMatrix) competitorsOf(list []cluster, i int) []int {
	var competitors []int
	add := func(j int) {
		if !slices.Contains(competitors, j) {
			competitors = append(competitors, j)
		}
	}
	for j := range list {
		if j == i || !m.linkable[i][j] || !m.pair(list, i, j).Links() {
			continue
		}
		for k := range list {
			if k != i && k != j && m.competes(list, i, j, k) {
				add(j)
				add(k)
			}
		}
	}
	return competitors
}
