package similarity

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	lexicon "tenure/ner/words"
	"tenure/text"
)

// doubt is what keeps evidence from deciding for a match, however much there is: what agrees is what two of a kind have
// in common. Then a person is asked.
type doubt uint8

const (
	noDoubt doubt = iota
	unnumberedOffers
	translatedName
	givenSlip
	manOrWoman
	wordSlip
	otherCountry
	doubtsKnown
)

// doubts describes the kinds of doubt.
var doubts = [doubtsKnown]string{
	unnumberedOffers: "of two offers without a number in common, a title does not tell whether they are of one article",
	translatedName:   "a name that is translated may be another's own name",
	givenSlip:        "of two of one household, given names that are no slips of each other may be two people's",
	otherCountry:     "a name in two countries may be that of two",
	manOrWoman:       "the name of a woman that is made of a man's is another's",
	wordSlip:         "words of the language that differ in a letter may be two words",
}

// mostDoubtful bounds the log-odds of evidence that is in doubt.
const mostDoubtful = 2.94 // a score of less than .95

// nearBound is how far below a bound the odds are compressed.
const nearBound = .2

// below maps what is near a bound, or over it, to below it, in the same order.
func below(odds, bound float64) float64 {
	if odds <= bound-nearBound {
		return odds
	}
	return bound - nearBound/(1+odds-(bound-nearBound))
}

func doubtOf(e *evidence, l, r *Prepared) doubt {
	a := &e.attr
	switch {
	case unnumbered(e, l, r):
		return unnumberedOffers
	case e.name[nameTranslated] > 0 && e.bare():
		return translatedName
	case e.compared[0] == nil || a[idEqual]+a[emailEqual]+a[recordSame]+e.name[nameCodeEqual] > 0:
		return noDoubt
	case e.class == people:
		return doubtOfPeople(a, e.compared[0], e.compared[1])
	case a[countryDiffers] > 0:
		return otherCountry
	case differInWord(e.compared[0], e.compared[1]):
		return wordSlip
	}
	return noDoubt
}

func doubtOfPeople(a *[attrFeatures]float64, l, r *name) doubt {
	switch {
	case manAndWoman(l.tokens, r.tokens):
		return manOrWoman
	case a[dateEqual] > 0 && oneHousehold(a) && differInGiven(l, r):
		return givenSlip
	}
	return noDoubt
}

// oneHousehold reports whether an address, a telephone or a mailbox that many read agrees.
func oneHousehold(a *[attrFeatures]float64) bool {
	return a[addressEqual]+a[addressClose]+a[phoneEqual]+a[phoneLocal]+a[emailShared] > 0
}

// unnumbered reports whether two offers of shops have neither a model number nor an identifier in common. Shops sell
// several articles under one title: colours, licences, editions, languages.
func unnumbered(e *evidence, l, r *Prepared) bool {
	return l.typ == product && r.typ == product && (l.offers() || r.offers()) && e.attr[idEqual] == 0 &&
		(e.name[nameCodeEqual] == 0 || e.name[nameEditionDiffers] > 0)
}

// differInGiven reports whether two names of people have given names that are alike in their letters and may be two
// names. They are a slip where one of them is a known name and the other is not, or neither is and both are a letter
// from one that is; and one name where they are spellings of it.
func differInGiven(l, r *name) bool {
	s, t := apart(l.given(), l.tokens, r.given(), r.tokens)
	if s == nil || strings.HasPrefix(s.text, t.text) || strings.HasPrefix(t.text, s.text) || slip(s.text, t.text) {
		return false
	}
	if k, ok := alike(s, t); !ok || k.nickname || k.pet {
		return false
	}
	switch a, b := knownGiven(s.text), knownGiven(t.text); {
	case a && b:
		return spelling(s.text) != spelling(t.text) || !beginAlike(s.text, t.text)
	case a || b:
		return false
	}
	return !slipsOfOne(s.text, t.text)
}

// manAndWoman reports whether one of two people has the given name of a man where the other has that of a woman which
// is made of it: Julian and Juliane.
func manAndWoman(l, r []token) bool {
	made := func(one, other []token) bool {
		return slices.ContainsFunc(one, func(s token) bool {
			return !hasWord(other, s.text) && slices.ContainsFunc(feminine[s.text], func(w string) bool {
				return hasWord(other, w) && !hasWord(one, w)
			})
		})
	}
	return made(l, r) || made(r, l)
}

func hasWord(list []token, w string) bool {
	return slices.ContainsFunc(list, func(t token) bool { return t.text == w })
}

// knownGiven reports whether a word is a given name of any table.
func knownGiven(w string) bool {
	return givenNames[w] != nil || moreGivenNames[w] || lexicon.Load().MaybeGivenName(w)
}

// beginAlike reports whether two spellings begin with one letter, or with two that sound alike: Carl and Karl, but not
// Zara and Sara.
func beginAlike(a, b string) bool {
	const hard = "ckq"
	return a[0] == b[0] || strings.IndexByte(hard, a[0]) >= 0 && strings.IndexByte(hard, b[0]) >= 0
}

// slipsOfOne reports whether two words are both a letter from one known given name.
func slipsOfOne(s, t string) bool {
	near := func(w string) bool {
		return (levenshtein.ComputeDistance(w, t) <= 1 || slip(w, t)) && knownGiven(w)
	}
	for i := range len(s) + 1 {
		for c := 'a'; c <= 'z'; c++ {
			if near(s[:i]+string(c)+s[i:]) || i < len(s) && near(s[:i]+string(c)+s[i+1:]) {
				return true
			}
		}
		if i < len(s) && near(s[:i]+s[i+1:]) || i+1 < len(s) && near(s[:i]+s[i+1:i+2]+s[i:i+1]+s[i+2:]) {
			return true
		}
	}
	return false
}

// given returns the given names of a person: all words except the last, the surname.
func (n *name) given() []token { return n.tokens[:max(0, len(n.tokens)-1)] }

// differInWord reports whether two names differ in one word of the language that is another in the other, a letter
// apart: cart and card. One that is the other's beginning is its stem.
func differInWord(l, r *name) bool {
	s, t := apart(l.tokens, l.tokens, r.tokens, r.tokens)
	if s == nil || s.indivisible() || t.indivisible() || levenshtein.ComputeDistance(s.text, t.text) != 1 ||
		slip(s.text, t.text) {
		return false
	}
	if strings.HasPrefix(s.text, t.text) || strings.HasPrefix(t.text, s.text) ||
		min(len(s.text), len(t.text)) < shortestWord {
		return false
	}
	words := lexicon.Load()
	return words.IsCommon(s.text) && words.IsCommon(t.text)
}

// shortestWord is the fewest letters of a word that is not an abbreviation.
const shortestWord = 3

// apart returns the words of parts of two names that the other name lacks, nil unless there is one on each side, both
// in Latin letters.
func apart(partL, l, partR, r []token) (s, t *token) {
	s, t = only(partL, r), only(partR, l)
	if s == nil || t == nil || s.script != text.Latin || t.script != text.Latin {
		return nil, nil
	}
	return s, t
}

// only returns the one word of a list that another lacks, nil if there are none or several.
func only(list, other []token) (found *token) {
	for i := range list {
		if hasWord(other, list[i].text) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &list[i]
	}
	return found
}
