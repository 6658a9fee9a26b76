// Command offline measures how statements are read and aligned, without a service: it tells conversations to
// statements.Read and align.Statements over a memory that is as simple as can be, and asks their questions.
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
	"tenure/eval/talk/memory"

	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"tenure/statements/align"
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
	m, hearing := &memory.Memory{}, memory.NewHearing(c.Known, nil)
	for _, f := range c.Known {
		m.Know(f)
	}
	var results []*result
	var trace []string
	var all []said
	next := 0
	for i := range c.Asks {
		a := &c.Asks[i]
		for ; next < len(c.Turns) && !c.Turns[next].At.After(a.At); next++ {
			t := c.Turns[next]
			list, err := hearing.Hear(t)
			if err != nil {
				return nil, err
			}
			if oracle {
				list = readGold(c, next)
			}
			changes := align.Statements(list, m.Slots(t))
			b.count(c, changes)
			for _, ch := range changes {
				all = append(all, said{list[ch.Statement], ch})
			}
			trace = append(trace, fmt.Sprintf("  T %s (%s): %s", t.Speaker, t.Role, t.Text))
			trace = append(trace, m.Apply(t, list, changes)...)
		}
		r := &result{c: c, a: a, context: m.Answer(a.Question, a.At), trace: slices.Clone(trace), said: slices.Clone(all)}
		judge(r)
		results = append(results, r)
	}
	return results, nil
}
