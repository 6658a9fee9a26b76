package clauses

import "tenure/statements/lex"

// Clause is a part of a sentence that says one thing. Its methods take places among its tokens.
type Clause struct {
	Tokens   []lex.Token // without fillers and stutters; the places of their hits are among them
	Text     string      // the whole text, of which the tokens are
	Language string
	Sentence int  // counts the sentences of the text
	Opens    bool // it is the first clause of its sentence
	Asked    bool // its sentence ends in a question mark
	Listed   bool // a colon stands before it
	Line     int  // counts the lines of the text
	Item     bool // its line begins with the mark of a list
}

// longestClause bounds the tokens of a clause; longer ones are cut.
const longestClause = 70

// most bounds the clauses of a text.
const most = 500

// Of returns the clauses of a text, by its tokens, which have no classes yet, and its language, which is one that is
// read. Of a text of more than 500 clauses it returns the first ones.
func Of(text string, tokens []lex.Token, language string) []Clause {
	list := divided(text, lex.Marked(tokens, language), language)
	for _, c := range list {
		lex.Remark(c.Tokens, language)
	}
	return list
}

// divided divides a text into sentences at the ends of sentences and lines, and these into clauses.
func divided(text string, tokens []lex.Token, language string) []Clause {
	var list []Clause
	sentence, line, begin := 0, 0, 0
	item := false
	flush := func(end int, asked bool) {
		part := trimPunct(tokens[begin:end])
		if len(part) > 0 {
			list = append(list, parts(Clause{Tokens: part, Text: text, Language: language, Asked: asked, Sentence: sentence,
				Line: line, Item: item})...)
		}
		sentence++
	}
	for i, t := range tokens {
		if len(list) >= most {
			return list[:most]
		}
		switch {
		case t.Kind == lex.Break:
			flush(i, false)
			begin, line, item = i+1, line+1, false
		case t.Kind == lex.Punct && isBullet(t.Low) && begin == i:
			begin, item = i+1, true
		case endsSentence(tokens, i):
			flush(i, t.Low[0] == '?' || len(t.Low) > 1 && t.Low[len(t.Low)-1] == '?')
			begin = i + 1
		case i-begin >= longestClause:
			flush(i, false)
			begin = i
		}
	}
	flush(len(tokens), false)
	return list[:min(len(list), most)]
}

var (
	bullets, brackets    = lex.Words("bullet"), lex.Words("bracket")
	signs, abbreviations = lex.Words("sign"), lex.Words("abbreviation")
)

func isBullet(s string) bool { return bullets[s] }

func isBracket(s string) bool { return brackets[s] }

// IsSign reports whether a sign belongs to the value that it stands before.
func IsSign(s string) bool { return signs[s] }

// endsSentence reports whether the sign at i ends a sentence. A point after an abbreviation does not.
func endsSentence(tokens []lex.Token, i int) bool {
	t := tokens[i]
	if t.Kind != lex.Punct {
		return false
	}
	switch t.Low[0] {
	case '!', '?', ';':
		return true
	case '.':
		return len(t.Low) > 1 || i == 0 || !isAbbreviation(tokens, i)
	}
	return t.Low == "…" || t.Low == "¿" || t.Low == "¡"
}

func isAbbreviation(tokens []lex.Token, i int) bool {
	before := tokens[i-1]
	if before.End != tokens[i].Start || i+1 >= len(tokens) || tokens[i+1].Kind == lex.Break {
		return false
	}
	if before.Kind == lex.Number && i+1 < len(tokens) && tokens[i+1].Is(lex.Month) {
		return true
	}
	return abbreviations[before.Low] && (before.Low != "no" || tokens[i+1].Kind == lex.Number) ||
		len(before.Low) == 1 && before.Capital
}

func trimPunct(list []lex.Token) []lex.Token {
	for len(list) > 0 && list[0].Kind == lex.Punct && !IsSign(list[0].Low) {
		list = list[1:]
	}
	for len(list) > 0 && (list[len(list)-1].Kind == lex.Punct && list[len(list)-1].Low != "%") {
		list = list[:len(list)-1]
	}
	return list
}

