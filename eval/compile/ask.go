package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tenure/encode"
	"tenure/internal/measure"
	"tenure/search"
	"tenure/text"
)

// answer is what a system put in the context of a question.
type answer struct {
	Engine, Set, World, System string
	Question                   question
	Compiled                   []string // keys, "" for what has none
	Lines                      []string // of Compiled
	Tokens                     int
	Prefix                     string // the key of the stable prefix
	Took                       time.Duration

	Found, Missing, Extra, Wrong []string
	Why                          []string // of each missing belief: what became of it
	Unknown                      []string // the properties that are said to be unknown

	trace string // the id of the compilation
}

// judge sorts what was compiled.
func (a *answer) judge(q question) {
	for i, key := range a.Compiled {
		switch {
		case slices.Contains(q.Needed, key):
			a.Found = append(a.Found, key)
		case slices.Contains(q.Forbidden, key):
			a.Wrong, a.Extra = append(a.Wrong, key), append(a.Extra, key+" "+a.Lines[i])
		case !slices.Contains(q.Allowed, key):
			a.Extra = append(a.Extra, key+" "+a.Lines[i])
		}
	}
	for _, key := range q.Needed {
		if !slices.Contains(a.Compiled, key) {
			a.Missing = append(a.Missing, key)
		}
	}
}

// system is a way to find a context.
type system struct {
	name string
	ask  func(t *teller, w *world, q question) (answer, error)
}

// baselineTop is how many beliefs the baseline puts in a context.
const baselineTop = 5

// byWords are the systems that know words alone.
var byWords = []system{
	{"compile, 500", compileWith(500)}, {middle, compileWith(2000)}, {"compile, 8000", compileWith(8000)},
	{fmt.Sprintf("BM25, best %d", baselineTop), baseline}, {fmt.Sprintf("recall, best %d", baselineTop), recalled},
}

// middle and middleWithVectors are the systems that are looked at more closely.
const (
	middle            = "compile, 2000"
	middleWithVectors = "compile with vectors, 2000"
)

// byVectors are those that have an encoder.
func byVectors(encoder encode.Embedder) []system {
	return []system{
		{"compile with vectors, 500", compileWith(500)}, {middleWithVectors, compileWith(2000)},
		{"compile with vectors, 8000", compileWith(8000)},
		{fmt.Sprintf("vectors, best %d", baselineTop), nearest(encoder)},
		{fmt.Sprintf("recall with vectors, best %d", baselineTop), recalled},
	}
}

// teller speaks to the service.
type teller struct {
	ctx     context.Context
	clients map[string]*measure.Client // by clearance
}

// send sends a request and decodes the answer.
func (t *teller) send(clearance, method, path string, body, out any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	got, err := t.clients[clearance].Send(t.ctx, method, path, raw)
	if err != nil {
		return err
	}
	return json.Unmarshal(got, out)
}

// tell writes a world.
func (t *teller) tell(w *world) error {
	for _, o := range w.Observations {
		var got struct {
			Beliefs []struct {
				ID id `json:"belief_id"`
			} `json:"beliefs"`
		}
		if err := t.send("", http.MethodPost, "/v1/observations", o.Body, &got); err != nil {
			return fmt.Errorf("%s: %w", o.Key, err)
		}
		for i, b := range got.Beliefs {
			w.claims[o.Key+"#"+strconv.Itoa(i)] = b.ID
		}
	}
	for _, d := range w.Documents {
		if err := t.ingest(w, d); err != nil {
			return fmt.Errorf("%s: %w", d.Key, err)
		}
	}
	return t.embedded(w)
}

// embedded waits until all vectors of a world are made, where there are vectors.
func (t *teller) embedded(w *world) error {
	for {
		var got struct {
			Degraded string `json:"degraded"`
		}
		body := map[string]any{"query": w.Questions[0].Query}
		if err := t.send("restricted", http.MethodPost, "/v1/recall", body, &got); err != nil || got.Degraded == "" {
			return err
		}
		time.Sleep(time.Second)
	}
}

