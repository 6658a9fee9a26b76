package tenure

// Warning says that something of an observation was not taken as its author may expect. Pointer is the JSON pointer of
// the field, "" for the observation as a whole.
type Warning struct {
	Code    WarningCode `json:"code"`
	Pointer string      `json:"pointer,omitempty"`
	// Beliefs are those that the warning is about, if any.
	Beliefs []ID `json:"beliefs,omitempty"`
}

// WarningCode is what a [Warning] is about.
type WarningCode string

// The codes of warnings.
const (
	TextOnly       WarningCode = "text_only"
	AmbiguousValue WarningCode = "ambiguous_value"
	// DisplacedUnderOne is about a claim under a predicate of which nobody said how many values it has.
	DisplacedUnderOne WarningCode = "displaced_under_one"
)

// Message returns what the warning means, and what to do about it.
func (c WarningCode) Message() string { return messages[c] }

var messages = map[WarningCode]string{
	TextOnly: "the text is kept and can be read back, but nothing of it will be compiled: state what it says as claims",
	AmbiguousValue: "the value can be read in several ways, so it is compared as text: write a date as 2025-03-04, " +
		"a number without separators of thousands",
	DisplacedUnderOne: "nobody said how many values this predicate has, so the value took the place of those named here: " +
		"if they hold side by side, state them with many: true, or define the predicate with cardinality many in the " +
		"vocabulary predicates",
}
