package registry

import (
	"context"
	"slices"

	"tenure"
	"tenure/similarity"
)

// maxRecords bounds the records that are clustered together, because the work is quadratic. Larger
// neighbourhoods are left as they are.
const maxRecords = 320

// MentionReader reads what clustering needs.
type MentionReader interface {
	EntityReader
	// MentionsOf lists all mentions of an entity in order of their ids.
	MentionsOf(ctx context.Context, id tenure.ID) ([]tenure.Mention, error)
}

// record is the smallest unit that clustering can move between entities.
type record struct {
	root     int // index in the neighbourhood
	entity   tenure.ID
	anchor   bool // the root keeps this record
	mentions []tenure.ID
	profile  similarity.Profile
	keys     []tenure.AliasKey // of its names
}

// groupRecords divides an entity's mentions into records. Each row of a system of record is one record, with its
// newest content. A mention in a text joins the record that shares its name, else the first, unless it contradicts
// that: then it is a record of its own. A mention within a project is no evidence about a global entity and does not
// change the profile of its record.
func groupRecords(m *similarity.Model, root tenure.Entity, mentions []tenure.Mention) []record {
	var list []record
	rows := map[tenure.Record]int{}
	var texts []tenure.Mention
	for _, m := range corrected(mentions) {
		if m.Record == nil || m.Project != root.Project {
			texts = append(texts, m)
			continue
		}
		i, ok := rows[*m.Record]
		if !ok {
			i = len(list)
			rows[*m.Record] = i
			list = append(list, record{})
		}
		list[i].mentions = append(list[i].mentions, m.ID)
		list[i].profile, list[i].keys = similarity.ProfileOfMention(m), namesOf(m)
	}
	if len(texts) > 0 && (len(list) == 0 || texts[0].ID < list[0].mentions[0]) {
		list = slices.Insert(list, 0, record{})
	}
	for _, x := range texts {
		i := homeOf(m, list, x)
		if i < 0 {
			i = len(list)
			list = append(list, record{})
		}
		list[i].take(x, x.Project == root.Project)
	}
	return list
}

// homeOf returns the index of the record that a mention in a text joins, or -1 if it contradicts all that it might.
func homeOf(model *similarity.Model, list []record, m tenure.Mention) int {
	key := similarity.NameAliasKey(m.Name)
	own := model.CachedProfile(similarity.ProfileOfMention(m))
	fits := func(r record) bool { return !model.Contradict(own, model.CachedProfile(r.profile)) }
	if i := slices.IndexFunc(list, func(r record) bool { return slices.Contains(r.keys, key) && fits(r) }); i >= 0 {
		return i
	}
	return slices.IndexFunc(list, fits)
}

func (r *record) take(m tenure.Mention, says bool) {
	r.mentions = append(r.mentions, m.ID)
	if says || len(r.profile.Names) == 0 {
		said := similarity.ProfileOfMention(m)
		said.Project = ""
		r.profile = unite(said, r.profile)
		r.keys = append(r.keys, namesOf(m)...)
	}
}

func namesOf(m tenure.Mention) []tenure.AliasKey {
	var list []tenure.AliasKey
	for _, s := range m.Spellings() {
		list = append(list, similarity.NameAliasKey(s))
	}
	return list
}

// neighbourhood is a set of roots with their records.
type neighbourhood struct {
	matcher  Matcher
	known    MentionReader
	roots    []tenure.Entity
	own      [][]tenure.Entity // members, by root
	records  []record
	mustLink [][2]int // must-link pairs of records
}

// Recluster clusters the records of some roots and returns the first step from the present entities to the
// clusters, or nil if there are more than [maxRecords] records.
//
// The first root is the one under re-resolution. Near reports, of the indices of two roots, whether they may link:
// records of roots that are not near each other are compared only where they may compete. Nil compares all.
func (m Matcher) Recluster(
	ctx context.Context, k MentionReader, roots []tenure.Entity, near func(i, j int) bool,
) (*ClusterPlan, error) {
	k, roots, _, err := readToday(ctx, k, roots...)
	if err != nil {
		return nil, err
	}
	n := &neighbourhood{matcher: m, known: k, roots: roots}
	for i := range roots {
		if err := n.add(ctx, i); err != nil {
			return nil, err
		}
		if len(n.records) > maxRecords {
			return nil, nil
		}
	}
	cannotLink, err := n.cannotLink(ctx)
	if err != nil {
		return nil, err
	}
	s := recordSet{model: m.Model, list: n.records, mustLink: n.mustLink, cannotLink: cannotLink}
	if near != nil {
		s.near = func(i, j int) bool { return near(n.records[i].root, n.records[j].root) }
	}
	return n.nextStep(s.clusters()), nil
}

