package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestKeys(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		s := serve(t, e.store(t))
		for _, sc := range []scenario{
			{"an-expired-key-stops", expires},
			{"a-rotated-key-has-an-overlap", rotates},
			{"a-bound-admin-manages-what-is-within-its-bounds", managesWithin},
			{"what-happens-to-keys-is-in-the-trail", leavesATrail},
			{"guessing-is-slowed-and-locks-nobody-out", slowsGuesses},
		} {
			t.Run(sc.name, func(t *testing.T) { sc.run(newWorld(t, e, s)) })
		}
	})
}

// command runs a command of the server program on the store of the world.
func (w *world) command(args ...string) string {
	w.Helper()
	out, err := quick.Command(w.Context(), append(args, "--store", w.srv.store)...)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// keyOf returns what the list of keys says of one of them, nil if it is not there.
func (w *world) keyOf(key string) any {
	w.Helper()
	for _, k := range w.get("/v1/keys?limit=500").is(200).items("/items") {
		if text(k, "/id") == keyID(key) {
			return k
		}
	}
	return nil
}

func expires(w *world) {
	soon := func() string { return time.Now().Add(3 * time.Second).UTC().Format(time.RFC3339Nano) }
	for name, issue := range map[string]func() *world{
		"over HTTP": func() *world { return w.issue(obj{"roles": list{"agent"}, "expires_at": soon()}) },
		"by a command": func() *world {
			return w.with(w.command("keys", "create", "--tenant", w.tenant, "--roles", "agent", "--expires-at", soon()))
		},
	} {
		short := issue()
		short.get("/v1/beliefs").is(200)
		eventually(w.T, "a key issued "+name+" expires", func() bool { return short.get("/v1/beliefs").status == 401 })
		wrong := w.with(short.key+"x").get("/v1/beliefs").problem(401, "unauthenticated")
		same(w.T, "why", string(short.get("/v1/beliefs").raw), string(wrong.raw))
		if text(w.keyOf(short.key), "/expires_at") == "" {
			w.Errorf("the list does not say that a key issued %s has expired", name)
		}
	}
	for _, past := range []string{"2020-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z"} {
		w.post("/v1/keys", obj{"roles": list{"agent"}, "expires_at": past}).problem(400, "invalid", "/expires_at")
	}
	day := w.issue(obj{"roles": list{"admin"}, "expires_at": time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)})
	later := obj{"roles": list{"agent"}, "expires_at": time.Now().Add(25 * time.Hour).UTC().Format(time.RFC3339)}
	day.post("/v1/keys", later).problem(403, "forbidden", "/expires_at")
	heir := day.issue(obj{"roles": list{"agent"}})
	same(w.T, "by default it ends with its issuer", text(w.keyOf(heir.key), "/expires_at"), text(w.keyOf(day.key), "/expires_at"))
	same(w.T, "its issuer", text(w.keyOf(heir.key), "/created_by"), keyID(day.key))
}

func rotates(w *world) {
	old := w.issue(obj{"roles": list{"agent"}, "label": "bot", "bound": obj{"project_id": "p1"}, "clearance": "public"})
	path := "/v1/keys/" + keyID(old.key) + "/rotate"
	a := w.post(path, nil).is(201)
	next := w.with(a.text("/key"))
	for _, both := range []*world{old, next} {
		both.get("/v1/beliefs").is(200)
	}
	for _, part := range []string{"/roles", "/label", "/clearance", "/max_authority", "/act_for", "/bound"} {
		same(w.T, part, a.at("/credential"+part), a.at("/replaced"+part))
	}
	end, err := time.Parse(time.RFC3339, a.text("/replaced/expires_at"))
	if in := time.Until(end); err != nil || in < 23*time.Hour || in > 24*time.Hour {
		w.Errorf("the old key expires at %s", a.text("/replaced/expires_at"))
	}
	again := w.post(path, obj{"overlap_seconds": 3600}).is(201)
	same(w.T, "who lost the new key gets another that lives as long", fmt.Sprint(again.at("/credential/expires_at")), fmt.Sprint(a.at("/credential/expires_at")))
	w.post("/v1/keys/"+keyID(next.key)+"/rotate", obj{"overlap_seconds": 0}).is(201)
	next.get("/v1/beliefs").problem(401, "unauthenticated")
	w.post("/v1/keys/"+keyID(next.key)+"/rotate", nil).problem(409, "conflict")
	w.post(path, obj{"overlap_seconds": -1}).problem(400, "invalid", "/overlap_seconds")

	last := w.with(w.command("keys", "rotate", keyID(old.key), "--overlap", "0s"))
	last.get("/v1/beliefs").is(200)
	eventually(w.T, "a key that was rotated beside the server stops", func() bool {
		return old.get("/v1/beliefs").status == 401
	})
	same(w.T, "by whom", text(w.keyOf(last.key), "/created_by"), "operator")
}

