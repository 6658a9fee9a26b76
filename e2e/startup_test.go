package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"tenure"
)

// TestStartup looks at how the program is started and run.
func TestStartup(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		if e.name == sqlite.name { // a shared Neo4j has keys of others
			t.Run("no-credential-no-server", func(t *testing.T) { noCredential(t, e.store(t)) })
		}
		store := e.store(t)
		s := serve(t, store)
		t.Run("keys-create-prints-only-the-key", func(t *testing.T) { keyAlone(t, store) })
		t.Run("operations", func(t *testing.T) { operations(newWorld(t, e, s)) })
		t.Run("revoked-key-stops", func(t *testing.T) { revoked(newWorld(t, e, s)) })
		t.Run("restart-loses-nothing", func(t *testing.T) { restarted(newWorld(t, e, s)) })
	})
	t.Run("bad-flags", badFlags)
}

func noCredential(t *testing.T, store string) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	refuse := func() {
		t.Helper()
		s, err := quick.Start(ctx, store)
		if err == nil {
			s.Kill()
			t.Fatal("a server without a credential started")
		}
		if !strings.Contains(err.Error(), "keys create") {
			t.Errorf("the error does not say what to do: %v", err)
		}
	}
	refuse()
	key := newKey(t, store, "only")
	if _, err := quick.Command(ctx, "keys", "revoke", "--store", store, keyID(key)); err != nil {
		t.Fatal(err)
	}
	refuse() // a revoked key is none
}

func keyID(key string) string { return strings.Split(key, "_")[1] }

func keyAlone(t *testing.T, store string) {
	out, err := quick.Command(t.Context(), "keys", "create", "--store", store, "--tenant", newTenant(), "--roles", "agent")
	if err != nil || !regexp.MustCompile(`^tnr_[0-9a-f-]{36}_[A-Za-z0-9_-]{43}$`).MatchString(out) {
		t.Errorf("%v: %q is not a key alone", err, out)
	}
	list, err := quick.Command(t.Context(), "keys", "list", "--store", store)
	if err != nil || !strings.Contains(list, keyID(out)) {
		t.Errorf("%v: the list has no %s:\n%s", err, keyID(out), list)
	}
	if strings.Contains(list, out[len(out)-43:]) {
		t.Error("the list shows the secret")
	}
}

func operations(w *world) {
	open := w.with("")
	same(w.T, "/healthz", open.get("/healthz").is(200).text("/status"), "ok")
	same(w.T, "/readyz", open.get("/readyz").is(200).text("/status"), "ok")
	w.say("Jon Smith", "office", "Boston")
	metrics := string(open.get("/metrics").is(200).raw)
	for _, name := range []string{"tenure_http_requests_total{", "tenure_http_request_seconds_bucket{", "tenure_store_"} {
		if !strings.Contains(metrics, name) {
			w.Errorf("/metrics has no %s", name)
		}
	}
	if strings.Contains(metrics, "Jon") || strings.Contains(metrics, w.tenant) {
		w.Error("/metrics tells of tenants or content")
	}
	document, err := os.ReadFile("../api/openapi.yaml")
	if err != nil {
		w.Fatal(err)
	}
	same(w.T, "/openapi.yaml", string(open.get("/openapi.yaml").is(200).raw), string(document))

	a := w.call("GET", "/v1/beliefs", nil, "X-Request-Id: my-request-7").is(200)
	same(w.T, "the id of the request", a.header.Get("X-Request-Id"), "my-request-7")
	if w.get("/v1/beliefs").header.Get("X-Request-Id") == "" {
		w.Error("an answer without an id")
	}
	same(w.T, "a private answer is not kept", a.header.Get("Cache-Control"), "no-store")
}

func revoked(w *world) {
	other := newKey(w.T, w.srv.store, w.tenant)
	w.with(other).get("/v1/beliefs").is(200)
	if _, err := quick.Command(w.Context(), "keys", "revoke", "--store", w.srv.store, keyID(other)); err != nil {
		w.Fatal(err)
	}
	eventually(w.T, "a key that was revoked beside the server stops", func() bool {
		return w.with(other).get("/v1/beliefs").status == 401
	})
	mine := w.issue(obj{"roles": list{"agent"}, "label": "mine"})
	mine.get("/v1/beliefs").is(200)
	w.call("DELETE", "/v1/keys/"+keyID(mine.key), nil).is(204)
	mine.get("/v1/beliefs").problem(401, "unauthenticated")
	keys := w.get("/v1/keys").is(200)
	same(w.T, "the keys", len(keys.items("/items")), 3)
	if text(keys.items("/items")[2], "/revoked_at") == "" || strings.Contains(string(keys.raw), mine.key[len(mine.key)-43:]) {
		w.Errorf("the list of keys: %s", keys.raw)
	}
}

func restarted(w *world) {
	said := w.record(stating("Jon Smith", "office", "Boston"), idem+"k")
	w.say("Jon Smith", "floor", "3")
	cursor := w.page("limit=1").text("/next_cursor")
	c := w.compile(obj{"query": "office of Jon Smith"})
	if err := w.srv.run.Stop(); err != nil {
		w.Fatal(err)
	}
	w.srv.start(w.T)
	same(w.T, "the belief", w.believed(said.entity, "office"), []string{"Boston"})
	if next := w.get("/v1/beliefs?cursor=" + cursor); strings.HasPrefix(w.srv.store, "sqlite:") {
		same(w.T, "the rest of the list", len(next.is(200).items("/items")), 1) // their key is kept beside the file
	} else {
		next.problem(400, "stale_cursor", "cursor") // no key of cursors was given
	}
	same(w.T, "the compilation", string(w.get("/v1/compilations/"+c.text("/run/trace_id")).is(200).raw), string(c.raw))
	same(w.T, "the retry", string(w.record(stating("Jon Smith", "office", "Boston"), idem+"k").raw), string(said.raw))
}

func badFlags(t *testing.T) {
	for _, args := range [][]string{
		{}, {"serve"}, {"serve", "--store", "mysql://x"}, {"serve", "--store", "sqlite:"}, {"keys", "create", "--store", sqlite.store(t)},
		{"keys", "create", "--store", sqlite.store(t), "--tenant", "x", "--roles", "king"},
		{"keys", "create", "--store", sqlite.store(t), "--tenant", "x", "--roles", "agent", "--max-authority", "7"},
		{"keys", "revoke", "--store", sqlite.store(t), string(tenure.DerivedID("test"))},
	} {
		_, err := quick.Command(t.Context(), args...)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || strings.Contains(err.Error(), "panic") || strings.Contains(err.Error(), "goroutine") {
			t.Errorf("server %s: %v", strings.Join(args, " "), err)
		}
	}
}
