package similarity

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"tenure"
	"tenure/attribute"
	"tenure/text"
)

// Profile is what the mentions of an entity say of it together, or what a single mention says: the input of a
// comparison. The zero value is an empty profile.
type Profile struct {
	Names      []string            // spellings, the main one first
	Type       string              // person, organization, project, ...; "" if unknown
	Attributes map[string][]string // values as written
	// IdentifierKinds are the tenant's definitions among the attributes.
	IdentifierKinds []tenure.IdentifierKind
	Context         []string        // one-line descriptions
	Project         string          // "" if it belongs to no project
	Records         []tenure.Record // rows of systems of record
	Neighbours      []tenure.ID     // related or co-mentioned entities
}

// Bounds of a prepared profile, which bound the cost of one comparison whatever the input. What is kept does
// not depend on the order of arrival.
const (
	maxNames      = 24
	maxAttributes = 48
	maxContexts   = 12
)

// Prepared is a profile prepared once for many comparisons. It is safe for concurrent use, with the model
// that made it.
type Prepared struct {
	Key        string // equal only for equal profiles
	hash       uint64 // hash of the profile key and the class
	typ        string
	kind       class
	sure       bool // the class is known from the type, the name or the attributes
	names      []name
	spellings  []string                       // only for profiles without a type
	as         [classes]atomic.Pointer[named] // the names by other classes, computed on demand
	countries  []string                       // countries and regions in any of the names, sorted
	attributes []preparedAttribute
	contexts   []description
	project    string
	records    []tenure.Record
	neighbours []tenure.ID
	self       atomic.Pointer[likeSelf] // evidence against itself, computed on demand
}

// Prepare prepares a profile for comparison by this model.
func (m *Model) Prepare(p Profile) *Prepared {
	out := &Prepared{
		typ:        text.Plain(p.Type),
		project:    p.Project,
		records:    slices.Clone(p.Records),
		neighbours: slices.Clone(p.Neighbours),
	}
	out.kind, out.sure = classOf(out.typ), true
	spellings := bounded(p.Names, maxNames)
	if out.typ == "" {
		out.kind, out.sure = guess(p)
		out.spellings = spellings
	}
	slices.Sort(out.neighbours)
	out.neighbours = slices.Compact(out.neighbours)
	slices.SortFunc(out.records, func(a, b tenure.Record) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.ID, b.ID))
	})
	out.names, out.countries = m.prepareNames(spellings, out.kind)
	out.attributes = m.prepareAttributes(p.Attributes, p.IdentifierKinds)
	for _, s := range bounded(p.Context, maxContexts) {
		if d, ok := m.describe(s); ok {
			out.contexts = append(out.contexts, d)
		}
	}
	out.Key = out.canonical()
	out.hash = maphash.Comparable(hashSeed, struct {
		key  string
		kind class
		sure bool
	}{out.Key, out.kind, out.sure})
	return out
}

// named holds the names of a profile, prepared for a class.
type named struct {
	names     []name
	countries []string
}

func (m *Model) prepareNames(spellings []string, k class) (names []name, countries []string) {
	for _, s := range spellings {
		if n, ok := m.prepareName(s, k); ok {
			names = append(names, n)
			countries = append(countries, n.countries...)
		}
	}
	slices.SortFunc(names, func(a, b name) int { return strings.Compare(a.written, b.written) })
	slices.Sort(countries)
	return names, countries
}

// namesAs returns the names of a profile, prepared for a class. Only a profile without a type is prepared for
// other classes than its own.
func (m *Model) namesAs(p *Prepared, k class) ([]name, []string) {
	if p.typ != "" || k == p.kind {
		return p.names, p.countries
	}
	if n := p.as[k].Load(); n != nil {
		return n.names, n.countries
	}
	var n named
	n.names, n.countries = m.prepareNames(p.spellings, k)
	p.as[k].Store(&n)
	return n.names, n.countries
}

// bounded returns at most limit distinct values: the first, then the least of the others in order.
func bounded(values []string, limit int) []string {
	if len(values) <= 1 {
		return values
	}
	rest := slices.Clone(values[1:])
	slices.Sort(rest)
	rest = slices.DeleteFunc(slices.Compact(rest), func(s string) bool { return s == values[0] })
	return append([]string{values[0]}, rest[:min(len(rest), limit-1)]...)
}

// canonical encodes a profile as one string. Comparisons start from the profile with the lesser string, so
// that floating-point sums do not depend on the order of the arguments.
func (p *Prepared) canonical() string {
	var b strings.Builder
	part := func(s string) {
		b.WriteString(strconv.Itoa(len(s)))
		b.WriteByte(':')
		b.WriteString(s)
	}
	part(p.typ)
	for i := range p.names {
		part(p.names[i].written)
	}
	for _, a := range p.attributes {
		part(a.key)
		if a.own != "" {
			part(a.own)
		}
		for _, v := range a.values {
			part(v.text)
		}
	}
	for _, c := range p.contexts {
		part(c.text)
	}
	part(p.project)
	for _, r := range p.records {
		part(r.Source)
		part(r.ID)
	}
	for _, n := range p.neighbours {
		part(string(n))
	}
	return b.String()
}

// class selects the weights by which names are compared.
type class uint8

const (
	things        class = iota // products, places, documents, concepts, vessels, ...
	people                     // one human being each
	organizations              // companies, agencies, teams
	classes                    // number of classes
)

var classNames = [classes]string{"thing", "person", "organization"}

func classOf(typ string) class {
	switch typ {
	case "person", "people", "human":
		return people
	case "organization", "organisation", "org", "company", "team", "agency", "legal", "legalentity", "legal_entity":
		return organizations
	}
	return things
}

// ClassOf returns the name of the class of a type, which selects weights and word frequencies.
func ClassOf(typ string) string { return classNames[classOf(text.Key(typ))] }

