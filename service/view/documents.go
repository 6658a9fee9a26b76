package view

import (
	"context"

	"tenure"
	"tenure/store"
)

// Document is a version of a document with its passages.
type Document struct {
	tenure.Document

	Parts []tenure.Passage
}

// DocumentFilter selects documents: those of a URI, and those whose scope is a user, a project, a session or a task. A
// zero field does not filter.
type DocumentFilter struct {
	URI   string
	Scope tenure.Scope
}

// chooses reports whether the ids of the filter's scope are those of another scope.
func (f DocumentFilter) chooses(s tenure.Scope) bool {
	is := func(wanted, have string) bool { return wanted == "" || wanted == have }
	return is(f.Scope.UserID, s.UserID) && is(f.Scope.ProjectID, s.ProjectID) && is(f.Scope.SessionID, s.SessionID) &&
		is(f.Scope.TaskID, s.TaskID)
}

// Documents lists the documents that the caller sees, by id, without their passages.
func (v *View) Documents(ctx context.Context, f DocumentFilter, p Page) (Listing[tenure.Document], error) {
	fetch := func(after string, n int) ([]tenure.Document, error) {
		return v.reader.ListDocuments(ctx, store.DocumentQuery{URI: f.URI, After: tenure.ID(after), Limit: n})
	}
	key := func(d tenure.Document) string { return string(d.ID) }
	return scan(p.WithDefaults(), fetch, key, func(list []tenure.Document) ([]*tenure.Document, error) {
		kept := make([]*tenure.Document, len(list))
		for i := range list {
			if f.chooses(list[i].Scope) {
				kept[i] = &list[i]
			}
		}
		return kept, nil
	})
}

// Document returns a document that the caller sees and that is not withdrawn, with its passages.
func (v *View) Document(ctx context.Context, id tenure.ID) (Document, error) {
	found, err := v.reader.Documents(ctx, []tenure.ID{id})
	if err != nil {
		return Document{}, err
	}
	if len(found) == 0 || found[0].Withdrawn {
		return Document{}, Absent()
	}
	parts, err := v.reader.PassagesOf(ctx, []tenure.ID{id})
	return Document{found[0], parts}, err
}
