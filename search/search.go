// Package search finds texts by the words of a query.
//
// It drops the words that only phrase the question, and ranks texts by the others with BM25. It knows nothing of
// entities and beliefs. Which texts pass, and why, is in docs/adr/0039-what-is-found-by-words.md.
package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure/ner/words"
	"tenure/text"
)

// The parameters of BM25.
const (
	bm25K = 1.2
	bm25B = 0.75
)

// SynonymCount is what a word of a query counts that a text has only in a synonym.
const SynonymCount = .5

// askedNames bounds the names that are looked for.
const askedNames = 16

// Word is a word of a query.
type Word struct {
	text.Span
	Key     string // folded
	Capital bool   // written with a capital, where that means something
	Taken   bool   // part of the name of what was asked about
	Joined  bool   // follows the word before without anything but a space
}

// askingWords phrase a question and do not say what it is about; [text.Terms] leaves out others.
var askingWords = words.NewSet(`whose whom why how much many long often far old s t re ve ll d m
	may might must shall cannot am been being he she him her his hers it its them those these mine yours ours theirs
	someone anyone anybody somebody everyone something anything thing things some all no not only also just please
	use uses used using get gets got go goes going make makes made say says said tell tells told know knows knew
	need needs needed want wants wanted give gives given take takes keep keeps happen happens current currently
	now still today actually exactly again everybody everywhere else do does doing done come comes coming came
	stay stays hold holds held put`)

// orderingWords ask for something where a query begins with them: "list all offices".
var orderingWords = words.NewSet(`list show name find describe summarize summarise recall remind explain enumerate`)

// Kind is what kind of thing a question asks for.
type Kind int

// The kinds.
const (
	Anything Kind = iota
	ATime         // when, what day
	ANumber       // how many, how much
	Somebody      // who
	APlace        // where
)

// kindWords say, after what or which, that a time is asked for.
var kindWords = words.NewSet("time day date week month year weekday hour")

// Query is what a query asks for, by its words.
type Query struct {
	Number map[string]int // of the terms: their places
	terms  []asked
	Kind   Kind     // of the answer
	Names  []string // the words that count, as written, and the runs of them
}

// mostParts bounds the questions of a query that are read by themselves: the last has the rest.
const mostParts = 4

// Parts reads the questions of a query each by itself: "how big is the cache, and what eviction does it use?" A query
// with one question has one part.
func Parts(query string, list []Word) []Query {
	var parts []Query
	from := 0
	for i := 2; i < len(list); i++ {
		if i-from > 1 && len(parts)+1 < mostParts && questionWords.Has(list[i].Key) && joinsQuestions(query, list, i) {
			parts, from = append(parts, Of(query, list[from:i])), i
		}
	}
	return append(parts, Of(query, list[from:]))
}

// joinsQuestions reports whether another question begins with a question word: after "and", or after a question mark.
func joinsQuestions(query string, list []Word, i int) bool {
	before := i - 1
	if before > 0 && !conjunctions.Has(list[before].Key) && conjunctions.Has(list[before-1].Key) {
		before-- // "and in which"
	}
	return conjunctions.Has(list[before].Key) || strings.Contains(query[list[i-1].Until:list[i].From], "?")
}

var (
	questionWords = words.NewSet(`what which who whom whose when where how why was welche welcher welches wer wem wann wo wie
		qui quoi quel quelle quand combien comment que quien cual cuando donde cuanto cuanta como`)
	conjunctions = words.NewSet("and or plus und oder et ou y o")
)

// Empty reports whether a query has no words that count.
func (q Query) Empty() bool { return len(q.terms) == 0 }

// asked is a word of a query, as [text.Terms] has it.
type asked struct {
	term    string
	written string // folded
	names   bool   // it names something: a capital within a sentence, a digit
	date    bool   // it says when
	taken   bool   // it is part of the name of what was asked about
}

// Sought is a term of a query.
type Sought struct {
	Term    string // as [text.Terms] has it
	Written string // folded
	Names   bool   // it names something: a text that matches has it
	Date    bool   // it says when: a text that matches need not have it
}

