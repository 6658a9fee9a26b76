package reading

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"tenure"
	"tenure/ingest"
	"tenure/statements/align"
	"tenure/statements/lex"
	"tenure/text"
)

// remark keeps a clause as a remark about the entity that it names, else one that the thread speaks of, else the
// speaker.
func (t *turn) remark(c align.Change) (why string) {
	s := t.said[c.Statement]
	if w := strings.Fields(s.Text); len(w) > 0 && lex.ClassOf(text.Fold(w[len(w)-1]))&lex.Be != 0 {
		return whyBroken
	}
	ref := t.bearer(c, s)
	if ref == nil {
		return whyNobody
	}
	t.claim(c, ingest.Claim{
		Subject: *ref, Predicate: tenure.Remark, Many: true, DependsOn: t.repeated(s.Text),
		Value: textValue(text.Head(strings.TrimSpace(s.Text), maxRemark)),
	}, true)
	return ""
}

// bearer returns a reference to what a remark is about.
func (t *turn) bearer(c align.Change, s tenure.Statement) *ingest.Ref {
	if c.Slot >= 0 && t.slots[c.Slot].root.ID != "" {
		return &ingest.Ref{EntityID: t.slots[c.Slot].root.ID}
	}
	for _, p := range t.named.Places {
		if p.Start >= s.Start && p.End <= s.End {
			return &ingest.Ref{EntityID: p.Root.ID}
		}
	}
	key := text.Key(c.Subject)
	for _, s := range t.slots {
		if key != "" && s.root.ID != "" && slices.ContainsFunc(s.Names, func(n string) bool { return text.Key(n) == key }) {
			return &ingest.Ref{EntityID: s.root.ID}
		}
	}
	return t.speaker()
}

// longestChoice is the number of words of the longest remark that only chooses something: longer ones say more.
const longestChoice = 8

// takeBackRemarks ends or retracts the remarks of the thread that name what a clause ends or takes back, if that is no
// property: "scrap Bruges" after "Bruges it is".
func (t *turn) takeBackRemarks(c align.Change) {
	s := t.said[c.Statement]
	kind, effect := tenure.End, align.Ends
	if s.Act == tenure.Retracts {
		kind, effect = tenure.Retract, align.Retracts
	}
	name := cmp.Or(s.Old.Text, s.Subject.Text)
	named := strings.ContainsFunc(name, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) })
	if s.Act != tenure.Ends && s.Act != tenure.Retracts || !named || len(name) < leastRepeated || t.in.Labels.Void != "" {
		return
	}
	name = text.Spaced(name)
	for _, p := range t.before {
		for _, b := range p.remarks {
			said := text.Spaced(textOf(b.Claim.Value, nil))
			amended := slices.ContainsFunc(t.out.Amendments, func(a ingest.Amendment) bool { return a.Belief == b.Claim.ID })
			if amended || b.Claim.Scope.Key() != t.in.Scope.Key() || !strings.Contains(said, name) ||
				len(strings.Fields(said)) > longestChoice {
				continue
			}
			t.out.Statements[c.Statement].Effect = effect
			t.out.Amendments = append(t.out.Amendments, ingest.Amendment{
				Statement: c.Statement, Kind: kind, Belief: b.Claim.ID,
			})
		}
	}
}
