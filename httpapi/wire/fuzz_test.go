package wire

import (
	"testing"

	"tenure"
)

// FuzzTimes holds the two clocks of the query to what a state can be: one of the two ways to say what was known, never
// the present by accident, and a valid time in the years that a time can be written in.
func FuzzTimes(f *testing.F) {
	for _, s := range []string{"1", "0", "-7", "9223372036854775807", "9223372036854775808", "1970-01-01T00:00:00Z",
		"0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999-23:59", "2025-02-30T00:00:00Z", "2025-01-01T00:00:00 01:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if known, err := parseKnownAt(text, "known_at"); err != nil {
			if tenure.CodeOf(err) != tenure.Invalid {
				t.Errorf("parseKnownAt(%q): %v", text, err)
			}
		} else if (known.Seq > 0) == (known.Known != 0) || known.Seq < 0 {
			t.Errorf("parseKnownAt(%q) = %+v", text, known)
		}
		at, err := instantParameter("valid_at", &text)
		if err != nil {
			if tenure.CodeOf(err) != tenure.Invalid {
				t.Errorf("instantParameter(%q): %v", text, err)
			}
			return
		}
		written := at.String()
		if again, err := instantParameter("valid_at", &written); err != nil || *again != *at {
			t.Errorf("%q is %s, which is read as %v, %v", text, written, again, err)
		}
	})
}
