package similarity

import (
	"fmt"
	"slices"

	"tenure"
)

// identifierKind describes a kind of identifier: how values are normalised, and how equal and different
// values count as evidence.
type identifierKind struct {
	name string
	// spellings lists further attribute names that mean this kind.
	spellings string
	// typ is the only entity type with such identifiers, "" if several have them.
	typ string
	// compare is idKind where an entity has a single value, so that two values contradict each other;
	// weakIDKind, emailKind or phoneKind where it may have several.
	compare attrKind
	// exclusive reports whether a key belongs to a single entity.
	exclusive func(key string) bool
	// normalize returns the frozen key of a value, false if the value is not valid.
	normalize func(value string) (string, bool)
	// blocksOnly marks kinds that entities share: their values yield blocking keys but no alias key, because
	// an exact match would decide nothing.
	blocksOnly bool
	// first marks the kinds of the first version of the table.
	first bool

	// own, normalizer and region come from a tenant's definition.
	own        bool
	normalizer tenure.Normalizer
	region     string
}

// builtinKinds is the only table of identifier kinds. Alias keys, comparison, blocking and the class of
// untyped profiles all derive from it. A new kind adds alias keys to later writes only. The keys of a kind
// never change, because stored alias keys depend on them.
var builtinKinds = []identifierKind{
	{name: "email", spellings: "e_mail email_address", compare: emailKind, exclusive: personalMailbox, normalize: email, first: true},
	{name: "phone", spellings: "telephone mobile phone_number", compare: phoneKind, exclusive: never, normalize: phone, first: true},
	{name: "url", spellings: "website", compare: weakIDKind, exclusive: always, normalize: webAddress, first: true},
	{name: "handle", compare: weakIDKind, exclusive: always, normalize: folded, first: true},
	{name: "path", compare: weakIDKind, exclusive: always, normalize: exact, first: true},
	{name: "repository", compare: weakIDKind, exclusive: always, normalize: folded, first: true},
	{name: "ticket_id", compare: idKind, exclusive: always, normalize: folded, first: true},
	{name: "document_id", compare: idKind, exclusive: always, normalize: exact, first: true},
	{name: "system_of_record", compare: idKind, exclusive: always, normalize: exact, first: true},
	{name: "employee_id", typ: "person", compare: idKind, exclusive: always, normalize: folded, first: true},
	{name: "passport", spellings: "passport_number", typ: "person", compare: idKind, exclusive: always, normalize: compact, first: true},
	{name: "tax_id", spellings: "vat vat_id vat_number", compare: idKind, exclusive: always, normalize: compact, first: true},
	{name: "ssn", spellings: "social_security_number", typ: "person", compare: idKind, exclusive: always, normalize: compact},
	{name: "national_id", compare: idKind, exclusive: always, normalize: compact},
	{name: "drivers_license", spellings: "driving_licence", typ: "person", compare: idKind, exclusive: always, normalize: compact},
	{name: "orcid", typ: "person", compare: idKind, exclusive: always, normalize: researcher},
	{name: "lei", typ: "organization", compare: idKind, exclusive: always, normalize: compact},
	{name: "imo", spellings: "imo_number", typ: "vessel", compare: idKind, exclusive: always, normalize: after("imo", compact)},
	{name: "doi", typ: "document", compare: idKind, exclusive: always, normalize: digitalObject},
	{name: "isbn", typ: "document", compare: idKind, exclusive: always, normalize: after("isbn", compact)},
	{name: "soc_sec_id", typ: "person", compare: weakIDKind, exclusive: never, normalize: compact, blocksOnly: true},
	{name: "iban", compare: weakIDKind, exclusive: never, normalize: compact, blocksOnly: true},
	{name: "call_sign", compare: weakIDKind, exclusive: never, normalize: compact, blocksOnly: true},
	{name: "anchor", compare: weakIDKind, exclusive: never, normalize: compact, blocksOnly: true},
}

// builtin returns the built-in kind of a name, nil if there is none.
func builtin(name string) *identifierKind {
	i := slices.IndexFunc(builtinKinds, func(k identifierKind) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &builtinKinds[i]
}

// ownKind converts a tenant's definition to a kind: a copy of the built-in kind that it names, or a new one.
func ownKind(o tenure.IdentifierKind) *identifierKind {
	if known := builtin(o.Kind); known != nil {
		k := *known
		k.region = o.Region
		return &k
	}
	k := &identifierKind{
		name: o.Kind, compare: weakIDKind, exclusive: never, normalize: normalizers[o.Normalizer], blocksOnly: true,
		own: true, normalizer: o.Normalizer,
	}
	if o.Exclusive {
		k.compare, k.exclusive, k.blocksOnly = idKind, always, false
	}
	return k
}

var normalizers = map[tenure.Normalizer]func(string) (string, bool){
	"": compact, tenure.Compact: compact, tenure.Folded: folded, tenure.Exact: exact,
}

// keys returns the keys of the alias keys of a value: the frozen key and, for a telephone number of a known
// country, the number in E.164.
func (k *identifierKind) keys(value string) []string {
	key, ok := k.normalize(value)
	if !ok || k.blocksOnly {
		return nil
	}
	if k.compare == phoneKind {
		if whole, ok := international(value, k.region); ok && whole != key {
			return []string{key, whole}
		}
	}
	return []string{key}
}

// comparable returns the normal form in which values are compared, false if the value is not valid: of an
// e-mail address its key, of a telephone number E.164 if its country is known, of a tenant's own kind the alias
// key; of other kinds the letters and digits of the alias key, so that identifiers with equal alias keys always
// compare as equal.
func (k *identifierKind) comparable(s string) (string, bool) {
	if k.compare == phoneKind {
		return phoneDigits(s, k.region)
	}
	key, ok := k.normalize(s)
	switch {
	case k.own || k.compare == emailKind:
		return key, ok
	case !ok:
		key = s
	}
	key = identifierKey(key)
	return key, key != ""
}

// definition returns the tenant's definition in one string, "" if there is none. The same values compare
// differently under another definition.
func (k *identifierKind) definition() string {
	if k == nil || !k.own && k.region == "" {
		return ""
	}
	return fmt.Sprint(k.compare, " ", k.normalizer, " ", k.region, ";")
}
