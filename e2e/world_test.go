package e2e

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// world is a tenant of its own on a server, and one who may do everything.
type world struct {
	*testing.T
	client
	engine engine
	srv    *server
	tenant string
}

func newWorld(t *testing.T, e engine, s *server) *world {
	t.Helper()
	tenant := newTenant()
	return &world{t, client{s.url, newKey(t, s.store, tenant, s.login...)}, e, s, tenant}
}

// call sends a request; the test fails where no answer comes.
func (w *world) call(method, path string, body any, headers ...string) answer {
	w.Helper()
	a, err := w.try(w.Context(), method, path, body, headers...)
	if err != nil {
		w.Fatalf("%s %s: %v", method, path, err)
	}
	a.t = w.T
	if a.fault != nil {
		w.Error(a.fault)
	}
	return a
}

func (w *world) get(path string) answer {
	w.Helper()
	return w.call("GET", path, nil)
}

func (w *world) post(path string, body any, headers ...string) answer {
	w.Helper()
	return w.call("POST", path, body, headers...)
}

// with is the same world, seen with another key.
func (w *world) with(key string) *world {
	other := *w
	other.key = key
	return &other
}

// issue has the server make a key.
func (w *world) issue(key obj) *world {
	w.Helper()
	return w.with(w.post("/v1/keys", key).is(201).text("/key"))
}

// statement is an observation in the making: of one mention and one claim.
type statement struct{ observation, source, mention, claim obj }

type edit func(statement)

// begun is when the tests began.
var begun = time.Now().UTC().Format(time.RFC3339Nano)

// stating makes an observation. What no edit says: level 2, trust .8, said by
// Dana when the tests began, so that what two people say contradicts.
func stating(subject, predicate string, value any, edits ...edit) obj {
	s := statement{
		observation: obj{"observed_at": begun},
		source:      obj{"origin": "test://conversation", "authority_level": 2, "source_authority": .8, "speaker": "Dana"},
		mention:     obj{"name": subject, "type": "person"},
		claim:       obj{"subject": obj{"mention": 0}, "predicate": predicate, "value": value},
	}
	s.observation["source"], s.observation["mentions"], s.observation["claims"] = s.source, list{s.mention}, list{s.claim}
	for _, e := range edits {
		e(s)
	}
	return s.observation
}

func by(speaker string) edit          { return func(s statement) { s.source["speaker"] = speaker } }
func level(n int) edit                { return func(s statement) { s.source["authority_level"] = n } }
func trust(x float64) edit            { return func(s statement) { s.source["source_authority"] = x } }
func seen(at string) edit             { return func(s statement) { s.observation["observed_at"] = at } }
func within(scope obj) edit           { return func(s statement) { s.observation["scope"] = scope } }
func kind(of string) edit             { return func(s statement) { s.mention["type"] = of } }
func from(at string) edit             { return func(s statement) { s.claim["valid_from"] = at } }
func until(at string) edit            { return func(s statement) { s.claim["valid_until"] = at } }
func key(k string) edit               { return func(s statement) { s.claim["key"] = k } }
func supersedes(b ...string) edit     { return func(s statement) { s.claim["supersedes"] = b } }
func dependsOn(b ...string) edit      { return func(s statement) { s.claim["depends_on"] = b } }
func claims(field string, v any) edit { return func(s statement) { s.claim[field] = v } }

// identified gives the mention an identifier.
func identified(kind, value string) edit {
	return func(s statement) { s.mention["attributes"] = obj{kind: list{value}} }
}

// about makes the claim one about an entity that is known, without a mention.
func about(entity string) edit {
	return func(s statement) {
		delete(s.observation, "mentions")
		s.claim["subject"] = obj{"entity_id": entity}
	}
}

// told is what became of an observation of one claim.
type told struct {
	answer
	id, entity, belief, status, recordedAt string
	seq                                    int
}

