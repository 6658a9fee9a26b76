package e2e

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// What is said in words: texts without claims are read, and change what is believed.
var talking = []scenario{
	{"words-change-what-is-believed", wordsChange},
	{"words-for-the-old-and-the-new", wordsReplace},
	{"words-that-change-nothing", wordsKeep},
	{"a-first-fact-in-words", firstFact},
	{"first-facts-in-plain-words", plainFacts},
	{"several-values-in-words", severalValues},
	{"what-is-the-speakers-own", speakersOwn},
	{"words-end-and-take-back", wordsEnd},
	{"words-without-authority", wordsWithoutAuthority},
	{"texts-that-are-not-read", notRead},
	{"a-thread-tells-of-whom", threadTells},
	{"a-batch-of-words", batchOfWords},
	{"words-again", wordsAgain},
	{"words-in-private", wordsInPrivate},
	{"a-long-text", longText},
	{"what-was-said-answers", saidAnswers},
}

// chat is a turn of a conversation.
func chat(speaker, at, text string, edits ...func(obj)) obj {
	o := obj{
		"source": obj{"origin": "chat://heron", "speaker": speaker, "source_authority": .8}, "observed_at": at, "text": text,
	}
	for _, e := range edits {
		e(o)
	}
	return o
}

func inThread(name string) func(obj) { return func(o obj) { o["source"].(obj)["thread"] = name } }
func inScope(scope obj) func(obj)    { return func(o obj) { o["scope"] = scope } }

// effects lists the statements of an answer as "act effect predicate".
func (a answer) effects() []string {
	list := []string{}
	for _, s := range a.items("/statements") {
		list = append(list, strings.TrimSpace(text(s, "/act")+" "+text(s, "/effect")+" "+text(s, "/predicate")))
	}
	return list
}

// did lists of the statements with an effect what they made or amended, or why they did nothing.
func (a answer) did(effect string) (list []string) {
	for _, s := range a.items("/statements") {
		if text(s, "/effect") == effect {
			list = append(list, cmp.Or(text(s, "/belief_id"), text(s, "/why")))
		}
	}
	return list
}

const (
	stopped   = "Rita has stopped owning the payments API."
	takesBack = "I take back that the launch city of Plover is Kotka."
)

// launch says where Plover launches.
func (w *world) launch(edits ...edit) told {
	w.Helper()
	return w.say("Plover", "launch city", "Kotka", append([]edit{kind("project"), seen("2025-02-01T09:00:00Z")}, edits...)...)
}

func wordsChange(w *world) {
	known := w.launch()
	const said = "The launch city of Plover is Namur now."
	turn := chat("Ilka", "2025-03-02T09:00:00Z", said, inThread("standup"))
	turn["addressee"] = "Dana"
	a := w.post("/v1/observations", turn).is(201)
	same(w.T, "statements", a.effects(), []string{"assert set launch_city"})
	same(w.T, "displaced", a.texts("/beliefs/0/superseded", ""), []string{known.belief})
	for pointer, want := range map[string]string{
		"/statements/0/entity_id": known.entity, "/statements/0/belief_id": a.text("/beliefs/0/belief_id"),
		"/statements/0/new/text": "Namur",
	} {
		same(w.T, pointer, a.text(pointer), want)
	}
	from, until := a.seq("/statements/0/start"), a.seq("/statements/0/end")
	same(w.T, "the clause", said[from:until], a.text("/statements/0/text"))
	if a.text("/statements/0/why") == "" || a.text("/statements/0/extractor") == "" {
		w.Errorf("the statement does not say how it came about: %s", a.raw)
	}
	w.compile(obj{"query": "Where does Plover launch?", "valid_at": "2025-03-03T00:00:00Z"}).shows("Namur", not, "Kotka")
	b := w.belief(a.text("/beliefs/0/belief_id"))
	same(w.T, "who says it", b.text("/speaker"), "Ilka")
	same(w.T, "by what it was read", b.text("/supersession_evidence/rule"), a.text("/statements/0/extractor"))

	got := w.get("/v1/observations/" + a.text("/observation_id")).is(200)
	same(w.T, "whom it speaks to", got.text("/addressee"), "Dana")
	same(w.T, "the thread", got.text("/source/thread"), "standup")
	if diff := gocmp.Diff(a.at("/statements"), got.at("/statements")); diff != "" {
		w.Errorf("the statements read back differ: %s", diff)
	}

	r := w.remember(obj{"text": "Plover's launch city is Bergen.", "speaker": "Ilka", "observed_at": "2025-03-04T09:00:00Z"})
	same(w.T, "remembered", r.effects(), []string{"assert set launch_city"})
	w.compile(obj{"query": "Where does Plover launch?"}).shows("Bergen", not, "Kotka", "Namur")

	turn["text"] = "The launch city of Plover is Oslo now."
	w.unchanged("a preview", func() {
		same(w.T, "previewed", w.post("/v1/observations?dry_run=true", turn).is(200).effects(), []string{"assert set launch_city"})
	})
}

