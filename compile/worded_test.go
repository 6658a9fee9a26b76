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
	"tenure/recall"
)

func saidBy(speaker string) func(*tenure.Belief) {
	return with(func(c *tenure.Claim) { c.Source.Speaker = speaker })
}

// office is a state of a few things, with what was said of them.
func office() *world {
	w := &world{}
	net, tubes, staging := w.entity(1, "guest wifi"), w.entity(2, "inner tubes"), w.entity(3, "staging")
	six, seven, petra := w.entity(4, "class 6a"), w.entity(5, "class 6b"), w.entity(6, "Petra")
	w.claim(11, net, "code", "4711")
	w.claim(12, tubes, "stock", "40")
	w.claim(13, staging, "database", "Postgres 15")
	w.claim(14, six, "form teacher", "Mr Eade")
	w.claim(15, seven, "form teacher", "Ms Thornbury")
	w.claim(16, petra, "manager", "Kwame")
	w.claim(17, net, "password", "old", lost(tenure.BySuccession, ""))
	w.claim(18, net, "admin code", "9999", with(func(c *tenure.Claim) { c.Classification = tenure.HighlyRestricted }))
	w.claim(19, staging, "region", "Frankfurt", scoped(tenure.Scope{ProjectID: "p"}))
	return w
}

func TestAQueryThatNamesNobodyIsAnsweredByItsWords(t *testing.T) {
	for query, want := range map[string][]string{
		"What is the wifi code for guests?":         {"guest wifi / code: 4711"},
		"what's the code of the wifi":               {"guest wifi / code: 4711"},
		"How many tubes are in stock?":              {"inner tubes / stock: 40"},
		"Which database do we use?":                 {"staging / database: Postgres 15"},
		"Who is 6b's form teacher?":                 {"class 6b / form teacher: Ms Thornbury"},
		"Who is the boss?":                          {"Petra / manager: Kwame"}, // a synonym of the predicate
		"What is the old password?":                 nil,
		"What is the admin code?":                   nil,
		"Which region?":                             nil,
		"Who is the form teacher of 7c?":            nil, // what names something is there, or nothing is
		"Which database does Heron use?":            nil,
		"What colour are the stock room's shelves?": nil, // too few of the words
		"How are you?":                              nil,
		"When does staging move?":                   {"staging / database: Postgres 15"}, // by name
	} {
		res := office().compiled(t, ask(query))
		if diff := cmp.Diff(want, lines(res, "facts")); diff != "" {
			t.Errorf("%s\n%s", query, diff)
		}
		status := map[bool]string{true: "EMPTY", false: "CLEAN"}[want == nil]
		if res.Trace.ValidationStatus != status {
			t.Errorf("%s is %s", query, res.Trace.ValidationStatus)
		}
		for i, o := range res.Trace.State.CompiledObjects {
			by := res.Trace.State.ResolvedEntities[i].FoundBy
			if o.ByWords != (by == "words") || o.ByWords == strings.Contains(query, "staging") {
				t.Errorf("%s: by words: %v, by %s", query, o.ByWords, by)
			}
		}
	}
	in := ask("Which region?")
	in.Scope.ProjectID = "p"
	if got := lines(office().compiled(t, in), "facts"); len(got) != 1 {
		t.Errorf("in the project: %q", got)
	}
}

// TestAWordForAKindFindsThose: of entities of a type, and no others.
func TestAWordForAKindFindsThose(t *testing.T) {
	w := &world{}
	ada, plover := w.entity(1, "Ada"), w.entity(2, "Plover")
	w.entities[0].Type, w.entities[1].Type = "person", "project"
	w.claim(11, ada, "lives in", "Oslo")
	w.claim(12, plover, "status", "red")
	for query, want := range map[string][]string{
		"Tell me about people.":          {"Ada / lives in: Oslo"},
		"Where do the people live?":      {"Ada / lives in: Oslo"},
		"Which projects are there?":      {"Plover / status: red"},
		"Which people are on the board?": nil,
		"Which organisations are there?": nil,
	} {
		if diff := cmp.Diff(want, lines(w.compiled(t, ask(query)), "facts")); diff != "" {
			t.Errorf("%s\n%s", query, diff)
		}
	}
}

