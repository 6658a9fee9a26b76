package blocking

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"tenure/similarity"
	"tenure/text"
)

// Bounds on the part of a name that yields blocking keys. Longer names still meet by their first words.
const (
	maxBlockRunes   = 512 // runes of a name
	maxBlockWords   = 12
	maxBlockLetters = 24 // letters of a word
	maxAcronym      = 6
)

// MaxKeys bounds the result of [Name.Keys]: for each word the word, its deletions, phonetic code
// and initial, and the keys of the whole name.
const MaxKeys = maxBlockWords*(maxBlockLetters+4) + 5

// Name holds the blocking keys of a name, under which similar names meet. The keys are lossy: they
// propose candidates and decide nothing.
type Name struct {
	Words []Word
	// Whole is the key of all words written together: "face book" and "facebook".
	Whole string
	// Acronyms are the keys of the initials, or of a single short word, which may be an acronym.
	Acronyms []string
	// Length is the key of the number of words.
	Length string
}

// Word holds the keys of one word, from strict to loose. Words that share a key share the looser keys
// too.
type Word struct {
	Exact string
	// Near holds the deletion neighbourhood of the word, as in symmetric delete spelling correction: two
	// words one insertion, deletion, substitution or transposition apart share a key.
	Near []string
	// Sound is the key of the phonetic code, "" for a single letter.
	Sound string
	// Initial is the key of the first letter.
	Initial string
	// Abbreviated is the key that matches a name in which this word is only an initial, or is written out.
	Abbreviated string
}

// Of folds a name (marks, case and punctuation removed, Latin letters) and returns its blocking keys. It
// reads a bounded prefix and is deterministic. A name without letters or digits has no words.
func Of(name string) Name {
	words := blockWords(name)
	if len(words) == 0 {
		return Name{}
	}
	b := Name{
		Whole:    "w" + strings.Join(words, ""),
		Acronyms: acronyms(words),
		Length:   "n" + string(rune('a'+len(words))),
	}
	for i, w := range words {
		if !slices.Contains(words[:i], w) {
			b.Words = append(b.Words, blockWord(w))
		}
	}
	return b
}

// Words lists the words of a name as names are compared: folded, in Latin letters. It reads a bounded prefix.
func Words(name string) []string { return blockWords(name) }

// DescriptionWords lists the informative words of a description, each once, in the form in which descriptions
// are indexed. It reads a bounded prefix.
func DescriptionWords(content string) []string {
	var list []string
	for _, w := range blockWords(content) {
		if utf8.RuneCountInString(w) > 2 && !similarity.IsStopWord(w) && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// Keys lists all keys, at most [MaxKeys], sorted and without duplicates.
func (b Name) Keys() []string {
	if len(b.Words) == 0 {
		return nil
	}
	keys := append([]string{b.Whole, b.Length}, b.Acronyms...)
	for _, w := range b.Words {
		keys = append(append(keys, w.Exact, w.Initial), w.Near...)
		if w.Sound != "" {
			keys = append(keys, w.Sound)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func blockWord(w string) Word {
	first, size := utf8.DecodeRuneInString(w)
	word := Word{Exact: "t" + w, Near: deletions(w), Initial: "f" + string(first), Abbreviated: "t" + string(first)}
	if size == len(w) {
		word.Abbreviated = word.Initial
		return word
	}
	word.Sound = "s" + text.Sound(w)
	return word
}

// deletions returns the keys of a word and, for words of three letters or more, of each string with one
// letter deleted.
func deletions(w string) []string {
	keys := []string{"d" + w}
	if utf8.RuneCountInString(w) < 3 {
		return keys
	}
	before := utf8.RuneError
	for i, r := range w {
		if r != before { // deleting either of two equal neighbours gives the same string
			keys = append(keys, "d"+w[:i]+w[i+utf8.RuneLen(r):])
		}
		before = r
	}
	return keys
}

// NGrams lists the trigrams of each word after variant spellings are unified, with word boundaries as
// letters. Trigrams are not keys: any two names may share some. Names that share no near word are ranked by
// how many trigrams they share.
func NGrams(name string) []string {
	var list []string
	for _, w := range blockWords(name) {
		letters := slices.Compact([]rune("^" + text.RomanizationVariants.Replace(w) + "$"))
		for i := 3; i <= len(letters); i++ {
			if g := string(letters[i-3 : i]); !slices.Contains(list, g) {
				list = append(list, g)
			}
		}
	}
	return list
}

// acronyms returns the keys of the initials of all words and of the words of four letters or more, or of a
// single word that may be an acronym.
func acronyms(words []string) []string {
	if len(words) == 1 {
		if n := utf8.RuneCountInString(words[0]); n < 2 || n > maxAcronym {
			return nil
		}
		return []string{"a" + words[0]}
	}
	all, long := "", ""
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		all += string(first)
		if utf8.RuneCountInString(w) > 3 {
			long += string(first)
		}
	}
	keys := []string{"a" + all}
	if utf8.RuneCountInString(long) >= 2 && long != all {
		keys = append(keys, "a"+long)
	}
	return keys
}

// blockWords splits a name into folded, romanised words.
func blockWords(name string) []string {
	var words []string
	var word strings.Builder
	letters := 0
	end := func() {
		if word.Len() > 0 && len(words) < maxBlockWords {
			words = append(words, word.String())
		}
		word.Reset()
		letters = 0
	}
	for _, r := range norm.NFKC.String(text.Head(name, maxBlockRunes)) {
		switch {
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r):
			continue // the apostrophe of O'Brien, combining vowel signs, joiners
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			end()
			continue
		}
		for _, l := range text.Romanize(r) {
			if l == ' ' {
				end() // the romanisation of each Han character is a word
			} else if letters < maxBlockLetters {
				letters++
				word.WriteRune(l)
			}
		}
	}
	end()
	return words
}
