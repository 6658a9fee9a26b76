package linking

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/similarity"
	"tenure/store"
)

// Names proposes entities for the names of a text that no entity has exactly. What it proposes is only considered:
// this package decides, on the state that is read.
type Names interface {
	// Named lists at most limit entities that one of the names may denote, among those of the project and those
	// of no project, that an audience sees.
	Named(
		ctx context.Context, tenant string, names []string, project string, seen *audience.Bounds, limit int,
	) []tenure.ID
}

// proposedEach is how many entities are proposed for each name, on average.
const proposedEach = 12

// Linker finds the entities that a text names. It is safe for concurrent use.
type Linker struct {
	names Names
	model *similarity.Model
}

// New returns a linker. Without names only exact names are found; a nil model means the embedded one, which judges
// slips in names.
func New(names Names, model *similarity.Model) *Linker {
	if model == nil {
		model = similarity.DefaultModel()
	}
	return &Linker{names: names, model: model}
}

// Propose lists the entities that one of some names may denote, about a dozen for each, of those that the audience of a
// reader sees.
func (x *Linker) Propose(
	ctx context.Context, r store.IdentityReader, tenant string, names []string, project string,
) ([]tenure.ID, error) {
	if x.names == nil || len(names) == 0 {
		return nil, nil
	}
	seen, err := audience.BoundsIn(ctx, r)
	if err != nil {
		return nil, err
	}
	return x.names.Named(ctx, tenant, names, project, seen, proposedEach*len(names)), nil
}

// Query is a text, and the request that it belongs to.
type Query struct {
	Tenant, Text, Project string
	Requester             Requester
	Entities              []tenure.ID // that the request is about, whatever the text names
}

// Requester is who asks: an entity, or a name, which counts if only one entity has it.
type Requester struct {
	EntityID tenure.ID
	Name     string
}

// Link finds the entities that the request lists, the requester, and the entities that the text names: by a name or an
// identifier, by a part of a name, in small letters or with a slip.
//
// It reads the aliases of all word spans at once, then the entities; then those that are called something like what is
// left of the text. Errors: Unprocessable for a listed entity that the project does not have, and the reader's own.
func (x *Linker) Link(ctx context.Context, r store.IdentityReader, q Query) (*Links, error) {
	l := newLinks()
	l.joins = true
	return l, x.link(ctx, r, l, q)
}

// link adds the topics of a query.
func (x *Linker) link(ctx context.Context, r store.IdentityReader, l *Links, q Query) error {
	runs := nameSpansOf(q.Text)
	aliases, err := aliases(ctx, r, runs, q)
	if err != nil {
		return err
	}
	ids := append(slices.Clone(q.Entities), q.Requester.EntityID)
	for _, list := range aliases {
		for _, o := range list {
			ids = append(ids, o.Entity)
		}
	}
	if err := l.Known.Load(ctx, r, ids); err != nil {
		return err
	}
	if err := l.addRequester(q, aliases); err != nil {
		return err
	}
	if err := l.addListed(q); err != nil {
		return err
	}
	l.Words = wordsOf(q.Text, l.addQueried(runs, aliases, q.Project))
	if err := x.addAlike(ctx, r, l, q); err != nil {
		return err
	}
	l.Owners = l.owners(q.Text)
	slices.SortStableFunc(l.Unresolved, func(a, b Unresolved) int { return cmp.Compare(a.first, b.first) })
	return nil
}
