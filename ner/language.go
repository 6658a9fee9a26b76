package ner

import "math/bits"

// findLanguages guesses the language of each sentence by its function words.
func (d *document) findLanguages() {
	d.langs = make([]string, len(d.toks))
	last := "en"
	for i := 0; i < len(d.toks); {
		j := i + 1
		for j < len(d.toks) && (!d.toks[j].first || !d.toks[j].line && !isStop(d.toks[j-1].low)) {
			j++
		}
		last = d.guess(d.toks[i:j], last)
		for k := i; k < j; k++ {
			d.langs[k] = last
			switch t := d.toks[k]; {
			case t.word() && !t.cap:
				d.small[t.low] = struct{}{}
			case t.word() && last == "en":
				d.english[t.low] = struct{}{}
			}
		}
		i = j
	}
}

func isStop(s string) bool { return s == "." || s == "!" || s == "?" || s == ":" || s == "。" }

// guess counts; a sentence without two function words is in the language of
// the one before.
func (d *document) guess(toks []token, last string) string {
	english, all := 0, 0
	var counts [64]int
	for _, t := range toks {
		if !t.word() {
			continue
		}
		all++
		english += boolInt(d.starters.has(t.low) || d.commonBase.has(t.low))
		if t.cap && !t.first {
			continue
		}
		for b := d.languageOf[t.low]; b != 0; b &= b - 1 {
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
	if i < 0 || i >= len(d.langs) {
		return "en"
	}
	return d.langs[i]
}

func (d *document) englishAt(i int) bool { return d.language(i) == "en" }
