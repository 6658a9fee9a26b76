package ingest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/api"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"

	"tenure/amend"
	"tenure/verify"
)

func TestEqualFormsAreOneEntity(t *testing.T) {
	for name, tc := range map[string]struct {
		first, second string
		same          bool
	}{
		"case-and-spaces-do-not-matter":             {"Zoë  Müller", " zoë MÜLLER", true},
		"composed-and-decomposed-are-one":           {"Zoe\u0308 Ek", "Zo\u00eb Ek", true},
		"full-width-letters-are-one":                {"ＡＢＣ Ltd", "ABC Ltd", true},
		"sharp-s-folds":                             {"Jan Straße", "Jan STRASSE", true},
		"an-accent-is-another-name":                 {"Zoe", "Zoë", false},
		"another-script-is-another-name":            {"Анна", "Anna", false},
		"homoglyphs-are-not-one":                    {"pаypal", "paypal", false},
		"a-name-with-a-combining-mark-more-is-new":  {"e\u0301", "e\u0301\u0302", false},
		"han-names-that-share-a-character-are-two":  {"王伟", "王伟明", false},
		"dotted-and-dotless-i-are-two":              {"Işık", "Isik", false},
		"supplementary-plane-letters-are-compared":  {"𐐀𐐁 𐐀𐐀", "𐐨𐐩 𐐨𐐨", true},
		"right-to-left-names-are-compared-as-given": {"דוד כהן", "דוד כהן", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := world.New(t, 0)
			a := w.Observe(t, world.Said(tc.first, "office", "Lisbon", nil)).Mentions[0].EntityID
			b := w.Observe(t, world.Said(tc.second, "office", "Lisbon", nil)).Mentions[0].EntityID
			if (a == b) != tc.same {
				t.Errorf("%q and %q: one entity is %v, want %v", tc.first, tc.second, a == b, tc.same)
			}
		})
	}
}

func TestMentionsOfOneObservationKnowEachOther(t *testing.T) {
	w := world.New(t, 0)
	in := world.Said("Ada Park", "office", "Lisbon", nil)
	in.Mentions = append(in.Mentions, ingest.Mention{Name: "ADA PARK"}, ingest.Mention{Name: "Nova", Type: "project"})
	a := w.Observe(t, in)
	if a.Mentions[0].EntityID != a.Mentions[1].EntityID {
		t.Error("the second mention of a name made a second entity")
	}
	if a.Mentions[2].EntityID == a.Mentions[0].EntityID {
		t.Error("another name was taken for the same entity")
	}
}

func TestAnIdentifierFindsItsEntityUnderAnotherName(t *testing.T) {
	w := world.New(t, 0)
	mail := map[string][]string{"email": {"ada@park.example"}}
	first := world.Said("Ada Park", "office", "Lisbon", nil)
	first.Mentions[0].Attributes = mail
	second := world.Said("A. Park", "office", "Lisbon", nil)
	second.Mentions[0].Attributes = map[string][]string{"email": {"ADA@park.example"}}
	a, b := w.Observe(t, first), w.Observe(t, second)
	if a.Mentions[0].EntityID != b.Mentions[0].EntityID || b.Mentions[0].Reason != "identifier" {
		t.Errorf("got %+v", b.Mentions[0])
	}
	c := w.Observe(t, world.Said("a. park", "office", "Lisbon", nil))
	if c.Mentions[0].EntityID != a.Mentions[0].EntityID {
		t.Error("the name that came with the identifier was not learned")
	}
	contrary := world.Said("Ada Park", "office", "Porto", nil)
	contrary.Mentions[0].Attributes = map[string][]string{"email": {"other.ada@park.example"}}
	d := w.Observe(t, contrary)
	if d.Mentions[0].Outcome != tenure.InReview || d.Mentions[0].PendingID == "" {
		t.Errorf("a contradicting identifier was not sent to review: %+v", d.Mentions[0])
	}
	shared := world.Said("Somebody Else", "office", "Faro", nil)
	shared.Mentions[0].Attributes = map[string][]string{"email": {"info@park.example"}}
	other := world.Said("Yet Another", "office", "Faro", nil)
	other.Mentions[0].Attributes = map[string][]string{"email": {"info@park.example"}}
	if e, f := w.Observe(t, shared), w.Observe(t, other); e.Mentions[0].EntityID == f.Mentions[0].EntityID {
		t.Error("a shared mailbox merged two people")
	}
}

