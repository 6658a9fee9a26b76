package statements_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/ner"
	"tenure/statements"
)

// said is when the turns of these tests are said: a Monday.
var said = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func turn(t *testing.T, text string) statements.Turn {
	t.Helper()
	mentions, err := ner.New().Extract(context.Background(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return statements.Turn{Speaker: "Ann", At: tenure.At(said), Text: text, Mentions: mentions}
}

// want is what one statement of a text should say; empty fields are not looked at.
type want struct {
	act                tenure.Act
	subject, new, old  string
	property, from, by string
}

func (w want) is(s tenure.Statement) bool {
	from := ""
	if s.From != nil {
		from = s.From.String()[:10]
	}
	return s.Act == w.act && (w.subject == "" || s.Subject.Text == w.subject) && (w.new == "" || s.New.Text == w.new) &&
		(w.old == "" || s.Old.Text == w.old) && strings.Contains(s.Property, w.property) &&
		(w.from == "" || w.from == from) && strings.Contains(s.Voice, w.by)
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		text string
		want want
	}{
		// assertions, most without a word of change
		{"The printer lives in room 204.", want{act: tenure.Asserts, subject: "printer", new: "room 204", property: "lives"}},
		{"the guest wifi code is 4711", want{act: tenure.Asserts, subject: "guest wifi code", new: "4711"}},
		{"Plover's launch city is Namur these days", want{act: tenure.Asserts, subject: "Plover", new: "Namur", property: "launch city"}},
		{"the code for the boathouse is 9026", want{act: tenure.Asserts, subject: "boathouse", new: "9026", property: "code"}},
		{"its in slough row c", want{act: tenure.Asserts, new: "slough row c"}},
		{"- Figma 18 seats", want{act: tenure.Asserts, subject: "Figma", new: "18", property: "seats"}},
		{"Ember lamp £45, Cinder lamp £38, both live", want{act: tenure.Asserts, subject: "Cinder lamp", new: "£38"}},
		{"Hugo wants the sepia theme", want{act: tenure.Asserts, subject: "Hugo", new: "sepia theme"}},
		{"rt-7 runs firmware 4.1.2", want{act: tenure.Asserts, subject: "rt-7", new: "4.1.2", property: "runs"}},
		{"My aunt Signe was born in Visby", want{act: tenure.Asserts, subject: "aunt Signe", new: "Visby", property: "was born"}},
		{"I should mention that the sauna fee is 90 kronor", want{act: tenure.Asserts, subject: "sauna fee", new: "90 kronor"}},
		{"Dr Ek has kindly accepted the post of registrar", want{act: tenure.Asserts, subject: "Dr Ek"}},
		{"Ada keeps a paleo diet", want{act: tenure.Asserts, subject: "Ada", new: "paleo diet"}},
		{"Jonas left for Rowan", want{act: tenure.Asserts, subject: "Jonas", new: "Rowan"}},
		{"One-time code for Hugo: 663731", want{act: tenure.Asserts, subject: "Hugo", new: "663731", property: "One-time code"}},
		{"Pick-up point: Kiosk Lindenplatz", want{act: tenure.Asserts, new: "Kiosk Lindenplatz"}},
		{"Ines has the pager", want{act: tenure.Asserts, subject: "pager", new: "Ines", property: "has"}},
		{"OPS-311 in progress", want{act: tenure.Asserts, subject: "OPS-311", new: "in progress"}},
		{"Noor Haddadi steps in for Lila Moss.", want{act: tenure.Asserts, new: "Noor Haddadi", old: "Lila Moss"}},
		{"we moved the retro from Tuesday to Friday", want{act: tenure.Asserts, new: "Friday", old: "Tuesday"}},
		{"timeout: 30 s -> 45 s", want{act: tenure.Asserts, new: "45 s", old: "30 s"}},
		{"If you need to get in, the code is 4711.", want{act: tenure.Asserts, new: "4711"}},
		{"Please tell them that the price is 40 euros.", want{act: tenure.Asserts, new: "40 euros"}},
		{"um the room is uh room 12, no, room 14", want{act: tenure.Asserts, new: "room 14", old: "room 12"}},
		{"The launch is on 5 May 2026.", want{act: tenure.Asserts, subject: "launch", new: "5 May 2026"}},
		{"Vera took over the newsletter from Tom", want{act: tenure.Asserts, subject: "newsletter", new: "Vera", old: "Tom"}},
		{"my number is +44 20 7946 0991", want{act: tenure.Asserts, new: "+44 20 7946 0991"}},
		{"Tom handed the newsletter over to Vera", want{act: tenure.Asserts, new: "Vera", old: "Tom"}},
		{"Theo moved to Cardiff last week.", want{act: tenure.Asserts, subject: "Theo", new: "Cardiff"}},
		{"Theo moved to Cardiff yesterday.", want{act: tenure.Asserts, subject: "Theo", new: "Cardiff"}},
		{"Ann took over the team last month.", want{act: tenure.Asserts, new: "Ann"}},
		{"The price was 5 euros last week.", want{act: tenure.Recounts, new: "5 euros"}},
		{"The heron was moved to the lab.", want{act: tenure.Asserts, subject: "heron", new: "lab"}},
		{"It was moved that the fee be 5 euros.", want{act: tenure.Proposes, new: "5 euros"}},
		{"Visiting hours in Ward 3 are from 2 pm to 6 pm.", want{act: tenure.Asserts, subject: "Ward 3", new: "2 pm to 6 pm"}},
		{"The hearing moved from 2 pm to 6 pm.", want{act: tenure.Asserts, new: "6 pm", old: "2 pm"}},
		{"Fiona Blake is the head nurse of Ward 3.", want{act: tenure.Asserts, subject: "Ward 3", new: "Fiona Blake"}},
		{"Parking costs 4 euros since Friday", want{act: tenure.Asserts, new: "4 euros", from: "2026-02-27"}},
		// corrections, ends, plans
		{"typo, it should be 48 euros", want{act: tenure.Corrects, new: "48 euros"}},
		{"it's not sixty but twenty", want{act: tenure.Corrects, new: "twenty", old: "sixty"}},
		{"sorry, wrong file! Mr Tanaka gets a walker", want{act: tenure.Corrects, subject: "Mr Tanaka", new: "walker"}},
		{"Hanne Moe no longer works here", want{act: tenure.Ends, old: "Hanne Moe"}},
		{"Rita Sand no longer owns Plover", want{act: tenure.Ends, subject: "Rita Sand"}},
		{"You can take Marco off the list", want{act: tenure.Ends, old: "Marco"}},
		{"scrap Bruges, the hotel went bust", want{act: tenure.Retracts, old: "Bruges"}},
		{"From 1 April the shop is run by Ida Holm.", want{act: tenure.Plans, new: "Ida Holm", from: "2026-04-01"}},
		{"the server moves to Ghent next Monday", want{act: tenure.Plans, new: "Ghent", from: "2026-03-09"}},
		{"Since 1 February the shop is run by Ida Holm.", want{act: tenure.Asserts, new: "Ida Holm", from: "2026-02-01"}},
		// what changes nothing
		{"is the retro on Friday?", want{act: tenure.Asks, new: "Friday"}},
		{"is ines on call for magpie", want{act: tenure.Asks}},
		{"could you move the retro to Friday", want{act: tenure.Requests, new: "Friday"}},
		{"How about we use Postgres", want{act: tenure.Proposes, new: "Postgres"}},
		{"imagine the database was Oracle", want{act: tenure.Supposes}},
		{"If it were 30, we would need the big coach.", want{act: tenure.Supposes, new: "30"}},
		{"It was suggested that Ann Quist be appointed as nurse.", want{act: tenure.Proposes}},
		{"The limit stays as it is.", want{act: tenure.Denies, subject: "limit"}},
		{"A man from the club says that the code is 8155.", want{act: tenure.Reports, new: "8155", by: "man from the club"}},
		{"apparently the price is 40 euros", want{act: tenure.Reports, new: "40 euros"}},
		{"The code used to be 3185.", want{act: tenure.Recounts, new: "3185"}},
		{"In 2019 we stayed at the Hotel Perm.", want{act: tenure.Recounts}},
		{"my name is Bond 🙄", want{act: tenure.Jokes}},
		{"it is 12 euros. just a thought", want{act: tenure.Proposes, new: "12 euros"}},
		{"Ideas only:\n- Bruges", want{act: tenure.Proposes, new: "Bruges"}},
		// other languages
		{"Die Leitung liegt jetzt bei Emre Yildiz", want{act: tenure.Asserts, subject: "Leitung", new: "Emre Yildiz"}},
		{"Wir haben kein Auto mehr.", want{act: tenure.Ends}},
		{"Sollen wir das Treffen auf Freitag verschieben?", want{act: tenure.Proposes, new: "Freitag"}},
		{"pardon, je voulais dire le jeudi", want{act: tenure.Corrects, new: "jeudi"}},
		{"Il paraît que le prix est de 40 euros.", want{act: tenure.Reports, new: "40 euros"}},
		{"el seguro del coche lo tengo con Atlantea", want{act: tenure.Asserts, new: "Atlantea"}},
		{"Ya no trabajo en Solaria.", want{act: tenure.Ends, old: "Solaria"}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			list := statements.Read(turn(t, tt.text), nil)
			for _, s := range list {
				if tt.want.is(s) {
					return
				}
			}
			t.Errorf("no statement like %+v in %+v", tt.want, list)
		})
	}
}

