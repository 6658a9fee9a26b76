package reading

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/audience"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/linking"
	"tenure/ner"
	"tenure/statements"
	"tenure/statements/align"
	"tenure/store"
)

const tenant = "t"

// id makes a readable id.
func id(n int) tenure.ID { return tenure.ID(fmt.Sprintf("00000000-0000-7000-8000-%012d", n)) }

// day is the instant that many days after the beginning.
func day(n int) tenure.Instant { return *world.Day(n) }

// fixture is a stage over a state that a test puts by hand. What its texts say is fixed by the test, so that no rule of
// words decides it.
type fixture struct {
	*testing.T

	state  *world.State
	stage  Stage
	caller tenure.Caller
	reads  *script
	last   int
}

// script says what texts say, and notes what they were read with.
type script struct {
	says   map[string][]tenure.Statement
	err    error
	before map[string][]string // texts of the turns before, by text
}

func (s *script) Statements(
	_ context.Context, turn statements.Turn, before []statements.Turn,
) ([]tenure.Statement, error) {
	s.before[turn.Text] = []string{}
	for _, b := range before {
		s.before[turn.Text] = append(s.before[turn.Text], b.Text)
	}
	return s.says[turn.Text], s.err
}

// finder finds the mentions that a test says.
type finder struct {
	found map[string][]ner.Mention
	err   error
}

func (f finder) Extract(_ context.Context, _, text, _ string, _ audience.Sight) ([]ner.Mention, error) {
	return f.found[text], f.err
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	reads := &script{says: map[string][]tenure.Statement{}, before: map[string][]string{}}
	return &fixture{
		T: t, state: world.NewState(t), reads: reads, stage: Stage{Extractor: finder{}, Linker: linking.New(nil, nil), Statements: reads},
		caller: tenure.Caller{Tenant: tenant, Actor: "tester", Clearance: tenure.HighlyRestricted}, last: 100,
	}
}

func (f *fixture) id() tenure.ID {
	f.last++
	return id(f.last)
}

// person puts a canonical entity.
func (f *fixture) person(name string) tenure.ID {
	f.Helper()
	e := f.id()
	f.state.Put(tenant, world.Person(e, name, "")...)
	return e
}

// believed puts a belief that stands from a day on, with an observation of its own, unless change says otherwise.
func (f *fixture) believed(subject tenure.ID, predicate, value string, from int, change func(*tenure.Belief)) tenure.Belief {
	f.Helper()
	b := tenure.Belief{Claim: tenure.Claim{
		ID: f.id(), Observation: f.id(), Subject: subject, Predicate: predicate,
		Value:  tenure.Value{JSON: []byte(fmt.Sprintf("%q", value)), Canonical: value},
		Window: tenure.Window{From: day(from), Until: tenure.MaxTime}, ObservedAt: day(from),
		Layer: tenure.LayerFact, Source: tenure.Source{Origin: "o", AuthorityLevel: 2}, Confidence: 1, Basis: tenure.Observed,
		Description: tenure.Description{ObjectType: tenure.InferredBelief, Classification: tenure.Restricted},
	}}
	b.Standing = tenure.Standing{Belief: b.Claim.ID, Segments: []tenure.Segment{{Window: b.Claim.Window, Cause: tenure.Stands}}}
	if change != nil {
		change(&b)
	}
	f.state.Put(tenant, world.Believed(b)...)
	return b
}

// displaced makes a belief one that stands no longer.
func displaced(cause tenure.Cause) func(*tenure.Belief) {
	return func(b *tenure.Belief) { b.Standing.Segments[0].Cause = cause }
}

// turn puts a turn of a thread.
func (f *fixture) turn(thread, text string, at tenure.Instant, change func(*tenure.Observation)) tenure.Observation {
	f.Helper()
	o := tenure.Observation{
		ID: f.id(), Source: tenure.Source{Origin: "o", Thread: thread, Speaker: "Ann"}, Text: text, ObservedAt: at, ReceivedAt: at,
	}
	if change != nil {
		change(&o)
	}
	f.state.Put(tenant, tenure.ObservationAdded{Observation: o})
	return o
}

