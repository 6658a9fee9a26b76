package engine

import (
	"strings"
	"unicode"

	"tenure"
	"tenure/store"
)

// Said returns texts as values are found by them: with small ASCII letters, each once, without those that are too long.
func Said(texts []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, t := range texts {
		if key := small(t); key != "" && len(key) <= store.LongestSaid && !seen[key] {
			seen[key] = true
			list = append(list, key)
		}
	}
	return list
}

// SaidBy returns the text by which a value is found, "" if it is no text or too long.
func SaidBy(v tenure.Value) string {
	var s string
	if v.Entity != "" || len(v.JSON) == 0 || v.JSON[0] != '"' || Decode(string(v.JSON), &s) != nil || len(s) > store.LongestSaid {
		return ""
	}
	return small(s)
}

// small folds the case of ASCII letters, as both engines can.
func small(s string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII {
			return unicode.ToLower(r)
		}
		return r
	}, s)
}
