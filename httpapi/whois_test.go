package httpapi_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
	"tenure/review"
	"tenure/store"
)

// twins puts Jon, Jonny, who was merged into him, and a pending Jon with a
// review into the state; Jonny is of a project.
func twins(h *harness) (jonny, pending, asked tenure.ID) {
	jonny, pending, asked = beliefID(91), beliefID(92), beliefID(93)
	h.state.entity(jon, "Jon Smith", "")
	h.state.entity(jonny, "Jonny Smith", "nova")
	h.state.entity(pending, "Jon Smith", "")
	change := func(id tenure.ID, change func(*tenure.Entity)) {
		e := h.state.entities[id]
		change(&e)
		h.state.entities[id] = e
	}
	change(jon, func(e *tenure.Entity) {
		e.Members, e.Attributes = []tenure.ID{jonny}, map[string][]string{"email": {"jon@acme.example"}}
	})
	change(jonny, func(e *tenure.Entity) {
		e.Status, e.MergedInto, e.Attributes = tenure.EntityMerged, jon, map[string][]string{"email": {"jonny@acme.example"}}
	})
	change(pending, func(e *tenure.Entity) { e.Status = tenure.EntityPending })
	h.state.verdicts[unknown] = tenure.Verdict{ID: unknown, Kind: tenure.Merge, From: jonny, Into: jon, At: tenure.At(start)}
	h.state.reviews[asked] = tenure.Review{
		ID: asked, State: tenure.ReviewOpen, Entity: pending, Name: "Jon Smith", Type: "person", Version: 3, OpenedAt: tenure.At(start),
		Candidates: []tenure.Candidate{{Entity: jon, Score: .9, Veto: "contradicting_identifier"}},
	}
	return jonny, pending, asked
}

func TestAnEntityGathersItsMembers(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	jonny, pending, asked := twins(h)
	get := func(as string, id tenure.ID) api.Entity {
		return decodeInto[api.Entity](t, h.do(as, "GET", "/v1/entities/"+string(id), ""), 200)
	}
	e := get("agent", jon)
	if e.CanonicalId != jon || !slices.Equal(e.Members, []tenure.ID{jonny}) || len(e.Aliases) != 2 || e.Aliases[1].EntityId != jonny ||
		!slices.Equal(e.Attributes["email"], []string{"jon@acme.example", "jonny@acme.example"}) ||
		!slices.Equal(e.OpenReviews, []tenure.ID{asked}) || len(e.Verdicts) != 1 {
		t.Errorf("the root: %+v", e)
	}
	old := get("agent", jonny)
	if old.EntityId != jonny || old.CanonicalId != jon || old.Status != tenure.EntityMerged || old.Name != "Jonny Smith" || len(old.Aliases) != 2 {
		t.Errorf("the old id: %+v", old)
	}
	h.callers["elsewhere"] = tenure.Caller{
		Tenant: "acme", Actor: "elsewhere", Roles: tenure.Roles, Clearance: tenure.HighlyRestricted, Bound: tenure.Scope{ProjectID: "other"},
	}
	e = get("elsewhere", jon)
	if len(e.Members) > 0 || len(e.Aliases) != 1 || len(e.Attributes["email"]) != 1 || len(e.Verdicts) > 0 {
		t.Errorf("what is of another project is shown: %+v", e)
	}
	h.wantProblem(h.do("elsewhere", "GET", "/v1/entities/"+string(jonny), ""), 404, tenure.NotFound)
	h.wantProblem(h.do("elsewhere", "GET", "/v1/merges/"+string(unknown), ""), 404, tenure.NotFound)
	page := decodeInto[api.EntityPage](t, h.do("agent", "GET", "/v1/entities?name=jonny+smith", ""), 200)
	if len(page.Items) != 1 || page.Items[0].EntityId != jon || !slices.Equal(page.Items[0].MatchedIds, []tenure.ID{jonny}) {
		t.Errorf("by name: %+v", page.Items)
	}
	if p := get("agent", pending); p.Status != tenure.EntityPending || !slices.Equal(p.OpenReviews, []tenure.ID{asked}) {
		t.Errorf("the pending: %+v", p)
	}
}

