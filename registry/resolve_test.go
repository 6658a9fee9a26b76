package registry_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/attribute"
	"tenure/registry"
	"tenure/similarity"
	"tenure/store"
)

// memory is a [registry.EntityReader] in memory.
type memory struct {
	t         *testing.T
	seq       int
	aliases   map[tenure.AliasKey][]tenure.Alias
	entities  map[tenure.ID]tenure.Entity
	terms     map[string]tenure.Term
	decisions map[tenure.ID][]tenure.IdentityDecision
	reviews   map[tenure.ID][]tenure.Review
	related   map[tenure.ID][]tenure.ID
	mentions  map[tenure.ID]tenure.Mention
	facts     []tenure.Belief
}

func newMemory(t *testing.T) *memory {
	t.Helper()
	return &memory{
		t: t, aliases: map[tenure.AliasKey][]tenure.Alias{}, entities: map[tenure.ID]tenure.Entity{},
		terms: map[string]tenure.Term{}, decisions: map[tenure.ID][]tenure.IdentityDecision{},
		reviews: map[tenure.ID][]tenure.Review{}, related: map[tenure.ID][]tenure.ID{},
		mentions: map[tenure.ID]tenure.Mention{},
	}
}

func (m *memory) AliasesByKey(_ context.Context, f tenure.AliasKey) ([]tenure.Alias, error) {
	return m.aliases[f], nil
}

func (m *memory) AliasesOf(_ context.Context, id tenure.ID) (list []tenure.Alias, err error) {
	for _, aliases := range m.aliases {
		for _, o := range aliases {
			if o.Entity == id {
				list = append(list, o)
			}
		}
	}
	return list, nil
}

func (m *memory) Entity(_ context.Context, id tenure.ID) (*tenure.Entity, error) {
	if e, ok := m.entities[id]; ok {
		return &e, nil
	}
	return nil, nil
}

func (m *memory) Term(_ context.Context, id string) (*tenure.Term, error) {
	if t, ok := m.terms[id]; ok {
		return &t, nil
	}
	return nil, nil
}

func (m *memory) Vocabulary(_ context.Context, name string) (tenure.Vocabulary, error) {
	v := tenure.Vocabulary{Name: name}
	for _, t := range m.terms {
		if t.Vocabulary == name {
			v.Version = 1
		}
	}
	return v, nil
}

func (m *memory) IdentityDecisionsOn(_ context.Context, id tenure.ID) ([]tenure.IdentityDecision, error) {
	return m.decisions[id], nil
}

func (m *memory) ReviewsOf(_ context.Context, id tenure.ID) ([]tenure.Review, error) {
	return m.reviews[id], nil
}

func (m *memory) Facts(_ context.Context, ids []tenure.ID) (list []tenure.Belief, err error) {
	for _, b := range m.facts {
		if slices.Contains(ids, b.Claim.Subject) {
			list = append(list, b)
		}
	}
	return list, nil
}

func (m *memory) Mentions(_ context.Context, ids []tenure.ID) (list []store.MentionRecord, err error) {
	for _, id := range ids {
		if x, ok := m.mentions[id]; ok {
			list = append(list, store.MentionRecord{Mention: x})
		}
	}
	return list, nil
}

func (m *memory) Related(_ context.Context, ids []tenure.ID) ([]tenure.ID, error) {
	var list []tenure.ID
	for _, id := range ids {
		list = append(list, m.related[id]...)
	}
	return list, nil
}

// define adds terms to a vocabulary.
func (m *memory) define(vocabulary string, terms ...tenure.Term) {
	for _, t := range terms {
		t.Vocabulary = vocabulary
		m.terms[t.ID()] = t
	}
}

func (m *memory) id() tenure.ID {
	m.seq++
	return tenure.ID(fmt.Sprintf("%08d-0000-7000-8000-000000000000", m.seq))
}

func (m *memory) mint() tenure.Mint { return tenure.Mint{Now: tenure.Instant(m.seq), NewID: m.id} }

