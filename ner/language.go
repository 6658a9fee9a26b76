package ner

import "math/bits"

// findLanguages guesses the language of each sentence by its function words.
func (d *document) findLanguages() {
	d.tokenLanguages = make([]string, len(d.tokens))
	last := "en"
	for i := 0; i < len(d.tokens); {
		j := i + 1
		for j < len(d.tokens) && (!d.tokens[j].sentenceStart || !d.tokens[j].lineStart && !isStop(d.tokens[j-1].lower)) {
			j++
		}
		last = d.guess(d.tokens[i:j], last)
		for k := i; k < j; k++ {
			d.tokenLanguages[k] = last
			switch t := d.tokens[k]; {
			case t.word() && !t.capital:
				d.small[t.lower] = struct{}{}
			case t.word() && last == "en":
				d.english[t.lower] = struct{}{}
			}
		}
		i = j
	}
}

func isStop(s string) bool { return s == "." || s == "!" || s == "?" || s == ":" || s == "。" }

// guess counts; a sentence without two function words is in the language of
// the one before.
func (d *document) guess(tokens []token, last string) string {
	english, all := 0, 0
	var counts [64]int
	for _, t := range tokens {
		if !t.word() {
			continue
		}
		all++
		english += boolInt(d.sentenceStarters.has(t.lower) || d.commonStems.has(t.lower))
		if t.capital && !t.sentenceStart {
			continue
		}
		for b := d.languageBits[t.lower]; b != 0; b &= b - 1 {
			counts[bits.TrailingZeros64(b)]++
		}
	}
	best, most := "en", english
	for i, name := range d.languages {
		if n := counts[i]; n > most && n >= 2 {
			best, most = name, n
		}
	}
	if most < 2 && all > english {
		return last
	}
	return best
}

func (d *document) language(i int) string {
	if i < 0 || i >= len(d.tokenLanguages) {
		return "en"
	}
	return d.tokenLanguages[i]
}

func (d *document) englishAt(i int) bool { return d.language(i) == "en" }
