package compile

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"tenure"
	"tenure/beliefs"
	"tenure/linking"
	"tenure/store"
	"tenure/vocabulary"
)

// object is a belief on its way through the stages.
type object struct {
	belief *tenure.Belief
	root   tenure.ID // of the subject
	hops   int
	stood  tenure.Window // the segment that covers the instant asked for
	// asked is the root of the value where that was asked about and the subject was not: the relation is said from
	// the value's side.
	asked tenure.ID
	// byValue stands for what was found by the text of its value.
	byValue bool
	// byWords stands for what was found by the words of the query.
	byWords bool
	// likeness is how similar it is to the query, of what was found by that alone.
	likeness float64
	// inForce stands for a directive that applies by its scope, whatever the query names.
	inForce bool
	stale   bool // not confirmed for the half-life of its predicate
	// contested stands for the sides of a slot that is held: its line says so, and has no value.
	contested bool
	// proposed is when the latest change was proposed that concerns it and waits for an answer; nil if none does.
	proposed *tenure.Instant

	value string // as a model would read it
	key   string
	line  string // "" until it is converted
	zone  string
	score float64 // lexical, 0 and more
	tier  string
	// priority is why it ranks where it does.
	priority Priority
	said     string // the inverse predicate, where the line says that

	term    *tenure.Term // of its predicate
	inverse *tenure.Term // of the inverse predicate, where the value was asked about and there is one
}

func (o *object) claim() *tenure.Claim { return &o.belief.Claim }

// omission is an object that a stage omitted, and why.
type omission struct {
	object *object
	reason string
	by     tenure.ID // the belief that displaced it, if a belief did
	caseID tenure.ID // the case that holds it, if one does
}

