package statements

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed words/*.txt
var tables embed.FS

// A class is a closed class of words by which clauses are read. A set of classes is a bitset.
type class uint64

// The classes. The tables name them.
const (
	filler class = 1 << iota
	lead
	pronoun
	det
	possessive
	be
	pastBe
	have
	do
	modal
	not
	prep
	conj
	split
	adverb
	tail
	question
	inverting
	request
	propose
	suppose
	likely
	report
	say
	authority
	history
	end
	retract
	correct
	repair
	stay
	deny
	will
	from
	since
	until
	irony
	now
	yes
	assent
	no
	moves
	verb
	infinitive
	unitNoun
	attribute
	numberWord
	ordinalWord
	month
	weekday
	relativeDay
	unit
	noun
	laugh
	refute
	stateVerb
	unmade
	replaces
	yields
	stateNoun
	tag
	whether
	endState
)

// Class is a set of classes of words, as package align looks at them.
type Class = class

// The classes that package align looks at.
const (
	FunctionWord = functionWord
	Verb         = verb
	Be           = be
	Have         = have
	Do           = do
	Modal        = modal
	Not          = not
	Prep         = prep
	Pronoun      = pronoun
	Det          = det
	Adverb       = adverb
	Question     = question
	NumberWord   = numberWord
	OrdinalWord  = ordinalWord
	Attribute    = attribute
	Moves        = moves
	// Aside are the classes of words that only begin or accompany what is said.
	Aside = lead | filler | yes | no
	// Empty are the classes of words that add nothing to what a clause says.
	Empty = functionWord | split | lead | filler | adverb | now | tail | yes | no
)

// ClassOf returns the classes that a folded word has in any language that is read.
func ClassOf(w string) (c Class) {
	for _, lex := range lexicons {
		c |= lex.classOf(w)
	}
	return c
}

var classNames = map[string]class{
	"filler": filler, "lead": lead, "pronoun": pronoun, "det": det, "possessive": possessive, "be": be,
	"past be": pastBe, "have": have, "do": do, "modal": modal, "not": not, "prep": prep,
	"conj": conj, "split": split, "adverb": adverb, "tail": tail, "question": question, "inverting": inverting,
	"request": request, "propose": propose, "suppose": suppose, "likely": likely, "report": report, "say": say,
	"authority": authority, "history": history, "end": end, "retract": retract, "correct": correct, "repair": repair,
	"stay": stay, "deny": deny, "will": will, "from": from, "since": since, "until": until, "irony": irony,
	"now": now, "yes": yes, "assent": assent, "no": no, "moves": moves,
	"verb": infinitive, "verb form": verb, "unit noun": unitNoun, "attribute": attribute, "number word": numberWord,
	"ordinal word": ordinalWord, "month": month, "weekday": weekday, "relative day": relativeDay, "unit": unit,
	"noun": noun, "laugh": laugh, "refute": refute, "state verb": stateVerb, "unmade": unmade, "replaces": replaces, "yields": yields, "state noun": stateNoun, "tag": tag, "whether": whether, "end state": endState,
}

// phrase is an entry of a table.
type phrase struct {
	words []string
	class class
}

// lexicon is what is known of the words of one language.
type lexicon struct {
	language string
	// phrases are by their first word; several entries of one text are one phrase with several classes.
	phrases map[string][]phrase
}

// languages are those that are read, the likeliest first.
var languages = []string{"en", "de", "fr", "es"}

var lexicons, foreignWords = func() (map[string]*lexicon, map[string]bool) {
	all := map[string]*lexicon{}
	for _, name := range languages {
		all[name] = readTable(name)
	}
	words := map[string]bool{}
	for word := range readTable("other").phrases {
		read := false
		for _, lex := range all {
			read = read || lex.classOf(word)&functionWord != 0
		}
		if !read {
			words[word] = true
		}
	}
	return all, words
}()

func readTable(name string) *lexicon {
	data, err := tables.ReadFile("words/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	classes := map[string]class{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		title, list, _ := strings.Cut(line, ": ")
		c, ok := classNames[title]
		if !ok {
			panic(fmt.Sprintf("statements: words/%s.txt has no class %q", name, title))
		}
		for text := range strings.SplitSeq(list, "; ") {
			for _, form := range formsOf(text, c, name) {
				classes[form.text] |= form.class
			}
		}
	}
	lex := &lexicon{name, map[string][]phrase{}}
	for text, c := range classes {
		words := wordsOf(text, name)
		if len(words) > 0 {
			lex.phrases[words[0]] = append(lex.phrases[words[0]], phrase{words, c})
		}
	}
	return lex
}

// wordsOf divides an entry as its words are divided in a text: a contraction by itself is one word.
func wordsOf(text, language string) []string {
	var words []string
	for field := range strings.FieldsSeq(text) {
		if field[0] == '\'' || field == "n't" {
			words = append(words, field)
			continue
		}
		tokens := lexed(field)
		if language == "en" {
			tokens = withSlang(tokens)
		}
		for _, t := range tokens {
			words = append(words, t.low)
		}
	}
	return words
}

// form is a text and its class.
type form struct {
	text  string
	class class
}

// formsOf returns the forms of an entry: of an English verb the inflected ones.
func formsOf(text string, c class, language string) []form {
	if c != infinitive {
		return []form{{text, c}}
	}
	if language != "en" {
		return []form{{text, verb | infinitive}}
	}
	s, ed, ing := text+"s", text+"ed", text+"ing"
	last, before := text[len(text)-1], text[max(0, len(text)-2)]
	switch {
	case last == 'e':
		ed, ing = text+"d", text[:len(text)-1]+"ing"
	case last == 'y' && !strings.ContainsRune("aeou", rune(before)):
		s, ed = text[:len(text)-1]+"ies", text[:len(text)-1]+"ied"
	case strings.HasSuffix(text, "sh") || strings.HasSuffix(text, "ch") || strings.ContainsRune("sxzo", rune(last)):
		s = text + "es"
	}
	forms := []form{{text, verb | infinitive}, {s, verb}, {ed, verb}, {ing, verb}}
	if len(text) <= 5 && !strings.ContainsRune("aeiouywx", rune(last)) && strings.ContainsRune("aeiou", rune(before)) {
		forms = append(forms, form{text + string(last) + "ed", verb}, form{text + string(last) + "ing", verb})
	}
	return forms
}

// classOf returns the classes of a single word.
func (l *lexicon) classOf(word string) class {
	for _, p := range l.phrases[word] {
		if len(p.words) == 1 {
			return p.class
		}
	}
	return 0
}

// mark gives the tokens their classes. A phrase marks all of its tokens, and its first one holds it.
func (l *lexicon) mark(tokens []token) {
	for i := range tokens {
		for _, p := range l.phrases[tokens[i].low] {
			if j := matches(tokens, i, p.words); j > 0 {
				for k := i; k < j; k++ {
					if len(p.words) == 1 {
						tokens[k].class |= p.class
					} else {
						tokens[k].within |= p.class
					}
				}
				tokens[i].hits = append(tokens[i].hits, hit{p.class, i, j})
			}
		}
	}
}

// unmark takes away what mark gave.
func unmark(tokens []token) {
	for i := range tokens {
		tokens[i].class, tokens[i].within, tokens[i].hits = 0, 0, nil
	}
}

// matches returns the end of the phrase in the tokens from i on, 0 if it is not there.
func matches(tokens []token, i int, words []string) int {
	for _, w := range words {
		if i >= len(tokens) || tokens[i].low != w {
			return 0
		}
		i++
	}
	return i
}

// functionWord are the classes by which a language is known.
const functionWord = det | prep | pronoun | be | have | conj | not | modal | question

// languageOf returns the language of a text, "" for one that is not read. Before is that of the turns before.
func languageOf(tokens []token, before string) string {
	var score [4]int
	strange, letters, latin := 0, 0, 0
	for _, t := range tokens {
		if t.kind != word {
			continue
		}
		letters++
		if t.latin {
			latin++
		}
		if foreignWords[t.low] {
			strange++
		}
		for i, name := range languages {
			if lexicons[name].classOf(t.low)&functionWord != 0 {
				score[i]++
			}
		}
	}
	best := 0
	for i := range score {
		if score[i] > score[best] || score[i] == score[best] && languages[i] == before {
			best = i
		}
	}
	switch {
	case latin*2 < letters, strange >= 2 && strange > score[best]:
		return ""
	case score[best] == 0 && before != "":
		return before
	}
	return languages[best]
}

// set is a list of words that one rule looks for.
type set map[string]bool

var sets = func() map[string]set {
	data, err := tables.ReadFile("words/sets.txt")
	if err != nil {
		panic(err)
	}
	all := map[string]set{}
	for line := range strings.Lines(string(data)) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || line[0] == '#' {
			continue
		}
		words := set{}
		for word := range strings.SplitSeq(list, "; ") {
			words[word] = true
		}
		all[name] = words
	}
	return all
}()

// words returns a list of words by its name.
func words(name string) set {
	list, ok := sets[name]
	if !ok {
		panic("statements: no set of words " + name)
	}
	return list
}

// wordsOfPhrases returns a list of phrases by its name, each as its words.
func wordsOfPhrases(name string) [][]string {
	var list [][]string
	for phrase := range words(name) {
		list = append(list, strings.Fields(phrase))
	}
	return list
}
