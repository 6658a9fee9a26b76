package passages_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
	"tenure/passages"
)

var tokens = compile.NewTokens()

// without returns a text without its white space.
func without(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// check holds the passages of a text to what Cut promises of every text.
func check(t *testing.T, title, text string, media tenure.MediaType) []tenure.Passage {
	t.Helper()
	list := passages.Cut(title, text, media, tokens.Count)
	all := strings.Builder{}
	rest := strings.TrimSpace(text)
	longest := 0
	for w := range strings.FieldsSeq(text) {
		longest = max(longest, tokens.Count(" "+w))
	}
	for i, p := range list {
		all.WriteString(p.Text)
		if p.Number != i+1 || p.Text == "" || p.Text != strings.TrimSpace(p.Text) {
			t.Fatalf("passage %d is number %d: %q", i+1, p.Number, p.Text)
		}
		if p.Tokens != tokens.Count(p.Text) {
			t.Errorf("passage %d has %d tokens, and says %d", p.Number, tokens.Count(p.Text), p.Tokens)
		}
		if n := len(strings.Fields(p.Text)); p.Tokens > passages.Most && n > 1 {
			t.Errorf("passage %d of %d words has %d tokens", p.Number, n, p.Tokens)
		}
		if len(list) > 1 && p.Tokens < passages.Fewest-longest {
			t.Errorf("passage %d of %d has %d tokens, where no word has more than %d", p.Number, len(list), p.Tokens, longest)
		}
		if n := tokens.Count(p.Preamble); n > 100 {
			t.Errorf("the preamble of passage %d has %d tokens: %q", p.Number, n, p.Preamble)
		}
		for w := range strings.FieldsSeq(p.Preamble) {
			if w != ">" && !strings.Contains(" "+strings.Join(strings.Fields(title+" "+text), " ")+" ", w) {
				t.Errorf("the preamble of passage %d has a word of its own: %q", p.Number, w)
			}
		}
		at := strings.Index(rest, p.Text)
		if at < 0 || strings.TrimSpace(rest[:at]) != "" {
			t.Fatalf("passage %d does not follow the one before it", p.Number)
		}
		rest = rest[at+len(p.Text):]
		if i+1 < len(list) && splitsWord(p.Text, rest) {
			t.Errorf("passage %d ends within a word: %q", p.Number, p.Text[max(0, len(p.Text)-40):])
		}
	}
	if all := all.String(); without(all) != without(text) {
		t.Errorf("the passages of %q joined are %q", text, all)
	}
	if diff := cmp.Diff(list, passages.Cut(title, text, media, tokens.Count)); diff != "" {
		t.Error("the same text is cut in two ways: ", diff)
	}
	return list
}

// splitsWord reports whether a word of a script with blanks goes on beyond a cut.
func splitsWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	blanks := func(r rune) bool {
		return unicode.IsLetter(r) && unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek)
	}
	return blanks(last) && blanks(next)
}

// written is a random text of a number of words, with sentences, paragraphs and headings where they may be.
func written(rnd *rand.Rand, words, sentence, paragraph, section int, longest int) string {
	var b strings.Builder
	for i := range words {
		w := "word"
		for range rnd.IntN(longest) {
			w += string(rune('a' + rnd.IntN(26)))
		}
		switch {
		case section > 0 && rnd.IntN(section) == 0:
			fmt.Fprintf(&b, ".\n\n%s Heading %d\n\n%s", strings.Repeat("#", 1+rnd.IntN(4)), i, strings.ToUpper(w[:1])+w[1:])
		case rnd.IntN(paragraph) == 0:
			b.WriteString(".\n\n" + strings.ToUpper(w[:1]) + w[1:])
		case rnd.IntN(sentence) == 0:
			b.WriteString(". " + strings.ToUpper(w[:1]) + w[1:])
		default:
			b.WriteString(" " + w)
		}
	}
	return b.String() + "."
}

func TestPassagesOfRandomTexts(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		text := written(rnd, 1+rnd.IntN(2000), 1+rnd.IntN(40), 1+rnd.IntN(200), rnd.IntN(400), 1+rnd.IntN(12))
		media := []tenure.MediaType{tenure.PlainText, tenure.Markdown}[seed%2]
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			list := check(t, "A handbook of words", text, media)
			for _, p := range list {
				if n := tokens.Count(p.Preamble); n < 50 && tokens.Count(text) > 100 {
					t.Errorf("the preamble of passage %d has %d tokens: %q", p.Number, n, p.Preamble)
				}
			}
		})
	}
}

func sentencesOf(n int, about string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Sentence number %d is about %s and nothing else. ", i, about)
	}
	return b.String()
}

func TestPassagesEndWhereTheTextDoes(t *testing.T) {
	one, two := sentencesOf(20, "pumps"), sentencesOf(25, "valves")
	for name, c := range map[string]struct {
		text  string
		media tenure.MediaType
		ends  []string // of the passages but the last
	}{
		"a-section-before-a-paragraph": {
			"# Pumps\n\n" + one + "\n\n# Valves\n\n" + two + "\n\n" + one, tenure.Markdown, []string{"pumps and nothing else."},
		},
		"a-paragraph-before-a-sentence": {one + "\n\n" + two, tenure.PlainText, []string{"19 is about pumps and nothing else."}},
		"a-sentence-before-a-word":      {sentencesOf(60, "pipes"), tenure.PlainText, []string{"nothing else."}},
		"lines-are-no-sentences": {
			strings.Repeat("these words go on\nand on over many lines\n", 50) + "and end. " + two, tenure.PlainText, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			list := check(t, "", c.text, c.media)
			if len(list) < 2 {
				t.Fatalf("%d passages", len(list))
			}
			for i, end := range c.ends {
				if !strings.HasSuffix(list[i].Text, end) {
					t.Errorf("passage %d ends %q", i+1, list[i].Text[len(list[i].Text)-60:])
				}
			}
		})
	}
	list := check(t, "", "# Pumps\n\n"+one+"\n\n# Valves\n\n"+two+"\n\n"+one, tenure.Markdown)
	if !strings.HasPrefix(list[1].Text, "# Valves") {
		t.Errorf("the second passage begins %q", list[1].Text[:40])
	}
}

