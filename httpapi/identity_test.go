package httpapi_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
	"tenure/internal/world"
)

// twins puts three entities into the state: Jon; Jonny, merged into Jon and bound to a project; and a pending
// Jon with a review.
func twins(h *harness) (jonny, pending, asked tenure.ID) {
	jonny, pending, asked = beliefID(91), beliefID(92), beliefID(93)
	put := func(e tenure.Entity) {
		changes := world.Person(e.ID, e.Name, e.Project)
		e.Type, e.CreatedAt = "person", tenure.At(start)
		changes[0] = tenure.EntityPut{Entity: e}
		h.state.put(changes...)
	}
	put(tenure.Entity{
		ID: jon, Name: "Jon Smith", Status: tenure.EntityCanonical, Members: []tenure.ID{jonny},
		Attributes: map[string][]string{"email": {"jon@acme.example"}},
	})
	put(tenure.Entity{
		ID: jonny, Name: "Jonny Smith", Project: "nova", Status: tenure.EntityMerged, MergedInto: jon,
		Attributes: map[string][]string{"email": {"jonny@acme.example"}},
	})
	put(tenure.Entity{ID: pending, Name: "Jon Smith", Status: tenure.EntityPending})
	h.state.put(
		tenure.IdentityDecisionPut{Decision: tenure.IdentityDecision{ID: unknown, Kind: tenure.Merge, From: jonny, Into: jon, At: tenure.At(start)}},
		tenure.ReviewPut{Review: tenure.Review{
			ID: asked, State: tenure.ReviewOpen, Entity: pending, Name: "Jon Smith", Type: "person", Version: 3, OpenedAt: tenure.At(start),
			Candidates: []tenure.Candidate{{Entity: jon, Score: .9, Veto: "contradicting_identifier"}},
		}},
	)
	return jonny, pending, asked
}

func TestAnEntityGathersItsMembers(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	jonny, pending, asked := twins(h)
	get := func(as string, id tenure.ID) api.Entity {
		return decodeInto[api.Entity](t, h.do(as, "GET", "/v1/entities/"+string(id), ""), 200)
	}
	e := get("agent", jon)
	if e.RootId != jon || !slices.Equal(e.Members, []tenure.ID{jonny}) || len(e.Aliases) != 2 || e.Aliases[1].EntityId != jonny ||
		!slices.Equal(e.Attributes["email"], []string{"jon@acme.example", "jonny@acme.example"}) ||
		!slices.Equal(e.OpenReviews, []tenure.ID{asked}) || len(e.IdentityDecisions) != 1 {
		t.Errorf("the root: %+v", e)
	}
	old := get("agent", jonny)
	if old.EntityId != jonny || old.RootId != jon || old.Status != tenure.EntityMerged || old.Name != "Jonny Smith" || len(old.Aliases) != 2 {
		t.Errorf("the old id: %+v", old)
	}
	h.callers["elsewhere"] = tenure.Caller{
		Tenant: "acme", Actor: "elsewhere", Roles: tenure.Roles, Clearance: tenure.HighlyRestricted, Bound: tenure.Scope{ProjectID: "other"},
	}
	e = get("elsewhere", jon)
	if len(e.Members) > 0 || len(e.Aliases) != 1 || len(e.Attributes["email"]) != 1 || len(e.IdentityDecisions) > 0 {
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
		o := tenure.Observation{ID: beliefID(20 + i), Text: "Here is Jon Smith.", Source: tenure.Source{Origin: "test://x"}}
		if i == 1 {
			o.Claims = []tenure.ID{secret}
		}
		h.state.observation(o, tenure.Assignment{Mention: beliefID(10 + i), Entity: id, Outcome: tenure.InReview})
	}
	h.callers["low"] = tenure.Caller{Tenant: "acme", Actor: "low", Roles: []tenure.Role{tenure.RoleReviewer}, Clearance: tenure.Restricted}

	r := decodeInto[api.Review](t, h.do("low", "GET", "/v1/reviews/"+string(asked), ""), 200)
	if r.Version != 3 || r.Entity == nil || len(r.Entity.Mentions) != 2 || len(r.Candidates) != 1 {
		t.Fatalf("got %+v", r)
	}
	if m := r.Entity.Mentions; m[0].Excerpt != "Here is Jon Smith." || m[0].Source == nil || m[1].Excerpt != "" || m[1].Source != nil {
		t.Errorf("the mentions: %+v", m)
	}
	c := r.Candidates[0]
	if c.Score != .9 || c.Veto != "contradicting_identifier" || c.Entity.RootId != jon || !slices.Equal(c.Entity.Aliases, []string{"Jonny Smith"}) ||
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
	_, pending, _ := twins(h)
	h.index.Checkpoints().Set("acme", h.seq()) // states put by hand are not re-resolved
	resolve := func(body string) api.ResolveAnswer {
		return decodeInto[api.ResolveAnswer](t, h.do("agent", "POST", "/v1/resolve", body), 200)
	}
	a := resolve(`{"mentions":[{"name":"Nobody"}]}`)
	if a.Index == nil || a.Index.Lag != int64(h.seq()) || a.AsOf.Seq != h.seq() || !a.AsOf.ValidAt.IsZero() {
		t.Errorf("before anything is indexed: %+v", a)
	}
	h.processed()
	a = resolve(`{"mentions":[{"name":"Jonny  Smyth","type":"person"}]}`)
	if m := a.Mentions[0]; len(m.Candidates) == 0 || m.Candidates[0].EntityId != jon || len(m.Candidates[0].Contributions) == 0 {
		t.Errorf("by a similar name of a member: %+v", a)
	}
	a = resolve(`{"mentions":[{"name":"Jon Smith"}],"max_candidates":1}`)
	if m := a.Mentions[0]; len(m.Candidates) != 1 || m.Decision != "review" || m.Reason != "ambiguous_name" {
		t.Errorf("got %+v, where %s is pending", m, pending)
	}
	a = resolve(`{"text":"Yesterday Jon Smith met Jon Smith."}`)
	if len(a.Mentions) != 2 || *a.Mentions[0].Start != 10 || *a.Mentions[0].End != 19 || a.Mentions[0].Chain != a.Mentions[1].Chain {
		t.Errorf("of a text: %+v", a.Mentions)
	}
	h.wantProblem(h.do("agent", "POST", "/v1/resolve", `{"mentions":[{"name":"x"}],"known_at":"99"}`), 422, tenure.Unprocessable, "/known_at")
	for _, name := range []string{`""`, `" "`, `"\u3000"`} {
		h.wantProblem(h.do("agent", "POST", "/v1/compare", `{"left":{"name":"x"},"right":{"name":`+name+`}}`), 400, tenure.Invalid, "/right/name")
	}
}

