package similarity_test

import (
	"testing"

	"tenure/similarity"
)

// TestContraryCountries checks that two of one name in two countries are asked about, however likely the name makes
// them one, and that a country is the same by its name and by its codes.
func TestContraryCountries(t *testing.T) {
	in := func(typ, attribute string, values ...string) similarity.Profile {
		return similarity.Profile{Names: []string{"Ministry of Fisheries"}, Type: typ, Attributes: attrs{attribute: values}}
	}
	const org, country, jurisdiction = "organization", "country", "jurisdiction"
	for _, c := range []struct {
		behaviour   string
		left, right similarity.Profile
		band        string
	}{
		{"two countries", in(org, country, "Kenya"), in(org, country, "Ghana"), review},
		{"two countries by their codes", in(org, country, "KE"), in(org, country, "GH"), review},
		{"a country and the code of another", in(org, country, "Kenya"), in(org, country, "GH"), review},
		{"countries of things without a type", in("", country, "Kenya"), in("", country, "Ghana"), review},
		{"places in two countries", in("place", country, "Kenya"), in("place", country, "Ghana"), review},
		{"two jurisdictions", in(org, jurisdiction, "Kenya"), in(org, jurisdiction, "Ghana"), review},
		{"two states of one country", in(org, "country_of_incorporation", "Delaware"), in(org, jurisdiction, "Nevada"), review},
		{"a country by its name and by its code", in(org, country, "Kenya"), in(org, country, "ke"), merge},
		{"a country by its name and by its other code", in(org, country, "Kenya"), in(org, country, "KEN"), merge},
		{"two codes of one country", in(org, country, "US"), in(org, country, "USA"), merge},
		{"a code that is no standard", in(org, country, "UK"), in(org, country, "United Kingdom"), merge},
		{"one country of several", in(org, country, "Kenya", "Ghana"), in(org, country, "Ghana"), merge},
		{"a country on one side", in(org, country, "Kenya"), in(org, "website", "fisheries.example"), merge},
		{"a country and what is no country", in(org, country, "Kenya"), in(org, country, "East Africa"), merge},
		{"a number in common", with(in(org, country, "Kenya"), "lei", "5493001KJTIIGC8Y1R12"), with(in(org, country, "Ghana"), "lei", "5493001KJTIIGC8Y1R12"), merge},
		{"people move", in("person", country, "Kenya"), in("person", country, "Ghana"), merge},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			got := compare(c.left, c.right, similarity.EvenPrior())
			if !inBand(got.Score, c.band) {
				t.Errorf("%v and %v score %.3f, want %s\n%+v", c.left.Attributes, c.right.Attributes, got.Score, c.band, got.Contributions)
			}
		})
	}
}

// with returns a profile with a value of one more attribute.
func with(p similarity.Profile, attribute, value string) similarity.Profile {
	p.Attributes[attribute] = []string{value}
	return p
}

// TestAManAndAWoman checks that a given name and the one of a woman that is made of it are asked about, whatever a family
// has in common, and that other spellings of one name are not.
func TestAManAndAWoman(t *testing.T) {
	none := attrs{}
	for _, c := range []struct {
		left, right string
		common      attrs
		band        string
	}{
		{"Julian Frank", "Juliane Franke", none, review},
		{"Julian Featherstone", "Juliane Featherstone", none, review},
		{"Juliane Featherstone", "Julian Featherstone", none, review},
		{"Jean Featherstone", "Jeanne Featherstone", none, review},
		{"Frank Featherstone", "Franka Featherstone", none, review},
		{"Gabriel Featherstone", "Gabriele Featherstone", none, review},
		{"Anna Julian Featherstone", "Anna Juliane Featherstone", none, below},
		{"Louis Featherstone", "Louise Featherstone", twins(), review},
		{"Julian Featherstone", "Juliane Featherstone", twins(), review},
		{"Julian Featherstone", "Juliane Featherstone", attrs{"dob": {"1978-05-04"}}, review},
		{"Julian Featherstone", "Juliane Featherstone", attrs{"passport": {"X1234567"}}, merge},
		{"Julian Featherstone", "Julian Fetherstone", twins(), merge},
		{"Susan Featherstone", "Susanne Featherstone", twins(), merge},
		{"Juliane Featherstone", "Julianne Featherstone", twins(), merge},
	} {
		t.Run(c.left+"/"+c.right, func(t *testing.T) {
			got := compare(person(c.left, c.common), person(c.right, c.common), similarity.EvenPrior())
			if !inBand(got.Score, c.band) {
				t.Errorf("%v: score %.3f, want %s\n%+v", c.common, got.Score, c.band, got.Contributions)
			}
		})
	}
}
