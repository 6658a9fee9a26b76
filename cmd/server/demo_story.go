package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"
)

// story is what the agents of a bakery that builds a web shop have seen and
// heard, each as the body of a POST /v1/observations. The fourth repeats what
// the third has superseded; the fifth is an intern against the handbook; the
// sixth and the seventh contradict each other with nothing to choose by; the
// ninth corrects the eighth with effect from the past.
var story = []string{
	`{
  "source": {"origin": "policy://handbook/refunds", "authority_level": 1, "source_authority": 1, "speaker": "Handbook"},
  "observed_at": "2025-01-02T08:00:00Z",
  "text": "Support of Heron refunds at most 40 euros without a second signature.",
  "mentions": [{"name": "Heron", "type": "project", "aliases": ["Project Heron"]}],
  "claims": [{
    "subject": {"mention": 0}, "predicate": "refund_limit", "value": "40 euros without a second signature",
    "object_type": "policy_rule", "is_constraint": true, "constraint_type": "policy"
  }]
}`,
	`{
  "source": {"origin": "conversation://planning/12", "authority_level": 2, "source_authority": 0.9, "speaker": "Mira Castellan"},
  "observed_at": "2025-03-03T10:00:00Z",
  "text": "Heron keeps its orders in MariaDB.",
  "mentions": [{"name": "Heron", "type": "project"}],
  "claims": [{
    "subject": {"mention": 0}, "predicate": "order_database", "value": "MariaDB", "object_type": "project_decision"
  }]
}`,
	`{
  "source": {"origin": "conversation://planning/31", "authority_level": 2, "source_authority": 0.9, "speaker": "Mira Castellan"},
  "observed_at": "2025-04-14T10:00:00Z",
  "text": "We moved the orders of Project Heron to PostgreSQL.",
  "mentions": [{"name": "Project Heron", "type": "project"}],
  "claims": [{
    "subject": {"mention": 0}, "predicate": "order_database", "value": "PostgreSQL", "object_type": "project_decision",
    "supersedes": ["order_database"],
    "supersession_evidence": {"rule": "explicit", "trigger": "moved", "span": "We moved the orders of Project Heron to PostgreSQL."}
  }]
}`,
	`{
  "source": {"origin": "conversation://planning/33", "authority_level": 2, "source_authority": 0.9, "speaker": "Tomasz Wilk", "role": "intern"},
  "observed_at": "2025-04-16T15:30:00Z",
  "text": "As I said, the orders of Heron are in MariaDB.",
  "mentions": [{"name": "heron", "type": "project"}],
  "claims": [{
    "subject": {"mention": 0}, "predicate": "order_database", "value": "MariaDB", "object_type": "project_decision"
  }]
}`,
	`{
  "source": {"origin": "conversation://support/7", "authority_level": 2, "source_authority": 0.9, "speaker": "Tomasz Wilk", "role": "intern"},
  "observed_at": "2025-05-20T11:00:00Z",
  "text": "For Heron, let us refund up to 200 euros.",
  "mentions": [{"name": "Heron", "type": "project"}],
  "claims": [{
    "subject": {"mention": 0}, "predicate": "refund_limit", "value": "200 euros", "object_type": "policy_rule", "is_constraint": true
  }]
}`,
	`{
  "source": {"origin": "tool://mail/4411", "authority_level": 3, "source_authority": 0.6, "speaker": "mail agent"},
  "observed_at": "2025-06-02T09:00:00Z",
  "text": "Heron opens on 3 September.",
  "mentions": [{"name": "Heron", "type": "project"}],
  "claims": [{
    "subject": {"mention": 0}, "predicate": "opening_day", "value": "2025-09-03", "confidence_score": 0.8
  }]
}`,
	`{
  "source": {"origin": "tool://calendar/quay-street", "authority_level": 3, "source_authority": 0.6, "speaker": "calendar agent"},
  "observed_at": "2025-06-02T09:02:00Z",
  "text": "Heron opens on 10 September.",
  "mentions": [{"name": "Heron", "type": "project"}],
  "claims": [{
    "subject": {"mention": 0}, "predicate": "opening_day", "value": "2025-09-10", "confidence_score": 0.8,
    "update_path": "https://calendar.saltmarsh.example/quay-street"
  }]
}`,
	`{
  "source": {"origin": "hr://staff", "authority_level": 2, "source_authority": 0.9, "speaker": "staff list"},
  "observed_at": "2025-01-07T09:00:00Z",
  "text": "Lena Brandt works on Heron, from Utrecht.",
  "mentions": [
    {"name": "Lena Brandt", "type": "person", "attributes": {"email": ["lena.brandt@saltmarsh.example"]}},
    {"name": "Heron", "type": "project"}
  ],
  "claims": [
    {"subject": {"mention": 0}, "predicate": "based_in", "value": "Utrecht", "object_type": "identity_fact", "valid_from": "2025-01-07T00:00:00Z"},
    {"subject": {"mention": 0}, "predicate": "works_on", "value": {"mention": 1}, "object_type": "identity_fact"}
  ]
}`,
	`{
  "source": {"origin": "hr://staff", "authority_level": 2, "source_authority": 0.9, "speaker": "staff list"},
  "observed_at": "2025-06-10T09:00:00Z",
  "text": "Correction: L. Brandt has been in Porto since 1 February.",
  "mentions": [{"name": "L. Brandt", "type": "person", "attributes": {"email": ["lena.brandt@saltmarsh.example"]}}],
  "claims": [{
    "subject": {"mention": 0}, "predicate": "based_in", "value": "Porto", "object_type": "identity_fact", "valid_from": "2025-02-01T00:00:00Z"
  }]
}`,
}

