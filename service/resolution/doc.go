// Package resolution runs entity resolution in the background of a serving process: it generates candidates,
// keeps a memory of session mentions, and re-resolves entities that the log changed.
//
// Inputs are committed change sets and the log of a store; outputs are candidates for the decisions of
// package registry, dictionaries for mention extraction, and re-resolution commands. The package owns the
// rules of candidate generation: the types that a search covers, the lifetime of session memory, and the
// tolerated lag of an index. Package registry scores the candidates.
package resolution