// What only looks like a change must not state a value at all, in any of its readings.
func TestReadStatesNothing(t *testing.T) {
	for _, text := range []string{
		"could we move the retro to Friday?", "what if it were Friday", "let's say Friday", "she might take Friday",
		"the retro was on Friday until last year", "somebody said it is Friday", "is it Friday or what",
		"it's not Friday", "we never moved the retro from Monday to Friday", "they have not moved the retro from Monday to Friday",
		"we almost moved the retro from Monday to Friday", "we nearly moved the retro to Friday", "The Echo says sixty on Market Street and that is just not so",
		"Il conto è stato pagato ieri e non serve più", "Η συνάντηση είναι την Παρασκευή", "会议在星期五",
		"we're thinking Friday for the retro", "Plan: move the retro to Friday", "thanks!", "Thank you, Mrs Hedlund.", "ok", "👍", "```\n```", "", "   \n\n",
	} {
		for _, s := range statements.Read(turn(t, text), nil) {
			if s.Act.Changes() && s.New.Text != "" {
				t.Errorf("%q states %+v", text, s)
			}
		}
	}
}

func TestReplies(t *testing.T) {
	asked := turn(t, "Could we move the retro to Friday?")
	asked.Speaker = "Bob"
	wh := turn(t, "Who owns Magpie?")
	wh.Speaker = "Bob"
	for _, tt := range []struct {
		before statements.Turn
		text   string
		act    tenure.Act
		value  string
	}{
		{asked, "ok do it", tenure.Asserts, "Friday"},
		{asked, "agreed!", tenure.Asserts, "Friday"},
		{asked, "no", tenure.Denies, "Friday"},
		{asked, "yes, but let me ask Cara", "", ""},
		{asked, "let me see", "", ""},
		{wh, "yes", "", ""},
	} {
		act, value := tenure.Act(""), ""
		for _, s := range statements.Read(turn(t, tt.text), []statements.Turn{tt.before}) {
			if s.New.Text == "Friday" || s.New.Text == "Magpie" {
				act, value = s.Act, s.New.Text
			}
		}
		if act != tt.act || value != tt.value {
			t.Errorf("%q after %q: %s %q, want %s %q", tt.text, tt.before.Text, act, value, tt.act, tt.value)
		}
	}
}