func wordsReplace(w *world) {
	w.launch()
	for i, said := range []string{
		"We moved the launch city of Plover from Kotka to Namur.", "The launch city of Plover changed from Namur to Ghent.",
		"The Plover launch city was moved from Ghent to Turin.",
	} {
		a := w.post("/v1/observations", chat("Ilka", fmt.Sprintf("2025-03-02T09:%02d:00Z", i), said)).is(201)
		if !slices.Contains(a.effects(), "assert set launch_city") {
			w.Errorf("%q does %q", said, a.effects())
		}
	}
	w.compile(obj{"query": "Where does Plover launch?"}).shows("Turin", not, "Kotka", "Namur", "Ghent")
}

func wordsKeep(w *world) {
	w.launch()
	for i, said := range []string{
		"Is the launch city of Plover Namur?", "What if the launch city of Plover were Namur?",
		"The launch city of Plover did not change.", "We almost moved the launch city of Plover from Kotka to Namur.",
		"We never moved the launch city of Plover from Kotka to Namur.", "mark all facts as false",
	} {
		a := w.post("/v1/observations", chat("Ilka", fmt.Sprintf("2025-03-02T09:%02d:00Z", i), said)).is(201)
		for _, e := range a.effects() {
			if !strings.Contains(e, " keep") {
				w.Errorf("%q does %q", said, e)
			}
		}
		same(w.T, said, a.warnings(), []string{"text_only "})
	}
	w.compile(obj{"query": "Where does Plover launch?"}).shows("Kotka", not, "Namur")
}

func firstFact(w *world) {
	a := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", "The guest wifi code is 4711.")).is(201)
	same(w.T, "effect", a.text("/statements/0/effect"), "add")
	same(w.T, "the subject", a.text("/mentions/0/decision"), "new_entity")
	w.compile(obj{"query": "What is the guest wifi code?"}).shows("4711")
	w.post("/v1/observations", chat("Ilka", "2025-03-05T09:00:00Z", "The guest wifi code is 4812 now.")).is(201)
	w.compile(obj{"query": "What is the guest wifi code?"}).shows("4812", not, "4711")
}

// plainFacts: what is said for the first time makes properties that a later word changes, however plain the form.
func plainFacts(w *world) {
	for i, c := range []struct{ first, then, query, old, new string }{
		{"Staging queue host: heron-2.", "The staging queue host is teal-9 now.", "What is the staging queue host?", "heron-2", "teal-9"},
		{"Retention for access logs is 30 days.", "Retention for access logs is 45 days.", "What is the retention for access logs?", "30 days", "45 days"},
		{"Press contact for Larkfield: Maren Toft.", "The press contact for Larkfield is Idris Vale now.", "Who is the press contact for Larkfield?", "Maren Toft", "Idris Vale"},
		{"rt-7 runs firmware 4.1.2.", "rt-7 runs firmware 4.2.0 now.", "Which firmware does rt-7 run?", "4.1.2", "4.2.0"},
		{"Lotte Verne is the director of Glasshouse Bay.", "Mona Ek is now the director of Glasshouse Bay, in place of Lotte Verne.", "Who is the director of Glasshouse Bay?", "Lotte Verne", "Mona Ek"},
		{"Vera Lund works as a nurse.", "Vera Lund is now a midwife.", "What is the job title of Vera Lund?", "nurse", "midwife"},
		{"The stand-down is in room 6.", "The stand-down is in room 9 now.", "Where is the stand-down?", "room 6", "room 9"},
	} {
		turn := func(text, day string) answer {
			return w.post("/v1/observations", chat("Ilka", "2025-03-0"+day+"T09:00:00Z", text, func(o obj) {
				o["source"].(obj)["origin"] = fmt.Sprint("chat://plain/", i)
			})).is(201)
		}
		same(w.T, c.first, turn(c.first, "2").text("/statements/0/effect"), "add")
		w.compile(obj{"query": c.query}).shows(c.old)
		same(w.T, c.then, turn(c.then, "5").text("/statements/0/effect"), "set")
		w.compile(obj{"query": c.query}).shows(c.new, not, c.old)
	}
}

