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
	if language == "en" {
		tokens = withSlang(tokens)
		unmark(tokens)
		lex.mark(tokens)
	}
	mentions := slices.SortedFunc(slices.Values(turn.Mentions), func(a, b ner.Mention) int { return a.Start - b.Start })
	readings := make([]*reading, 0, 8)
	for _, c := range clausesOf(text, tokens, lex) {
		if len(readings) >= mostStatements {
			break
		}
		r := c.parse(mentions)
		r.bounds = r.bound(turn.At)
		r.decision = r.decide()
		readings = append(readings, &r)
	}
	settle(readings)
	answers := follows(turn, before)
	list := reply(readings, turn, before)
	for _, r := range readings {
		list = append(list, r.statements(turn, answers)...)
	}
	return list
}

// follows reports whether a turn may answer a question: then a single word may be a value.
func follows(turn Turn, before []Turn) bool {
	for i := len(before) - 1; i >= 0 && i >= len(before)-2; i-- {
		if before[i].Speaker != turn.Speaker {
			return true
		}
	}
	return false
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
func (r *reading) statements(turn Turn, answers bool) []tenure.Statement {
	d := r.decision
	if d.act == tenure.Asserts && r.bounds.from != nil && *r.bounds.from > turn.At {
		d.act = tenure.Plans
	}
	if r.has(laugh) && d.act == tenure.Asserts {
		d.confidence = .5
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
	pairs := r.pairs
	if d.act == tenure.Ends || d.act == tenure.Retracts {
		pairs = func() []pair { return r.ended(d.hit) }
	}
	for _, p := range pairs() {
		if r.verb < 0 && d.act == tenure.Asserts && r.isNoise(p, answers) {
			continue
		}
		s := base
		if p.dated {
			s.From = nil
			if s.Act == tenure.Plans {
				s.Act = tenure.Asserts
			}
		}
		s.Alternative = p.alternate
		r.fill(&s, p)
		list = append(list, s)
	}
	if len(list) == 0 && d.act != tenure.Asserts {
		list = append(list, base)
	}
	if s, ok := r.state(base); ok {
		list = append(list, s)
	}
	return list
}

// state reads an end as the state that it leads to: "the ticket is closed" also says that its status is "closed".
func (r *reading) state(base tenure.Statement) (tenure.Statement, bool) {
	h := r.decision.hit
	if r.decision.act != tenure.Ends || h.to != h.from+1 || h.from == 0 || h.to < r.close {
		return tenure.Statement{}, false
	}
	lo, hi, property := r.subject(h.from)
	if hi <= lo {
		return tenure.Statement{}, false
	}
	base.Act, base.Alternative, base.Confidence = tenure.Asserts, true, .6
	base.Subject, base.Property = r.span(lo, hi), property
	base.New, base.Kind = r.span(h.from, h.to), kindText
	return base, true
}

// isNoise reports whether words without a verb are no value: thanks, greetings, exclamations.
func (r *reading) isNoise(p pair, answers bool) bool {
	if p.now.kind != kindText || p.now.empty() {
		return false
	}
	if !answers && len(r.label) == 0 && p.now.lo <= r.body {
		return true
	}
	for i := p.now.lo; i < p.now.hi; i++ {
		if t := r.tokens[i]; t.kind == quoted || isOpen(t) && t.within&(yes|no|lead|tail) == 0 {
			return false
		}
	}
	return true
}

// fill gives a statement its values.
func (r *reading) fill(s *tenure.Statement, p pair) {
	if !p.now.empty() {
		s.New, s.Kind = r.span(p.now.lo, p.now.hi), p.now.kind
	}
	if !p.old.empty() {
		s.Old = r.span(p.old.lo, p.old.hi)
	}
	if s.Kind == "" && !p.old.empty() {
		s.Kind = p.old.kind
	}
	switch {
	case !p.now.empty() && !p.old.empty() && (s.Act == tenure.Denies || s.Act == tenure.Retracts):
		s.Act = tenure.Corrects // not X but Y
	case !p.now.empty() && s.Act == tenure.Ends:
		s.Act = tenure.Asserts
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
	if r.owner.Text != "" && (s.Subject.Text == "" && !r.opens || s.Subject.Text != "" && strings.EqualFold(s.Subject.Text, s.Property)) {
		s.Subject = r.owner
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
