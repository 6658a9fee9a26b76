// Package view implements the reads of Tenure, independent of a transport. A [View] is one state of a tenant, in valid
// time and in transaction time, as one caller sees it; what a caller may ask of it are its methods: beliefs, entities,
// observations, cases, reviews, vocabularies.
//
// The package owns the rule of what a caller sees. No read can forget the caller or mix two states, since both are in
// the view. Hidden objects are left out of lists and return NotFound, exactly like objects that do not exist: see
// [Absent].
//
// Package service offers the reads to front doors beside the writes.
package view
