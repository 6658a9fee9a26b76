package index

import (
	"context"
	"slices"

	"tenure"

	"tenure/blocking"
	"tenure/changefeed"
	"tenure/store"
)

// document is what the index holds of one entity: the names and identifiers of its aliases, and its
// descriptions. A merged entity keeps a document of its own.
type document struct {
	Entity        tenure.ID
	Type, Project string
	Label         tenure.Label
	Names         []string
	Identifiers   []tenure.AliasKey
	Descriptions  []string
}

// maxAliases bounds the names and the identifiers of a document, so that an entity with thousands of aliases
// does not slow down searches for others. Beyond the bound an entity is found by its exact alias keys only,
// which needs no index.
const maxAliases = 256

// documentOf returns the document of an entity without its aliases.
func documentOf(e tenure.Entity) document {
	return document{
		Entity: e.ID, Type: e.Type, Project: e.Project, Label: e.Label, Identifiers: blocking.AttributeKeys(e.Attributes, e.IdentifierKinds),
		Descriptions: e.Context[:min(len(e.Context), maxDescriptions)],
	}
}

// add adds an alias to a document, except a project's own name for a shared entity, and one that not everybody may see
// who sees the entity: others must not find the entity by it.
func (d *document) add(o tenure.Alias) {
	switch {
	case o.Project != "" && o.Project != d.Project, !d.Label.Covers(o.Label):
	case o.Key.Kind != tenure.NameAlias:
		d.Identifiers = withAlias(d.Identifiers, o.Key)
	default:
		d.Names = withAlias(d.Names, o.Spelling)
	}
}

func withAlias[T comparable](list []T, alias T) []T {
	if len(list) >= maxAliases || slices.Contains(list, alias) {
		return list
	}
	return append(list, alias)
}

func (d document) empty() bool { return len(d.Names)+len(d.Identifiers)+len(d.Descriptions) == 0 }

// unrelated lists the kinds of changes that name an entity without changing its document.
var unrelated = map[tenure.ChangeKind]bool{
	tenure.KindObservationAdded: true, tenure.KindMentionAdded: true, tenure.KindMentionAssigned: true,
	tenure.KindClaimAdded: true, tenure.KindClaimMoved: true, tenure.KindStandingPut: true,
	tenure.KindAmended: true, tenure.KindCasePut: true, tenure.KindReviewPut: true,
}

// Touched lists the entities whose document the entries create or change, each once.
func Touched(entries []tenure.Entry) []tenure.ID {
	seen := map[tenure.ID]bool{}
	var ids []tenure.ID
	for _, e := range entries {
		for _, c := range e.Changes {
			if c.Entity != "" && !seen[c.Entity] && !unrelated[c.Kind] {
				seen[c.Entity] = true
				ids = append(ids, c.Entity)
			}
		}
	}
	return ids
}

// documentsAt reads the documents of entities in a state. Entities with an empty document are returned as
// removed.
func documentsAt(
	ctx context.Context, r store.Reader, ids []tenure.ID,
) (docs []document, removed []tenure.ID, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	entities, err := r.Entities(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	aliases, err := r.AliasesOf(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	byID := make(map[tenure.ID]*document, len(entities))
	for _, e := range entities {
		d := documentOf(e)
		byID[e.ID] = &d
	}
	for _, o := range aliases {
		if d := byID[o.Entity]; d != nil {
			d.add(o)
		}
	}
	for _, id := range ids {
		if d := byID[id]; d != nil && !d.empty() {
			docs = append(docs, *d)
		} else {
			removed = append(removed, id)
		}
	}
	return docs, removed, nil
}

// entitiesOf returns the documents of the entities that a page changes.
func entitiesOf(ctx context.Context, _ *Index, p changefeed.Page) ([]entry, error) {
	docs, removed, err := documentsAt(ctx, p.State, Touched(p.Entries))
	return entriesOf(docs, removed, p.UpTo()), err
}

func entriesOf(docs []document, removed []tenure.ID, upTo tenure.Seq) []entry {
	entries := make([]entry, 0, len(docs)+len(removed))
	for _, d := range docs {
		entries = append(entries, entryOf(d, upTo))
	}
	for _, id := range removed {
		entries = append(entries, entry{id: id, seq: upTo})
	}
	return entries
}

// documentsIn returns the documents of the entities in changes, as far as the changes describe them. An
// entity of which the changes contain only an alias gets the alias's type, project and label.
func documentsIn(changes []tenure.Change) []document {
	var docs []document
	of := func(e tenure.Entity) *document {
		i := slices.IndexFunc(docs, func(d document) bool { return d.Entity == e.ID })
		if i < 0 {
			docs, i = append(docs, documentOf(e)), len(docs)
		}
		return &docs[i]
	}
	for _, c := range changes {
		if c, ok := c.(tenure.EntityPut); ok {
			*of(c.Entity) = documentOf(c.Entity)
		}
	}
	for _, c := range changes {
		if c, ok := c.(tenure.AliasAdded); ok {
			put := slices.ContainsFunc(docs, func(d document) bool { return d.Entity == c.Alias.Entity })
			l := c.Alias.Label
			if l.Scope.ProjectID = ""; l != (tenure.Label{}) && !put {
				continue // whether whoever sees the entity sees the alias is not known yet
			}
			of(tenure.Entity{
				ID: c.Alias.Entity, Type: c.Alias.Type, Project: c.Alias.Project, Label: c.Alias.Label,
			}).add(c.Alias)
		}
	}
	return slices.DeleteFunc(docs, document.empty)
}
