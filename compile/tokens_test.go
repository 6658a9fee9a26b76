package compile

import (
	"fmt"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

func FuzzTokensAgreeWithTheEncoding(f *testing.F) {
	for _, s := range []string{
		"", "office: Chicago", "It's 12345.6 %%\n//x", "  a   b\t\n\n  c ", "ABCdef'LL XYZ'd 'tis", "a \r\n \n b",
		"Zoë / büro: 北京\n", "foo.\n/bar", "\v\fx", "{\"a\":[1,2]}\n\n", "'s 'S", "a'ſ", "\x00\x1f", "foo.\r\n/bar", "a.\r", "x!/\r\n y", "!\n\r/!", " .\r b",
	} {
		f.Add(s)
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		f.Fatal(err)
	}
	tokens := NewTokens()
	f.Fuzz(func(t *testing.T, s string) {
		want, err := codec.Count(s)
		if err != nil {
			return
		}
		for _, when := range []string{"fresh", "remembered"} {
			if got := tokens.Count(s); got != want {
				t.Fatalf("%s: Count(%q) = %d, want %d", when, s, got, want)
			}
		}
	})
}

func TestTokensMayBeCountedByManyAtOnce(t *testing.T) {
	tokens := NewTokens()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				tokens.Count(fmt.Sprintf("line %d of %d: Zoë", i, g%2))
			}
		})
	}
	wg.Wait()
}

func TestTokensStayWithinTheirCache(t *testing.T) {
	tokens := NewTokens()
	for i := range cachedPieces + 10 {
		tokens.known[fmt.Sprint("k", i)] = 1
	}
	tokens.Count("é")
	if len(tokens.known) > cachedPieces {
		t.Errorf("%d counts are kept, more than %d", len(tokens.known), cachedPieces)
	}
}

func shortLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("Alice Johnson / office_%d: Chicago, %d West Madison Street", i%37, i)
	}
	return lines
}

// BenchmarkTokensOfAThousandLines has to stay under 5 ms.
func BenchmarkTokensOfAThousandLines(b *testing.B) {
	tokens, lines := NewTokens(), shortLines(1000)
	tokens.Count("load the vocabulary")
	for b.Loop() {
		for _, l := range lines {
			tokens.Count(l)
		}
	}
}
