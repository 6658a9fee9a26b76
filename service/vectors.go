package service

import (
	"context"
	"path/filepath"

	"tenure"
	"tenure/store"
	"tenure/vectors"
)

// openVectors opens the vectors beside the index of beliefs, if there is an embedder.
func (s *Service) openVectors(from store.Store, cfg Config) (err error) {
	if cfg.Embedder == nil {
		return nil
	}
	s.vectors, err = vectors.Open(filepath.Join(cfg.Index.Beliefs().Dir(), "vectors"), vectors.Config{
		Embedder: cfg.Embedder, Logger: cfg.Logger,
		View: func(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
			return from.View(ctx, tenant, at)
		},
	})
	return err
}

// closeVectors closes what openVectors opened.
func (s *Service) closeVectors() {
	if s.vectors == nil {
		return
	}
	if err := s.vectors.Close(); err != nil {
		s.logger.Warn("the vectors were not closed", "error", err)
	}
}
