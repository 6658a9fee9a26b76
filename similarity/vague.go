package similarity

import (
	"slices"
	"strings"
	"unicode"

	lexicon "tenure/ner/words"
	"tenure/text"
)

// roleNouns say what a person does.
var roleNouns = set(`accountant admin administrator advisor analyst architect assistant auditor boss captain ceo cfo chair chairman
	chairperson chairwoman chief ciso client coach colleague consultant contractor coo coordinator counsel cto
	customer deputy designer developer director doctor editor engineer executive founder head intern landlady
	landlord lawyer lead leader manager mentor neighbor neighbour nurse officer operator owner partner president
	principal producer professor recruiter representative reviewer secretary specialist supervisor supplier teacher
	technician tenant tester treasurer tutor vendor vp`)

// Vague reports whether a name of a type ("" if it is not known) cannot tell by itself who or what is meant: a person's
// name of one word, such as a first name or a surname, or a description such as "the architect" or "my landlord", which
// means whom the talk is about.
func Vague(name, typ string) bool {
	if Description(name, typ) {
		return true
	}
	if typ != "" && classOf(text.Key(typ)) != people {
		return false
	}
	words := slices.DeleteFunc(splitWords(name, people), func(w token) bool { return w.text != "" && isHonorific(w.text) })
	return len(words) == 1 && (typ != "" || calledBy(words[0].text))
}

// calledBy reports whether a folded word is how people are called by those who know them: a first name, "Mom".
func calledBy(w string) bool {
	l := lexicon.Load()
	first := l.IsGivenName(w) && !l.IsTool(w) && !l.Places.Has(w)
	return first || l.Kin.Has(w) || givenNames[w] != nil || givenGender[w] != 0
}

// Description reports whether a name of a type ("" if it is not known) is a description and no name: a determiner and a
// common noun, or what a person does.
func Description(name, typ string) bool {
	words := strings.FieldsFunc(name, separator)
	person := classOf(text.Key(typ)) == people
	if pointsAt(words, person || typ == "") {
		return true
	}
	words = slices.DeleteFunc(words, func(w string) bool { return lexicon.Load().IsDeterminer(strings.ToLower(w)) })
	switch {
	case person:
		return hasRole(words)
	case typ == "":
		return isRole(words)
	}
	return false
}

// pointsAt reports whether words are a determiner and a common noun: one in lower case, or one that says what a person
// does where a person may be meant, or of what kind something is. What else has a capital is a name that begins with an
// article: "The Hague", "the Beatles", "Le Monde".
func pointsAt(words []string, person bool) bool {
	if len(words) < 2 || inCapitals(words[0]) || isPlace(words) {
		return false
	}
	l := lexicon.Load()
	first, small := strings.ToLower(words[0]), lowerCase(words[1])
	role := isActor(strings.ToLower(words[1])) && (person || small || lowerCase(words[0]))
	switch {
	case !l.IsDeterminer(first):
		return role && l.MaybeDeterminer(first) && !l.IsCommon(first) // those of other languages are many other words
	case small:
		return role || l.IsDeterminerOf("en", first) || !isEnglish(words)
	}
	return pointsAtCapital(words, role)
}

// pointsAtCapital is pointsAt where what follows the determiner has a capital. German common nouns have, so that there
// the determiner tells: "der Chef", but "Die Zeit".
func pointsAtCapital(words []string, role bool) bool {
	l := lexicon.Load()
	first, next, small := strings.ToLower(words[0]), strings.ToLower(words[1]), lowerCase(words[0])
	single := len(words) == 2 || lowerCase(words[2])
	if small && l.IsDeterminerOf("de", first) {
		return role || single
	}
	kind := len(words) == 2 && l.IsDeterminerOf("en", first) && isKind(next, small || !articles[first])
	return single && role || kind
}

// isActor reports whether a word says what a person does, or of what kin somebody is.
func isActor(w string) bool {
	l := lexicon.Load()
	return roleNouns[w] || l.RoleHeads.Has(w) || l.Kin.Has(w)
}

