package service

import (
	"cmp"
	"context"
	"fmt"

	"tenure"
	"tenure/attribute"
	"tenure/audience"
	"tenure/auth"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"
	"tenure/service/view"
	"tenure/similarity"
	"tenure/store"
	"tenure/visible"
)

const (
	defaultCandidates = 5
	// maxTextMentions bounds the mentions resolved per text.
	maxTextMentions = 200
	// shownAliases bounds the other names shown for a candidate.
	shownAliases = 10
)

// ResolveRequest asks for the entities that mentions denote: listed mentions, or the mentions of a text.
// MaxCandidates bounds the candidates returned for each (0: five).
type ResolveRequest struct {
	Mentions      []Mention
	Text          string
	Scope         tenure.Scope
	MaxCandidates int
	Known         tenure.AsOf
}

// Faults returns the violations of the rules between the fields of a request, with JSON pointers.
func (r ResolveRequest) Faults() tenure.Faults {
	var f tenure.Faults
	if (r.Text == "") == (len(r.Mentions) == 0) {
		f.Add("", "must have either mentions or text")
	}
	for i, m := range r.Mentions {
		f = append(f, m.Faults(fmt.Sprintf("/mentions/%d", i))...)
	}
	return f
}

// Resolution is the answer to a ResolveRequest, on one state. Lag is the number of log entries that candidate
// generation had not yet processed.
type Resolution struct {
	Mentions []ResolvedMention
	Seq      tenure.Seq
	Tx       tenure.Instant
	Lag      int64
}

// ResolvedMention is the decision for a mention. Entity is the root that would be assigned, "" if none. Place
// locates a mention of a text.
type ResolvedMention struct {
	Name, Type string
	Outcome    tenure.Outcome
	Score      float64
	Entity     tenure.ID
	Reason     string
	Candidates []RankedCandidate
	Place      *Place
}

// Place is a byte span of a text. Coreferent mentions within the text share a Chain.
type Place struct{ Start, End, Chain int }

// RankedCandidate is a root that a mention may denote, with the evidence.
type RankedCandidate struct {
	Root          tenure.Entity
	Aliases       []string
	Score         float64
	Veto          string
	Contributions []similarity.Contribution
}

// Resolve decides which entities mentions denote, and writes nothing. Each mention is decided with the
// mentions before it as context.
func (s *Service) Resolve(ctx context.Context, c tenure.Caller, r ResolveRequest) (Resolution, error) {
	if err := r.Faults().Err(); err != nil {
		return Resolution{}, err
	}
	scope, err := auth.Bind(c, r.Scope, "/scope")
	if err != nil {
		return Resolution{}, err
	}
	// The watermark is read before the state: re-resolution writes before it advances the watermark, so that
	// the reverse order could return a watermark that covers writes missing from the state.
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
	for i, m := range mentions {
		if err := ingest.Identifiable(m, fmt.Sprintf("/mentions/%d", i)); err != nil {
			return Resolution{}, err
		}
	}
	seen, err := audience.BoundsIn(ctx, reader)
	if err != nil {
		return Resolution{}, err
	}
	candidates := &ingest.Candidates{
		Talk: ingest.Talk{Tenant: c.Tenant, Scope: scope, Seen: seen, Sees: visible.SightOf(reader)}, Mentions: mentions, Model: s.matcher.Model, Proposer: s.worker.Candidates,
	}
	ranking := ranking{
		txn: ledger.NewTxn(reader), matcher: s.matcher, candidates: candidates,
		limit: cmp.Or(r.MaxCandidates, defaultCandidates),
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

// lag returns how far a watermark is behind the log. A reader of the present knows the end of the log.
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

// mentionsOf lists the mentions of the request; mentions of a text have places.
func (s *Service) mentionsOf(
	ctx context.Context, c tenure.Caller, r ResolveRequest, project string,
) ([]tenure.Mention, []Place, error) {
	var list []tenure.Mention
	for _, m := range r.Mentions {
		list = append(list, ingest.MentionOf(m, project))
	}
	if r.Text == "" {
		return list, nil, nil
	}
	found, err := s.worker.Extract(ctx, c.Tenant, r.Text, project, audience.Of(c))
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
	var coMentions []tenure.ID
	for i, m := range mentions {
		hints := k.candidates.Hints(i)
		hints.CoMentions = coMentions
		d, err := k.matcher.Rank(ctx, k.txn, m, hints, k.limit)
		if err != nil {
			return nil, err
		}
		if d.Outcome == tenure.AutoMerge {
			coMentions = append(coMentions, d.Root)
		}
		resolved := ResolvedMention{
			Name: m.Name, Type: m.Type, Outcome: d.Outcome, Score: d.Score, Entity: d.Root, Reason: d.Reason,
		}
		for _, c := range d.Candidates[:min(len(d.Candidates), k.limit)] {
			members, err := registry.Members(ctx, k.txn, c.Root)
			if err != nil {
				return nil, err
			}
			names := view.OtherNames(members)
			resolved.Candidates = append(resolved.Candidates, RankedCandidate{
				Root: c.Root, Aliases: names[:min(len(names), shownAliases)],
				Score: c.Comparison.Score, Veto: c.Comparison.Veto, Contributions: c.Comparison.Contributions,
			})
		}
		list = append(list, resolved)
	}
	return list, nil
}

// Compare compares two mentions in isolation, with an even prior. It reads only the identifier kinds of the
// caller's tenant.
func (s *Service) Compare(ctx context.Context, c tenure.Caller, left, right Mention) (Comparison, error) {
	if err := append(left.Faults("/left"), right.Faults("/right")...).Err(); err != nil {
		return Comparison{}, err
	}
	l, r := ingest.MentionOf(left, ""), ingest.MentionOf(right, "")
	sides := []tenure.Mention{l, r}
	if len(attribute.KindTerms(l.Attributes))+len(attribute.KindTerms(r.Attributes)) > 0 {
		reader, err := s.open(ctx, c, tenure.Present)
		if err != nil {
			return Comparison{}, err
		}
		if err := ingest.DefineKinds(ctx, ledger.NewTxn(reader), sides); err != nil {
			return Comparison{}, err
		}
	}
	profiles := [2]similarity.Profile{similarity.ProfileOfMention(sides[0]), similarity.ProfileOfMention(sides[1])}
	return view.Compare(s.matcher.Model, profiles[0], profiles[1], similarity.EvenPrior()), nil
}
