package vectors

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"tenure"
	"tenure/cache"
	"tenure/encode"
	"tenure/recall"
	"tenure/store"
)

// ConsumerName is the name of the store of vectors as a consumer of the changefeed.
const ConsumerName = "vectors"

// View reads a state of a tenant.
type View func(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error)

// Config configures a store. Embedder and View are required.
type Config struct {
	Embedder encode.Embedder
	// View reads the states in which beliefs were recorded.
	View View
	// Logger receives reports of repairs. Default: none.
	Logger *slog.Logger
	// Batch is how many beliefs are embedded together. Default 32.
	Batch int
	// QueryTimeout bounds how long a search waits for the vector of its query. Default 2 s.
	QueryTimeout time.Duration
}

// Store keeps vectors. It is safe for concurrent use.
type Store struct {
	cfg  Config
	file string

	mu        sync.RWMutex // held for writing to exchange the file
	db        *bolt.DB
	dimension int
	tables    map[string]*table

	queries *cache.Cache[string, encode.Code]
}

var _ recall.Space = (*Store)(nil)

// The buckets of the file: what the vectors were made by, up to which entry the log of a tenant was read, and the rows
// of each tenant.
var (
	metaBucket    = []byte("meta")
	modelKey      = []byte("model")
	dimensionKey  = []byte("dimension")
	appliedBucket = []byte("applied")
)

func rowsBucket(tenant string) []byte { return []byte("rows\x00" + tenant) }

const (
	lockTimeout = time.Second
	fileMode    = 0o600
	// queryCache is how many bytes of the codes of queries are kept, about.
	queryCache = 4 << 20
)

// Open opens the file of vectors, which must not be open elsewhere. A file that is damaged, or of another model, is
// replaced by an empty one.
func Open(file string, cfg Config) (*Store, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	cfg.Batch, cfg.QueryTimeout = cmp.Or(cfg.Batch, 32), cmp.Or(cfg.QueryTimeout, 2*time.Second)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	s := &Store{cfg: cfg, file: file, tables: map[string]*table{}, queries: cache.New[string, encode.Code](queryCache)}
	err := s.load()
	if err != nil && !errors.Is(err, bolterrors.ErrTimeout) {
		cfg.Logger.Warn("the vectors are made again", "file", file, "reason", err)
		if err = os.Remove(file); err == nil || errors.Is(err, os.ErrNotExist) {
			err = s.load()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the vectors in %s: %w", file, err)
	}
	return s, nil
}

// model identifies what vectors are made by.
func (s *Store) model() string { return textVersion + " " + s.cfg.Embedder.Name() }

// load opens the file and reads it. A fault in a file that was cut short is an error.
func (s *Store) load() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the file is damaged: %v", r)
		}
	}()
	db, err := bolt.Open(s.file, fileMode, &bolt.Options{Timeout: lockTimeout, NoFreelistSync: true})
	if err != nil {
		return err
	}
	s.db, s.tables = db, map[string]*table{}
	if err = s.begin(s.cfg.Embedder.Dimension()); err == nil {
		err = s.db.View(s.read)
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	return nil
}

// begin prepares the file for vectors of a dimension, 0 while it is not known: it drops those of another model.
func (s *Store) begin(dimension int) error {
	return s.db.Update(func(tx *bolt.Tx) error {
		meta, err := tx.CreateBucketIfNotExists(metaBucket)
		if err != nil {
			return err
		}
		known, _ := strconv.Atoi(string(meta.Get(dimensionKey)))
		if before := string(meta.Get(modelKey)); before != s.model() || dimension != 0 && known != 0 && known != dimension {
			if before != "" {
				s.cfg.Logger.Info("the vectors are made again", "before", before, "now", s.model(), "dimension", dimension)
			}
			if err := clearAll(tx); err != nil {
				return err
			}
			known = 0
		}
		s.dimension = cmp.Or(dimension, known)
		return errors.Join(meta.Put(modelKey, []byte(s.model())), meta.Put(dimensionKey, []byte(strconv.Itoa(s.dimension))))
	})
}

