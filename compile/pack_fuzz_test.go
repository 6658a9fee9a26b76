package compile_test

import (
	"bytes"
	"testing"

	"tenure"
	"tenure/compile"
)

// FuzzUnpack has what is kept of a compilation read back, and what is damaged refused or read as what it says.
func FuzzUnpack(f *testing.F) {
	kept, err := compile.Pack(compile.Kept{
		By: compile.Requester{Actor: "key:1", Clearance: tenure.Public}, Request: []byte(`{}`), Body: []byte(`{"a":1}`),
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kept)
	f.Add([]byte("key:1\n"))
	f.Fuzz(func(t *testing.T, kept []byte) {
		k, err := compile.Unpack(kept)
		if err != nil {
			if tenure.CodeOf(err) != tenure.Internal {
				t.Fatal(err)
			}
			return
		}
		again, err := compile.Pack(k)
		if err != nil {
			t.Fatal(err)
		}
		same, err := compile.Unpack(again)
		if err != nil || same.By != k.By || !bytes.Equal(same.Request, k.Request) || !bytes.Equal(same.Body, k.Body) {
			t.Errorf("%+v came back as %+v: %v", k, same, err)
		}
	})
}
