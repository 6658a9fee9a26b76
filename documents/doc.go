// Package documents writes documents: a text is put under its URI, and replaces what was there, or is withdrawn.
//
// In come a caller and a document with the passages that package passages cut it into; out comes a change set. It
// compiles and searches nothing.
package documents
