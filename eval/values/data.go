package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// halves are the names of the two halves, and the folders of their files.
var halves = []string{"dev", "heldout"}

//go:embed testdata
var files embed.FS

// generate returns all pairs of both halves, by half and by the name of their file. The seeds never change: the figures
// of one day compare with those of another.
func generate() map[string]map[string][]pair {
	seen := map[string]bool{}
	type draw = func(uint64, map[string]bool) []pair
	drawn := func(seed uint64, draws ...draw) []pair {
		var out []pair
		for i, d := range draws {
			out = append(out, d(seed+uint64(i), seen)...)
		}
		return out
	}
	dev := drawn(1, devNumber.pairs, devPercent.pairs, devMoney.pairs, devQuantity.pairs, devDate.pairs, devPartial.pairs,
		devClock.pairs, devSpan.pairs, devMoment.pairs, devBool.pairs, devPhone.pairs, devEmail.pairs, devLink.pairs,
		devName.pairs, devText.pairs)
	held := drawn(101, heldNumber.pairs, heldPercent.pairs, heldMoney.pairs, heldQuantity.pairs, heldDate.pairs, heldPartial.pairs,
		heldClock.pairs, heldSpan.pairs, heldMoment.pairs, heldBool.pairs, heldPhone.pairs, heldEmail.pairs, heldLink.pairs,
		heldName.pairs, heldText.pairs)
	return map[string]map[string][]pair{
		"dev":     byFile(dev, doubtful(devDoubtful), compatible(devCompatible), nothings(devEmpty, devFull)),
		"heldout": byFile(held, doubtful(heldDoubtful), compatible(heldCompatible), nothings(heldEmpty, heldFull)),
	}
}

// byFile sorts pairs into one file for each type.
func byFile(lists ...[]pair) map[string][]pair {
	out := map[string][]pair{}
	for _, p := range slices.Concat(lists...) {
		name := strings.ReplaceAll(strings.ToLower(p.Type), " ", "-") + ".jsonl"
		out[name] = append(out[name], p)
	}
	return out
}

// encode writes one pair a line.
func encode(pairs []pair) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, p := range pairs {
		if err := e.Encode(p); err != nil {
			return nil, fmt.Errorf("%s, %v: %w", p.Type, p.Left, err)
		}
	}
	return b.Bytes(), nil
}

// write writes the files of both halves under dir.
func write(dir string) error {
	for half, named := range generate() {
		folder := filepath.Join(dir, half)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return err
		}
		for name, pairs := range named {
			b, err := encode(pairs)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(folder, name), b, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// load reads the pairs of a half. Numbers are json.Number, as they were written.
func load(half string) ([]pair, error) {
	folder := path.Join("testdata", half)
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var out []pair
	for _, entry := range entries {
		b, err := files.ReadFile(path.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		pairs, err := decode(b)
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", half, entry.Name(), err)
		}
		out = append(out, pairs...)
	}
	return out, nil
}

func decode(b []byte) ([]pair, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var out []pair
	for {
		var p pair
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
}
