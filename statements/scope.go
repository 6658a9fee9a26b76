package statements

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/statements/lex"
)

// supposing is the frame in which a sentence stands: reality, a hypothetical question, or a supposed world.
type supposing int

const (
	inReality supposing = iota
	whatIf              // what goes on with it, "then", "in that case", is supposed, and nothing else
	pretended           // everything is supposed until somebody comes back from it
)

// The bounds of what is supposed: how many turns before are looked at, how much of each, and the silence that ends it.
const (
	mostScoped    = 12
	longestScoped = 4 << 10
	silence       = tenure.Instant(60 * 60 * 1_000_000)
)

var (
	pretends   = lex.Phrases("pretends")
	whatIfs    = lex.Phrases("what if")
	goesOn     = lex.Phrases("goes on supposing")
	comesBack  = lex.Phrases("comes back")
	scopeLeads = lex.Words("before a scope")
)

// inScope makes suppositions of the clauses in a hypothetical frame: after "let's pretend", until "back to the plan".
func inScope(readings []*reading, turn Turn, before []Turn) {
	state, by := leftOpen(turn.At, before)
	if state == inReality && !mayOpen(turn.Text) {
		return
	}
	for i, r := range readings {
		next := state
		if i == 0 || r.Opens {
			next = state.after(r.Text[r.Tokens[0].Start:])
		}
		if next != state && next != inReality {
			by = strings.Join(firstWords(r.Text[r.Tokens[0].Start:]), " ")
		}
		if next != inReality && r.decision.act.Changes() {
			r.decision = decision{act: tenure.Supposes, trigger: by, confidence: .7}
		}
		r.decision.firm = next != inReality
		state = next
	}
}

// leftOpen returns the frame that the earlier turns leave open at an instant, and the words that opened it.
func leftOpen(now tenure.Instant, before []Turn) (state supposing, by string) {
	before = before[max(0, len(before)-mostScoped):]
	for i, t := range before {
		if i > 0 && t.At-before[i-1].At > silence {
			state = inReality
		}
		if state == inReality && !mayOpen(t.Text) {
			continue
		}
		for rest := t.Text[:min(len(t.Text), longestScoped)]; rest != ""; {
			if next := state.after(rest); next != state {
				state, by = next, strings.Join(firstWords(rest), " ")
			}
			end := strings.IndexAny(rest, ".!?;\n")
			if end < 0 {
				break
			}
			rest = strings.TrimLeftFunc(rest[end:], func(r rune) bool { return !unicode.IsLetter(r) })
		}
	}
	if n := len(before); n > 0 && now-before[n-1].At > silence {
		state = inReality
	}
	return state, by
}

// opening are parts of words, one of which is in every phrase that opens a frame.
var opening = lex.Words("opens a scope")

// mayOpen reports whether a text may open a frame. It is quick, as most texts do not.
func mayOpen(text string) bool {
	low := strings.ToLower(text[:min(len(text), longestScoped)])
	for part := range opening {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}

// after returns the frame of a sentence that begins as given, if s is that of the sentence before.
func (s supposing) after(text string) supposing {
	first := firstWords(text)
	switch {
	case opensWith(first, comesBack):
		return inReality
	case opensWith(first, pretends):
		return pretended
	case s == pretended:
		return pretended
	case opensWith(first, whatIfs):
		return whatIf
	case s == whatIf && opensWith(first, goesOn):
		return whatIf
	}
	return inReality
}

// fewWords is how many words of a sentence tell what it opens.
const fewWords = 8

// firstWords returns the first words of a sentence in small letters, without those that only lead in.
func firstWords(text string) []string {
	list := make([]string, 0, fewWords)
	for len(list) < fewWords {
		text = strings.TrimLeft(text, " ,-–—:*>\t")
		r, _ := utf8.DecodeRuneInString(text)
		if !unicode.IsLetter(r) {
			break
		}
		end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
		if end < 0 {
			end = len(text)
		}
		w := strings.ReplaceAll(strings.ToLower(text[:end]), "’", "'")
		if text = text[end:]; len(list) > 0 || !scopeLeads[w] {
			list = append(list, w)
		}
	}
	return list
}

// opensWith reports whether a list of words begins with a phrase.
func opensWith(list []string, phrases [][]string) bool {
	for _, p := range phrases {
		if len(list) < len(p) {
			continue
		}
		same := true
		for i, w := range p {
			same = same && list[i] == w
		}
		if same {
			return true
		}
	}
	return false
}
