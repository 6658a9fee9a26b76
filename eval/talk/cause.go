package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	api "tenure/client"
	talk "tenure/eval/talk/conversation"
)

// The causes of a wrong answer: a forbidden phrase, or the stage at which a missing phrase was lost.
const (
	causeDead     = "what nobody holds is shown"
	causeKnown    = "known, and not shown"
	causeShown    = "believed, and not shown"
	causeRemark   = "remarked, and not shown"
	causeProposed = "read, and proposed only"
	causeKept     = "read as what changes something, and kept"
	causeAct      = "read as what changes nothing"
	causeNew      = "read, and not as a value"
	causeUnread   = "in no statement"
)

// cause returns why an answer is wrong, "" if right: a forbidden phrase, else the first missing one.
func (a answer) cause() string {
	if a.right() {
		return ""
	}
	if len(a.Bad) > 0 {
		return causeDead
	}
	for _, p := range a.Must {
		if slices.Contains(a.Got, p) {
			continue
		}
		if slices.ContainsFunc(a.Conversation.Known, func(k known) bool { return talk.Contains(k.Value, p) }) {
			return causeKnown
		}
		return a.lost(p)
	}
	return ""
}

// lost returns how far a phrase came: of the statements with it the one that came farthest.
func (a answer) lost(phrase string) string {
	order := []string{causeUnread, causeNew, causeAct, causeKept, causeProposed, causeRemark, causeShown}
	best := 0
	for _, list := range a.Said {
		for _, s := range list {
			if talk.Contains(s.Text, phrase) {
				best = max(best, slices.Index(order, stage(s, phrase)))
			}
		}
	}
	return order[best]
}

// stage returns how far a phrase came by a statement that has it.
func stage(s api.Statement, phrase string) string {
	changes := slices.Contains([]api.Act{"assert", "correct", "retract", "end", "plan"}, s.Act)
	switch {
	case s.Effect == "remark":
		return causeRemark
	case !talk.Contains(s.New.Text, phrase) && !talk.Contains(s.Old.Text, phrase):
		return causeNew
	case s.Effect == "set" || s.Effect == "add":
		return causeShown
	case s.Effect == "propose":
		return causeProposed
	case changes:
		return causeKept
	}
	return causeAct
}

// showCauses prints how many answers of a system are wrong for which cause, by what the questions aim at.
func showCauses(w io.Writer, s scored) {
	causes := group(slices.DeleteFunc(slices.Clone(s.answers), answer.right), answer.cause)
	if len(causes) == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(causes), func(a, b string) int {
		return cmp.Or(len(causes[b])-len(causes[a]), cmp.Compare(a, b))
	})
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	defer func() { _ = t.Flush() }()
	fmt.Fprintf(t, "%s, wrong because\tall\tnew\tchange\tcontrol\t\n", s.system)
	for _, name := range names {
		aims := group(causes[name], aimOf)
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t\n", name, len(causes[name]), len(aims["new"]), len(aims["change"]),
			len(aims["control"]))
	}
}

// statementLine says what a statement was read as, and what it did.
func statementLine(s api.Statement) string {
	return fmt.Sprintf("%s/%s %q: subject %q, property %q, new %q, old %q, %s: %s (%s)", s.Act, s.Effect, s.Text,
		s.Subject.Text, s.Property, s.New.Text, s.Old.Text, s.Kind, s.Predicate, s.Why)
}
