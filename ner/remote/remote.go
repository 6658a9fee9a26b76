// Package remote extracts mentions by asking a service over HTTP: a language
// model, or a recogniser in another language, behind the interface of ner.
//
// The service gets a POST with {"text", "known_aliases"} and answers 200 with
// {"mentions": [{"start", "end", "type", "chain"}]}: places in bytes of UTF-8,
// end exclusive, in any order, none over another; types are those of ner. An
// answer with one bad span is refused as a whole, since what it is wrong about
// cannot be told from what it is right about.
package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"tenure"
	"tenure/ner"
)

// Config tunes an extractor; the zero value is good.
type Config struct {
	// Timeout bounds one question with its answer. Default 5 s.
	Timeout time.Duration
	// Client is asked. Default: one of its own, that follows no redirects.
	Client *http.Client
}

// Extractor asks the service at a URL. It may be used from many goroutines.
type Extractor struct {
	url     string
	timeout time.Duration
	client  *http.Client
}

var _ ner.Extractor = (*Extractor)(nil)

const (
	defaultTimeout = 5 * time.Second
	// maxKnown bounds the aliases of a question.
	maxKnown = 1000
	// answerBase and answerPerByte bound the bytes of an answer: a text of n
	// bytes has at most n mentions.
	answerBase    = 64 << 10
	answerPerByte = 96
)

// New makes an extractor that asks the service at an absolute http or https
// URL.
func New(rawURL string, cfg Config) (*Extractor, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no http or https URL", rawURL)
	}
	if cfg.Timeout < 0 {
		return nil, fmt.Errorf("a timeout of %v is none", cfg.Timeout)
	}
	client := cfg.Client
	if client == nil {
		client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return &Extractor{url: rawURL, timeout: cmp.Or(cfg.Timeout, defaultTimeout), client: client}, nil
}

type alias struct {
	Alias  string    `json:"alias"`
	Type   string    `json:"type"`
	Entity tenure.ID `json:"entity"`
}

type question struct {
	Text string `json:"text"`
	// Known are the aliases of the registry that occur in the text.
	Known []alias `json:"known_aliases"`
}

type mention struct {
	Start *int   `json:"start"`
	End   *int   `json:"end"`
	Type  string `json:"type"`
	// Chain is any JSON value, or absent for a mention by itself.
	Chain json.RawMessage `json:"chain"`
}

type answer struct {
	Mentions *[]mention `json:"mentions"`
}

// Extract asks the service. A service that cannot be reached in time, or whose
// answer cannot be used, is tenure.Unavailable.
func (x *Extractor) Extract(ctx context.Context, text string, known ner.Aliases) ([]ner.Mention, error) {
	if !utf8.ValidString(text) {
		return nil, ner.ErrNotUTF8
	}
	occurring := ner.Occurrences(text, known)
	raw, err := x.ask(ctx, question{Text: text, Known: aliasesOf(text, occurring)}, answerBase+answerPerByte*int64(len(text)))
	if ctx.Err() != nil {
		return nil, ctx.Err() // the caller's end, not the service's fault
	}
	if err != nil {
		return nil, &tenure.Error{Code: tenure.Unavailable, Message: "the extractor cannot be asked: try again later", Err: err}
	}
	found, err := mentionsOf(text, raw, occurring)
	if err != nil {
		return nil, &tenure.Error{Code: tenure.Unavailable, Message: "the extractor's answer cannot be used: try again later", Err: err}
	}
	return found, nil
}

func (x *Extractor) ask(ctx context.Context, q question, limit int64) ([]byte, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, x.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	res, err := x.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered %s", res.Status)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(raw)) > limit:
		return nil, fmt.Errorf("its answer has more than %d bytes", limit)
	}
	return raw, nil
}

// aliasesOf lists the spellings that occur, each once for each of its senses.
func aliasesOf(text string, occurring []ner.Occurrence) []alias {
	list := []alias{}
	seen := map[alias]bool{}
	for _, o := range occurring {
		for _, s := range o.Senses {
			a := alias{Alias: text[o.Start:o.End], Type: s.Type, Entity: s.Entity}
			if len(list) == maxKnown {
				return list
			}
			if !seen[a] {
				seen[a] = true
				list = append(list, a)
			}
		}
	}
	return list
}

// mentionsOf reads an answer, all of it or nothing.
func mentionsOf(text string, raw []byte, occurring []ner.Occurrence) ([]ner.Mention, error) {
	var in answer
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, err
	}
	if in.Mentions == nil {
		return nil, errors.New("it has no mentions, not even an empty list")
	}
	list := *in.Mentions
	for i, m := range list {
		if err := m.check(text); err != nil {
			return nil, fmt.Errorf("mentions[%d]: %w", i, err)
		}
	}
	slices.SortStableFunc(list, func(a, b mention) int { return cmp.Compare(*a.Start, *b.Start) })
	found := make([]ner.Mention, len(list))
	chains := map[string]int{}
	for i, m := range list {
		if i > 0 && *m.Start < found[i-1].End {
			return nil, fmt.Errorf("the mentions at bytes %d and %d overlap", found[i-1].Start, *m.Start)
		}
		found[i] = ner.Mention{
			Start: *m.Start, End: *m.End, Text: text[*m.Start:*m.End], Type: m.Type, Chain: m.chain(i, chains),
			Rule: "remote", Entities: entitiesAt(*m.Start, *m.End, m.Type, occurring),
		}
	}
	ner.CountRunes(text, found)
	return found, nil
}

// check says what is wrong with a mention by itself.
func (m mention) check(text string) error {
	switch {
	case m.Start == nil || m.End == nil:
		return errors.New("start or end is missing")
	case *m.Start < 0 || *m.End > len(text) || *m.Start >= *m.End:
		return fmt.Errorf("[%d, %d) is no part of a text of %d bytes", *m.Start, *m.End, len(text))
	case !utf8.RuneStart(text[*m.Start]) || *m.End < len(text) && !utf8.RuneStart(text[*m.End]):
		return fmt.Errorf("[%d, %d) cuts a character", *m.Start, *m.End)
	case !slices.Contains(ner.Types, m.Type):
		return fmt.Errorf("%q is no type of mentions", m.Type)
	}
	return nil
}

// chain numbers chains from 1 in order of appearance.
func (m mention) chain(i int, chains map[string]int) int {
	name := string(bytes.TrimSpace(m.Chain))
	if name == "" || name == "null" {
		name = fmt.Sprintf("alone %d", i) // no JSON value is spelled so
	}
	if chains[name] == 0 {
		chains[name] = len(chains) + 1
	}
	return chains[name]
}

// entitiesAt lists who goes by the spelling of a span, those of its type first.
func entitiesAt(start, end int, typ string, occurring []ner.Occurrence) []tenure.ID {
	i, ok := slices.BinarySearchFunc(occurring, start, func(o ner.Occurrence, at int) int { return cmp.Compare(o.Start, at) })
	if !ok || occurring[i].End != end {
		return nil
	}
	return ner.EntitiesOf(occurring[i].Senses, typ)
}
