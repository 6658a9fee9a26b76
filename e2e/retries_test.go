package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// What is sent twice happens once.
var retries = []scenario{
	{"same-key-same-body", sameKey},
	{"same-key-other-body", otherBody},
	{"same-key-at-once", atOnce},
	{"keys-belong-to-who-and-what", keyScope},
	{"refusals-are-not-recorded", refusalsForgotten},
	{"batch-keys", batchKeys},
	{"batch-of-1000-lines", bigBatch},
}

const idem = "Idempotency-Key: "

func sameKey(w *world) {
	first := w.record(stating("Jon Smith", "office", "Boston"), idem+"k 1~!")
	same(w.T, "the first is no replay", first.header.Get("Idempotency-Replayed"), "")
	w.unchanged("the same key again", func() {
		again := w.record(stating("Jon Smith", "office", "Boston"), idem+"k 1~!")
		same(w.T, "the answer", string(again.raw), string(first.raw))
		same(w.T, "replayed", again.header.Get("Idempotency-Replayed"), "true")
	})
	for _, verb := range []string{"confirm", "end", "retract"} {
		a := w.post("/v1/beliefs/"+first.belief+"/"+verb, obj{"reason": "x"}, idem+"k").is(200)
		w.unchanged(verb+" again", func() {
			b := w.post("/v1/beliefs/"+first.belief+"/"+verb, obj{"reason": "x"}, idem+"k").is(200)
			same(w.T, verb, b.text("/seq")+b.text("/amendment_id"), a.text("/seq")+a.text("/amendment_id"))
		})
	}
	w.say("Ann Lee", "office", "Boston", by("Dana"))
	tied := w.say("Ann Lee", "office", "Chicago", by("Eve"))
	path := "/v1/quarantine/" + tied.text("/beliefs/0/case_id") + "/resolution"
	a := w.post(path, obj{"accept": tied.belief, "version": 1}, idem+"k").is(200)
	b := w.post(path, obj{"accept": tied.belief, "version": 1}, idem+"k").is(200)
	same(w.T, "a settlement", string(b.raw), string(a.raw))
}

func otherBody(w *world) {
	w.record(stating("Jon Smith", "office", "Boston"), idem+"k")
	w.unchanged("another body", func() {
		w.post("/v1/observations", stating("Jon Smith", "office", "Chicago"), idem+"k").problem(409, "idempotency_key_reused", "Idempotency-Key")
	})
	for _, bad := range []string{strings.Repeat("k", 256), "ü", "a\tb"} {
		w.post("/v1/observations", stating("Jon Smith", "office", "Boston"), idem+bad).problem(400, "invalid", "Idempotency-Key")
	}
}

func atOnce(w *world) {
	const senders = 16
	got := make([]string, senders)
	var work sync.WaitGroup
	for i := range senders {
		work.Go(func() {
			a, err := w.try(w.Context(), "POST", "/v1/observations", stating("Jon Smith", "office", "Boston"), idem+"k")
			if got[i] = string(a.raw); err != nil || a.status != 201 {
				w.Errorf("%v: %d %s", err, a.status, a.raw)
			}
		})
	}
	work.Wait()
	for _, raw := range got {
		same(w.T, "one answer", raw, got[0])
	}
	same(w.T, "entries", len(w.entries()), 1)
}

func keyScope(w *world) {
	first := w.record(stating("Jon Smith", "office", "Boston"), idem+"k")
	other := w.issue(obj{"roles": list{"agent"}})
	second := other.record(stating("Jon Smith", "office", "Chicago", by("Eve")), idem+"k")
	same(w.T, "another key's", second.header.Get("Idempotency-Replayed"), "")
	w.post("/v1/beliefs/"+first.belief+"/confirm", nil, idem+"k").is(200)
	w.post("/v1/beliefs/"+second.belief+"/confirm", nil, idem+"k").problem(409, "idempotency_key_reused", "Idempotency-Key")
	w.post("/v1/beliefs/"+first.belief+"/end", nil, idem+"k").is(200)
	same(w.T, "entries", len(w.entries()), 4)
}

func refusalsForgotten(w *world) {
	w.post("/v1/observations", stating("Jon Smith", "office", "Boston", supersedes("nothing")), idem+"k").problem(422, "unprocessable")
	w.record(stating("Jon Smith", "office", "Boston"), idem+"k")
}

