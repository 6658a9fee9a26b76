package service

import (
	"context"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/store"
)

// AuditFilter chooses the events of a credential, of a kind, or of both; "" chooses all.
type AuditFilter struct {
	Key  tenure.ID
	Kind tenure.AuditKind
}

// mostAudited bounds the events that are read for a page.
const mostAudited = 2_000

// ListAudit lists a page of what happened to the credentials that the caller may manage, the newest first. Events of
// credentials that are not the caller's to manage are passed over, within bounded work.
func (s *Service) ListAudit(
	ctx context.Context, c tenure.Caller, f AuditFilter, p Page,
) (Listing[tenure.AuditEvent], error) {
	p = p.WithDefaults()
	keys, err := s.keys.Manageable(ctx, c)
	if err != nil {
		return Listing[tenure.AuditEvent]{}, err
	}
	own := map[tenure.ID]bool{"": true} // an export is everybody's to know
	for _, k := range keys {
		own[k.ID] = true
	}
	page := Listing[tenure.AuditEvent]{Items: []tenure.AuditEvent{}, Last: p.After}
	for read := 0; read < mostAudited; {
		n := p.Limit + 1
		events, err := s.store.Audit(ctx, c.Tenant, store.AuditQuery{
			Key: f.Key, Kind: f.Kind, Before: tenure.ID(page.Last), Limit: n,
		})
		if err != nil {
			return page, err
		}
		for _, e := range events {
			if own[e.Key] && len(page.Items) == p.Limit {
				page.More = true
				return page, nil
			}
			page.Last = string(e.ID)
			if own[e.Key] {
				page.Items = append(page.Items, e)
			}
		}
		if len(events) < n {
			return page, nil
		}
		read += n
	}
	page.More = true
	return page, nil
}

// noteTime bounds how long the notes of authentication may take to be written, which a stop waits for; gather is how
// long they are gathered.
const (
	noteTime = 10 * time.Second
	gather   = time.Second
)

// keepNotes writes down, until the context ends, which credentials were used and refused.
func (s *Service) keepNotes(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
		case <-s.auth.Noted():
		}
		select {
		case <-ctx.Done():
		case <-time.After(gather):
		}
		s.writeNotes(context.WithoutCancel(ctx))
		if ctx.Err() != nil {
			return
		}
	}
}

// writeNotes writes what there is to note. What it cannot write is lost, but for the use of a credential, which is
// noted again when it is used again.
func (s *Service) writeNotes(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, noteTime)
	defer cancel()
	notes := s.auth.Take()
	err := s.noteRefusals(ctx, notes.Refusals)
	for _, c := range notes.Used {
		if err == nil {
			err = s.store.PutCredential(ctx, c)
		}
	}
	if err != nil {
		s.logger.WarnContext(ctx, "what authentication left to be noted is lost", "error", err)
	}
}

func (s *Service) noteRefusals(ctx context.Context, refusals []auth.Refusal) error {
	m := s.mint()
	events := map[string][]tenure.AuditEvent{} // by tenant
	for _, r := range refusals {
		events[r.Credential.Tenant] = append(events[r.Credential.Tenant], tenure.AuditEvent{
			ID: m.NewID(), At: r.At, Kind: tenure.AuditRefused, Key: r.Credential.ID, Client: r.Client, Count: r.Count,
		})
	}
	for tenant, list := range events {
		if err := s.store.PutAudit(ctx, tenant, list...); err != nil {
			return err
		}
	}
	return nil
}
