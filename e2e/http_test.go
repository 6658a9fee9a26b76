package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// obj is a JSON object, list a JSON array.
type (
	obj  = map[string]any
	list = []any
)

// answer is what came back.
type answer struct {
	t      *testing.T
	asked  string
	status int
	header http.Header
	raw    []byte
	body   any   // nil if it is not one JSON value
	fault  error // how the exchange departs from the document
}

// client asks one server with one key.
type client struct {
	url func() string
	key string
}

var transport = &http.Client{
	Transport: &http.Transport{MaxIdleConnsPerHost: 128, DisableCompression: true},
	Timeout:   patience,
}

// try sends a request. The body is sent as it is if it is text, else as JSON;
// headers are "Name: value".
func (c client) try(ctx context.Context, method, path string, body any, headers ...string) (answer, error) {
	sent, err := bytesOf(body)
	if err != nil {
		return answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url()+path, bytes.NewReader(sent))
	if err != nil {
		return answer{}, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := transport.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	a := answer{asked: method + " " + path, status: res.StatusCode, header: res.Header}
	if a.raw, err = io.ReadAll(res.Body); err != nil {
		return a, err
	}
	d := json.NewDecoder(bytes.NewReader(a.raw))
	d.UseNumber()
	if d.Decode(&a.body) != nil {
		a.body = nil
	}
	a.fault = contract.check(ctx, req, sent, a)
	return a, nil
}

// bytesOf returns a text as it is, and any other value as JSON.
func bytesOf(body any) ([]byte, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case string:
		return []byte(b), nil
	}
	return json.Marshal(body)
}

// insist posts an observation under a key of its own until it is no longer told to
// try again: a loaded machine may need that, and nothing is done twice.
func (c client) insist(ctx context.Context, body any) (answer, error) {
	key := idem + rand.Text()
	for {
		a, err := c.try(ctx, "POST", "/v1/observations", body, key)
		if err != nil || a.status != 503 || ctx.Err() != nil {
			return a, err
		}
	}
}

// at is the part of the body that a JSON pointer leads to, nil if none.
func (a answer) at(pointer string) any { return at(a.body, pointer) }

func at(v any, pointer string) any {
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch node := v.(type) {
		case obj:
			v = node[token]
		case list:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(node) {
				return nil
			}
			v = node[i]
		default:
			return nil
		}
	}
	return v
}

// text is the string or number at the pointer, "" if there is none.
func (a answer) text(pointer string) string { return text(a.body, pointer) }

func text(v any, pointer string) string {
	if v = at(v, pointer); v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// seq is the number at the pointer, 0 if there is none.
func (a answer) seq(pointer string) int {
	n, _ := strconv.Atoi(a.text(pointer)) // 0 is what a missing number is
	return n
}

// items is the array at the pointer.
func (a answer) items(pointer string) list {
	l, _ := a.at(pointer).(list) // nil is an empty list
	return l
}

// texts is one part of each item of the array at the pointer.
func (a answer) texts(pointer, part string) []string { return texts(a.items(pointer), part) }

func texts(l list, part string) []string {
	found := []string{}
	for _, v := range l {
		found = append(found, text(v, part))
	}
	return found
}

// is fails the test at once where the status is another.
func (a answer) is(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: status %d, want %d: %s", a.asked, a.status, status, short(a.raw))
	}
	return a
}

// problem checks that the answer is a problem with the status and the code,
// and, if a pointer is given, that it points there.
func (a answer) problem(status int, code string, pointer ...string) answer {
	a.t.Helper()
	if a.status != status || a.text("/code") != code {
		a.t.Errorf("%s: %d %s, want %d %s: %s", a.asked, a.status, a.text("/code"), status, code, short(a.raw))
		return a
	}
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		a.t.Errorf("%s: a problem comes as %q", a.asked, got)
	}
	if a.text("/type") != "urn:tenure:problem:"+code || a.text("/status") != strconv.Itoa(status) || a.text("/title") == "" || a.text("/detail") == "" {
		a.t.Errorf("%s: not an RFC 9457 problem: %s", a.asked, short(a.raw))
	}
	for _, p := range pointer {
		found := a.texts("/errors", "/pointer")
		if len(found) == 0 || found[0] != p {
			a.t.Errorf("%s: points at %q, want %q: %s", a.asked, found, p, short(a.raw))
		}
	}
	return a
}

func short(raw []byte) string {
	const most = 1500
	if len(raw) > most {
		return string(raw[:most]) + "..."
	}
	return string(raw)
}
