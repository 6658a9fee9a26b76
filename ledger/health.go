package ledger

import (
	"sync"

	"tenure"
)

// failedCommits is after how many commits in a row that failed the writer takes the store for one that takes no
// writes: a single one may be a tenant's lock that was not free in time.
const failedCommits = 3

// health tells whether commits succeed.
type health struct {
	mu       sync.Mutex
	failures int
	last     error
}

// note records how a commit ended. A conflict, and a change set that the engine refuses, are no faults of the store.
func (h *health) note(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch tenure.CodeOf(err) {
	case "":
		h.failures, h.last = 0, nil
	case tenure.Unavailable, tenure.Internal:
		h.failures, h.last = h.failures+1, err
	}
}

// Failing returns the error of the last commit if it and those before it failed, nil otherwise: see [Writer.Recovered].
func (w *Writer) Failing() error {
	w.health.mu.Lock()
	defer w.health.mu.Unlock()
	if w.health.failures < failedCommits {
		return nil
	}
	return w.health.last
}

// Recovered tells the writer that the store was found to take writes again. A commit that succeeds tells it too.
func (w *Writer) Recovered() { w.health.note(nil) }
