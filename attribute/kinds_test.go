package attribute_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/attribute"
	"tenure/registry"
)

type attrs = map[string][]string

// keysOf lists the alias keys of one attribute, as "kind key".
func keysOf(name, value string, own ...tenure.IdentifierKind) []string {
	var list []string
	for _, f := range registry.IdentifierAliasKeys(attrs{name: {value}}, own) {
		list = append(list, f.Kind+" "+f.Key)
	}
	return list
}

// TestKeysOfTheFirstKindsAreFrozen checks that keys in existing stores remain valid.
func TestKeysOfTheFirstKindsAreFrozen(t *testing.T) {
	for _, c := range []struct{ attribute, value, want string }{
		{"email", "Ada <Ada@Park.example>", "email ada@park.example"},
		{"url", "https://www.Park.example/Ada/?q=1", "url park.example/Ada?q=1"},
		{"handle", " @Ada ", "handle @ada"},
		{"path", " /srv/Data ", "path /srv/Data"},
		{"repository", "Park/Engine", "repository park/engine"},
		{"ticket_id", "OPS-17", "ticket_id ops-17"},
		{"document_id", "Doc 7", "document_id Doc 7"},
		{"system_of_record", "crm:7", "system_of_record crm:7"},
		{"employee_id", "E 12", "employee_id e 12"},
		{"passport", "X-123 456/7", "passport x1234567"},
		{"tax_id", "DE 123.456", "tax_id de123456"},
		{"phone", "+351 21 000 00 00", "phone 351210000000"},
		{"phone", "(020) 7946-0018", "phone 02079460018"},
	} {
		if got := keysOf(c.attribute, c.value); len(got) == 0 || got[0] != c.want {
			t.Errorf("%s %q: got %q, want %q first", c.attribute, c.value, got, c.want)
		}
	}
}

// TestSpellingsOfAKind checks that spellings of an attribute and of its value yield one alias key.
func TestSpellingsOfAKind(t *testing.T) {
	for _, c := range []struct {
		want  string
		given [][2]string
	}{
		{"email ada@park.example", [][2]string{{"Email", "ADA@park.example"}, {"e-mail", "ada@park.example"}, {"E mail", "<ada@park.example>"}, {"email-address", "ada@park.example"}, {"EmailAddress", "ada@park.example"}}},
		{"url park.example/ada", [][2]string{{"Website", "http://park.example/ada/"}, {"URL", "https://www.park.example/ada"}}},
		{"ssn 123456789", [][2]string{{"ssn", "123-45-6789"}, {"Social Security Number", "123 45 6789"}}},
		{"national_id 771234", [][2]string{{"national_id", "77-1234"}, {"National-ID", "771234"}}},
		{"drivers_license d123", [][2]string{{"drivers_license", "D-123"}, {"Driving-Licence", "d123"}}},
		{"passport x1", [][2]string{{"Passport", "X 1"}, {"passport number", "x-1"}}},
		{"tax_id de1", [][2]string{{"vat", "DE 1"}, {"VAT-number", "de1"}, {"Tax ID", "DE.1"}}},
		{"lei 5493001kjtiigc8y1r12", [][2]string{{"LEI", "5493001KJTIIGC8Y1R12"}, {"lei", "5493001kjtiigc8y1r12"}}},
		{"orcid 0000000218250097", [][2]string{{"orcid", "0000-0002-1825-0097"}, {"ORCID", "https://orcid.org/0000-0002-1825-0097"}}},
		{"imo 9187629", [][2]string{{"imo", "IMO 9187629"}, {"IMO number", "9187629"}}},
		{"doi 10.1000/182", [][2]string{{"doi", "10.1000/182"}, {"DOI", "doi:10.1000/182"}, {"doi", "https://doi.org/10.1000/182"}}},
		{"isbn 9783161484100", [][2]string{{"isbn", "978-3-16-148410-0"}, {"ISBN", "ISBN: 9783161484100"}}},
		{"gtin 00614141999996", [][2]string{{"gtin", "00614141999996"}, {"EAN", "0614141999996"}, {"UPC", "6-14141-99999-6"}}},
	} {
		for _, g := range c.given {
			if got := keysOf(g[0], g[1]); len(got) != 1 || got[0] != c.want {
				t.Errorf("%s %q: got %q, want %q", g[0], g[1], got, c.want)
			}
		}
	}
}

