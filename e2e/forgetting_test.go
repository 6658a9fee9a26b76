package e2e

import (
	"fmt"
	"strings"
)

// Who asks in words to forget something: what has these words is retracted, and can be undone.
var forgetting = []scenario{
	{"words-ask-to-forget-all", forgetAll},
	{"words-ask-to-forget-one-thing", forgetOne},
	{"words-ask-colleagues", askColleagues},
	{"words-forget-in-their-scope", forgetInScope},
	{"words-forget-of-which", forgetWhich},
	{"lists-by-words", listsByWords},
}

// amended counts what each statement with an effect amended, as "effect count".
func (a answer) amended() (list []string) {
	for _, s := range a.items("/statements") {
		list = append(list, strings.TrimSpace(text(s, "/effect")+" "+text(s, "/amended")))
	}
	return list
}

func tell(words, at string, edits ...func(obj)) obj {
	return chat("Robin Marsh", "2025-03-0"+at+"T09:00:00Z", words, edits...)
}

// cause tells why a belief does not stand, or that it does, where its window begins.
func (w *world) cause(belief string) string { return w.belief(belief).text("/segments/0/cause") }

func forgetAll(w *world) {
	before := w.say("Ada Farid", "office", "Turin", kind("person"), seen("2025-01-02T09:00:00Z"))
	w.say("Ada Farid", "office", "Oslo", kind("person"), seen("2025-02-02T09:00:00Z"))
	w.say("Plover", "owner", "Ada Farid", kind("project"), seen("2025-02-02T09:00:00Z"))
	w.say("Hugo", "home", "25 Ada Street", kind("person"), seen("2025-02-02T09:00:00Z"))
	w.say("Hugo", "remark", "On Friday Ada Farid sings at the party", kind("person"), seen("2025-02-02T09:00:00Z"))
	w.compile(obj{"query": "Ada Farid"}).shows("Oslo", "Plover", not, "Turin")

	wish := tell("Thanks! Please forget everything about Ada Farid.", "2")
	w.unchanged("a preview", func() {
		same(w.T, "previewed", w.post("/v1/observations?dry_run=true", wish).is(200).amended(), []string{"retract 4"})
	})
	a := w.post("/v1/observations", wish).is(201)
	same(w.T, "forgotten", a.amended(), []string{"retract 4"})
	same(w.T, "the act", a.text("/statements/0/act"), "retract")
	same(w.T, "the sentence", a.text("/statements/0/text"), "Please forget everything about Ada Farid")
	for _, at := range []string{"2025-03-03T09:00:00Z", "2025-01-15T09:00:00Z"} {
		w.compile(obj{"query": "Ada Farid", "valid_at": at}).shows(not, "Oslo", "Turin", "Plover", "sing")
	}
	w.compile(obj{"query": "Where is the home of Hugo?", "valid_at": "2025-03-03T09:00:00Z"}).shows("Ada Street", not, "sings")
	again := w.post("/v1/observations", tell("Please forget everything about Ada Farid.", "3")).is(201)
	same(w.T, "again", again.amended(), []string{"keep"})
	same(w.T, "what stays as evidence", w.get("/v1/observations/"+before.id).is(200).text("/observation_id"), before.id)

	belief := a.text("/statements/0/belief_id")
	same(w.T, "one of them", w.cause(belief), "retraction")
	list := w.get("/v1/beliefs/" + belief + "/amendments").is(200)
	same(w.T, "why", list.text("/items/0/reason"), "Please forget everything about Ada Farid")
	w.undo(list.text("/items/0/amendment_id")).is(200)
	same(w.T, "undone", w.cause(belief) != "retraction", true)
}

func forgetOne(w *world) {
	old := w.say("guest wifi", "code", "4711", kind("system"), seen("2025-01-02T09:00:00Z"))
	now := w.say("guest wifi", "code", "4812", kind("system"), seen("2025-02-02T09:00:00Z"))
	w.say("guest wifi", "admin", "Bea", kind("system"), seen("2025-02-02T09:00:00Z"))
	vague := w.post("/v1/observations", tell("Forget what I said about the guest wifi.", "1")).is(201)
	same(w.T, "of several", vague.amended(), []string{"propose"})
	if why := vague.text("/statements/0/why"); !strings.Contains(why, "guest wifi / code") || !strings.Contains(why, "guest wifi / admin") {
		w.Errorf("it does not say what it may mean: %q", why)
	}
	same(w.T, "its warning", vague.warnings(), []string{"text_only ", "proposed_change /text"})

	a := w.post("/v1/observations", tell("Vergiss bitte den guest wifi code!", "2")).is(201)
	same(w.T, "forgotten", a.amended(), []string{"retract 2"})
	same(w.T, "where", []string{a.text("/statements/0/entity_id"), a.text("/statements/0/predicate")}, []string{now.entity, "code"})
	for _, b := range []string{old.belief, now.belief} {
		same(w.T, "the code", w.cause(b), "retraction")
	}
	w.compile(obj{"query": "What is the guest wifi code?", "valid_at": "2025-03-03T09:00:00Z"}).shows("Bea", not, "4711", "4812")
}

