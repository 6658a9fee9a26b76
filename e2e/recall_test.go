package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Recall: what is believed is found by its words, wherever they stand, and whatever was written since.
var recalls = []scenario{
	{"recall-by-value-name-predicate-and-sentence", recallPlaces},
	{"recall-of-old-states-and-new-names", recallStates},
	{"recall-of-what-others-do-not-see", recallSight},
	{"recall-among-many", recallMany},
	{"recall-forgets-what-was-erased", recallErased},
	{"recall-of-passages", recallPassages},
}

// recall returns the lines that a request finds, once the index has read the log that far.
func (w *world) recall(request obj) (a answer, lines []string) {
	w.Helper()
	eventually(w.T, "the index has read the log", func() bool {
		a = w.post("/v1/recall", request)
		return a.status != 503
	})
	return a, a.is(200).texts("/items", "/text")
}

func recallPlaces(w *world) {
	w.say("Heron", "database", "PostgreSQL 17")
	w.say("Plover", "office_location", "Quarry Street 4")
	for query, want := range map[string]string{
		"Which database do we use?": "Heron / database: PostgreSQL 17",
		"postgresql":                "Heron / database: PostgreSQL 17",
		"heron":                     "Heron / database: PostgreSQL 17",
		"Where is Quarry Street?":   "Plover / office_location: Quarry Street 4",
	} {
		_, lines := w.recall(obj{"query": query, "limit": 1})
		same(w.T, query, lines, []string{want})
	}
	a, _ := w.recall(obj{"query": "Which database do we use?"})
	same(w.T, "why", a.text("/items/0/why/0/word")+" "+a.text("/items/0/why/0/in/0"), "database predicate")
	w.post("/v1/observations", obj{
		"text": "Ada: The invoices travel by courier pigeon nowadays.", "source": obj{"origin": "test://conversation", "speaker": "Ada"},
	}).is(201)
	if _, lines := w.recall(obj{"query": "pigeon"}); !strings.Contains(strings.Join(lines, "\n"), "courier pigeon") {
		w.Errorf("what was said is not found: %q", lines)
	}
	_, lines := w.recall(obj{"query": "Which of the whose?"})
	same(w.T, "words that only phrase a question", lines, []string{})
	_, lines = w.recall(obj{"query": "database", "kinds": list{"remark"}})
	same(w.T, "remarks about databases", lines, []string{})
}

func recallStates(w *world) {
	w.say("Crane", "colour", "teal")
	before := w.say("Heron", "database", "Oracle 19", seen("2026-01-01T00:00:00Z"))
	seq := fmt.Sprint(before.seq)
	w.say("Heron", "database", "SQLite 3", seen("2026-02-01T00:00:00Z"))
	_, lines := w.recall(obj{"query": "database"})
	same(w.T, "now", lines, []string{"Heron / database: SQLite 3"})
	asked := obj{"query": "database", "known_at": seq, "valid_at": "2026-03-01T00:00:00Z"}
	first, lines := w.recall(asked)
	same(w.T, "as it was known", lines, []string{"Heron / database: Oracle 19"})
	same(w.T, "the state", first.text("/as_of/seq"), seq)
	other := w.say("Grey Wader", "floor", "3")
	w.merge(other.entity, before.entity)
	_, lines = w.recall(obj{"query": "wader database"})
	same(w.T, "by the name of another member", lines[:1], []string{"Heron / database: SQLite 3"})
	again, _ := w.recall(asked)
	same(w.T, "the former state again", string(again.raw), string(first.raw))
	w.post("/v1/recall", obj{"query": "x", "known_at": "2999-01-01T00:00:00Z"}).problem(422, "unprocessable", "/known_at")
}

func recallSight(w *world) {
	w.say("Heron", "budget", "4000", claims("security_classification", "confidential"))
	w.say("Heron", "budget_owner", "Ada", within(obj{"project_id": "nova"}))
	low := w.issue(obj{"roles": list{"agent"}, "clearance": "restricted"})
	_, lines := low.recall(obj{"query": "budget"})
	same(w.T, "who is not cleared", lines, []string{})
	_, lines = w.recall(obj{"query": "budget"})
	same(w.T, "who is", lines, []string{"Heron / budget: 4000"})
	_, lines = low.recall(obj{"query": "budget", "scope": obj{"project_id": "nova"}})
	same(w.T, "in the project", lines, []string{"Heron / budget_owner: Ada"})
	bound := w.issue(obj{"roles": list{"agent"}, "bound": obj{"project_id": "nova"}})
	_, lines = bound.recall(obj{"query": "budget"})
	same(w.T, "who is bound to it", lines, []string{"Heron / budget_owner: Ada"})
	bound.post("/v1/recall", obj{"query": "budget", "scope": obj{"project_id": "other"}}).problem(403, "forbidden", "/scope/project_id")
}

