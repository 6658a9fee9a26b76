package storetest

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"tenure"
	"tenure/store"
)

var documentPromises = []promise{
	{"Documents finds documents by id, withdrawn ones too.", documentsByID},
	{"ListDocuments pages through documents in ascending order of their ids, withdrawn ones left out unless the query " +
		"chooses them.", documentsListed},
	{"The passages in a state are those of the versions of documents that are in the state.", passagesInState},
	{"PassagesIn pages through the passages in the state of the documents whose scope is visible in another", passagesIn},
	{"overwrites nothing but content that is erased.", erasedDocuments},
	{"does what their sets ask for, all or nothing.", replayedDocuments},
}

// documentIn returns a version of a document in a scope with passages of some texts.
func documentIn(uri string, s tenure.Scope, version int, texts ...string) tenure.DocumentPut {
	d := tenure.Document{
		URI: uri, Title: "title of " + uri, Scope: s, Classification: tenure.Public, MediaType: tenure.Markdown,
		Source: tenure.Source{Origin: uri, AuthorityLevel: 4, SourceAuthority: 0.5}, ObservedAt: 5, ReceivedAt: 6,
		Actor: "storetest", Version: version, Passages: len(texts), Tokens: 7,
	}
	d.ID, d.Digest = tenure.DocumentID(uri, s, d.Label()), d.DigestOf(strings.Join(texts, " "))
	put := tenure.DocumentPut{Document: d}
	for i, text := range texts {
		put.Passages = append(put.Passages, tenure.Passage{
			ID: tenure.PassageID(d.ID, version, i+1), Document: d.ID, Version: version, Number: i + 1,
			Headings: []string{"heading of " + uri}, Preamble: "preamble of " + uri, Text: text, Tokens: 7,
		})
	}
	return put
}

// withdrawn returns the version of a document in which it was withdrawn.
func withdrawn(c tenure.DocumentPut) tenure.DocumentPut {
	d := c.Document
	d.Version, d.Withdrawn, d.Passages, d.Tokens, d.Digest = d.Version+1, true, 0, 0, ""
	return tenure.DocumentPut{Document: d}
}

func documentIDs(list []tenure.Document) []tenure.ID {
	found := make([]tenure.ID, len(list))
	for i, d := range list {
		found[i] = d.ID
	}
	return found
}

func documentsByID(w *world) {
	all := tenure.Scope{}
	first, second := documentIn("a", all, 1, "one", "two"), documentIn("a", all, 2, "three")
	id, gone := first.Document.ID, withdrawn(second)
	w.apply(first)
	w.apply(second)
	w.apply(gone)
	for seq, want := range []tenure.Document{first.Document, second.Document, gone.Document} {
		at := w.view(tenure.AsOf{Seq: tenure.Seq(seq + 1)})
		w.same("the document", []tenure.Document{want}, read(w, at.Documents, []tenure.ID{id, newID(), id}))
	}
	w.same("of another tenant", 0, len(read(w, w.other().now().Documents, []tenure.ID{id})))
	w.same("of nothing", 0, len(read(w, w.now().Documents, nil)))
}

func documentsListed(w *world) {
	var want []tenure.ID
	for _, uri := range []string{"a", "b", "c", "A", strings.Repeat("long/", 400)} {
		for _, s := range []tenure.Scope{{}, {UserID: "u"}} {
			put := documentIn(uri, s, 1, "text")
			w.apply(put)
			want = append(want, put.Document.ID)
		}
	}
	before, _ := w.now().State()
	over := documentIn("b", tenure.Scope{}, 1, "text")
	w.apply(withdrawn(over))
	slices.Sort(want)
	listed := func(r store.Reader, uri string, limit int) (found []tenure.ID) {
		for q := (store.DocumentQuery{URI: uri, Limit: limit}); ; q.After = found[len(found)-1] {
			page := read(w, r.ListDocuments, q)
			found = append(found, documentIDs(page)...)
			if limit == 0 || len(page) < limit {
				return found
			}
		}
	}
	w.same("before one was withdrawn", want, listed(w.view(tenure.AsOf{Seq: before}), "", 0))
	w.same("pages of them", want, listed(w.view(tenure.AsOf{Seq: before}), "", 3))
	rest := slices.DeleteFunc(slices.Clone(want), func(id tenure.ID) bool { return id == over.Document.ID })
	w.same("after", rest, listed(w.now(), "", 2))
	w.same("with those that were withdrawn", want,
		documentIDs(read(w, w.now().ListDocuments, store.DocumentQuery{Withdrawn: true})))
	w.same("of one that is in two scopes", 2, len(listed(w.now(), "a", 1)))
	w.same("of the other case", 2, len(listed(w.now(), "A", 0)))
	w.same("of one that was withdrawn in one", 1, len(listed(w.now(), "b", 0)))
	w.same("of a long one", 2, len(listed(w.now(), strings.Repeat("long/", 400), 0)))
	w.same("of none", 0, len(listed(w.now(), "d", 0)))
	w.same("of another tenant", 0, len(listed(w.other().now(), "", 0)))
}

