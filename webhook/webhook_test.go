package webhook_test

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"tenure"
	"tenure/store"
	"tenure/store/sqlite"
	"tenure/webhook"
)

var secret = []byte("a secret of some length")

// receiver takes requests, or refuses them with a status.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    []webhook.Event
	faults []string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{status: 200}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		var e webhook.Event
		r.mu.Lock()
		defer r.mu.Unlock()
		switch at := req.Header.Get(webhook.HeaderTimestamp); {
		case err != nil || json.Unmarshal(body, &e) != nil:
			r.faults = append(r.faults, "no JSON: "+string(body))
		case req.Header.Get(webhook.HeaderSignature) != webhook.Sign(secret, at, body) || at == "":
			r.faults = append(r.faults, "the signature is wrong")
		case req.Header.Get(webhook.HeaderID) != string(e.ID):
			r.faults = append(r.faults, "the header has another id")
		}
		r.got = append(r.got, e)
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Close)
	return r
}

// answer sets what requests are answered from now on.
func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// tasks lists the ids of the tasks told, in order.
func (r *receiver) tasks() (ids []tenure.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.got {
		ids = append(ids, e.Task.ID)
	}
	return ids
}

// world is a store with a credential, and a directory of the webhook.
type world struct {
	*testing.T
	store.Store
	*receiver
	dir  string
	base tenure.Seq
}

func newWorld(t *testing.T) *world {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tenure.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.PutCredential(t.Context(), tenure.Credential{ID: tenure.DerivedID("key"), Tenant: "acme"}); err != nil {
		t.Fatal(err)
	}
	return &world{T: t, Store: s, receiver: newReceiver(t), dir: t.TempDir()}
}

func (w *world) put(changes ...tenure.Change) {
	w.Helper()
	w.base++
	cs := tenure.ChangeSet{ID: tenure.DerivedID("set", string(rune('a'+w.base))), Operation: "test", Changes: changes}
	if _, err := w.Apply(w.Context(), "acme", w.base-1, []tenure.ChangeSet{cs}); err != nil {
		w.Fatal(err)
	}
}

func kase(name string, change func(*tenure.Case)) tenure.CasePut {
	c := tenure.Case{
		ID: tenure.DerivedID(name), Subject: tenure.DerivedID("s"), Predicate: "p", State: tenure.CaseOpen, Version: 1,
		Scope: tenure.Scope{ProjectID: "p1"}, CrossScope: true,
		Resolver: tenure.Resolver{Kind: tenure.ResolverTool, Target: "tool://x"},
	}
	if change != nil {
		change(&c)
	}
	return tenure.CasePut{Case: c}
}

func settled(c *tenure.Case) { c.State, c.Version = tenure.CaseSettled, c.Version+1 }
func leased(c *tenure.Case)  { c.LeasedBy = "x" }

// run runs a webhook until the function returns.
func (w *world) run(attempts int, f func(*webhook.Webhook)) {
	w.Helper()
	hook, err := webhook.New(w, webhook.Config{
		URL: w.URL, Secret: secret, Dir: w.dir, Now: time.Now, Attempts: attempts, Pause: time.Millisecond,
		Interval: 2 * time.Millisecond,
	})
	if err != nil {
		w.Fatal(err)
	}
	ctx, stop := context.WithCancel(w.Context())
	var work sync.WaitGroup
	work.Go(func() { hook.Run(ctx) })
	f(hook)
	stop()
	work.Wait()
	if len(w.faults) > 0 {
		w.Error(w.faults)
	}
}

func (w *world) eventually(what string, holds func() bool) {
	w.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			w.Fatalf("%s: not within a minute; told %v", what, w.tasks())
		}
	}
}

func (w *world) told(ids ...tenure.ID) func() bool {
	return func() bool { return slices.Equal(w.tasks(), ids) }
}

var one, two, three = tenure.DerivedID("one"), tenure.DerivedID("two"), tenure.DerivedID("three")

func TestNewTasksAreTold(t *testing.T) {
	w := newWorld(t)
	w.put(kase("one", nil))
	w.put(kase("three", nil))
	w.put(kase("three", settled))
	w.run(3, func(*webhook.Webhook) {
		w.eventually("what waits at the beginning is told, what was answered is not", w.told(one))
		w.put(kase("one", leased))
		w.put(kase("one", settled))
		w.put(tenure.ReviewPut{Review: tenure.Review{ID: two, State: tenure.ReviewOpen, Entity: three, Version: 1}})
		w.eventually("a lease and an answer are no new task, a review is one", w.told(one, two))
		w.put(kase("one", nil))
		w.eventually("a task that comes back", w.told(one, two, one))
	})
	first := w.got[0]
	if first.Type != webhook.TaskOpened || first.Tenant != "acme" || first.Task.Kind != "case" || first.Task.Target != "tool://x" ||
		first.Task.Path != "/v1/quarantine/"+string(one) || first.Task.Project != "p1" || first.Task.WaitsFor != tenure.ResolverTool {
		t.Errorf("%+v", first)
	}
	if r := w.got[1].Task; r.Kind != "review" || r.Path != "/v1/reviews/"+string(two) || r.WaitsFor != tenure.ResolverPerson {
		t.Errorf("%+v", r)
	}
	if w.got[0].ID == w.got[2].ID {
		t.Error("a task that came back is the same event")
	}
}