func recallMany(w *world) {
	w.say("Heron", "database", "PostgreSQL 17")
	crane := w.say("Crane", "colour", "teal").entity
	for part := range 7 {
		var batch []string
		for i := range 100 {
			line, err := json.Marshal(stating("", "station_"+letters(part*100+i), fmt.Sprintf("opened in %d", 1900+i), about(crane)))
			if err != nil {
				w.Fatal(err)
			}
			batch = append(batch, string(line))
		}
		w.batch(batch)
	}
	a, lines := w.recall(obj{"query": "Which database do we use?"})
	same(w.T, "the oldest of 700", lines, []string{"Heron / database: PostgreSQL 17"})
	same(w.T, "all were ranked", a.text("/candidates_cut")+a.text("/more"), "falsefalse")
	a, lines = w.recall(obj{"query": "station", "limit": 7})
	same(w.T, "what is cut", fmt.Sprint(len(lines))+a.text("/candidates_cut")+a.text("/more"), "7truetrue")
	c := w.compile(obj{"query": "Which database do we use?"})
	c.shows("Heron / database: PostgreSQL 17")
	same(w.T, "the compilation says that it looked at all", c.text("/trace/state_compilation_metadata/retrieval_metadata/words_cut"), "false")
}

// letters spells a number in letters.
func letters(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(n))
}

func recallErased(w *world) {
	said := w.say("Heron", "password_hint", "marzipan")
	_, lines := w.recall(obj{"query": "marzipan"})
	same(w.T, "before", lines, []string{"Heron / password_hint: marzipan"})
	w.erase("/v1/observations/" + said.id + "/content")
	_, lines = w.recall(obj{"query": "marzipan"})
	same(w.T, "after", lines, []string{})
	_, lines = w.recall(obj{"query": "marzipan", "known_at": fmt.Sprint(said.seq)})
	same(w.T, "in the former state", lines, []string{})
}

// recallPassages checks that passages are found by their words and titles, by those who see their document, with what
// was found where, that kinds choose, and that a withdrawn document is found in former states alone.
func recallPassages(w *world) {
	w.say("Generator", "fuel", "diesel", kind("product"))
	body := "The emergency generator is refuelled by staff with certificate K-12."
	made := w.post("/v1/documents", obj{"uri": "https://wiki.example/power", "title": "Power supply", "text": body}).is(201)
	w.post("/v1/documents", obj{
		"uri": "https://wiki.example/plans", "title": "Plans", "text": "The generator is sold in May.",
		"security_classification": "highly_restricted",
	}).is(201)
	a, lines := w.recall(obj{"query": "Who may refuel the generator?"})
	same(w.T, "beliefs", lines, []string{"Generator / fuel: diesel"})
	found := a.items("/passages")
	same(w.T, "passages", len(found), 2)
	same(w.T, "the best one", text(found[0], "/document_id") == made.text("/document_id") && text(found[0], "/text") == body, true)
	same(w.T, "why", texts(at(found[0], "/why").(list), "/word"), []string{"refuel", "generator"})
	low := w.issue(obj{"roles": list{"agent"}, "clearance": "restricted"})
	a, _ = low.recall(obj{"query": "Who may refuel the generator?"})
	same(w.T, "seen by few", len(a.items("/passages")), 1)
	a, lines = w.recall(obj{"query": "generator", "kinds": list{"passage"}, "limit": 1})
	same(w.T, "passages alone", fmt.Sprint(len(lines), len(a.items("/passages")), a.at("/more_passages")), "0 1 true")
	a, _ = w.recall(obj{"query": "generator", "kinds": list{"belief"}})
	same(w.T, "beliefs alone", len(a.items("/passages")), 0)
	known := a.text("/as_of/seq")
	w.call("DELETE", "/v1/documents/"+made.text("/document_id"), nil).is(204)
	a, _ = w.recall(obj{"query": "certificate"})
	same(w.T, "withdrawn", len(a.items("/passages")), 0)
	a, _ = w.recall(obj{"query": "certificate", "known_at": known})
	same(w.T, "before", len(a.items("/passages")), 1)
}
