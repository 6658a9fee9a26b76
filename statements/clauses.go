package statements

// clause is a part of a sentence that says one thing.
type clause struct {
	tokens []token
	text   string
	lex    *lexicon
	// asked reports whether its sentence ends in a question mark.
	asked    bool
	sentence int
	// opens reports whether the clause is the first of its sentence.
	opens bool
	// listed reports whether a colon stands before the clause.
	listed bool
	// line is the number of the line, item whether the line begins with the mark of a list.
	line int
	item bool
}

// longestClause bounds the tokens of a clause; longer ones are cut.
const longestClause = 70

// clausesOf divides the tokens of a text.
func clausesOf(text string, tokens []token, lex *lexicon) []clause {
	var list []clause
	sentence, line, begin := 0, 0, 0
	item := false
	flush := func(end int, asked bool) {
		part := trimPunct(tokens[begin:end])
		if len(part) > 0 {
			list = append(list, parts(clause{tokens: part, text: text, lex: lex, asked: asked, sentence: sentence,
				line: line, item: item})...)
		}
		sentence++
	}
	for i, t := range tokens {
		switch {
		case t.kind == breaks:
			flush(i, false)
			begin, line, item = i+1, line+1, false
		case t.kind == punct && isBullet(t.low) && begin == i:
			begin, item = i+1, true
		case endsSentence(tokens, i):
			flush(i, t.low[0] == '?' || len(t.low) > 1 && t.low[len(t.low)-1] == '?')
			begin = i + 1
		case i-begin >= longestClause:
			flush(i, false)
			begin = i
		}
	}
	flush(len(tokens), false)
	return list
}

var bullets, brackets, signs, abbreviations = words("bullet"), words("bracket"), words("sign"), words("abbreviation")

func isBullet(s string) bool { return bullets[s] }

func isBracket(s string) bool { return brackets[s] }

// isSign reports whether a sign belongs to the value that it stands before.
func isSign(s string) bool { return signs[s] }

// at returns a token, or the end of a line where there is none.
func at(tokens []token, i int) token {
	if i < 0 || i >= len(tokens) {
		return token{kind: breaks}
	}
	return tokens[i]
}

// endsSentence reports whether the sign at i ends a sentence. A point after an abbreviation does not.
func endsSentence(tokens []token, i int) bool {
	t := tokens[i]
	if t.kind != punct {
		return false
	}
	switch t.low[0] {
	case '!', '?', ';':
		return true
	case '.':
		return len(t.low) > 1 || i == 0 || !isAbbreviation(tokens, i)
	}
	return t.low == "…" || t.low == "¿" || t.low == "¡"
}

func isAbbreviation(tokens []token, i int) bool {
	before := tokens[i-1]
	if before.end != tokens[i].start || i+1 >= len(tokens) || tokens[i+1].kind == breaks {
		return false
	}
	if before.kind == number && i+1 < len(tokens) && tokens[i+1].is(month) {
		return true
	}
	return abbreviations[before.low] && (before.low != "no" || tokens[i+1].kind == number) ||
		len(before.low) == 1 && before.capital
}

func trimPunct(list []token) []token {
	for len(list) > 0 && list[0].kind == punct && !isSign(list[0].low) {
		list = list[1:]
	}
	for len(list) > 0 && (list[len(list)-1].kind == punct && list[len(list)-1].low != "%") {
		list = list[:len(list)-1]
	}
	return list
}

// parts divides a sentence at conjunctions and commas where both sides say something.
func parts(c clause) []clause {
	c.tokens = withoutFillers(c.tokens)
	if len(c.tokens) == 0 {
		return nil
	}
	var list []clause
	begin := 0
	for i := 1; i < len(c.tokens); i++ {
		from := boundary(c.tokens, begin, i)
		if from == 0 {
			continue
		}
		end := i
		if c.tokens[i].kind == emoji {
			end = i + 1
		}
		if p := trimPunct(c.tokens[begin:end]); len(p) > 0 {
			next := c
			next.tokens, next.opens, next.listed = p, len(list) == 0, begin > 0 && c.tokens[begin-1].low == ":"
			list = append(list, next)
		}
		begin = from
	}
	if p := trimPunct(c.tokens[begin:]); len(p) > 0 {
		c.opens, c.listed = len(list) == 0, begin > 0 && c.tokens[begin-1].low == ":"
		c.tokens = p
		list = append(list, c)
	}
	return list
}

// boundary returns where the clause after the one from begin on begins, if a new one does at i; else 0.
func boundary(tokens []token, begin, i int) int {
	switch t := tokens[i]; {
	case t.kind == emoji && at(tokens, i+1).kind != emoji:
		return i + 1
	case t.kind == punct:
		return afterPunct(tokens, begin, i)
	case t.is(split) && tokens[i-1].low != ",":
		if (finite(tokens[begin:i]) || tokens[begin].is(split)) && ownClause(tokens, i+1) {
			return i
		}
	case i > begin+1 && runsOn(tokens, i) && finite(tokens[begin:i]) && !reports(tokens[begin:i]):
		return i
	}
	return 0
}

// runsOn reports whether a clause begins at i without any sign before it: "its in slough we are done".
func runsOn(tokens []token, i int) bool {
	t := tokens[i]
	return t.is(pronoun) && !t.is(det|prep|conj) && at(tokens, i+1).is(be|have|modal) && mayEnd(tokens[i-1])
}

