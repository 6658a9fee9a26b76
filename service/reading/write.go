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
	"tenure/statements/align"
	"tenure/statements/clauses"
	"tenure/statements/matter"
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
	whyStands  = "what it says stands"
	whyBefore  = "it was read before"
	whyBroken  = "it says nothing by itself"
	whyKnown   = "another belief says it in these words"
)

// write makes the claims and amendments of the input from what the statements change.
func (t *turn) write(changes []align.Change) {
	voice, _, _ := matter.Spoken(t.in.Text)
	for _, s := range t.said {
		s.Voice = cmp.Or(s.Voice, voice.Name)
		t.out.Statements = append(t.out.Statements, tenure.Said{Statement: s, Effect: align.Keeps})
	}
	for _, c := range changes {
		said := &t.out.Statements[c.Statement]
		said.Effect, said.Why, said.Asks = c.Effect, c.Why, c.Asks
		said.Predicate, said.About = c.Predicate, text.Head(t.subjectOf(c), maxName)
		if c.Slot >= 0 {
			said.Entity, said.Predicate = t.slots[c.Slot].root.ID, t.slots[c.Slot].Predicate
		}
		if said.Entity != "" {
			said.About = ""
		}
		if t.former[saying(said.Statement)] {
			if said.Effect != align.Keeps {
				said.Effect, said.Why = align.Keeps, whyBefore
			}
			continue
		}
		if t.in.Labels.Void != "" {
			c = t.void(c)
		} else if t.breaks(c) {
			c.Effect = align.Remarks
		}
		said.Effect = c.Effect
		if c.Slot >= 0 && changesSomething(c.Effect) {
			said.Confidence = c.Confidence
		}
		if why := t.do(c); why != "" {
			said.Effect, said.Why = align.Keeps, why
		}
	}
	if t.late != nil {
		t.difference()
	}
	t.dropIdle()
}

// changesSomething reports whether an effect is one on what stands, or would be.
func changesSomething(e align.Effect) bool {
	return e == align.Set || e == align.Ends || e == align.Retracts || e == align.Unsure
}

// do carries out a change, or returns why it does nothing.
func (t *turn) do(c align.Change) (why string) {
	switch c.Effect {
	case align.Set, align.Adds:
		switch {
		case t.saidAlready(c):
			return whyKnown
		case c.Slot < 0 || t.slots[c.Slot].root.ID == "": // of an earlier clause, or of what was no entity until now
			return t.add(c)
		}
		t.set(c)
	case align.Ends, align.Retracts:
		return t.amend(c)
	case align.Remarks:
		return t.remark(c)
	case align.Unsure:
		return t.propose(c)
	case align.Keeps:
		t.takeBackRemarks(c)
	}
	return ""
}

// dropIdle leaves out the readings of clauses that did nothing because another was meant.
func (t *turn) dropIdle() {
	meant := map[tenure.Span]bool{}
	for _, s := range t.out.Statements {
		meant[s.Span] = meant[s.Span] || s.Effect != align.Keeps
	}
	moved := make([]int, len(t.out.Statements))
	kept := t.out.Statements[:0]
	for i, s := range t.out.Statements {
		idle := s.Effect == align.Keeps && s.Act.Changes()
		idle = idle && meant[s.Span] || t.late != nil && s.Effect == align.Keeps
		if moved[i] = len(kept); !s.Idle() && !idle {
			kept = append(kept, s)
		}
	}
	t.out.Statements = kept
	for i := range t.in.Claims {
		t.in.Claims[i].Statement = moved[t.in.Claims[i].Statement]
	}
	for i := range t.out.Amendments {
		t.out.Amendments[i].Statement = moved[t.out.Amendments[i].Statement]
	}
}

// void returns what a change means in a text that says of itself that it does not hold: its value is ended or
// retracted.
func (t *turn) void(c align.Change) align.Change {
	switch {
	case c.Effect == align.Set && t.in.Labels.Void == tenure.End:
		c.Effect = align.Ends
	case c.Effect == align.Set:
		c.Effect = align.Retracts
	default:
		c.Effect = align.Keeps
	}
	return c
}

// breaks reports whether a change would displace a value by one that says less, without correcting it: sentences by a
// word or two, or a telling value by a plain one where the clause does not name the property or says nothing else.
func (t *turn) breaks(c align.Change) bool {
	if c.Effect != align.Set && c.Effect != align.Unsure || c.Slot < 0 || c.Value == "" {
		return false
	}
	s, st := t.slots[c.Slot], t.said[c.Statement]
	named := namesProperty(st.Text, s)
	return slices.ContainsFunc(s.Values, func(v string) bool {
		corrects := st.Act == tenure.Corrects &&
			(named || s.Said == 1 || st.Old.Text != "" && strings.Contains(text.Spaced(v), text.Spaced(st.Old.Text)))
		return !corrects && values.Of(v).Kind == values.Text && saysLess(c.Value, v, named)
	})
}

