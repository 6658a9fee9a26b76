package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenure"
	"tenure/service/bulk"
)

type scanDuplicatesCmd struct {
	storeFlags
	indexFlag
	modelFlag
	Tenant   string `required:"" placeholder:"TENANT" help:"Tenant whose entities are scanned."`
	DryRun   bool   `help:"Print what would be asked, and open no review."`
	Restart  bool   `help:"Start from the beginning, even if an earlier scan was interrupted."`
	Progress string `placeholder:"FILE" help:"File for the progress of the scan, from which an interrupted scan continues. Default: beside the SQLite file; with Neo4j, none."`
	Output   string `short:"o" default:"-" placeholder:"FILE" help:"File for the reviews, one JSON object per line. Default: standard output, which is also -."`
}

// Run resolves every root again and opens reviews for possible duplicates.
func (c *scanDuplicatesCmd) Run(w *world) error {
	o, err := openTenant(w, c.storeFlags, c.indexFlag, c.Tenant)
	if err != nil {
		return err
	}
	defer o.close()
	position := scanPosition{c.progressFile(), c.Tenant}
	from, err := position.begin(w, c.Restart || c.DryRun)
	if err != nil {
		return err
	}
	out, end, err := create(w, c.Output)
	if err != nil {
		return err
	}
	model, err := c.load()
	if err != nil {
		return err
	}
	sum, err := bulk.DuplicateScan(w.ctx, o.store, bulk.ScanConfig{
		Tenant: c.Tenant, Index: o.index.Index, Model: model, Now: w.now, Logger: o.logger, After: from, DryRun: c.DryRun,
		Found:      func(q bulk.Finding) error { return writeLine(out, q) },
		Checkpoint: c.checkpoint(out, position),
	})
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	what := "reviews opened"
	if c.DryRun {
		what = "questions, no review opened"
	} else if err := position.write(0); err != nil {
		return err
	}
	fmt.Fprintf(w.errOut, "%d entities looked at, %d %s\n", sum.Entities, sum.Findings, what)
	return nil
}

// checkpoint returns a function that saves the position of the scan, after the findings up to it are written.
func (c *scanDuplicatesCmd) checkpoint(
	out *bufio.Writer, position scanPosition,
) func(tenure.Seq, bulk.ScanStats) error {
	return func(upTo tenure.Seq, _ bulk.ScanStats) error {
		if err := out.Flush(); err != nil || c.DryRun {
			return err
		}
		return position.write(upTo)
	}
}

func (c *scanDuplicatesCmd) progressFile() string {
	return progressFileOf(c.Store, c.Progress, ".duplicate-scan")
}

// progressFileOf returns the file that stores the position of a run: the one that is named, else one beside an SQLite
// store.
func progressFileOf(store, named, suffix string) string {
	path, isSQLite := strings.CutPrefix(store, sqlitePrefix)
	if named == "" && isSQLite {
		return path + suffix
	}
	return named
}

// scanPosition is the file that stores the position of a scan, or of a run of reextract, of each tenant, as a sequence
// number. Without a file, no position is stored.
type scanPosition struct{ file, tenant string }

func (p scanPosition) all() (map[string]tenure.Seq, error) {
	at := map[string]tenure.Seq{}
	text, err := os.ReadFile(p.file)
	if p.file == "" || errors.Is(err, os.ErrNotExist) {
		return at, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil {
		return nil, fmt.Errorf("how far the last scan came cannot be read: %w", err)
	}
	return at, nil
}

func (p scanPosition) read() (tenure.Seq, error) {
	at, err := p.all()
	return at[p.tenant], err
}

// begin returns the sequence number from which a run continues, and says so if it is not the beginning; 0 if it starts
// anew.
func (p scanPosition) begin(w *world, anew bool) (tenure.Seq, error) {
	from, err := p.read()
	if err != nil || anew {
		return 0, err
	}
	if from > 0 {
		fmt.Fprintf(w.errOut, "going on after entry %d of the log (--restart begins at the beginning)\n", from)
	}
	return from, nil
}

// write saves a sequence number; 0 removes it.
func (p scanPosition) write(seq tenure.Seq) error {
	at, err := p.all()
	if p.file == "" || err != nil {
		return err
	}
	if at[p.tenant] = seq; seq == 0 {
		delete(at, p.tenant)
	}
	if len(at) == 0 {
		if err := os.Remove(p.file); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	text, err := json.Marshal(at)
	if err != nil {
		return err
	}
	next := filepath.Join(filepath.Dir(p.file), filepath.Base(p.file)+".tmp")
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, p.file)
}
