package view

import (
	"context"

	"tenure"
	"tenure/similarity"
	"tenure/store"
	"tenure/vocabulary"
)

// Singular returns those of the names that exactly one entity in a project is known by, and no pending one.
func (v *View) Singular(ctx context.Context, names []string, project string) (map[string]bool, error) {
	one := map[string]bool{}
	if len(names) == 0 {
		return one, nil
	}
	keys := map[tenure.AliasKey][]string{}
	var wanted []tenure.AliasKey
	for _, n := range names {
		key := similarity.NameAliasKey(n)
		keys[key], wanted = append(keys[key], n), append(wanted, key)
	}
	aliases, err := v.reader.AliasesByKey(ctx, wanted)
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	of := map[tenure.AliasKey][]tenure.ID{}
	for _, a := range aliases {
		if v.inProject(a.Project) && (a.Project == "" || a.Project == project) {
			ids, of[a.Key] = append(ids, a.Entity), append(of[a.Key], a.Entity)
		}
	}
	g, err := v.gatherEntities(ctx, ids)
	if err != nil {
		return nil, err
	}
	for key, entities := range of {
		roots := map[tenure.ID]bool{}
		certain := true
		for _, id := range entities {
			root := g.rootOf(id)
			roots[root.ID] = true
			certain = certain && root.Status == tenure.EntityCanonical
		}
		for _, n := range keys[key] {
			one[n] = certain && len(roots) == 1
		}
	}
	return one, nil
}

// Predicates returns the terms that predicates as written mean, by those.
func (v *View) Predicates(ctx context.Context, written []string) (map[string]tenure.Term, error) {
	terms := store.NewTerms(v.reader)
	var ids []string
	for _, p := range written {
		ids = append(ids, vocabulary.IDs(p)...)
	}
	if err := terms.Load(ctx, ids); err != nil {
		return nil, err
	}
	found := make(map[string]tenure.Term, len(written))
	for _, p := range written {
		t, err := vocabulary.Resolve(ctx, terms, p)
		if err != nil {
			return nil, err
		}
		found[p] = t
	}
	return found, nil
}
