package service

import (
	"context"
	"testing"
	"time"

	"tenure/index"
	"tenure/internal/world"
	"tenure/store"
)

// interrupted is a store of which an erasure ended before its files were written anew.
type interrupted struct {
	store.Store

	rewritten chan struct{}
}

func (s interrupted) Unpurged(context.Context) (bool, error) {
	select {
	case <-s.rewritten:
		return false, nil
	default:
		return true, nil
	}
}

func (s interrupted) Purge(context.Context) (bool, error) {
	close(s.rewritten)
	return true, nil
}

// TestAnInterruptedErasureIsFinished checks that a service which starts has the files written anew.
func TestAnInterruptedErasureIsFinished(t *testing.T) {
	x, err := index.Open(t.TempDir(), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := interrupted{world.NewState(t), make(chan struct{})}
	svc, err := New(s, Config{Now: func() time.Time { return world.Begin }, Index: x})
	if err != nil {
		t.Fatal(err)
	}
	<-s.rewritten
	svc.Close()
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}
