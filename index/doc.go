// Package index proposes which entities a name may mean.
//
// In come the pages of each tenant's log that a changefeed delivers; out go
// candidates for a name, best first. The rules here are those of finding: by
// which keys similar names meet (registry.Block), that tenant, project and
// type are filtered before ranking, and that where a document is, in memory or on
// disk, changes no answer.
//
// The index is derived and may be lost: it is rebuilt from the log, keeps how
// far it has come inside itself, and costs nothing but candidates while it is
// missing. Its scores order a list and enter no decision.
//
// Documents are in a memtable until they are flushed, by size and time, to a
// segment on disk. The segments are those of a Bleve index (scorch) of one field,
// whose terms are hashed keys; Bleve stores and merges them, and searches nothing. A
// search takes the lists of documents behind the keys of its name as bitmaps
// and intersects them segment by segment; so common words cost little, and no
// list is walked for documents that another word rules out.
package index
