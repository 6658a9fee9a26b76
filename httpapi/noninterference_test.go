package httpapi_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/encode/encodetest"
	"tenure/httpapi"
	"tenure/index"
	"tenure/service"
	"tenure/store"
	"tenure/store/neo4j"
	"tenure/store/sqlite"
	"tenure/verify"
)

// How many histories of how many steps the property of noninterference is tried on.
var (
	histories = flag.Int("noninterference.histories", 4, "histories for each engine")
	steps     = flag.Int("noninterference.steps", 60, "steps of each history")
	firstSeed = flag.Int("noninterference.seed", 1, "seed of the first history")
)

// TestNoninterference plays random histories twice, with and without the evidence that an observer may not see. All
// answers to the observer are the same, but for ids, numbers of states, and times within a second.
func TestNoninterference(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		observe(t, func(t *testing.T, now func() time.Time) (store.Store, error) {
			return sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: now})
		}, *histories, *steps)
	})
	t.Run("neo4j", func(t *testing.T) {
		t.Parallel()
		uri := os.Getenv("NEO4J_URI")
		if uri == "" {
			t.Fatal("NEO4J_URI is not set: this test needs a real Neo4j; run make test, which starts one")
		}
		observe(t, func(t *testing.T, now func() time.Time) (store.Store, error) {
			return neo4j.Open(t.Context(), uri, neo4j.Config{
				Now: now, Username: os.Getenv("NEO4J_USERNAME"), Password: os.Getenv("NEO4J_PASSWORD"),
			})
		}, max(1, *histories/4), *steps/2)
	})
}

// opened opens a store with a clock.
type opened func(t *testing.T, now func() time.Time) (store.Store, error)

func observe(t *testing.T, open opened, histories, steps int) {
	t.Run("all", func(t *testing.T) {
		for i := range histories {
			seed := uint64(*firstSeed + i)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				newTwoWorlds(t, open, seed).play(steps)
			})
		}
	})
}

// secrecy is an observer, and the labels that it does not see.
type secrecy struct {
	name     string
	observer tenure.Caller
	hidden   []func(o object)
}

type object = map[string]any

func classified(level string) func(object) {
	return func(o object) { o["security_classification"] = level }
}

func scoped(id, name string) func(object) {
	return func(o object) { o["scope"] = object{id: name} }
}

var secrecies = []secrecy{
	{
		"clearance", tenure.Caller{Clearance: tenure.Restricted},
		[]func(object){classified("confidential"), classified("highly_restricted")},
	},
	{
		"user", tenure.Caller{Clearance: tenure.Restricted, Bound: tenure.Scope{UserID: "u2"}},
		[]func(object){scoped("user_id", "u1")},
	},
	{
		"role", tenure.Caller{Clearance: tenure.Restricted},
		[]func(object){func(o object) { o["permission_scope"] = object{"allow_roles": []any{"hr"}} }},
	},
	{
		"public", tenure.Caller{Clearance: tenure.Public},
		[]func(object){classified("restricted"), classified("confidential")},
	},
}

// side is one of the two worlds.
type side struct {
	store   store.Store
	handler http.Handler
	service *service.Service
	tenant  string
	ids     map[string]string // their names, by the id
	byName  map[string]string // the ids
	known   map[string][]string
}

// twoWorlds are a world with the hidden evidence and one without.
type twoWorlds struct {
	t       *testing.T
	secrecy secrecy
	rnd     *mathrand.Rand
	clock   atomic.Int64 // seconds
	with    *side
	without *side
	callers map[string]tenure.Caller
}

func newTwoWorlds(t *testing.T, open opened, seed uint64) *twoWorlds {
	w := &twoWorlds{
		t: t, secrecy: secrecies[seed%uint64(len(secrecies))],
		rnd:     mathrand.New(mathrand.NewPCG(seed, 7)),
		callers: map[string]tenure.Caller{},
	}
	w.clock.Store(start.Unix())
	w.with, w.without = w.side(open, seed, "with"), w.side(open, seed, "without")
	return w
}

func (w *twoWorlds) now() time.Time { return time.Unix(w.clock.Load(), 0).UTC() }

