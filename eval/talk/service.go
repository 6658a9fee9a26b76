package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	api "tenure/client"
	"tenure/internal/measure"
	"tenure/internal/run"
)

// rank is whose word it is: the level of authority, 0 the strongest, and how far it is trusted.
type rank struct {
	level int
	trust float64
}

// ranks holds the rank of each role; the empty one is a colleague.
var ranks = map[string]rank{"policy": {1, 1}, "lead": {2, .9}, "": {2, .8}, "outsider": {3, .5}, "bot": {3, .6}}

// service is a server that is told conversations over HTTP, each in a tenant of its own. A request that fails is noted,
// and the run goes on.
type service struct {
	client *measure.Client
	keys   []string // one for each conversation
	told   int      // conversations
	failed []string
	heard  []time.Duration // how long each turn took
	asked  []time.Duration // and each question
	now    *conversation   // that is told
	took   []claimed       // the new values that were taken over
}

func newService(ctx context.Context, p run.Place, conversations int) (*service, error) {
	keys, err := p.Keys(ctx, "talk", conversations)
	if err != nil {
		return nil, err
	}
	c, err := measure.NewClient(p.Server.URL, "")
	return &service{client: c, keys: keys}, err
}

func (s *service) begin(ctx context.Context, c *conversation) error {
	s.now = c
	s.client.Key = s.keys[s.told]
	s.told++
	for _, k := range c.Known {
		subject := 0
		_, err := s.post(ctx, "/v1/observations", api.ObservationInput{
			Source: s.source(k.Speaker, k.Role), ObservedAt: k.At, Mentions: []api.MentionInput{{Name: k.Subject}},
			Claims: []api.ClaimInput{{
				Subject: api.SubjectInput{Mention: &subject}, Predicate: k.Predicate, Value: k.Value,
			}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *service) hear(ctx context.Context, t turn) ([]api.Statement, error) {
	var text []byte
	took, err := measure.Timed(func() (err error) {
		text, err = s.post(ctx, "/v1/observations", api.ObservationInput{
			Source: s.source(t.Speaker, t.Role), ObservedAt: t.At, Text: t.Text,
		})
		return err
	})
	s.heard = append(s.heard, took)
	if err != nil || text == nil {
		return nil, err
	}
	var answer struct {
		Statements []api.Statement `json:"statements"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, err
	}
	for _, st := range answer.Statements {
		if st.Effect == api.EffectSet && st.New.Text != "" {
			s.took = append(s.took, claimed{s.now, st.New.Text, st.Confidence})
		}
	}
	return answer.Statements, nil
}

func (s *service) compile(ctx context.Context, q ask) (string, error) {
	var text []byte
	room := budget
	took, err := measure.Timed(func() (err error) {
		text, err = s.post(ctx, "/v1/compile", api.CompileInput{Query: q.Question, ValidAt: q.At, BudgetTokens: &room})
		return err
	})
	s.asked = append(s.asked, took)
	if err != nil || text == nil {
		return "", err
	}
	var answer api.Compilation
	if err := json.Unmarshal(text, &answer); err != nil {
		return "", err
	}
	return answer.Envelope.Text, nil
}

func (s *service) source(speaker, role string) api.SourceInput {
	r, ok := ranks[role]
	if !ok {
		r = ranks[""]
	}
	return api.SourceInput{
		Origin: fmt.Sprintf("conversation://%d", s.told), AuthorityLevel: &r.level, SourceAuthority: &r.trust,
		Speaker: speaker,
	}
}

// post returns the answer to a request, nil if it failed.
func (s *service) post(ctx context.Context, path string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	answer, err := s.client.Send(ctx, http.MethodPost, path, text)
	if err != nil {
		s.failed = append(s.failed, err.Error())
		return nil, ctx.Err()
	}
	return answer, nil
}
