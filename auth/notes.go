package auth

import (
	"sync"

	"tenure"
)

// mostRefusals bounds the refusals that wait to be written: further ones are left out.
const mostRefusals = 256

// Refusal is a number of attempts from one address to authenticate as a credential, with a wrong secret or after the
// credential ended.
type Refusal struct {
	Credential tenure.Credential
	Client     string
	Count      int
	At         tenure.Instant // of the last one
}

// Notes is what authentication leaves to be written, which no request waits for.
type Notes struct {
	// Used are credentials whose last use has changed.
	Used     []tenure.Credential
	Refusals []Refusal
}

// notebook gathers notes. It is bounded: credentials by the cache that they are in, refusals by mostRefusals.
type notebook struct {
	mu       sync.Mutex
	used     map[tenure.ID]tenure.Credential
	refusals map[refusalKey]Refusal
	noted    chan struct{} // holds one value while there are notes
}

type refusalKey struct {
	key    tenure.ID
	client string
}

func newNotebook() *notebook {
	return &notebook{
		used: map[tenure.ID]tenure.Credential{}, refusals: map[refusalKey]Refusal{}, noted: make(chan struct{}, 1),
	}
}

func (n *notebook) use(c tenure.Credential) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.used[c.ID] = c
	n.wake()
}

func (n *notebook) refuse(c tenure.Credential, client string, at tenure.Instant) {
	n.mu.Lock()
	defer n.mu.Unlock()
	k := refusalKey{c.ID, client}
	r, ok := n.refusals[k]
	if !ok && len(n.refusals) >= mostRefusals {
		return
	}
	n.refusals[k] = Refusal{Credential: c, Client: client, Count: r.Count + 1, At: at}
	n.wake()
}

func (n *notebook) wake() {
	select {
	case n.noted <- struct{}{}:
	default:
	}
}

func (n *notebook) take() Notes {
	n.mu.Lock()
	defer n.mu.Unlock()
	var all Notes
	for _, c := range n.used {
		all.Used = append(all.Used, c)
	}
	for _, r := range n.refusals {
		all.Refusals = append(all.Refusals, r)
	}
	clear(n.used)
	clear(n.refusals)
	return all
}
