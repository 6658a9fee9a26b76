package httpapi_test

import (
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"tenure"
)

// secrecy is an observer, the labels that it does not see, and those that it does.
type secrecy struct {
	name          string
	observer      tenure.Caller
	hidden, shown []label
}

// label says what evidence states of who may see it.
type label object

func (l label) on(o object) object { // the scopes of several labels would be one object
	for k, v := range l {
		if scope, ok := v.(object); ok {
			v = maps.Clone(scope)
		}
		o[k] = v
	}
	return o
}

// ofClaims reports whether claims may state the label: they have the scope of their observation.
func (l label) ofClaims() bool { return l["scope"] == nil }

func classified(level string) label         { return label{"security_classification": level} }
func scoped(scope object) label             { return label{"scope": scope} }
func permitted(rule string, r string) label { return label{"permission_scope": object{rule: []any{r}}} }

// and returns a label that states what all of the labels state.
func and(list ...label) label {
	out := label{}
	for _, l := range list {
		maps.Copy(out, l)
	}
	return out
}

var (
	public, restricted, confidential = classified("public"), classified("restricted"), classified("confidential")

	unlabelled = label{}
	ofU1       = scoped(object{"user_id": "u1"})
	ofU2       = scoped(object{"user_id": "u2"})
	inP1       = scoped(object{"project_id": "p1"})
	inP2       = scoped(object{"project_id": "p2"})
	forHR      = permitted("allow_roles", "hr")
	forSales   = permitted("allow_roles", "sales")
	notSales   = permitted("deny_roles", "sales")
	notFinance = permitted("deny_roles", "finance")
)

// secrecies are of every kind of label.
var secrecies = []secrecy{
	{
		"clearance", tenure.Caller{Clearance: tenure.Restricted},
		[]label{confidential, classified("highly_restricted")}, []label{unlabelled, unlabelled, public},
	},
	{
		"user", tenure.Caller{Clearance: tenure.Restricted, Bound: tenure.Scope{UserID: "u2"}},
		[]label{ofU1, and(ofU1, public)}, []label{unlabelled, unlabelled, ofU2},
	},
	{
		"project", tenure.Caller{Clearance: tenure.Restricted, Bound: tenure.Scope{ProjectID: "p1"}},
		[]label{inP2, and(inP2, public)}, []label{unlabelled, unlabelled, inP1, and(inP1, public)},
	},
	{
		"role", tenure.Caller{Clearance: tenure.Restricted},
		[]label{forHR}, []label{unlabelled, unlabelled, notFinance},
	},
	{
		"public", tenure.Caller{Clearance: tenure.Public},
		[]label{restricted, confidential}, []label{public},
	},
	{
		"denied", tenure.Caller{Clearance: tenure.Restricted, Role: "sales"},
		[]label{notSales, and(notSales, public)}, []label{unlabelled, unlabelled, forSales},
	},
	{
		"combined", tenure.Caller{
			Clearance: tenure.Restricted, Role: "sales", Bound: tenure.Scope{UserID: "u2", ProjectID: "p1"},
		},
		[]label{
			confidential, ofU1, inP2, forHR, notSales, and(confidential, ofU2), and(public, ofU1), and(inP1, notSales),
			and(ofU2, forHR), scoped(object{"user_id": "u1", "project_id": "p1"}),
			scoped(object{"user_id": "u2", "project_id": "p2"}),
		},
		[]label{
			unlabelled, unlabelled, public, ofU2, inP1, forSales, notFinance, and(public, inP1),
			scoped(object{"user_id": "u2", "project_id": "p1"}),
		},
	},
}

var (
	people = []string{"Jon Smith", "Jonathan Smith", "Ann Lee", "Ana Lee", "Maria Kovac", "Marta Kovac", "Smith, Jon", "Li Wei"}
	others = []string{"Acme", "Acme Corp", "Globex", "Project Nova", "Nova"}
	mails  = []string{"jon@acme.example", "ann@acme.example", "mk@globex.example"}
	passes = []string{"P1234567", "K7654321", "X1112223"}
	rooms  = []any{"Oslo", "Rome", "Kotka", 12, "EUR 90,000"}
	terms  = []string{"office", "salary", "budget", "employer", "status"}
)

func pick[T any](r *mathrand.Rand, list []T) T { return list[r.IntN(len(list))] }

// one reports whether something happens that happens once in n times.
func (w *twoWorlds) one(n int) bool { return w.rnd.IntN(n) == 0 }

