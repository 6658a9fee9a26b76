package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
)

func ids(list []api.Belief) []tenure.ID {
	var out []tenure.ID
	for _, b := range list {
		out = append(out, b.ObjectId)
	}
	return out
}

func segments(cause tenure.Cause, by tenure.ID) func(*tenure.Belief) {
	return func(b *tenure.Belief) {
		b.Standing.Segments = []tenure.Segment{{Window: b.Claim.Window, Cause: cause, By: by}}
	}
}

func TestBeliefsAreCleanAndOfNowUnlessAskedOtherwise(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	noon := tenure.At(start)
	clean := h.state.belief(1, nil)
	disputed := h.state.belief(2, segments(tenure.ByTie, ""))
	quarantined := h.state.belief(3, segments(tenure.ByBar, ""))
	moved := h.state.belief(4, func(b *tenure.Belief) { // stood until noon
		b.Standing.Segments = []tenure.Segment{
			{Window: tenure.Window{From: noon - 3600e6, Until: noon}, Cause: tenure.Stands},
			{Window: tenure.Window{From: noon, Until: tenure.MaxTime}, Cause: tenure.BySuccession, By: clean},
		}
	})
	over := h.state.belief(5, func(b *tenure.Belief) { // valid yesterday only
		b.Claim.Window = tenure.Window{From: noon - 48*3600e6, Until: noon - 24*3600e6}
		b.Standing.Segments = []tenure.Segment{{Window: b.Claim.Window, Cause: tenure.Stands}}
	})
	h.state.entity(jon, "Jon", "")
	h.state.entity(acme, "Acme", "")
	for query, want := range map[string][]tenure.ID{
		"":                               {clean},
		"status=any":                     {clean, disputed, quarantined, moved},
		"status=disputed":                {disputed},
		"status=quarantined":             {quarantined},
		"status=overridden":              {moved},
		"valid_at=2026-06-06T11:30:00Z":  {clean, moved},
		"valid_at=2026-06-05T11:30:00Z":  {over},
		"valid_at=2020-01-01T00:00:00Z":  nil,
		"predicate=office":               {clean},
		"predicate=other":                nil,
		"entity_id=" + string(jon):       {clean},
		"entity_id=" + string(acme):      nil,
		"known_at=2026-06-06T12:00:00Z":  {clean},
		"known_at=3&status=any":          {clean, disputed, quarantined}, // three beliefs were known
		"known_at=2026-06-06T11:58:00Z":  nil,
		"known_at=1969-12-31T00:00:00Z":  nil,
		"known_at=1970-01-01T00:00:00Z":  nil, // not the present
		"valid_at=2026-06-06T13:00%2b01": nil,
	} {
		rec := h.do("analyst", http.MethodGet, "/v1/beliefs?"+query, "")
		if strings.HasSuffix(query, "%2b01") {
			h.wantProblem(rec, 400, tenure.Invalid, "valid_at")
			continue
		}
		page := decodeInto[api.BeliefPage](t, rec, 200)
		if !slices.Equal(ids(page.Items), want) {
			t.Errorf("%q: %v, want %v", query, ids(page.Items), want)
		}
		if !strings.Contains(rec.Body.String(), `"items":[`) {
			t.Errorf("%q: items are not a list: %s", query, rec.Body)
		}
	}
}

