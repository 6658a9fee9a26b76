package body

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"tenure"
)

// Read reads at most limit bytes. For a longer body it returns TooLarge with a pointer to the value in
// which the limit was reached.
func Read(r io.Reader, length int64, limit int) ([]byte, error) {
	var buf bytes.Buffer
	if length > 0 {
		buf.Grow(int(min(length, int64(limit)+1)) + bytes.MinRead)
	}
	if _, err := buf.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return nil, &tenure.Error{Code: tenure.Malformed, Message: "the body could not be read", Err: err}
	}
	if buf.Len() > limit {
		return nil, tooLarge(buf.Bytes()[:limit], limit)
	}
	return buf.Bytes(), nil
}

// tooLarge returns the error for a text that continues after head: the place where it passes the limit, or
// another excess within head.
func tooLarge(head []byte, limit int) error {
	if err := inspect(head); tenure.CodeOf(err) == tenure.TooLarge {
		return err
	}
	return tenure.FieldError(tenure.TooLarge, reached(head),
		fmt.Sprintf("here the body passes the limit of %d bytes", limit))
}

func newReader(raw []byte) io.Reader { return bytes.NewBuffer(raw) }

// ReadLine reads up to the next line feed and strips it; io.EOF accompanies the last line. A line over the
// limit is skipped and reported as TooLarge.
func ReadLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(bytes.TrimRight(line, "\r\n")) > limit {
			fault := tooLarge(line[:limit], limit)
			if errors.Is(err, bufio.ErrBufferFull) {
				if skipErr := skipLine(r); skipErr != nil && !errors.Is(skipErr, io.EOF) {
					return nil, skipErr
				}
			}
			return nil, fault
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func skipLine(r *bufio.Reader) error {
	for {
		if _, err := r.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}
