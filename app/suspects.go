package app

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/cache"
	"tenure/registry"
	"tenure/store"
)

// Suspect is an entity that may be more than one, and why.
type Suspect struct {
	Entity  tenure.ID `json:"entity_id"`
	Name    string    `json:"name"`
	Type    string    `json:"type,omitempty"`
	Project string    `json:"project_id,omitempty"`
	// Mentions are all that mean it, Compared those that were compared.
	Mentions int `json:"mentions"`
	Compared int `json:"compared"`
	// Apart is the share of the pairs that would not be taken for one on their
	// own, Contradicting the number of those whose identifiers exclude it.
	Apart         float64 `json:"pairs_apart"`
	Contradicting int     `json:"pairs_contradicting"`
	// WeakestLink is the score of the best link between two parts of it, of
	// which the smaller has WeakSide mentions.
	WeakestLink float64  `json:"weakest_link"`
	WeakSide    int      `json:"weak_side"`
	Reasons     []string `json:"reasons"`
}

// The reasons to look at an entity again.
const (
	// SuspectContradiction: two of its mentions have identifiers of one kind,
	// and none in common.
	SuspectContradiction = "contradicting_identifiers"
	// SuspectWeakLink: two groups of mentions hang together by a link that
	// would not do on its own.
	SuspectWeakLink = "weak_link"
	// SuspectApart: half of its pairs or more would not be taken for one.
	SuspectApart = "members_disagree"
	// SuspectSize: it is far larger than the rest.
	SuspectSize = "large"
)

const (
	// apartShare is the share of pairs that makes SuspectApart.
	apartShare = .5
	// largeTimes is how often the size that 99 of 100 of the entities of several
	// mentions do not exceed makes SuspectSize, and largeLeast the least that
	// does.
	largeTimes, largeLeast = 3, 10
	// rememberedRoots bounds what is remembered not to look at twice.
	rememberedRoots = 1 << 18
)

// Suspects looks for entities that may be more than one, and keeps the worst.
type Suspects struct {
	app     *App
	tenant  string
	keep    int
	seen    *cache.Cache[tenure.ID, bool]
	sizes   map[int]int // how many entities have so many mentions, from two on
	worst   []Suspect
	largest []Suspect
}

// NewSuspects looks for at most so many.
func (a *App) NewSuspects(tenant string, keep int) *Suspects {
	return &Suspects{
		app: a, tenant: tenant, keep: keep, seen: cache.New[tenure.ID, bool](rememberedRoots), sizes: map[int]int{},
	}
}

// Look judges roots, each once.
func (s *Suspects) Look(ctx context.Context, roots []tenure.ID) error {
	view, err := s.app.service.store.View(ctx, s.tenant, tenure.Present)
	if err != nil {
		return err
	}
	var fresh []tenure.ID
	for _, id := range roots {
		if _, known := s.seen.Get(id); id != "" && !known {
			s.seen.Put(id, true, 1)
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
		if err := s.judge(ctx, view, e); err != nil {
			return err
		}
	}
	return nil
}

// mostMentions bounds the mentions that are counted of each member of an entity.
const mostMentions = 1000

func (s *Suspects) judge(ctx context.Context, view store.Reader, e tenure.Entity) error {
	var mentions []tenure.Mention
	for _, id := range e.Whole() {
		more, err := view.MentionsOf(ctx, id, "", mostMentions)
		if err != nil {
			return err
		}
		mentions = append(mentions, more...)
	}
	if len(mentions) < 2 {
		return nil
	}
	s.sizes[len(mentions)]++
	c := s.app.service.judge.Model.Cohesion(mentions)
	x := Suspect{
		Entity: e.ID, Name: e.Name, Type: e.Type, Project: e.Project, Mentions: len(mentions), Compared: c.Compared,
		Apart: float64(c.Apart) / float64(c.Pairs), Contradicting: c.Contradicting, WeakestLink: c.Weakest, WeakSide: c.Side,
	}
	if c.Contradicting > 0 {
		x.Reasons = append(x.Reasons, SuspectContradiction)
	}
	if c.Weakest <= registry.NewAt && c.Side > 1 {
		x.Reasons = append(x.Reasons, SuspectWeakLink)
	}
	if x.Apart >= apartShare && c.Compared > 2 {
		x.Reasons = append(x.Reasons, SuspectApart)
	}
	if len(x.Reasons) > 0 {
		s.worst = keepFirst(append(s.worst, x), s.keep, worse)
	}
	s.largest = keepFirst(append(s.largest, x), s.keep, larger)
	return nil
}

// worse puts first what has most against it.
func worse(a, b Suspect) int {
	return cmp.Or(
		cmp.Compare(len(b.Reasons), len(a.Reasons)), cmp.Compare(b.Apart, a.Apart),
		cmp.Compare(a.WeakestLink, b.WeakestLink), larger(a, b),
	)
}

func larger(a, b Suspect) int {
	return cmp.Or(cmp.Compare(b.Mentions, a.Mentions), cmp.Compare(a.Entity, b.Entity))
}

// keepFirst orders a list once it is twice as long as what is kept of it.
func keepFirst(list []Suspect, keep int, order func(a, b Suspect) int) []Suspect {
	if len(list) < 2*keep {
		return list
	}
	slices.SortFunc(list, order)
	return list[:keep]
}

// Worst lists what was found, the worst first.
func (s *Suspects) Worst() []Suspect {
	large := max(largeLeast, largeTimes*s.usual())
	list := s.worst
	for _, x := range s.largest {
		if x.Mentions <= large {
			continue
		}
		if i := slices.IndexFunc(list, func(o Suspect) bool { return o.Entity == x.Entity }); i >= 0 {
			list[i].Reasons = append(list[i].Reasons, SuspectSize)
		} else {
			x.Reasons = []string{SuspectSize}
			list = append(list, x)
		}
	}
	slices.SortFunc(list, worse)
	return list[:min(len(list), s.keep)]
}

// usual is the size that 99 of 100 entities of several mentions do not exceed.
func (s *Suspects) usual() int {
	all := 0
	var sizes []int
	for size, n := range s.sizes {
		all += n
		sizes = append(sizes, size)
	}
	slices.Sort(sizes)
	below := 0
	for _, size := range sizes {
		if below += s.sizes[size]; below*100 >= all*99 {
			return size
		}
	}
	return 0
}
