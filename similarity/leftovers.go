package similarity

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"tenure/text"
)

// leftovers adds the features of words without a partner.
func (a *alignment) leftovers() {
	v := a.v
	nl, nr := a.left(), a.right()
	infoL, firstL, lastL, syllables := rest(a.l, &a.used[0])
	infoR, firstR, lastR, _ := rest(a.r, &a.used[1])
	if n := min(nl, nr); n > 0 {
		v[nameConflict] = float64(min(n, 3))
		v[nameConflictInfo] = min(infoL, infoR, 24) / 6
		v[nameConflictClose] = a.closestLeft()
		if firstL && firstR {
			v[nameConflictFirst] = 1
		}
		if lastL && lastR {
			v[nameConflictLast] = 1
		}
		v[nameSyllable] = min(v[nameSyllable]+float64(min(n, syllables)), 3)
	}
	if nl != nr {
		if nl > nr {
			a.extra(a.l, &a.used[0], nl-nr, infoL-infoR)
		} else {
			a.extra(a.r, &a.used[1], nr-nl, infoR-infoL)
		}
	}
	a.countries()
}

func rest(n *name, used *[maxTokens]bool) (info float64, first, last bool, syllables int) {
	for i := range n.tokens {
		if used[i] {
			continue
		}
		info += n.tokens[i].info
		first = first || i == 0
		last = last || i == len(n.tokens)-1
		if n.tokens[i].syllable() || n.tokens[i].korean != "" {
			syllables++
		}
	}
	return info, first, last, syllables
}

// twoNames reports whether two unpaired words differ however similar their letters are: two syllables, or two
// given names of the table.
func twoNames(s, t *token) bool {
	return s.syllable() && t.syllable() || s.given != nil && t.given != nil
}

// closestLeft returns the closeness of the closest pair of leftovers, by a common prefix of three letters or
// more: "Castillo" and "Castro".
func (a *alignment) closestLeft() float64 {
	best := 0.0
	for i := range a.l.tokens {
		for j := range a.r.tokens {
			if a.used[0][i] || a.used[1][j] || twoNames(&a.l.tokens[i], &a.r.tokens[j]) {
				continue
			}
			s, t := a.l.tokens[i].text, a.r.tokens[j].text
			n := 0
			for n < len(s) && n < len(t) && s[n] == t[n] {
				n++
			}
			if m := max(len(s), len(t)); n >= shortestStem {
				best = max(best, float64(n)/float64(m))
			}
		}
	}
	return best
}

// extra counts the surplus words of one side by position.
func (a *alignment) extra(n *name, used *[maxTokens]bool, more int, info float64) {
	v := a.v
	conflict := v[nameConflict] > 0
	for i := range n.tokens {
		if used[i] || more == 0 {
			continue
		}
		more--
		switch {
		case conflict || i > 0 && i < len(n.tokens)-1:
			v[nameExtraMiddle] = min(v[nameExtraMiddle]+1, 3)
		case i == 0:
			v[nameExtraFirst]++
		default:
			v[nameExtraLast]++
		}
	}
	v[nameExtraInfo] = min(max(info, 0), 24) / 6
}

// countries compares the unpaired countries and regions. A region on one side only is weak evidence and is
// not counted.
func (a *alignment) countries() {
	countryL, regionL := unusedCountries(a.l, &a.used[0])
	countryR, regionR := unusedCountries(a.r, &a.used[1])
	switch {
	case (countryL || regionL) && (countryR || regionR):
		a.v[nameCountryDiffers] = 1
	case (countryL || countryR) && min(len(a.l.tokens), len(a.r.tokens)) <= shortTitle:
		a.v[nameCountryMissing] = 1
	}
}

func unusedCountries(n *name, used *[maxTokens]bool) (country, region bool) {
	for i := range n.tokens {
		if !used[i] {
			country = country || n.tokens[i].country
			region = region || n.tokens[i].region
		}
	}
	return country, region
}

// order compares the order of the paired words, and the roles of child and father in patronymics ("A bin B"
// is not "B bin A").
func (a *alignment) order() {
	sorted := true
	at := int8(-1)
	for i := range a.l.tokens {
		j := a.partner[i]
		if j < 0 {
			continue
		}
		if j < at {
			sorted = false
		}
		at = j
		if a.crossed(i, int(j)) {
			a.v[nameFatherSwapped] = 1
		}
	}
	all, numbers := len(a.l.tokens), a.v[nameNumberDiffers]+a.v[nameNumberSome]
	if all == len(a.r.tokens) && a.exact == all && all > 0 && numbers == 0 {
		if sorted {
			a.v[nameEqual] = 1
		} else {
			a.v[nameReordered] = 1
		}
	}
}

// crossed reports whether the i-th left word names a father while its partner, the j-th right word, is the
// child, and the reverse holds for an earlier word.
func (a *alignment) crossed(i, j int) bool {
	if !a.l.tokens[i].father || a.r.tokens[j].father {
		return false
	}
	for k := range a.l.tokens {
		p := a.partner[k]
		if p >= 0 && !a.l.tokens[k].father && a.r.tokens[p].father && k < i && int(p) > j {
			return true
		}
	}
	return false
}