func TestABeliefIsTheContextObjectOfTheSpecification(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.put(tenure.EntityPut{Entity: tenure.Entity{ID: jon, Status: tenure.EntityMerged, MergedInto: acme}})
	winner := beliefID(9)
	id := h.state.belief(1, func(b *tenure.Belief) {
		b.Claim.Content, b.Claim.NormalizedClaim = "Jon sits in Chicago", "office(jon, chicago)"
		b.Claim.Scope = tenure.Scope{ProjectID: "nova", UserID: "u1"}
		b.Claim.WhyItMatters, b.Claim.ApplicableTaskTypes = "mail", []string{"code_generation"}
		b.Claim.DecayRule = &tenure.DecayRule{HalfLifeDays: 30, MinimumThreshold: .2}
		segments(tenure.BySuccession, winner)(b)
		b.Standing.Segments[0].Relation = "overlaps"
	})
	rec := h.do("analyst", http.MethodGet, "/v1/beliefs/"+string(id), "")
	var got map[string]any
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"object_id": string(id), "subject": string(jon), "predicate": "office", "value": "Chicago", "key": "office",
		"content": "Jon sits in Chicago", "normalized_claim": "office(jon, chicago)", "object_type": "identity_fact",
		"canonical_entity_ids": []any{string(acme)}, "layer": "fact",
		"scope":     map[string]any{"kind": "global", "project_id": "nova", "user_id": "u1"},
		"tenant_id": "acme", "user_id": "u1", "project_id": "nova",
		"source_origin": "conversation://1", "source_authority": .9, "authority_level": 2.0, "confidence_score": .9,
		"security_classification": "restricted", "permission_scope": map[string]any{},
		"valid_from": "2026-06-06T11:00:00Z", "valid_until": nil, "valid_from_basis": "stated",
		"recorded_at": "2026-06-06T11:59:00.000001Z", "tx_start": "2026-06-06T11:59:00.000001Z", "tx_end": nil,
		"last_confirmed": "2026-06-06T12:00:00Z", "why_it_matters": "mail", "applicable_task_types": []any{"code_generation"},
		"contradiction_status": "overridden", "supersession_link": string(winner), "supersedes": []any{}, "depends_on": []any{},
		"needs_review": false, "is_constraint": false,
		"decay_rule": map[string]any{"half_life_days": 30.0, "minimum_threshold": .2},
		"segments": []any{map[string]any{
			"valid_from": "2026-06-06T11:00:00Z", "valid_until": nil, "status": "overridden", "cause": "succession",
			"by": string(winner), "relation": "overlaps",
		}},
		"withheld": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPagesHoldEveryBeliefOnceAndReadOneState(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	var want []tenure.ID
	for n := range 60 {
		id := h.state.belief(n, func(b *tenure.Belief) {
			if n%3 != 0 { // most are filtered out
				segments(tenure.ByTrust, "")(b)
			}
		})
		if n%3 == 0 {
			want = append(want, id)
		}
	}
	for _, limit := range []int{1, 2, 7, 19, 20, 21, 500} {
		var got, written []tenure.ID
		path := fmt.Sprintf("/v1/beliefs?limit=%d", limit)
		for cursor := ""; ; {
			page := decodeInto[api.BeliefPage](t, h.do("analyst", http.MethodGet, path+cursor, ""), 200)
			if len(page.Items) > limit {
				t.Fatalf("limit %d: %d items", limit, len(page.Items))
			}
			got = append(got, ids(page.Items)...)
			if page.NextCursor == "" {
				break
			}
			cursor = "&cursor=" + url.QueryEscape(page.NextCursor)
			written = append(written, h.state.belief(100+int(h.seq()), nil)) // another writer appends to the list
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: %v", limit, got)
		}
		want = append(want, written...)
	}
}

func TestACursorIsForItsOwnListing(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	for n := range 5 {
		h.state.belief(n, nil)
	}
	page := decodeInto[api.BeliefPage](t, h.do("analyst", http.MethodGet, "/v1/beliefs?limit=2&predicate=office", ""), 200)
	cursor := "cursor=" + url.QueryEscape(page.NextCursor)
	for name, tc := range map[string]struct{ as, path string }{
		"another-filter": {"analyst", "/v1/beliefs?predicate=other&" + cursor},
		"without-filter": {"analyst", "/v1/beliefs?" + cursor},
		"another-path":   {"analyst", "/v1/conflicts?predicate=office&" + cursor},
		"another-tenant": {"foreign", "/v1/beliefs?predicate=office&" + cursor},
		"another-key":    {"reviewer", "/v1/beliefs?predicate=office&" + cursor},
		"altered":        {"analyst", "/v1/beliefs?predicate=office&" + strings.Replace(cursor, "=", "=A", 1)},
		"cut":            {"analyst", "/v1/beliefs?predicate=office&" + cursor[:len(cursor)-2]},
	} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			h.wantProblem(h.do(tc.as, http.MethodGet, tc.path, ""), 400, tenure.StaleCursor, "cursor")
		})
	}
	next := decodeInto[api.BeliefPage](t, h.do("analyst", http.MethodGet, "/v1/beliefs?limit=500&predicate=office&"+cursor, ""), 200)
	if len(next.Items) != 3 {
		t.Errorf("another limit: %d items", len(next.Items))
	}
}

