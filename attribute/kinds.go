package attribute

import (
	"fmt"
	"slices"

	"tenure"
)

// IdentifierKind describes a kind of identifier: how values are normalised, and how equal and different
// values count as evidence.
type IdentifierKind struct {
	name string
	// spellings lists further attribute names that mean this kind.
	spellings string
	// Type is the only entity type with such identifiers, "" if several have them.
	Type string
	// compare is IDKind, WeakIDKind, EmailKind or PhoneKind.
	compare Kind
	// Exclusive reports whether an alias key belongs to a single entity.
	Exclusive func(key string) bool
	// normalize returns the frozen alias key of a value, false if the value is not valid.
	normalize func(value string) (string, bool)
	// blocksOnly marks kinds that entities share: their values yield blocking keys but no alias key, because
	// an exact match would decide nothing.
	blocksOnly bool
	// relates marks the kinds of which a claim relates its subject to what has the identifier: the ticket of a release,
	// the edition of a work.
	relates bool
	// sinceV1 marks the kinds of the first version of the table.
	sinceV1 bool

	// own, normalizer and region come from a tenant's definition.
	own        bool
	normalizer tenure.Normalizer
	region     string
}

// builtinKinds is the only table of identifier kinds. Alias keys, comparison, blocking and the class of
// untyped profiles all derive from it. A new kind adds alias keys to later writes only. The keys of a kind
// never change, because stored alias keys depend on them.
var builtinKinds = []IdentifierKind{
	{name: "email", spellings: "e_mail email_address", compare: EmailKind, Exclusive: personalMailbox, normalize: email, sinceV1: true},
	{name: "phone", spellings: "telephone mobile phone_number", compare: PhoneKind, Exclusive: never, normalize: phone, sinceV1: true},
	{name: "url", spellings: "website", compare: WeakIDKind, Exclusive: always, normalize: webAddress, sinceV1: true},
	{name: "handle", compare: WeakIDKind, Exclusive: always, normalize: folded, sinceV1: true},
	{name: "path", compare: WeakIDKind, Exclusive: always, normalize: exact, sinceV1: true},
	{name: "repository", compare: WeakIDKind, Exclusive: always, normalize: folded, sinceV1: true},
	{name: "ticket_id", compare: IDKind, Exclusive: always, normalize: folded, relates: true, sinceV1: true},
	{name: "document_id", compare: IDKind, Exclusive: always, normalize: exact, relates: true, sinceV1: true},
	{name: "system_of_record", compare: IDKind, Exclusive: always, normalize: exact, relates: true, sinceV1: true},
	{name: "employee_id", Type: "person", compare: IDKind, Exclusive: always, normalize: folded, sinceV1: true},
	{name: "passport", spellings: "passport_number", Type: "person", compare: IDKind, Exclusive: always, normalize: compact, sinceV1: true},
	{name: "tax_id", spellings: "vat vat_id vat_number", compare: IDKind, Exclusive: always, normalize: compact, sinceV1: true},
	{name: "ssn", spellings: "social_security_number", Type: "person", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "national_id", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "drivers_license", spellings: "driving_licence", Type: "person", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "orcid", Type: "person", compare: IDKind, Exclusive: always, normalize: researcher},
	{name: "lei", Type: "organization", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "company_number", spellings: "company_registration_number registration_number crn companies_house_number",
		Type: "organization", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "ein", spellings: "employer_identification_number", Type: "organization", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "duns", spellings: "duns_number", Type: "organization", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "siren", Type: "organization", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "abn", Type: "organization", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "cik", Type: "organization", compare: IDKind, Exclusive: always, normalize: compact},
	{name: "imo", spellings: "imo_number", Type: "vessel", compare: IDKind, Exclusive: always, normalize: after("imo", compact)},
	{name: "doi", Type: "document", compare: IDKind, Exclusive: always, normalize: digitalObject, relates: true},
	{name: "isbn", Type: "document", compare: IDKind, Exclusive: always, normalize: after("isbn", compact), relates: true},
	{name: "gtin", spellings: "ean ean13 ean_13 upc gtin_13 gtin_14 barcode", compare: IDKind, Exclusive: always, normalize: tradeItem, relates: true},
	// a shop's, or a maker's own: two of them may number alike
	{name: "sku", spellings: "mpn part_number article_number item_number", compare: IDKind, Exclusive: never, normalize: compact, blocksOnly: true},
	// unlike ssn, as registers have it that people type into: mistyped too often to contradict or to decide
	{name: "soc_sec_id", Type: "person", compare: WeakIDKind, Exclusive: never, normalize: compact, blocksOnly: true},
	{name: "iban", compare: WeakIDKind, Exclusive: never, normalize: compact, blocksOnly: true},
	{name: "call_sign", compare: WeakIDKind, Exclusive: never, normalize: compact, blocksOnly: true},
	{name: "anchor", compare: WeakIDKind, Exclusive: never, normalize: compact, blocksOnly: true},
}

