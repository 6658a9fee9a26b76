//go:build race

package beliefs_test

// With the race detector a trial takes many times as long, and nothing here is
// done at once: a tenth is tried with it, and "make test" tries all without.
func trialsIn(n int) int { return n / 10 }
