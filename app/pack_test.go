package app

import (
	"bytes"
	"testing"

	"tenure"
)

func TestPack(t *testing.T) {
	for _, body := range [][]byte{{}, []byte("{}\n"), bytes.Repeat([]byte(`{"object_id":"1"},`+"\n"), 10_000)} {
		kept, err := pack(asker{"key:1", tenure.Confidential}, body)
		if err != nil {
			t.Fatal(err)
		}
		by, got, err := unpack(kept)
		if err != nil || by != (asker{"key:1", tenure.Confidential}) || !bytes.Equal(got, body) {
			t.Errorf("%d bytes came back as %d of %q: %v", len(body), len(got), by.actor, err)
		}
		if len(body) > 1000 && len(kept) > len(body)/5 {
			t.Errorf("%d bytes take %d", len(body), len(kept))
		}
	}
}

func TestUnpackDamaged(t *testing.T) {
	kept, err := pack(asker{"key:1", tenure.Public}, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, []byte("key:1"), kept[:len(kept)-2], []byte("key:1\nno stream")} {
		if _, _, err := unpack(damaged); tenure.CodeOf(err) != tenure.Internal {
			t.Errorf("unpack(%q): %v", damaged, err)
		}
	}
}
