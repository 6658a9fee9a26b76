package similarity

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"tenure/similarity/syllables"
	"tenure/text"
)

// Names are compared by greedy token alignment, best pairs first: equal words, words written together on one
// side, short forms, words within a few edits, initials. Words without a partner on both sides weigh heavily
// against a match; words without a partner on one side weigh little.
//
// Source: token alignment as in Monge and Elkan, The field matching problem (KDD 1996); weights by frequency
// as in Fellegi and Sunter, A theory for record linkage (JASA 1969); Context Architecture, Named Entity
// Resolution model.

// vector holds the features of two names.
type vector = [nameFeatures]float64

// alignment is the state of the greedy alignment of two names.
type alignment struct {
	l, r    *name
	used    [2][maxTokens]bool
	partner [maxTokens]int8 // index of the right word paired with each left word, -1 if there is not exactly one
	v       *vector
	info    float64 // information content of the paired words, in nats
	paired  int     // pairs of words
	exact   int     // pairs of equal words
	letters int     // letters that differ within paired words
	across  bool    // the names are in two scripts
	apart   float64 // how far the words paired by sound are apart, 0 to 1, summed up
}

// farthest is the largest share of letters that may differ between paired words.
const farthest = 0.45

// compareNames fills the feature vector of two names, and returns how many of their words answer each other. It
// allocates nothing: one comparison of profiles calls it for every pair of names.
func compareNames(l, r *name, v *vector) (paired int) {
	*v = vector{}
	v[nameBase] = 1
	if identifiersOf(l, r, v) {
		return 0
	}
	a := alignment{l: l, r: r, v: v}
	for i := range a.partner {
		a.partner[i] = -1
	}
	a.pairEqual()
	if a.left() > 0 || a.right() > 0 {
		a.pairTranslated()
		a.pairWhole()
		a.pairSpoken()
		a.pairSyllables()
		a.pairJoined()
		a.pairAlike()
		a.pairInitials()
	}
	numbersOf(l, r, v)
	codesOf(l.codes, r.codes, v)
	editionsOf(l, r, v)
	generationsOf(l, r, v)
	titlesOf(l, r, v)
	formsOf(l, r, v)
	if acronym(l, r) {
		v[nameAcronym] = 1
		return a.paired
	}
	a.leftovers()
	a.order()
	a.sum()
	return a.paired
}

func (a *alignment) left() int  { return len(a.l.tokens) - countUsed(&a.used[0], len(a.l.tokens)) }
func (a *alignment) right() int { return len(a.r.tokens) - countUsed(&a.used[1], len(a.r.tokens)) }

func countUsed(used *[maxTokens]bool, n int) int {
	c := 0
	for i := range n {
		if used[i] {
			c++
		}
	}
	return c
}

func (a *alignment) pair(i, j int, info float64) {
	a.used[0][i], a.used[1][j] = true, true
	a.partner[i] = int8(j)
	a.info += info
	a.paired++
}

func (a *alignment) pairEqual() {
	for i := range a.l.tokens {
		s := &a.l.tokens[i]
		for j := range a.r.tokens {
			t := &a.r.tokens[j]
			if a.used[1][j] || s.text != t.text || s.script != t.script || s.native != t.native {
				continue
			}
			a.pair(i, j, min(s.info, t.info))
			if s.script == t.script {
				a.exact++
			}
			break
		}
	}
}

// pairTranslated pairs words that mean the same in two languages: "Banque" and "Bank". Two English words are two words,
// however near their meanings.
func (a *alignment) pairTranslated() {
	for i := range a.l.tokens {
		s := &a.l.tokens[i]
		for j := range a.r.tokens {
			t := &a.r.tokens[j]
			if a.used[0][i] || a.used[1][j] || s.meaning == "" || s.meaning != t.meaning || s.english && t.english {
				continue
			}
			a.pair(i, j, min(s.info, t.info))
			a.v[nameTranslated]++
		}
	}
}

// pairWhole pairs all words of two names that differ only in spaces: "van der Bilt" and "Vanderbilt".
func (a *alignment) pairWhole() {
	if a.l.all != a.r.all || len(a.l.all) < 5 || otherLetters(a.l.tokens, a.r.tokens) {
		return
	}
	a.pairAll()
	a.v[nameJoined] = 1
}

func (a *alignment) pairAll() {
	for i := range a.l.tokens {
		a.used[0][i] = true
	}
	for i := range a.r.tokens {
		a.used[1][i] = true
	}
	a.info = min(a.l.info, a.r.info)
	a.paired = max(len(a.l.tokens), len(a.r.tokens))
}

