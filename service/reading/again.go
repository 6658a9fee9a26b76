package reading

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/ingest"
	"tenure/store"
)

// Again is a further reading of the text of a written observation.
type Again struct {
	// Input is the further reading as an observation. It has only what no earlier reading made of the text.
	Input ingest.Input
	// Differs reports whether the statements that may change something differ from those of the last reading.
	Differs bool
	// Gone are statements of former readings that made a belief and are not read any more.
	Gone []tenure.Said
	// Unread reports whether the text could not be read.
	Unread bool
}

// InputOf returns an observation as its source stated it.
func InputOf(o tenure.Observation) ingest.Input { return inputOf(o) }

// ReadAgain reads the text of an observation again. Former are the existing further readings, oldest first.
func (s Stage) ReadAgain(
	ctx context.Context, r store.Reader, c tenure.Caller, o tenure.Observation, former []tenure.Observation,
	now tenure.Instant,
) (Again, error) {
	t := s.begin(r, c, inputOf(o), now)
	t.in.Reading, t.in.ID = t.out, tenure.ReadingID(o.ID, len(former)+1)
	t.former = map[string]bool{}
	var made []tenure.Said
	last := o.Statements
	for _, f := range append([]tenure.Observation{o}, former...) {
		last = f.Statements
		for _, st := range f.Statements {
			t.former[saying(st.Statement)] = true
			if st.Belief != "" {
				made = append(made, st)
			}
		}
	}
	var err error
	if t.mentions, err = t.extract(ctx, o.Scope.ProjectID); err != nil {
		return Again{Unread: true}, ctx.Err()
	}
	if err := t.read(ctx); err != nil {
		return Again{}, err
	}
	a := Again{Input: t.in, Unread: slices.Contains(t.out.Warnings, tenure.NotRead)}
	if a.Unread || len(former) > 0 && sameReaders(t.said, last) {
		return a, nil
	}
	read := statementsOf(t.out.Statements)
	present := map[string]bool{}
	for _, st := range read {
		present[saying(st)] = true
	}
	for _, st := range made {
		if !present[saying(st.Statement)] {
			a.Gone = append(a.Gone, st)
		}
	}
	a.Differs = !slices.Equal(changing(read), changing(statementsOf(last)))
	return a, nil
}

// saying returns a key that is equal for statements that say the same, in whatever place and words for the property.
func saying(s tenure.Statement) string {
	at := func(i *tenure.Instant) tenure.Instant { return *cmp.Or(i, new(tenure.Instant)) }
	return fmt.Sprintf("%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%d\x1f%d", s.Act, s.Subject.Text, s.New.Text, s.Old.Text, s.Voice,
		at(s.From), at(s.Until))
}

// changing returns the sorted keys (see saying) of the statements that may change something.
func changing(list []tenure.Statement) (keys []string) {
	for _, s := range list {
		if s.Act.Changes() {
			keys = append(keys, saying(s))
		}
	}
	slices.Sort(keys)
	return keys
}

func statementsOf(list []tenure.Said) []tenure.Statement {
	out := make([]tenure.Statement, len(list))
	for i, s := range list {
		out[i] = s.Statement
	}
	return out
}

// sameReaders reports whether two lists of statements come from the same extractors, which are not asked twice.
func sameReaders(list []tenure.Statement, others []tenure.Said) bool {
	readers := func(list []tenure.Statement) (names []string) {
		for _, s := range list {
			names = append(names, s.Extractor)
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	return slices.Equal(readers(list), readers(statementsOf(others)))
}
