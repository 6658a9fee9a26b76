package engine

import (
	"tenure"
	"tenure/migrations"
)

// Pending returns those of a program's migrations that a store lacks, in which done are recorded. It returns Internal
// if the schema of the store is newer than this program's, or was made by other migrations with the same numbers.
func Pending(list, done []migrations.Migration) ([]migrations.Migration, error) {
	for i, m := range done {
		switch {
		case i >= len(list):
			return nil, tenure.Errorf(tenure.Internal,
				"the store has migration %d, %s, which this program does not know: it needs a newer program", m.Number, m.Name)
		case m.Number != list[i].Number || !list[i].Made(m.Checksum):
			return nil, tenure.Errorf(tenure.Internal,
				"migration %d, %s, is not the one that made this store: its checksum differs", m.Number, m.Name)
		}
	}
	return list[len(done):], nil
}