// batch sends lines of NDJSON, and gives the lines of the answer.
func (w *world) batch(lines []string) []answer {
	w.Helper()
	a := w.post("/v1/observations:batch", strings.Join(lines, "\n")+"\n", "Content-Type: application/x-ndjson").is(200)
	same(w.T, "the type", a.header.Get("Content-Type"), "application/x-ndjson")
	var results []answer
	for line := range strings.Lines(string(a.raw)) {
		r := answer{t: w.T, asked: "a line of a batch", raw: []byte(line)}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&r.body); err != nil {
			w.Fatalf("%v: %s", err, line)
		}
		r.status = r.seq("/status")
		results = append(results, r)
	}
	return results
}

func line(key string, observation obj) string {
	if key != "" {
		observation["key"] = key
	}
	raw, err := json.Marshal(observation)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func batchKeys(w *world) {
	lines := []string{
		line("a", stating("Jon Smith", "office", "Boston")),
		line("b", stating("Jon Smith", "floor", "3")),
		line("a", stating("Jon Smith", "office", "Boston")),
		line("a", stating("Jon Smith", "office", "Chicago")),
	}
	first := w.batch(lines)
	same(w.T, "results", len(first), 4)
	for i, want := range []string{"201 ", "201 ", "201 true", "409 "} {
		same(w.T, fmt.Sprint("line ", i+1), first[i].text("/status")+" "+first[i].text("/replayed"), want)
	}
	same(w.T, "a twin's answer", first[2].at("/observation"), first[0].at("/observation"))
	same(w.T, "the fourth", first[3].text("/problem/code")+" "+first[3].text("/problem/errors/0/pointer"), "idempotency_key_reused /key")
	w.unchanged("the batch again", func() {
		again := w.batch([]string{lines[0], "", " ", lines[1]})
		same(w.T, "blank lines count and have no result", []string{again[0].text("/line"), again[1].text("/line")}, []string{"1", "4"})
		for i := range again {
			same(w.T, "replayed", again[i].text("/replayed"), "true")
			same(w.T, "the answer", again[i].at("/observation"), first[i].at("/observation"))
		}
	})
}

// bigBatch: each line has a result, bad ones too, in the order of the lines. Where
// time is up before the last line, the batch is sent again, as a user would.
func bigBatch(w *world) {
	const count = 1000
	bad := map[int]string{ // by the remainder of the line's number; what it answers
		50:  "400 malformed",
		150: "400 invalid",
		250: "422 unprocessable",
		350: "403 forbidden",
		450: "413 too_large",
	}
	law := w.batch([]string{line("", stating("The Law", "limit", "1", key("law"), level(0)))})
	same(w.T, "a line without a key", law[0].text("/status"), "201")
	lines := make([]string, count)
	for i := range count {
		o := stating(fmt.Sprint("Person ", i%40), fmt.Sprint("fact_", i%7), i, from(fmt.Sprintf("2021-01-01T00:%02d:%02dZ", i/60, i%60)))
		switch i % 500 {
		case 50:
			lines[i] = line("", o) + "}"
			continue
		case 150:
			o["source"].(obj)["source_authority"] = 1.5
		case 250:
			o["claims"].(list)[0].(obj)["supersedes"] = list{"no such key"}
		case 350:
			o["claims"].(list)[0].(obj)["supersedes"] = list{"law"}
		case 450:
			o["text"] = strings.Repeat("x", 1<<20)
		}
		lines[i] = line(fmt.Sprint("row-", i), o)
	}
	results := w.batch(lines)
	for slices.ContainsFunc(results, func(a answer) bool { return a.status == 503 }) {
		results = w.batch(lines)
	}
	if len(results) != count {
		w.Fatalf("%d results for %d lines", len(results), count)
	}
	good, last := 0, 0
	for i, r := range results {
		same(w.T, "the number of the line", r.text("/line"), fmt.Sprint(i+1))
		if want, ok := bad[i%500]; ok {
			same(w.T, fmt.Sprint("line ", i+1), r.text("/status")+" "+r.text("/problem/code"), want)
			if r.text("/problem/errors/0/reason") == "" {
				w.Errorf("line %d does not say where: %s", i+1, r.raw)
			}
			continue
		}
		good++
		if r.status != 201 || r.seq("/observation/seq") <= last {
			w.Fatalf("line %d after %d: %s", i+1, last, short(r.raw))
		}
		last = r.seq("/observation/seq")
		same(w.T, "the key", r.text("/key"), fmt.Sprint("row-", i))
	}
	same(w.T, "good lines", good, count-10)
	same(w.T, "entries", len(w.entries()), good+len(law))
	same(w.T, "the entities of a name", len(w.get("/v1/entities?name=person+7").is(200).items("/items")), 1)
	verify(w.T, w.srv.store, w.tenant)
}
