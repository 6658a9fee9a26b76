package compile_test

import (
	"strings"
	"testing"

	"tenure"
)

// TestThisProject asks about the project of the request, which the query does not name.
func TestThisProject(t *testing.T) {
	build := func(w *world, name string) {
		ofType := func(typ string) func(*tenure.Entity) { return func(e *tenure.Entity) { e.Type = typ } }
		heron := w.entity(1, name, ofType("project"))
		egret, ann := w.entity(2, "Egret", ofType("project")), w.entity(3, "Ann", ofType("person"))
		in := scoped(tenure.Scope{ProjectID: "heron"})
		w.claim(11, heron, "order_store", "PostgreSQL", in)
		w.claim(12, heron, "launch", "June", in)
		w.claim(13, egret, "order_store", "SQLite")
		w.claim(14, egret, "launch", "May", in)
		w.claim(15, ann, "desk", "window", in)
		w.claim(16, ann, "chair", "oak", in)
		w.claim(17, ann, "lamp", "brass", in)
	}
	for name, c := range map[string]struct {
		project, query, called string
		want                   bool
	}{
		"known-by-the-id":     {"heron", "Which database do we use in this project?", "Heron", true},
		"spoken-of-most":      {"heron", "Which database do we use in this project?", "Grey Bird", true},
		"in-other-words":      {"heron", "Welche Datenbank nutzt unser Projekt?", "Grey Bird", true},
		"another-project":     {"egret", "Which database do we use in this project?", "Heron", false},
		"no-project":          {"", "Which database do we use in this project?", "Heron", false},
		"says-no-project":     {"heron", "Which database do we use?", "Heron", false},
		"names-another-thing": {"heron", "Which database does Ann use in this project?", "Heron", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			build(w, c.called)
			req := ask(c.query)
			req.Scope.ProjectID = c.project
			text := w.compiled(t, req).Envelope.Text
			if strings.Contains(text, "PostgreSQL") != c.want || c.want && strings.Contains(text, "Ann") {
				t.Errorf("%q", text)
			}
		})
	}
}

// TestThisProjectBesideWhatWordsFind asks about the project of the request by a word that a fact has: the other facts
// about the project are left out, as of one that is named.
func TestThisProjectBesideWhatWordsFind(t *testing.T) {
	w := &world{}
	in := scoped(tenure.Scope{ProjectID: "heron"})
	heron := w.entity(1, "Heron", func(e *tenure.Entity) { e.Type = "project" })
	service := w.entity(2, "Order service", func(e *tenure.Entity) { e.Type = "system" })
	w.claim(11, heron, "database", "PostgreSQL", in)
	w.claim(12, heron, "launch", "June", in)
	w.claim(13, service, "order_database", "SQLite", in)
	req := ask("Which database do we use in this project?")
	req.Scope.ProjectID = "heron"
	text := w.compiled(t, req).Envelope.Text
	for value, want := range map[string]bool{"PostgreSQL": true, "SQLite": true, "June": false} {
		if strings.Contains(text, value) != want {
			t.Errorf("%s: want %v in %q", value, want, text)
		}
	}
}
