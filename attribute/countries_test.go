package attribute_test

import (
	"testing"

	"tenure/attribute"
)

func TestParseCountry(t *testing.T) {
	for written, code := range map[string]string{
		"Kenya": "KE", "ke": "KE", "KEN": "KE", "Côte d’Ivoire": "CI", "Ivory Coast": "CI", "UK": "GB", "United Kingdom": "GB",
		"usa": "US", "United States of America": "US", "Deutschland": "DE", "Allemagne": "DE", "Hong Kong": "HK",
		"Türkiye": "TR", "Turkey": "TR", "Russian Federation": "RU", "Vatican City": "VA", "Georgia": "GE",
		"": "", "Kenyan": "", "East Africa": "", "Africa": "", "EU": "", "001": "", "California": "", "xx": "",
	} {
		if got, ok := attribute.ParseCountry(written); got != code || ok != (code != "") {
			t.Errorf("%q is %q, %v, want %q", written, got, ok, code)
		}
	}
}
