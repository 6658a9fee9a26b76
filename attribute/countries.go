package attribute

import (
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"tenure/text"
)

// ParseCountry returns the code of a country (ISO 3166-1, two letters) from a code of two or three letters or from a
// name in one of several languages, false for anything else.
func ParseCountry(s string) (string, bool) {
	key := text.Plain(s)
	if n := len(key); n == 2 || n == 3 {
		if r, err := language.ParseRegion(key); err == nil && r.IsCountry() {
			return r.Canonicalize().String(), true
		}
	}
	code, ok := countryNames()[key]
	return code, ok
}

// countryNames maps the folded names of countries to their codes.
var countryNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, l := range []language.Tag{
		language.English, language.German, language.French, language.Spanish, language.Italian, language.Portuguese,
		language.Dutch,
	} {
		namer := display.Regions(l)
		for _, r := range language.Supported.Regions() {
			if n := text.Plain(namer.Name(r)); r.IsCountry() && n != "" && names[n] == "" {
				names[n] = r.Canonicalize().String()
			}
		}
	}
	for name, code := range otherCountryNames {
		names[text.Plain(name)] = code
	}
	return names
})

// otherCountryNames are names of countries that the tables of languages have not.
var otherCountryNames = map[string]string{
	"united states of america": "US", "u.s.": "US", "u.s.a.": "US", "u.k.": "GB", "great britain": "GB",
	"russian federation": "RU", "republic of korea": "KR", "korea, republic of": "KR",
	"democratic people's republic of korea": "KP", "people's republic of china": "CN", "republic of china": "TW",
	"islamic republic of iran": "IR", "iran, islamic republic of": "IR", "syrian arab republic": "SY",
	"czech republic": "CZ", "the netherlands": "NL", "holland": "NL", "viet nam": "VN", "burma": "MM", "ivory coast": "CI",
	"swaziland": "SZ", "macedonia": "MK", "cape verde": "CV", "east timor": "TL", "united republic of tanzania": "TZ",
	"democratic republic of the congo": "CD", "republic of the congo": "CG", "republic of moldova": "MD",
	"lao people's democratic republic": "LA", "brunei darussalam": "BN", "plurinational state of bolivia": "BO",
	"bolivarian republic of venezuela": "VE", "turkey": "TR", "türkiye": "TR", "state of palestine": "PS",
	"palestine": "PS", "hong kong": "HK", "macau": "MO", "macao": "MO",
}
