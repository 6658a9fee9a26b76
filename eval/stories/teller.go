package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	api "tenure/client"
)

// teller tells one story to one tenant. It keeps every check, request and answer. A request that is refused where
// the story needs its answer ends the story, by a panic that finish recovers.
type teller struct {
	ctx      context.Context //nolint:containedctx // a story is one sequence of calls
	url, key string
	entities map[string]string // the id of each name that was said
	checks   []*check
	log      []exchange
}

// check is one expectation.
type check struct {
	Check      string `json:"check"`
	OK         bool   `json:"ok"`
	Got        any    `json:"got"`
	Documented bool   `json:"documented"`
	After      int    `json:"after"` // how many requests had been sent
}

// documented marks a check whose failure is what the documents promise.
func (c *check) documented() { c.Documented = true }

type exchange struct {
	Request string          `json:"request"`
	Body    any             `json:"body,omitempty"`
	Status  int             `json:"status"`
	Answer  json.RawMessage `json:"answer,omitempty"`
}

// broken is why a story cannot be told to its end.
type broken string

// finish tells a story and returns why it ended early, if it did.
func (t *teller) finish(tell func(*teller)) (why string) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case broken:
			why = string(p)
		default:
			why = fmt.Sprint(p)
		}
	}()
	tell(t)
	return ""
}

// obj is a JSON object.
type obj = map[string]any

// call sends a request with the key of the story, and returns the status and the body of the answer.
func (t *teller) call(method, path string, body any) (status int, answer []byte) {
	return t.callAs(t.key, method, path, body)
}

func (t *teller) callAs(key, method, path string, body any) (status int, answer []byte) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			panic(broken(err.Error()))
		}
	}
	req, err := http.NewRequestWithContext(t.ctx, method, t.url+path, bytes.NewReader(text))
	if err != nil {
		panic(broken(err.Error()))
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(broken(err.Error()))
	}
	defer res.Body.Close()
	if answer, err = io.ReadAll(res.Body); err != nil {
		panic(broken(err.Error()))
	}
	kept := exchange{Request: method + " " + path, Body: body, Status: res.StatusCode}
	if json.Valid(answer) {
		kept.Answer = answer
	}
	t.log = append(t.log, kept)
	return res.StatusCode, answer
}

// want is call for an answer that the story needs.
func want[T any](t *teller, method, path string, body any) (into T) {
	status, answer := t.call(method, path, body)
	if refused(status) {
		panic(broken(fmt.Sprintf("%s %s: %d %s", method, path, status, answer)))
	}
	if err := json.Unmarshal(answer, &into); err != nil {
		panic(broken(fmt.Sprintf("%s %s: %v", method, path, err)))
	}
	return into
}

func refused(status int) bool { return status >= http.StatusBadRequest }

// said is what was answered to a claim.
type said struct {
	api.BeliefAnswer

	Seq         string      `json:"seq"` // as known_at takes it
	Entity      string      `json:"entity"`
	Observation string      `json:"observation"`
	Recorded    string      `json:"recorded"`
	Decision    api.Outcome `json:"decision"`
	number      int64       // Seq
}

// saying is what say sends; its options change it.
type saying struct {
	source, mention, claim, rest obj
}

type option func(*saying)

// rank is the authority of the speaker, 0 the highest, and the trust in the source.
func rank(level int, trust float64) option {
	return func(s *saying) { s.source["authority_level"], s.source["source_authority"] = level, trust }
}

// level is rank for a source of the usual trust.
func level(n int) option { return func(s *saying) { s.source["authority_level"] = n } }

// by names the speaker. The origin is a conversation with the speaker, unless from names another.
func by(speaker string) option { return func(s *saying) { s.source["speaker"] = speaker } }

func from(origin string) option { return func(s *saying) { s.source["origin"] = origin } }

// of is the type of the subject, person unless it is said.
func of(kind string) option { return func(s *saying) { s.mention["type"] = kind } }

func attributes(a obj) option { return func(s *saying) { s.mention["attributes"] = a } }

func in(scope obj) option { return func(s *saying) { s.rest["scope"] = scope } }

func words(text string) option { return func(s *saying) { s.rest["text"] = text } }

// with sets any other field of the claim.
func with(field string, value any) option { return func(s *saying) { s.claim[field] = value } }

// replacing is with for a supersession by name.
func replacing(predicates ...string) option { return with("supersedes", predicates) }

// say makes one observation with one claim. Unless it is told otherwise, Dana Field says it of a person, at level 2.
func (t *teller) say(who, predicate string, value any, at string, options ...option) said {
	s := saying{
		source:  obj{"authority_level": 2, "source_authority": 0.8, "speaker": "Dana Field"},
		mention: obj{"name": who, "type": "person"},
		claim:   obj{"subject": obj{"mention": 0}, "predicate": predicate, "value": value},
		rest:    obj{},
	}
	for _, o := range options {
		o(&s)
	}
	if s.source["origin"] == nil {
		s.source["origin"] = "conversation://" + strings.ReplaceAll(s.source["speaker"].(string), " ", "-")
	}
	body := obj{"source": s.source, "observed_at": at, "mentions": []obj{s.mention}, "claims": []obj{s.claim}}
	for field, v := range s.rest {
		body[field] = v
	}
	return t.observe(who, body)
}

// observe sends an observation whose first mention is who, and returns what was answered to its first claim.
func (t *teller) observe(who string, body obj) said {
	a := want[struct {
		api.ObservationAnswer

		RecordedAt string `json:"recorded_at"` // as it was written
	}](t, http.MethodPost, "/v1/observations", body)
	t.entities[who] = a.Mentions[0].EntityId
	return said{
		BeliefAnswer: a.Beliefs[0], Seq: fmt.Sprint(a.Seq), Entity: a.Mentions[0].EntityId, Observation: a.ObservationId,
		Recorded: a.RecordedAt, Decision: a.Mentions[0].Decision, number: a.Seq,
	}
}

