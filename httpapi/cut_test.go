package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"testing"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
)

// TestAnEntityOfManyAliasesIsCutAndSaysSo checks that an entity shows as many aliases as there is room for and says how
// many there are, and that the list of aliases has each of them once.
func TestAnEntityOfManyAliasesIsCutAndSaysSo(t *testing.T) {
	const aliases = 1203
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon Smith", "") // with the alias of its name
	var changes []tenure.Change
	for i := range aliases - 1 {
		changes = append(changes, tenure.AliasAdded{Alias: tenure.Alias{
			Key:    tenure.AliasKey{Kind: tenure.NameAlias, Key: fmt.Sprintf("jon %04d", i)},
			Entity: jon, Spelling: fmt.Sprintf("Jon %04d", i), Mention: beliefID(10_000 + i),
		}})
	}
	h.state.put(changes...)
	path := "/v1/entities/" + string(jon)
	e := decodeInto[api.Entity](t, h.do("agent", http.MethodGet, path, ""), 200)
	if len(e.Aliases) != 500 || e.Cut["aliases"] != aliases || len(e.Cut) != 1 {
		t.Errorf("%d aliases are shown, cut %v", len(e.Aliases), e.Cut)
	}
	seen, pages := map[string]int{}, 0
	for cursor := ""; pages < 20; pages++ {
		page := decodeInto[api.AliasPage](t, h.do("agent", http.MethodGet, path+"/aliases?limit=250"+cursor, ""), 200)
		for i, a := range page.Items {
			seen[a.Spelling]++
			if n := pages*250 + i; n < len(e.Aliases) && a != e.Aliases[n] {
				t.Errorf("alias %d is another one than the entity shows", n)
			}
		}
		if cursor = "&cursor=" + url.QueryEscape(page.NextCursor); page.NextCursor == "" {
			break
		}
	}
	if len(seen) != aliases || pages != 4 {
		t.Errorf("%d aliases on %d pages", len(seen), pages+1)
	}
	h.state.entity(acme, "Jon Small", "")
	raw := map[string]json.RawMessage{}
	small := decodeInto[json.RawMessage](t, h.do("agent", http.MethodGet, "/v1/entities/"+string(acme), ""), 200)
	if err := json.Unmarshal(small, &raw); err != nil || raw["cut"] != nil {
		t.Errorf("an entity that is whole: %s, %v", small, err)
	}
	h.wantProblem(h.do("agent", http.MethodGet, "/v1/entities/"+string(unknown)+"/aliases", ""), 404, tenure.NotFound)
	h.wantProblem(h.do("foreign", http.MethodGet, path+"/aliases", ""), 404, tenure.NotFound)
}

// TestACaseOfManySidesIsCutAndSaysSo checks that a case shows the first of its sides, more of their ids, and how
// many there are.
func TestACaseOfManySidesIsCutAndSaysSo(t *testing.T) {
	const sides = 503
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon Smith", "")
	c := tenure.Case{
		ID: unknown, Subject: jon, Predicate: "office", State: tenure.CaseOpen, Version: 1, OpenedAt: tenure.At(start),
		Resolver: tenure.Resolver{Kind: tenure.ResolverPerson},
	}
	for n := range sides {
		c.Holds = append(c.Holds, h.state.belief(n, nil))
		c.Windows = append(c.Windows, tenure.Window{From: tenure.Instant(2 * n), Until: tenure.Instant(2*n + 1)})
	}
	h.state.put(tenure.CasePut{Case: c})
	got := decodeInto[api.Case](t, h.do("reviewer", http.MethodGet, "/v1/quarantine/"+string(c.ID), ""), 200)
	if len(got.Beliefs) != 100 || len(got.Sides) != 100 || len(got.Windows) != 100 || len(got.Holds) != 500 {
		t.Errorf("%d beliefs, %d sides, %d windows, %d ids", len(got.Beliefs), len(got.Sides), len(got.Windows), len(got.Holds))
	}
	if got.Cut["beliefs"] != sides || got.Cut["sides"] != sides || got.Cut["windows"] != sides || got.Cut["holds"] != sides {
		t.Errorf("cut: %v", got.Cut)
	}
	if got.Beliefs[99].ObjectId != c.Holds[99] || got.Sides[99].BeliefId != c.Holds[99] {
		t.Error("the sides are not those of the first beliefs")
	}
}

