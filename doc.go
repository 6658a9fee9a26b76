// Package tenure is the vocabulary of the service: evidence, the projections made of it, the change sets that
// record both, and the errors that callers see. It holds types and their laws of form (parsing, ordering,
// validity of a single value); every rule that decides something lives in a package further out.
//
// Evidence never changes: [Observation], [Mention], [Claim], [Amendment]. Everything else is a projection of
// it that is kept in versions: [Entity], [Alias], [Standing], [Case], [Vocabulary]. A decision turns what was
// read into one [ChangeSet]; a store applies it whole and numbers it ([Entry]).
//
// Where a new thing goes:
//
//   - a supersession or retraction rule: package beliefs
//   - a way to decide between overlapping claims: package conflicts
//   - an identifier kind, or a kind of evidence for two being the same: package similarity
//   - a rule of the identity decision: package registry
//   - a storage engine: a folder beside store/sqlite that passes storetest
//   - a consumer of the log: package changefeed
//   - a gate or a ranking of what a model may see: package compile
//   - a use case, for every front door: package service
package tenure