// apply applies the changes of a decision.
func (m *memory) apply(changes []tenure.Change) {
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.EntityPut:
			m.entities[c.Entity.ID] = c.Entity
		case tenure.AliasAdded:
			m.aliases[c.Alias.Key] = append(m.aliases[c.Alias.Key], c.Alias)
		case tenure.ReviewPut:
			list := slices.DeleteFunc(m.reviews[c.Review.Entity], func(r tenure.Review) bool { return r.ID == c.Review.ID })
			m.reviews[c.Review.Entity] = append(list, c.Review)
		case tenure.IdentityDecisionPut:
			for _, id := range []tenure.ID{c.Decision.From, c.Decision.Into} {
				m.decisions[id] = append(m.decisions[id], c.Decision)
			}
		}
	}
}

// know creates an entity from a mention without resolving it.
func (m *memory) know(mention tenure.Mention) tenure.ID {
	m.t.Helper()
	mention = m.ready(mention)
	e, aliases := registry.BuildProfile(tenure.Entity{
		ID: m.id(), Status: tenure.EntityCanonical, Label: tenure.Label{Scope: tenure.Scope{ProjectID: mention.Project}},
	}, []tenure.Mention{mention})
	m.apply([]tenure.Change{tenure.EntityPut{Entity: e}})
	for _, o := range aliases {
		m.apply([]tenure.Change{tenure.AliasAdded{Alias: o}})
	}
	return e.ID
}

func (m *memory) ready(mention tenure.Mention) tenure.Mention {
	m.t.Helper()
	var err error
	mention.ID = m.id()
	if mention.IdentifierKinds, err = attribute.OwnKinds(m.t.Context(), m, mention.Attributes); err != nil {
		m.t.Fatal(err)
	}
	m.mentions[mention.ID] = mention
	return mention
}

// decide resolves a mention with all entities as proposals, and applies the decision.
func (m *memory) decide(mention tenure.Mention, company ...tenure.ID) registry.Decision {
	m.t.Helper()
	return m.decideBy(mention, registry.Hints{CoMentions: company})
}

// decideIn is decide in a talk that mentioned some entities lately.
func (m *memory) decideIn(mention tenure.Mention, session ...tenure.ID) registry.Decision {
	m.t.Helper()
	return m.decideBy(mention, registry.Hints{Session: session})
}

func (m *memory) decideBy(mention tenure.Mention, hints registry.Hints) registry.Decision {
	m.t.Helper()
	var all []tenure.ID
	for id := range m.entities {
		all = append(all, id)
	}
	slices.Sort(all)
	judge := registry.Matcher{Model: similarity.DefaultModel()}
	hints.Proposed = all
	d, err := judge.Resolve(m.t.Context(), m, m.ready(mention), hints, m.mint())
	if err != nil {
		m.t.Fatal(err)
	}
	m.apply(d.Changes)
	return d
}

func one(name string, attributes attributeMap) tenure.Mention {
	return tenure.Mention{Name: name, Type: "person", Attributes: attributes}
}

func row(source, id string, m tenure.Mention) tenure.Mention {
	m.Record = &tenure.Record{Source: source, ID: id}
	return m
}

// said formats a decision as in the test tables.
func said(d registry.Decision) string { return string(d.Outcome) + " " + d.Reason }

