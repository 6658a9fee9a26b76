// Package memory is what a service would hold of a conversation, as simple as can be: it measures reading and aligning
// without a service.
package memory

import (
	"context"
	talk "tenure/eval/talk/conversation"
	"tenure/ner"
	"tenure/ner/alias"

	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tenure"
	"tenure/statements"
	"tenure/statements/align"
	"tenure/statements/clauses"
	"tenure/text"
	"tenure/values"
	"tenure/vocabulary"
)

// Memory holds the slots of one conversation with their values, and remarks.
type Memory struct {
	slots   []*slot
	remarks []remark
	turn    int
}

type slot struct {
	subject, predicate string
	held               []value
	asked              int
	named, said        int // the numbers of the turns that last spoke of the subject and of the slot, -1 if none
}

type value struct {
	text        string
	level       int
	since, till tenure.Instant
}

type remark struct {
	text, about string
	at          tenure.Instant
}

// level is the authority of a role, 0 the strongest. Who has a weaker one displaces nothing that a stronger one said.
func level(role string) int {
	switch role {
	case "policy":
		return 1
	case "outsider", "bot":
		return 3
	}
	return 2
}

// Know adds a known fact.
func (m *Memory) Know(f talk.Known) {
	s := m.slot(f.Subject, f.Predicate)
	s.set(value{text: f.Value, level: level(f.Role), since: tenure.At(f.At), till: tenure.MaxTime}, false)
}

func (m *Memory) slot(subject, predicate string) *slot {
	for _, s := range m.slots {
		if text.Key(s.subject) == text.Key(subject) && vocabulary.Normal(s.predicate) == vocabulary.Normal(predicate) {
			return s
		}
	}
	s := &slot{subject: subject, predicate: predicate, named: -1, said: -1, asked: -1}
	m.slots = append(m.slots, s)
	return s
}

// set lets a value hold, beside what holds or in its place. Whose word is weaker displaces nothing.
func (s *slot) set(v value, beside bool) {
	inTheWay := func(h value) bool { return !beside && h.till > v.since }
	if slices.ContainsFunc(s.held, func(h value) bool { return inTheWay(h) && h.level < v.level }) {
		return
	}
	for i, h := range s.held {
		if inTheWay(h) {
			s.held[i].till = max(h.since, v.since)
		}
	}
	s.held = append(s.held, v)
}

// end closes the values that are as named, or all. A value that never held is closed from its start.
func (s *slot) end(named string, at tenure.Instant, level int, never bool) {
	for i := range s.held {
		h := &s.held[i]
		if h.till > at && h.level >= level && (named == "" || sameValue(h.text, named)) {
			if h.till = at; never {
				s.reopen(h.since)
				h.till = h.since
			}
		}
	}
}

// reopen restores the value displaced at since by one that never held.
func (s *slot) reopen(since tenure.Instant) {
	for i := range s.held {
		if h := &s.held[i]; h.till == since && h.since < since {
			h.till = tenure.MaxTime
		}
	}
}

func sameValue(a, b string) bool {
	return values.Of(a).Canonical() == values.Of(b).Canonical() || talk.Find(strings.ToLower(a), strings.ToLower(b)) >= 0
}

func (s *slot) standing(at tenure.Instant) (texts []string) {
	for _, h := range s.held {
		if h.since <= at && at < h.till {
			texts = append(texts, h.text)
		}
	}
	slices.Reverse(texts)
	return texts
}

// Slots returns the slots as the statements of a turn are aligned to them.
func (m *Memory) Slots(t talk.Turn) []align.Slot {
	list := make([]align.Slot, 0, len(m.slots))
	for _, s := range m.slots {
		a := align.Slot{
			Names: []string{s.subject}, Predicate: s.predicate, Type: tenure.AnyValue,
			Values: s.standing(tenure.At(t.At)), Own: sameName(s.subject, t.Speaker),
		}
		if term, known := vocabulary.Lookup(s.predicate); known {
			a.Type, a.Synonyms = term.ValueType, term.Synonyms
		}
		for _, v := range a.Values {
			a.Kinds = append(a.Kinds, clauses.KindOf(v))
		}
		for _, h := range s.held {
			a.Since = max(a.Since, h.since)
		}
		if s.named >= 0 {
			a.Turn = m.turn - s.named
		}
		if s.said >= 0 {
			a.Said = m.turn - s.said
		}
		a.Asked = s.asked >= 0 && s.asked == m.turn-1
		list = append(list, a)
	}
	for i, named := range align.Named(t.Text, list) {
		list[i].Named = named
	}
	return list
}

func sameName(a, b string) bool { return text.Key(a) == text.Key(b) }

// Apply makes of changes what a service would make of them, and says what it did.
func (m *Memory) Apply(t talk.Turn, list []tenure.Statement, changes []align.Change) (trace []string) {
	slots := slices.Clone(m.slots)
	for _, c := range changes {
		st, about := list[c.Statement], c.Subject+" / "+c.Predicate
		if s := m.change(t, st, c, slots); s != nil {
			about = s.subject + " / " + s.predicate
			if s.named, s.said = m.turn, m.turn; c.Asks {
				s.asked = m.turn
			}
		}
		trace = append(trace, fmt.Sprintf("    %s %s [%s] subject=%q property=%q new=%q old=%q kind=%s -> %s %s = %q %.2f (%s)",
			st.Act, st.Trigger, st.Text, st.Subject.Text, st.Property, st.New.Text, st.Old.Text, st.Kind, c.Effect, about,
			c.Value, c.Confidence, c.Why))
	}
	for i, named := range align.Named(t.Text, m.subjects()) {
		if named {
			m.slots[i].named = m.turn
		}
	}
	m.turn++
	return trace
}

