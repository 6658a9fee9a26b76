package main

import (
	talk "tenure/eval/talk/conversation"

	"slices"
	"strings"
	"time"

	"tenure"
	"tenure/statements/clauses"
)

// readGold returns the statements of a turn as its author means them, without subject or property: those are left to
// aligning. Where a file has no gold, the values that its questions want or refuse, with the act that it tests.
func readGold(c *conversation, n int) (list []tenure.Statement) {
	t := c.Turns[n]
	for _, g := range c.Gold {
		if g.Turn == n {
			st := stated(t.Text, tenure.Act(g.Act), g.New, g.Old)
			if at, err := time.Parse(time.RFC3339, withTime(g.ValidFrom)); err == nil {
				from := tenure.At(at)
				st.From = &from
			}
			list = append(list, st)
		}
	}
	if len(c.Gold) > 0 {
		return list
	}
	seen := map[string]bool{}
	for i := range c.Asks {
		a := &c.Asks[i]
		for _, p := range slices.Concat(a.Must, a.MustNot) {
			if st, said := tested(c, t, a, p); said && !seen[p] {
				seen[p] = true
				list = append(list, st)
			}
		}
	}
	return list
}

// tested is the statement of a turn with a value that a question wants or refuses, in one of its spellings.
func tested(c *conversation, t turn, a *ask, spellings string) (tenure.Statement, bool) {
	act := tenure.Act(a.Act)
	ends := (act == tenure.Ends || act == tenure.Retracts) && slices.Contains(a.MustNot, spellings)
	for s := range strings.SplitSeq(spellings, "|") {
		if known(c, s) && !ends || talk.Find(strings.ToLower(t.Text), strings.ToLower(s)) < 0 {
			continue
		}
		st := stated(t.Text, act, s, "")
		if ends {
			st = stated(t.Text, act, "", s)
		}
		if from := tenure.At(t.At.Add(time.Hour)); act == tenure.Plans && a.At.Sub(t.At) > time.Hour {
			st.From = &from
		}
		return st, true
	}
	return tenure.Statement{}, false
}

func withTime(day string) string {
	if len(day) == len("2006-01-02") {
		return day + "T00:00:00Z"
	}
	return day
}

func known(c *conversation, s string) bool {
	for _, f := range c.Known {
		if talk.Contains(f.Value, s) {
			return true
		}
	}
	return false
}

// stated is the statement of the clause that has the values.
func stated(s string, act tenure.Act, now, old string) tenure.Statement {
	clause, rest := s, s
	for rest != "" {
		end := strings.IndexAny(rest, ".;\n!?")
		for end >= 0 && end+1 < len(rest) && rest[end] == '.' && rest[end+1] != ' ' {
			next := strings.IndexAny(rest[end+1:], ".;\n!?")
			if next < 0 {
				end = -1
				break
			}
			end += 1 + next
		}
		part := rest
		if rest = ""; end >= 0 {
			rest, part = part[end+1:], part[:end]
		}
		if low := strings.ToLower(part); talk.Find(low, strings.ToLower(now)) >= 0 || talk.Find(low, strings.ToLower(old)) >= 0 {
			clause = part
			break
		}
	}
	base := strings.Index(s, clause)
	span := func(v string) tenure.Span {
		at := talk.Find(strings.ToLower(clause), strings.ToLower(v))
		if at < 0 || len(strings.ToLower(clause)) != len(clause) {
			return tenure.Span{Text: v}
		}
		return tenure.Span{Start: base + at, End: base + at + len(v), Text: clause[at : at+len(v)]}
	}
	st := tenure.Statement{Span: tenure.Span{Start: base, End: base + len(clause), Text: clause}, Act: act, New: span(now),
		Old: span(old), Confidence: 1, Extractor: "gold"}
	if st.Kind = clauses.KindOf(now); now == "" {
		st.Kind = clauses.KindOf(old)
	}
	return st
}
