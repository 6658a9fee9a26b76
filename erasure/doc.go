// Package erasure decides what is erased with an entity, with a user's observations and documents, or with one of
// those, and erases it.
//
// In comes a request and a state that is seen whole; [Collect] lists what holds the content as a [Plan]. [Erase] is the
// command that carries a part of a plan out: claims are retracted, the values that had yielded to them end there,
// entities are described anew by the mentions that are left, and what was erased becomes a tombstone. Words of others
// that have the name are listed, and not erased.
package erasure
