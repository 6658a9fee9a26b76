package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestExtractorOverHTTP asks a service for the mentions of texts; while it
// fails, texts are refused and all else goes on.
func TestExtractorOverHTTP(t *testing.T) {
	t.Parallel()
	const said = "our ferret Biscuit met Zoë Farid"
	var body, asked atomic.Value
	body.Store(`{"mentions":[{"start":11,"end":18,"type":"person","chain":"b"},{"start":23,"end":33,"type":"person"}]}`)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		asked.Store(string(raw))
		_, _ = io.WriteString(w, body.Load().(string))
	}))
	defer service.Close()
	e := sqlite
	w := newWorld(t, e, serve(t, e.store(t), "--extractor", service.URL, "--extractor-timeout", patience.String()))
	zoe := w.say("Zoë Farid", "office", "Boston")
	w.settled()
	r := w.post("/v1/resolve", obj{"text": said}).is(200)
	same(t, "the names", r.texts("/mentions", "/name"), []string{"Biscuit", "Zoë Farid"})
	same(t, "the chains", r.texts("/mentions", "/chain"), []string{"1", "2"})
	same(t, "who", r.texts("/mentions", "/entity_id"), []string{"", zoe.entity})
	if q := asked.Load().(string); !strings.Contains(q, `"known_aliases":[{"alias":"Zoë Farid","type":"person","entity":"`+zoe.entity+`"}]`) {
		t.Errorf("it was asked %s", q)
	}
	body.Store(`{"mentions":[{"start":11,"end":18,"type":"person"},{"start":12,"end":99,"type":"person"}]}`)
	w.unchanged("a bad answer", func() { w.post("/v1/resolve", obj{"text": said}).problem(503, "unavailable") })
	service.Close()
	w.unchanged("a service that is gone", func() { w.post("/v1/resolve", obj{"text": said}).problem(503, "unavailable") })
	w.resolve(obj{"name": "Zoë"})
}
