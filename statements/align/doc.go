// Package align says what the statements of a text change: which slot each means, of those that are known of the
// entities named, of the speaker and of the thread, and what it does there. It is pure: the same statements and slots
// give the same changes. What it finds is an input of a write and kept as evidence; what stands is decided by package
// beliefs.
//
// Source: StateBench, supersession detection; Structured state memory, extractor and reconciler.
package align
