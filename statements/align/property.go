package align

import (
	"math"
	"slices"
	"strings"

	"tenure/statements/lex"
	"tenure/text"
)

// share is how much of a name of the property a list of words has, and whether the last word of it is among these.
func (p *property) share(list []string) (best float64, head bool) {
	for i, name := range p.phrases {
		n := 0
		last := false
		for j, w := range name {
			if hasForm(list, w) {
				n++
				last = last || j == len(name)-1
			}
		}
		if len(name) == 0 || n == 0 {
			continue
		}
		share := float64(n) / float64(len(name))
		if i >= p.called {
			if share < 1 {
				continue // a synonym is meant as a whole
			}
			share = 0.9
		}
		if share > best {
			best, head = share, last
		}
	}
	return best, head
}

// propertyScore is the evidence that a clause speaks of the property of a slot.
func (a *alignment) propertyScore(r *compared, c *candidate) float64 {
	score := propertyNamed * c.property
	switch {
	case c.property > 0 && c.part(r.property):
		score = max(score, propertyPart) // all that is said of it: "subject" of the subject line
	case !c.head:
		score *= 0.7
	}
	if a.betterProperty(c) {
		score += propertyOther
	}
	if score < propertyWay && c.spoken(r) {
		return max(score, 0) + propertyWay*(1-c.property)
	}
	if c.property == 0 && r.noun {
		score += propertyForeign
	}
	return score
}

// calls returns what a clause calls the property of its subject, if nothing but a form of "be" or "have" joins that to
// the value: "the print run of Plover is 400", "Rosa's mentor is Ann", "Ward 3 has 24 beds".
func (r *compared) calls() (noun []string) {
	all := text.Words(r.Property)
	if len(all) == 0 || r.Subject.Text == "" && !r.possesses() {
		return nil
	}
	verb := text.Fold(r.Property[all[len(all)-1].From:])
	if lex.ClassOf(verb)&(lex.Be|lex.Have) == 0 {
		return nil
	}
	for _, w := range propertyWords(r.Property) {
		if lex.ClassOf(w)&binders == 0 && len(w) > 1 && !generic[w] && !containsWord(r.subject, w) {
			noun = append(noun, w)
		}
	}
	return noun
}

// possesses reports whether a clause begins with the property of who was spoken of: "its finance director is Ann Lee".
func (r *compared) possesses() bool {
	first, rest, _ := strings.Cut(r.Text, " ")
	return lex.ClassOf(text.Fold(first))&lex.Possessive != 0 && strings.HasPrefix(rest, r.Property)
}

// inherit takes over what another reading of the same clause calls the property: of "12 members" if that is "12".
func (r *compared) inherit(before []*compared) {
	for _, o := range slices.Backward(before) {
		if o.Start != r.Start || o.End != r.End {
			return
		}
		if len(r.called) == 0 && o.New.Start < r.New.End && r.New.Start < o.New.End {
			r.called = o.called
		}
	}
}

// foreign are nouns of German, Spanish and French for kinds of properties, of which the predicates are English.
var foreign = wordSet(`ort raum adresse treffpunkt standort stadt lugar ciudad dirección destino encuentro
	ubicación lieu ville adresse salle termin datum frist fecha día jour échéance zeit uhrzeit uhr
	telefonzeiten abfahrt hora salida horario heure départ horaires preis kosten gebühr miete precio tarifa
	coste prix tarif loyer anzahl zahl número nombre zustand estado statut état titel titre título farbe
	couleur leitung leiter leiterin verantwortlich guía médico jefe chefin lieferant versicherung proveedor
	seguro fournisseur assurance passwort combinación sistema fahrrad coche voiture vélo`)

// generic are nouns that say nothing of which property is meant.
var generic = wordSet(`name answer total number value word thing one new old current latest next first last right correct
	real actual final official same other only rest`)

