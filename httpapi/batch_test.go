package httpapi_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/api"
	"tenure/client"
	"tenure/httpapi"
)

const batchPath = "/v1/observations:batch"

func line(key string) string {
	k := ""
	if key != "" {
		k = `,"key":"` + key + `"`
	}
	return `{"source":{"origin":"x:1"},"text":"t"` + k + `}`
}

func results(t *testing.T, body string) []api.BatchResult {
	t.Helper()
	var out []api.BatchResult
	for text := range strings.Lines(body) {
		var r api.BatchResult
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if (r.Observation == nil) == (r.Problem == nil) {
			t.Errorf("a line has either an observation or a problem: %s", text)
		}
		out = append(out, r)
	}
	return out
}

func TestABadLineDoesNotStopTheRest(t *testing.T) {
	h := newHarness(t, httpapi.Config{LineLimit: 2000})
	body := strings.Join([]string{
		line("a"),
		`{"source":{"origin":"x:1"},"colour":1,"key":"b"}`,
		``,
		`not json`,
		line("c") + `{}`,
		`{"source":{"origin":"x:1"},"text":"` + strings.Repeat("x", 3000) + `"}`,
		`{"source":{"origin":"x:1","authority_level":0},"text":"t","key":"d"}`,
		"{\"source\":{\"origin\":\"x:1\"},\"text\":\"\xff\"}",
		`{"source":{"origin":"x:1"},"text":"\ud800"}`,
		line(strings.Repeat("k", 256)),
		line("e"), // without a line feed
	}, "\n")
	rec := h.do("agent", http.MethodPost, batchPath, body)
	if rec.Code != 200 || rec.Header().Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("%d %v", rec.Code, rec.Header())
	}
	type short struct {
		line, status int
		key          string
		code         tenure.Code
		pointer      string
	}
	var got []short
	for _, r := range results(t, rec.Body.String()) {
		s := short{line: r.Line, status: r.Status, key: r.Key}
		if r.Problem != nil {
			s.code = r.Problem.Code
			if len(r.Problem.Errors) > 0 {
				s.pointer = r.Problem.Errors[0].Pointer
			}
		}
		got = append(got, s)
	}
	want := []short{
		{1, 201, "a", "", ""},
		{2, 400, "b", tenure.Malformed, "/colour"},
		{4, 400, "", tenure.Malformed, ""},
		{5, 400, "", tenure.Malformed, ""},
		{6, 413, "", tenure.TooLarge, "/text"},
		{7, 403, "d", tenure.AuthorityTooHigh, "/source/authority_level"},
		{8, 400, "", tenure.Malformed, "/text"},
		{9, 400, "", tenure.Malformed, "/text"},
		{10, 400, "", tenure.Invalid, "/key"},
		{11, 201, "e", "", ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if h.seq() != 2 {
		t.Errorf("%d lines were written", h.seq())
	}
}

// groups is a response that records how many lines were written before each flush.
type groups struct {
	*httptest.ResponseRecorder
	sizes   []int
	flushed int
}

func (g *groups) Flush() {
	lines := strings.Count(g.Body.String(), "\n")
	g.sizes = append(g.sizes, lines-g.flushed)
	g.flushed = lines
}

func TestABatchIsDecidedInBoundedGroups(t *testing.T) {
	h := newHarness(t, httpapi.Config{GroupLines: 16})
	req := httptest.NewRequest(http.MethodPost, batchPath, strings.NewReader(strings.Repeat(line("")+"\n", 100)))
	req.Header.Set("Authorization", "Bearer agent")
	rec := &groups{ResponseRecorder: httptest.NewRecorder()}
	h.handler.ServeHTTP(rec, req)
	if got := results(t, rec.Body.String()); len(got) != 100 || got[99].Line != 100 || h.seq() != 100 {
		t.Fatalf("%d results", len(got))
	}
	for _, n := range rec.sizes {
		if n > 16 {
			t.Errorf("groups of %v lines", rec.sizes)
		}
	}
	if len(rec.sizes) < 2 {
		t.Errorf("groups of %v lines", rec.sizes)
	}
	empty := h.do("agent", http.MethodPost, batchPath, "")
	if empty.Code != 200 || empty.Body.Len() != 0 {
		t.Errorf("an empty batch: %d %s", empty.Code, empty.Body)
	}
}

// The lines of a batch are not refused because those before them took long: a database that has just been started plans
// every statement anew.
func TestABatchOutlastsTheTimeOfARequest(t *testing.T) {
	h := newHarness(t, httpapi.Config{GroupLines: 4, Timeout: 5 * time.Millisecond})
	h.state.slow.Store(int64(50 * time.Millisecond))
	rec := h.do("agent", http.MethodPost, batchPath, strings.Repeat(line("")+"\n", 10))
	got := results(t, rec.Body.String())
	if len(got) != 10 {
		t.Errorf("%d results", len(got))
	}
	for _, r := range got {
		if r.Status != http.StatusCreated {
			t.Errorf("line %d: %d %+v", r.Line, r.Status, r.Problem)
		}
	}
}

// The deadlines of the connection are those of a client that does not send or does not read, and not of the work.
func TestABatchKeepsItsConnection(t *testing.T) {
	const timeout = 500 * time.Millisecond
	h := newHarness(t, httpapi.Config{GroupLines: 1, Timeout: timeout, Now: time.Now})
	server := httptest.NewServer(h.handler)
	defer server.Close()
	h.state.slow.Store(int64(5 * timeout / 2))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+batchPath,
		strings.NewReader(strings.Repeat(line("")+"\n", 2)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer agent")
	req.Header.Set("Content-Type", "application/x-ndjson")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	if got := results(t, string(body)); len(got) != 2 || got[0].Status != 201 || got[1].Status != 201 {
		t.Errorf("%+v", got)
	}
}

func TestLinesHaveKeysOfTheirOwn(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	send := func(lines string) (list []bool) {
		for _, r := range results(t, h.do("agent", http.MethodPost, batchPath, lines).Body.String()) {
			if r.Status != 201 {
				t.Errorf("%+v", r)
			}
			list = append(list, r.Replayed)
		}
		return list
	}
	if got := send(line("a") + "\n" + line("") + "\r\n" + line("a") + " \n"); !slices.Equal(got, []bool{false, false, true}) {
		t.Errorf("replayed: %v", got)
	}
	if got := send(line("a") + "\n" + line("")); !slices.Equal(got, []bool{true, false}) {
		t.Errorf("replayed by the next batch: %v", got)
	}
	other := strings.Replace(line("a"), `"t"`, `"u"`, 1)
	reused := results(t, h.do("agent", http.MethodPost, batchPath, other).Body.String())[0]
	if reused.Status != 409 || reused.Problem.Code != tenure.KeyReused || reused.Problem.Errors[0].Pointer != "/key" {
		t.Errorf("%+v", reused)
	}
}

// TestABatchIsAConversation checks over a real connection that a client which waits for the answer to each
// line before sending the next one receives it.
func TestABatchIsAConversation(t *testing.T) {
	h := newHarness(t, httpapi.Config{Now: time.Now})
	server := httptest.NewServer(h.handler)
	defer server.Close()
	body, feed := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+batchPath, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer agent")
	go func() { _, _ = io.WriteString(feed, line("0")+"\n") }()
	res, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answers := bufio.NewReader(res.Body)
	for n := range 5 {
		text, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if r := results(t, text); r[0].Line != n+1 || r[0].Status != 201 {
			t.Fatalf("%s", text)
		}
		if n < 4 {
			_, _ = io.WriteString(feed, line("x")+"\n")
		}
	}
	_ = feed.Close()
	if rest := readAll(t, answers); rest != "" {
		t.Errorf("more: %s", rest)
	}
}

func TestTheGeneratedClient(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	id := h.state.belief(1, nil)
	server := httptest.NewServer(h.handler)
	defer server.Close()
	c, err := client.New(server.URL, "agent")
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.ListBeliefsWithResponse(t.Context(), &client.ListBeliefsParams{})
	if err != nil {
		t.Fatal(err)
	}
	if page.JSON200 == nil || page.JSON200.Items[0].ObjectId != client.ID(id) {
		t.Fatalf("%s", page.Body)
	}
	mention := 0
	confidence := .5
	made, err := c.ObserveWithResponse(t.Context(), &client.ObserveParams{}, client.ObservationInput{
		Source: client.SourceInput{Origin: "test:1"}, Mentions: []client.MentionInput{{Name: "Jon"}},
		Claims: []client.ClaimInput{{
			Subject: client.SubjectInput{Mention: &mention}, Predicate: "office", Value: "Chicago", ConfidenceScore: &confidence,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if made.JSON201 == nil || made.JSON201.Seq != 2 {
		t.Fatalf("%s", made.Body)
	}
	none, err := c.GetBeliefWithResponse(t.Context(), string(unknown), nil)
	if err != nil {
		t.Fatal(err)
	}
	if none.ApplicationproblemJSONDefault == nil || none.ApplicationproblemJSONDefault.Code != client.CodeNotFound {
		t.Fatalf("%s", none.Body)
	}
	batch, err := c.ObserveBatchWithBodyWithResponse(t.Context(), "application/x-ndjson", strings.NewReader(line("a")))
	if err != nil {
		t.Fatal(err)
	}
	if len(results(t, string(batch.Body))) != 1 {
		t.Fatalf("%s", batch.Body)
	}
}
