package search

import (
	"strings"
	"testing"

	"tenure/text"
)

// queryOf reads a query in which capitals mean something, and what is taken is in brackets.
func queryOf(query string) Query { return Of(query, wordsOf(query)) }

func wordsOf(query string) []Word {
	var list []Word
	for _, s := range text.Words(query) {
		w := query[s.From:s.Until]
		list = append(list, Word{
			Span: s, Key: text.Fold(w), Capital: w != strings.ToLower(w), Joined: true,
			Taken: s.From > 0 && query[s.From-1] == '[',
		})
	}
	return list
}

func TestWhichTextsHaveWhatIsAsked(t *testing.T) {
	for _, c := range []struct {
		query, content string
		want           bool
	}{
		{"Which database do we use?", "staging database Postgres", true},
		{"Which database do we use?", "staging region Frankfurt", false},
		{"Who is the form teacher of 6b?", "class 6b form teacher Ms Thornbury", true},
		{"Who is the form teacher of 6b?", "class 6a form teacher Mr Eade", false}, // another code
		{"Which database does Heron use?", "staging database Postgres", false},     // another name
		{"Where do the volunteers meet on Thursday?", "volunteers' meeting place boathouse", true},
		{"Who is on duty on 12 March?", "practice duty Dr Ferreira", true}, // a date names nothing
		{"What colour is the door?", "server room door code 4471", false},  // half is not most
		{"How are you?", "how are you", false},
		{"Which API keys are there?", "build robot API key key-271", true}, // short plurals
		{"What about the cities?", "tour city Ghent", true},
		{"List all offices", "Ben office A14", true}, // only asks
		{"Who is on the guest list?", "party guest list Ben", true},
		{"Who is on the guest list?", "party guest Ben", false},
	} {
		found := queryOf(c.query).Find([]Document{{Parts: []string{c.content}}})
		if got := found[0].HasMost(); got != c.want {
			t.Errorf("%s %s: %v", c.query, c.content, got)
		}
	}
}

func TestTheKindOfTheAnswerCounts(t *testing.T) {
	for _, c := range []struct {
		query, content string
		want           bool
	}{
		{"When does [Plover start?", "the doors open at 9", true}, {"When does [Plover start?", "the doors open on Friday", true},
		{"When does [Plover start?", "the doors open soon", false}, {"What day does [Plover start?", "it is for May", true},
		{"How many seats has [Plover?", "there are forty", true}, {"How many seats has [Plover?", "there are a few", false},
		{"Who leads [Plover?", "ask Kwame", true}, {"Who leads [Plover?", "ask me", false}, {"Who leads [Plover?", "Ask on Monday", false},
		{"Where does [Plover start?", "they meet in Ústí", true}, {"Why does [Plover start?", "they meet at 9", false},
		{"What about [Plover?", "anything", true},
	} {
		q := queryOf(c.query)
		found := q.Find([]Document{{Parts: []string{c.content}, About: true, Answer: c.content}})
		if got := q.AsksOfNamed(found[0]); got != c.want {
			t.Errorf("%s %s: %v", c.query, c.content, got)
		}
	}
}

func TestTheBestAreKept(t *testing.T) {
	q := queryOf("red door paint")
	found := q.Find([]Document{
		{Parts: []string{"a door"}}, {Parts: []string{"red door paint"}}, {Parts: []string{"red and much else that is said of the door at length"}},
		{Parts: []string{"nothing"}}, {Parts: []string{"paint, red"}},
	})
	all := func(int) bool { return true }
	if got := Best(found, 10, all); len(got) != 2 || got[0] != 1 || got[1] != 4 {
		t.Errorf("%v of %v", got, found)
	}
	list := q.Find([]Document{
		{Parts: []string{"a red door"}}, {Parts: []string{"red, a door of which very much else is said at more than usual length and then some"}},
		{Parts: []string{"a door, and nothing else"}}, {Parts: []string{"nothing"}}, {Parts: []string{"nothing else"}},
	})
	if got := Best(list, 10, func(i int) bool { return list[i].HasMost() }); len(got) != 2 {
		t.Errorf("of a list: %v of %v", got, list)
	}
	if got := Best(found, 1, all); len(got) != 1 || got[0] != 1 {
		t.Errorf("one: %v", got)
	}
}

// TestEachQuestionOfAQuery: what answers one of two questions has few of the words of both.
func TestEachQuestionOfAQuery(t *testing.T) {
	for query, want := range map[string]int{
		"How big is the page cache, and what eviction does it use?": 2, "Who leads it? Where does it run?": 2,
		"What is the name and address?": 1, "Where is it and in which room?": 2, "Who knows what is wrong?": 1,
	} {
		if got := len(Parts(query, wordsOf(query))); got != want {
			t.Errorf("%s: %d questions, want %d", query, got, want)
		}
	}
	query := "How big is the page cache, and what eviction does it use?"
	found := Parts(query, wordsOf(query))[1].Find([]Document{{Parts: []string{"the eviction is LRU"}}, {Parts: []string{"512 MB of page cache"}}})
	if !found[0].HasMost() || found[1].HasMost() {
		t.Errorf("%v", found)
	}
}

func TestSomethingOfTheKindMakesUpForAWord(t *testing.T) {
	for _, c := range []struct {
		query, content string
		want           bool
	}{
		{"When is the quarterly review?", "the review is on Friday", true}, {"When is the quarterly review?", "the review is boring", false},
		{"Where is the retirement party?", "the party is at the barn", true}, {"Where is the retirement party?", "the party is at nine", false},
		{"Who cleans the pool?", "Zadie cleans", true}, {"How does the pool heat?", "40 for the pool", false}, // in which way, not how many
	} {
		found := Of(c.query, wordsOf(c.query)).Find([]Document{{Parts: []string{c.content}, Answer: c.content}})
		if got := found[0].HasMost(); got != c.want {
			t.Errorf("%s %s: %v", c.query, c.content, got)
		}
	}
}

// TestAWordForTheScopeAsksForNothing checks that a word which says where a question is asked is none that a text must
// have, and that the same word asks where it is what the question is about.
func TestAWordForTheScopeAsksForNothing(t *testing.T) {
	for query, want := range map[string]int{
		"Which database do we use in this project?": 1, "Which judge do we have in our case?": 1,
		"What is the deadline for the project": 1, "Which project has a deadline?": 2, "Who leads the project Heron now?": 3,
	} {
		if q := queryOf(query); len(q.Number) != want {
			t.Errorf("%s: %v", query, q.Number)
		}
	}
}
