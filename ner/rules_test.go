package ner_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/ner"
	"tenure/ner/alias"
)

var rules = ner.New()

// said lists mentions as "type:text".
func said(t *testing.T, text string, known ner.Aliases) []string {
	t.Helper()
	found, err := rules.Extract(context.Background(), text, known)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range found {
		list = append(list, m.Type+":"+m.Text)
	}
	return list
}

type ruleCase struct {
	name, text string
	want       []string
}

func check(t *testing.T, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, said(t, c.text, nil)); diff != "" {
				t.Errorf("%s\n%s", c.text, diff)
			}
		})
	}
}

func TestWhatNamesNobody(t *testing.T) {
	check(t, []ruleCase{
		{"days-in-the-plural", "we skip Tuesdays, it leaves on Thursdays", nil},
		{"month-in-lower-case", "only from september so dont change it", nil},
		{"letter-with-a-number", "the roadworks on A12 and the gate B7", nil},
		{"contraction-before-a-name", "That'd be Lorenzo", []string{"person:Lorenzo"}},
		{"derived-noun-at-the-start", "Latency is distance.", nil},
		{"kinship-in-lower-case", "mum's the word, and granny's too", nil},
	})
}

func TestIdentifiers(t *testing.T) {
	check(t, []ruleCase{
		{"e-mail-without-its-full-stop", "write to desk@brindle.example.", []string{"identifier:desk@brindle.example"}},
		{"url-without-the-closing-bracket", "see (https://wiki.brindle.example/a_(b)/c).", []string{"identifier:https://wiki.brindle.example/a_(b)/c"}},
		{"handle-and-channel", "cc @ola_k in #night-shift", []string{"identifier:@ola_k", "identifier:#night-shift"}},
		{"path-with-line", "panic at pkg/io/read.go:42", []string{"identifier:pkg/io/read.go:42"}},
		{"bare-file-name-is-a-document", "see agenda.odt", []string{"document:agenda.odt"}},
		{"standard-is-a-document", "as RFC 9110 says", []string{"document:RFC 9110"}},
		{"ticket-and-issue", "closes LIFT-77 and #12", []string{"identifier:LIFT-77", "identifier:#12"}},
		{"formats-are-no-tickets", "it is UTF-8 and SHA-256", nil},
		{"order-number-after-its-word", "the order 55120 is late", []string{"identifier:55120"}},
		{"phone-by-form", "ring +49 30 901820 now", []string{"identifier:+49 30 901820"}},
		{"dates-are-no-phones", "from 2031-04-05 10:20:30 on", nil},
		{"ip-address", "denied for 192.0.2.14:22", []string{"identifier:192.0.2.14:22"}},
		{"commit-hash", "reverts 9f3c21a", []string{"identifier:9f3c21a"}},
		{"branch", "on branch fix/late-bus", []string{"identifier:fix/late-bus"}},
		{"account-in-groups", "pay to GB29 NWBK 6016 1331 9268 19 today", []string{"identifier:GB29 NWBK 6016 1331 9268 19"}},
		{"cve", "patch CVE-2031-1234 first", []string{"identifier:CVE-2031-1234"}},
		{"host-with-domain", "ping files.brindle.example", []string{"identifier:files.brindle.example"}},
	})
}

func TestCodedNames(t *testing.T) {
	check(t, []ruleCase{
		{"service-by-its-tail", "restart quota-svc please", []string{"system:quota-svc"}},
		{"numbered-host", "disk full on lynx-07", []string{"system:lynx-07"}},
		{"ordinary-hyphens-are-no-names", "a read-only follow-up of the well-known sign-off", nil},
		{"call-of-an-agent", `{"tool": "stock.count"}`, []string{"tool:stock.count"}},
		{"owner-and-repository", "fork brindle/loom first", []string{"repository:brindle/loom"}},
		{"either-or-is-no-repository", "yes and/or no", nil},
	})
}

