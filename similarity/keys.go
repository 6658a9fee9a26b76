package similarity

import (
	"slices"
	"strconv"
	"strings"

	"tenure/similarity/syllables"
	"tenure/text"
)

// What follows are the keys under which candidate generation finds what the comparison of names recognises without
// letters in common.

// AcronymKeys returns the acronyms that the comparison takes for a name: its initials without legal form, numbers and
// stop words, and those with the legal form; of a name of one word besides these, the word. Where a name has none of
// these, of which words are the folded ones, it returns nothing: its acronym is the initials of all words.
func AcronymKeys(spelling string, words []string) []string {
	if !slices.ContainsFunc(words, leftOutOfAcronyms) {
		return nil
	}
	return acronymsOf(spelling)
}

// Silent reports whether a folded word identifies nothing: a stop word, or a word of a legal form.
func Silent(w string) bool { return formWords[w] || IsStopWord(w) }

func leftOutOfAcronyms(w string) bool {
	if Silent(w) || strings.ContainsAny(w, "0123456789") {
		return true
	}
	_, number := numberWords[w]
	_, roman := roman(w, true)
	return number || roman
}

// formWords are the words of legal forms.
var formWords = func() map[string]bool {
	all := map[string]bool{}
	for form := range companyForms {
		for w := range strings.FieldsSeq(form) {
			all[w] = true
		}
	}
	return all
}()

func acronymsOf(spelling string) []string {
	head, _ := text.Cut(strings.ToValidUTF8(spelling, "\uFFFD"), maxRunes)
	var n name
	words := n.takeNumbers(n.takeForms(splitWords(head, organizations), organizations), organizations)
	words = n.dropSilent(words, organizations)
	switch {
	case len(words) == 1 && len(words[0].text) >= 2 && len(words[0].text) <= longestAcronym:
		return []string{words[0].text}
	case len(words) < 2 || len(words) > longestAcronym:
		return nil
	}
	initials := firstLetters(words)
	if n.form == "corp" {
		return []string{initials, initials + "c"}
	}
	return []string{initials}
}

// GivenNameKeys returns the numbers of the given names that a folded word may stand for.
func GivenNameKeys(word string) []string {
	var keys []string
	for _, n := range givenNames[word] {
		keys = append(keys, strconv.Itoa(int(n)))
	}
	return keys
}

// SyllableKeys returns what spellings of one Mandarin or Korean name have in common, in whatever order of family and
// given name; nothing for other names. Words are folded and in Latin letters.
func SyllableKeys(words []string) []string {
	var keys []string
	if m := syllables.Mandarin(words); m != "" {
		keys = append(keys, "m"+rotated(strings.Fields(m)))
	}
	if k := syllables.KoreanFamily(words); k != nil {
		keys = append(keys, "k"+rotated(k))
	}
	return keys
}

// rotated joins the rotation of a list that is the least in the order of strings.
func rotated(list []string) string {
	least := ""
	for i := range list {
		if s := strings.Join(slices.Concat(list[i:], list[:i]), " "); i == 0 || s < least {
			least = s
		}
	}
	return least
}
