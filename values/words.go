package values

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"
)

//go:embed words.txt
var wordsText string

// entry is a line of a table: a meaning and the words for it.
type entry struct {
	meaning string
	words   []string
}

// tables are the tables of words.txt by their names.
var tables = func() map[string][]entry {
	m := map[string][]entry{}
	name := ""
	for line := range strings.Lines(wordsText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if title, ok := strings.CutPrefix(line, "== "); ok {
			name = title
			continue
		}
		meaning, words, _ := strings.Cut(line, ": ")
		m[name] = append(m[name], entry{meaning, strings.Split(words, "; ")})
	}
	return m
}()

// byWord returns what each word of a table means.
func byWord[T any](table string, read func(meaning string) T) map[string]T {
	m := map[string]T{}
	for _, e := range tables[table] {
		for _, w := range e.words {
			m[w] = read(e.meaning)
		}
	}
	return m
}

func asWritten(meaning string) string { return meaning }

func isListed(string) bool { return true }

// num returns the number of some digits, 0 for none.
func num(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// anyOf is the pattern of the words of a table.
func anyOf(table string) string {
	var words []string
	for _, e := range tables[table] {
		for _, w := range e.words {
			words = append(words, regexp.QuoteMeta(w))
		}
	}
	return "(" + strings.Join(words, "|") + ")"
}

// form is a way to write something: characters of which every text in it has one, its pattern, and how its parts are
// read.
type form[A, B any] struct {
	has  string
	is   *regexp.Regexp
	read func(m []string) (A, B)
}

// readForms reads a text in the first form that it is in, and says whether it is in any.
func readForms[A, B any](forms []form[A, B], s string) (a A, b B, found bool) {
	for _, f := range forms {
		if !strings.ContainsAny(s, f.has) {
			continue
		}
		if m := f.is.FindStringSubmatch(s); m != nil {
			a, b = f.read(m)
			return a, b, true
		}
	}
	return a, b, false
}

func match(r *regexp.Regexp, s string) []string { return r.FindStringSubmatch(s) }

var (
	truths  = byWord("truths", func(meaning string) bool { return meaning == "true" })
	nothing = byWord("nothing", isListed)
)

// isNone reports whether a text is no value. Null with one capital is a surname, nan a bread.
func isNone(s spelling) bool { return s.low == "" || nothing[s.low] && s.as != "Null" || s.as == "NaN" }
