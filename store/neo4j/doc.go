// Package neo4j is a store in a Neo4j 5 graph that many processes may share.
//
// In come change sets and reads of package store; out go Cypher statements.
// The rule here is how a view is isolated from concurrent writes, although
// Neo4j reads whatever is committed:
//
//   - A write takes the lock of its tenant's node first and holds it to the
//     commit.
//   - Everything carries the transaction time from which it exists. The node of
//     a versioned thing holds the newest version, in one property together with
//     its time; history nodes ([:STOOD], [:WAS]) hold the older ones. A read of
//     the state at T takes the newest version if it began by T, else the older
//     version that T falls into.
//   - Properties that reads search by never change, so that no write can hide a
//     thing from a read. A claim that a split moves keeps its original subject,
//     object and slot, and gets a (:Relocation) with the new ones, which is searched,
//     too: the belief's moved_tx and the windows of its homes determine which of
//     them is valid. Only the edges of the claim move.
//   - A commit becomes visible gradually. A view therefore begins with a state
//     whose commit is known to be complete: that of the process itself, or
//     another one once the tenant's lock was free ([Store.head]). A read that
//     meets a thing between two versions is retried ([errTorn]).
package neo4j
