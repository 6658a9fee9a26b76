package similarity

import (
	"slices"
	"strings"

	lexicon "tenure/ner/words"
	"tenure/text"
)

// A model number, a part number or a ticket identifies a thing far better than the words around it, and each shop
// writes it in its own way: "PSC-400", "psc400", and "psc400w" of the white one.

const (
	shortestModel  = 5 // characters, without the signs between them
	shortestDigits = 6 // of a part number without letters
	longestColour  = 3 // characters that one of two equal model numbers may have more, at the end
)

// modelNumber returns the model or part number that a word of a thing's name is, without the signs between its
// characters; "" if it is none, such as a measure ("24-hour", "1080p"), a resolution ("480x320"), a version ("10.3.9")
// or a word with a number ("Windows95").
func modelNumber(word string) string {
	word = strings.Trim(word, "()[]{}<>,;:.!?'\"*")
	code, digits := unsigned(word)
	letters := len(code) - digits
	switch {
	case letters == 0 && (digits < shortestDigits || strings.Contains(word, ".")):
		return ""
	case letters > 0 && (digits < 2 || len(code) < shortestModel || measure(code) || wordWithNumber(code, letters)):
		return ""
	}
	return code
}

// unsigned returns a word without the signs that may stand within a model number, and its digits; "" if it has others.
func unsigned(word string) (code string, digits int) {
	var b strings.Builder
	for i := range len(word) {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			digits++
			b.WriteByte(c)
		case c >= 'a' && c <= 'z':
			b.WriteByte(c)
		case !strings.ContainsRune("-/._", rune(c)):
			return "", 0
		}
	}
	return b.String(), digits
}

// wordWithNumber reports whether a code is a word of the language with a number behind it.
func wordWithNumber(code string, letters int) bool {
	head := strings.TrimRight(code, "0123456789")
	return len(head) == letters && lexicon.Load().IsCommon(head)
}

// measure reports whether a word is a number with its unit, or two numbers with an x between them.
func measure(code string) bool {
	rest := strings.TrimLeft(code, "0123456789")
	if rest == code {
		return false
	}
	unit := strings.TrimRight(rest, "0123456789")
	return unit == rest && !strings.ContainsAny(unit, "0123456789") || unit == "x"
}

// codesOf compares the model numbers of two names.
func codesOf(l, r []string, v *vector) {
	if len(l) == 0 || len(r) == 0 {
		return
	}
	v[nameCodeDiffers] = 1
	series := false
	for _, x := range l {
		for _, y := range r {
			switch {
			case x != y && skeleton(x) == skeleton(y):
				series = true
			case x == y && !variants(l, r, x):
				v[nameCodeEqual], v[nameCodePart], v[nameCodeDiffers] = 1, 0, 0
				return
			case x == y:
				v[nameCodePart] = 1
			case extends(x, y) || extends(y, x):
				v[nameCodePart], v[nameCodeDiffers] = 1, 0
			}
		}
	}
	if series && v[nameCodePart] == 0 {
		v[nameNumberDiffers] = 1
	}
}

// skeleton returns a model number without the values of its digits, which the models of one series, such as SB-310 and
// SB-330, have in common; a number without letters as it is.
func skeleton(code string) string {
	letters := false
	s := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		letters = true
		return r
	}, code)
	if !letters {
		return code
	}
	return s
}

// variants reports whether both sides have a variant of a model, and none in common: the white one and the red one.
func variants(l, r []string, model string) bool {
	own := func(list, others []string) bool {
		return slices.ContainsFunc(list, func(x string) bool {
			return x != model && extends(x, model) && !slices.Contains(others, x)
		})
	}
	return own(l, r) && own(r, l)
}

// extends reports whether long is a model number with a few characters more, such as those of a colour or a country.
func extends(long, short string) bool {
	return len(short) >= shortestModel && len(long)-len(short) <= longestColour && strings.HasPrefix(long, short)
}

// compareDescribedCodes takes a model number in the description of one side for one in its name: shops put it in
// either.
func compareDescribedCodes(e *evidence, l, r *Prepared) {
	if e.class != things || e.name[nameCodeEqual]+e.name[nameCodePart] > 0 {
		return
	}
	if describes(l, r) || describes(r, l) {
		e.name[nameCodeEqual], e.name[nameCodePart], e.name[nameCodeDiffers] = 1, 0, 0
	}
}

// describes reports whether a description of one profile contains a model number in a name of the other.
func describes(by, named *Prepared) bool {
	for i := range named.names {
		for _, c := range named.names[i].codes {
			if slices.ContainsFunc(by.contexts, func(d description) bool { return slices.Contains(d.codes, c) }) {
				return true
			}
		}
	}
	return false
}

// identifiersOf compares two names that are identifiers of one kind, such as addresses of mailboxes, and reports
// whether they are. Of identifiers every letter counts, however alike they are.
func identifiersOf(l, r *name, v *vector) bool {
	comparable := false
	for _, x := range l.identifiers {
		for _, y := range r.identifiers {
			if x == y {
				v[nameCodeEqual], v[nameCodeDiffers] = 1, 0
				return true
			}
			if comparable = comparable || x.Kind == y.Kind; comparable {
				v[nameCodeDiffers] = 1
			}
		}
	}
	return comparable
}

// modelNumbers lists the model numbers of a text, sorted.
func modelNumbers(s string) (list []string) {
	for _, w := range strings.Fields(text.Fold(s)) {
		if c := modelNumber(w); c != "" {
			list = append(list, c)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// decimal returns a decimal number without zeros at the end, so that version 3.0 is version 3.
func decimal(field string) (string, bool) {
	whole, part, ok := strings.Cut(field, ".")
	if !ok || !text.AllDigits(whole) || !text.AllDigits(strings.ReplaceAll(part, ".", "")) || part == "" || whole == "" {
		return "", false
	}
	for strings.HasSuffix(field, ".0") {
		field = strings.TrimSuffix(field, ".0")
	}
	return field, true
}

// units are what is written with its number as one word or apart.
var units = set("g kg mg ml cl l dl oz lb lbs gb tb mb kb mm cm m km in ft inch w kw v a ah mah hz khz mhz ghz mp fps rpm px bit")

// numberedWord splits a word from the number behind it, and a number from its unit: "gpt4" is "gpt 4", and "250g" is
// "250 g".
func numberedWord(field string) (first, second string, ok bool) {
	const digits = "0123456789"
	if word := strings.TrimRight(field, digits); word != field {
		return word, field[len(word):], word != "" && !strings.ContainsAny(word, digits)
	}
	unit := strings.TrimLeft(field, digits)
	return field[:len(field)-len(unit)], unit, unit != field && units[unit]
}
