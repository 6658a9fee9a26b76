package similarity

import (
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// attrKind selects how the values of an attribute are compared.
type attrKind uint8

const (
	textKind attrKind = iota
	partOfName
	dateKind
	idKind
	weakIDKind
	emailKind
	phoneKind
	addressKind
	addressPartKind
	postcodeKind
	genderKind
	countryKind
	numberKind
)

// descriptions lists the attributes that describe and do not identify, each with its kind of comparison, its
// key and its spellings. Any other attribute that is not an identifier is compared as text, or as numbers if
// all its values are numbers.
var descriptions = []struct {
	key       string
	kind      attrKind
	spellings string
}{
	{"", partOfName, "first_name middle_name last_name given_name family_name surname name firstname middlename lastname"},
	{"dob", dateKind, "dob birth_date date_of_birth birthdate"},
	{"date", dateKind, "date"},
	{"founded", dateKind, "founded incorporated"},
	{"died", dateKind, "died"},
	{"address", addressKind, "address"},
	{"postcode", postcodeKind, "postcode zip postal_code"},
	{"address_1", addressPartKind, "address_1 street"},
	{"address_2", addressPartKind, "address_2"},
	{"street_number", addressPartKind, "street_number"},
	{"suburb", addressPartKind, "suburb city"},
	{"state", addressPartKind, "state"},
	{"gender", genderKind, "gender sex"},
	{"nationality", countryKind, "nationality citizen citizenship"},
	{"country", countryKind, "country"},
	{"year", numberKind, "year"},
}

// Bounds of the values that are compared and blocked on.
const (
	maxValues     = 16
	maxValueRunes = 256
)

// SortedKeys lists the names of attributes in order.
func SortedKeys[V any](attributes map[string]V) []string {
	names := make([]string, 0, len(attributes))
	for name := range attributes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// AttributeKey returns the normal form of an attribute's name: folded, with underscores for spaces and
// hyphens.
func AttributeKey(name string) string {
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

// attributeSpec holds how an attribute is compared and the key that its spellings share. identifier is nil
// for attributes that only describe.
type attributeSpec struct {
	key        string
	kind       attrKind
	identifier *identifierKind
}

// attributeSpecs maps every spelling of a known attribute to its specification.
var attributeSpecs = func() map[string]attributeSpec {
	specs := map[string]attributeSpec{}
	for _, d := range descriptions {
		for _, spelling := range strings.Fields(d.spellings) {
			specs[spelling] = attributeSpec{key: d.key, kind: d.kind}
		}
	}
	for i := range builtinKinds {
		k := &builtinKinds[i]
		for _, spelling := range append(strings.Fields(k.spellings), k.name) {
			specs[spelling] = k.spec()
		}
	}
	return specs
}()

func (k *identifierKind) spec() attributeSpec { return attributeSpec{k.name, k.compare, k} }

// specOf looks up the specification of an attribute, the tenant's definitions first. It returns false for
// attributes that are compared as text or numbers.
func specOf(key string, own []tenure.IdentifierKind) (attributeSpec, bool) {
	for _, o := range own {
		if o.Attribute == key {
			return ownKind(o).spec(), true
		}
	}
	spec, ok := attributeSpecs[key]
	return spec, ok
}
