// Package observe measures the store without its knowing.
//
// In comes a store; out goes one that does the same and counts each call, its
// outcome and how long it took. There is no rule here.
package observe
