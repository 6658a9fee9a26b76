// Package index generates candidates: it proposes the entities that a name may mean.
//
// In come the pages of each tenant's log that a changefeed delivers; out go candidates for a name, best
// first. The rules here are those of candidate generation: the blocking keys by which similar names meet
// (package blocking); tenant, project and type are filtered before ranking; and an answer does not depend on
// whether a document is in memory or on disk.
//
// The index is derived and may be lost: it is rebuilt from the log, stores its own checkpoint, and its
// absence costs nothing but candidates. Its scores order a list and enter no decision.
//
// Documents are in a memtable until they are flushed, by size and time, to a segment on disk. The segments
// are those of a Bleve index (scorch) of one field, whose terms are hashed keys; Bleve stores and merges
// segments, and searches nothing. A search reads the posting lists of the keys of its name as bitmaps and
// intersects them segment by segment, so common words cost little, and no list is scanned for documents that
// another word rules out.
package index
