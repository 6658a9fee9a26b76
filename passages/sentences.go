package passages

import (
	"strings"

	"tenure"
)

// Sentences cuts a text into its sentences: those of a paragraph, the items of a list, the lines of code. Headings are
// left out.
func Sentences(content string, media tenure.MediaType) (list []string) {
	var path []string
	from := 0
	for i, b := range boundariesOf(content, media) {
		if i > 0 && b.level < sentence {
			continue
		}
		if part := strings.TrimSpace(content[from:b.at]); part != "" && !isHeading(part, path) {
			list = append(list, part)
		}
		from, path = b.at, b.path
	}
	return list
}

// isHeading reports whether a part is the last heading of the path above it.
func isHeading(part string, path []string) bool {
	return len(path) > 0 && strings.TrimSpace(strings.Trim(part, "#")) == path[len(path)-1]
}
