package registry_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"tenure"
	"tenure/attribute"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/registry"
	"tenure/similarity"
	"tenure/store"
	"tenure/verify"
)

// everyone is a [registry.CandidateSource] that proposes all entities that a test has seen.
type everyone struct {
	ids   []tenure.ID
	fails error

	mu     sync.Mutex // several requests of a group search at the same time
	limits []int
}

func (e *everyone) ProposeFor(_ context.Context, _ string, _ tenure.Entity, limit int) ([]tenure.ID, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.limits = append(e.limits, limit)
	return e.ids, e.fails
}

// town is a world in which everyone is a candidate for everyone.
type town struct {
	*testing.T
	w       *world.World
	all     *everyone
	settled *registry.StableRoots
}

func newTown(t *testing.T) *town {
	t.Helper()
	return &town{T: t, w: world.New(t, 0), all: &everyone{}, settled: registry.NewStableRoots()}
}

// meet resolves a mention and answers with its entity.
func (t *town) meet(name string, a attributeMap, record string) tenure.ID {
	t.Helper()
	in := world.Said(name, "seen_in", record, nil)
	in.Mentions[0].Attributes = a
	if record != "" {
		in.Mentions[0].Record = &tenure.Record{Source: "crm", ID: record}
	}
	return t.keep(t.w.Observe(t.T, in))
}

func (t *town) keep(a ingest.Answer) tenure.ID {
	t.Helper()
	id := a.Mentions[0].EntityID
	if !slices.Contains(t.all.ids, id) {
		t.all.ids = append(t.all.ids, id)
	}
	return id
}

// look re-resolves an entity.
func (t *town) look(id tenure.ID, edits ...func(*registry.Reresolve)) *registry.Reresolve {
	t.Helper()
	c := &registry.Reresolve{
		Tenant: world.Tenant, Entity: id, Matcher: registry.Matcher{Model: similarity.DefaultModel()}, Proposer: t.all, Stable: t.settled,
	}
	for _, edit := range edits {
		edit(c)
	}
	if res := t.w.Do(t.T, c)[0]; res.Err != nil {
		t.Fatal(res.Err)
	}
	if f := c.Findings(); f.Opened != nil && !slices.Contains(t.all.ids, f.Opened.Entity) {
		t.all.ids = append(t.all.ids, f.Opened.Entity)
	}
	return c
}

// settle re-resolves everybody until nothing changes any more.
func (t *town) settle() {
	t.Helper()
	for range 12 {
		before, _ := t.w.View(t.T).State()
		for _, id := range slices.Clone(t.all.ids) {
			t.look(id)
		}
		if after, _ := t.w.View(t.T).State(); after == before {
			return
		}
	}
	t.Error("the entities do not settle")
}

func (t *town) entity(id tenure.ID) tenure.Entity {
	t.Helper()
	return entityNow(t.T, t.w, id)
}

func (t *town) reviewsOf(id tenure.ID) []tenure.Review {
	t.Helper()
	var list []tenure.Review
	all, err := t.w.View(t.T).ListReviews(t.Context(), store.ReviewQuery{Entity: id})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.Entity == id {
			list = append(list, r)
		}
	}
	return list
}

func askOnly(c *registry.Reresolve) { c.AskOnly = true }

var bornThen = attributeMap{"dob": {"1978-05-04"}}

// TestReresolutionMerges checks that the younger of two entities becomes the older one's, whichever is looked at.
func TestReresolutionMerges(t *testing.T) {
	for _, which := range []int{0, 1} {
		town := newTown(t)
		ids := []tenure.ID{town.meet("Ottoline Featherstonehaugh", bornThen, ""), town.meet("Ottoline Fetherstonehaugh", bornThen, "")}
		if ids[0] == ids[1] {
			t.Fatal("the two were one from the start")
		}
		c := town.look(ids[which])
		if f := c.Findings(); f.Assessed != 1 || f.Merged != ids[1] || f.Opened != nil {
			t.Errorf("from %d: %+v", which, f)
		}
		if e := town.entity(ids[1]); e.Status != tenure.EntityMerged || e.MergedInto != ids[0] {
			t.Errorf("the younger is %s into %s", e.Status, e.MergedInto)
		}
		again := town.look(ids[0])
		if f := again.Findings(); f.Assessed != 1 || f.Merged != "" || f.Opened != nil {
			t.Errorf("after the merge: %+v", f)
		}
		if f := town.look(ids[1]).Findings(); f.Assessed != 0 {
			t.Errorf("a merged entity: %+v", f)
		}
		if n := town.all.limits[0]; n != 48 {
			t.Errorf("%d candidates were asked for", n)
		}
	}
}

