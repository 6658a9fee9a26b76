package graph

import (
	"fmt"
	"time"

	"tenure"
)

// zone is UTC as an offset: Neo4j shows the zone UTC by its name.
var zone = time.FixedZone("Offset", 0)

// withTimes adds to each of the properties, which are microseconds, a native time of the same name with _time behind
// it. The open ends of windows have none.
func withTimes(set props, names ...string) {
	for _, name := range names {
		set[name+"_time"] = NativeTime(set[name])
	}
}

// NativeTime returns a time in microseconds as a native time; nil for the open end of a window.
func NativeTime(micros any) any {
	i, ok := micros.(int64)
	if !ok || tenure.Instant(i) == tenure.MaxTime || tenure.Instant(i) == tenure.MinTime {
		return nil
	}
	return tenure.Instant(i).Time().In(zone)
}

// TimeOf is [NativeTime] in Cypher.
func TimeOf(micros string) string {
	return fmt.Sprintf(`CASE WHEN %[1]s IN [%[2]d, %[3]d] THEN null
  ELSE datetime('1970-01-01T00:00:00Z') + duration({seconds: %[1]s / 1000000, microseconds: %[1]s %% 1000000}) END`,
		micros, int64(tenure.MaxTime), int64(tenure.MinTime))
}
