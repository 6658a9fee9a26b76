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

// Kept is what is stored of a compilation. Request is JSON, or empty for one that was kept before requests were.
type Kept struct {
	By            Requester
	Request, Body []byte
}

// withRequest begins the header of a compilation that was kept with its request.
const withRequest = "2 "

// Pack returns the stored form of a compilation: the requester, and the request and the answer deflated. The answer is
// long and mostly ids and names of fields: deflated it has a seventh of the size, and takes a fraction of the time to
// store.
func Pack(k Kept) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(withRequest + k.By.Actor + " " + string(k.By.Clearance) + "\n")
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	var err error
	for _, part := range [][]byte{k.Request, {'\n'}, k.Body} {
		_, e := w.Write(part)
		err = errors.Join(err, e)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, &tenure.Error{Code: tenure.Internal, Message: "the compilation cannot be kept", Err: err}
	}
	return b.Bytes(), nil
}

// Unpack is the inverse of Pack.
func Unpack(kept []byte) (k Kept, err error) {
	header, rest, ok := bytes.Cut(kept, []byte("\n"))
	if !ok {
		err = errors.New("no actor before the body")
	} else {
		k.Body, err = io.ReadAll(flate.NewReader(bytes.NewReader(rest)))
	}
	text, asked := strings.CutPrefix(string(header), withRequest)
	if asked && err == nil {
		if k.Request, k.Body, ok = bytes.Cut(k.Body, []byte("\n")); !ok {
			err = errors.New("no request before the body")
		}
	}
	if err != nil {
		return Kept{}, &tenure.Error{Code: tenure.Internal, Message: "the compilation cannot be read", Err: err}
	}
	actor, clearance, _ := strings.Cut(text, " ")
	k.By = Requester{actor, tenure.Classification(clearance)}
	return k, nil
}