func (f *fixture) reader() store.Reader {
	f.Helper()
	r, err := f.state.View(f.Context(), tenant, tenure.Present)
	if err != nil {
		f.Fatal(err)
	}
	return r
}

// said is a text as an input, of a day after all others.
func said(thread, speaker, text string) ingest.Input {
	at := day(50)
	return ingest.Input{Source: ingest.Source{Origin: "o", Thread: thread, Speaker: speaker}, Text: text, ObservedAt: &at}
}

// begin returns an input on its way, with the turns before and what it names.
func (f *fixture) begin(in ingest.Input) *turn {
	f.Helper()
	t := f.stage.begin(f.reader(), f.caller, in, day(50))
	if err := t.read(f.Context()); err != nil {
		f.Fatal(err)
	}
	return t
}

// read reads an input.
func (f *fixture) read(in ingest.Input) ingest.Input {
	f.Helper()
	out, err := f.stage.Read(f.Context(), f.reader(), f.caller, in, day(50))
	if err != nil {
		f.Fatal(err)
	}
	return out
}

// span is a part of a text, which must be in it.
func span(t *testing.T, text, part string) tenure.Span {
	t.Helper()
	at := strings.Index(text, part)
	if at < 0 {
		t.Fatalf("%q is not in %q", part, text)
	}
	return tenure.Span{Start: at, End: at + len(part), Text: part}
}

func TestThreadOf(t *testing.T) {
	in := ingest.Input{Source: ingest.Source{Thread: "a", Session: "b", Origin: "d"}, Scope: tenure.Scope{SessionID: "c"}}
	for _, want := range []string{"a", "b", "c", "d"} {
		if got := ThreadOf(in); got != want {
			t.Errorf("got the thread %q, want %q", got, want)
		}
		switch want {
		case "a":
			in.Source.Thread = ""
		case "b":
			in.Source.Session = ""
		case "c":
			in.Scope.SessionID = ""
		}
	}
}

// TestTheTurnsBefore checks that a text is read with the newest turns of its thread, the newest last, and with none that
// is later, of another thread, of a scope that it does not see, or that says what the caller may not see.
func TestTheTurnsBefore(t *testing.T) {
	f := newFixture(t)
	ann := f.person("Ann")
	for i := range maxTurns + 2 {
		f.turn("x", fmt.Sprint("turn ", i), day(i), nil)
	}
	f.turn("x", "tomorrow", day(51), nil)
	f.turn("y", "elsewhere", day(20), nil)
	f.turn("x", "private", day(20), func(o *tenure.Observation) { o.Scope = tenure.Scope{UserID: "somebody else"} })
	secret := f.believed(ann, "salary", "90", 20, func(b *tenure.Belief) { b.Claim.Classification = tenure.HighlyRestricted })
	f.turn("x", "secret", day(20), func(o *tenure.Observation) {
		o.ID, o.Claims = secret.Claim.Observation, []tenure.ID{secret.Claim.ID}
	})
	f.caller.Clearance = tenure.Restricted
	f.read(said("x", "Ann", "now"))
	var want []string
	for i := 3; i < maxTurns+2; i++ { // the secret one takes the place of one
		want = append(want, fmt.Sprint("turn ", i))
	}
	if got := f.reads.before["now"]; !slices.Equal(got, want) {
		t.Errorf("read with %q, want %q", got, want)
	}
}