func TestFewAreFoundByWords(t *testing.T) {
	w := &world{}
	for i := range 30 {
		w.claim(100+i, w.entity(10+i, fmt.Sprint("lamp ", i)), "price", "20")
	}
	res := w.compiled(t, ask("How much are they, by the price?"))
	if n := len(lines(res, "facts")); n != 10 {
		t.Errorf("%d of 30", n)
	}
	if got := lines(w.compiled(t, ask("What is the price of a lamp like number 7?")), "facts"); len(got) != 1 {
		t.Errorf("of one: %q", got)
	}
	for i := range 500 {
		w.claim(1000+i, w.entity(1000+i, fmt.Sprint("thing ", i)), "owner", "Ann")
	}
	res = w.compiled(t, ask("What is the price?"))
	if m := res.Trace.State.Retrieval; !m.WordsCut || len(lines(res, "facts")) != 0 {
		t.Errorf("beyond the newest 500: %+v", m)
	}
}

func TestRemarksAreFoundByWords(t *testing.T) {
	w := office()
	plover := w.entity(7, "Plover")
	w.claim(31, plover, "launch city", "Namur")
	w.claim(41, plover, tenure.Remark, `the "demo" is on Friday at nine`, saidBy("Ilka Brenner"), from(3))
	w.claim(42, plover, tenure.Remark, "Namur has good trains", saidBy("Kwame"), from(4))
	w.claim(43, id(6), tenure.Remark, "the fence behind the boathouse leans", saidBy("Petra"), from(5))
	w.claim(44, plover, tenure.Remark, "the launch cake costs 80 euros", saidBy("Petra"), from(5), scoped(tenure.Scope{UserID: "u"}))
	w.claim(45, plover, tenure.Remark, "the launch needs a permit", saidBy("Petra"), lost(tenure.ByRetraction, ""))
	w.claim(46, plover, tenure.Remark, "the launch is paid for", from(6))
	w.claim(47, plover, tenure.Remark, "the launch is secret", with(func(c *tenure.Claim) { c.Classification = tenure.HighlyRestricted }))
	demo, trains := `Ilka Brenner (2026-06-03): "the "demo" is on Friday at nine"`, `Kwame (2026-06-04): "Namur has good trains"`
	fence, paid := `Petra (2026-06-05): "the fence behind the boathouse leans"`, `About Plover (2026-06-06): "the launch is paid for"`
	for query, want := range map[string][]string{
		"When is the demo of Plover?":               {demo},
		"Is Plover's launch paid for?":              {paid},
		"Tell me about Plover":                      {demo, trains, paid},
		"When is the demo?":                         {demo},
		"Are there trains to Namur?":                {trains},
		"What is wrong with the fence?":             nil, // too few of the words
		"Does the boathouse fence lean?":            {fence},
		"What did Petra say of the fence?":          {fence},
		"What does the code of the guest wifi say?": nil,
	} {
		res := w.compiled(t, ask(query))
		if diff := cmp.Diff(want, lines(res, "remarks"), sorted); diff != "" {
			t.Errorf("%s\n%s", query, diff)
		}
		if slices.ContainsFunc(lines(res, "facts"), func(s string) bool { return strings.Contains(s, "remark") }) {
			t.Errorf("%s: %q", query, lines(res, "facts"))
		}
	}
	in := ask("How much is the launch cake of Plover?")
	in.Scope.UserID = "u"
	if got := lines(w.compiled(t, in), "remarks"); len(got) == 0 || !strings.Contains(got[0], "80 euros") {
		t.Errorf("of the user: %q", got)
	}
	in.Provider = compile.Anthropic
	if got := w.compiled(t, in).Envelope.Text; !strings.Contains(got, "<remarks>\nPetra (2026-06-05): ") {
		t.Errorf("tagged:\n%s", got)
	}
}

// TestRemarksDoNotFlood: of a thousand remarks about what is asked five are told, and none is counted as omitted.
func TestRemarksDoNotFlood(t *testing.T) {
	w := &world{}
	plover := w.entity(1, "Plover")
	w.claim(2, plover, "launch city", "Namur")
	for i := range 1000 {
		w.claim(1000+i, plover, tenure.Remark, fmt.Sprintf("the launch of part %d went well", i))
	}
	res := w.compiled(t, ask("How did the launch of Plover go?"))
	if n := len(lines(res, "remarks")); n != 5 || len(lines(res, "facts")) != 1 {
		t.Errorf("%d remarks, facts %q", n, lines(res, "facts"))
	}
	if m := res.Trace.State; !m.Retrieval.RemarksCut || len(m.OmittedObjects) != 0 {
		t.Errorf("cut: %v, %d omitted", m.Retrieval.RemarksCut, len(m.OmittedObjects))
	}
	if got := lines(w.compiled(t, ask("Which part is 731 of Plover?")), "remarks"); len(got) != 1 || !strings.Contains(got[0], "731") {
		t.Errorf("of one: %q", got)
	}
}

