package body

import (
	"mime"
	"slices"
	"strings"

	"tenure"
)

// CheckType returns UnsupportedMedia for a Content-Type that is none of those taken; "" is taken for any.
func CheckType(header string, taken []string) error {
	media, _, err := mime.ParseMediaType(header)
	if header == "" || err == nil && slices.Contains(taken, media) {
		return nil
	}
	return tenure.FieldError(tenure.UnsupportedMedia, "Content-Type",
		"must be "+strings.Join(taken, " or ")+" (curl: -H 'Content-Type: "+taken[0]+"')")
}
