package linking

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenure"
	"tenure/ner/words"
	"tenure/similarity"
	"tenure/store"
)

// Via is how an entity became a topic.
type Via string

// How linking finds topics. Callers add others in ways of their own.
const (
	ByIdentity Via = "identity" // it asks
	ByRequest  Via = "request"  // it was listed
	ByQuery    Via = "query"    // the text names it
)

// Topic is a root entity that a text, or the request that it belongs to, is about.
type Topic struct {
	Entity tenure.Entity
	Via    Via
	Text   string // the words that name it, if any do
	Hops   int    // relations away from what was asked
}

// Why a name, or an entity of a request, is no topic.
const (
	PendingEntity = "pending_entity"
	RetiredEntity = "retired_entity"
	UnknownEntity = "unknown_entity"
	AmbiguousName = "ambiguous_name"
	SimilarName   = "similar_name"
)

// Unresolved is a name of the text, or a field of the request at a JSON pointer, that does not name one usable entity.
type Unresolved struct {
	Text, Pointer string
	Reason        string
	Candidates    []tenure.ID
	Misspelt      bool // it is like a word of a name, and may as well be another word
	first         int  // word of the text
}

// Links are the entities that a text names, and those of the request that it belongs to.
type Links struct {
	Known      Directory
	Topics     map[tenure.ID]*Topic // by root
	Requester  tenure.ID            // root of who asks, "" if unknown
	Unresolved []Unresolved         // by pointer, then in the order of the text
	Words      []Word               // of the text
	Owners     []tenure.ID          // roots that the text names as having something: "Jaz's bike lock"
	named      []namedRoot          // by the words of the text
	joins      bool                 // a namesake outside of the project counts as merged
}

func newLinks() *Links { return &Links{Known: Directory{}, Topics: map[tenure.ID]*Topic{}} }

// Add adds a root and reports whether it was new.
func (l *Links) Add(root tenure.Entity, via Via, text string, hops int) bool {
	if _, ok := l.Topics[root.ID]; ok {
		return false
	}
	l.Topics[root.ID] = &Topic{Entity: root, Via: via, Text: text, Hops: hops}
	return true
}