func TestAmbiguousNamesWaitTogether(t *testing.T) {
	w := world.New(t, 0)
	in := world.Said("Nova", "alias", "x", nil)
	in.Mentions = []ingest.Mention{{Name: "Nova", Type: "person"}, {Name: "Nova", Type: "project"}}
	a := w.Observe(t, in)
	if a.Mentions[0].EntityID == a.Mentions[1].EntityID {
		t.Fatal("a person and a project were taken for one")
	}
	untyped := func() ingest.MentionAnswer {
		in := world.Said("nova", "status", "green", nil)
		in.Mentions[0].Type = ""
		return w.Observe(t, in).Mentions[0]
	}
	first, second := untyped(), untyped()
	if first.Outcome != tenure.InReview || first.Reason != "ambiguous_name" || len(first.Candidates) != 2 {
		t.Errorf("got %+v", first)
	}
	if second.EntityID != first.EntityID {
		t.Error("the second ambiguous mention did not join the first")
	}
}

func TestOneNameInTwoProjectsIsTwoEntities(t *testing.T) {
	w := world.New(t, 0)
	in := func(project string) ingest.Input {
		i := world.Said("Nova Reyes", "status", "green", nil)
		i.Scope.ProjectID = project
		return i
	}
	a, b, again := w.Observe(t, in("p1")), w.Observe(t, in("p2")), w.Observe(t, in("p1"))
	if a.Mentions[0].EntityID == b.Mentions[0].EntityID || a.Mentions[0].EntityID != again.Mentions[0].EntityID {
		t.Errorf("p1 %s, p2 %s, p1 again %s", a.Mentions[0].EntityID, b.Mentions[0].EntityID, again.Mentions[0].EntityID)
	}
}

func TestWhatAnObservationMayNotSay(t *testing.T) {
	w := world.New(t, 0)
	policy := world.Said("Ada Park", "discount", "15%", func(c *ingest.Claim) { c.Key = "discount_policy" })
	policy.Source.AuthorityLevel = world.Ptr(1)
	w.Observe(t, policy)
	base := w.Observe(t, world.Said("Ada Park", "budget", "200", nil)).Beliefs[0].BeliefID
	weak := w.Caller
	weak.MaxAuthority = 2

	t.Run("a-level-above-the-callers", func(t *testing.T) {
		in := world.Said("Ada Park", "office", "Lisbon", nil)
		in.Source.AuthorityLevel = world.Ptr(1)
		strong := w.Caller
		w.Caller = weak
		defer func() { w.Caller = strong }()
		w.Refused(t, w.Command(in), tenure.AuthorityTooHigh, "/source/authority_level")
	})
	for name, tc := range map[string]struct {
		change  func(*ingest.Claim)
		code    tenure.Code
		pointer string
	}{
		"superseding-what-stands-higher": {func(c *ingest.Claim) { c.Supersedes = []string{"discount_policy"} }, tenure.Forbidden, "/claims/0/supersedes/0"},
		"superseding-nothing":            {func(c *ingest.Claim) { c.Supersedes = []string{"no_such_key"} }, tenure.Unprocessable, "/claims/0/supersedes/0"},
		"resting-on-nothing":             {func(c *ingest.Claim) { c.DependsOn = []string{"no_such_key"} }, tenure.Unprocessable, "/claims/0/depends_on/0"},
		"resting-on-what-it-displaces": {func(c *ingest.Claim) {
			c.Supersedes, c.DependsOn = []string{string(base)}, []string{string(base)}
		}, tenure.Unprocessable, "/claims/0/depends_on/0"},
		"ending-before-it-starts":     {func(c *ingest.Claim) { c.ValidFrom, c.ValidUntil = world.Day(2), world.Day(2) }, tenure.Invalid, "/claims/0/valid_until"},
		"a-mention-that-is-not-there": {func(c *ingest.Claim) { c.Subject.Mention = world.Ptr(1) }, tenure.Invalid, "/claims/0/subject/mention"},
		"an-entity-that-is-not-there": {func(c *ingest.Claim) {
			c.Subject = ingest.Ref{EntityID: "00000000-0000-7000-8000-999999999999"}
		}, tenure.Unprocessable, "/claims/0/subject/entity_id"},
	} {
		t.Run(name, func(t *testing.T) {
			w.Refused(t, w.Command(world.Said("Ada Park", "office", "Lisbon", tc.change)), tc.code, tc.pointer)
		})
	}
	t.Run("a-name-of-nothing", func(t *testing.T) {
		faults := world.Said(" \u00a0\t", "office", "Lisbon", nil).Faults()
		if len(faults) != 1 || faults[0].Pointer != "/mentions/0/name" {
			t.Errorf("faults: %v", faults)
		}
	})
}

