package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenure/internal/names"

	"tenure/similarity"
)

// TestRecalibration answers what was asked against the scores, and serves with
// the model that is made of the answers.
func TestRecalibration(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		store := e.store(t)
		w := newWorld(t, e, serve(t, store))
		file := filepath.Join(t.TempDir(), "model.json")
		recalibrate := func(args ...string) string { t.Helper(); return w.fit("recalibrate", args...) }
		says := func(what, out string, texts ...string) {
			t.Helper()
			for _, text := range texts {
				if !strings.Contains(out, text) {
					t.Errorf("%s: %q is not in\n%s", what, text, out)
				}
			}
		}
		says("without answers", recalibrate("-o", file), "Too few decisions: 0, and it takes 50.", "Nothing is written.")

		asked := w.lookAlikes(56)
		var decisions list
		for _, id := range asked {
			decisions = append(decisions, obj{"review_id": id, "decision": "new_entity", "version": 1})
		}
		for some := range slices.Chunk(decisions, 8) { // few enough for a loaded machine
			for _, status := range w.post("/v1/reviews:decide", obj{"decisions": some}).is(200).texts("/results", "/status") {
				same(t, "a decision", status, "200")
			}
		}
		says("the findings", strings.Join(w.get("/v1/reviews/threshold-report").is(200).texts("/findings", ""), "\n"), "people say 0.0 %", "too bold")

		dry := recalibrate()
		says("a dry run", dry, fmt.Sprintf("%d answers to reviews", len(asked)), "A fit does better", "too bold", "Nothing is written: -o FILE")
		if _, err := os.Stat(file); err == nil {
			t.Error("a dry run wrote the model")
		}
		version := similarity.DefaultModel().Version + "+" + w.tenant + "." + time.Now().UTC().Format("20060102")
		says("the model", recalibrate("-o", file), version)

		pair := obj{"left": obj{"name": "Wojciech Kowalczyk"}, "right": obj{"name": "Wojciech Kowalczik"}}
		before := w.post("/v1/compare", pair).is(200)
		own := newWorld(t, e, serve(t, store, "--model", file, "--index", t.TempDir()))
		after := own.with(w.key).post("/v1/compare", pair).is(200)
		same(t, "who scores", before.text("/model")+" "+after.text("/model"), similarity.DefaultModel().Version+" "+version)
		if before.text("/score") <= after.text("/score") {
			t.Errorf("the score went from %s to %s", before.text("/score"), after.text("/score"))
		}
		verify(t, store, w.tenant)
	})
}

// fit makes a model for the tenant, and gives what the command says.
func (w *world) fit(command string, args ...string) string {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := quick.Command(ctx, append([]string{"model", command, "--store", w.srv.store, "--tenant", w.tenant}, args...)...)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// lookAlikes makes people with rare names and asks about others whose names
// differ by a letter. It returns the reviews that ask for their score alone.
func (w *world) lookAlikes(n int) []string {
	w.Helper()
	syllables := []string{"ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo"}
	name := func(i int, last string) string {
		part := func(k int) string { return syllables[(i*k+k)%len(syllables)] }
		given := strings.ToUpper(part(3)[:1]) + part(3)[1:] + part(5) + part(9) + syllables[i/len(syllables)]
		family := strings.ToUpper(part(11)[:1]) + part(11)[1:] + syllables[i%len(syllables)] + part(13) + syllables[i/len(syllables)] + last
		return given + " " + family
	}
	for i := range n {
		w.say(name(i, "rek"), "office", "Boston")
	}
	w.settled()
	var ids []string
	for i := range n {
		if p := w.say(name(i, "rik"), "office", "Chicago"); p.text("/mentions/0/reason") == "similar" {
			ids = append(ids, p.review())
		}
	}
	if len(ids) < 55 {
		w.Fatalf("only %d of %d are asked about", len(ids), n)
	}
	return ids
}

// TestFrequencies counts a registry in which every firm is called Globexia, and
// serves with the model that knows it: the word says less of a firm there.
func TestFrequencies(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		store := e.store(t)
		w := newWorld(t, e, serve(t, store))
		count := func(args ...string) string { t.Helper(); return w.fit("frequencies", args...) }
		namer := names.New(7)
		firms := func(from, until int) {
			t.Helper()
			var lines []string
			for i := from; i < until; i++ {
				lines = append(lines, line("", obj{
					"source":   obj{"origin": "test://register", "authority_level": 2, "source_authority": .8},
					"mentions": list{obj{"name": "Globexia " + namer.Name(), "type": "organization", "record": obj{"source": "register", "id": fmt.Sprint(i)}}},
				}))
			}
			for some := range slices.Chunk(lines, 40) {
				for _, r := range w.batch(some) {
					same(t, "a firm", r.status, 201)
				}
			}
		}
		file := filepath.Join(t.TempDir(), "model.json")
		firms(0, 20)
		if out := count("-o", file); !strings.Contains(out, "organization: 20 names, too few: it takes 300.") || !strings.Contains(out, "Nothing is written") {
			t.Errorf("of a few:\n%s", out)
		}
		firms(20, 320)
		if out := count(); !strings.Contains(out, "organization: 320 names") || !strings.Contains(out, "globexia") || !strings.Contains(out, "Nothing is written") {
			t.Errorf("a dry run:\n%s", out)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("a dry run wrote the model")
		}
		count("-o", file)
		pair := obj{"left": obj{"name": "Globexia Tamerund", "type": "organization"}, "right": obj{"name": "Globexia Tamirund", "type": "organization"}}
		before := w.post("/v1/compare", pair).is(200)
		own := newWorld(t, e, serve(t, store, "--model", file, "--index", t.TempDir()))
		after := own.with(w.key).post("/v1/compare", pair).is(200)
		if before.text("/score") <= after.text("/score") {
			t.Errorf("the score went from %s to %s", before.text("/score"), after.text("/score"))
		}
		if !strings.Contains(after.text("/model"), w.tenant) {
			t.Errorf("the model is %s", after.text("/model"))
		}
	})
}