// Sought lists the terms of a query in their order.
func (q Query) Sought() []Sought {
	list := make([]Sought, len(q.terms))
	for i, t := range q.terms {
		list[i] = Sought{Term: t.term, Written: t.written, Names: t.names, Date: t.date}
	}
	return list
}

// Of reads a query, of which these are the words.
func Of(query string, list []Word) Query {
	q := Query{Number: map[string]int{}, Kind: kindOf(list)}
	lexicon, counts, begins := words.Load(), make([]bool, len(list)), true
	for i, w := range list {
		asks := askingWords.Has(w.Key) || begins && i+1 < len(list) && orderingWords.Has(w.Key)
		begins = begins && asks
		if asks || refersToScope(list, i) || lexicon.Foreign.Has(w.Key) && !lexicon.IsCommon(w.Key) ||
			i > 0 && kindWords.Has(w.Key) && asksWhich(list[i-1]) {
			continue
		}
		text.Terms(query[w.From:w.Until], nil, func(term []byte) {
			counts[i] = true
			if _, ok := q.Number[string(term)]; !ok {
				q.Number[string(term)] = len(q.terms)
				a := weigh(list, i)
				a.term, a.written = string(term), w.Key
				q.terms = append(q.terms, a)
			}
		})
	}
	q.Names = runsOf(query, list, counts)
	return q
}

// scopeWords are words for what a request is made in, after one of ours: "this project", "our team".
var (
	scopeWords = words.NewSet(`project case matter job repo repository team company firm organization organisation office
		workspace session conversation chat thread task engagement`)
	ours = words.NewSet("this our my the current")
)

// refersToScope reports whether a word says no more than where the question is asked: "Which database do we use in this
// project?" asks for a database.
func refersToScope(list []Word, i int) bool {
	if i == 0 || !scopeWords.Has(list[i].Key) || list[i].Capital || list[i].Taken {
		return false
	}
	before := list[i-1].Key
	if before == "the" {
		return i > 1 && (list[i-2].Key == "in" || list[i-2].Key == "for") && i == len(list)-1
	}
	return ours.Has(before)
}