// calledOtherwise reports whether a clause calls the property by a noun of neither the slot's predicate nor its kind.
// Then even a fitting value is one of another property.
func (c *candidate) calledOtherwise(r *compared) bool {
	if slices.ContainsFunc(r.called, func(w string) bool { return deputies[w] && !c.part([]string{w}) }) {
		return true
	}
	if len(r.called) == 0 || c.Asked || c.property > 0 || r.stale.text != "" && r.stale.in(c.held) || r.fresh.in(c.held) ||
		r.term != "" && r.term == c.of.term {
		return false
	}
	share, _ := c.of.share(r.called)
	return share == 0 && !c.of.way(r.called) && !slices.ContainsFunc(r.called, func(w string) bool {
		return foreign[w] && slices.ContainsFunc(c.of.fields, func(f propertyField) bool { return f.heads[w] })
	})
}

// deputies are words before a post that make it another.
var deputies = wordSet("deputy assistant vice associate former junior")

// part reports whether words are all of the property's name.
func (c *candidate) part(list []string) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(w string) bool { return !hasForm(c.of.phrases[0], w) })
}

// betterProperty reports whether a clause names another property of the subject by more words, or by as many that
// stand nearer to the value.
func (a *alignment) betterProperty(c *candidate) bool {
	return slices.ContainsFunc(a.bySubject[c.key], func(o *candidate) bool {
		return o != c && (o.property > c.property+0.01 && c.property < 0.99 ||
			o.property > 0 && o.property >= c.property-0.01 && o.near < c.near)
	})
}

// near is the distance from the value to the nearest word of a property; one behind the value counts as farther.
func (r *compared) near(p *property) float64 {
	best := math.Inf(1)
	for _, t := range r.clause {
		if slices.ContainsFunc(p.phrases, func(name []string) bool { return hasForm(name, t.word) }) {
			best = min(best, apart(t.at, r.valueAt()))
		}
	}
	return best
}

func (r *compared) valueAt() int {
	if r.New.Text != "" {
		return r.New.Start
	}
	return r.Old.Start
}

func apart(word, value int) float64 {
	if d := float64(value - word); d > 0 {
		return d
	}
	return 3 * float64(word-value)
}

// way reports whether words are an everyday way to speak of the kind of property.
func (p *property) way(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return p.wayOf(w) != nil })
}

func (p *property) wayOf(w string) *propertyField {
	for i := range p.fields {
		if p.fields[i].ways[w] {
			return &p.fields[i]
		}
	}
	return nil
}

// spoken reports whether a clause has an everyday way to speak of the kind of property. Who has or does something
// stands before the verb: what stands behind it is not a person who has the subject, unless the clause names that.
func (c *candidate) spoken(r *compared) bool {
	return slices.ContainsFunc(r.clause, func(t wordAt) bool {
		if inside(r.New, t.at) || inside(r.Old, t.at) || !containsWord(c.list, t.word) {
			return false
		}
		if t.class&lex.Prep != 0 && (t.at > r.valueAt() || t.at+len(t.word)+5 < r.valueAt()) {
			return false // a preposition says it only of what it stands before
		}
		f := c.of.wayOf(t.word)
		switch {
		case f == nil:
			return false
		case f.agent:
			return c.inClause.known() || t.class&(lex.Verb|lex.Have|lex.Do) == 0 || r.does(t)
		}
		return t.at < r.valueAt() || strings.HasSuffix(t.word, "ed")
	})
}

// longestGap is how many bytes may stand between who does something and the verb: "Femi Adeyemi, who holds".
const longestGap = 10

// does reports whether the value stands right before a verb, and so is who does what the verb says.
func (r *compared) does(t wordAt) bool {
	at := r.New.End
	if r.New.Text == "" {
		at = r.Old.End
	}
	if t.at < at || t.at > at+longestGap || at < r.Start || t.at > r.Start+len(r.Text) {
		return false
	}
	return !strings.Contains(r.Text[at-r.Start:t.at-r.Start], " to ")
}

// withoutNames removes the words of the subject's names, but those that the property shares.
func withoutNames(c *candidate, list []string) (kept []string) {
	for _, w := range list {
		name := false
		for _, n := range c.names {
			name = name || containsWord(n.words, w)
		}
		if !name {
			kept = append(kept, w)
		}
	}
	return kept
}
