package service

import (
	"context"
	"errors"
	"time"

	"tenure"
	"tenure/store"
)

const (
	// retainEvery is how often compilations that are kept no longer are looked for.
	retainEvery = 10 * time.Minute
	// droppedAtOnce bounds the compilations that one transaction removes.
	droppedAtOnce = 1000
)

// retain removes, until the context ends, the compilations that are older than they are kept.
func (s *Service) retain(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.dropOld(ctx); err != nil && ctx.Err() == nil {
			s.logger.WarnContext(ctx, "old compilations could not be removed; they are tried again", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retainEvery):
		}
	}
}

func (s *Service) dropOld(ctx context.Context) error {
	ends, _, err := s.store.Grown(ctx, store.Mark{})
	if err != nil {
		return err
	}
	before := tenure.FirstID(s.oldest())
	var failed []error
	for _, e := range ends {
		for n := droppedAtOnce; n == droppedAtOnce && ctx.Err() == nil; {
			if n, err = s.store.DropCompilations(ctx, e.Tenant, before, droppedAtOnce); err != nil {
				failed = append(failed, err)
				break
			}
		}
	}
	return errors.Join(failed...)
}

// oldest returns when the oldest compilations that are kept were made.
func (s *Service) oldest() tenure.Instant {
	return tenure.At(s.now()).Add(-s.keep)
}

// absent returns the error for a compilation that is not there: Gone if it is one that would have been removed.
func (s *Service) absent(id tenure.ID, err error) error {
	if at, ok := tenure.MintedAt(id); ok && s.keep > 0 && tenure.CodeOf(err) == tenure.NotFound && at < s.oldest() {
		return s.outdated()
	}
	return err
}

func (s *Service) outdated() error {
	return tenure.Errorf(tenure.Gone, "compilations are kept for %s", s.keep)
}
