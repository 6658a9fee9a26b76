package service

import (
	"context"

	"tenure"
	"tenure/service/reading"
	"tenure/store"
)

// Reread is what the present extractor reads in the text of an observation that is already written.
type Reread struct {
	reading.Again

	Observation tenure.Observation
	// Written is the further reading if it was written, Err the error if it was refused.
	Written *Written[Observed]
	Err     error
}

const readAgain = "read_again"

// ReadAgain reads the texts of observations again with the present extractor, and returns one result for each, in
// order. With apply, a reading that differs is written as a further reading: an observation whose Of is the original.
// Observations written before are left unchanged.
func (s *Service) ReadAgain(
	ctx context.Context, c tenure.Caller, list []tenure.Observation, apply bool,
) ([]Reread, error) {
	inputs := make([]Observation, len(list))
	for i, o := range list {
		inputs[i] = reading.InputOf(o)
	}
	stages := s.stagesOf(ctx, c, inputs)
	out := make([]Reread, len(list))
	for i, o := range list {
		out[i].Observation = o
		reader, err := s.openFor(ctx, c, inputs[i])
		if err != nil {
			return nil, err
		}
		former, err := readings(ctx, reader, o.ID)
		if err != nil {
			return nil, err
		}
		if out[i].Again, err = stages[i].ReadAgain(ctx, reader, c, o, former, s.mint().Now); err != nil {
			return nil, err
		}
		if !apply || !out[i].Differs {
			continue
		}
		w, err := write[Observed](ctx, s, c, nil, readAgain, s.observation(c, out[i].Input))
		switch tenure.CodeOf(err) {
		case "":
			out[i].Written = &w
		case tenure.Invalid, tenure.Unprocessable, tenure.Conflicting, tenure.Forbidden,
			tenure.AuthorityTooHigh, tenure.NotFound:
			out[i].Err = err
		default:
			return nil, err
		}
	}
	return out, nil
}

// readings lists the further readings of a text, oldest first.
func readings(ctx context.Context, r store.EvidenceReader, observation tenure.ID) ([]tenure.Observation, error) {
	const some = 8
	var list []tenure.Observation
	for {
		ids := make([]tenure.ID, some)
		for i := range ids {
			ids[i] = tenure.ReadingID(observation, len(list)+i+1)
		}
		found, err := r.Observations(ctx, ids)
		list = append(list, found...) // numbered without gaps
		if err != nil || len(found) < some {
			return list, err
		}
	}
}
