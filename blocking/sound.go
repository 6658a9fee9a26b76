package blocking

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"tenure/text"
	"tenure/text/phonetic"
)

// Spoken is a name as it is spoken: how its words may be read, and neighbouring words together. Names in two scripts
// meet by their readings.
type Spoken struct {
	// Foreign reports that the name is not in Latin letters; Script is then the script of its first word that is not.
	Foreign bool
	Script  text.Script

	words   []phonetic.Code // and neighbours together
	single  int             // words without neighbours
	eastern bool            // Han, Hangul or kana
}

// Bounds of the readings of a word: of an indexed name few, since each is a posting, less few in scripts whose letters
// are read in more ways, and of one that is searched for many, since each is only looked up.
const (
	indexedReadings, indexedCost   = 2, 35
	foreignReadings                = 6
	searchedReadings, searchedCost = 24, 60
	mostSearched                   = 64
)

// Costs up to which a reading is likely, or possible, and of a consonant that is left out or inserted.
const (
	likelyCost    = 10
	possibleCost  = 35
	easternChange = 30 // l and n, which Chinese, Japanese and Korean spellings leave out and insert
	anyChange     = 60
)

// fewestConsonants is the least number of consonants of a reading in which any may be left out.
const fewestConsonants = 3

// mostSyllables is the most characters of a run of Han or Hangul that is read as a family name and the rest.
const mostSyllables = 4

// Speak returns how a name is spoken. It reads a bounded prefix.
func Speak(name string) Spoken {
	words, dotted := soundWords(name)
	var n Spoken
	n.words = make([]phonetic.Code, 0, 2*len(words)+1)
	for _, w := range words {
		s := text.ScriptOf(w)
		if s != text.Latin && !n.Foreign {
			n.Foreign, n.Script = true, s
		}
		n.eastern = n.eastern || s == text.Han || s == text.Hangul || s == text.Kana
		if !dotted && (s == text.Han || s == text.Hangul) && utf8.RuneCountInString(w) <= mostSyllables {
			family, given := text.Cut(w, 1) // which other scripts write as two words
			n.say(family)
			w = given
		}
		n.say(w)
	}
	n.single = len(n.words)
	for i := 1; i < n.single; i++ {
		n.words = append(n.words, phonetic.Join(n.words[i-1], n.words[i]))
	}
	return n
}

// articles are Arabic articles in Latin letters, which many spellings leave out or join to the word.
var articles = map[string]bool{"al": true, "el": true, "ul": true}

func (n *Spoken) say(word string) {
	if articles[word] {
		return
	}
	if c := phonetic.Of(word); !c.Empty() && len(n.words) < maxBlockWords {
		n.words = append(n.words, c)
	}
}

// soundWords splits a name into words of their own script, folded.
func soundWords(name string) (words []string, dotted bool) {
	folded := text.Fold(norm.NFKC.String(text.Head(name, maxBlockRunes)))
	for w := range strings.FieldsFuncSeq(folded, func(r rune) bool {
		dotted = dotted || r == '·' || r == '・'
		return !unicode.In(r, unicode.Letter, unicode.Number, unicode.Mark, unicode.Cf) && r != '\'' && r != '’'
	}) {
		if len(words) == maxBlockWords {
			break
		}
		if strings.ContainsAny(w, "'’") {
			w = apostrophes.Replace(w)
		}
		words = append(words, w)
	}
	return words, dotted
}

var apostrophes = strings.NewReplacer("'", "", "’", "")

// Indexed lists the readings under which a name is found.
func (n Spoken) Indexed() []phonetic.Consonants {
	var room [8 * foreignReadings]phonetic.Reading
	var list []phonetic.Consonants
	most := indexedReadings
	if n.Foreign {
		most = foreignReadings
	}
	for i, c := range n.words {
		if i == n.single && !n.Foreign {
			most = 1 // neighbours are rarely written together
		}
		for _, r := range c.Readings(room[:0], most, indexedCost) {
			list = append(list, r.Consonants)
		}
	}
	return list
}

// Sound holds what a word, or two words together, may be in another script: the likely readings, those that are
// possible, and those that are far.
type Sound struct{ Likely, Possible, Far []phonetic.Consonants }

// Searched lists what the words of a name may be in another script.
func (n Spoken) Searched() []Sound {
	list := make([]Sound, 0, len(n.words))
	var room [512]phonetic.Reading
	for _, c := range n.words {
		var s Sound
		readings := n.searched(c, room[:0])
		for _, r := range readings {
			switch r.Cost -= readings[0].Cost; {
			case r.Cost <= likelyCost:
				s.Likely = append(s.Likely, r.Consonants)
			case r.Cost <= possibleCost:
				s.Possible = append(s.Possible, r.Consonants)
			default:
				s.Far = append(s.Far, r.Consonants)
			}
		}
		list = append(list, s)
	}
	return list
}

// searched returns the readings of a word and those with one consonant less or more.
func (n Spoken) searched(c phonetic.Code, room []phonetic.Reading) []phonetic.Reading {
	list := c.Readings(room, searchedReadings, searchedCost)
	for _, r := range list {
		if r.Cost > likelyCost {
			break
		}
		size := r.Consonants.Len()
		for i := range size {
			if cost := n.change(r.Consonants.At(i), size > 1, size >= fewestConsonants); cost > 0 {
				list = append(list, phonetic.Reading{Consonants: r.Consonants.Without(i), Cost: r.Cost + cost})
			}
		}
		for i := range size + 1 {
			for class := phonetic.Consonants(1); class <= phonetic.Classes; class++ {
				if cost := n.change(class, class == phonetic.Liquid, size >= fewestConsonants-1); cost > 0 {
					list = append(list, phonetic.Reading{Consonants: r.Consonants.With(i, class), Cost: r.Cost + cost})
				}
			}
		}
	}
	return phonetic.Likeliest(list, mostSearched)
}

// change returns the cost of a consonant that is left out or inserted, 0 if it may not be: a weak one where an eastern
// spelling has or lacks it, and any where whichever is true.
func (n Spoken) change(class phonetic.Consonants, weak, whichever bool) int {
	switch {
	case n.eastern && weak && (class == phonetic.Liquid || class == phonetic.Nasal):
		return easternChange
	case whichever:
		return anyChange
	}
	return 0
}

// Words returns the number of words of the name. It is less than that of its romanised words, if these are syllables.
func (n Spoken) Words() int { return n.single }
