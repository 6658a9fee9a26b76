package similarity

import (
	"context"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"tenure"
	"tenure/cache"
	"tenure/text"
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

// AttributeKey returns the normal form of an attribute's name: folded, with underscores for spaces and
// hyphens.
func AttributeKey(name string) string {
	if plainKey(name) {
		return name // the common case, without allocation
	}
	return separators.Replace(plainText(name))
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

func always(string) bool { return true }
func never(string) bool  { return false }

// sharedMailboxes lists local parts of mailboxes that several people read.
var sharedMailboxes = set(`admin billing contact help hello hr info jobs legal mail marketing no-reply noreply
	office postmaster press privacy sales security service support team webmaster`)

func personalMailbox(key string) bool {
	local, _, _ := strings.Cut(key, "@")
	return !sharedMailboxes[local]
}

func email(s string) (string, bool) {
	a, err := mail.ParseAddress(strings.TrimSpace(s))
	if err != nil {
		return "", false
	}
	return text.Key(a.Address), true
}

func webAddress(s string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" {
		return "", false
	}
	key := strings.TrimPrefix(strings.ToLower(u.Host), "www.") + strings.TrimSuffix(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		key += "?" + u.RawQuery
	}
	return key, true
}

// fewestDigits is the least number of digits of a telephone number.
const fewestDigits = 6

// phone returns the digits of a telephone number as written.
func phone(s string) (string, bool) {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
	return digits, len(digits) >= fewestDigits
}

// wholeNumbers bounds the cached E.164 numbers, in each half of the cache.
const wholeNumbers = 4096

// parsed caches E.164 by region and number. One mention asks for the same number several times, and parsing
// costs as much as preparing a name.
var parsed = cache.New[[2]string, string](wholeNumbers)

// international returns a telephone number in E.164 without the plus sign. A number without a country code
// needs the region.
func international(s, region string) (string, bool) {
	s = strings.TrimSpace(s)
	if region == "" && !strings.HasPrefix(s, "+") && !strings.HasPrefix(s, "＋") {
		return "", false
	}
	whole, ok := parsed.Get([2]string{region, s})
	if !ok {
		if n, err := phonenumbers.Parse(s, region); err == nil && phonenumbers.IsPossibleNumber(n) {
			whole = strings.TrimPrefix(phonenumbers.Format(n, phonenumbers.E164), "+")
		}
		parsed.Put([2]string{region, s}, whole, 1)
	}
	return whole, whole != ""
}

// phoneDigits returns the normal form of a telephone number: E.164 if its country is known, else its digits
// without leading zeros.
func phoneDigits(s, region string) (string, bool) {
	digits, ok := phone(s)
	if whole, known := international(s, region); known && ok {
		return whole, true
	}
	return strings.TrimLeft(digits, "0"), ok
}

func folded(s string) (string, bool) {
	k := text.Key(s)
	return k, k != ""
}

func exact(s string) (string, bool) {
	s = strings.TrimSpace(s)
	return s, s != ""
}

func compact(s string) (string, bool) {
	k := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -./", r) {
			return -1
		}
		return r
	}, text.Key(s))
	return k, k != ""
}

// after wraps a normalizer so that it drops an optional prefix of the value.
func after(prefix string, normalize func(string) (string, bool)) func(string) (string, bool) {
	return func(s string) (string, bool) {
		return normalize(strings.TrimLeft(strings.TrimPrefix(text.Key(s), prefix), ": "))
	}
}

// researcher returns the key of an ORCID iD, which may be written as a URL.
func researcher(s string) (string, bool) {
	return compact(s[strings.LastIndexByte(s, '/')+1:])
}

// digitalObject returns the key of a DOI, which starts with 10 and may be written as a URL.
func digitalObject(s string) (string, bool) {
	k := text.Key(s)
	i := strings.Index(k, "10.")
	if i < 0 {
		return "", false
	}
	return k[i:], true
}

// TermReader reads the terms of a tenant. An undefined term is nil.
type TermReader interface {
	Vocabulary(ctx context.Context, name string) (tenure.Vocabulary, error)
	Term(ctx context.Context, id string) (*tenure.Term, error)
}

// KindTerms lists the terms that may define attributes of a mention as identifiers.
func KindTerms(attributes map[string][]string) []string {
	var ids []string
	for _, name := range SortedKeys(attributes) {
		if key := AttributeKey(name); definable(key) {
			ids = append(ids, tenure.TermID(tenure.IdentifierKinds, key))
		}
	}
	return ids
}