// say records an observation of one claim.
func (w *world) say(subject, predicate string, value any, edits ...edit) told {
	w.Helper()
	return w.record(stating(subject, predicate, value, edits...))
}

func (w *world) record(observation obj, headers ...string) told {
	w.Helper()
	a := w.post("/v1/observations", observation, headers...).is(201)
	return told{
		answer: a, id: a.text("/observation_id"), entity: a.text("/mentions/0/entity_id"), belief: a.text("/beliefs/0/belief_id"),
		status: a.text("/beliefs/0/status"), recordedAt: a.text("/recorded_at"), seq: a.seq("/seq"),
	}
}

// page lists /v1/beliefs; filters are "name=value".
func (w *world) page(filters ...string) answer {
	w.Helper()
	return w.get("/v1/beliefs?" + query(filters)).is(200)
}

func query(filters []string) string {
	q := url.Values{}
	for _, f := range filters {
		name, value, _ := strings.Cut(f, "=")
		q.Set(name, value)
	}
	return q.Encode()
}

// believed lists the values that stand for an entity and a predicate.
func (w *world) believed(entity, predicate string, filters ...string) []string {
	w.Helper()
	return w.page(append(filters, "entity_id="+entity, "predicate="+predicate)...).texts("/items", "/value")
}

// belief reads one belief.
func (w *world) belief(id string, filters ...string) answer {
	w.Helper()
	return w.get("/v1/beliefs/" + id + "?" + query(filters)).is(200)
}

// compile asks for a context about a query, or entities, or both.
func (w *world) compile(request obj) answer {
	w.Helper()
	return w.post("/v1/compile", request).is(200)
}

// shows checks the text of an envelope for what has to be in it, and, behind
// "not", for what must not.
func (a answer) shows(parts ...string) {
	a.t.Helper()
	want := true
	for _, p := range parts {
		if p == not {
			want = false
			continue
		}
		if strings.Contains(a.text("/envelope/text"), p) != want {
			a.t.Errorf("the envelope has %q: want %v\n%s", p, want, a.text("/envelope/text"))
		}
	}
}

const not = "\x00not"

// omitted tells why the trace says that a belief is not in the envelope.
func (a answer) omitted(belief string) string {
	for _, o := range a.items("/trace/state_compilation_metadata/omitted_objects") {
		if text(o, "/object_id") == belief {
			return text(o, "/reason")
		}
	}
	return ""
}

// held lists the beliefs that the trace calls quarantined.
func (a answer) held() []string {
	ids := a.texts("/trace/state_compilation_metadata/quarantined_objects", "/object_id")
	slices.Sort(ids)
	return ids
}

// entries reads the whole change log, and checks that it has no gap.
func (w *world) entries() list {
	w.Helper()
	var all list
	for {
		a := w.get(fmt.Sprintf("/v1/changes?limit=500&after=%d", len(all))).is(200)
		page := a.items("/items")
		for _, e := range page {
			all = append(all, e)
			if got := text(e, "/seq"); got != fmt.Sprint(len(all)) {
				w.Fatalf("entry %s stands in the log where %d should", got, len(all))
			}
		}
		if len(page) == 0 {
			return all
		}
	}
}

// unchanged checks that what happens meanwhile writes nothing.
func (w *world) unchanged(what string, happen func()) {
	w.Helper()
	before := len(w.entries())
	happen()
	if after := len(w.entries()); after != before {
		w.Errorf("%s: the log grew from %d to %d entries", what, before, after)
	}
}

// same compares what is got with what is wanted.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func sorted(ids ...string) []string {
	return slices.Sorted(slices.Values(ids))
}

// eventually waits for something that happens soon after an answer. It asks less and less often, so that asking does
// not take the machine from what is awaited.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	pause := 5 * time.Millisecond
	for end := time.Now().Add(patience); !holds(); time.Sleep(pause) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, patience)
		}
		pause = min(2*pause, 160*time.Millisecond)
	}
}
