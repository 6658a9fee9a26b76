package observe_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure/observe"
)

// TestAClockThatJumpsIsNoticed checks that a wall clock that moves apart from the monotonic one is counted and logged,
// once for each jump, and that one that is slewed is not.
func TestAClockThatJumpsIsNoticed(t *testing.T) {
	began := time.Date(2026, 6, 6, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		wall []time.Duration // since the beginning, every ten seconds of the monotonic clock
		want string
	}{
		"no-jump":           {[]time.Duration{0, 10 * time.Second, 20 * time.Second}, "back 0, forward 0, logged 0"},
		"slewed":            {[]time.Duration{0, 10*time.Second + 5*time.Millisecond, 21 * time.Second}, "back 0, forward 0, logged 0"},
		"an-hour-forward":   {[]time.Duration{0, time.Hour, time.Hour + 10*time.Second}, "back 0, forward 1, logged 1"},
		"back-by-a-minute":  {[]time.Duration{0, 10*time.Second - time.Minute, 20*time.Second - time.Minute}, "back 1, forward 0, logged 1"},
		"forward-then-back": {[]time.Duration{0, time.Hour, 20 * time.Second}, "back 1, forward 1, logged 2"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			reg := prometheus.NewRegistry()
			clock, err := observe.NewClock(reg, slog.New(slog.NewTextHandler(&log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			for i, wall := range c.wall {
				clock.Look(began.Add(wall), time.Duration(i)*10*time.Second)
			}
			families, err := reg.Gather()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range families[0].GetMetric() {
				got = append(got, fmt.Sprint(m.GetLabel()[0].GetValue(), " ", m.GetCounter().GetValue()))
			}
			got = append(got, fmt.Sprint("logged ", strings.Count(log.String(), "the clock jumped")))
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%q, want %q", strings.Join(got, ", "), c.want)
			}
		})
	}
}