// pairSyllables pairs all words of two Mandarin or Korean names with the same syllables: "Mao Tse-tung" and "Mao
// Zedong", "Lee Ji-hoon" and "Jihun Yi".
func (a *alignment) pairSyllables() {
	if a.left()+a.right() == 0 {
		return
	}
	if syllables.Same(a.l.mandarin, a.r.mandarin) || syllables.Same(a.l.korean, a.r.korean) {
		a.pairAll()
		a.v[nameSound], a.v[nameSimilarTwo] = 1, 1
	}
}

// otherLetters reports whether two names differ in a character of Han or Hangul. Equal romanisation proves
// nothing there, because many characters share one sound.
func otherLetters(l, r []token) bool {
	if len(l) != len(r) {
		return false
	}
	for i := range l {
		if l[i].script == r[i].script && l[i].native != r[i].native && l[i].syllable() {
			return true
		}
	}
	return false
}

// pairJoined pairs a word with two to four neighbouring words of the other name that spell it when written
// together.
func (a *alignment) pairJoined() {
	a.joinInto(a.l, a.r, 0, 1)
	a.joinInto(a.r, a.l, 1, 0)
}

const mostParts = 4

func (a *alignment) joinInto(one, many *name, sideOne, sideMany int) {
	for i := range one.tokens {
		t := &one.tokens[i]
		if a.used[sideOne][i] || len(t.text) < 4 {
			continue
		}
		for j := range many.tokens {
			n := a.run(t, many, j, sideMany)
			if n == 0 {
				continue
			}
			info := 0.0
			for k := j; k < j+n; k++ {
				a.used[sideMany][k] = true
				info += many.tokens[k].info
			}
			a.used[sideOne][i] = true
			a.info += min(t.info, info)
			a.paired++
			a.v[nameJoined]++
			break
		}
	}
}

