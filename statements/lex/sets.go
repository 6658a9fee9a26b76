package lex

import "strings"

// Set is a list of words that one rule looks for.
type Set map[string]bool

// sets are the lists by their names.
var sets = func() map[string]Set {
	data, err := tables.ReadFile("words/sets.txt")
	if err != nil {
		panic(err)
	}
	all := map[string]Set{}
	for line := range strings.Lines(string(data)) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || line[0] == '#' {
			continue
		}
		words := Set{}
		for word := range strings.SplitSeq(list, "; ") {
			words[word] = true
		}
		all[name] = words
	}
	return all
}()

// Words returns a list of words of all languages by its name in the table of lists. There has to be one: it panics if
// there is none, so that lists are looked up when the program starts.
func Words(name string) Set {
	list, ok := sets[name]
	if !ok {
		panic("lex: no list of words " + name)
	}
	return list
}

// Phrases returns a list of phrases by its name, as [Words] does, each as its words.
func Phrases(name string) [][]string {
	var list [][]string
	for phrase := range Words(name) {
		list = append(list, strings.Fields(phrase))
	}
	return list
}

// EnglishPhrases returns a list of phrases by its name, as [Words] does, each as the tokens of an English text.
func EnglishPhrases(name string) [][]string {
	var list [][]string
	for phrase := range Words(name) {
		list = append(list, wordsOf(phrase, "en"))
	}
	return list
}
