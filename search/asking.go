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

// The words of English, and of other languages those that are no English words.
var (
	broadWords = words.NewSet(`everything overview summary summarize summarise brief briefing background profile details
		prepare introduce introduction describe status update recap history context`)
	// selfWords ask for all that is known of the person whose they are: "my CV".
	selfWords = words.NewSet(`bio biography cv curriculum vita lebenslauf`)
	// ownWords say that something of the person who asks is asked for. Those of exactOwn are other words in capitals.
	ownWords = words.NewSet(`my mine mein meine meinen meinem meiner meines mío mía mis mes meu minha mio mia miei mijn`)
	exactOwn = map[string]bool{"mi": true, "Mi": true, "ma": true, "mon": true, "mij": true}

	pointingWords = words.NewSet(`the this that these those it its they them their he she him her his we our ours us i me
		der das dies dieser dieses diese wir uns unser unsere unseren unserem unserer ich mir mich
		l le la les ce cette ces nous notre nos je moi el los las eso esto este esta nosotros nuestro nuestra yo il lo
		het deze onze ons nosso nossa`)

	fillers      = words.NewSet(`hi hello hey please thanks thank you so and but well ok okay now sorry also`)
	verbsFirst   = words.NewSet(`is are was were does did has can could should will would may might must`)
	polite       = words.NewSet(`can could would will`)
	tellingWords = words.NewSet(`tell show list name recall explain describe summarize summarise`)
	prepositions = words.NewSet(`until till by at since for from in on to with about of`)
	// politely begins a request in other languages: "kannst du".
	politely = words.NewSet(`kannst konntest könntest würdest können könnten würden peux pourrais pouvez pourriez puedes
		podrías podrias puede podría puoi potresti kun kunt pode podes poderia`)
	doers = words.NewSet("i we you one") // after "how do"
)

// decisive is the number of words that tell whether a query is a question.
const decisive = 6

// AskingOf reads how a query asks.
func AskingOf(query string) (a Asking) {
	var self bool
	var first []string
	before := ""
	for i, span := range text.Words(query) {
		written := query[span.From:span.Until]
		w := text.Fold(written)
		if len(first) < decisive && (len(first) > 0 || !fillers.Has(w)) {
			first = append(first, w)
		}
		small := i == 0 || written == w || w == "i" // a capital within a query is that of a name: "Los Angeles"
		a.Pointing = a.Pointing || small && pointingWords.Has(w)
		a.Own = a.Own || ownWords.Has(w) || exactOwn[written]
		a.All = a.All || broadWords.Has(w)
		self = self || selfWords.Has(w) || w == "resume" && ownWords.Has(before) // and not "resume my subscription"
		before = w
	}
	unspaced := strings.ContainsFunc(query, text.Unspaced)
	a.Own = a.Own || unspaced
	a.All = a.All || self && a.Own
	a.Question = unspaced || isQuestion(append(first, make([]string, decisive)...), strings.ContainsAny(query, "?？؟"))
	return a
}

// isQuestion reports whether the first words of a query are those of a question, marked as one or not.
func isQuestion(list []string, marked bool) bool {
	first := list[0]
	switch {
	case politely.Has(first), first == "comment": // a French one mostly asks how something is done
		return false
	case polite.Has(first) && list[1] == "you":
		return asksToBeTold(list[2:])
	case asksToBeTold(list):
		return true
	case asksInWhichWay(list), orderingWords.Has(first):
		return false
	}
	return marked || questionWords.Has(first) || verbsFirst.Has(first) || prepositions.Has(first) && questionWords.Has(list[1])
}

// asksToBeTold reports whether words begin as "tell me the", "look up", "remind me what", and not as "tell me a joke",
// "tell me how to" or "remind me to".
func asksToBeTold(list []string) bool {
	verb, rest := list[0], list[1:]
	if rest[0] == "me" || rest[0] == "us" {
		rest = rest[1:]
	}
	if verb == "remind" {
		return questionWords.Has(rest[0])
	}
	told := tellingWords.Has(verb) && rest[0] != "a" && rest[0] != "an" && !asksInWhichWay(rest)
	return told || verb == "look" && rest[0] == "up"
}

// asksInWhichWay reports whether words ask how something is done.
func asksInWhichWay(list []string) bool {
	does := list[1] == "do" || list[1] == "can" || list[1] == "could"
	return list[0] == "how" && (list[1] == "to" || does && doers.Has(list[2]))
}
