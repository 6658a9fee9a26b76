package align

import (
	"cmp"
	"slices"
	"strings"

	"tenure"
	"tenure/ner/words"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/vocabulary"
)

// saysOther reports whether a clause is plainly not about a slot: it calls the property by another name, or names
// another property of the base vocabulary; it has ordinary words where the slot has names ("the seals are late" of a
// supplier); it answers a question about another subject ("and 6a?" of 6b); or it is about another ("Jonas lives in
// Turin" of Ada, "my neighbour lives in Turin" of my sister, "Mona is the director of Plover" of Heron).
func (a *alignment) saysOther(r *compared, c *candidate) bool {
	switch {
	case c.calledOtherwise(r), a.saysOtherProperty(r, c), c.named() && r.ordinary() && c.property == 0 && !c.spoken(r):
		return true
	case r.unnamed && !c.Asked && slices.ContainsFunc(a.list, func(o *candidate) bool {
		return o.Asked && o.Predicate == c.Predicate && !sameSubject(o, c) && !a.set[o]
	}):
		return true
	}
	return a.ofOther(r, c)
}

// ofOther reports whether a clause is plainly about another subject than that of a slot.
func (a *alignment) ofOther(r *compared, c *candidate) bool {
	return c.Others && r.isMine() || a.ofOtherKin(r, c) || r.ofOtherPerson(c) || !c.Own && a.plain.ofSpeaker() ||
		!c.Asked && a.plain.inverted() && a.apartFrom(a.plain, c)
}

// ofSpeaker reports whether a clause says a base term of "I" and nothing else: "I live in Turin", "I speak Greek".
func (r *compared) ofSpeaker() bool {
	return r.Subject.Text == "" && strings.HasPrefix(text.Fold(r.Text), "i ") && r.saysTerm() != nil
}

// ofOtherPerson reports whether the clause itself names a person who is not the subject of a slot.
func (r *compared) ofOtherPerson(c *candidate) bool {
	return !r.inherited && r.foreign(c) && (!c.Own || !r.first) && words.Load().LooksLikePerson(r.Subject.Text)
}

// ofOtherKin reports whether the clause is about a person of the speaker's by a word that neither the subject of a slot
// nor its property has: "my neighbour lives in Perth" of the sister Ada.
func (a *alignment) ofOtherKin(r *compared, c *candidate) bool {
	return c.inSubject.share == 0 && slices.ContainsFunc(r.subject, func(w string) bool {
		share, _ := c.of.share([]string{w, cmp.Or(kinNames[w], w)})
		titled := len(r.subject) > 1 && words.Load().Honorifics.Has(w) // "Frau Brehm"
		return isKin(w) && !titled && share == 0
	})
}

// saysOtherProperty reports whether the words between the subject and the value of a clause are another property of the
// base vocabulary than that of a slot: "Ines lives in Bergen" of an employer.
func (a *alignment) saysOtherProperty(r *compared, c *candidate) bool {
	term := a.term
	if term == nil || c.of.term == "" || c.of.term == term.Inverse || c.of.way(withoutBinders(term.Name)) ||
		moving(a.plain.phrase()) {
		return false
	}
	return c.of.term != term.Name || r.Subject.Text != a.plain.Subject.Text
}

// named reports whether all values of a slot are names.
func (c *candidate) named() bool {
	return len(c.held) > 0 && !slices.ContainsFunc(c.groups, func(g group) bool { return g != groupName })
}

// ordinary reports whether the new value is nothing but ordinary words in small letters.
func (r *compared) ordinary() bool {
	lexicon := words.Load()
	return r.group == groupText && r.New.Text == strings.ToLower(r.New.Text) && !r.quoted() &&
		!slices.ContainsFunc(r.fresh.words, func(w string) bool { return !lexicon.IsCommon(w) })
}

// plainly reports whether a statement names the subject and, by a base term, the property: "Jonas works at Quarry".
func (a *alignment) plainly(m *aligned) bool {
	term := m.saysTerm()
	certainly := m.Act == tenure.Asserts && !m.doubted() && m.compared.confidence() >= certain
	return term != nil && certainly && m.slot.of.term == term.Name && m.slot.inSubject.known()
}

// replaces reports whether a statement names the value that stands as the old one, beside the new one and the subject
// or the property: "we moved the launch city of Plover from Kotka to Namur". Words about the past then say the present.
func (m *aligned) replaces() bool {
	named := m.why.property > 0 || m.why.subject >= subjectPartly*0.7
	return m.Act == tenure.Asserts && m.rule.Changes() && named && m.stale.text != "" && m.stale.in(m.slot.held)
}

// phrase are the words between the subject and the value in the form of a predicate, without articles, and without
// auxiliaries and adverbs before them: "works_at", "hired_by" of "was first hired by".
func (r *compared) phrase() string {
	list := slices.DeleteFunc(strings.Fields(r.between()), func(w string) bool {
		return lex.ClassOf(text.Fold(w))&lex.Det != 0
	})
	for len(list) > 1 && lex.ClassOf(text.Fold(strings.TrimLeft(list[0], "'’")))&(lex.Be|lex.Have|
		lex.Adverb|lex.OrdinalWord) != 0 || len(list) > 1 && contracted[list[0]] {
		list = list[1:]
	}
	return vocabulary.Normal(strings.Join(list, " "))
}

// contracted are forms of "be" and "have" as they stand behind a pronoun.
var contracted = wordSet("'m ’m 's ’s 're ’re 've ’ve")

// withoutBinders are the words of a predicate that say something by themselves: "lives" of "lives_in".
func withoutBinders(predicate string) []string {
	return slices.DeleteFunc(strings.Split(predicate, "_"), func(w string) bool {
		return lex.ClassOf(w)&binders != 0
	})
}
