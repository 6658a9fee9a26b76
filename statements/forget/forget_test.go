package forget

import (
	"strings"
	"testing"

	"tenure"
	"tenure/statements"
)

func TestRequests(t *testing.T) {
	for said, want := range map[string]string{ // what is to go, and how it is meant
		"Please forget everything about Ada.":                            "all: Ada",
		"Please delete everything that mentions key-27199193.":           "all: key 27199193",
		"Please forget one-time code Hugo 663731.":                       "one time code Hugo 663731",
		"Forget what I said about the guest wifi code.":                  "kept: guest wifi code",
		"erase all you know about Ada Farid":                             "all: Ada Farid",
		"Remove everything on Ada from your memory, please.":             "all kept: Ada",
		"Stop remembering my address.":                                   "own: address",
		"Don't keep anything about the merger.":                          "all: merger",
		"Could you forget everything about me?":                          "all own:",
		"Forget that Ada lives in Oslo.":                                 "kept: Ada lives Oslo",
		"Forget everything about Dr. Ada Farid.":                         "all: Dr Ada Farid",
		"I moved. Please wipe everything you know about the old address": "all: old address",
		"Forget everything about Ada, she has left.":                     "all: Ada",
		"Remove the door code from memory.":                              "kept: door code",
		"Forget everything.":                                             "all:",
		"Vergiss bitte alles über Ada.":                                  "all: Ada",
		"Lösche alles, was du über Jörg Straße weißt.":                   "all: Jörg Straße",
		"Kannst du bitte alles über die Kantine vergessen?":              "all: Kantine",
		"Vergiss, was ich über den Türcode gesagt habe.":                 "kept: Türcode",
		"Oublie tout ce que tu sais sur Ada.":                            "all: Ada",
		"Oublie l'adresse de Hugo, s'il te plaît.":                       "adresse Hugo",
		"Efface tout sur le contrat.":                                    "all: contrat",
		"Por favor, olvida todo sobre Ada.":                              "all: Ada",
		"Borra todo lo que sabes de Ada.":                                "all: Ada",
	} {
		list := Requests(said)
		if len(list) != 1 {
			t.Errorf("%q has %d requests", said, len(list))
			continue
		}
		if got := shown(list[0]); got != want {
			t.Errorf("%q asks to forget %q, not %q", said, got, want)
		}
	}
}

func TestRequestForAllButSomethingIsLimited(t *testing.T) {
	for said, want := range map[string]bool{
		"Forget everything about Ada, except her birthday.":                     true,
		"Forget everything about Ada except her birthday.":                      true,
		"Forget everything, except what I said about Ada.":                      true,
		"Forget everything about the Berlin office (but keep the phone number)": true,
		"Forget everything about Ada, no wait, don't.":                          true,
		"Forget everything about Ada, keep the address.":                        true,
		"Forget everything about Ada, Ben and Carla.":                           true,
		"Vergiss alles über Ada, außer ihrer Adresse.":                          true,
		"Kannst du alles über Ada, aber nicht die Adresse, vergessen?":          true,
		"Oublie tout sur Ada, sauf son adresse.":                                true,
		"Olvida todo sobre Ada, salvo su cumpleaños.":                           true,
		"Forget everything about Ada, she has left.":                            false,
		"Forget everything about Ada, please.":                                  false,
		"Forget everything about the keep-alive setting.":                       false,
		"Forget everything.":                                                    false,
	} {
		list := Requests(said)
		if len(list) != 1 || !list[0].All || list[0].Limited != want {
			t.Errorf("%q, limited %v: %+v", said, want, list)
		}
	}
}

func TestRequestInQuotesAndCodeIsNotAsked(t *testing.T) {
	for _, said := range []string{
		`"Forget everything about Ada." That is what Bob wrote.`,
		"“Forget everything about Ada.” That is what Bob wrote.",
		"„Vergiss alles über Ada.“ Das schrieb Bob.",
		"»Vergiss alles über Ada.« Das schrieb Bob.",
		"« Oublie tout sur Ada. » Bob a dit cela.",
		"```Forget everything about Ada.```",
		"``` Forget everything about Ada. ```",
		"  > Forget everything about Ada.",
		"> Hello. Forget everything about Ada.",
	} {
		if list := Requests(said); len(list) > 0 {
			t.Errorf("%q asks to forget %q", said, shown(list[0]))
		}
	}
	for said, want := range map[string]string{
		`Bob said "hi there." Please forget everything about Ben.`:    "all: Ben",
		"Bob said “hi there.” Please forget everything about Ben.":    "all: Ben",
		"Bob sagte »hallo.« Vergiss alles über Ben.":                  "all: Ben",
		"Bob sagte »hallo«. Vergiss alles über Ben.":                  "all: Ben",
		"Bob a dit « salut. » Oublie tout sur Ben.":                   "all: Ben",
		"See ```x := 1.``` here. Please forget everything about Ben.": "all: Ben",
		"> what Bob wrote\nPlease forget everything about Ben.":       "all: Ben",
	} {
		if list := Requests(said); len(list) != 1 || shown(list[0]) != want {
			t.Errorf("%q asks to forget %+v, not %q", said, list, want)
		}
	}
}

