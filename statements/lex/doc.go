// Package lex is the lexical analysis of what people say: it divides a text into tokens, finds the language of the
// text, and gives each token the closed classes that its word has in this language ([Class]), by tables of words and
// phrases (words/*.txt) for each of the languages that are read.
//
// In comes a text; out go its [Token]s, with their place in the text, and the phrases among them ([Hit]). It also holds
// the lists of words that single rules look for ([Words]). Package clauses divides the tokens into clauses.
package lex
