package passages_test

import (
	"testing"

	"tenure"
	"tenure/passages"
)

func BenchmarkCut(b *testing.B) {
	text := sentencesOf(19_000, "pumps")[:1_000_000]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		passages.Cut("Handbook", text, tenure.Markdown, tokens.Count)
	}
}
