package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// reader is a model that reads each text as it is told.
type reader struct {
	*httptest.Server
	says atomic.Value
}

func newReader(t *testing.T) *reader {
	r := &reader{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		content := obj{"message": obj{"content": r.says.Load()}, "finish_reason": "stop"}
		_ = json.NewEncoder(w).Encode(obj{"choices": list{content}})
	}))
	t.Cleanup(r.Close)
	return r
}

// reads has the next text read as one clause, the whole of it.
func (r *reader) reads(text string, confidence float64, statement obj) {
	statement["clause"], statement["confidence"] = text, confidence
	raw, err := json.Marshal(obj{"turns": list{obj{"turn": 1, "statements": list{statement}}}})
	if err != nil {
		panic(err)
	}
	r.says.Store(string(raw))
}

// proposing is a world in which what is read of texts is not certain.
type proposing struct {
	*world
	reader *reader
}

// tells says a text of which it is not certain what it means, and returns the answer with the path of its proposal.
func (p proposing) tells(text string, statement obj, edits ...func(obj)) (a answer, path string) {
	p.Helper()
	p.reader.reads(text, .4, statement)
	turn := chat("Ilka", begun, text, edits...)
	a = p.post("/v1/observations", turn).is(201)
	if a.text("/statements/0/effect") != "propose" {
		p.Fatalf("%q proposes nothing: %s", text, a.raw)
	}
	return a, fmt.Sprintf("/v1/observations/%s/proposals/%s", a.text("/observation_id"), a.text("/statements/0/proposal"))
}

func (p proposing) budget(of, value string, edits ...func(obj)) (a answer, path string) {
	return p.tells(of+" gets "+value, obj{"act": "assert", "subject": of, "property": "budget", "new": value}, edits...)
}

func (p proposing) tasks(filters string) []string {
	return p.get("/v1/tasks"+filters).is(200).texts("/items", "/path")
}

func (p proposing) answer(path, answer string, headers ...string) answer {
	return p.post(path+"/answer", obj{"answer": answer, "version": 1}, headers...)
}

// TestProposals has changes that are not certain listed and told of, and answered.
func TestProposals(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		h := &hook{}
		receiver := httptest.NewServer(h)
		defer receiver.Close()
		secret := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(secret, []byte(hookSecret), 0o600); err != nil {
			t.Fatal(err)
		}
		r := newReader(t)
		srv := serve(t, e.store(t), "--statements-model-url", r.URL, "--statements-model", "small",
			"--webhook", receiver.URL, "--webhook-secret-file", secret, "--webhook-dir", filepath.Join(t.TempDir(), "hook"))
		for name, run := range map[string]func(proposing, *hook){
			"listed-and-accepted": proposalAccepted, "refused": proposalRefused, "dissolves": proposalDissolves,
			"who-may-see-and-answer": proposalIsolated, "page-by-page": proposalsPaged, "end-and-take-back": proposalEnds,
			"labelled": proposalLabelled, "said-in-a-compilation": proposalCompiled, "compiled-for-few": proposalCompiledForFew,
			"compiled-of-a-member": proposalOfAMember,
		} {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t, e, srv)
				h.set(func() { h.tenant, h.got = w.tenant, nil })
				run(proposing{w, r}, h)
				verify(t, srv.store, w.tenant, srv.login...)
			})
		}
	})
}

