package ner

import "math/bits"

// Codes of languages that rules depend on. The list "nordic" of words/foreign.txt
// stands for several.
const (
	english = "en"
	german  = "de"
)

// findLanguages guesses the language of each sentence.
func (d *document) findLanguages() {
	last := english
	for i := 0; i < len(d.tokens); {
		j := i + 1
		for j < len(d.tokens) && !d.beginsSentence(j) {
			j++
		}
		last = d.guessLanguage(d.tokens[i:j], last)
		for range j - i {
			d.tokenLanguages = append(d.tokenLanguages, last)
		}
		i = j
	}
}

// isInLowercase reports whether the text also writes w in lower case.
func (d *document) isInLowercase(w string) bool {
	d.collectCases()
	return d.lowercase[w]
}

// isCapitalInEnglish reports whether w has a capital in an English sentence.
func (d *document) isCapitalInEnglish(w string) bool {
	d.collectCases()
	return d.englishCapitals[w]
}

// collectCases collects, once, how the text writes its words.
func (d *document) collectCases() {
	if d.lowercase != nil {
		return
	}
	d.lowercase, d.englishCapitals = map[string]bool{}, map[string]bool{}
	for i, t := range d.tokens {
		switch {
		case t.isLowercaseWord():
			d.lowercase[t.lower] = true
		case t.isWord() && d.isEnglish(i):
			d.englishCapitals[t.lower] = true
		}
	}
}

func (d *document) beginsSentence(j int) bool {
	t := d.tokens[j]
	return t.sentenceStart && (t.lineStart || isStop(d.tokens[j-1].lower))
}

func isStop(s string) bool { return s == "." || s == "!" || s == "?" || s == ":" || s == "。" }

// guessLanguage returns the language with the most function words in a sentence.
// A sentence with fewer than two is in the language of the sentence before it.
func (d *document) guessLanguage(sentence []token, last string) string {
	inEnglish, words := 0, 0
	var counts [64]int
	for _, t := range sentence {
		if !t.isWord() {
			continue
		}
		words++
		inEnglish += boolInt(t.stem)
		if t.capital && !t.sentenceStart {
			continue
		}
		if !d.Foreign.Has(t.lower) {
			continue
		}
		for b := d.LanguageBits[t.lower]; b != 0; b &= b - 1 {
			counts[bits.TrailingZeros64(b)]++
		}
	}
	best, most := english, inEnglish
	for i, language := range d.Languages {
		if n := counts[i]; n > most && n >= 2 {
			best, most = language, n
		}
	}
	if most < 2 && words > inEnglish {
		return last
	}
	return best
}

// language returns the language of the sentence of token i.
func (d *document) language(i int) string {
	if i < 0 || i >= len(d.tokenLanguages) {
		return english
	}
	return d.tokenLanguages[i]
}

func (d *document) isEnglish(i int) bool { return d.language(i) == english }