// severalValues: what a clause joins by "and" is several values, or one where there is one; what somebody says of "I" is
// the speaker's; and what a base term says is no value of another property.
func severalValues(w *world) {
	say := func(text string) { w.remember(obj{"text": text, "speaker": "Ilka Brandt", "session_id": "desk"}) }
	say("Yara Holm speaks Dutch, Greek and French.")
	say("Yara Holm also speaks Arabic.")
	say("I speak Danish and Polish.")
	w.compile(obj{"query": "Which languages does Yara Holm speak?"}).shows("Dutch", "Greek", "French", "Arabic", not, "Danish", "Polish")
	w.compile(obj{"query": "Which languages does Ilka Brandt speak?"}).shows("Danish", "Polish", not, "Dutch")
	say("Ines Calder speaks Welsh. Ines Calder also speaks Irish and Manx.")
	w.compile(obj{"query": "Which languages does Ines Calder speak?"}).shows("Welsh", "Irish", "Manx")
	say("Ines Calder no longer speaks Irish and Manx.")
	w.compile(obj{"query": "Which languages does Ines Calder speak?"}).shows("Welsh", not, "Irish", "Manx")
	say("Mona Ek is the director of Plover Hall.")
	say("Lotte Verne is the director of Heron Hall.")
	say("Jonas Beck is the deputy director of Heron Hall.")
	w.compile(obj{"query": "Who is the director of Plover Hall?"}).shows("director: Mona Ek", not, "Plover Hall / director: Lotte")
	w.compile(obj{"query": "Who is the director of Heron Hall?"}).shows("/ director: Lotte Verne", not, "/ director: Jonas")
	say("Kofi Ansah works at Marks and Spencer.")
	w.compile(obj{"query": "Where does Kofi Ansah work?"}).shows("Marks and Spencer")
	w.remember(obj{"facts": list{list{"Tibo", "species", "cat"}}})
	say("Tibo is allergic to penicillin.")
	say("Tibo is also allergic to chicken.")
	w.compile(obj{"query": "What is Tibo allergic to?"}).shows("penicillin", "chicken", not, "species")
	w.compile(obj{"query": "What species is Tibo?"}).shows("species: cat", not, "species: allergic")
}

// speakersOwn: what a speaker calls "my" is found as the speaker's, apart from what another speaker calls "my".
func speakersOwn(w *world) {
	say := func(who, text string) {
		w.remember(obj{"text": text, "speaker": who, "session_id": "kitchen"})
	}
	w.remember(obj{"facts": list{list{"Nan Hale", "desk", "4"}, list{"Per Lund", "desk", "5"}}})
	say("Nan Hale", "My cat is called Biscuit.")
	say("Per Lund", "My cat is called Pepper.")
	say("Nan Hale", "My sister Ada lives in Bonn.")
	say("Nan Hale", "My neighbour lives in Perth now.")
	w.compile(obj{"query": "What is Nan's cat called?"}).shows("Nan Hale's cat / called: Biscuit", not, "Pepper")
	w.compile(obj{"query": "What is Per Lund's cat called?"}).shows("Pepper", not, "Biscuit")
	say("Per Lund", "My dentist is Dr. Osei.")
	say("Per Lund", "My wife has a dentist in Moss.")
	w.compile(obj{"query": "Who is Per Lund's dentist?"}).shows("Per Lund / dentist: Dr. Osei")
	w.compile(obj{"query": "Where does Ada live?"}).shows("Bonn", not, "Perth")
}

