package e2e

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// copied are scenarios whose tenants are copied: what they leave behind is of every kind that a log names.
var copied = []scenario{
	{"merge-reconciles-and-undo-restores", mergeReconciles},
	{"merge-that-ties-opens-a-case", mergeTies},
	{"undo-under-a-later-merge", undoUnder},
	{"split-moves-beliefs-and-undo-brings-them-back", splitMoves},
	{"review-answer-taken-back", answerTakenBack},
	{"review-of-listed-mentions-taken-back", listedTakenBack},
	{"review-leased", reviewLeased},
	{"undone-answers-of-each-kind", undoneAnswers},
	{"case-both-are-true", caseBoth},
	{"batch-keys", batchKeys},
	{"erase-a-user", eraseUser},
	{"erase-an-observation", eraseObservation},
	{"document-replaced-and-withdrawn", documentReplaced},
	{"document-erased", documentErased},
	{"outcome-erased", outcomeErased},
}

// TestCopy takes tenants from a file to each engine and back into another file: all three give the same answers, and
// the copies go on where the first one is.
func TestCopy(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		first := serve(t, sqlite.store(t))
		w := newWorld(t, sqlite, first)
		story(w)
		once := stating("Jon Smith", "office", "Boston")
		recorded := w.record(once, idem+"k")
		w.define("predicates", false, obj{"name": "office", "cardinality": "one"}).is(200)
		c := w.compile(obj{"query": "Where does Ann Lee work?", "provider": "plain"})
		w.report(c, obj{"used_object_ids": c.at("/trace/state_compilation_metadata/compiled_objects").(list)[:0]})
		kept := c.text("/run/trace_id")
		tenants := []string{w.tenant}
		for _, c := range copied {
			t.Run(c.name, func(t *testing.T) {
				other := newWorld(t, sqlite, first)
				tenants = append(tenants, other.tenant)
				c.run(other)
			})
		}
		second, third := e.store(t), sqlite.store(t)
		out := copyStore(t, "", first.store, second)
		for _, tenant := range tenants {
			if !strings.Contains(out, tenant+": ") {
				t.Errorf("%s is not copied:\n%s", tenant, out)
			}
			copyStore(t, "", second, third, "--tenant", tenant)
		}
		w.say("Jon Smith", "office", "Oslo")
		for _, to := range []string{second, third} {
			if out := copyStore(t, "", first.store, to, "--tenant", w.tenant); !strings.Contains(out, " (1 copied now)") {
				t.Errorf("after one more statement: %s", out)
			}
		}
		trail := w.get("/v1/audit?kind=exported").is(200)
		same(t, "each time that it was copied", len(trail.items("/items")), 3)
		same(t, "who copied", trail.text("/items/0/actor"), "operator")
		on := func(store string) *world { return &world{t, client{serve(t, store).url, w.key}, e, nil, w.tenant} }
		want := everything(w, kept)
		copies := []*world{on(second), on(third)}
		for _, c := range copies {
			for path, got := range everything(c, kept) {
				same(t, path, got, want[path])
			}
			again := c.record(once, idem+"k")
			same(t, "a request that was answered before the copy", string(again.raw), string(recorded.raw))
			same(t, "replayed", again.header.Get("Idempotency-Replayed"), "true")
		}
		copies[0].say("Jon Smith", "office", "Rome")
		copyStore(t, "are not the first ones of the source", first.store, second, "--tenant", w.tenant)
	})
}

// faded is what an answer to a case is worth, which fades with time, and when a key was used last, which each store
// notes of itself.
var faded = regexp.MustCompile(`"priority":[^,}]*|"last_used_at":[^,}]*`)

// everything is what the tenant's readers are told, byte for byte but for what fades.
func everything(w *world, compilation string) map[string]string {
	w.Helper()
	paths := []string{"/v1/changes?limit=500", "/v1/compilations/" + compilation, "/v1/vocabularies/predicates",
		"/v1/quarantine?state=any&limit=500", "/v1/reviews?limit=500", "/v1/keys"}
	for _, day := range []string{"2021-03-05T00:00:00Z", "2021-03-11T12:00:00Z", "2022-01-01T00:00:00Z"} {
		at := "limit=500&valid_at=" + url.QueryEscape(day)
		paths = append(paths, "/v1/beliefs?status=any&"+at, "/v1/beliefs?known_at=5&"+at, "/v1/conflicts?"+at)
	}
	for _, name := range []string{"jordan", "ann+lee"} {
		a := w.get("/v1/entities?name=" + name).is(200)
		for _, id := range a.texts("/items", "/entity_id") {
			paths = append(paths, "/v1/entities/"+id, "/v1/entities/"+id+"/history?limit=500", "/v1/entities/"+id+"/neighborhood?hops=2&valid_at=2022-01-01T00:00:00Z")
		}
	}
	told := map[string]string{}
	for _, p := range paths {
		told[p] = string(w.get(p).is(200).raw)
		if strings.HasPrefix(p, "/v1/quarantine") || p == "/v1/keys" {
			told[p] = faded.ReplaceAllString(told[p], "")
		}
	}
	told["compile"] = fmt.Sprintf("%+v", w.compile(obj{"query": "Where do Ann Lee and Bob Ray work?", "valid_at": "2022-01-01T00:00:00Z"}).at("/envelope"))
	return told
}

// TestCopyRefuses copies nothing into a place that is not a copy.
func TestCopyRefuses(t *testing.T) {
	t.Parallel()
	one, other, tenant := sqlite.store(t), sqlite.store(t), newTenant()
	newKey(t, one, tenant)
	copyStore(t, "has no tenant", one, other, "--tenant", "nobody")
	copyStore(t, "are the same store", one, one)
	copyStore(t, "is neither sqlite", one, "postgres:x")
	copyStore(t, "", one, other)
	newKey(t, other, tenant)
	copyStore(t, "which the source has not", one, other)
}

// copyStore copies a store to another one. What the program says must contain a text, if it is to fail.
func copyStore(t *testing.T, fails, from, to string, flags ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, log, err := quick.Run(ctx, append([]string{"copy", "--from", from, "--to", to}, flags...)...)
	switch {
	case fails == "" && (err != nil || !strings.Contains(out, " 0 differences, 0 findings")):
		t.Fatalf("server copy: %v\n%s%s", err, out, log)
	case fails != "" && (err == nil || !strings.Contains(log, fails)):
		t.Errorf("server copy: %v, want %q\n%s", err, fails, out)
	}
	return out
}
