package main

import (
	"tenure"
	"tenure/statements/align"

	talk "tenure/eval/talk/conversation"
)

type (
	conversation = talk.Conversation
	turn         = talk.Turn
	ask          = talk.Ask
)

// result is one question and what came of it.
type result struct {
	c          *conversation
	a          *ask
	context    string
	found, bad []string
	trace      []string
	said       []said
}

// said is a statement that was read and what it was taken to mean.
type said struct {
	tenure.Statement
	change align.Change
}

func (r *result) ok() bool { return len(r.found) == len(r.a.Must) && len(r.bad) == 0 }

// judge says which of the strings that are wanted, and that are not, a context has.
func judge(r *result) {
	for _, p := range r.a.Must {
		if talk.Contains(r.context, p) {
			r.found = append(r.found, p)
		}
	}
	for _, p := range r.a.MustNot {
		if talk.Contains(r.context, p) {
			r.bad = append(r.bad, p)
		}
	}
}
