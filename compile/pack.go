package compile

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"strings"
	"sync"

	"tenure"
)

// packers are pooled: each holds a megabyte of tables.
var packers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // fails for levels that there are not
	return w
}}

// Requester is who a compilation was made for.
type Requester struct {
	Actor     string
	Clearance tenure.Classification
}

// Pack returns what is stored of a compilation: the requester and the answer,
// deflated. The answer is long and mostly ids and names of fields: deflated it has a
// seventh of the size, and takes a fraction of the time to store.
func Pack(by Requester, body []byte) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(by.Actor + " " + string(by.Clearance) + "\n")
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	_, err := w.Write(body)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, &tenure.Error{Code: tenure.Internal, Message: "the compilation cannot be kept", Err: err}
	}
	return b.Bytes(), nil
}

// Unpack is the inverse of Pack.
func Unpack(kept []byte) (by Requester, body []byte, err error) {
	header, rest, ok := bytes.Cut(kept, []byte("\n"))
	if !ok {
		err = errors.New("no actor before the body")
	} else {
		body, err = io.ReadAll(flate.NewReader(bytes.NewReader(rest)))
	}
	if err != nil {
		return Requester{}, nil, &tenure.Error{Code: tenure.Internal, Message: "the compilation cannot be read", Err: err}
	}
	actor, clearance, _ := strings.Cut(string(header), " ")
	return Requester{actor, tenure.Classification(clearance)}, body, nil
}
