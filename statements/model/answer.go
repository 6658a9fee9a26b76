package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"tenure"
	"tenure/ner"
	"tenure/statements"
	"tenure/statements/clauses"
)

// quoted is a statement as the model quotes it from the text.
type quoted struct {
	Clause     string     `json:"clause"`
	Act        tenure.Act `json:"act"`
	Subject    string     `json:"subject"`
	Property   string     `json:"property"`
	New        string     `json:"new"`
	Old        string     `json:"old"`
	From       string     `json:"valid_from"`
	Until      string     `json:"valid_until"`
	Voice      string     `json:"voice"`
	Trigger    string     `json:"trigger"`
	Confidence float64    `json:"confidence"`
}

// content is the message of an answer.
type content struct {
	Turns *[]struct {
		Turn       *int      `json:"turn"`
		Statements *[]quoted `json:"statements"`
	} `json:"turns"`
}

// parse returns the quotations of n turns, in their order, nil for a turn that the answer leaves out.
func parse(message string, n int) ([][]quoted, error) {
	var in content
	if err := json.Unmarshal([]byte(message), &in); err != nil {
		return nil, err
	}
	if in.Turns == nil {
		return nil, errors.New("there is no member turns")
	}
	turns := make([][]quoted, n)
	for _, t := range *in.Turns {
		switch {
		case t.Turn == nil || t.Statements == nil:
			return nil, errors.New("a turn has no number or no statements")
		case *t.Turn < 1 || *t.Turn > n || turns[*t.Turn-1] != nil:
			// It belongs to no turn, or comes twice: the first counts.
		default:
			turns[*t.Turn-1] = append([]quoted{}, *t.Statements...) // not nil
		}
	}
	return turns, nil
}

// parts are what can be dropped of an answer.
var parts = []string{
	"statement", "subject", "property", "new", "old", "valid_from", "valid_until", "voice", "trigger",
}

// reader checks the quotations of one turn.
type reader struct {
	*page
	turn      statements.Turn
	before    []statements.Turn
	extractor string
	drop      func(part string)
}

// maxStatements bounds the statements of a turn, with one for so many bytes of its text.
const (
	maxStatements = 200
	leastClause   = 4
)

// statements returns what the text bears out of a list of quotations, in the order of the clauses.
func (r reader) statements(list []quoted) []tenure.Statement {
	var found []tenure.Statement
	most, cursor := min(maxStatements, len(r.text)/leastClause+1), 0
	for _, q := range list {
		s, ok := r.statement(q, cursor)
		same := func(o tenure.Statement) bool {
			return o.Span == s.Span && o.Act == s.Act && o.New == s.New && o.Old == s.Old && o.Subject == s.Subject
		}
		if !ok || len(found) == most || slices.ContainsFunc(found, same) {
			r.drop("statement")
			continue
		}
		cursor = s.Start
		found = append(found, s)
	}
	slices.SortStableFunc(found, func(a, b tenure.Statement) int { return cmp.Compare(a.Start, b.Start) })
	return found
}

// statement checks one statement. Cursor is where the clause before it begins: of equal clauses the next one is meant.
func (r reader) statement(q quoted, cursor int) (tenure.Statement, bool) {
	places := r.find(q.Clause)
	if len(places) == 0 || !slices.Contains(acts, q.Act) {
		return tenure.Statement{}, false
	}
	s := tenure.Statement{
		Span: places[0], Act: q.Act, Confidence: min(max(q.Confidence, leastConfidence), 1), Extractor: r.extractor,
	}
	if i := slices.IndexFunc(places, func(p tenure.Span) bool { return p.Start >= cursor }); i >= 0 {
		s.Span = places[i]
	}
	s.Subject = r.part("subject", s.Span, q.Subject)
	s.New = r.part("new", s.Span, q.New)
	s.Old = r.part("old", s.Span, q.Old)
	if s.Old == s.New && s.New.Text != "" {
		s.Old = tenure.Span{} // one value cannot both hold and not hold
		r.drop("old")
	}
	s.Property = r.property(q.Property)
	s.Voice = r.part("voice", s.Span, q.Voice).Text
	s.Trigger = r.part("trigger", s.Span, q.Trigger).Text
	s.Kind = r.kind(s)
	s.From = r.instant("valid_from", s.Span, q.From)
	s.Until = r.instant("valid_until", s.Span, q.Until)
	if (s.Act == tenure.Ends || s.Act == tenure.Retracts) && !r.isBorne(s, q) {
		s.Confidence = min(s.Confidence, doubtful)
	}
	return s, true
}

// Confidence that is kept: none at all is not stated, and what is doubtful is asked about instead of done (see
// package align).
const leastConfidence, doubtful = 0.01, 0.5

// isBorne reports whether the text itself says what ends or is taken back. "Mark all as false" does not; of "scratch
// that" it is enough that the rules read it so.
func (r reader) isBorne(s tenure.Statement, q quoted) bool {
	if s.Old.Text != "" || s.New.Text != "" {
		return true
	}
	if strings.TrimSpace(q.Old) == "" && (s.Subject.Text != "" || s.Property != "") {
		return true
	}
	return slices.ContainsFunc(statements.Read(r.turn, r.before), func(o tenure.Statement) bool {
		takesBack := o.Act == tenure.Ends || o.Act == tenure.Retracts || o.Act == tenure.Corrects
		return takesBack && o.Start < s.End && s.Start < o.End
	})
}

// part returns the span that a part of a statement quotes, the empty one if the text does not have it.
func (r reader) part(name string, clause tenure.Span, quotation string) tenure.Span {
	if strings.TrimSpace(quotation) == "" {
		return tenure.Span{}
	}
	span, ok := r.within(clause, quotation)
	if !ok {
		r.drop(name)
	}
	return span
}

// property returns the words of a property that the text has: they need not stand together.
func (r reader) property(quotation string) string {
	if len(r.find(quotation)) > 0 {
		return strings.Join(strings.Fields(quotation), " ")
	}
	var kept []string
	for word := range strings.FieldsSeq(quotation) {
		if strings.ContainsFunc(word, unicode.IsLetter) && len(r.find(word)) > 0 {
			kept = append(kept, word)
		} else {
			r.drop("property")
		}
	}
	return strings.Join(kept, " ")
}

// kind returns what the value of a statement looks like, as the rules say.
func (r reader) kind(s tenure.Statement) string {
	value := s.New
	if value.Text == "" {
		value = s.Old
	}
	if value.Text == "" {
		return ""
	}
	named := func(m ner.Mention) bool {
		return m.Start == value.Start && m.End == value.End && m.Type != ner.Identifier
	}
	if kind := clauses.KindOf(value.Text); kind != "text" || !slices.ContainsFunc(r.turn.Mentions, named) {
		return kind
	}
	return "name"
}

// instant returns the time that a part of a statement quotes, as the rules read it.
func (r reader) instant(part string, clause tenure.Span, quotation string) *tenure.Instant {
	span := r.part(part, clause, quotation)
	if span.Text == "" {
		return nil
	}
	at, ok := clauses.TimeOf(span.Text, r.turn.At)
	if !ok {
		r.drop(part)
		return nil
	}
	return &at
}