// TestDecisions covers each reason of a decision: the known entities, and the root that a mention resolves
// to. The expected root is an index into the known entities; -1 is none of them.
func TestDecisions(t *testing.T) {
	born := attributeMap{"dob": {"1978-05-04"}}
	for _, c := range []struct {
		behaviour string
		known     []tenure.Mention
		mention   tenure.Mention
		want      string
		root      int
	}{
		{"nobody-is-known", nil, one("Ada Featherstone", nil), "new_entity no_candidate", -1},
		{"another-name-is-new", []tenure.Mention{one("Ranulph Twisleton", nil)}, one("Ada Featherstone", nil), "new_entity no_candidate", -1},
		{"the-one-who-has-the-name", []tenure.Mention{one("Ada Featherstone", nil)}, one("ADA  Featherstone", nil), "auto_merge exact_name", 0},
		{"the-one-who-has-the-alias", []tenure.Mention{one("Ada Featherstone", nil)}, tenure.Mention{Name: "Countess F", Type: "person", Aliases: []string{"Ada Featherstone"}}, "auto_merge exact_name", 0},
		{
			"an-exclusive-identifier", []tenure.Mention{one("Ada Featherstone", attributeMap{"email": {"ada@park.example"}})},
			one("A. Featherstone", attributeMap{"E-Mail": {"ADA@park.example"}}), "auto_merge identifier", 0,
		},
		{
			"a-shared-mailbox-identifies-nobody", []tenure.Mention{one("Ada Featherstone", attributeMap{"email": {"info@park.example"}})},
			one("Bruno Kessel", attributeMap{"email": {"info@park.example"}}), "new_entity no_candidate", -1,
		},
		{
			"a-telephone-is-of-a-household", []tenure.Mention{one("Ada Featherstone", attributeMap{"phone": {"+44 117 496 0123"}})},
			one("Bruno Featherstone", attributeMap{"phone": {"+44 117 496 0123"}}), "new_entity no_candidate", -1,
		},
		{
			"likeness-alone", []tenure.Mention{one("Ottoline Featherstonehaugh", born)},
			one("Ottoline Fetherstonehaugh", born), "auto_merge similar", 0,
		},
		{
			"likeness-that-is-not-enough", []tenure.Mention{one("Ottoline Featherstonehaugh", nil)},
			one("Ottoline Fetherstonehaugh", nil), "review similar", -1,
		},
		{
			"the-only-one-it-may-be", []tenure.Mention{one("Alexander Novak", nil), one("Ranulph Twisleton", nil)},
			one("Alex Novak", nil), "review only_candidate", -1,
		},
		{
			"what-belongs-to-the-only-one", []tenure.Mention{{Name: "Nan Hale"}},
			tenure.Mention{Name: "Nan Hale's cat"}, "new_entity no_candidate", -1,
		},
		{
			"one-of-two-that-it-may-be", []tenure.Mention{one("Alexander Novak", nil), one("Alexandra Novak", nil)},
			one("Alex Novak", nil), "review several_similar", -1,
		},
		{
			"one-of-two-by-an-initial", []tenure.Mention{one("Maria Silva", nil), one("Marco Silva", nil)},
			one("M. Silva", nil), "review several_similar", -1,
		},
		{
			"one-of-more-than-a-person-can-tell", []tenure.Mention{
				one("Maria Silva", nil), one("Marco Silva", nil), one("Miguel Silva", nil), one("Monica Silva", nil), one("Mateus Silva", nil), one("Mario Silva", nil),
			},
			one("M. Silva", nil), "new_entity no_candidate", -1,
		},
		{
			"a-second-surname-left-out", []tenure.Mention{one("Maria Garcia Lopez", nil)},
			one("Maria Garcia", nil), "review only_candidate", -1,
		},
		{
			"a-common-name-in-another-script", []tenure.Mention{one("Mohammed Ali", nil)},
			one("محمد علي", nil), "review only_candidate", -1,
		},
		{
			"another-spelling-of-both-names", []tenure.Mention{one("Stephen Lee", nil)},
			one("Steven Li", nil), "review only_candidate", -1,
		},
		{
			"another-given-name-of-a-common-surname", []tenure.Mention{one("Maria Garcia", nil), one("Stephanie Lee", nil)},
			one("Steven Lee", nil), "new_entity no_candidate", -1,
		},
		{
			"the-only-one-beside-what-waits", []tenure.Mention{one("Elizabeth Stanhope", nil), one("Liz Stanhope", nil)},
			one("Beth Stanhope", nil), "review only_candidate", -1,
		},
		{
			"the-name-of-a-repository", []tenure.Mention{{Name: "acme-labs/prompt-library", Type: "repository"}},
			tenure.Mention{Name: "prompt-library", Type: "repository"}, "review only_candidate", -1,
		},
		{
			"the-only-one-that-a-row-may-be", []tenure.Mention{one("Alexander Novak", nil)},
			row("crm", "7", one("Alex Novak", nil)), "new_entity no_candidate", -1,
		},
		{
			"two-have-the-name", []tenure.Mention{one("Ada Featherstone", nil), one("Ada Featherstone", nil)},
			one("Ada Featherstone", nil), "review ambiguous_name", -1,
		},
		{
			"two-have-the-words-of-the-name", []tenure.Mention{one("Ada Featherstone", nil), one("Featherstone Ada", nil)},
			one("Ada Featherstone", nil), "review ambiguous_name", -1,
		},
		{
			"two-have-the-name-and-one-the-identifier",
			[]tenure.Mention{one("Ada Featherstone", attributeMap{"passport": {"X1234567"}}), one("Ada Featherstone", attributeMap{"dob": {"1951-01-02"}})},
			one("Ada Featherstone", attributeMap{"passport": {"X 1234567"}, "dob": {"1990-10-11"}}), "auto_merge identifier", 0,
		},
		{
			"two-have-the-identifiers", []tenure.Mention{one("Ada Featherstone", attributeMap{"email": {"ada@park.example"}}), one("Ada Featherstone", attributeMap{"passport": {"X1234567"}})},
			one("Ada Featherstone", attributeMap{"email": {"ada@park.example"}, "passport": {"X1234567"}}), "review identifiers_disagree", -1,
		},
		{
			"two-are-over-the-line", []tenure.Mention{one("Ottoline Featherstonehaugh", born), one("Otoline Featherstonehaugh", born)},
			row("crm", "7", one("Ottoline Featherstonehaugh", born)), "review several_candidates", -1,
		},
		{
			"an-identifier-and-another-who-is-over-the-line",
			[]tenure.Mention{one("Ottoline Featherstonehaugh", attributeMap{"dob": {"1978-05-04"}, "email": {"o@park.example"}}), one("Ottoline Featherstonehaugh", born)},
			row("crm", "7", one("Ottoline Featherstonehaugh", attributeMap{"dob": {"1978-05-04"}, "email": {"o@park.example"}})), "review several_candidates", -1,
		},
		{
			"another-identifier-of-the-kind", []tenure.Mention{one("Ada Featherstone", attributeMap{"email": {"ada@park.example"}})},
			one("Ada Featherstone", attributeMap{"email": {"ada@other.example"}}), "review contradicting_identifier", -1,
		},
		{
			"the-name-but-nothing-else", []tenure.Mention{one("John Smith", attributeMap{"dob": {"1951-04-17"}, "passport": {"X1234567"}, "gender": {"m"}})},
			one("John Smith", attributeMap{"dob": {"1990-09-02"}, "passport": {"Q7651239"}, "gender": {"f"}}), "review contradicting_birth_date", -1,
		},
		{
			"a-row-with-the-name-but-another-birthday", []tenure.Mention{one("John Smith", attributeMap{"dob": {"1951-04-17"}})},
			row("crm", "7", one("John Smith", attributeMap{"dob": {"1990-09-02"}})), "new_entity no_candidate", -1,
		},
		{
			"the-identifier-but-nothing-else", []tenure.Mention{one("Ranulph Twisleton", attributeMap{"died": {"1951-04-17"}, "handle": {"@ada"}, "gender": {"m"}})},
			one("Ada Featherstone", attributeMap{"died": {"1990-09-02"}, "handle": {"@ADA"}, "gender": {"f"}}), "review contradicted", -1,
		},
		{
			"the-identifier-and-another-birth-date", []tenure.Mention{one("Ada Featherstone", attributeMap{"dob": {"1951-04-17"}, "handle": {"@ada"}})},
			one("Ada Featherstone", attributeMap{"dob": {"1990-09-02"}, "handle": {"@ADA"}}), "review contradicting_birth_date", -1,
		},
		{
			"a-type-that-is-no-kind-of-the-other", []tenure.Mention{{Name: "Ada Featherstone", Type: "ship"}},
			one("Ada Featherstone", nil), "new_entity no_candidate", -1,
		},
		{
			"the-same-row", []tenure.Mention{row("crm", "7", one("Ada Featherstone", nil)), one("Bruno Kessel", nil)},
			row("crm", "7", one("Bruno Kessel", nil)), "auto_merge record", 0,
		},
		{
			"the-same-name-in-another-country", []tenure.Mention{{Name: "Ministry of Fisheries", Type: "organization", Attributes: attributeMap{"country": {"Kenya"}}}},
			tenure.Mention{Name: "Ministry of Fisheries", Type: "organization", Attributes: attributeMap{"country": {"GH"}}}, "review exact_name", -1,
		},
		{
			"what-is-known-in-another-project", []tenure.Mention{{Name: "Ada Featherstone", Type: "person", Project: "atlas"}},
			one("Ada Featherstone", nil), "new_entity no_candidate", -1,
		},
		{
			"the-projects-own-before-everybodys", []tenure.Mention{one("Ada Featherstone", nil), {Name: "Ada Featherstone", Type: "person", Project: "atlas"}},
			tenure.Mention{Name: "Ada Featherstone", Type: "person", Project: "atlas"}, "auto_merge exact_name", 1,
		},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			m := newMemory(t)
			var known []tenure.ID
			for _, k := range c.known {
				known = append(known, m.know(k))
			}
			d := m.decide(c.mention)
			if said(d) != c.want {
				t.Errorf("decided %q with score %.4f, want %q\n%s", said(d), d.Score, c.want, candidates(d))
			}
			if got := slices.Index(known, d.Root); got != c.root {
				t.Errorf("it is number %d, want %d", got, c.root)
			}
			asked := d.Outcome == tenure.InReview
			if e := m.entities[d.Entity]; (e.Status == tenure.EntityPending) != asked || (d.Review != "") != asked {
				t.Errorf("entity %q with review %q", e.Status, d.Review)
			}
		})
	}
}