// BuiltinKinds lists the names of the identifier kinds that every tenant has and that entities are known by.
func BuiltinKinds() []string {
	var names []string
	for _, k := range builtinKinds {
		if !k.blocksOnly {
			names = append(names, k.name)
		}
	}
	return names
}

// builtin returns the built-in kind of a name, nil if there is none.
func builtin(name string) *IdentifierKind {
	i := slices.IndexFunc(builtinKinds, func(k IdentifierKind) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &builtinKinds[i]
}

// ownKind converts a tenant's definition to a kind: a copy of the built-in kind that it names, or a new one.
func ownKind(o tenure.IdentifierKind) *IdentifierKind {
	if known := builtin(o.Kind); known != nil {
		k := *known
		k.region = o.Region
		return &k
	}
	k := &IdentifierKind{
		name: o.Kind, compare: WeakIDKind, Exclusive: never, normalize: normalizers[o.Normalizer], blocksOnly: true,
		own: true, normalizer: o.Normalizer,
	}
	if o.Exclusive {
		k.compare, k.Exclusive, k.blocksOnly = IDKind, always, false
	}
	return k
}

var normalizers = map[tenure.Normalizer]func(string) (string, bool){
	"": compact, tenure.Compact: compact, tenure.Folded: folded, tenure.Exact: exact,
}

// keys returns the keys of the alias keys of a value: the frozen key and, for a telephone number of a known
// country, the number in E.164.
func (k *IdentifierKind) keys(value string) []string {
	key, ok := k.normalize(value)
	if !ok || k.blocksOnly {
		return nil
	}
	if k.compare == PhoneKind {
		if whole, ok := international(value, k.region); ok && whole != key {
			return []string{key, whole}
		}
	}
	if k.name == "repository" {
		if path := repositoryPath(key); path != key {
			return []string{key, path}
		}
	}
	return []string{key}
}

// Comparable returns the normal form in which values are compared, false if the value is not valid: of an
// e-mail address its key, of a telephone number E.164 if its country is known, of a tenant's own kind the alias
// key; of other kinds the letters and digits of the alias key, so that identifiers with equal alias keys always
// compare as equal.
func (k *IdentifierKind) Comparable(s string) (string, bool) {
	if k.compare == PhoneKind {
		return phoneDigits(s, k.region)
	}
	key, ok := k.normalize(s)
	switch {
	case k.own || k.compare == EmailKind:
		return key, ok
	case !ok:
		key = s
	}
	key = identifierKey(key)
	return key, key != ""
}

// Definition returns the tenant's definition in one string, "" if there is none. The same values compare
// differently under another definition.
func (k *IdentifierKind) Definition() string {
	if k == nil || !k.own && k.region == "" {
		return ""
	}
	return fmt.Sprint(k.compare, " ", k.normalizer, " ", k.region, ";")
}
