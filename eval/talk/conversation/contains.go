package conversation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// contractions are taken as the same in a phrase.
var contractions = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\bdo not\b`), "don't"}, {regexp.MustCompile(`\bdon't\b`), "do not"},
	{regexp.MustCompile(`\bcannot\b`), "can't"}, {regexp.MustCompile(`\bcan't\b`), "cannot"},
	{regexp.MustCompile(`\bshould not\b`), "shouldn't"}, {regexp.MustCompile(`\bshouldn't\b`), "should not"},
}

// Contains reports whether a text has a phrase in one of its spellings, on word boundaries and in any case (rule v2 of
// the belief data).
func Contains(text, phrase string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(spellings(phrase), func(s string) bool { return Find(text, s) >= 0 })
}

func spellings(phrase string) []string {
	var list []string
	for s := range strings.SplitSeq(strings.ToLower(phrase), "|") {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		list = append(list, s)
		for _, c := range contractions {
			if other := c.from.ReplaceAllString(s, c.to); other != s {
				list = append(list, other)
			}
		}
	}
	return list
}

// Find returns where a text has a phrase with no letter or digit before or after it that would go on with a word of the
// phrase, -1 if it has none.
func Find(text, phrase string) int {
	if phrase == "" {
		return -1
	}
	first, _ := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(phrase):])
		cut := inWord(first) && inWord(before) || inWord(last) && inWord(after)
		if !cut {
			return i
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		from = i + size
	}
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r))
}
