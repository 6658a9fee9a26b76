package similarity

import (
	"slices"
	"strings"
	"unicode"

	"tenure/text"
)

// determiners stand before a common noun: "the architect", "our landlord".
var determiners = set("the a an my our your his her their its this that these those")

// roleNouns say what a person does.
var roleNouns = set(`accountant admin administrator advisor analyst architect assistant auditor boss captain ceo cfo chair chairman
	chairperson chairwoman chief ciso client coach colleague consultant contractor coo coordinator counsel cto
	customer deputy designer developer director doctor editor engineer executive founder head intern landlady
	landlord lawyer lead leader manager mentor neighbor neighbour nurse officer operator owner partner president
	principal producer professor recruiter representative reviewer secretary specialist supervisor supplier teacher
	technician tenant tester treasurer tutor vendor vp`)

// Vague reports whether a name of a type ("" if it is not known) cannot tell by itself who is meant: a person's name of
// one word, such as a first name or a surname, or a description such as "the architect" or "my landlord", which means
// whom the talk is about.
func Vague(name, typ string) bool {
	if typ != "" && classOf(text.Key(typ)) != people {
		return false
	}
	if Description(name, typ) {
		return true
	}
	words := slices.DeleteFunc(splitWords(name, people), func(w token) bool { return w.text != "" && isHonorific(w.text) })
	switch {
	case len(words) != 1:
		return false
	case typ == "":
		return givenNames[words[0].text] != nil || givenGender[words[0].text] != 0
	}
	return true
}

// Description reports whether a name of a type ("" if it is not known) is a description and no name: it begins with a
// determiner and goes on in lower case, or it says what a person does.
func Description(name, typ string) bool {
	words := strings.FieldsFunc(name, separator)
	if len(words) > 1 && determiners[text.Plain(words[0])] && lowerCase(words[1]) {
		return true
	}
	if classOf(text.Key(typ)) != people {
		return false
	}
	words = slices.DeleteFunc(words, func(w string) bool { return determiners[text.Plain(w)] })
	return slices.ContainsFunc(words, func(w string) bool { return roleNouns[text.Plain(w)] }) &&
		!slices.ContainsFunc(words, func(w string) bool { return givenNames[text.Plain(w)] != nil })
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
		return len(t.text) > longestCode && !determiners[t.text] && !roleNouns[t.text] &&
			slices.ContainsFunc(o.tokens, func(u token) bool { return t.Whole() == u.Whole() })
	})
}
