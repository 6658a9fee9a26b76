package main

import (
	"reflect"
	"testing"
	"time"
)

func TestRightIsCompleteAndClean(t *testing.T) {
	q := ask{Must: []string{"a", "b"}, MustNot: []string{"c"}}
	for context, want := range map[string]bool{"a b": true, "a": false, "a b c": false, "": false} {
		if got := judge(&conversation{}, q, context).right(); got != want {
			t.Errorf("%q: %v, want %v", context, got, want)
		}
	}
}

func TestSum(t *testing.T) {
	c, d := &conversation{}, &conversation{}
	list := []answer{
		judge(c, ask{Must: []string{"a"}, MustNot: []string{"b"}}, "a"),
		judge(c, ask{Must: []string{"a"}, MustNot: []string{"b"}}, "a b"),
		judge(d, ask{Must: []string{"a"}}, "12345 a"),
	}
	want := score{
		Asks: 3, Right: 2, Must: 3, Got: 3, Live: 2, Bad: 1, Tokens: 1, Tokens5: 1, Faults: map[string]int{beside: 1},
	}
	if got := sum(list); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if right, all := whole(list); right != 1 || all != 2 {
		t.Errorf("%d of %d conversations, want 1 of 2", right, all)
	}
}

func TestFaults(t *testing.T) {
	q := ask{Must: []string{"a"}, MustNot: []string{"b"}}
	for context, want := range map[string]string{"a": "", "a b": beside, "b": stale, "c": missing, " \n": empty} {
		if got := judge(&conversation{}, q, context).fault(); got != want {
			t.Errorf("%q: %q, want %q", context, got, want)
		}
	}
}

func TestFailuresTakeTurnsByClass(t *testing.T) {
	one := func(act string) answer { return answer{ask: ask{Act: act, Must: []string{"m"}}} }
	got := mixed([]answer{one("x"), one("x"), one("y"), one("x"), one("y"), {ask: ask{Act: "right"}}})
	var acts string
	for _, a := range got {
		acts += a.Act
	}
	if acts != "xyxyx" {
		t.Error(acts)
	}
}

func TestHalvesKeepSlotsWhole(t *testing.T) {
	list := []conversation{{Slot: "A"}, {Slot: "A"}, {Slot: "B"}, {Slot: "A"}, {Slot: "C"}}
	for name, want := range map[string]int{"odd": 4, "even": 1, "": 5} {
		if got, err := half(list, name); err != nil || len(got) != want {
			t.Errorf("%q: %d conversations, %v, want %d", name, len(got), err, want)
		}
	}
	if got, _ := half([]conversation{{ID: "1"}, {ID: "2"}, {ID: "3"}}, "even"); len(got) != 1 || got[0].ID != "2" {
		t.Errorf("without slots: %v", got)
	}
	if _, err := half(list, "third"); err == nil {
		t.Error("a third half")
	}
}

func TestWhatWasSaidAfterAQuestionIsNotTold(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	list := []conversation{{
		Turns: []turn{{At: day(1), Speaker: "x", Text: "one"}, {At: day(3), Speaker: "x", Text: "two"}},
		Asks:  []ask{{At: day(1)}, {At: day(4)}},
	}}
	got, err := answers(t.Context(), baselines()[0], list)
	if err != nil || len(got) != 2 || got[0].Context != "x: one" || got[1].Context != "x: one\nx: two" {
		t.Errorf("%+v, %v", got, err)
	}
}
