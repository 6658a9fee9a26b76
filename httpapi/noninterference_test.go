package httpapi_test

import (
	"cmp"
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

	gocmp "github.com/google/go-cmp/cmp"
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

// How many histories of how many steps the property of noninterference is tried on. Histories whose seeds follow each
// other have all kinds of secrecy in turn, and cases are compared in every other round of them.
var (
	histories = flag.Int("noninterference.histories", 2*len(secrecies), "histories on SQLite")
	steps     = flag.Int("noninterference.steps", 30, "steps of each history")
	firstSeed = flag.Int("noninterference.seed", 0, "seed of the first history")
)

// TestNoninterference plays random histories twice that differ in nothing but the evidence that an observer may not
// see. All answers to the observer are the same, but for ids, numbers of states, and times within a second.
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
		}, min(*histories, len(secrecies)), *steps/4)
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

// side is one of the two worlds.
type side struct {
	store    store.Store
	handler  http.Handler
	service  *service.Service
	tenant   string
	names    map[string]string   // that the observer's answers have instead of ids
	values   map[string]string   // what the names stand for
	known    map[string][]string // the names, by the field that they were found in
	met      map[string][]string // ids, by the field that those found them in who see everything
	seqs     []string            // the numbers of states that the observer was told
	versions map[string]string   // of cases, by their names
	cursor   string              // that the last answer to the observer ended with
	cases    bool                // are compared

	assigned [][2]string // entities, and mentions that the observer saw assigned to them
	held     [][2]string // cases, and beliefs that the observer saw held by them
	proposed []string    // the paths of changes that the observer saw proposed
}

// twoWorlds are a world with hidden evidence and one without it, or with other.
type twoWorlds struct {
	t          *testing.T
	secrecy    secrecy
	rnd        *mathrand.Rand
	cases      bool         // they are compared: hidden evidence is too weak to be part of a tie of what is seen, or to decide it
	clock      atomic.Int64 // seconds
	with       *side
	without    *side
	parameters map[string][]string // of the operations
	deck       []string            // the operations that the observer has still to call before it begins anew
	keyed      []request           // with an Idempotency-Key, to be repeated
	step       int
}

func newTwoWorlds(t *testing.T, open opened, seed uint64) *twoWorlds {
	w := &twoWorlds{
		t: t, secrecy: secrecies[seed%uint64(len(secrecies))], rnd: mathrand.New(mathrand.NewPCG(seed, 7)),
		cases:      seed/uint64(len(secrecies))%2 == 0,
		parameters: parametersOf(t),
	}
	w.clock.Store(start.Unix())
	w.with, w.without = w.side(open, seed, "with"), w.side(open, seed, "without")
	return w
}

func (w *twoWorlds) now() time.Time { return time.Unix(w.clock.Load(), 0).UTC() }

// everybody are the callers of a world: besides the observer, those who see everything and write what the observer may
// not see, and what it may.
func (w *twoWorlds) everybody(tenant string) tokens {
	everything := tenure.Caller{Clearance: tenure.HighlyRestricted, Role: "hr"}
	callers := tokens{"observer": w.secrecy.observer, "hidden": everything, "trusted": everything}
	for token, c := range callers {
		c.Tenant, c.Actor, c.MaxAuthority = tenant, token, 1
		c.Roles = []tenure.Role{tenure.RoleAgent, tenure.RoleReviewer}
		callers[token] = c
	}
	return callers
}

func (w *twoWorlds) side(open opened, seed uint64, name string) *side {
	out := &side{
		cases: w.cases, tenant: fmt.Sprintf("%s-%d-%s", name, seed, uuid.NewString()),
		names: map[string]string{}, values: map[string]string{}, known: map[string][]string{}, met: map[string][]string{}, versions: map[string]string{},
	}
	x, err := index.Open(w.t.TempDir(), index.Config{})
	if err != nil {
		w.t.Fatal(err)
	}
	if out.store, err = open(w.t, w.now); err != nil {
		w.t.Fatal(err)
	}
	logger := slog.New(slog.DiscardHandler)
	if out.service, err = service.New(out.store, service.Config{
		Now: w.now, Index: x, Logger: logger, Embedder: &encodetest.Bag{},
	}); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		out.service.Close()
		if err := errors.Join(x.Close(), out.store.Close()); err != nil {
			w.t.Error(err)
		}
	})
	metrics := prometheus.NewRegistry()
	out.handler, err = httpapi.New(httpapi.Deps{
		Service: out.service, Authenticator: w.everybody(out.tenant),
		Mint: func() tenure.Mint { return tenure.NewMint(w.now()) }, Random: rand.Reader,
		CursorKey: []byte(strings.Repeat("k", 32)), Logger: logger, Registerer: metrics, Gatherer: metrics,
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

type object = map[string]any

// request is what a caller sends. Names in it stand for what they stand for in each world.
type request struct {
	method, path string
	body         any // of a batch, a list of lines
	key          string
}

func (r request) text(t *testing.T) string {
	if r.body == nil {
		return ""
	}
	lines, ok := r.body.([]object)
	if !ok {
		lines = []object{r.body.(object)}
	}
	var out strings.Builder
	for _, l := range lines {
		raw, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(angles.Replace(string(raw)) + "\n")
	}
	return out.String()
}

// angles undoes what JSON does to names.
var angles = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">")

// do sends a request and waits until what it wrote is resolved.
func (w *twoWorlds) do(s *side, as string, r request) *httptest.ResponseRecorder {
	w.t.Helper()
	text := s.meant(r.text(w.t))
	req := httptest.NewRequest(r.method, s.meant(r.path), strings.NewReader(text))
	req.Header.Set("Authorization", "Bearer "+as)
	req.Header.Set("X-Request-Id", "r")
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, req)
	if err := s.service.Worker().CatchUp(w.t.Context(), s.tenant); err != nil {
		w.t.Fatal(err)
	}
	if rec.Code >= 500 {
		w.t.Fatalf("%s %s %s: %d %s", r.method, r.path, text, rec.Code, rec.Body)
	}
	return rec
}

