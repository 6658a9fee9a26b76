// Package syllables reads the syllables of romanised names, in which Mandarin and Korean names are compared: the same
// name is spelled "Mao Zedong" and "Mao Tse-tung", "Kim Jong-un" and "Gim Jeong-un".
//
// In come the words of a name, folded and in Latin letters; out go codes that spellings of the same syllables share, or
// nothing where the words are not such a name. Which syllables make two names alike is decided by package similarity.
package syllables