func managesWithin(w *world) {
	unbound := w.issue(obj{"roles": list{"agent"}})
	cleared := w.issue(obj{"roles": list{"agent"}, "clearance": "confidential", "bound": obj{"project_id": "p1"}})
	bound := w.issue(obj{"roles": list{"admin"}, "bound": obj{"project_id": "p1"}})
	for _, other := range []*world{unbound, cleared, w} {
		path := "/v1/keys/" + keyID(other.key)
		bound.call("DELETE", path, nil).problem(404, "not_found")
		bound.post(path+"/rotate", nil).problem(404, "not_found")
		same(w.T, "is listed", bound.keyOf(other.key), nil)
		same(w.T, "what happened to it", len(bound.get("/v1/audit?key="+keyID(other.key)).is(200).items("/items")), 0)
		other.get("/v1/beliefs").is(200)
	}
	own := bound.issue(obj{"roles": list{"agent"}})
	same(w.T, "the project", text(bound.keyOf(own.key), "/bound/project_id"), "p1")
	bound.call("DELETE", "/v1/keys/"+keyID(own.key), nil).is(204)
	bound.call("PUT", "/v1/vocabularies/predicates", obj{"closed": true, "version": 0}).problem(403, "forbidden")
	bound.post("/v1/keys", obj{"roles": list{"agent"}, "clearance": "confidential"}).problem(403, "forbidden", "/clearance")
	w.call("DELETE", "/v1/keys/"+keyID(cleared.key), nil).is(204)
}

func leavesATrail(w *world) {
	k := w.issue(obj{"roles": list{"agent"}})
	id := keyID(k.key)
	k.get("/v1/beliefs").is(200)
	for range 3 {
		w.with(k.key + "x").get("/v1/beliefs").is(401)
	}
	next := w.post("/v1/keys/"+id+"/rotate", nil).is(201)
	w.call("DELETE", "/v1/keys/"+id, nil).is(204)
	of := func(filters ...string) answer { return w.get("/v1/audit?" + query(filters)).is(200) }
	eventually(w.T, "refusals are in the trail, and the last use in the list", func() bool {
		n := 0
		for _, e := range of("key="+id, "kind=refused").items("/items") {
			count, _ := strconv.Atoi(text(e, "/count")) // 0 is what a missing number is
			n += count
		}
		return n == 3 && text(w.keyOf(k.key), "/last_used_at") != ""
	})
	kinds := of("key="+id).texts("/items", "/kind")
	for _, kind := range []string{"issued", "rotated", "refused", "revoked"} {
		if !strings.Contains(strings.Join(kinds, " "), kind) {
			w.Errorf("the trail of the key is %v", kinds)
		}
		e := of("key="+id, "kind="+kind).at("/items/0")
		if text(e, "/client") != "127.0.0.1" || (text(e, "/actor") == keyID(w.key)) == (kind == "refused") {
			w.Errorf("%s: %v", kind, e)
		}
	}
	same(w.T, "its successor", of("key="+id, "kind=rotated").text("/items/0/successor"), next.text("/credential/id"))
	same(w.T, "who made the first key", of("key="+keyID(w.key)).text("/items/0/actor"), "operator")

	all := of("limit=500")
	var paged []string
	for cursor := ""; ; {
		filters := []string{"limit=2"}
		if cursor != "" {
			filters = append(filters, "cursor="+cursor)
		}
		page := of(filters...)
		paged = append(paged, page.texts("/items", "/id")...)
		if cursor = page.text("/next_cursor"); cursor == "" {
			break
		}
	}
	same(w.T, "the pages", paged, all.texts("/items", "/id"))
	trail := string(all.raw) + w.command("keys", "audit", "--tenant", w.tenant)
	for _, secret := range []string{k.key[len(k.key)-43:], w.key[len(w.key)-43:], "hash"} {
		if strings.Contains(trail, secret) {
			w.Errorf("the trail holds %q", secret)
		}
	}
	k.get("/v1/audit").problem(401, "unauthenticated")
	w.with(next.text("/key")).get("/v1/audit").problem(403, "forbidden")
	w.get("/v1/audit?kind=odd").problem(400, "invalid", "kind")
	w.get("/v1/audit?key=odd").problem(400, "invalid", "key")
}

func slowsGuesses(w *world) {
	k := w.issue(obj{"roles": list{"agent"}})
	guess := w.with(k.key + "x")
	eventually(w.T, "guesses are refused", func() bool { return guess.get("/v1/beliefs").status == 429 })
	a := guess.get("/v1/beliefs").problem(429, "too_many_requests")
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 || wait > 6 {
		w.Errorf("Retry-After %q", a.header.Get("Retry-After"))
	}
	k.get("/v1/beliefs").is(200)
}