// TestGroupsDecideAsOneByOne checks the law of group commit: commands decided in one group, each on the state
// that the ones before it leave, end in the same state as commands decided one transaction after another.
func TestGroupsDecideAsOneByOne(t *testing.T) {
	for trial := range 4 {
		t.Run(fmt.Sprint(trial), func(t *testing.T) {
			single, grouped := world.New(t, 1), world.New(t, 64)
			a, b := play(t, single, trial), play(t, grouped, trial)
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("one by one (-) and in groups (+) differ:\n%s", diff)
			}
			for _, w := range []*world.World{single, grouped} {
				report, err := verify.Tenant(t.Context(), w.Store, world.Tenant)
				if err != nil || len(report.Findings) > 0 {
					t.Errorf("verify: %v %v", report.Findings, err)
				}
			}
		})
	}
}

// play sends batches of random commands and returns the final state.
func play(t *testing.T, w *world.World, trial int) []tenure.Belief {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(trial), 7))
	var known []tenure.ID
	var outcomes []string
	for range 5 {
		var commands []ledger.Command
		for range 40 {
			commands = append(commands, random(r, w.Caller, known))
		}
		for _, res := range w.Do(t, commands...) {
			if res.Err != nil {
				outcomes = append(outcomes, res.Err.Error())
				continue
			}
			for _, b := range world.Answer[ingest.Answer](t, res).Beliefs { // of an amendment: none
				known = append(known, b.BeliefID)
			}
		}
	}
	if len(outcomes) > 80 {
		t.Fatalf("most commands are refused: %s", strings.Join(outcomes[:5], "; "))
	}
	list, err := w.View(t).Beliefs(t.Context(), known)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		// Transaction times depend on the grouping, which differs.
		list[i].RecordedAt, list[i].StandingTx = 0, tenure.Window{}
	}
	return list
}

func random(r *rand.Rand, caller tenure.Caller, known []tenure.ID) ledger.Command {
	if len(known) > 0 && r.IntN(6) == 0 {
		kind := []tenure.AmendmentKind{tenure.Retract, tenure.End, tenure.Confirm}[r.IntN(3)]
		a := amend.Belief{Caller: caller, Belief: known[r.IntN(len(known))], Kind: kind}
		if kind == tenure.End {
			a.At = world.Day(r.IntN(20) + 1)
		}
		return a
	}
	names := []string{"Ada", "Ben", "Nova", "Orion"}
	predicates := []string{"office", "role", "status"}
	in := world.Said(names[r.IntN(len(names))], predicates[r.IntN(len(predicates))], string(rune('a'+r.IntN(4))), func(c *ingest.Claim) {
		c.Key = fmt.Sprintf("k%d", r.IntN(6))
		if r.IntN(2) == 0 {
			c.ValidFrom = world.Day(r.IntN(10))
		}
		if r.IntN(4) == 0 {
			c.ValidUntil = world.Day(10 + r.IntN(10))
		}
		if len(known) > 0 && r.IntN(4) == 0 {
			c.Supersedes = []string{[]string{fmt.Sprintf("k%d", r.IntN(6)), string(known[r.IntN(len(known))])}[r.IntN(2)]}
		}
		if len(known) > 0 && r.IntN(2) == 0 {
			c.DependsOn = []string{string(known[r.IntN(len(known))])}
		}
	})
	in.Source.AuthorityLevel = world.Ptr(1 + r.IntN(2))
	in.Source.SourceAuthority = world.Ptr(float64(r.IntN(3)) / 2)
	in.Source.Speaker = names[r.IntN(len(names))]
	in.ObservedAt = world.Day(r.IntN(10))
	return (&world.World{Caller: caller}).Command(in)
}