func candidates(d registry.Decision) string {
	var b strings.Builder
	for _, c := range d.Candidates {
		fmt.Fprintf(&b, "%s %.4f veto %q exact %v identified %v sameTokens %v\n",
			c.Root.Name, c.Comparison.Score, c.Comparison.Veto, c.Exact, c.Identified, c.SameTokens)
	}
	return b.String()
}

// TestTwoThatLookAlike checks that similarity alone merges nothing while a second candidate scores close to
// the first.
func TestTwoThatLookAlike(t *testing.T) {
	for _, c := range []struct {
		has  attributeMap
		want string
	}{
		{attributeMap{"dob": {"1978"}}, "review several_similar"},
		{attributeMap{"dob": {"1978-05-04"}}, "auto_merge similar"},
	} {
		m := newMemory(t)
		m.know(one("Ottoline Featherstonehaugh", c.has))
		m.know(one("Ottoline Fetherstonehaugh", nil))
		if d := m.decide(row("crm", "7", one("Ottoline Featherstonhaugh", c.has))); said(d) != c.want {
			t.Errorf("with %v in common: decided %q, want %q\n%s", c.has, said(d), c.want, candidates(d))
		}
	}
}

// TestTypesOfOneKind checks that a type is compatible with its ancestors.
func TestTypesOfOneKind(t *testing.T) {
	for _, c := range []struct{ known, mention, want string }{
		{"ship", "vessel", "auto_merge exact_name"},
		{"vessel", "ship", "auto_merge exact_name"},
		{"tanker", "vessel", "auto_merge exact_name"},
		{"", "vessel", "auto_merge exact_name"},
		{"tanker", "aircraft", "new_entity no_candidate"},
	} {
		t.Run(c.known+"-and-"+c.mention, func(t *testing.T) {
			m := newMemory(t)
			m.define(tenure.EntityTypes,
				tenure.Term{Name: "ship", Parent: "vessel"}, tenure.Term{Name: "tanker", Parent: "ship"})
			m.know(tenure.Mention{Name: "Heronwell Star", Type: c.known})
			if d := m.decide(tenure.Mention{Name: "Heronwell Star", Type: c.mention}); said(d) != c.want {
				t.Errorf("decided %q, want %q\n%s", said(d), c.want, candidates(d))
			}
		})
	}
}