// pairClass returns the class by which two profiles are compared: that of the profile whose class is better
// known.
func pairClass(l, r *Prepared) class {
	switch {
	case l.kind == r.kind:
		return l.kind
	case l.sure != r.sure && l.sure, l.typ != "" && r.typ == "":
		return l.kind
	case l.sure != r.sure, l.typ == "" && r.typ != "":
		return r.kind
	}
	return max(l.kind, r.kind)
}

// describesPeople lists the attributes that only people have and that do not identify, by the key that their spellings
// share, or of parts of a name by theirs.
var describesPeople = set("dob gender first_name firstname given_name last_name lastname family_name surname")

// classByAttributes infers a class from attributes: people if an attribute is of people only, else the class
// of the first identifier that belongs to one type.
func classByAttributes(attributes map[string][]string) (k class, ok bool) {
	for _, name := range attribute.Names(attributes) {
		key := attribute.Key(name)
		spec, _ := attribute.Lookup(key, nil)
		id := spec.Identifier
		switch {
		case describesPeople[key], describesPeople[spec.Key], id != nil && id.Type == "person":
			return people, true
		case id != nil && id.Type != "" && !ok:
			k, ok = classOf(id.Type), true
		}
	}
	return k, ok
}

// guess infers the class of a profile without a type, from its attributes, a legal form at the end of the
// name, or a name of two to four words that starts with a given name (after the comma, if there is one). sure
// is false if nothing indicates a class.
func guess(p Profile) (k class, sure bool) {
	if k, ok := classByAttributes(p.Attributes); ok {
		return k, true
	}
	if len(p.Names) == 0 {
		return things, false
	}
	head, _ := text.Cut(strings.ToValidUTF8(p.Names[0], "\uFFFD"), maxRunes)
	list := splitWords(head, people)
	if len(list) < 2 {
		return things, false
	}
	if _, ok := companyForm(list[len(list)-1:]); ok {
		return organizations, true
	}
	first := list[0].text
	if len(list) <= 4 && !strings.ContainsAny(head, "0123456789&") &&
		(givenNames[first] != nil || givenGender[first] != 0 || text.IsHonorific(first)) {
		return people, true
	}
	return things, false
}

// kinship groups types of the bounded vocabulary; no entity is of two groups. Other types contradict nothing,
// because a tenant's vocabulary is open.
var kinship = map[string]string{
	"person": "person", "people": "person", "human": "person",
	"organization": "organization", "organisation": "organization", "org": "organization", "company": "organization",
	"team": "organization", "agency": "organization",
	"place": "place", "location": "place", "document": "document", "publication": "document",
	"vessel": "vessel", "aircraft": "aircraft", "drug": "drug", "event": "event",
}

// incompatible reports whether no entity can be of both types.
func incompatible(a, b string) bool {
	x, y := kinship[a], kinship[b]
	return x != "" && y != "" && x != y
}

// ProfileOf returns the profile of a root from all its members.
func ProfileOf(members []tenure.Entity) Profile {
	var p Profile
	p.Attributes = map[string][]string{}
	for i, e := range members {
		if i == 0 {
			p.Project = e.Project
		}
		if p.Type == "" {
			p.Type = e.Type
		}
		p.Names = AppendDistinct(p.Names, MaxProfileNames, e.Spellings()...)
		p.Records = AppendDistinct(p.Records, MaxProfileRecords, e.Records...)
		p.Context = AppendDistinct(p.Context, MaxProfileContexts, e.Context...)
		for _, k := range attribute.Names(e.Attributes) {
			p.Attributes[k] = AppendDistinct(p.Attributes[k], MaxProfileValues, e.Attributes[k]...)
		}
		p.IdentifierKinds = Redefined(p.IdentifierKinds, e.IdentifierKinds)
	}
	return p
}

// ProfileOfMention returns the profile of a single mention.
func ProfileOfMention(m tenure.Mention) Profile {
	p := Profile{
		Names: m.Spellings(), Type: m.Type, Attributes: m.Attributes, Project: m.Project,
		IdentifierKinds: m.IdentifierKinds,
	}
	if m.Context != "" {
		p.Context = []string{m.Context}
	}
	if m.Record != nil {
		p.Records = []tenure.Record{*m.Record}
	}
	return p
}

// Combined returns a root with the names, records and attributes of all its members, for candidate
// generation.
func Combined(members []tenure.Entity) tenure.Entity {
	e, p := members[0], ProfileOf(members)
	e.Names, e.Records, e.Attributes, e.Context = p.Names, p.Records, p.Attributes, p.Context
	e.IdentifierKinds = p.IdentifierKinds
	return e
}

// AppendDistinct appends the values that the list lacks, up to a limit. It never writes to the list's array.
func AppendDistinct[T comparable](list []T, limit int, more ...T) []T {
	out := slices.Clip(list)
	for _, v := range more {
		if len(out) < limit && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Bounds of the profile that an entity stores. The rest stays in its mentions.
const (
	MaxProfileNames    = 64
	MaxProfileRecords  = 256
	MaxProfileKeys     = 64
	MaxProfileValues   = 32
	MaxProfileContexts = 16
)

// Redefined returns the list with the definitions of more added, each in place of an earlier one of the same
// attribute.
func Redefined(list, more []tenure.IdentifierKind) []tenure.IdentifierKind {
	if len(more) == 0 {
		return list
	}
	out := slices.Clone(list)
	for _, k := range more {
		i := slices.IndexFunc(out, func(o tenure.IdentifierKind) bool { return o.Attribute == k.Attribute })
		switch {
		case i >= 0:
			out[i] = k
		case len(out) < MaxProfileKeys:
			out = append(out, k)
		}
	}
	return out
}