// TestWhatTurnsWereAbout checks that the entities of the turns before are near, those of the newest first: by what is
// said of them, by what was mentioned, and by what the text names.
func TestWhatTurnsWereAbout(t *testing.T) {
	f := newFixture(t)
	ann, plover, dunlin := f.person("Ann"), f.person("Plover"), f.person("Dunlin")
	b := f.believed(plover, "owner", "Rita Sand", 1, nil)
	f.turn("x", "first", day(1), func(o *tenure.Observation) { o.ID, o.Claims = b.Claim.Observation, []tenure.ID{b.Claim.ID} })
	f.turn("x", "second", day(2), func(o *tenure.Observation) {
		o.Named = []tenure.ID{dunlin}
		o.Statements = []tenure.Said{{Entity: ann, Predicate: "office", Effect: align.Keeps}}
	})
	turn := f.begin(said("x", "", "third"))
	if got, want := turn.near(), []tenure.ID{dunlin, ann, plover}; !slices.Equal(got, want) {
		t.Errorf("near are %v, want %v", got, want)
	}
	if got := turn.before[1].slots; !slices.Equal(got, []tenure.Slot{{Subject: plover, Predicate: "owner"}}) {
		t.Errorf("the first turn spoke of %v", got)
	}
}

// TestKnownSlots checks what statements are aligned to.
func TestKnownSlots(t *testing.T) {
	f := newFixture(t)
	plover := f.person("Plover")
	f.believed(plover, "owner", "Tom Ash", 1, displaced(tenure.BySuccession))
	f.believed(plover, "owner", "Rita Sand", 2, nil)
	f.believed(plover, "budget", "900", 1, func(b *tenure.Belief) { b.Claim.Scope = tenure.Scope{UserID: "somebody else"} })
	f.believed(plover, tenure.Remark, "it rains", 1, nil)
	f.believed(plover, "guests", "Ben", 1, func(b *tenure.Belief) { b.Claim.Many = true })
	f.believed(plover, "guests", "Eva", 2, func(b *tenure.Belief) { b.Claim.Many = true })
	const text = "What about Plover"
	f.reads.says[text] = []tenure.Statement{{Span: span(t, text, text), Act: tenure.Asks}}
	turn := f.begin(said("x", "Plover", text))
	slots := map[string]slot{}
	for _, s := range turn.slots {
		slots[s.Predicate] = s
	}
	if len(slots) != 2 {
		t.Fatalf("known are %v", slots)
	}
	owner, guests := slots["owner"], slots["guests"]
	if !slices.Equal(owner.Values, []string{"Rita Sand"}) || len(owner.former) != 1 || owner.Many || !owner.Named || !owner.Own {
		t.Errorf("the owner is known as %+v", owner.Slot)
	}
	if !slices.Equal(guests.Values, []string{"Eva", "Ben"}) || !guests.Many {
		t.Errorf("the guests are known as %+v", guests.Slot)
	}
}

// TestRemarksHideNothing checks that what somebody has remarked, however much, hides nothing that is known of them.
func TestRemarksHideNothing(t *testing.T) {
	f := newFixture(t)
	ann := f.person("Ann")
	f.believed(ann, "office", "Lisbon", 1, nil)
	for i := range maxBeliefs + 1 {
		f.believed(ann, tenure.Remark, fmt.Sprint("it rains ", i), 2, nil)
	}
	const text = "Ann again"
	f.reads.says[text] = []tenure.Statement{{Span: span(t, text, text), Act: tenure.Asks}}
	if turn := f.begin(said("x", "", text)); len(turn.slots) != 1 || turn.slots[0].Predicate != "office" {
		t.Errorf("known are %+v", turn.slots)
	}
}

