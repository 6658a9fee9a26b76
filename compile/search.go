package compile

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"tenure/ner/words"
	"tenure/text"
)

// askingWords say that something is asked or done, and nothing of what about, beside what [text.Terms] leaves out.
var askingWords = words.NewSet(`whose whom why how much many long often far old s t re ve ll d m
	may might must shall cannot am been being he she him her his hers it its them those these mine yours ours theirs
	someone anyone anybody somebody everyone something anything thing things some all no not only also just please
	use uses used using get gets got go goes going make makes made say says said tell tells told know knows knew
	need needs needed want wants wanted give gives given take takes keep keeps happen happens current currently
	now still today actually exactly again`)

// askedKind is what kind of thing a question asks for.
type askedKind int

const (
	anyKind  askedKind = iota
	aTime              // when, what day
	aNumber            // how many, how much
	somebody           // who
	aPlace             // where
)

// kindWords say, after what or which, that a time is asked for.
var kindWords = words.NewSet("time day date week month year weekday hour")

// search is what a query asks for, by its words.
type search struct {
	number map[string]int // of the terms, in order
	terms  []searchTerm
	kind   askedKind
	names  []string // the words that count, as written, and the runs of them
}

// searchTerm is a word of a query, as [text.Terms] has it.
type searchTerm struct {
	names bool // it names something: a capital within a sentence, a digit
	taken bool // it is part of the name of what was asked about
}

// searchOf reads a query. The words are those of wordsOf.
func searchOf(query string, list []word) search {
	s := search{number: map[string]int{}, kind: kindOf(list)}
	lexicon, counts := words.Load(), make([]bool, len(list))
	for i, w := range list {
		if askingWords.Has(w.key) || lexicon.Foreign.Has(w.key) && !lexicon.IsCommon(w.key) ||
			i > 0 && kindWords.Has(w.key) && asksWhich(list[i-1]) {
			continue
		}
		text.Terms(query[w.From:w.Until], nil, func(term []byte) {
			counts[i] = true
			if _, ok := s.number[string(term)]; !ok {
				s.number[string(term)] = len(s.terms)
				s.terms = append(s.terms, searchTerm{names: namesSomething(list, i), taken: w.taken})
			}
		})
	}
	s.names = runsOf(query, list, counts)
	return s
}

