package statements

import (
	"slices"
	"strings"

	"tenure"
	"tenure/ner"
)

// Extractor is the name and version of the rules of this package.
const Extractor = "rules/1"

// Turn is one turn of a conversation.
type Turn struct {
	Speaker, Addressee string
	At                 tenure.Instant
	Text               string
	Mentions           []ner.Mention
}

// longestText bounds what is read of a text, and mostStatements what it may say.
const longestText, mostStatements = 256 << 10, 500

// Read returns the statements of a turn, in their order. Before are the turns before it in its thread, the newest last.
// It returns nil for a text in a language that is not read.
func Read(turn Turn, before []Turn) []tenure.Statement {
	text := turn.Text
	if len(text) > longestText {
		text = text[:longestText]
	}
	tokens := lexed(text)
	language := languageOf(tokens, languageBefore(before))
	if language == "" || len(tokens) == 0 {
		return nil
	}
	lex := lexicons[language]
	lex.mark(tokens)
	mentions := slices.SortedFunc(slices.Values(turn.Mentions), func(a, b ner.Mention) int { return a.Start - b.Start })
	var list []tenure.Statement
	for _, c := range clausesOf(text, tokens, lex) {
		if len(list) >= mostStatements {
			break
		}
		r := c.parse(mentions)
		list = append(list, r.statements(turn)...)
	}
	return list
}

// languageBefore is the language of the newest turn that has one.
func languageBefore(before []Turn) string {
	for _, t := range slices.Backward(before) {
		if text := t.Text; len(text) > 20 {
			return languageOf(lexed(text[:min(len(text), 400)]), "")
		}
	}
	return ""
}

// statements returns what a clause says, one statement a value.
func (r *reading) statements(turn Turn) []tenure.Statement {
	r.bounds = r.bound(turn.At)
	d := r.decide()
	if d.act == tenure.Asserts && r.bounds.from != nil && *r.bounds.from > turn.At {
		d.act = tenure.Plans
	}
	base := tenure.Statement{Span: r.span(0, len(r.tokens)), Act: d.act, Trigger: d.trigger, Confidence: d.confidence,
		From: r.bounds.from, Until: r.bounds.until, Voice: r.voice, Extractor: Extractor}
	if r.verb > r.body {
		lo, hi, property := r.subject(r.verb)
		if hi > lo {
			base.Subject = r.span(lo, hi)
		}
		base.Property = property
	}
	var list []tenure.Statement
	for _, p := range r.pairs() {
		s := base
		s.Alternative = p.alternate
		r.fill(&s, p)
		list = append(list, s)
	}
	if len(list) == 0 && d.act != tenure.Asserts {
		list = append(list, base)
	}
	return list
}

// fill gives a statement its values.
func (r *reading) fill(s *tenure.Statement, p pair) {
	if !p.now.empty() {
		s.New, s.Kind = r.span(p.now.lo, p.now.hi), p.now.kind
	}
	if !p.old.empty() {
		s.Old = r.span(p.old.lo, p.old.hi)
	}
	if (s.Act == tenure.Ends || s.Act == tenure.Retracts) && p.old.empty() {
		s.New, s.Old = tenure.Span{}, s.New
	}
	verbs := ""
	if r.verb >= 0 {
		verbs = r.between(r.verb, min(max(r.rest, r.verb+1), len(r.tokens)))
	}
	switch {
	case p.property == "\x00":
		lo, hi := r.trimNoun(r.rest, r.close)
		s.Subject = tenure.Span{}
		if hi > lo {
			s.Subject = r.span(lo, hi)
		}
		s.Property = verbs
	case r.verb < 0 && p.now.lo > r.body:
		lo, hi, property := r.subject(p.now.lo)
		if hi > lo {
			s.Subject = r.span(lo, hi)
		}
		s.Property = property
	}
	words := []string{s.Property, p.property}
	if p.property == "\x00" {
		words = words[:1]
	} else if verbs != "" {
		words = append(words, verbs)
	}
	s.Property = strings.TrimSpace(strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
}

// span is the part of the text of tokens lo to hi.
func (r *reading) span(lo, hi int) tenure.Span {
	start, end := r.tokens[lo].start, r.tokens[hi-1].end
	if t := r.tokens[lo]; hi == lo+1 && t.kind == quoted {
		_, start, end = 0, start+firstWidth(r.text[start:]), end-lastWidth(r.text[:end])
	}
	return tenure.Span{Start: start, End: end, Text: r.text[start:end]}
}
