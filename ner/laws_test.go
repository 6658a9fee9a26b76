package ner_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/ner"
	"tenure/ner/alias"
)

func sortedIDs(ids []tenure.ID) []tenure.ID { return slices.Sorted(slices.Values(ids)) }

// FuzzExtract checks the contract of Extractor: no panic, spans sorted and not
// overlapping, inside the text, on rune boundaries, and the same answer twice.
func FuzzExtract(f *testing.F) {
	for _, text := range []string{
		"", "A", "'s", "Dr. ", "J.", "The", "Project", ",,Inc.", "@", "#", "://", "http://", "a@b.c", "1.2.3.4", "Ingrid's team", "\"Nell\"",
		"ask Korvex Ltd. & Co", "田中さん", "김민준 님", "السيد", "Ａｂ Ｃｄ", "ǅ ǆ", "İstanbul", "ﬁne Ég", "👩‍👩‍👧 Zoë", "x/y:1 A/S S.r.l.", "DOE/JANE MARY",
		"sp. z o.o.", "A\u0301 b\u200dc", "\u202eabc\u202c", "| a | b |", "`x_y(`", "+49", "GB29 ", "order ", "no. 5", "’s ’s", "- [x] Ann",
		"| host | owner |\n|---|---|\n| a | İlİ |", "김İ전자", "le l’Koch", "İzmir'de", "の田中ゆりです", "\"Glue and Its Enemies\"", "run(a=1)", "Viktor L.", "Ó B", "der Hausmeister", "(head of sales, x)",
	} {
		f.Add(text)
	}
	d := alias.NewDictionary()
	d.Set("k", "organization", "", "Korvex", "ann", "x", "田中")
	f.Fuzz(func(t *testing.T, text string) {
		found, err := rules.Extract(context.Background(), text, d.In(""))
		if !utf8.ValidString(text) {
			if err == nil {
				t.Fatal("invalid UTF-8 was taken")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		end := 0
		for _, m := range found {
			checkMention(t, text, m, end)
			end = m.End
		}
		again, _ := rules.Extract(context.Background(), text, d.In(""))
		if diff := cmp.Diff(found, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

// checkMention checks one mention of text; end is the end of the mention before.
func checkMention(t *testing.T, text string, m ner.Mention, end int) {
	t.Helper()
	if m.Start < end || m.End <= m.Start || m.End > len(text) {
		t.Fatalf("%q: %+v behind byte %d", text, m, end)
	}
	if m.Text != text[m.Start:m.End] || !utf8.ValidString(m.Text) {
		t.Fatalf("%q: %+v has another text", text, m)
	}
	if utf8.RuneCountInString(text[:m.Start]) != m.RuneStart || utf8.RuneCountInString(text[:m.End]) != m.RuneEnd {
		t.Fatalf("%q: %+v counts other runes", text, m)
	}
	if m.Type == "" || m.Chain < 1 || m.Rule == "" {
		t.Fatalf("%q: %+v is incomplete", text, m)
	}
}

// TestLongTextsTakeLinearTime extracts 128 KB of each unit, which takes minutes of the processor if a rule looks
// back or ahead without a bound.
func TestLongTextsTakeLinearTime(t *testing.T) {
	for _, unit := range []string{
		"Anna ", "anna ", "a", "A", "A. ", "of ", "Bank of ", "the head ", "x-", "x_", "a.b.", "/", "#a ", "@", "0 ", "12 34 ", "'s", "Ann's ", "\"", "(", "|", "DOE/",
		"李", "김", "さん", "van ", "Dr. ", "A & ", "THE CAT ", ", Inc.", "http://", ")", "é", "\u0301", "Ann, ", "project x ", "님", "김 님님", "| a ", "|host|\n|a|\n", "\"A of ", "l'", "İ'de ", "の田中です", "run(a=", "der Leiter ", "(the ", "by head ",
	} {
		text := strings.Repeat(unit, 1<<17/len(unit))
		before := processorTime(t)
		if _, err := rules.Extract(context.Background(), text, nil); err != nil {
			t.Fatal(err)
		}
		// generous, for the race detector; a quadratic rule takes many minutes
		if took := processorTime(t) - before; took > 20*time.Second {
			t.Errorf("%q took %v", unit, took)
		}
	}
}

// processorTime returns the processor time that this process has used: unlike a clock it does not run on while other
// processes do.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestTextsAreIndependent extracts texts at once, and one after the other with the memory of those before: what is found
// in one does not depend on the others.
func TestTextsAreIndependent(t *testing.T) {
	texts := []string{
		"Dr. Ingrid Falk met Heron in Turku. the heron flew", "heron is late, ask baldwin", "Heron rollout, says Quillfen",
		"", "quillfen said so", "Frau Steindl gibt das der Abteilungsleiterin.", "see OPS-12 and pkg/io/read.go:42 by Falk",
	}
	alone := make([]string, len(texts))
	for i, text := range texts {
		found, err := ner.New().Extract(t.Context(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		alone[i] = fmt.Sprint(found)
	}
	shared := ner.New()
	var wg sync.WaitGroup
	for from := range texts {
		wg.Go(func() {
			for i := range 4 * len(texts) {
				n := (from + i) % len(texts)
				if found, err := shared.Extract(t.Context(), texts[n], nil); err != nil || fmt.Sprint(found) != alone[n] {
					t.Errorf("%q: %v, %v, alone %v", texts[n], found, err, alone[n])
				}
			}
		})
	}
	wg.Wait()
}
