package similarity

import (
	"cmp"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-unidecode"

	"tenure"
	"tenure/attribute"
	lexicon "tenure/ner/words"
	"tenure/similarity/syllables"
	"tenure/text"
)

// Bounds of one name. The rest of a longer name is hashed into one token that equals only itself.
const (
	maxRunes  = 256
	maxTokens = 16
	maxWord   = 40 // bytes of a word
)

// name is a spelling prepared for comparison.
type name struct {
	written     string   // as written, truncated; for display and for sorting
	tokens      []token  // the words that carry meaning, in order; a family name before a comma goes last
	joined      string   // the tokens written together
	all         string   // all words written together, without the legal form
	numbers     []string // numerals and short codes, sorted
	editions    [editionGroups]uint32
	codes       []string          // model and part numbers of a thing, sorted
	countries   []string          // countries and regions among the tokens, sorted
	identifiers []tenure.AliasKey // what the name is, if it is an identifier in form
	mandarin    string            // the syllables, if all words are Mandarin
	korean      string            // the same of a Korean name
	initials    string            // the first letters of the tokens
	longer      string            // the initials with that of the legal form "corp"
	form        string            // legal form, "" if none
	generation  uint8             // 1 for the elder, then 2, 3, ...; 0 if unknown
	sex         int               // that the titles of a person tell: 1 for men, -1 for women, 0 if none does
	loneI       bool              // has an "I" that may be an initial or a generation
	info        float64           // information content of all tokens, in nats
	mixed       bool              // look-alike letters of several scripts within one word
	script      text.Script
	spoken      func() []spoken // the words by their sound, and what they are together
}

// token is a word of a name.
type token struct {
	text    string // transliterated to a-z and 0-9
	native  string // folded in the original script, "" for Latin
	script  text.Script
	sound   string // phonetic code
	letters uint32 // bit set of the letters a-z that occur
	given   []uint16
	info    float64 // information content: -ln of the frequency among names, in nats
	start   int     // offset in joined
	stem    int     // length of the father's given name in a Slavic patronymic, else 0
	korean  string  // syllables of a word of a Korean name
	gender  int8    // gender of a given name or a Slavic ending: 1 for men, -1 for women, 0 if unknown
	first   bool    // is the first word of a person's name
	meaning string  // of a word of an organisation that many languages have: the English word; else ""
	english bool    // is a word of English
	spelt   string  // what all spellings of a given name have in common; "" if the word is a family name or not known
	father  bool    // follows a patronymic particle
	code    bool    // a short code or acronym, never in a person's name
	model   bool    // a model or part number
	country bool
	region  bool
	mixed   bool // look-alike letters of several scripts
	goes    bool // goes on the written word of the token before: a further syllable
}

func (t *token) initial() bool { return len(t.text) == 1 && t.script == text.Latin }

func (t *token) syllable() bool { return t.script == text.Han || t.script == text.Hangul }

func (t *token) eastern() bool { return t.script == text.Han || t.script == text.Kana }

// Whole returns the exact text of a token: in the original script if that is not Latin.
func (t *token) Whole() string {
	if t.native != "" {
		return t.native
	}
	return t.text
}

