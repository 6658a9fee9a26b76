// Package remote extracts mentions by a service over HTTP, such as a language
// model, after the interface of package ner.
//
// The service receives a POST with {"text", "known_aliases"} and responds 200 with
// {"mentions": [{"start", "end", "type", "chain"}]}: offsets in bytes of UTF-8,
// end exclusive, in any order, not overlapping; types are those of package ner. A
// response with one invalid span is refused as a whole, because the service has
// then counted other offsets, or seen another text.
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
	"tenure/fair"
	"tenure/ner"
)

// Config configures an extractor. The zero value is valid.
type Config struct {
	// Timeout bounds one request with its response. The default is 5 s.
	Timeout time.Duration
	// Client sends the requests. The default client follows no redirects.
	Client *http.Client
}

// Extractor is a ner.Extractor by a service. It is safe for concurrent use.
type Extractor struct {
	url     string
	timeout time.Duration
	client  *http.Client
}

var _ ner.Extractor = (*Extractor)(nil)

const (
	defaultTimeout = 5 * time.Second
	// maxKnown bounds the known aliases of a request.
	maxKnown = 1000
	// responseBase and responsePerByte bound the bytes of a response: a text of n
	// bytes has at most n mentions.
	responseBase    = 64 << 10
	responsePerByte = 96
)

// New returns an extractor by the service at an absolute http or https URL.
func New(rawURL string, cfg Config) (*Extractor, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is not an http or https URL", rawURL)
	}
	if cfg.Timeout < 0 {
		return nil, fmt.Errorf("the timeout %v is negative", cfg.Timeout)
	}
	client := cfg.Client
	if client == nil {
		client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return &Extractor{url: rawURL, timeout: cmp.Or(cfg.Timeout, defaultTimeout), client: client}, nil
}

// alias is a sense of an alias that occurs in the text.
type alias struct {
	Alias  string    `json:"alias"`
	Type   string    `json:"type"`
	Entity tenure.ID `json:"entity"`
}

type request struct {
	Text string `json:"text"`
	// Known lists the aliases of the registry that occur in the text.
	Known []alias `json:"known_aliases"`
}

type mention struct {
	Start *int   `json:"start"`
	End   *int   `json:"end"`
	Type  string `json:"type"`
	// Chain is any JSON value, or absent for a mention by itself.
	Chain json.RawMessage `json:"chain"`
}

type response struct {
	Mentions *[]mention `json:"mentions"`
}

// Extract implements ner.Extractor. It returns tenure.Unavailable for a service
// that does not respond in time, or with an invalid response.
func (x *Extractor) Extract(ctx context.Context, text string, known ner.Aliases) ([]ner.Mention, error) {
	if !utf8.ValidString(text) {
		return nil, ner.ErrNotUTF8
	}
	occurring := ner.Occurrences(text, known)
	limit := responseBase + responsePerByte*int64(len(text))
	var raw []byte
	err := fair.Away(ctx, func() (err error) {
		raw, err = x.post(ctx, request{Text: text, Known: aliasesOf(text, occurring)}, limit)
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err() // the caller cancelled: the service may be fine
	}
	if err != nil {
		return nil, unavailable("the extractor cannot be asked: try again later", err)
	}
	found, err := parse(text, raw, occurring)
	if err != nil {
		return nil, unavailable("the extractor's answer cannot be used: try again later", err)
	}
	return found, nil
}

func unavailable(message string, err error) error {
	return &tenure.Error{Code: tenure.Unavailable, Message: message, Err: err}
}

// post returns the body of the service's response. It returns an error for a
// status other than 200, and for a body of more than limit bytes.
func (x *Extractor) post(ctx context.Context, q request, limit int64) ([]byte, error) {
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
		return nil, fmt.Errorf("status %s", res.Status)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(raw)) > limit:
		return nil, fmt.Errorf("the response exceeds %d bytes", limit)
	}
	return raw, nil
}

// aliasesOf returns the spellings that occur with each of their senses, without
// duplicates, at most maxKnown.
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

// parse returns the mentions of a response, or an error if one of them is
// invalid.
func parse(text string, raw []byte, occurring []ner.Occurrence) ([]ner.Mention, error) {
	var in response
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, err
	}
	if in.Mentions == nil {
		return nil, errors.New("mentions is missing")
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

// check returns an error if m is invalid by itself.
func (m mention) check(text string) error {
	switch {
	case m.Start == nil || m.End == nil:
		return errors.New("start or end is missing")
	case *m.Start < 0 || *m.End > len(text) || *m.Start >= *m.End:
		return fmt.Errorf("[%d, %d) is not within a text of %d bytes", *m.Start, *m.End, len(text))
	case !utf8.RuneStart(text[*m.Start]) || *m.End < len(text) && !utf8.RuneStart(text[*m.End]):
		return fmt.Errorf("[%d, %d) splits a character", *m.Start, *m.End)
	case !slices.Contains(ner.Types, m.Type):
		return fmt.Errorf("%q is not an entity type", m.Type)
	}
	return nil
}

// chain returns the number of the chain of m, the i-th mention. Chains count from
// 1 in order of appearance; a mention without a chain has its own.
func (m mention) chain(i int, chains map[string]int) int {
	name := string(bytes.TrimSpace(m.Chain))
	if name == "" || name == "null" {
		name = fmt.Sprintf("alone %d", i) // not a JSON value
	}
	if chains[name] == 0 {
		chains[name] = len(chains) + 1
	}
	return chains[name]
}

// entitiesAt returns the entities with the alias [start, end), those of type typ
// first.
func entitiesAt(start, end int, typ string, occurring []ner.Occurrence) []tenure.ID {
	i, ok := slices.BinarySearchFunc(occurring, start, func(o ner.Occurrence, at int) int {
		return cmp.Compare(o.Start, at)
	})
	if !ok || occurring[i].End != end {
		return nil
	}
	return ner.EntitiesOf(occurring[i].Senses, typ)
}
