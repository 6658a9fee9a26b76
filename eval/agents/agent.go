package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	api "tenure/client"
	"tenure/internal/measure"
	"tenure/internal/run"
)

// agent is what one agent knows, is told and asks.
type agent struct {
	Name       string            `json:"-"` // of its file
	Title      string            `json:"title"`
	Entities   map[string]string `json:"entities"` // the type of each entity that it knows
	Statements []statement       `json:"statements"`
	Questions  []question        `json:"questions"`
}

// statement is what somebody said, and the triples of it: subject, predicate, value. A value that is the name of a
// known entity means that entity.
type statement struct {
	Speaker string   `json:"speaker"`
	Text    string   `json:"text"`
	Triples []triple `json:"triples"`
}

type triple struct {
	subject, predicate string
	value              any
}

// UnmarshalJSON reads a list of three.
func (t *triple) UnmarshalJSON(text []byte) error {
	parts := []any{&t.subject, &t.predicate, &t.value}
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	if len(parts) != 3 || t.subject == "" || t.predicate == "" || t.value == nil {
		return fmt.Errorf("%s is no triple", text)
	}
	return nil
}

//go:embed agents/*.json
var files embed.FS

func agents() ([]agent, error) {
	names, err := fs.Glob(files, "agents/*.json")
	if err != nil {
		return nil, err
	}
	var list []agent
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		a := agent{Name: strings.TrimSuffix(path.Base(name), ".json")}
		if err := json.Unmarshal(text, &a); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, a)
	}
	return list, nil
}

// outcome is what came of one run of an agent.
type outcome struct {
	Engine  string         `json:"engine"`
	Agent   string         `json:"agent"`
	Spacing string         `json:"spacing"`
	Written map[string]int `json:"written"` // claims by the status that they were answered with
	Answers []answer       `json:"answers"`
}

// answer is the context compiled for a question.
type answer struct {
	question

	Right   bool     `json:"right"`
	Context string   `json:"context"`
	Held    []string `json:"held,omitempty"` // predicates of what the trace says is quarantined
	Status  string   `json:"validation_status"`
}

// road tells a statement of an agent and returns what became of its claims.
type road func(ctx context.Context, c *measure.Client, a agent, s statement, turn int, at time.Time) (
	[]api.BeliefAnswer, error)

// roads are the ways of telling a statement.
var roads = map[string]road{"observations": observe, "remember": remember}

func observe(
	ctx context.Context, c *measure.Client, a agent, s statement, turn int, at time.Time,
) ([]api.BeliefAnswer, error) {
	res, err := c.ObserveWithResponse(ctx, nil, a.observation(s, turn, at))
	if err != nil {
		return nil, err
	}
	return res.JSON201.Beliefs, nil
}

func remember(
	ctx context.Context, c *measure.Client, a agent, s statement, turn int, at time.Time,
) ([]api.BeliefAnswer, error) {
	res, err := c.RememberWithResponse(ctx, nil, a.facts(s, turn, at))
	if err != nil {
		return nil, err
	}
	return res.JSON201.Beliefs, nil
}

// run tells the agent's statements to a new tenant, and asks its questions.
func (a agent) run(ctx context.Context, p run.Place, s spacing, tell road) (outcome, error) {
	out := outcome{Engine: p.Engine, Agent: a.Name, Spacing: s.name, Written: map[string]int{}}
	key, err := p.Binary.Key(ctx, p.Store, fmt.Sprintf("agents-%s-%x", a.Name, time.Now().UnixMicro()))
	if err != nil {
		return out, err
	}
	c, err := measure.NewClient(p.Server.URL, key)
	if err != nil {
		return out, err
	}
	began := time.Date(2025, time.March, 1, 9, 0, 0, 0, time.UTC)
	for i, told := range a.Statements {
		turn := i + 1
		became, err := tell(ctx, c, a, told, turn, began.Add(time.Duration(turn)*s.apart))
		if err != nil {
			return out, fmt.Errorf("%q: %w", told.Text, err)
		}
		for _, b := range became {
			out.Written[string(b.Status)]++
		}
	}
	for _, q := range a.Questions {
		res, err := c.CompileWithResponse(ctx, api.CompileInput{Query: q.Ask})
		if err != nil {
			return out, fmt.Errorf("%q: %w", q.Ask, err)
		}
		out.Answers = append(out.Answers, answered(q, res.JSON200))
	}
	return out, nil
}

func answered(q question, c *api.Compilation) answer {
	a := answer{
		question: q, Right: q.right(c.Envelope.Text), Context: c.Envelope.Text, Status: string(c.Trace.ValidationStatus),
	}
	for _, o := range c.Trace.StateCompilationMetadata.QuarantinedObjects {
		a.Held = append(a.Held, o.Predicate)
	}
	slices.Sort(a.Held)
	a.Held = slices.Compact(a.Held)
	return a
}

// facts is the request that tells a statement by names.
func (a agent) facts(s statement, turn int, at time.Time) api.RememberInput {
	level, trust := 2, .8
	in := api.RememberInput{
		Origin: fmt.Sprintf("conversation://chat/%d", turn), AuthorityLevel: &level, SourceAuthority: &trust,
		Speaker: s.Speaker, ObservedAt: at, Text: s.Text,
	}
	for _, t := range s.Triples {
		fact := api.FactInput{Subject: t.subject, SubjectType: a.Entities[t.subject], Predicate: t.predicate, Object: t.value}
		if name, ok := t.value.(string); ok {
			fact.ObjectType = a.Entities[name]
		}
		in.Facts = append(in.Facts, fact)
	}
	return in
}

// observation is the request that tells a statement.
func (a agent) observation(s statement, turn int, at time.Time) api.ObservationInput {
	level, trust := 2, .8
	in := api.ObservationInput{
		Source: api.SourceInput{
			Origin: fmt.Sprintf("conversation://chat/%d", turn), AuthorityLevel: &level, SourceAuthority: &trust,
			Speaker: s.Speaker,
		},
		ObservedAt: at, Text: s.Text,
	}
	mention := func(name string) *int {
		i := slices.IndexFunc(in.Mentions, func(m api.MentionInput) bool { return m.Name == name })
		if i < 0 {
			i = len(in.Mentions)
			in.Mentions = append(in.Mentions, api.MentionInput{Name: name, Type: a.Entities[name]})
		}
		return &i
	}
	for _, t := range s.Triples {
		claim := api.ClaimInput{
			Subject: api.SubjectInput{Mention: mention(t.subject)}, Predicate: t.predicate, Value: t.value,
		}
		if name, ok := t.value.(string); ok && a.Entities[name] != "" {
			claim.Value = map[string]any{"mention": mention(name)}
		}
		in.Claims = append(in.Claims, claim)
	}
	return in
}