// TestReresolutionAsks checks the review that re-resolution opens where it must not merge, and that nothing is asked
// twice, from either side.
func TestReresolutionAsks(t *testing.T) {
	for _, c := range []struct {
		behaviour   string
		left, right attributeMap
		edits       []func(*registry.Reresolve)
		reason      string
	}{
		{"likeness-that-is-not-enough", nil, nil, nil, registry.BySimilarity},
		{"asked-only-to-ask", bornThen, bornThen, []func(*registry.Reresolve){askOnly}, registry.BySimilarity},
		{"identifiers-that-differ", attributeMap{"dob": {"1978-05-04"}, "passport": {"X1234567"}, "phone": {"+44 117 496 0123"}, "email": {"o@park.example"}}, attributeMap{"dob": {"1978-05-04"}, "passport": {"X1234568"}, "phone": {"+44 117 496 0123"}, "email": {"info@park.example"}}, nil, ""},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			town := newTown(t)
			known, other := town.meet("Ottoline Featherstonehaugh", c.left, ""), town.meet("Ottoline Fetherstonehaugh", c.right, "")
			r := town.look(other, c.edits...).Findings().Opened
			if r == nil || r.State != tenure.ReviewOpen || r.Entity != other || r.Version != 1 || r.Name != "Ottoline Fetherstonehaugh" || r.Type != "person" {
				t.Fatalf("opened %+v", r)
			}
			if len(r.Candidates) != 1 || r.Candidates[0].Entity != known || r.Candidates[0].Score <= similarity.NewAt || c.reason != "" && r.Reason != c.reason {
				t.Errorf("it asks about %+v for %s", r.Candidates, r.Reason)
			}
			if stored := town.reviewsOf(other); len(stored) != 1 || stored[0].ID != r.ID {
				t.Errorf("the store has %+v", stored)
			}
			for _, id := range []tenure.ID{other, known} {
				if again := town.look(id, c.edits...).Findings(); again.Opened != nil || again.Merged != "" || again.Assessed != 1 {
					t.Errorf("the same question again, of %s: %+v", id, again)
				}
			}
		})
	}
}

// TestReresolutionLeavesAlone checks what is not looked at, and what changes nothing.
func TestReresolutionLeavesAlone(t *testing.T) {
	town := newTown(t)
	ada := town.meet("Ada Park", nil, "")
	town.meet("Ranulph Twisleton", nil, "")
	c := town.look(ada)
	if f := c.Findings(); f.Assessed != 1 || f.Merged != "" || f.Opened != nil || len(c.Waiting()) > 0 {
		t.Errorf("nobody is alike and nobody waits: %+v, %v", f, c.Waiting())
	}
	if f := town.look("00000000-0000-7000-8000-999999999999").Findings(); f.Assessed != 0 {
		t.Errorf("an unknown entity: %+v", f)
	}
	town.all.fails = errors.New("the index is away")
	town.meet("Ada Parks", nil, "")
	c = &registry.Reresolve{Tenant: world.Tenant, Entity: ada, Matcher: registry.Matcher{Model: similarity.DefaultModel()}, Proposer: town.all}
	if res := town.w.Do(t, c)[0]; !errors.Is(res.Err, town.all.fails) {
		t.Errorf("without candidates: %v", res.Err)
	}
}

// TestAnAutomaticMergeThatWasUndoneIsNotRepeated checks that re-resolution takes the undo for an answer.
func TestAnAutomaticMergeThatWasUndoneIsNotRepeated(t *testing.T) {
	town := newTown(t)
	known, other := town.meet("Ottoline Featherstonehaugh", bornThen, ""), town.meet("Ottoline Fetherstonehaugh", bornThen, "")
	town.look(other)
	decided, err := town.w.View(t).IdentityDecisionsOn(t.Context(), []tenure.ID{other})
	if err != nil || len(decided) != 1 || !decided[0].Automatic || decided[0].Reason != registry.BySimilarity || decided[0].Score < similarity.MergeAt {
		t.Fatal(decided, err)
	}
	town.w.Do(t, registry.UndoDecision{Caller: town.w.Caller, Kind: tenure.Merge, Decision: decided[0].ID})
	for _, id := range []tenure.ID{other, known} {
		if f := town.look(id).Findings(); f.Merged != "" || f.Opened != nil {
			t.Errorf("after the undo: %+v", f)
		}
	}
	if e := town.entity(other); e.Status != tenure.EntityCanonical {
		t.Errorf("the entity is %s", e.Status)
	}
}