// TestTheIndexIsBehindWhatReresolutionWrites checks that writes of re-resolution are themselves re-resolved,
// and count as lag until then.
func TestTheIndexIsBehindWhatReresolutionWrites(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon Smith", "")
	h.processed()
	resolve := func() api.ResolveAnswer {
		return decodeInto[api.ResolveAnswer](t, h.do("agent", "POST", "/v1/resolve", `{"mentions":[{"name":"Nobody"}]}`), 200)
	}
	resolve() // the log is followed from now on
	h.watermark()
	wrote := false
	h.state.BeforeView(func() { // re-resolution ends right now, after its write
		h.state.entity(acme, "Acme", "")
		h.watermark()
		wrote = true
	})
	if a := resolve(); !wrote || a.Index.Lag != 1 {
		t.Errorf("got %+v at %d, want a lag of 1", a.Index, a.AsOf.Seq)
	}
}

// askedTwice observes Jon, and another Jon with a contradicting mailbox, which leads to a review.
func askedTwice(t *testing.T, h *harness) (known, pending api.MentionAnswer) {
	t.Helper()
	observe := func(email string) api.MentionAnswer {
		return decodeInto[api.ObservationAnswer](t, h.do("agent", "POST", "/v1/observations", observation("",
			`,"mentions":[{"name":"Jon Smith","type":"person","attributes":{"email":["`+email+`"]}}]`)), 201).Mentions[0]
	}
	known, pending = observe("jon@acme.example"), observe("jon@other.example")
	if pending.ReviewId == "" {
		t.Fatalf("nobody is asked: %+v", pending)
	}
	h.processed()
	return known, pending
}

