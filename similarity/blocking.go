package similarity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"tenure/text"
)

// Bounds of what a name is blocked by. Names beyond them still meet by their
// first words.
const (
	maxBlockRunes   = 512 // of a name
	maxBlockWords   = 12
	maxBlockLetters = 24 // of a word
	maxAcronym      = 6
)

// MaxBlockingKeys bounds [BlockingKeys]: for each word itself, its deletions,
// its sound and its initial, and what a name has as a whole.
const MaxBlockingKeys = maxBlockWords*(maxBlockLetters+4) + 5

// Blocking is a name as the keys under which similar names meet. The keys are
// lossy: they propose candidates and decide nothing.
type Blocking struct {
	Words []BlockingWord
	// Whole is the key of all words written as one: "face book" and "facebook".
	Whole string
	// Acronyms are the keys of the initials, or of a short word that may be
	// initials itself.
	Acronyms []string
	// Length is the key of the number of words.
	Length string
}

// BlockingWord is one word of a name by its keys, from strict to loose: whoever
// meets by one of them meets by all that follow.
type BlockingWord struct {
	Exact string
	// Near are the word and what it becomes by leaving out one letter: two
	// words with one letter left out, added, exchanged or swapped with its
	// neighbour share one of them.
	Near []string
	// Sound is the key of how it sounds; "" for a single letter.
	Sound string
	// Initial is the key of its first letter.
	Initial string
	// Abbreviated are the keys under which the other name is found when one
	// of the two has only the initial of this word.
	Abbreviated string
}

// Block folds a name (no marks, no case, Latin letters, punctuation apart) and
// gives its keys. It reads a bounded part of a name of any length, is the same
// for the same name, and gives no words for a name without letters or digits.
func Block(name string) Blocking {
	words := blockWords(name)
	if len(words) == 0 {
		return Blocking{}
	}
	b := Blocking{
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

// BlockDescription lists the telling words of a description, each once, in the
// forms in which two descriptions meet. It reads a bounded part of any text.
func BlockDescription(content string) []string {
	var list []string
	for _, w := range blockWords(content) {
		if utf8.RuneCountInString(w) > 2 && !stopWords[w] && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// BlockingKeys lists the keys under which a name is found, at most
// [MaxBlockingKeys].
func BlockingKeys(name string) []string { return Block(name).Keys() }

// Keys lists all keys in order, each once.
func (b Blocking) Keys() []string {
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

func blockWord(w string) BlockingWord {
	first, size := utf8.DecodeRuneInString(w)
	word := BlockingWord{Exact: "t" + w, Near: deletions(w), Initial: "f" + string(first), Abbreviated: "t" + string(first)}
	if size == len(w) {
		word.Abbreviated = word.Initial
		return word
	}
	word.Sound = "s" + text.Sound(w)
	return word
}

// deletions are the keys of a word and, from three letters on, of what is left
// of it without one of them.
func deletions(w string) []string {
	keys := []string{"d" + w}
	if utf8.RuneCountInString(w) < 3 {
		return keys
	}
	before := utf8.RuneError
	for i, r := range w {
		if r != before { // of two equal letters it does not matter which one goes
			keys = append(keys, "d"+w[:i]+w[i+utf8.RuneLen(r):])
		}
		before = r
	}
	return keys
}

// BlockingNGrams are all that three neighbouring letters of a word are once the
// name is spelt as it sounds, the ends of words among the letters. They are no
// keys: any two names may share some, and names of which no word is near to one
// of the other are found by how many they share.
func BlockingNGrams(name string) []string {
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

// acronyms are the initials of all words and of those that are not short, or
// the word if it is the only one.
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

// blockWords cuts a name into folded words.
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
			continue // O'Brien, vowel signs, joiners
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			end()
			continue
		}
		for _, l := range text.Romanize(r) {
			if l == ' ' {
				end() // what stands for one character of Han is a word
			} else if letters < maxBlockLetters {
				letters++
				word.WriteRune(l)
			}
		}
	}
	end()
	return words
}
