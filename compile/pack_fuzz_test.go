package compile_test

import (
	"bytes"
	"testing"

	"tenure"
	"tenure/compile"
)

// FuzzUnpack has what is kept of a compilation read back, and what is damaged refused or read as what it says.
func FuzzUnpack(f *testing.F) {
	kept, err := compile.Pack(compile.Requester{Actor: "key:1", Clearance: tenure.Public}, []byte(`{"a":1}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kept)
	f.Add([]byte("key:1\n"))
	f.Fuzz(func(t *testing.T, kept []byte) {
		by, body, err := compile.Unpack(kept)
		if err != nil {
			if tenure.CodeOf(err) != tenure.Internal {
				t.Fatal(err)
			}
			return
		}
		again, err := compile.Pack(by, body)
		if err != nil {
			t.Fatal(err)
		}
		if who, what, err := compile.Unpack(again); err != nil || who != by || !bytes.Equal(what, body) {
			t.Errorf("%q by %+v came back as %q by %+v: %v", body, by, what, who, err)
		}
	})
}