func TestAReviewShowsItsSides(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	jonny, pending, asked := twins(h)
	secret := h.state.belief(1, func(b *tenure.Belief) { b.Claim.Classification = tenure.HighlyRestricted })
	for i, id := range []tenure.ID{pending, pending, jonny} {
		m := tenure.Mention{ID: beliefID(10 + i), Observation: beliefID(20 + i), Name: "Jon Smith"}
		h.state.mentions[id] = append(h.state.mentions[id], m)
		h.state.observations[m.Observation] = store.ObservationRecord{Observation: tenure.Observation{
			ID: m.Observation, Text: "Here is Jon Smith.", Source: tenure.Source{Origin: "test://x"},
		}}
	}
	o := h.state.observations[beliefID(21)]
	o.Observation.Claims = []tenure.ID{secret}
	h.state.observations[beliefID(21)] = o
	h.callers["low"] = tenure.Caller{Tenant: "acme", Actor: "low", Roles: []tenure.Role{tenure.RoleReviewer}, Clearance: tenure.Public}

	r := decodeInto[api.Review](t, h.do("low", "GET", "/v1/reviews/"+string(asked), ""), 200)
	if r.Version != 3 || r.Entity == nil || len(r.Entity.Mentions) != 2 || len(r.Candidates) != 1 {
		t.Fatalf("got %+v", r)
	}
	if m := r.Entity.Mentions; m[0].Excerpt != "Here is Jon Smith." || m[0].Source == nil || m[1].Excerpt != "" || m[1].Source != nil {
		t.Errorf("the mentions: %+v", m)
	}
	c := r.Candidates[0]
	if c.Score != .9 || c.Veto != "contradicting_identifier" || c.Entity.CanonicalId != jon || !slices.Equal(c.Entity.Aliases, []string{"Jonny Smith"}) ||
		len(c.Entity.Mentions) != 1 || c.Entity.Mentions[0].EntityId != jonny || c.Now == nil || len(c.Now.Contributions) == 0 {
		t.Errorf("the candidate: %+v", c)
	}
	for as, status := range map[string]int{"reviewer": 200, "analyst": 200, "admin": 200, "agent": 403, "foreign": 404} {
		if rec := h.do(as, "GET", "/v1/reviews/"+string(asked), ""); rec.Code != status {
			t.Errorf("%s: %d, want %d", as, rec.Code, status)
		}
	}
}

func TestResolveRanks(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	jonny, pending, _ := twins(h)
	h.state.proposals = []tenure.ID{jonny, unknown}
	a := decodeInto[api.ResolveAnswer](t, h.do("agent", "POST", "/v1/resolve", `{"mentions":[{"name":"Jonny  Smyth","type":"person"}]}`), 200)
	m := a.Mentions[0]
	if len(m.Candidates) != 1 || m.Candidates[0].EntityId != jon || a.AsOf.Seq != h.state.seq || a.Index == nil || a.Index.Lag != 2 {
		t.Errorf("got %+v", a)
	}
	a = decodeInto[api.ResolveAnswer](t, h.do("agent", "POST", "/v1/resolve", `{"mentions":[{"name":"Jon Smith"}],"max_candidates":1}`), 200)
	if m = a.Mentions[0]; len(m.Candidates) != 1 || m.EntityId != jon {
		t.Errorf("got %+v, pending is %s", m, pending)
	}
	h.wantProblem(h.do("agent", "POST", "/v1/resolve", `{"text":"Jon Smith was here."}`), 422, tenure.Unprocessable, "/text")
	for _, name := range []string{`""`, `" "`, `"\u3000"`} {
		h.wantProblem(h.do("agent", "POST", "/v1/compare", `{"left":{"name":"x"},"right":{"name":`+name+`}}`), 400, tenure.Invalid, "/right/name")
	}
}

