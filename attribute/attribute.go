package attribute

import (
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// Kind selects how the values of an attribute are compared.
type Kind uint8

// The kinds of values. An entity has one IDKind value, so that two contradict each other; it may have several of
// WeakIDKind, EmailKind and PhoneKind. NamePartKind repeats the name and is not compared.
const (
	TextKind Kind = iota
	NamePartKind
	DateKind
	IDKind
	WeakIDKind
	EmailKind
	PhoneKind
	AddressKind
	AddressPartKind
	PostcodeKind
	GenderKind
	CountryKind
	NumberKind
	AmountKind
)

// descriptions lists the attributes that describe and do not identify, each with its kind of comparison, its
// key and its spellings. A key is one of its spellings and never changes, because evidence is added up in the order
// of keys and blocking keys are made of them. Any other attribute that is not an identifier is compared as text, or
// as numbers if all its values are numbers.
var descriptions = []struct {
	key       string
	kind      Kind
	spellings string
}{
	{"", NamePartKind, "first_name middle_name last_name given_name family_name surname name firstname middlename lastname"},
	{"dob", DateKind, "dob birth_date date_of_birth birthdate birthday birth_day born"},
	{"date", DateKind, "date"},
	{"founded", DateKind, "founded incorporated"},
	{"died", DateKind, "died"},
	{"address", AddressKind, "address"},
	{"postcode", PostcodeKind, "postcode zip postal_code"},
	{"address_1", AddressPartKind, "address_1 street"},
	{"address_2", AddressPartKind, "address_2"},
	{"street_number", AddressPartKind, "street_number"},
	{"suburb", AddressPartKind, "suburb city"},
	{"state", AddressPartKind, "state"},
	{"gender", GenderKind, "gender sex"},
	{"nationality", CountryKind, "nationality citizen citizenship"},
	{"country", CountryKind, "country country_code"},
	{"jurisdiction", CountryKind, "jurisdiction country_of_incorporation country_of_registration incorporated_in"},
	{"year", NumberKind, "year"},
	{"price", AmountKind, "price list_price unit_price cost amount budget salary"},
}

// Bounds of the values that comparison and blocking read: values of an attribute, runes of a value.
const (
	MaxValues     = 16
	MaxValueRunes = 256
)

// Names returns the names of attributes in order.
func Names[V any](attributes map[string]V) []string {
	names := make([]string, 0, len(attributes))
	for name := range attributes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Key returns the normal form of an attribute's name: folded, with underscores for spaces and hyphens.
func Key(name string) string {
	if plainKey(name) {
		return name // the common case, without allocation
	}
	return separators.Replace(text.Plain(name))
}

var separators = strings.NewReplacer(" ", "_", "-", "_")

// plainKey reports whether a name is already in normal form.
func plainKey(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

// Spec holds how an attribute is compared and the key that its spellings share. Identifier is nil for attributes
// that only describe.
type Spec struct {
	Key        string
	Kind       Kind
	Identifier *IdentifierKind
}

// known maps every spelling of a known attribute to its specification, also as it is written in one word: DateOfBirth.
var known = func() map[string]Spec {
	specs := map[string]Spec{}
	add := func(spelling string, s Spec) {
		specs[spelling] = s
		specs[strings.ReplaceAll(spelling, "_", "")] = s
	}
	for _, d := range descriptions {
		for _, spelling := range strings.Fields(d.spellings) {
			add(spelling, Spec{Key: d.key, Kind: d.kind})
		}
	}
	for i := range builtinKinds {
		k := &builtinKinds[i]
		for _, spelling := range append(strings.Fields(k.spellings), k.name) {
			add(spelling, k.spec())
		}
	}
	return specs
}()

func (k *IdentifierKind) spec() Spec { return Spec{k.name, k.compare, k} }

// BirthDate is the key of the one date of which a person has but one.
const BirthDate = "dob"

// IsBirthDate reports whether an attribute is the date of birth, however it is spelled.
func IsBirthDate(name string) bool { return known[Key(name)].Key == BirthDate }

// Singular reports whether a claim under a predicate says of its subject what tells it from others: a date of birth, or
// a number that was issued to it.
func Singular(predicate string, own []tenure.IdentifierKind) bool {
	spec, _ := Lookup(Key(predicate), own)
	return spec.Key == BirthDate || spec.Kind == IDKind && !spec.Identifier.relates
}

// Lookup returns the specification of an attribute by its key, the tenant's definitions first. It returns false for
// attributes that are compared as text or numbers.
func Lookup(key string, own []tenure.IdentifierKind) (Spec, bool) {
	for _, o := range own {
		if o.Attribute == key {
			return ownKind(o).spec(), true
		}
	}
	spec, ok := known[key]
	return spec, ok
}