// Texts of words that rules look for, in any order, are read without a panic, and their spans are of the text.
func TestReadAnyOrder(t *testing.T) {
	words := strings.Fields(`the a is not it's 4 5 May , . no sorry from to from Tuesday Friday 's 's " ' „ ( ) : - -> if could you
		that says Anna 3 00 + 12 one two twenty first point of , , ; its dont - > 🙄 😂 yes no but and so room 204 Ann Bo kidding
		instead rather than off take over was in just thought 2019 next Monday since until only scrap typo wrong`)
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var text strings.Builder
		for range random.IntN(100) {
			text.WriteString(words[random.IntN(len(words))])
			text.WriteString([]string{" ", " ", "", "\n"}[random.IntN(4)])
		}
		checkSpans(t, text.String(), text.String())
	}
}

func checkSpans(t *testing.T, text, before string) {
	t.Helper()
	turn := statements.Turn{Text: text, At: tenure.At(said), Speaker: "a"}
	for _, s := range statements.Read(turn, []statements.Turn{{Text: before, Speaker: "b"}}) {
		for _, span := range []tenure.Span{s.Span, s.Subject, s.New, s.Old} {
			if span.Start != span.End && text[span.Start:span.End] != span.Text {
				t.Errorf("span %+v is not of the text %q", span, text)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"launch city is Namur these days", "from 30 to 40, not 50 but \x00 60", "\xff'’“„«'s", "l'", "a'",
		strings.Repeat("x is 4 and ", 50), "İ'S İt's ǅ’s", "- a: b\n- c: 4", "\u202eabc\u202c ist jetzt 5"} {
		f.Add(text, text)
	}
	f.Fuzz(checkSpans)
}
