package reading

import (
	"context"

	"tenure"
	"tenure/ingest"
	"tenure/statements"
	"tenure/store"
)

// given is a reading that was made ahead.
type given struct {
	list []tenure.Statement
	err  error
}

// Statements implements [statements.Reader].
func (g given) Statements(context.Context, statements.Turn, []statements.Turn) ([]tenure.Statement, error) {
	return g.list, g.err
}

// Ahead reads the statements of several texts together where that costs less than one by one, and returns a stage for
// each, which has the statements if they were read. Inputs are as for [Stage.Read], in the order of writing; readers
// returns the state that an input is read by.
func (s Stage) Ahead(
	ctx context.Context, readers func(ingest.Input) store.Reader, c tenure.Caller, inputs []ingest.Input,
	now tenure.Instant,
) []Stage {
	stages := make([]Stage, len(inputs))
	for i := range stages {
		stages[i] = s
	}
	if _, ok := s.Statements.(statements.Batcher); !ok || len(inputs) < 2 {
		return stages
	}
	type earlier struct {
		statements.Turn
		scope tenure.Scope
	}
	threads := map[string][]earlier{}
	var list []statements.Passage
	var places []int
	for i, in := range inputs {
		p, err := s.begin(readers(in), c, in, now).ahead(ctx)
		if err != nil {
			continue // reading the text by itself reports it
		}
		thread := ThreadOf(in)
		if in.Of != "" { // its earlier turns are written
			list, places = append(list, p), append(places, i)
			continue
		}
		for _, e := range threads[thread] {
			if e.scope.VisibleIn(in.Scope) {
				p.Before = append(p.Before, e.Turn)
			}
		}
		threads[thread] = append(threads[thread], earlier{p.Turn, in.Scope})
		list, places = append(list, p), append(places, i)
	}
	for i, reading := range statements.ReadAll(ctx, s.Statements, list) {
		stages[places[i]].Statements = given{reading.Statements, reading.Err}
	}
	return stages
}

// ahead returns the passage of a text whose earlier turns may not be written yet.
func (t *turn) ahead(ctx context.Context) (statements.Passage, error) {
	var err error
	if t.mentions, err = t.extract(ctx, t.in.Scope.ProjectID); err != nil {
		return statements.Passage{}, err
	}
	if t.before, err = t.turnsBefore(ctx); err != nil {
		return statements.Passage{}, err
	}
	return t.passage(), nil
}
