package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// hook receives what the webhook sends, and refuses it while it is down. A Neo4j that is shared tells of the tenants of
// other tests, too.
type hook struct {
	mu     sync.Mutex
	tenant string
	down   bool
	got    []obj
	bad    int // requests with a wrong signature
}

const hookSecret = "0123456789abcdef"

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte(r.Header.Get("Tenure-Webhook-Timestamp") + "." + string(raw)))
	h.mu.Lock()
	defer h.mu.Unlock()
	var event obj
	if json.Unmarshal(raw, &event) != nil || r.Header.Get("Tenure-Webhook-Signature") != "v1="+hex.EncodeToString(mac.Sum(nil)) {
		h.bad++
	}
	if text(event, "/tenant_id") != h.tenant {
		return
	}
	h.got = append(h.got, event)
	if h.down {
		w.WriteHeader(http.StatusBadGateway)
	}
}

func (h *hook) set(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
}

// last is the last event that came, and how many did.
func (h *hook) last() (event obj, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n = len(h.got); n > 0 {
		event = h.got[n-1]
	}
	return event, n
}

// TestWebhook tells a URL of a case and of a review. What it does not take is a dead letter, and sent when asked.
func TestWebhook(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		h := &hook{}
		receiver := httptest.NewServer(h)
		defer receiver.Close()
		secret := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(secret, []byte(hookSecret+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		w := newWorld(t, e, serveWatched(t, e, e.store(t), "--webhook", receiver.URL, "--webhook-secret-file", secret,
			"--webhook-dir", filepath.Join(t.TempDir(), "hook"), "--webhook-attempts", "1"))
		h.set(func() { h.tenant = w.tenant })

		_, _, kase := w.tied("Ann Lee", "office", "Boston", "Chicago", claims("update_path", "tool://hr/office"))
		eventually(t, "the case is told", func() bool { _, n := h.last(); return n == 1 })
		event, _ := h.last()
		same(t, "what is told", []string{text(event, "/type"), text(event, "/task/kind"), text(event, "/task/id"), text(event, "/task/target"), text(event, "/task/waits_for")},
			[]string{"task.opened", "case", kase, "tool://hr/office", "tool_lookup"})
		w.get(text(event, "/task/path")).is(200)

		h.set(func() { h.down = true })
		_, pending := w.asked("Jon Smith")
		dead := "/v1/webhook/dead-letters"
		eventually(t, "the review is a dead letter", func() bool { return len(w.get(dead).is(200).items("/items")) == 1 })
		letter := w.get(dead).is(200)
		same(t, "which", []string{letter.text("/items/0/kind"), letter.text("/items/0/task_id"), letter.text("/items/0/attempts"), letter.text("/items/0/last_error")},
			[]string{"review", pending.review(), "1", "the answer was 502 Bad Gateway"})
		stranger := newWorld(t, e, w.srv)
		retry := dead + "/" + letter.text("/items/0/event_id") + "/retry"
		same(t, "to another tenant", len(stranger.get(dead).is(200).items("/items")), 0)
		stranger.post(retry, nil).problem(404, "not_found")
		w.issue(obj{"roles": list{"reviewer"}}).get(dead).problem(403, "forbidden")

		h.set(func() { h.down = false })
		w.post(retry, nil).is(204)
		eventually(t, "it is sent again", func() bool { _, n := h.last(); return n == 3 })
		event, _ = h.last()
		same(t, "the same event", text(event, "/id")+" "+text(event, "/task/path"), letter.text("/items/0/event_id")+" /v1/reviews/"+pending.review())
		eventually(t, "nothing is dead", func() bool { return len(w.get(dead).is(200).items("/items")) == 0 })
		w.post(retry, nil).problem(404, "not_found")
		h.set(func() { same(t, "wrong signatures", h.bad, 0) })
		measured := string(w.get("/metrics").is(200).raw)
		for _, outcome := range []string{"delivered", "dead"} {
			if !regexp.MustCompile(`tenure_webhook_attempts_total\{outcome="` + outcome + `"\} [1-9]`).MatchString(measured) {
				t.Errorf("no attempt is counted as %s", outcome)
			}
		}
	})
}
