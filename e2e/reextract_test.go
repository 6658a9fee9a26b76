package e2e

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// reextracting runs reextract, and returns what it tells as "outcome: act effect, ..." of each text.
func (w *world) reextract(say string, flags ...string) (told []string) {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	args := append([]string{"reextract", "--store", w.srv.store, "--tenant", w.tenant}, flags...)
	out, log, err := quick.Run(ctx, args...)
	if err != nil || !strings.Contains(log, say) {
		w.Fatalf("reextract: %v; it does not say %q\n%s%s", err, say, out, log)
	}
	for line := range strings.Lines(out) {
		var t obj
		if err := json.Unmarshal([]byte(line), &t); err != nil {
			w.Fatalf("%q: %v", line, err)
		}
		var did []string
		for _, s := range (answer{body: t}).items("/statements") {
			did = append(did, text(s, "/act")+" "+text(s, "/effect"))
		}
		told = append(told, text(t, "/outcome")+": "+strings.Join(did, ", "))
	}
	return told
}

// TestReextract reads texts that nobody could read when they came, and texts that another extractor reads otherwise.
func TestReextract(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		deaf := newWorld(t, e, serve(t, e.store(t), "--extractor", "http://127.0.0.1:1"))
		city := deaf.launch()
		deaf.settled()
		kept := deaf.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", "The launch city of Plover is Namur now.")).is(201)
		same(t, "while nobody reads", kept.warnings(), []string{"text_only ", "not_read /text"})
		silent := chat("Ilka", "2025-03-03T09:00:00Z", "The launch city of Plover is Oslo now.")
		silent["extract"] = "none"
		deaf.post("/v1/observations", silent).is(201)
		deaf.post("/v1/observations", chat("Ilka", "2025-03-04T09:00:00Z", "Is the launch city of Plover Bergen?")).is(201)

		deaf.unchanged("a dry run", func() {
			same(t, "what is read", deaf.reextract("nothing was written"), []string{"differs: assert set"})
		})
		same(t, "what is written", deaf.reextract("1 readings written, 0 refused, 1 beliefs made", "--apply"), []string{"written: assert set"})
		same(t, "the launch city", deaf.believed(city.entity, "launch_city", "valid_at=2025-03-02T10:00:00Z"), []string{"Namur"})
		deaf.unchanged("the same again", func() {
			same(t, "what is read", deaf.reextract("0 readings written", "--apply"), []string(nil))
		})
		list := deaf.get("/v1/observations?speaker=Ilka").is(200).items("/items")
		var reading answer
		for _, o := range list {
			if got := deaf.get("/v1/observations/" + text(o, "/observation_id")).is(200); got.text("/of") != "" {
				reading = got
			}
		}
		same(t, "which text", reading.text("/of")+reading.text("/text"), kept.text("/observation_id"))
		same(t, "when it was said", reading.text("/observed_at"), "2025-03-02T09:00:00Z")
		same(t, "the text itself", len(deaf.get("/v1/observations/"+kept.text("/observation_id")).is(200).items("/statements")), 0)

		r := newReader(t)
		w := newWorld(t, e, deaf.srv)
		w.say("Atlas", "budget", "4000 dollars", kind("project"), seen("2025-02-01T09:00:00Z"))
		atlas := w.remember(obj{"text": "for Atlas it has to be 5500 dollars", "speaker": "Dana", "observed_at": "2025-03-02T09:00:00Z"})
		same(t, "while nobody reads", atlas.effects(), []string{})
		r.reads("for Atlas it has to be 5500 dollars", .9, obj{"act": "assert", "subject": "Atlas", "new": "5500 dollars"})
		model := []string{"--apply", "--statements-model-url", r.URL, "--statements-model", "small"}
		same(t, "what a model reads", w.reextract("1 readings written", model...), []string{"written: assert set"})
		w.compile(obj{"query": "What is the budget of Atlas?"}).shows("5500", not, "4000")
		r.reads("for Atlas it has to be 5500 dollars", .9, obj{"act": "ask", "subject": "Atlas", "new": "5500 dollars"})
		w.unchanged("the same model again", func() { w.reextract("0 readings written", model...) })
		other := append([]string{}, model...)
		other[len(other)-1] = "large"
		same(t, "another model", w.reextract("1 beliefs rest on statements that are not read any more", other...), []string{"written: ask keep"})
		w.unchanged("and again", func() { w.reextract("0 readings written", other...) })
		verify(t, w.srv.store, w.tenant, w.srv.login...)
		verify(t, w.srv.store, deaf.tenant, w.srv.login...)
	})
}
