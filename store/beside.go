package store

import (
	"cmp"
	"sync"
)

// Beside makes reads side by side, none of which needs another. The error of an earlier one goes before a later one's.
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
