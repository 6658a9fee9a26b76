// Package app puts the parts together: a store, the writer before it, the
// use cases, and the HTTP layer that offers them.
//
// In come an opened store and the outside world (clock, randomness, logger);
// out goes a handler. There is no rule here.
package app