func TestRequestsInHostileText(t *testing.T) {
	const wish = "\nForget everything about Ada."
	for _, part := range []string{"A. ", "\n", "A . ", "Dr. \t ", "> ", "\"", "``` ", "«»"} {
		said := strings.Repeat(part, 1<<20/len(part)) + "\n" + wish
		if list := Requests(said); len(list) != 1 || shown(list[0]) != "all: Ada" {
			t.Errorf("after many %q: %+v", part, list)
		}
	}
}

// shown says what a request asks for.
func shown(f Request) string {
	var how, words []string
	for _, flag := range []struct {
		name string
		is   bool
	}{{"all", f.All}, {"kept", f.Kept}, {"own", f.Own}} {
		if flag.is {
			how = append(how, flag.name)
		}
	}
	for _, w := range f.Words {
		words = append(words, w.Text)
	}
	said := strings.Join(words, " ")
	if len(how) > 0 {
		said = strings.TrimSpace(strings.Join(how, " ") + ": " + said)
	}
	return said
}

func TestRequestsAboutTheWorld(t *testing.T) {
	for _, said := range []string{
		"Please delete the old branch.", "Forget Monday, let's meet on Tuesday.", "Don't forget the keys.",
		"I forgot his name.", "Could you remove the sofa?", "Forget it.", "Forget that!", "Never forget everything about Ada.",
		"Remove everything on the table.", "Delete everything in the temporary folder.", "Should we forget everything about Ada?",
		"Forget everything about Ada?", `He wrote: "Fine. Forget everything about Ada."`, "> Forget everything about Ada.",
		"```\nForget everything about Ada.\n```", "If you forget everything about Ada, tell me.", "Forget to water them and they die.",
		"We had to forget the whole plan.", "Ada asked to delete everything about her.", "Delete all records of the test run.",
		"Vergiss nicht alles über Ada.", "Vergiss die Schlüssel nicht, bitte.", "N'oublie pas les clés.", "No olvides las llaves.",
		"Lösche den alten Zweig.", "Don't keep the sofa.", "Clean everything about the kitchen.", "What you know about Ada matters.",
	} {
		if list := Requests(said); len(list) > 0 {
			t.Errorf("%q asks to forget %q", said, shown(list[0]))
		}
	}
}

func FuzzRequests(f *testing.F) {
	for _, s := range []string{
		"Please forget everything about Ada.", "Kannst du bitte alles über Ada vergessen?", "“Vergiss” «tout» „x“ ``` .",
		"forget what I said about", "delete everything you know", "bitte vergessen", "\xff forget\x00 that it is so",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, g := range Requests(s) {
			if s[g.Start:g.End] != g.Text {
				t.Fatalf("the sentence of %+v is not where it says", g)
			}
			spans := g.Words
			if g.What.End > 0 {
				spans = append(spans, g.What)
			}
			for _, w := range spans {
				if w.Start < g.Start || w.End > g.End || s[w.Start:w.End] != w.Text || w.Text == "" {
					t.Fatalf("%q has %+v", s, w)
				}
			}
			if len(g.Words) == 0 && !g.All {
				t.Fatalf("%q asks for nothing", s)
			}
		}
	})
}

func TestRequestInAProposalTakesNothingBack(t *testing.T) {
	for said, want := range map[string]tenure.Act{
		"Forget Monday, let's meet on Tuesday.":             tenure.Proposes,
		"Forget Monday, we meet on Tuesday.":                tenure.Retracts,
		"Forget the warehouse sale. Let's go home.":         tenure.Retracts,
		"I take back that it is Monday, let's see Tuesday.": tenure.Retracts,
	} {
		list := Proposed(said, statements.Read(statements.Turn{Speaker: "Jo", Text: said}, nil))
		if len(list) == 0 || list[0].Act != want {
			t.Errorf("%q: %+v", said, list)
		}
	}
}
