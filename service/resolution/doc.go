// Package resolution runs entity resolution beside the requests of a process: it
// generates candidates, remembers the mentions of sessions, and re-resolves what
// the log has changed.
//
// In come the committed change sets and the log of a store; out go candidates for
// the decisions of registry, dictionaries for the extraction of mentions, and the
// commands that re-resolve entities. The rules here are those of a hint: which
// types a search covers, how long a session is remembered, and how far an index may
// lag. What a candidate is worth is decided in registry.
package resolution
