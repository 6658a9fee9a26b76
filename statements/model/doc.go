// Package model reads statements by a language model behind an OpenAI-compatible chat endpoint.
//
// In comes what [statements.Read] gets: a turn and the turns before it in its thread. Out come statements whose every
// part is a span of the turn's text, by acts of the closed list: the model is asked to quote, each quotation is looked
// up in the text, and what is not found there is dropped. So a text that gives the model orders can at most have its
// own clauses read wrongly. What a statement changes is decided afterwards, as for the rules.
//
// A failure is an error of the code tenure.Unavailable; [statements.Fallback] then has the rules read the text. The
// client bounds what an endpoint can cost: time, retries, concurrent requests, bytes, and tokens an hour. After several
// failures in a row it leaves the endpoint alone for a while. Equal requests are answered from memory.
//
// Source: Structured state memory, extractor and reconciler: the model proposes, rules dispose.
package model
