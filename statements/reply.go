package statements

import (
	"slices"

	"tenure"
)

// reply returns what a turn says by agreeing to what a turn before asked or proposed: "yes", "ok do it", "agreed". It
// looks at the newest turn of somebody else within the last three. The values are those of that turn: their spans have
// the text, and are empty at the place of the word that agrees.
func reply(readings []*reading, turn Turn, before []Turn) []tenure.Statement {
	if len(readings) == 0 {
		return nil
	}
	r := readings[0]
	yesSaid, firm, rejected := r.replies()
	if !yesSaid && !firm && !rejected {
		return nil
	}
	asked := latestOf(turn, before)
	if asked == nil {
		return nil
	}
	var list []tenure.Statement
	read := Read(Turn{Speaker: asked.Speaker, At: asked.At, Text: asked.Text, Mentions: asked.Mentions}, nil)
	asks := slices.ContainsFunc(read, func(s tenure.Statement) bool { return s.Act == tenure.Asks })
	for _, s := range read {
		if s.New.Text == "" {
			continue
		}
		mayAgree := s.Act == tenure.Proposes || s.Act == tenure.Asks || s.Act == tenure.Requests ||
			s.Act == tenure.Reports && asks
		switch {
		case !mayAgree:
			continue
		case rejected:
			s.Act, s.Trigger = tenure.Denies, r.between(0, min(len(r.tokens), 3))
		case s.Act == tenure.Asks && isOpenQuestion(asked.Text, s), s.Act != tenure.Asks && s.Act != tenure.Reports && !firm:
			continue
		default:
			s.Act, s.Trigger = tenure.Asserts, r.between(0, min(len(r.tokens), 3))
		}
		here := tenure.Span{Start: r.tokens[0].start, End: r.tokens[0].start}
		s.Span = r.span(0, len(r.tokens))
		for _, span := range []*tenure.Span{&s.Subject, &s.New, &s.Old} {
			if span.Text != "" {
				*span = tenure.Span{Start: here.Start, End: here.End, Text: span.Text}
			}
		}
		s.Confidence = .65
		list = append(list, s)
	}
	return list
}

// replies reports whether a clause is a mere agreement, one that decides, or a rejection.
func (r *reading) replies() (agrees, firm, rejects bool) {
	mark := token{}
	for i, t := range r.tokens {
		if t.kind == punct || t.kind == emoji {
			continue
		}
		covered := false
		for _, h := range r.hits {
			if h.from <= i && i < h.to && h.class&(yes|assent|no|filler|tail|lead) != 0 {
				covered = true
				agrees = agrees || h.class&yes != 0
				firm = firm || h.class&assent != 0
				rejects = rejects || h.class&no != 0 && h.from == 0
			}
		}
		if !covered {
			mark = t
			break
		}
	}
	if r.asked || rejects {
		return false, false, rejects && mark.low == "" && !r.asked
	}
	if mark.low != "" && (!agrees || len(r.values) > 0 || !r.begins(0, yes) || !mark.is(since|prep|now)) {
		return false, false, false
	}
	return agrees, firm, false
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
	return slices.ContainsFunc(tokens, func(t token) bool { return t.is(question) && !t.is(conj) && t.low != "that" })
}