func TestWhatACallerMayNotSeeIsNotThere(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon", "")
	h.state.entity(acme, "Acme", "zeta")
	open := h.state.belief(1, func(b *tenure.Belief) { b.Claim.Classification = tenure.Public })
	secret := h.state.belief(2, nil)
	elsewhere := h.state.belief(3, func(b *tenure.Belief) {
		b.Claim.Classification, b.Claim.Scope.ProjectID = tenure.Public, "zeta"
	})
	h.state.put(tenure.CasePut{Case: tenure.Case{
		ID: unknown[:35] + "1", Subject: jon, Predicate: "office", State: tenure.CaseOpen, Holds: []tenure.ID{open, secret}, Version: 1,
	}})
	h.state.observation(tenure.Observation{ID: unknown[:35] + "2", Claims: []tenure.ID{open, secret}})
	for as, want := range map[string][]tenure.ID{
		"analyst": {open, secret, elsewhere}, "low": {open, elsewhere}, "bound": {open, secret}, "foreign": nil,
	} {
		page := decodeInto[api.BeliefPage](t, h.do(as, http.MethodGet, "/v1/beliefs", ""), 200)
		if !slices.Equal(ids(page.Items), want) {
			t.Errorf("%s sees %v, want %v", as, ids(page.Items), want)
		}
	}
	bodies := map[string]bool{}
	for _, tc := range []struct{ as, path string }{
		{"analyst", "/v1/beliefs/" + string(unknown)},
		{"low", "/v1/beliefs/" + string(secret)},
		{"low", "/v1/beliefs/" + string(secret) + "/chain"},
		{"bound", "/v1/beliefs/" + string(elsewhere)},
		{"foreign", "/v1/beliefs/" + string(open)},
		{"analyst", "/v1/entities/" + string(unknown)},
		{"bound", "/v1/entities/" + string(acme)},
		{"bound", "/v1/entities/" + string(acme) + "/history"},
		{"bound", "/v1/entities/" + string(acme) + "/neighborhood"},
		{"foreign", "/v1/entities/" + string(jon)},
		{"analyst", "/v1/observations/" + string(unknown)},
		{"low", "/v1/observations/" + string(unknown[:35]) + "2"},
		{"foreign", "/v1/observations/" + string(unknown[:35]) + "2"},
		{"analyst", "/v1/quarantine/" + string(unknown)},
		{"low", "/v1/quarantine/" + string(unknown[:35]) + "1"},
		{"analyst", "/v1/compilations/" + string(unknown)},
	} {
		rec := h.do(tc.as, http.MethodGet, tc.path, "")
		h.wantProblem(rec, 404, tenure.NotFound)
		bodies[rec.Body.String()] = true
	}
	rec := h.do("low", http.MethodPost, "/v1/beliefs/"+string(secret)+"/retract", "")
	h.wantProblem(rec, 404, tenure.NotFound)
	bodies[rec.Body.String()] = true
	rec = h.do("admin", http.MethodDelete, "/v1/keys/"+string(unknown), "")
	h.wantProblem(rec, 404, tenure.NotFound)
	bodies[rec.Body.String()] = true
	if len(bodies) != 1 {
		t.Errorf("what is hidden and what is not there differ: %v", bodies)
	}
	page := decodeInto[api.CasePage](t, h.do("low", http.MethodGet, "/v1/quarantine", ""), 200)
	if len(page.Items) != 0 {
		t.Error("a case shows a side that the caller may not see")
	}
	found := decodeInto[api.EntityPage](t, h.do("bound", http.MethodGet, "/v1/entities?name=acme", ""), 200)
	if len(found.Items) != 0 {
		t.Error("an entity of another project was found")
	}
}

