package forget

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/text"
)

// Request is a request to forget something that was said: "please forget everything about Ada".
type Request struct {
	tenure.Span // the sentence
	// What is what to forget, empty if the request does not say it. Words are its words that carry meaning.
	What  tenure.Span
	Words []tenure.Span
	// All reports whether all of it is meant, and not one thing that was said: "everything about Ada".
	All bool
	// Kept reports whether the request clearly means something that was said or is remembered: "that the code is 4711",
	// "what I said about the code", "the code, from your memory". "Forget the sofa" does not.
	Kept bool
	// Own reports whether what to forget is the speaker's ("my address"), or the speaker ("everything about me").
	Own bool
	// Limited reports whether the rest of the sentence may make an exception, or take the request back.
	Limited bool
	// Trigger is the verb.
	Trigger string
}

//go:embed words.txt
var table string

// phrases are the closed classes of words of requests to forget: each a list of phrases, the longest first, as their
// words.
var phrases = func() map[string][][]string {
	all := map[string][][]string{}
	for line := range strings.Lines(table) {
		class, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || line[0] == '#' {
			continue
		}
		for p := range strings.SplitSeq(list, "; ") {
			all[class] = append(all[class], strings.Fields(p))
		}
		slices.SortStableFunc(all[class], func(a, b []string) int { return len(b) - len(a) })
	}
	return all
}()

// mostRequests bounds the requests to forget of one text.
const mostRequests = 20

// Requests finds the requests to forget in a text, in their order. It holds for sentences that begin with the
// request, in any language that is read. "Forget" means what is remembered; "delete" and the like do only with
// "everything about", or with "from memory": else somebody is asked to do something in the world.
func Requests(s string) []Request {
	var list []Request
	for _, sentence := range sentencesOf(s) {
		if f, ok := newWish(s, sentence).read(); ok && len(list) < mostRequests {
			list = append(list, f)
		}
	}
	return list
}

// Proposed returns the statements of a text. Those that only say "forget" are made proposals if their sentence goes on
// with a proposal: "forget Monday, let's meet on Tuesday" retracts nothing.
func Proposed(s string, list []tenure.Statement) []tenure.Statement {
	out := slices.Clone(list)
	for i, st := range out {
		w := newWish(s, text.Span{From: st.Start, Until: st.End})
		if st.Act != tenure.Retracts || w.at("forget", w.skip("opening", 0, len(w.keys)), len(w.keys)) == 0 {
			continue
		}
		for _, o := range list[i:] {
			if o.Act == tenure.Proposes && o.Start >= st.End && !strings.ContainsAny(s[st.End:o.Start], ".!?\n") {
				out[i].Act = tenure.Proposes
			}
		}
	}
	return out
}

// splitter divides a text into sentences.
type splitter struct {
	text string
	from int // of the sentence
	// cited reports whether the line is quoted, and blank whether nothing of it was seen.
	cited, blank bool
	// quote is the mark that opened the quotation that the place is in, 0 in none; code reports whether it is in code.
	quote rune
	code  bool
	// begun reports whether the sentence has a letter or digit, and mine whether the first is neither quoted nor code.
	begun, mine bool
	list        []text.Span
}

// sentencesOf lists the sentences of a text that are its author's: those that begin in quotation marks, in quoted lines
// and in code are left out.
func sentencesOf(s string) []text.Span {
	p := splitter{text: s, blank: true}
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			p.begin()
		case strings.ContainsRune("\"“”«»„", r):
			p.mark(i, r)
		case p.fences(i):
			p.code = !p.code
		case r == '\n':
			p.add(i, next)
			p.cited, p.blank, p.quote = false, true, 0
			continue
		case r == '>' && p.blank:
			p.cited = true
		case strings.ContainsRune(".!?…", r) && ends(s, i, next):
			p.add(next, next)
		}
		p.blank = p.blank && unicode.IsSpace(r)
	}
	p.add(len(s), len(s))
	return p.list
}

// begin begins a sentence with its first letter or digit.
func (p *splitter) begin() {
	if !p.begun {
		p.begun, p.mine = true, p.quote == 0 && !p.code && !p.cited
	}
}

// fences reports whether a fence of code begins at i.
func (p *splitter) fences(i int) bool {
	return strings.HasPrefix(p.text[i:], "```") && (i == 0 || p.text[i-1] != '`')
}

// add ends a sentence; the next one begins at next.
func (p *splitter) add(until, next int) {
	if p.mine {
		p.list = append(p.list, text.Span{From: p.from, Until: until})
	}
	p.from, p.begun, p.mine = next, false, false
}

