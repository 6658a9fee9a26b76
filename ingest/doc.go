// Package ingest is the write of an observation: what a caller states becomes one change set.
//
// In comes an observation as a caller states it; into the transaction go the evidence, the assignments, and the
// standings and cases that follow, and out comes the answer. The rules here are what an observation may refer to: its
// defaults, the authority that it may claim, and what the names in its claims mean.
package ingest
