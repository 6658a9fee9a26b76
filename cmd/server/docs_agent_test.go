package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"tenure/api"
)

// TestFirstAgent runs the program of docs/first-agent.md. Every third answer to a POST is lost on its way: what the
// page prints, and how many entries the log has in the end, shows that nothing was written twice or not at all.
func TestFirstAgent(t *testing.T) {
	const file = "docs/first-agent.md"
	d := served(t, file)
	lossy, lost := losing(t, d.env["TENURE_URL"])
	d.env["TENURE_URL"] = lossy
	d.python = python(t, d)
	d.run(t, file)
	if lost.Load() < 5 {
		t.Errorf("%d answers were lost", lost.Load())
	}
}

// losing serves what is at an address, and breaks the connection in place of every third answer to a POST. It also
// returns how many were lost.
func losing(t *testing.T, address string) (string, *atomic.Int64) {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var posts, lost atomic.Int64
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(r *http.Response) error {
			if r.Request.Method == http.MethodPost && posts.Add(1)%3 == 0 {
				lost.Add(1)
				return errors.New("lost")
			}
			return nil
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL, &lost
}

// pythonSession executes blocks of one program, and ends the output of each with a NUL.
const pythonSession = `
import json, sys
names = {"__name__": "__main__"}
for line in sys.stdin:
    block = json.loads(line)
    exec(compile(block["text"], block["at"], "exec"), names)
    print(end="\0", flush=True)
`

// python starts a session in which the blocks of a document are one program, and returns what runs a block.
func python(t *testing.T, d document) func(block) []byte {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Fatalf("the examples in Python need python3, 3.9 or newer, without packages: install it: %v", err)
	}
	var log screen
	cmd := exec.CommandContext(t.Context(), program, "-c", pythonSession)
	cmd.Dir, cmd.Stderr, cmd.Env = d.dir, &log, os.Environ()
	for name, value := range d.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // what fails in it ends the answer of a block
	})
	lines, answers := json.NewEncoder(in), bufio.NewReader(out)
	return func(b block) []byte {
		if err := lines.Encode(map[string]string{"at": b.at, "text": b.text}); err != nil {
			t.Fatalf("%s: %v\n%s", b.at, err, log.String())
		}
		answer, err := answers.ReadString(0)
		if err != nil {
			_ = cmd.Wait() // the log is whole then
			t.Fatalf("%s: %v\n%s%s", b.at, err, answer, log.String())
		}
		return []byte(strings.TrimSuffix(answer, "\x00"))
	}
}

// TestFirstAgentKnowsEveryWarning finds codes of warnings about which docs/first-agent.md does not say what to do.
func TestFirstAgentKnowsEveryWarning(t *testing.T) {
	body := text(t, "docs/first-agent.md")
	spec, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	codes := spec.Components.Schemas["WarningCode"].Value.Enum
	if len(codes) == 0 {
		t.Fatal("there are no codes of warnings")
	}
	for _, code := range codes {
		if !strings.Contains(body, fmt.Sprintf("    %q: ", code)) {
			t.Errorf("docs/first-agent.md does not say what to do on %s", code)
		}
	}
}
