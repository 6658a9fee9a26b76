package body_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tenure"
	"tenure/api"
	"tenure/httpapi/body"
)

// FuzzDecode checks that decode never panics, that a refusal has a code and a pointer, and that an accepted
// value is encoded as equal JSON.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `null`, `"x"`, `{"text":"x"}`, `{"text":"\ud800"}`, `{"text":"\u0000"}`, "{\"text\":\"\xff\"}",
		`{"text":"a","text":"b"}`, `{"Text":"a"}`, `{"text":"x"} {}`, `{"observed_at":"2026-06-06T12:00:00"}`,
		`{"observed_at":"2026-06-06T12:00:00.123+02:00"}`,
		`{"source":{"origin":"x:1","authority_level":2,"source_authority":0.25},"scope":{"project_id":"p"},"mentions":[{"name":"J","attributes":{"email":["a@b.c"]},"record":{"source":"s","id":"1"}}]}`,
		`{"claims":[{"subject":{"mention":0},"predicate":"p","value":{"a":[1.0,-0,1e400,null,"\ud83d\ude00"]},"valid_until":null,"confidence_score":1e-7}]}`,
		`{"claims":[{"decay_rule":{"half_life_days":1,"minimum_threshold":0.5},"permission_scope":{"deny_roles":["x"]}}]}`,
		`{"mentions":` + strings.Repeat(`[`, 100), `{"text":"` + strings.Repeat("x", 300) + `"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var o api.ObservationInput
		err := body.Decode(raw, &o)
		if err != nil {
			switch tenure.CodeOf(err) {
			case tenure.Malformed, tenure.Invalid, tenure.TooLarge:
			default:
				t.Fatalf("%v", err)
			}
			var e *tenure.Error
			if !errors.As(err, &e) || len(e.Fields) == 0 {
				t.Fatalf("no pointer: %v", err)
			}
			return
		}
		back, err := jsonv2.Marshal(o)
		if err != nil {
			t.Fatalf("%q was taken and cannot be written: %v", raw, err)
		}
		var again api.ObservationInput
		if err := body.Decode(back, &again); err != nil {
			t.Fatalf("%q was taken, its own writing %q is not: %v", raw, back, err)
		}
		twice, err := jsonv2.Marshal(again)
		if err != nil || !bytes.Equal(back, twice) {
			t.Fatalf("%q and %q differ: %v", back, twice, err)
		}
		// Values of claims are kept verbatim, except for white space.
		var loose struct {
			Claims []struct{ Value json.RawMessage }
		}
		if err := json.Unmarshal(raw, &loose); err != nil {
			t.Fatalf("%q is no JSON to encoding/json: %v", raw, err)
		}
		for i, c := range loose.Claims {
			if !equalJSON(t, jsontext.Value(c.Value), jsontext.Value(o.Claims[i].Value)) {
				t.Fatalf("value %q became %q", c.Value, o.Claims[i].Value)
			}
		}
	})
}

// FuzzFacts: a fact is taken in either form, or refused with a pointer.
func FuzzFacts(f *testing.F) {
	for _, s := range []string{
		`["Ann","city","Oslo"]`, `[]`, `["Ann","city","Oslo",1]`, `["Ann",null,"Oslo"]`, `["Ann",7,1]`, `[[],"x",{}]`, `{}`, `null`, `"x"`,
		`{"subject":"Ann","predicate":"p","object":null,"since":"0000-01-01T00:00:00Z"}`, `{"subject":{"name":"Ann"},"confidence":"x"}`,
		`{"until":"9999-12-31T23:59:59-01:00"}`, `{"since":"0001-01-01T00:00:00Z"}`, `["a","b",[1,{"c":[]}]]`, `["a","b","c"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, fact string) {
		var in api.RememberInput
		err := body.Decode([]byte(`{"facts":[`+fact+`]}`), &in)
		var e *tenure.Error
		switch {
		case err == nil:
		case !errors.As(err, &e) || len(e.Fields) == 0:
			t.Fatalf("no pointer: %v", err)
		case e.Code != tenure.Malformed && e.Code != tenure.Invalid && e.Code != tenure.TooLarge:
			t.Fatal(err)
		}
		for _, one := range in.Facts {
			if year := one.Since.Year(); err == nil && (year < 1 || year > 9999) {
				t.Errorf("since %v", one.Since)
			}
			if err == nil && one.Listed && (len(one.Subject) == 0 || len(one.Object) == 0) {
				t.Errorf("%s became %+v", fact, one)
			}
		}
	})
}

func equalJSON(t *testing.T, a, b jsontext.Value) bool {
	t.Helper()
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	a, b = a.Clone(), b.Clone()
	if a.Compact() != nil || b.Compact() != nil {
		t.Fatal("not JSON")
	}
	return bytes.Equal(a, b)
}

// TestNumberForAString checks that a number in the place of a string is told how to be written.
func TestNumberForAString(t *testing.T) {
	var in api.CompileInput
	err := body.Decode([]byte(`{"query": "who?", "known_at": 6}`), &in)
	var e *tenure.Error
	if !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Pointer != "/known_at" ||
		e.Fields[0].Reason != "must be a string: put the number in quotes" {
		t.Errorf("%v", err)
	}
}

func TestReadLine(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want []string // "!" for a line that is too large
	}{
		{"", nil},
		{"ab\ncd", []string{"ab", "cd"}},
		{"ab\r\ncd\r\n", []string{"ab", "cd"}},
		{"abcd\nabcde\nab\n", []string{"abcd", "!", "ab"}},
		{strings.Repeat("x", 100) + "\nab", []string{"!", "ab"}},
		{strings.Repeat("x", 100), []string{"!"}},
		{"\n\nab\n\n", []string{"", "", "ab", ""}},
	} {
		r := bufio.NewReaderSize(strings.NewReader(tc.in), 16)
		var got []string
		for {
			line, err := body.ReadLine(r, 4)
			switch {
			case tenure.CodeOf(err) == tenure.TooLarge:
				got = append(got, "!")
				continue
			case len(line) > 0:
				got = append(got, strings.TrimRight(string(line), "\r\n"))
			}
			if err != nil {
				break
			}
		}
		if strings.Join(got, "|") != strings.Join(tc.want, "|") {
			t.Errorf("%q: %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestOtherEncodingsAreRefused(t *testing.T) {
	taken := []string{"application/json"}
	for header, want := range map[string]tenure.Code{
		"": "", "application/json": "", "application/json; charset=UTF-8": "", "application/json; charset=utf8": "", "text/plain": tenure.UnsupportedMedia,
		"application/json; charset=utf-16": tenure.UnsupportedMedia, "application/json; charset": tenure.UnsupportedMedia,
	} {
		if got := tenure.CodeOf(body.CheckType(header, taken)); got != want {
			t.Errorf("Content-Type %q: %q", header, got)
		}
	}
	for header, want := range map[string]tenure.Code{"": "", "identity": "", "gzip": tenure.UnsupportedMedia} {
		if got := tenure.CodeOf(body.CheckEncoding(header)); got != want {
			t.Errorf("Content-Encoding %q: %q", header, got)
		}
	}
}