func TestNames(t *testing.T) {
	check(t, []ruleCase{
		{"particles-and-double-names", "then Jorunn van der Meer-Holst spoke", []string{"person:Jorunn van der Meer-Holst"}},
		{"honorific-stays-out", "ask Dr. Petrakis about it", []string{"person:Petrakis"}},
		{"initials", "signed by J. R. Okafor yesterday", []string{"person:J. R. Okafor"}},
		{"legal-form-belongs-to-the-name", "from Quince Hill GmbH & Co. KG today", []string{"organization:Quince Hill GmbH & Co. KG"}},
		{"dotted-legal-form", "from Velo Praha s.r.o. today", []string{"organization:Velo Praha s.r.o."}},
		{"sentence-beginning-is-no-name", "Nothing works. Printer is broken.", nil},
		{"ordinary-first-word-before-a-name", "Call Margit now", []string{"person:Margit"}},
		{"word-used-as-a-word", "bill the client, Bill", []string{"person:Bill"}},
		{"version-after-a-product", "the Teal Radio 4 hums", []string{"product:Teal Radio 4"}},
		{"town-with-lower-class-word", "meet at the Turku plant", []string{"place:Turku plant"}},
		{"project-word-stays-out", "the Zircon project is late", []string{"project:Zircon"}},
		{"shouting", "THANK IMRE FOR THE CAKE", []string{"person:IMRE"}},
		{"inverted", "Name: Doe, Jane (guest)", []string{"person:Doe, Jane"}},
		{"house-number", "she lives at 7 Barley Lane now", []string{"place:7 Barley Lane"}},
		{"months-and-days-are-no-names", "on Monday or in March", nil},
		{"lower-case-given-name", "thanks oksana, see you", []string{"person:oksana"}},
	})
}

func TestRoles(t *testing.T) {
	check(t, []ruleCase{
		{"definite-phrase", "ask the head of security", []string{"role:head of security"}},
		{"determiner-stays-out", "our insurer pays", []string{"role:insurer"}},
		{"indefinite-is-no-role", "a designer and two engineers", nil},
		{"possessor-belongs-to-it", "it was Benedek's deputy", []string{"role:Benedek's deputy"}},
		{"team-without-article", "until legal says yes", []string{"role:legal"}},
		{"compound-is-no-role", "I dislike the host name", nil},
		{"apposition", "Rikke Holm, controller, left", []string{"person:Rikke Holm", "role:controller"}},
	})
}

func TestScripts(t *testing.T) {
	check(t, []ruleCase{
		{"cyrillic", "Завтра Эльвира Тагирова приедет из Казани", []string{"person:Эльвира Тагирова", "place:Казани"}},
		{"chinese", "王秀英请李强到上海。", []string{"person:王秀英", "person:李强", "place:上海"}},
		{"japanese-honorific-stays-out", "田中さんは大阪に行きます。", []string{"person:田中", "place:大阪"}},
		{"korean-ending-stays-out", "김민준이 부산에 갔다", []string{"person:김민준", "place:부산"}},
		{"arabic-after-a-title", "السيدة ليلى حداد وصلت", []string{"person:ليلى حداد"}},
	})
}

func TestAliases(t *testing.T) {
	d := alias.NewDictionary()
	d.Set("o", "organization", "", "Korvex")
	d.Set("p", "person", "", "Will", "May")
	d.Set("s", "system", "", "ledger")
	d.Set("c", "person", "", "小田切")
	d.Set("m", "place", "", "Montserrat")
	d.Set("n", "person", "", "Montserrat")
	known := d.In("")
	for _, c := range []ruleCase{
		{"longer-name-wins", "paid by Korvex Ltd today", []string{"organization:Korvex Ltd"}},
		{"alias-by-itself", "paid by korvex today", []string{"organization:korvex"}},
		{"ordinary-words-are-words", "it may rain, it will not snow", nil},
		{"ordinary-words-as-names", "then Will saw May", []string{"person:Will", "person:May"}},
		{"lower-case-alias", "is ledger up?", []string{"system:ledger"}},
		{"inside-other-words-nothing", "Korvexia is a korvexish land", []string{"person:Korvexia"}},
		{"without-spaces", "和小田切去", []string{"person:小田切"}},
		{"context-decides-between-types", "we live in Montserrat", []string{"place:Montserrat"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, said(t, c.text, known)); diff != "" {
				t.Errorf("%s\n%s", c.text, diff)
			}
		})
	}
	found, err := rules.Extract(context.Background(), "Montserrat is green", known)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]tenure.ID{"m", "n"}, sortedIDs(found[0].Entities)); diff != "" {
		t.Error(diff)
	}
}

