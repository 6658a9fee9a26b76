// Package storetest is the contract of package store as tests: every engine
// passes them.
//
// In comes a function that opens a store; out come subtests, each named by the
// sentence of store.go's comments that it holds the engine to. Each works in a
// tenant of its own with a random name, so the store may be one that others
// use too. The rules here are those of the contract alone: nothing is asked of
// an engine that its comments do not promise.
package storetest

import (
	"context"
	"testing"

	"tenure"
	"tenure/store"
)

// Options says what else a test may do with an engine.
type Options struct {
	// Reopen closes a store and opens it again on what it kept.
	Reopen func(t *testing.T, s store.Store) store.Store
	// Holds reports whether a text is anywhere in what the engine keeps of a tenant, whoever asks: in its files, or in its
	// nodes.
	Holds func(t *testing.T, s store.Store, tenant, text string) bool
	// Confirms reports whether what the engine keeps of a tenant tells that an entry of its log touched a conflict key.
	Confirms func(t *testing.T, s store.Store, tenant string, key tenure.ConflictKey) bool
}

// promise is a sentence of the contract and the test that holds an engine to
// it.
type promise struct {
	quote string
	check func(w *world)
}

// Run holds an engine to every promise of the contract. open is called once
// for each of them and may give the same store every time; closing it is the
// caller's part, but for a store that went through Reopen.
func Run(t *testing.T, open func(t *testing.T) store.Store, opts Options) {
	t.Helper()
	if opts.Reopen == nil || opts.Holds == nil || opts.Confirms == nil {
		t.Fatal("storetest needs all Options: what is kept must outlive the process, and nothing else")
	}
	kept := 0
	for _, p := range promises() {
		if t.Run(p.quote, func(t *testing.T) { p.check(newWorld(t, open(t), opts)) }) {
			kept++
		}
	}
	t.Logf("storetest: %d promises kept", kept)
}

func promises() []promise {
	var list []promise
	for _, part := range [][]promise{
		applyPromises, viewPromises, entityPromises, identityDecisionPromises, proposalPromises, slotPromises,
		beliefPromises, windowPromises, keepPromises, erasePromises, archivePromises, askPromises, documentPromises,
	} {
		list = append(list, part...)
	}
	return list
}

// background is the context of calls that nothing cuts short.
func background() context.Context { return context.Background() }
