package index

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzCheckpoints has a damaged file of checkpoints count as none: no consumer begins at what is no entry.
func FuzzCheckpoints(f *testing.F) {
	for _, s := range []string{`{"acme":7}`, `{"acme":-7}`, `{"acme":1e3,"b":"x"}`, `{"acme":`, `null`, ``, "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "checkpoints")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := openCheckpoints(file)
		if err != nil {
			t.Fatal(err)
		}
		for tenant := range c.at {
			if c.Get(tenant) < 0 {
				t.Errorf("%q begins at %d", text, c.Get(tenant))
			}
		}
	})
}