// TestAPendingEntityGainsCandidates checks that a review which waits for an answer asks about an entity that came
// later too, and once.
func TestAPendingEntityGainsCandidates(t *testing.T) {
	town := newTown(t)
	town.meet("Ottoline Featherstonehaugh", nil, "1")
	waits := town.w.Observe(t, func() ingest.Input {
		in := world.Said("Ottoline Featherstonehaugh", "seen_in", "2", nil)
		in.Mentions[0].Record = &tenure.Record{Source: "crm", ID: "2"}
		return in
	}())
	pending := town.keep(waits)
	if town.entity(pending).Status != tenure.EntityPending {
		t.Fatalf("the row is %s", town.entity(pending).Status)
	}
	before := town.reviewsOf(pending)
	later := town.meet("Ottoline Fetherstonehaugh", nil, "")
	town.look(pending)
	after := town.reviewsOf(pending)
	if len(before) != 1 || len(after) != 1 || len(after[0].Candidates) != len(before[0].Candidates)+1 || after[0].Version != before[0].Version+1 {
		t.Fatalf("before %+v, after %+v", before, after)
	}
	if !slices.ContainsFunc(after[0].Candidates, func(c tenure.Candidate) bool { return c.Entity == later }) {
		t.Errorf("it asks about %+v", after[0].Candidates)
	}
	town.look(pending)
	if again := town.reviewsOf(pending); again[0].Version != after[0].Version {
		t.Errorf("the same candidates again make version %d", again[0].Version)
	}
	if c := town.look(later); !slices.Contains(c.Waiting(), pending) {
		t.Errorf("the later one waits for nobody: %v", c.Waiting())
	}
	unlike := town.meet("Barnaby Quillfoot", nil, "3")
	if c := town.look(unlike); len(c.Waiting()) > 0 {
		t.Errorf("whoever is a candidate without being alike waits: %v", c.Waiting())
	}
}

// kin are a father with a telephone, a son with a mailbox, and a row with both.
var kin = map[string]attributeMap{
	"father": {"dob": {"1950-03-07"}, "phone": {"+49 201 5550123"}},
	"either": {"phone": {"+49 201 5550123"}, "email": {"brandt80@lighthouse.example"}},
	"son":    {"dob": {"1980-11-23"}, "email": {"brandt80@lighthouse.example"}},
}

