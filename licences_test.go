package tenure_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

// allowed are the licences that a module of the program may be under. Others, and what is not recognised, fail.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "Unlicense", "CC0-1.0"}

// TestLicences reads the licence files of every module that is compiled into the program.
func TestLicences(t *testing.T) {
	modules := compiled(t)
	if len(modules) < 10 {
		t.Fatalf("%d modules are compiled into the program: the list has gone wrong", len(modules))
	}
	for path, dir := range modules {
		found := licencesIn(t, dir)
		if len(found) == 0 {
			t.Errorf("%s has no licence that is recognised", path)
		}
		for _, name := range found {
			if !slices.Contains(allowed, name) {
				t.Errorf("%s is under %s", path, name)
			}
		}
	}
}

// compiled returns the folders of the modules with a package in the program, ours left out.
func compiled(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=Module", "./cmd/server").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Module *struct {
				Path, Dir string
				Main      bool
			}
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return modules
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && !p.Module.Main {
			modules[p.Module.Path] = p.Module.Dir
		}
	}
}

var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)`)

// licencesIn returns what the licence files of a module's folder are recognised as.
func licencesIn(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		for _, m := range licensecheck.Scan(read(t, filepath.Join(dir, e.Name()))).Match {
			found = append(found, m.ID)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
