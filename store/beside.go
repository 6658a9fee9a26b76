package store

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Beside runs independent reads concurrently, and returns the first error in the order of the list. It panics if one of
// them does.
func Beside(reads ...func() error) error {
	errs := make([]error, len(reads))
	var others sync.WaitGroup
	var failure atomic.Pointer[string]
	for i, read := range reads[1:] {
		others.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					failure.Store(new(fmt.Sprintf("%v\n%s", p, debug.Stack())))
				}
			}()
			errs[i+1] = read()
		})
	}
	defer func() {
		others.Wait()
		if p := failure.Load(); p != nil {
			panic(*p)
		}
	}()
	errs[0] = reads[0]()
	others.Wait()
	return cmp.Or(errs...)
}
