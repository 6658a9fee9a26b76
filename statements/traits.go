package statements

import (
	"slices"
	"strconv"
	"strings"

	"tenure"
	"tenure/statements/clauses"
	"tenure/statements/lex"
)

// traitBits tells how large the table is that traits are hashed into.
const traitBits = 13

// Traits is the number of places of the table.
const Traits = 1 << traitBits

// Clause is a clause of a text with what is measured of its words, as the model that weighs them is made from.
type Clause struct {
	tenure.Span
	// Act is the act by the rules.
	Act tenure.Act
	// Dated reports whether the clause says from when on it holds.
	Dated  bool
	Traits []uint16
}

// Measure returns the clauses of a turn with what is measured of their words.
func Measure(turn Turn, before []Turn) (list []Clause) {
	readings := parsed(turn, before)
	asked := isAsked(turn, before)
	for i, r := range readings {
		list = append(list, Clause{Span: r.span(0, len(r.Tokens)), Act: r.decision.act, Dated: r.bounds.from != nil,
			Traits: traitsOf(readings, i, asked)})
	}
	return list
}

// TraitsVersion returns a hash of the traits of a few texts, which differs if the program measures them differently.
func TraitsVersion() string {
	t := traits{}
	for _, text := range []string{
		"The launch city of Plover is Namur now, not Kotka.", "could we move it to room 12? I'd rather not!",
		"- Ann says \"no\" to 3 May; so far it was closed 😂", "Ab Montag kostet das Ticket 30 Euro.",
	} {
		for _, c := range Measure(Turn{Text: text, At: 1}, nil) {
			for _, h := range c.Traits {
				t.add(strconv.Itoa(int(h)), strconv.Itoa(len(t)))
			}
		}
	}
	sum := uint32(0)
	for _, h := range t {
		sum = sum*31 + uint32(h)
	}
	return strconv.FormatUint(uint64(sum), 16)
}

// isAsked reports whether what somebody else said just before ends in a question mark.
func isAsked(turn Turn, before []Turn) bool {
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return last.Speaker != turn.Speaker && strings.HasSuffix(strings.TrimSpace(last.Text), "?")
}

// traits are the traits of a clause, each as its place in the table.
type traits []uint16

// add adds what holds: its kind, and the words of which it holds.
func (t *traits) add(kind string, words ...string) {
	const offset, prime = 2166136261, 16777619 // FNV-1a
	h := uint32(offset)
	for i := range len(kind) {
		h = (h ^ uint32(kind[i])) * prime
	}
	for _, w := range words {
		h = (h ^ 1) * prime
		for i := range len(w) {
			h = (h ^ uint32(w[i])) * prime
		}
	}
	h ^= h >> 15
	*t = append(*t, uint16((h^h>>traitBits)&(Traits-1)))
}

// flag adds what holds without any words.
func (t *traits) flag(kind string, holds bool) {
	if holds {
		t.add(kind)
	}
}

// formal are the classes of words that nearly every clause has, and of words that are what is spoken of.
const formal = lex.Det | lex.Prep | lex.Conj | lex.Infinitive | lex.Verb | lex.UnitNoun | lex.Attribute | lex.Noun |
	lex.Split | lex.Filler | lex.Unit | lex.Month | lex.NumberWord

// traitsOf returns what holds of the clause at i: the act by the rules and what decided it, the classes of its words,
// the words and the pairs of them, its form, its place, and the clauses beside it.
func traitsOf(list []*reading, i int, asked bool) traits {
	r, t := list[i], make(traits, 0, 128)
	act := string(r.decision.act)
	t.add("act", act)
	t.add("trigger", strings.ToLower(r.decision.trigger))
	var seen lex.Class
	for _, h := range r.hits {
		seen |= h.Class
	}
	for title := range (seen &^ formal).Titles {
		t.add("class", title)
	}
	t.words(r)
	t.form(r, act)
	t.neighbours(list, i)
	if asked {
		t.add("asked before", act)
	}
	slices.Sort(t)
	return slices.Compact(t)
}