func TestReviewsAreLeasedDecidedAndTakenBack(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	known, pending := askedTwice(t, h)
	path := "/v1/reviews/" + string(pending.ReviewId)
	post := func(what, body string) *httptest.ResponseRecorder {
		for _, as := range []string{"agent", "analyst"} {
			h.wantProblem(h.do(as, "POST", path+what, body), 403, tenure.Forbidden)
		}
		return h.do("reviewer", "POST", path+what, body, "Idempotency-Key", what)
	}
	l := decodeInto[api.LeaseAnswer](t, post("/lease", `{"reviewer":"Dana","for_seconds":60}`), 200)
	if l.ReviewId != pending.ReviewId || l.LeasedBy != "reviewer" || l.Reviewer != "Dana" || !l.LeasedUntil.Equal(start.Add(time.Minute)) {
		t.Errorf("leased: %+v", l)
	}
	for lease, want := range map[string]int{"free": 0, "held": 1, "mine": 1} {
		page := decodeInto[api.ReviewPage](t, h.do("reviewer", "GET", "/v1/reviews?lease="+lease, ""), 200)
		if len(page.Items) != want {
			t.Errorf("%s: %d reviews", lease, len(page.Items))
		}
	}
	l = decodeInto[api.LeaseAnswer](t, post("/release", `{"reviewer":"Dana"}`), 200)
	if l.LeasedBy != "" || !l.LeasedUntil.IsZero() {
		t.Errorf("released: %+v", l)
	}
	l = decodeInto[api.LeaseAnswer](t, h.do("reviewer", "POST", path+"/lease", ""), 200)
	if !l.LeasedUntil.Equal(start.Add(15 * time.Minute)) {
		t.Errorf("leased for the usual time: %+v", l)
	}
	body := fmt.Sprintf(`{"decision":"merge","into":%q,"version":%d,"note":"n"}`, known.EntityId, l.Version)
	d := decodeInto[api.DecisionAnswer](t, post("/decision", body), 200)
	if d.ReviewId != pending.ReviewId || d.State != tenure.ReviewSettled || d.RootId != known.EntityId || d.MergeId == "" || d.Seq == 0 || d.CannotLinks == nil {
		t.Errorf("decided: %+v", d)
	}
	if again := post("/decision", body); again.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("the same decision again: %d %s", again.Code, again.Body)
	}
	page := decodeInto[api.ReviewPage](t, h.do("reviewer", "GET", "/v1/reviews?state=settled&decided_by=reviewer", ""), 200)
	if len(page.Items) != 1 || page.Items[0].Note != "n" || page.Items[0].LeasedBy != "" {
		t.Errorf("settled: %+v", page.Items)
	}
	u := decodeInto[api.UndoAnswer](t, post("/undo", `{"reason":"r"}`), 200)
	if !slices.Equal(u.ReopenedReviews, []tenure.ID{pending.ReviewId}) || !slices.Equal(u.UndoneDecisions, []tenure.ID{d.MergeId}) {
		t.Errorf("taken back: %+v", u)
	}
	v := decodeInto[api.IdentityDecision](t, h.do("reviewer", "GET", "/v1/merges/"+string(d.MergeId), ""), 200)
	if !v.Undone || v.UndoneReason != "r" || v.UndoneAt.IsZero() {
		t.Errorf("the merge: %+v", v)
	}
	h.wantProblem(h.do("reviewer", "POST", path+"/lease", "\n"), 400, tenure.Malformed, "") // a body, and no JSON
	missing := "/v1/reviews/" + string(unknown)
	for _, what := range []string{"/lease", "/release", "/undo"} {
		h.wantProblem(h.do("reviewer", "POST", missing+what, ""), 404, tenure.NotFound)
	}
	h.wantProblem(h.do("reviewer", "POST", missing+"/decision", body), 404, tenure.NotFound)
}

func TestReviewsAreDecidedTogether(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	_, pending := askedTwice(t, h)
	version := decodeInto[api.Review](t, h.do("reviewer", "GET", "/v1/reviews/"+string(pending.ReviewId), ""), 200).Version
	body := fmt.Sprintf(`{"decisions":[{"review_id":%q,"decision":"new_entity","version":1},{"review_id":%q,"decision":"new_entity","version":%d}]}`,
		unknown, pending.ReviewId, version)
	ask := func() []api.DecisionResult {
		return decodeInto[api.DecisionResults](t, h.do("reviewer", "POST", "/v1/reviews:decide", body, "Idempotency-Key", "k"), 200).Results
	}
	r := ask()
	if len(r) != 2 || r[0].Status != 404 || r[0].Problem.Code != tenure.NotFound || r[1].Status != 200 || len(r[1].Answer.CannotLinks) != 1 {
		t.Fatalf("%+v", r)
	}
	if again := ask(); again[0].Status != 404 || !again[1].Replayed {
		t.Errorf("again: %+v", again)
	}
	late := fmt.Sprintf(`{"decisions":[{"review_id":%q,"decision":"new_entity","version":2147483648}]}`, unknown)
	h.wantProblem(h.do("reviewer", "POST", "/v1/reviews:decide", late), 400, tenure.Invalid, "/decisions/0/version")
	undone := "/v1/cannot-links/" + string(r[1].Answer.CannotLinks[0])
	if v := decodeInto[api.IdentityDecision](t, h.do("reviewer", "GET", undone, ""), 200); v.Kind != tenure.CannotLink {
		t.Errorf("%+v", v)
	}
	u := decodeInto[api.UndoAnswer](t, h.do("reviewer", "POST", undone+"/undo", `{"reviewer":"Dana"}`), 200)
	if u.DecisionId != r[1].Answer.CannotLinks[0] {
		t.Errorf("%+v", u)
	}
}