// rows formats which of the rows are one entity.
func (t *town) rows(names map[string]tenure.ID) string {
	t.Helper()
	together := map[tenure.ID][]string{}
	for name := range names {
		found, err := t.w.View(t.T).AliasesByKey(t.Context(), []tenure.AliasKey{attribute.RecordAliasKey(tenure.Record{Source: "crm", ID: name})})
		if err != nil || len(found) != 1 {
			t.Fatalf("row %s: %v, %v", name, found, err)
		}
		e := t.entity(found[0].Entity)
		together[e.Root()] = append(together[e.Root()], name)
	}
	var list []string
	for _, g := range together {
		slices.Sort(g)
		list = append(list, strings.Join(g, "+"))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestNewEvidenceOpensAMerge checks that a row which was the father's becomes a question once there is a son, in
// whatever order they come, that an answer settles it, and that every belief stays with its row.
func TestNewEvidenceOpensAMerge(t *testing.T) {
	for _, order := range [][]string{{"father", "either", "son"}, {"father", "son", "either"}, {"either", "son", "father"}, {"son", "either", "father"}} {
		t.Run(strings.Join(order, "-"), func(t *testing.T) {
			town := newTown(t)
			who := map[string]tenure.ID{}
			for _, name := range order {
				who[name] = town.meet("Johann Brandt", kin[name], name)
				town.settle()
			}
			if got := town.rows(who); got != "either father son" {
				t.Errorf("they are %s", got)
			}
			report, err := verify.Tenant(t.Context(), town.w.Store, world.Tenant)
			if err != nil || len(report.Findings) > 0 {
				t.Errorf("verify: %v %v", report.Findings, err)
			}
		})
	}
}

// TestAContraryDateOpensAMerge checks that two rows which one number made one are asked about once one of them has
// another date of birth.
func TestAContraryDateOpensAMerge(t *testing.T) {
	for date, want := range map[string]string{"1980-07-07": "1 2", "1950-03-08": "1+2"} {
		t.Run(date, func(t *testing.T) {
			town := newTown(t)
			number := []string{"E-7735"}
			who := map[string]tenure.ID{}
			for _, id := range []string{"1", "2"} {
				a := attributeMap{"employee_id": number}
				if id == "1" {
					a["dob"] = []string{"1950-03-03"}
				}
				who[id] = town.meet("Robert Hale", a, id)
				town.settle()
			}
			if got := town.rows(who); got != "1+2" {
				t.Fatalf("with one date they are %s", got)
			}
			town.meet("Robert Hale", attributeMap{"employee_id": number, "dob": {date}}, "2")
			town.settle()
			if got := town.rows(who); got != want {
				t.Errorf("they are %s, want %s", got, want)
			}
			open := 0
			for _, id := range town.all.ids {
				for _, r := range town.reviewsOf(id) {
					if r.State == tenure.ReviewOpen && r.Reason == registry.Contradicted {
						open++
					}
				}
			}
			if asked := want == "1 2"; (open == 1) != asked {
				t.Errorf("%d reviews are open", open)
			}
		})
	}
}

// TestASplitAsksWhoseTheRowIs checks the automatic split: the row waits, its review asks about both, and the answer
// of a person holds against the same evidence.
func TestASplitAsksWhoseTheRowIs(t *testing.T) {
	town := newTown(t)
	who := map[string]tenure.ID{"father": town.meet("Johann Brandt", kin["father"], "father")}
	town.settle()
	who["either"] = town.meet("Johann Brandt", kin["either"], "either")
	town.settle()
	if got := town.rows(who); got != "either+father" {
		t.Fatalf("as far as is known they are %s", got)
	}
	who["son"] = town.meet("Johann Brandt", kin["son"], "son")
	town.settle()
	var open []tenure.Review
	for _, id := range town.all.ids {
		for _, r := range town.reviewsOf(id) {
			if r.State == tenure.ReviewOpen && r.Reason == registry.Contradicted {
				open = append(open, r)
			}
		}
	}
	if len(open) != 1 || len(open[0].Candidates) != 2 || open[0].Version != 1 {
		t.Fatalf("open are %+v", open)
	}
	waiting := town.entity(open[0].Entity)
	if waiting.Status != tenure.EntityPending || waiting.Name != "Johann Brandt" {
		t.Errorf("%s is %s", waiting.Name, waiting.Status)
	}
	res := town.w.Do(t, registry.DecideReview{
		Caller: town.w.Caller, Review: open[0].ID, Version: open[0].Version, Decision: registry.DecideMerge, Into: town.entity(who["father"]).Root(),
	})[0]
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	town.settle()
	if got := town.rows(who); got != "either+father son" {
		t.Errorf("after the answer they are %s", got)
	}
	who["more"] = town.meet("Johann Brandt", kin["son"], "more")
	town.settle()
	if got := town.rows(who); got != "either+father more+son" {
		t.Errorf("with more of the son they are %s", got)
	}
}

// TestTheOrderOfArrivalDoesNotMatter checks that rows of one person end as one, and rows of two as two, in several
// orders.
func TestTheOrderOfArrivalDoesNotMatter(t *testing.T) {
	people := []struct {
		id string
		a  attributeMap
	}{
		{"1", attributeMap{"dob": {"1978-05-04"}, "phone": {"+44 117 496 0123"}}},
		{"2", attributeMap{"dob": {"1978-05-04"}, "address": {"12 Mill Road, Leer"}}},
		{"3", attributeMap{"phone": {"+44 117 496 0123"}, "address": {"12 Mill Road, Leer"}}},
		{"4", attributeMap{"dob": {"1951-12-30"}, "phone": {"+44 117 496 0999"}}},
	}
	want := ""
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}} {
		town := newTown(t)
		who := map[string]tenure.ID{}
		for _, i := range order {
			who[people[i].id] = town.meet("Ottoline Featherstonehaugh", people[i].a, people[i].id)
			town.settle()
		}
		got := town.rows(who)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("in the order %v they are %s, before %s", order, got, want)
		}
	}
	if want != "1+2+3 4" {
		t.Errorf("they are %s", want)
	}
}