// runsOf lists the runs of words that count, and each of the words.
func runsOf(query string, list []Word, counts []bool) (names []string) {
	add := func(from, until int) {
		if name := query[list[from].From:list[until].Until]; len(names) < askedNames && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := 0; i < len(list); i++ {
		from := i
		for counts[i] && i+1 < len(list) && counts[i+1] && list[i+1].Joined {
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

func asksWhich(w Word) bool { return w.Key == "what" || w.Key == "which" }

// weigh classifies a word. One with a capital within a sentence, or with a digit, names one thing; calendar words, and
// numbers beside them, are dates, which a text that matches need not have.
func weigh(list []Word, i int) asked {
	w, calendar := list[i], words.Load().CalendarWords
	is := func(j int) bool { return j >= 0 && j < len(list) && calendar.Has(list[j].Key) }
	digit := strings.ContainsAny(w.Key, "0123456789")
	date := is(i) || digit && (is(i-1) || is(i+1))
	return asked{names: !date && (digit || i > 0 && w.Capital), date: date, taken: w.Taken}
}

// kindOf returns the kind of thing that the first question word asks for.
func kindOf(list []Word) Kind {
	for i, w := range list {
		next := ""
		if i+1 < len(list) {
			next = list[i+1].Key
		}
		switch {
		case w.Key == "when", asksWhich(w) && kindWords.Has(next), w.Key == "how" && next == "long":
			return ATime
		case w.Key == "how" && howMany(next):
			return ANumber
		case w.Key == "who", w.Key == "whom", w.Key == "whose":
			return Somebody
		case w.Key == "where":
			return APlace
		}
	}
	return Anything
}

// howMany reports whether a word after "how" asks for a number: "many" and "wide" do, "does" and "about" do not.
func howMany(next string) bool {
	return next != "" && !askingVerbs.Has(next)
}

// askingVerbs are what stands after "how" where it asks in which way.
var askingVerbs = words.NewSet(`do does did is are was were am be been has have had can could shall should will would may
	might must about to`)

// smallNumbers are numbers in words.
var smallNumbers = words.NewSet(`zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty
	fifty sixty hundred thousand million dozen half none`)

// answers reports whether a text has something of the kind that is asked for.
func (k Kind) answers(content string) bool {
	if k == Anything {
		return false
	}
	spans := text.Words(content)
	before := ""
	for i, span := range spans {
		written := content[span.From:span.Until]
		key := text.Fold(written)
		if k.answeredBy(written, key, before, i == 0) {
			return true
		}
		before = key
	}
	return false
}

// answeredBy reports whether a word, with the one before it, is of the kind.
func (k Kind) answeredBy(written, key, before string, begins bool) bool {
	digit, small := written[0] >= '0' && written[0] <= '9', smallNumbers.Has(key)
	calendar := words.Load().CalendarWords.Has(key)
	switch k {
	case ATime:
		return digit || calendar || clockWords.Has(before) && (small || middays.Has(key))
	case ANumber:
		return digit || small
	case Somebody:
		return isName(written, key, begins)
	case APlace:
		plain := !digit && !calendar && !small
		return isPlace(key, before, plain) || isName(written, key, begins)
	}
	return false
}

// isPlace reports whether a word is one for a place, or stands where a place does. Plain reports whether it is neither
// a number nor of the calendar.
func isPlace(key, before string, plain bool) bool {
	return places.Has(key) || plain && placing.Has(before)
}

// isName reports whether a word is written as a name; where it begins a text it has its capital anyhow, and may be no
// ordinary word.
func isName(written, key string, begins bool) bool {
	lexicon := words.Load()
	first, _ := utf8.DecodeRuneInString(written)
	return unicode.IsUpper(first) && key != "i" && !lexicon.CalendarWords.Has(key) && (!begins || !lexicon.IsCommon(key))
}

var (
	clockWords = words.NewSet("at by from until till before after um à a las")
	middays    = words.NewSet("noon midnight half quarter")
	placing    = words.NewSet("in at to into inside near im am en au aux dans chez")
	// places are words for places that have a number or a letter, or are one of their kind.
	places = words.NewSet(`room hall gate floor desk street road lane avenue platform building bay station square gym court
		park pier dock house office raum halle saal straße platz bahnhof salle rue place gare sala calle plaza`)
)

// Found is how well a text fits a search.
type Found struct {
	score   float64
	matched float64 // of the terms that count; one that is only in a synonym counts half
	counted int     // terms that count
	lacks   bool    // a term that names something
	names   bool    // it has a term that names something
	answers float64 // 1 if it has something of the kind that is asked for
}

// Score returns by how much a text fits, among those that it was compared with.
func (f Found) Score() float64 { return f.score }

// HasMost reports whether a text has all naming terms and more than half of all terms, where the kind of answer asked
// for counts as half a term; or the only term, if just as a synonym.
func (f Found) HasMost() bool {
	return !f.lacks && f.matched > 0 && (2*f.matched+f.answers > float64(f.counted) || f.counted == 1)
}

// HasHalf reports whether a text has at least half of the terms, and all that name something.
func (f Found) HasHalf() bool { return !f.lacks && f.counted > 0 && 2*f.matched >= float64(f.counted) }

// HasNearlyAll reports whether a text has at least three quarters of the terms.
func (f Found) HasNearlyAll() bool { return f.counted > 0 && 4*f.matched >= 3*float64(f.counted) }

// HasNames reports whether a query has naming terms, and the text has all of them.
func (f Found) HasNames() bool { return f.names && !f.lacks }

// AsksOfNamed reports whether a text about what the query names has half of what is asked beside the name, the kind of
// the answer included.
func (q Query) AsksOfNamed(f Found) bool {
	asked := float64(f.counted)
	if q.Kind != Anything {
		asked++
	}
	return 2*(f.matched+f.answers) >= asked
}

// answersCount is what counts, beside the words, that a text has something of the kind that is asked for.
const answersCount = 1

// Document is a text that is searched. Synonyms are terms of the search that other words of the text stand for.
type Document struct {
	Parts    []string
	Synonyms []int
	About    bool   // it is about what the query names: the words of the name do not count
	Answer   string // the part that may have something of the kind that is asked for, if any may
}

// tally counts the terms of the query in documents: by document, and flat, with the lengths of the documents.
func (q Query) tally(docs []Document) (of [][]float64, flat []float64, lengths []int) {
	n := len(q.terms)
	flat, lengths, of = make([]float64, n*len(docs)), make([]int, len(docs)), make([][]float64, len(docs))
	var room []byte
	for i, d := range docs {
		mine := flat[i*n : (i+1)*n]
		of[i] = mine
		for _, part := range d.Parts {
			room = text.Terms(part, room, func(term []byte) {
				lengths[i]++
				if t, ok := q.Number[string(term)]; ok {
					mine[t]++
				}
			})
		}
		for _, t := range d.Synonyms {
			if mine[t] == 0 {
				mine[t] = SynonymCount
			}
		}
	}
	return of, flat, lengths
}

// Find compares documents with a search, by BM25 among themselves.
func (q Query) Find(docs []Document) []Found {
	counts, flat, lengths := q.tally(docs)
	list, scores := make([]Found, len(docs)), BM25(flat, len(q.terms), lengths)
	for i, d := range docs {
		f := q.found(counts[i], d.About)
		f.score = scores[i]
		if d.Answer != "" && q.Kind.answers(d.Answer) {
			f.answers = 1
			f.score += answersCount
		}
		list[i] = f
	}
	return list
}

// Coverage is what documents have together of what a query asks for.
type Coverage struct {
	Docs  []int // the documents with a term of the query; of what a document is about, its name is none
	Terms int   // the terms that they have
}

// Covered returns the number of terms that count of a query beside the names in it, and what documents have of them.
// Dates, which a text that matches need not have, count for neither.
func (q Query) Covered(docs []Document) (asked int, found Coverage) {
	counts, _, _ := q.tally(docs)
	for t, term := range q.terms {
		if term.date || term.taken {
			continue
		}
		asked++
		if slices.ContainsFunc(counts, func(of []float64) bool { return of[t] > 0 }) {
			found.Terms++
		}
	}
	for i, of := range counts {
		for t, term := range q.terms {
			if of[t] > 0 && !term.date && (!term.taken || !docs[i].About) {
				found.Docs = append(found.Docs, i)
				break
			}
		}
	}
	return asked, found
}

// found judges the counts of the terms in a document.
func (q Query) found(counts []float64, about bool) (f Found) {
	for t, c := range counts {
		if about && q.terms[t].taken || c == 0 && q.terms[t].date {
			continue
		}
		f.counted++
		f.matched += min(c, 1)
		f.lacks = f.lacks || c < 1 && q.terms[t].names
		f.names = f.names || c >= 1 && q.terms[t].names
	}
	return f
}

// BM25 scores documents by the counts of n terms in each, and by their lengths.
func BM25(counts []float64, n int, lengths []int) []float64 {
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

// Best returns the indices of at most limit documents that pass, best first. It drops those with less than half of the
// best score and fewer matched terms than the best: documents that match alike answer as a list.
func Best(list []Found, limit int, passes func(i int) bool) []int {
	var kept []int
	var top Found
	for i, f := range list {
		if passes(i) {
			kept = append(kept, i)
			if f.score > top.score {
				top = f
			}
		}
	}
	kept = slices.DeleteFunc(kept, func(i int) bool {
		return list[i].score < top.score/2 && list[i].matched < top.matched
	})
	slices.SortStableFunc(kept, func(i, j int) int { return cmp.Compare(list[j].score, list[i].score) })
	return kept[:min(len(kept), limit)]
}

// Answers reports whether a text has something of the kind that the query asks for; somebody may be meant by where they
// are reached.
func (q Query) Answers(content string) bool {
	return q.Kind.answers(content) || q.Kind == Somebody && IsContact(content)
}

// Fits reports whether a text has the kind of answer that the query asks for, if any.
func (q Query) Fits(f Found) bool { return q.Kind == Anything || f.answers > 0 }

// MayAnswer reports whether a text has the kind of answer asked for or, if none is, any term of the query.
func (q Query) MayAnswer(f Found) bool {
	return f.answers > 0 || q.Kind == Anything && f.matched > 0
}
