package e2e

// What a compilation finds by the words of its query.
var worded = []scenario{
	{"a-query-that-names-nobody", namesNobody},
	{"what-was-remarked-is-found-by-its-words", remarked},
}

func namesNobody(w *world) {
	w.say("staging", "database", "Postgres 15")
	w.say("class 6a", "form teacher", "Mr Eade")
	w.say("class 6b", "form teacher", "Ms Thornbury")
	w.say("Helios", "chosen colour", "green", within(obj{"project_id": "p"}))
	c := w.compile(obj{"query": "Which database do we use?"})
	c.shows("staging / database: Postgres 15")
	same(w.T, "status", c.text("/trace/validation_status"), "CLEAN")
	same(w.T, "how its subject was found", c.text("/trace/state_compilation_metadata/resolved_entities/0/found_by"), "words")
	same(w.T, "how it was found", c.text("/trace/state_compilation_metadata/compiled_objects/0/by_words"), "true")
	w.compile(obj{"query": "Who is 6b's form teacher?"}).shows("Ms Thornbury", not, "Mr Eade")
	for _, query := range []string{
		"Who is the form teacher of 7c?", "Which database does Heron use?", "What colour was chosen?", "How are you?",
	} {
		same(w.T, query, w.compile(obj{"query": query}).text("/trace/validation_status"), "EMPTY")
	}
	w.compile(obj{"query": "What colour was chosen?", "scope": obj{"project_id": "p"}}).shows("Helios / chosen colour: green")
}

func remarked(w *world) {
	city := w.say("Plover", "launch city", "Namur", kind("project"), seen("2026-03-01T09:00:00Z"))
	w.say("Plover", "remark", "the demo is on Friday", kind("project"), by("Ilka Brenner"), seen("2026-03-02T09:00:00Z"))
	w.say("Plover", "remark", "the slides are half done", kind("project"), by("Kwame"), seen("2026-03-02T09:00:00Z"))
	trains := w.say("Kwame", "remark", "Namur has good trains", by("Kwame"), seen("2026-03-02T09:00:00Z"), dependsOn(city.belief))
	c := w.compile(obj{"query": "When is the demo of Plover?"})
	c.shows("Plover / launch city: Namur", `Ilka Brenner (2026-03-02): "the demo is on Friday"`, not, "slides")
	same(w.T, "its zone", c.texts("/trace/state_compilation_metadata/compiled_objects", "/zone"), []string{"facts", "remarks"})
	c = w.compile(obj{"query": "Are there trains to Namur?"})
	c.shows(`Kwame (2026-03-02): "Namur has good trains"`)
	// What rests on a value goes with it.
	w.say("Plover", "launch city", "Kotka", kind("project"), by("Ilka Brenner"), seen("2026-03-03T09:00:00Z"))
	w.compile(obj{"query": "Are there trains to Namur?"}).shows(not, "trains")
	same(w.T, "the remark", w.belief(trains.belief).text("/contradiction_status"), "quarantined")
}
