package service

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"tenure"
	"tenure/auth"
	"tenure/ingest"
	"tenure/registry"
	"tenure/store"
)

const (
	defaultCandidates = 5
	// maxTextMentions bounds the mentions that are resolved of one text.
	maxTextMentions = 200
	// shownAliases bounds the other names of a candidate.
	shownAliases = 10
)

// ResolveRequest asks what mentions would be taken to mean: those listed, or those of
// a text. MaxCandidates bounds what is shown of each (0: five).
type ResolveRequest struct {
	Mentions      []Mention
	Text          string
	Scope         tenure.Scope
	MaxCandidates int
	Known         tenure.AsOf
}

// Resolution is the answer to a ResolveRequest, of one state. Lag is how many entries
// of the log candidate generation had not processed then.
type Resolution struct {
	Mentions []ResolvedMention
	Seq      tenure.Seq
	Tx       tenure.Instant
	Lag      int64
}

// ResolvedMention is what a mention would be taken to mean. Entity is the root of it,
// "" where none would be assigned. Place is where a mention of a text is.
type ResolvedMention struct {
	Name, Type string
	Outcome    tenure.Outcome
	Score      float64
	Entity     tenure.ID
	Reason     string
	Candidates []RankedCandidate
	Place      *Place
}

// Place is a span of a text, in bytes. Chain is shared by the mentions of one thing
// within the text.
type Place struct{ Start, End, Chain int }

// RankedCandidate is a root that a mention may mean, with the evidence.
type RankedCandidate struct {
	Root          tenure.Entity
	Aliases       []string
	Score         float64
	Veto          string
	Contributions []registry.Contribution
}

// Resolve decides what mentions would be taken to mean, and writes nothing. Each is
// decided in the company of those before it.
func (s *Service) Resolve(ctx context.Context, c tenure.Caller, r ResolveRequest) (Resolution, error) {
	scope, err := auth.Bind(c, r.Scope, "/scope")
	if err != nil {
		return Resolution{}, err
	}
	// The watermark is read before the state that it is compared with: re-resolution
	// writes before it moves the watermark, so that the other way round the watermark
	// would count and what was written would not.
	watermark, err := s.worker.Watermark(c.Tenant)
	if err != nil {
		return Resolution{}, err
	}
	reader, err := s.open(ctx, c, r.Known)
	if err != nil {
		return Resolution{}, err
	}
	mentions, places, err := s.mentionsOf(ctx, c, r, scope.ProjectID)
	if err != nil {
		return Resolution{}, err
	}
	ranking := ranking{
		draft: store.NewDraft(reader), matcher: s.matcher, mentions: mentions,
		limit: cmp.Or(r.MaxCandidates, defaultCandidates),
	}
	for _, m := range mentions {
		proposed := s.worker.Candidates.Propose(c.Tenant, m, scope, max(registry.Proposals, ranking.limit))
		ranking.proposals = append(ranking.proposals, proposed)
	}
	out := Resolution{}
	if out.Mentions, err = ranking.decide(ctx); err != nil {
		return Resolution{}, err
	}
	for i := range places {
		out.Mentions[i].Place = &places[i]
	}
	out.Seq, out.Tx = reader.State()
	out.Lag, err = s.lag(ctx, c, reader, r.Known, watermark)
	return out, err
}

// lag is how far a watermark is behind the log, whose end reader knows if it reads the
// present.
func (s *Service) lag(
	ctx context.Context, c tenure.Caller, reader store.Reader, known tenure.AsOf, watermark tenure.Seq,
) (int64, error) {
	if known != tenure.Present {
		var err error
		if reader, err = s.open(ctx, c, tenure.Present); err != nil {
			return 0, err
		}
	}
	end, _ := reader.State()
	return max(0, int64(end-watermark)), nil
}

// mentionsOf lists the mentions of the request, those of a text with their places.
func (s *Service) mentionsOf(
	ctx context.Context, c tenure.Caller, r ResolveRequest, project string,
) ([]tenure.Mention, []Place, error) {
	var list []tenure.Mention
	for i, m := range r.Mentions {
		mention, err := mentionOf(m, project, fmt.Sprintf("/mentions/%d", i))
		if err != nil {
			return nil, nil, err
		}
		list = append(list, mention)
	}
	if r.Text == "" {
		return list, nil, nil
	}
	found, err := s.worker.Extract(ctx, c.Tenant, r.Text, project)
	if err != nil {
		return nil, nil, err
	}
	if len(found) > maxTextMentions {
		return nil, nil, tenure.FieldError(tenure.Unprocessable, "/text",
			fmt.Sprintf("mentions more than %d things: ask in parts", maxTextMentions))
	}
	var places []Place
	for _, m := range found {
		list = append(list, tenure.Mention{Name: m.Text, Type: m.Type, Project: project})
		places = append(places, Place{Start: m.Start, End: m.End, Chain: m.Chain})
	}
	return list, places, nil
}