// afterPunct is boundary for a sign.
func afterPunct(tokens []token, begin, i int) int {
	left := tokens[begin:i]
	switch low := tokens[i].low; {
	case isBracket(low), isBullet(low) && (spacedDash(tokens, i) || low == "—" || low == "--"):
		return i + 1
	case low == ",":
		return afterComma(tokens, begin, i)
	case low == ":" && (finite(left) || onlyReply(left) || tokens[begin].is(request)):
		return i + 1
	}
	return 0
}

// mayEnd reports whether a clause may end with a token.
func mayEnd(t token) bool {
	return !t.is(prep|conj|verb|be|have|modal|det|not|question) && t.low != ","
}

// reports reports whether a clause has a word of saying or thinking, after which another clause may be its object.
func reports(tokens []token) bool {
	for _, t := range tokens {
		if t.is(say|suppose|question|likely) || t.low == "that" {
			return true
		}
	}
	return false
}

func spacedDash(tokens []token, i int) bool {
	return i+1 < len(tokens) && tokens[i-1].end < tokens[i].start && tokens[i].end < tokens[i+1].start
}

// afterComma returns where the clause after a comma begins, 0 if the comma does not end one.
func afterComma(tokens []token, begin, i int) int {
	if i+1 >= len(tokens) {
		return 0
	}
	left, right := tokens[begin:i], i+1
	if onlyReply(left) {
		return right
	}
	if tokens[i-1].is(repair) && len(left) > 1 && left[len(left)-2].kind == punct {
		return 0 // "room 12, no, room 14"
	}
	if finite(left) && ownClause(tokens, right) {
		return right
	}
	if attributeFollows(tokens, right) {
		return right
	}
	if !finite(left) && hasValue(left) && (itemFollows(tokens, right) || ownClause(tokens, right)) {
		return right
	}
	return 0
}

// onlyReply reports whether tokens are a mere yes, no, greeting or lead-in.
func onlyReply(tokens []token) bool {
	for _, t := range tokens {
		if t.kind != punct && !t.is(yes|no|lead|filler|irony) && (t.within&(yes|no|lead) == 0) {
			return false
		}
	}
	return true
}

// finite reports whether a clause has a verb.
func finite(tokens []token) bool {
	return findVerb(tokens, 0) >= 0
}

// ownClause reports whether what begins at i has a subject and a verb before its own next boundary.
func ownClause(tokens []token, i int) bool {
	stop := i
	for stop < len(tokens) && stop-i < 14 {
		t := tokens[stop]
		if t.kind == punct && (t.low == "," || t.low == "(") && stop > i+1 || t.kind == emoji {
			break
		}
		stop++
	}
	return findVerb(tokens[i:stop], 0) >= 0
}

// hasValue reports whether tokens have a number, a code or a quotation.
func hasValue(tokens []token) bool {
	for _, t := range tokens {
		if t.kind == number || t.kind == quoted || t.is(numberWord|weekday) || isCode(t.low) {
			return true
		}
	}
	return false
}

// attributeFollows reports whether the words at i are a property and its value: "colour black".
func attributeFollows(tokens []token, i int) bool {
	next := at(tokens, i+1)
	return i+1 < len(tokens) && tokens[i].is(attribute) && next.kind != punct &&
		!next.is(prep|conj|be|have|modal|attribute)
}

// itemFollows reports whether what begins at i is another item of an enumeration: words, then a value.
func itemFollows(tokens []token, i int) bool {
	if !isOpen(tokens[i]) || tokens[i].is(month|weekday) {
		return false
	}
	if isCode(tokens[i].low) && i+1 < len(tokens) && isOpen(tokens[i+1]) {
		return true
	}
	for j := i; j < len(tokens) && tokens[j].low != ","; j++ {
		if t := tokens[j]; j > i && (t.kind == number || t.kind == quoted || t.capital || t.is(numberWord)) {
			return true
		}
	}
	return false
}

// isOpen reports whether a token is a word of no closed class.
func isOpen(t token) bool {
	return t.kind == word && t.class&(functionWord|filler|lead|tail|yes|no|numberWord|unit) == 0
}

// withoutFillers leaves out fillers, and words that are said twice in a row.
func withoutFillers(tokens []token) []token {
	out := make([]token, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		if n := fillerAt(tokens[i]); n > 0 {
			i += n - 1
			if at(tokens, i+1).low == "," {
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
func fillerAt(t token) int {
	n := 0
	for _, h := range t.hits {
		if h.class&filler != 0 {
			n = max(n, h.to-h.from)
		}
	}
	return n
}

// stutter returns how many tokens before i to drop and how many from i on to skip, because they are said again:
// "the the", "room, room", "it's it's".
func stutter(out, tokens []token, i int) (drop, skip int) {
	t, n := tokens[i], len(out)
	if t.kind != word || t.is(no|numberWord) {
		return 0, 0
	}
	last, before := at(out, n-1), at(out, n-2)
	switch next := at(tokens, i+1); {
	case last.low == t.low:
		return 0, 1
	case last.low == "," && before.low == t.low && before.kind == word:
		return 1, 1
	case before.low == t.low && last.low == next.low && next.kind == word:
		return 0, 2
	}
	return 0, 0
}