// sum adds the features of the names as a whole.
func (a *alignment) sum() {
	v := a.v
	v[nameInfo] = min(a.info, 6) / 6
	v[nameInfoMore] = min(max(a.info-6, 0), 6) / 6
	v[nameInfoMost] = min(max(a.info-12, 0), 12) / 12
	if total := max(a.l.info, a.r.info); total > 0 {
		v[nameShare] = min(a.info/total, 1)
	}
	longest := max(len(a.l.tokens), len(a.r.tokens))
	switch {
	case a.paired == 0 && longest > 0:
		v[nameNothing] = 1
	case a.paired == 1 && longest > 1 && v[nameJoined] == 0:
		v[nameOneWord] = 1
	case longest == 1:
		v[nameSingle] = 1
	}
	if v[nameNumberDiffers] == 0 {
		v[nameWhole] = a.whole()
	}
}

// whole returns the closeness of all letters: 1 if equal, 0 if half of them differ. For long names, and for those in
// two languages, the edit distance is estimated from the paired and the unpaired words.
func (a *alignment) whole() float64 {
	if a.v[nameEqual] > 0 || a.v[nameReordered] > 0 {
		return 1
	}
	if a.across && a.paired > 0 {
		return max(0, 1-2*a.apart/float64(a.paired))
	}
	size := max(len(a.l.joined), len(a.r.joined))
	if a.paired == 0 || size == 0 {
		return 0
	}
	if x, y := a.l.joined, a.r.joined; size < 32 && a.v[nameTranslated] == 0 { // the library allocates for longer strings
		return max(0, 1-2*float64(levenshtein.ComputeDistance(x, y))/float64(size))
	}
	differ := a.letters + max(a.lettersLeft(a.l, 0), a.lettersLeft(a.r, 1))
	return max(0, 1-2*float64(differ)/float64(size))
}

func (a *alignment) lettersLeft(n *name, side int) int {
	letters := 0
	for i := range n.tokens {
		if !a.used[side][i] {
			letters += len(n.tokens[i].text)
		}
	}
	return letters
}

// shortTitle is the largest number of words of a name in which a number or a country on one side only
// distinguishes two entities. In longer names it is a word like any other.
const shortTitle = 4

// sameNumber reports whether two numerals may mean one: version 7 is 7.2 when only one side says the minor version, and
// year 23 is 2023.
func sameNumber(x, y string) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	switch {
	case x == y, strings.HasPrefix(y, x) && y[len(x)] == '.':
		return true
	case len(x) == 2 && len(y) == 4 && text.AllDigits(x) && text.AllDigits(y):
		return (y[:2] == "19" || y[:2] == "20") && y[2:] == x
	}
	return false
}

func numbersOf(l, r *name, v *vector) {
	if len(l.numbers) == 0 && len(r.numbers) == 0 {
		return
	}
	common := 0
	for _, n := range l.numbers {
		for _, m := range r.numbers {
			if sameNumber(n, m) {
				common++
				break
			}
		}
	}
	switch {
	case common == len(l.numbers) && common == len(r.numbers):
		v[nameNumberEqual] = 1
	case common == min(len(l.numbers), len(r.numbers)):
		v[nameNumberMissing] = 1
		if min(len(l.tokens), len(r.tokens)) > shortTitle {
			v[nameNumberMissing] = 0.3
		}
	case min(len(l.tokens), len(r.tokens)) > shortTitle:
		v[nameNumberSome] = 1 - float64(common)/float64(min(len(l.numbers), len(r.numbers)))
	default:
		v[nameNumberDiffers] = 1
	}
}

func generationsOf(l, r *name, v *vector) {
	x, y := l.generation, r.generation
	switch {
	case x == y:
	case x > 0 && y > 0, x > 1 && r.loneI, y > 1 && l.loneI:
		v[nameGeneration] = 1
	default:
		v[nameGenerationLack] = 1
	}
}

// titlesOf compares what the titles of two people tell: "Mr. Harold Finch" is not "Mrs. Harold Finch".
func titlesOf(l, r *name, v *vector) {
	if l.sex*r.sex < 0 {
		v[nameGender] = 1
	}
}

func formsOf(l, r *name, v *vector) {
	switch {
	case l.form == "" || r.form == "":
	case l.form == r.form:
		v[nameFormEqual] = 1
	case associations[l.form] != associations[r.form]:
		v[nameFormKind] = 1
	default:
		v[nameFormDiffers] = 1
	}
}

// acronym reports whether one name is the acronym of the other.
func acronym(l, r *name) bool { return initialsOf(l, r) || initialsOf(r, l) }

// longestAcronym is the most letters of an acronym.
const longestAcronym = 8

func initialsOf(short, long *name) bool {
	if len(short.tokens) != 1 || len(long.tokens) < 2 || len(short.numbers) != len(long.numbers) {
		return false
	}
	w := short.tokens[0].text
	return len(w) >= 2 && len(w) <= longestAcronym && (w == long.initials || w == long.longer)
}
