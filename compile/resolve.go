package compile

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"tenure"

	"tenure/search"
	"tenure/similarity"
	"tenure/store"
)

// How an entity became a topic.
const (
	byIdentity = "identity"
	byRequest  = "request"
	byQuery    = "query"
	byRelation = "relation"
	byWords    = "words"
)

// topic is a root entity that the compilation is about.
type topic struct {
	entity tenure.Entity
	via    string
	text   string // the words of the query that name it, if any do
	hops   int
}

// topicSet is the set of root entities that the compilation is about, by id.
type topicSet struct {
	known      directory
	topics     map[tenure.ID]*topic
	requester  tenure.ID // root of the requester, "" if unknown
	unresolved []Unresolved
	labels     map[tenure.ID]string // by root, as lines name them
	cut        int                  // topics of which not all relations were read
	runs       []string             // of words of the query, that may be values
	common     int                  // texts of the query that many beliefs have as their value
	said       map[tenure.ID]bool   // beliefs that were found by the text of their value
	named      []namedRoot          // by the words of the query
	search     search.Query         // what the query asks for by its words
	questions  []search.Query       // the same of each of its questions
	byWords    map[tenure.ID]bool   // beliefs that were found by the words of the query
	lately     map[tenure.ID]bool   // beliefs of which nothing speaks but that they were said last
	wordsCut   bool                 // only the newest beliefs of the scope were searched by words
	remarksCut bool                 // only the newest remarks of the scope were searched
}

func newTopicSet() *topicSet {
	return &topicSet{
		known: directory{}, topics: map[tenure.ID]*topic{}, said: map[tenure.ID]bool{}, byWords: map[tenure.ID]bool{},
		lately: map[tenure.ID]bool{},
	}
}

// add adds a root and reports whether it was new.
func (c *topicSet) add(root tenure.Entity, via, text string, hops int) bool {
	if _, ok := c.topics[root.ID]; ok {
		return false
	}
	c.topics[root.ID] = &topic{entity: root, via: via, text: text, hops: hops}
	return true
}

