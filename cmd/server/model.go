package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tenure/calibrate"
	"tenure/service/bulk"
	"tenure/similarity"
	"tenure/store"
)

// modelFlag selects the model that scores entity resolution.
type modelFlag struct {
	Model string `env:"TENURE_MODEL" placeholder:"FILE" help:"File of the scoring model. Default: the built-in model."`
}

// file returns the content of the model.
func (f modelFlag) file() (similarity.File, error) {
	if f.Model == "" {
		return similarity.DefaultFile()
	}
	var file similarity.File
	data, err := os.ReadFile(f.Model)
	if err != nil {
		return file, err
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return file, fmt.Errorf("--model %s is not the file of a model: %w", f.Model, err)
	}
	if file.Version == "" || len(file.Names) == 0 {
		return file, fmt.Errorf("--model %s is not the file of a model: it has no version or no weights", f.Model)
	}
	return file, nil
}

func (f modelFlag) load() (*similarity.Model, error) {
	if f.Model == "" {
		return similarity.DefaultModel(), nil
	}
	file, err := f.file()
	if err != nil {
		return nil, err
	}
	m, err := similarity.NewModel(file)
	if err != nil {
		return nil, fmt.Errorf("--model %s: %w", f.Model, err)
	}
	return m, nil
}

type modelCmd struct {
	Frequencies frequenciesCmd `cmd:"" help:"Count how common words are in the names of a tenant's entities, and report which are more common than the model assumes. Writes a model only with -o."`
	Recalibrate recalibrateCmd `cmd:"" help:"Fit the scores to the reviews that people answered in a tenant, and report the error before and after. Writes a model only with -o."`
}

// fitting holds the flags shared by the commands that make a model for a tenant.
type fitting struct {
	storeFlags
	modelFlag
	Output string `short:"o" placeholder:"FILE" help:"File for the new model, to be used with \"serve --model\". Default: nothing is written."`
}

// from runs learn on the model and the open store.
func (f fitting) from(w *world, learn func(similarity.File, store.Store) error) error {
	file, err := f.file()
	if err != nil {
		return err
	}
	return f.with(w, func(s store.Store) error { return learn(file, s) })
}

// recalibrateCmd reads a tenant's decisions and, if they improve the fit and a file is named, writes a
// recalibrated model.
type recalibrateCmd struct {
	fitting
	Tenant string `required:"" placeholder:"TENANT" help:"Tenant whose answered reviews are used."`
}

// Run prints the fit, and writes the model if it is better.
func (c *recalibrateCmd) Run(w *world) error {
	var calibration bulk.Calibration
	err := c.from(w, func(file similarity.File, s store.Store) (err error) {
		calibration, err = bulk.Calibrate(w.ctx, s, c.Tenant, file, w.now())
		if err == nil {
			report(w.out, file.Version, calibration)
		}
		return err
	})
	if err != nil {
		return err
	}
	if !calibration.Improved() {
		fmt.Fprintln(w.out, "Nothing is written.")
		return nil
	}
	if c.Output == "" {
		fmt.Fprintln(w.out, "Nothing is written: -o FILE writes the model.")
		return nil
	}
	if err := writeModel(c.Output, calibration.Model); err != nil {
		return err
	}
	version := calibration.Model.Version
	fmt.Fprintf(w.out, "Model %s is in %s. \"server serve --model %s\" uses it.\n", version, c.Output, c.Output)
	return nil
}

// frequenciesCmd reads a tenant's names and, if a file is named, writes a model with their word frequencies.
type frequenciesCmd struct {
	fitting
	Tenant string `required:"" placeholder:"TENANT" help:"Tenant whose names are counted."`
}