func TestEntitiesAreMergedSplitAndTakenBack(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	observe := func(name string) api.MentionAnswer {
		return decodeInto[api.ObservationAnswer](t, h.do("agent", "POST", "/v1/observations",
			observation("", `,"mentions":[{"name":"`+name+`","type":"person"}]`)), 201).Mentions[0]
	}
	a, b := observe("Katharina Lindqvist"), observe("Bo Okafor")
	second := observe("Katharina Lindqvist")
	post := func(path, body string, status int) *httptest.ResponseRecorder {
		for _, as := range []string{"agent", "analyst"} {
			h.wantProblem(h.do(as, "POST", path, body), 403, tenure.Forbidden)
		}
		rec := h.do("reviewer", "POST", path, body, "Idempotency-Key", path)
		if again := h.do("reviewer", "POST", path, body, "Idempotency-Key", path); rec.Code == status && again.Body.String() != rec.Body.String() {
			t.Errorf("%s again: %d %s", path, again.Code, again.Body)
		}
		return rec
	}
	rec := post("/v1/entities/"+string(b.EntityId)+"/merge", `{"into":"`+string(a.EntityId)+`","reason":"r"}`, 201)
	m := decodeInto[api.MergeAnswer](t, rec, 201)
	if m.EntityId != b.EntityId || m.RootId != a.EntityId || rec.Header().Get("Location") != "/v1/merges/"+string(m.MergeId) || m.SettledReviews == nil {
		t.Errorf("merged: %+v, %v", m, rec.Header())
	}
	v := decodeInto[api.IdentityDecision](t, h.do("analyst", "GET", rec.Header().Get("Location"), ""), 200)
	if v.Kind != tenure.Merge || v.Reason != "r" || v.Actor != "reviewer" {
		t.Errorf("the merge: %+v", v)
	}
	u := decodeInto[api.UndoAnswer](t, post("/v1/merges/"+string(m.MergeId)+"/undo", `{"reason":"r"}`, 200), 200)
	if u.DecisionId != m.MergeId || u.EntityId != b.EntityId || u.RootId != b.EntityId {
		t.Errorf("undone: %+v", u)
	}
	rec = post("/v1/entities/"+string(a.EntityId)+"/split", `{"mentions":["`+string(second.MentionId)+`"],"reason":"r"}`, 201)
	p := decodeInto[api.SplitAnswer](t, rec, 201)
	if p.EntityId != a.EntityId || p.NewEntityId == "" || !slices.Equal(p.Mentions, []tenure.ID{second.MentionId}) || p.MovedBeliefs == nil {
		t.Errorf("split: %+v", p)
	}
	if u = decodeInto[api.UndoAnswer](t, post("/v1/splits/"+string(p.SplitId)+"/undo", ``, 200), 200); u.DecisionId != p.SplitId {
		t.Errorf("undone: %+v", u)
	}
	bodies := map[string]bool{}
	for path, body := range map[string]string{
		"/v1/entities/" + string(unknown) + "/merge":    `{"into":"` + string(a.EntityId) + `","reason":"r"}`,
		"/v1/entities/" + string(unknown) + "/split":    `{"mentions":["` + string(second.MentionId) + `"],"reason":"r"}`,
		"/v1/merges/" + string(unknown) + "/undo":       ``,
		"/v1/merges/" + string(p.SplitId) + "/undo":     ``, // a split is no merge
		"/v1/cannot-links/" + string(unknown) + "/undo": ``,
		"/v1/splits/" + string(unknown) + "/undo":       ``,
	} {
		rec := h.do("reviewer", "POST", path, body)
		h.wantProblem(rec, 404, tenure.NotFound)
		bodies[rec.Body.String()] = true
	}
	if len(bodies) != 1 {
		t.Errorf("it says why there is none: %v", bodies)
	}
}