// parts divides a sentence at conjunctions and commas where both sides say something.
func parts(c Clause) []Clause {
	c.Tokens = withoutFillers(c.Tokens)
	if len(c.Tokens) == 0 {
		return nil
	}
	var list []Clause
	begin := 0
	for i := 1; i < len(c.Tokens); i++ {
		from := boundary(c.Tokens, begin, i)
		if from == 0 {
			continue
		}
		end := i
		if c.Tokens[i].Kind == lex.Emoji {
			end = i + 1
		}
		if p := trimPunct(c.Tokens[begin:end]); len(p) > 0 {
			next := c
			next.Tokens, next.Opens, next.Listed = p, len(list) == 0, begin > 0 && c.Tokens[begin-1].Low == ":"
			list = append(list, next)
		}
		begin = from
	}
	if p := trimPunct(c.Tokens[begin:]); len(p) > 0 {
		c.Opens, c.Listed = len(list) == 0, begin > 0 && c.Tokens[begin-1].Low == ":"
		c.Tokens = p
		list = append(list, c)
	}
	return list
}

// boundary returns where the clause after the one from begin on begins, if a new one does at i; else 0.
func boundary(tokens []lex.Token, begin, i int) int {
	switch t := tokens[i]; {
	case t.Kind == lex.Emoji && lex.At(tokens, i+1).Kind != lex.Emoji:
		return i + 1
	case t.Kind == lex.Punct:
		return afterPunct(tokens, begin, i)
	case t.Is(lex.Split) && tokens[i-1].Low != ",":
		if (finite(tokens[begin:i]) || tokens[begin].Is(lex.Split)) && ownClause(tokens, i+1) {
			return i
		}
	case i > begin+1 && runsOn(tokens, i) && finite(tokens[begin:i]) && !reports(tokens[begin:i]):
		return i
	}
	return 0
}

// runsOn reports whether a clause begins at i without any sign before it: "its in slough we are done".
func runsOn(tokens []lex.Token, i int) bool {
	t, next := tokens[i], lex.At(tokens, i+1)
	begins := t.Is(lex.Pronoun) && !t.Is(lex.Det|lex.Prep|lex.Conj)
	return begins && next.Is(lex.Be|lex.Have|lex.Modal) && mayEnd(tokens[i-1])
}

// afterPunct is boundary for a sign.
func afterPunct(tokens []lex.Token, begin, i int) int {
	left := tokens[begin:i]
	switch low := tokens[i].Low; {
	case isBracket(low), isBullet(low) && (spacedDash(tokens, i) || low == "—" || low == "--"):
		return i + 1
	case low == ",":
		return afterComma(tokens, begin, i)
	case low == ":" && (finite(left) || OnlyReply(left) || tokens[begin].Is(lex.Request)):
		return i + 1
	}
	return 0
}

// mayEnd reports whether a clause may end with a token.
func mayEnd(t lex.Token) bool {
	return !t.Is(lex.Prep|lex.Conj|lex.Verb|lex.Be|lex.Have|lex.Modal|lex.Det|lex.Not|lex.Question) && t.Low != ","
}

// reports reports whether a clause has a word of saying or thinking, after which another clause may be its object.
func reports(tokens []lex.Token) bool {
	for _, t := range tokens {
		if t.Is(lex.Say|lex.Suppose|lex.Question|lex.Likely) || t.Low == "that" {
			return true
		}
	}
	return false
}

func spacedDash(tokens []lex.Token, i int) bool {
	return i+1 < len(tokens) && tokens[i-1].End < tokens[i].Start && tokens[i].End < tokens[i+1].Start
}

// IsDash reports whether the sign at i, which is not the first, is a dash between words and not within one.
func IsDash(tokens []lex.Token, i int) bool { return isBullet(tokens[i].Low) && spacedDash(tokens, i) }

// afterComma returns where the clause after a comma begins, 0 if the comma does not end one.
func afterComma(tokens []lex.Token, begin, i int) int {
	if i+1 >= len(tokens) {
		return 0
	}
	left, right := tokens[begin:i], i+1
	if OnlyReply(left) {
		return right
	}
	if tokens[i-1].Is(lex.Repair) && len(left) > 1 && left[len(left)-2].Kind == lex.Punct {
		return 0 // "room 12, no, room 14"
	}
	if finite(left) && ownClause(tokens, right) {
		return right
	}
	if attributeFollows(tokens, right) {
		return right
	}
	if !finite(left) && HasValue(left) && (itemFollows(tokens, right) || ownClause(tokens, right)) {
		return right
	}
	return 0
}

