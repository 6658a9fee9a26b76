package queue

import (
	"slices"
	"time"

	"tenure"
)

// PutOff is the factor on the worth of a question that was put off without a date.
const PutOff = 0.25

// Worker is who works on a question: a credential, and the person that it names where several share it.
type Worker struct{ Actor, Person string }

// Free returns Conflicting if another worker holds the lease. what names the kind of question.
func Free(l tenure.Lease, what string, w Worker, now tenure.Instant) error {
	if !l.Leased(now) || l.LeasedBy == w.Actor && l.LeasedFor == w.Person {
		return nil
	}
	who := "the credential " + l.LeasedBy
	if l.LeasedFor != "" {
		who = l.LeasedFor + ", with " + who + ","
	}
	return tenure.Errorf(tenure.Conflicting, "%s has the %s until %s", who, what, l.LeasedUntil)
}

// Leased returns the lease of a worker.
func Leased(w Worker, now tenure.Instant, d time.Duration) tenure.Lease {
	return tenure.Lease{LeasedBy: w.Actor, LeasedFor: w.Person, LeasedUntil: now.Add(d)}
}

// maxEvents bounds the events that a question carries; the log keeps all versions.
const maxEvents = 100

// Remember appends an event to the history of a question, without the oldest where there are too many.
func Remember[E any](history []E, e E) []E {
	list := append(slices.Clip(history), e)
	return list[max(0, len(list)-maxEvents):]
}
