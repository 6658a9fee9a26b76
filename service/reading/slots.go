package reading

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"tenure"
	"tenure/statements/align"
	"tenure/statements/clauses"
	"tenure/store"
	"tenure/text"
	"tenure/vocabulary"
)

// slot is what is known of one property of an entity: what statements are aligned to, and the beliefs behind it.
type slot struct {
	align.Slot
	root    tenure.Entity
	beliefs []tenure.Belief // that stand, the newest first: Values are theirs
	former  []tenure.Belief // that do not stand
	term    tenure.Term
	beside  bool // a belief says of itself that it stands beside others
}

// entities lists the entities that the text may be about, at most maxEntities: those that it names, the speaker, those
// of the earlier turns, and those that have one of its values.
func (t *turn) entities(ctx context.Context) ([]tenure.Entity, error) {
	var list []tenure.Entity
	seen := map[tenure.ID]bool{}
	add := func(e tenure.Entity) {
		if !seen[e.ID] && len(list) < maxEntities {
			seen[e.ID] = true
			list = append(list, e)
		}
	}
	for _, p := range t.named.Places {
		add(p.Root)
	}
	if t.named.Speaker != nil {
		add(*t.named.Speaker)
	}
	holders, err := t.holders(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range append(slices.Clone(t.named.Near), holders...) {
		add(e)
	}
	return list, nil
}

// The bounds of what is found by values.
const (
	maxTexts     = 32 // texts
	maxPerText   = 4  // beliefs that have one of the texts as their value
	longestValue = store.LongestSaid
)

// holders lists the roots of the entities that have one of the values in the text, if few have that value.
func (t *turn) holders(ctx context.Context) ([]tenure.Entity, error) {
	var texts []string
	add := func(s string) {
		if s != "" && len(s) <= longestValue && len(texts) < maxTexts && !slices.Contains(texts, s) {
			texts = append(texts, s)
		}
	}
	for _, s := range t.said {
		add(s.Old.Text)
		add(s.New.Text)
	}
	for _, m := range t.mentions {
		add(m.Text)
	}
	found, err := t.r.Saying(ctx, texts, maxPerText)
	if err != nil {
		return nil, err
	}
	var subjects []tenure.ID
	holders := map[string][]tenure.ID{}
	for _, b := range found {
		if t.sees(b) && t.stands(b) {
			key := text.Fold(textOf(b.Claim.Value, nil))
			holders[key] = append(holders[key], b.Claim.Subject)
			subjects = append(subjects, b.Claim.Subject)
		}
	}
	for _, list := range holders {
		if list = unique(list); len(list) == maxPerText { // it may be said of everybody
			subjects = slices.DeleteFunc(subjects, func(id tenure.ID) bool { return slices.Contains(list, id) })
		}
	}
	return t.roots(ctx, unique(subjects))
}

// roots reads the roots of entities, as far as they belong to the project of the text or to none.
func (t *turn) roots(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	list, err := t.r.Entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	var merged []tenure.ID
	for _, e := range list {
		if e.MergedInto != "" {
			merged = append(merged, e.MergedInto)
		}
	}
	more, err := t.r.Entities(ctx, merged)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(append(list, more...), func(e tenure.Entity) bool {
		return e.MergedInto != "" || e.Status == tenure.EntityRetired || e.Project != "" && e.Project != t.in.Scope.ProjectID
	}), nil
}

func (t *turn) sees(b tenure.Belief) bool {
	return b.Claim.Scope.VisibleIn(t.in.Scope) && t.sight.Sees(b.Claim.Label())
}

func (t *turn) stands(b tenure.Belief) bool {
	g, ok := b.Standing.At(t.at)
	return ok && g.Cause == tenure.Stands
}

// slotsOf lists the slots that the statements may mean.
func (t *turn) slotsOf(ctx context.Context) ([]slot, error) {
	entities, err := t.entities(ctx)
	if err != nil {
		return nil, err
	}
	list, err := t.known(ctx, entities)
	return append(list, t.topics(list)...), err
}

// known returns the slots of entities, with their beliefs.
func (t *turn) known(ctx context.Context, entities []tenure.Entity) ([]slot, error) {
	root := map[tenure.ID]tenure.Entity{}
	var members []tenure.ID
	for _, e := range entities {
		for _, id := range e.Whole() {
			root[id] = e
			members = append(members, id)
		}
	}
	slices.Sort(members)
	w := tenure.Window{From: t.at, Until: t.at + 1}
	var live, dead []tenure.Belief
	err := store.Beside(func() (err error) {
		live, err = t.r.Facts(ctx, members, w, maxBeliefs)
		return err
	}, func() (err error) {
		dead, err = t.r.DisplacedFacts(ctx, members, w, maxDisplaced)
		return err
	})
	if err != nil {
		return nil, err
	}
	type key struct {
		root      tenure.ID
		predicate string
	}
	at := map[key]int{}
	var list []slot
	for _, b := range slices.Concat(live, dead) {
		if !t.sees(b) || b.Claim.Predicate == tenure.Remark || t.hides(b) {
			continue
		}
		e := root[b.Claim.Subject]
		k := key{e.ID, b.Claim.Predicate}
		i, ok := at[k]
		if !ok {
			i = len(list)
			at[k] = i
			list = append(list, slot{Slot: align.Slot{Predicate: b.Claim.Predicate}, root: e})
		}
		if t.stands(b) {
			list[i].beliefs = append(list[i].beliefs, b)
		} else {
			list[i].former = append(list[i].former, b)
		}
		list[i].beside = list[i].beside || b.Claim.SaysMany()
	}
	return list, t.fill(ctx, list)
}

// topics lists slots for what the earlier turns spoke of that is no entity yet.
func (t *turn) topics(known []slot) (list []slot) {
	for n, p := range t.before {
		for _, s := range p.Statements {
			same := func(o slot) bool {
				return slices.ContainsFunc(o.Names, func(name string) bool { return text.Key(name) == text.Key(s.About) }) &&
					(o.root.ID != "" || o.Predicate == s.Predicate)
			}
			if s.Entity != "" || s.About == "" || slices.ContainsFunc(known, same) || slices.ContainsFunc(list, same) {
				continue
			}
			list = append(list, slot{Slot: align.Slot{
				Names: t.names(tenure.Entity{Name: s.About}), Others: t.isOthers(s.About),
				Predicate: s.Predicate, Turn: n + 1, Said: n + 1, Asked: n == 0 && s.Asks,
			}})
		}
	}
	return list[:min(len(list), maxTopics)]
}

// fill completes slots with their terms, their values, and when the thread spoke of them.
func (t *turn) fill(ctx context.Context, list []slot) error {
	terms := store.NewTerms(t.r)
	var ids []string
	var things []tenure.ID
	for _, s := range list {
		ids = append(ids, vocabulary.IDs(s.Predicate)...)
		for _, b := range s.beliefs {
			things = append(things, b.Claim.Value.Entity)
		}
	}
	slices.Sort(ids)
	names := map[tenure.ID]string{}
	var known []tenure.Entity
	err := store.Beside(
		func() error { return terms.Load(ctx, slices.Compact(ids)) },
		func() (err error) {
			known, err = t.r.Entities(ctx, unique(things))
			return err
		},
	)
	if err != nil {
		return err
	}
	for _, e := range known {
		names[e.ID] = e.Name
	}
	named := map[tenure.ID]bool{}
	for _, p := range t.named.Places {
		named[p.Root.ID] = true
	}
	for i := range list {
		s := &list[i]
		if s.term, err = vocabulary.Of(ctx, terms, s.Predicate); err != nil {
			return err
		}
		s.Names = t.names(s.root)
		s.Written, s.Synonyms, s.Type = s.written(), s.term.Synonyms, s.term.ValueType
		s.Many = s.beside || s.term.Cardinality == tenure.Many
		s.Named, s.Own = named[s.root.ID], t.named.Speaker != nil && t.named.Speaker.ID == s.root.ID
		s.Others = t.isOthers(s.root.Name)
		slices.SortStableFunc(s.beliefs, func(a, b tenure.Belief) int {
			return cmp.Or(cmp.Compare(b.Claim.Window.From, a.Claim.Window.From), cmp.Compare(b.Claim.ID, a.Claim.ID))
		})
		for _, b := range s.beliefs {
			value := textOf(b.Claim.Value, names)
			s.Values = append(s.Values, value)
			s.Kinds = append(s.Kinds, clauses.KindOf(value))
			s.Since = max(s.Since, b.Claim.Window.From)
		}
		t.place(s)
	}
	return nil
}

// written lists the predicates of a slot as they were written, where these differ from it.
func (s slot) written() (list []string) {
	for _, b := range slices.Concat(s.beliefs, s.former) {
		list = append(list, b.Claim.PredicateAsWritten)
	}
	return unique(list)
}

// place sets how many turns ago the thread spoke of a slot, and whether it was asked for.
func (t *turn) place(s *slot) {
	whole := s.root.Whole()
	for n, p := range t.before {
		about := func(id tenure.ID) bool { return slices.Contains(whole, id) }
		s.Asked = s.Asked || n == 0 && slices.ContainsFunc(p.Statements, func(o tenure.Said) bool {
			return o.Asks && o.Predicate == s.Predicate && about(o.Entity)
		})
		if s.Turn == 0 && slices.ContainsFunc(p.entities, about) {
			s.Turn = n + 1
		}
		if s.Said == 0 && slices.ContainsFunc(p.slots, func(o tenure.Slot) bool {
			return o.Predicate == s.Predicate && about(o.Subject)
		}) {
			s.Said = n + 1
		}
	}
}

// textOf returns a value as a text would say it.
func textOf(v tenure.Value, names map[tenure.ID]string) string {
	if v.Entity != "" {
		return cmp.Or(v.Name, names[v.Entity])
	}
	var s string
	if json.Unmarshal(v.JSON, &s) == nil {
		return s
	}
	var b bytes.Buffer
	if json.Compact(&b, v.JSON) != nil {
		return string(v.JSON)
	}
	return b.String()
}

// names lists the names of an entity; what is the speaker's own goes without the speaker's name, too.
func (t *turn) names(e tenure.Entity) []string {
	list := append([]string{e.Name}, e.Names...)
	for _, name := range list {
		if own, ok := strings.CutPrefix(name, t.in.Source.Speaker+genitive); ok && t.in.Source.Speaker != "" {
			list = append(list, own)
		}
	}
	return unique(list)
}

// isOthers reports whether a name says that an entity is somebody's who does not speak: "Nan's cat" where Per does.
func (t *turn) isOthers(name string) bool {
	whose, _, ok := strings.Cut(name, genitive)
	return ok && t.in.Source.Speaker != "" && text.Key(whose) != text.Key(t.in.Source.Speaker)
}
