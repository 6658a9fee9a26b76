package resolution

import (
	"context"
	"slices"
	"sync"

	"tenure"
	"tenure/audience"
	"tenure/cache"

	"tenure/blocking"
	"tenure/ingest"
	"tenure/similarity"
	"tenure/store"
	"tenure/visible"
)

// Bounds of session memory: the sessions in each generation of the cache, and the mentions of one session that have one
// label.
const (
	sessionsKept = 4096
	mentionsKept = 32
)

// sessions caches the entities that each session mentioned recently: a later mention in the session may refer
// to one by a part of its name. The cache only provides hints and is lost on restart; what a decision rests on is read
// from the store.
type sessions struct {
	mu     sync.Mutex
	latest *cache.Cache[session, []Mentioned]
}

type session struct{ tenant, user, project, id string }

// Mentioned is a name used in a session, the type stated of it, the entity assigned to it, and its label.
type Mentioned struct {
	Name, Type string
	Entity     tenure.ID
	Label      tenure.Label
}

func newSessions() *sessions {
	return &sessions{latest: cache.New[session, []Mentioned](sessionsKept)}
}

func sessionOf(tenant string, s tenure.Scope) session {
	return session{tenant, s.UserID, s.ProjectID, s.SessionID}
}

// Lately lists the names that a session used lately, the last first, as far as an audience sees them. A scope without a
// session has none.
func (c *Candidates) Lately(tenant string, scope tenure.Scope, sees audience.Sight) []Mentioned {
	return c.sessions.lately(tenant, scope, sees)
}

// lately implements [Candidates.Lately].
func (s *sessions) lately(tenant string, scope tenure.Scope, sees audience.Sight) []Mentioned {
	if scope.SessionID == "" {
		return nil
	}
	known, _ := s.latest.Get(sessionOf(tenant, scope))
	list := slices.DeleteFunc(slices.Clone(known), func(m Mentioned) bool { return !sees.Sees(m.Label) })
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
			list = append(list, Mentioned{m.Name, m.Type, c.Assignment.Entity, m.Label})
		}
	}
	s.latest.Put(k, lastOfEach(list), 1)
}

// forget drops what is remembered: content was erased.
func (s *sessions) forget() { s.latest.Clear() }

// lastOfEach leaves of each label the last mentions, so that nothing is forgotten by what others see.
func lastOfEach(list []Mentioned) []Mentioned {
	left := map[tenure.Label]int{}
	for _, m := range list {
		left[m.Label]++
	}
	return slices.DeleteFunc(list, func(m Mentioned) bool {
		left[m.Label]--
		return left[m.Label] >= mentionsKept
	})
}

// recall lists the entities of the session that a name may denote, most recently mentioned first, as far as an audience
// sees the mentions.
func (s *sessions) recall(tenant, name string, scope tenure.Scope, sees audience.Sight) []tenure.ID {
	return meant(name, s.lately(tenant, scope, sees))
}

// meant lists the entities that a name may denote, each once.
func meant(name string, mentioned []Mentioned) []tenure.ID {
	var list []tenure.ID
	for _, m := range mentioned {
		if !slices.Contains(list, m.Entity) && blocking.MayMean(name, m.Name) {
			list = append(list, m.Entity)
		}
	}
	return list
}

// inTalk lists the entities that a mention may denote, of those that its session mentioned lately or, if that mentioned
// none, its speaker before by that name. A name that cannot tell by itself who is meant depends on them, so that they
// are read from the store.
func (c *Candidates) inTalk(ctx context.Context, m tenure.Mention, t ingest.Talk) []tenure.ID {
	list := c.sessions.recall(t.Tenant, m.Name, t.Scope, t.Sees)
	if !similarity.Vague(m.Name, m.Type) {
		return list
	}
	more, err := c.stored(ctx, m, t, len(list) > 0)
	if err != nil {
		c.logger.WarnContext(ctx, "the mentions of a session cannot be read", "tenant", t.Tenant, "error", err)
	}
	return similarity.AppendDistinct(list, len(list)+len(more), more...)
}

// stored lists what inTalk reads from the store; known reports whether an entity of the session is known already.
func (c *Candidates) stored(ctx context.Context, m tenure.Mention, t ingest.Talk, known bool) ([]tenure.ID, error) {
	r, err := c.store.View(ctx, t.Tenant, tenure.Present)
	if err != nil {
		return nil, err
	}
	r = visible.By(r, t.Sees)
	var list []tenure.ID
	if t.Scope.SessionID != "" {
		mentioned, err := mentioned(ctx, r, t)
		if err != nil {
			return nil, err
		}
		list = meant(m.Name, mentioned)
	}
	if t.Speaker != "" && !known && len(list) == 0 {
		spoken, err := spoken(ctx, r, m, t)
		if err != nil {
			return nil, err
		}
		list = append(list, spoken...)
	}
	return list, nil
}

// spoken lists the entities that the speaker introduced by the name of a mention.
func spoken(ctx context.Context, r store.Reader, m tenure.Mention, t ingest.Talk) ([]tenure.ID, error) {
	aliases, err := r.AliasesByKey(ctx, []tenure.AliasKey{similarity.NameAliasKey(m.Name)})
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, a := range aliases[:min(len(aliases), mentionsKept)] {
		ids = append(ids, a.Mention)
	}
	mentions, err := r.Mentions(ctx, ids)
	if err != nil {
		return nil, err
	}
	ids = ids[:0]
	for _, x := range mentions {
		ids = append(ids, x.Mention.Observation)
	}
	observations, err := r.Observations(ctx, ids)
	if err != nil {
		return nil, err
	}
	theirs := map[tenure.ID]bool{}
	for _, o := range observations {
		theirs[o.ID] = o.Source.Speaker == t.Speaker && o.Scope.UserID == t.Scope.UserID
	}
	var list []tenure.ID
	for _, x := range mentions {
		if theirs[x.Mention.Observation] {
			list = append(list, x.Assignment.Entity)
		}
	}
	return list, nil
}

// mentioned reads what a session mentioned lately, the last first.
func mentioned(ctx context.Context, r store.Reader, t ingest.Talk) ([]Mentioned, error) {
	observations, err := r.ListObservations(ctx,
		store.ObservationQuery{By: store.BySession, Name: t.Scope.SessionID, Limit: mentionsKept})
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, o := range observations {
		said := o.Observation.Scope.InSession(o.Observation.Source.Session)
		if sessionOf(t.Tenant, said) == sessionOf(t.Tenant, t.Scope) {
			ids = append(ids, o.Observation.Mentions...)
		}
	}
	ids = ids[:min(len(ids), mentionsKept)]
	found, err := r.Mentions(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]Mentioned, 0, len(found))
	for _, m := range found {
		list = append(list, Mentioned{m.Mention.Name, m.Mention.Type, m.Assignment.Entity, m.Mention.Label})
	}
	return list, nil
}
