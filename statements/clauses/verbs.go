package clauses

import (
	"strings"

	"tenure/statements/lex"
)

// objectForms are the forms of pronouns that stand behind a verb.
var objectForms = lex.Words("object pronoun")

// FindVerb returns the index of the finite verb of the tokens from a place on, -1 if there is none.
func FindVerb(tokens []lex.Token, from int) int {
	for i := from; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.Kind != lex.Word:
		case t.Low == "'s":
			if !isPossessive(tokens, i) {
				return i
			}
		case t.Is(lex.Be | lex.Have | lex.Modal | lex.Do):
			if isAuxiliaryHere(tokens, from, i) {
				return i
			}
		case t.Is(lex.Verb) && isVerbHere(tokens, from, i):
			return i
		}
	}
	return -1
}

// isAuxiliaryHere reports whether an auxiliary is the finite verb: not after "to", no "been" alone, no month of May.
func isAuxiliaryHere(tokens []lex.Token, from, i int) bool {
	t, before := tokens[i], lex.Token{Kind: lex.Break}
	if i > from {
		before = tokens[i-1]
	}
	switch {
	case before.Low == "to":
		return false
	case t.Low == "been":
		return before.Is(lex.Have | lex.Be | lex.Adverb | lex.Not | lex.Pronoun)
	case t.Is(lex.Month):
		return before.Kind != lex.Number && lex.At(tokens, i+1).Kind != lex.Number && (!t.Capital || i == from)
	}
	return true
}

// isPossessive reports whether an 's is a genitive: after a noun, before one that a verb or the end follows.
func isPossessive(tokens []lex.Token, i int) bool {
	if i == 0 || tokens[i-1].Is(lex.Pronoun|lex.Question) && !tokens[i-1].IsOpen() {
		return false
	}
	const follows = lex.Det | lex.Prep | lex.Adverb | lex.Not | lex.Pronoun | lex.NumberWord | lex.Weekday
	next := lex.At(tokens, i+1)
	switch {
	case i+1 >= len(tokens):
		return true
	case next.Kind != lex.Word, next.Is(follows):
		return false
	}
	for j := i + 2; j < min(len(tokens), i+10); j++ {
		t := tokens[j]
		if t.Low != "'s" && (t.Is(lex.Be|lex.Have|lex.Modal) || t.Is(lex.Verb) && !t.Is(lex.Infinitive|lex.Attribute|lex.UnitNoun)) {
			return true
		}
	}
	return next.Is(lex.Attribute) || next.IsOpen() && !next.Is(lex.Verb) && !endsClause(tokens, i)
}

// endsClause reports whether the word after i is the last of a clause and no part of an adverbial: "the colour's teal".
func endsClause(tokens []lex.Token, i int) bool {
	if lex.At(tokens, i+2).Kind == lex.Word {
		return false
	}
	for j := max(0, i-4); j < i; j++ {
		if tokens[j].Is(lex.Prep) {
			return false
		}
	}
	return true
}

// isVerbHere reports whether a word that may be a verb is the finite one at i.
func isVerbHere(tokens []lex.Token, from, i int) bool {
	t, next := tokens[i], lex.At(tokens, i+1)
	object, first := takesObject(next), i == from
	if first && t.Is(lex.Infinitive) {
		return isImperative(t, next, object)
	}
	if strings.HasSuffix(t.Low, "ing") {
		return first && object
	}
	if first {
		return object && !t.Is(lex.Noun) || beginsObject(next)
	}
	before := tokens[i-1]
	if t.Capital || inNoun(before) {
		return false
	}
	if t.Is(lex.Infinitive) {
		return isBaseHere(before, next, object)
	}
	return isFormHere(before, t, next, object)
}

// isFormHere reports whether a form of a verb, "runs" or "moved", is one between two tokens.
func isFormHere(before, t, next lex.Token, object bool) bool {
	if IsCode(before.Low) && strings.HasSuffix(t.Low, "s") && beginsObject(next) {
		return true // "gw-02 runs firmware 4.1.7"
	}
	counted := before.Kind == lex.Number || before.Is(lex.NumberWord)
	return !counted && !next.Is(lex.Be|lex.Have|lex.Modal) && (object || !t.Is(lex.Attribute|lex.UnitNoun|lex.Noun))
}

// inNoun reports whether what follows a token belongs to a noun phrase.
func inNoun(before lex.Token) bool {
	return before.Low == "'s" || before.Is(lex.Prep) || before.Is(lex.Det|lex.Possessive) && !before.Is(lex.Pronoun)
}

// isBaseHere reports whether the base form of a verb, a noun as often as not, is one between two tokens.
func isBaseHere(before, next lex.Token, object bool) bool {
	switch {
	case before.Is(lex.Split|lex.Lead|lex.Request) && next.Is(lex.Det|lex.Possessive): // "so send the rest"
		return true
	case before.Is(lex.Pronoun) && !before.Is(lex.Det), before.Is(lex.Modal | lex.Do):
		return true
	}
	many := strings.HasSuffix(before.Low, "s") && !strings.HasSuffix(before.Low, "ss") // "the press contact"
	return many && object && !before.Is(lex.Be)
}

// takesObject reports whether a token begins what may follow a verb.
func takesObject(t lex.Token) bool {
	return t.Kind == lex.Number || t.Kind == lex.Quoted || t.Capital || IsSign(t.Low) ||
		t.Is(lex.Det|lex.Prep|lex.Pronoun|lex.Adverb|lex.NumberWord|lex.Weekday|lex.UnitNoun|lex.RelativeDay|lex.Not)
}

// isImperative reports whether a clause that begins with a verb is an imperative, and not a noun.
func isImperative(t, next lex.Token, object bool) bool {
	if next.Is(lex.Det|lex.Possessive) && !next.Is(lex.Conj) ||
		objectForms[next.Low] && next.Low != "her" && next.Low != "him" {
		return true
	}
	return !t.Is(lex.Attribute|lex.UnitNoun|lex.Noun) && (object || beginsObject(next))
}

// beginsObject reports whether a token is a word and no part of a verb.
func beginsObject(t lex.Token) bool {
	return t.Kind == lex.Word && !t.Is(lex.Be|lex.Have|lex.Modal|lex.Verb)
}
