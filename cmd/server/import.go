package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"

	"tenure"
	"tenure/index"
	"tenure/internal/serving"
	"tenure/service"
	"tenure/service/bulk"
	"tenure/similarity"
	"tenure/store"
)

type importCmd struct {
	storeFlags
	indexFlag
	modelFlag
	File            string        `arg:"" type:"existingfile" help:"File of the rows, one JSON object per line."`
	Format          string        `default:"jsonl" enum:"jsonl" help:"Format of the file: jsonl."`
	Tenant          string        `required:"" placeholder:"TENANT" help:"Tenant to import into. It must have a key."`
	Source          string        `placeholder:"NAME" help:"System of record of the rows that name none in \"source\"."`
	Type            string        `placeholder:"TYPE" help:"Entity type of the rows that name none in \"type\"."`
	Ignore          []string      `sep:"," placeholder:"FIELD" help:"Fields of the rows to leave out, separated by commas. Any other unknown field is refused."`
	AuthorityLevel  int           `default:"3" help:"Authority level of the rows, 0 (strongest) to 4."`
	SourceAuthority float64       `default:"0.8" help:"How far the source is trusted, 0 to 1."`
	Report          string        `placeholder:"FILE" help:"File for the entities that may be more than one, the most doubtful first, one JSON object per line. Default: the first of them are printed at the end."`
	Progress        time.Duration `default:"10s" help:"How often the counts so far are printed, where standard error is no terminal."`
	Output          string        `short:"o" default:"-" placeholder:"FILE" help:"File for the entity of each row, one JSON object per line. Default: standard output, which is also -."`
}

// row is a line of a file of rows.
type row struct {
	ID         string              `json:"id"`
	Source     string              `json:"source"`
	Name       string              `json:"name"`
	Type       string              `json:"type"`
	Aliases    []string            `json:"aliases"`
	Attributes map[string][]string `json:"attributes"`
	Attrs      map[string][]string `json:"attrs"`
	Context    string              `json:"context"`
	Project    string              `json:"project_id"`
}

// Run validates the whole file before it writes anything, so that a bad line leaves no partial import; then
// it imports the rows, and writes the entity of each row. It reads the file again for that, so that the rows
// are never all in memory.
func (c *importCmd) Run(w *world) error {
	total, err := c.check()
	if err != nil {
		return err
	}
	o, err := openTenant(w, c.storeFlags, c.indexFlag, c.Tenant)
	if err != nil {
		return err
	}
	defer o.close()
	model, err := c.modelFlag.load()
	if err != nil {
		return err
	}
	svc, err := o.service(w, model)
	if err != nil {
		return err
	}
	defer svc.Close()
	importer := bulk.NewImporter(o.store, svc)
	defer lendMemory()()
	if err := c.load(w, importer, total); err != nil {
		return err
	}
	return c.report(w, importer, bulk.NewOvermergeReport(o.store, model, c.Tenant, c.keep()))
}

// opened holds the resources of a command that processes a tenant.
type opened struct {
	store  store.Store
	index  *ownIndex
	logger *slog.Logger
}

// service returns the use cases of the opened store, whose index is flushed rarely.
func (o *opened) service(w *world, model *similarity.Model) (*service.Service, error) {
	return service.New(o.store, service.Config{
		Now: w.now, Logger: o.logger, Index: o.index.Index, IndexEvery: indexEvery, Model: model,
	})
}

// reading returns the use cases of the opened store, with what is configured to read texts. End closes them.
func (o *opened) reading(
	w *world, model *similarity.Model, sf statementsFlags, xf extractorFlags,
) (svc *service.Service, end func(), err error) {
	cfg := service.Config{Now: w.now, Logger: o.logger, Index: o.index.Index, IndexEvery: indexEvery, Model: model}
	if cfg.Extractor, err = xf.extractor(); err != nil {
		return nil, nil, err
	}
	stop, err := sf.configure(&cfg, &serving.Options{})
	if err != nil {
		return nil, nil, err
	}
	if svc, err = service.New(o.store, cfg); err != nil {
		stop()
		return nil, nil, err
	}
	return svc, func() { svc.Close(); stop() }, nil
}

