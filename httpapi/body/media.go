package body

import (
	"mime"
	"slices"
	"strings"

	"tenure"
)

// CheckType returns UnsupportedMedia for a Content-Type that is none of those taken, or not in UTF-8; "" is taken for
// any.
func CheckType(header string, taken []string) error {
	media, parameters, err := mime.ParseMediaType(header)
	if charset := parameters["charset"]; charset != "" && !strings.EqualFold(strings.ReplaceAll(charset, "-", ""), "utf8") {
		return tenure.FieldError(tenure.UnsupportedMedia, "Content-Type", "must be in UTF-8")
	}
	if header == "" || err == nil && slices.Contains(taken, media) {
		return nil
	}
	return tenure.FieldError(tenure.UnsupportedMedia, "Content-Type",
		"must be "+strings.Join(taken, " or ")+" (curl: -H 'Content-Type: "+taken[0]+"')")
}

// CheckEncoding returns UnsupportedMedia for a Content-Encoding: bodies are taken as they are.
func CheckEncoding(header string) error {
	if header == "" || strings.EqualFold(header, "identity") {
		return nil
	}
	return tenure.FieldError(tenure.UnsupportedMedia, "Content-Encoding", "is not taken: send the body as it is")
}
