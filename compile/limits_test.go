package compile_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
	"tenure/store"
)

// limited is a world that keeps the limits with which it is read.
type limited struct {
	*world
	limits []string
}

func (w *limited) limit(name string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limits = append(w.limits, fmt.Sprint(name, " ", n))
}

func (w *limited) Live(ctx context.Context, ids []tenure.ID, in tenure.Window, n int) ([]tenure.Belief, error) {
	w.limit("live", n)
	return w.world.Live(ctx, ids, in, n)
}

func (w *limited) Displaced(ctx context.Context, ids []tenure.ID, in tenure.Window, n int) ([]tenure.Belief, error) {
	w.limit("displaced", n)
	return w.world.Displaced(ctx, ids, in, n)
}

func (w *limited) Relations(ctx context.Context, ids []tenure.ID, in tenure.Window, n int) ([]tenure.Belief, error) {
	w.limit("relations", n)
	return w.world.Relations(ctx, ids, in, n)
}

func (w *limited) ProposalsOn(
	ctx context.Context, ids []tenure.ID, in tenure.Scope, n int,
) ([]store.ObservationRecord, error) {
	w.limit("proposals", n)
	return w.world.ProposalsOn(ctx, ids, in, n)
}

// TestHowMuchIsRead checks the bounds of a compilation: the defaults, and that each field of a configuration bounds
// what it names.
func TestHowMuchIsRead(t *testing.T) {
	for _, c := range []struct {
		cfg   compile.Config
		reads string
		found int
	}{
		{compile.Config{}, "[displaced 200 live 2000 proposals 50 relations 20 relations 50]", 7},
		{compile.Config{Beliefs: 5, Displaced: 6, Relations: [2]int{7, 8}, Neighbours: 3, Proposals: 4}, "[displaced 6 live 5 proposals 4 relations 7]", 4},
		{compile.Config{Neighbours: 5, Relations: [2]int{9}}, "[displaced 200 live 2000 proposals 50 relations 20 relations 9]", 6},
	} {
		w := &limited{world: &world{}}
		ann := w.entity(1, "Ann")
		for i := range 4 {
			friend := w.entity(10+i, fmt.Sprint("Friend", i))
			w.claim(100+i, ann, fmt.Sprint("friend", i), "", toEntity(friend))
			if i < 2 {
				w.claim(200+i, friend, "cousin", "", toEntity(w.entity(20+i, fmt.Sprint("Cousin", i))))
			}
		}
		compiler, err := compile.New(tokens, c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		req, hops := ask("Who is Ann?"), 2
		req.Hops = &hops
		res, err := compiler.Compile(t.Context(), w, agent(), req, day(15))
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(w.limits)
		if got := fmt.Sprint(w.limits); got != c.reads {
			t.Errorf("%+v reads %s, want %s", c.cfg, got, c.reads)
		}
		if got := len(res.Trace.State.ResolvedEntities); got != c.found {
			t.Errorf("%+v is about %d, want %d", c.cfg, got, c.found)
		}
	}
}

// dear counts words, and six more for each zone after the first: the whole costs more than its lines.
type dear struct{}

func (dear) Count(s string) int { return len(strings.Fields(s)) + 6*strings.Count(s, "\n\n==") }

// TestTheWholeMustFit checks that lines which fit one by one but not together go, the last and least important first,
// and are reported.
func TestTheWholeMustFit(t *testing.T) {
	w := &world{}
	ann := w.entity(1, "Ann")
	w.claim(11, ann, "rule", "always", constraint())
	w.claim(12, ann, "office", "Oslo")
	w.claim(13, ann, "desk", "seven", from(3))
	w.claim(14, ann, "draft", "first", layer(tenure.LayerWorkingSet))
	for budget, want := range map[int]string{
		38: "policy Ann / rule: always facts Ann / desk: seven Ann / office: Oslo working_set Ann / draft: first",
		37: "policy Ann / rule: always facts Ann / desk: seven Ann / office: Oslo",
		24: "policy Ann / rule: always facts Ann / desk: seven Ann / office: Oslo",
		20: "policy Ann / rule: always facts Ann / desk: seven",
		19: "policy Ann / rule: always",
	} {
		compiler, err := compile.New(dear{}, compile.Config{})
		if err != nil {
			t.Fatal(err)
		}
		req, share := ask("Who is Ann?"), 1.0
		req.BudgetTokens, req.FactsShare = budget, &share
		res, err := compiler.Compile(t.Context(), w, agent(), req, day(15))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		kept := 0
		for _, z := range res.Envelope.Zones {
			list := strings.Split(z.Text, "\n")[1:]
			kept += len(list)
			got = append(append(got, z.Name), list...)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("within %d: %s", budget, text)
		}
		if n := (dear{}).Count(res.Envelope.Text); n > budget {
			t.Errorf("within %d: %d", budget, n)
		}
		if omitted := len(res.Trace.State.OmittedObjects); kept+omitted != 4 || omitted > 0 && res.Trace.State.OmittedObjects[0].Reason != "budget" {
			t.Errorf("within %d: %d kept, %+v", budget, kept, res.Trace.State.OmittedObjects)
		}
	}
}

// TestCharactersThatConcealText checks which characters a value loses on its way into a line, at the bounds of each
// range, in text of ASCII and of other letters.
func TestCharactersThatConcealText(t *testing.T) {
	for _, c := range []struct {
		r    rune
		want string
	}{
		{0x2029, " "}, {0x202a, ""}, {0x202c, ""}, {0x202e, ""}, {0x202f, " "}, {0x2065, "\u2065"}, {0x2066, ""}, {0x2069, ""},
		{0x206a, "\u206a"}, {0xdffff, "\U000dffff"}, {0xe0000, ""}, {0xe007f, ""}, {0xe0080, "\U000e0080"},
		{'\n', " "}, {'\t', " "}, {0, " "}, {0x1f, " "}, {' ', " "}, {'~', "~"}, {0x7f, " "}, {0x80, " "}, {0x9f, " "}, {0xa0, " "}, {0xa1, "\u00a1"},
	} {
		for _, around := range []string{"a", "é"} {
			w := &world{}
			w.claim(11, w.entity(1, "Ann"), "motto", around+string(c.r)+around)
			got := lines(w.compiled(t, ask("Who is Ann?")), "facts")
			if diff := cmp.Diff([]string{"Ann / motto: " + around + c.want + around}, got); diff != "" {
				t.Errorf("%U: %s", c.r, diff)
			}
		}
	}
	for value, want := range map[string]string{
		"  a  b ": "a b", "\u202e": `""`, "a\n\n\u202eb": "a b", "é ": "é", " é": "é",
	} {
		w := &world{}
		w.claim(11, w.entity(1, "Ann"), "motto", value)
		if diff := cmp.Diff([]string{"Ann / motto: " + want}, lines(w.compiled(t, ask("Who is Ann?")), "facts")); diff != "" {
			t.Errorf("%q: %s", value, diff)
		}
	}
}

// TestNearerFactsComeFirst checks that of facts which are as relevant those of the entity asked about come before those
// of its neighbours, however new these are, and then the newer ones.
func TestNearerFactsComeFirst(t *testing.T) {
	w := &world{}
	ann, ben := w.entity(1, "Ann"), w.entity(2, "Ben")
	w.claim(11, ann, "friend", "", toEntity(ben))
	w.claim(12, ben, "desk", "seven", from(9))
	w.claim(13, ann, "desk", "eight", from(3))
	w.claim(14, ann, "lamp", "nine", from(4))
	req := compile.Request{Query: "?", Entities: []tenure.ID{ann}}
	want := []string{"Ann / lamp: nine", "Ann / desk: eight", "Ann / friend: Ben", "Ben / desk: seven"}
	if diff := cmp.Diff(want, lines(w.compiled(t, req), "facts")); diff != "" {
		t.Error(diff)
	}
}

// TestConfidenceDecaysByWholeDays checks that the days since the last confirmation are counted whole, and the line below
// which an object has decayed.
func TestConfidenceDecaysByWholeDays(t *testing.T) {
	const hour = tenure.Instant(3600 * 1_000_000)
	for _, c := range []struct {
		hours     tenure.Instant
		halfLife  float64
		threshold float64
		want      string
	}{
		{23, 1, .46, "compiled"}, {24, 1, .46, "decayed"}, {24, 1, .45, "compiled"}, {47, 1, .44, "compiled"}, {48, 1, .44, "decayed"},
		{48, 2, .46, "decayed"}, {47, 2, .63, "compiled"}, {47, 2, .64, "decayed"}, {24, 2, .63, "compiled"}, {0, 1, 1, "compiled"}, {99, 0, 1, "compiled"},
	} {
		w := &world{}
		object := w.claim(11, w.entity(1, "Ann"), "office", "Oslo", with(func(x *tenure.Claim) {
			x.DecayRule = &tenure.DecayRule{HalfLifeDays: c.halfLife, MinimumThreshold: c.threshold}
		}), func(b *tenure.Belief) { b.Standing.LastConfirmed = day(15) - c.hours*hour })
		if got := reasonOf(w.compiled(t, ask("Who is Ann?")), object); got != c.want {
			t.Errorf("%d hours at %v days and %v: %s", c.hours, c.halfLife, c.threshold, got)
		}
	}
}

// TestHowFarAQueryIsRead checks that a name is found up to the 400th word, and one of more than six words by its words.
func TestHowFarAQueryIsRead(t *testing.T) {
	w := &world{}
	w.claim(11, w.entity(1, "Ann"), "office", "Oslo")
	w.claim(12, w.entity(2, "The Old Mill By The Sea"), "office", "Rome")
	w.claim(13, w.entity(3, "The New Mill By The Blue Sea"), "office", "Bern")
	for query, want := range map[string]string{
		strings.Repeat("x ", 399) + "Ann": "Ann / office: Oslo", strings.Repeat("x ", 400) + "Ann": "",
		"the old mill by the sea": "The Old Mill By The Sea / office: Rome", "the new mill by the blue sea": "The New Mill By The Blue Sea / office: Bern",
	} {
		if got := strings.Join(lines(w.compiled(t, ask(query)), "facts"), " "); got != want {
			t.Errorf("%.20q of %d words: %q, want %q", query, len(strings.Fields(query)), got, want)
		}
	}
}
