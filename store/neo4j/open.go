package neo4j

import (
	"context"
	"errors"
	"sync"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
	"tenure/tracing"
)

var _ store.Store = (*Store)(nil)

// system is the name of the engine in traces.
const system = "neo4j"

// defaultPool bounds the connections of a store.
const defaultPool = 32

// Config configures a store.
type Config struct {
	Username, Password string
	// Now is the clock that stamps change sets. It is required.
	Now func() time.Time
	// MaxPool bounds the connections. Default 32.
	MaxPool int
}

// Store is a store in a Neo4j database. Any number of processes may use the same database.
type Store struct {
	driver    driver.DriverWithContext
	bookmarks driver.BookmarkManager
	now       func() time.Time
	cache     *engine.Current[string]
	labels    *graph.Labels
	// commit is a field so that tests can lose its reply.
	commit func(context.Context, driver.ExplicitTransaction) error

	mu      sync.Mutex
	closed  bool
	working sync.WaitGroup // calls that Close waits for
	// committed holds, by tenant, the newest state whose commit is known to be completely visible.
	committed map[string]engine.Head
}

// Open connects to the database at a bolt:// or neo4j:// address and migrates its schema. It returns Invalid
// without a clock or with a malformed address, Unavailable if nothing answers, and Internal if the schema is
// not one of this program's.
func Open(ctx context.Context, uri string, cfg Config) (*Store, error) {
	s, err := connect(ctx, uri, cfg)
	if err != nil {
		return nil, err
	}
	if err = s.readLabels(ctx); err == nil {
		err = s.migrate(ctx)
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// connect is Open without the migration.
func connect(ctx context.Context, uri string, cfg Config) (*Store, error) {
	if cfg.Now == nil {
		return nil, tenure.Errorf(tenure.Invalid, "the Neo4j store needs a clock")
	}
	auth := driver.BasicAuth(cfg.Username, cfg.Password, "")
	d, err := driver.NewDriverWithContext(uri, auth, func(c *config.Config) {
		c.MaxConnectionPoolSize = defaultPool
		if cfg.MaxPool > 0 {
			c.MaxConnectionPoolSize = cfg.MaxPool
		}
		c.ConnectionAcquisitionTimeout = 30 * time.Second
		c.SocketConnectTimeout = 5 * time.Second
		c.FetchSize = driver.FetchAll
		c.TelemetryDisabled = true
		c.UserAgent = "tenure"
	})
	if err != nil {
		return nil, &tenure.Error{Code: tenure.Invalid, Message: "the address of the Neo4j store is none", Err: err}
	}
	s := &Store{
		driver: d, bookmarks: driver.NewBookmarkManager(driver.BookmarkManagerConfig{}),
		now: cfg.Now, cache: engine.NewCurrent[string](cacheBytes), committed: map[string]engine.Head{},
		labels: graph.NewLabels(),
		commit: func(ctx context.Context, tx driver.ExplicitTransaction) error { return tx.Commit(ctx) },
	}
	if err := d.VerifyConnectivity(ctx); err != nil {
		_ = s.Close()
		return nil, fault(err)
	}
	return s, nil
}

var errClosed = tenure.Errorf(tenure.Unavailable, "the store is closed")

// enter begins a call. It fails once the store is closed; otherwise the caller must call leave.
func (s *Store) enter() (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	s.working.Add(1)
	return s.working.Done, nil
}

// Close waits for the calls in progress and closes the connections.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.working.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return fault(s.driver.Close(ctx))
}

func (s *Store) session(ctx context.Context, mode driver.AccessMode) driver.SessionWithContext {
	return s.driver.NewSession(ctx, driver.SessionConfig{
		AccessMode: mode, BookmarkManager: s.bookmarks, FetchSize: driver.FetchAll,
	})
}

const labelsInUse = `CALL db.labels() YIELD label WHERE label =~ '[a-z].*' RETURN label`

// readLabels reads which types are labels.
func (s *Store) readLabels(ctx context.Context) error {
	found, err := s.query(ctx, labelsInUse, args{})
	if err != nil {
		return err
	}
	for _, f := range found {
		s.labels.Know(f.text(0))
	}
	return nil
}

// args are the parameters of a statement.
type args = map[string]any

// row is one row of an answer, read by position: a look-up by name (GetRecordValue) takes 60 ns instead of 5,
// which is noticeable in reads of many small rows.
type row []any

func (r row) text(i int) string  { t, _ := r[i].(string); return t }
func (r row) number(i int) int64 { n, _ := r[i].(int64); return n }
func (r row) list(i int) []any   { l, _ := r[i].([]any); return l }

// query runs a reading statement in a transaction of its own, with retries.
func (s *Store) query(ctx context.Context, cypher string, params args) ([]row, error) {
	return s.auto(ctx, driver.AccessModeRead, cypher, params)
}

// execute runs an idempotent writing statement in a transaction of its own, with retries.
func (s *Store) execute(ctx context.Context, cypher string, params args) ([]row, error) {
	return s.auto(ctx, driver.AccessModeWrite, cypher, params)
}

func (s *Store) auto(ctx context.Context, mode driver.AccessMode, cypher string, params args) ([]row, error) {
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	rows, err := retry(ctx, mendable, func() ([]row, error) { return s.autoOnce(ctx, mode, cypher, params) })
	return rows, fault(err)
}

func (s *Store) autoOnce(ctx context.Context, mode driver.AccessMode, cypher string, params args) ([]row, error) {
	text, all, err := asOneMap(cypher, params)
	if err != nil {
		return nil, err
	}
	ctx, span := tracing.Statement(ctx, system, cypher)
	session := s.session(ctx, mode)
	defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
	result, err := session.Run(ctx, text, all, untilDeadline(ctx))
	rows, err := gather(ctx, result, err)
	err = cutShort(ctx, err)
	span.End(failure(err))
	return rows, err
}

// untilDeadline gives a transaction as much time in the database as its caller has left: a statement that nobody waits
// for any more does not go on, and its locks are free.
func untilDeadline(ctx context.Context) func(*driver.TransactionConfig) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return func(*driver.TransactionConfig) {}
	}
	// At least a millisecond: 0 would be for ever.
	return driver.WithTxTimeout(max(time.Until(deadline), time.Millisecond))
}

// cutShort joins an error with that of an ended context: the driver does not always report the context as the
// cause.
func cutShort(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return errors.Join(err, ctx.Err())
}

// gather reads a result to its end, since any part of it may carry an error.
func gather(ctx context.Context, result driver.ResultWithContext, err error) ([]row, error) {
	if err != nil {
		return nil, err
	}
	var rows []row
	for result.Next(ctx) {
		rows = append(rows, result.Record().Values)
	}
	if err := result.Err(); err != nil {
		return nil, err
	}
	_, err = result.Consume(ctx)
	return rows, err
}
