package vectors

import (
	"context"
	"errors"
	"slices"

	bolt "go.etcd.io/bbolt"

	"tenure"
	"tenure/changefeed"
	"tenure/encode"
	"tenure/recall"
	"tenure/store"
)

var _ changefeed.Consumer = (*Store)(nil)

// Checkpoint implements [changefeed.Consumer].
func (s *Store) Checkpoint(_ context.Context, tenant string) (tenure.Seq, error) {
	if t := s.table(tenant); t != nil {
		t.mu.RLock()
		defer t.mu.RUnlock()
		return t.applied, nil
	}
	return 0, nil
}

// Reset implements [changefeed.Consumer].
func (s *Store) Reset(_ context.Context, tenant string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tables, tenant)
	return s.db.Update(func(tx *bolt.Tx) error {
		var faults []error
		if tx.Bucket(rowsBucket(tenant)) != nil {
			faults = append(faults, tx.DeleteBucket(rowsBucket(tenant)))
		}
		if applied := tx.Bucket(appliedBucket); applied != nil {
			faults = append(faults, applied.Delete([]byte(tenant)))
		}
		return errors.Join(faults...)
	})
}

// recorded is what an entry has recorded: beliefs, and versions of documents.
type recorded struct {
	seq       tenure.Seq
	beliefs   []tenure.ID
	documents []tenure.ID
}

// errMadeAgain is the reason why a page is delivered again, from the start of the log.
var errMadeAgain = errors.New("vectors: the dimension of the model changed, and all vectors are made again")

// Apply implements [changefeed.Consumer]: it embeds what the entries of a page have recorded, and removes what they
// have erased, in their order. What is done stays done where it fails.
func (s *Store) Apply(ctx context.Context, p changefeed.Page) error {
	var waiting []recorded
	n := 0
	for _, e := range p.Entries {
		if e.Erases() {
			if err := s.embed(ctx, p.Tenant, waiting, e.Seq-1); err != nil {
				return err
			}
			if err := s.erase(ctx, p.Tenant, e); err != nil {
				return err
			}
			waiting, n = nil, 0
		}
		r := recordedBy(e)
		waiting = append(waiting, r)
		if n += len(r.beliefs); n >= s.cfg.Batch || len(r.documents) > 0 {
			if err := s.embed(ctx, p.Tenant, waiting, e.Seq); err != nil {
				return err
			}
			waiting, n = nil, 0
		}
	}
	return s.embed(ctx, p.Tenant, waiting, p.UpTo())
}

func recordedBy(e tenure.Entry) recorded {
	r := recorded{seq: e.Seq}
	for _, c := range e.Changes {
		switch c.Kind.Current() {
		case tenure.KindClaimAdded:
			r.beliefs = append(r.beliefs, c.Belief)
		case tenure.KindDocumentPut:
			r.documents = append(r.documents, c.ID)
		}
	}
	return r
}

// embed adds the rows of what was recorded.
func (s *Store) embed(ctx context.Context, tenant string, list []recorded, upTo tenure.Seq) error {
	var items []item
	for _, r := range list {
		if len(r.beliefs)+len(r.documents) == 0 {
			continue
		}
		state, err := s.cfg.View(ctx, tenant, tenure.AsOf{Seq: r.seq})
		if err != nil {
			return err
		}
		some, err := beliefItems(ctx, state, r.beliefs)
		if err != nil {
			return err
		}
		items = append(items, some...)
		for _, id := range r.documents {
			if err := s.embedDocument(ctx, tenant, state, id); err != nil {
				return err
			}
		}
	}
	rows, err := s.rows(ctx, items)
	if err != nil {
		return err
	}
	return s.write(tenant, rows, nil, upTo)
}

// embedDocument adds the rows of the passages of a document in a state, and marks those of the version before as former
// ones. There may be a thousand in one entry: those that are there already, of an attempt that was ended, stay.
func (s *Store) embedDocument(ctx context.Context, tenant string, r store.DocumentReader, id tenure.ID) error {
	items, err := documentItems(ctx, r, id)
	if err != nil {
		return err
	}
	missing, err := s.missing(tenant, items)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(missing, s.cfg.Batch) {
		rows, err := s.rows(ctx, some)
		if err != nil {
			return err
		}
		if err := s.write(tenant, rows, nil, 0); err != nil {
			return err
		}
	}
	former, err := s.replacedBy(tenant, id, items)
	if err != nil || len(former) == 0 {
		return err
	}
	return s.write(tenant, former, nil, 0)
}

