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

// identifierKind is a kind of identifier: how its values become keys, and what
// equal and different values say of two entities.
type identifierKind struct {
	name string
	// spellings are further names of the attribute that carries the kind.
	spellings string
	// typ is the one entity type that has such identifiers, "" if several have.
	typ string
	// compare is idKind where an entity has one value alone, so that two values
	// contradict each other; weakIDKind, emailKind and phoneKind where it may have several.
	compare attrKind
	// exclusive reports whether a key belongs to one entity alone.
	exclusive func(key string) bool
	// normalize returns the frozen key of a value, false if it has none.
	normalize func(value string) (string, bool)
	// blocksOnly marks shared kinds that propose candidates by their blocking form
	// and have no exact one: it would decide nothing.
	blocksOnly bool
	// first marks the kinds of the first version of the table.
	first bool

	// own, normalizer and region are those of a tenant's definition.
	own        bool
	normalizer tenure.Normalizer
	region     string
}

// builtinKinds is the one table of identifier kinds: exact forms, comparison,
// blocking and the class of an untyped profile all read it. A kind that is added
// adds forms to what is written from then on. The keys of a kind never change:
// stored forms depend on them.
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

// builtin finds a kind of the table by its name.
func builtin(name string) *identifierKind {
	i := slices.IndexFunc(builtinKinds, func(k identifierKind) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &builtinKinds[i]
}

// AttributeKey returns the name under which an attribute is known: folded, with
// an underscore for each space and hyphen.
func AttributeKey(name string) string {
	if plainKey(name) {
		return name // as most are written
	}
	return separators.Replace(plainText(name))
}

var separators = strings.NewReplacer(" ", "_", "-", "_")

// plainKey reports whether a name is its own key by its letters alone.
func plainKey(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

// attributeSpec says how an attribute is compared, and under which one of its
// spellings. identifier is nil for attributes that describe.
type attributeSpec struct {
	key        string
	kind       attrKind
	identifier *identifierKind
}

// attributeSpecs are the attributes that have a meaning of their own, by all
// spellings.
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

// specOf finds what is known of an attribute by its key: first what the tenant
// defined. It is false for text and numbers.
func specOf(key string, own []tenure.IdentifierKind) (attributeSpec, bool) {
	for _, o := range own {
		if o.Attribute == key {
			return ownKind(o).spec(), true
		}
	}
	spec, ok := attributeSpecs[key]
	return spec, ok
}

// ownKind is a tenant's definition as a kind: that of the table which it names,
// or a new one.
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

// keys returns the keys of the exact forms of a value: its frozen one, and of a
// telephone number whose country is known the one in E.164.
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

// sharedMailboxes are those that many people read.
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

// fewestDigits is what a telephone number has at the least.
const fewestDigits = 6

// phone returns the digits of a telephone number as they are written.
func phone(s string) (string, bool) {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
	return digits, len(digits) >= fewestDigits
}

// wholeNumbers bounds the telephone numbers whose E.164 is remembered, in each half
// of the cache.
const wholeNumbers = 4096

// parsed remembers E.164 by region and number: one mention asks for it several
// times, and parsing costs as much as preparing a name.
var parsed = cache.New[[2]string, string](wholeNumbers)

// international returns a telephone number in E.164 without the plus sign. A
// number without a country code has one only if the region, that of the numbers
// around it, is known.
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

// phoneDigits returns what two spellings of a telephone number have in common: E.164
// where its country is known, else its digits without zeros at the start.
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

// after leaves out what a value may begin with before it is normalized.
func after(prefix string, normalize func(string) (string, bool)) func(string) (string, bool) {
	return func(s string) (string, bool) {
		return normalize(strings.TrimLeft(strings.TrimPrefix(text.Key(s), prefix), ": "))
	}
}

// researcher returns the key of an ORCID iD, be it written as an address.
func researcher(s string) (string, bool) {
	return compact(s[strings.LastIndexByte(s, '/')+1:])
}

// digitalObject returns the key of a DOI, which begins with 10, be it written as an
// address.
func digitalObject(s string) (string, bool) {
	k := text.Key(s)
	i := strings.Index(k, "10.")
	if i < 0 {
		return "", false
	}
	return k[i:], true
}

// TermReader reads the terms of a tenant; a term that is not defined is nil.
type TermReader interface {
	Vocabulary(ctx context.Context, name string) (tenure.Vocabulary, error)
	Term(ctx context.Context, id string) (*tenure.Term, error)
}

// KindTerms lists the terms by which a tenant may define attributes of a mention
// as identifiers.
func KindTerms(attributes map[string][]string) []string {
	var ids []string
	for _, name := range SortedKeys(attributes) {
		if key := AttributeKey(name); definable(key) {
			ids = append(ids, tenure.TermID(tenure.IdentifierKinds, key))
		}
	}
	return ids
}

// definable reports whether a tenant may define an attribute: one without a
// meaning of its own, or telephones, whose region it may tell.
func definable(key string) bool {
	spec, known := attributeSpecs[key]
	return !known || spec.kind == phoneKind
}

// OwnKinds returns the identifiers among attributes that the tenant has defined,
// as they are defined now. The mention keeps them: what is written under one
// definition stays under it.
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

// definition is what a term says of an attribute, by way of its parent; nil if
// the parent is gone.
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

// CheckKind refuses a term that defines no kind of identifier: Unprocessable,
// with a pointer below that of the term. Parent is the term that it names as its
// parent, nil if there is none.
func CheckKind(t tenure.Term, parent *tenure.Term, pointer string) error {
	for _, check := range []func(tenure.Term, *tenure.Term) (field, reason string){nameFault, parentFault, regionFault} {
		if field, reason := check(t, parent); reason != "" {
			return tenure.FieldError(tenure.Unprocessable, pointer+field, reason)
		}
	}
	return nil
}

// nameFault finds what is wrong with the attribute that a term defines.
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

// parentFault finds what is wrong with the kind of which a term is a spelling.
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

// regionFault finds what is wrong with the region of telephone numbers.
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
