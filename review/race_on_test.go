//go:build race

package review_test

// With the race detector a history takes many times as long: some are played
// with it, and "make test" plays all of them without.
const histories = 4