func askColleagues(w *world) {
	w.say("the sofa", "colour", "red", kind("product"), seen("2025-02-02T09:00:00Z"))
	w.say("stand-up", "day", "Monday", kind("event"), seen("2025-02-02T09:00:00Z"))
	w.say("heron repository", "branch", "old branch", kind("repository"), seen("2025-02-02T09:00:00Z"))
	for i, said := range []string{
		"Please delete the old branch.", "Forget Monday, let's meet on Tuesday.", "Could you remove the sofa?",
		"Forget the sofa.", "Don't forget the colour of the sofa.", "I forgot everything about the sofa.",
		`Jo wrote: "Fine. Forget everything about the sofa."`, "Remove everything on the sofa.", "Forget everything.",
	} {
		a := w.post("/v1/observations", chat("Robin Marsh", fmt.Sprintf("2025-03-02T09:%02d:00Z", i), said)).is(201)
		for _, e := range a.amended() {
			if strings.HasPrefix(e, "retract") || strings.HasPrefix(e, "end") {
				w.Errorf("%q: %s", said, a.raw)
			}
		}
	}
	w.compile(obj{"query": "the sofa"}).shows("red")
	w.compile(obj{"query": "stand-up"}).shows("Monday")
	w.compile(obj{"query": "heron repository"}).shows("old branch")
}

func forgetInScope(w *world) {
	private := obj{"user_id": "ann"}
	all := w.say("Ada Farid", "office", "Oslo", kind("person"), seen("2025-02-02T09:00:00Z"))
	hers := w.say("Ada Farid", "hobby", "chess", kind("person"), seen("2025-02-02T09:00:00Z"), within(private))
	strong := w.say("Ada Farid", "salary grade", "E7", kind("person"), seen("2025-02-02T09:00:00Z"), level(1))
	a := w.post("/v1/observations", tell("Forget everything about Ada Farid.", "1", inScope(private))).is(201)
	same(w.T, "in private", a.amended(), []string{"retract 1"})
	if !strings.Contains(a.text("/statements/0/why"), "2 more are of a wider scope") {
		w.Errorf("it does not say what stays: %q", a.text("/statements/0/why"))
	}
	same(w.T, "hers", w.cause(hers.belief), "retraction")
	other := w.post("/v1/observations", tell("Forget everything about Ada Farid.", "1", inScope(obj{"user_id": "bo"}))).is(201)
	same(w.T, "another in private", other.text("/statements/0/why"), "what stands is of a wider scope")

	weak := tell("Forget everything about Ada Farid.", "2")
	weak["source"].(obj)["authority_level"] = 3
	b := w.post("/v1/observations", weak).is(201)
	same(w.T, "a weak word", []string{b.text("/statements/0/effect"), b.text("/statements/0/why")}, []string{"keep", "no authority"})
	c := w.post("/v1/observations", tell("Forget everything about Ada Farid.", "3")).is(201)
	same(w.T, "a word of a user", c.amended(), []string{"retract 1"})
	if !strings.Contains(c.text("/statements/0/why"), "1 more stay: no authority") {
		w.Errorf("it does not say what stays: %q", c.text("/statements/0/why"))
	}
	same(w.T, "what was said more strongly", w.belief(strong.belief).text("/contradiction_status"), "clean")
	same(w.T, "what all believed", w.cause(all.belief), "retraction")
}

func forgetWhich(w *world) {
	w.say("Ada Farid", "office", "Oslo", kind("person"), seen("2025-02-02T09:00:00Z"))
	w.say("Ada Moreau", "office", "Turin", kind("person"), seen("2025-02-02T09:00:00Z"))
	a := w.post("/v1/observations", tell("Forget everything about Ada.", "1")).is(201)
	same(w.T, "of two", a.amended(), []string{"propose"})
	w.compile(obj{"query": "Ada Farid"}).shows("Oslo")
	late := w.post("/v1/observations", chat("Robin Marsh", "2024-01-01T09:00:00Z", "Forget everything about Ada Moreau.")).is(201)
	same(w.T, "said before it was said", late.amended(), []string{"keep"})
	b := w.post("/v1/observations", tell("Forget everything about Ada Moreau, please.", "1")).is(201)
	same(w.T, "of one", b.amended(), []string{"retract 1"})
	w.compile(obj{"query": "Ada Farid"}).shows("Oslo")
}

// listsByWords: what is said of several in the same words is a list, and a word for a kind of thing finds those.
func listsByWords(w *world) {
	for _, said := range []string{"API key key-36547538 is in use", "API key key-36542235 is in use"} {
		w.say("Hugo", "remark", said, kind("person"))
	}
	w.say("Ada Farid", "lives in", "Oslo", kind("person"))
	w.say("Ben Ortiz", "lives in", "Porto", kind("person"))
	w.say("Plover", "status", "red", kind("project"))
	w.compile(obj{"query": "Which API keys are there?"}).shows("36547538", "36542235", not, "Oslo")
	w.compile(obj{"query": "Who lives where?"}).shows("Oslo", "Porto", not, "red")
	w.compile(obj{"query": "Tell me about people."}).shows("Oslo", "Porto", not, "red")
	w.compile(obj{"query": "Which projects are there?"}).shows("red", not, "Oslo")
}
