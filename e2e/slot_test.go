package e2e

import (
	"encoding/json"
	"fmt"
	"time"
)

// Slots with more claims than are judged at once.
var slots = []scenario{
	{"slot-of-many-claims", slotOfManyClaims},
}

// slotOfManyClaims fills slots of both cardinalities, so that not all claims are judged again with each new one, and
// has "server verify" judge them all.
func slotOfManyClaims(w *world) {
	w.define("predicates", false, obj{"name": "reading", "cardinality": "one"}, obj{"name": "seen_at", "cardinality": "many"}).is(200)
	const claims = 150
	begun := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(i int) string { return begun.Add(time.Duration(i) * time.Hour).Format(time.RFC3339) }
	statement := func(predicate string, i int, edits ...edit) obj {
		edits = append([]edit{seen(at(i)), by(fmt.Sprint("speaker ", i%3)), level(2 + i%7/6)}, edits...)
		return stating("Station Nine", predicate, fmt.Sprint("value ", i-i%5/4*3), edits...)
	}
	var lines []string
	for i := range claims {
		for _, predicate := range []string{"reading", "seen_at"} {
			line, err := json.Marshal(statement(predicate, i))
			if err != nil {
				w.Fatal(err)
			}
			lines = append(lines, string(line))
		}
	}
	for _, a := range w.batch(lines) {
		a.is(201)
	}
	n := claims
	say := func(edits ...edit) told {
		n++
		w.record(statement("seen_at", n, edits...))
		return w.record(statement("reading", n, edits...))
	}
	first := say(key("first"))
	second := say(supersedes("first"))
	w.post("/v1/beliefs/"+first.belief+"/retract", nil).is(200)
	say(level(4))
	say(until(at(n + 3)))
	say(from(at(n - 5)))
	w.post("/v1/beliefs/"+second.belief+"/end", nil).is(200)
	last := say()
	say(from(at(10)), until(at(12)))
	found := w.page("entity_id="+last.entity, "predicate=reading", "valid_at="+at(n+50))
	same(w.T, "what stands", found.texts("/items", "/value"), []string{"value 156"})
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}
