package search

import (
	"strings"

	"tenure/ner/words"
	"tenure/text"
)

// Asking is how a query asks, by its wording.
type Asking struct {
	// Question reports whether it asks how things are, or asks to be told: it is no task, however politely put ("Could
	// you write ..."), and does not ask how something is done. A text in a script without blanks between words may be one.
	Question bool
	// All reports whether it asks for all that is known of what it names, or of the person who asks.
	All bool
	// Own reports whether it asks for something of the person who asks: "my". A text in a script without blanks may.
	Own bool
	// Pointing reports whether it refers to what is supposed to be known: "the price", "our plan", "can it be approved".
	Pointing bool
}

// The words of English, and of other languages those that are no English words; without marks.
var (
	broadWords = words.NewSet(`everything overview summary summarize summarise brief briefing background profile details
		prepare introduce introduction describe status update recap history context`)
	// selfWords ask for all that is known of the person whose they are: "my CV".
	selfWords = words.NewSet(`bio biography cv curriculum vita lebenslauf`)
	// ownWords say that something of the person who asks is asked for. Those of exactOwn are other words in capitals.
	ownWords = words.NewSet(`my mine mein meine meinen meinem meiner meines mio mia mis mes meu minha miei mijn`)
	exactOwn = map[string]bool{"mi": true, "Mi": true, "ma": true, "mon": true, "mij": true}

	pointingWords = words.NewSet(`the this that these those it its they them their he she him her his we our ours us i me
		der das dies dieser dieses diese wir uns unser unsere unseren unserem unserer ich mir mich
		le la les ce cette ces nous notre nos je moi el los las eso esto este esta nosotros nuestro nuestra yo il lo
		het deze onze ons nosso nossa`)

	fillers      = words.NewSet(`hi hello hey please thanks thank so and but well ok okay now sorry also just maybe`)
	verbsFirst   = words.NewSet(`is are was were does did has can could should will would may might must`)
	bareVerbs    = words.NewSet(`do have am`) // they begin a question before a pronoun, else a task
	pronouns     = words.NewSet(`i you we they he she it`)
	polite       = words.NewSet(`can could would will`)
	tellingWords = words.NewSet(`tell give show list name recall explain`)
	findingWords = words.NewSet(`find check see say know`) // they ask to be told before a question
	whetherWords = words.NewSet(`if whether`)
	prepositions = words.NewSet(`until till by at since for from in on to with about of`)
	// politely begins a request in other languages: "kannst du".
	politely = words.NewSet(`kannst konntest wurdest konnen konnten wurden peux pourrais pouvez pourriez puedes podrias
		puede podria puoi potresti kun kunt pode podes poderia`)
	howWords   = words.NewSet("how wie como hoe")
	doingVerbs = words.NewSet("do can could kann puedo podemos posso kan") // after how
	doers      = words.NewSet("i we you one ich wir man ik")
)

// decisive bounds the words of a query that are read to tell whether it is a question.
const decisive = 8

// AskingOf reads how a query asks, of which these are the words.
func AskingOf(query string, list []Word) (a Asking) {
	self := false
	for i, w := range list {
		before := ""
		if i > 0 {
			before = list[i-1].Key
		}
		a.Pointing = a.Pointing || pointsTo(w, before)
		a.Own = a.Own || ownWords.Has(w.Key) || exactOwn[query[w.From:w.Until]]
		a.All = a.All || broadWords.Has(w.Key)
		self = self || selfWords.Has(w.Key) || w.Key == "resume" && ownWords.Has(before) // and not "resume my subscription"
	}
	unspaced := strings.ContainsFunc(query, text.Unspaced)
	a.Own = a.Own || unspaced
	a.All = a.All || self && a.Own
	a.Question = unspaced || isQuestion(beginning(list), isMarked(query))
	return a
}

// pointsTo reports whether a word refers to what is supposed to be known. One with a capital is a name ("Los Angeles"),
// and the "me" of "tell me" refers to nothing.
func pointsTo(w Word, before string) bool {
	told := (w.Key == "me" || w.Key == "us") && (tellingWords.Has(before) || before == "remind")
	return pointingWords.Has(w.Key) && (!w.Capital || w.Key == "i") && !told
}

// beginning returns the decisive words of a query, the first but for fillers, and as many empty ones, so that whoever
// reads on need not check the length.
func beginning(list []Word) []string {
	var first []string
	for _, w := range list {
		if len(first) < decisive && !fillers.Has(w.Key) {
			first = append(first, w.Key)
		}
	}
	return append(first, make([]string, decisive)...)
}

// isMarked reports whether there is a question mark in a query, before what is quoted in it.
func isMarked(query string) bool {
	if end := strings.IndexAny(query, ":\"“«\n"); end > 0 {
		query = query[:end]
	}
	return strings.ContainsAny(query, "?？؟")
}

// isQuestion reports whether the first words of a query are those of a question, marked as one or not.
func isQuestion(list []string, marked bool) bool {
	first := list[0]
	for i := range decisive { // "Tenure, could you"
		if polite.Has(list[i]) && list[i+1] == "you" && !questionWords.Has(first) {
			return asksToBeTold(list[i+2:])
		}
	}
	switch {
	case politely.Has(first), first == "comment": // a French one mostly asks how something is done
		return false
	case asksToBeTold(list):
		return true
	case asksInWhichWay(list), orderingWords.Has(first), tellingWords.Has(first):
		return false
	}
	return marked || questionWords.Has(first) || verbsFirst.Has(first) || bareVerbs.Has(first) && pronouns.Has(list[1]) ||
		prepositions.Has(first) && questionWords.Has(list[1])
}

// asksToBeTold reports whether words begin as "tell me the", "look up", "remind me what" or "check when", and not as
// "tell me a joke", "tell me how to", "explain this" or "remind me to".
func asksToBeTold(list []string) bool {
	verb, rest, mine := list[0], list[1:], false
	if rest[0] == "me" || rest[0] == "us" {
		rest, mine = rest[1:], true
	}
	if rest[0] == "out" {
		rest = rest[1:]
	}
	asked := questionWords.Has(rest[0]) || whetherWords.Has(rest[0])
	switch {
	case asksInWhichWay(rest), rest[0] == "a", rest[0] == "an", rest[0] == "another":
		return false
	case verb == "explain" && rest[0] == "this", verb == "give" && !mine:
		return false
	case verb == "remind":
		return mine && rest[0] != "to"
	case verb == "look":
		return rest[0] == "up"
	}
	return tellingWords.Has(verb) || findingWords.Has(verb) && asked
}

// asksInWhichWay reports whether words ask how something is done.
func asksInWhichWay(list []string) bool {
	return howWords.Has(list[0]) && (list[1] == "to" || doingVerbs.Has(list[1]) && (doers.Has(list[2]) || list[0] == "como"))
}