// TestWhatATalkMeans checks that a name that cannot tell by itself who or what is meant means the one that has it in the
// same talk alone, whatever its type.
func TestWhatATalkMeans(t *testing.T) {
	for _, x := range []tenure.Mention{
		{Name: "Sanjay"}, {Name: "Wei"}, {Name: "Mom"}, {Name: "Chief Architect"}, {Name: "project manager"},
		{Name: "our landlord", Type: "organization"}, {Name: "the database", Type: "system"}, {Name: "my project", Type: "project"},
		{Name: "our zwischenablage", Type: "system"}, {Name: "my xylotheque", Type: "place"},
		{Name: "der Chef", Type: "person"}, {Name: "mi jefe", Type: "person"}, {Name: "le patron", Type: "person"},
		{Name: "der Vermieter"}, {Name: "unsere Personalabteilung", Type: "organization"}, {Name: "la base de datos", Type: "system"},
	} {
		m := newMemory(t)
		known := m.know(x)
		if d := m.decideIn(x, known); d.Outcome != tenure.AutoMerge || d.Root != known {
			t.Errorf("%q of type %q in its talk: %q\n%s", x.Name, x.Type, said(d), candidates(d))
		}
		if d := m.decide(x); d.Outcome != tenure.InReview || d.Root == known {
			t.Errorf("%q of type %q in another talk: %q\n%s", x.Name, x.Type, said(d), candidates(d))
		}
	}
	for _, x := range []tenure.Mention{
		{Name: "The Hague", Type: "place"}, {Name: "The Beatles"}, {Name: "El Salvador"}, {Name: "Le Monde", Type: "organization"},
		{Name: "Die Zeit", Type: "organization"}, {Name: "Prometheus Operator"},
	} {
		m := newMemory(t)
		known := m.know(x)
		if d := m.decide(x); said(d) != "auto_merge exact_name" || d.Root != known {
			t.Errorf("%q of type %q in another talk: %q\n%s", x.Name, x.Type, said(d), candidates(d))
		}
	}
}

