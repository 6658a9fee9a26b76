package httpapi

import (
	"strings"
	"testing"

	"tenure"
)

func FuzzCursor(f *testing.F) {
	s := cursors{key: []byte(strings.Repeat("k", 32)), listing: "acme /v1/beliefs"}
	f.Add(s.seal(cursor{Seq: 1, Last: "x"}))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := s.open(text)
		if err != nil && tenure.CodeOf(err) != tenure.StaleCursor {
			t.Fatal(err)
		}
		if err == nil && s.seal(c) != text {
			t.Fatalf("%q was taken and not made here", text)
		}
	})
}

func TestACursorIsOfOneListing(t *testing.T) {
	key := []byte(strings.Repeat("k", 32))
	here := cursors{key: key, listing: "acme /v1/beliefs status=any"}
	want := cursor{Seq: 7, ValidAt: 5, Last: "x"}
	text := here.seal(want)
	if got, err := here.open(text); err != nil || got != want {
		t.Fatalf("%+v, %v", got, err)
	}
	for name, other := range map[string]cursors{
		"another-tenant": {key: key, listing: "other /v1/beliefs status=any"},
		"another-filter": {key: key, listing: "acme /v1/beliefs status=clean"},
		"another-key":    {key: []byte(strings.Repeat("x", 32)), listing: here.listing},
	} {
		if _, err := other.open(text); tenure.CodeOf(err) != tenure.StaleCursor {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range text {
		altered := []byte(text)
		altered[i] ^= 1
		if _, err := here.open(string(altered)); tenure.CodeOf(err) != tenure.StaleCursor {
			t.Fatalf("letter %d was altered: %v", i, err)
		}
	}
}