// clearAll removes all rows.
func clearAll(tx *bolt.Tx) error {
	var names [][]byte
	err := tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
		if string(name) != string(metaBucket) {
			names = append(names, append([]byte{}, name...))
		}
		return nil
	})
	for _, n := range names {
		err = errors.Join(err, tx.DeleteBucket(n))
	}
	return err
}

// read fills the tables.
func (s *Store) read(tx *bolt.Tx) error {
	applied := tx.Bucket(appliedBucket)
	if applied == nil {
		return nil
	}
	return applied.ForEach(func(tenant, seq []byte) error {
		t := newTable(s.dimension)
		if len(seq) != 8 {
			return fmt.Errorf("the checkpoint of a tenant is damaged")
		}
		t.applied = tenure.Seq(binary.BigEndian.Uint64(seq))
		s.tables[string(tenant)] = t
		rows := tx.Bucket(rowsBucket(string(tenant)))
		if rows == nil {
			return nil
		}
		return rows.ForEach(func(k, v []byte) error {
			r, ok := rowOf(k, v, s.dimension)
			if !ok {
				return fmt.Errorf("a row of a tenant is damaged")
			}
			t.put([]row{r}, nil, 0)
			return nil
		})
	})
}

// Close closes the file.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.db.Close()
}

// table returns the table of a tenant.
func (s *Store) table(tenant string) *table {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tables[tenant]
}

// write puts and removes rows of a tenant, and notes up to which entry its log was read.
func (s *Store) write(tenant string, rows []row, gone []key, upTo tenure.Seq) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tables[tenant]
	if t == nil {
		t = newTable(s.dimension)
	}
	upTo = max(upTo, t.applied)
	replaced := map[key]bool{}
	err := s.db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(rowsBucket(tenant))
		if err != nil {
			return err
		}
		for _, k := range gone {
			replaced[k] = true
			if err := b.Delete(k[:]); err != nil {
				return err
			}
		}
		for _, r := range rows {
			v, err := r.value()
			if err != nil {
				return err
			}
			if b.Get(r.key[:]) != nil {
				replaced[r.key] = true
			}
			if err := b.Put(r.key[:], v); err != nil {
				return err
			}
		}
		applied, err := tx.CreateBucketIfNotExists(appliedBucket)
		if err != nil {
			return err
		}
		return applied.Put([]byte(tenant), binary.BigEndian.AppendUint64(nil, uint64(upTo)))
	})
	if err != nil {
		return err
	}
	t.put(rows, replaced, upTo)
	s.tables[tenant] = t
	return nil
}

// measure notes the dimension of the vectors that the embedder makes. It reports whether it is another than before:
// then all were dropped.
func (s *Store) measure(dimension int) (changed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dimension == dimension {
		return false, nil
	}
	changed = s.dimension != 0
	if err := s.begin(dimension); err != nil {
		return false, err
	}
	if !changed { // no table has a row yet
		for _, t := range s.tables {
			t.mu.Lock()
			t.words = encode.Words(dimension)
			t.mu.Unlock()
		}
		return false, nil
	}
	s.tables = map[string]*table{}
	s.queries.Clear()
	return true, nil
}

// compact rewrites the file, so that what was removed is in it no longer.
func (s *Store) compact() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.file + ".next"
	if err := os.Remove(next); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	dst, err := bolt.Open(next, fileMode, &bolt.Options{Timeout: lockTimeout, NoFreelistSync: true})
	if err != nil {
		return err
	}
	const perTransaction = 16 << 20
	if err := errors.Join(bolt.Compact(dst, s.db, perTransaction), dst.Close()); err != nil {
		return err
	}
	if err := s.db.Close(); err != nil {
		return err
	}
	renamed := os.Rename(next, s.file)
	db, err := bolt.Open(s.file, fileMode, &bolt.Options{Timeout: lockTimeout, NoFreelistSync: true})
	if err == nil {
		s.db = db // else it stays closed, and says so
	}
	return errors.Join(renamed, err)
}
