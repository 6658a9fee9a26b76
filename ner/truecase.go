package ner

import "unicode/utf8"

// truecase restores the case of prose in runs of words in capitals: common words
// become lower case, other words keep an initial capital.
func (d *document) truecase() {
	for i := 0; i < len(d.tokens); {
		end, words := d.capitalsRun(i)
		for k := i; k < end; k++ {
			d.truecaseWord(k, words >= minShouted)
		}
		i = max(end, i+1)
	}
}

// minShouted is the number of words from which a run in capitals is shouting and
// no acronym.
const minShouted = 3

// capitalsRun returns the end of the run of capitals from token i, and its
// words. A short run ends with its line.
func (d *document) capitalsRun(i int) (end, words int) {
	for end = i; end < len(d.tokens); end++ {
		t := d.tokens[end]
		if t.isWord() && !t.allCaps && utf8.RuneCountInString(t.lower) > 1 || end > i && t.lineStart && words < minShouted {
			break
		}
		words += boolInt(t.isWord())
	}
	return end, words
}

func (d *document) truecaseWord(k int, shouted bool) {
	t := &d.tokens[k]
	if !t.isWord() || !t.allCaps {
		return
	}
	var (
		name    = d.MaybeGivenName(t.lower)
		common  = d.IsCommon(t.lower)
		format  = d.FormatNames.Has(t.lower)
		speaker = t.lineStart && d.at(k+1).lower == ":" && !common && !format
	)
	switch {
	case shouted && (common || d.Foreign.Has(t.lower)) && (!name || d.SentenceStarters.Has(t.lower)):
		t.capital, t.allCaps = d.OrgSuffixes.Has(t.lower) && d.at(k-1).capital, false
	case shouted && !format, name, speaker:
		t.allCaps = false
	}
}
