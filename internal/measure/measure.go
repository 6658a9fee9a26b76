// Package measure holds what benchmarks and evaluations share: a client of the API, quantiles, shares, and
// the resource usage of a process.
package measure

import (
	"math"
	"slices"
	"time"
)

// Quantile returns the smallest value that at least a share q of the list does not exceed; 0 for an empty
// list.
func Quantile(list []time.Duration, q float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)]
}

// Timed returns how long f takes.
func Timed(f func() error) (time.Duration, error) {
	began := time.Now()
	err := f()
	return time.Since(began), err
}

// Share returns n as a share of a whole, 0 of nothing.
func Share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