func TestChains(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []int
	}{
		{"surname-alone", "Ingrid Falk called. Falk was late.", []int{1, 1}},
		{"first-name-alone", "Ingrid Falk called. Then Ingrid left.", []int{1, 1}},
		{"initial-and-surname", "I met Ingrid Falk. Later I. Falk wrote.", []int{1, 1}},
		{"initial-of-another-name", "Ingrid Falk called. Later K. Falk wrote.", []int{1, 2}},
		{"two-fit-so-none", "Ingrid Falk met Ingrid Holm. Then Ingrid left.", []int{1, 2, 3}},
		{"head-of-a-firm", "by Larkspur Holdings Ltd today, and Larkspur pays", []int{1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := rules.Extract(context.Background(), c.text, nil)
			if err != nil {
				t.Fatal(err)
			}
			var chains []int
			for _, m := range found {
				chains = append(chains, m.Chain)
			}
			if diff := cmp.Diff(c.want, chains); diff != "" {
				t.Error(diff, found)
			}
		})
	}
}

func TestExtractRefuses(t *testing.T) {
	if _, err := rules.Extract(context.Background(), "Ingrid \xff Falk", nil); !errors.Is(err, ner.ErrNotUTF8) {
		t.Errorf("invalid UTF-8: %v", err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := rules.Extract(done, "Ingrid Falk", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got := said(t, strings.Repeat(" \n", 50), nil); got != nil {
		t.Errorf("white space: %v", got)
	}
}

func TestNamesByWhatStandsAroundThem(t *testing.T) {
	check(t, []ruleCase{
		{"apposition-of-a-system", "we moved it to Firebird, the new cluster", []string{"system:Firebird"}},
		{"apposition-in-lower-case", "i moved the thing to brindlewick, the new cluster", []string{"system:brindlewick"}},
		{"firm-after-its-word", "pan Wójcik z firmy Stalmex prosi o to", []string{"person:Wójcik", "organization:Stalmex"}},
		{"subject-of-a-question", "[00:03] did thornquist send the slides", []string{"person:thornquist"}},
		{"ship", "we sail on the MV Persephone tomorrow", []string{"product:MV Persephone"}},
		{"ordinary-word-before-a-hotel", "Booked Hotel Almirante for two", []string{"organization:Hotel Almirante"}},
		{"initial-after-a-name", "ask Viktor L. about it", []string{"person:Viktor L."}},
		{"function-word-as-surname", "Then Xiaolin He says so", []string{"person:Xiaolin He"}},
		{"numbered-nouns-are-no-names", "Sev 2, see Step 3 and Chapter 4", nil},
		{"numbers-of-a-list-are-none-of-names", "1. open Corvid 2. paste it", []string{"person:Corvid"}},
		{"title-after-a-ticket", "BIKE-118 Bell rings by itself", []string{"identifier:BIKE-118"}},
		{"quoted-title", "a talk on \"Glue and Its Enemies\" at noon", []string{"document:Glue and Its Enemies"}},
		{"case-ending-after-an-apostrophe", "Bugün İzmir'de bir toplantı var ve çok iyi", []string{"place:İzmir"}},
	})
}

func TestFields(t *testing.T) {
	check(t, []ruleCase{
		{"table", "| service | owner |\n|---|---|\n| mailroom | Kenji |\n| kettle | nobody |", []string{"system:mailroom", "person:Kenji", "system:kettle"}},
		{"call-of-a-tool", "> translate(text=\"x\")", []string{"tool:translate"}},
		{"calls-of-the-language-are-none", "print(\"x\")", nil},
		{"id-by-its-key", `{"id": "p-2207"}`, []string{"identifier:p-2207"}},
		{"user-by-its-key", "login user=m.osterberg ok", []string{"identifier:m.osterberg"}},
		{"user-by-initial", "opened by k.ostrowski today", []string{"identifier:k.ostrowski"}},
		{"year-of-a-title", "the Retention Policy 2031 says", []string{"document:Retention Policy 2031"}},
		{"setting-keys-are-no-systems", "depends_on: nothing", nil},
	})
}

func TestRolesInOtherLanguages(t *testing.T) {
	check(t, []ruleCase{
		{"german", "Bitte gib das der Abteilungsleiterin und nicht dem Hausmeister.", []string{"role:Abteilungsleiterin", "role:Hausmeister"}},
		{"french-elision", "Nous avons appelé l'avocat et la comptable ce matin.", []string{"role:avocat", "role:comptable"}},
		{"spanish-with-its-field", "El jefe de taller no está y la jefa tampoco.", []string{"role:jefe de taller", "role:jefa"}},
		{"polish-without-article", "Czy administrator już jest i kiedy może pomóc?", []string{"role:administrator"}},
		{"bare-in-a-log", "match score=0.93, sent to data steward", []string{"role:data steward"}},
		{"in-brackets", "access for Ada (warehouse manager, second shift)", []string{"person:Ada", "role:warehouse manager"}},
		{"title-before-a-chinese-name-is-none", "请王经理来", []string{"person:王"}},
		{"korean-rank-with-its-ending", "박지현 과장입니다.", []string{"person:박지현"}},
		{"japanese-copula", "ミツバ印刷の田中ゆりです。", []string{"organization:ミツバ印刷", "person:田中ゆり"}},
	})
}

// TestAliasesOfCommonWords extracts with aliases that are also common words.
func TestAliasesOfCommonWords(t *testing.T) {
	d := alias.NewDictionary()
	d.Set("b", "system", "", "Board")
	d.Set("r", "person", "", "Rose")
	d.Set("d", "project", "", "Blue Door")
	d.Set("s", "project", "", "open house")
	d.Set("k", "project", "", "Heron")
	d.Set("o", "organization", "", "Heron")
	d.Set("x", "product", "", "Zircon")
	d.Set("y", "place", "", "Zircon")
	d.Set("w", "person", "", "Anna")
	known := d.In("")
	for _, c := range []ruleCase{
		{"subject-at-the-start", "Board crashed again", []string{"system:Board"}},
		{"in-lower-case-a-word", "we talked about the board here", nil},
		{"given-name-before-a-person-verb", "rose said no", []string{"person:rose"}},
		{"given-name-as-a-word", "a rose in the garden", nil},
		{"phrase-with-capitals", "then Blue Door is late", []string{"project:Blue Door"}},
		{"phrase-as-words", "Margit saw a blue door there", []string{"person:Margit"}},
		{"phrase-in-a-line-without-capitals", "please paint blue door again today", []string{"project:blue door"}},
		{"phrase-spelled-in-lower-case", "Margit plans open house there", []string{"person:Margit", "project:open house"}},
		{"project-before-organization", "then Heron is late", []string{"project:Heron"}},
		{"context-before-the-order-of-types", "she works at Heron now", []string{"organization:Heron"}},
		{"otherwise-the-first-type", "then Zircon is late", []string{"place:Zircon"}},
		{"part-of-a-double-name", "then Anna-Lena spoke", []string{"person:Anna-Lena"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, said(t, c.text, known)); diff != "" {
				t.Errorf("%s\n%s", c.text, diff)
			}
		})
	}
}

func TestOccurrences(t *testing.T) {
	d := alias.NewDictionary()
	d.Set("b", "system", "", "board")
	d.Set("l", "system", "", "board of lights")
	d.Set("h", "person", "", "김민준")
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"used-as-a-word", "the board is here", []string{"board"}},
		{"longest-at-its-place", "Board of Lights, board of", []string{"Board of Lights", "board"}},
		{"inside-a-word-nothing", "boarding, aboard", nil},
		{"before-a-case-ending", "김민준이 왔다", []string{"김민준"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, o := range ner.Occurrences(c.text, d.In("")) {
				got = append(got, c.text[o.Start:o.End])
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := ner.Occurrences("the board", nil); got != nil {
		t.Errorf("without aliases: %v", got)
	}
}