// ingest writes a document, and finds which passage has which quotation. One without any is a distractor.
func (t *teller) ingest(w *world, d document) error {
	var made struct {
		ID id `json:"document_id"`
	}
	if err := t.send("", http.MethodPost, "/v1/documents", d.Body, &made); err != nil {
		return err
	}
	var got struct {
		Passages []struct {
			Number int    `json:"number"`
			Text   string `json:"text"`
		} `json:"passages"`
	}
	if err := t.send("", http.MethodGet, "/v1/documents/"+string(made.ID), nil, &got); err != nil {
		return err
	}
	for _, p := range got.Passages {
		at := fmt.Sprintf("%s %d", made.ID, p.Number)
		for key, quotation := range d.Passages {
			if strings.Contains(text.Spaced(p.Text), text.Spaced(quotation)) {
				w.passages[at] = append(w.passages[at], key)
			}
		}
		if len(w.passages[at]) == 0 {
			w.passages[at] = []string{d.Key + "/" + strconv.Itoa(p.Number)}
		}
	}
	return nil
}

// keyOf returns the key of a belief, "" if the world does not have it.
func (w *world) keyOf(b id) string {
	for key, known := range w.claims {
		if known == b {
			return key
		}
	}
	return ""
}

var leastBudget = regexp.MustCompile(`must be at least (\d+)`)

// compileWith asks the service for a context of so many tokens, or as few as it takes.
func compileWith(budget int) func(*teller, *world, question) (answer, error) {
	return func(t *teller, w *world, q question) (answer, error) {
		a, err := compileIn(t, w, q, budget)
		if err != nil {
			if least := leastBudget.FindStringSubmatch(err.Error()); least != nil {
				n, _ := strconv.Atoi(least[1])
				return compileIn(t, w, q, n)
			}
		}
		return a, err
	}
}

// found is how something came into a context.
type found struct {
	InForce    bool    `json:"in_force"`
	ByWords    bool    `json:"by_words"`
	Similarity float64 `json:"similarity"`
}

func (f found) how() (how string) {
	if f.InForce {
		how += ", in force"
	}
	if f.ByWords {
		how += ", by words"
	}
	if f.Similarity > 0 {
		how += fmt.Sprintf(", similarity %.2f", f.Similarity)
	}
	return how
}

// compiled is what a compilation answers, as far as it is scored.
type compiled struct {
	Trace struct {
		Tokens int `json:"compiled_prompt_tokens"`
		State  struct {
			Objects []struct {
				ID   id     `json:"object_id"`
				Zone string `json:"zone"`
				Pred string `json:"predicate"`
				found
			} `json:"compiled_objects"`
			Passages []struct {
				Document id  `json:"document_id"`
				Number   int `json:"number"`
				found
			} `json:"compiled_passages"`
			Unknown []struct {
				Predicate string `json:"predicate"`
			} `json:"unknown_slots"`
			Cache struct {
				Key string `json:"prompt_cache_key"`
			} `json:"cache_metadata"`
		} `json:"state_compilation_metadata"`
	} `json:"trace"`
	Run struct {
		Trace string `json:"trace_id"`
	} `json:"run"`
}

