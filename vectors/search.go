package vectors

import (
	"bytes"
	"context"
	"slices"

	bolt "go.etcd.io/bbolt"

	"tenure"
	"tenure/encode"
	"tenure/recall"
)

func keyOrder(a, b key) int { return bytes.Compare(a[:], b[:]) }

// Nearest implements [recall.Space].
func (s *Store) Nearest(
	ctx context.Context, tenant, query string, upTo tenure.Seq, w recall.Wanted,
) (list []recall.Near, all bool, err error) {
	mark, _ := s.Checkpoint(ctx, tenant) // it never fails
	if mark < upTo {
		return nil, false, errMissing()
	}
	if mark > upTo && slices.Contains(w.Kinds, recall.Passage) {
		w.Kinds = append(slices.Clip(w.Kinds), recall.FormerPassage) // they may have been in the state
	}
	code, err := s.queryCode(ctx, query)
	if err != nil || code.Norm() == 0 {
		return nil, true, err
	}
	t := s.table(tenant)
	if t == nil {
		return nil, true, nil
	}
	if encode.Words(len(code)) != t.words {
		return nil, false, errMissing() // they are made again
	}
	rows, all := t.nearest(code.Signs(), w)
	s.mu.RLock()
	defer s.mu.RUnlock()
	err = s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(rowsBucket(tenant))
		for _, f := range rows {
			var value []byte
			if b != nil {
				value = b.Get(f.key[:])
			}
			if r, ok := rowOf(f.key[:], value, s.dimension); ok && len(code) == len(r.code) { // else it was erased meanwhile
				list = append(list, recall.Near{ID: f.key.id(), Similarity: encode.Cosine(code, r.code)})
			}
		}
		return nil
	})
	return list, all, err
}

// Compare implements [recall.Space].
func (s *Store) Compare(
	ctx context.Context, tenant, query string, upTo tenure.Seq, what recall.Compared,
) (map[tenure.ID]float64, error) {
	if mark, _ := s.Checkpoint(ctx, tenant); mark < upTo { // it never fails
		return nil, errMissing()
	}
	code, err := s.queryCode(ctx, query)
	if err != nil {
		return nil, err
	}
	found := make(map[tenure.ID]float64, len(what.Beliefs)+len(what.Passages))
	s.mu.RLock()
	defer s.mu.RUnlock()
	err = s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(rowsBucket(tenant))
		if b == nil {
			return errMissing()
		}
		similar := func(k key) (float64, bool) {
			r, ok := rowOf(k[:], b.Get(k[:]), s.dimension)
			if !ok || len(r.code) != len(code) {
				return 0, false
			}
			return encode.Cosine(code, r.code), true
		}
		for i := range what.Beliefs {
			is, ok := similar(keyOf(what.Beliefs[i].RecordedAt, what.Beliefs[i].Claim.ID))
			if !ok {
				return errMissing()
			}
			found[what.Beliefs[i].Claim.ID] = is
		}
		for _, id := range what.Passages {
			for n := 0; ; n++ {
				is, ok := similar(pieceKey(id, n))
				if !ok {
					break
				}
				found[id] = max(found[id], is)
			}
		}
		return nil
	})
	return found, err
}

// missing lists the items that have no row yet.
func (s *Store) missing(tenant string, items []item) (list []item, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	err = s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(rowsBucket(tenant))
		for _, it := range items {
			if b == nil || b.Get(it.key[:]) == nil {
				list = append(list, it)
			}
		}
		return nil
	})
	return list, err
}

// errMissing says that vectors are missing. How many it does not say: those that the caller does not see would count.
func errMissing() error { return tenure.Errorf(tenure.Unavailable, "not all vectors are made yet") }

// queryCode returns the code of the vector of a query. The error is Unavailable where the embedder has none in time.
func (s *Store) queryCode(ctx context.Context, query string) (encode.Code, error) {
	if code, ok := s.queries.Get(query); ok {
		return code, nil
	}
	within, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	list, err := s.cfg.Embedder.Embed(within, []string{query})
	if err == nil {
		var changed bool
		if changed, err = s.measure(len(list[0])); changed {
			err = errMadeAgain
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &tenure.Error{Code: tenure.Unavailable, Message: "the embedder does not answer", Err: err}
	}
	code := encode.Encode(list[0])
	s.queries.Put(query, code, len(query)+len(code))
	return code, nil
}
