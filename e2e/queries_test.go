package e2e

import (
	"fmt"
	"slices"
	"strings"
)

// What analysts ask of a whole tenant. docs/queries.md, whose examples are run, has an answer of each query.
var asking = []scenario{
	{"every-displacement-is-an-edge", displacements},
	{"queries-are-listed", queriesListed},
	{"queries-see-one-tenant", oneTenant},
	{"queries-need-a-key-that-sees-all", queryKeys},
	{"bad-parameters-of-queries", badQueries},
}

// rowsOf asks a query and returns its rows, cells joined by "|", without the given columns.
func (w *world) rowsOf(query string, parameters obj, without ...string) []string {
	w.Helper()
	body := obj{}
	if parameters != nil {
		body["parameters"] = parameters
	}
	a := w.post("/v1/queries/"+query, body).is(200)
	names := a.texts("/columns", "/name")
	lines := []string{}
	for _, row := range a.at("/rows").([]any) {
		var cells []string
		for i, cell := range row.([]any) {
			if !slices.Contains(without, names[i]) {
				cells = append(cells, fmt.Sprint(cell))
			}
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	slices.Sort(lines)
	return lines
}

func displacements(w *world) {
	const first, then = "2025-01-01T00:00:00Z", "2025-06-01T00:00:00Z"
	jon := w.say("Jon Smith", "office", "Boston", seen(first), level(1)).entity
	w.say("", "office", "Reno", about(jon), seen(then), by("Eve"))
	w.say("", "trade", "clerk", about(jon), seen(first))
	w.say("", "trade", "baker", about(jon), seen(then), by("Eve"))
	w.say("", "team", "blue", about(jon), seen(first), key("team"))
	w.say("", "team", "green", about(jon), seen(then), by("Eve"), supersedes("team"))
	w.say("", "desk", "4", about(jon), seen(first), trust(.9))
	w.say("", "desk", "7", about(jon), seen(first), by("Eve"), trust(.5))
	w.say("", "floor", "3", about(jon), seen(first))
	tied := w.say("", "floor", "5", about(jon), seen(first), by("Eve"))
	wrong := w.say("", "badge", "17", about(jon), seen(first))
	w.post("/v1/beliefs/"+wrong.belief+"/retract", obj{"reason": "a typo"}).is(200)
	w.say("", "badge", "17", about(jon), seen(then), by("Eve"))

	all := []string{
		"Jon Smith|badge|17|Dana|bar|17|Eve",
		"Jon Smith|desk|4|Dana|trust|7|Eve",
		"Jon Smith|office|Boston|Dana|authority|Reno|Eve",
		"Jon Smith|team|green|Eve|explicit|blue|Dana",
		"Jon Smith|trade|baker|Eve|succession|clerk|Dana",
	}
	same(w.T, "who superseded whom", w.rowsOf("superseded", nil, "from", "until", "belief"), all)
	same(w.T, "what was withdrawn", w.rowsOf("amended", nil, "until", "belief"), []string{
		"retraction|Jon Smith|badge|17|" + first + "|a typo",
	})
	same(w.T, "disputed", w.rowsOf("disputed", nil, "belief"), []string{
		"Jon Smith|desk|7|" + first, "Jon Smith|floor|3|" + first, "Jon Smith|floor|5|" + first,
	})
	if w.engine.name == neo4j.name {
		same(w.T, "ties", w.rowsOf("contradictions", nil, "recorded"), []string{"Jon Smith|floor|3|Dana|5|Eve"})
	}
	// A retraction gives back what it took, and closes the edge.
	w.post("/v1/beliefs/"+tied.belief+"/retract", obj{}).is(200)
	same(w.T, "disputed then", w.rowsOf("disputed", nil, "belief"), []string{"Jon Smith|desk|7|" + first})
	if w.engine.name == neo4j.name {
		same(w.T, "ties then", w.rowsOf("contradictions", nil), []string{})
	}
	same(w.T, "who superseded whom then", w.rowsOf("superseded", nil, "from", "until", "belief"), all)
	same(w.T, "the present", w.rowsOf("beliefs_of", obj{"entity": "Jon Smith"}, "speaker", "valid_from", "belief"), []string{
		"desk|4", "floor|3", "office|Boston", "team|green", "trade|baker",
	})
	same(w.T, "the trade in March", w.rowsOf("beliefs_at", obj{"predicate": "trade", "at": "2025-03-01T00:00:00+01:00"}, "belief"),
		[]string{"Jon Smith|clerk"})
	for i, limit := range []int{1, 5} {
		a := w.post("/v1/queries/superseded", obj{"limit": limit}).is(200)
		same(w.T, "rows of a limit", len(a.at("/rows").([]any)), limit)
		same(w.T, "are there more", a.at("/more"), any(i == 0))
	}
}

func queriesListed(w *world) {
	a := w.issue(obj{"roles": list{"analyst"}}).get("/v1/queries").is(200)
	names := a.texts("/items", "/name")
	for _, name := range []string{"superseded", "contested_slots", "slot_timeline", "rests_on", "orphaned_grounds"} {
		if !slices.Contains(names, name) {
			w.Errorf("%s is not in the list: %v", name, names)
		}
	}
	// What this engine cannot answer it says.
	for _, q := range a.at("/items").([]any) {
		name := text(q, "/name")
		answer := w.post("/v1/queries/"+name, obj{"parameters": required(q)})
		if slices.Contains(q.(map[string]any)["engines"].([]any), any(w.engine.name)) {
			answer.is(200)
		} else {
			answer.problem(501, "unsupported")
		}
	}
}

// required returns values of the required parameters of a query in the list.
func required(query any) obj {
	values := map[string]any{"text": "x", "id": "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01", "integer": 1}
	given := obj{}
	for _, p := range query.(map[string]any)["parameters"].([]any) {
		if p := p.(map[string]any); p["required"] == true {
			given[p["name"].(string)] = values[p["kind"].(string)]
		}
	}
	return given
}

func oneTenant(w *world) {
	w.say("Jon Smith", "office", "Boston")
	other := newWorld(w.T, w.engine, w.srv)
	other.say("Jon Smith", "office", "Reno")
	same(w.T, "ours", w.rowsOf("beliefs_of", obj{"entity": "Jon Smith"}, "valid_from", "belief"), []string{"office|Boston|Dana"})
	same(w.T, "theirs", other.rowsOf("beliefs_of", obj{"entity": "Jon Smith"}, "valid_from", "belief"), []string{"office|Reno|Dana"})
	w.post("/v1/queries/beliefs_of", obj{"parameters": obj{"entity": "Jon Smith", "tenant": other.tenant}}).
		problem(400, "invalid", "/parameters/tenant")
}

func queryKeys(w *world) {
	w.say("Jon Smith", "salary", "123456", claims("security_classification", "highly_restricted"))
	ask := func(key obj) answer {
		w.Helper()
		return w.issue(key).post("/v1/queries/beliefs_of", obj{"parameters": obj{"entity": "Jon Smith"}})
	}
	for _, role := range []string{"analyst", "admin"} {
		ask(obj{"roles": list{role}, "clearance": "highly_restricted"}).is(200)
		for _, clearance := range []string{"public", "restricted", "confidential"} {
			a := ask(obj{"roles": list{role}, "clearance": clearance})
			a.problem(403, "forbidden")
			if strings.Contains(string(a.raw), "123456") {
				w.Errorf("a key with the clearance %s learns it: %s", clearance, a.raw)
			}
		}
		ask(obj{"roles": list{role}, "clearance": "highly_restricted", "bound": obj{"project_id": "p1"}}).problem(403, "forbidden")
	}
	for _, role := range []string{"agent", "reviewer"} {
		ask(obj{"roles": list{role}, "clearance": "highly_restricted"}).problem(403, "forbidden")
	}
	w.say("Jon Smith", "grade", "7", claims("permission_scope", obj{"allow_roles": list{"hr"}}))
	ask(obj{"roles": list{"analyst"}, "clearance": "highly_restricted"}).problem(403, "forbidden")
	ask(obj{"roles": list{"analyst"}, "clearance": "highly_restricted", "role": "hr"}).is(200)
}

func badQueries(w *world) {
	for _, c := range []struct {
		query   string
		body    obj
		status  int
		code    string
		pointer string
	}{
		{"beliefs_of", obj{}, 400, "invalid", "/parameters/entity"},
		{"beliefs_of", obj{"parameters": obj{"entity": ""}}, 400, "invalid", "/parameters/entity"},
		{"beliefs_of", obj{"parameters": obj{"entity": 7}}, 400, "invalid", "/parameters/entity"},
		{"beliefs_of", obj{"parameters": obj{"entity": strings.Repeat("x", 1001)}}, 400, "invalid", "/parameters/entity"},
		{"beliefs_of", obj{"parameters": obj{"entity": "x", "at": "yesterday"}}, 400, "invalid", "/parameters/at"},
		{"beliefs_of", obj{"parameters": obj{"entity": "x", "at": "2025-01-01T00:00:00"}}, 400, "invalid", "/parameters/at"},
		{"beliefs_of", obj{"parameters": obj{"entity": "x", "limit": 5}}, 400, "invalid", "/parameters/limit"},
		{"beliefs_of", obj{"parameters": obj{"entity": "x"}, "limit": 0}, 400, "invalid", "/limit"},
		{"beliefs_of", obj{"parameters": obj{"entity": "x"}, "limit": 1001}, 400, "invalid", "/limit"},
		{"beliefs_of", obj{"cypher": "MATCH (n) RETURN n"}, 400, "malformed", "/cypher"},
		{"rests_on", obj{"parameters": obj{"belief": "17"}}, 400, "invalid", "/parameters/belief"},
		{"beliefs_known", obj{"parameters": obj{"predicate": "x", "seq": 0}}, 400, "invalid", "/parameters/seq"},
		{"beliefs_known", obj{"parameters": obj{"predicate": "x", "seq": 1.5}}, 400, "invalid", "/parameters/seq"},
	} {
		w.post("/v1/queries/"+c.query, c.body).problem(c.status, c.code, c.pointer)
	}
	w.post("/v1/queries/everything", obj{}).problem(404, "not_found")
	for _, name := range []string{"x' OR '1'='1", "x}) DETACH DELETE (n", "`", "\\"} {
		same(w.T, "rows of "+name, w.rowsOf("beliefs_of", obj{"entity": name}), []string{})
	}
}
