package httpapi

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

// TestClientOf checks that only what trusted proxies have written of a client is believed.
func TestClientOf(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, c := range map[string]struct {
		remote    string
		forwarded []string
		trusted   []netip.Prefix
		want      string
	}{
		"no-proxy":                   {"203.0.113.9:4711", nil, trusted, "203.0.113.9"},
		"nobody-is-trusted":          {"10.0.0.1:4711", []string{"203.0.113.9"}, nil, "10.0.0.1"},
		"a-client-writes-the-header": {"203.0.113.9:4711", []string{"198.51.100.7"}, trusted, "203.0.113.9"},
		"through-a-proxy":            {"10.0.0.1:4711", []string{"203.0.113.9"}, trusted, "203.0.113.9"},
		"through-two":                {"10.0.0.1:4711", []string{"203.0.113.9, 10.0.0.2"}, trusted, "203.0.113.9"},
		"what-it-wrote-itself":       {"10.0.0.1:4711", []string{"198.51.100.7, 203.0.113.9"}, trusted, "203.0.113.9"},
		"several-headers":            {"10.0.0.1:4711", []string{"198.51.100.7", "203.0.113.9", "10.0.0.2"}, trusted, "203.0.113.9"},
		"no-header":                  {"10.0.0.1:4711", nil, trusted, "10.0.0.1"},
		"no-address":                 {"10.0.0.1:4711", []string{"203.0.113.9, unknown"}, trusted, "10.0.0.1"},
		"proxies-alone":              {"10.0.0.1:4711", []string{"10.0.0.3, 10.0.0.2"}, trusted, "10.0.0.3"},
		"ipv6":                       {"[fd00::1]:4711", []string{"2001:db8::5"}, trusted, "2001:db8::5"},
		"with-a-port":                {"10.0.0.1:4711", []string{"203.0.113.9:4711"}, trusted, "203.0.113.9"},
		"ipv6-with-a-port":           {"10.0.0.1:4711", []string{"[2001:db8::5]:4711"}, trusted, "2001:db8::5"},
		"ipv4-in-ipv6":               {"[::ffff:10.0.0.1]:4711", []string{"::ffff:203.0.113.9"}, trusted, "203.0.113.9"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.RemoteAddr, r.Header["X-Forwarded-For"] = c.remote, c.forwarded
			if got := clientOf(r, c.trusted); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