func TestAChainGoesBothWaysOldestFirst(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	first := h.state.belief(1, segments(tenure.BySuccession, beliefID(2)))
	second := h.state.belief(2, func(b *tenure.Belief) {
		segments(tenure.ByName, beliefID(3))(b)
		b.Claim.Classification = tenure.HighlyRestricted
	})
	third := h.state.belief(3, func(b *tenure.Belief) {
		b.Claim.Subject, b.Claim.Supersedes = acme, []tenure.ID{second} // across slots
	})
	h.state.belief(4, nil) // in the slot, and in no chain
	for _, from := range []tenure.ID{first, second, third} {
		c := decodeInto[api.Chain](t, h.do("analyst", http.MethodGet, "/v1/beliefs/"+string(from)+"/chain", ""), 200)
		if !slices.Equal(ids(c.Items), []tenure.ID{first, second, third}) || c.Truncated {
			t.Errorf("from %s: %v", from, ids(c.Items))
		}
	}
	low := h.callers["agent"]
	low.Clearance = tenure.Restricted
	h.callers["agent"] = low
	c := decodeInto[api.Chain](t, h.do("agent", http.MethodGet, "/v1/beliefs/"+string(first)+"/chain", ""), 200)
	if !slices.Equal(ids(c.Items), []tenure.ID{first}) {
		t.Errorf("it goes through what is hidden: %v", ids(c.Items))
	}
}