func compileIn(t *teller, w *world, q question, budget int) (a answer, err error) {
	var got compiled
	body := map[string]any{"query": q.Query, "budget_tokens": budget, "valid_at": w.Now}
	if q.ValidAt != nil {
		body["valid_at"] = *q.ValidAt
	}
	for name, value := range map[string]json.RawMessage{"task": q.Task, "scope": q.Scope, "identity": q.Identity} {
		if len(value) > 0 && string(value) != "null" {
			body[name] = value
		}
	}
	began := time.Now()
	if err := t.send(cmp.Or(q.Clearance, "restricted"), http.MethodPost, "/v1/compile", body, &got); err != nil {
		return a, err
	}
	a.trace = got.Run.Trace
	a.Took, a.Tokens, a.Prefix = time.Since(began), got.Trace.Tokens, got.Trace.State.Cache.Key
	for _, u := range got.Trace.State.Unknown {
		a.Unknown = append(a.Unknown, u.Predicate)
	}
	for _, o := range got.Trace.State.Objects {
		a.Compiled = append(a.Compiled, w.keyOf(o.ID))
		a.Lines = append(a.Lines, o.Zone+": "+o.Pred+o.how())
	}
	for _, p := range got.Trace.State.Passages {
		for _, key := range w.passages[fmt.Sprintf("%s %d", p.Document, p.Number)] {
			a.Compiled, a.Lines = append(a.Compiled, key), append(a.Lines, "a passage"+p.how())
		}
	}
	return a, nil
}

// explain asks what became of the beliefs that are missing.
func (t *teller) explain(w *world, q question, a *answer) error {
	for _, key := range a.Missing {
		b, ok := w.claims[key]
		if !ok || a.trace == "" {
			continue
		}
		var got struct {
			Outcome string `json:"outcome"`
			Omitted struct {
				Reason string `json:"reason"`
			} `json:"omitted"`
		}
		path := "/v1/compilations/" + a.trace + "/why?object=" + string(b)
		if err := t.send(cmp.Or(q.Clearance, "restricted"), http.MethodGet, path, nil, &got); err != nil {
			return err
		}
		a.Why = append(a.Why, cmp.Or(got.Omitted.Reason, got.Outcome))
	}
	return nil
}

// belief is a belief as a baseline sees it.
type belief struct {
	ID    id              `json:"object_id"`
	Pred  string          `json:"predicate"`
	Value json.RawMessage `json:"value"`
	Roots []id            `json:"canonical_entity_ids"` // of its subject, and of a value that is an entity

	subject string // the name of its subject
	said    string // its value, or the name of an entity that is it
}

// baseline puts the best beliefs by BM25 in the context, of those that are in the scope and stand.
func baseline(t *teller, w *world, q question) (a answer, err error) {
	list, err := t.visible(w, q)
	if err != nil {
		return a, err
	}
	number := map[string]int{}
	text.Terms(q.Query, nil, func(term []byte) {
		if _, ok := number[string(term)]; !ok {
			number[string(term)] = len(number)
		}
	})
	n := len(number)
	if n == 0 {
		return a, nil
	}
	counts, lengths := make([]float64, n*len(list)), make([]int, len(list))
	for i, b := range list {
		text.Terms(b.subject+" "+b.Pred+" "+b.said, nil, func(term []byte) {
			lengths[i]++
			if k, ok := number[string(term)]; ok {
				counts[i*n+k]++
			}
		})
	}
	scores := search.BM25(counts, n, lengths)
	a.take(w, list, scores)
	return a, nil
}

// take puts the best beliefs in the context.
func (a *answer) take(w *world, list []belief, scores []float64) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	for _, i := range order[:min(baselineTop, len(order))] {
		if scores[i] > 0 {
			a.Compiled = append(a.Compiled, w.keyOf(list[i].ID))
			a.Lines = append(a.Lines, list[i].Pred)
		}
	}
}

// nearest puts the beliefs in the context of which the vectors are nearest to that of the question.
func nearest(encoder encode.Embedder) func(*teller, *world, question) (answer, error) {
	return func(t *teller, w *world, q question) (a answer, err error) {
		list, err := t.visible(w, q)
		if err != nil {
			return a, err
		}
		texts := []string{q.Query}
		for _, b := range list {
			texts = append(texts, b.subject+" / "+strings.ReplaceAll(b.Pred, "_", " ")+": "+b.said)
		}
		vectors, err := encoder.Embed(t.ctx, texts)
		if err != nil {
			return a, err
		}
		of, scores := encode.Encode(vectors[0]), make([]float64, len(list))
		for i, v := range vectors[1:] {
			scores[i] = encode.Cosine(of, encode.Encode(v))
		}
		a.take(w, list, scores)
		return a, nil
	}
}