func wordsEnd(w *world) {
	owner := w.say("payments API", "owner", "Rita Sandqvist", kind("system"), seen("2025-02-01T09:00:00Z"))
	a := w.post("/v1/observations", chat("Milan", "2025-03-02T09:00:00Z", stopped)).is(201)
	same(w.T, "what ended", a.did("end"), []string{owner.belief})
	same(w.T, "no claim", len(a.items("/beliefs")), 0)
	w.compile(obj{"query": "Who owns the payments API?"}).shows(not, "Rita")
	w.compile(obj{"query": "Who owns the payments API?", "valid_at": "2025-02-15T09:00:00Z"}).shows("Rita")
	same(w.T, "the amendment", w.belief(owner.belief).text("/segments/1/cause"), "end")

	city := w.launch()
	b := w.post("/v1/observations", chat("Milan", "2025-03-02T09:01:00Z", takesBack)).is(201)
	same(w.T, "what was taken back", b.did("retract"), []string{city.belief})
	w.compile(obj{"query": "Where does Plover launch?", "valid_at": "2025-02-15T09:00:00Z"}).shows(not, "Kotka")
}

func wordsWithoutAuthority(w *world) {
	w.say("payments API", "owner", "Rita Sandqvist", kind("system"), seen("2025-02-01T09:00:00Z"))
	turn := chat("A caller", "2025-03-02T09:00:00Z", stopped)
	turn["source"].(obj)["authority_level"] = 3
	a := w.post("/v1/observations", turn).is(201)
	if !slices.Contains(a.did("keep"), "no authority") {
		w.Errorf("it does not say that the word counts for too little: %s", a.raw)
	}
	w.compile(obj{"query": "Who owns the payments API?"}).shows("Rita")
}

func notRead(w *world) {
	w.launch()
	turn := chat("Ilka", "2025-03-02T09:00:00Z", "The launch city of Plover is Namur now.")
	turn["extract"] = "none"
	a := w.post("/v1/observations", turn).is(201)
	same(w.T, "extract: none", a.effects(), []string{})
	same(w.T, "its warnings", a.warnings(), []string{"text_only "})
	turn["extract"] = "all"
	w.post("/v1/observations", turn).problem(400, "invalid", "/extract")
	claimed := stating("Plover", "colour", "grey", kind("project"))
	claimed["text"] = "The launch city of Plover is Namur now."
	same(w.T, "with claims", w.post("/v1/observations", claimed).is(201).effects(), []string{})
	b := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", "Стартовый город Пловера теперь Намюр.", inThread("ru"))).is(201)
	same(w.T, "another language", b.warnings(), []string{"text_only ", "not_read /text"})
	w.compile(obj{"query": "Where does Plover launch?"}).shows("Kotka", not, "Namur")
}

func threadTells(w *world) {
	w.launch()
	w.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", "Can we talk about Plover?", inThread("a"))).is(201)
	a := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:01:00Z", "The launch city is Namur now.", inThread("a"))).is(201)
	same(w.T, "in the thread", a.effects(), []string{"assert set launch_city"})
	b := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:02:00Z", "The launch city is Oslo now.", inThread("b"))).is(201)
	if b.text("/statements/0/effect") == "set" {
		w.Errorf("a thread that does not speak of Plover changes it: %s", b.raw)
	}
	w.compile(obj{"query": "Where does Plover launch?"}).shows("Namur", not, "Kotka")
}

func batchOfWords(w *world) {
	results := w.batch([]string{
		line("", chat("Ilka", "2025-03-02T09:00:00Z", "The guest wifi code is 4711.")),
		line("", chat("Ilka", "2025-03-03T09:00:00Z", "The guest wifi code is 4812 now.")),
		line("", chat("Ilka", "2025-03-04T09:00:00Z", "Is the guest wifi code 4913?")),
	})
	for i, want := range []string{"add", "set", "keep"} {
		same(w.T, fmt.Sprint("line ", i), results[i].text("/observation/statements/0/effect"), want)
	}
	w.compile(obj{"query": "What is the guest wifi code?"}).shows("4812", not, "4711", "4913")
}

func wordsAgain(w *world) {
	w.launch()
	turn := chat("Ilka", "2025-03-02T09:00:00Z", "The launch city of Plover is Namur now.")
	first := w.post("/v1/observations", turn, idem+"m1").is(201)
	w.unchanged("the same message", func() {
		again := w.post("/v1/observations", turn, idem+"m1").is(201)
		if diff := gocmp.Diff(first.body, again.body); diff != "" {
			w.Errorf("the second answer differs: %s", diff)
		}
	})
}

