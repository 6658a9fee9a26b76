package ner

import (
	"maps"
	"slices"
)

// findLanguages guesses the language of each sentence by its function words.
func (d *document) findLanguages() {
	d.langs = make([]string, len(d.toks))
	names := slices.Sorted(maps.Keys(d.languages))
	last := "en"
	for i := 0; i < len(d.toks); {
		j := i + 1
		for j < len(d.toks) && (!d.toks[j].first || !d.toks[j].line && !isStop(d.toks[j-1].low)) {
			j++
		}
		last = d.guess(names, d.toks[i:j], last)
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
func (d *document) guess(names []string, toks []token, last string) string {
	best, most, all := "en", 0, 0
	for _, t := range toks {
		if t.word() {
			all++
			most += boolInt(d.starters.has(t.low) || d.commonBase.has(t.low))
		}
	}
	english := most
	for _, name := range names {
		n := 0
		for _, t := range toks {
			n += boolInt(t.word() && d.languages[name].has(t.low) && (!t.cap || t.first))
		}
		if n > most && n >= 2 {
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