func passagesInState(w *world) {
	all := tenure.Scope{}
	first, second := documentIn("a", all, 1, "one", "two", "three"), documentIn("a", all, 2, "four", "five")
	other := documentIn("b", all, 1, "six")
	id := first.Document.ID
	w.apply(first, other)
	w.apply(second)
	w.apply(withdrawn(second))
	w.apply(documentIn("a", all, 4, "seven"))
	var every []tenure.ID
	for _, p := range slices.Concat(first.Passages, second.Passages) {
		every = append(every, p.ID, p.ID)
	}
	every = append(every, newID())
	for seq, want := range [][]tenure.Passage{first.Passages, second.Passages, nil, nil} {
		at := w.view(tenure.AsOf{Seq: tenure.Seq(seq + 1)})
		w.same("by id", want, read(w, at.Passages, every))
		if seq == 3 {
			want = documentIn("a", all, 4, "seven").Passages
		}
		w.same("of the document", want, read(w, at.PassagesOf, []tenure.ID{id, id, newID()}))
		both := slices.SortedFunc(slices.Values(slices.Concat(want, other.Passages)), tenure.ComparePassages)
		w.same("of two", both, read(w, at.PassagesOf, []tenure.ID{other.Document.ID, id}))
	}
	w.same("of nothing", 0, len(read(w, w.now().PassagesOf, nil)))
	w.same("of another tenant", 0, len(read(w, w.other().now().PassagesOf, []tenure.ID{id})))
	w.same("by id, of another tenant", 0, len(read(w, w.other().now().Passages, every)))
	// Two versions in one transaction.
	w.applySets(set(documentIn("c", all, 1, "eight")), set(documentIn("c", all, 2, "nine")))
	last := documentIn("c", all, 2, "nine")
	w.same("of a group", last.Passages, read(w, w.now().PassagesOf, []tenure.ID{last.Document.ID}))
}

func passagesIn(w *world) {
	var puts []tenure.DocumentPut
	scopes := []tenure.Scope{
		{}, {UserID: "u"}, {ProjectID: "p"}, {UserID: "u", ProjectID: "p"}, {UserID: "v"}, {Kind: tenure.ScopeDraft},
		{Kind: tenure.ScopeDraft, ProjectID: "p"}, {Kind: tenure.ScopeTask, TaskID: "t"},
	}
	for _, s := range scopes {
		put := documentIn("a", s, 1, "one", "two")
		puts = append(puts, put)
		w.apply(put)
	}
	before, _ := w.now().State()
	w.apply(withdrawn(puts[0]), documentIn("a", scopes[2], 2, "three"))
	puts[2] = documentIn("a", scopes[2], 2, "three")
	for i, in := range scopes {
		var want []tenure.Passage
		for j, put := range puts {
			if j > 0 && put.Document.Scope.VisibleIn(in) {
				want = append(want, put.Passages...)
			}
		}
		slices.SortFunc(want, func(a, b tenure.Passage) int { return cmp.Compare(a.ID, b.ID) })
		for _, limit := range []int{1, 2, 100} {
			w.same("in a scope", want, allPassagesIn(w, w.now(), in, limit))
		}
		if i == 0 {
			w.same("before", puts[0].Passages, slices.SortedFunc(slices.Values(
				allPassagesIn(w, w.view(tenure.AsOf{Seq: before}), in, 1)), tenure.ComparePassages))
		}
	}
	w.same("of another tenant", 0, len(allPassagesIn(w, w.other().now(), scopes[1], 10)))
}

