// Package ingest writes an observation as one change set.
//
// Input is an observation as a caller states it; output is the evidence, the assignments, the standings and
// the cases that follow, written to a transaction, and the answer. Its rules are what an observation may
// refer to: its defaults, the authority that it may claim, and the resolution of the names in its claims.
package ingest
