package matter_test

import (
	"testing"

	"tenure/statements/matter"
)

// FuzzRead has any sentence read without a panic, and the same each time.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"The budget is at most 4000 dollars.", "Use Postgres instead of MariaDB by Friday", "10 % of 1e9 goes to %", "stop: :",
		"\x80 by \xff", "no more than 3-4",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		first, second := matter.Read(s).Settles(), matter.Read(s).Settles()
		if first != second {
			t.Errorf("%q is read in two ways", s)
		}
	})
}