// run returns how many words from index j on spell t when written together, 0 if none do.
func (a *alignment) run(t *token, many *name, j, side int) int {
	start := many.tokens[j].start
	for n := 1; n <= mostParts && j+n <= len(many.tokens) && !a.used[side][j+n-1]; n++ {
		end := many.tokens[j+n-1].start + len(many.tokens[j+n-1].text)
		if n == 1 {
			continue
		}
		content := many.joined[start:end]
		if content == t.text || len(content) > 5 && abs(len(content)-len(t.text)) <= 1 &&
			levenshtein.ComputeDistance(content, t.text) <= 1 {
			return n
		}
	}
	return 0
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// likeness describes the similarity of two different words.
type likeness struct {
	closeness float64 // 1 for equal words, 0 for words with nothing in common
	distance  int     // edit distance in letters
	size      int     // letters of the longer word
	nickname  bool
	pet       bool // a short form recognised by its ending
	sound     bool
	script    bool
	swapped   bool
	syllable  bool // different syllables that are spelled alike
}

// alike compares two words that are not equal; ok is false if the words differ by more than farthest.
func alike(s, t *token) (k likeness, ok bool) {
	switch {
	case s.text == "" || t.text == "":
		return k, false
	case s.given != nil && t.given != nil && sameGiven(s.given, t.given) && !shortForms(s, t):
		return likeness{closeness: 0.9, nickname: true}, true
	case diminutive(s, t) || diminutive(t, s):
		return likeness{closeness: 0.75, pet: true}, true
	case s.indivisible() || t.indivisible():
		return k, false
	}
	return bySpelling(s, t)
}

// indivisible reports whether a word matches only exactly: an initial or a code, where every letter counts.
func (t *token) indivisible() bool { return t.initial() || t.code }

// bySpelling compares two words by the rules of their language: Slavic patronymics, Korean syllables, Han
// characters, else letters.
func bySpelling(s, t *token) (k likeness, ok bool) {
	switch {
	case s.script != t.script:
		return k, false // pairSpoken has compared how they sound
	case s.stem > 0 && t.stem > 0:
		return sons(s, t)
	case s.korean != "" && t.korean != "":
		return korean(s, t)
	case s.script == t.script && s.syllable():
		return k, false // in one script, a different character is a different word
	}
	return byLetters(s, t)
}

// diminutive reports whether a word is a diminutive of a given name by its ending: the start of the name with
// -y, -ie or -i, as in Danny for Daniel.
func diminutive(short, given *token) bool {
	named := short.first && given.first || short.given != nil || given.given != nil
	if !named || short.script != text.Latin || given.script != text.Latin || short.gender*given.gender < 0 {
		return false
	}
	stem, ok := strings.CutSuffix(short.text, "ie")
	if !ok {
		if stem, ok = strings.CutSuffix(short.text, "y"); !ok {
			stem, ok = strings.CutSuffix(short.text, "i")
		}
	}
	if n := len(stem); n > 1 && stem[n-1] == stem[n-2] {
		stem = stem[:n-1]
	}
	return ok && len(stem) >= shortestStem && len(given.text) >= len(stem)+2 && strings.HasPrefix(given.text, stem)
}

// byLetters compares two words by Levenshtein distance and phonetic code.
func byLetters(s, t *token) (k likeness, ok bool) {
	x, y := s.text, t.text
	k.script = s.script != t.script
	if !k.script && s.native != "" {
		x, y = s.native, t.native
	}
	k.size = max(len(s.text), len(t.text))
	k.sound = sameSound(s, t) && (len(s.sound) > 1 || len(s.sound) == 1 && k.size <= 4)
	if !k.sound && !possible(s, t, k.size) {
		return k, false
	}
	k.distance = levenshtein.ComputeDistance(x, y)
	if k.distance == 0 {
		k.distance = 1 // equal only after transliteration, which loses letters
	}
	if k.distance <= 2 && !k.script {
		if k.swapped = slip(x, y); k.swapped {
			k.distance = 1
		}
	}
	k.closeness = max(1-float64(k.distance)/float64(k.size), k.heard(s, t))
	return k, k.closeness >= 1-farthest
}

// heard returns the closeness of words with the same phonetic code, 0 where the code proves too little.
func (k *likeness) heard(s, t *token) float64 {
	switch {
	case !k.sound, k.script && (s.syllable() || t.syllable()) && len(s.sound) < 3:
		return 0 // a code this short matches too many words
	case len(s.sound) > 1:
		return 0.7
	case k.size <= 3:
		return 0.6
	}
	return 0
}

// korean compares two words of Korean names. Spellings of the same syllables are close; different syllables
// are marked as such however similar their letters are.
func korean(s, t *token) (k likeness, ok bool) {
	k = likeness{distance: levenshtein.ComputeDistance(s.text, t.text), size: max(len(s.text), len(t.text))}
	k.closeness = 1 - float64(k.distance)/float64(k.size)
	if s.korean == t.korean {
		k.sound, k.closeness, k.distance = true, max(k.closeness, 0.8), min(k.distance, 2)
		return k, true
	}
	k.syllable = true
	return k, k.closeness >= 1-farthest
}

// sameSound compares the phonetic codes of two words. Between scripts, l and r are equal in Chinese and
// Japanese names.
func sameSound(s, t *token) bool {
	if s.script == t.script || !s.eastern() && !t.eastern() {
		return s.sound == t.sound
	}
	if len(s.sound) != len(t.sound) {
		return false
	}
	for i := range len(s.sound) {
		a, b := s.sound[i], t.sound[i]
		if a != b && (a != 'l' && a != 'r' || b != 'l' && b != 'r') {
			return false
		}
	}
	return true
}

// sons compares two Slavic patronymics by the stem, the father's name. The endings are left out, because most
// patronymics share them.
func sons(s, t *token) (k likeness, ok bool) {
	if s.gender != t.gender {
		return k, false
	}
	x, y := s.text[:s.stem], t.text[:t.stem]
	k = likeness{distance: 1, size: max(len(x), len(y)), sound: true, script: s.script != t.script}
	if x != y {
		k.distance = levenshtein.ComputeDistance(x, y)
		k.sound = text.Sound(x) == text.Sound(y)
	}
	k.closeness = 1 - float64(k.distance)/float64(k.size)
	if k.sound {
		k.closeness = max(k.closeness, 0.7)
	}
	return k, k.closeness >= 1-farthest
}

// possible is a cheap filter before the edit distance: lengths and letter sets give a lower bound of it.
func possible(s, t *token, size int) bool {
	most := int(farthest * float64(size))
	if abs(len(s.text)-len(t.text)) > most {
		return false
	}
	return max(ones(s.letters&^t.letters), ones(t.letters&^s.letters)) <= most
}

func ones(x uint32) int {
	n := 0
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// slip reports whether two words differ only in two swapped neighbours or one doubled letter.
func slip(x, y string) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	switch len(y) - len(x) {
	case 0:
		return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && x[i+2:] == y[i+2:]
	case 1:
		return x[i:] == y[i+1:] && i > 0 && y[i] == y[i-1]
	}
	return false
}

// pairAlike pairs the remaining words greedily, closest pair first.
func (a *alignment) pairAlike() {
	for {
		best, bi, bj := likeness{}, -1, -1
		for i := range a.l.tokens {
			if a.used[0][i] {
				continue
			}
			for j := range a.r.tokens {
				if a.used[1][j] {
					continue
				}
				k, ok := alike(&a.l.tokens[i], &a.r.tokens[j])
				if ok && k.closeness > best.closeness {
					best, bi, bj = k, i, j
				}
			}
		}
		if bi < 0 {
			return
		}
		a.count(best, &a.l.tokens[bi], &a.r.tokens[bj])
		a.pair(bi, bj, best.closeness*best.closeness*min(a.l.tokens[bi].info, a.r.tokens[bj].info))
	}
}

// count adds the features of a pair of similar words.
func (a *alignment) count(k likeness, s, t *token) {
	switch {
	case k.nickname:
		a.letters += abs(len(s.text) - len(t.text))
		a.v[nameNickname]++
	case k.pet:
		a.letters += abs(len(s.text) - len(t.text))
		a.v[namePet]++
	default:
		a.letters += k.distance
		a.countSound(k, s, t)
		if !k.script {
			a.countLetters(k, s, t)
		}
	}
}

// countSound adds the features that depend on pronunciation.
func (a *alignment) countSound(k likeness, s, t *token) {
	switch {
	case s.gender*t.gender < 0:
		a.v[nameGender] = 1 // a difference of gender counts even where the words sound alike
	case k.sound:
		a.v[nameSound]++
	}
	if k.syllable {
		a.v[nameSyllable]++
	}
	if k.script {
		a.v[nameScript]++
	}
}

// countLetters adds the features that depend on spelling, for two words of one script.
func (a *alignment) countLetters(k likeness, s, t *token) {
	if s.text[0] != t.text[0] {
		a.v[nameFirstLetter]++
	}
	if k.swapped {
		a.v[nameSwapped]++
	}
	if begins(s.text, t.text) || begins(t.text, s.text) {
		a.v[nameInitial]++
		return
	}
	if s.spelt != "" && t.spelt != "" && s.spelt != t.spelt {
		a.v[nameGiven] = 1 // a slip of the pen seldom makes one name of another
	}
	if f := k.edits(); a.v[f] < mostSlips {
		a.v[f]++
	}
}

// spelling returns what the spellings of a given name have in common: it is the same for Susan and Susanne, Marie and
// Mary, Jon and John.
func spelling(given string) string {
	const vowels = "aeiou"
	w := spellings.Replace(given)
	b := make([]byte, 0, len(w))
	for i := range len(w) {
		switch c := w[i]; {
		case i > 0 && (c == w[i-1] || c == 'h'):
		case i == len(w)-1 && c == 'e' && i > 1 && !strings.ContainsRune(vowels, rune(w[i-1])):
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

var spellings = strings.NewReplacer("ph", "f", "v", "f", "ie", "i", "ee", "i", "ey", "i", "ea", "i", "y", "i", "j", "i", "ou", "u", "ck", "k",
	"c", "k", "q", "k", "z", "s", "w", "f")

// begins reports whether a word of a few letters is the beginning of another: Jon of Jonas. It is a short form rather
// than a slip.
func begins(short, long string) bool {
	return len(short) >= shortestStem && len(long) >= len(short)+2 && strings.HasPrefix(long, short)
}

// mostSlips bounds how many pairs of similar words of one kind count: each further one says less.
const mostSlips = 2

// longWord and mediumWord are the least numbers of letters of long and medium words. The longer a word, the
// less an edit says.
const (
	longWord   = 7
	mediumWord = 4
)

// edits returns the feature for an edit distance, by the length of the words.
func (k *likeness) edits() nameFeature {
	switch k.distance {
	case 1:
		switch {
		case k.size >= longWord:
			return nameSimilarLong
		case k.size >= mediumWord:
			return nameSimilar
		}
		return nameSimilarShort
	case 2:
		if k.size >= longWord || k.sound {
			return nameSimilarTwo
		}
		return nameSimilarTwoShort
	}
	return nameSimilarFar
}

// initialInfo is the information content of an initial, in nats: about ten letters are common at the start of
// names.
const initialInfo = 2.3

func (a *alignment) pairInitials() {
	for i := range a.l.tokens {
		for j := range a.r.tokens {
			if a.used[0][i] || a.used[1][j] || !shortens(&a.l.tokens[i], &a.r.tokens[j]) {
				continue
			}
			a.v[nameInitial]++
			a.letters += abs(len(a.l.tokens[i].text) - len(a.r.tokens[j].text))
			a.pair(i, j, initialInfo)
		}
	}
}

// shortens reports whether one word is an initial or a truncation of the other. A truncation has three
// letters or more, of a word of six or more.
func shortens(s, t *token) bool {
	if len(s.text) > len(t.text) {
		s, t = t, s
	}
	if s.text == "" || s.script != text.Latin && t.script != text.Latin || s.text[0] != t.text[0] {
		return false
	}
	if len(s.text) == 1 {
		return len(t.text) > 1
	}
	return len(s.text) >= 3 && len(t.text) >= 6 && strings.HasPrefix(t.text, s.text)
}
