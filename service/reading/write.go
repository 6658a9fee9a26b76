package reading

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"tenure"
	"tenure/ingest"
	"tenure/ner"
	"tenure/statements"
	"tenure/text"
	"tenure/values"
)

// Why a statement does nothing, where alignment would have it do something.
const (
	whyNothing = "nothing of it stands"
	whyWider   = "what stands is of a wider scope"
	whyNobody  = "it is not known of whom it is said"
	whyAlready = "another statement of the text does it"
	whyLater   = "the text says otherwise after it"
)

// write makes the claims and amendments of the input from what the statements change.
func (t *turn) write(changes []statements.Change) {
	for _, s := range t.said {
		t.out.Statements = append(t.out.Statements, tenure.Said{Statement: s, Effect: statements.Keeps})
	}
	for _, c := range changes {
		said := &t.out.Statements[c.Statement]
		said.Effect, said.Why, said.Asks = c.Effect, c.Why, c.Asks
		said.Predicate, said.About = c.Predicate, text.Head(c.Subject, maxName)
		if c.Slot >= 0 {
			said.Entity, said.Predicate = t.slots[c.Slot].root.ID, t.slots[c.Slot].Predicate
		}
		if said.Entity != "" {
			said.About = ""
		}
		why := ""
		switch c.Effect {
		case statements.Set, statements.Adds:
			if c.Slot >= 0 && t.slots[c.Slot].root.ID != "" {
				t.set(c)
			} else { // of an earlier clause of the text, or of what was no entity until now
				why = t.add(c)
			}
		case statements.Ends, statements.Retracts:
			why = t.amend(c)
		case statements.Remarks:
			why = t.remark(c)
		}
		if why != "" {
			said.Effect, said.Why = statements.Keeps, why
		}
	}
}

// claim adds a claim that a statement makes. It takes the place of what an earlier clause of the text says of the same,
// unless that is a property of many values: who goes on speaking says it better.
func (t *turn) claim(c statements.Change, claim ingest.Claim, many bool) {
	s := t.said[c.Statement]
	claim.Statement = c.Statement
	claim.ValidFrom, claim.ValidUntil = c.From, c.Until
	claim.Evidence = &tenure.Evidence{
		Rule: s.Extractor, Span: text.Head(s.Text, maxSpan), Trigger: text.Head(s.Trigger, maxTrigger), Source: "text",
	}
	if !many {
		t.in.Claims = slices.DeleteFunc(t.in.Claims, func(o ingest.Claim) bool {
			if t.said[o.Statement].Span == s.Span || !sameSlot(o, claim) {
				return false
			}
			before := &t.out.Statements[o.Statement]
			before.Effect, before.Why = statements.Keeps, whyLater
			return true
		})
	}
	t.in.Claims = append(t.in.Claims, claim)
}

// sameSlot reports whether two claims are of one subject, predicate and time.
func sameSlot(a, b ingest.Claim) bool {
	return sameRef(a.Subject, b.Subject) && a.Predicate == b.Predicate && sameTime(a.ValidFrom, b.ValidFrom) &&
		sameTime(a.ValidUntil, b.ValidUntil)
}

func sameRef(a, b ingest.Ref) bool {
	if a.Mention == nil || b.Mention == nil {
		return a == b
	}
	return *a.Mention == *b.Mention
}

func sameTime(a, b *tenure.Instant) bool { return a == b || a != nil && b != nil && *a == *b }

// The bounds of what a claim is made of, in characters.
const (
	maxSpan      = 500
	maxTrigger   = 200
	maxName      = 200
	maxPredicate = 200
	maxRemark    = 2000
)

// set states the new value of a slot.
func (t *turn) set(c statements.Change) {
	s := t.slots[c.Slot]
	claim := ingest.Claim{
		Subject: ingest.Ref{EntityID: s.root.ID}, Predicate: s.Predicate, Value: t.valueIn(s, c.Value), Many: s.beside,
	}
	if c.Beside || c.Effect == statements.Adds {
		claim.Many = true
	} else {
		claim.Supersedes = t.displaced(c, s)
	}
	t.claim(c, claim, s.Many || claim.Many)
}

