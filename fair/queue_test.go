package fair_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenure/fair"
)

// filled returns a queue of items such as "a/k/3": the fourth of the key k of the tenant a.
func filled(counts ...string) *fair.Queue[string] {
	q := &fair.Queue[string]{}
	for _, c := range counts {
		var tenant, key string
		var n int
		if _, err := fmt.Sscanf(strings.ReplaceAll(c, "/", " "), "%s %s %d", &tenant, &key, &n); err != nil {
			panic(err)
		}
		for i := range n {
			q.Add(fmt.Sprintf("%s/%s/%d", tenant, key, i), tenant, key)
		}
	}
	return q
}

func wantItems(t *testing.T, got []string, want string) {
	t.Helper()
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestTurnsGoRoundAmongTenantsAndTheirKeys checks that tenants take turns however much each has waiting, that the keys
// of a tenant share its turns, and that the items of a key stay in their order.
func TestTurnsGoRoundAmongTenantsAndTheirKeys(t *testing.T) {
	q := filled("busy/k/50", "busy/l/2", "quiet/k/2", "other/k/1")
	wantItems(t, q.Take(9),
		"busy/k/0 quiet/k/0 other/k/0 busy/l/0 quiet/k/1 busy/k/1 busy/l/1 busy/k/2 busy/k/3")
	q.Add("quiet/k/2", "quiet", "k")
	wantItems(t, q.Take(2), "busy/k/4 quiet/k/2")
	if rest := q.Take(1000); len(rest) != 45 || q.Len() != 0 || len(q.Take(1)) != 0 {
		t.Errorf("%d are left, then %d", len(rest), q.Len())
	}
}

func TestOnlyThoseWhoMayGo(t *testing.T) {
	q := filled("a/k/2", "b/k/2", "c/k/1")
	notA := func(name string) bool { return name != "a" }
	var got []string
	for item, ok := q.Next(notA); ok; item, ok = q.Next(notA) {
		got = append(got, item)
	}
	wantItems(t, got, "b/k/0 c/k/0 b/k/1")
	wantItems(t, q.Take(9), "a/k/0 a/k/1")
}

// TestWhatIsPutBackIsNext checks that items which were taken and put back, the last first, are taken in the same order.
func TestWhatIsPutBackIsNext(t *testing.T) {
	q := filled("a/k/3", "b/k/1", "b/l/2")
	taken := q.Take(4)
	for _, item := range slices.Backward(taken) {
		path := strings.Split(item, "/")
		q.PutBack(item, path[0], path[1])
	}
	if q.Len() != 6 {
		t.Errorf("%d items", q.Len())
	}
	wantItems(t, q.Take(4), strings.Join(taken, " "))
	wantItems(t, q.Take(9), "a/k/2 b/l/1")
}

func TestWhatIsRemovedIsNotTaken(t *testing.T) {
	q := filled("a/k/3", "b/k/1")
	is := func(want string) func(string) bool { return func(item string) bool { return item == want } }
	if n := q.Remove(is("a/k/1"), "a", "k") + q.Remove(is("b/k/0"), "b", "k"); n != 2 || q.Len() != 2 {
		t.Errorf("%d removed, %d left", n, q.Len())
	}
	if n := q.Remove(is("a/k/0"), "a", "l") + q.Remove(is("b/k/0"), "b", "k"); n != 0 {
		t.Errorf("%d were removed that are not there", n)
	}
	q.Add("b/k/1", "b", "k")
	wantItems(t, q.Take(9), "a/k/0 b/k/1 a/k/2")
}

// TestNobodyTakesAllTheRoom checks that a queue which is full still takes what is in the share of its tenant, and of
// its key there.
func TestNobodyTakesAllTheRoom(t *testing.T) {
	q := filled("busy/k/8")
	for _, c := range []struct {
		tenant, key string
		limit       int
		full        bool
	}{
		{"busy", "k", 9, false},
		{"busy", "k", 8, true},
		{"busy", "l", 8, false}, // half of the room of the only tenant
		{"busy", "l", 1, true},
		{"quiet", "k", 8, false},
		{"quiet", "k", 1, true},
	} {
		if got := q.Full(c.limit, c.tenant, c.key); got != c.full {
			t.Errorf("a queue of %d is full for %s/%s: %v", c.limit, c.tenant, c.key, got)
		}
	}
	for i := range 4 {
		if q.Full(8, "quiet", "k") {
			t.Errorf("quiet has no room after %d", i)
		}
		q.Add(fmt.Sprint(i), "quiet", "k")
	}
	if !q.Full(8, "quiet", "k") || q.Full(8, "quiet", "l") {
		t.Error("half of the room is for quiet, and half of that for each of its keys")
	}
}
