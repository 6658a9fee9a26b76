package similarity

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"tenure/text"
)

// takeForms removes the legal form of an organisation at any position, unless nothing else is left. From a
// person's name only a form at the end is removed ("Nicolás Maduro SA"), because others may be part of the
// name.
func (n *name) takeForms(words []token, k class) []token {
	for i := 0; i < len(words); i++ {
		if k == people && (i == 0 || i < len(words)-1) {
			continue
		}
		for size := min(longestForm, len(words)-i); size > 0; size-- {
			form, ok := companyForm(words[i : i+size])
			if !ok || size == len(words) || k == people && !clearForm[form] {
				continue
			}
			if n.form == "" || n.form == "corp" {
				n.form = form
			}
			words = slices.Delete(words, i, i+size)
			i--
			break
		}
	}
	return words
}

// clearForm lists the legal forms that are never part of a person's name.
var clearForm = set("llc corp ltd gmbh sa plc")

// companyForm looks up a legal form. Long forms match within two edits.
func companyForm(words []token) (string, bool) {
	written := phrase(words)
	if form, ok := companyForms[written]; ok || len(words) < 3 {
		return form, ok
	}
	for _, long := range longForms {
		if abs(len(long)-len(written)) <= 2 && levenshtein.ComputeDistance(long, written) <= 2 {
			return companyForms[long], true
		}
	}
	return "", false
}

// longForms lists the legal forms of three words or more, sorted.
var longForms = func() []string {
	var list []string
	for _, f := range slices.Sorted(maps.Keys(companyForms)) {
		if strings.Count(f, " ") >= 2 && len(f) > 15 {
			list = append(list, f)
		}
	}
	return list
}()

