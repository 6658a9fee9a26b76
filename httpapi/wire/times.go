package wire

import (
	"strconv"
	"time"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// OpenTime converts an instant; nil for the open end of a window.
func OpenTime(i tenure.Instant) *time.Time {
	if i == tenure.MaxTime || i == tenure.MinTime {
		return nil
	}
	t := i.Time()
	return &t
}

// given converts an instant that is 0 where there is none.
func given(i tenure.Instant) (t time.Time) {
	if i != 0 {
		t = i.Time()
	}
	return t
}

// timeOf converts an instant that is nil where there is none.
func timeOf(i *tenure.Instant) (t time.Time) {
	if i != nil {
		t = i.Time()
	}
	return t
}

// InstantOf converts a time; nil for an absent one.
func InstantOf(t time.Time) *tenure.Instant {
	if t.IsZero() {
		return nil
	}
	i := tenure.At(t)
	return &i
}

// At converts the parameters of the two clocks.
func At(validAt *api.ValidAt, knownAt *api.KnownAt) (at service.AsOf, err error) {
	if at.ValidAt, err = instantParameter("valid_at", validAt); err != nil {
		return at, err
	}
	if knownAt != nil {
		at.Known, err = parseKnownAt(*knownAt, "known_at")
	}
	return at, err
}

// instantParameter parses a time parameter; nil for an absent one.
func instantParameter(name string, text *string) (*tenure.Instant, error) {
	if text == nil {
		return nil, nil //nolint:nilnil // none was given, and that is no error
	}
	t, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return nil, tenure.FieldError(tenure.Invalid, name,
			"must be an RFC 3339 time with a zone (a + has to be written as %2B)")
	}
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return nil, tenure.FieldError(tenure.Invalid, name, "must be in the years 1 to 9999")
	}
	at := tenure.At(t)
	return &at, nil
}

// parseKnownAt parses an instant or a sequence number.
func parseKnownAt(text, pointer string) (tenure.AsOf, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		if n < 1 {
			return tenure.AsOf{}, tenure.FieldError(tenure.Invalid, pointer, "sequence numbers start at 1")
		}
		return tenure.AsOf{Seq: tenure.Seq(n)}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return tenure.AsOf{}, tenure.FieldError(tenure.Invalid, pointer,
			"must be an RFC 3339 time with a zone (a + has to be written as %2B) or a sequence number")
	}
	at := tenure.At(t)
	if at == 0 {
		at = -1 // 0 would select the present; -1, too, precedes all knowledge
	}
	return tenure.AsOf{Known: at}, nil
}

// AsOf encodes the state of a view in valid time and transaction time.
func AsOf(v *service.View) api.AsOf {
	at := KnownState(v.State())
	at.ValidAt = v.ValidAt().Time()
	return at
}

// KnownState encodes the state of an answer that has transaction time only.
func KnownState(seq tenure.Seq, tx tenure.Instant) api.AsOf {
	return api.AsOf{KnownAt: tx.Time(), Seq: seq}
}