// review returns the one review of an entity.
func (m *memory) review(entity tenure.ID) tenure.Review {
	m.t.Helper()
	if n := len(m.reviews[entity]); n != 1 {
		m.t.Fatalf("%d reviews of %s, want one", n, entity)
	}
	return m.reviews[entity][0]
}

// TestWhatWaits checks that a mention that matches a pending entity joins it and its review, in a new
// version.
func TestWhatWaits(t *testing.T) {
	m := newMemory(t)
	m.know(one("Ada Featherstone", nil))
	m.know(one("Ada Featherstone", nil))
	first := m.decide(one("Ada Featherstone", nil))
	if said(first) != "review ambiguous_name" || !first.Created {
		t.Fatalf("the first: %q", said(first))
	}
	if r := m.review(first.Entity); len(r.Candidates) != 2 || r.State != tenure.ReviewOpen || r.Version != 1 {
		t.Errorf("the review asks about %d, %s, version %d", len(r.Candidates), r.State, r.Version)
	}
	m.know(one("Ada Featherstone", nil))
	second := m.decide(one("Ada Featherstone", nil))
	joined := second.Entity == first.Entity && second.Review == first.Review && !second.Created
	if said(second) != "review joins_pending" || !joined {
		t.Errorf("the second: %q of %s, review %s; the first was %s, %s",
			said(second), second.Entity, second.Review, first.Entity, first.Review)
	}
	if r := m.review(first.Entity); len(r.Candidates) != 3 || r.Version != 2 {
		t.Errorf("the review asks about %d afterwards, version %d", len(r.Candidates), r.Version)
	}
}

// TestARowThatWaits checks that a pending row that arrives again stays with its pending entity.
func TestARowThatWaits(t *testing.T) {
	m := newMemory(t)
	m.know(one("Ottoline Featherstonehaugh", nil))
	first := m.decide(row("crm", "7", one("Ottoline Fetherstonehaugh", nil)))
	again := m.decide(row("crm", "7", one("Bruno Kessel", nil)))
	same := again.Entity == first.Entity && again.KnownRecord
	if said(first) != "review similar" || said(again) != "review joins_pending" || !same {
		t.Errorf("%q of %s, then %q of %s", said(first), first.Entity, said(again), again.Entity)
	}
}

// TestWhatContradictsDoesNotWaitTogether checks that a mention whose identifier contradicts a pending entity
// gets a pending entity of its own.
func TestWhatContradictsDoesNotWaitTogether(t *testing.T) {
	m := newMemory(t)
	m.know(one("Ada Featherstone", nil))
	m.know(one("Ada Featherstone", nil))
	first := m.decide(one("Ada Featherstone", attributeMap{"email": {"ada@park.example"}}))
	second := m.decide(one("Ada Featherstone", attributeMap{"email": {"ada@other.example"}}))
	if first.Outcome != tenure.InReview || second.Outcome != tenure.InReview || first.Entity == second.Entity {
		t.Errorf("decided %q and %q, for one entity: %v\n%s",
			said(first), said(second), first.Entity == second.Entity, candidates(second))
	}
}

// TestRowsOfADeduplicatedSource checks that rows of a deduplicated source are not merged unless a person
// decides so.
func TestRowsOfADeduplicatedSource(t *testing.T) {
	person := func(source, id string) tenure.Mention {
		return row(source, id, one("Ottoline Featherstonehaugh", attributeMap{"passport": {"X1234567"}}))
	}
	m := newMemory(t)
	m.define(tenure.Sources, tenure.Term{Name: "register", Deduplicated: true})
	first := m.know(person("register", "1"))
	if d := m.decide(person("register", "2")); d.Outcome != tenure.NewEntity || d.Root == first {
		t.Errorf("another row of a deduplicated source: %q\n%s", said(d), candidates(d))
	}
	m = newMemory(t)
	first = m.know(person("crm", "1"))
	if d := m.decide(person("crm", "2")); d.Root != first {
		t.Errorf("another row of a source that has several: %q\n%s", said(d), candidates(d))
	}
}

