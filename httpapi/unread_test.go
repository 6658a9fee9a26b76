package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"tenure/httpapi"
)

// TestABodyThatNobodyReadsHoldsNoConnection sends requests whose body nobody reads and which never comes. Each is
// answered, and its connection closed, whatever time the server leaves for bodies.
func TestABodyThatNobodyReadsHoldsNoConnection(t *testing.T) {
	h := newHarness(t, httpapi.Config{Now: time.Now})
	s := httptest.NewUnstartedServer(h.handler)
	s.Config.ReadTimeout = time.Hour
	s.Config.DisableGeneralOptionsHandler = true
	s.Start()
	t.Cleanup(s.Close)
	for name, request := range map[string]struct {
		line, key string
		status    int
	}{
		"health":                       {line: "GET /healthz", status: 200},
		"readiness":                    {line: "POST /readyz", status: 405},
		"metrics":                      {line: "GET /metrics", status: 200},
		"document":                     {line: "GET /openapi.yaml", status: 200},
		"unknown-path":                 {line: "POST /nowhere", status: 404},
		"unknown-method":               {line: "PUT /healthz", status: 405},
		"options-of-all":               {line: "OPTIONS *", status: 404},
		"no-key":                       {line: "POST /v1/observations", status: 401},
		"no-key-for-a-batch":           {line: "POST /v1/observations:batch", status: 401},
		"a-key-for-what-takes-no-body": {line: "GET /v1/beliefs", key: "agent", status: 200},
		"a-fault-before-the-body":      {line: "POST /v1/observations", key: "panics", status: 500},
	} {
		for _, length := range []string{"Content-Length: 100000", "Transfer-Encoding: chunked",
			"Expect: 100-continue\r\nContent-Length: 100000"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = c.Close() })
				_ = c.SetDeadline(time.Now().Add(5 * time.Minute))
				if _, err := fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: tenure\r\nAuthorization: Bearer %s\r\n"+
					"Content-Type: application/json\r\n%s\r\n\r\n", request.line, request.key, length); err != nil {
					t.Fatal(err)
				}
				answers := bufio.NewReader(c)
				res, err := http.ReadResponse(answers, nil)
				if err != nil {
					t.Fatalf("%s: %v", length, err)
				}
				defer func() { _ = res.Body.Close() }()
				if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != request.status || !res.Close {
					t.Errorf("%s: %s, close %v, %v", length, res.Status, res.Close, err)
				}
				if _, err := answers.ReadByte(); err != io.EOF {
					t.Errorf("%s: after the answer: %v", length, err)
				}
			})
		}
	}
}
