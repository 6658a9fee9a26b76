package httpapi

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tenure"
	"tenure/api"
	"tenure/auth"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"
	"tenure/store"
)

// Span is a mention that was found in a text. Start and End are its place, in
// bytes; Chain is shared by the mentions of one thing within the text.
type Span struct {
	Start, End int
	Name, Type string
	Chain      int
}

// Extractor finds what a text mentions, as seen from a project.
type Extractor interface {
	Extract(ctx context.Context, c tenure.Caller, text, project string) ([]Span, error)
}

const (
	defaultCandidates = 5
	// maxTextMentions bounds what one text is searched for.
	maxTextMentions = 200
	// shownAliases bounds the other names of a candidate.
	shownAliases = 10
)

// Resolve implements POST /v1/resolve.
func (s *server) Resolve(ctx context.Context, req api.ResolveRequestObject) (api.ResolveResponseObject, error) {
	in, caller := req.Body, callerOf(ctx)
	scope, err := auth.Bind(caller, in.Scope, "/scope")
	if err != nil {
		return nil, err
	}
	indexed, err := s.indexed(caller.Tenant)
	if err != nil {
		return nil, err
	}
	reader, err := s.viewInBody(ctx, in.KnownAt)
	if err != nil {
		return nil, err
	}
	mentions, places, err := s.mentionsOf(ctx, in, scope.ProjectID)
	if err != nil {
		return nil, err
	}
	limit := defaultCandidates
	if in.MaxCandidates != nil {
		limit = *in.MaxCandidates
	}
	found, err := s.rank(ctx, reader, mentions, scope, limit)
	if err != nil {
		return nil, err
	}
	for i, p := range places {
		found[i].Start, found[i].End, found[i].Chain = &p.Start, &p.End, p.Chain
	}
	out := api.Resolve200JSONResponse{Mentions: found, AsOf: asOf(reader, 0)}
	out.AsOf.ValidAt = time.Time{} // names are of one clock
	out.Index, err = s.indexState(ctx, reader, in.KnownAt == "", indexed)
	return out, err
}

// viewInBody opens the state that the known_at of a body names.
func (s *server) viewInBody(ctx context.Context, knownAt string) (store.Reader, error) {
	at := tenure.Present
	if knownAt != "" {
		var err error
		if at, err = parseKnownAt(knownAt, "/known_at"); err != nil {
			return nil, err
		}
	}
	r, err := s.deps.Store.View(ctx, callerOf(ctx).Tenant, at)
	if tenure.CodeOf(err) == tenure.Unprocessable {
		return nil, futureState("/known_at", err)
	}
	return r, err
}

// mentionsOf lists the mentions of the request, those of a text with their
// places.
func (s *server) mentionsOf(ctx context.Context, in *api.ResolveInput, project string) ([]tenure.Mention, []Span, error) {
	var list []tenure.Mention
	for i, m := range in.Mentions {
		mention, err := mentionOf(m, project, fmt.Sprintf("/mentions/%d", i))
		if err != nil {
			return nil, nil, err
		}
		list = append(list, mention)
	}
	if in.Text == "" {
		return list, nil, nil
	}
	if s.deps.Extractor == nil {
		return nil, nil, tenure.FieldError(tenure.Unprocessable, "/text", "text cannot be read here yet")
	}
	spans, err := s.deps.Extractor.Extract(ctx, callerOf(ctx), in.Text, project)
	if err != nil {
		return nil, nil, err
	}
	if len(spans) > maxTextMentions {
		return nil, nil, tenure.FieldError(tenure.Unprocessable, "/text",
			fmt.Sprintf("mentions more than %d things: ask in parts", maxTextMentions))
	}
	for _, p := range spans {
		list = append(list, tenure.Mention{Name: p.Name, Type: p.Type, Project: project})
	}
	return list, spans, nil
}

// mentionOf is a mention as the registry knows it. Invalid if its name has
// nothing in it that a name is made of, as where it is observed.
func mentionOf(m api.MentionInput, project, pointer string) (tenure.Mention, error) {
	if registry.Key(m.Name) == "" {
		return tenure.Mention{}, tenure.FieldError(tenure.Invalid, pointer+"/name", "has nothing in it that could name something")
	}
	return tenure.Mention{
		Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes, Context: m.Context,
		Record: m.Record, Project: project,
	}, nil
}

