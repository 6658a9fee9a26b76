package values_test

import (
	"strings"
	"testing"

	"tenure/values"
)

// hostile are texts that make a reader go back and forth, by what they repeat.
var hostile = map[string]string{
	"digits": "1", "letters": "a", "words": "1 ", "brackets": "(", "points": ".", "separators": "1,000,", "dashes": "1-", "number words": "one hundred ",
	"initials": "a. ", "sizes": "1x", "quotes": `"`, "signs": "$", "colons": "1:", "at signs": "a@", "escapes": "%41", "combining": "a\u0301", "forms": "inc ",
	"names": "a, ",
}

// TestLargeTextsAreText reads 64 KB of each, and all lengths that are read as anything but text.
func TestLargeTextsAreText(t *testing.T) {
	const large, read = 64 << 10, 120
	for name, s := range hostile {
		if v := values.Of(strings.Repeat(s, large/len(s))); v.Kind != values.Text {
			t.Errorf("%s: %s", name, v.Kind)
		}
		for n := range read/len(s) + 1 {
			values.Of(strings.Repeat(s, n))
		}
	}
}

func BenchmarkLarge(b *testing.B) {
	for name, s := range hostile {
		s = strings.Repeat(s, 64<<10/len(s))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				values.Of(s)
			}
		})
	}
}