func (m *Model) prepareName(s string, k class) (name, bool) {
	if strings.TrimSpace(s) == "" {
		return name{}, false
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	head, rest := text.Cut(s, maxRunes)
	n := name{written: head}
	if rest == "" {
		n.readIdentifiers()
	}
	words := splitWords(head, k)
	for _, w := range words {
		n.mixed = n.mixed || w.mixed
	}
	if k == people {
		n.sex = sexOfTitles(words)
	}
	words = n.takeForms(words, k)
	words = n.takeNumbers(words, k)
	words = n.takeGeneration(words, k)
	for _, w := range words {
		n.all += w.text
	}
	words = n.dropSilent(words, k)
	if len(words) > maxTokens {
		for _, w := range words[maxTokens:] {
			rest += " " + w.text
		}
		words = words[:maxTokens]
	}
	m.weighWords(&n, words, k)
	n.cutOff(rest)
	slices.Sort(n.numbers)
	slices.Sort(n.codes)
	slices.Sort(n.countries)
	n.tokens = words
	switch k {
	case people:
		n.readPerson()
	case things:
		n.readEditions()
	}
	n.readDescription(k)
	n.speak()
	n.initials = firstLetters(words)
	n.longer = n.initials
	if n.form == "corp" {
		n.longer += "c"
	}
	return n, len(words) > 0 || len(n.numbers) > 0 || len(n.codes) > 0
}

// readIdentifiers sets what the name is if it is an identifier in form.
func (n *name) readIdentifiers() {
	for _, id := range attribute.InName(n.written) {
		n.identifiers = append(n.identifiers, id.AliasKey)
	}
}

// readPerson sets what is read of the words of a person's name: which is the first, their syllables, and that the last
// is no given name, unless the family name comes first.
func (n *name) readPerson() {
	if len(n.tokens) == 0 {
		return
	}
	n.tokens[0].first = true
	n.readSyllables()
	if last := len(n.tokens) - 1; last > 0 && n.mandarin == "" {
		n.tokens[last].spelt = ""
	}
}

// readDescription bounds what the words of a description say: many are "my manager", or "the database".
func (n *name) readDescription(k class) {
	if !Description(n.written, classNames[k]) {
		return
	}
	n.info = 0
	for i := range n.tokens {
		n.tokens[i].info = min(n.tokens[i].info, descriptionInfo)
		n.info += n.tokens[i].info
	}
}

// descriptionInfo bounds the information content of a word of a description, in nats.
const descriptionInfo = 1

// readSyllables sets the syllables of the name if it is Mandarin, and of its words if it is Korean.
func (n *name) readSyllables() {
	const most = 4
	if len(n.tokens) > most {
		return
	}
	words := make([]string, 0, most)
	for i := range n.tokens {
		if n.tokens[i].script != text.Latin {
			return
		}
		words = append(words, n.tokens[i].text)
	}
	n.mandarin = syllables.Mandarin(words)
	for i, code := range syllables.Korean(words) {
		n.tokens[i].korean = code
	}
	if list := syllables.KoreanFamily(words); len(list) > 2 {
		n.korean = strings.Join(list, " ") + " "
	}
}

// weighWords derives the features of each word and sums them up in the name.
func (m *Model) weighWords(n *name, words []token, k class) {
	for i := range words {
		m.finish(&words[i], k)
		words[i].start = len(n.joined)
		n.joined += words[i].text
		n.info += words[i].info
		if k == people {
			continue
		}
		words[i].country, words[i].region = countryWords[words[i].text], regionWords[words[i].text]
		if words[i].country || words[i].region {
			n.countries = append(n.countries, cmp.Or(words[i].meaning, words[i].text))
		}
	}
}

// cutOff hashes the rest of a truncated name into a number, so that names that differ only past the bound
// still differ.
func (n *name) cutOff(rest string) {
	if rest == "" {
		return
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(rest))
	n.written += "… " + strconv.FormatUint(h.Sum64(), 36)
	n.numbers = append(n.numbers, "…"+strconv.FormatUint(h.Sum64(), 36))
}

func firstLetters(words []token) string {
	var b strings.Builder
	for _, w := range words {
		if w.text != "" {
			b.WriteByte(w.text[0])
		}
	}
	return b.String()
}

// splitWords splits a name into folded words. A person's "Smith, John" is reordered to "John Smith".
func splitWords(s string, k class) []token {
	folded := strings.ReplaceAll(text.Fold(s), "%", " percent") // "3%ers" and "3 percenters" are the same
	if k == people {
		folded = inNaturalOrder(folded)
	} else {
		folded = endingSigns.ReplaceAllStringFunc(folded, endingSignNames.Replace)
	}
	dotted := strings.ContainsAny(folded, "·・")
	var list []token
	for part := range strings.FieldsSeq(folded) {
		if k == things {
			if c := modelNumber(part); c != "" {
				list = append(list, token{text: c, script: text.Latin, model: true})
				continue
			}
		}
		for _, field := range strings.FieldsFunc(part, separator) {
			for _, w := range dots(field, k) {
				list = appendWord(list, w, dotted)
			}
		}
	}
	return list
}

// endingSigns are signs at the end of a word, which are spoken: "C++" is neither "C" nor "C#".
var (
	endingSigns     = regexp.MustCompile(`[\pL\pN][+#]+([^\pL\pN+#]|$)`)
	endingSignNames = strings.NewReplacer("+", " plus ", "#", " sharp ")
)

// inNaturalOrder returns a person's folded name with what is before a comma at its end: "Smith, John". A generation
// behind a comma is where it belongs: "John Smith, Jr."
func inNaturalOrder(folded string) string {
	i := strings.LastIndexByte(folded, ',')
	if i >= 0 && generation(strings.TrimSpace(folded[i+1:])) > 0 && len(strings.Fields(folded[:i])) > 1 {
		folded = folded[:i] + " " + folded[i+1:]
	}
	family, given, ok := strings.Cut(folded, ",")
	if !ok || strings.TrimSpace(given) == "" || strings.Contains(given, ",") {
		return folded
	}
	return given + " " + family
}

// generation returns the number of a generational suffix, 0 if a word is none.
func generation(w string) uint8 { return generations[strings.TrimSuffix(w, ".")] }

func separator(r rune) bool {
	switch r {
	case '\'', '’', '‘', '`', 'ʼ', 'ʻ', '´', '.', '"':
		return false
	}
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && r != '&' && r != '\u200c' && r != '\u200d'
}

// dots splits a field at its dots: "L.X.C." is one word, "J.H." of a person two initials.
func dots(field string, k class) []string {
	field = strings.Map(func(r rune) rune {
		if r != '.' && (unicode.IsPunct(r) && r != '&' || unicode.IsSymbol(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, field)
	if k == things {
		if first, second, ok := numberedWord(field); ok {
			return []string{first, second}
		}
	}
	if !strings.Contains(field, ".") {
		return []string{field}
	}
	if n, ok := decimal(field); ok && k == things {
		return []string{n}
	}
	parts := strings.FieldsFunc(field, func(r rune) bool { return r == '.' })
	if k == people {
		return parts
	}
	for _, p := range parts {
		if utf8.RuneCountInString(p) > 1 {
			return parts
		}
	}
	return []string{strings.Join(parts, "")}
}

// mostSyllables is the most characters of a word in Han or Hangul that is read as a name of one syllable
// each.
const mostSyllables = 4

// appendWord appends a word. A short word in Han or Hangul is appended character by character, because each
// syllable has a meaning of its own.
func appendWord(list []token, w string, dotted bool) []token {
	if w == "" {
		return list
	}
	s := text.ScriptOf(w)
	syllabic := s == text.Han || s == text.Hangul
	if syllabic && !dotted && utf8.RuneCountInString(w) <= mostSyllables {
		for i, r := range w {
			t := spell(string(r), s)
			t.goes = i > 0
			list = append(list, t)
		}
		return list
	}
	return append(list, spell(w, s))
}

func spell(w string, s text.Script) token {
	t := token{script: s, text: w}
	if !text.IsASCII(w) {
		t.mixed = text.MixesLookAlikes(w)
		t.text = text.PlainASCII(unidecode.Unidecode(text.Khmer.Replace(w)))
		if s != text.Latin {
			t.native = w
		}
		if t.text == "" {
			t.native = w // the script has no transliteration
		}
	}
	t.text = t.text[:min(len(t.text), maxWord)]
	t.native, _ = text.Cut(t.native, maxWord)
	return t
}

// longestCode is the most letters of a word that counts as an acronym or a code in names other than people's.
// Codes match only exactly.
const longestCode = 3

// syllableInfo bounds the information content of a syllable of Han or Hangul, in nats: about twenty syllables
// stand for one sound in another script.
const syllableInfo = 3

// dictionaryInfo bounds the information content of a word of the language that is in no table of frequencies, in nats:
// a name that was made up is rarer.
const dictionaryInfo = 7

// finish derives the features of a token from its text.
func (m *Model) finish(t *token, k class) {
	t.sound = text.Sound(t.text)
	for i := range len(t.text) {
		if c := t.text[i]; c >= 'a' && c <= 'z' {
			t.letters |= 1 << (c - 'a')
		}
	}
	t.info = m.info(t.Whole(), k)
	if k != people && t.info >= m.frequencies[k].unseen && lexicon.Load().IsCommon(t.text) {
		t.info = min(t.info, dictionaryInfo)
	}
	switch k {
	case people:
		t.readGiven()
	case organizations:
		t.translate(m)
	}
	t.code = k != people && t.native == "" && len(t.text) <= longestCode
	if t.native != "" {
		t.info = min(t.info, m.info(t.text, k))
	}
	if t.script == text.Han || t.script == text.Hangul {
		t.info = min(t.info, syllableInfo*float64(utf8.RuneCountInString(t.native)))
	}
}

// readGiven sets what a word of a person's name tells as a given name or a patronymic.
func (t *token) readGiven() {
	t.given = givenNames[t.text]
	if t.given != nil || lexicon.Load().MaybeGivenName(t.text) {
		t.spelt = spelling(t.text)
	}
	t.stem, t.gender = slavic(t.text)
	if g := givenGender[t.text]; g != 0 {
		t.gender = g
	}
}

// translate sets what a word of an organisation means in English. It tells no more than the English word.
func (t *token) translate(m *Model) {
	if t.meaning = Meaning(t.text); t.meaning == "" {
		return
	}
	t.english = t.text == t.meaning || lexicon.Load().IsCommon(t.text)
	t.info = min(t.info, m.info(t.meaning, organizations))
}
