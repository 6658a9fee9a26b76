package bulk

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/cache"

	"tenure/similarity"
	"tenure/store"
)

// Overmerge is an entity that may be several, and the reasons to suspect so.
type Overmerge struct {
	Entity  tenure.ID `json:"entity_id"`
	Name    string    `json:"name"`
	Type    string    `json:"type,omitempty"`
	Project string    `json:"project_id,omitempty"`
	// Mentions counts the mentions of the entity, Compared the mentions that were compared.
	Mentions int `json:"mentions"`
	Compared int `json:"compared"`
	// Disagreement is the share of pairs that resolution would keep apart on their own, Contradicting the
	// number of pairs with contradicting identifiers.
	Disagreement  float64 `json:"disagreement"`
	Contradicting int     `json:"pairs_contradicting"`
	// WeakestLink is the score of the best link between two parts of the entity, SmallerSide the number of
	// mentions in the smaller part.
	WeakestLink float64  `json:"weakest_link"`
	SmallerSide int      `json:"smaller_side"`
	Reasons     []string `json:"reasons"`
}

// The reasons to review an entity.
const (
	// ContradictingIdentifiers: two mentions have identifiers of one kind, and none in common.
	ContradictingIdentifiers = "contradicting_identifiers"
	// WeakLink: the best link between two groups of mentions scores at most similarity.NewAt.
	WeakLink = "weak_link"
	// MembersDisagree: resolution would keep at least half of the pairs apart.
	MembersDisagree = "members_disagree"
	// Oversized: the entity has far more mentions than the others.
	Oversized = "large"
)

const (
	// disagreementShare is the share of pairs from which MembersDisagree applies.
	disagreementShare = .5
	// oversizedTimes is the multiple of the 99th percentile of sizes above which an entity is Oversized,
	// oversizedLeast the smallest such size.
	oversizedTimes, oversizedLeast = 3, 10
	// rememberedRoots bounds the set of examined roots, which avoids examining a root twice.
	rememberedRoots = 1 << 18
	// mostMentions bounds the mentions read for each member of an entity.
	mostMentions = 1000
)

// OvermergeReport examines entities for signs of over-merging and keeps the worst.
type OvermergeReport struct {
	store   store.Store
	model   *similarity.Model
	tenant  string
	keep    int
	seen    *cache.Cache[tenure.ID, bool]
	sizes   map[int]int // number of entities by their number of mentions, from two on
	worst   []Overmerge
	largest []Overmerge
}

// NewOvermergeReport returns a report that keeps at most keep entities.
func NewOvermergeReport(s store.Store, m *similarity.Model, tenant string, keep int) *OvermergeReport {
	return &OvermergeReport{
		store: s, model: m, tenant: tenant, keep: keep,
		seen: cache.New[tenure.ID, bool](rememberedRoots), sizes: map[int]int{},
	}
}

// Examine examines roots, each once.
func (o *OvermergeReport) Examine(ctx context.Context, roots []tenure.ID) error {
	view, err := o.store.View(ctx, o.tenant, tenure.Present)
	if err != nil {
		return err
	}
	var fresh []tenure.ID
	for _, id := range roots {
		if _, known := o.seen.Get(id); id != "" && !known {
			o.seen.Put(id, true, 1)
			fresh = append(fresh, id)
		}
	}
	found, err := view.Entities(ctx, fresh)
	if err != nil {
		return err
	}
	for _, e := range found {
		if len(e.Members) == 0 && len(e.Records) < 2 && len(e.Names) < 2 {
			continue
		}
		mentions, err := mentionsOf(ctx, view, e)
		if err != nil {
			return err
		}
		if len(mentions) > 1 {
			o.add(e, len(mentions), o.model.Cohesion(mentions))
		}
	}
	return nil
}

func mentionsOf(ctx context.Context, view store.Reader, e tenure.Entity) ([]tenure.Mention, error) {
	var mentions []tenure.Mention
	for _, id := range e.Whole() {
		more, err := view.MentionsOf(ctx, id, "", mostMentions)
		if err != nil {
			return nil, err
		}
		mentions = append(mentions, more...)
	}
	return mentions, nil
}

// add records the cohesion of an entity with that many mentions.
func (o *OvermergeReport) add(e tenure.Entity, mentions int, c similarity.Cohesion) {
	o.sizes[mentions]++
	x := Overmerge{
		Entity: e.ID, Name: e.Name, Type: e.Type, Project: e.Project, Mentions: mentions, Compared: c.Compared,
		Disagreement: float64(c.Apart) / float64(c.Pairs), Contradicting: c.Contradicting,
		WeakestLink: c.Weakest, SmallerSide: c.Side,
	}
	x.Reasons = reasons(x)
	if len(x.Reasons) > 0 {
		o.worst = keepFirst(append(o.worst, x), o.keep, worse)
	}
	o.largest = keepFirst(append(o.largest, x), o.keep, larger)
}

// reasons lists the reasons that depend on the entity alone; Oversized depends on the others. Two mentions
// may disagree simply because more than their score merged them, so that a single disagreeing pair is no
// reason.
func reasons(x Overmerge) []string {
	var list []string
	if x.Contradicting > 0 {
		list = append(list, ContradictingIdentifiers)
	}
	if x.WeakestLink <= similarity.NewAt && x.SmallerSide > 1 {
		list = append(list, WeakLink)
	}
	if x.Disagreement >= disagreementShare && x.Compared > 2 {
		list = append(list, MembersDisagree)
	}
	return list
}

// worse compares two entities: more reasons order first.
func worse(a, b Overmerge) int {
	return cmp.Or(
		cmp.Compare(len(b.Reasons), len(a.Reasons)), cmp.Compare(b.Disagreement, a.Disagreement),
		cmp.Compare(a.WeakestLink, b.WeakestLink), larger(a, b),
	)
}

func larger(a, b Overmerge) int {
	return cmp.Or(cmp.Compare(b.Mentions, a.Mentions), cmp.Compare(a.Entity, b.Entity))
}

// keepFirst truncates a list to its first keep items in order once it is twice as long, which amortizes the
// sorting.
func keepFirst(list []Overmerge, keep int, order func(a, b Overmerge) int) []Overmerge {
	if len(list) < 2*keep {
		return list
	}
	slices.SortFunc(list, order)
	return list[:keep]
}

// Worst lists the entities with at least one reason, worst first.
func (o *OvermergeReport) Worst() []Overmerge {
	large := max(oversizedLeast, oversizedTimes*o.percentile99())
	list := slices.Clone(o.worst)
	for _, x := range o.largest {
		if x.Mentions <= large {
			continue
		}
		if i := slices.IndexFunc(list, func(other Overmerge) bool { return other.Entity == x.Entity }); i >= 0 {
			list[i].Reasons = append(slices.Clone(list[i].Reasons), Oversized)
		} else {
			x.Reasons = []string{Oversized}
			list = append(list, x)
		}
	}
	slices.SortFunc(list, worse)
	return list[:min(len(list), o.keep)]
}

// percentile99 returns the 99th percentile of the sizes of entities with several mentions.
func (o *OvermergeReport) percentile99() int {
	all := 0
	var sizes []int
	for size, n := range o.sizes {
		all += n
		sizes = append(sizes, size)
	}
	slices.Sort(sizes)
	below := 0
	for _, size := range sizes {
		if below += o.sizes[size]; below*100 >= all*99 {
			return size
		}
	}
	return 0
}