// mark opens or closes a quotation at the quotation mark at i. Those of the form « and those of the form " do not close
// each other.
func (p *splitter) mark(i int, mark rune) {
	const guillemets = "«»"
	within := p.quote != 0
	if within && strings.ContainsRune(guillemets, p.quote) != strings.ContainsRune(guillemets, mark) {
		return
	}
	opens := !within
	switch mark {
	case '„':
		opens = true
	case '“':
		opens = !closes(p.text, i)
	case '”':
		opens = false
	case '»':
		opens = !within && !closes(p.text, i)
	}
	p.quote = 0
	if opens {
		p.quote = mark
	}
}

// closes reports whether the quotation mark at i closes, as “ does in German.
func closes(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return i > 0 && !unicode.IsSpace(before) && before != '('
}

// ends reports whether the mark at i ends a sentence: white space or a quotation mark follows, and it is no full stop
// after a title or an initial.
func ends(s string, i, next int) bool {
	if next < len(s) {
		if r, _ := utf8.DecodeRuneInString(s[next:]); !unicode.IsSpace(r) && !strings.ContainsRune(`"”»«)“`, r) {
			return false
		}
	}
	if s[i] != '.' {
		return true
	}
	const longestTitle = 3
	from, letters := i, 0
	var first rune
	for from > 0 && letters <= longestTitle {
		r, n := utf8.DecodeLastRuneInString(s[:from])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		first, from, letters = r, from-n, letters+1
	}
	last := s[from:i]
	return !unicode.IsUpper(first) || letters > longestTitle || text.IsASCII(last) &&
		strings.ToUpper(last) == last && letters > 1
}

// wish is a sentence that may be a request to forget.
type wish struct {
	text  string
	spans []text.Span
	keys  []string // folded, without marks
	end   string   // what follows the last word
}

func newWish(s string, sentence text.Span) *wish {
	w := &wish{text: s}
	for _, p := range text.Words(s[sentence.From:sentence.Until]) {
		p.From, p.Until = p.From+sentence.From, p.Until+sentence.From
		w.spans = append(w.spans, p)
		w.keys = append(w.keys, text.Unmarked(s[p.From:p.Until]))
	}
	if n := len(w.spans); n > 0 {
		w.end = s[w.spans[n-1].Until:sentence.Until]
	}
	return w
}

// at returns how many words from i on, before hi, are a phrase of a class: 0 if none are.
func (w *wish) at(class string, i, hi int) int {
	for _, p := range phrases[class] {
		if i+len(p) <= hi && slices.Equal(w.keys[i:i+len(p)], p) {
			return len(p)
		}
	}
	return 0
}

// before returns how many words before hi, from lo on, are a phrase of a class.
func (w *wish) before(class string, lo, hi int) int {
	for _, p := range phrases[class] {
		if hi-len(p) >= lo && slices.Equal(w.keys[hi-len(p):hi], p) {
			return len(p)
		}
	}
	return 0
}

// skip returns the first word from i on that begins no phrase of a class.
func (w *wish) skip(class string, i, hi int) int {
	for n := w.at(class, i, hi); n > 0; n = w.at(class, i, hi) {
		i += n
	}
	return i
}

// cut returns the end of the words from lo on without the phrases of a class at their end.
func (w *wish) cut(class string, lo, hi int) int {
	for n := w.before(class, lo, hi); n > 0; n = w.before(class, lo, hi) {
		hi -= n
	}
	return hi
}

// verbs are the classes of the verbs that ask to forget.
var verbs = []string{"forget", "erase", "keep"}

// verb finds the verb of a request, and the words that say what to forget. In German the verb may come last.
func (w *wish) verb() (class, trigger string, lo, hi int) {
	n, asks := len(w.keys), false
	i := w.skip("opening", 0, n)
	if k := w.at("asking", i, n); k > 0 {
		asks, i = true, w.skip("opening", i+k, n)
	}
	if strings.Contains(w.end, "?") && !asks {
		return "", "", 0, 0
	}
	hi = w.cut("end", i, n)
	for _, class := range verbs {
		if k := w.at(class, i, hi); k > 0 {
			return class, w.between(i, i+k), w.skip("filler", i+k, hi), hi
		}
	}
	for _, class := range verbs[:2] {
		if k := w.before(class+" last", i, hi); k > 0 && i > 0 {
			return class, w.between(hi-k, hi), w.skip("filler", i, hi-k), hi - k
		}
	}
	return "", "", 0, 0
}

func (w *wish) between(lo, hi int) string { return w.text[w.spans[lo].From:w.spans[hi-1].Until] }

