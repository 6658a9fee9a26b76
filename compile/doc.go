// Package compile decides what a model may see for one task and one caller.
//
// In come a request, a caller and a reader of one state; out go an envelope of
// lines and a trace that explains every line in it and every line left out. The
// rules here are those of reading: who the words of a query mean, which gates
// an object has to pass, what holds at the instant asked for, which of several
// visible scopes speaks, what is worth the tokens, and how a line is written so
// that its value cannot pose as another line. Apart from what is read first,
// every stage is a pure function, and the same state and request give the same
// bytes.
//
// What a caller may not see leaves no trace but a number: neither its content
// nor its id is in the answer.
//
// Source: Context Architecture, Context Compiler Pipeline and the compile-time
// trace; StateBench specification, Context Building Algorithm.
package compile
