package statements

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tenure"
	"tenure/ner"
	"tenure/statements/clauses"
	"tenure/statements/lex"
	"tenure/text"
)

// Extractor is the name and version of the rules of this package.
const Extractor = "rules/2"

// Turn is one turn of a conversation.
type Turn struct {
	Speaker, Addressee string
	At                 tenure.Instant
	Text               string
	Mentions           []ner.Mention
}

// longestText bounds what is read of a text in bytes.
const longestText = 256 << 10

// Read returns the statements of a turn, in their order. Before are the turns before it in its thread, the newest last.
// It returns nil for a text in a language that is not read.
func Read(turn Turn, before []Turn) []tenure.Statement { return ReadBy(turn, before, nil) }

// ReadBy is [Read] with given weights of words; nil selects the usual ones.
func ReadBy(turn Turn, before []Turn, w *Weights) []tenure.Statement {
	if w == nil {
		w = weights()
	}
	readings := parsed(turn, before)
	asked := isAsked(turn, before)
	for i, r := range readings {
		r.likely = w.Likely(traitsOf(readings, i, asked))
	}
	answers := follows(turn, before)
	list := reply(readings, turn, before, w)
	for _, r := range readings {
		list = append(list, r.statements(turn, answers)...)
		list = append(list, r.meant(turn, answers)...)
	}
	return list
}

// parsed returns the clauses of a turn, each with its act; none for a text in a language that is not read.
func parsed(turn Turn, before []Turn) []*reading {
	text := turn.Text
	if len(text) > longestText {
		text = text[:longestText]
	}
	tokens := lex.Tokens(text)
	language := lex.Language(tokens, languageBefore(before))
	if language == "" || len(tokens) == 0 {
		return nil
	}
	names := namesOf(turn.Mentions)
	readings := make([]*reading, 0, 8)
	for _, c := range clauses.Of(text, tokens, language) {
		r := parse(c, names)
		r.bounds = r.bound(turn.At)
		r.decision = r.decide()
		readings = append(readings, r)
	}
	settle(readings)
	inScope(readings, turn, before)
	return readings
}

// namesOf returns the places of mentions that are names, in their order: roles are none.
func namesOf(mentions []ner.Mention) []text.Span {
	list := make([]text.Span, 0, len(mentions))
	for _, m := range mentions {
		if m.Type != ner.Role {
			list = append(list, text.Span{From: m.Start, Until: m.End})
		}
	}
	slices.SortFunc(list, func(a, b text.Span) int { return a.From - b.From })
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
			return lex.Language(lex.Tokens(text[:min(len(text), 400)]), "")
		}
	}
	return ""
}

// statements returns what a clause says, one statement a value.
func (r *reading) statements(turn Turn, answers bool) []tenure.Statement {
	base := r.base(turn)
	if r.isEmpty(answers) {
		return nil
	}
	pairs := r.pairs
	if endsIt(base.Act) {
		pairs = func() []pair { return r.ended(r.decision.hit) }
	}
	var list []tenure.Statement
	found := pairs()
	for _, p := range found {
		noise := r.verb < 0 && base.Act == tenure.Asserts && r.isNoise(p, answers)
		trigger := base.Act == tenure.Corrects && p.within(r.decision.hit) // "I'm overriding that"
		if !noise && !trigger {
			list = append(list, r.statement(base, p))
		}
	}
	if len(list) == 0 && base.Act != tenure.Asserts {
		list = append(list, base)
	}
	if s, ok := r.state(base); ok {
		list = append(list, s)
	}
	if base.Act.Changes() {
		list = append(list, r.further(base, found, answers)...)
	}
	return list
}

// isEmpty reports whether a clause says nothing: "got it", "thank you".
func (r *reading) isEmpty(answers bool) bool {
	return r.verb >= 0 && clauses.OnlyReply(r.Tokens) && !answers || r.isCourtesy()
}

var courtesies = lex.Words("courtesy")

// isCourtesy reports whether a clause consists of thanks or another formula, and an addressee: "Thank you, Mr Abbott".
func (r *reading) isCourtesy() bool {
	return r.verb < 0 && len(r.Tokens) > 0 && courtesies[r.Tokens[0].Low] &&
		!slices.ContainsFunc(r.values, func(v clauses.Value) bool { return v.Kind != clauses.KindName })
}

// endsIt reports whether an act says that something holds no longer, or never did.
func endsIt(act tenure.Act) bool { return act == tenure.Ends || act == tenure.Retracts }