// TestTheAnswerIsTheAPIs checks that the answer stored with the receipt is the API's answer without the
// fields of the receipt.
func TestTheAnswerIsTheAPIs(t *testing.T) {
	w := world.New(t, 0)
	var asked []byte
	for _, mailbox := range []string{"jon@one.example", "jon@two.example"} {
		in := world.Said("Jon Vale", "office", "red", nil)
		in.Mentions[0].Attributes = map[string][]string{"email": {mailbox}}
		res := w.Do(t, w.Command(in))[0]
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		var err error
		if asked, err = json.Marshal(res.Answer); err != nil {
			t.Fatal(err)
		}
	}
	var kept, sent map[string]any
	var typed api.ObservationAnswer
	decode := json.NewDecoder(bytes.NewReader(asked))
	decode.DisallowUnknownFields()
	if err := decode.Decode(&typed); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(typed)
	if err := errors.Join(err, json.Unmarshal(asked, &kept), json.Unmarshal(again, &sent)); err != nil {
		t.Fatal(err)
	}
	delete(sent, "seq")
	delete(sent, "recorded_at")
	delete(sent, "statements") // content: kept with the observation alone
	for _, w := range sent["warnings"].([]any) {
		delete(w.(map[string]any), "message") // says the same of every warning of the code
	}
	if diff := cmp.Diff(sent, kept); diff != "" {
		t.Errorf("the API (-) and the receipt (+) differ:\n%s", diff)
	}
	if len(typed.Mentions[0].Candidates) != 1 {
		t.Errorf("the candidates of a review: %+v", typed.Mentions)
	}
	older := regexp.MustCompile(`\{"entity_id":("[^"]*"),"score":[^}]*\}`).ReplaceAllString(string(asked), "$1")
	var a, b ingest.Answer
	if err := errors.Join(json.Unmarshal(asked, &a), json.Unmarshal([]byte(older), &b)); err != nil {
		t.Fatal(err)
	}
	a.Mentions[0].Candidates[0].Score = 0 // which older receipts lack
	if diff := cmp.Diff(a, b); diff != "" || older == string(asked) {
		t.Errorf("an older receipt reads otherwise:\n%s", diff)
	}
}

// TestAnswersAreInOrder checks that an answer lists ids in order, so that a replay returns the same bytes.
func TestAnswersAreInOrder(t *testing.T) {
	const sides = 9
	w := world.New(t, 0)
	for i := range sides {
		w.Observe(t, world.Said("Ada Novak", fmt.Sprint("claim", i), "x", func(c *ingest.Claim) { c.Key = "k" }))
	}
	end := world.Said("Ada Novak", "status", "gone", func(c *ingest.Claim) { c.Supersedes = []string{"k"} })
	superseded := w.Observe(t, end).Beliefs[0].Superseded
	if len(superseded) != sides || !slices.IsSorted(superseded) {
		t.Errorf("superseded: %v", superseded)
	}
}

