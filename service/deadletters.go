package service

import (
	"tenure"
	"tenure/service/view"
	"tenure/webhook"
)

// DeadLetter is an event of a new task that the webhook gave up.
type DeadLetter = webhook.Delivery

// DeadLetters lists the events of the caller's tenant that the webhook gave up, the oldest first.
func (s *Service) DeadLetters(c tenure.Caller) []DeadLetter {
	if s.webhook == nil {
		return nil
	}
	return s.webhook.DeadLetters(c.Tenant)
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
