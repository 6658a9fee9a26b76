// Package erdata reads the entity-resolution data sets.
package erdata

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tenure"

	"tenure/similarity"
)

// Record is a row of any set: one side of a pair, a row to be clustered, a row of a registry, or a query.
type Record struct {
	ID      string              `json:"id"`
	I       string              `json:"i"`
	Query   string              `json:"query"`
	Type    string              `json:"type"`
	Name    string              `json:"name"`
	Aliases []string            `json:"aliases"`
	Attrs   map[string][]string `json:"attrs"`
	Cluster string              `json:"cluster"`
	Group   string              `json:"group"`
	Source  string              `json:"source"`
	Gold    []string            `json:"gold"`
}

// contextKey is the attribute that holds a description rather than a value.
const contextKey = "context"

// Attributes returns the attributes without the description.
func (r Record) Attributes() map[string][]string {
	list := map[string][]string{}
	for k, v := range r.Attrs {
		if k != contextKey {
			list[k] = v
		}
	}
	return list
}

// Context returns the description, if there is one.
func (r Record) Context() []string { return r.Attrs[contextKey] }

// Undescribed returns the row without its description.
func (r Record) Undescribed() Record {
	r.Attrs = r.Attributes()
	return r
}

// Profile returns the row as the profile that the service would build.
func (r Record) Profile() similarity.Profile {
	p := similarity.Profile{
		Names: append([]string{r.Name + r.Query}, r.Aliases...), Type: r.Type,
		Attributes: r.Attributes(), Context: r.Context(),
	}
	if r.Source != "" {
		p.Records = []tenure.Record{{Source: r.Source, ID: r.ID}}
	}
	return p
}

// Pair is a row of a set of pairs.
type Pair struct {
	I       string `json:"i"`
	Left    Record `json:"left"`
	Right   Record `json:"right"`
	Match   bool   `json:"match"`
	Group   string `json:"group"`
	Quality string `json:"quality"`
}

// Path returns the file of a data set named without its ending, gzipped or not.
func Path(dir, name string) (string, error) {
	path := filepath.Join(dir, filepath.FromSlash(name)+".jsonl")
	_, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		path += ".gz"
		_, err = os.Stat(path)
	}
	return path, err
}

// Read reads the rows of a data set named without its ending.
func Read[T any](dir, name string) (list []T, err error) {
	path, err := Path(dir, name)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var in io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, err
		}
	}
	dec := json.NewDecoder(in)
	for {
		var row T
		switch err := dec.Decode(&row); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("%s: row %d: %w", path, len(list)+1, err)
		}
		list = append(list, row)
	}
}