// add adds the records of a root.
func (n *neighbourhood) add(ctx context.Context, at int) error {
	members, err := Members(ctx, n.known, n.roots[at])
	if err != nil {
		return err
	}
	n.own = append(n.own, members)
	records, err := n.matcher.records(ctx, n.known, n.roots[at], members)
	if err != nil {
		return err
	}
	anchors := map[tenure.ID]int{}
	for _, r := range records {
		if _, has := anchors[r.entity]; !has {
			anchors[r.entity] = len(n.records)
		}
		r.root = at
		n.records = append(n.records, r)
	}
	return n.join(ctx, members, anchors)
}

// records lists the records of a root, those of one member after another.
func (m Matcher) records(
	ctx context.Context, k MentionReader, root tenure.Entity, members []tenure.Entity,
) ([]record, error) {
	var list []record
	for _, e := range members {
		mentions, err := k.MentionsOf(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		for i, r := range groupRecords(m.Model, root, mentions) {
			r.entity, r.anchor = e.ID, i == 0 && e.ID == root.ID
			r.profile.Project = root.Project
			list = append(list, r)
		}
	}
	return list, nil
}

// join adds the must-links that follow from decisions of people: merges, and undone automatic splits.
func (n *neighbourhood) join(ctx context.Context, members []tenure.Entity, anchors map[tenure.ID]int) error {
	for _, e := range members {
		decisions, err := n.known.IdentityDecisionsOn(ctx, e.ID)
		if err != nil {
			return err
		}
		for _, v := range decisions {
			from, ok := anchors[v.From]
			switch {
			case !ok || v.From != e.ID:
			case v.Kind == tenure.Merge && !v.Undone && !v.Automatic:
				if into, ok := anchors[v.Into]; ok && n.binds(v, from, into) {
					n.mustLink = append(n.mustLink, [2]int{from, into})
				}
			case v.Kind == tenure.Split && v.Undone && v.Automatic:
				n.rejoin(from, v.Moved)
			}
		}
	}
	return nil
}

// rejoin adds the must-links between a record and those of the mentions that a split moved.
func (n *neighbourhood) rejoin(from int, moved []tenure.Assignment) {
	for i, r := range n.records {
		if slices.ContainsFunc(moved, func(a tenure.Assignment) bool { return slices.Contains(r.mentions, a.Mention) }) {
			n.mustLink = append(n.mustLink, [2]int{from, i})
		}
	}
}

// binds reports whether a merge is a must-link between two records: that of a person is, and that of a moot question as
// long as nothing contradicts it.
func (n *neighbourhood) binds(v tenure.IdentityDecision, from, into int) bool {
	m := n.matcher.Model
	return v.Actor != ActorReresolver ||
		!m.Contradict(m.CachedProfile(n.records[from].profile), m.CachedProfile(n.records[into].profile))
}

// cannotLink returns the cannot-link relation between records: cannot-links and incompatible types between roots,
// and different rows of a deduplicated source, which hold within one root too.
func (n *neighbourhood) cannotLink(ctx context.Context) (func(i, j int) bool, error) {
	never, questioned := make([][]bool, len(n.roots)), make([][]bool, len(n.roots))
	for i := range n.roots {
		never[i], questioned[i] = make([]bool, len(n.roots)), make([]bool, len(n.roots))
		said, err := cannotLinkWith(ctx, n.known, n.own[i])
		if err != nil {
			return nil, err
		}
		for j := range n.roots {
			ok, err := compatible(ctx, n.known, n.roots[i].Type, n.roots[j].Type)
			if err != nil {
				return nil, err
			}
			never[i][j] = i != j && (!ok || slices.ContainsFunc(n.own[j], func(e tenure.Entity) bool { return said[e.ID] }))
			if questioned[i][j], err = n.underQuestion(ctx, i, j); err != nil {
				return nil, err
			}
		}
	}
	single, err := n.deduplicated(ctx)
	if err != nil {
		return nil, err
	}
	return func(i, j int) bool {
		a, b := n.records[i], n.records[j]
		return never[a.root][b.root] || never[b.root][a.root] ||
			(questioned[a.root][b.root] || questioned[b.root][a.root]) && !n.links(a, b) ||
			slices.ContainsFunc(otherRows(a.profile.Records, b.profile.Records),
				func(source string) bool { return single[source] })
	}, nil
}

// deduplicated lists the deduplicated sources among those of the records.
func (n *neighbourhood) deduplicated(ctx context.Context) (map[string]bool, error) {
	single := map[string]bool{}
	for _, r := range n.records {
		for _, row := range r.profile.Records {
			var err error
			if single[row.Source], err = deduplicatedSource(ctx, n.known, row.Source); err != nil {
				return nil, err
			}
		}
	}
	return single, nil
}

// links reports whether two records link on their own.
func (n *neighbourhood) links(a, b record) bool {
	m := n.matcher.Model
	return m.CachedPair(m.CachedProfile(a.profile), m.CachedProfile(b.profile)).Links()
}

// underQuestion reports whether an open review asks for want of evidence whether two roots are the same, and the two
// alone do not answer it yet: then no third joins them. Among rows of systems of record, clustering decides.
func (n *neighbourhood) underQuestion(ctx context.Context, i, j int) (bool, error) {
	a, b := n.roots[i], n.roots[j]
	if len(a.Records) > 0 && len(b.Records) > 0 {
		return false, nil
	}
	reviews, err := n.known.ReviewsOf(ctx, a.ID)
	if err != nil {
		return false, err
	}
	for _, r := range reviews {
		if r.State == tenure.ReviewOpen && FromScore(r.Reason) &&
			(asksAbout(r, a.ID, b.Whole()) || asksAbout(r, b.ID, a.Whole())) {
			m := n.matcher.Model
			return !m.CachedPair(m.CachedRoot(n.own[i]), m.CachedRoot(n.own[j])).Links(), nil
		}
	}
	return false, nil
}

// ClusterPlan is one step towards the clusters: a split, a merge, or nothing.
type ClusterPlan struct {
	// Split lists mentions of the root From that become another entity; Competitors lists the roots that they may
	// belong to, if there are several.
	From        *tenure.Entity
	Split       []tenure.ID
	Competitors []tenure.ID
	// Same holds the two roots to merge.
	Same *[2]tenure.Entity
	// Score is the score of the merge, or of the evidence for the competitors.
	Score float64
}

// nextStep returns the first step towards the clusters. A split precedes a merge.
func (n *neighbourhood) nextStep(list []cluster) *ClusterPlan {
	g := &ClusterPlan{}
	at := make([]int, len(n.records))
	for c := range list {
		for _, i := range list[c].places {
			at[i] = c
		}
	}
	if i := n.misplaced(list, at); i >= 0 {
		n.splitOff(g, list, at, i)
		return g
	}
	n.merge(g, list)
	return g
}

// misplaced returns the index of a record outside its root's cluster, or -1. Undecided records come last, so
// that all roots they may belong to exist by then.
func (n *neighbourhood) misplaced(list []cluster, at []int) int {
	found := -1
	for i, r := range n.records {
		anchor := slices.IndexFunc(n.records, func(o record) bool { return o.root == r.root && o.anchor })
		if anchor < 0 || at[i] == at[anchor] {
			continue
		}
		if len(list[at[i]].competitors) == 0 {
			return i
		}
		found = max(found, i)
	}
	return found
}

// splitOff plans the split of the records that share both root and cluster with a misplaced one.
func (n *neighbourhood) splitOff(g *ClusterPlan, list []cluster, at []int, index int) {
	root := n.records[index].root
	g.From = &n.roots[root]
	for i, r := range n.records {
		if r.root == root && at[i] == at[index] {
			g.Split = append(g.Split, r.mentions...)
		}
	}
	slices.Sort(g.Split)
	for _, c := range list[at[index]].competitors {
		for _, i := range list[c].places {
			if id := n.roots[n.records[i].root].ID; !slices.Contains(g.Competitors, id) {
				g.Competitors = append(g.Competitors, id)
			}
		}
	}
}

// merge plans the merge of two roots in one cluster: into a canonical root if there is one, else of two
// pending ones.
func (n *neighbourhood) merge(g *ClusterPlan, list []cluster) {
	for _, status := range []tenure.EntityStatus{tenure.EntityCanonical, tenure.EntityPending} {
		for _, c := range list {
			for _, i := range c.places {
				for _, k := range c.places {
					if n.mergeable(n.records[i].root, n.records[k].root, status) {
						n.same(g, n.records[i].root, n.records[k].root)
						return
					}
				}
			}
		}
	}
}

func (n *neighbourhood) mergeable(i, k int, status tenure.EntityStatus) bool {
	from, into := n.roots[i], n.roots[k]
	return i != k && into.Status == status && (status == tenure.EntityCanonical || from.Status == status) &&
		(into.Project == "" || into.Project == from.Project)
}

func (n *neighbourhood) same(g *ClusterPlan, from, into int) {
	g.Same = &[2]tenure.Entity{n.roots[from], n.roots[into]}
	p := n.matcher.Model.CachedPair(n.matcher.Model.CachedRoot(n.own[from]), n.matcher.Model.CachedRoot(n.own[into]))
	g.Score = similarity.Probability(p.Registry)
}