// words adds the words of a clause and the pairs of them.
func (t *traits) words(r *reading) {
	words := r.masked()
	last := "^"
	for _, w := range words {
		t.add("word", w)
		t.add("pair", last, w)
		last = w
	}
	t.add("pair", last, "$")
	t.add("first", words[0])
	t.add("last", last)
}

// form adds what the clause looks like, apart from its words.
func (t *traits) form(r *reading, act string) {
	tense := r.tense()
	t.add("tense", tense)
	t.add("tense of act", tense, act)
	if r.verb >= 0 {
		t.add("verb", r.Tokens[r.verb].Low)
		t.add("subject", r.Tokens[r.body].Low)
	}
	t.flag("question", r.Asked)
	t.flag("opens", r.Opens)
	t.flag("item", r.Item)
	t.flag("listed", r.Listed)
	t.flag("voice", r.voice != "")
	t.flag("from", r.bounds.from != nil)
	t.flag("until", r.bounds.until != nil)
	t.flag("past", r.bounds.past.To > 0)
	const few = "0123"
	t.add("values", few[min(len(r.values), 3):][:1])
	t.add("length", few[min(len(r.Tokens)/6, 3):][:1])
	for _, v := range r.values {
		t.add("value", v.Kind)
	}
	t.add("mark", r.mark())
}

// tense is the form of the verb.
func (r *reading) tense() string {
	if r.verb < 0 {
		return "none"
	}
	switch v := r.Tokens[r.verb]; {
	case v.Is(lex.PastBe):
		return "was"
	case v.Is(lex.Be):
		return "is"
	case v.Is(lex.Have):
		return "has"
	case v.Is(lex.Modal):
		return "modal"
	case strings.HasSuffix(v.Low, "ed"):
		return "ed"
	case strings.HasSuffix(v.Low, "s"):
		return "s"
	}
	return "other"
}

// mark is the sign behind a clause.
func (r *reading) mark() string {
	rest := strings.TrimLeft(r.Text[r.Tokens[len(r.Tokens)-1].End:], " ")
	end := 0
	for end < len(rest) && end < 3 && strings.IndexByte(`.!?,;:)"-`, rest[end]) >= 0 {
		end++
	}
	return rest[:end]
}

// neighbours adds the acts and the words of the clauses before and behind.
func (t *traits) neighbours(list []*reading, i int) {
	r := list[i]
	for _, side := range []struct {
		at   int
		name string
	}{{i - 1, "before"}, {i + 1, "behind"}} {
		if side.at < 0 || side.at >= len(list) {
			t.add(side.name, "none")
			continue
		}
		n := list[side.at]
		where := "sentence"
		if n.Sentence == r.Sentence {
			where = "same"
		}
		t.add(side.name, string(n.decision.act), where)
		for _, w := range n.masked() {
			t.add(side.name+" word", w)
		}
	}
}

// masked are the words of a clause; what is only this or that value, name or day is only told by its kind.
func (r *reading) masked() []string {
	list := make([]string, 0, len(r.Tokens)+1)
	for k, t := range r.Tokens {
		w := r.mask(k)
		if n := len(list); t.Kind == lex.Break || n > 0 && list[n-1] == w && w[0] == '@' {
			continue
		}
		list = append(list, w)
	}
	if len(list) == 0 {
		list = append(list, "@none")
	}
	return list
}

func (r *reading) mask(k int) string {
	t := r.Tokens[k]
	switch {
	case t.Kind == lex.Number || t.Is(lex.NumberWord) && t.Low != "one" || clauses.IsCode(t.Low):
		return "@number"
	case t.Kind == lex.Quoted:
		return "@quote"
	case t.Is(lex.Weekday|lex.Month) && !r.IsPlainWord(k):
		return "@day"
	case t.Kind == lex.Word && t.Capital && (k > 0 && !t.Is(lex.FunctionWord|lex.Do) || t.Class == 0) && t.Low != "i":
		return "@name"
	case t.Low == "":
		return "@none"
	}
	return t.Low
}
