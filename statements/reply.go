package statements

import (
	"slices"

	"tenure"
	"tenure/statements/lex"
)

// reply returns what a turn says by agreeing to what a turn before asked or proposed: "yes", "ok do it", "agreed". It
// looks at the newest turn of somebody else within the last three. The values are those of that turn: their spans have
// the text, and are empty at the place of the word that agrees.
func reply(readings []*reading, turn Turn, before []Turn, w *Weights) []tenure.Statement {
	if len(readings) == 0 {
		return nil
	}
	r := readings[0]
	if len(readings) > 1 && contrasts[readings[1].Tokens[0].Low] {
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
		s.Act, s.Trigger, s.Confidence = act, r.Between(0, min(len(r.Tokens), 3)), .65
		s.Span = r.span(0, len(r.Tokens))
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
	found, i := lex.Class(0), 0
	for ; i < len(r.Tokens); i++ {
		if t := r.Tokens[i]; t.Kind == lex.Punct || t.Kind == lex.Emoji {
			continue
		}
		c := r.answering(i)
		if c == 0 {
			break
		}
		found |= c
	}
	rest := lex.At(r.Tokens, i)
	more := i < len(r.Tokens) && (len(r.values) > 0 || !r.begins(0, lex.Yes) || !rest.Is(lex.Since|lex.Prep|lex.Now))
	switch {
	case r.Asked, i == 0:
		return silent
	case r.begins(0, lex.No):
		if i < len(r.Tokens) {
			return silent
		}
		return rejects
	case more:
		return silent
	case found&lex.Assent != 0:
		return decides
	case found&lex.Yes != 0:
		return agrees
	}
	return silent
}

// answering returns the classes of the answer that the token at i is part of, 0 if it is no part of one.
func (r *reading) answering(i int) lex.Class {
	found := lex.Class(0)
	for _, h := range r.hits {
		if h.From <= i && i < h.To {
			found |= h.Class & (lex.Yes | lex.Assent | lex.No | lex.Filler | lex.Tail | lex.Lead)
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
	tokens := lex.Tokens(text[s.Start:s.End])
	language := lex.Language(tokens, "")
	if language == "" {
		return true
	}
	lex.Mark(tokens, language)
	return slices.ContainsFunc(tokens, func(t lex.Token) bool {
		return t.Is(lex.Question) && (t.Start == 0 || !t.Is(lex.Conj)) && t.Low != "that"
	})
}
