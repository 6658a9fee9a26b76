package statements

import (
	"slices"

	"tenure"
)

// reply returns what a turn says by agreeing to what a turn before asked or proposed: "yes", "ok do it", "agreed". It
// looks at the newest turn of somebody else within the last three. The values are those of that turn: their spans have
// the text, and are empty at the place of the word that agrees.
func reply(readings []*reading, turn Turn, before []Turn, w *Weights) []tenure.Statement {
	if len(readings) == 0 {
		return nil
	}
	r := readings[0]
	if len(readings) > 1 && contrasts[readings[1].tokens[0].low] {
		return nil // "yes, but"
	}
	a := r.answer()
	asked := latestOf(turn, before)
	if a == silent || asked == nil {
		return nil
	}
	var list []tenure.Statement
	read := ReadBy(Turn{Speaker: asked.Speaker, At: asked.At, Text: asked.Text, Mentions: asked.Mentions}, nil, w)
	asks := slices.ContainsFunc(read, func(s tenure.Statement) bool { return s.Act == tenure.Asks })
	for _, s := range read {
		act, ok := a.to(s, asked.Text, asks)
		if !ok || s.New.Text == "" {
			continue
		}
		s.Act, s.Trigger, s.Confidence = act, r.between(0, min(len(r.tokens), 3)), .65
		s.Span = r.span(0, len(r.tokens))
		for _, span := range []*tenure.Span{&s.Subject, &s.New, &s.Old} {
			if span.Text != "" {
				*span = tenure.Span{Start: s.Start, End: s.Start, Text: span.Text}
			}
		}
		list = append(list, s)
	}
	return list
}

// answer is how a clause answers the turn before.
type answer int

const (
	silent  answer = iota
	agrees         // yes
	decides        // agreed, go ahead
	rejects        // no
)

// to returns what an answer makes of a statement of the turn before; asks reports whether that turn asks anything.
func (a answer) to(s tenure.Statement, text string, asks bool) (tenure.Act, bool) {
	open := s.Act == tenure.Asks || s.Act == tenure.Reports && asks
	switch {
	case !open && s.Act != tenure.Proposes && s.Act != tenure.Requests:
		return "", false
	case a == rejects:
		return tenure.Denies, true
	case !open:
		return tenure.Asserts, a == decides
	}
	return tenure.Asserts, s.Act != tenure.Asks || !isOpenQuestion(text, s)
}

// answer reports whether a clause is a mere agreement, one that decides, or a rejection.
func (r *reading) answer() answer {
	found, i := class(0), 0
	for ; i < len(r.tokens); i++ {
		if t := r.tokens[i]; t.kind == punct || t.kind == emoji {
			continue
		}
		c := r.answering(i)
		if c == 0 {
			break
		}
		found |= c
	}
	rest := at(r.tokens, i)
	more := i < len(r.tokens) && (len(r.values) > 0 || !r.begins(0, yes) || !rest.is(since|prep|now))
	switch {
	case r.asked, i == 0:
		return silent
	case r.begins(0, no):
		if i < len(r.tokens) {
			return silent
		}
		return rejects
	case more:
		return silent
	case found&assent != 0:
		return decides
	case found&yes != 0:
		return agrees
	}
	return silent
}

// answering returns the classes of the answer that the token at i is part of, 0 if it is no part of one.
func (r *reading) answering(i int) class {
	found := class(0)
	for _, h := range r.hits {
		if h.from <= i && i < h.to {
			found |= h.class & (yes | assent | no | filler | tail | lead)
		}
	}
	return found
}

// latestOf returns the newest turn of another speaker among the last three.
func latestOf(turn Turn, before []Turn) *Turn {
	for i := len(before) - 1; i >= 0 && i >= len(before)-3; i-- {
		if before[i].Speaker != turn.Speaker {
			return &before[i]
		}
	}
	return nil
}

// isOpenQuestion reports whether a question asks for a value instead of naming one: "who", "which".
func isOpenQuestion(text string, s tenure.Statement) bool {
	tokens := lexed(text[s.Start:s.End])
	lex := lexicons[languageOf(tokens, "")]
	if lex == nil {
		return true
	}
	lex.mark(tokens)
	return slices.ContainsFunc(tokens, func(t token) bool {
		return t.is(question) && (t.start == 0 || !t.is(conj)) && t.low != "that"
	})
}