// mentionOf is a mention as the registry knows it. Invalid if its name has nothing in
// it that a name is made of, as where it is observed.
func mentionOf(m Mention, project, pointer string) (tenure.Mention, error) {
	if registry.Key(m.Name) == "" {
		return tenure.Mention{}, tenure.FieldError(tenure.Invalid, pointer+"/name",
			"has nothing in it that could name something")
	}
	return ingest.MentionOf(m, project), nil
}

// ranking ranks candidates for mentions on one state.
type ranking struct {
	draft     *store.Draft
	matcher   registry.Judge
	mentions  []tenure.Mention
	proposals [][]tenure.ID // parallel to mentions
	limit     int
}

func (k *ranking) decide(ctx context.Context) ([]ResolvedMention, error) {
	if err := k.load(ctx); err != nil {
		return nil, err
	}
	k.anticipate()
	list := make([]ResolvedMention, 0, len(k.mentions))
	var company []tenure.ID
	for i, m := range k.mentions {
		d, err := k.matcher.Rank(ctx, k.draft, m, company, k.proposals[i], k.limit)
		if err != nil {
			return nil, err
		}
		if d.Outcome == tenure.AutoMerge {
			company = append(company, d.Root)
		}
		resolved := ResolvedMention{
			Name: m.Name, Type: m.Type, Outcome: d.Outcome, Score: d.Score, Entity: d.Root, Reason: d.Reason,
		}
		for _, c := range d.Candidates[:min(len(d.Candidates), k.limit)] {
			members, err := registry.Members(ctx, k.draft, c.Root)
			if err != nil {
				return nil, err
			}
			names := otherNames(members)
			resolved.Candidates = append(resolved.Candidates, RankedCandidate{
				Root: c.Root, Aliases: names[:min(len(names), shownAliases)],
				Score: c.Comparison.Score, Veto: c.Comparison.Veto, Contributions: c.Comparison.Contributions,
			})
		}
		list = append(list, resolved)
	}
	return list, nil
}

// load reads for all mentions at once what ranking reads: the owners of their aliases,
// the proposals, the roots of both, and the members of those.
func (k *ranking) load(ctx context.Context) error {
	var named store.Wants
	for i, m := range k.mentions {
		named.Forms = append(named.Forms, registry.Forms(m)...)
		named.Entities = append(named.Entities, k.proposals[i]...)
	}
	if err := k.draft.Load(ctx, named); err != nil {
		return err
	}
	for _, f := range named.Forms {
		for _, o := range k.draft.KnownOwners(f) {
			named.Entities = append(named.Entities, o.Entity)
		}
	}
	if err := k.draft.Load(ctx, store.Wants{Entities: named.Entities}); err != nil {
		return err
	}
	var roots, members []tenure.ID
	for _, id := range named.Entities {
		if e := k.draft.KnownEntity(id); e != nil {
			roots = append(roots, e.Root())
		}
	}
	if err := k.draft.Load(ctx, store.Wants{Entities: roots}); err != nil {
		return err
	}
	for _, id := range roots {
		if e := k.draft.KnownEntity(id); e != nil {
			members = append(members, e.Members...)
		}
	}
	return k.draft.Load(ctx, store.Wants{Entities: members})
}

// anticipate compares the mentions with the proposals on all processors: the model
// remembers the comparisons, which are most of what ranking costs.
func (k *ranking) anticipate() {
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, m := range k.mentions {
		prepared := k.matcher.Model.Ready(registry.ProfileOfMention(m))
		for _, id := range k.proposals[i] {
			work.Go(func() error {
				if members := k.draft.KnownWhole(id); members != nil {
					k.matcher.Model.Anticipate(prepared, members)
				}
				return nil
			})
		}
	}
	_ = work.Wait() // no comparison fails
}

// Comparison is how alike two profiles are. Band is what the score alone would decide.
type Comparison struct {
	Score         float64
	Band          tenure.Outcome
	Veto          string
	Prior         registry.Prior
	Contributions []registry.Contribution
	Model         string
}

// Compare compares two mentions by themselves, as likely the same as not before they
// are compared. It reads no tenant.
func (s *Service) Compare(left, right Mention) (Comparison, error) {
	l, err := mentionOf(left, "", "/left")
	if err != nil {
		return Comparison{}, err
	}
	r, err := mentionOf(right, "", "/right")
	if err != nil {
		return Comparison{}, err
	}
	lp, rp := registry.ProfileOfMention(l), registry.ProfileOfMention(r)
	return compareProfiles(s.matcher.Model, lp, rp, registry.EvenPrior()), nil
}

func compareProfiles(m *registry.Model, left, right registry.Profile, prior registry.Prior) Comparison {
	c := m.Compare(m.Prepare(left), m.Prepare(right), prior)
	return Comparison{
		Score: c.Score, Band: band(c), Veto: c.Veto, Prior: prior, Contributions: c.Contributions, Model: m.Version,
	}
}

// band is the outcome that a comparison alone leads to: a veto makes a review of a
// merge.
func band(c registry.Comparison) tenure.Outcome {
	switch {
	case c.Score >= registry.MergeAt && c.Veto == "":
		return tenure.AutoMerge
	case c.Score > registry.NewAt:
		return tenure.InReview
	}
	return tenure.NewEntity
}
