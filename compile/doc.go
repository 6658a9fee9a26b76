// Package compile decides what a model may see for one task and one caller.
//
// Input is a request, a caller and a reader of one state; output is an envelope of lines and a trace that
// explains every line in it and every line left out. Its rules: which entities the query names, which gates
// an object must pass, what is valid at the instant, which of several visible scopes wins, what is worth its
// tokens, and how a line is written so that its value cannot pose as another line. After the reads every
// stage is a pure function: the same state and request give the same bytes.
//
// What a caller may not see appears in the answer as a count only: neither its content nor its id.
//
// Source: Context Architecture, Context Compiler Pipeline and the compile-time trace; StateBench
// specification, Context Building Algorithm.
package compile