// further returns the readings of a clause that its form does not tell: of each other value that it names.
func (r *reading) further(base tenure.Statement, found []pair, answers bool) (list []tenure.Statement) {
	if endsIt(base.Act) {
		return nil
	}
	for _, p := range r.others(found) {
		if r.verb >= 0 || base.Act != tenure.Asserts || !r.isNoise(p, answers) {
			list = append(list, r.statement(base, p))
		}
	}
	return list
}

// statement returns what a clause says with one pair of values.
func (r *reading) statement(base tenure.Statement, p pair) tenure.Statement {
	if p.dated {
		base.From = nil
		if base.Act == tenure.Plans {
			base.Act = tenure.Asserts
		}
	}
	base.Alternative = p.alternate
	r.fill(&base, p)
	return base
}

// base is what all statements of a clause have in common.
func (r *reading) base(turn Turn) tenure.Statement {
	d := r.decision
	if d.act == tenure.Asserts && r.bounds.from != nil && *r.bounds.from > turn.At {
		d.act = tenure.Plans
	}
	s := tenure.Statement{Span: r.span(0, len(r.Tokens)), Act: d.act, Trigger: d.trigger, Confidence: r.confidence(d),
		From: r.bounds.from, Until: r.bounds.until, Voice: r.voice, Extractor: Extractor}
	if r.verb > r.body {
		s.Subject, s.Property = r.subjectSpan(r.verb)
	}
	return s
}

// confidence returns how sure the act of a clause is: by the weights of its words, if the act asserts something.
func (r *reading) confidence(d decision) float64 {
	if d.act.Changes() && d.act != tenure.Ends && d.act != tenure.Retracts {
		return r.likely
	}
	return d.confidence
}

// meantAnyway is the least probability of a change at which a clause that changes nothing by the rules is read as an
// assertion, too. It was chosen on conversations by held-out writers: with a lower one, controls suffer.
const meantAnyway = .6

// meant returns the readings of a clause as an assertion where the rules take it for an act that changes nothing, and
// its words are such as may change something.
func (r *reading) meant(turn Turn, answers bool) (list []tenure.Statement) {
	rule := r.decision
	if rule.act.Changes() || rule.firm || r.likely < meantAnyway {
		return nil
	}
	r.decision = decision{act: tenure.Asserts}
	list = r.statements(turn, answers)
	r.decision = rule
	for i := range list {
		list[i].Alternative = true
	}
	return slices.DeleteFunc(list, func(s tenure.Statement) bool { return r.denied(s.New) })
}

// denied reports whether a value stands right behind the word that denies it.
func (r *reading) denied(v tenure.Span) bool {
	h := r.decision.hit
	if r.decision.act != tenure.Denies || h.Class&lex.Not == 0 {
		return false
	}
	i := h.To
	if lex.At(r.Tokens, i).Is(lex.Det | lex.Prep | lex.Adverb) {
		i++
	}
	return i < len(r.Tokens) && v.Start <= r.Tokens[i].Start && r.Tokens[i].Start < v.End
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
	if r.decision.act != tenure.Ends || h.To != h.From+1 || h.From == 0 || h.To < r.close ||
		!isParticipial(r.Tokens[h.From]) {
		return tenure.Statement{}, false
	}
	lo, hi, property := r.subject(h.From)
	if hi <= lo {
		return tenure.Statement{}, false
	}
	base.Act, base.Alternative, base.Confidence = tenure.Asserts, true, .6
	base.Subject, base.Property = r.span(lo, hi), property
	base.New, base.Kind = r.span(h.From, h.To), clauses.KindText
	return base, true
}

// isParticipial reports whether a word may be the participle of a verb, whether that is known or not.
func isParticipial(t lex.Token) bool { return t.Is(lex.Verb) || strings.HasSuffix(t.Low, "ed") }

// isNoise reports whether words without a verb are no value: thanks, greetings, exclamations.
func (r *reading) isNoise(p pair, answers bool) bool {
	if p.now.Kind != clauses.KindText || p.now.Empty() {
		return false
	}
	if !answers && p.now.Lo <= r.body {
		return true
	}
	for i := p.now.Lo; i < p.now.Hi; i++ {
		if t := r.Tokens[i]; t.Kind == lex.Quoted || t.IsOpen() && t.Within&(lex.Yes|lex.No|lex.Lead|lex.Tail) == 0 {
			return false
		}
	}
	return true
}

