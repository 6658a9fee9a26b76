package similarity

import (
	"math"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// compareIDs compares two identifiers. another is the feature of identifiers that differ.
func compareIDs(x, y string, another attrFeature) found {
	switch short, long := min(len(x), len(y)), max(len(x), len(y)); {
	case x == y:
		return found{feature: idEqual, rank: 3, by: 1}
	case shortened(x, y):
		return found{feature: idPart, rank: 1, by: 1}
	case long >= 6 && long <= 64 && long-short <= 1 && levenshtein.ComputeDistance(x, y) <= 1+long/7:
		// contrary all the same: relatives often have consecutive numbers
		return found{feature: idClose, rank: 2, by: 1, contrary: true}
	}
	return found{feature: another, by: 1, contrary: true}
}

// shortened reports whether two identifiers differ by what is often left out in front: zeros, or the country and the
// bank before a number of eight characters or more. Before a shorter one it makes another number: SC123456 is
// registered in Scotland, 123456 in England.
func shortened(x, y string) bool {
	if len(x) < len(y) {
		x, y = y, x
	}
	front, ok := strings.CutSuffix(x, y)
	return ok && (len(y) >= 8 || len(y) >= 4 && strings.Trim(front, "0") == "")
}

func compareEmails(x, y *value) found {
	if x.norm == y.norm {
		if x.shared {
			return found{feature: emailShared, rank: 2, by: 1}
		}
		return found{feature: emailEqual, rank: 3, by: 1}
	}
	a, _, _ := strings.Cut(x.norm, "@")
	b, _, _ := strings.Cut(y.norm, "@")
	if a == b && !x.shared && !y.shared {
		return found{feature: emailLocal, rank: 1, by: 1}
	}
	return found{feature: emailDiffers, by: 1}
}

// comparePhones compares telephone numbers by their common suffix, because country and area codes are often
// omitted (E.164 allows 15 digits; a subscriber number has at most 7 or 8).
func comparePhones(x, y string) found {
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	switch {
	case n >= 9 || x == y:
		return found{feature: phoneEqual, rank: 2, by: 1}
	case n >= 7 && n == min(len(x), len(y)):
		return found{feature: phoneLocal, rank: 1, by: 1}
	}
	return found{feature: phoneDiffers, by: 1}
}

func comparePostcodes(x, y string) found {
	switch {
	case x == y:
		return found{feature: postcodeEqual, rank: 3, by: 1}
	case abs(len(x)-len(y)) <= 1 && max(len(x), len(y)) <= 16 &&
		(levenshtein.ComputeDistance(x, y) == 1 || len(x) == len(y) && slip(x, y)):
		return found{feature: postcodeClose, rank: 2, by: 1}
	case outward(x) == outward(y):
		return found{feature: postcodeArea, rank: 1, by: 1}
	}
	return found{feature: postcodeDiffers, by: 1}
}

// outward returns the part of a postcode that names the area.
func outward(s string) string {
	if head, _, ok := strings.Cut(s, " "); ok {
		return head
	}
	return s[:min(len(s), max(2, len(s)-2))]
}

func compareNumbers(x, y int) found {
	switch abs(x - y) {
	case 0:
		return found{feature: numberEqual, rank: 2, by: 1}
	case 1:
		return found{feature: numberNear, rank: 1, by: 1}
	}
	return found{feature: numberDiffers, by: 1}
}

// compareAmounts compares two amounts by their ratio: prices of one thing differ from shop to shop.
func compareAmounts(x, y float64) found {
	switch doublings := math.Abs(math.Log2(x / y)); {
	case x == y:
		return found{feature: amountNear, rank: 2, by: 1}
	case x <= 0 || y <= 0:
		return found{none: true}
	case doublings < 1:
		return found{feature: amountNear, rank: 1, by: 1 - doublings}
	default:
		return found{feature: amountFar, by: min(doublings, 4) - 1}
	}
}

// compareTexts compares free text by its words (Dice coefficient, weighted by information content).
func compareTexts(x, y *value) found {
	s := commonWords(x.words, y.words)
	info := min(s.info, 24)
	switch share := s.dice(); {
	case x.norm == y.norm:
		return found{feature: textEqual, rank: 3, by: 1, info: info}
	case share >= 0.75:
		return found{feature: textClose, rank: 2, by: 1, info: info}
	case share >= 0.3:
		return found{feature: textPart, rank: 1, by: 1, info: info}
	case len(x.words) == 1 && len(y.words) == 1:
		return found{feature: textDiffers, by: 1}
	}
	return found{feature: textDiffersLong, by: 1}
}

// compareAddresses compares addresses by their words and numbers. The overlap coefficient allows for parts
// that one side omits.
func compareAddresses(x, y *value) found {
	s := commonWords(x.words, y.words)
	share := s.overlap()
	same := sameHouse(x.words, y.words)
	switch {
	case share >= 0.85 && same:
		return found{feature: addressEqual, rank: 5, by: 1}
	case share >= 0.6 && same:
		return found{feature: addressClose, rank: 4, by: 1}
	case share >= 0.6:
		return found{feature: houseDiffers, rank: 3, by: 1}
	case share >= 0.3:
		return found{feature: addressPart, rank: 2, by: share}
	}
	return found{feature: addressDiffers, rank: 1, by: 1}
}

// sameHouse reports whether the numbers of two addresses are compatible: the first numbers are equal or one
// is missing, or one address has all numbers of the other, as with an additional floor or unit.
func sameHouse(x, y []token) bool {
	a, b := house(x), house(y)
	return a == b || a == "" || b == "" || numbered(x, y) || numbered(y, x)
}

// house returns the first number of an address. A long number at the end is a postcode.
func house(words []token) string {
	for i := range words {
		if c := words[i].text; c != "" && c[0] >= '0' && c[0] <= '9' && (i < len(words)-1 || len(c) < shortestPostcode) {
			return c
		}
	}
	return ""
}

const shortestPostcode = 4

// numbered reports whether x contains every number of y.
func numbered(x, y []token) bool {
	for i := range y {
		if y[i].hasDigit() && !slices.ContainsFunc(x, func(t token) bool { return t.text == y[i].text }) {
			return false
		}
	}
	return true
}

// common measures the words that two texts share.
type common struct {
	l, r, both float64 // information content of the left text, the right text and the common words
	info       float64 // information content of the common words, with less credit for similar words
}

// dice returns the Dice coefficient, weighted by information content.
func (s common) dice() float64 {
	if s.l+s.r == 0 {
		return 0
	}
	return 2 * s.both / (s.l + s.r)
}

// overlap returns the overlap coefficient: the share of the shorter text that is common.
func (s common) overlap() float64 {
	if m := min(s.l, s.r); m > 0 {
		return min(s.both/m, 1)
	}
	return 0
}

// commonWords pairs the words of two texts greedily: equal words first, then similar ones.
func commonWords(l, r []token) common {
	var s common
	var usedL, usedR [maxTokens]bool
	for i := range l {
		s.l += l[i].info
		for j := range r {
			if !usedR[j] && l[i].text == r[j].text && l[i].native == r[j].native {
				usedL[i], usedR[j] = true, true
				s.both += l[i].info
				break
			}
		}
	}
	for j := range r {
		s.r += r[j].info
	}
	s.info = s.both
	for i := range l {
		if usedL[i] {
			continue
		}
		for j := range r {
			if !usedR[j] && nearly(&l[i], &r[j]) {
				usedR[j] = true
				by := min(l[i].info, r[j].info) * 0.8
				s.both += by + 0.1*(l[i].info+r[j].info)/2
				s.info += by / 2
				break
			}
		}
	}
	return s
}

// nearly reports whether two words of a text are spelling variants or abbreviations. Numbers never are.
func nearly(s, t *token) bool {
	if s.hasDigit() || t.hasDigit() {
		return false
	}
	k, ok := alike(s, t)
	return ok && k.closeness >= 0.7 || !ok && shortens(s, t)
}

func (t *token) hasDigit() bool {
	return t.text != "" && t.text[0] <= '9'
}