// evidence returns a write of evidence under one of some labels.
func (w *twoWorlds) evidence(labels []label) request {
	r := request{method: "POST", path: "/v1/observations", key: w.key()}
	l := pick(w.rnd, labels)
	switch w.rnd.IntN(8) {
	case 0:
		if l["permission_scope"] != nil {
			return w.evidence(labels)
		}
		r.path, r.body = "/v1/remember", w.facts(l)
	case 1:
		r.path, r.body = "/v1/documents", l.on(w.document())
	case 2:
		r.body = l.on(w.said())
	default:
		r.body = l.on(w.observation())
		w.relabel(r.body.(object), labels)
	}
	return r
}

// hiddenEvidence returns a write of evidence that the observer may not see.
func (w *twoWorlds) hiddenEvidence() request {
	r := w.evidence(w.secrecy.hidden)
	if !w.cases || r.path == "/v1/documents" {
		return r
	}
	const weak = 4 // weaker than all that is seen
	if o := r.body.(object); o["source"] != nil {
		o["source"].(object)["authority_level"] = weak
	} else {
		o["authority_level"] = weak
	}
	return r
}

// key returns one of a few Idempotency-Keys, or none.
func (w *twoWorlds) key() string {
	if w.one(4) {
		return fmt.Sprint("k", w.rnd.IntN(100))
	}
	return ""
}

// relabel gives claims labels of their own.
func (w *twoWorlds) relabel(o object, labels []label) {
	claims, _ := o["claims"].([]any)
	for _, c := range claims {
		if l := pick(w.rnd, labels); w.one(3) && l.ofClaims() {
			l.on(c.(object))
		}
	}
}

// facts returns facts by names, which state no permission and name the ids of their scope themselves.
func (w *twoWorlds) facts(l label) object {
	o := l.on(object{"facts": []any{object{
		"subject": pick(w.rnd, append([]string{"Jon", "Ann", "Kovac"}, people...)), "predicate": pick(w.rnd, terms),
		"object": fmt.Sprint(pick(w.rnd, rooms)),
	}}})
	if scope, ok := o["scope"].(object); ok {
		delete(o, "scope")
		maps.Copy(o, scope)
	}
	if w.one(2) {
		o["session_id"] = "s1"
	}
	return o
}

// document returns one of a few documents, with one of a few texts.
func (w *twoWorlds) document() object {
	return object{
		"uri":  pick(w.rnd, []string{"doc://1", "doc://2", "doc://3"}),
		"text": pick(w.rnd, []string{"The office is in Oslo.", "The office is in Rome.", "# Budget\n\nIt is EUR 90,000."}),
	}
}

// said returns a turn of a conversation, which is read.
func (w *twoWorlds) said() object {
	name, other, room := pick(w.rnd, people), pick(w.rnd, others), fmt.Sprint(pick(w.rnd, rooms))
	if !w.cases && w.one(3) { // hidden evidence that says what is seen would be part of its ties
		return object{"source": object{"origin": "chat://3"}, "text": pick(w.rnd, []string{
			"The office of Ann Lee is Oslo.", "The office of Ann Lee is not Oslo any more.", "Forget the office of Ann Lee.",
		})}
	}
	return object{
		"source": object{
			"origin": pick(w.rnd, []string{"chat://1", "chat://2"}), "speaker": pick(w.rnd, []string{"Dana", "Eve"}),
		},
		"text": pick(w.rnd, []string{
			name + " works at " + other + ".", name + "'s office is in " + room + ".",
			"The budget of " + other + " is " + room + ".", "Her salary is EUR 80,000.", "He moved to " + room + ".",
			"No, it is " + room + ".", "Forget what I said.",
			strings.ToLower(name) + " is in " + room + " now, not with " + other + ".",
			name + " reports to " + pick(w.rnd, people) + ".", "The status of " + strings.ToLower(other) + " is done.",
			"Could we make the office of " + name + " " + room + "?", "Maybe the budget of " + other + " should be " + room + ".",
			name + " left " + other + ".", "The budget of " + other + " is no longer " + room + ".",
		}),
	}
}

func (w *twoWorlds) mention() object {
	m := object{"name": pick(w.rnd, people), "type": "person"}
	if w.one(3) {
		m = object{"name": pick(w.rnd, others), "type": "organization"}
	}
	attributes := object{}
	if w.one(3) {
		attributes["email"] = []any{pick(w.rnd, mails)}
	}
	if w.one(4) {
		attributes["passport"] = []any{pick(w.rnd, passes)}
	}
	if len(attributes) > 0 {
		m["attributes"] = attributes
	}
	if w.one(4) {
		m["context"] = pick(w.rnd, []string{"head of sales", "a customer in Oslo"})
	}
	if w.one(5) {
		m["aliases"] = []any{pick(w.rnd, people)}
	}
	if w.one(6) {
		m["record"] = object{"source": "crm", "id": fmt.Sprint(w.rnd.IntN(6))}
	}
	return m
}