func allPassagesIn(w *world, r store.Reader, in tenure.Scope, limit int) (found []tenure.Passage) {
	w.Helper()
	for after := tenure.ID(""); ; after = found[len(found)-1].ID {
		page, err := r.PassagesIn(context.Background(), in, after, limit)
		w.ok(err)
		w.same("at most the limit", true, len(page) <= limit)
		found = append(found, page...)
		if len(page) < limit {
			return found
		}
	}
}

func erasedDocuments(w *world) {
	secret := "quagga" + strings.ReplaceAll(string(newID()), "-", "")
	all := tenure.Scope{}
	put := func(version int) tenure.DocumentPut {
		return documentIn("https://x.example/"+secret, all, version, "the text of "+secret, "more")
	}
	first, kept := put(1), documentIn("kept", all, 1, "kept")
	id := first.Document.ID
	w.apply(first, kept)
	w.apply(put(2))
	told := func(r store.Reader) string {
		w.Helper()
		body, err := json.Marshal([]any{
			read(w, r.Documents, []tenure.ID{id}), read(w, r.PassagesOf, []tenure.ID{id}), allPassagesIn(w, r, all, 10),
			read(w, r.ListDocuments, store.DocumentQuery{URI: first.Document.URI}),
			read(w, r.ListDocuments, store.DocumentQuery{}),
		})
		w.ok(err)
		return string(body)
	}
	if !strings.Contains(told(w.now()), secret) || !w.opts.Holds(w.T, w.s, w.tenant, secret) {
		w.Fatal("the secret is not there before it is erased")
	}
	w.apply(withdrawn(put(2)), tenure.ContentErased{Kind: tenure.ErasedDocument, ID: id})
	_, err := w.s.Purge(background())
	w.ok(err)
	for _, at := range []tenure.AsOf{{Seq: 1}, {Seq: 2}, tenure.Present} {
		if text := told(w.view(at)); strings.Contains(text, secret) {
			w.Errorf("in the state %+v the reader still tells: %s", at, text)
		}
	}
	former := w.view(tenure.AsOf{Seq: 1})
	d := first.Document.Erase()
	w.same("the tombstone", []tenure.Document{d}, read(w, former.Documents, []tenure.ID{id}))
	want := []tenure.Passage{first.Passages[0].Erase(), first.Passages[1].Erase()}
	w.same("of the passages", want, read(w, former.PassagesOf, []tenure.ID{id}))
	w.same("another", kept.Passages, read(w, w.now().PassagesOf, []tenure.ID{kept.Document.ID}))
	left := documentIDs(read(w, w.now().ListDocuments, store.DocumentQuery{}))
	w.same("the one that is left", []tenure.ID{kept.Document.ID}, left)
	if w.opts.Holds(w.T, w.s, w.tenant, secret) {
		w.Error("the engine still holds what was erased")
	}
	// It may be ingested again, and is there from then on.
	w.apply(put(4))
	w.same("again", put(4).Passages, read(w, w.now().PassagesOf, []tenure.ID{id}))
	w.same("and not before", want, read(w, w.view(tenure.AsOf{Seq: 1}).PassagesOf, []tenure.ID{id}))
	w.chain(4)
}

func replayedDocuments(w *world) {
	all := tenure.Scope{}
	first, second := documentIn("a", all, 1, "one", "two"), documentIn("a", all, 2, "three")
	entries := w.recorded(set(first))
	entries = append(entries, w.recorded(set(second))...)
	entries = append(entries, w.recorded(set(withdrawn(second)))...)
	copied := w.other()
	w.ok(copied.archive().Replay(background(), copied.tenant, entries))
	id := []tenure.ID{first.Document.ID}
	for seq := range tenure.Seq(3) {
		here, there := w.view(tenure.AsOf{Seq: seq + 1}), copied.view(tenure.AsOf{Seq: seq + 1})
		w.same("documents", read(w, here.Documents, id), read(w, there.Documents, id))
		w.same("passages", read(w, here.PassagesOf, id), read(w, there.PassagesOf, id))
		w.same("in a scope", allPassagesIn(w, here, all, 2), allPassagesIn(w, there, all, 2))
	}
}
