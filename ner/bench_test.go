package ner_test

import (
	"context"
	"testing"
)

// BenchmarkExtract extracts one text of each kind: prose, a chat in lower case, a
// log, a table, and scripts without capitals.
func BenchmarkExtract(b *testing.B) {
	texts := []string{
		"Dr. Ingrid Falk of Larkspur Holdings Ltd met J. R. Okafor near Turku. She asked Will to send the Harbour " +
			"Handbook 2031 to the head of security before the Heron rollout, and said that Korvex pays.",
		"thanks oksana, did baldwin send it? i moved the thing to brindlewick, the new cluster. ask legal, and tell the on-call engineer",
		"2031-04-05T10:20:30Z INFO quota-svc restarted on lynx-07 for user=m.osterberg from 192.0.2.14:22, see OPS-12 and pkg/io/read.go:42",
		"| service | owner |\n|---|---|\n| mailroom | Kenji |\n| kettle | nobody |\n",
		"ミツバ印刷の田中ゆりです。王秀英请李强到上海。김민준이 부산에 갔다. السيدة ليلى حداد وصلت",
		"Bitte gib das der Abteilungsleiterin und nicht dem Hausmeister. Nous avons appelé l'avocat ce matin.",
	}
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, text := range texts {
			if _, err := rules.Extract(context.Background(), text, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}