// change makes one change, and returns the slot that it is about, nil if none.
func (m *Memory) change(t talk.Turn, st tenure.Statement, c align.Change, slots []*slot) (s *slot) {
	at, till := tenure.At(t.At), tenure.MaxTime
	if c.From != nil {
		at = max(at, *c.From)
	}
	if c.Until != nil {
		till = *c.Until
	}
	switch {
	case c.Slot >= 0:
		s = slots[c.Slot]
	case c.Subject != "" || c.Own && c.Predicate != "":
		s = m.slot(subjectOf(c, t), c.Predicate)
	}
	switch {
	case c.Effect == align.Remarks:
		m.remarks = append(m.remarks, remark{st.Text, c.Subject, at})
	case s == nil:
	case c.Effect == align.Set || c.Effect == align.Adds:
		s.set(value{text: c.Value, level: level(t.Role), since: at, till: till}, c.Beside)
	case c.Effect == align.Ends || c.Effect == align.Retracts:
		s.end(c.Value, at, level(t.Role), c.Effect == align.Retracts)
	}
	return s
}

func subjectOf(c align.Change, t talk.Turn) string {
	switch {
	case c.Own && c.Subject == "":
		return t.Speaker
	case c.Own:
		return t.Speaker + "'s " + c.Subject
	}
	return c.Subject
}

func (m *Memory) subjects() []align.Slot {
	list := make([]align.Slot, len(m.slots))
	for i, s := range m.slots {
		list[i].Names = []string{s.subject}
	}
	return list
}

// names returns the share of the words of a name that a text has.
func names(s, name string) float64 {
	has := map[string]bool{}
	for _, w := range terms(s) {
		has[w] = true
	}
	list := terms(name)
	n := 0
	for _, w := range list {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(max(len(list), 1))
}

func terms(s string) (list []string) {
	text.Terms(s, nil, func(w []byte) { list = append(list, string(w)) })
	return list
}

// Answer returns the lines that a question gets: what stands of the entities that it names best, else the remarks
// that have most of its words.
func (m *Memory) Answer(question string, now time.Time) string {
	at := tenure.At(now)
	named := align.Named(question, m.subjects())
	best := 0.0
	for i, s := range m.slots {
		if named[i] {
			best = max(best, names(question, s.subject))
		}
	}
	var lines []string
	for i, s := range m.slots {
		if texts := s.standing(at); len(texts) > 0 && named[i] && names(question, s.subject) == best {
			lines = append(lines, fmt.Sprintf("%s / %s: %s", s.subject, s.predicate, strings.Join(texts, "; ")))
		}
	}
	if len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	said := slices.Clone(m.remarks)
	shared := func(r remark) float64 { return names(r.text+" "+r.about, question) }
	slices.SortStableFunc(said, func(a, b remark) int { return cmp.Compare(shared(b), shared(a)) })
	for _, r := range said[:min(len(said), 2)] {
		if shared(r) > 0.3 {
			lines = append(lines, r.about+" / remark: "+r.text)
		}
	}
	return strings.Join(lines, "\n")
}

// Hearing reads the turns of one conversation.
type Hearing struct {
	weights *statements.Weights
	known   *alias.Dictionary
	names   []string
	before  []statements.Turn
}

// NewHearing returns the hearing of a conversation of which nothing was said yet, by given weights of words; nil selects
// the usual ones.
func NewHearing(known []talk.Known, w *statements.Weights) *Hearing {
	h := &Hearing{weights: w, known: alias.NewDictionary()}
	for _, f := range known {
		h.names = append(h.names, f.Subject)
		h.known.Set(tenure.ID(f.Subject), "", "", f.Subject)
	}
	return h
}

// Hear returns the statements of the next turn.
func (h *Hearing) Hear(t talk.Turn) ([]tenure.Statement, error) {
	now, before, err := h.Next(t)
	if err != nil {
		return nil, err
	}
	return statements.ReadBy(now, before, h.weights), nil
}

// Next returns the next turn, and those before it.
func (h *Hearing) Next(t talk.Turn) (now statements.Turn, before []statements.Turn, err error) {
	mentions, err := ner.New().Extract(context.Background(), t.Text, h.known.In(""))
	if err != nil {
		return now, nil, err
	}
	now = statements.Turn{Speaker: t.Speaker, At: tenure.At(t.At), Text: t.Text, Mentions: h.knownNames(t.Text, mentions)}
	before, h.before = h.before, append(h.before, now)
	return now, before, nil
}

// knownNames adds the names of the known subjects, in any case, to what was recognised.
func (h *Hearing) knownNames(s string, mentions []ner.Mention) []ner.Mention {
	low := strings.ToLower(s)
	for _, name := range h.names {
		at := talk.Find(low, strings.ToLower(name))
		if at < 0 || len(low) != len(s) {
			continue
		}
		m := ner.Mention{Start: at, End: at + len(name), Text: s[at : at+len(name)], Rule: "known"}
		free := func(o ner.Mention) bool { return o.End <= m.Start || m.End <= o.Start }
		mentions = slices.DeleteFunc(mentions, func(o ner.Mention) bool { return !free(o) })
		mentions = append(mentions, m)
	}
	slices.SortFunc(mentions, func(a, b ner.Mention) int { return a.Start - b.Start })
	return mentions
}
