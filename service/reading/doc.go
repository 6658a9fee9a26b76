// Package reading is the stage before the write of a text: it reads the turns before it in its thread, finds which
// entities it names, lists the beliefs about them that the caller may see, has package statements say what the words
// mean for these, and makes of it the claims and amendments of one ordinary observation.
//
// It decides nothing: what stands is decided in the write, on the state of that moment (ADR 38).
package reading