func (w *twoWorlds) side(open opened, seed uint64, name string) *side {
	out := &side{tenant: fmt.Sprintf("%s-%d-%s", name, seed, uuid.NewString()), ids: map[string]string{}, byName: map[string]string{}, known: map[string][]string{}}
	x, err := index.Open(w.t.TempDir(), index.Config{})
	if err != nil {
		w.t.Fatal(err)
	}
	now := w.now
	s, err := open(w.t, now)
	if err != nil {
		w.t.Fatal(err)
	}
	out.store = s
	logger := slog.New(slog.DiscardHandler)
	if out.service, err = service.New(s, service.Config{
		Now: now, Index: x, Logger: logger, Embedder: &encodetest.Bag{},
	}); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		out.service.Close()
		if err := errors.Join(x.Close(), s.Close()); err != nil {
			w.t.Error(err)
		}
	})
	callers := map[string]tenure.Caller{}
	everything := tenure.Caller{Clearance: tenure.HighlyRestricted, Role: "hr"}
	for token, c := range map[string]tenure.Caller{"observer": w.secrecy.observer, "hidden": everything, "trusted": everything} {
		c.Tenant, c.Actor, c.MaxAuthority = out.tenant, token, 1
		c.Roles = []tenure.Role{tenure.RoleAgent, tenure.RoleReviewer}
		callers[token] = c
	}
	metrics := prometheus.NewRegistry()
	out.handler, err = httpapi.New(httpapi.Deps{
		Service: out.service, Authenticator: tokens(callers), Mint: func() tenure.Mint { return tenure.NewMint(w.now()) },
		Random: rand.Reader, CursorKey: []byte(strings.Repeat("k", 32)), Logger: logger,
		Registerer: metrics, Gatherer: metrics,
	}, httpapi.Config{})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

type tokens map[string]tenure.Caller

func (t tokens) Authenticate(_ context.Context, key, _ string) (tenure.Caller, error) {
	c, ok := t[key]
	if !ok {
		return c, tenure.Errorf(tenure.Unauthenticated, "a valid key is needed")
	}
	return c, nil
}

// do sends a request, waits until what it wrote is resolved, and returns the answer with the names of ids.
func (w *twoWorlds) do(s *side, as, method, path string, body any) string {
	text := ""
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			w.t.Fatal(err)
		}
		text = s.named(angles.Replace(string(raw)))
	}
	req := httptest.NewRequest(method, s.named(path), strings.NewReader(text))
	req.Header.Set("Authorization", "Bearer "+as)
	req.Header.Set("X-Request-Id", "r")
	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, req)
	if err := s.service.Worker().CatchUp(w.t.Context(), s.tenant); err != nil {
		w.t.Fatal(err)
	}
	if rec.Code >= 500 {
		w.t.Fatalf("%s %s %s: %d %s", method, path, text, rec.Code, rec.Body)
	}
	switch as {
	case "hidden":
		s.hide(rec.Body.String())
	case "trusted": // the observer may see it, and has not yet
		s.known["open"] = append(s.known["open"], anID.FindAllString(rec.Body.String(), -1)...)
	}
	if as != "observer" {
		return ""
	}
	return fmt.Sprintf("%d %s", rec.Code, s.plain(w.t, rec.Body.Bytes()))
}

// named replaces the names of ids in a request, "<3>", by the ids.
func (s *side) named(text string) string {
	return aName.ReplaceAllStringFunc(text, func(name string) string {
		if id := s.byName[name]; id != "" {
			return id
		}
		return name
	})
}

var aName = regexp.MustCompile("<[0-9]+>")

// angles undoes what JSON does to the names of ids.
var angles = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">")

var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// hide notes the ids of hidden objects, which the observer may guess.
func (s *side) hide(body string) {
	for _, id := range anID.FindAllString(body, -1) {
		if !slices.Contains(s.known["hidden"], id) {
			s.known["hidden"] = append(s.known["hidden"], id)
		}
	}
}