func readIn(span, question string) func(*tenure.Belief) {
	return with(func(c *tenure.Claim) {
		c.Evidence = &tenure.Evidence{Rule: "rules", Span: span, Question: question, Source: "text"}
		c.Source.Thread, c.ObservedAt = "t", day(15)
	})
}

// TestWhatWasSaidIsFoundByTheWordsInWhichItWasSaid, and by those of the question that it answered.
func TestWhatWasSaidIsFoundByTheWordsInWhichItWasSaid(t *testing.T) {
	w := office()
	w.claim(51, w.entity(20, "landing page"), "goes", "2 April", readIn("the landing page is published on 2 April", ""))
	w.claim(52, id(6), tenure.Remark, "Hall 2", saidBy("Ms Roe"), readIn("Hall 2", "where do we write the exam on Thursday"))
	res := w.compiled(t, ask("When is the page published?"))
	if diff := cmp.Diff([]string{"landing page / goes: 2 April"}, lines(res, "facts")); diff != "" {
		t.Error(diff)
	}
	res = w.compiled(t, ask("Where is Thursday's exam?"))
	if diff := cmp.Diff([]string{`Ms Roe (2026-06-02): "Hall 2"`}, lines(res, "remarks")); diff != "" {
		t.Error(diff)
	}
}

// TestOvertakenRemarks checks that a remark is left out, with its reason, where a fact that was told later in its
// conversation answers the question otherwise.
func TestOvertakenRemarks(t *testing.T) {
	for _, c := range []struct {
		what   string
		remark string
		change func(*tenure.Belief)
		shown  bool
	}{
		{"another place", "the exam is in the gym", nil, false},
		{"the same place", "the exam is in Hall 2", nil, true},
		{"later", "the exam is in the gym", with(func(c *tenure.Claim) { c.ObservedAt = day(15) }), true},
		{"in another conversation", "the exam is in the gym", with(func(c *tenure.Claim) { c.Source.Thread = "u" }), true},
		{"of no place", "the exam was hard", nil, true},
	} {
		w := office()
		w.claim(51, w.entity(20, "exam"), "location", "Hall 2", with(func(c *tenure.Claim) {
			c.Source.Thread, c.ObservedAt = "t", day(14)
		}))
		changes := []func(*tenure.Belief){saidBy("Ms Roe"), readIn(c.remark, ""), with(func(c *tenure.Claim) { c.ObservedAt = day(13) })}
		if c.change != nil {
			changes = append(changes, c.change)
		}
		w.claim(52, id(6), tenure.Remark, c.remark, changes...)
		res := w.compiled(t, ask("Where is the exam?"))
		if diff := cmp.Diff([]string{"exam / location: Hall 2"}, lines(res, "facts")); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
		if got := len(lines(res, "remarks")); got > 0 != c.shown {
			t.Errorf("%s: %q", c.what, lines(res, "remarks"))
		}
		for _, o := range res.Trace.State.OmittedObjects {
			if c.shown || o.ObjectID != id(52) || o.Reason != "overtaken" || o.DisplacedBy != id(51) {
				t.Errorf("%s: omitted %+v", c.what, o)
			}
		}
		if !c.shown && len(res.Trace.State.OmittedObjects) != 1 {
			t.Errorf("%s: %d omitted", c.what, len(res.Trace.State.OmittedObjects))
		}
	}
}

