package service

import (
	"context"
	"fmt"

	"tenure"
	"tenure/service/reading"
	"tenure/store"
)

const readLater = "read_later"

// heed rereads texts that an observation arrived too late for. The observation is written already: an error becomes a
// warning on the answer.
func (s *Service) heed(
	ctx context.Context, c tenure.Caller, in Observation, quiet reading.Quiet, w *Written[Observed],
) {
	if err := s.readLater(ctx, c, in, quiet, w); err != nil {
		s.logger.WarnContext(ctx, "later texts were not read again", "observation", w.Answer.ObservationID, "error", err)
		w.Answer.Warnings = append(w.Answer.Warnings, tenure.Warning{Code: tenure.LaterNotRead})
	}
}

// readLater rereads the texts that were observed after the time of which an observation speaks but read before it
// arrived, and writes what they say about it. The answer lists these readings. A text that was reread for the
// observation before is listed with the earlier result.
func (s *Service) readLater(
	ctx context.Context, c tenure.Caller, in Observation, quiet reading.Quiet, w *Written[Observed],
) error {
	since, ok := s.stage.Late(in, s.mint().Now)
	if !ok {
		return nil
	}
	reader, err := s.open(ctx, c, tenure.Present)
	if err != nil {
		return err
	}
	texts, err := s.stage.Later(ctx, reader, c, in, since, s.observation(c, in).Label(), quiet)
	if err != nil || len(texts) == 0 {
		return err
	}
	late, err := lateOf(ctx, reader, in, w.Answer)
	if err != nil {
		return err
	}
	if texts, err = s.stage.About(ctx, reader, in, texts, late); err != nil {
		return err
	}
	if late.Made, err = s.stage.Made(ctx, reader, texts); err != nil {
		return err
	}
	for i, x := range texts {
		if x.ID == w.Answer.ObservationID {
			continue
		}
		later, err := s.readLate(ctx, c, x, late, i)
		if err != nil {
			return err
		}
		addLater(w, in, late, later)
	}
	return nil
}

// lateOf returns a written observation with its beliefs.
func lateOf(ctx context.Context, r store.BeliefReader, in Observation, a Observed) (reading.Late, error) {
	ids := make([]tenure.ID, len(a.Beliefs))
	for i, b := range a.Beliefs {
		ids[i] = b.BeliefID
	}
	found, err := r.Beliefs(ctx, ids)
	return reading.Late{
		ID: a.ObservationID, Beliefs: found, Text: in.Reading != nil, Read: map[tenure.ID][]tenure.Said{},
	}, err
}

// readLate rereads a text for a late observation and writes what it says about that; nil if it says nothing.
func (s *Service) readLate(
	ctx context.Context, c tenure.Caller, x reading.Text, late reading.Late, number int,
) (*Later, error) {
	if o, done := x.For(late.ID); done {
		return &Later{Observation: o.ID, Of: x.ID, Statements: o.Statements}, nil
	}
	reader, err := s.openFor(ctx, c, reading.InputOf(x.Observation))
	if err != nil {
		return nil, err
	}
	c.MaxAuthority, c.Role = 0, "" // the writer of the text was allowed to state it
	in, err := s.stage.ReadLate(ctx, reader, c, x, late, number, s.mint().Now)
	if err != nil || !reading.Says(in) {
		return nil, err
	}
	w, err := write[Observed](ctx, s, c, nil, readLater, s.observation(c, in))
	switch tenure.CodeOf(err) {
	case "":
		return &Later{Observation: w.Answer.ObservationID, Of: x.ID, Statements: w.Answer.Statements}, nil
	case tenure.Invalid, tenure.Unprocessable, tenure.Conflicting, tenure.Forbidden, tenure.AuthorityTooHigh,
		tenure.NotFound:
		return nil, nil // a refused reading is dropped
	default:
		return nil, err
	}
}

// addLater adds a later reading to an answer, with a warning for each of its statements.
func addLater(w *Written[Observed], in Observation, late reading.Late, l *Later) {
	if l == nil {
		return
	}
	w.Answer.Later = append(w.Answer.Later, *l)
	for _, st := range l.Statements {
		warning := tenure.Warning{Code: tenure.LaterText, Pointer: pointerTo(w.Answer, in, late, st)}
		if st.Belief != "" {
			warning.Beliefs = []tenure.ID{st.Belief}
		}
		w.Answer.Warnings = append(w.Answer.Warnings, warning)
	}
}

// pointerTo returns the JSON pointer to the claim that a statement is about, "" if there is none.
func pointerTo(a Observed, in Observation, late reading.Late, st tenure.Said) string {
	if in.Reading != nil {
		return "/text"
	}
	for _, b := range late.Beliefs {
		for i := range a.Beliefs {
			if a.Beliefs[i].BeliefID == b.Claim.ID && b.Claim.Predicate == st.Predicate {
				return fmt.Sprintf("/claims/%d", i)
			}
		}
	}
	return ""
}
