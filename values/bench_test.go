package values_test

import (
	"encoding/json"
	"testing"

	"tenure/values"
)

// typical are values as agents send them, one of each kind.
var typical = map[string]string{
	"integer": `1500`, "truth": `true`, "word": `"approved"`, "name": `"Ada Novak"`,
	"title": `"Head of Engineering"`, "place": `"Oslo, Norway"`,
	"sentence":   `"The team moved the release to the second week of the month after the review"`,
	"accents":    `"Zoë Müller-Lüdenscheid"`,
	"percentage": `"15 %"`, "money": `"$1,500 per month"`, "quantity": `"5 km"`, "compound": `"1 h 30 min"`, "counted": `"1,500 users"`,
	"day": `"2025-09-03"`, "words of a day": `"3 September 2025"`, "instant": `"2025-09-03T14:30:00+02:00"`, "time": `"14:30"`,
	"quarter": `"Q3 2025"`, "telephone": `"+49 30 123456"`, "e-mail": `"ada@example.org"`, "address": `"https://example.org/path?q=1"`,
	"range": `"5-7 days"`, "none": `"unknown"`, "object": `{"b":1,"a":[1,2]}`,
}

func BenchmarkCanonical(b *testing.B) {
	for name, v := range typical {
		raw := json.RawMessage(v)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p, err := values.Parse(raw)
				if err != nil || p.Canonical() == "" {
					b.Fatal(err)
				}
			}
		})
	}
}
