package vocabulary_test

import (
	"testing"
	"testing/quick"

	"tenure/vocabulary"
)

func TestNormal(t *testing.T) {
	for spelling, want := range map[string]string{
		"lives_in": "lives_in", "livesIn": "lives_in", "LivesIn": "lives_in", "LIVES_IN": "lives_in", " lives  in ": "lives_in",
		"Lives-In": "lives_in", "lives.in": "lives_in", "__lives__in_": "lives_in", "repoURL": "repo_url", "URLPath": "url_path",
		"openSLAs": "open_slas", "s3Bucket": "s3_bucket", "2FA": "2fa", "manager's name": "managers_name", "ｌｉｖｅｓ＿Ｉｎ": "lives_in",
		"Größe": "grösse", "naïve": "naïve", "???": "", "": "",
	} {
		if got := vocabulary.Normal(spelling); got != want {
			t.Errorf("Normal(%q) = %q, want %q", spelling, got, want)
		}
	}
}

// TestNormalIsIdempotent holds for any text: what Normal returns is in normal form.
func TestNormalIsIdempotent(t *testing.T) {
	if err := quick.Check(idempotent, &quick.Config{MaxCount: 5_000}); err != nil {
		t.Error(err)
	}
}

func FuzzNormal(f *testing.F) {
	for _, s := range []string{"homeCity", "aꭰ", "ᎠᎡꮳ", "ŉA", "a'B", "ǅa", "℃C", "x\u0301Y", "İstanbulCity", "\xff_A"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !idempotent(s) {
			once := vocabulary.Normal(s)
			t.Errorf("%q: %q, then %q", s, once, vocabulary.Normal(once))
		}
	})
}

func idempotent(s string) bool {
	once := vocabulary.Normal(s)
	return vocabulary.Normal(once) == once
}
