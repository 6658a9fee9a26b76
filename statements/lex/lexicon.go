package lex

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed words/*.txt
var tables embed.FS

// phrase is an entry of a table.
type phrase struct {
	words []string
	class Class
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
			read = read || lex.classOf(word)&FunctionWord != 0
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
	classes := map[string]Class{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		title, list, _ := strings.Cut(line, ": ")
		c, ok := classNames[title]
		if !ok {
			panic(fmt.Sprintf("lex: words/%s.txt has no class %q", name, title))
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
		tokens := Tokens(field)
		if language == "en" {
			tokens = withSlang(tokens)
		}
		for _, t := range tokens {
			words = append(words, t.Low)
		}
	}
	return words
}

// form is a text and its class.
type form struct {
	text  string
	class Class
}

// formsOf returns the forms of an entry: of an English verb the inflected ones.
func formsOf(text string, c Class, language string) []form {
	if c != Infinitive {
		return []form{{text, c}}
	}
	if language != "en" {
		return []form{{text, Verb | Infinitive}}
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
	forms := []form{{text, Verb | Infinitive}, {s, Verb}, {ed, Verb}, {ing, Verb}}
	if len(text) <= 5 && !strings.ContainsRune("aeiouywx", rune(last)) && strings.ContainsRune("aeiou", rune(before)) {
		forms = append(forms, form{text + string(last) + "ed", Verb}, form{text + string(last) + "ing", Verb})
	}
	return forms
}

// classOf returns the classes of a single word.
func (l *lexicon) classOf(word string) Class {
	for _, p := range l.phrases[word] {
		if len(p.words) == 1 {
			return p.class
		}
	}
	return 0
}

// mark gives the tokens their classes. A phrase marks all of its tokens, and its first one holds it.
func (l *lexicon) mark(tokens []Token) {
	for i := range tokens {
		for _, p := range l.phrases[tokens[i].Low] {
			if j := Matches(tokens, i, p.words); j > 0 {
				for k := i; k < j; k++ {
					if len(p.words) == 1 {
						tokens[k].Class |= p.class
					} else {
						tokens[k].Within |= p.class
					}
				}
				tokens[i].Hits = append(tokens[i].Hits, Hit{p.class, i, j})
			}
		}
	}
}

// Mark gives the tokens the classes that their words have in a language that is read, and adds the phrases that are
// there.
func Mark(tokens []Token, language string) { lexicons[language].mark(tokens) }

// MarkAll marks the tokens in every language that is read.
func MarkAll(tokens []Token) {
	for _, name := range languages {
		Mark(tokens, name)
	}
}

// Marked returns the tokens of a text with the classes that their words have in its language, which is one that is
// read. In English, contractions that are written without an apostrophe are divided: "dont".
func Marked(tokens []Token, language string) []Token {
	Mark(tokens, language)
	if language != "en" {
		return tokens
	}
	tokens = withSlang(tokens)
	unmark(tokens)
	Mark(tokens, language)
	return tokens
}

// Remark marks tokens that were marked as part of a longer list once more, by themselves: the phrases are those that
// are wholly among them, and the places of their hits those in this list.
func Remark(tokens []Token, language string) {
	for i := range tokens {
		tokens[i].Hits, tokens[i].Within = nil, 0
	}
	Mark(tokens, language)
}

// unmark takes away what mark gave.
func unmark(tokens []Token) {
	for i := range tokens {
		tokens[i].Class, tokens[i].Within, tokens[i].Hits = 0, 0, nil
	}
}

// Matches returns the end of a phrase in the tokens from i on, 0 if it is not there.
func Matches(tokens []Token, i int, words []string) int {
	for _, w := range words {
		if i >= len(tokens) || tokens[i].Low != w {
			return 0
		}
		i++
	}
	return i
}
