package view

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"tenure"
	"tenure/attribute"
	"tenure/audience"
	"tenure/blocking"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"
	"tenure/text"
)

// maxFound bounds the entities that a search finds.
const maxFound = 500

// Match is the alias by which a search found an entity. Score orders what was found and is no probability.
type Match struct {
	Alias tenure.Alias
	Score float64
}

// EntitySearch searches for entities by a part of a name, a name with typing errors, or an identifier. A zero Type or
// Project does not filter.
type EntitySearch struct {
	Query         string
	Type, Project string
}

// Finder finds entities by a part of a name or by identifiers: see [resolution.Candidates.Search].
type Finder interface {
	Search(
		ctx context.Context, tenant, part string, identifiers []tenure.AliasKey, typ, project string, seen *audience.Bounds,
		limit int,
	) ([]tenure.ID, error)
}

// Search lists the roots that a search finds, best first: see [EntitySearch].
func (v *View) Search(ctx context.Context, finder Finder, f EntitySearch, p Page) (Listing[Entity], error) {
	p = p.WithDefaults()
	matches, g, err := v.matches(ctx, finder, f)
	if err != nil {
		return Listing[Entity]{}, err
	}
	key := func(id tenure.ID) string { return fmt.Sprintf("%.6f/%s", 1-matches[id][0].Score, id) }
	ids := slices.SortedFunc(maps.Keys(matches), func(a, b tenure.ID) int { return cmp.Compare(key(a), key(b)) })
	ids = slices.DeleteFunc(ids, func(id tenure.ID) bool { return key(id) <= p.After })
	page := Listed(ids, p.Limit, key)
	out := Listing[Entity]{Items: []Entity{}, Last: page.Last, More: page.More}
	for _, id := range page.Items {
		e := v.entity(g, id)
		e.Match = &matches[id][0]
		for _, m := range matches[id] {
			if !slices.Contains(e.Matched, m.Alias.Entity) {
				e.Matched = append(e.Matched, m.Alias.Entity)
			}
		}
		out.Items = append(out.Items, e)
	}
	return out, nil
}

// matches returns the aliases that match a search, best first, by root.
func (v *View) matches(ctx context.Context, finder Finder, f EntitySearch) (map[tenure.ID][]Match, roots, error) {
	keys, err := v.keysOf(ctx, f.Query)
	if err != nil {
		return nil, roots{}, err
	}
	equal, err := v.reader.AliasesByKey(ctx, keys)
	if err != nil {
		return nil, roots{}, err
	}
	seen, err := audience.BoundsIn(ctx, v.reader)
	if err != nil {
		return nil, roots{}, err
	}
	ids, err := finder.Search(ctx, v.caller.Tenant, f.Query, keys, f.Type,
		cmp.Or(v.caller.Bound.ProjectID, f.Project), seen, maxFound)
	if err != nil {
		return nil, roots{}, err
	}
	for _, a := range equal {
		ids = append(ids, a.Entity)
	}
	g, err := v.gather(ctx, ids)
	if err != nil {
		return nil, g, err
	}
	found := map[tenure.ID][]Match{}
	for _, a := range g.aliases {
		root := g.rootOf(a.Entity)
		if score := f.score(a, root, keys); score > 0 && v.inProject(a.Project) {
			found[root.ID] = append(found[root.ID], Match{a, score})
		}
	}
	for _, list := range found {
		slices.SortStableFunc(list, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	}
	return found, g, nil
}

// score returns how well an alias of a root matches, 0 if the search does not take it. keys are those of the query.
func (f EntitySearch) score(a tenure.Alias, root tenure.Entity, keys []tenure.AliasKey) float64 {
	switch {
	case f.Type != "" && root.Type != f.Type, f.Project != "" && a.Project != "" && a.Project != f.Project:
		return 0
	case slices.Contains(keys, a.Key):
		return 1
	case a.Key.Kind != tenure.NameAlias:
		return 0
	}
	return alike(f.Query, a.Spelling)
}

// keysOf lists the alias keys of a text: as a name, and as an identifier of each kind that it may be one of.
func (v *View) keysOf(ctx context.Context, query string) ([]tenure.AliasKey, error) {
	m := tenure.Mention{Name: query, Attributes: map[string][]string{}}
	for _, kind := range attribute.BuiltinKinds() {
		m.Attributes[kind] = []string{query}
	}
	own, err := v.reader.ListTerms(ctx, tenure.IdentifierKinds, "", maxOwnKinds)
	if err != nil {
		return nil, err
	}
	for _, t := range own {
		m.Attributes[t.Name] = []string{query}
	}
	mentions := []tenure.Mention{m}
	if err := ingest.DefineKinds(ctx, ledger.NewTxn(v.reader), mentions); err != nil {
		return nil, err
	}
	return registry.AliasKeys(mentions[0]), nil
}

// maxOwnKinds bounds the kinds of identifiers of a tenant that a search considers.
const maxOwnKinds = 100

// The scores of a match: of equal letters in other words, of a word that begins with the one that was asked for, of
// one that has it within, and what a wrong letter takes. The last is the share that the length of the name has.
const (
	sameLetters = .97
	beginsWith  = .9
	hasWithin   = .6
	wrongLetter = .15
	lengthShare = .3
)

// alike returns how well a name matches a query, 0 if it does not: each word of the query is a word of the name, the
// beginning of one, a part of one, or one with a letter or two wrong; or the whole query is a part of the name.
func alike(query, name string) float64 {
	if text.Key(query) == text.Key(name) {
		return 1
	}
	asked, words := blocking.Words(query), blocking.Words(name)
	if len(asked) == 0 || len(words) == 0 {
		return 0
	}
	q, n := strings.Join(asked, ""), strings.Join(words, "")
	if q == n {
		return sameLetters
	}
	sum := 0.0
	for _, a := range asked {
		best := 0.0
		for _, w := range words {
			best = max(best, wordAlike(a, w))
		}
		if best == 0 {
			sum = 0
			break
		}
		sum += best
	}
	score := sum / float64(len(asked))
	if score == 0 && strings.Contains(n, q) && len(q) > 2 {
		score = hasWithin
	}
	share := min(float64(len(q))/float64(len(n)), 1)
	return score * sameLetters * (1 - lengthShare + lengthShare*share)
}

// wordAlike returns how well a word matches one that was asked for, 0 if it does not.
func wordAlike(asked, word string) float64 {
	switch {
	case asked == word:
		return 1
	case strings.HasPrefix(word, asked):
		return beginsWith
	}
	allowed := 0
	switch n := utf8.RuneCountInString(asked); {
	case n > 7:
		allowed = 2
	case n > 3:
		allowed = 1
	}
	if d := edits([]rune(asked), []rune(word)); d <= allowed {
		return 1 - wrongLetter*float64(d)
	}
	if len(asked) > 2 && strings.Contains(word, asked) {
		return hasWithin
	}
	return 0
}

// edits counts the letters to insert, delete, replace or swap with their neighbour to make b of a (optimal string
// alignment).
func edits(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			differ := 1
			if a[i] == b[j] {
				differ = 0
			}
			next[j+1] = min(last[j]+differ, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, last = last, next
	}
	return last[len(b)]
}
