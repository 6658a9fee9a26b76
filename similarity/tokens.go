package similarity

import (
	"slices"
	"strings"
)

// SortedTokens returns the folded words of a name in alphabetical order.
func SortedTokens(s string) string {
	var list []string
	for _, w := range splitWords(s, things) {
		list = append(list, w.Whole())
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