// Subjects lists, sorted, the ids that claims about the topics may carry: the roots and their members.
func (l *Links) Subjects() []tenure.ID {
	ids := map[tenure.ID]bool{}
	for _, m := range l.Topics {
		for _, id := range m.Entity.Whole() {
			ids[id] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// Directory caches entities by id.
type Directory map[tenure.ID]tenure.Entity

// Load reads entities that are not cached, their roots, and all members of these.
func (d Directory) Load(ctx context.Context, r store.IdentityReader, ids []tenure.ID) error {
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

// Root returns the root of an entity by following merges.
func (d Directory) Root(id tenure.ID) (tenure.Entity, bool) {
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

// Excluded returns why a request of a project may not be about an entity, "" if it may. An entity of another project
// counts as unknown.
func Excluded(e tenure.Entity, project string) (reason string) {
	switch {
	case !InProject(e.Project, project):
		return UnknownEntity
	case e.Status == tenure.EntityPending:
		return PendingEntity
	case e.Status == tenure.EntityRetired:
		return RetiredEntity
	}
	return ""
}

// InProject reports whether a request of a project, or with "" of none, sees what belongs to a project, or with "" to
// all.
func InProject(object, request string) bool { return object == "" || object == request }

// aliases reads the aliases that match the word spans of the query and the requester's name, without those of
// other projects.
func aliases(
	ctx context.Context, r store.IdentityReader, runs []nameSpan, q Query,
) (map[tenure.AliasKey][]tenure.Alias, error) {
	var forms []tenure.AliasKey
	seen := map[tenure.AliasKey]bool{}
	add := func(f tenure.AliasKey) {
		if f.Key != "" && !seen[f] {
			seen[f] = true
			forms = append(forms, f)
		}
	}
	if q.Requester.EntityID == "" {
		add(similarity.NameAliasKey(q.Requester.Name))
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
		if InProject(o.Project, q.Project) {
			found[o.Key] = append(found[o.Key], o)
		}
	}
	return found, nil
}

// candidateRoots splits the entities known by one of some keys into usable roots and pending entities. An alias of
// the project goes before those of all projects.
func (l *Links) candidateRoots(
	aliases map[tenure.AliasKey][]tenure.Alias, keys []tenure.AliasKey, project string,
) (roots, pending []tenure.ID) {
	own, all := map[tenure.ID]bool{}, map[tenure.ID]bool{}
	for _, key := range keys {
		for _, o := range aliases[key] {
			root, ok := l.Known.Root(o.Entity)
			if !ok {
				continue
			}
			all[root.ID] = true
			if project != "" && o.Project == project {
				own[root.ID] = true
			}
		}
	}
	if roots, pending = l.usable(own, project); len(roots) > 0 {
		return roots, pending
	}
	return l.usable(all, project)
}

// usable splits roots into those that may be compiled, of the project alone if it has any of them, and pending ones.
func (l *Links) usable(set map[tenure.ID]bool, project string) (roots, pending []tenure.ID) {
	own, usables, waiting := map[tenure.ID]bool{}, map[tenure.ID]bool{}, map[tenure.ID]bool{}
	for id := range set {
		switch Excluded(l.Known[id], project) {
		case "":
			usables[id] = true
			if project != "" && l.Known[id].Project == project {
				own[id] = true
			}
		case PendingEntity:
			waiting[id] = true
		}
	}
	if len(own) > 0 {
		usables = own
	}
	return l.oldestFirst(usables), l.oldestFirst(waiting)
}

// oldestFirst lists entities, the oldest first.
func (l *Links) oldestFirst(set map[tenure.ID]bool) []tenure.ID {
	ids := slices.Sorted(maps.Keys(set))
	slices.SortStableFunc(ids, func(a, b tenure.ID) int { return cmp.Compare(l.Known[a].CreatedAt, l.Known[b].CreatedAt) })
	return ids
}

// addRequester adds the entity that asks: the one stated, else the one of its name, if only one has it.
func (l *Links) addRequester(q Query, aliases map[tenure.AliasKey][]tenure.Alias) error {
	who := q.Requester
	if who.EntityID != "" {
		const pointer = "/identity/entity_id"
		root, reason := l.listed(who.EntityID, q.Project)
		switch reason {
		case "":
			l.Requester = root.ID
			l.Add(root, ByIdentity, "", 0)
		case UnknownEntity:
			return tenure.FieldError(tenure.Unprocessable, pointer, "there is no such entity")
		default:
			l.Unresolved = append(l.Unresolved, Unresolved{Pointer: pointer, Reason: reason})
		}
		return nil
	}
	key := []tenure.AliasKey{similarity.NameAliasKey(who.Name)}
	if roots, _ := l.candidateRoots(aliases, key, q.Project); len(roots) == 1 {
		l.Requester = roots[0]
		l.Add(l.Known[roots[0]], ByIdentity, "", 0)
	}
	return nil
}

// listed returns the root of an entity that a request states, and why it is excluded, "" if it is not.
func (l *Links) listed(id tenure.ID, project string) (root tenure.Entity, reason string) {
	root, ok := l.Known.Root(id)
	if !ok {
		return root, UnknownEntity
	}
	return root, Excluded(root, project)
}

func (l *Links) addListed(q Query) error {
	for i, id := range q.Entities {
		pointer := fmt.Sprintf("/entities/%d", i)
		root, reason := l.listed(id, q.Project)
		if reason == UnknownEntity {
			return tenure.FieldError(tenure.Unprocessable, pointer, "there is no such entity")
		}
		if reason == "" || reason == PendingEntity {
			l.Add(root, ByRequest, "", 0)
		}
		if reason != "" {
			l.Unresolved = append(l.Unresolved, Unresolved{Pointer: pointer, Reason: reason})
		}
	}
	return nil
}

// addQueried resolves spans, longest first, and returns the words that name roots. A word inside a resolved span names
// nothing else, even if the span is ambiguous; if the span names only pending entities, the word may still be part of
// another name.
func (l *Links) addQueried(
	runs []nameSpan, aliases map[tenure.AliasKey][]tenure.Alias, project string,
) (named map[int]bool) {
	named, taken := map[int]bool{}, map[int]bool{}
	for _, run := range runs {
		if run.overlaps(taken) {
			continue
		}
		roots, pending := l.candidateRoots(aliases, run.forms, project)
		if len(roots)+len(pending) == 0 {
			roots, pending = l.candidateRoots(aliases, run.singular, project)
		}
		l.addNamed(run, roots, pending)
		if l.joins && len(roots) == 1 {
			l.addNamesake(run, l.Known[roots[0]], aliases, project)
		}
		if len(roots) > 0 {
			run.take(named)
		}
		if len(roots)+len(pending) > 0 {
			run.take(taken)
		}
	}
	return named
}

// addNamesake has the only root outside of a project that has the name and the type of one of the project count as
// merged into that. Had it been there first, what the project says would have been said of it; what is known does not
// depend on that. A person has to be named by more than one word.
func (l *Links) addNamesake(
	run nameSpan, own tenure.Entity, aliases map[tenure.AliasKey][]tenure.Alias, project string,
) {
	if project == "" || own.Project != project || own.Type == words.Person && !strings.Contains(run.text, " ") {
		return
	}
	outside := map[tenure.ID]bool{}
	for _, key := range run.forms {
		for _, o := range aliases[key] {
			root, ok := l.Known.Root(o.Entity)
			if ok && root.Project == "" && root.Type == own.Type && Excluded(root, project) == "" {
				outside[root.ID] = true
			}
		}
	}
	topic := l.Topics[own.ID]
	if ids := l.oldestFirst(outside); len(ids) == 1 && topic != nil {
		other := l.Known[ids[0]]
		own.Members = append(slices.Clone(own.Members), other.Whole()...)
		other.Status, other.MergedInto = tenure.EntityMerged, own.ID
		l.Known[own.ID], l.Known[other.ID] = own, other
		topic.Entity = own
	}
}

// addNamed adds the root that a span names, and the pending entities of that name. Several roots are ambiguous unless
// just one is a topic already, other than as requester.
func (l *Links) addNamed(run nameSpan, roots, pending []tenure.ID) {
	if len(roots) > 1 {
		if named := slices.DeleteFunc(slices.Clone(roots), func(id tenure.ID) bool {
			m := l.Topics[id]
			return m == nil || m.Via == ByIdentity
		}); len(named) == 1 {
			roots = named
		}
	}
	switch {
	case len(roots) == 1:
		if m := l.Topics[roots[0]]; m != nil && m.Via == ByIdentity {
			m.Via, m.Text = ByQuery, run.text // who asks, and is asked about
		}
		l.Add(l.Known[roots[0]], ByQuery, run.text, 0)
		l.named = append(l.named, namedRoot{run.first, run.text, roots[0]})
	case len(roots) > 1:
		l.Unresolved = append(l.Unresolved, Unresolved{Text: run.text, Reason: AmbiguousName, Candidates: roots,
			first: run.first})
	}
	for _, id := range pending {
		l.Add(l.Known[id], ByQuery, run.text, 0)
	}
	if len(pending) > 0 {
		l.Unresolved = append(l.Unresolved, Unresolved{Text: run.text, Reason: PendingEntity, Candidates: pending,
			first: run.first})
	}
}
