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
	latest *cache.Cache[session, []Mentioned]
}

type session struct{ tenant, user, project, id string }

// Mentioned is a name used in a session, the type stated of it, and the entity assigned to it.
type Mentioned struct {
	Name, Type string
	Entity     tenure.ID
}

func newSessions() *sessions {
	return &sessions{latest: cache.New[session, []Mentioned](sessionsKept)}
}

func sessionOf(tenant string, s tenure.Scope) session {
	return session{tenant, s.UserID, s.ProjectID, s.SessionID}
}

// Lately lists the names that a session used lately, the last first. A scope without a session has none.
func (c *Candidates) Lately(tenant string, scope tenure.Scope) []Mentioned {
	if scope.SessionID == "" {
		return nil
	}
	known, _ := c.sessions.latest.Get(sessionOf(tenant, scope))
	list := slices.Clone(known)
	slices.Reverse(list)
	return list
}

// note adds the mentions of a change set to its session.
func (s *sessions) note(tenant string, changes []tenure.Change) {
	mentions, scope := map[tenure.ID]tenure.Mention{}, tenure.Scope{}
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.ObservationAdded:
			scope = c.Observation.Scope.InSession(c.Observation.Source.Session)
		case tenure.MentionAdded:
			mentions[c.Mention.ID] = c.Mention
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
			m := mentions[c.Assignment.Mention]
			list = append(list, Mentioned{m.Name, m.Type, c.Assignment.Entity})
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
		if !slices.Contains(list, m.Entity) && blocking.MayMean(name, m.Name) {
			list = append(list, m.Entity)
		}
	}
	return list
}