func TestWhatANameInSupersedesMeans(t *testing.T) {
	keyed := func(key, value string, supersedes ...string) func(*ingest.Claim) {
		return func(c *ingest.Claim) {
			c.Key, c.Supersedes, c.ValidFrom = key, supersedes, world.Day(len(supersedes))
			c.Value.JSON = json.RawMessage(fmt.Sprintf("%q", value))
		}
	}
	t.Run("a-predicate-is-that-of-the-same-subject", func(t *testing.T) {
		w := world.New(t, 0)
		ada := w.Observe(t, world.Said("Ada Novak", "office", "", keyed("", "Lisbon"))).Beliefs[0].BeliefID
		ben := w.Observe(t, world.Said("Ben Hale", "office", "", keyed("", "Lisbon"))).Beliefs[0].BeliefID
		moved := w.Observe(t, world.Said("Ada Novak", "desk", "", keyed("", "none", "office"))).Beliefs[0]
		if fmt.Sprint(moved.Superseded) != fmt.Sprint([]tenure.ID{ada}) {
			t.Errorf("superseded %v, want %s alone", moved.Superseded, ada)
		}
		if got := w.Status(t, ben, 5); got != tenure.Clean {
			t.Errorf("somebody else's office is %s", got)
		}
	})
	t.Run("a-key-is-the-subjects-own-first", func(t *testing.T) {
		w := world.New(t, 0)
		ben := w.Observe(t, world.Said("Ben Hale", "status", "", keyed("status_v1", "approved"))).Beliefs[0].BeliefID
		ada := w.Observe(t, world.Said("Ada Novak", "status", "", keyed("status_v1", "approved"))).Beliefs[0].BeliefID
		got := w.Observe(t, world.Said("Ada Novak", "status", "", keyed("status_v2", "cancelled", "status_v1"))).Beliefs[0]
		if fmt.Sprint(got.Superseded) != fmt.Sprint([]tenure.ID{ada}) {
			t.Errorf("superseded %v, want %s alone", got.Superseded, ada)
		}
		got = w.Observe(t, world.Said("Heron", "closed", "", keyed("", "yes", "status_v1"))).Beliefs[0]
		if fmt.Sprint(got.Superseded) != fmt.Sprint([]tenure.ID{ben}) {
			t.Errorf("a key of others: superseded %v, want %s, which alone still stood", got.Superseded, ben)
		}
	})
	t.Run("another-scope-is-not-named", func(t *testing.T) {
		w := world.New(t, 0)
		in := world.Said("Ada Novak", "status", "", keyed("k", "approved"))
		in.Scope.ProjectID = "p1"
		w.Observe(t, in)
		w.Refused(t, w.Command(world.Said("Ada Novak", "status", "", keyed("", "cancelled", "k"))), tenure.Unprocessable, "/claims/0/supersedes/0")
	})
}

// TestANewNameBesideALongerOne checks that a mention which makes an entity says whose name it is a part of, in one
// observation as in two.
func TestANewNameBesideALongerOne(t *testing.T) {
	w := world.New(t, 0)
	in := world.Said("Vo Ly", "office", "Lisbon", nil)
	in.Mentions = append(in.Mentions, ingest.Mention{Name: "Ly"}, ingest.Mention{Name: "Anh Ly"}, ingest.Mention{Name: "Vo Ly"})
	a := w.Observe(t, in)
	full, short := a.Mentions[0], a.Mentions[1]
	want := []tenure.Warning{
		{Code: tenure.SimilarEntity, Pointer: "/mentions/1/name", Entities: []tenure.ID{full.EntityID}},
		{Code: tenure.SimilarEntity, Pointer: "/mentions/2/name", Entities: []tenure.ID{short.EntityID}},
	}
	if diff := cmp.Diff(want, a.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if c := short.Candidates; len(c) != 1 || c[0].EntityID != full.EntityID || c[0].Score <= 0 || c[0].Score > .7 {
		t.Errorf("the candidates: %+v", c)
	}
	if again := w.Observe(t, world.Said("Anh Ly", "office", "Lisbon", nil)); len(again.Warnings) != 0 {
		t.Errorf("a known name: %+v", again.Warnings)
	}
	w = world.New(t, 0)
	in = ingest.Input{Source: in.Source}
	for _, of := range []string{"ledger", "kitchen", "harbour", "garden", "museum", "quarry", "theatre", ""} {
		in.Mentions = append(in.Mentions, ingest.Mention{Name: "payments " + of})
	}
	if a = w.Observe(t, in); len(a.Warnings) != 1 || len(a.Warnings[0].Entities) != 5 {
		t.Errorf("of seven: %+v", a.Warnings)
	}
}
