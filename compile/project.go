package compile

import (
	"context"
	"maps"
	"slices"

	"tenure"
	"tenure/linking"
	"tenure/ner/words"
	"tenure/similarity"
	"tenure/store"
)

// The words that name the project of a request, one of the first before one of the second.
var (
	ownWord = words.NewSet(`this our current dieses diesem dieser unser unserem unseres este esta nuestro ce notre questo
		nostro nosso dit ons`)
	projectWord = words.NewSet(`project projekt projekts proyecto projet progetto projeto`)
)

// projectRead bounds the newest beliefs of a scope among which the project of a request is looked for. It is what at
// least one in spokenOf of those that were made in the project are about.
const (
	projectRead = 500
	spokenOf    = 10
)

// nameProject makes the project of the request a topic, if its query says "this project" and names nothing else: the
// one project that is known by the id of the project, or, if none is, the one that is spoken of most in it. What the
// words of the query find comes beside it.
func (c *Compiler) nameProject(ctx context.Context, r store.Reader, who *topicSet, see viewer, req Request) error {
	at := saysOwnProject(who.Words)
	if at < 0 || see.scope.ProjectID == "" || !who.namesNobody() {
		return nil
	}
	root, err := who.projectByID(ctx, r, see.scope.ProjectID)
	if root == nil && err == nil {
		root, err = who.projectSpokenOf(ctx, r, see, req.ValidAt)
	}
	if root == nil || err != nil {
		return err
	}
	who.project = root.ID
	who.Add(*root, linking.ByQuery, req.Query[who.Words[at].From:who.Words[at+1].Until], 0)
	return nil
}

// saysOwnProject returns the place of the words that name the project of a request, -1 if none do.
func saysOwnProject(list []linking.Word) int {
	for i := 1; i < len(list); i++ {
		own := ownWord.Has(list[i-1].Key) && projectWord.Has(list[i].Key) && list[i].Joined
		if own && !list[i-1].Taken && !list[i].Taken {
			return i - 1
		}
	}
	return -1
}

// projectByID returns the one project that is known by an id as its name, nil if it is not one.
func (c *topicSet) projectByID(ctx context.Context, r store.IdentityReader, id string) (*tenure.Entity, error) {
	key := similarity.NameAliasKey(id)
	if key.Key == "" {
		return nil, nil
	}
	list, err := r.AliasesByKey(ctx, []tenure.AliasKey{key})
	if err != nil {
		return nil, err
	}
	count := map[tenure.ID]int{}
	for _, o := range list {
		if linking.InProject(o.Project, id) {
			count[o.Entity] = 1
		}
	}
	return c.mostOf(ctx, r, count, 1, id)
}

// projectSpokenOf returns the project that most of the beliefs are about that were made in a project, of the newest
// that its scope sees; nil if few are about one, or as many about another.
func (c *topicSet) projectSpokenOf(
	ctx context.Context, r store.Reader, see viewer, at tenure.Instant,
) (*tenure.Entity, error) {
	list, err := r.Recent(ctx, store.RecentQuery{In: see.scope, Window: instantWindow(at), Limit: projectRead})
	if err != nil {
		return nil, err
	}
	count, all := map[tenure.ID]int{}, 0
	for i := range list {
		if claim := &list[i].Claim; claim.Scope.ProjectID == see.scope.ProjectID && see.denies(claim) == "" {
			count[claim.Subject]++
			all++
		}
	}
	return c.mostOf(ctx, r, count, (all+spokenOf-1)/spokenOf, see.scope.ProjectID)
}

// mostOf returns the project with the highest count, nil if there is none, several have it, or it is less than the
// least.
func (c *topicSet) mostOf(
	ctx context.Context, r store.IdentityReader, count map[tenure.ID]int, least int, project string,
) (*tenure.Entity, error) {
	ids := slices.Collect(maps.Keys(count))
	if err := c.Known.Load(ctx, r, ids); err != nil {
		return nil, err
	}
	byRoot, most, only := map[tenure.ID]int{}, (*tenure.Entity)(nil), false
	for _, id := range ids {
		if root, ok := c.Known.Root(id); ok && root.Type == words.Project && linking.Excluded(root, project) == "" {
			byRoot[root.ID] += count[id]
		}
	}
	for id, n := range byRoot {
		switch {
		case most == nil || n > byRoot[most.ID]:
			root := c.Known[id]
			most, only = &root, true
		case n == byRoot[most.ID]:
			only = false
		}
	}
	if !only || byRoot[most.ID] < least {
		return nil, nil
	}
	return most, nil
}
