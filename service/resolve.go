package service

import (
	"cmp"
	"context"
	"fmt"

	"tenure"
	"tenure/auth"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"
	"tenure/similarity"
	"tenure/store"
	"tenure/text"
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
	Contributions []similarity.Contribution
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
	candidates := &ingest.Candidates{
		Tenant: c.Tenant, Scope: scope, Mentions: mentions, Model: s.matcher.Model, Proposer: s.worker.Candidates,
	}
	ranking := ranking{
		txn: ledger.NewTxn(reader), matcher: s.matcher, candidates: candidates, limit: cmp.Or(r.MaxCandidates, defaultCandidates),
	}
	candidates.Limit = max(registry.MaxBlockedCandidates, ranking.limit)
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
	if text.Key(m.Name) == "" {
		return tenure.Mention{}, tenure.FieldError(tenure.Invalid, pointer+"/name",
			"has nothing in it that could name something")
	}
	return ingest.MentionOf(m, project), nil
}

// ranking ranks candidates for mentions on one state.
type ranking struct {
	txn        *ledger.Txn
	matcher    registry.Matcher
	candidates *ingest.Candidates
	limit      int
}

func (k *ranking) decide(ctx context.Context) ([]ResolvedMention, error) {
	if err := ledger.ReadAhead(ctx, k.txn, k.candidates.Plan()); err != nil {
		return nil, err
	}
	mentions := k.candidates.Mentions
	list := make([]ResolvedMention, 0, len(mentions))
	var company []tenure.ID
	for i, m := range mentions {
		d, err := k.matcher.Rank(ctx, k.txn, m, company, k.candidates.Proposed(i), k.limit)
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
			members, err := registry.Members(ctx, k.txn, c.Root)
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

// defineKinds adds to mentions the tenant's own identifier kinds among their attributes, as a write does.
func defineKinds(ctx context.Context, txn *ledger.Txn, mentions []tenure.Mention) error {
	var wanted ledger.Prefetch
	for _, m := range mentions {
		wanted.Terms = append(wanted.Terms, similarity.KindTerms(m.Attributes)...)
	}
	if len(wanted.Terms) == 0 {
		return nil
	}
	wanted.Vocabularies = []string{tenure.IdentifierKinds}
	if err := txn.Load(ctx, wanted); err != nil {
		return err
	}
	for i := range mentions {
		var err error
		if mentions[i].IdentifierKinds, err = similarity.OwnKinds(ctx, txn, mentions[i].Attributes); err != nil {
			return err
		}
	}
	return nil
}

// Comparison is how alike two profiles are. Band is what the score alone would decide.
type Comparison struct {
	Score         float64
	Band          tenure.Outcome
	Veto          string
	Prior         similarity.Prior
	Contributions []similarity.Contribution
	Model         string
}

// Compare compares two mentions by themselves, with an even prior. Of the caller's tenant it reads only the definitions
// of identifier kinds.
func (s *Service) Compare(ctx context.Context, c tenure.Caller, left, right Mention) (Comparison, error) {
	l, err := mentionOf(left, "", "/left")
	if err != nil {
		return Comparison{}, err
	}
	r, err := mentionOf(right, "", "/right")
	if err != nil {
		return Comparison{}, err
	}
	sides := []tenure.Mention{l, r}
	if len(similarity.KindTerms(l.Attributes))+len(similarity.KindTerms(r.Attributes)) > 0 {
		reader, err := s.open(ctx, c, tenure.Present)
		if err != nil {
			return Comparison{}, err
		}
		if err := defineKinds(ctx, ledger.NewTxn(reader), sides); err != nil {
			return Comparison{}, err
		}
	}
	profiles := [2]similarity.Profile{similarity.ProfileOfMention(sides[0]), similarity.ProfileOfMention(sides[1])}
	return compareProfiles(s.matcher.Model, profiles[0], profiles[1], similarity.EvenPrior()), nil
}

func compareProfiles(m *similarity.Model, left, right similarity.Profile, prior similarity.Prior) Comparison {
	c := m.Compare(m.Prepare(left), m.Prepare(right), prior)
	return Comparison{
		Score: c.Score, Band: band(c), Veto: c.Veto, Prior: prior, Contributions: c.Contributions, Model: m.Version,
	}
}

// band is the outcome that a comparison alone leads to: a veto makes a review of a
// merge.
func band(c similarity.Comparison) tenure.Outcome {
	switch {
	case c.Score >= similarity.MergeAt && c.Veto == "":
		return tenure.AutoMerge
	case c.Score > similarity.NewAt:
		return tenure.InReview
	}
	return tenure.NewEntity
}