func TestAnEventIsSentUntilItIsTaken(t *testing.T) {
	w := newWorld(t)
	w.answer(500)
	w.run(1000, func(hook *webhook.Webhook) {
		w.put(kase("one", nil))
		w.eventually("tried again", func() bool { return len(w.tasks()) >= 3 })
		if len(hook.DeadLetters("acme")) != 0 {
			t.Error("it was given up")
		}
	})
	w.answer(204)
	before := len(w.tasks())
	w.run(1000, func(*webhook.Webhook) {
		w.eventually("another process goes on", func() bool { return len(w.tasks()) > before })
		w.put(kase("two", nil))
		w.eventually("and tells of the next", func() bool { return slices.Contains(w.tasks(), two) })
	})
	ones := func() (n int) {
		for _, id := range w.tasks() {
			if id == one {
				n++
			}
		}
		return n
	}
	after := ones()
	for _, e := range w.got {
		if e.Task.ID == one && e.ID != w.got[0].ID {
			t.Errorf("the same event is %s and %s", w.got[0].ID, e.ID)
		}
	}
	w.run(1000, func(*webhook.Webhook) {
		w.put(kase("three", nil))
		w.eventually("what was taken is not sent again", func() bool { return slices.Contains(w.tasks(), three) })
	})
	if got := ones(); got != after {
		t.Errorf("%d requests after %d", got, after)
	}
}

// attempts returns how many attempts of the webhook ended so.
func attempts(t *testing.T, hook *webhook.Webhook) map[string]int {
	t.Helper()
	reg := prometheus.NewRegistry()
	if err := hook.Register(reg); err != nil {
		t.Fatal(err)
	}
	found, err := reg.Gather()
	at := slices.IndexFunc(found, func(f *dto.MetricFamily) bool { return f.GetName() == "tenure_webhook_attempts_total" })
	if err != nil || at < 0 {
		t.Fatalf("%v, %v", found, err)
	}
	of := map[string]int{}
	for _, m := range found[at].GetMetric() {
		of[m.GetLabel()[0].GetValue()] = int(m.GetCounter().GetValue())
	}
	return of
}

func TestADeadLetterCanBeSentAgain(t *testing.T) {
	w := newWorld(t)
	w.answer(410)
	w.run(3, func(hook *webhook.Webhook) {
		if n := attempts(t, hook); len(n) != 3 || n["dead"] != 0 {
			t.Errorf("before any: %v", n)
		}
		w.put(kase("one", nil))
		w.eventually("it is counted", func() bool {
			return maps.Equal(attempts(t, hook), map[string]int{"delivered": 0, "retried": 2, "dead": 1})
		})
		w.eventually("it is given up", func() bool { return len(hook.DeadLetters("acme")) == 1 })
		d := hook.DeadLetters("acme")[0]
		if len(w.tasks()) != 3 || d.Attempts != 3 || !strings.Contains(d.LastError, "410") || d.LastAt.IsZero() || d.Event.Task.ID != one {
			t.Errorf("after %d requests: %+v", len(w.tasks()), d)
		}
	})
	w.answer(200)
	w.run(3, func(hook *webhook.Webhook) {
		d := hook.DeadLetters("acme")
		if len(d) != 1 || len(hook.DeadLetters("other")) != 0 {
			t.Fatalf("another process has %+v", d)
		}
		if found, err := hook.Retry("other", d[0].Event.ID); found || err != nil {
			t.Errorf("another tenant: %v, %v", found, err)
		}
		if found, err := hook.Retry("acme", d[0].Event.ID); !found || err != nil {
			t.Errorf("%v, %v", found, err)
		}
		w.eventually("it is sent", w.told(one, one, one, one))
		w.eventually("it is counted", func() bool { return attempts(t, hook)["delivered"] == 1 })
		if found, _ := hook.Retry("acme", d[0].Event.ID); found || len(hook.DeadLetters("acme")) != 0 {
			t.Error("it is dead still")
		}
	})
}

// TestSignature checks the signature against one that was computed by openssl.
func TestSignature(t *testing.T) {
	const want = "v1=f1cf8ba6a2fa64bd8193b9db564f42cd35d0fc2a46f6a2c2903f897838a7f23a"
	if got := webhook.Sign([]byte("0123456789abcdef"), "1700000000", []byte(`{"id":"x"}`)); got != want {
		t.Errorf("got %s", got)
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	good := webhook.Config{URL: "https://x.example/hook", Secret: secret, Dir: t.TempDir(), Now: time.Now}
	if _, err := webhook.New(nil, good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*webhook.Config){
		"no-url":         func(c *webhook.Config) { c.URL = "" },
		"another-scheme": func(c *webhook.Config) { c.URL = "ftp://x.example" },
		"no-host":        func(c *webhook.Config) { c.URL = "https:///x" },
		"short-secret":   func(c *webhook.Config) { c.Secret = secret[:15] },
		"no-directory":   func(c *webhook.Config) { c.Dir = "" },
		"a-file":         func(c *webhook.Config) { c.Dir = "webhook_test.go" },
	} {
		bad := good
		change(&bad)
		if _, err := webhook.New(nil, bad); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
