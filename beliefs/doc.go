// Package beliefs decides what stands: which part of each claim's valid
// window still holds, and what displaced the rest.
//
// In comes the evidence of a slot; out go standings. The rules here are those
// that exclude claims (withdrawn, barred) or terminate them (ends, named
// supersession) before claims are compared, and the one for claims that rest on
// lost ground. How overlapping claims are compared is the rule of package
// conflicts. The words are those of docs/standing.md.
//
// Source: docs/standing.md; StateBench specification, Supersession Rules;
// Context Architecture, Reconciliation Protocols.
package beliefs