// displaced lists the beliefs that a new value takes the place of by name: where the statement says so of one of
// several, corrects it, speaks of a time before it, or says again what was displaced by name, and where who said what
// never changes says otherwise now. Otherwise the later word is enough.
func (t *turn) displaced(c statements.Change, s slot) []string {
	level, err := t.caller.Level(t.in.Source.AuthorityLevel, tenure.UserLevel, "")
	if err != nil {
		return nil // the write refuses it
	}
	var ids []string
	for i, b := range s.beliefs {
		if t.displaces(c, s, i) && !same(s.Values[i], c.Value) && b.Claim.Source.AuthorityLevel >= level {
			ids = append(ids, string(b.Claim.ID))
		}
	}
	return ids
}

// displaces reports whether a new value takes the place of one of those that stand by name.
func (t *turn) displaces(c statements.Change, s slot, i int) bool {
	st, b := t.said[c.Statement], s.beliefs[i].Claim
	switch {
	case s.Many && st.Old.Text != "":
		return same(s.Values[i], st.Old.Text)
	case st.Act == tenure.Corrects, t.returns(c, s):
		return true
	case s.Many:
		return len(s.beliefs) == 1 && statements.Definite(st)
	case s.term.Constant && b.Source.Speaker != "" && b.Source.Speaker == t.in.Source.Speaker:
		return true
	}
	return c.From != nil && *c.From < b.Window.From
}

// returns reports whether a new value was displaced by name before: only by name it comes back.
func (t *turn) returns(c statements.Change, s slot) bool {
	return slices.ContainsFunc(s.former, func(b tenure.Belief) bool {
		g, ok := b.Standing.At(t.at)
		return ok && g.Cause == tenure.ByName && same(textOf(b.Claim.Value, nil), c.Value)
	})
}

func same(a, b string) bool { return values.Of(a).Canonical() == values.Of(b).Canonical() }

// valueIn returns a value as the slot has its values: an entity where they are entities, else what it says.
func (t *turn) valueIn(s slot, value string) ingest.Value {
	m := t.mentioned(value)
	known := m != nil && len(m.Entities) == 1
	if len(s.beliefs) == 0 {
		if s.term.ValueType == tenure.EntityValue && known {
			return ingest.Value{Entity: &ingest.Ref{EntityID: m.Entities[0]}}
		}
		return textValue(value)
	}
	newest := s.beliefs[0].Claim.Value
	switch {
	case newest.Entity != "" && known:
		return ingest.Value{Entity: &ingest.Ref{EntityID: m.Entities[0]}}
	case newest.Entity != "":
		return ingest.Value{Entity: t.mention(value, typeOf(m))}
	case len(newest.JSON) > 0 && newest.JSON[0] != '"' && json.Valid([]byte(value)):
		return ingest.Value{JSON: json.RawMessage(value)}
	}
	return textValue(value)
}

func textValue(s string) ingest.Value {
	raw, err := json.Marshal(s)
	if err != nil {
		raw = []byte(`""`) // no text has no JSON
	}
	return ingest.Value{JSON: raw}
}

func typeOf(m *ner.Mention) string {
	if m == nil {
		return ""
	}
	return m.Type
}

// mentioned returns the mention of the text that has a name, nil if there is none.
func (t *turn) mentioned(name string) *ner.Mention {
	key := text.Key(name)
	for i, m := range t.mentions {
		if text.Key(m.Text) == key {
			return &t.mentions[i]
		}
	}
	return nil
}

// mention returns a reference to a mention of the input by a name, which it adds if it is new.
func (t *turn) mention(name, typ string) *ingest.Ref {
	name = text.Head(name, maxName)
	key := text.Key(name)
	for i, m := range t.in.Mentions {
		if text.Key(m.Name) == key {
			return &ingest.Ref{Mention: &i}
		}
	}
	i := len(t.in.Mentions)
	t.in.Mentions = append(slices.Clip(t.in.Mentions), ingest.Mention{Name: name, Type: typ})
	return &ingest.Ref{Mention: &i}
}