// TestSlotsOfAThread checks that a slot tells how long ago the thread spoke of it, and whether it was asked for.
func TestSlotsOfAThread(t *testing.T) {
	f := newFixture(t)
	plover := f.person("Plover")
	b := f.believed(plover, "owner", "Rita Sand", 1, nil)
	f.believed(plover, "budget", "900", 1, nil)
	f.turn("x", "the owner", day(1), func(o *tenure.Observation) { o.ID, o.Claims = b.Claim.Observation, []tenure.ID{b.Claim.ID} })
	f.turn("x", "the budget?", day(2), func(o *tenure.Observation) {
		o.Statements = []tenure.Said{
			{Entity: plover, Predicate: "budget", Asks: true, Effect: align.Keeps},
			{About: "the guest wifi", Predicate: "code", Asks: true, Effect: align.Keeps},
		}
	})
	const text = "well"
	f.reads.says[text] = []tenure.Statement{{Span: span(t, text, text), Act: tenure.Asserts}}
	type seen struct {
		Turn, Said int
		Asked      bool
	}
	got := map[string]seen{}
	for _, s := range f.begin(said("x", "", text)).slots {
		got[s.Names[0]+"/"+s.Predicate] = seen{s.Turn, s.Said, s.Asked}
	}
	want := map[string]seen{
		"Plover/owner": {1, 2, false}, "Plover/budget": {1, 1, true}, "the guest wifi/code": {1, 1, true},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestASaidValueFindsItsHolder checks that a text which names only a value is about those of whom it is said.
func TestASaidValueFindsItsHolder(t *testing.T) {
	f := newFixture(t)
	f.believed(f.person("Plover"), "launch city", "Kotka", 1, nil)
	f.believed(f.person("Dunlin"), "launch city", "Linz", 1, nil)
	const text = "no longer Kotka"
	f.reads.says[text] = []tenure.Statement{{Span: span(t, text, text), Act: tenure.Ends, Old: span(t, text, "Kotka")}}
	if turn := f.begin(said("x", "", text)); len(turn.slots) != 1 || turn.slots[0].root.Name != "Plover" {
		t.Errorf("it is about %+v", turn.slots)
	}
}

// written are the effects of changes on a text whose slots are given.
func (f *fixture) written(in ingest.Input, said []tenure.Statement, slots []slot, changes ...align.Change) *turn {
	f.Helper()
	t := f.stage.begin(f.reader(), f.caller, in, day(50))
	named, err := f.stage.Linker.Places(f.Context(), t.r, linking.Utterance{Tenant: tenant, Text: t.text, Speaker: in.Source.Speaker})
	if err != nil {
		f.Fatal(err)
	}
	t.named, t.said, t.slots = named, said, slots
	t.write(changes)
	return t
}

// slotOf is the slot of beliefs.
func slotOf(root tenure.Entity, list ...tenure.Belief) slot {
	s := slot{Slot: align.Slot{Predicate: list[0].Claim.Predicate, Names: []string{root.Name}}, root: root}
	for _, b := range list {
		if b.Standing.Segments[0].Cause == tenure.Stands {
			s.beliefs, s.Values = append(s.beliefs, b), append(s.Values, textOf(b.Claim.Value, nil))
		} else {
			s.former = append(s.former, b)
		}
	}
	return s
}

// TestEffects checks what each effect makes of a text.
func TestEffects(t *testing.T) {
	f := newFixture(t)
	root := tenure.Entity{ID: f.person("Plover"), Name: "Plover"}
	standing := f.believed(root.ID, "owner", "Rita Sand", 1, nil)
	wider := f.believed(root.ID, "owner", "Rita Sand", 1, func(b *tenure.Belief) { b.Claim.Scope = tenure.Scope{ProjectID: "p"} })
	strong := f.believed(root.ID, "owner", "Rita Sand", 1, func(b *tenure.Belief) { b.Claim.Source.AuthorityLevel = 0 })
	byName := f.believed(root.ID, "owner", "Tom Ash", 0, displaced(tenure.ByName))
	const text = "The owner of Plover is Tom Ash."
	for name, c := range map[string]struct {
		act        tenure.Act
		slots      []slot
		change     align.Change
		claims     []string // subject predicate value, and what it takes the place of
		amendments int
		effect     tenure.Effect
		why        string
	}{
		"a-value": {
			act: tenure.Asserts, slots: []slot{slotOf(root, standing)}, change: align.Change{Effect: align.Set, Value: "Tom Ash"},
			claims: []string{"Plover owner Tom Ash"}, effect: align.Set,
		},
		"a-correction-displaces-by-name": {
			act: tenure.Corrects, slots: []slot{slotOf(root, standing)}, change: align.Change{Effect: align.Set, Value: "Tom Ash"},
			claims: []string{"Plover owner Tom Ash, not Rita Sand"}, effect: align.Set,
		},
		"what-is-stronger-is-not-displaced": {
			act: tenure.Corrects, slots: []slot{slotOf(root, strong)}, change: align.Change{Effect: align.Set, Value: "Tom Ash"},
			claims: []string{"Plover owner Tom Ash"}, effect: align.Set,
		},
		"a-value-displaced-by-name-returns-by-name": {
			act: tenure.Asserts, slots: []slot{slotOf(root, standing, byName)},
			change: align.Change{Effect: align.Set, Value: "Tom Ash"},
			claims: []string{"Plover owner Tom Ash, not Rita Sand"}, effect: align.Set,
		},
		"a-value-beside": {
			act: tenure.Corrects, slots: []slot{slotOf(root, standing)},
			change: align.Change{Effect: align.Set, Value: "Tom Ash", Beside: true},
			claims: []string{"Plover owner Tom Ash, many"}, effect: align.Set,
		},
		"a-new-property": {
			act: tenure.Asserts, change: align.Change{Effect: align.Adds, Slot: -1, Subject: "Plover", Predicate: "budget", Value: "900"},
			claims: []string{"@Plover budget 900"}, effect: align.Adds,
		},
		"a-new-property-of-nobody": {
			act: tenure.Asserts, change: align.Change{Effect: align.Adds, Slot: -1, Predicate: "budget", Value: "900"},
			effect: align.Keeps, why: whyNobody,
		},
		"an-end": {
			act: tenure.Ends, slots: []slot{slotOf(root, standing)}, change: align.Change{Effect: align.Ends, Value: "Rita Sand"},
			amendments: 1, effect: align.Ends,
		},
		"an-end-of-another-value": {
			act: tenure.Ends, slots: []slot{slotOf(root, standing)}, change: align.Change{Effect: align.Ends, Value: "Tom Ash"},
			effect: align.Keeps, why: whyNothing,
		},
		"a-retraction-of-another-scope": {
			act: tenure.Retracts, slots: []slot{slotOf(root, wider)}, change: align.Change{Effect: align.Retracts},
			effect: align.Keeps, why: whyWider,
		},
		"a-remark-about-what-it-names": {
			act: tenure.Asserts, change: align.Change{Effect: align.Remarks, Slot: -1},
			claims: []string{"Plover remark " + text + ", many"}, effect: align.Remarks,
		},
		"a-question": {
			act: tenure.Asks, slots: []slot{slotOf(root, standing)}, change: align.Change{Effect: align.Keeps, Asks: true},
			effect: align.Keeps,
		},
		"what-is-unsure": {
			act: tenure.Asserts, slots: []slot{slotOf(root, standing)}, change: align.Change{Effect: align.Unsure, Value: "Tom Ash"},
			effect: align.Unsure,
		},
	} {
		t.Run(name, func(t *testing.T) {
			turn := f.written(said("x", "", text), []tenure.Statement{{Span: span(t, text, text), Act: c.act}}, c.slots, c.change)
			names := map[string]string{string(root.ID): root.Name, string(standing.Claim.ID): "Rita Sand"}
			if got := turn.claims(names); !slices.Equal(got, c.claims) {
				t.Errorf("claims %q, want %q", got, c.claims)
			}
			if got := len(turn.out.Amendments); got != c.amendments {
				t.Errorf("%d amendments, want %d", got, c.amendments)
			}
			if s := turn.out.Statements[0]; s.Effect != c.effect || s.Why != c.why {
				t.Errorf("effect %q, why %q; want %q, %q", s.Effect, s.Why, c.effect, c.why)
			}
		})
	}
}

// claims tells the claims of a turn. A subject by a mention is written with an @.
func (t *turn) claims(names map[string]string) (list []string) {
	for _, c := range t.in.Claims {
		subject := names[string(c.Subject.EntityID)]
		if m := c.Subject.Mention; m != nil {
			subject = "@" + t.in.Mentions[*m].Name
		}
		s := fmt.Sprintf("%s %s %s", subject, c.Predicate, textOf(tenure.Value{JSON: c.Value.JSON}, nil))
		for _, id := range c.Supersedes {
			s += ", not " + names[id]
		}
		if c.Many {
			s += ", many"
		}
		list = append(list, s)
	}
	return list
}

// TestOfTwoClausesTheLaterCounts checks that who goes on speaking says it better, unless a property has many values.
func TestOfTwoClausesTheLaterCounts(t *testing.T) {
	f := newFixture(t)
	root := tenure.Entity{ID: f.person("Plover"), Name: "Plover"}
	s := slotOf(root, f.believed(root.ID, "owner", "Rita Sand", 1, nil))
	const text = "It is Tom. It is Eva."
	list := []tenure.Statement{
		{Span: span(t, text, "It is Tom."), Act: tenure.Asserts}, {Span: span(t, text, "It is Eva."), Act: tenure.Asserts},
	}
	changes := []align.Change{
		{Statement: 0, Effect: align.Set, Value: "Tom"}, {Statement: 1, Effect: align.Set, Value: "Eva"},
	}
	names := map[string]string{string(root.ID): "Plover"}
	one := f.written(said("x", "", text), list, []slot{s}, changes...)
	if got := one.claims(names); !slices.Equal(got, []string{"Plover owner Eva"}) || one.out.Statements[0].Why != whyLater {
		t.Errorf("claims %q, why %q", got, one.out.Statements[0].Why)
	}
	s.Many = true
	if got := f.written(said("x", "", text), list, []slot{s}, changes...).claims(names); len(got) != 2 {
		t.Errorf("of a property with many values: %q", got)
	}
}

// TestTheSpeaker checks that what is said of nobody is of the speaker, and "my sister" the speaker's.
func TestTheSpeaker(t *testing.T) {
	f := newFixture(t)
	hugo := f.person("Hugo")
	const text = "My sister lives in Riga and I like trains."
	list := []tenure.Statement{{Span: span(t, text, text), Act: tenure.Asserts}}
	names := map[string]string{string(hugo): "Hugo"}
	own := align.Change{Effect: align.Adds, Slot: -1, Subject: "sister", Own: true, Predicate: "home", Value: "Riga"}
	self := align.Change{Effect: align.Adds, Slot: -1, Own: true, Predicate: "likes", Value: "trains"}
	remark := align.Change{Effect: align.Remarks, Slot: -1}
	for speaker, want := range map[string][]string{
		"Hugo": {"@Hugo's sister home Riga", "Hugo likes trains", "Hugo remark " + text + ", many"},
		"Nora": {"@Nora's sister home Riga", "@Nora likes trains", "@Nora remark " + text + ", many"},
		"":     {"@sister home Riga"},
	} {
		var got []string
		for _, c := range []align.Change{own, self, remark} {
			got = append(got, f.written(said("x", speaker, text), list, nil, c).claims(names)...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("said by %q: %q, want %q", speaker, got, want)
		}
	}
}

// TestARemarkDependsOnWhatItRepeats checks that a remark rests on the beliefs whose values it has as words.
func TestARemarkDependsOnWhatItRepeats(t *testing.T) {
	f := newFixture(t)
	root := tenure.Entity{ID: f.person("Plover"), Name: "Plover"}
	rita, ash := f.believed(root.ID, "owner", "Rita Sand", 1, nil), f.believed(root.ID, "guest", "Ash", 1, nil)
	const text = "Plover was glad of what rita  sand did at the ashram."
	turn := f.written(said("x", "", text), []tenure.Statement{{Span: span(t, text, text), Act: tenure.Asserts}},
		[]slot{slotOf(root, rita), slotOf(root, ash)}, align.Change{Effect: align.Remarks, Slot: -1})
	if got := turn.in.Claims[0].DependsOn; !slices.Equal(got, []string{string(rita.Claim.ID)}) {
		t.Errorf("it depends on %q, want the owner %s alone", got, rita.Claim.ID)
	}
}

// TestWhatCannotBeReadIsKept checks that a text is written without statements where its mentions or its statements are
// not found, and says so; that of one too long the first part is read; and that an end of the request is an error.
func TestWhatCannotBeReadIsKept(t *testing.T) {
	f := newFixture(t)
	unread := func(in ingest.Input, warning tenure.WarningCode) {
		t.Helper()
		out := f.read(in)
		if out.Text != in.Text || len(out.Claims) > 0 || !slices.Equal(out.Reading.Warnings, []tenure.WarningCode{warning}) {
			t.Errorf("%d claims, warnings %v, want %s", len(out.Claims), out.Reading.Warnings, warning)
		}
	}
	f.reads.err = errors.New("down")
	unread(said("x", "Ann", "a text"), tenure.NotRead)
	f.reads.err = nil
	f.stage.Extractor = finder{err: errors.New("down")}
	unread(said("x", "Ann", "a text"), tenure.NotRead)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := f.stage.Read(ended, f.reader(), f.caller, said("x", "Ann", "a text"), day(50)); err == nil {
		t.Error("the request had ended, and nothing was said of it")
	}
	f.stage.Extractor = finder{}
	long := strings.Repeat("a", maxText-1) + "é and more"
	unread(said("x", "Ann", long), tenure.TextCut)
	if _, read := f.reads.before[strings.Repeat("a", maxText-1)]; !read {
		t.Error("the text was not cut between two characters")
	}
}

// TestMentionsAndNames checks that a known name is a mention once, and the longer of two that overlap stays.
func TestMentionsAndNames(t *testing.T) {
	const text = "Rita Sand met Ann of Ann Arbor"
	found := []ner.Mention{
		{Start: 0, End: 9, Text: "Rita Sand", Chain: 1}, {Start: 21, End: 24, Text: "Ann", Chain: 2},
	}
	place := func(start, end, root int) linking.Place {
		return linking.Place{Start: start, End: end, Root: tenure.Entity{ID: id(root)}}
	}
	var got []string
	for _, m := range joined(text, found, []linking.Place{place(0, 4, 1), place(14, 17, 2), place(21, 30, 3)}) {
		got = append(got, fmt.Sprint(m.Text, m.Entities))
	}
	want := []string{"Rita Sand[]", fmt.Sprint("Ann", []tenure.ID{id(2)}), fmt.Sprint("Ann Arbor", []tenure.ID{id(3)})}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// together reads passages together, and notes what each was read with.
type together struct{ *script }

func (b together) Batch(ctx context.Context, list []statements.Passage) []statements.Reading {
	readings := make([]statements.Reading, len(list))
	for i, p := range list {
		readings[i].Statements, readings[i].Err = b.Statements(ctx, p.Turn, p.Before)
	}
	return readings
}

// TestTextsReadAhead checks that of texts that are read together each has those before it that it may see, and that one
// whose mentions fail is read by itself.
func TestTextsReadAhead(t *testing.T) {
	f := newFixture(t)
	f.stage.Statements = together{f.reads}
	f.turn("x", "written", day(1), nil)
	private := said("x", "Ann", "private")
	private.Scope = tenure.Scope{UserID: "u"}
	inputs := []ingest.Input{
		said("x", "Ann", "first"), private, said("y", "Ann", "elsewhere"), said("x", "Ben", "second"),
	}
	stages := f.stage.Ahead(t.Context(), func(ingest.Input) store.Reader { return f.reader() }, f.caller, inputs, day(50))
	want := map[string][]string{
		"first": {"written"}, "private": {"written", "first"}, "elsewhere": {}, "second": {"written", "first"},
	}
	if d := cmp.Diff(want, f.reads.before); d != "" {
		t.Error(d)
	}
	for i, s := range stages {
		if _, ahead := s.Statements.(given); !ahead {
			t.Errorf("text %d was not read ahead", i)
		}
	}
	f.stage.Extractor = finder{err: errors.New("down")}
	for _, s := range f.stage.Ahead(t.Context(), func(ingest.Input) store.Reader { return f.reader() }, f.caller, inputs, day(50)) {
		if _, ahead := s.Statements.(given); ahead {
			t.Error("a text without mentions was read ahead")
		}
	}
}
