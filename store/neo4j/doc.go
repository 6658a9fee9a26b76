// Package neo4j is the store in a Neo4j 5 graph, for many processes at once.
//
// In come change sets and reads of package store; out go Cypher statements.
// The rule that lives here is how a state is kept apart from the writes that
// go on beside it, although Neo4j reads whatever is committed:
//
//   - A write takes the lock of its tenant's node first and holds it to the
//     commit.
//   - Everything carries the transaction time from which it is there. What has
//     versions holds the newest one itself, in one property together with its
//     time, and the older ones in nodes beside it ([:STOOD], [:WAS]). A read of
//     the state at T takes the newest where it began by T, else the older one
//     that T falls into.
//   - What reads search by never changes, so that no write can move a thing
//     out of a read's sight. A claim that a split moves keeps the subject, object
//     and slot that it was made with, and gets a (:Home) with the new ones, which
//     is searched, too: the belief's moved_tx and the windows of its homes tell
//     which of them counts. Only its edges turn.
//   - A commit becomes visible piece by piece. A view therefore begins with a
//     state whose commit is known to be complete: the own ones, and others once
//     the tenant's lock was free ([Store.head]). A read that catches a thing
//     halfway between two versions tries again ([errTorn]).
package neo4j