// talk makes an observation of words alone.
func (t *teller) talk(at, text string) {
	want[any](t, http.MethodPost, "/v1/observations", obj{
		"source": obj{
			"origin": "conversation://1", "authority_level": 2, "source_authority": 0.8, "speaker": "Dana Field",
		},
		"observed_at": at, "text": text,
	})
}

// amend retracts, ends or confirms a belief.
func (t *teller) amend(belief, how string, body obj) api.AmendmentAnswer {
	return want[api.AmendmentAnswer](t, http.MethodPost, "/v1/beliefs/"+belief+"/"+how, body)
}

// term adds terms to the vocabulary of predicates.
func (t *teller) term(terms ...obj) {
	v := want[api.Vocabulary](t, http.MethodGet, "/v1/vocabularies/predicates", nil)
	want[any](t, http.MethodPut, "/v1/vocabularies/predicates", obj{"closed": false, "version": v.Version, "terms": terms})
}

// param is a parameter of a query.
type param struct{ name, value string }

func validAt(at string) param      { return param{"valid_at", at} }
func knownAt(at string) param      { return param{"known_at", at} }
func standing(status string) param { return param{"status", status} }

// listing is the path of a list of beliefs.
func listing(params ...param) string {
	values := url.Values{}
	for _, p := range params {
		values.Set(p.name, p.value)
	}
	return "/v1/beliefs?" + values.Encode()
}

// beliefs returns the beliefs about somebody, those that stand unless a parameter says otherwise.
func (t *teller) beliefs(who, predicate string, params ...param) []api.Belief {
	all := append([]param{{"entity_id", t.entities[who]}, {"predicate", predicate}, standing("clean")}, params...)
	return want[api.BeliefPage](t, http.MethodGet, listing(all...), nil).Items
}

// believed returns the values of beliefs, sorted by their JSON.
func (t *teller) believed(who, predicate string, params ...param) []any {
	values := []any{}
	for _, b := range t.beliefs(who, predicate, params...) {
		values = append(values, b.Value)
	}
	slices.SortFunc(values, func(a, b any) int { return cmp.Compare(asJSON(a), asJSON(b)) })
	return values
}

// agreed lists what is believed, each value once, whoever says it.
func (t *teller) agreed(who, predicate string) (values []any) {
	for _, v := range t.believed(who, predicate) {
		if !slices.ContainsFunc(values, func(have any) bool { return equal(have, v) }) {
			values = append(values, v)
		}
	}
	return values
}

// cases returns the open cases of the quarantine.
func (t *teller) cases() []api.Case {
	return want[api.CasePage](t, http.MethodGet, "/v1/quarantine", nil).Items
}

// asking is a question, and what its context has to hold and must not hold.
type asking struct {
	key      string
	body     obj
	has, not []string
}

type part func(*asking)

func has(texts ...string) part { return func(a *asking) { a.has = texts } }
func not(texts ...string) part { return func(a *asking) { a.not = texts } }

// as asks with another key.
func as(key string) part { return func(a *asking) { a.key = key } }

// where sets any other field of the request.
func where(field string, value any) part { return func(a *asking) { a.body[field] = value } }

// context checks what is compiled for a question about somebody, "" for a question that names its entities by its
// words alone.
func (t *teller) context(question, who string, parts ...part) {
	a := asking{key: t.key, body: obj{"query": question, "entities": []string{}}, has: []string{}, not: []string{}}
	if who != "" {
		a.body["entities"] = []string{t.entities[who]}
	}
	for _, p := range parts {
		p(&a)
	}
	status, answer := t.callAs(a.key, http.MethodPost, "/v1/compile", a.body)
	var c api.Compilation
	if err := json.Unmarshal(answer, &c); refused(status) || err != nil {
		panic(broken(fmt.Sprintf("compile: %d %s", status, answer)))
	}
	text := c.Envelope.Text
	t.check(fmt.Sprintf("context has %s and not %s", asJSON(a.has), asJSON(a.not)), holds(text, a.has, a.not), text)
}

// holds reports whether a text contains every string of has and none of not.
func holds(text string, has, not []string) bool {
	within := func(s string) bool { return strings.Contains(text, s) }
	for _, s := range has {
		if !within(s) {
			return false
		}
	}
	return !slices.ContainsFunc(not, within)
}

func (t *teller) check(what string, ok bool, got any) *check {
	c := &check{Check: what, OK: ok, Got: got, After: len(t.log)}
	t.checks = append(t.checks, c)
	return c
}

func (t *teller) equal(what string, got, gold any) *check {
	return t.check(what+": want "+asJSON(gold), equal(got, gold), got)
}

// equal reports whether two values are the same JSON, whatever their Go types.
func equal(a, b any) bool { return asJSON(plain(a)) == asJSON(plain(b)) }

// plain returns what a value is once it went through JSON.
func plain(v any) (p any) {
	if err := json.Unmarshal([]byte(asJSON(v)), &p); err != nil {
		panic(broken(err.Error()))
	}
	return p
}

// list is a list of values.
func list(values ...any) []any { return append([]any{}, values...) }

// d is an instant of 2025, by its month and day, and its time of day where it is not nine o'clock.
func d(day string, clock ...string) string {
	if len(clock) == 0 {
		clock = []string{"09:00:00"}
	}
	return "2025-" + day + "T" + clock[0] + "Z"
}
