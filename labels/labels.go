// Package labels reads what a text says of itself in a label at its beginning or end: "[DRAFT]", "(tentative)",
// "[SCOPE: what-if discussion]", "[RESTRICTED: prices restricted to VP+]", "[INVALIDATED - wrong data]", "ARCHIVED:".
//
// It reads closed classes of words (words.go). A label with any other word in it is ignored, and a text that is nothing
// but a label has no label: the words are its content.
package labels

import (
	"slices"
	"strings"
	"unicode"

	"tenure"
)

// Labels is what the labels of a text mean together. Its zero value is that of a text without labels.
type Labels struct {
	// Kind is the kind of the scope in which the text holds, "" where no label says so, and Scope the name of that scope
	// if it has one.
	Kind  tenure.ScopeKind
	Scope string
	// Classification is the lowest that the text may have, "" where no label says so.
	Classification tenure.Classification
	// Audience lists the groups of those who alone may read the text. Empty means everybody.
	Audience []string
	// Void is Retract for a text that is said never to have held, End for one that holds no longer, else "".
	Void tenure.AmendmentKind
	// Written are the labels as they were written, joined by spaces.
	Written string
}

// Any reports whether there are labels.
func (l Labels) Any() bool { return l.Written != "" }

// Read reads the labels of a text, and returns where the rest begins and ends. Unknown labels belong to the rest.
func Read(s string) (l Labels, from, until int) {
	until = trailing(s, len(s))
	from = leading(s[:until], 0)
	for {
		end, ok := l.first(s[from:until])
		if !ok {
			break
		}
		from = leading(s, from+end)
	}
	if start, ok := l.last(s[from:until]); ok {
		until = trailing(s, from+start)
	}
	return l, from, until
}

// first reads the label at the beginning, and returns where it ends.
func (l *Labels) first(s string) (end int, ok bool) {
	if end = closing(s); end > 0 {
		return end, rest(s[end:]) && l.take(s[:end], s[1:end-1], placed(s[:end], s[end:], true))
	}
	end = strings.IndexByte(s[:min(len(s), longest)], ':') + 1
	if end == 0 || !rest(s[end:]) {
		return 0, false
	}
	head := s[:end-1]
	return end, l.take(head, head, placed(s[:end], s[end:], true))
}

// last reads the label at the end, and returns where it begins.
func (l *Labels) last(s string) (start int, ok bool) {
	if !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, "]") {
		return 0, false
	}
	start = strings.LastIndexAny(s, "([")
	if start <= 0 || closing(s[start:]) != len(s)-start || !rest(s[:start]) {
		return 0, false
	}
	return start, l.take(s[start:], s[start+1:len(s)-1], placed(s[start:], s[:start], false))
}

// longest bounds the bytes of a label.
const longest = 200

// closing returns where the bracket ends that a text begins with, 0 if it begins with none.
func closing(s string) int {
	if s == "" || s[0] != '[' && s[0] != '(' {
		return 0
	}
	pair := map[byte]string{'[': "[]", '(': "()"}[s[0]]
	depth := 0
	for i := range min(len(s), longest) {
		switch s[i] {
		case pair[0]:
			depth++
		case pair[1]:
			if depth--; depth == 0 {
				return i + 1
			}
		case '\n':
			return 0
		}
	}
	return 0
}

