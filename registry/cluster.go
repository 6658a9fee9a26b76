package registry

import (
	"cmp"
	"slices"

	"tenure/similarity"
)

// Pieces are what a neighbourhood of entities is made of, as far as it can be
// taken apart: each is the row of a system of record, or what texts say of one
// entity together.
type recordSet struct {
	model *similarity.Model
	list  []record
	// together are places that a person said to be the same.
	together [][2]int
	// apart tells of two places that they can never be the same: a person said
	// so, a source has one row for each thing, the types are incompatible.
	apart func(i, j int) bool
}

// cluster is some pieces that are the same. Rivals are clusters that each could
// be the same as it, and not the same as one another.
type cluster struct {
	places   []int // in order
	profile  similarity.Profile
	prepared *similarity.Prepared
	rivals   []int // of the list of clusters
}

// clusters joins the pieces that are the same: the most likely two first, each
// judged by all that its cluster says together, as long as neither could as
// well be of another cluster that is not the same. The result depends on the set
// of the pieces alone, not on their order.
//
// Source: agglomerative clustering with cannot-link constraints (Davidson and
// Ravi, Agglomerative hierarchical clustering with constraints, PKDD 2005).
func (p *recordSet) clusters() []cluster {
	list := p.start()
	pairs := newPairings(p, list)
	for {
		i, j := pairs.next(list)
		if i < 0 {
			break
		}
		list[i] = p.union(list[i], list[j])
		list[j].places = nil
		pairs.renew(list, i)
	}
	for i := range list {
		if list[i].places != nil {
			list[i].rivals = pairs.competitorsOf(list, i)
		}
	}
	return list
}

// start is a cluster for each piece, those together that a person put together,
// in an order that the pieces' content gives.
func (p *recordSet) start() []cluster {
	at := make([]int, len(p.list))
	for i := range at {
		at[i] = i
	}
	for _, pair := range p.together {
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
				one := cluster{places: []int{i}, profile: p.list[i].profile}
				if c.places == nil {
					c = one
				} else {
					c = p.union(c, one)
				}
			}
		}
		if c.places != nil {
			c.prepared = p.model.Ready(c.profile)
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b cluster) int { return cmp.Compare(a.prepared.Key, b.prepared.Key) })
	return list
}

func (p *recordSet) union(a, b cluster) cluster {
	c := cluster{places: slices.Concat(a.places, b.places), profile: unite(a.profile, b.profile)}
	slices.Sort(c.places)
	c.prepared = p.model.Ready(c.profile)
	return c
}

// unite is what two profiles say together.
func unite(a, b similarity.Profile) similarity.Profile {
	c := similarity.Profile{
		Type: cmp.Or(a.Type, b.Type), Project: a.Project,
		Names: similarity.AppendDistinct(a.Names, similarity.MaxProfileNames, b.Names...), Context: similarity.AppendDistinct(a.Context, similarity.MaxProfileContexts, b.Context...),
		Records: similarity.AppendDistinct(a.Records, similarity.MaxProfileRecords, b.Records...), Attributes: map[string][]string{},
		IdentifierKinds: similarity.Redefined(a.IdentifierKinds, b.IdentifierKinds),
	}
	for _, attributes := range []map[string][]string{a.Attributes, b.Attributes} {
		for k, v := range attributes {
			c.Attributes[k] = similarity.AppendDistinct(c.Attributes[k], similarity.MaxProfileValues, v...)
		}
	}
	return c
}

// pairMatrix are what any two of a list of clusters say of each other.
type pairMatrix struct {
	*recordSet
	of [][]similarity.Pair
}

func newPairings(p *recordSet, list []cluster) *pairMatrix {
	x := &pairMatrix{p, make([][]similarity.Pair, len(list))}
	for i := range list {
		x.of[i] = make([]similarity.Pair, len(list))
		for j := range i {
			x.set(list, i, j)
		}
	}
	return x
}

func (x *pairMatrix) set(list []cluster, i, j int) {
	p := x.model.Pair(list[i].prepared, list[j].prepared)
	for _, a := range list[i].places {
		p.Barred = p.Barred || slices.ContainsFunc(list[j].places, func(b int) bool { return x.apart(a, b) })
	}
	x.of[i][j], x.of[j][i] = p, p
}

// renew compares a cluster that has changed.
func (x *pairMatrix) renew(list []cluster, i int) {
	for j := range list {
		if j != i && list[j].places != nil {
			x.set(list, i, j)
		}
	}
}

// next is the most likely two that are the same and have no rivals; -1 if there
// are none.
func (x *pairMatrix) next(list []cluster) (int, int) {
	bi, bj := -1, -1
	for i := range list {
		for j := range i {
			if list[i].places == nil || list[j].places == nil || !x.of[i][j].Links() ||
				bi >= 0 && x.of[i][j].Registry <= x.of[bi][bj].Registry {
				continue
			}
			if !x.hasCompetitor(list, i, j) && !x.hasCompetitor(list, j, i) {
				bi, bj = i, j
			}
		}
	}
	return bi, bj
}

// hasCompetitor tells whether what links i to j speaks for another cluster too, which
// is opposed to j.
func (x *pairMatrix) hasCompetitor(list []cluster, i, j int) bool {
	for k := range list {
		if k != i && k != j && list[k].places != nil && x.competes(i, j, k) {
			return true
		}
	}
	return false
}

// competes tells whether k is as good for i as j, as far as anybody can tell, and
// not the same as j.
func (x *pairMatrix) competes(i, j, k int) bool {
	p := x.of[i][k]
	return !p.Barred && similarity.Probability(p.Registry) > similarity.NewAt && x.of[i][j].Registry-p.Registry < similarity.Margin && x.of[j][k].CannotLink()
}

// competitorsOf lists the clusters between which i cannot be decided: those that it is
// linked to, and their rivals.
func (x *pairMatrix) competitorsOf(list []cluster, i int) []int {
	var rivals []int
	add := func(j int) {
		if !slices.Contains(rivals, j) {
			rivals = append(rivals, j)
		}
	}
	for j := range list {
		if j == i || list[j].places == nil || !x.of[i][j].Links() {
			continue
		}
		for k := range list {
			if k != i && k != j && list[k].places != nil && x.competes(i, j, k) {
				add(j)
				add(k)
			}
		}
	}
	return rivals
}