// recalled puts what recall finds first in the context.
func recalled(t *teller, w *world, q question) (a answer, err error) {
	at := w.Now
	if q.ValidAt != nil {
		at = *q.ValidAt
	}
	body := map[string]any{"query": q.Query, "limit": baselineTop, "kinds": []string{"belief"}, "valid_at": at}
	if len(q.Scope) > 0 && string(q.Scope) != "null" {
		body["scope"] = q.Scope
	}
	var got struct {
		Items []struct {
			Belief struct {
				ID   id     `json:"object_id"`
				Pred string `json:"predicate"`
			} `json:"belief"`
		} `json:"items"`
	}
	if err := t.send(cmp.Or(q.Clearance, "restricted"), http.MethodPost, "/v1/recall", body, &got); err != nil {
		return a, err
	}
	for _, item := range got.Items {
		a.Compiled, a.Lines = append(a.Compiled, w.keyOf(item.Belief.ID)), append(a.Lines, item.Belief.Pred)
	}
	return a, nil
}

// visible lists the beliefs that stand and are visible to a question.
func (t *teller) visible(w *world, q question) ([]belief, error) {
	at := w.Now
	if q.ValidAt != nil {
		at = *q.ValidAt
	}
	var all []belief
	path := "/v1/beliefs?limit=200&valid_at=" + at.UTC().Format(time.RFC3339)
	var scope map[string]string
	if len(q.Scope) > 0 && string(q.Scope) != "null" {
		if err := json.Unmarshal(q.Scope, &scope); err != nil {
			return nil, err
		}
	}
	cursor := ""
	for {
		var page struct {
			Items []struct {
				belief
				UserID    string `json:"user_id"`
				ProjectID string `json:"project_id"`
				SessionID string `json:"session_id"`
			} `json:"items"`
			Next string `json:"next_cursor"`
		}
		if err := t.send(cmp.Or(q.Clearance, "restricted"), http.MethodGet, path+cursor, nil, &page); err != nil {
			return nil, err
		}
		for _, b := range page.Items {
			if fits(b.UserID, scope["user_id"]) && fits(b.ProjectID, scope["project_id"]) &&
				fits(b.SessionID, scope["session_id"]) {
				all = append(all, b.belief)
			}
		}
		if page.Next == "" {
			return all, t.describe(w, all)
		}
		cursor = "&cursor=" + page.Next
	}
}

// describe gives beliefs the names of their entities, and their values as texts.
func (t *teller) describe(w *world, list []belief) error {
	for i := range list {
		b := &list[i]
		names := make([]string, len(b.Roots))
		for n, root := range b.Roots {
			name, err := t.nameOf(w, root)
			if err != nil {
				return err
			}
			names[n] = name
		}
		if len(names) > 0 {
			b.subject = names[0]
		}
		var value struct {
			Entity id `json:"entity_id"`
		}
		switch {
		case json.Unmarshal(b.Value, &b.said) == nil:
		case json.Unmarshal(b.Value, &value) == nil && value.Entity != "":
			b.said = names[len(names)-1] // one that is about itself has one root
		default:
			b.said = string(b.Value)
		}
	}
	return nil
}

// nameOf returns the name of an entity.
func (t *teller) nameOf(w *world, entity id) (string, error) {
	if name, ok := w.names[entity]; ok {
		return name, nil
	}
	var got struct {
		Name string `json:"name"`
	}
	if err := t.send("highly_restricted", http.MethodGet, "/v1/entities/"+string(entity), nil, &got); err != nil {
		return "", err
	}
	w.names[entity] = got.Name
	return got.Name, nil
}

func fits(of, in string) bool { return of == "" || of == in }
