package body_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"tenure"
	"tenure/httpapi/body"
)

// FuzzReadLine holds that no line is longer than the limit, and that lines within it come out as they went in.
func FuzzReadLine(f *testing.F) {
	f.Add([]byte("{}\n{}\r\n\n"), uint8(4))
	f.Add(bytes.Repeat([]byte("x"), 100), uint8(20))
	f.Fuzz(func(t *testing.T, text []byte, limit uint8) {
		r := bufio.NewReaderSize(bytes.NewReader(text), 16)
		var whole []byte
		long := false
		for range len(text) + 1 {
			line, err := body.ReadLine(r, int(limit))
			if len(bytes.TrimRight(line, "\r\n")) > int(limit) {
				t.Fatalf("%d bytes where %d are the limit", len(line), limit)
			}
			whole = append(whole, line...)
			if errors.Is(err, io.EOF) {
				if !long && !bytes.Equal(whole, text) {
					t.Errorf("%q came out as %q", text, whole)
				}
				return
			}
			if err != nil {
				if tenure.CodeOf(err) != tenure.TooLarge {
					t.Fatal(err)
				}
				long = true
			}
		}
		t.Error("it does not end")
	})
}
