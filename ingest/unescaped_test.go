package ingest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnescaped(t *testing.T) {
	for raw, want := range map[string]string{
		`"Zo\u00eb"`:                          `"Zoë"`,
		`{"b": ["\u005a", 1.10, "a\\u00eb"]}`: `{"b": ["Z", 1.10, "a\\u00eb"]}`,
		`{"\u00e9":1,"a":"\ud83d\ude00"}`:     `{"é":1,"a":"😀"}`,
		`"a\nb\u0022\u003cb\u003e"`:           `"a\nb\"<b>"`,
		`["no escape", "\t"]`:                 `["no escape", "\t"]`,
		`"\u`:                                 `"\u`,
	} {
		if got := string(unescaped(json.RawMessage(raw))); got != want {
			t.Errorf("%s: %s, not %s", raw, got, want)
		}
	}
}

// FuzzUnescaped checks that JSON says the same as before, and that no letter is written as an escape.
func FuzzUnescaped(f *testing.F) {
	for _, s := range []string{`"\u00e9"`, `{"\u005a":["\\u0041",2e3]}`, `"\ud800"`, `"\\\u0022"`, `[`, `"\u0000\u2028"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var before, after any
		if json.Unmarshal(raw, &before) != nil {
			unescaped(raw)
			return
		}
		out := unescaped(raw)
		if err := json.Unmarshal(out, &after); err != nil {
			t.Fatalf("%s is no JSON any more: %s", raw, out)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
		if !bytes.Equal(unescaped(out), out) {
			t.Errorf("%s is unescaped once more", out)
		}
	})
}