// call is a request that the demo shows, and makes.
type call struct {
	title string
	path  string
	body  string // a POST, if there is one
	show  func(answer []byte) (string, error)
}

// calls ask about the story. They name nothing that differs from run to run.
var calls = []call{
	{
		title: "What may a model see? The replaced database is not there, nor is the opening day that nobody has settled.",
		path:  "/v1/compile",
		body:  `{"query": "Where does Heron keep its orders, what may support refund, and who works on it?"}`,
		show:  showCompilation,
	},
	{
		title: "What became of the intern's word? It is kept, and overridden by the authority of the handbook.",
		path:  "/v1/beliefs?predicate=refund_limit&status=any",
		show:  inPart[beliefsShown],
	},
	{
		title: "What is in quarantine? Two agents disagree and nothing decides: the case says how to find out.",
		path:  "/v1/quarantine",
		show:  inPart[casesShown],
	},
	{
		title: "Where was Lena on 1 March, as it was known before the correction (after change set 8)?",
		path:  "/v1/beliefs?predicate=based_in&valid_at=2025-03-01T00:00:00Z&known_at=8",
		show:  inPart[asOfShown],
	},
	{
		title: "Where was Lena on 1 March, as it is known now?",
		path:  "/v1/beliefs?predicate=based_in&valid_at=2025-03-01T00:00:00Z",
		show:  inPart[asOfShown],
	},
}

// curl is the call as a command.
func (c call) curl() string {
	command := `curl -s "$TENURE_URL` + c.path + `" -H "Authorization: Bearer $KEY"`
	if c.body != "" {
		command += " \\\n  -H \"Content-Type: application/json\" \\\n  -d '" + c.body + "'"
	}
	return command
}

// tell posts the story to the server at the address, shows what became of it,
// and makes the calls.
func tell(ctx context.Context, out io.Writer, url, key string) error {
	client := demoClient{url: url, key: key, http: &http.Client{}}
	defer client.http.CloseIdleConnections()
	fmt.Fprintf(out, "Tenure on %s, from a temporary folder. To make the calls below from another shell:\n\n", url)
	fmt.Fprintf(out, "export TENURE_URL=%s\nexport KEY=%s\n", url, key)
	fmt.Fprint(out, "\nWhat it was told, and what became of it:\n\n")
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "  SEQ\tSAID BY\tSAID\tSTATUS THEN")
	for _, observation := range story {
		line, err := client.observe(ctx, observation)
		if err != nil {
			return err
		}
		fmt.Fprintln(t, "  "+line)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(out, "\nFive calls. Of the answers only a part is shown.\n")
	for i, c := range calls {
		answer, err := client.ask(ctx, c.path, c.body)
		if err != nil {
			return err
		}
		shown, err := c.show(answer)
		if err != nil {
			return fmt.Errorf("%s: %w", c.path, err)
		}
		fmt.Fprintf(out, "\n[%d] %s\n\n%s\n\n%s\n", i+1, c.title, c.curl(), shown)
	}
	return nil
}

