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
	mostJoined      = 3 // neighbouring words written together
)

// MaxKeys bounds the result of [Name.Keys]: for each word the word, its deletions, phonetic code,
// initial, meaning and given names, and the keys of the whole name and of neighbouring words.
const MaxKeys = maxBlockWords*(maxBlockLetters+5+mostJoined+maxGiven) + 10

// maxGiven bounds the given names that a word may stand for.
const maxGiven = 24

// Name holds the blocking keys of a name, under which similar names meet. The keys are lossy: they
// propose candidates and decide nothing.
type Name struct {
	Words []Word
	// Whole is the key of all words written together: "face book" and "facebook".
	Whole string
	// Acronyms are the keys of the initials, or of a single short word, which may be an acronym.
	Acronyms []string
	// Syllables are the keys of a Mandarin or Korean name in Latin letters, in whatever spelling.
	Syllables []string
	// Joined are the keys of neighbouring words written together, as one word: "data base" and "database". All words
	// together are no key of the name, since Whole says it.
	Joined []string
	// Length is the key of the number of words.
	Length string
}

// Word holds the keys of one word, from strict to loose. Words that share a key share the looser keys
// too.
type Word struct {
	Exact string
	// Alone is the key of a name that is the word, written in one or in several.
	Alone string
	// Near holds the deletion neighbourhood of the word, as in symmetric delete spelling correction: two
	// words one insertion, deletion, substitution or transposition apart share a key.
	Near []string
	// Sound is the key of the phonetic code, "" for a single letter.
	Sound string
	// Given are the keys of the given names that the word may stand for: "Bill" and "William".
	Given []string
	// Meaning is the key of the meaning of a word that the names of organisations share in many languages, "" for others.
	Meaning string
	// Silent reports whether the word identifies nothing: a stop word, or a word of a legal form.
	Silent bool
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
		Acronyms: acronyms(name, words),
		Length:   lengthKey(len(words)),
	}
	for _, k := range similarity.SyllableKeys(words) {
		b.Syllables = append(b.Syllables, "y"+k)
	}
	for i, w := range words {
		if !slices.Contains(words[:i], w) {
			b.Words = append(b.Words, blockWord(w))
		}
		for n := 2; n <= min(mostJoined, i+1); n++ {
			b.Joined = append(b.Joined, "t"+strings.Join(words[i+1-n:i+1], ""))
		}
	}
	return b
}

func lengthKey(words int) string { return "n" + string(rune('a'+words)) }

// Shorter lists the keys of the lengths of names with fewer words.
func (b Name) Shorter() []string {
	var keys []string
	for n := 1; lengthKey(n) < b.Length; n++ {
		keys = append(keys, lengthKey(n))
	}
	return keys
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
	keys := slices.Concat([]string{b.Whole, b.Length}, b.Acronyms, b.Syllables)
	for _, k := range b.Joined {
		if k[1:] != b.Whole[1:] {
			keys = append(keys, k)
		}
	}
	for _, w := range b.Words {
		keys = append(append(keys, w.Exact, w.Initial), w.Near...)
		if w.Sound != "" {
			keys = append(append(keys, w.Sound), w.Given...)
		}
		if w.Meaning != "" {
			keys = append(keys, w.Meaning)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func blockWord(w string) Word {
	first, size := utf8.DecodeRuneInString(w)
	word := Word{
		Exact: "t" + w, Alone: "w" + w, Near: deletions(w), Initial: "f" + string(first), Abbreviated: "t" + string(first),
		Silent: similarity.Silent(w),
	}
	if size == len(w) {
		word.Abbreviated = word.Initial
		return word
	}
	word.Sound = "s" + text.Sound(w)
	given := similarity.GivenNameKeys(w)
	for _, k := range given[:min(len(given), maxGiven)] {
		word.Given = append(word.Given, "g"+k)
	}
	if m := similarity.Meaning(w); m != "" {
		word.Meaning = "m" + m
	}
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

// acronyms returns the keys of the initials of all words, of the words of four letters or more, and of those that the
// comparison takes for an acronym of the name; or of a single word that may be an acronym.
func acronyms(name string, words []string) []string {
	var keys []string
	add := func(acronym string) {
		if n := utf8.RuneCountInString(acronym); n >= 2 && n <= maxBlockWords && !slices.Contains(keys, "a"+acronym) {
			keys = append(keys, "a"+acronym)
		}
	}
	if len(words) == 1 {
		if utf8.RuneCountInString(words[0]) <= maxAcronym {
			add(words[0])
		}
		return keys
	}
	all, long := "", ""
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		all += string(first)
		if utf8.RuneCountInString(w) > 3 {
			long += string(first)
		}
	}
	add(all)
	add(long)
	for _, k := range similarity.AcronymKeys(name, words) {
		add(k)
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
