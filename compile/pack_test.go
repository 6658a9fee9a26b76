package compile_test

import (
	"bytes"
	"testing"

	"tenure"
	"tenure/compile"
)

func TestPack(t *testing.T) {
	for _, body := range [][]byte{{}, []byte("{}\n"), bytes.Repeat([]byte(`{"object_id":"1"},`+"\n"), 10_000)} {
		kept, err := compile.Pack(compile.Kept{By: compile.Requester{"key:1", tenure.Confidential}, Request: []byte("{}"), Body: body})
		if err != nil {
			t.Fatal(err)
		}
		k, err := compile.Unpack(kept)
		if err != nil || k.By != (compile.Requester{"key:1", tenure.Confidential}) || string(k.Request) != "{}" || !bytes.Equal(k.Body, body) {
			t.Errorf("%d bytes came back as %d of %q: %v", len(body), len(k.Body), k.By.Actor, err)
		}
		if len(body) > 1000 && len(kept) > len(body)/5 {
			t.Errorf("%d bytes take %d", len(body), len(kept))
		}
	}
}

func TestUnpackDamaged(t *testing.T) {
	kept, err := compile.Pack(compile.Kept{By: compile.Requester{"key:1", tenure.Public}, Body: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, []byte("key:1"), kept[:len(kept)-2], []byte("key:1\nno stream")} {
		if _, err := compile.Unpack(damaged); tenure.CodeOf(err) != tenure.Internal {
			t.Errorf("unpack(%q): %v", damaged, err)
		}
	}
}