func TestFindingEntities(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon Smith", "")
	h.state.entity(acme, "JON  SMITH", "nova")
	for query, want := range map[string][]tenure.ID{
		"name=jon+smith":                  {jon, acme},
		"name=jon+smith&project_id=nova":  {jon, acme},
		"name=jon+smith&project_id=other": {jon},
		"name=jon+smith&type=person":      {jon, acme},
		"name=jon+smith&type=system":      nil,
		"name=jon":                        nil,
	} {
		page := decodeInto[api.EntityPage](t, h.do("agent", http.MethodGet, "/v1/entities?"+query, ""), 200)
		var got []tenure.ID
		for _, e := range page.Items {
			got = append(got, e.EntityId)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	page := decodeInto[api.EntityPage](t, h.do("agent", http.MethodGet, "/v1/entities?name=jon+smith&limit=1", ""), 200)
	if len(page.Items) != 1 || page.NextCursor == "" {
		t.Fatalf("%+v", page)
	}
	page = decodeInto[api.EntityPage](t, h.do("agent", http.MethodGet, "/v1/entities?name=jon+smith&limit=1&cursor="+page.NextCursor, ""), 200)
	if len(page.Items) != 1 || page.Items[0].EntityId != acme || page.NextCursor != "" {
		t.Fatalf("%+v", page)
	}
	if a := page.Items[0].Aliases; len(a) != 1 || a[0].Spelling != "JON  SMITH" || a[0].Kind != tenure.NameAlias {
		t.Errorf("aliases %+v", a)
	}
}

func TestTheNeighborhoodIsBounded(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	far := unknown[:35] + "3"
	h.state.entity(jon, "Jon", "")
	h.state.entity(acme, "Acme", "")
	h.state.entity(far, "Far", "")
	relation := func(n int, from, to tenure.ID, change func(*tenure.Belief)) tenure.ID {
		return h.state.belief(n, func(b *tenure.Belief) {
			b.Claim.Subject, b.Claim.Predicate, b.Claim.Value = from, "works_at", tenure.Value{Entity: to}
			if change != nil {
				change(b)
			}
		})
	}
	near := relation(1, jon, acme, nil)
	next := relation(2, far, acme, nil)
	relation(3, jon, far, segments(tenure.ByTie, ""))
	relation(4, jon, far, segments(tenure.ByDependency, near))
	get := func(query string) api.Neighborhood {
		return decodeInto[api.Neighborhood](t, h.do("agent", http.MethodGet, "/v1/entities/"+string(jon)+"/neighborhood"+query, ""), 200)
	}
	n := get("")
	if len(n.Edges) != 1 || n.Edges[0].BeliefId != near || len(n.Nodes) != 2 || n.Truncated || n.AsOf.Seq != h.seq() {
		t.Errorf("%+v", n)
	}
	n = get("?hops=2")
	if len(n.Edges) != 2 || n.Edges[1].BeliefId != next || len(n.Nodes) != 3 || n.Nodes[2].Hops != 2 || n.Truncated {
		t.Errorf("%+v", n)
	}
	if n = get("?hops=2&cap=1"); len(n.Edges) != 1 || !n.Truncated {
		t.Errorf("%+v", n)
	}
}

func TestQuarantineAndConflicts(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(acme, "Acme", "")
	winner := h.state.belief(1, nil)
	loser := h.state.belief(2, segments(tenure.ByAuthority, winner))
	tied := h.state.belief(3, segments(tenure.ByTie, ""))
	h.state.belief(4, segments(tenure.BySuccession, winner)) // no contradiction
	kase := unknown[:35] + "5"
	h.state.put(tenure.CasePut{Case: tenure.Case{
		ID: kase, State: tenure.CaseOpen, Subject: jon, Predicate: "office", Holds: []tenure.ID{tied, winner}, Version: 3,
		Windows: []tenure.Window{{From: tenure.MinTime, Until: tenure.At(start)}}, OpenedAt: tenure.At(start),
		Resolver: tenure.Resolver{Kind: tenure.ResolverPerson, Task: "Which one?"},
	}})
	conflicts := decodeInto[api.ConflictPage](t, h.do("analyst", http.MethodGet, "/v1/conflicts", ""), 200)
	if len(conflicts.Items) != 2 || conflicts.Items[0].Belief.ObjectId != loser {
		t.Fatalf("%+v", conflicts)
	}
	if lost := conflicts.Items[0].LostTo; len(lost) != 1 || lost[0].By != winner || lost[0].Belief == nil || lost[0].Cause != tenure.ByAuthority {
		t.Errorf("%+v", lost)
	}
	for query, want := range map[string]int{"": 1, "?state=settled": 0, "?state=any": 1, "?entity_id=" + string(acme): 0} {
		if page := decodeInto[api.CasePage](t, h.do("reviewer", http.MethodGet, "/v1/quarantine"+query, ""), 200); len(page.Items) != want {
			t.Errorf("%q: %d cases", query, len(page.Items))
		}
	}
	c := decodeInto[api.Case](t, h.do("reviewer", http.MethodGet, "/v1/quarantine/"+string(kase), ""), 200)
	if len(c.Beliefs) != 2 || c.Windows[0].ValidFrom != nil || c.Windows[0].ValidUntil == nil || !c.ClosedAt.IsZero() {
		t.Errorf("%+v", c)
	}
	path := "/v1/quarantine/" + string(kase) + "/resolution"
	h.wantProblem(h.do("reviewer", http.MethodPost, path, `{"reject_all":true,"version":2}`), 409, tenure.Conflicting, "/version")
}

func TestACaseIsSettled(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	say := func(office string) api.BeliefAnswer {
		body := claim(`,"value":"` + office + `","valid_from":"2026-06-01T00:00:00Z"`)
		body = strings.Replace(body, `"source":{`, `"source":{"speaker":"who says `+office+`",`, 1)
		return decodeInto[api.ObservationAnswer](t, h.do("agent", http.MethodPost, "/v1/observations", body), 201).Beliefs[0]
	}
	say("Boston")
	tied := say("Chicago")
	if tied.CaseId == "" {
		t.Fatalf("no case: %+v", tied)
	}
	path := "/v1/quarantine/" + string(tied.CaseId)
	kase := decodeInto[api.Case](t, h.do("reviewer", http.MethodGet, path, ""), 200)
	body := fmt.Sprintf(`{"accept":%q,"version":%d,"note":"asked Jon"}`, tied.BeliefId, kase.Version)
	a := decodeInto[api.SettlementAnswer](t, h.do("reviewer", http.MethodPost, path+"/resolution", body, "Idempotency-Key", "k"), 200)
	if a.Case.CaseId != tied.CaseId || a.Case.State != tenure.CaseSettled || a.Case.Accepted != tied.BeliefId || a.Case.Note != "asked Jon" ||
		a.Seq != h.seq() || !slices.Equal(a.Restored, []tenure.ID{tied.BeliefId}) {
		t.Errorf("%+v", a)
	}
	h.wantProblem(h.do("reviewer", http.MethodPost, path+"/resolution", body), 409, tenure.Conflicting) // it is settled
	h.wantProblem(h.do("reviewer", http.MethodPost, "/v1/quarantine/"+string(unknown)+"/resolution", body), 404, tenure.NotFound)
}

func TestAmendments(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon", "")
	amend := func(n int, what, body string) api.AmendmentAnswer {
		id := h.state.belief(n, func(b *tenure.Belief) { b.Claim.Predicate = fmt.Sprint("p", n) })
		a := decodeInto[api.AmendmentAnswer](t, h.do("agent", http.MethodPost, "/v1/beliefs/"+string(id)+"/"+what, body), 200)
		if a.Belief.ObjectId != id || a.Seq != h.seq() || a.Restored == nil {
			t.Errorf("%s %s: %+v", what, body, a)
		}
		return a
	}
	for n, body := range []string{``, `{}`} {
		if b := amend(n, "confirm", body).Belief; !b.LastConfirmed.Equal(start) || b.Withheld {
			t.Errorf("confirmed: %+v", b)
		}
	}
	if b := amend(2, "retract", `{"reason":"a slip","authority_level":2}`).Belief; len(b.Segments) != 1 || b.Segments[0].Cause != tenure.ByRetraction || !b.Withheld {
		t.Errorf("retracted: %+v", b.Segments)
	}
	b := amend(3, "end", `{"at":"2026-06-06T11:30:00Z"}`).Belief
	if len(b.Segments) != 2 || !b.Segments[1].ValidFrom.Equal(start.Add(-30*time.Minute)) || b.Segments[1].Cause != tenure.ByEnd {
		t.Errorf("ended: %+v", b.Segments)
	}
}

func TestTheLogAndHistories(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	for n := range 5 {
		who := jon
		if n%2 != 0 {
			who = acme
		}
		h.state.put(tenure.EntityPut{Entity: tenure.Entity{ID: who, Status: tenure.EntityCanonical, Name: fmt.Sprint(n)}})
	}
	page := decodeInto[api.ChangePage](t, h.do("admin", http.MethodGet, "/v1/changes?limit=3", ""), 200)
	if len(page.Items) != 3 || page.NextAfter != 3 || page.Items[0].Hash == "" || page.Items[0].Changes[0].EntityId != jon {
		t.Errorf("%+v", page)
	}
	page = decodeInto[api.ChangePage](t, h.do("admin", http.MethodGet, "/v1/changes?after=5", ""), 200)
	if len(page.Items) != 0 || page.NextAfter != 5 {
		t.Errorf("%+v", page)
	}
	path := "/v1/entities/" + string(jon) + "/history"
	history := decodeInto[api.EntryPage](t, h.do("admin", http.MethodGet, path+"?limit=2", ""), 200)
	if len(history.Items) != 2 || history.Items[1].Seq != 3 || history.Items[0].Hash != "" || history.NextCursor == "" {
		t.Fatalf("%+v", history)
	}
	history = decodeInto[api.EntryPage](t, h.do("admin", http.MethodGet, path+"?cursor="+history.NextCursor, ""), 200)
	if len(history.Items) != 1 || history.Items[0].Seq != 5 || history.NextCursor != "" {
		t.Errorf("%+v", history)
	}
	history = decodeInto[api.EntryPage](t, h.do("analyst", http.MethodGet, path, ""), 200)
	if len(history.Items) != 0 || history.NextCursor != "" { // what followed from evidence that is not there
		t.Errorf("to whom the log is closed: %+v", history)
	}
}

func TestVocabularies(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	v := decodeInto[api.Vocabulary](t, h.do("agent", http.MethodGet, "/v1/vocabularies/predicates", ""), 200)
	if v.Closed || v.Version != 0 || v.Terms == nil {
		t.Errorf("%+v", v)
	}
	put := func(body string) api.Vocabulary {
		return decodeInto[api.Vocabulary](t, h.do("admin", http.MethodPut, "/v1/vocabularies/predicates", body), 200)
	}
	put(`{"closed":false,"version":0,"terms":[{"name":"old"}]}`)
	v = put(`{"closed":true,"version":1,"terms":[{"name":"born","constant":true,"succession_gap":0,"deduplicated":true},{"name":"office","cardinality":"many"},{"name":"old","removed":true}]}`)
	none, usual := 0, tenure.DefaultSuccessionGap
	want := []api.Term{
		{Name: "born", Cardinality: tenure.One, ValueType: tenure.AnyValue, Constant: true, SuccessionGap: &none},
		{Name: "office", Cardinality: tenure.Many, ValueType: tenure.AnyValue, SuccessionGap: &usual},
	}
	if diff := cmp.Diff(want, v.Terms); diff != "" || !v.Closed || v.Version != 2 {
		t.Errorf("%s %+v", diff, v)
	}
	v = decodeInto[api.Vocabulary](t, h.do("agent", http.MethodGet, "/v1/vocabularies/predicates?limit=1", ""), 200)
	if len(v.Terms) != 1 || v.Terms[0].Name != "born" || v.NextCursor == "" {
		t.Fatalf("%+v", v)
	}
	v = decodeInto[api.Vocabulary](t, h.do("agent", http.MethodGet, "/v1/vocabularies/predicates?limit=1&cursor="+v.NextCursor, ""), 200)
	if len(v.Terms) != 1 || v.Terms[0].Name != "office" || v.NextCursor != "" {
		t.Errorf("%+v", v)
	}
}

func TestObservationsAreReadBack(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	id := unknown[:35] + "6"
	h.state.put(tenure.EntityPut{Entity: tenure.Entity{ID: acme, Status: tenure.EntityMerged, MergedInto: jon}})
	h.state.observation(
		tenure.Observation{ID: id, Text: "hi <b>", Source: tenure.Source{Origin: "x:1"}, ReceivedAt: tenure.At(start)},
		tenure.Assignment{Mention: unknown, Entity: acme, Score: .99, Outcome: tenure.AutoMerge, Reason: "equal_key"},
	)
	rec := h.do("agent", http.MethodGet, "/v1/observations/"+string(id), "")
	o := decodeInto[api.Observation](t, rec, 200)
	if o.Text != "hi <b>" || len(o.Mentions) != 1 || o.Claims == nil {
		t.Fatalf("%+v", o)
	}
	if m := o.Mentions[0]; m.EntityId != acme || m.RootId != jon || m.Decision != tenure.AutoMerge || m.Score != .99 {
		t.Errorf("%+v", m)
	}
}
