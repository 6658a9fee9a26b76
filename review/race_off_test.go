//go:build !race

package review_test

// histories of 250 steps: 10,000 steps on each engine.
const histories = 40
