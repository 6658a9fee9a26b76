package resolution

import (
	"slices"
	"sync"

	"tenure"
	"tenure/cache"

	"tenure/blocking"
)

// Bounds of session memory: the sessions in each generation of the cache, and the mentions of one session.
const (
	sessionsKept = 4096
	mentionsKept = 32
)

// sessions caches the entities that each session mentioned recently: a later mention in the session may refer
// to one by a part of its name. The cache only provides hints and is lost on restart.
type sessions struct {
	mu     sync.Mutex
	latest *cache.Cache[session, []mentioned]
}

type session struct{ tenant, user, project, id string }

// mentioned is a name used in a session and the entity assigned to it.
type mentioned struct {
	name   string
	entity tenure.ID
}

func newSessions() *sessions {
	return &sessions{latest: cache.New[session, []mentioned](sessionsKept)}
}

func sessionOf(tenant string, s tenure.Scope) session {
	return session{tenant, s.UserID, s.ProjectID, s.SessionID}
}

// note adds the mentions of a change set to its session.
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
			list = append(list, mentioned{names[c.Assignment.Mention], c.Assignment.Entity})
		}
	}
	s.latest.Put(k, list[max(0, len(list)-mentionsKept):], 1)
}

// recall lists the entities of the session that a name may denote, most recently mentioned first.
func (s *sessions) recall(tenant, name string, scope tenure.Scope) []tenure.ID {
	if scope.SessionID == "" {
		return nil
	}
	known, _ := s.latest.Get(sessionOf(tenant, scope))
	var list []tenure.ID
	for _, m := range slices.Backward(known) {
		if !slices.Contains(list, m.entity) && blocking.MayMean(name, m.name) {
			list = append(list, m.entity)
		}
	}
	return list
}
