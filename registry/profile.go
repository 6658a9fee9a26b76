package registry

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"tenure"
)

// Profile is what is known of a mention, or of an entity with all members of
// its root together, in the form in which two are compared. The zero value is
// a profile of which nothing is known.
type Profile struct {
	Names      []string            // spellings; the first is the main one
	Type       string              // person, organization, project, ...; "" if not known
	Attributes map[string][]string // values as written
	Context    []string            // one-line descriptions
	Project    string              // "" if it is everybody's
	Records    []tenure.Record     // rows of systems of record
	Neighbours []tenure.ID         // entities that it is related to or was mentioned with
}

// Bounds of what is compared, so that the cost of one comparison is bounded
// whatever arrives. What is beyond them is left out in an order that does not
// depend on the order in which it came.
const (
	maxNames      = 24
	maxAttributes = 48
	maxValues     = 16
	maxContexts   = 12
)

// Prepared is a profile made ready once, to be compared many times. It may be
// used from many goroutines, with the model that made it.
type Prepared struct {
	key        string // equal for equal profiles only
	typ        string
	kind       class
	names      []name
	countries  []string // named in any of them, sorted
	attributes []attribute
	contexts   []description
	project    string
	records    []tenure.Record
	neighbours []tenure.ID
	self       atomic.Pointer[float64] // evidence against itself, once asked for
}

// Prepare makes a profile ready for comparison by the default model.
func Prepare(p Profile) *Prepared { return DefaultModel().Prepare(p) }

// Prepare makes a profile ready for comparison by this model.
func (m *Model) Prepare(p Profile) *Prepared {
	out := &Prepared{
		typ:        plainText(p.Type),
		project:    p.Project,
		records:    slices.Clone(p.Records),
		neighbours: slices.Clone(p.Neighbours),
	}
	out.kind = classOf(out.typ)
	slices.Sort(out.neighbours)
	out.neighbours = slices.Compact(out.neighbours)
	slices.SortFunc(out.records, func(a, b tenure.Record) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.ID, b.ID))
	})
	for _, s := range bounded(p.Names, maxNames) {
		if n, ok := m.prepareName(s, out.kind); ok {
			out.names = append(out.names, n)
			out.countries = append(out.countries, n.countries...)
		}
	}
	slices.SortFunc(out.names, func(a, b name) int { return strings.Compare(a.text, b.text) })
	slices.Sort(out.countries)
	out.attributes = m.prepareAttributes(p.Attributes)
	for _, s := range bounded(p.Context, maxContexts) {
		if d, ok := m.describe(s); ok {
			out.contexts = append(out.contexts, d)
		}
	}
	out.key = out.canonical()
	return out
}

// bounded gives at most limit different values, the first and then the least
// of the others, the others in order.
func bounded(values []string, limit int) []string {
	if len(values) <= 1 {
		return values
	}
	rest := slices.Clone(values[1:])
	slices.Sort(rest)
	rest = slices.DeleteFunc(slices.Compact(rest), func(s string) bool { return s == values[0] })
	return append([]string{values[0]}, rest[:min(len(rest), limit-1)]...)
}

// canonical says all of a profile in one string, by which two of them are put
// in order: a comparison always starts from the lesser one, and so adds in
// the same order whichever side was asked about first.
func (p *Prepared) canonical() string {
	var b strings.Builder
	part := func(s string) {
		b.WriteString(strconv.Itoa(len(s)))
		b.WriteByte(':')
		b.WriteString(s)
	}
	part(p.typ)
	for i := range p.names {
		part(p.names[i].text)
	}
	for _, a := range p.attributes {
		part(a.key)
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

// class says by which weights the names of a type are compared.
type class uint8

const (
	things        class = iota // products, places, documents, concepts, vessels, ...
	people                     // one human being each
	organizations              // companies, agencies, teams
	classes                    // how many there are
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

// pairClass is the class by which two are compared.
func pairClass(l, r *Prepared) class {
	switch {
	case l.kind == r.kind:
		return l.kind
	case l.typ == "":
		return r.kind
	case r.typ == "":
		return l.kind
	}
	return max(l.kind, r.kind)
}

// kinship groups the types of the bounded vocabulary that nothing can be of
// two of. Types that are not here say nothing against each other: the
// vocabulary of a tenant is open.
var kinship = map[string]string{
	"person": "person", "people": "person", "human": "person",
	"organization": "organization", "organisation": "organization", "org": "organization", "company": "organization",
	"team": "organization", "agency": "organization",
	"place": "place", "location": "place", "document": "document", "publication": "document",
	"vessel": "vessel", "aircraft": "aircraft", "drug": "drug", "event": "event",
}

// incompatible tells whether nothing can be of both types.
func incompatible(a, b string) bool {
	x, y := kinship[a], kinship[b]
	return x != "" && y != "" && x != y
}