// plain returns an answer with names for its ids, and without what may differ.
func (s *side) plain(t *testing.T, body []byte) string {
	if len(body) == 0 {
		return ""
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	out, err := json.Marshal(s.strip("", v))
	if err != nil {
		t.Fatal(err)
	}
	return anID.ReplaceAllStringFunc(angles.Replace(string(out)), func(id string) string { return s.name("", id) })
}

// name returns the name of an id, which is noted under the field that it was found in.
func (s *side) name(field, id string) string {
	if s.ids[id] == "" {
		s.ids[id] = fmt.Sprintf("<%d>", len(s.ids))
		s.byName[s.ids[id]] = id
	}
	if field != "" && !slices.Contains(s.known[field], s.ids[id]) {
		s.known[field] = append(s.known[field], s.ids[id])
	}
	return s.ids[id]
}

// mayDiffer are the fields that tell the number of a state, or how long something took.
var mayDiffer = []string{
	"seq", "lag", "known_at", "tenant_id", "tx_start", "tx_end", "priority", "value_type", "next_cursor", "trace_id", "latency_ms", "prompt_cache_key", "request_id", "hash", "index", "snapshot",
}

func (s *side) strip(field string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) { // ids get their names in an order of their own
			if slices.Contains(mayDiffer, k) {
				if id, ok := v[k].(string); ok && k == "trace_id" {
					s.name(k, id) // it can be asked about
				}
				delete(v, k)
				continue
			}
			v[k] = s.strip(k, v[k])
		}
		return v
	case []any:
		for i := range v {
			v[i] = s.strip(field, v[i])
		}
		return v
	case string:
		if anID.MatchString(v) && len(v) == 36 {
			return s.name(field, v)
		}
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return at.Truncate(time.Second).Format(time.RFC3339)
		}
	}
	return v
}

// play plays a history. After each step the observer reads.
func (w *twoWorlds) play(steps int) {
	for i := range steps {
		w.clock.Add(60)
		if i == 0 { // that a tenant has no state at all may be known
			w.compare(i, "POST", "/v1/observations", object{
				"source": object{"origin": "test://crm"}, "mentions": []any{object{"name": "Somebody Else", "type": "person"}},
			})
		}
		if w.rnd.IntN(2) == 0 {
			method, path, body := w.write(true)
			w.do(w.with, "hidden", method, path, body)
		} else if method, path, body := w.write(false); w.rnd.IntN(4) == 0 {
			w.both(method, path, body)
		} else {
			w.compare(i, method, path, body)
		}
		w.use()
		for range 2 {
			method, path, body := w.read()
			w.compare(i, method, path, body)
		}
		if w.t.Failed() {
			return
		}
	}
	report, err := verify.Tenant(w.t.Context(), w.with.store, w.with.tenant)
	if err != nil || len(report.Findings) > 0 {
		w.t.Errorf("what was made of all evidence: %+v, %v", report, err)
	}
}

// use has the observer compile in both worlds, or one who sees everything in the world with the hidden evidence, and
// report that all was used that was compiled.
func (w *twoWorlds) use() {
	query := object{"query": "What is known of " + pick(w.rnd, people) + ", the office and salary?"}
	switch w.rnd.IntN(4) {
	case 0:
		w.compiledAndUsed(w.with, "hidden", query)
	case 1:
		w.compiledAndUsed(w.with, "observer", query)
		w.compiledAndUsed(w.without, "observer", query)
	}
}

func (w *twoWorlds) compiledAndUsed(s *side, as string, query object) {
	send := func(path string, body any) []byte {
		raw, err := json.Marshal(body)
		if err != nil {
			w.t.Fatal(err)
		}
		req := httptest.NewRequest(http.MethodPost, path, strings.NewReader(string(raw)))
		req.Header.Set("Authorization", "Bearer "+as)
		rec := httptest.NewRecorder()
		s.handler.ServeHTTP(rec, req)
		if rec.Code != http.StatusOK {
			w.t.Fatalf("POST %s: %d %s", path, rec.Code, rec.Body)
		}
		return rec.Body.Bytes()
	}
	var c struct {
		Trace struct {
			State struct {
				Objects []struct {
					ID string `json:"object_id"`
				} `json:"compiled_objects"`
			} `json:"state_compilation_metadata"`
		}
		Run struct {
			TraceID string `json:"trace_id"`
		}
	}
	if err := json.Unmarshal(send("/v1/compile", query), &c); err != nil {
		w.t.Fatal(err)
	}
	used := []string{}
	for _, o := range c.Trace.State.Objects {
		used = append(used, o.ID)
	}
	send("/v1/compilations/"+c.Run.TraceID+"/outcome", object{"used_object_ids": used, "retries": len(used)})
}