// subjects lists, sorted, the ids that claims about the topics may carry: the roots and their members.
func (c *topicSet) subjects() []tenure.ID {
	ids := map[tenure.ID]bool{}
	for _, m := range c.topics {
		for _, id := range m.entity.Whole() {
			ids[id] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// directory caches entities by id.
type directory map[tenure.ID]tenure.Entity

// load reads entities that are not cached, their roots, and all members of these.
func (d directory) load(ctx context.Context, r store.IdentityReader, ids []tenure.ID) error {
	const chain = 16 // merges of merges; a store that keeps roots needs one
	for range chain {
		missing := map[tenure.ID]bool{}
		for _, id := range ids {
			if _, ok := d[id]; !ok && id != "" {
				missing[id] = true
			}
		}
		if len(missing) == 0 {
			return nil
		}
		found, err := r.Entities(ctx, slices.Sorted(maps.Keys(missing)))
		if err != nil {
			return err
		}
		ids = ids[:0:0]
		for _, e := range found {
			d[e.ID] = e
			ids = append(append(ids, e.Root()), e.Members...)
		}
	}
	return nil
}

// root returns the root of an entity by following merges.
func (d directory) root(id tenure.ID) (tenure.Entity, bool) {
	for range len(d) + 1 {
		e, ok := d[id]
		if !ok {
			return tenure.Entity{}, false
		}
		if e.Root() == id {
			return e, true
		}
		id = e.Root()
	}
	return tenure.Entity{}, false
}

// exclusionReason returns why an entity may not be compiled for a project, "" if it may. An entity of another project
// counts as unknown.
func exclusionReason(e tenure.Entity, project string) (reason string) {
	switch {
	case !inProject(e.Project, project):
		return reasonUnknownEntity
	case e.Status == tenure.EntityPending:
		return reasonPendingEntity
	case e.Status == tenure.EntityRetired:
		return reasonRetiredEntity
	}
	return ""
}

func inProject(object, request string) bool { return object == "" || object == request }

// resolve finds the topics: the entities that the request lists, the requester, and the entities that the
// query names. It reads the aliases of all word spans at once, then the entities; then those that are called
// something like what is left of the query.
func (c *Compiler) resolve(ctx context.Context, r store.IdentityReader, tenant string, req Request) (*topicSet, error) {
	who := newTopicSet()
	return who, c.look(ctx, r, who, tenant, req)
}

// look adds the topics of a request.
func (c *Compiler) look(
	ctx context.Context, r store.IdentityReader, who *topicSet, tenant string, req Request,
) error {
	runs := nameSpansOf(req.Query)
	aliases, err := aliases(ctx, r, runs, req)
	if err != nil {
		return err
	}
	ids := slices.Clone(req.Entities)
	if req.Identity != nil {
		ids = append(ids, req.Identity.EntityID)
	}
	for _, list := range aliases {
		for _, o := range list {
			ids = append(ids, o.Entity)
		}
	}
	if err := who.known.load(ctx, r, ids); err != nil {
		return err
	}
	if err := who.addRequester(req, aliases); err != nil {
		return err
	}
	if err := who.addListed(req); err != nil {
		return err
	}
	taken := who.addQueried(runs, aliases, req.Scope.ProjectID)
	list := wordsOf(req.Query, taken)
	who.runs = textsOf(req.Query, list)
	if err := c.addAlike(ctx, r, who, tenant, req, list); err != nil {
		return err
	}
	who.search, who.questions = searched(req.Query, list)
	slices.SortStableFunc(who.unresolved, func(a, b Unresolved) int { return cmp.Compare(a.at, b.at) })
	return nil
}

// aliases reads the aliases that match the word spans of the query and the requester's name, without those of
// other projects.
func aliases(
	ctx context.Context, r store.IdentityReader, runs []nameSpan, req Request,
) (map[tenure.AliasKey][]tenure.Alias, error) {
	var forms []tenure.AliasKey
	seen := map[tenure.AliasKey]bool{}
	add := func(f tenure.AliasKey) {
		if f.Key != "" && !seen[f] {
			seen[f] = true
			forms = append(forms, f)
		}
	}
	if req.Identity != nil && req.Identity.EntityID == "" {
		add(similarity.NameAliasKey(req.Identity.Name))
	}
	for _, run := range runs {
		for _, f := range run.forms {
			add(f)
		}
		for _, f := range run.singular {
			add(f)
		}
	}
	found := map[tenure.AliasKey][]tenure.Alias{}
	if len(forms) == 0 {
		return found, nil
	}
	list, err := r.AliasesByKey(ctx, forms)
	if err != nil {
		return nil, err
	}
	for _, o := range list {
		if inProject(o.Project, req.Scope.ProjectID) {
			found[o.Key] = append(found[o.Key], o)
		}
	}
	return found, nil
}

// candidateRoots splits the entities known by one of some keys into usable roots and pending entities. An alias of
// the project goes before those of all projects.
func (c *topicSet) candidateRoots(
	aliases map[tenure.AliasKey][]tenure.Alias, keys []tenure.AliasKey, project string,
) (roots, pending []tenure.ID) {
	own, all := map[tenure.ID]bool{}, map[tenure.ID]bool{}
	for _, key := range keys {
		for _, o := range aliases[key] {
			root, ok := c.known.root(o.Entity)
			if !ok {
				continue
			}
			all[root.ID] = true
			if project != "" && o.Project == project {
				own[root.ID] = true
			}
		}
	}
	if roots, pending = c.usable(own, project); len(roots) > 0 {
		return roots, pending
	}
	return c.usable(all, project)
}

// usable splits roots into those that may be compiled, of the project alone if it has any of them, and pending ones.
func (c *topicSet) usable(set map[tenure.ID]bool, project string) (roots, pending []tenure.ID) {
	own, usables, waiting := map[tenure.ID]bool{}, map[tenure.ID]bool{}, map[tenure.ID]bool{}
	for id := range set {
		switch exclusionReason(c.known[id], project) {
		case "":
			usables[id] = true
			if project != "" && c.known[id].Project == project {
				own[id] = true
			}
		case reasonPendingEntity:
			waiting[id] = true
		}
	}
	if len(own) > 0 {
		usables = own
	}
	return c.oldestFirst(usables), c.oldestFirst(waiting)
}

// oldestFirst lists entities, the oldest first.
func (c *topicSet) oldestFirst(set map[tenure.ID]bool) []tenure.ID {
	ids := slices.Sorted(maps.Keys(set))
	slices.SortStableFunc(ids, func(a, b tenure.ID) int { return cmp.Compare(c.known[a].CreatedAt, c.known[b].CreatedAt) })
	return ids
}

func (c *topicSet) addRequester(req Request, aliases map[tenure.AliasKey][]tenure.Alias) error {
	who := req.Identity
	if who == nil {
		return nil
	}
	if who.EntityID != "" {
		root, ok := c.known.root(who.EntityID)
		if !ok || exclusionReason(root, req.Scope.ProjectID) == reasonUnknownEntity {
			return tenure.FieldError(tenure.Unprocessable, "/identity/entity_id", "there is no such entity")
		}
		if reason := exclusionReason(root, req.Scope.ProjectID); reason != "" {
			c.unresolved = append(c.unresolved, Unresolved{Pointer: "/identity/entity_id", Reason: reason})
			return nil
		}
		c.requester = root.ID
		c.add(root, byIdentity, "", 0)
		return nil
	}
	key := []tenure.AliasKey{similarity.NameAliasKey(who.Name)}
	if roots, _ := c.candidateRoots(aliases, key, req.Scope.ProjectID); len(roots) == 1 {
		c.requester = roots[0]
		c.add(c.known[roots[0]], byIdentity, "", 0)
	}
	return nil
}

func (c *topicSet) addListed(req Request) error {
	for i, id := range req.Entities {
		pointer := fmt.Sprintf("/entities/%d", i)
		root, ok := c.known.root(id)
		reason := reasonUnknownEntity
		if ok {
			reason = exclusionReason(root, req.Scope.ProjectID)
		}
		switch reason {
		case "":
			c.add(root, byRequest, "", 0)
		case reasonUnknownEntity:
			return tenure.FieldError(tenure.Unprocessable, pointer, "there is no such entity")
		case reasonPendingEntity:
			c.add(root, byRequest, "", 0)
			c.unresolved = append(c.unresolved, Unresolved{Pointer: pointer, Reason: reason})
		default:
			c.unresolved = append(c.unresolved, Unresolved{Pointer: pointer, Reason: reason})
		}
	}
	return nil
}

// addQueried resolves spans, longest first, and returns the words that name roots. A word inside a resolved span names
// nothing else, even if the span is ambiguous; if the span names only pending entities, the word may still be part of
// another name.
func (c *topicSet) addQueried(
	runs []nameSpan, aliases map[tenure.AliasKey][]tenure.Alias, project string,
) (named map[int]bool) {
	named, taken := map[int]bool{}, map[int]bool{}
	for _, run := range runs {
		if run.overlaps(taken) {
			continue
		}
		roots, pending := c.candidateRoots(aliases, run.forms, project)
		if len(roots)+len(pending) == 0 {
			roots, pending = c.candidateRoots(aliases, run.singular, project)
		}
		c.addNamed(run, roots, pending)
		if len(roots) > 0 {
			run.take(named)
		}
		if len(roots)+len(pending) > 0 {
			run.take(taken)
		}
	}
	return named
}

// addNamed adds the root that a span names, and the pending entities of that name. Several roots are ambiguous unless
// just one is a topic already, other than as requester.
func (c *topicSet) addNamed(run nameSpan, roots, pending []tenure.ID) {
	if len(roots) > 1 {
		if named := slices.DeleteFunc(slices.Clone(roots), func(id tenure.ID) bool {
			m := c.topics[id]
			return m == nil || m.via == byIdentity
		}); len(named) == 1 {
			roots = named
		}
	}
	switch {
	case len(roots) == 1:
		c.add(c.known[roots[0]], byQuery, run.text, 0)
		c.named = append(c.named, namedRoot{run.first, run.text, roots[0]})
	case len(roots) > 1:
		c.unresolved = append(c.unresolved, Unresolved{Text: run.text, Reason: reasonAmbiguousName, Candidates: roots,
			at: run.first})
	}
	for _, id := range pending {
		c.add(c.known[id], byQuery, run.text, 0)
	}
	if len(pending) > 0 {
		c.unresolved = append(c.unresolved, Unresolved{Text: run.text, Reason: reasonPendingEntity, Candidates: pending,
			at: run.first})
	}
}
