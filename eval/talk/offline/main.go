// Command offline measures how statements are read and aligned, without a service: it tells conversations to
// statements.Read and statements.Align over a memory that is as simple as can be, and asks their questions.
//
//	go run ./eval/talk/offline [-failures N] [-half odd|even] [-aim A] [-act A] [-id ID] [-oracle] FILE...
//
// A file has one conversation on a line. Rules may be fitted to the odd blocks of ten lines; the even ones are counted: a
// block, because ten lines may have the same known facts. What it shows
// is the part that reading and aligning have in what the service answers; what a service does besides (whom a name
// means, what a context takes in) is in no figure. -oracle reads by the gold instead of by statements.Read: what is
// then wrong is wrong in aligning.
package main

import (
	talk "tenure/eval/talk/conversation"

	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenure"
	"tenure/ner"
	"tenure/statements"
)

type options struct {
	failures           int
	half, aim, act, id string
	oracle             bool
}

func main() {
	var o options
	flag.IntVar(&o.failures, "failures", 0, "show the first N questions that failed, with what was read and done")
	flag.StringVar(&o.half, "half", "", "only the odd or the even blocks")
	flag.StringVar(&o.aim, "aim", "", "show failures of this aim only")
	flag.StringVar(&o.act, "act", "", "show failures of this act only")
	flag.StringVar(&o.id, "id", "", "tell only this conversation, and show it")
	flag.BoolVar(&o.oracle, "oracle", false, "read by the gold")
	flag.Parse()
	if err := run(o, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "offline:", err)
		os.Exit(1)
	}
}

func run(o options, files []string, w io.Writer) error {
	bins := newBins()
	var failed []*result
	for _, file := range files {
		list, err := talk.Load(file)
		if err != nil {
			return err
		}
		halves, err := tellAll(list, o, bins)
		if err != nil {
			return err
		}
		for i, half := range []string{"odd", "even"} {
			summarize(w, filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))+" "+half, halves[i])
			failed = append(failed, halves[i]...)
		}
	}
	bins.print(w)
	classes(w, failed)
	for _, r := range failed {
		shown := o.id != "" || !r.ok() && (o.aim == "" || o.aim == r.a.Aim) && (o.act == "" || o.act == r.a.Act)
		if shown && (o.failures > 0 || o.id != "") {
			show(w, r)
			o.failures--
		}
	}
	return nil
}

// tellAll tells the conversations that are asked for, and returns the results of the odd and the even blocks.
func tellAll(list []conversation, o options, b *bins) (halves [2][]*result, err error) {
	for i := range list {
		half := i / 10 % 2
		if o.id != "" && list[i].ID != o.id || o.half == "odd" && half == 1 || o.half == "even" && half == 0 {
			continue
		}
		results, err := tell(&list[i], o.oracle, b)
		if err != nil {
			return halves, fmt.Errorf("%s: %w", list[i].ID, err)
		}
		halves[half] = append(halves[half], results...)
	}
	return halves, nil
}

// tell tells one conversation and asks its questions.
func tell(c *conversation, oracle bool, b *bins) ([]*result, error) {
	m, known := &memory{}, ner.NewDictionary()
	for _, f := range c.Known {
		m.know(f)
		known.Set(tenure.ID(f.Subject), "", "", f.Subject)
	}
	var results []*result
	var before []statements.Turn
	var trace []string
	var all []said
	next := 0
	for i := range c.Asks {
		a := &c.Asks[i]
		for ; next < len(c.Turns) && !c.Turns[next].At.After(a.At); next++ {
			t := c.Turns[next]
			mentions, err := ner.New().Extract(context.Background(), t.Text, known.In(""))
			if err != nil {
				return nil, err
			}
			now := statements.Turn{Speaker: t.Speaker, At: tenure.At(t.At), Text: t.Text, Mentions: knownNames(c, t.Text, mentions)}
			list := statements.Read(now, before)
			if oracle {
				list = readGold(c, next)
			}
			changes := statements.Align(list, m.aligned(t))
			b.count(c, changes)
			for _, ch := range changes {
				all = append(all, said{list[ch.Statement], ch})
			}
			trace = append(trace, fmt.Sprintf("  T %s (%s): %s", t.Speaker, t.Role, t.Text))
			trace = append(trace, m.apply(t, list, changes)...)
			before = append(before, now)
		}
		r := &result{c: c, a: a, context: m.answer(a.Question, a.At), trace: slices.Clone(trace), said: slices.Clone(all)}
		judge(r)
		results = append(results, r)
	}
	return results, nil
}

// knownNames adds the names of the known subjects, in any case, to what was recognised.
func knownNames(c *conversation, s string, mentions []ner.Mention) []ner.Mention {
	low := strings.ToLower(s)
	for _, f := range c.Known {
		at := talk.Find(low, strings.ToLower(f.Subject))
		if at < 0 || len(low) != len(s) {
			continue
		}
		m := ner.Mention{Start: at, End: at + len(f.Subject), Text: s[at : at+len(f.Subject)], Rule: "known"}
		free := func(o ner.Mention) bool { return o.End <= m.Start || m.End <= o.Start }
		mentions = slices.DeleteFunc(mentions, func(o ner.Mention) bool { return !free(o) })
		mentions = append(mentions, m)
	}
	slices.SortFunc(mentions, func(a, b ner.Mention) int { return a.Start - b.Start })
	return mentions
}
