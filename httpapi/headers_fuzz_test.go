package httpapi

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"tenure"
	"tenure/auth"
)

// FuzzHeaders checks what is read in the headers that anybody may write: a client is where its connection comes from,
// or at an address that a trusted proxy named; the id of a request is safe to log; a token has no blanks around it.
func FuzzHeaders(f *testing.F) {
	for _, s := range [][4]string{
		{"203.0.113.9:4711", "198.51.100.7", "Bearer tenure_x_y", "req-1"},
		{"10.0.0.1:4711", "198.51.100.7, 203.0.113.9", "bearer  x ", "a\nb"},
		{"[fd00::1]:1", "[2001:db8::5]:4711,fd00::2", "Basic x", strings.Repeat("a", 129)},
		{"10.0.0.1:1", ",,fe80::1%eth0,", "Bearer", ""}, {"", "::ffff:10.0.0.1", "\x00", "é"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	s := &server{deps: Deps{Random: rand.Reader}}
	f.Fuzz(func(t *testing.T, remote, forwarded, token, id string) {
		r := &http.Request{RemoteAddr: remote, Header: http.Header{}}
		peer := clientOf(r, nil)
		r.Header["X-Forwarded-For"] = []string{forwarded}
		if got := clientOf(r, nil); got != peer {
			t.Errorf("%q is believed without a proxy", got)
		}
		client := clientOf(r, trusted)
		if _, err := netip.ParseAddr(client); client != peer && (err != nil || !IsTrusted(peer, trusted)) {
			t.Errorf("%q of %q", client, peer)
		}
		_ = auth.Network(client)
		r.Header["Authorization"] = []string{token}
		if got := bearer(r.Header); got != strings.TrimSpace(got) || !strings.Contains(token, got) {
			t.Errorf("%q in %q", got, token)
		}
		if got := s.requestID(id); !saneID.MatchString(got) {
			t.Errorf("the request has the id %q", got)
		}
	})
}

// FuzzParameters checks that whatever is in a path and a query is taken, or refused as invalid or malformed.
func FuzzParameters(f *testing.F) {
	for _, s := range [][2]string{
		{"", ""}, {"0198c1f0-0000-7000-8000-000000000001", "limit=5&known_at=3"}, {"%", "limit=%zz"}, {"a%2Fb", "limit=1&limit=2"},
		{"x", "cursor=%00"}, {"x", "known_at=2026-01-01T00:00:00Z&state=any;x"}, {"x", "limit=99999999999999999999"},
		{"\xff", "q=%ff&%ff=1"}, {"x", "valid_at=&limit="}, {"x", "limit=1.5&scope[user_id]=u"},
	} {
		f.Add(s[0], s[1])
	}
	ops, err := readOperations()
	if err != nil {
		f.Fatal(err)
	}
	e := echo.New()
	f.Fuzz(func(t *testing.T, id, query string) {
		for name, op := range ops {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.URL = &url.URL{Path: "/" + id, RawPath: url.PathEscape(id), RawQuery: query}
			c := e.NewContext(r, httptest.NewRecorder())
			c.SetParamNames("id", "name", "user_id", "trace_id", "number")
			c.SetParamValues(id, id, id, id, id)
			if err := op.checkParameters(c); err != nil {
				if code := tenure.CodeOf(err); code != tenure.Invalid && code != tenure.Malformed {
					t.Errorf("%s: %s: %v", name, code, err)
				}
			}
		}
	})
}