type demoClient struct {
	url, key string
	http     *http.Client
}

// observe posts an observation and gives its line of the table.
func (c demoClient) observe(ctx context.Context, body string) (string, error) {
	var said struct {
		Source struct{ Speaker string }
		Text   string
	}
	var became struct {
		Seq     int64
		Beliefs []struct {
			Status     string
			Superseded []string
		}
	}
	if err := json.Unmarshal([]byte(body), &said); err != nil {
		return "", err
	}
	answer, err := c.ask(ctx, "/v1/observations", body)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(answer, &became); err != nil {
		return "", err
	}
	var statuses []string
	for _, b := range became.Beliefs {
		if n := len(b.Superseded); n > 0 {
			b.Status += fmt.Sprintf(", supersedes %d", n)
		}
		statuses = append(statuses, b.Status)
	}
	return fmt.Sprintf("%d\t%s\t%s\t%s", became.Seq, said.Source.Speaker, said.Text, strings.Join(statuses, ", ")), nil
}

// ask makes a request, a POST if there is a body, and gives the answer.
func (c demoClient) ask(ctx context.Context, path, body string) ([]byte, error) {
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, res.Status, bytes.TrimSpace(answer))
	}
	return answer, nil
}

// beliefsShown is the part of a list of beliefs that shows who won.
type beliefsShown struct {
	Items []struct {
		Speaker        string          `json:"speaker"`
		Predicate      string          `json:"predicate"`
		Value          json.RawMessage `json:"value"`
		AuthorityLevel int             `json:"authority_level"`
		Status         string          `json:"contradiction_status"`
		SupersededBy   *string         `json:"supersession_link"`
		Segments       []struct {
			Status string `json:"status"`
			Cause  string `json:"cause"`
		} `json:"segments"`
	} `json:"items"`
}

// asOfShown is the part of a list of beliefs that shows both clocks.
type asOfShown struct {
	Items []struct {
		Predicate string          `json:"predicate"`
		Value     json.RawMessage `json:"value"`
		ValidFrom *string         `json:"valid_from"`
		Status    string          `json:"contradiction_status"`
	} `json:"items"`
	AsOf struct {
		ValidAt string `json:"valid_at"`
		KnownAt string `json:"known_at"`
		Seq     int64  `json:"seq"`
	} `json:"as_of"`
}

// casesShown is the part of a list of cases that the demo shows.
type casesShown struct {
	Items []struct {
		State     string `json:"state"`
		Predicate string `json:"predicate"`
		Beliefs   []struct {
			Speaker string          `json:"speaker"`
			Value   json.RawMessage `json:"value"`
			Status  string          `json:"contradiction_status"`
		} `json:"beliefs"`
		Resolver json.RawMessage `json:"resolver"`
		Version  int             `json:"version"`
	} `json:"items"`
}

// inPart shows the fields that T has.
func inPart[T any](answer []byte) (string, error) {
	var part T
	if err := json.Unmarshal(answer, &part); err != nil {
		return "", err
	}
	shown, err := json.MarshalIndent(part, "", "  ")
	return string(shown), err
}

// showCompilation shows the text of the envelope as a model reads it, and what
// was left out.
func showCompilation(answer []byte) (string, error) {
	type object struct {
		Predicate string `json:"predicate"`
		Reason    string `json:"reason"`
		Status    string `json:"contradiction_status"`
	}
	var c struct {
		Envelope struct{ Text string }
		Trace    struct {
			State struct {
				Omitted     []object `json:"omitted_objects"`
				Quarantined []object `json:"quarantined_objects"`
			} `json:"state_compilation_metadata"`
		}
	}
	if err := json.Unmarshal(answer, &c); err != nil {
		return "", err
	}
	lines := []string{"envelope.text:", ""}
	for line := range strings.Lines(c.Envelope.Text) {
		lines = append(lines, strings.TrimRight("  "+line, " \n"))
	}
	lines = append(lines, "", "trace, what was left out and why:", "")
	for _, list := range [][]object{c.Trace.State.Omitted, c.Trace.State.Quarantined} {
		for _, o := range list {
			lines = append(lines, fmt.Sprintf("  %s: %s (%s)", o.Predicate, o.Reason, cmp.Or(o.Status, "no status")))
		}
	}
	return strings.Join(lines, "\n"), nil
}
