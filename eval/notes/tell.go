package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"tenure/internal/measure"
	"tenure/internal/run"
)

// fact is a belief as a reader sees it: the name of its subject, and its value or the name of the entity that is it.
type fact struct {
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Value     string `json:"value"`
}

// teller tells a story to a server.
type teller struct {
	ctx    context.Context
	client *measure.Client
	names  map[string]string // of entities
}

// tell tells a story to a new tenant, a minute a turn, and judges what is held at its end.
func tell(ctx context.Context, p run.Place, s story) (result, error) {
	key, err := p.Binary.Key(ctx, p.Store, fmt.Sprintf("notes-%s-%x", s.ID, time.Now().UnixMicro()))
	if err != nil {
		return result{}, err
	}
	client, err := measure.NewClient(p.Server.URL, key)
	if err != nil {
		return result{}, err
	}
	t := teller{ctx: ctx, client: client, names: map[string]string{}}
	began := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for i, said := range s.Turns {
		body, err := json.Marshal(map[string]any{
			"text": said.Text, "speaker": said.Speaker, "session_id": s.ID,
			"observed_at": began.Add(time.Duration(i) * time.Minute),
		})
		if err != nil {
			return result{}, err
		}
		if _, err := client.Send(ctx, http.MethodPost, "/v1/remember", body); err != nil {
			return result{}, err
		}
	}
	facts, err := t.facts()
	return judge(s, facts), err
}

// facts lists what is believed.
func (t *teller) facts() (list []fact, err error) {
	for cursor := ""; ; {
		var page struct {
			Items []struct {
				Subject, Predicate string
				Value              json.RawMessage
			}
			Next string `json:"next_cursor"`
		}
		query := url.Values{"limit": {"200"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		if err := t.get("/v1/beliefs?"+query.Encode(), &page); err != nil {
			return nil, err
		}
		for _, b := range page.Items {
			f := fact{Predicate: b.Predicate}
			if f.Subject, err = t.nameOf(b.Subject); err != nil {
				return nil, err
			}
			if f.Value, err = t.valueOf(b.Value); err != nil {
				return nil, err
			}
			list = append(list, f)
		}
		if cursor = page.Next; cursor == "" {
			return list, nil
		}
	}
}

func (t *teller) valueOf(raw json.RawMessage) (string, error) {
	var relation struct {
		Entity string `json:"entity_id"`
	}
	if err := json.Unmarshal(raw, &relation); err == nil && relation.Entity != "" {
		return t.nameOf(relation.Entity)
	}
	return string(raw), nil
}

func (t *teller) nameOf(entity string) (string, error) {
	if name, ok := t.names[entity]; ok {
		return name, nil
	}
	var e struct{ Name string }
	err := t.get("/v1/entities/"+entity, &e)
	t.names[entity] = e.Name
	return e.Name, err
}

func (t *teller) get(path string, into any) error {
	answer, err := t.client.Send(t.ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}