// meant replaces the names in a request by what they stand for.
func (s *side) meant(text string) string {
	return aName.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(s.values[name], name) })
}

var (
	aName = regexp.MustCompile(`"<v[0-9]+>"|<[a-z]?[0-9]+>`) // a version is a number
	anID  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
)

// hide sends a request of one who sees everything in the world with the hidden evidence alone.
func (w *twoWorlds) hide(r request) *httptest.ResponseRecorder {
	rec := w.do(w.with, "hidden", r)
	for _, v := range values(w.t, rec) {
		w.with.meet("", v)
	}
	return rec
}

// meet notes the ids in an answer.
func (s *side) meet(field string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			s.meet(k, v[k])
		}
	case []any:
		for _, e := range v {
			s.meet(field, e)
		}
	case string:
		if anID.MatchString(v) && len(v) == 36 && !slices.Contains(s.met[field], v) {
			s.met[field] = append(s.met[field], v)
		}
	}
}

// compare sends a request of the observer in both worlds, and reports whether it is answered alike.
func (w *twoWorlds) compare(r request) bool {
	w.t.Helper()
	with, without := w.observed(w.with, r), w.observed(w.without, r)
	if with == without {
		return true
	}
	w.t.Errorf("%s, step %d: %s %s %s%s tells of what is hidden (-without +with):\n%s",
		w.secrecy.name, w.step, r.method, r.path, r.text(w.t), r.key, gocmp.Diff(lines(without), lines(with)))
	return false
}

// observed returns the answer to the observer, with names for its ids and without what may differ.
func (w *twoWorlds) observed(s *side, r request) string {
	rec := w.do(s, "observer", r)
	s.cursor = ""
	out := []string{fmt.Sprint(rec.Code)}
	header := rec.Result().Header
	for _, k := range slices.Sorted(maps.Keys(header)) {
		if k != "Content-Length" {
			out = append(out, k+": "+strings.Join(header[k], ", "))
		}
	}
	for _, v := range values(w.t, rec) {
		raw, err := json.MarshalIndent(s.plain("", v), "", " ")
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, angles.Replace(string(raw)))
	}
	return anID.ReplaceAllStringFunc(strings.Join(out, "\n"), func(id string) string { return s.name("", id) })
}

func lines(answer string) []string { return strings.Split(answer, "\n") }

// values returns what an answer consists of: one JSON value, those of several lines, or none.
func values(t *testing.T, rec *httptest.ResponseRecorder) (list []any) {
	t.Helper()
	for d := json.NewDecoder(strings.NewReader(rec.Body.String())); d.More(); {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", rec.Body, err)
		}
		list = append(list, v)
	}
	return list
}

// mayDiffer are the fields that tell the number of a state, or how long something took.
var mayDiffer = []string{
	"lag", "known_at", "tenant_id", "tx_start", "tx_end", "priority", "value_type", "trace_id", "latency_ms",
	"prompt_cache_key", "request_id", "hash", "index", "snapshot",
}