// What a second look writes is looked at itself: until then there is something to
// wait for.
func TestTheIndexIsBehindWhatASecondLookWrites(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.looking = true
	a := decodeInto[api.ResolveAnswer](t, h.do("agent", "POST", "/v1/resolve", `{"mentions":[{"name":"Jon Smith"}]}`), 200)
	if a.Index == nil || a.Index.Lag != 1 {
		t.Errorf("got %+v at %d, want a lag of 1", a.Index, a.AsOf.Seq)
	}
}

func TestVerdictsAreHandedOn(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	who := h.callers["reviewer"]
	for _, c := range []struct {
		path, body string
		status     int
		want       any
	}{
		{
			"/v1/entities/" + string(jon) + "/merge", `{"into":"` + string(acme) + `","reason":"r"}`, 201,
			review.Merge{Caller: who, From: jon, Into: acme, Reason: "r"},
		},
		{
			"/v1/entities/" + string(jon) + "/split", `{"mentions":["` + string(acme) + `"],"reason":"r"}`, 201,
			review.Split{Caller: who, Entity: jon, Mentions: []tenure.ID{acme}, Reason: "r"},
		},
		{
			"/v1/merges/" + string(unknown) + "/undo", `{"reason":"r"}`, 200,
			review.Undo{Caller: who, Kind: tenure.Merge, Verdict: unknown, Reason: "r"},
		},
		{"/v1/splits/" + string(unknown) + "/undo", ``, 200, review.Undo{Caller: who, Kind: tenure.Split, Verdict: unknown}},
		{
			"/v1/distinctions/" + string(unknown) + "/undo", `{"reviewer":"Dana"}`, 200,
			review.Undo{Caller: who, Reviewer: "Dana", Kind: tenure.Distinct, Verdict: unknown},
		},
		{
			"/v1/reviews/" + string(unknown) + "/undo", `{"reason":"r"}`, 200,
			review.Reopen{Caller: who, Review: unknown, Reason: "r"},
		},
		{
			"/v1/reviews/" + string(unknown) + "/lease", `{"reviewer":"Dana","for_seconds":60}`, 200,
			review.Lease{Caller: who, Reviewer: "Dana", Review: unknown, For: time.Minute},
		},
		{"/v1/reviews/" + string(unknown) + "/lease", ``, 200, review.Lease{Caller: who, Review: unknown, For: 15 * time.Minute}},
		{"/v1/reviews/" + string(unknown) + "/release", ``, 200, review.Lease{Caller: who, Review: unknown, Release: true}},
		{
			"/v1/reviews/" + string(unknown) + "/decision",
			`{"decision":"merge","into":"` + string(acme) + `","mentions":["` + string(jon) + `"],"version":2,"note":"n"}`, 200,
			review.Decide{Caller: who, Review: unknown, Decision: "merge", Into: acme, Mentions: []tenure.ID{jon}, Version: 2, Note: "n"},
		},
	} {
		t.Run(strings.TrimPrefix(c.path, "/v1/"), func(t *testing.T) {
			h.domain.verdicts, h.domain.keys, h.domain.fail = nil, nil, nil
			rec := h.do("reviewer", "POST", c.path, c.body, "Idempotency-Key", "k")
			decodeInto[map[string]json.RawMessage](t, rec, c.status)
			if diff := cmp.Diff([]any{c.want}, h.domain.verdicts); diff != "" {
				t.Error(diff)
			}
			if len(h.domain.keys) != 1 || h.domain.keys[0] == nil {
				t.Errorf("keys %v", h.domain.keys)
			}
			for _, as := range []string{"agent", "analyst"} {
				h.wantProblem(h.do(as, "POST", c.path, c.body), 403, tenure.Forbidden)
			}
			h.domain.fail = tenure.Errorf(tenure.NotFound, "a secret reason")
			rec = h.do("reviewer", "POST", c.path, c.body)
			h.wantProblem(rec, 404, tenure.NotFound)
			if strings.Contains(rec.Body.String(), "secret") {
				t.Error("it says why there is none")
			}
		})
	}
}
