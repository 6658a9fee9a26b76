package similarity

import (
	"sync"

	"tenure/text"
	"tenure/text/phonetic"
)

// Words of two scripts are compared by their sound. Scripts divide names differently: Korean and Chinese names are
// written in one block with the family name first, so that neighbouring words are also compared together.

// spoken is a run of words of a name, as it sounds.
type spoken struct {
	sound  phonetic.Code
	tokens uint32  // bit set of the tokens
	words  int     // written words
	info   float64 // information content, in nats
}

// mostSpoken bounds the words of a name of which runs are compared, too.
const mostSpoken = 4

// speak sets the script of a name, and what derives how its words sound where it is compared with a name in another
// script.
func (n *name) speak() {
	for i := range n.tokens {
		if t := &n.tokens[i]; t.script != text.Latin {
			n.script = t.script
		}
	}
	tokens := n.tokens
	n.spoken = sync.OnceValue(func() []spoken { return spokenOf(tokens) })
}

// spokenOf returns how the words of a name sound, alone and together.
func spokenOf(tokens []token) []spoken {
	var list []spoken
	for i := range tokens {
		t := &tokens[i]
		if t.goes && len(list) > 0 {
			last := &list[len(list)-1]
			last.tokens |= 1 << i
			last.info += t.info
			continue
		}
		list = append(list, spoken{tokens: 1 << i, words: 1, info: t.info})
	}
	for i := range list {
		list[i].sound = phonetic.Of(spelled(tokens, list[i].tokens))
	}
	words := list
	if len(words) < 2 || len(words) > mostSpoken {
		return list
	}
	for size := 2; size <= len(words); size++ {
		for from := 0; from+size <= len(words); from++ {
			list = append(list, together(words[from:from+size]))
		}
	}
	last := len(words) - 1
	list = append(list, together(words[last:], words[:last]))
	if last > 1 {
		list = append(list, together(words[1:], words[:1]))
	}
	return list
}

// spelled returns the tokens of one written word together.
func spelled(tokens []token, some uint32) string {
	w := ""
	for i := range tokens {
		if some>>i&1 == 1 {
			w += tokens[i].Whole()
		}
	}
	return w
}

func together(runs ...[]spoken) spoken {
	var all spoken
	var sounds []phonetic.Code
	for _, words := range runs {
		for _, w := range words {
			sounds = append(sounds, w.sound)
			all.tokens |= w.tokens
			all.words += w.words
			all.info += w.info
		}
	}
	all.sound = phonetic.Join(sounds...)
	return all
}

// farthestSound is the distance from which two words do not sound alike.
const farthestSound = 0.5

// pairSpoken pairs words of names in two scripts by their sound, closest first.
func (a *alignment) pairSpoken() {
	if a.across = a.l.script != a.r.script; !a.across {
		return
	}
	usedL, usedR := bits(&a.used[0]), bits(&a.used[1])
	left, right := a.l.spoken(), a.r.spoken()
	for {
		least, bi, bj := farthestSound, -1, -1
		for i := range left {
			s := &left[i]
			if s.tokens&usedL != 0 {
				continue
			}
			for j := range right {
				t := &right[j]
				if t.tokens&usedR != 0 || s.words > 1 && t.words > 1 {
					continue
				}
				if apart := 1 - phonetic.Closeness(s.sound, t.sound); apart < least {
					least, bi, bj = apart, i, j
				}
			}
		}
		if bi < 0 {
			return
		}
		s, t := &left[bi], &right[bj]
		usedL, usedR = usedL|s.tokens, usedR|t.tokens
		a.pairRuns(s, t, least)
	}
}

// pairRuns pairs two runs of words that sound alike.
func (a *alignment) pairRuns(s, t *spoken, apart float64) {
	first, second := -1, -1
	for i := range maxTokens {
		if s.tokens>>i&1 == 1 {
			a.used[0][i] = true
			first = max(first, i)
		}
		if t.tokens>>i&1 == 1 {
			a.used[1][i] = true
			second = max(second, i)
		}
	}
	if s.words == 1 && t.words == 1 {
		a.partner[first] = int8(second)
	}
	words := max(s.words, t.words)
	a.info += (1 - apart) * (1 - apart) * min(s.info, t.info)
	a.paired += words
	a.apart += apart * float64(words)
	a.v[nameScript] += float64(words) * apart * apart / (farthestSound * farthestSound)
}

func bits(used *[maxTokens]bool) uint32 {
	var set uint32
	for i, u := range used {
		if u {
			set |= 1 << i
		}
	}
	return set
}
