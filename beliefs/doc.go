// Package beliefs decides what stands: which part of each claim's valid
// window still holds, and what displaced the rest.
//
// In comes the evidence of a slot; out go standings. The rules here are those
// that edit the evidence before claims are compared (retraction, bars, ends,
// named supersession) and the one that withholds what depends on lost ground.
// How overlapping claims are compared is the rule of package conflicts.
//
// Source: docs/standing.md; StateBench specification, Supersession Rules;
// Context Architecture, Reconciliation Protocols.
package beliefs