func TestHeadings(t *testing.T) {
	body := func(name string) string { return "\n" + sentencesOf(22, name) + "\n\n" }
	text := "# Guide #\n" + body("alpha") + "## Setting up\n" + body("beta") + "```sh\n# a comment, no heading\nmake\n```\n" + body("gamma") +
		"Running\n-------\n" + body("delta") + "### Stopping" + body("epsilon") + "Reference\n===\n" + body("zeta")
	under := map[string][]string{}
	for _, p := range check(t, "", text, tenure.Markdown) {
		for _, name := range []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"} {
			if strings.Contains(p.Text, name) && under[name] == nil {
				under[name] = p.Headings
			}
		}
	}
	want := map[string][]string{
		"alpha": {"Guide"}, "beta": {"Guide", "Setting up"}, "gamma": {"Guide", "Setting up"}, "delta": {"Guide", "Running"},
		"epsilon": {"Guide", "Running", "Stopping"}, "zeta": {"Reference"},
	}
	if diff := cmp.Diff(want, under); diff != "" {
		t.Error(diff)
	}
	for _, p := range check(t, "", text, tenure.PlainText) {
		if p.Headings != nil {
			t.Errorf("a plain text has the headings %q", p.Headings)
		}
	}
}

func TestPreambles(t *testing.T) {
	text := "# Pumps\n\nA pump moves water. " + sentencesOf(20, "pumps") + "\n\n## Repairs\n\n" + sentencesOf(25, "repairs")
	list := check(t, "Handbook", text, tenure.Markdown)
	if len(list) != 2 {
		t.Fatalf("%d passages", len(list))
	}
	if p := list[0].Preamble; !strings.HasPrefix(p, "Handbook > Pumps\n") || !strings.Contains(p, "A pump moves water.") {
		t.Errorf("the first passage comes with %q", p)
	}
	if p := list[1].Preamble; !strings.HasPrefix(p, "Handbook > Pumps > Repairs\n") || !strings.HasSuffix(p, "Sentence number 19 is about pumps and nothing else.") {
		t.Errorf("the second passage comes with %q", p)
	}
}

func TestPassagesOfOddTexts(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": " \n\t ", "a-word": "word", "a-huge-word": strings.Repeat("x1", 5000),
		"a-huge-word-among-others": sentencesOf(60, "a") + strings.Repeat("x1", 5000) + " " + sentencesOf(60, "b"),
		"without-blanks":           strings.Repeat("昨日山田太郎さんに会った。", 300), "marks-alone": strings.Repeat("# ", 3000),
		"fences-that-never-end": "```\n" + strings.Repeat("code line\n\n", 400), "lines": strings.Repeat("a.\n", 2000),
		"an-underline-of-nothing": "===\n---\n===\ntext\n---", "blank-lines": "a" + strings.Repeat("\n", 5000) + "b",
		"returns": strings.Repeat("a line\r\n", 900), "a-table": strings.Repeat("| a | b |\n", 400),
		"a-list": strings.Repeat("- an item of a list without an end\n", 200),
	} {
		t.Run(name, func(t *testing.T) {
			for _, media := range []tenure.MediaType{tenure.PlainText, tenure.Markdown} {
				if list := check(t, "Title", text, media); (len(list) == 0) != (strings.TrimSpace(text) == "") {
					t.Errorf("%d passages", len(list))
				}
			}
		})
	}
}

// TestTheTimeGrowsWithTheText cuts long texts that are made to be slow: a way that looks at a text again and again takes
// hours for them.
func TestTheTimeGrowsWithTheText(t *testing.T) {
	const size = 1 << 20
	for name, text := range map[string]string{
		"words": strings.Repeat("a ", size/2), "one-word": strings.Repeat("ab", size/2),
		"full-stops": strings.Repeat(". ", size/2), "a-stop-and-blanks": "A." + strings.Repeat(" ", size) + "b",
		"lines": strings.Repeat("a\n", size/2), "headings": strings.Repeat("# a\n", size/4),
		"fences": strings.Repeat("```\n", size/4), "stops-and-marks": "A." + strings.Repeat("\")", size/2),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			passages.Cut("T", text, tenure.Markdown, func(s string) int { return strings.Count(s, "a") + 1 })
			t.Logf("%s: %v", name, time.Since(start))
		})
	}
}

func FuzzCut(f *testing.F) {
	f.Add("Title", "# A\n\nSome words. More words!\n\n## B\nwords", true)
	f.Add("", strings.Repeat("昨日。", 200)+"end", false)
	f.Add("T", sentencesOf(60, "x")+"\n```\n# no\n", true)
	f.Fuzz(func(t *testing.T, title, text string, markdown bool) {
		if !utf8.ValidString(text) || !utf8.ValidString(title) || len(text) > 1<<16 || slices.Contains([]byte(text), 0) {
			return
		}
		media := tenure.PlainText
		if markdown {
			media = tenure.Markdown
		}
		check(t, title, text, media)
	})
}