func phrase(words []token) string {
	if len(words) == 1 {
		return words[0].text
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// takeNumbers moves numerals, number words and codes from the words to the numbers. People's names have none:
// there a digit among letters replaces the letter that it looks like.
func (n *name) takeNumbers(words []token, k class) []token {
	kept := words[:0]
	for i := 0; i < len(words); i++ {
		w := words[i]
		if k == people {
			if mostlyLetters(w.text) {
				w.text = unleet(w.text)
			}
			kept = append(kept, w)
			continue
		}
		if w.model {
			n.codes = append(n.codes, w.text)
			continue
		}
		number, used := numeral(words[i:], i > 0)
		if used == 0 {
			kept = append(kept, w)
			continue
		}
		n.numbers = append(n.numbers, number)
		i += used - 1
	}
	return kept
}

// numeral reads a number at the front of words and returns the number of words read: "44", "forty four",
// "1st", "VII"; "V" only at the end and not as the first word; or a code such as "AHL1".
func numeral(words []token, later bool) (string, int) {
	w := words[0].text
	if d := strings.TrimRight(w, "stndrh"); d != "" && text.AllDigits(d) {
		return strings.TrimLeft(d[:len(d)-1], "0") + d[len(d)-1:], 1
	}
	if v, ok := numberWords[w]; ok {
		return spokenNumber(v, words[1:])
	}
	if v, ok := roman(w, len(words) == 1); ok && later {
		return v, 1
	}
	if strings.ContainsAny(w, "0123456789") {
		return w, 1
	}
	return "", 0
}

// spokenNumber returns a number word, together with the unit that follows a multiple of ten: "forty four",
// "forty 4".
func spokenNumber(v int, after []token) (string, int) {
	if v < 20 || len(after) == 0 {
		return strconv.Itoa(v), 1
	}
	next := after[0].text
	if u, ok := numberWords[next]; ok && u > 0 && u < 10 {
		return strconv.Itoa(v + u), 2
	}
	if len(next) == 1 && text.AllDigits(next) && next != "0" {
		return strconv.Itoa(v/10) + next, 2
	}
	return strconv.Itoa(v), 1
}

// roman reads a Roman numeral. A single letter is one only as the last word.
func roman(w string, last bool) (string, bool) {
	if v, ok := romans[w]; ok {
		return v, true
	}
	v, ok := oneLetterRomans[w]
	return v, ok && last
}

func mostlyLetters(w string) bool {
	n := 0
	for i := range len(w) {
		if w[i] <= '9' {
			n++
		}
	}
	return n > 0 && 2*n <= len(w)
}

var leet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "9", "g")

func unleet(w string) string { return leet.Replace(w) }

// takeGeneration removes generational suffixes and records the generation.
func (n *name) takeGeneration(words []token, k class) []token {
	if k != people || len(words) < 2 {
		return words
	}
	kept := words[:1]
	for _, w := range words[1:] {
		switch g := generations[w.text]; {
		case g > 0:
			n.generation = g
		case w.text == "i":
			n.loneI = true
			kept = append(kept, w)
		default:
			kept = append(kept, w)
		}
	}
	return kept
}

// dropSilent removes words that do not identify, such as titles and stop words, unless nothing else is left,
// and marks fathers' names.
func (n *name) dropSilent(words []token, k class) []token {
	kept := make([]token, 0, len(words))
	father := false
	for i, w := range words {
		if silent(w, k, i == 0) {
			father = father || k == people && patronymics[w.text] && i > 0
			continue
		}
		if full, ok := abbreviations[w.text]; ok && k != people {
			w.text = full
		}
		if k == people {
			w, kept = splitServant(w, kept)
		}
		w.father, father = father, false
		kept = append(kept, w)
	}
	if len(kept) == 0 {
		return words
	}
	return kept
}

func silent(w token, k class, first bool) bool {
	if w.text == "" && w.native == "" {
		return true
	}
	if w.script == text.Han || w.script == text.Hangul || w.text == "" {
		return false
	}
	switch k {
	case people:
		return isHonorific(w.text) || particles[w.text] && (!first || w.text != "ben")
	case organizations:
		return IsStopWord(w.text)
	}
	return IsStopWord(w.text) || first && vesselPrefixes[w.text]
}

// splitServant splits theophoric names: "abdul" becomes "abd", "abdulaziz" becomes "abd aziz", so that both
// spellings share their words.
func splitServant(w token, kept []token) (token, []token) {
	if w.script != text.Latin {
		return w, kept
	}
	for _, prefix := range []string{"abdul", "abdel", "abdal", "abdol", "abdur", "abdus"} {
		after, ok := strings.CutPrefix(w.text, prefix)
		if !ok {
			continue
		}
		if len(after) < 3 {
			if after == "" {
				w.text = "abd"
			}
			return w, kept
		}
		servant := w
		servant.text, w.text = "abd", after
		return w, append(kept, servant)
	}
	return w, kept
}

// patronymicEndings form Slavic patronymics; familyEndings are the endings of family names that depend on
// gender. Both are in Latin letters.
var (
	patronymicEndings = []ending{
		{"ovich", 1}, {"evich", 1}, {"ovych", 1}, {"evych", 1}, {"yevich", 1}, {"ovitch", 1}, {"evitch", 1},
		{"ovna", -1}, {"evna", -1}, {"yevna", -1}, {"ivna", -1},
	}
	familyEndings = []ending{
		{"ova", -1}, {"eva", -1}, {"skaya", -1}, {"skaia", -1}, {"skaja", -1}, {"ina", -1},
		{"ov", 1}, {"ev", 1}, {"off", 1}, {"sky", 1}, {"skiy", 1}, {"skii", 1}, {"skij", 1}, {"in", 1},
	}
)

type ending struct {
	letters string
	gender  int8
}

// shortestStem is the least number of letters before an ending.
const shortestStem = 3

// slavic analyses the ending of a name. It returns the length of the father's name in a patronymic, 0 if the
// word is none, and the gender.
func slavic(w string) (stem int, gender int8) {
	for _, e := range patronymicEndings {
		if s, ok := strings.CutSuffix(w, e.letters); ok && len(s) >= shortestStem {
			stem, gender = len(s), e.gender
		}
	}
	if stem > 0 {
		return stem, gender
	}
	for _, e := range familyEndings {
		if s, ok := strings.CutSuffix(w, e.letters); ok && len(s) >= shortestStem {
			return 0, e.gender
		}
	}
	return 0, 0
}
