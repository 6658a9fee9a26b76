// Command acts reports how well package statements reads the turns of conversations: go run ./eval/talk/acts FILE.
//
// FILE is JSONL in the format of the talk set. Turns with gold acts are compared with what was read of them; of the
// questions it reports whether a changing statement names the value that holds afterwards, and whether none names a
// value that does not. Odd and even lines (or groups of lines) are reported apart.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"tenure"
	talk "tenure/eval/talk/conversation"
	"tenure/ner"
	"tenure/statements"
	"tenure/values"
)

// report counts what was right, of how many.
type report struct {
	right, all map[string]int
	confusion  map[string]int
}

func newReport() *report { return &report{map[string]int{}, map[string]int{}, map[string]int{}} }

func (r *report) count(what string, ok bool) {
	r.all[what]++
	if ok {
		r.right[what]++
	}
}

func main() {
	failures := flag.String("failures", "", "list what is wrong in this half: odd, even or all")
	only := flag.String("only", "", "list only failures of this act")
	dump := flag.Bool("dump", false, "print every statement of the half")
	group := flag.Int("group", 1, "lines that stay together in a half")
	flag.Parse()
	if err := run(flag.Arg(0), *failures, *only, *dump, *group); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path, failures, only string, dump bool, group int) error {
	list, err := talk.Load(path)
	if err != nil {
		return err
	}
	halves := map[string]*report{"odd": newReport(), "even": newReport()}
	for n, c := range list {
		half := "odd"
		if n/group%2 == 1 {
			half = "even"
		}
		read := readAll(c)
		say := func(act, what string) {
			if (failures == half || failures == "all") && (only == "" || only == act) {
				fmt.Printf("%s %s: %s\n", c.ID, act, what)
				show(c, read)
			}
		}
		if dump && (failures == half || failures == "all") {
			show(c, read)
		}
		compareGold(c, read, halves[half], say)
		compareAsks(c, read, halves[half], say)
	}
	printHalves(halves)
	return nil
}

func show(c talk.Conversation, read [][]tenure.Statement) {
	for i, t := range c.Turns {
		fmt.Printf("  %s: %s\n", t.Speaker, t.Text)
		for _, s := range read[i] {
			from := ""
			if s.From != nil {
				from = " from " + s.From.String()[:10]
			}
			other := ""
			if s.Alternative {
				other = "?"
			}
			fmt.Printf("      %s%s [%s] s=%q p=%q new=%q old=%q %s%s\n",
				s.Act, other, s.Trigger, s.Subject.Text, s.Property, s.New.Text, s.Old.Text, s.Kind, from)
		}
	}
}

func readAll(c talk.Conversation) [][]tenure.Statement {
	extractor := ner.New()
	var turns []statements.Turn
	var read [][]tenure.Statement
	for _, t := range c.Turns {
		mentions, err := extractor.Extract(context.Background(), t.Text, nil)
		if err != nil {
			mentions = nil
		}
		turn := statements.Turn{Speaker: t.Speaker, At: tenure.At(t.At), Text: t.Text, Mentions: mentions}
		read = append(read, statements.Read(turn, turns))
		turns = append(turns, turn)
	}
	return read
}

func compareGold(c talk.Conversation, read [][]tenure.Statement, r *report, say func(act, what string)) {
	for _, g := range c.Gold {
		s := closest(g, read[g.Turn])
		act := "none"
		if s != nil {
			act = string(s.Act)
		}
		r.count("act "+g.Act, act == g.Act)
		r.count("act all", act == g.Act)
		r.confusion[g.Act+" as "+act]++
		if act != g.Act {
			say(g.Act, fmt.Sprintf("turn %d read as %s", g.Turn, act))
		}
		if g.New != "" {
			r.count("value new", anySpan(read[g.Turn], g.New))
		}
		if g.Old != "" && (g.Act == "end" || g.Act == "retract") {
			r.count("value old of end, retract", anySpan(read[g.Turn], g.Old))
		}
		if said(c.Turns[g.Turn].Text, g.Subject) {
			r.count("subject that is named", s != nil && anySubject(read[g.Turn], g.Subject))
		}
	}
}