func proposalAccepted(p proposing, h *hook) {
	atlas := p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.settled()
	told, path := p.budget("Atlas", "5500 dollars")
	same(p.T, "warnings", told.warnings(), []string{"text_only ", "proposed_change /text"})
	same(p.T, "nothing is changed", p.believed(atlas.entity, "budget"), []string{"4000 dollars"})
	list := p.get("/v1/tasks?count=true").is(200)
	for pointer, want := range map[string]string{
		"/total": "1", "/items/0/kind": "proposed_change", "/items/0/path": path, "/items/0/name": "Atlas",
		"/items/0/predicate": "budget", "/items/0/waits_for": "user_confirmation", "/items/0/version": "1",
		"/items/0/proposal/text": "Atlas gets 5500 dollars", "/items/0/proposal/speaker": "Ilka",
		"/items/0/proposal/entity_id": atlas.entity, "/items/0/proposal/effect": "set",
		"/items/0/proposal/value": "5500 dollars", "/items/0/proposal/stands/0/value": "4000 dollars",
		"/items/0/proposal/stands/0/belief_id": atlas.belief,
	} {
		same(p.T, pointer, list.text(pointer), want)
	}
	for filter, n := range map[string]int{
		"?kind=proposed_change": 1, "?kind=case": 0, "?kind=review": 0, "?waits_for=tool_lookup": 0, "?project_id=x": 0,
		"?lease=held": 0, "?lease=free": 1,
	} {
		same(p.T, filter, len(p.tasks(filter)), n)
	}
	eventually(p.T, "the webhook tells", func() bool { _, n := h.last(); return n == 1 })
	event, _ := h.last()
	same(p.T, "what it tells", text(event, "/task/kind")+" "+text(event, "/task/path")+" "+text(event, "/task/id"),
		"proposed_change "+path+" "+list.text("/items/0/id"))
	before := p.asOfNow()

	p.post(path+"/answer", obj{"answer": "accept", "version": 2}).problem(409, "conflict", "/version")
	p.post(path+"/answer", obj{"answer": "perhaps", "version": 1}).problem(400, "invalid", "/answer")
	done := p.answer(path, "accept", idem+"yes").is(200)
	same(p.T, "its state", done.text("/proposal/state")+" "+done.text("/proposal/version"), "accepted 2")
	same(p.T, "what it displaced", done.texts("/beliefs/0/superseded", ""), []string{atlas.belief})
	same(p.T, "the budget", p.believed(atlas.entity, "budget"), []string{"5500 dollars"})
	made := p.belief(done.text("/beliefs/0/belief_id"))
	same(p.T, "in whose voice", made.text("/speaker"), "Ilka")
	p.unchanged("the same answer", func() {
		again := p.answer(path, "accept", idem+"yes").is(200)
		same(p.T, "replayed", again.text("/seq")+again.header.Get("Idempotency-Replayed"), done.text("/seq")+"true")
		p.answer(path, "accept").problem(409, "conflict")
		p.answer(path, "refuse").problem(409, "conflict")
	})
	same(p.T, "what waits", len(p.tasks("")), 0)
	same(p.T, "what waited", p.tasks("?known_at="+before), []string{path})
	same(p.T, "how it was", p.get(path+"?known_at="+before).is(200).text("/state"), "open")
	answered := p.get("/v1/observations/" + p.get(path).is(200).text("/answer_id")).is(200)
	same(p.T, "of which words", answered.text("/of"), told.text("/observation_id"))
	same(p.T, "the words", answered.text("/text"), "Atlas gets 5500 dollars")

	p.reader.reads("It is 5700 dollars", .9, obj{"act": "assert", "subject": "Atlas", "property": "budget", "new": "5700 dollars"})
	p.post("/v1/observations", chat("Ilka", "", "It is 5700 dollars", func(o obj) { delete(o, "observed_at") })).is(201)
	same(p.T, "who goes on speaking", p.believed(atlas.entity, "budget"), []string{"5700 dollars"})
}

func proposalRefused(p proposing, _ *hook) {
	atlas := p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.settled()
	_, path := p.budget("Atlas", "5500 dollars", func(o obj) { o["source"].(obj)["authority_level"] = 1 })
	agent := proposing{p.issue(obj{"roles": list{"agent"}, "max_authority": 2}), p.reader}
	agent.answer(path, "refuse").problem(403, "authority_too_high")
	done := p.post(path+"/answer", obj{"answer": "refuse", "version": 1, "reviewer": "Dana", "note": "She meant Orion."}).is(200)
	same(p.T, "its state", done.text("/proposal/state"), "refused")
	same(p.T, "who refused", done.text("/proposal/reviewer")+": "+done.text("/proposal/note"), "Dana: She meant Orion.")
	same(p.T, "what it made", len(done.items("/beliefs")), 0)
	same(p.T, "the budget", p.believed(atlas.entity, "budget"), []string{"4000 dollars"})
	same(p.T, "what waits", len(p.tasks("")), 0)
	p.answer(path, "accept").problem(409, "conflict")

	_, path = p.budget("Atlas", "5600 dollars")
	answers := make([]answer, 2)
	var both sync.WaitGroup
	for i, how := range []string{"accept", "refuse"} {
		both.Go(func() { answers[i], _ = p.try(p.Context(), "POST", path+"/answer", obj{"answer": how, "version": 1}) })
	}
	both.Wait()
	same(p.T, "two at once", min(answers[0].status, answers[1].status)*1000+max(answers[0].status, answers[1].status), 200409)
}