// both sends a write that the observer may see in both worlds, by a caller who sees everything.
func (w *twoWorlds) both(method, path string, body any) {
	if strings.Contains(path, "{hidden}") {
		return
	}
	if o, ok := body.(object); ok && w.secrecy.observer.Clearance == tenure.Public && (strings.Contains(path, "observations") || strings.Contains(path, "documents")) {
		o["security_classification"] = "public"
	} else if w.secrecy.observer.Clearance == tenure.Public {
		return
	}
	w.do(w.with, "trusted", method, path, body)
	w.do(w.without, "trusted", method, path, body)
}

// compare sends a request of the observer in both worlds.
func (w *twoWorlds) compare(step int, method, path string, body any) {
	w.t.Helper()
	in, out := path, path
	if strings.Contains(path, "{hidden}") { // an id that is there, and one that is not
		id := "0198c1f0-0000-7000-8000-00000000dead"
		if list := w.with.known["hidden"]; len(list) > 0 {
			id = list[w.rnd.IntN(len(list))]
		}
		if w.with.ids[id] != "" || slices.Contains(w.with.known["open"], id) {
			return // not hidden after all
		}
		in, out = strings.ReplaceAll(path, "{hidden}", id), strings.ReplaceAll(path, "{hidden}", uuid.NewString())
	}
	with, without := w.do(w.with, "observer", method, in, body), w.do(w.without, "observer", method, out, body)
	if with != without {
		raw, _ := json.Marshal(body)
		w.t.Errorf("%s, step %d: %s %s %s tells of what is hidden (-without +with):\n%s",
			w.secrecy.name, step, method, path, raw, cmp.Diff(lines(without), lines(with)))
	}
}

func lines(answer string) []string {
	status, body, _ := strings.Cut(answer, " ")
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return []string{answer}
	}
	out, _ := json.MarshalIndent(v, "", " ")
	return append([]string{status}, strings.Split(string(out), "\n")...)
}

var (
	people = []string{"Jon Smith", "Jonathan Smith", "Ann Lee", "Ana Lee", "Maria Kovac", "Marta Kovac", "Smith, Jon", "Li Wei"}
	others = []string{"Acme", "Acme Corp", "Globex", "Project Nova", "Nova"}
	mails  = []string{"jon@acme.example", "ann@acme.example", "mk@globex.example"}
	passes = []string{"P1234567", "K7654321", "X1112223"}
	rooms  = []any{"Oslo", "Rome", "Kotka", 12, "EUR 90,000"}
	terms  = []string{"office", "salary", "budget", "employer", "status"}
)

