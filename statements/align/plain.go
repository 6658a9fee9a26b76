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
	case c.index < 0 && r.goesOn(c), a.plain.ofHolder(c), a.plain.calledOf(r), c.takesPersons() && r.isNoPerson(c):
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
	return c.Others && r.isMine() || a.ofOtherKin(r, c) || r.ofOtherPerson(c) || !c.Own && a.plain.ofSpeaker(c) ||
		!c.Asked && a.plain.inverted() && a.apartFrom(a.plain, c)
}

// ofSpeaker reports whether a clause says a base term of "I" and nothing else, as "I live in Turin" and "I speak
// Greek", or by a verb what "I" do, without the subject of a slot: "I teach Year 4" of a school's head teacher.
func (r *compared) ofSpeaker(c *candidate) bool {
	if r.Subject.Text != "" || !strings.HasPrefix(text.Fold(r.Text), "i ") {
		return false
	}
	does := r.Act == tenure.Asserts && !r.noun && !r.it && len(r.property) > 0 && r.stale.text == "" &&
		!moving(strings.Join(r.property, "_"))
	return r.saysTerm() != nil || does && !c.inClause.known()
}

// ofOtherPerson reports whether the clause itself names a person who is not the subject of a slot, or, read from its
// other end, something else by a proper name: "Zofia lives in Gdynia" is not about the team that Zofia leads.
func (r *compared) ofOtherPerson(c *candidate) bool {
	return !r.inherited && r.foreign(c) && (!c.Own || !r.first) &&
		(words.Load().LooksLikePerson(r.Subject.Text) || r.New.End <= r.Subject.Start && r.isProper(r.Subject.Text))
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
// base vocabulary than that of a slot: "Ines lives in Bergen" of an employer. Of a slot whose predicate is no base term
// they may be another way to say it, unless the subject is another by name: "Ines lives in Bergen" of Plover's keeper.
func (a *alignment) saysOtherProperty(r *compared, c *candidate) bool {
	term := a.term
	switch {
	case term == nil, moving(a.plain.phrase()), c.of.way(withoutBinders(term.Name)) && !c.of.stays():
		return false
	case c.of.term == "":
		return c.property == 0 && a.plain.isProper(a.plain.Subject.Text) && !c.inSubject.known() && !c.inClause.known()
	case c.of.term == term.Inverse:
		return false
	}
	return c.of.term != term.Name || r.Subject.Text != a.plain.Subject.Text
}

// goesOn reports whether a clause says nothing of a property that the text has just told: "The owner of Tidepool is
// Jasper. Tidepool stores its events in Cassandra."
func (r *compared) goesOn(c *candidate) bool {
	return r.Act == tenure.Asserts && r.Trigger == "" && r.stale.text == "" && c.property == 0 && !c.spoken(r)
}

// calledOf reports whether a clause says what the property of something is, and another reading takes that something
// for the value: "Hanley Street" of "the door code of the Hanley Street office is 7719".
func (r *compared) calledOf(o *compared) bool {
	return o != r && len(r.called) > 0 && r.New.Text != "" && r.New.Start >= r.Subject.End &&
		r.Subject.Start <= o.New.Start && o.New.End <= r.Subject.End
}

// takesPersons reports whether the values of a slot are persons, who have the post that its predicate names.
func (c *candidate) takesPersons() bool {
	return c.of.person && len(c.held) > 0 && words.Load().LooksLikePerson(c.held[0].text)
}

// isNoPerson reports whether nothing in a clause speaks of a post, and its value is no name of a person: "Bluefin is on
// the Silver plan" of Bluefin's account manager.
func (r *compared) isNoPerson(c *candidate) bool {
	return c.property == 0 && !c.spoken(r) && !c.Asked && !r.pronoun && r.stale.text == "" &&
		!words.Load().LooksLikePerson(r.New.Text)
}

// stays reports whether a property is one of those that do not change: only its own words mean it.
func (p *property) stays() bool {
	term, ok := vocabulary.Lookup(p.term)
	return ok && term.Decay == tenure.Stable
}

// ofHolder reports whether the subject of a clause is a person who is the value of a slot, and the new value is none:
// "Piotr has moved to Sopot" of the team that he coaches.
func (r *compared) ofHolder(c *candidate) bool {
	lexicon := words.Load()
	return r.Subject.Text != "" && r.New.Start >= r.Subject.End && r.named.in(c.held) &&
		(c.of.person || lexicon.LooksLikePerson(r.Subject.Text)) && !lexicon.LooksLikePerson(r.New.Text) && c.property == 0
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
	said := r.between()
	if until := r.New.Start - r.Start; r.inherited && r.Subject.End <= r.Start && until > 0 && until <= len(r.Text) {
		said = r.Text[:until] // "Ottilie lives in Graz and speaks Hungarian"
	}
	list := slices.DeleteFunc(strings.Fields(said), func(w string) bool {
		return lex.ClassOf(text.Fold(w))&lex.Det != 0
	})
	if len(list) > 1 && lex.ClassOf(text.Fold(list[0]))&lex.Conj != 0 {
		list = list[1:]
	}
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