// closest returns the statement that a gold act is about: one that has its value, else one of another act than assert.
func closest(g talk.Gold, list []tenure.Statement) *tenure.Statement {
	rank := func(s tenure.Statement) int {
		n := 0
		if g.New != "" && alike(s.New.Text, g.New) || g.New == "" && g.Old != "" && alike(s.Old.Text, g.Old) {
			n += 4
		}
		if string(s.Act) == g.Act {
			n += 2
		}
		if s.Act != tenure.Asserts {
			n++
		}
		return n
	}
	var best *tenure.Statement
	for i := range list {
		if best == nil || rank(list[i]) > rank(*best) {
			best = &list[i]
		}
	}
	return best
}

func anySpan(list []tenure.Statement, text string) bool {
	return slices.ContainsFunc(list, func(s tenure.Statement) bool { return alike(s.New.Text, text) || alike(s.Old.Text, text) })
}

func anySubject(list []tenure.Statement, text string) bool {
	return slices.ContainsFunc(list, func(s tenure.Statement) bool { return alike(s.Subject.Text, text) })
}

func said(text, name string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(name))
}

func compareAsks(c talk.Conversation, read [][]tenure.Statement, r *report, say func(act, what string)) {
	for _, a := range c.Asks {
		var list []tenure.Statement
		for i, t := range c.Turns {
			if !t.At.After(a.At) {
				list = append(list, read[i]...)
			}
		}
		if a.Aim != "change" && (a.Aim != "control" || a.Act == "assert") {
			continue
		}
		ok := holds(a, list)
		r.count(a.Aim+" "+a.Act, ok)
		r.count(a.Aim+" all", ok)
		if !ok {
			say(a.Act, fmt.Sprintf("%s must %v must not %v", a.Aim, first(a.Must), first(a.MustNot)))
		}
	}
}

// holds reports whether the statements up to a question do what it looks for: of a change that one names the value,
// or ends or takes back another; of a control that none states a value that does not hold.
func holds(a talk.Ask, list []tenure.Statement) bool {
	switch {
	case a.Aim == "control":
		return !states(a, list, a.MustNot)
	case a.Act == "end" || a.Act == "retract":
		return slices.ContainsFunc(list, func(s tenure.Statement) bool { return s.Act == tenure.Ends || s.Act == tenure.Retracts })
	}
	return states(a, list, a.Must)
}

// states reports whether a statement says by the time of the question that one of the texts holds.
func states(a talk.Ask, list []tenure.Statement, texts []string) bool {
	return slices.ContainsFunc(list, func(s tenure.Statement) bool {
		due := s.From == nil || *s.From <= tenure.At(a.At)
		says := s.Act == tenure.Asserts || s.Act == tenure.Corrects || s.Act == tenure.Plans && s.From != nil
		return due && says && slices.ContainsFunc(texts, func(text string) bool { return names(s.New.Text, text) })
	})
}

func first(list []string) []string {
	var out []string
	for _, s := range list {
		s, _, _ = strings.Cut(s, "|")
		out = append(out, s)
	}
	return out
}

// names reports whether a value has one of the spellings of a text, as words.
func names(value, text string) bool {
	for spelling := range strings.SplitSeq(text, "|") {
		if strings.Contains(words(value), words(spelling)) {
			return true
		}
	}
	return false
}

func words(s string) string {
	fields := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" ,;:!?\"'()", r) })
	return " " + strings.Join(fields, " ") + " "
}

// alike reports whether two texts are one value, apart from articles and case, or one has all words of the other.
func alike(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if values.Of(a).Canonical() == values.Of(b).Canonical() {
		return true
	}
	return strings.Contains(words(a), words(b)) || strings.Contains(words(b), words(a))
}

func printHalves(halves map[string]*report) {
	odd, even := halves["odd"], halves["even"]
	keys := map[string]bool{}
	for what := range odd.all {
		keys[what] = true
	}
	for what := range even.all {
		keys[what] = true
	}
	fmt.Printf("%-32s %14s %14s\n", "", "odd", "even")
	for _, what := range slices.Sorted(maps.Keys(keys)) {
		fmt.Printf("%-32s %14s %14s\n", what, odd.share(what), even.share(what))
	}
	counts := map[string]int{}
	for _, r := range halves {
		for pair, n := range r.confusion {
			counts[pair] += n
		}
	}
	pairs := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	shown := 0
	for _, pair := range pairs {
		if a, b, _ := strings.Cut(pair, " as "); a != b && shown < 20 {
			fmt.Printf("%4d %s\n", counts[pair], pair)
			shown++
		}
	}
}

func (r *report) share(what string) string {
	if r.all[what] == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d %.3f", r.right[what], r.all[what], float64(r.right[what])/float64(r.all[what]))
}