func (w *twoWorlds) observation() object {
	source := object{
		"origin": "test://" + pick(w.rnd, []string{"crm", "chat", "hr"}), "authority_level": 1 + w.rnd.IntN(3),
		"speaker": pick(w.rnd, []string{"Dana", "Eve"}),
	}
	if w.one(4) {
		source["session_id"] = "s1"
	}
	o := object{"source": source, "mentions": []any{w.mention(), w.mention()}}
	if w.one(3) { // what several say of one time is a tie
		o["observed_at"] = start.Format(time.RFC3339)
	}
	if !w.one(4) {
		o["claims"] = []any{w.claim()}
	}
	if w.one(6) {
		o["claims"] = []any{w.claim(), w.claim()}
	}
	return o
}

func (w *twoWorlds) claim() object {
	c := object{"subject": object{"mention": 0}, "predicate": pick(w.rnd, terms), "value": pick(w.rnd, rooms)}
	if w.one(4) {
		c["predicate"], c["value"] = "manager", object{"mention": 1}
	}
	if w.one(5) {
		c["predicate"] = fmt.Sprint("secret_", w.rnd.IntN(3))
	}
	if w.one(4) {
		maps.Copy(c, pick(w.rnd, directives))
	}
	if known := w.without.known["belief_id"]; len(known) > 0 && w.one(4) {
		c[pick(w.rnd, []string{"supersedes", "depends_on"})] = []any{pick(w.rnd, known)}
	}
	return c
}

// directives are what makes a claim say how to act.
var directives = []object{
	{"object_type": "policy_rule"}, {"object_type": "preference"}, {"is_constraint": true},
	{"object_type": "preference", "why_it_matters": "when code is written"},
	{"behavioral_implication": "say so", "applicable_task_types": []string{"code_generation"}},
}

// mixed has an observation be written that has a claim which the observer may see and one which it may not, and which
// is another in each world. So is the mention that it alone is about.
func (w *twoWorlds) mixed() {
	l := pick(w.rnd, w.secrecy.hidden)
	if !l.ofClaims() {
		return
	}
	o := w.observation()
	seen := object{"subject": object{"mention": 0}, "predicate": pick(w.rnd, terms), "value": pick(w.rnd, rooms)}
	if w.secrecy.observer.Clearance == tenure.Public {
		public.on(seen)
	}
	one, other := w.claim(), object{"subject": object{"mention": 0}, "predicate": "secret_9", "value": "nothing"}
	one["value"] = pick(w.rnd, rooms) // a claim is about its value, too
	delete(one, "supersedes")
	delete(one, "depends_on")
	known, nobody := o["mentions"].([]any)[1], any(object{"name": "Nobody", "type": "person"})
	about := w.rnd.IntN(2)
	for _, c := range []object{one, other} {
		c["subject"] = object{"mention": about}
		l.on(c)
	}
	if about == 0 { // the other mention has the permission of the observation, which its claims do not narrow
		nobody = known
	}
	w.alias("o", w.created(w.with, o, seen, one, known), w.created(w.without, o, seen, other, nobody))
}

// created has one who sees everything write an observation of which the observer sees the first mention and claim, and
// returns its id, which these have.
func (w *twoWorlds) created(s *side, o object, seen, hidden object, mention any) string {
	o = maps.Clone(o)
	o["mentions"] = []any{o["mentions"].([]any)[0], mention}
	o["claims"] = []any{seen, hidden}
	rec := w.do(s, "trusted", request{method: "POST", path: "/v1/observations", body: o})
	if rec.Code != http.StatusCreated {
		w.t.Fatalf("%v: %d %s", o, rec.Code, rec.Body)
	}
	answer := values(w.t, rec)[0].(object)
	s.meet("", answer)
	for _, m := range answer["mentions"].([]any) {
		s.meet("mixed_mention", m.(object)["mention_id"])
	}
	return answer["observation_id"].(string)
}

// unseen returns the id of something that the observer does not see, and that those know who see everything; "" if
// there is none.
func (w *twoWorlds) unseen(collection string) string {
	var list []string
	for _, field := range fieldsOf[collection] {
		list = append(list, w.with.met[field]...)
	}
	if len(list) == 0 || collection == "mentions" { // which have no path
		return ""
	}
	if id := pick(w.rnd, list); !w.sees("/v1/" + collection + "/" + id) {
		return id
	}
	return ""
}

// sees reports whether the observer is shown what is under a path in the world with the hidden evidence.
func (w *twoWorlds) sees(path string) bool {
	return w.do(w.with, "observer", request{method: "GET", path: path}).Code != 404
}

