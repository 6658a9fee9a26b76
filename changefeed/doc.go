// Package changefeed delivers the change log of each tenant to the consumers that derive state from it: an
// index, a dictionary, re-resolution.
//
// In comes the log of a store, a page at a time; out go calls of a [Consumer], which applies a page and
// reports its checkpoint. The rules here are those of delivery: pages in the order of the log, each entry at
// least once, errors retried with exponential back-off, and a consumer that depends on another one's derived
// state kept behind that consumer's watermark. The meaning of the entries is the consumer's business alone.
package changefeed
