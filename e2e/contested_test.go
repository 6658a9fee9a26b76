package e2e

import (
	"slices"
	"strings"
)

// Rows of systems of record that fit together in different ways, and what
// becomes of a merge when new evidence contradicts it.
var contested = []scenario{
	{"new-evidence-opens-a-merge", opensMerge},
	{"any-order-ends-the-same", anyOrder},
	{"an-answer-outlives-new-evidence", answerStays},
	{"namesakes-in-two-projects", namesakes},
}

// A father with a telephone, a son with a mailbox, and a row with both: it was
// the father's as long as nobody knew of the son.
var kin = map[string]obj{
	"father": {"dob": list{"1950-03-07"}, "phone": list{"+49 201 5550123"}},
	"either": {"phone": list{"+49 201 5550123"}, "email": list{"brandt80@lighthouse.example"}},
	"son":    {"dob": list{"1980-11-23"}, "email": list{"brandt80@lighthouse.example"}},
}

func (w *world) row(id string) told {
	w.Helper()
	return w.say("Johann Brandt", "seen_in", id+"'s row", field(inMention, "attributes", kin[id]),
		field(inMention, "record", obj{"source": "crm", "id": id}))
}

func (w *world) rowEntity(id string) string {
	w.Helper()
	r := w.resolve(obj{"name": "Johann Brandt", "type": "person", "record": obj{"source": "crm", "id": id}})
	return r.text("/mentions/0/candidates/0/entity_id")
}

// rows tells which rows are one entity now.
func (w *world) rows(ids ...string) string {
	w.Helper()
	w.settled()
	together := map[string][]string{}
	for _, id := range ids {
		root := w.rowEntity(id)
		together[root] = append(together[root], id)
	}
	var list []string
	for _, g := range together {
		slices.Sort(g)
		list = append(list, strings.Join(g, "+"))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func opensMerge(w *world) {
	father := w.row("father")
	w.settled()
	either := w.row("either")
	same(w.T, "as far as is known", w.rows("father", "either"), "either+father")
	same(w.T, "what is said of him", w.believed(father.entity, "seen_in"), []string{"either's row"})
	w.row("son")
	same(w.T, "with the son", w.rows("father", "either", "son"), "either father son")

	asked := w.get("/v1/reviews?state=open&entity_id=" + w.rowEntity("either")).is(200)
	same(w.T, "what is asked", asked.texts("/items", "/reason"), []string{"contradicted"})
	review := w.review(asked.text("/items/0/review_id"))
	candidates := review.texts("/candidates", "/entity_id")
	slices.Sort(candidates)
	whom := []string{father.entity, w.rowEntity("son")}
	slices.Sort(whom)
	same(w.T, "whom it may be", candidates, whom)
	waiting := review.text("/entity_id")
	same(w.T, "the row's belief is the waiting one's", w.belief(either.belief).text("/subject"), waiting)
	same(w.T, "what is left of the father", w.believed(father.entity, "seen_in"), []string{"father's row"})
	decisions := w.get("/v1/entities/" + waiting).is(200)
	same(w.T, "the decision", []string{decisions.text("/identity_decisions/0/kind"), decisions.text("/identity_decisions/0/automatic"), decisions.text("/identity_decisions/0/reason")},
		[]string{"split", "true", "contradicted"})
	verify(w.T, w.srv.store, w.tenant)
}

func anyOrder(w *world) {
	orders := [][]string{{"father", "either", "son"}, {"father", "son", "either"}, {"either", "son", "father"}, {"son", "either", "father"}}
	for _, order := range orders {
		own := w.with(newKey(w.T, w.srv.store, newTenant()))
		for _, id := range order {
			own.row(id)
			own.settled()
		}
		same(w.T, strings.Join(order, ", "), own.rows(order...), "either father son")
	}
}

func answerStays(w *world) {
	father := w.row("father")
	w.settled()
	w.row("either")
	w.row("son")
	same(w.T, "before the answer", w.rows("father", "either", "son"), "either father son")
	open := w.get("/v1/reviews?state=open&entity_id=" + w.rowEntity("either")).is(200).text("/items/0/review_id")
	w.decide(open, obj{"decision": "merge", "into": father.entity, "note": "the father reads the son's mail"}).is(200)
	same(w.T, "after it", w.rows("father", "either", "son"), "either+father son")
	w.say("Johann Brandt", "seen_in", "another row", field(inMention, "attributes", kin["son"]), field(inMention, "record", obj{"source": "crm", "id": "more"}))
	same(w.T, "with more of the son", w.rows("father", "either", "son", "more"), "either+father more+son")
	verify(w.T, w.srv.store, w.tenant)
}

func namesakes(w *world) {
	in := func(project string) edit { return within(obj{"project_id": project}) }
	a := w.say("Nova", "status", "green", kind("project"), in("p1"))
	b := w.say("Nova", "status", "red", kind("project"), in("p2"))
	again := w.say("nova", "alias", "Ann", kind("project"), in("p1"))
	w.settled()
	if a.entity == b.entity || again.entity != a.entity {
		w.Errorf("Nova is %s in one project, %s in the other, and %s again in the first", a.entity, b.entity, again.entity)
	}
}
