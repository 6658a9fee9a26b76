package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"tenure"
	"tenure/app"
)

type importCmd struct {
	storeFlags
	indexFlag
	modelFlag
	File            string   `arg:"" type:"existingfile" help:"The rows, one JSON object a line."`
	Format          string   `default:"jsonl" enum:"jsonl" help:"How the rows are written: jsonl."`
	Tenant          string   `required:"" help:"Tenant to import into; it must have a key."`
	Source          string   `help:"System of record of rows that name none in \"source\"."`
	Type            string   `help:"Type of rows that name none."`
	Ignore          []string `sep:"," help:"Members of the rows to leave out; any other that is not known is refused."`
	AuthorityLevel  int      `default:"3" help:"Authority level of the rows, 0 (strongest) to 4."`
	SourceAuthority float64  `default:"0.8" help:"How far the source is trusted, 0 to 1."`
	Output          string   `short:"o" default:"-" help:"Where to write which entity each row means, one JSON object a line; - is standard output."`
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

// Run reads the whole file once before anything is written, so that a bad line
// leaves nothing half done; then it imports, and writes what each row means.
func (c *importCmd) Run(w *world) error {
	rows, err := c.check(w)
	if err != nil {
		return err
	}
	s, err := c.open(w.ctx, w.now)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	keys, err := s.Credentials(w.ctx, c.Tenant)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return fmt.Errorf("there is no tenant %q: make a key for it first with \"server keys create\"", c.Tenant)
	}
	logger := slog.New(slog.NewTextHandler(w.errOut, &slog.HandlerOptions{Level: slog.LevelWarn}))
	x, err := c.openIndex(c.Store, logger)
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	model, err := c.modelFlag.load()
	if err != nil {
		return err
	}
	a, err := app.New(s, app.Config{Now: w.now, Logger: logger, CursorKey: make([]byte, 32), Index: x.Index, Model: model})
	if err != nil {
		return err
	}
	defer a.Close()
	if err := c.load(w, a, len(rows)); err != nil {
		return err
	}
	return c.report(w, a, rows)
}

// check reads every line and refuses the file at the first that is no row. Rows
// without a name mean nobody: they are told and left out.
func (c *importCmd) check(w *world) (rows []app.Row, err error) {
	seen := map[tenure.Record]int{}
	err = c.each(func(line int, r app.Row) error {
		if strings.TrimSpace(r.Name) == "" {
			fmt.Fprintf(w.errOut, "line %d: the row %s has no name and is left out\n", line, r.Record.ID)
			return nil
		}
		if before, twice := seen[r.Record]; twice {
			return fmt.Errorf("is the row %s of %s, as is line %d", r.Record.ID, r.Record.Source, before)
		}
		seen[r.Record] = line
		rows = append(rows, app.Row{Record: r.Record, Project: r.Project})
		return nil
	})
	return rows, err
}

const longestLine = 1 << 20

// each gives the rows of the file with the numbers of their lines.
func (c *importCmd) each(use func(line int, r app.Row) error) error {
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

// parse reads one line.
func (c *importCmd) parse(text []byte) (app.Row, error) {
	var members map[string]jsontext.Value
	if err := jsonv2.Unmarshal(text, &members); err != nil {
		return app.Row{}, err
	}
	for _, name := range c.Ignore {
		delete(members, name)
	}
	kept, err := jsonv2.Marshal(members)
	if err != nil {
		return app.Row{}, err
	}
	var r row
	if err := jsonv2.Unmarshal(kept, &r, jsonv2.RejectUnknownMembers(true)); err != nil {
		return app.Row{}, fmt.Errorf("%w (--ignore leaves members out)", err)
	}
	return c.row(r)
}

func (c *importCmd) row(r row) (app.Row, error) {
	if r.Source == "" {
		r.Source = c.Source
	}
	if r.Type == "" {
		r.Type = c.Type
	}
	switch {
	case r.ID == "":
		return app.Row{}, errors.New("has no id")
	case r.Source == "":
		return app.Row{}, errors.New("names no source, and there is no --source")
	case r.Attributes != nil && r.Attrs != nil:
		return app.Row{}, errors.New("has both attributes and attrs")
	}
	if r.Attributes == nil {
		r.Attributes = r.Attrs
	}
	if about := r.Attributes["context"]; r.Context == "" && len(about) > 0 {
		r.Context = strings.Join(about, "; ")
		delete(r.Attributes, "context")
	}
	return app.Row{
		Record: tenure.Record{Source: r.Source, ID: r.ID}, Name: r.Name, Type: r.Type, Aliases: r.Aliases,
		Attributes: r.Attributes, Context: r.Context, Project: r.Project,
	}, nil
}

// load takes the rows into the store.
func (c *importCmd) load(w *world, a *app.App, total int) error {
	progress, done := c.progress(w, total)
	defer done()
	rows := make(chan app.Row, 1024)
	ctx, stop := context.WithCancel(w.ctx)
	defer stop()
	reading := make(chan error, 1)
	go func() {
		defer close(rows)
		reading <- c.each(func(_ int, r app.Row) error {
			if strings.TrimSpace(r.Name) == "" {
				return nil
			}
			select {
			case rows <- r:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	sum, err := a.Import(ctx, app.ImportConfig{
		Caller: tenure.Caller{Tenant: c.Tenant, Actor: "import", Clearance: tenure.HighlyRestricted},
		Origin: "import://" + c.Source, AuthorityLevel: c.AuthorityLevel, SourceAuthority: c.SourceAuthority, Progress: progress,
	}, func() (app.Row, bool) {
		r, ok := <-rows
		return r, ok
	})
	if err != nil {
		return err
	}
	if err := <-reading; err != nil {
		return err
	}
	done()
	fmt.Fprintf(w.errOut, "%d rows: %d new entities, %d merged, %d in review, %d unchanged\n",
		sum.Rows, sum.New, sum.Merged, sum.InReview, sum.Unchanged)
	return nil
}

// progress is a bar where somebody watches.
func (c *importCmd) progress(w *world, total int) (progress func(int), done func()) {
	f, ok := w.errOut.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions(total, progressbar.OptionSetWriter(f), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionSetItsString("rows"), progressbar.OptionClearOnFinish())
	return func(n int) { _ = bar.Set(n) }, func() { _ = bar.Finish() }
}

// mapping is a line of the output.
type mapping struct {
	Record tenure.Record `json:"record"`
	Entity tenure.ID     `json:"entity_id"`
}

// report writes which entity each row means, in the order of the file.
func (c *importCmd) report(w *world, a *app.App, rows []app.Row) (err error) {
	out := w.out
	if c.Output != "-" {
		f, err := os.Create(c.Output)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		out = f
	}
	buffered := bufio.NewWriter(out)
	for part := range slices.Chunk(rows, 1000) {
		entities, err := a.EntitiesOf(w.ctx, c.Tenant, part)
		if err != nil {
			return err
		}
		for i, r := range part {
			if err := writeLine(buffered, mapping{r.Record, entities[i]}); err != nil {
				return err
			}
		}
	}
	return buffered.Flush()
}

func writeLine(w io.Writer, v any) error {
	text, err := jsonv2.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
