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
	base := r.base(turn)
	pairs := r.pairs
	if base.Act == tenure.Ends || base.Act == tenure.Retracts {
		pairs = func() []pair { return r.ended(r.decision.hit) }
	}
	var list []tenure.Statement
	for _, p := range pairs() {
		if r.verb < 0 && base.Act == tenure.Asserts && r.isNoise(p, answers) {
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
	if len(list) == 0 && base.Act != tenure.Asserts {
		list = append(list, base)
	}
	if s, ok := r.state(base); ok {
		list = append(list, s)
	}
	return list
}

// base is what all statements of a clause have in common.
func (r *reading) base(turn Turn) tenure.Statement {
	d := r.decision
	if d.act == tenure.Asserts && r.bounds.from != nil && *r.bounds.from > turn.At {
		d.act = tenure.Plans
	}
	if r.has(laugh) && d.act == tenure.Asserts {
		d.confidence = .5
	}
	s := tenure.Statement{Span: r.span(0, len(r.tokens)), Act: d.act, Trigger: d.trigger, Confidence: d.confidence,
		From: r.bounds.from, Until: r.bounds.until, Voice: r.voice, Extractor: Extractor}
	if r.verb > r.body {
		s.Subject, s.Property = r.subjectSpan(r.verb)
	}
	return s
}

// subjectSpan is what the clause is about as a span, and the words for its property.
func (r *reading) subjectSpan(hi int) (tenure.Span, string) {
	lo, hi, property := r.subject(hi)
	if hi <= lo {
		return tenure.Span{}, property
	}
	return r.span(lo, hi), property
}

// state reads an end as the state that it leads to: "the ticket is closed" also says that its status is "closed".
func (r *reading) state(base tenure.Statement) (tenure.Statement, bool) {
	h := r.decision.hit
	if r.decision.act != tenure.Ends || h.to != h.from+1 || !r.tokens[h.from].is(verb) || h.from == 0 || h.to < r.close {
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
	if !answers && p.now.lo <= r.body {
		return true
	}
	for i := p.now.lo; i < p.now.hi; i++ {
		if t := r.tokens[i]; t.kind == quoted || isOpen(t) && t.within&(yes|no|lead|tail) == 0 {
			return false
		}
	}
	return true
}

// fill gives a statement its values, and what they are of.
func (r *reading) fill(s *tenure.Statement, p pair) {
	if !p.old.empty() {
		s.Old, s.Kind = r.span(p.old.lo, p.old.hi), p.old.kind
	}
	if !p.now.empty() {
		s.New, s.Kind = r.span(p.now.lo, p.now.hi), p.now.kind
	}
	switch {
	case !p.now.empty() && !p.old.empty() && (s.Act == tenure.Denies || s.Act == tenure.Retracts):
		s.Act = tenure.Corrects // not X but Y
	case !p.now.empty() && s.Act == tenure.Ends:
		s.Act = tenure.Asserts
	}
	verbs := r.verbs()
	switch {
	case p.inverted:
		s.Subject, s.Property = tenure.Span{}, verbs
		if lo, hi := r.complement(r.rest, r.untilOld(p)); hi > lo {
			s.Subject = r.span(lo, hi)
		}
		return
	case r.verb < 0 && p.now.lo > r.body:
		s.Subject, s.Property = r.subjectSpan(p.now.lo)
	}
	if r.owner.Text != "" && r.lacksOwner(s) {
		s.Subject = r.owner
	}
	s.Property = joined(s.Property, p.counted, verbs)
}

// untilOld is where the words about the subject end behind the verb: before the old value.
func (r *reading) untilOld(p pair) int {
	if !p.old.empty() && p.old.lo > r.rest {
		return p.old.lo
	}
	return r.close
}

// verbs are the words of the verb.
func (r *reading) verbs() string {
	if r.verb < 0 {
		return ""
	}
	return r.between(r.verb, min(max(r.rest, r.verb+1), len(r.tokens)))
}

// lacksOwner reports whether the subject of a statement is only a property, or missing in the midst of a sentence.
func (r *reading) lacksOwner(s *tenure.Statement) bool {
	if s.Subject.Text == "" {
		return !r.opens
	}
	return strings.EqualFold(s.Subject.Text, s.Property)
}

// joined joins the words that are not empty.
func joined(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// span is the part of the text of tokens lo to hi.
func (r *reading) span(lo, hi int) tenure.Span {
	start, end := r.tokens[lo].start, r.tokens[hi-1].end
	if t := r.tokens[lo]; hi == lo+1 && t.kind == quoted {
		start, end = start+firstWidth(r.text[start:]), end-lastWidth(r.text[:end])
	}
	return tenure.Span{Start: start, End: end, Text: r.text[start:end]}
}
