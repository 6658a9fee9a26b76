package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// contractions are taken as the same in a phrase.
var contractions = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\bdo not\b`), "don't"}, {regexp.MustCompile(`\bdon't\b`), "do not"},
	{regexp.MustCompile(`\bcannot\b`), "can't"}, {regexp.MustCompile(`\bcan't\b`), "cannot"},
	{regexp.MustCompile(`\bshould not\b`), "shouldn't"}, {regexp.MustCompile(`\bshouldn't\b`), "should not"},
}

// contains reports whether a text has a phrase in one of its spellings, on word boundaries and in any case (rule v2 of
// the belief data).
func contains(text, phrase string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(spellings(phrase), func(s string) bool { return bounded(text, s) })
}

func spellings(phrase string) []string {
	var list []string
	for s := range strings.SplitSeq(strings.ToLower(phrase), "|") {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		list = append(list, s)
		for _, c := range contractions {
			if other := c.from.ReplaceAllString(s, c.to); other != s {
				list = append(list, other)
			}
		}
	}
	return list
}

// bounded reports whether a text has a phrase with no letter or digit before or after it that would go on with a word
// of the phrase.
func bounded(text, phrase string) bool {
	first, _ := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(phrase):])
		cut := inWord(first) && inWord(before) || inWord(last) && inWord(after)
		if !cut {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		from = i + size
	}
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r))
}

// answer is a question with the context that it got.
type answer struct {
	ask

	Conversation *conversation
	Got, Bad     []string // of Must and MustNot, what the context has
	Context      string
}

func judge(c *conversation, q ask, context string) answer {
	has := func(phrase string) bool { return contains(context, phrase) }
	a := answer{ask: q, Conversation: c, Context: context}
	for _, p := range q.Must {
		if has(p) {
			a.Got = append(a.Got, p)
		}
	}
	for _, p := range q.MustNot {
		if has(p) {
			a.Bad = append(a.Bad, p)
		}
	}
	return a
}

// right reports whether the context is complete and clean: it has all that it must have and nothing that it must not.
func (a answer) right() bool { return len(a.Got) == len(a.Must) && len(a.Bad) == 0 }

// The ways in which an answer is wrong.
const (
	empty   = "empty"   // nothing of what must be there, and nothing at all
	missing = "missing" // clean, but not complete
	beside  = "beside"  // complete, with something that nobody holds beside it
	stale   = "stale"   // neither
)

// fault returns how an answer is wrong, "" if it is right.
func (a answer) fault() string {
	complete, clean := len(a.Got) == len(a.Must), len(a.Bad) == 0
	switch {
	case a.right():
		return ""
	case strings.TrimSpace(a.Context) == "":
		return empty
	case clean:
		return missing
	case complete:
		return beside
	}
	return stale
}

// class returns what kind of answer it is.
func (a answer) class() string { return a.Aim + " " + a.Act }

// score sums up answers.
type score struct {
	Asks, Right     int
	Must, Got       int // phrases
	Live, Bad       int // questions with a forbidden phrase, and those whose context has one
	Tokens, Tokens5 int // mean, and what 95 of 100 do not exceed

	Faults map[string]int
}

func sum(answers []answer) score {
	s := score{Faults: map[string]int{}}
	var sizes []int
	total := 0
	for _, a := range answers {
		s.Asks++
		s.Must += len(a.Must)
		s.Got += len(a.Got)
		if f := a.fault(); f != "" {
			s.Faults[f]++
		} else {
			s.Right++
		}
		if len(a.MustNot) > 0 {
			s.Live++
		}
		if len(a.Bad) > 0 {
			s.Bad++
		}
		sizes = append(sizes, tokens(a.Context))
		total += tokens(a.Context)
	}
	if s.Asks > 0 {
		slices.Sort(sizes)
		s.Tokens = (total + s.Asks/2) / s.Asks
		s.Tokens5 = sizes[int(.95*float64(len(sizes)-1))]
	}
	return s
}

// tokens estimates the tokens of a text: a quarter of its bytes.
func tokens(text string) int { return (len(text) + 3) / 4 }

// whole counts conversations, and those whose questions are all right.
func whole(answers []answer) (right, all int) {
	wrong := map[*conversation]bool{}
	for _, a := range answers {
		wrong[a.Conversation] = wrong[a.Conversation] || !a.right()
	}
	for _, w := range wrong {
		if !w {
			right++
		}
	}
	return right, len(wrong)
}