// TestWhatHasNoExactForm checks that descriptive attributes and shared identifiers yield no alias key.
func TestWhatHasNoExactForm(t *testing.T) {
	for _, c := range [][2]string{
		{"favourite_colour", "blue"}, {"dob", "1978-05-04"}, {"email", "not an address"}, {"phone", "12"}, {"iban", "DE02120300000000202051"},
		{"soc_sec_id", "1234567"}, {"doi", "eleven"}, {"gtin", "12345"}, {"ean", "none"}, {"sku", "A-7"}, {"passport", " - "},
	} {
		if got := keysOf(c[0], c[1]); len(got) != 0 {
			t.Errorf("%s %q: got %q", c[0], c[1], got)
		}
	}
}

// TestTelephonesOfARegion checks that a number without a country code matches one with it only if its region
// is known.
func TestTelephonesOfARegion(t *testing.T) {
	in := func(region string) tenure.IdentifierKind {
		return tenure.IdentifierKind{Attribute: "phone", Kind: "phone", Region: region}
	}
	const whole = "phone 442079460018"
	for _, c := range []struct {
		number string
		own    []tenure.IdentifierKind
		meets  bool
	}{
		{"+44 20 7946 0018", nil, true},
		{"+44 (0)20 7946 0018", nil, true},
		{"+44 20 7946 0018 ext. 7", nil, true},
		{"020 7946 0018", nil, false},
		{"0044 20 7946 0018", nil, false},
		{"020 7946 0018", []tenure.IdentifierKind{in("GB")}, true},
		{"0044 20 7946 0018", []tenure.IdentifierKind{in("GB")}, true},
		{"020 7946 0018", []tenure.IdentifierKind{in("DE")}, false},
		{"+44 20 7946 0018", []tenure.IdentifierKind{in("DE")}, true},
	} {
		if got := keysOf("phone", c.number, c.own...); slices.Contains(got, whole) != c.meets {
			t.Errorf("%s with %v: got %q, to meet %q: %v", c.number, c.own, got, whole, c.meets)
		}
	}
}

// TestFormsOfLaterKinds checks that exactly the alias keys missing from older stores are reported.
func TestFormsOfLaterKinds(t *testing.T) {
	m := tenure.Mention{Name: "Ada", Attributes: attrs{
		"email": {"ada@park.example"}, "E-Mail": {"ada@other.example"}, "ssn": {"123"}, "phone": {"+44 (0)20 7946 0018"},
	}, Record: &tenure.Record{Source: "crm", ID: "7"}}
	var later []string
	for _, f := range registry.AliasKeys(m) {
		if attribute.IsLaterAliasKey(m, f) {
			later = append(later, f.Kind+" "+f.Key)
		}
	}
	if diff := cmp.Diff([]string{"email ada@other.example", "phone 442079460018", "ssn 123"}, later); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestOneIdentifierTwiceIsOneForm checks that a value under two spellings of its attribute yields one alias
// key.
func TestOneIdentifierTwiceIsOneForm(t *testing.T) {
	got := registry.IdentifierAliasKeys(attrs{"email": {"ada@park.example", "ADA@park.example"}, "E-Mail": {"ada@park.example"}}, nil)
	if diff := cmp.Diff([]tenure.AliasKey{{Kind: "email", Key: "ada@park.example"}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPredicatesThatTellTwoApart checks of which predicates a claim says something that its subject has alone.
func TestPredicatesThatTellTwoApart(t *testing.T) {
	own := []tenure.IdentifierKind{
		{Attribute: "badge_number", Kind: "badge_number", Exclusive: true}, {Attribute: "locker", Kind: "locker"},
	}
	for predicate, want := range map[string]bool{
		"birth_date": true, "Date of Birth": true, "passport_number": true, "registration_number": true, "badge_number": true,
		"locker": false, "ticket_id": false, "isbn": false, "doi": false, "phone": false, "email": false, "soc_sec_id": false,
		"founded": false, "office": false, "": false,
	} {
		if got := attribute.Singular(predicate, own); got != want {
			t.Errorf("%q: %v", predicate, got)
		}
	}
}