// runsOf lists the runs of words that count, and each of the words.
func runsOf(query string, list []word, counts []bool) (names []string) {
	add := func(from, until int) {
		if name := query[list[from].From:list[until].Until]; len(names) < askedNames && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := 0; i < len(list); i++ {
		from := i
		for counts[i] && i+1 < len(list) && counts[i+1] && list[i+1].joined {
			i++
		}
		if i > from {
			add(from, i)
		}
		for j := from; counts[i] && j <= i; j++ {
			add(j, j)
		}
	}
	return names
}

func asksWhich(w word) bool { return w.key == "what" || w.key == "which" }

// namesSomething reports whether a word can stand for one thing alone: one with a capital within a sentence, or with a
// digit, but for dates.
func namesSomething(list []word, i int) bool {
	w, calendar := list[i], words.Load().CalendarWords
	beside := func(j int) bool { return j >= 0 && j < len(list) && calendar.Has(list[j].key) }
	switch {
	case calendar.Has(w.key):
		return false
	case strings.ContainsAny(w.key, "0123456789"):
		return !beside(i-1) && !beside(i+1)
	}
	return i > 0 && w.capital
}

// kindOf returns the kind of thing that the first question word asks for.
func kindOf(list []word) askedKind {
	for i, w := range list {
		next := ""
		if i+1 < len(list) {
			next = list[i+1].key
		}
		switch {
		case w.key == "when", asksWhich(w) && kindWords.Has(next), w.key == "how" && next == "long":
			return aTime
		case w.key == "how" && next != "":
			return aNumber
		case w.key == "who", w.key == "whom", w.key == "whose":
			return somebody
		case w.key == "where":
			return aPlace
		}
	}
	return anyKind
}

// smallNumbers are numbers in words.
var smallNumbers = words.NewSet(`zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty
	fifty sixty hundred thousand million dozen half none`)

// answers reports whether a text has something of the kind that is asked for.
func (k askedKind) answers(content string) bool {
	if k == anyKind {
		return false
	}
	calendar := words.Load().CalendarWords
	for i, span := range text.Words(content) {
		written := content[span.From:span.Until]
		first, _ := utf8.DecodeRuneInString(written)
		digit, key := first >= '0' && first <= '9', nameKey(written)
		switch k {
		case aTime:
			if digit || calendar.Has(key) {
				return true
			}
		case aNumber:
			if digit || smallNumbers.Has(key) {
				return true
			}
		case somebody, aPlace:
			if i > 0 && strings.ToLower(written[:1]) != written[:1] && key != "i" && !calendar.Has(key) {
				return true
			}
		}
	}
	return false
}

// found is how well a text fits a search.
type found struct {
	score   float64
	matched float64 // of the terms that count; one that is only in a synonym counts half
	counted int     // terms that count
	lacks   bool    // a term that names something
	answers float64 // 1 if it has something of the kind that is asked for
}

// hasMost reports whether a text has more than half of the terms, or in a synonym the only one, and all that name
// something.
func (f found) hasMost() bool {
	return !f.lacks && (2*f.matched > float64(f.counted) || f.counted == 1 && f.matched > 0)
}

// asksOfNamed reports whether a text about what the query names has half of what is asked beside the name, the kind of
// the answer included.
func (s search) asksOfNamed(f found) bool {
	asked := float64(f.counted)
	if s.kind != anyKind {
		asked++
	}
	return 2*(f.matched+f.answers) >= asked
}

// answersCount is what counts, beside the words, that a text has something of the kind that is asked for.
const answersCount = 1

// document is a text that is searched. Synonyms are terms of the search that other words of the text stand for.
type document struct {
	parts    []string
	synonyms []int
	about    bool // it is about what was asked: the words of its name do not count
}

// find compares documents with a search, by BM25 among themselves.
func (s search) find(docs []document) []found {
	n := len(s.terms)
	counts, lengths := make([]float64, n*len(docs)), make([]int, len(docs))
	var room []byte
	for i, d := range docs {
		mine := counts[i*n : (i+1)*n]
		for _, part := range d.parts {
			room = text.Terms(part, room, func(term []byte) {
				lengths[i]++
				if t, ok := s.number[string(term)]; ok {
					mine[t]++
				}
			})
		}
		for _, t := range d.synonyms {
			if mine[t] == 0 {
				mine[t] = synonymCount
			}
		}
	}
	list := make([]found, len(docs))
	for i, score := range bm25(counts, n, lengths) {
		f := found{score: score}
		for t, c := range counts[i*n : (i+1)*n] {
			if docs[i].about && s.terms[t].taken {
				continue
			}
			f.counted++
			f.matched += min(c, 1)
			f.lacks = f.lacks || c < 1 && s.terms[t].names
		}
		list[i] = f
	}
	return list
}

// bm25 scores documents by the counts of n terms in each, and by their lengths.
func bm25(counts []float64, n int, lengths []int) []float64 {
	holders, total := make([]int, n), 0
	for i, length := range lengths {
		total += length
		for t, c := range counts[i*n : (i+1)*n] {
			if c > 0 {
				holders[t]++
			}
		}
	}
	size := float64(len(lengths))
	average := max(float64(total)/max(size, 1), 1)
	scores := make([]float64, len(lengths))
	for i, length := range lengths {
		norm := bm25K * (1 - bm25B + bm25B*float64(length)/average)
		for t, c := range counts[i*n : (i+1)*n] {
			if c > 0 {
				rare := math.Log(1 + (size-float64(holders[t])+.5)/(float64(holders[t])+.5))
				scores[i] += rare * c * (bm25K + 1) / (c + norm)
			}
		}
	}
	return scores
}

// best lists the places of the documents that are kept, the best first: those that pass, of at least half of the best
// score, at most a number.
func best(list []found, limit int, passes func(i int) bool) []int {
	var kept []int
	top := 0.0
	for i, f := range list {
		if passes(i) {
			kept = append(kept, i)
			top = max(top, f.score)
		}
	}
	kept = slices.DeleteFunc(kept, func(i int) bool { return list[i].score < top/2 })
	slices.SortStableFunc(kept, func(i, j int) int { return cmp.Compare(list[j].score, list[i].score) })
	return kept[:min(len(kept), limit)]
}