// saysLess reports whether a value says less than another: than sentences, or than a telling value where the property
// is not named or the value only repeats a part of it.
func saysLess(value, than string, named bool) bool {
	have, n := len(strings.Fields(value)), len(strings.Fields(than))
	if n >= prose && 2*have < n && clauses.KindOf(than) != clauses.KindName {
		return true
	}
	return have < n && isTelling(than) && (!named || strings.Contains(text.Spaced(than), text.Spaced(value)))
}

// leastTelling is the least number of words of a telling value.
const leastTelling = 4

// isTelling reports whether a value tells more than a plain one: a number among words, as "3 engineers at 50% each".
func isTelling(v string) bool {
	small := slices.ContainsFunc(strings.Fields(v), func(w string) bool {
		return len(w) >= leastRepeated && w[0] >= 'a' && w[0] <= 'z'
	})
	return small && len(strings.Fields(v)) >= leastTelling && strings.ContainsAny(v, "0123456789")
}

// namesProperty reports whether a clause has all words of a predicate, or of another name of it.
func namesProperty(clause string, s slot) bool {
	said := termsOf(clause)
	return slices.ContainsFunc(append([]string{s.Predicate}, s.Synonyms...), func(name string) bool {
		terms := termsOf(strings.ReplaceAll(name, "_", " "))
		for term := range terms {
			if !said[term] {
				return false
			}
		}
		return len(terms) > 0
	})
}

// saidAlready reports whether what a clause would say of a slot is said word by word by a belief of another slot of the
// same subject.
func (t *turn) saidAlready(c align.Change) bool {
	clause, key := text.Spaced(t.said[c.Statement].Text), text.Key(c.Subject)
	for i, s := range t.slots {
		same := slices.ContainsFunc(s.Names, func(n string) bool { return text.Key(n) == key })
		if c.Slot >= 0 {
			same = s.root.ID == t.slots[c.Slot].root.ID
		}
		if i != c.Slot && same &&
			slices.ContainsFunc(s.Values, func(v string) bool { return says(text.Spaced(v), clause) }) {
			return true
		}
	}
	return false
}

// prose is the least number of words of a value that is more than a name.
const prose = 5

// claim adds a claim that a statement makes. It replaces the claim of an earlier clause of the text for the same slot
// and time, unless the property has many values.
func (t *turn) claim(c align.Change, claim ingest.Claim, many bool) {
	s := t.said[c.Statement]
	claim.Statement = c.Statement
	claim.ValidFrom, claim.ValidUntil = c.From, c.Until
	claim.Evidence = &tenure.Evidence{
		Rule: s.Extractor, Span: text.Head(s.Text, maxSpan), Trigger: text.Head(s.Trigger, maxTrigger), Source: ofText,
		Question: t.question(s),
	}
	if !many {
		t.in.Claims = slices.DeleteFunc(t.in.Claims, func(o ingest.Claim) bool {
			if t.said[o.Statement].Span == s.Span || !sameSlot(o, claim) {
				return false
			}
			before := &t.out.Statements[o.Statement]
			before.Effect, before.Why = align.Keeps, whyLater
			return true
		})
	}
	t.in.Claims = append(t.in.Claims, claim)
}

// ofText is the evidence source of a claim that was read in a text.
const ofText = "text"

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
func (t *turn) set(c align.Change) {
	s := t.slots[c.Slot]
	for i, value := range c.Values() {
		claim := ingest.Claim{
			Subject: ingest.Ref{EntityID: s.root.ID}, Predicate: s.Predicate, Value: t.valueIn(s, value), Many: s.beside,
		}
		if i == 0 {
			claim.Key = s.key()
		}
		if c.Beside || c.Effect == align.Adds {
			claim.Many = true
		} else {
			claim.Supersedes = t.displaced(c, s)
		}
		t.claim(c, claim, s.Many || claim.Many)
	}
}

// key returns the claim key of the newest belief of a slot, which a new value takes over; "" for many values.
func (s slot) key() string {
	if len(s.beliefs) == 0 || s.Many {
		return ""
	}
	return s.beliefs[0].Claim.Key
}

// displaced lists the beliefs that a new value supersedes by name: see displaces. The others it displaces by being
// newer.
func (t *turn) displaced(c align.Change, s slot) []string {
	level, err := t.caller.Level(t.in.Source.AuthorityLevel, tenure.UserLevel, "")
	if err != nil {
		return nil // the write refuses it
	}
	var ids []string
	for i, b := range s.beliefs {
		if t.displaces(c, s, i) && !hasValue(c, s.Values[i]) && b.Claim.Source.AuthorityLevel >= level {
			ids = append(ids, string(b.Claim.ID))
		}
	}
	return ids
}