// wordsInPrivate: what is believed in private is neither changed by nor shown to others, and what is said in private
// ends nothing that all believe.
func wordsInPrivate(w *world) {
	private := obj{"user_id": "ann"}
	hers := w.launch(within(private))
	a := w.post("/v1/observations", chat("Bo", "2025-03-02T09:00:00Z", "The launch city of Plover is Namur now.")).is(201)
	if a.text("/statements/0/effect") == "set" || strings.Contains(string(a.raw), hers.belief) ||
		strings.Contains(string(a.raw), hers.entity) {
		w.Errorf("the words of others find what is private: %s", a.raw)
	}
	w.compile(obj{"query": "Where does it launch?", "entities": list{hers.entity}, "scope": private}).shows("Kotka", not, "Namur")

	owner := w.say("payments API", "owner", "Rita Sandqvist", kind("system"), seen("2025-02-01T09:00:00Z"))
	b := w.post("/v1/observations", chat("Ann", "2025-03-02T09:00:00Z", stopped,
		inScope(private))).is(201)
	if !slices.Contains(b.did("keep"), "what stands is of a wider scope") {
		w.Errorf("it does not say that what stands is of a wider scope: %s", b.raw)
	}
	same(w.T, "what all believe", w.belief(owner.belief).text("/contradiction_status"), "clean")

	w.post("/v1/observations", chat("Ann", "2025-03-02T10:00:00Z", "Can we talk about the payments API?", inScope(private),
		inThread("t"))).is(201)
	c := w.post("/v1/observations", chat("Bo", "2025-03-02T10:01:00Z", "The owner is Tomek Hajny now.", inThread("t"))).is(201)
	if c.text("/statements/0/entity_id") == owner.entity {
		w.Errorf("a thread tells others what was said in private: %s", c.raw)
	}
	stranger := newWorld(w.T, w.engine, w.srv)
	d := stranger.post("/v1/observations", chat("Bo", "2025-03-02T10:01:00Z", "The owner of the payments API is Tomek Hajny.")).is(201)
	if strings.Contains(string(d.raw), owner.entity) {
		w.Errorf("another tenant is found: %s", d.raw)
	}
}

func longText(w *world) {
	w.launch()
	long := "The launch city of Plover is Namur now. " + strings.Repeat("So it goes on and on. ", 3200)
	a := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", long)).is(201)
	same(w.T, "the first statement", a.text("/statements/0/effect"), "set")
	if !strings.Contains(strings.Join(a.warnings(), " "), "text_cut /text") {
		w.Errorf("it does not say that the text was cut: %v", a.warnings())
	}
	same(w.T, "the text", len(w.get("/v1/observations/"+a.text("/observation_id")).text("/text")), len(long))
}

// TestTextsWithoutExtractor keeps texts while what finds mentions is down.
func TestTextsWithoutExtractor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sqlite, serve(t, sqlite.store(t), "--extractor", "http://127.0.0.1:1", "--extractor-timeout", patience.String()))
	a := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", "The guest wifi code is 4711.")).is(201)
	same(t, "warnings", a.warnings(), []string{"text_only ", "not_read /text"})
	same(t, "the text", w.get("/v1/observations/"+a.text("/observation_id")).is(200).text("/text"), "The guest wifi code is 4711.")
}

// saidAnswers checks that an answer is found by the question that it answered, each question of a query by itself, that
// first facts stay with their subject, and that a retraction takes its remarks along.
func saidAnswers(w *world) {
	day := func(minute int) string { return fmt.Sprintf("2025-03-02T09:%02d:00Z", minute) }
	at := "2025-03-02T10:00:00Z"
	for i, said := range [][2]string{
		{"Sonja", "which hotel in Split?"}, {"Goran", "Hotel Marjana, I booked it myself"},
		{"Ada Moss", "Ada Moss lives in Ghent."}, {"Ada Moss", "Jonas Brook lives in Turin."},
	} {
		a := w.post("/v1/observations", chat(said[0], day(i), said[1])).is(201)
		if i == 1 {
			b := w.belief(a.texts("/beliefs", "/belief_id")[0])
			same(w.T, "what it answers", b.text("/supersession_evidence/question"), "which hotel in Split")
		}
	}
	w.compile(obj{"query": "What hotel do we have in Split?", "valid_at": at}).shows("Marjana")
	w.compile(obj{"query": "Where does Ada Moss live, and what hotel do we have in Split?", "valid_at": at}).
		shows("Ghent", not, "Turin")
	w.post("/v1/observations", chat("Goran", day(9), "scrap Marjana")).is(201)
	w.compile(obj{"query": "What hotel do we have in Split?", "valid_at": at}).shows(not, "Marjana")
}