// definable reports whether a tenant may define an attribute: one that is not built in, or the telephone
// number, for its region.
func definable(key string) bool {
	spec, known := attributeSpecs[key]
	return !known || spec.kind == phoneKind
}

// OwnKinds returns the tenant's current definitions for the attributes. The mention stores the definitions,
// so that a later change does not reinterpret it.
func OwnKinds(ctx context.Context, r TermReader, attributes map[string][]string) ([]tenure.IdentifierKind, error) {
	ids := KindTerms(attributes)
	if len(ids) == 0 {
		return nil, nil
	}
	if v, err := r.Vocabulary(ctx, tenure.IdentifierKinds); v.Version == 0 || err != nil {
		return nil, err
	}
	var list []tenure.IdentifierKind
	for _, id := range ids {
		t, err := r.Term(ctx, id)
		if err != nil {
			return nil, err
		}
		if t == nil || slices.ContainsFunc(list, func(k tenure.IdentifierKind) bool { return k.Attribute == t.Name }) {
			continue
		}
		k, err := definition(ctx, r, *t)
		if err != nil {
			return nil, err
		}
		if k != nil {
			list = append(list, *k)
		}
	}
	return list, nil
}

// definition converts a term to the definition of an identifier, following its parent; nil if the parent no
// longer exists.
func definition(ctx context.Context, r TermReader, t tenure.Term) (*tenure.IdentifierKind, error) {
	k := &tenure.IdentifierKind{
		Attribute: t.Name, Kind: t.Name, Exclusive: t.Exclusive, Normalizer: t.Normalizer, Region: t.Region,
	}
	switch known, ok := attributeSpecs[t.Name]; {
	case ok:
		k.Kind = known.key
	case builtin(t.Parent) != nil:
		k.Kind = t.Parent
	case t.Parent != "":
		parent, err := r.Term(ctx, tenure.TermID(tenure.IdentifierKinds, t.Parent))
		if parent == nil || err != nil {
			return nil, err
		}
		k.Kind, k.Exclusive, k.Normalizer = parent.Name, parent.Exclusive, parent.Normalizer
	}
	return k, nil
}

// CheckKind returns Unprocessable if a term does not define a kind of identifier; pointer is the JSON pointer
// of the term. parent is the term's parent, nil if there is none.
func CheckKind(t tenure.Term, parent *tenure.Term, pointer string) error {
	for _, check := range []func(tenure.Term, *tenure.Term) (field, reason string){nameFault, parentFault, regionFault} {
		if field, reason := check(t, parent); reason != "" {
			return tenure.FieldError(tenure.Unprocessable, pointer+field, reason)
		}
	}
	return nil
}

// nameFault checks the attribute name that a term defines.
func nameFault(t tenure.Term, _ *tenure.Term) (field, reason string) {
	spec, known := attributeSpecs[t.Name]
	switch {
	case AttributeKey(t.Name) != t.Name:
		return "/name", fmt.Sprintf("is the attribute %q: write it so", AttributeKey(t.Name))
	case known && spec.kind != phoneKind:
		return "/name", "has a meaning of its own: a tenant cannot define it"
	case known && (t.Parent != "" || t.Exclusive || t.Normalizer != ""):
		return "/name", "is a telephone number: a tenant can define its region alone"
	}
	return "", ""
}

// parentFault checks the kind that a term declares itself a spelling of.
func parentFault(t tenure.Term, parent *tenure.Term) (field, reason string) {
	switch {
	case t.Parent == "":
	case builtin(t.Parent) == nil && parent == nil:
		return "/parent", "is no kind of identifier"
	case parent != nil && parent.Parent != "":
		return "/parent", fmt.Sprintf("is itself a spelling of %q: name that", parent.Parent)
	case t.Exclusive || t.Normalizer != "":
		return "/parent", "says already whether values are exclusive and how they are normalized"
	}
	return "", ""
}

// regionFault checks the region of telephone numbers.
func regionFault(t tenure.Term, _ *tenure.Term) (field, reason string) {
	switch {
	case t.Region == "":
	case attributeSpecs[t.Name].kind != phoneKind && t.Parent != phoneName:
		return "/region", "is for telephone numbers alone"
	case !phonenumbers.GetSupportedRegions()[t.Region]:
		return "/region", "is no country that telephone numbers are known of"
	}
	return "", ""
}

const phoneName = "phone"
