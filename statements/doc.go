// Package statements reads what people say: the statements of a text, and which beliefs they mean.
//
// [Read] divides a text into clauses and says of each what it does (assert, ask, propose, deny, ...), what it is
// about, and which values it names. [Align] says which slot each statement means, of those that are known of the
// entities named, of the speaker and of the thread, and what it changes there. Both are pure: the same text, thread
// and slots give the same result. What they find is an input of a write and kept as evidence; what stands is decided
// by package beliefs.
//
// Source: StateBench, supersession detection; Context Architecture, promotion of evidence; Structured state memory,
// extractor and reconciler.
package statements
