package queue_test

import (
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/queue"
)

func TestALeaseKeepsOthersOff(t *testing.T) {
	dana := queue.Worker{Actor: "key", Person: "Dana"}
	l := queue.Leased(dana, 1_000_000, time.Second)
	for _, c := range []struct {
		behaviour string
		worker    queue.Worker
		at        tenure.Instant
		free      bool
	}{
		{"the holder", dana, 1_500_000, true},
		{"another person with the credential", queue.Worker{Actor: "key", Person: "Eve"}, 1_500_000, false},
		{"nobody by name with the credential", queue.Worker{Actor: "key"}, 1_500_000, false},
		{"another credential", queue.Worker{Actor: "other", Person: "Dana"}, 1_999_999, false},
		{"after its end", queue.Worker{Actor: "other"}, 2_000_000, true},
	} {
		err := queue.Free(l, "case", c.worker, c.at)
		if (err == nil) != c.free || err != nil && tenure.CodeOf(err) != tenure.Conflicting {
			t.Errorf("%s: %v", c.behaviour, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "Dana") || !strings.Contains(err.Error(), "the case until "+l.LeasedUntil.String())) {
			t.Errorf("%s: who has what until when is not told: %v", c.behaviour, err)
		}
	}
}

func TestOldEventsAreForgotten(t *testing.T) {
	var list []int
	for i := range 250 {
		list = queue.Remember(list, i)
	}
	if len(list) != 100 || list[0] != 150 || list[99] != 249 {
		t.Errorf("%d from %d", len(list), list[0])
	}
}