// read reads a sentence as a request to forget, if it is one.
func (w *wish) read() (Request, bool) {
	verb, trigger, lo, hi := w.verb()
	if verb == "" || w.at("not", lo, hi)+w.before("not", lo, hi) > 0 {
		return Request{}, false
	}
	f := Request{Trigger: trigger}
	lo, hi, f.Kept = w.fromMemory(lo, hi)
	asked := verb == "forget" || f.Kept
	switch {
	case w.at("all", lo, hi) > 0:
		f.All = true
		lo, hi, asked = w.everything(lo, hi, asked)
	case w.what(lo, hi) > 0:
		lo, hi = w.said(lo, hi)
		f.Kept, asked = true, lo > 0
	case verb == "forget" && w.at("that", lo, hi) > 0 && hi-lo > 3:
		f.Kept, lo = true, lo+1
	default:
		lo = w.skip("about", lo, hi)
	}
	until := w.clause(lo, hi)
	if !asked || until < hi && !f.All {
		return Request{}, false // "forget Monday, let's meet on Tuesday"
	}
	f.Limited = f.All && w.limited(lo, until, hi)
	ok := w.fill(&f, lo, until)
	return f, ok
}

// fill sets what to forget, and reports whether it is anything that a request can mean.
func (w *wish) fill(f *Request, lo, hi int) bool {
	f.Span = w.span(0, len(w.keys))
	for i := lo; i < hi; i++ {
		switch {
		case w.at("own", i, hi) > 0 && i+1 < hi, w.at("me", i, hi) > 0 && hi == lo+1:
			f.Own = true
		case w.at("function", i, hi) == 0:
			f.Words = append(f.Words, w.span(i, i+1))
		}
	}
	if hi > lo {
		f.What = w.span(lo, hi)
	}
	return len(f.Words) > 0 || f.All && (hi <= lo || f.Own)
}

func (w *wish) span(lo, hi int) tenure.Span {
	from, until := w.spans[lo].From, w.spans[hi-1].Until
	return tenure.Span{Start: from, End: until, Text: w.text[from:until]}
}

// fromMemory leaves out "from your memory" at either end.
func (w *wish) fromMemory(lo, hi int) (from, until int, found bool) {
	if n := w.at("memory", lo, hi); n > 0 {
		return lo + n, hi, true
	}
	n := w.before("memory", lo, hi)
	return lo, hi - n, n > 0
}

// everything reads "everything (that you know) about X": it returns the words for X, and whether that asks to forget.
func (w *wish) everything(lo, hi int, asked bool) (from, until int, ok bool) {
	lo += w.at("all", lo, hi)
	lo += w.at("noun", lo, hi)
	if n := w.at("known", lo, hi); n > 0 {
		lo, hi, asked = lo+n, hi-w.before("known last", lo+n, hi), true
	} else {
		lo += w.at("what", lo, hi)
		if n := w.at("said", lo, hi); n > 0 {
			lo, hi, asked = lo+n, hi-w.before("said last", lo+n, hi), true
		}
	}
	if n := w.at("about", lo, hi); n > 0 {
		return lo + n, hi, true
	}
	if n := w.at("on", lo, hi); n > 0 && asked {
		lo += n
	}
	return lo, hi, asked
}

// what returns how many words begin "what I said", and the like.
func (w *wish) what(lo, hi int) int {
	n := w.at("what", lo, hi)
	if n == 0 || w.at("said", lo+n, hi)+w.at("known", lo+n, hi)+w.at("known", lo, hi) == 0 {
		return 0
	}
	return n
}

// said reads "what I said about X": it returns the words for X, and 0 where it does not say about what.
func (w *wish) said(lo, hi int) (from, until int) {
	if n := w.at("known", lo, hi); n > 0 {
		lo += n
	} else {
		lo += w.at("what", lo, hi)
		lo += max(w.at("said", lo, hi), w.at("known", lo, hi))
	}
	n := max(w.at("about", lo, hi), w.at("on", lo, hi))
	if n == 0 {
		return 0, hi
	}
	hi -= max(w.before("said last", lo, hi), w.before("known last", lo, hi))
	return lo + n, hi
}

// limited reports whether a request for all, whose words begin at lo and whose clause ends before until, says before hi
// that it does not mean all, or takes itself back, or names others in a list.
func (w *wish) limited(lo, until, hi int) bool {
	if lo < hi && w.parted(lo) {
		until = lo
	}
	list := until < hi
	for i := lo; i < hi; i++ {
		if w.at("except", i, hi) > 0 || i >= until && w.at("held", i, hi) > 0 {
			return true
		}
		first, _ := utf8.DecodeRuneInString(w.text[w.spans[i].From:])
		list = list && (i < until || unicode.IsUpper(first) || w.at("list", i, hi) > 0)
	}
	return list
}

// clause returns where the words from lo on end before a comma, a dash or a bracket.
func (w *wish) clause(lo, hi int) int {
	for i := lo + 1; i < hi; i++ {
		if w.parted(i) {
			return i
		}
	}
	return hi
}

// parted reports whether a comma, a dash or a bracket is before the word at i, which is not the first.
func (w *wish) parted(i int) bool {
	gap := w.text[w.spans[i-1].Until:w.spans[i].From]
	return strings.ContainsAny(gap, ",;()–—") || strings.Contains(gap, " - ")
}
