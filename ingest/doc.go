// Package ingest is the write path: an observation becomes one change set.
//
// In come an observation as a caller states it and a draft of the store; out
// go the evidence, the assignments, the new standings and cases, and the
// answer. The rules here are those of what an observation may refer to: its
// defaults, the authority it may claim, and what the names in its claims mean.
package ingest