// rest reports whether there is something to label.
func rest(s string) bool { return strings.ContainsFunc(s, isWord) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func leading(s string, from int) int {
	return len(s) - len(strings.TrimLeftFunc(s[from:], unicode.IsSpace))
}

func trailing(s string, until int) int {
	return len(strings.TrimRightFunc(s[:until], unicode.IsSpace))
}

// place is where a label was found, how it is written, and how many words it labels.
type place struct {
	square, leading, colon, capitals bool
	words                            int
}

func placed(label, rest string, leading bool) place {
	return place{
		square: label[0] == '[', leading: leading, colon: strings.HasSuffix(label, ":"),
		capitals: strings.ToUpper(label) == label, words: len(words(rest)),
	}
}

// take adds what a label means, and reports whether it means anything.
func (l *Labels) take(written, inner string, at place) bool {
	head, more := cut(inner)
	if name := strings.TrimSpace(more); at.square && strings.EqualFold(head, "scope") && rest(name) {
		l.Kind, l.Scope = kindOf(name), name
		l.add(written)
		return true
	}
	found, ok := classes(head, at)
	if !ok {
		return false
	}
	for _, c := range found {
		l.mean(c)
	}
	if l.Classification != "" {
		l.Audience = append(l.Audience, audience(inner)...)
	}
	l.add(written)
	return true
}

func (l *Labels) add(written string) {
	l.Written = strings.TrimSpace(l.Written + " " + written)
}

// mean adds what a class of words means. Of two meanings the more restrictive counts.
func (l *Labels) mean(c class) {
	switch c {
	case draft:
		if l.Kind == "" {
			l.Kind = tenure.ScopeDraft
		}
	case supposed:
		if l.Kind == "" {
			l.Kind = tenure.ScopeHypothetical
		}
	case restricted:
		l.classify(tenure.Restricted)
	case confidential:
		l.classify(tenure.Confidential)
	case secret:
		l.classify(tenure.HighlyRestricted)
	case wrong:
		l.Void = tenure.Retract
	case over:
		if l.Void == "" {
			l.Void = tenure.End
		}
	}
}

func (l *Labels) classify(c tenure.Classification) {
	if l.Classification == "" || c.Rank() > l.Classification.Rank() {
		l.Classification = c
	}
}

// cut divides a label into its head and what follows: "INVALIDATED - wrong data", "RESTRICTED: to HR",
// "superseded by v3".
func cut(inner string) (head, more string) {
	at, end := len(inner), len(inner)
	for _, mark := range []string{":", " - ", " – ", " — ", ", ", " by ", " due to ", " because ", " since ", " as of ",
		" to ", " for "} {
		if i := strings.Index(lower(inner), mark); i > 0 && i < at {
			at, end = i, i+len(mark)
		}
	}
	if whole[strings.Join(words(inner), " ")] {
		return inner, ""
	}
	return strings.TrimSpace(inner[:at]), inner[min(end, len(inner)):]
}

// classes returns the classes of the words of a head. A head has no other words than those and, in brackets, neutral
// ones.
func classes(head string, at place) (found []class, ok bool) {
	list := words(head)
	for i := 0; i < len(list); {
		n, c := phrase(list[i:], at)
		switch {
		case n > 0:
			found = append(found, c)
			i += n
		case !at.colon && (neutral[list[i]] || version(list[i])):
			i++
		default:
			return nil, false
		}
	}
	return found, len(found) > 0 && len(list) <= mostWords
}

// mostWords bounds the words of a head.
const mostWords = 5

// phrase returns the class of the longest phrase that words begin with, and how many words it has.
func phrase(list []string, at place) (n int, c class) {
	for n := min(len(list), longestPhrase); n > 0; n-- {
		if m, ok := meanings[strings.Join(list[:n], " ")]; ok && m.in(at) {
			return n, m.class
		}
	}
	return 0, 0
}

// words returns the words of a text in small letters.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !isWord(r) })
}

// lower returns a text with small letters for the capitals A to Z, which keeps all byte offsets.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// version reports whether a word is the number of a version: "v2". A number of its own may be anything: "(2003 Draft)".
func version(s string) bool {
	n, ok := strings.CutPrefix(s, "v")
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}

// kindOf returns the kind of scope that the name of a scope tells.
func kindOf(name string) tenure.ScopeKind {
	for _, w := range words(name) {
		switch meanings[w].class {
		case draft:
			return tenure.ScopeDraft
		case supposed:
			return tenure.ScopeHypothetical
		}
	}
	if strings.Contains(" "+strings.Join(words(name), " ")+" ", " what if ") {
		return tenure.ScopeHypothetical
	}
	return tenure.ScopeTask
}

// audience returns the groups that a label names as those who alone may read: "restricted to HR and VP+",
// "only for the board", "only HR", "finance only".
func audience(inner string) []string {
	low := lower(inner)
	for _, before := range []string{"restricted to ", "limited to ", "confidential to ", "private to ", "internal to ",
		"only for ", "only to ", "visible to "} {
		if i := strings.LastIndex(low, before); i >= 0 && !strings.HasSuffix(low[:i], "not ") {
			return groups(inner[i+len(before):])
		}
	}
	for _, after := range []string{" eyes only", " only"} {
		if strings.HasSuffix(low, after) {
			_, who := cut(inner[:len(inner)-len(after)])
			return groups(who)
		}
	}
	const only = "only "
	if _, who := cut(inner); len(who) > len(only) && strings.EqualFold(who[:len(only)], only) {
		return groups(who[len(only):])
	}
	return nil
}

// groups splits "the HR team and VP+" into HR and VP+.
func groups(s string) (list []string) {
	for _, sep := range []string{";", "/", "&", " and ", " or "} {
		s = strings.ReplaceAll(s, sep, ",")
	}
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		for _, article := range []string{"the ", "our "} {
			part = strings.TrimPrefix(part, article)
		}
		for _, noun := range []string{" only", " team", " department", " staff", " members"} {
			part = strings.TrimSuffix(part, noun)
		}
		if rest(part) && !slices.Contains(list, part) {
			list = append(list, part)
		}
	}
	return list
}