// TestAWriteThatDisplacesManyIsCutAndSaysSo checks that the answers to a merge that displaces many beliefs, and to its
// undo, list the first of them and their number.
func TestAWriteThatDisplacesManyIsCutAndSaysSo(t *testing.T) {
	const known = 503
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon Smith", "")
	h.state.entity(acme, "Jon Smyth", "")
	for n := range 2 * known {
		h.state.belief(n, func(b *tenure.Belief) {
			b.Claim.Predicate = fmt.Sprint("p", n%known)
			if n >= known { // and later
				b.Claim.Subject, b.Claim.Value = acme, tenure.Value{JSON: []byte(`"Boston"`), Canonical: `"boston"`}
				b.Claim.Window.From++
				b.Standing.Segments[0].Window = b.Claim.Window
			}
		})
	}
	m := decodeInto[api.MergeAnswer](t, h.do("reviewer", http.MethodPost, "/v1/entities/"+string(acme)+"/merge",
		`{"into":"`+string(jon)+`"}`), 201)
	if len(m.Displaced) != 500 || m.Cut["displaced"] != known || len(m.Cut) != 1 || m.Displaced[499] != beliefID(499) {
		t.Errorf("merged: %d are shown, cut %v", len(m.Displaced), m.Cut)
	}
	u := decodeInto[api.UndoAnswer](t, h.do("reviewer", http.MethodPost, "/v1/merges/"+string(m.MergeId)+"/undo", ``), 200)
	if len(u.Restored) != 500 || u.Cut["restored"] != known || len(u.Cut) != 1 {
		t.Errorf("undone: %d are shown, cut %v", len(u.Restored), u.Cut)
	}
}

// TestAmendmentsComeByPages checks that each amendment of a belief is on one page, those that came after the first page
// on none, and that what was undone says so although its undo is on another page.
func TestAmendmentsComeByPages(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon Smith", "")
	path := "/v1/beliefs/" + string(h.state.belief(1, nil))
	amend := func(path string) tenure.ID {
		return decodeInto[api.AmendmentAnswer](t, h.do("agent", http.MethodPost, path, ""), 200).AmendmentId
	}
	var want []tenure.ID
	for range 6 {
		want = append(want, amend(path+"/confirm"))
	}
	want = append(want, amend("/v1/amendments/"+string(want[0])+"/undo"))
	var got []tenure.ID
	for cursor := ""; ; {
		page := decodeInto[api.AmendmentPage](t, h.do("agent", http.MethodGet, path+"/amendments?limit=3"+cursor, ""), 200)
		for _, a := range page.Items {
			got = append(got, a.AmendmentId)
		}
		if cursor == "" && page.Items[0].UndoneBy != want[6] {
			t.Errorf("the undone amendment: %+v", page.Items[0])
		}
		if len(page.Items) > 3 || page.NextCursor == "" {
			break
		}
		amend(path + "/confirm")
		cursor = "&cursor=" + url.QueryEscape(page.NextCursor)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d amendments: %v, want %v", len(got), got, want)
	}
	for _, list := range []string{path + "/amendments", "/v1/webhook/dead-letters"} {
		h.wantProblem(h.do("admin", http.MethodGet, list+"?cursor=xyz", ""), 400, tenure.StaleCursor, "cursor")
		h.wantProblem(h.do("admin", http.MethodGet, list+"?limit=501", ""), 400, tenure.Invalid, "limit")
	}
}

// TestPagesOfTheLogAreBounded checks that a page of the log ends where its entries have many changes, that no entry is
// cut, and that following the log sees each once.
func TestPagesOfTheLogAreBounded(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon Smith", "")
	sizes := []int{4_000, 4_000, 4_000, 12_000, 3}
	for n, size := range sizes {
		changes := make([]tenure.Change, size)
		for i := range changes {
			changes[i] = tenure.AliasAdded{Alias: tenure.Alias{
				Key:    tenure.AliasKey{Kind: tenure.NameAlias, Key: fmt.Sprintf("jon %d %d", n, i)},
				Entity: jon, Spelling: fmt.Sprintf("Jon %d %d", n, i), Mention: beliefID(100_000*n + i),
			}}
		}
		h.state.put(changes...)
	}
	first := h.seq() - tenure.Seq(len(sizes))
	var pages [][]int
	for after := first; ; {
		page := decodeInto[api.ChangePage](t, h.do("admin", http.MethodGet, fmt.Sprintf("/v1/changes?after=%d", after), ""), 200)
		if len(page.Items) == 0 {
			break
		}
		var of []int
		for _, e := range page.Items {
			of = append(of, len(e.Changes))
		}
		pages, after = append(pages, of), page.NextAfter
	}
	if want := [][]int{{4_000, 4_000}, {4_000}, {12_000}, {3}}; !reflect.DeepEqual(pages, want) {
		t.Errorf("pages of %v changes, want %v", pages, want)
	}
}