// Run prints the word frequencies, and writes the model.
func (c *frequenciesCmd) Run(w *world) error {
	var found bulk.Frequencies
	err := c.from(w, func(file similarity.File, s store.Store) (err error) {
		found, err = bulk.LearnFrequencies(w.ctx, s, c.Tenant, file, w.now())
		return err
	})
	if err != nil {
		return err
	}
	for _, class := range found.Classes {
		reportWords(w.out, class)
	}
	if !found.Changed() || c.Output == "" {
		fmt.Fprintln(w.out, "Nothing is written: -o FILE writes the model if there is anything new.")
		return nil
	}
	if err := writeModel(c.Output, found.Model); err != nil {
		return err
	}
	version := found.Model.Version
	fmt.Fprintf(w.out, "Model %s is in %s. See with \"server model recalibrate --model %s\" whether its scores agree with what was decided; \"server serve --model %s\" uses it.\n",
		version, c.Output, c.Output, c.Output)
	return nil
}

// shownWords is how many words of a class are printed, largest change first.
const shownWords = 10

// reportWords prints the words that are more common than the model assumed.
func reportWords(w io.Writer, c bulk.ClassFrequencies) {
	if c.TooFew {
		fmt.Fprintf(w, "%s: %d names, too few: it takes %d.\n", c.Class, c.Names, calibrate.LeastNames)
		return
	}
	fmt.Fprintf(w, "%s: %d names, %d words are commoner here than the model knows.\n", c.Class, c.Names, len(c.Words))
	for _, m := range c.Words[:min(len(c.Words), shownWords)] {
		fmt.Fprintf(w, "  %-24s %5.2f nats, was %.2f\n", m.Word, m.After, m.Before)
	}
}

// writeModel writes a model atomically, so that no reader sees a partial file.
func writeModel(path string, f similarity.File) error {
	body, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	t, err := os.CreateTemp(filepath.Dir(path), ".model-*")
	if err != nil {
		return err
	}
	_, err = t.Write(append(body, '\n'))
	if err = errors.Join(err, t.Chmod(0o644), t.Close()); err == nil {
		err = os.Rename(t.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(t.Name()))
	}
	return nil
}

// report prints the labels available and the result of the fit.
func report(w io.Writer, version string, c bulk.Calibration) {
	d, r := c.Decisions, c.Result
	fmt.Fprintf(w, "Model %s. %d answers to reviews, %d merges by score, of which %d were undone.\n", version,
		r.Before.Labels-d.Undone, d.Automatic, d.Undone)
	fmt.Fprintf(w, "Counted and no more: %d merges and %d splits by people who were not asked; %d decisions on scores of another model.\n", d.Merges, d.Splits, d.OtherModel)
	fmt.Fprintf(w, "%-34s %10s %10s\n", "", "before", "after")
	line := func(what, format string, of func(calibrate.Measure) []any) {
		fmt.Fprintf(w, "%-34s %10s %10s\n", what, fmt.Sprintf(format, of(r.Before)...), fmt.Sprintf(format, of(r.After)...))
	}
	line("log loss", "%.4f", func(m calibrate.Measure) []any { return []any{m.LogLoss} })
	line("expected calibration error", "%.4f", func(m calibrate.Measure) []any { return []any{m.Error} })
	line("wrong at 0.95 and more", "%d of %d", func(m calibrate.Measure) []any { return []any{m.WronglySo, m.Merged} })
	line("the same at 0.70 and less", "%d of %d", func(m calibrate.Measure) []any { return []any{m.WronglyApart, m.New} })
	for _, line := range c.Advice {
		fmt.Fprintln(w, line)
	}
	switch r.Outcome {
	case calibrate.TooFew:
		fmt.Fprintf(w, "Too few decisions: %d, and it takes %d.\n", r.Before.Labels, calibrate.Least)
	case calibrate.Stands:
		fmt.Fprintln(w, "The calibration stands: on decisions that a fit has not seen it does not do clearly better.")
	case calibrate.Better:
		fmt.Fprintln(w, "A fit does better on decisions that it has not seen: \"after\" is of those.")
	}
}