// fieldsOf are the fields that have the ids of a collection.
var fieldsOf = map[string][]string{
	"observations": {"observation_id"}, "entities": {"entity_id", "root_id"}, "reviews": {"review_id"},
	"cannot-links": {"cannot_links", "decision_id"}, "merges": {"merge_id", "decision_id"},
	"splits": {"split_id", "decision_id"}, "beliefs": {"belief_id", "object_id"}, "amendments": {"amendment_id"},
	"quarantine": {"case_id"}, "documents": {"document_id"}, "compilations": {"trace_id"},
	"mentions": {"mention_id"},
}

// unseenDecision returns a decision about what the observer does not see, by one who sees everything.
func (w *twoWorlds) unseenDecision() (request, bool) {
	r := request{method: "POST", body: object{}}
	switch w.rnd.IntN(10) {
	case 0, 1:
		one, other := w.unseen("entities"), w.with.met["entity_id"]
		if one == "" || w.sees("/v1/entities/"+w.root(one)) {
			return r, false
		}
		into := pick(w.rnd, other)
		if w.one(2) {
			one, into = into, one
		}
		r.path, r.body = "/v1/entities/"+one+"/merge", object{"into": into}
	case 2, 3:
		return w.unseenSplit()
	case 4:
		return w.unseenAnswer("/v1/reviews?state=open&limit=200", "review_id", "/v1/reviews/", func(review object) request {
			body := object{"version": review["version"], "decision": "new_entity"}
			if candidates := review["candidates"].([]any); w.one(2) {
				body["decision"], body["into"] = "merge", pick(w.rnd, candidates).(object)["entity_id"]
			}
			return request{path: "/decision", body: body}
		})
	case 5:
		return w.unseenAnswer("/v1/quarantine?limit=200", "case_id", "/v1/quarantine/", func(c object) request {
			body := object{"version": c["version"], "accept": pick(w.rnd, c["holds"].([]any))}
			if w.one(3) {
				body = object{"version": c["version"], "both": true}
			}
			return request{path: "/resolution", body: body}
		})
	case 6:
		return w.unseenAnswer("/v1/tasks?kind=proposed_change&limit=200", "path", "", func(task object) request {
			return request{path: "/answer", body: object{
				"answer": pick(w.rnd, []string{"accept", "accept", "refuse"}), "version": task["version"],
			}}
		})
	case 7:
		id, what := w.unseen("beliefs"), pick(w.rnd, []string{"retract", "end", "confirm"})
		r.path = "/v1/beliefs/" + id + "/" + what
		return r, id != ""
	default:
		kind := pick(w.rnd, []string{"merges", "splits", "cannot-links", "reviews", "quarantine", "amendments"})
		id := w.unseen(kind)
		r.path = "/v1/" + kind + "/" + id + "/undo"
		return r, id != ""
	}
	return r, true
}

// root returns the root of an entity as those see it who see everything, in the world with the hidden evidence.
func (w *twoWorlds) root(entity string) string {
	return values(w.t, w.hide(request{method: "GET", path: "/v1/entities/" + entity}))[0].(object)["root_id"].(string)
}

// unseenAnswer returns an answer to one of the open questions of a list that the observer does not see.
func (w *twoWorlds) unseenAnswer(list, id, under string, answer func(object) request) (request, bool) {
	items := w.listed(list)
	items = slices.DeleteFunc(items, func(o object) bool { return w.sees(under + fmt.Sprint(o[id])) })
	if len(items) == 0 {
		return request{}, false
	}
	item := pick(w.rnd, items)
	r := answer(item)
	r.method, r.path = "POST", under+fmt.Sprint(item[id])+r.path
	return r, true
}

// listed returns the items of a list as those see it who see everything, in the world with the hidden evidence.
func (w *twoWorlds) listed(path string) (items []object) {
	for _, v := range values(w.t, w.hide(request{method: "GET", path: path})) {
		list, _ := v.(object)["items"].([]any)
		for _, o := range list {
			items = append(items, o.(object))
		}
	}
	return items
}

// unseenSplit returns a split of a mention that the observer does not see from the entity that it was assigned to, which
// it may see.
func (w *twoWorlds) unseenSplit() (request, bool) {
	id := w.unseen("observations")
	if id == "" {
		return request{}, false
	}
	o := values(w.t, w.hide(request{method: "GET", path: "/v1/observations/" + id}))[0].(object)
	mentions, _ := o["mentions"].([]any)
	mentions = slices.DeleteFunc(mentions, func(m any) bool {
		return slices.Contains(w.with.met["mixed_mention"], fmt.Sprint(m.(object)["mention_id"])) || m.(object)["entity_id"] == nil
	})
	if len(mentions) == 0 {
		return request{}, false
	}
	m := pick(w.rnd, mentions).(object)
	return request{
		method: "POST", path: "/v1/entities/" + m["entity_id"].(string) + "/split",
		body: object{"mentions": []any{m["mention_id"]}},
	}, true
}
