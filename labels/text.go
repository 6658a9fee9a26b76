package labels

import (
	"strings"

	"tenure"
	"tenure/roles"
)

// Of returns the labels of a text, which may begin with the role of its speaker.
func Of(text string) Labels {
	_, tag := Role(text)
	l, _, _ := Read(text[tag:])
	return l
}

// LabelOf returns the label of an observation. One from before observations had a classification has that which its
// text states.
func LabelOf(o tenure.Observation) tenure.Label {
	if o.Classification == "" && !o.LeftUnread {
		o.Classification = Of(o.Text).Classification
	}
	return o.Label()
}

// longestRole bounds the tag of a role, in bytes.
const longestRole = 60

// Role returns the role that a text names in brackets at its beginning as that of its speaker, "[VP] The budget is
// $80,000.", and where the words begin. It is a role of the base order; there are words behind it.
func Role(s string) (role string, end int) {
	inner, ok := strings.CutPrefix(s[:min(len(s), longestRole)], "[")
	inner, _, closed := strings.Cut(inner, "]")
	if !ok || !closed || strings.TrimSpace(s[len(inner)+2:]) == "" {
		return "", 0
	}
	if role, ok = roles.Base().Role(inner); !ok {
		return "", 0
	}
	return role, len(inner) + 2
}