func proposalDissolves(p proposing, _ *hook) {
	atlas := p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	orion := p.say("Orion", "budget", "100 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	vega := p.say("Vega", "budget", "10 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.post("/v1/beliefs/"+vega.belief+"/retract", obj{}).is(200)
	p.settled()
	_, one := p.budget("Atlas", "5500 dollars")
	_, two := p.budget("Orion", "200 dollars")
	_, three := p.tells("the budget of Vega is 30 dollars",
		obj{"act": "assert", "subject": "Vega", "property": "budget", "new": "30 dollars"})
	p.say("Atlas", "budget", "6000 dollars", kind("project"))
	p.post("/v1/beliefs/"+orion.belief+"/retract", obj{}).is(200)
	same(p.T, "where nothing stands", p.get(three).is(200).text("/state"), "open")
	p.say("Vega", "budget", "20 dollars", kind("project"))
	for _, path := range []string{one, two, three} {
		same(p.T, "its state", p.get(path).is(200).text("/state"), "dissolved")
		p.answer(path, "accept").problem(409, "conflict")
	}
	same(p.T, "what waits", len(p.tasks("")), 0)
	same(p.T, "the budget", p.believed(atlas.entity, "budget"), []string{"6000 dollars"})
}

func proposalIsolated(p proposing, _ *hook) {
	ann := obj{"user_id": "ann"}
	p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.settled()
	_, private := p.budget("Atlas", "5500 dollars", inScope(ann))
	_, strong := p.budget("Atlas", "7000 dollars", func(o obj) { o["source"].(obj)["authority_level"] = 1 })
	same(p.T, "what waits", sorted(p.tasks("")...), sorted(private, strong))
	for what, key := range map[string]obj{
		"another user":     {"roles": list{"reviewer"}, "bound": obj{"user_id": "bob"}},
		"little clearance": {"roles": list{"reviewer"}, "clearance": "public"},
	} {
		other := proposing{p.issue(key), p.reader}
		if strings.Contains(fmt.Sprint(other.tasks("")), private) {
			p.Errorf("%s sees it in the list", what)
		}
		other.get(private).problem(404, "not_found")
		other.answer(private, "accept").problem(404, "not_found")
	}
	stranger := proposing{newWorld(p.T, p.engine, p.srv), p.reader}
	same(p.T, "another tenant", len(stranger.tasks("")), 0)
	stranger.get(private).problem(404, "not_found")
	p.get(strings.TrimSuffix(private, "1")+"9").problem(404, "not_found")
	p.get(strings.TrimSuffix(private, "1")+"0").problem(400, "invalid", "number")

	agent := proposing{p.issue(obj{"roles": list{"agent"}, "max_authority": 2}), p.reader}
	agent.get("/v1/tasks").problem(403, "forbidden")
	agent.answer(strong, "accept").problem(403, "authority_too_high")
	p.issue(obj{"roles": list{"analyst"}}).post(private+"/answer", obj{"answer": "accept", "version": 1}).problem(403, "forbidden")
	bound := proposing{p.issue(obj{"roles": list{"agent"}, "bound": ann}), p.reader}
	bound.answer(strong, "accept").problem(403, "forbidden")
	same(p.T, "an agent of hers", bound.answer(private, "accept").is(200).text("/proposal/state"), "accepted")
	p.compile(obj{"query": "What is the budget of Atlas?", "scope": ann}).shows("5500")
	p.compile(obj{"query": "What is the budget of Atlas?"}).shows("4000", not, "5500")
}

func proposalsPaged(p proposing, _ *hook) {
	var want []string
	for i, name := range []string{"Project Atlas", "Project Orion", "Project Heron", "Project Lantern", "Project Quarry"} {
		p.say(name, "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
		p.settled()
		_, path := p.budget(name, "5500 dollars", func(o obj) { o["observed_at"] = fmt.Sprintf("2025-03-02T09:%02d:00Z", i) })
		want = append([]string{path}, want...)
	}
	_, _, kase := p.tied("Ann Lee", "office", "Boston", "Chicago")
	want = append([]string{"/v1/quarantine/" + kase}, want...)
	same(p.T, "at once", p.tasks(""), want)
	var paged []string
	for path := "/v1/tasks?limit=1"; path != ""; {
		page := p.get(path).is(200)
		paged = append(paged, page.texts("/items", "/path")...)
		if path = ""; page.text("/next_cursor") != "" {
			path = "/v1/tasks?limit=1&cursor=" + page.text("/next_cursor")
		}
	}
	same(p.T, "one by one", paged, want)
}

func proposalEnds(p proposing, _ *hook) {
	atlas := p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	orion := p.say("Orion", "budget", "100 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.settled()
	_, path := p.tells("Atlas has lost its 4000 dollars", obj{"act": "end", "subject": "Atlas", "property": "budget", "old": "4000 dollars"})
	same(p.T, "what it would do", p.get(path).is(200).text("/effect"), "end")
	p.answer(path, "accept").is(200)
	same(p.T, "the budget", p.believed(atlas.entity, "budget"), []string{})
	same(p.T, "why", p.belief(atlas.belief).text("/segments/1/cause"), "end")
	_, path = p.tells("Orion never had 100 dollars", obj{"act": "retract", "subject": "Orion", "property": "budget", "old": "100 dollars"})
	p.answer(path, "accept").is(200)
	same(p.T, "what never was", p.belief(orion.belief).text("/segments/0/cause"), "retraction")
	same(p.T, "what waits", len(p.tasks("")), 0)
}

func proposalLabelled(p proposing, _ *hook) {
	p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.settled()
	words := "Atlas gets 5500 dollars"
	p.reader.reads(words, .4, obj{"act": "assert", "subject": "Atlas", "property": "budget", "new": "5500 dollars"})
	told := p.post("/v1/observations", chat("Ilka", begun, "[CONFIDENTIAL - only for HR] "+words)).is(201)
	path := "/v1/observations/" + told.text("/observation_id") + "/proposals/" + told.text("/statements/0/proposal")
	other := proposing{p.issue(obj{"roles": list{"reviewer"}, "clearance": "restricted"}), p.reader}
	same(p.T, "what waits for less clearance", len(other.tasks("")), 0)
	other.get(path).problem(404, "not_found")
	p.answer(path, "accept").problem(404, "not_found") // for HR alone
	hr := proposing{p.issue(obj{"roles": list{"agent", "reviewer"}, "clearance": "confidential", "role": "HR"}), p.reader}
	made := hr.belief(hr.answer(path, "accept").is(200).text("/beliefs/0/belief_id"))
	same(p.T, "for whom", append([]string{made.text("/security_classification")},
		made.texts("/permission_scope/allow_roles", "")...), []string{"confidential", "HR"})
}

// budgetOf is what a compilation says of a budget: the line, the status, and what the trace has of proposed changes.
func (p proposing) budgetOf(of string, more ...obj) []string {
	p.Helper()
	request := obj{"query": "What is the budget of " + of + "?"}
	for _, m := range more {
		maps.Copy(request, m)
	}
	c := p.compile(request)
	said := []string{c.text("/envelope/text"), c.validation()}
	for _, change := range c.items("/trace/state_compilation_metadata/proposed_changes") {
		said = append(said, fmt.Sprintf("/v1/observations/%s/proposals/%s", text(change, "/observation_id"), text(change, "/number")))
	}
	return said
}

// unmarked is a compilation that says nothing of proposed changes.
func unmarked(of, budget string) []string {
	return []string{"== Facts ==\n" + of + " / budget: " + budget, "CLEAN"}
}

// marked is a compilation that says that a change waits.
func marked(of, budget string, paths ...string) []string {
	line := unmarked(of, budget)[0] + " (a change was proposed on " + begun[:len(time.DateOnly)] + " and waits for an answer)"
	return append([]string{line, "PROPOSED"}, paths...)
}

// proposalCompiled checks that a compilation says that a change waits, without the value, until it is answered or
// another value is told.
func proposalCompiled(p proposing, _ *hook) {
	atlas := p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.settled()
	same(p.T, "before", p.budgetOf("Atlas"), unmarked("Atlas", "4000 dollars"))
	told, path := p.budget("Atlas", "5500 dollars")
	waiting := p.budgetOf("Atlas")
	same(p.T, "while it waits", waiting, marked("Atlas", "4000 dollars", path))
	c := p.compile(obj{"query": "What is the budget of Atlas?"})
	c.shows(not, "5500")
	change := c.items("/trace/state_compilation_metadata/proposed_changes")[0]
	same(p.T, "the trace", []string{text(change, "/proposal_id"), text(change, "/entity_id"), text(change, "/predicate"), text(change, "/object_ids/0")},
		[]string{p.get(path).is(200).text("/id"), atlas.entity, "budget", atlas.belief})
	same(p.T, "when it was said", text(change, "/said_at"), p.get(path).is(200).text("/observed_at"))
	same(p.T, "before it was said", p.budgetOf("Atlas", obj{"known_at": fmt.Sprint(told.seq("/seq") - 1)}), unmarked("Atlas", "4000 dollars"))

	done := p.answer(path, "accept").is(200)
	same(p.T, "accepted", p.budgetOf("Atlas"), unmarked("Atlas", "5500 dollars"))
	same(p.T, "as it was known", p.budgetOf("Atlas", obj{"known_at": fmt.Sprint(done.seq("/seq") - 1)}), waiting)
	_, path = p.budget("Atlas", "5600 dollars")
	same(p.T, "another", p.budgetOf("Atlas"), marked("Atlas", "5500 dollars", path))
	p.answer(path, "refuse").is(200)
	same(p.T, "refused", p.budgetOf("Atlas"), unmarked("Atlas", "5500 dollars"))
	_, path = p.budget("Atlas", "5700 dollars")
	same(p.T, "a third", p.budgetOf("Atlas"), marked("Atlas", "5500 dollars", path))
	p.say("Atlas", "budget", "6000 dollars", kind("project"), by("Ilka"), func(s statement) { delete(s.observation, "observed_at") })
	same(p.T, "dissolved", p.budgetOf("Atlas"), unmarked("Atlas", "6000 dollars"))
	same(p.T, "its state", p.get(path).is(200).text("/state"), "dissolved")
}

// proposalCompiledForFew checks that a compilation says nothing of a change that the caller may not know of.
func proposalCompiledForFew(p proposing, _ *hook) {
	p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.settled()
	inside := obj{"scope": obj{"project_id": "p1"}}
	_, path := p.budget("Atlas", "5500 dollars", inScope(obj{"project_id": "p1"}))
	same(p.T, "in the project", p.budgetOf("Atlas", inside), marked("Atlas", "4000 dollars", path))
	nothing := unmarked("Atlas", "4000 dollars")
	same(p.T, "in none", p.budgetOf("Atlas"), nothing)
	for what, key := range map[string]obj{
		"of another project":         {"roles": list{"agent"}, "bound": obj{"project_id": "p2"}},
		"of another project, admins": {"roles": list{"admin", "agent"}, "bound": obj{"project_id": "p2"}, "clearance": "highly_restricted"},
	} {
		other := proposing{p.issue(key), p.reader}
		same(p.T, what, other.budgetOf("Atlas"), nothing)
	}
	member := proposing{p.issue(obj{"roles": list{"agent"}, "bound": obj{"project_id": "p1"}}), p.reader}
	same(p.T, "of the project", member.budgetOf("Atlas"), marked("Atlas", "4000 dollars", path))

	p.say("Orion", "budget", "100 dollars", kind("project"), seen("2025-02-01T09:00:00Z"), claims("security_classification", "public"))
	p.settled()
	_, path = p.budget("Orion", "200 dollars")
	public := proposing{p.issue(obj{"roles": list{"agent"}, "clearance": "public"}), p.reader}
	same(p.T, "little clearance", public.budgetOf("Orion"), unmarked("Orion", "100 dollars"))
	cleared := proposing{p.issue(obj{"roles": list{"agent"}, "clearance": "restricted"}), p.reader}
	same(p.T, "enough clearance", cleared.budgetOf("Orion"), marked("Orion", "100 dollars", path))
}

// proposalOfAMember checks that a change of an entity that was merged since is said of its root; and one that would add
// a value in the trace alone.
func proposalOfAMember(p proposing, _ *hook) {
	atlas := p.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	vega := p.say("Vega", "budget", "10 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
	p.post("/v1/beliefs/"+vega.belief+"/retract", obj{}).is(200)
	p.settled()
	_, path := p.tells("the budget of Vega is 30 dollars",
		obj{"act": "assert", "subject": "Vega", "property": "budget", "new": "30 dollars"})
	unknown := "== Constraints ==\nVega / budget: unknown (nothing valid is known; answer \"unknown\")"
	same(p.T, "a first value", p.budgetOf("Vega"), []string{unknown, "PROPOSED", path})
	same(p.T, "of what is not Vega", p.budgetOf("Atlas"), unmarked("Atlas", "4000 dollars"))
	p.merge(vega.entity, atlas.entity)
	same(p.T, "of the root", p.budgetOf("Atlas"), marked("Atlas", "4000 dollars", path))
	same(p.T, "the entity in the trace", p.compile(obj{"query": "What is the budget of Vega?"}).
		text("/trace/state_compilation_metadata/proposed_changes/0/entity_id"), atlas.entity)
}