// replacedBy returns the rows of the newest passages of a document that are not of its present version, as those of
// former ones: searches of the newest state do not look at them.
func (s *Store) replacedBy(tenant string, id tenure.ID, now []item) (rows []row, err error) {
	t := s.table(tenant)
	if t == nil {
		return nil, nil
	}
	present := make(map[key]bool, len(now))
	for _, it := range now {
		present[it.key] = true
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	err = s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(rowsBucket(tenant))
		for _, k := range t.ofDocument(id) {
			if present[k] || b == nil {
				continue
			}
			r, ok := rowOf(k[:], b.Get(k[:]), s.dimension)
			if !ok || r.reach.Kind != recall.Passage {
				continue
			}
			r.reach.Kind, r.code = recall.FormerPassage, slices.Clone(r.code) // it is the file's until the transaction ends
			rows = append(rows, r)
		}
		return nil
	})
	return rows, err
}

// rows embeds texts. What has no vector, such as a text without a letter, has no row.
func (s *Store) rows(ctx context.Context, list []item) (rows []row, err error) {
	for some := range slices.Chunk(list, s.cfg.Batch) {
		texts := make([]string, len(some))
		for i, it := range some {
			texts[i] = it.text
		}
		vectors, err := s.cfg.Embedder.Embed(ctx, texts)
		if err != nil {
			return nil, err
		}
		if changed, err := s.measure(len(vectors[0])); err != nil {
			return nil, err
		} else if changed {
			return nil, errMadeAgain
		}
		for i, v := range vectors {
			if code := encode.Encode(v); code.Norm() > 0 {
				rows = append(rows, row{some[i].key, some[i].reach, some[i].document, code})
			}
		}
	}
	return rows, nil
}

// erase removes the rows of what an entry erased something of, rewrites the file, and makes those anew of which
// something is left.
func (s *Store) erase(ctx context.Context, tenant string, e tenure.Entry) error {
	state, err := s.cfg.View(ctx, tenant, tenure.AsOf{Seq: e.Seq})
	if err != nil {
		return err
	}
	list, err := touched(ctx, state, e)
	if err != nil {
		return err
	}
	var gone []key
	for _, b := range list {
		gone = append(gone, keyOf(b.RecordedAt, b.Claim.ID))
	}
	documents, t := erasedDocuments(e), s.table(tenant)
	for _, id := range documents {
		if t != nil {
			gone = append(gone, t.ofDocument(id)...)
		}
	}
	if err := s.write(tenant, nil, gone, 0); err != nil {
		return err
	}
	if err := s.compact(); err != nil {
		return err
	}
	for _, id := range documents {
		if t != nil {
			t.forget(id)
		}
	}
	var items []item
	for _, b := range list {
		r, err := s.cfg.View(ctx, tenant, tenure.AsOf{Known: b.RecordedAt})
		if err != nil {
			return err
		}
		some, err := beliefItems(ctx, r, []tenure.ID{b.Claim.ID})
		if err != nil {
			return err
		}
		items = append(items, some...)
	}
	rows, err := s.rows(ctx, items)
	if err != nil {
		return err
	}
	return s.write(tenant, rows, nil, 0)
}

func erasedDocuments(e tenure.Entry) (ids []tenure.ID) {
	for _, c := range e.Changes {
		if c.Kind.Current() == tenure.KindContentErased && tenure.ErasedKind(c.Name) == tenure.ErasedDocument {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// touched lists the beliefs of which an entry erased something: themselves, or a name of what they are about.
func touched(ctx context.Context, r store.Reader, e tenure.Entry) ([]tenure.Belief, error) {
	var ids, entities []tenure.ID
	for _, c := range e.Changes {
		if c.Kind.Current() == tenure.KindContentErased {
			ids, entities = append(ids, ids2(c.Belief, "")...), append(entities, ids2(c.Entity, "")...)
		}
	}
	slices.Sort(entities)
	entities = slices.Compact(entities)
	list, err := r.Referring(ctx, entities)
	if err != nil {
		return nil, err
	}
	const page = 1000
	for _, id := range entities {
		for q := (store.BeliefQuery{Subject: id, Limit: page}); ; {
			some, err := r.List(ctx, q)
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
			if len(some) < page {
				break
			}
			q.After = some[len(some)-1].Claim.ID
		}
	}
	more, err := r.Beliefs(ctx, ids)
	if err != nil {
		return nil, err
	}
	list = append(list, more...)
	slices.SortFunc(list, func(a, b tenure.Belief) int {
		return keyOrder(keyOf(a.RecordedAt, a.Claim.ID), keyOf(b.RecordedAt, b.Claim.ID))
	})
	return slices.CompactFunc(list, func(a, b tenure.Belief) bool { return a.Claim.ID == b.Claim.ID }), nil
}
