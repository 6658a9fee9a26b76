package app

import (
	"slices"
	"sync"

	"tenure"
	"tenure/cache"
	"tenure/registry"
)

// Bounds of what is remembered of sessions: how many of them, in each half of a
// cache, and how many mentions of each.
const (
	sessionsKept = 4096
	sessionKept  = 32
)

// sessions remember whom sessions have mentioned of late, for the mentions that
// come after. What is lost with the process is a hint, no more.
type sessions struct {
	mu     sync.Mutex
	latest *cache.Cache[session, []met]
}

type session struct{ tenant, user, project, id string }

// met is a name in a session, and whom it meant.
type met struct {
	name   string
	entity tenure.ID
}

func newSessions() *sessions {
	return &sessions{latest: cache.New[session, []met](sessionsKept)}
}

func sessionOf(tenant string, s tenure.Scope) session {
	return session{tenant, s.UserID, s.ProjectID, s.SessionID}
}

// note remembers what a change set has found out about its session's mentions.
func (s *sessions) note(tenant string, changes []tenure.Change) {
	names, scope := map[tenure.ID]string{}, tenure.Scope{}
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.ObservationAdded:
			scope = c.Observation.Scope
		case tenure.MentionAdded:
			names[c.Mention.ID] = c.Mention.Name
		}
	}
	if scope.SessionID == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := sessionOf(tenant, scope)
	before, _ := s.latest.Get(k)
	list := slices.Clone(before)
	for _, c := range changes {
		if c, ok := c.(tenure.MentionAssigned); ok {
			list = append(list, met{names[c.Assignment.Mention], c.Assignment.Entity})
		}
	}
	s.latest.Put(k, list[max(0, len(list)-sessionKept):], 1)
}

// recall lists whom a name may mean of those that its session has mentioned, the
// last first.
func (s *sessions) recall(tenant, name string, scope tenure.Scope) []tenure.ID {
	if scope.SessionID == "" {
		return nil
	}
	known, _ := s.latest.Get(sessionOf(tenant, scope))
	var list []tenure.ID
	for _, m := range slices.Backward(known) {
		if !slices.Contains(list, m.entity) && registry.MayMean(name, m.name) {
			list = append(list, m.entity)
		}
	}
	return list
}