// others reads the beliefs that are not about what is asked: the relations that lead to it, the directives that are in
// force by their scope, values that equal a text of the request, and, if the query names no entity, matches of its
// words. Related entities become topics too. remarks are those that the query may ask for.
func (c *Compiler) others(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request,
) (list, remarks []tenure.Belief, err error) {
	var incoming, found, rules []tenure.Belief
	texts := who.texts()
	err = store.Beside(func() (err error) {
		incoming, err = c.neighbours(ctx, r, who, see, *req.Hops, req.ValidAt)
		return err
	}, func() (err error) { // one after the other: relations take as long
		if len(texts) > 0 {
			if found, err = r.Saying(ctx, texts, saidEach); err != nil {
				return err
			}
		}
		remarks, err = r.Recent(ctx, store.RecentQuery{
			In: see.scope, Of: store.Remarks, Window: instantWindow(req.ValidAt), Limit: recentRead,
		})
		return err
	}, func() (err error) {
		rules, err = c.directives(ctx, r, who, see, req.ValidAt)
		return err
	}, func() error {
		any, err := r.PassagesIn(ctx, see.scope, "", 1)
		who.hasDocuments = len(any) > 0
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if rules, err = who.applying(ctx, r, rules, see); err != nil {
		return nil, nil, err
	}
	said, err := c.said(ctx, r, found, who, see, req.ValidAt)
	if err != nil {
		return nil, nil, err
	}
	worded, err := c.worded(ctx, r, who, see, req)
	if err != nil {
		return nil, nil, err
	}
	remarks, older, err := c.withOlder(ctx, r, who, see, req, remarks)
	if err != nil {
		return nil, nil, err
	}
	alike, err := c.alike(ctx, r, who, see, req)
	return slices.Concat(incoming, rules, said, worded, alike), who.recalled(remarks, older), err
}

// neighbours follows relations that the viewer may see and that stand at the instant, hop by hop, and adds
// the entities found as topics. It returns the relations of others to what was asked about.
func (c *Compiler) neighbours(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, hops int, at tenure.Instant,
) (incoming []tenure.Belief, err error) {
	frontier := who.Subjects()
	room := c.cfg.Neighbours
	for hop := 1; hop <= max(hops, 1) && room > 0 && len(frontier) > 0; hop++ {
		list, err := r.Relations(ctx, frontier, instantWindow(at), c.cfg.Relations[hop-1])
		if err != nil {
			return nil, err
		}
		if n := atBound(list, frontier, c.cfg.Relations[hop-1]); hop == 1 {
			who.cut = n
		} else {
			who.cutBeyond = n
		}
		edges, ends := see.standing(list, at)
		if err := who.Known.Load(ctx, r, ends); err != nil {
			return nil, err
		}
		if hop == 1 {
			incoming = who.incoming(edges, see.scope.ProjectID)
		}
		if hop <= hops {
			frontier = who.reach(who.steps(edges, frontier), hop, &room, see.scope.ProjectID)
		}
		if room == 0 && hop < hops && len(frontier) > 0 {
			who.neighboursCut = max(who.neighboursCut, 1) // what is beyond is not counted
		}
	}
	return incoming, nil
}

// standing returns the relations that stand at an instant and that the viewer may see, the newest first, and their
// ends.
func (v viewer) standing(list []tenure.Belief, at tenure.Instant) (edges []*tenure.Belief, ends []tenure.ID) {
	edges, ends = make([]*tenure.Belief, 0, len(list)), make([]tenure.ID, 0, 2*len(list))
	for i := range list {
		b := &list[i]
		seg, ok := b.Standing.At(at)
		if ok && seg.Cause == tenure.Stands && v.denies(&b.Claim) == "" {
			edges, ends = append(edges, b), append(ends, b.Claim.Subject, b.Claim.Value.Entity)
		}
	}
	slices.SortFunc(edges, func(a, b *tenure.Belief) int { return newestFirst(&a.Claim, &b.Claim) })
	return edges, ends
}

// reach adds the entities that steps lead to as topics, while there is room, and returns those that are as many hops
// away. It counts those for which there is none.
func (c *topicSet) reach(steps []step, hop int, room *int, project string) []tenure.ID {
	reached, cut := map[tenure.ID]bool{}, map[tenure.ID]bool{}
	for _, s := range steps {
		to := c.Known[s.to]
		if m := c.Topics[s.to]; m != nil || linking.Excluded(to, project) != "" {
			if way := c.near[s.to]; way.origin != "" && !c.askedByName(way.origin) && c.askedByName(s.way.origin) {
				c.near[s.to] = s.way // it is no longer of the person who asks alone
			}
			continue
		}
		if *room == 0 {
			cut[s.to] = true
			continue
		}
		c.Add(to, byRelation, "", hop)
		c.near[s.to] = s.way
		*room--
		for _, id := range to.Whole() {
			reached[id] = true
		}
	}
	c.neighboursCut += len(cut)
	return slices.Sorted(maps.Keys(reached))
}

// atBound counts the entities of which as many relations of one direction were read as are read at most.
func atBound(list []tenure.Belief, entities []tenure.ID, bound int) (n int) {
	from, to := map[tenure.ID]int{}, map[tenure.ID]int{}
	for i := range list {
		c := &list[i].Claim
		from[c.Subject]++
		to[c.Value.Entity]++
	}
	for _, id := range entities {
		if max(from[id], to[id]) >= bound {
			n++
		}
	}
	return n
}

// beliefsAtBound counts the entities asked about of which as many beliefs were read as are read of one at most.
func (c *topicSet) beliefsAtBound(live []tenure.Belief, bound int) int {
	of, full := map[tenure.ID]int{}, map[tenure.ID]bool{}
	for i := range live {
		subject := live[i].Claim.Subject
		if of[subject]++; of[subject] < bound {
			continue
		}
		if root, ok := c.Known.Root(subject); ok && c.wasAsked(root.ID) {
			full[root.ID] = true
		}
	}
	return len(full)
}

// incoming lists the relations whose value was asked about and whose subject was not.
func (c *topicSet) incoming(edges []*tenure.Belief, project string) (list []tenure.Belief) {
	leads := slices.DeleteFunc(slices.Clone(edges), func(b *tenure.Belief) bool {
		subject, ok := c.Known.Root(b.Claim.Subject)
		return !ok || linking.Excluded(subject, project) != "" || c.askedValue(subject.ID, b.Claim.Value) == ""
	})
	list = make([]tenure.Belief, len(leads))
	for i, b := range leads {
		list[i] = *b
	}
	return list
}

// askedValue returns the root of a value that was asked about, if the subject was not.
func (c *topicSet) askedValue(subject tenure.ID, v tenure.Value) tenure.ID {
	if v.Entity == "" || c.wasAsked(subject) {
		return ""
	}
	if root, ok := c.Known.Root(v.Entity); ok && c.wasAsked(root.ID) {
		return root.ID
	}
	return ""
}

// wasAsked reports whether a root is what the request is about, not only related to it.
func (c *topicSet) wasAsked(root tenure.ID) bool {
	m := c.Topics[root]
	return m != nil && m.Hops == 0
}

// fetch reads the beliefs about the topics that stand at the instant and, for the trace, the newest that do not, with
// the terms of their predicates. It also loads the entities that are values. Of a subject that is no topic it keeps
// only the slots of incoming relations, so that reconcile can compare their claims.
func (c *Compiler) fetch(
	ctx context.Context, r store.Reader, who *topicSet, about subjects, others, remarks []tenure.Belief, see viewer,
	at tenure.Instant,
) ([]*object, error) {
	if len(about.all)+len(remarks) == 0 {
		return nil, nil
	}
	w := instantWindow(at)
	var live, dead []tenure.Belief
	err := store.Beside(func() (err error) {
		live, err = r.Live(ctx, about.all, w, c.cfg.Beliefs)
		return err
	}, func() (err error) {
		dead, err = r.Displaced(ctx, about.topics, w, c.cfg.Displaced)
		return err
	})
	if err != nil {
		return nil, err
	}
	who.beliefsCut = who.beliefsAtBound(live, c.cfg.Beliefs)
	if remarks, err = who.usableRemarks(ctx, r, remarks, see); err != nil {
		return nil, err
	}
	most := len(others) + len(live) + len(dead) + len(remarks)
	objects, values, seen := make([]*object, 0, most), make([]tenure.ID, 0, most), make(map[tenure.ID]bool, most)
	room := make([]object, 0, most)
	for _, list := range [][]tenure.Belief{others, live, dead, remarks} {
		for i := range list {
			b := &list[i]
			root, ok := who.Known.Root(b.Claim.Subject)
			if !ok || seen[b.Claim.ID] {
				continue
			}
			seen[b.Claim.ID] = true
			hops := 1
			if m := who.Topics[root.ID]; m != nil {
				hops = m.Hops
			} else if !about.slots[rootSlot{root.ID, b.Claim.Predicate}] && !isRemark(&b.Claim) {
				continue
			}
			room = append(room, object{belief: b, root: root.ID, hops: hops})
			objects = append(objects, &room[len(room)-1])
			values = append(values, b.Claim.Value.Entity)
		}
	}
	terms, found := store.NewTerms(r), predicatesOf(objects)
	err = store.Beside(
		func() error { return who.Known.Load(ctx, r, values) },
		func() error { return terms.Load(ctx, termIDs(found)) },
	)
	if err != nil {
		return nil, err
	}
	who.mark(objects, see)
	who.joinNames(objects)
	slices.SortFunc(objects, func(a, b *object) int { return newestFirst(a.claim(), b.claim()) })
	return objects, define(ctx, terms, found, objects)
}

// mark records how each object was found, and makes values that are members of one root equal.
func (c *topicSet) mark(objects []*object, see viewer) {
	for _, o := range objects {
		id := o.claim().ID
		o.byValue, o.byWords, o.inForce = c.said[id], c.byWords[id], c.inForce[id] || c.ownDirective(o, see)
		o.likeness = c.likeness[id]
		if v := &o.claim().Value; v.Entity != "" {
			o.asked = c.askedValue(o.root, *v)
			if root, ok := c.Known.Root(v.Entity); ok {
				v.Canonical = beliefs.CanonicalEntity(root.ID)
			}
		}
	}
}

// joinNames makes a text and the entity that it names one value, where one subject has both under one predicate,
// whatever their scopes.
func (c *topicSet) joinNames(objects []*object) {
	related := map[rootSlot]bool{}
	for _, o := range objects {
		if o.claim().Value.Entity != "" {
			related[rootSlot{o.root, o.claim().Predicate}] = true
		}
	}
	if len(related) == 0 {
		return
	}
	in := slices.DeleteFunc(slices.Clone(objects), func(o *object) bool {
		return !related[rootSlot{o.root, o.claim().Predicate}]
	})
	for _, g := range slots(in) {
		if !slices.ContainsFunc(g, func(o *object) bool { return o.claim().Value.Entity == "" }) {
			continue
		}
		claims := make([]tenure.Claim, len(g))
		for i, o := range g {
			claims[i] = *o.claim()
			if v := &claims[i].Value; v.Entity != "" {
				root, _ := c.Known.Root(v.Entity)
				v.Name = cmp.Or(v.Name, root.Name)
			}
		}
		beliefs.JoinNames(claims)
		for i, o := range g {
			o.claim().Value.Canonical = claims[i].Value.Canonical
		}
	}
}

// rootSlot is a slot of any scope.
type rootSlot struct {
	root      tenure.ID
	predicate string
}

// subjects are the entities of which beliefs are read.
type subjects struct {
	topics []tenure.ID       // ids that claims about topics may carry
	all    []tenure.ID       // these, and those of the subjects of incoming relations that are no topics
	slots  map[rootSlot]bool // of the latter
}

// withSubjects returns the topics with the subjects of incoming relations.
func (c *topicSet) withSubjects(incoming []tenure.Belief) subjects {
	about := subjects{topics: c.Subjects(), slots: map[rootSlot]bool{}}
	about.all = slices.Clone(about.topics)
	for _, b := range incoming {
		if root, ok := c.Known.Root(b.Claim.Subject); ok && c.Topics[root.ID] == nil {
			about.all = append(about.all, root.Whole()...)
			about.slots[rootSlot{root.ID, b.Claim.Predicate}] = true
		}
	}
	slices.Sort(about.all)
	about.all = slices.Compact(about.all)
	return about
}

// predicatesOf returns a map with the objects' predicates as its keys.
func predicatesOf(objects []*object) map[string]*tenure.Term {
	found := map[string]*tenure.Term{}
	for _, o := range objects {
		found[o.claim().Predicate] = nil
	}
	return found
}

// define gives the objects the terms of their predicates, which are the keys of found and are read already.
func define(ctx context.Context, own *store.Terms, found map[string]*tenure.Term, objects []*object) error {
	if err := lookUp(ctx, own, found); err != nil {
		return err
	}
	inverses := map[string]*tenure.Term{}
	for _, o := range objects {
		if o.term = found[o.claim().Predicate]; o.asked != "" && o.term.Inverse != "" {
			inverses[o.term.Inverse] = nil
		}
	}
	if err := own.Load(ctx, termIDs(inverses)); err != nil {
		return err
	}
	if err := lookUp(ctx, own, inverses); err != nil {
		return err
	}
	for _, o := range objects {
		if o.asked != "" {
			o.inverse = inverses[o.term.Inverse]
		}
	}
	return nil
}

// termIDs lists the ids of the terms of the predicates that are the keys of a map.
func termIDs(predicates map[string]*tenure.Term) (ids []string) {
	for p := range predicates {
		ids = append(ids, vocabulary.IDs(p)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// lookUp finds the terms of the predicates that are the keys of a map.
func lookUp(ctx context.Context, own *store.Terms, found map[string]*tenure.Term) error {
	for p := range found {
		t, err := vocabulary.Of(ctx, own, p)
		if err != nil {
			return err
		}
		found[p] = &t
	}
	return nil
}

func instantWindow(at tenure.Instant) tenure.Window {
	return tenure.Window{From: at, Until: at + 1}
}

// newestFirst orders claims by content, ids last, so that the order is the same on every engine. It compares
// as few fields as it must: it is the hot comparison of a compilation.
func newestFirst(a, b *tenure.Claim) int {
	if c := cmp.Compare(b.Window.From, a.Window.From); c != 0 {
		return c
	}
	if c := strings.Compare(a.Predicate, b.Predicate); c != 0 {
		return c
	}
	if c := strings.Compare(a.Key, b.Key); c != 0 {
		return c
	}
	if c := strings.Compare(a.Value.Canonical, b.Value.Canonical); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}
