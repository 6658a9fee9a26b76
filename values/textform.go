package values

import (
	"regexp"
	"strings"

	"tenure/text"
)

// OfText compares a text as words: case, width, spacing, the kinds of quotes and dashes, punctuation between words and
// at the end make no difference.
func OfText(s string) Value { return Value{Kind: Text, form: textForm(s), grain: ofPlace(s)} }

func textForm(s string) string {
	const enough = 5 // what one change uncovers, as a full stop that ends an abbreviation no more, another may take away
	s = text.Key(uniform(s))
	for range enough {
		before := s
		if s = plainForm(s); s == before {
			break
		}
	}
	return s
}

func plainForm(s string) string {
	if plain := closed(s); plain != "" {
		s = plain
	}
	if strings.Contains(s, ". ") {
		s = initials.ReplaceAllString(initials.ReplaceAllString(s, "$1$2.$3."), "$1$2.$3.")
	}
	if m := inverted(s); m != "" {
		s = m
	}
	if strings.Contains(s, "x") {
		s = sizes.ReplaceAllString(sizes.ReplaceAllString(s, "${1}x$2"), "${1}x$2")
	}
	if strings.Contains(s, "-") {
		s = joined.ReplaceAllString(s, "$1 $2")
	}
	words := strings.Fields(strings.ReplaceAll(s, "\u2044", "/"))
	for i, w := range words {
		words[i] = plainWord(w)
	}
	return strings.Join(legal(titled(words)), " ")
}

var (
	sizes    = regexp.MustCompile(`(\d) ?x ?(\d)`)
	joined   = regexp.MustCompile(`(\pL\pL)-(\pL\pL)`) // in-progress; not F-16, nor vitamin-c
	initials = regexp.MustCompile(`(^|[ .])(\pL)\. (\pL)(?:\.|$)`)
)

var (
	titles     = byWord("titles", asWritten)
	legalForms = byWord("legal forms", asWritten)
	suffixes   = byWord("suffixes", isListed)
	contracted = byWord("contractions", asWritten)
)

func titled(words []string) []string {
	if len(words) > 1 && titles[words[0]] != "" {
		words[0] = titles[words[0]]
	}
	return words
}

// longestForm is the number of words of the longest legal form.
const longestForm = 6

// legal shortens the legal forms at the end of a name.
func legal(words []string) []string {
	var tail []string
	for len(words) > 1 {
		n := min(longestForm, len(words)-1)
		for n > 0 && legalForms[strings.Join(words[len(words)-n:], " ")] == "" {
			n--
		}
		if n == 0 {
			break
		}
		tail = append(tail, legalForms[strings.Join(words[len(words)-n:], " ")])
		words = words[:len(words)-n]
	}
	for i := len(tail) - 1; i >= 0; i-- {
		words = append(words, tail[i])
	}
	return words
}

// invertedName is a name with the family name first, and what follows the name last.
var invertedName = regexp.MustCompile(`^([\pL\pM'-]+(?: [\pL\pM'-]+){0,2}), ?` +
	`([\pL\pM'-]+\.?(?: ?[\pL\pM'-]+\.?){0,3})(?:, (jr|sr|ii|iii|iv|phd|ph\.d|md|m\.d|esq))?$`)

// inverted returns a name that has the family name first with it last, "" for any other text.
func inverted(s string) string {
	if !strings.Contains(s, ",") {
		return ""
	}
	m := invertedName.FindStringSubmatch(s)
	if len(m) == 0 || legalForms[plainWord(m[2])] != "" {
		return ""
	}
	first, _, _ := strings.Cut(m[2], " ")
	if w := plainWord(first); legalForms[w] != "" || suffixes[w] {
		return ""
	}
	return strings.TrimSpace(m[2] + " " + m[1] + " " + m[3])
}

var contractedEnds = [][2]string{{"n't", " not"}, {"'re", " are"}, {"'ll", " will"}, {"'ve", " have"}}

// plainWord returns a word without punctuation after it, an abbreviation without its full stops, and a contraction in
// full.
func plainWord(w string) string {
	w = strings.ReplaceAll(w, "`", "'")
	if plain := strings.TrimRight(w, ".,;:!"); plain != "" {
		w = plain
	}
	if full, ok := contracted[w]; ok {
		return full
	}
	if strings.IndexByte(w, '\'') > 0 {
		for _, end := range contractedEnds {
			if stem, ok := strings.CutSuffix(w, end[0]); ok && stem != "" {
				return stem + end[1]
			}
		}
	}
	if !strings.Contains(w, ".") {
		return w
	}
	letters := strings.Split(w, ".")
	for _, l := range letters {
		if r := []rune(l); len(r) != 1 || r[0] >= '0' && r[0] <= '9' {
			return w
		}
	}
	return strings.Join(letters, "")
}
