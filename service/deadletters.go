package service

import (
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/service/view"
	"tenure/webhook"
)

// DeadLetter is an event of a new task that the webhook gave up.
type DeadLetter = webhook.Delivery

// DeadLetters lists a page of the events of the caller's tenant that the webhook gave up, the oldest first. What is
// retried meanwhile moves none of the others.
func (s *Service) DeadLetters(c tenure.Caller, p Page) Listing[DeadLetter] {
	if s.webhook == nil {
		return Listing[DeadLetter]{}
	}
	return deadLetters(s.webhook.DeadLetters(c.Tenant), p.WithDefaults())
}

func deadLetters(all []DeadLetter, p Page) Listing[DeadLetter] {
	key := func(d DeadLetter) string { return fmt.Sprintf("%020d/%s", tenure.At(d.LastAt), d.Event.ID) }
	all = slices.DeleteFunc(all, func(d DeadLetter) bool { return key(d) <= p.After })
	slices.SortFunc(all, func(a, b DeadLetter) int { return strings.Compare(key(a), key(b)) })
	return view.Listed(all, p.Limit, key)
}

// RetryDeadLetter has the webhook deliver an event again.
func (s *Service) RetryDeadLetter(c tenure.Caller, event tenure.ID) error {
	if s.webhook == nil {
		return view.Absent()
	}
	switch found, err := s.webhook.Retry(c.Tenant, event); {
	case err != nil:
		return &tenure.Error{Code: tenure.Internal, Message: "the webhook cannot write what it is to deliver", Err: err}
	case !found:
		return view.Absent()
	}
	return nil
}