// displaces reports whether a new value supersedes a standing one by name: the statement replaces or corrects it, or
// speaks of an earlier time; the value was once displaced by name; or its speaker changes what never changes.
func (t *turn) displaces(c align.Change, s slot, i int) bool {
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

// returns reports whether a new value was displaced by name before: only by name can it come back.
func (t *turn) returns(c align.Change, s slot) bool {
	return slices.ContainsFunc(s.former, func(b tenure.Belief) bool {
		g, ok := b.Standing.At(t.at)
		return ok && g.Cause == tenure.ByName && hasValue(c, textOf(b.Claim.Value, nil))
	})
}

// hasValue reports whether a value is one of a change.
func hasValue(c align.Change, value string) bool {
	return slices.ContainsFunc(c.Values(), func(v string) bool { return same(value, v) })
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
		raw = []byte(`""`) // unreachable: every string has JSON
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
func (t *turn) add(c align.Change) (why string) {
	ref := t.subject(t.subjectOf(c))
	if ref == nil || c.Predicate == "" || c.Value == "" {
		return whyNobody
	}
	t.out.Statements[c.Statement].Entity = ref.EntityID
	for _, value := range c.Values() {
		t.claim(c, ingest.Claim{
			Subject: *ref, Predicate: text.Head(c.Predicate, maxPredicate), Value: textValue(value),
			DependsOn: t.restated(value), Many: c.Beside,
		}, c.Beside || len(c.More) > 0)
	}
	return ""
}

// amend ends or retracts the beliefs of a slot that have the scope of the text, or returns why there are none.
func (t *turn) amend(c align.Change) (why string) {
	kind, at := tenure.Retract, (*tenure.Instant)(nil)
	if c.Effect == align.Ends {
		kind, at = tenure.End, cmp.Or(c.Until, c.From)
	}
	ids, why := t.amended(c)
	for _, id := range ids {
		t.out.Amendments = append(t.out.Amendments, ingest.Amendment{
			Statement: c.Statement, Kind: kind, Belief: id, At: at,
		})
	}
	return why
}

// amended lists the beliefs that a change ends or retracts, or says why there are none.
func (t *turn) amended(c align.Change) (ids []tenure.ID, why string) {
	if c.Slot < 0 {
		return nil, whyNothing
	}
	s := t.slots[c.Slot]
	why = whyNothing
	for i, b := range s.beliefs {
		switch {
		case c.Value != "" && !hasValue(c, s.Values[i]):
		case says(text.Spaced(s.Values[i]), text.Spaced(t.said[c.Statement].Text)):
			why = whyKnown
		case b.Claim.Scope.Key() != t.in.Scope.Key():
			why = whyWider
		case slices.ContainsFunc(t.out.Amendments, func(a ingest.Amendment) bool { return a.Belief == b.Claim.ID }):
			why = whyAlready
		default:
			ids = append(ids, b.Claim.ID)
		}
	}
	if len(ids) > 0 {
		why = ""
	}
	return ids, why
}

// leastRepeated is the number of bytes that a value has at least to be recognised in a clause.
const leastRepeated = 3

// repeated lists the beliefs whose value a clause has in it, or which say in more words what it says.
func (t *turn) repeated(clause string) []string {
	within := text.Spaced(clause)
	return t.grounds(func(value string) bool {
		return len(value)-2 >= leastRepeated && strings.Contains(within, value) || says(value, within)
	})
}

// restated lists the beliefs that the text says again word by word and whose value contains the value read.
func (t *turn) restated(read string) []string {
	whole, read := text.Spaced(t.text), text.Spaced(read)
	return t.grounds(func(value string) bool { return strings.Contains(value, read) && says(whole, value) })
}

// says reports whether a text contains a clause of at least leastWords words.
func says(s, clause string) bool {
	return strings.Count(clause, " ") > leastWords && strings.Contains(s, clause)
}

// leastWords is the number of words that a clause has at least to be recognised in a value.
const leastWords = 3

// grounds lists the beliefs whose value satisfies is, at most maxGrounds.
func (t *turn) grounds(is func(value string) bool) (ids []string) {
	for _, s := range t.slots {
		for i, b := range s.beliefs {
			if len(ids) < maxGrounds && is(text.Spaced(s.Values[i])) {
				ids = append(ids, string(b.Claim.ID))
			}
		}
	}
	return ids
}

// maxGrounds bounds what a remark depends on.
const maxGrounds = 50

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