// fill sets the values of a statement, and its subject and property.
func (r *reading) fill(s *tenure.Statement, p pair) {
	if !p.old.Empty() {
		s.Old, s.Kind = r.span(p.old.Lo, p.old.Hi), p.old.Kind
	}
	if !p.now.Empty() {
		s.New, s.Kind = r.span(p.now.Lo, p.now.Hi), p.now.Kind
	}
	switch {
	case !p.now.Empty() && !p.old.Empty() && !p.moved && (s.Act == tenure.Denies || s.Act == tenure.Retracts):
		s.Act = tenure.Corrects // not X but Y
	case !p.now.Empty() && s.Act == tenure.Ends:
		s.Act = tenure.Asserts
	}
	verbs := r.verbs()
	switch {
	case p.inverted:
		s.Subject, s.Property = r.inverted(p, verbs)
		return
	case r.verb < 0 && p.now.Lo > r.body:
		s.Subject, s.Property = r.subjectSpan(p.now.Lo)
	}
	if r.owner.Text != "" && r.lacksOwner(s) {
		s.Subject = r.owner
	}
	r.ofProperty(s, p)
	s.Property = joined(s.Property, p.counted, verbs)
}

// ofProperty mends what a clause is about, where the words for that are its property, and where they were taken for the
// old value.
func (r *reading) ofProperty(s *tenure.Statement, p pair) {
	if r.possesses(s, p) {
		s.Subject, s.Property = tenure.Span{}, s.Subject.Text
	}
	if s.Property != "" && s.New.Text != "" && s.Old == s.Subject {
		s.Old = tenure.Span{} // "the code of the Hanley Street office was changed to 3025"
	}
}

// possesses reports whether what was read as the subject is the property of who was spoken of, or of the speaker: "Its
// finance director is Malcolm Avery", "My classroom is room 12". "My cat is called Pepper" is about the cat.
func (r *reading) possesses(s *tenure.Statement, p pair) bool {
	if r.verb < 0 || !r.Tokens[r.verb].Is(lex.Be) || s.Subject.Text == "" || s.Property != "" ||
		p.now.Lo < r.rest || p.now.Kind == clauses.KindText {
		return false
	}
	i := slices.IndexFunc(r.Tokens, func(t lex.Token) bool { return t.Start == s.Subject.Start })
	return i > 0 && r.Tokens[i-1].Is(lex.Possessive) &&
		!slices.ContainsFunc(r.Tokens[r.verb+1:p.now.Lo], func(t lex.Token) bool { return t.Is(lex.Prep | lex.Verb) })
}

// inverted returns subject and property of a clause that begins with its value: what follows the verb or the office.
func (r *reading) inverted(p pair, verbs string) (tenure.Span, string) {
	lo, hi := r.complement(r.rest, r.untilOld(p))
	switch {
	case hi <= lo:
		return tenure.Span{}, verbs
	case r.isOffice(lo, hi):
		lo, hi, property, _ := r.owned(lo, hi)
		return r.span(lo, hi), joined(property, verbs)
	}
	return r.span(lo, hi), verbs
}

// untilOld is where the words about the subject end behind the verb: before the old value.
func (r *reading) untilOld(p pair) int {
	if !p.old.Empty() && p.old.Lo > r.rest {
		return p.old.Lo
	}
	return r.close
}

// verbs are the words of the verb.
func (r *reading) verbs() string {
	if r.verb < 0 {
		return ""
	}
	return r.Between(r.verb, min(max(r.rest, r.verb+1), len(r.Tokens)))
}

// lacksOwner reports whether the subject of a statement is only a property, or missing in the midst of a sentence.
func (r *reading) lacksOwner(s *tenure.Statement) bool {
	if s.Subject.Text == "" {
		return !r.Opens
	}
	return strings.EqualFold(s.Subject.Text, s.Property)
}

// joined joins the words that are not empty.
func joined(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// span is the part of the text of tokens lo to hi.
func (r *reading) span(lo, hi int) tenure.Span {
	start, end := r.Tokens[lo].Start, r.Tokens[hi-1].End
	if t := r.Tokens[lo]; hi == lo+1 && t.Kind == lex.Quoted {
		start, end = start+firstWidth(r.Text[start:]), end-lastWidth(r.Text[:end])
	}
	return tenure.Span{Start: start, End: end, Text: r.Text[start:end]}
}

func firstWidth(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func lastWidth(s string) int {
	_, n := utf8.DecodeLastRuneInString(s)
	return n
}
