// Command ner measures the extractor on annotated texts: precision, recall and
// F1 of exact spans and of spans with their type, by type and by register, and
// of chains, beside what peers reach on the style sample, and its speed.
//
//	go run ./eval/ner [--gold FILE [--half dev|test] [--out FILE] [--errors N]]
//
// Without --gold it measures the style sample and texts.jsonl: texts of our own
// in the same form, whose field "half" keeps those apart that errors were looked
// at ("dev") from those that are only ever counted ("test"). The predictions
// (--out) are for mentions_score.py, which scores them likewise.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tenure"
	"tenure/ner"
	"tenure/ner/alias"
)

type options struct {
	gold, half, out string
	errors          int
}

type span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text,omitempty"`
	Type  string `json:"type"`
	Chain int    `json:"chain"`
}

type record struct {
	ID       string `json:"id"`
	Register string `json:"register"`
	Half     string `json:"half"`
	Text     string `json:"text"`
	Mentions []span `json:"mentions"`
	Optional []span `json:"optional"`
	Aliases  []struct {
		Alias  string    `json:"alias"`
		Type   string    `json:"type"`
		Entity tenure.ID `json:"entity"`
	} `json:"known_aliases"`
}

func main() {
	var o options
	flag.StringVar(&o.gold, "gold", "", "annotated texts")
	flag.StringVar(&o.half, "half", "", "only the records of this half")
	flag.StringVar(&o.out, "out", "", "write the predictions there")
	flag.IntVar(&o.errors, "errors", 0, "list the first N errors")
	flag.Parse()
	for _, run := range runs(o) {
		if err := evaluate(context.Background(), run, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "ner:", err)
			os.Exit(1)
		}
	}
}

// own is the file of texts in this repository.
const own = "eval/ner/texts.jsonl"

// runs returns the requested measurement, or all measurements by default.
func runs(o options) []options {
	if o.gold != "" {
		return []options{o}
	}
	sample := filepath.Join(cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"), "mentions", "dev.jsonl")
	return []options{{gold: sample}, {gold: own, half: "dev"}, {gold: own, half: "test"}}
}

func evaluate(ctx context.Context, o options, w io.Writer) error {
	gold, err := read(o.gold, o.half)
	if err != nil {
		return err
	}
	rules := ner.New()
	var predictions bytes.Buffer
	var s score
	out := json.NewEncoder(&predictions)
	for _, r := range gold {
		found, err := rules.Extract(ctx, r.Text, aliases(r))
		if err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		said := make([]span, len(found))
		for i, m := range found {
			said[i] = span{m.Start, m.End, m.Text, m.Type, m.Chain}
		}
		if err := out.Encode(record{ID: r.ID, Register: r.Register, Mentions: said}); err != nil {
			return err
		}
		s.add(r, said)
	}
	fmt.Fprintf(w, "\n%s %s\n", filepath.Base(o.gold), o.half)
	s.print(w, o.errors)
	rate, err := speed(ctx, rules, gold)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nspeed: %.2f MB/s on one core\n", rate)
	if o.out != "" {
		return os.WriteFile(o.out, predictions.Bytes(), 0o600)
	}
	return nil
}

// aliases returns the registry of one record.
func aliases(r record) ner.Aliases {
	if len(r.Aliases) == 0 {
		return nil
	}
	type key struct {
		entity tenure.ID
		typ    string
	}
	spellings := map[key][]string{}
	for _, a := range r.Aliases {
		k := key{a.Entity, a.Type}
		spellings[k] = append(spellings[k], a.Alias)
	}
	d := alias.NewDictionary()
	for k, s := range spellings {
		d.Set(k.entity, k.typ, "", s...)
	}
	return d.In("")
}

func read(file, half string) ([]record, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	var found []record
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if half == "" || r.Half == half {
			found = append(found, r)
		}
	}
	return found, lines.Err()
}

// speed extracts from the texts, each by itself as writes bring them, for a second of processor time, and returns
// megabytes per second. A clock would measure what else the machine does.
func speed(ctx context.Context, rules *ner.Rules, gold []record) (float64, error) {
	done, begin := 0, processorTime()
	for processorTime()-begin < time.Second {
		for _, r := range gold {
			if _, err := rules.Extract(ctx, r.Text, nil); err != nil {
				return 0, err
			}
			done += len(r.Text)
		}
	}
	return float64(done) / 1e6 / (processorTime() - begin).Seconds(), nil
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