func pick[T any](r *mathrand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (w *twoWorlds) mention() object {
	m := object{"name": pick(w.rnd, people), "type": "person"}
	if w.rnd.IntN(3) == 0 {
		m = object{"name": pick(w.rnd, others), "type": "organization"}
	}
	attributes := object{}
	if w.rnd.IntN(3) == 0 {
		attributes["email"] = []any{pick(w.rnd, mails)}
	}
	if w.rnd.IntN(4) == 0 {
		attributes["passport"] = []any{pick(w.rnd, passes)}
	}
	if len(attributes) > 0 {
		m["attributes"] = attributes
	}
	if w.rnd.IntN(4) == 0 {
		m["context"] = pick(w.rnd, []string{"head of sales", "a customer in Oslo"})
	}
	if w.rnd.IntN(5) == 0 {
		m["aliases"] = []any{pick(w.rnd, people)}
	}
	if w.rnd.IntN(6) == 0 {
		m["record"] = object{"source": "crm", "id": fmt.Sprint(w.rnd.IntN(6))}
	}
	return m
}

// write returns a write, hidden from the observer or visible to it.
func (w *twoWorlds) write(hidden bool) (method, path string, body any) {
	if !hidden && w.rnd.IntN(4) == 0 {
		return w.decide()
	}
	if w.rnd.IntN(6) == 0 {
		o := object{"facts": []any{object{
			"subject": pick(w.rnd, append([]string{"Jon", "Ann", "Kovac"}, people...)), "predicate": pick(w.rnd, terms), "object": fmt.Sprint(pick(w.rnd, rooms)),
		}}}
		if w.rnd.IntN(2) == 0 {
			o["session_id"] = "s1"
		}
		if hidden {
			w.secret(o)
			if s, ok := o["scope"].(object); ok {
				delete(o, "scope")
				maps.Copy(o, s)
			}
			if o["permission_scope"] != nil {
				return w.write(true)
			}
		}
		return "POST", "/v1/remember", o
	}
	if w.rnd.IntN(6) == 0 {
		o := w.document()
		if hidden {
			w.secret(o)
		}
		return "POST", "/v1/documents", o
	}
	if w.rnd.IntN(5) == 0 {
		o := w.said()
		if hidden {
			w.secret(o)
		}
		return "POST", "/v1/observations", o
	}
	o := object{
		"source": object{
			"origin": "test://" + pick(w.rnd, []string{"crm", "chat", "hr"}), "authority_level": 1 + w.rnd.IntN(3),
			"speaker": pick(w.rnd, []string{"Dana", "Eve"}),
		},
		"mentions": []any{w.mention(), w.mention()},
	}
	if w.rnd.IntN(4) == 0 {
		o["source"].(object)["session"] = "s1"
	}
	if w.rnd.IntN(4) > 0 {
		c := object{"subject": object{"mention": 0}, "predicate": pick(w.rnd, terms), "value": pick(w.rnd, rooms)}
		if w.rnd.IntN(4) == 0 {
			c["predicate"], c["value"] = "manager", object{"mention": 1}
		}
		if hidden && w.rnd.IntN(6) == 0 {
			c["predicate"] = fmt.Sprint("secret_", w.rnd.IntN(3))
		}
		if w.rnd.IntN(5) == 0 {
			c["predicate"] = fmt.Sprint("secret_", w.rnd.IntN(3))
		}
		if w.rnd.IntN(4) == 0 {
			maps.Copy(c, pick(w.rnd, directives))
		}
		if known := w.without.known["belief_id"]; len(known) > 0 && w.rnd.IntN(4) == 0 {
			c[pick(w.rnd, []string{"supersedes", "depends_on"})] = []any{pick(w.rnd, known)}
		}
		o["claims"] = []any{c}
	}
	if hidden {
		w.secret(o)
	}
	return "POST", "/v1/observations", o
}

// directives are what makes a claim say how to act.
var directives = []object{
	{"object_type": "policy_rule"}, {"object_type": "preference"}, {"is_constraint": true},
	{"object_type": "preference", "why_it_matters": "when code is written"},
	{"behavioral_implication": "say so", "applicable_task_types": []string{"code_generation"}},
}

// document returns one of a few documents, with one of a few texts.
func (w *twoWorlds) document() object {
	return object{
		"uri":  pick(w.rnd, []string{"doc://1", "doc://2", "doc://3"}),
		"text": pick(w.rnd, []string{"The office is in Oslo.", "The office is in Rome.", "# Budget\n\nIt is EUR 90,000."}),
	}
}

// said returns a turn of a conversation, which is read.
func (w *twoWorlds) said() object {
	name, other, room := pick(w.rnd, people), pick(w.rnd, others), fmt.Sprint(pick(w.rnd, rooms))
	return object{
		"source": object{"origin": pick(w.rnd, []string{"chat://1", "chat://2"}), "speaker": pick(w.rnd, []string{"Dana", "Eve"})},
		"text": pick(w.rnd, []string{
			name + " works at " + other + ".", name + "'s office is in " + room + ".", "The budget of " + other + " is " + room + ".",
			"Her salary is EUR 80,000.", "He moved to " + room + ".", "No, it is " + room + ".", "Forget what I said.",
			strings.ToLower(name) + " is in " + room + " now, not with " + other + ".",
			name + " reports to " + pick(w.rnd, people) + ".", "The status of " + strings.ToLower(other) + " is done.",
		}),
	}
}

func (w *twoWorlds) secret(o object) { pick(w.rnd, w.secrecy.hidden)(o) }

// decide returns a decision of the observer about what it knows.
func (w *twoWorlds) decide() (method, path string, body any) {
	entity, belief := w.any("entity_id"), w.any("belief_id")
	switch w.rnd.IntN(8) {
	case 7:
		return "DELETE", "/v1/documents/" + w.any("document_id"), nil
	case 0:
		return "POST", "/v1/entities/" + entity + "/merge", object{"into": w.any("entity_id")}
	case 1:
		return "POST", "/v1/beliefs/" + belief + "/retract", object{"reason": "wrong"}
	case 2:
		return "POST", "/v1/beliefs/" + belief + "/end", object{"at": w.now().Format(time.RFC3339)}
	case 3:
		return "POST", "/v1/beliefs/" + belief + "/confirm", nil
	case 4:
		return "POST", "/v1/reviews/" + w.any("review_id") + "/decision", object{"decision": "new_entity", "version": 1}
	case 5:
		return "POST", "/v1/merges/" + w.any("merge_id") + "/undo", object{}
	}
	return "POST", "/v1/quarantine/" + w.any("case_id") + "/resolution", object{"accept": belief, "version": 1}
}

// any returns the name of an id that the observer has seen in a field, or an id that is hidden.
func (w *twoWorlds) any(field string) string {
	if list := w.without.known[field]; len(list) > 0 && w.rnd.IntN(8) > 0 {
		return pick(w.rnd, list)
	}
	return "{hidden}"
}

// read returns a read of the observer.
func (w *twoWorlds) read() (method, path string, body any) {
	name := strings.ReplaceAll(pick(w.rnd, slices.Concat(people, others)), " ", "+")
	switch w.rnd.IntN(35) {
	case 27:
		return "GET", "/v1/compilations/" + w.any("trace_id") + "/outcome", nil
	case 28:
		return "POST", "/v1/compilations/" + w.any("trace_id") + "/outcome", object{"used_object_ids": []any{w.any("object_id")}}
	case 29, 30:
		return "GET", "/v1/compilations/statistics?since=2000-01-01T00:00:00Z", nil
	case 22:
		return "GET", "/v1/documents", nil
	case 23:
		return "GET", "/v1/documents?limit=1&uri=doc://" + fmt.Sprint(1+w.rnd.IntN(3)), nil
	case 24:
		return "GET", "/v1/documents/" + w.any("document_id"), nil
	case 25:
		return "GET", "/v1/compilations/" + w.any("trace_id") + "/why?object=" + w.any("belief_id"), nil
	case 26:
		return "POST", "/v1/compilations/" + w.any("trace_id") + "/replay", nil
	case 0:
		return "GET", "/v1/entities?name=" + name, nil
	case 1:
		return "GET", "/v1/entities?q=" + name, nil
	case 2:
		return "GET", "/v1/entities/" + w.any("entity_id"), nil
	case 3:
		return "GET", "/v1/entities/" + w.any("entity_id") + "/history", nil
	case 4:
		return "GET", "/v1/entities/" + w.any("entity_id") + "/neighborhood?hops=2", nil
	case 5:
		return "GET", "/v1/beliefs?status=any&limit=200", nil
	case 6:
		return "GET", "/v1/beliefs/" + w.any("belief_id"), nil
	case 7:
		return "GET", "/v1/beliefs/" + w.any("belief_id") + "/chain", nil
	case 8:
		return "GET", "/v1/conflicts", nil
	case 9:
		return "GET", "/v1/quarantine?state=any", nil
	case 10:
		return "GET", "/v1/reviews?state=any", nil
	case 11:
		return "GET", "/v1/reviews/" + w.any("review_id"), nil
	case 12:
		return "GET", "/v1/tasks", nil
	case 13:
		return "GET", "/v1/vocabularies/" + pick(w.rnd, []string{"predicates", "entity_types", "labels"}), nil
	case 14:
		return "GET", "/v1/observations", nil
	case 15:
		return "GET", "/v1/observations/" + w.any("observation_id"), nil
	case 16:
		return "GET", "/v1/merges/" + w.any("merge_id"), nil
	case 17:
		return "POST", "/v1/resolve", object{"mentions": []any{w.mention()}}
	case 18:
		return "GET", "/v1/beliefs?status=any&entity_id=" + w.any("entity_id"), nil
	case 19:
		return "POST", "/v1/recall", object{"query": pick(w.rnd, people) + " " + pick(w.rnd, terms), "limit": 3 + w.rnd.IntN(5)}
	case 20: // many have such a word
		return "POST", "/v1/recall", object{"query": pick(w.rnd, []string{"room", "office", "salary", "smith"}), "limit": 100}
	}
	return "POST", "/v1/compile", pick(w.rnd, []object{
		{"query": "What is known of " + pick(w.rnd, people) + ", the office and salary?"},
		{"query": "Everything about " + pick(w.rnd, people), "hops": 2},
		{"query": "Which office is it in this project?", "required": []any{object{"predicate": pick(w.rnd, terms)}}},
		{"query": "Write a script", "task": object{"type": "code_generation"}, "budget_tokens": 120},
	})
}