// TestAnAutomaticSplitThatWasUndoneIsNotRepeated checks that the undo of a split is an answer: the rows stay one.
func TestAnAutomaticSplitThatWasUndoneIsNotRepeated(t *testing.T) {
	town := newTown(t)
	who := map[string]tenure.ID{}
	for _, name := range []string{"father", "either", "son"} {
		who[name] = town.meet("Johann Brandt", kin[name], name)
		town.settle()
	}
	decided, err := town.w.View(t).IdentityDecisionsOn(t.Context(), []tenure.ID{who["father"]})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(decided, func(v tenure.IdentityDecision) bool { return v.Kind == tenure.Split && v.Automatic })
	if i < 0 {
		t.Fatalf("decided %+v", decided)
	}
	if res := town.w.Do(t, registry.UndoDecision{Caller: town.w.Caller, Kind: tenure.Split, Decision: decided[i].ID})[0]; res.Err != nil {
		t.Fatal(res.Err)
	}
	town.settled = registry.NewStableRoots()
	town.settle()
	if got := town.rows(who); got != "either+father son" {
		t.Errorf("after the undo they are %s", got)
	}
}

// TestTooManyRowsAreLeftAsTheyAre checks that in a neighbourhood of more rows than can be clustered the pair alone
// decides.
func TestTooManyRowsAreLeftAsTheyAre(t *testing.T) {
	town := newTown(t)
	var commands []ledger.Command
	for i := range 121 {
		in := world.Said("Ottoline Featherstonehaugh", "seen_in", fmt.Sprint(i), nil)
		in.Mentions[0].Record = &tenure.Record{Source: "crm", ID: fmt.Sprint(i)}
		in.Mentions[0].Attributes = attributeMap{"dob": {"1978-05-04"}, "passport": {"X1234567"}}
		commands = append(commands, town.w.Command(in))
	}
	for _, res := range town.w.Do(t, commands...) {
		town.keep(world.Answer[ingest.Answer](t, res))
	}
	if len(town.all.ids) != 1 {
		t.Fatalf("%d entities", len(town.all.ids))
	}
	other := town.meet("Ottoline Fetherstonehaugh", bornThen, "other")
	if f := town.look(other).Findings(); f.Assessed != 1 || f.Merged != other || f.Opened != nil {
		t.Errorf("got %+v", f)
	}
}

// TestALargeNeighbourhoodIsClusteredByItsNearest checks that many entities with a weak likeness to all others do not
// keep those from merging that have a strong one.
func TestALargeNeighbourhoodIsClusteredByItsNearest(t *testing.T) {
	ferries := map[string][]string{
		"quillfoot": {"Marigold", "Old Patience", "Brenda"}, "sandemar": {"Tollgate", "Violet Hour", "Hekla"},
		"ormsund": {"Peregrine", "Jubilee", "Karsten"}, "vadella": {"Lanternfish", "Zephyr", "Ingot"},
		"brackwell": {"Cobalt", "Rosemary", "Fjordland"}, "tesselmoor": {"Umber", "Whistler", "Dagny"},
		"halvorin": {"Nightjar", "Clementine", "Sturdy"}, "pellworth": {"Ashen", "Goldcrest", "Yvaine"},
		"lismarrow": {"Evergreen", "Torrent", "Mandolin"}, "crathie": {"Opal", "Xanadu", "Bellringer"},
	}
	town, line := newTown(t), map[tenure.ID]string{}
	for _, built := range slices.Sorted(maps.Keys(ferries)) {
		for _, name := range ferries[built] {
			in := world.Said(name, "seen_in", "", nil)
			in.Mentions[0].Type, in.Mentions[0].Context = "", "harbour ferry and its later names ("+ferries[built][0]+")"
			in.Mentions[0].Record = &tenure.Record{Source: "fleet", ID: name}
			line[town.keep(town.w.Observe(t, in))] = built
		}
	}
	town.settle()
	roots := map[string]map[tenure.ID]bool{}
	for id, built := range line {
		if roots[built] == nil {
			roots[built] = map[tenure.ID]bool{}
		}
		roots[built][town.entity(id).Root()] = true
	}
	for built, of := range roots {
		if len(of) != 1 {
			t.Errorf("the ferry of %s is %d entities", built, len(of))
		}
	}
	if n := len(roots); n != len(ferries) {
		t.Errorf("%d ferries", n)
	}
}
