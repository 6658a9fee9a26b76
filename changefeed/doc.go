// Package changefeed takes the change log of each tenant to whatever is derived
// from it: an index, a dictionary, a pass over what is new.
//
// In comes the log of a store, a page at a time; out go calls of a [Consumer],
// which applies a page and says how far it has come. The rules here are those of
// delivery: pages in the order of the log, each entry at least once, errors tried
// again with increasing pauses, and a consumer that acts on what another one
// derives kept behind that one's watermark. What the entries mean is the
// consumer's business alone.
package changefeed