// rank decides for each mention what it would be taken to mean, in the company of
// those before it.
func (s *server) rank(ctx context.Context, r store.Reader, mentions []tenure.Mention, scope tenure.Scope, limit int) ([]api.ResolvedMention, error) {
	txn := ledger.NewTxn(r)
	candidates := &ingest.Candidates{
		Tenant: callerOf(ctx).Tenant, Scope: scope, Mentions: mentions, Model: s.deps.Judge.Model,
		Proposer: s.deps.Proposer, Limit: max(registry.Proposals, limit),
	}
	if err := ledger.ReadAhead(ctx, txn, candidates.Plan()); err != nil {
		return nil, err
	}
	list := make([]api.ResolvedMention, 0, len(mentions))
	var company []tenure.ID
	for i, m := range mentions {
		d, err := s.deps.Judge.Rank(ctx, txn, m, company, candidates.Proposed(i), limit)
		if err != nil {
			return nil, err
		}
		if d.Outcome == tenure.AutoMerge {
			company = append(company, d.Root)
		}
		v := api.ResolvedMention{
			Name: m.Name, Type: m.Type, Decision: d.Outcome, Score: d.Score, EntityId: d.Root, Reason: d.Reason,
			Candidates: []api.RankedCandidate{},
		}
		for _, c := range d.Candidates[:min(len(d.Candidates), limit)] {
			view, err := candidateView(ctx, txn, c)
			if err != nil {
				return nil, err
			}
			v.Candidates = append(v.Candidates, view)
		}
		list = append(list, v)
	}
	return list, nil
}

func candidateView(ctx context.Context, txn *ledger.Txn, c registry.Scored) (api.RankedCandidate, error) {
	members, err := registry.Members(ctx, txn, c.Root)
	names := otherNames(members)
	return api.RankedCandidate{
		EntityId: c.Root.ID, Name: c.Root.Name, Type: c.Root.Type, Status: c.Root.Status,
		Score: c.Comparison.Score, Veto: c.Comparison.Veto, Contributions: some(c.Comparison.Contributions),
		Aliases: names[:min(len(names), shownAliases)],
	}, err
}

// otherNames lists the spellings that the members of a root go by, but for the
// first's name.
func otherNames(members []tenure.Entity) []string {
	names := []string{}
	for _, e := range members {
		for _, n := range append([]string{e.Name}, e.Names...) {
			if n != members[0].Name && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// indexed is the number up to which the index has seen the log. It is read before
// the state that it is compared with: a second look writes, and then is done, so
// that the other way round its end would count and what it wrote would not.
func (s *server) indexed(tenant string) (tenure.Seq, error) {
	if s.deps.Indexed == nil {
		return 0, nil
	}
	return s.deps.Indexed(tenant)
}

// indexState tells how far the index was behind the log, the end of which reader
// knows if it reads the present; nil without an index.
func (s *server) indexState(ctx context.Context, reader store.Reader, present bool, indexed tenure.Seq) (*api.IndexState, error) {
	if s.deps.Indexed == nil {
		return nil, nil
	}
	if !present {
		var err error
		if reader, err = s.deps.Store.View(ctx, callerOf(ctx).Tenant, tenure.Present); err != nil {
			return nil, err
		}
	}
	seq, _ := reader.State()
	return &api.IndexState{Lag: max(0, int64(seq-indexed))}, nil
}

// Compare implements POST /v1/compare.
func (s *server) Compare(_ context.Context, req api.CompareRequestObject) (api.CompareResponseObject, error) {
	left, err := mentionOf(*req.Body.Left, "", "/left")
	if err != nil {
		return nil, err
	}
	right, err := mentionOf(*req.Body.Right, "", "/right")
	if err != nil {
		return nil, err
	}
	return api.Compare200JSONResponse(s.compare(
		registry.ProfileOfMention(left), registry.ProfileOfMention(right), registry.EvenPrior(),
	)), nil
}

// compare is the view of a comparison of two profiles.
func (s *server) compare(left, right registry.Profile, prior registry.Prior) api.Comparison {
	m := s.deps.Judge.Model
	c := m.Compare(m.Prepare(left), m.Prepare(right), prior)
	return api.Comparison{
		Score: c.Score, Decision: bandOf(c), Veto: c.Veto, Prior: api.Prior{Name: prior.Name, LogOdds: prior.LogOdds},
		Contributions: some(c.Contributions), Model: m.Version,
	}
}

// bandOf is the band that a comparison alone falls in: a veto makes a merge a
// question.
func bandOf(c registry.Comparison) tenure.Outcome {
	switch {
	case c.Score >= registry.MergeAt && c.Veto == "":
		return tenure.AutoMerge
	case c.Score > registry.NewAt:
		return tenure.InReview
	}
	return tenure.NewEntity
}
