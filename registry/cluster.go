package registry

import (
	"cmp"
	"slices"
)

// Pieces are what a neighbourhood of entities is made of, as far as it can be
// taken apart: each is the row of a system of record, or what texts say of one
// entity together.
type pieces struct {
	model *Model
	list  []piece
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
	profile  Profile
	prepared *Prepared
	rivals   []int // of the list of clusters
}

// pairing is what two clusters say of each other.
type pairing struct {
	registry, even float64 // log-odds with the registry's prior and an even one
	against, worst float64 // what speaks against it outside the names, in all and the most of it
	dot            float64 // what the evidence adds up to
	bare           bool    // it is of names alone
	veto           string
	barred         bool // a veto, or said apart
}

// opposed tells whether two, asked about alone without anything assumed, are as
// surely different as others the same that are merged; or are held for different,
// and one thing besides their names says so as surely.
func (p pairing) opposed() bool {
	score := probability(p.even)
	return p.barred || score <= 1-MergeAt || score <= NewAt && p.worst >= margin
}

// links tells whether two are the same by their score.
func (p pairing) links() bool { return !p.barred && probability(p.registry) >= MergeAt }

// clusters joins the pieces that are the same: the most likely two first, each
// judged by all that its cluster says together, as long as neither could as
// well be of another cluster that is not the same. The result depends on the set
// of the pieces alone, not on their order.
//
// Source: agglomerative clustering with cannot-link constraints (Davidson and
// Ravi, Agglomerative hierarchical clustering with constraints, PKDD 2005).
func (p *pieces) clusters() []cluster {
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
			list[i].rivals = pairs.rivalsOf(list, i)
		}
	}
	return list
}

// start is a cluster for each piece, those together that a person put together,
// in an order that the pieces' content gives.
func (p *pieces) start() []cluster {
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
	slices.SortStableFunc(list, func(a, b cluster) int { return cmp.Compare(a.prepared.key, b.prepared.key) })
	return list
}

func (p *pieces) union(a, b cluster) cluster {
	c := cluster{places: slices.Concat(a.places, b.places), profile: unite(a.profile, b.profile)}
	slices.Sort(c.places)
	c.prepared = p.model.Ready(c.profile)
	return c
}

// unite is what two profiles say together.
func unite(a, b Profile) Profile {
	c := Profile{
		Type: cmp.Or(a.Type, b.Type), Project: a.Project,
		Names: with(a.Names, keptNames, b.Names...), Context: with(a.Context, keptContexts, b.Context...),
		Records: with(a.Records, keptRecords, b.Records...), Attributes: map[string][]string{},
		IdentifierKinds: redefined(a.IdentifierKinds, b.IdentifierKinds),
	}
	for _, attributes := range []map[string][]string{a.Attributes, b.Attributes} {
		for k, v := range attributes {
			c.Attributes[k] = with(c.Attributes[k], keptValues, v...)
		}
	}
	return c
}

// pairings are what any two of a list of clusters say of each other.
type pairings struct {
	*pieces
	of [][]pairing
}

func newPairings(p *pieces, list []cluster) *pairings {
	x := &pairings{p, make([][]pairing, len(list))}
	for i := range list {
		x.of[i] = make([]pairing, len(list))
		for j := range i {
			x.set(list, i, j)
		}
	}
	return x
}

func (x *pairings) set(list []cluster, i, j int) {
	p := x.model.pair(list[i].prepared, list[j].prepared)
	for _, a := range list[i].places {
		p.barred = p.barred || slices.ContainsFunc(list[j].places, func(b int) bool { return x.apart(a, b) })
	}
	x.of[i][j], x.of[j][i] = p, p
}

// renew compares a cluster that has changed.
func (x *pairings) renew(list []cluster, i int) {
	for j := range list {
		if j != i && list[j].places != nil {
			x.set(list, i, j)
		}
	}
}

// next is the most likely two that are the same and have no rivals; -1 if there
// are none.
func (x *pairings) next(list []cluster) (int, int) {
	bi, bj := -1, -1
	for i := range list {
		for j := range i {
			if list[i].places == nil || list[j].places == nil || !x.of[i][j].links() ||
				bi >= 0 && x.of[i][j].registry <= x.of[bi][bj].registry {
				continue
			}
			if !x.rivalled(list, i, j) && !x.rivalled(list, j, i) {
				bi, bj = i, j
			}
		}
	}
	return bi, bj
}

// rivalled tells whether what links i to j speaks for another cluster too, which
// is opposed to j.
func (x *pairings) rivalled(list []cluster, i, j int) bool {
	for k := range list {
		if k != i && k != j && list[k].places != nil && x.rival(i, j, k) {
			return true
		}
	}
	return false
}

// rival tells whether k is as good for i as j, as far as anybody can tell, and
// not the same as j.
func (x *pairings) rival(i, j, k int) bool {
	p := x.of[i][k]
	return !p.barred && probability(p.registry) > NewAt && x.of[i][j].registry-p.registry < margin && x.of[j][k].opposed()
}

// rivalsOf lists the clusters between which i cannot be decided: those that it is
// linked to, and their rivals.
func (x *pairings) rivalsOf(list []cluster, i int) []int {
	var rivals []int
	add := func(j int) {
		if !slices.Contains(rivals, j) {
			rivals = append(rivals, j)
		}
	}
	for j := range list {
		if j == i || list[j].places == nil || !x.of[i][j].links() {
			continue
		}
		for k := range list {
			if k != i && k != j && list[k].places != nil && x.rival(i, j, k) {
				add(j)
				add(k)
			}
		}
	}
	return rivals
}

// comparePair compares two in both ways at once.
func (m *Model) comparePair(l, r *Prepared) pairing {
	var e evidence
	veto, _ := m.gather(l, r, &e)
	p := pairing{dot: m.dot(&e), bare: e.bare(), veto: veto, barred: veto != ""}
	p.registry = m.weigh(l, r, p.dot, p.bare, m.RegistryPrior()).odds
	p.even = m.weigh(l, r, p.dot, p.bare, EvenPrior()).odds
	for f, x := range e.attr {
		against := max(0, -x*m.attr[f])
		p.against += against
		p.worst = max(p.worst, against)
	}
	return p
}

// torn tells whether a profile has values that no single entity has: two dates
// of birth, two identifiers of a kind that one alone has.
func (p *Prepared) torn() bool {
	for i := range p.attributes {
		a := &p.attributes[i]
		if a.kind != idKind && (a.kind != dateKind || a.key != "dob") {
			continue
		}
		for x := range a.values {
			for y := range x {
				if f := compareValue(a.kind, &a.values[x], &a.values[y]).feature; f == idDiffers || f == dateDiffers {
					return true
				}
			}
		}
	}
	return false
}