// plain returns a part of an answer with names for its ids, and without what may differ.
func (s *side) plain(field string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) { // ids get their names in an order of their own
			s.field(v, k)
		}
		s.relate(v)
		return v
	case []any:
		for i := range v {
			v[i] = s.plain(field, v[i])
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

func (s *side) field(o object, k string) {
	text, isText := o[k].(string)
	number, isNumber := o[k].(float64)
	switch {
	case k == "case_id" && !s.cases:
		delete(o, k)
	case k == "seq" && isNumber:
		s.seqs = append(s.seqs, fmt.Sprint(number))
		delete(o, k)
	case k == "next_cursor" && isText:
		s.cursor, o[k] = text, "there is more"
	case k == "trace_id" && isText:
		s.name(k, text) // it can be asked about
		delete(o, k)
	case slices.Contains(mayDiffer, k), k == "recorded_at" && o["dry_run"] == true: // the time of the last state
		delete(o, k)
	default:
		o[k] = s.plain(k, o[k])
	}
}

// relate notes which mention is of which entity, which change is proposed by which observation, which belief is held by
// which case, and its version, which may differ as the numbers of states do.
func (s *side) relate(o object) {
	entity, _ := o["entity_id"].(string)
	if mention, ok := o["mention_id"].(string); ok && entity != "" {
		s.assigned = append(s.assigned, [2]string{entity, mention})
	}
	if kase, ok := o["case_id"].(string); ok && o["version"] != nil {
		s.versions[kase] = fmt.Sprint(o["version"])
		delete(o, "version")
	}
	statements, _ := o["statements"].([]any)
	for _, statement := range statements {
		if number := statement.(object)["proposal"]; number != nil && o["observation_id"] != nil {
			s.proposed = append(s.proposed, fmt.Sprintf("/v1/observations/%s/proposals/%v", o["observation_id"], number))
		}
	}
	held, _ := o["holds"].([]any)
	for _, belief := range held {
		s.held = append(s.held, [2]string{o["case_id"].(string), belief.(string)})
	}
}

// name returns the name of an id, which is noted under the field that it was found in.
func (s *side) name(field, id string) string {
	if s.names[id] == "" {
		s.names[id] = fmt.Sprintf("<%d>", len(s.names))
		s.values[s.names[id]] = id
	}
	if field != "" && !slices.Contains(s.known[field], s.names[id]) {
		s.known[field] = append(s.known[field], s.names[id])
	}
	return s.names[id]
}

// pair returns a name for what is one value in the world with the hidden evidence and another in that without it.
func (w *twoWorlds) pair(prefix, with, without string) string {
	name := fmt.Sprintf("<%s%d>", prefix, len(w.with.values))
	w.with.values[name], w.without.values[name] = with, without
	return name
}

// alias returns a name for two ids, which answers have for them, too.
func (w *twoWorlds) alias(prefix, with, without string) string {
	name := w.pair(prefix, with, without)
	w.with.names[with], w.without.names[without] = name, name
	return name
}

// play plays a history. After each step the observer calls some operations.
func (w *twoWorlds) play(steps int) {
	const calls = 5
	w.compare(request{method: "POST", path: "/v1/observations", body: object{ // that a tenant has no state at all may be known
		"source": object{"origin": "test://crm"}, "mentions": []any{object{"name": "Somebody Else", "type": "person"}},
	}})
	for w.step = range steps {
		w.clock.Add(60)
		w.happen()
		w.use()
		for range calls {
			w.call()
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

// happen has something be written that the observer may not see, in the world with it, or that it may see, in both.
func (w *twoWorlds) happen() {
	switch w.rnd.IntN(8) {
	case 0, 1, 2:
		w.hide(w.hiddenEvidence())
	case 3:
		if r, ok := w.unseenDecision(); ok {
			w.hide(r)
		}
	case 4:
		if !w.cases { // what is seen and what is hidden have one source
			w.mixed()
		}
	case 5:
		w.both(w.evidence(w.secrecy.shown))
	default:
		w.compare(w.evidence(w.secrecy.shown))
	}
}

// both sends a write that the observer may see in both worlds, by a caller who sees everything.
func (w *twoWorlds) both(r request) {
	w.do(w.with, "trusted", r)
	w.do(w.without, "trusted", r)
}

// use has the observer compile in both worlds, or one who sees everything in the world with the hidden evidence, and
// report that all was used that was compiled.
func (w *twoWorlds) use() {
	r := request{method: "POST", path: "/v1/compile", body: object{
		"query": "What is known of " + pick(w.rnd, people) + ", the office and salary?",
	}}
	switch w.rnd.IntN(4) {
	case 0:
		used, of := compiled(w.t, w.do(w.with, "hidden", r))
		w.hide(usedUp(used, of))
	case 1:
		with, without := w.do(w.with, "observer", r), w.do(w.without, "observer", r)
		used, of := compiled(w.t, with)
		fewer, other := compiled(w.t, without)
		if len(used) != len(fewer) {
			w.t.Errorf("%s, step %d: %s\n%s", w.secrecy.name, w.step, with.Body, without.Body)
		}
		w.do(w.with, "observer", usedUp(used, of))
		w.do(w.without, "observer", usedUp(fewer, other))
	}
}

// compiled returns the ids of what was compiled, and that of the compilation.
func compiled(t *testing.T, rec *httptest.ResponseRecorder) (objects []string, id string) {
	t.Helper()
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
	if err := json.Unmarshal(rec.Body.Bytes(), &c); err != nil || rec.Code != http.StatusOK {
		t.Fatalf("%d %s: %v", rec.Code, rec.Body, err)
	}
	objects = []string{}
	for _, o := range c.Trace.State.Objects {
		objects = append(objects, o.ID)
	}
	return objects, c.Run.TraceID
}

// usedUp reports that all was used that a compilation has.
func usedUp(objects []string, compilation string) request {
	return request{
		method: "POST", path: "/v1/compilations/" + compilation + "/outcome",
		body: object{"used_object_ids": objects, "retries": len(objects)},
	}
}
