package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tenure"
)

// TestScanPosition checks that positions of scans are kept by tenant, and removed when a scan completes.
func TestScanPosition(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.db.duplicate-scan")
	a, b := scanPosition{file, "a"}, scanPosition{file, "b"}
	at := func(when string, p scanPosition, want tenure.Seq) {
		t.Helper()
		if got, err := p.read(); got != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", when, got, err, want)
		}
	}
	at("before any", a, 0)
	if err := errors.Join(a.write(1000), b.write(500), a.write(2000)); err != nil {
		t.Fatal(err)
	}
	at("on the way", a, 2000)
	at("on the way", b, 500)
	if err := a.write(0); err != nil {
		t.Fatal(err)
	}
	at("at the end", a, 0)
	at("at the end of the other's", b, 500)
	if err := b.write(0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is left behind: %v", err)
	}
	if err := (scanPosition{"", "a"}).write(7); err != nil {
		t.Errorf("kept nowhere: %v", err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.read(); err == nil {
		t.Error("a damaged file is taken for none")
	}
}