// TestWhatWasSaidLast is shown where nothing answers a question, if it may: of one conversation, of a day, of the kind.
func TestWhatWasSaidLast(t *testing.T) {
	told := func(change func(*tenure.Belief)) *world {
		w := office()
		w.claim(52, id(6), tenure.Remark, "the gym as always", saidBy("Ms Roe"), readIn("the gym as always", ""))
		w.claim(53, id(6), tenure.Remark, "nothing new", saidBy("Ms Roe"), readIn("nothing new", ""))
		w.claim(54, id(6), tenure.Remark, "8 pallets", saidBy("Ms Roe"), readIn("8 pallets", ""), change)
		return w
	}
	none := func(*tenure.Belief) {}
	for _, c := range []struct {
		query  string
		change func(*tenure.Belief)
		want   int
	}{
		{"How many crates came in?", none, 1}, {"Why did it rain?", none, 0}, {"How many tubes are in stock?", none, 0}, // it is known
		{"How many crates came in?", with(func(c *tenure.Claim) { c.Source.Thread = "u" }), 0},  // of which conversation?
		{"How many crates came in?", with(func(c *tenure.Claim) { c.ObservedAt = day(3) }), 0},  // long ago
		{"How many crates came in?", with(func(c *tenure.Claim) { c.ObservedAt = day(16) }), 0}, // later
		{"How many crates came in?", lost(tenure.ByRetraction, ""), 0},
		{"How many crates came in?", with(func(c *tenure.Claim) { c.Classification = tenure.HighlyRestricted }), 0},
	} {
		if got := lines(told(c.change).compiled(t, ask(c.query)), "remarks"); len(got) != c.want {
			t.Errorf("%s: %q, want %d", c.query, got, c.want)
		}
	}
}

// indexed is an index of beliefs that has nothing but a list.
type indexed []tenure.ID

func (x indexed) Documents(
	_ context.Context, _ string, _ tenure.Seq, w recall.Wanted,
) (list []recall.Hit, all bool, err error) {
	for _, id := range x {
		if slices.Contains(w.Kinds, recall.Remark) {
			list = append(list, recall.Hit{ID: id, RecordedAt: day(1), Score: 1 << 20})
		}
	}
	return list, true, nil
}

// TestAnOldRemarkIsFound asks for what was said before five hundred other remarks.
func TestAnOldRemarkIsFound(t *testing.T) {
	w := &world{}
	plover := w.entity(7, "Plover")
	old := w.claim(11, plover, tenure.Remark, "the harbour crane is rented by the hour", saidBy("Petra"), from(3))
	for i := range 500 {
		w.claim(1000+i, plover, tenure.Remark, fmt.Sprint("nothing new on day ", i), saidBy("Petra"), from(4))
	}
	for name, index := range map[string]recall.Source{"with-an-index": indexed{old}, "without": nil} {
		t.Run(name, func(t *testing.T) {
			c, err := compile.New(tokens, compile.Config{Index: index})
			if err != nil {
				t.Fatal(err)
			}
			res, err := c.Compile(t.Context(), w, agent(), ask("Who rents the harbour crane?"), day(15))
			if err != nil {
				t.Fatal(err)
			}
			found, cut := strings.Contains(res.Envelope.Text, "harbour crane"), res.Trace.State.Retrieval.RemarksCut
			if found != (index != nil) || cut != (index == nil) {
				t.Errorf("found %v, remarks cut %v: %q", found, cut, res.Envelope.Text)
			}
		})
	}
}

// behind is an index of beliefs that has not read the log.
type behind struct{}

func (behind) Documents(context.Context, string, tenure.Seq, recall.Wanted) ([]recall.Hit, bool, error) {
	return nil, false, tenure.Errorf(tenure.Unavailable, "the index of beliefs is 5001 entries behind")
}

// TestAnIndexThatIsBehindIsSaid asks for what was said before more than the newest of the scope that are searched without
// the index: the answer says that it may be another one later. Where the newest are all, it has nothing to say.
func TestAnIndexThatIsBehindIsSaid(t *testing.T) {
	for _, c := range []struct {
		predicate string
		others    int
		index     recall.Source
		want      bool
	}{
		{"rent", 600, behind{}, true}, {"rent", 10, behind{}, false}, {"rent", 600, nil, false},
		{tenure.Remark, 600, behind{}, true}, {tenure.Remark, 10, behind{}, false}, {tenure.Remark, 600, indexed{id(11)}, false},
	} {
		w := &world{}
		plover := w.entity(7, "Plover")
		w.claim(11, plover, c.predicate, "the harbour crane is rented by the hour", saidBy("Petra"), from(3))
		for i := range c.others {
			w.claim(1000+i, plover, c.predicate, fmt.Sprint("nothing new on day ", i), saidBy("Petra"), from(4))
		}
		compiler, err := compile.New(tokens, compile.Config{Index: c.index})
		if err != nil {
			t.Fatal(err)
		}
		res, err := compiler.Compile(t.Context(), w, agent(), ask("Who rents the harbour crane?"), day(15))
		if err != nil {
			t.Fatal(err)
		}
		if said := res.Trace.State.Retrieval.Degraded != ""; said != c.want {
			t.Errorf("%+v: degraded %q", c, res.Trace.State.Retrieval.Degraded)
		}
	}
}
