package main

import (
	"bufio"
	"errors"
	"fmt"

	"tenure"
	"tenure/service/bulk"
)

type reextractCmd struct {
	storeFlags
	indexFlag
	modelFlag
	statementsFlags
	extractorFlags
	Tenant   string `required:"" placeholder:"TENANT" help:"Tenant whose texts are read again."`
	Apply    bool   `help:"Write the readings that differ. Without it they are only printed."`
	Restart  bool   `help:"Start from the beginning, even if an earlier run was interrupted."`
	Progress string `placeholder:"FILE" help:"File for how far the run has come, from which an interrupted one continues. Default: beside the SQLite file; with Neo4j, none."`
	Output   string `short:"o" default:"-" placeholder:"FILE" help:"File for the texts that are read otherwise or not at all, one JSON object per line. Default: standard output, which is also -."`
}

// Run reads the texts of a tenant again.
func (c *reextractCmd) Run(w *world) (err error) {
	o, err := openTenant(w, c.storeFlags, c.indexFlag, c.Tenant)
	if err != nil {
		return err
	}
	defer o.close()
	position := scanPosition{c.progressFile(), c.Tenant}
	from, err := position.begin(w, c.Restart || !c.Apply)
	if err != nil {
		return err
	}
	model, err := c.load()
	if err != nil {
		return err
	}
	svc, end, err := o.reading(w, model, c.statementsFlags, c.extractorFlags)
	if err != nil {
		return err
	}
	defer end()
	out, written, err := create(w, c.Output)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, written()) }()
	defer lendMemory()()
	p := newProgress(w, 0)
	sum, err := bulk.Reextract(w.ctx, o.store, svc, bulk.ReextractConfig{
		Caller: tenure.Caller{Tenant: c.Tenant, Actor: "reextract", Clearance: tenure.HighlyRestricted},
		After:  from, Apply: c.Apply,
		Told:       func(t bulk.ReadText) error { return writeLine(out, t) },
		Checkpoint: c.checkpoint(out, position, p),
	})
	if err != nil {
		return err
	}
	if c.Apply {
		if err := position.write(0); err != nil {
			return err
		}
	}
	p.endReextract(sum, c.Apply)
	if sum.Refused > 0 {
		return fmt.Errorf("%d readings were refused, the others are written", sum.Refused)
	}
	return nil
}

// checkpoint returns a function that saves the position of the run, after the lines up to it are written.
func (c *reextractCmd) checkpoint(
	out *bufio.Writer, position scanPosition, p *progress,
) func(tenure.Seq, bulk.Reextracted) error {
	return func(upTo tenure.Seq, sum bulk.Reextracted) error {
		p.line(func() string { return fmt.Sprintf("entry %d: %s", upTo, readings(sum)) })
		if err := out.Flush(); err != nil || !c.Apply {
			return err
		}
		return position.write(upTo)
	}
}

func (c *reextractCmd) progressFile() string {
	return progressFileOf(c.Store, c.Progress, ".reextract")
}

// readings counts what became of texts.
func readings(sum bulk.Reextracted) string {
	return fmt.Sprintf("%d texts, %d as before, %d otherwise, %d not read", sum.Texts, sum.Same,
		sum.Differ+sum.Written+sum.Refused, sum.NotRead)
}

// endReextract prints the final counts.
func (p *progress) endReextract(sum bulk.Reextracted, apply bool) {
	p.clear()
	fmt.Fprintln(p.w.errOut, readings(sum))
	if sum.Gone > 0 {
		fmt.Fprintf(p.w.errOut, "%d beliefs rest on statements that are not read any more; they are left as they are\n", sum.Gone)
	}
	if !apply {
		fmt.Fprintln(p.w.errOut, "nothing was written: --apply writes what is read otherwise")
		return
	}
	fmt.Fprintf(p.w.errOut, "%d readings written, %d refused, %d beliefs made\n", sum.Written, sum.Refused, sum.Made)
	fmt.Fprintf(p.w.errOut, "looked at again: %d entities merged into others, %d asked about\n", sum.Later.Merged,
		sum.Later.Opened)
}
