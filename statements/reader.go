package statements

import (
	"context"
	"errors"

	"tenure"
)

// Reader reads the statements of a turn, in their order. Before are the turns before it in its thread, the newest
// last. Implementations are safe for concurrent use.
type Reader interface {
	Statements(ctx context.Context, turn Turn, before []Turn) ([]tenure.Statement, error)
}

// Passage is a turn to be read, with the turns before it in its thread, the newest last.
type Passage struct {
	Turn   Turn
	Before []Turn
}

// Reading is what was read of a passage, or why it was not read.
type Reading struct {
	Statements []tenure.Statement
	Err        error
}

// Batcher is a reader that reads several passages at less cost than one by one. It returns a reading for each.
type Batcher interface {
	Reader
	Batch(ctx context.Context, list []Passage) []Reading
}

// ReadAll returns a reading for each passage. The passages come from one writer: a reader may read them together.
func ReadAll(ctx context.Context, x Reader, list []Passage) []Reading {
	if b, ok := x.(Batcher); ok {
		return b.Batch(ctx, list)
	}
	readings := make([]Reading, len(list))
	for i, p := range list {
		readings[i].Statements, readings[i].Err = x.Statements(ctx, p.Turn, p.Before)
	}
	return readings
}

// Rules is the reader by [Read].
type Rules struct{}

// ErrLanguage is the error of a text in a language that is not read.
var ErrLanguage = errors.New("the language is not one that is read")

// Statements implements [Reader]. Its only error is [ErrLanguage].
func (Rules) Statements(_ context.Context, turn Turn, before []Turn) ([]tenure.Statement, error) {
	list := Read(turn, before)
	if len(list) == 0 && !Reads(turn, before) {
		return nil, ErrLanguage
	}
	return list, nil
}

// Fallback is a reader that asks Second what First fails to read. Each statement names the one that read it.
type Fallback struct {
	First, Second Reader
}

// Statements implements [Reader].
func (f Fallback) Statements(ctx context.Context, turn Turn, before []Turn) ([]tenure.Statement, error) {
	found, err := f.First.Statements(ctx, turn, before)
	if err == nil || ctx.Err() != nil {
		return found, err
	}
	return f.Second.Statements(ctx, turn, before)
}

// Batch implements [Batcher].
func (f Fallback) Batch(ctx context.Context, list []Passage) []Reading {
	readings := ReadAll(ctx, f.First, list)
	var failed []Passage
	var at []int
	for i, r := range readings {
		if r.Err != nil {
			failed, at = append(failed, list[i]), append(at, i)
		}
	}
	if len(failed) == 0 || ctx.Err() != nil {
		return readings
	}
	for i, r := range ReadAll(ctx, f.Second, failed) {
		readings[at[i]] = r
	}
	return readings
}