// subject returns a reference to what a change is about: an entity that the text or the thread names so, else a mention
// of that name. Of no name it is the speaker; nil if that is not known.
func (t *turn) subject(name string) *ingest.Ref {
	name = strings.TrimSpace(name)
	if name == "" {
		return t.speaker()
	}
	m := t.mentioned(name)
	if m != nil && len(m.Entities) == 1 {
		return &ingest.Ref{EntityID: m.Entities[0]}
	}
	key := text.Key(name)
	known := func(e tenure.Entity) bool {
		return slices.ContainsFunc(append([]string{e.Name}, e.Names...), func(n string) bool { return text.Key(n) == key })
	}
	for _, s := range t.slots {
		if s.root.ID != "" && known(s.root) {
			return &ingest.Ref{EntityID: s.root.ID}
		}
	}
	if who := t.in.Source.Speaker; who != "" && text.Key(who) == key {
		return t.speaker()
	}
	if !strings.ContainsFunc(name, isWord) {
		return nil
	}
	return t.mention(name, typeOf(m))
}

// own returns the name of what is the speaker's: "my sister" is Hugo's sister.
func (t *turn) own(name string) string {
	if who := t.in.Source.Speaker; who != "" {
		return who + genitive + name
	}
	return name
}

const genitive = "'s "

func (t *turn) speaker() *ingest.Ref {
	switch {
	case t.named.Speaker != nil:
		return &ingest.Ref{EntityID: t.named.Speaker.ID}
	case t.in.Source.Speaker != "":
		return t.mention(t.in.Source.Speaker, ner.Person)
	}
	return nil
}

// add states the first value of a property.
func (t *turn) add(c statements.Change) (why string) {
	name := c.Subject
	if c.Own && name != "" {
		name = t.own(name)
	}
	ref := t.subject(name)
	if ref == nil || c.Predicate == "" || c.Value == "" {
		return whyNobody
	}
	t.out.Statements[c.Statement].Entity = ref.EntityID
	t.claim(c, ingest.Claim{
		Subject: *ref, Predicate: text.Head(c.Predicate, maxPredicate), Value: textValue(c.Value),
	}, false)
	return ""
}

// amend ends or retracts what a slot says, as far as it is of the scope of the text.
func (t *turn) amend(c statements.Change) (why string) {
	if c.Slot < 0 {
		return whyNothing
	}
	s, kind, at := t.slots[c.Slot], tenure.Retract, (*tenure.Instant)(nil)
	if c.Effect == statements.Ends {
		kind, at = tenure.End, cmp.Or(c.Until, c.From)
	}
	why = whyNothing
	for i, b := range s.beliefs {
		switch {
		case c.Value != "" && !same(s.Values[i], c.Value):
		case b.Claim.Scope.Key() != t.in.Scope.Key():
			if why != "" {
				why = whyWider
			}
		case slices.ContainsFunc(t.out.Amendments, func(a ingest.Amendment) bool { return a.Belief == b.Claim.ID }):
			why = whyAlready
		default:
			why = ""
			t.out.Amendments = append(t.out.Amendments, ingest.Amendment{
				Statement: c.Statement, Kind: kind, Belief: b.Claim.ID, At: at,
			})
		}
	}
	return why
}

// remark keeps a clause as something that was said: of what it names, else of who says it.
func (t *turn) remark(c statements.Change) (why string) {
	s := t.said[c.Statement]
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
func (t *turn) bearer(c statements.Change, s tenure.Statement) *ingest.Ref {
	if c.Slot >= 0 && t.slots[c.Slot].root.ID != "" {
		return &ingest.Ref{EntityID: t.slots[c.Slot].root.ID}
	}
	for _, p := range t.named.Places {
		if p.Start >= s.Start && p.End <= s.End {
			return &ingest.Ref{EntityID: p.Root.ID}
		}
	}
	return t.speaker()
}

// leastRepeated is the number of bytes that a value has at least to be recognised in a clause.
const leastRepeated = 3

// repeated lists the beliefs whose value a clause has in it.
func (t *turn) repeated(clause string) []string {
	within := " " + text.Plain(words(clause)) + " "
	var ids []string
	for _, s := range t.slots {
		for i, b := range s.beliefs {
			value := text.Plain(words(s.Values[i]))
			if len(value) >= leastRepeated && strings.Contains(within, " "+value+" ") {
				ids = append(ids, string(b.Claim.ID))
			}
		}
	}
	return ids[:min(len(ids), maxGrounds)]
}

// maxGrounds bounds what a remark depends on.
const maxGrounds = 50

// words returns the words of a text with one space between them.
func words(s string) string {
	var list []string
	for _, w := range text.Words(s) {
		list = append(list, s[w.From:w.Until])
	}
	return strings.Join(list, " ")
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
