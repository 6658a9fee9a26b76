package observe

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// The wall clock is compared with the monotonic one every lookEvery. A difference over leastJump is a jump: what a time
// service corrects by slewing is a thousandth of it.
const (
	lookEvery = 10 * time.Second
	leastJump = 2 * time.Second
)

// Clock watches the wall clock of the process, by which entries of the log are stamped, for jumps.
type Clock struct {
	logger  *slog.Logger
	jumps   *prometheus.CounterVec
	wall    time.Time
	elapsed time.Duration
}

// NewClock returns a watch that registers its metric. It compares from the first call of [Clock.Look] on.
func NewClock(reg prometheus.Registerer, logger *slog.Logger) (*Clock, error) {
	c := &Clock{logger: logger, jumps: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "tenure_clock_jumps_total",
		Help: "Jumps of the wall clock by more than two seconds against the monotonic one, by direction.",
	}, []string{"direction"})}
	for _, direction := range []string{"forward", "back"} {
		c.jumps.WithLabelValues(direction)
	}
	return c, reg.Register(c.jumps)
}

// Run looks at the clock until the context ends. The times that now returns have a monotonic reading, as those of
// time.Now do.
func (c *Clock) Run(ctx context.Context, now func() time.Time) {
	start := now()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		at := now()
		c.Look(at, at.Sub(start))
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look compares the time of the wall clock with what has elapsed by the monotonic one since the last call.
func (c *Clock) Look(wall time.Time, elapsed time.Duration) {
	wall = wall.Round(0) // without its monotonic reading
	before := c.wall
	jump := wall.Sub(before) - (elapsed - c.elapsed)
	c.wall, c.elapsed = wall, elapsed
	if before.IsZero() || jump.Abs() < leastJump {
		return
	}
	direction := "forward"
	if jump < 0 {
		direction = "back"
	}
	c.jumps.WithLabelValues(direction).Inc()
	c.logger.Warn("the clock jumped; entries that are stamped ahead of it stay so", "direction", direction, "by", jump.Abs())
}