// OnlyReply reports whether tokens are a mere yes, no, greeting or lead-in.
func OnlyReply(tokens []lex.Token) bool {
	for _, t := range tokens {
		word := t.Is(lex.Yes | lex.No | lex.Lead | lex.Filler | lex.Irony)
		if t.Kind != lex.Punct && !word && t.Within&(lex.Yes|lex.No|lex.Lead) == 0 {
			return false
		}
	}
	return true
}

// finite reports whether a clause has a verb.
func finite(tokens []lex.Token) bool {
	return FindVerb(tokens, 0) >= 0
}

// ownClause reports whether what begins at i has a subject and a verb before its own next boundary.
func ownClause(tokens []lex.Token, i int) bool {
	stop := i
	for stop < len(tokens) && stop-i < 14 {
		t := tokens[stop]
		if t.Kind == lex.Punct && (t.Low == "," || t.Low == "(") && stop > i+1 || t.Kind == lex.Emoji {
			break
		}
		stop++
	}
	return FindVerb(tokens[i:stop], 0) >= 0
}

// HasValue reports whether tokens have a number, a code or a quotation.
func HasValue(tokens []lex.Token) bool {
	for _, t := range tokens {
		if t.Kind == lex.Number || t.Kind == lex.Quoted || t.Is(lex.NumberWord|lex.Weekday) || IsCode(t.Low) {
			return true
		}
	}
	return false
}

// attributeFollows reports whether the words at i are a property and its value: "colour black".
func attributeFollows(tokens []lex.Token, i int) bool {
	next := lex.At(tokens, i+1)
	return i+1 < len(tokens) && tokens[i].Is(lex.Attribute) && next.Kind != lex.Punct &&
		!next.Is(lex.Prep|lex.Conj|lex.Be|lex.Have|lex.Modal|lex.Attribute)
}

// itemFollows reports whether what begins at i is another item of an enumeration: words, then a value.
func itemFollows(tokens []lex.Token, i int) bool {
	if !tokens[i].IsOpen() || tokens[i].Is(lex.Month|lex.Weekday) {
		return false
	}
	if IsCode(tokens[i].Low) && i+1 < len(tokens) && tokens[i+1].IsOpen() {
		return true
	}
	for j := i; j < len(tokens) && tokens[j].Low != ","; j++ {
		if t := tokens[j]; j > i && (t.Kind == lex.Number || t.Kind == lex.Quoted || t.Capital || t.Is(lex.NumberWord)) {
			return true
		}
	}
	return false
}

// withoutFillers leaves out fillers, and words that are said twice in a row.
func withoutFillers(tokens []lex.Token) []lex.Token {
	out := make([]lex.Token, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		if n := fillerAt(tokens[i]); n > 0 {
			i += n - 1
			if lex.At(tokens, i+1).Low == "," {
				i++
			}
			continue
		}
		drop, skip := stutter(out, tokens, i)
		out = out[:len(out)-drop]
		if skip > 0 {
			i += skip - 1
			continue
		}
		out = append(out, tokens[i])
	}
	return out
}

// fillerAt returns how many tokens a filler has that begins with a token, 0 if none does.
func fillerAt(t lex.Token) int {
	n := 0
	for _, h := range t.Hits {
		if h.Class&lex.Filler != 0 {
			n = max(n, h.To-h.From)
		}
	}
	return n
}

// stutter returns how many tokens before i to drop and how many from i on to skip, because they are said again:
// "the the", "room, room", "it's it's".
func stutter(out, tokens []lex.Token, i int) (drop, skip int) {
	t, n := tokens[i], len(out)
	if t.Kind != lex.Word || t.Is(lex.No|lex.NumberWord) {
		return 0, 0
	}
	last, before := lex.At(out, n-1), lex.At(out, n-2)
	switch next := lex.At(tokens, i+1); {
	case last.Low == t.Low:
		return 0, 1
	case last.Low == "," && before.Low == t.Low && before.Kind == lex.Word:
		return 1, 1
	case before.Low == t.Low && last.Low == next.Low && next.Kind == lex.Word:
		return 0, 2
	}
	return 0, 0
}
