package documents_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/documents"
	"tenure/ledger"
	"tenure/registry"
	"tenure/similarity"
	"tenure/store/sqlite"
)

func words(text string) int { return len(strings.Fields(text)) }

func TestTheDigestIsOfWhatADocumentSays(t *testing.T) {
	c := tenure.Caller{Tenant: "acme", Actor: "a", Clearance: tenure.Restricted, MaxAuthority: 2}
	later, level, trust := tenure.Instant(9), 3, 0.9
	base := documents.Input{URI: "doc:1", Title: "T", Text: "One rule."}
	first, _, err := base.Document(c, words)
	if err != nil {
		t.Fatal(err)
	}
	for name, c2 := range map[string]struct {
		change func(in *documents.Input)
		same   bool
	}{
		"seen-again":       {func(in *documents.Input) { in.ObservedAt = &later }, true},
		"a-space-in-title": {func(in *documents.Input) { in.Title = " T " }, true},
		"another-text":     {func(in *documents.Input) { in.Text = "Another rule." }, false},
		"another-title":    {func(in *documents.Input) { in.Title = "U" }, false},
		"another-type":     {func(in *documents.Input) { in.MediaType = tenure.Markdown }, false},
		"another-level":    {func(in *documents.Input) { in.AuthorityLevel = &level }, false},
		"another-trust":    {func(in *documents.Input) { in.SourceAuthority = &trust }, false},
	} {
		in := base
		c2.change(&in)
		d, _, err := in.Document(c, words)
		if err != nil || d.ID != first.ID || (d.Digest == first.Digest) != c2.same {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

func TestTheIdentityIsTheURIInScopeAndLabel(t *testing.T) {
	c := tenure.Caller{Tenant: "acme", Actor: "a", Clearance: tenure.Restricted}
	ids := map[tenure.ID]string{}
	for name, in := range map[string]documents.Input{
		"plain":          {URI: "doc:1"},
		"another-uri":    {URI: "doc:2"},
		"of-a-user":      {URI: "doc:1", Scope: tenure.Scope{UserID: "u"}},
		"of-a-project":   {URI: "doc:1", Scope: tenure.Scope{ProjectID: "u"}},
		"a-draft":        {URI: "doc:1", Scope: tenure.Scope{Kind: tenure.ScopeDraft}},
		"public":         {URI: "doc:1", Classification: tenure.Public},
		"for-some-roles": {URI: "doc:1", Permission: tenure.PermissionScope{AllowRoles: []string{"hr"}}},
	} {
		d, _, err := in.Document(c, words)
		if err != nil || ids[d.ID] != "" {
			t.Errorf("%s is the document of %q, %v", name, ids[d.ID], err)
		}
		ids[d.ID] = name
	}
	stated := documents.Input{URI: "doc:1", Scope: tenure.Scope{Kind: tenure.ScopeGlobal}, Classification: tenure.Restricted}
	if d, _, _ := stated.Document(c, words); ids[d.ID] != "plain" {
		t.Error("what is stated as the default is another document")
	}
}

// TestTwoWritersOfOneDocument checks that of two writes that were decided on one state each gets a version.
func TestTwoWritersOfOneDocument(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	policies := registry.Policies(similarity.DefaultModel(), func(string, []tenure.ChangeSet, []tenure.Receipt) {})
	w, err := ledger.NewWriter(s, func() tenure.Mint { return tenure.NewMint(time.Now()) }, policies, ledger.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c := tenure.Caller{Tenant: "acme", Actor: "a", Clearance: tenure.Restricted, MaxAuthority: 2}
	var requests []ledger.Request
	for _, text := range []string{"One.", "Two.", "Two.", "Three."} {
		d, list, err := documents.Input{URI: "doc:1", Text: text}.Document(c, words)
		if err != nil {
			t.Fatal(err)
		}
		requests = append(requests, ledger.Request{
			Command: documents.Put{Caller: c, Document: d, Passages: list}, Operation: documents.PutOperation, Actor: c.Actor,
		})
	}
	want := []documents.Answer{
		{Effect: documents.Added, Version: 1}, {Effect: documents.Replaced, Version: 2},
		{Effect: documents.Unchanged, Version: 2}, {Effect: documents.Replaced, Version: 3},
	}
	for i, res := range w.Do(context.Background(), "acme", requests...) {
		a, ok := res.Answer.(documents.Answer)
		if res.Err != nil || !ok || a.Effect != want[i].Effect || a.Version != want[i].Version {
			t.Errorf("%d: %+v, %v", i, res.Answer, res.Err)
		}
	}
	weak := c
	weak.MaxAuthority = 4
	d, list, err := documents.Input{URI: "doc:1", Text: "Four."}.Document(weak, words)
	if err != nil {
		t.Fatal(err)
	}
	hidden := d
	hidden.Classification = tenure.Confidential
	res := w.Do(context.Background(), "acme", ledger.Request{Command: documents.Put{Caller: weak, Document: hidden, Passages: list}})
	var e *tenure.Error
	if !errors.As(res[0].Err, &e) || e.Code != tenure.Forbidden {
		t.Errorf("a document that its writer does not see: %v", res[0].Err)
	}
}
