// Package bulk runs an operator's jobs over a whole tenant: it imports the rows of a system of record, scans
// for duplicates and for over-merged entities, counts name frequencies, and recalibrates the model to the
// decisions of people.
//
// Inputs are an opened store and, for an import, a service; outputs are reports, reviews and models. The
// package owns the rules of a bulk run: idempotence, resumption after an interruption, bounded memory, and
// the criteria by which a report lists an entity. The jobs run with an operator's authority, so that no
// caller is checked; cmd/server calls them.
package bulk