func openTenant(w *world, sf storeFlags, xf indexFlag, tenant string) (*opened, error) {
	s, err := sf.open(w.ctx, w.now)
	if err != nil {
		return nil, err
	}
	o := &opened{store: s, logger: slog.New(slog.NewTextHandler(w.errOut, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	if err = hasTenant(w.ctx, s, tenant); err == nil {
		cfg := index.Config{Logger: o.logger, FlushSize: indexFlushSize, FlushAge: indexFlushAge}
		o.index, err = xf.openIndex(sf.Store, cfg)
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return o, nil
}

func (o *opened) close() {
	_ = o.index.Close()
	_ = o.store.Close()
}

// hasTenant returns an error for a tenant without a credential, whose data no caller could read.
func hasTenant(ctx context.Context, s store.Store, tenant string) error {
	keys, err := s.Credentials(ctx, tenant)
	if err == nil && len(keys) == 0 {
		err = fmt.Errorf("there is no tenant %q: make a key for it first with \"server keys create\"", tenant)
	}
	return err
}

// check parses every line and returns an error at the first invalid row. It keeps only a hash of each row in memory.
func (c *importCmd) check() (total int, err error) {
	seen := map[[sha256.Size224]byte]int32{}
	err = c.each(func(line int, r bulk.Row) error {
		key := sha256.Sum224([]byte(r.Record.Source + "\x00" + r.Record.ID))
		if before, twice := seen[key]; twice {
			return fmt.Errorf("is the row %s of %s, as is line %d", r.Record.ID, r.Record.Source, before)
		}
		seen[key] = int32(line)
		return nil
	})
	return len(seen), err
}

// An import writes continuously: the index is updated in large batches, and entries not yet indexed are
// searched in memory.
const (
	indexEvery = 2 * time.Second
	// indexFlushSize and indexFlushAge make segments of some 4,000 names, which take 30 MB until they are on disk, and
	// several times that while they are written.
	indexFlushSize = 400_000
	indexFlushAge  = 2 * time.Minute
	// importGC lets the heap grow to three times the live data before a collection, as long as it stays within
	// importMemory: an import allocates much short-lived memory. The limit is soft: more live data than that stays.
	importGC     = 200
	importMemory = 450 << 20
)

// lendMemory sets how the heap of an import grows, its limit unless GOMEMLIMIT says one, and returns what undoes that.
func lendMemory() (undo func()) {
	percent, limit := debug.SetGCPercent(importGC), debug.SetMemoryLimit(-1)
	if _, stated := os.LookupEnv("GOMEMLIMIT"); !stated {
		debug.SetMemoryLimit(importMemory)
	}
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

const longestLine = 1 << 20

// each passes the rows of the file to use, with their line numbers.
func (c *importCmd) each(use func(line int, r bulk.Row) error) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		r, err := c.parse(text)
		if err == nil {
			err = use(n, r)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", c.File, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return nil
}

// parse parses one line.
func (c *importCmd) parse(text []byte) (bulk.Row, error) {
	var members map[string]jsontext.Value
	if err := jsonv2.Unmarshal(text, &members); err != nil {
		return bulk.Row{}, err
	}
	for _, name := range c.Ignore {
		delete(members, name)
	}
	kept, err := jsonv2.Marshal(members)
	if err != nil {
		return bulk.Row{}, err
	}
	var r row
	if err := jsonv2.Unmarshal(kept, &r, jsonv2.RejectUnknownMembers(true)); err != nil {
		return bulk.Row{}, fmt.Errorf("%w (--ignore leaves members out)", err)
	}
	return c.row(r)
}

func (c *importCmd) row(r row) (bulk.Row, error) {
	if r.Source == "" {
		r.Source = c.Source
	}
	if r.Type == "" {
		r.Type = c.Type
	}
	switch {
	case r.ID == "":
		return bulk.Row{}, errors.New("has no id")
	case r.Source == "":
		return bulk.Row{}, errors.New("names no source, and there is no --source")
	case r.Attributes != nil && r.Attrs != nil:
		return bulk.Row{}, errors.New("has both attributes and attrs")
	}
	if r.Attributes == nil {
		r.Attributes = r.Attrs
	}
	if about := r.Attributes["context"]; r.Context == "" && len(about) > 0 {
		r.Context = strings.Join(about, "; ")
		delete(r.Attributes, "context")
	}
	return bulk.Row{
		Record: tenure.Record{Source: r.Source, ID: r.ID}, Name: r.Name, Type: r.Type, Aliases: r.Aliases,
		Attributes: r.Attributes, Context: r.Context, Project: r.Project,
	}, nil
}

// load imports the rows into the store.
func (c *importCmd) load(w *world, importer *bulk.Importer, total int) error {
	p := newProgress(w, total)
	p.every = c.Progress
	rows := make(chan bulk.Row, 1024)
	ctx, stop := context.WithCancel(w.ctx)
	defer stop()
	reading := make(chan error, 1)
	go func() {
		defer close(rows)
		reading <- c.each(func(_ int, r bulk.Row) error {
			select {
			case rows <- r:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	sum, err := importer.Import(ctx, bulk.ImportConfig{
		Caller: tenure.Caller{Tenant: c.Tenant, Actor: "import", Clearance: tenure.HighlyRestricted},
		Origin: "import://" + c.Source, AuthorityLevel: c.AuthorityLevel, SourceAuthority: c.SourceAuthority,
		Progress: p.show,
		LeftOut: func(r bulk.Row) {
			fmt.Fprintf(w.errOut, "the row %s of %s is left out: it has no name, and no identifier, date of birth, "+
				"telephone number or address that could identify\n", r.Record.ID, r.Record.Source)
		},
	}, func() (bulk.Row, bool) {
		r, ok := <-rows
		return r, ok
	})
	if err != nil {
		return err
	}
	if err := <-reading; err != nil {
		return err
	}
	p.end(sum)
	return nil
}

// mapping is a line of the output.
type mapping struct {
	Record tenure.Record `json:"record"`
	Entity tenure.ID     `json:"entity_id"`
}

// report writes the entity of each row, in the order of the file, and the entities that may be over-merged.
func (c *importCmd) report(w *world, importer *bulk.Importer, overmerges *bulk.OvermergeReport) (err error) {
	out, end, err := create(w, c.Output)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	var part []bulk.Row
	flush := func() error {
		entities, err := importer.EntitiesOf(w.ctx, c.Tenant, part)
		if err != nil {
			return err
		}
		for i, r := range part {
			if entities[i] == "" {
				continue // left out
			}
			if err := writeLine(out, mapping{r.Record, entities[i]}); err != nil {
				return err
			}
		}
		part = part[:0]
		return overmerges.Examine(w.ctx, entities)
	}
	err = c.each(func(_ int, r bulk.Row) error {
		if part = append(part, bulk.Row{Record: r.Record, Project: r.Project}); len(part) < reportedAtOnce {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return err
	}
	return c.tell(w, overmerges.Worst())
}

const (
	reportedAtOnce     = 1000
	shownOvermerges    = 20
	reportedOvermerges = 10_000
)

// keep returns how many over-merged entities are reported.
func (c *importCmd) keep() int {
	if c.Report != "" {
		return reportedOvermerges
	}
	return shownOvermerges
}

// tell writes the entities that may be over-merged to the report file, or formats them for people.
func (c *importCmd) tell(w *world, list []bulk.Overmerge) (err error) {
	if c.Report != "" {
		out, end, err := create(w, c.Report)
		if err != nil {
			return err
		}
		for _, x := range list {
			if err = writeLine(out, x); err != nil {
				break
			}
		}
		return errors.Join(err, end())
	}
	if len(list) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w.errOut, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "These may be more than one (--report FILE lists more of them):")
	fmt.Fprintln(t, "ENTITY\tNAME\tMENTIONS\tPAIRS APART\tCONTRADICTING\tWEAKEST LINK\tWHY")
	for _, x := range list {
		fmt.Fprintf(t, "%s\t%.40s\t%d\t%.0f %%\t%d\t%.2f, %d on it\t%s\n",
			x.Entity, x.Name, x.Mentions, 100*x.Disagreement, x.Contradicting, x.WeakestLink, x.SmallerSide,
			strings.Join(x.Reasons, ", "))
	}
	return t.Flush()
}

// create opens a file for writing; - is standard output.
func create(w *world, name string) (out *bufio.Writer, end func() error, err error) {
	if name == "-" {
		out = bufio.NewWriter(w.out)
		return out, out.Flush, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, err
	}
	out = bufio.NewWriter(f)
	return out, func() error { return errors.Join(out.Flush(), f.Close()) }, nil
}

func writeLine(w io.Writer, v any) error {
	text, err := jsonv2.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// progressEvery is how often progress is printed where standard error is no terminal.
const progressEvery = 10 * time.Second

// progress reports the progress of an import to its operator.
type progress struct {
	w        *world
	total    int
	began    time.Time
	told     time.Time
	every    time.Duration
	terminal bool
}

func newProgress(w *world, total int) *progress {
	f, ok := w.errOut.(*os.File)
	return &progress{w: w, total: total, began: w.now(), told: w.now(), every: progressEvery,
		terminal: ok && term.IsTerminal(int(f.Fd()))}
}

// show prints the counts periodically, on a terminal in one line.
func (p *progress) show(sum bulk.Imported) {
	p.line(func() string {
		return fmt.Sprintf("%d of %d rows, %.0f rows/s: %s", sum.Rows, p.total, p.rate(sum.Rows), bands(sum))
	})
}

// line prints a line periodically, on a terminal always in the same place.
func (p *progress) line(text func() string) {
	every, form := p.every, "%s\n"
	if p.terminal {
		every, form = time.Second/2, "\r\x1b[K%s"
	}
	if now := p.w.now(); now.Sub(p.told) >= every {
		p.told = now
		fmt.Fprintf(p.w.errOut, form, text())
	}
}

// clear removes the line that a terminal shows.
func (p *progress) clear() {
	if p.terminal {
		fmt.Fprint(p.w.errOut, "\r\x1b[K")
	}
}

// end prints the final counts.
func (p *progress) end(sum bulk.Imported) {
	p.clear()
	fmt.Fprintf(p.w.errOut, "%d rows: %s\n", sum.Rows, bands(sum))
	fmt.Fprintf(p.w.errOut, "looked at again: %d entities merged into others, %d asked about\n", sum.Later.Merged,
		sum.Later.Opened)
	fmt.Fprintf(p.w.errOut, "in %s, %.0f rows/s\n", p.w.now().Sub(p.began).Round(time.Second/10), p.rate(sum.Rows))
}

func (p *progress) rate(done int) float64 {
	return float64(done) / max(p.w.now().Sub(p.began).Seconds(), .001)
}

func bands(sum bulk.Imported) string {
	return fmt.Sprintf("%d new entities, %d merged, %d in review, %d unchanged", sum.New, sum.Merged, sum.InReview,
		sum.Unchanged)
}
