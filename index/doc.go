// Package index proposes which entities a name may mean.
//
// In comes the change log of each tenant, followed by a [Follower]; out go
// candidates for a name, best first. The rules here are those of finding: by
// which keys similar names meet (registry.Block), that tenant, project and
// type are filtered before ranking, and that what was written a moment ago is
// found although it is not in the index yet.
//
// The index is derived and may be lost: it is rebuilt from the log, keeps how
// far it has read inside itself, and costs nothing but candidates while it is
// missing. Its scores order a list and enter no decision.
//
// It is a Bleve index (scorch) of one field, whose terms are hashed keys. A
// search takes the lists of documents behind the keys of its name as bitmaps
// and intersects them segment by segment; so common words cost little, and no
// list is walked for documents that another word rules out.
package index