// TestRowsOfAProject checks that a row in a project which is about an entity of the whole tenant keeps other rows of a
// deduplicated source apart from it in that project, and identifies it nowhere else.
func TestRowsOfAProject(t *testing.T) {
	person := func(id, project string) tenure.Mention {
		p := row("register", id, one("Ottoline Featherstonehaugh", attributeMap{"passport": {"X1234567"}}))
		p.Project = project
		return p
	}
	m := newMemory(t)
	m.define(tenure.Sources, tenure.Term{Name: "register", Deduplicated: true})
	first := m.know(one("Ottoline Featherstonehaugh", attributeMap{"passport": {"X1234567"}}))
	if d := m.decide(person("1", "atlas")); d.Root != first {
		t.Fatalf("a row of a project: %q\n%s", said(d), candidates(d))
	}
	if e := m.entities[first]; len(e.Records) > 0 {
		t.Errorf("everybody sees the row of a project: %v", e.Records)
	}
	if d := m.decide(person("1", "atlas")); d.Root != first || d.Reason != registry.ByRecord {
		t.Errorf("the row again: %q", said(d))
	}
	if d := m.decide(person("2", "atlas")); d.Root == first {
		t.Errorf("another row in the project: %q\n%s", said(d), candidates(d))
	}
	if d := m.decide(person("2", "borealis")); d.Root != first {
		t.Errorf("another row in another project: %q\n%s", said(d), candidates(d))
	}
}

// TestKindsOfATenant checks that an identifier kind defined by the tenant identifies and contradicts like a
// built-in one.
func TestKindsOfATenant(t *testing.T) {
	badge := func(name, attribute, value string) tenure.Mention { return one(name, attributeMap{attribute: {value}}) }
	m := newMemory(t)
	m.define(tenure.IdentifierKinds,
		tenure.Term{Name: "badge", Exclusive: true}, tenure.Term{Name: "pass", Parent: "badge"},
		tenure.Term{Name: "work_mail", Parent: "email"}, tenure.Term{Name: "locker"})
	ada := m.know(one("Ada Featherstone", attributeMap{"Badge": {"B-12"}, "email": {"ada@park.example"}, "locker": {"7"}}))
	for _, c := range []struct {
		mention tenure.Mention
		want    string
		same    bool
	}{
		{badge("A. Featherstone", "PASS", "b 12"), "auto_merge identifier", true},
		{badge("A. Featherstone", "Work-Mail", "Ada@park.example"), "auto_merge identifier", true},
		{badge("Bruno Kessel", "locker", "7"), "new_entity no_candidate", false},
		{badge("Ada Featherstone", "pass", "C-99"), "review", false},
		{row("crm", "1", badge("Ada Featherstone", "badge", "C-99")), "", false},
	} {
		d := m.decide(c.mention)
		if !strings.HasPrefix(said(d), c.want) || (d.Root == ada) != c.same {
			t.Errorf("%v: decided %q, want %q; the same: %v\n%s",
				c.mention.Attributes, said(d), c.want, d.Root == ada, candidates(d))
		}
	}
}

// TestTelephonesAreShared checks that no spelling of a telephone number is exclusive.
func TestTelephonesAreShared(t *testing.T) {
	for _, attribute := range []string{"phone", "Telephone", "mobile", "phone-number"} {
		m := newMemory(t)
		m.know(one("Ada Featherstone", attributeMap{attribute: {"+44 (0)117 496 0123"}}))
		phone := func(key string) []tenure.Alias { return m.aliases[tenure.AliasKey{Kind: "phone", Key: key}] }
		aliases := slices.Concat(phone("4401174960123"), phone("441174960123"))
		if len(aliases) != 2 {
			t.Errorf("%s: %d forms, want the digits as written and E.164", attribute, len(aliases))
		}
		for _, o := range aliases {
			if o.Exclusive {
				t.Errorf("%s: %v is exclusive", attribute, o.Key)
			}
		}
	}
}

type attributeMap = map[string][]string
