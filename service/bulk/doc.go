// Package bulk does what an operator does with a whole tenant: it imports the rows of a
// system of record, scans for duplicates and for entities that are more than one, counts
// how common names are, and calibrates the model to what people decided.
//
// In come an opened store and, for an import, a service; out go reports, reviews and
// models. The rules here are those of a run over everything: that it can be repeated
// and goes on where it stopped, what it holds in memory, and when a report names an
// entity. Each job is for a front door of an operator, such as cmd/server; no caller is
// asked.
package bulk