// isKind reports whether a noun says of what kind something is. Nouns for bodies count only where their names are not
// meant.
func isKind(w string, body bool) bool {
	l := lexicon.Load()
	return l.IsKind(w) || body && l.IsBody(w)
}

// articles begin the names of bodies, too: "The Post", and no "our".
var articles = set("the a an")

// isEnglish reports whether all words are common English ones: "die casting".
func isEnglish(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !lexicon.Load().IsCommon(strings.ToLower(w)) })
}

// isPlace reports whether words are a known place, the article part of its name or not: "los angeles", "die Schweiz".
func isPlace(words []string) bool {
	places, name := lexicon.Load().Places, strings.ToLower(strings.Join(words, "-"))
	return places.Has(name) || places.Has(name[len(words[0])+1:])
}

// inCapitals reports whether a word of several letters has capitals alone: the UN is no "un".
func inCapitals(word string) bool {
	return len(word) > 1 && word == strings.ToUpper(word) && !lowerCase(word)
}

// interchanged are types that one thing is given by turns: a project is called by the words of its repository.
var interchanged = set("repository repo project")

// TypesInterchange reports whether descriptions give one thing now one type, now the other.
func TypesInterchange(a, b string) bool {
	return interchanged[text.Key(a)] && interchanged[text.Key(b)]
}

// hasRole reports whether one of the words of a person's name says what a person does, and none is a given name.
func hasRole(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return roleNouns[text.Plain(w)] }) &&
		!slices.ContainsFunc(words, func(w string) bool { return givenNames[text.Plain(w)] != nil })
}

// binding bind to a head what it is the head of.
var binding = set("of for at in on")

// isRole reports whether words, of which it is not known what they name, say what a person does and nothing more: their
// head does, and no other word is a name ("Chief Architect", "head of sales", and not "Prometheus Operator").
func isRole(words []string) bool {
	l := lexicon.Load()
	head := len(words)
	if i := slices.IndexFunc(words, func(w string) bool { return binding[w] }); i > 0 {
		head = i
	}
	if head == 0 || !roleNouns[text.Plain(words[head-1])] {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool { return l.IsGivenName(strings.ToLower(w)) || !isOrdinary(w) })
}

// isOrdinary reports whether a word is no name: it is in lower case, or a common word.
func isOrdinary(w string) bool {
	l, k := lexicon.Load(), strings.ToLower(w)
	return lowerCase(w) || l.IsCommon(k) || l.Functions.Has(k) || l.IsKind(k) || isActor(k)
}

// lowerCase reports whether a word begins with a letter that is no capital.
func lowerCase(word string) bool {
	for _, r := range word {
		return unicode.IsLetter(r) && !unicode.IsUpper(r)
	}
	return false
}

// ShortFor reports whether a name that cannot tell by itself who is meant is short for a known name: it is a part of
// that, or a description with a word of it other than what it is ("the prompt repo", of the repository
// acme/prompt-library).
func (m *Model) ShortFor(said, known *Prepared) bool {
	k := pairClass(said, known)
	short, _ := m.namesAs(said, k)
	long, _ := m.namesAs(known, k)
	if !slices.ContainsFunc(short, func(n name) bool { return Description(n.written, said.typ) }) {
		return m.PartOf(said, known)
	}
	return slices.ContainsFunc(short, func(a name) bool {
		return slices.ContainsFunc(long, func(b name) bool { return a.describes(&b) })
	})
}

// describes reports whether a description has a word of the other name.
func (n *name) describes(o *name) bool {
	return slices.ContainsFunc(n.tokens, func(t token) bool {
		return len(t.text) > longestCode && !lexicon.Load().IsDeterminer(t.text) && !roleNouns[t.text] &&
			slices.ContainsFunc(o.tokens, func(u token) bool { return t.Whole() == u.Whole() })
	})
}
