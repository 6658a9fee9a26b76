package store

import (
	"cmp"
	"sync"
)

// Beside runs independent reads concurrently, and returns the first error in the order of the list.
func Beside(reads ...func() error) error {
	errs := make([]error, len(reads))
	var others sync.WaitGroup
	for i, read := range reads[1:] {
		others.Go(func() { errs[i+1] = read() })
	}
	errs[0] = reads[0]()
	others.Wait()
	return cmp.Or(errs...)
}
