package registry

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/attribute"
	"tenure/audience"
	"tenure/blocking"
	"tenure/similarity"
	"tenure/store"
)

// MaxBlockedCandidates bounds the candidates generated for a mention. A query and a write use the same bound:
// the index ranks candidates differently from the model, so another bound could change the decision.
const MaxBlockedCandidates = 12

// scoreByRecord is the score of a mention whose record was resolved before: both are the same row by
// definition.
const scoreByRecord = 0.99

// scoreBySession is the score of the only entity of a session that a name is short for, if nothing is against it;
// scoreByDescription that of the only one that a description fits, which a person confirms.
const (
	scoreBySession     = 0.96
	scoreByDescription = 0.80
)

// scoreByName is the least score of the only entity with exactly the mention's name, if no evidence is
// against it.
const scoreByName = 0.97

// The reasons of decisions.
const (
	ByRecord            = "record"
	RecordReused        = "record_reused"
	ByIdentifier        = "identifier"
	ByExactName         = "exact_name"
	BySession           = "session"
	BySimilarity        = "similar"
	ByOnlyCandidate     = "only_candidate"
	ByPending           = "joins_pending"
	NoCandidate         = "no_candidate"
	AmbiguousName       = "ambiguous_name"
	SeveralCandidates   = "several_candidates"
	SeveralSimilar      = "several_similar"
	IdentifiersDisagree = "identifiers_disagree"
	Contradicted        = "contradicted"
)

// EntityReader reads what resolution needs: the aliases under an alias key and of an entity, an entity (nil if there is
// none), a term (nil if it is not defined), the identity decisions on an entity, and the reviews that ask about it.
type EntityReader interface {
	AliasesByKey(ctx context.Context, key tenure.AliasKey) ([]tenure.Alias, error)
	AliasesOf(ctx context.Context, id tenure.ID) ([]tenure.Alias, error)
	Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error)
	Term(ctx context.Context, id string) (*tenure.Term, error)
	Vocabulary(ctx context.Context, name string) (tenure.Vocabulary, error)
	IdentityDecisionsOn(ctx context.Context, id tenure.ID) ([]tenure.IdentityDecision, error)
	ReviewsOf(ctx context.Context, id tenure.ID) ([]tenure.Review, error)
	// Mentions returns those of the mentions that there are, with the entities that they are assigned to.
	Mentions(ctx context.Context, ids []tenure.ID) ([]store.MentionRecord, error)
	// Related lists some tens of roots at most that beliefs relate to the entities. The list may be slightly
	// out of date.
	Related(ctx context.Context, ids []tenure.ID) ([]tenure.ID, error)
	// Facts lists some hundreds of beliefs at most that are held of the entities now. The list may be slightly out of
	// date.
	Facts(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error)
}

// Scored is a candidate with its score and, in an explained decision, the reasons. Root is the candidate;
// Member is the member that the mention is assigned to, preferably one known by the mention's alias key.
type Scored struct {
	Root       tenure.Entity
	Member     tenure.ID
	Comparison similarity.Comparison
	// Exact: the candidate is known by the mention's name. Identified: it is known by one of the mention's
	// exclusive identifiers. UniqueHolder: no other entity is known by the name. SameTokens: it is known by
	// the words of the name in any order, where [candidateSet.addSameTokens] compared them.
	// InSession: the mention's session named the candidate in full, and the mention is short for that.
	Exact, Identified, UniqueHolder, SameTokens, InSession bool
	// Part: nothing rules the candidate out, and its name has the mention's as a part, or is a part of it. It is set
	// where the mention makes an entity.
	Part bool

	// InQuestion is how many candidates come into question, if it is one of so few that they were scored as that:
	// [candidateSet.askAboutFew].
	InQuestion int

	like  *similarity.Prepared // the prepared profile of its members
	prior similarity.Prior
}

// Decision is the resolution of a mention. Entity is the member that the mention is assigned to, Root its
// root. Candidates are the roots considered, best first. Changes carry the decision out, the assignment
// included.
type Decision struct {
	Outcome     tenure.Outcome
	Score       float64
	Entity      tenure.ID
	Root        tenure.ID
	Review      tenure.ID
	Created     bool // this decision creates the entity
	KnownRecord bool // the mention's record was resolved to this entity before
	Reused      bool // the mention's record was resolved to another entity before, which it is not about any more
	Reason      string
	Candidates  []Scored
	Changes     []tenure.Change
}

// Matcher resolves mentions by a similarity model.
type Matcher struct{ Model *similarity.Model }

// Hints are entities that a mention may mean or that stand beside it. They may be incomplete or out of date.
type Hints struct {
	// CoMentions are the roots that the same observation mentions.
	CoMentions []tenure.ID
	// Session are entities that the session of the observation mentioned lately, or its speaker before.
	Session []tenure.ID
	// Proposed are from candidate generation. They are used only where an identifier does not decide.
	Proposed []tenure.ID
	// Sees is what the caller may see; nil is everything. A mention is resolved by what of that is seen by everybody who
	// sees the mention.
	Sees audience.Sight
}

// Resolve decides which entity a mention means, as seen from the mention's project. An ambiguous mention creates or
// joins a pending entity with an open review; a mention without a candidate creates an entity.
func (m Matcher) Resolve(
	ctx context.Context, k EntityReader, mention tenure.Mention, hints Hints, mint tenure.Mint,
) (Decision, error) {
	mention.Label = within(mention.Label, mention.Project)
	hints.Sees = hints.Sees.And(mention.Label.Covers)
	r := newResolver(m, k, mention, hints)
	row, err := r.knownRecord(ctx)
	if err != nil {
		return Decision{}, err
	}
	if row != nil {
		return r.replaceRecord(ctx, *row)
	}
	found, err := r.candidates(ctx)
	if err != nil {
		return Decision{}, err
	}
	d, existing := r.decision(found)
	switch {
	case d.Outcome == tenure.AutoMerge:
		d, err = r.join(ctx, d, existing.Member)
	case existing != nil:
		d, err = r.joinPending(ctx, d, *existing)
	case d.Outcome == tenure.InReview:
		d = r.ask(d, mint)
	default:
		r.markParts(d.Candidates)
		d = r.make(d, tenure.EntityCanonical, mint)
	}
	if err == nil && r.former != nil {
		return r.partFromFormer(ctx, d, mint)
	}
	return d, err
}

// markParts marks the candidates whose name begins or ends with the mention's, or the reverse. A row of a system of
// record marks none: rows with similar names are distinct.
func (r *resolver) markParts(found []Scored) {
	for i := range found {
		c := &found[i]
		c.Part = r.mention.Record == nil && c.Comparison.Veto == "" && r.matcher.Model.PartOf(r.prepared, c.like)
	}
}

// Rank scores the candidates of a mention and returns the decision that Resolve would make, without changes.
// The first candidates, up to the given number, are explained.
func (m Matcher) Rank(
	ctx context.Context, k EntityReader, mention tenure.Mention, hints Hints, explained int,
) (Decision, error) {
	mention.Label = within(mention.Label, mention.Project)
	r := newResolver(m, k, mention, hints)
	r.thorough = true
	row, err := r.knownRecord(ctx)
	if err != nil {
		return Decision{}, err
	}
	if row != nil {
		return recordMatch(*row), nil
	}
	found, err := r.candidates(ctx)
	if err != nil {
		return Decision{}, err
	}
	for i := range found[:min(len(found), explained)] {
		found[i].Comparison.Contributions = r.reasons(&found[i])
	}
	d, _ := r.decision(found)
	return d, nil
}

// decision classifies the candidates and returns the decision, without changes, and the candidate that the mention
// is assigned to, or nil. Classification ignores pending entities: a mention that is no match of another entity joins
// the pending one that it matches, so that a question is asked once.
func (r *resolver) decision(found []Scored) (Decision, *Scored) {
	v := classify(found, r.mention)
	d := Decision{Outcome: v.outcome, Score: v.score, Reason: v.reason, Candidates: found}
	if r.former != nil && d.Outcome == tenure.NewEntity {
		d.Reason = RecordReused
	}
	if d.Outcome == tenure.AutoMerge {
		best := &found[settledAt(found)]
		d.Entity, d.Root = best.Member, best.Root.ID
		return d, best
	}
	pending := r.pendingLike(found, d.Reason)
	if pending == nil {
		return d, nil
	}
	if d.Outcome == tenure.NewEntity {
		d.Outcome, d.Score = tenure.InReview, pending.Comparison.Score
	}
	d.Entity, d.Root, d.Reason = pending.Root.ID, pending.Root.ID, ByPending
	return d, pending
}

// settledAt returns the index of the best candidate that is not pending, or -1.
func settledAt(found []Scored) int {
	return slices.IndexFunc(found, func(c Scored) bool { return c.Root.Status != tenure.EntityPending })
}

type resolver struct {
	matcher  Matcher
	known    EntityReader // what is seen by whom the decision is for
	stored   EntityReader // everything
	mention  tenure.Mention
	prepared *similarity.Prepared
	hints    Hints
	ids      []attribute.Identifier
	vague    bool // the name cannot tell by itself who is meant
	thorough bool // score proposals even where an identifier decides

	former *Scored // what the mention's record was about before it was reused
}

func newResolver(m Matcher, k EntityReader, mention tenure.Mention, hints Hints) *resolver {
	p := similarity.ProfileOfMention(uncorrecting(mention))
	p.Neighbours = hints.CoMentions
	prepared := m.Model.CachedProfile(p)
	return &resolver{
		matcher: m, known: definedToday{seenBy(k, hints.Sees), definitionsOf(mention)}, stored: k, mention: mention, hints: hints, prepared: prepared,
		vague: similarity.Vague(mention.Name, mention.Type), ids: attribute.Identifiers(mention),
	}
}

// AliasKeys lists the alias keys under which a mention may be known.
func AliasKeys(m tenure.Mention) []tenure.AliasKey {
	keys := namesOf(m)
	for _, id := range slices.Concat(attribute.Identifiers(m), attribute.InName(m.Name)) {
		keys = append(keys, id.AliasKey)
	}
	return keys
}

// IdentifierAliasKeys lists the alias keys of the identifiers among attributes. Own lists the identifier
// kinds that the tenant has defined.
func IdentifierAliasKeys(attributes map[string][]string, own []tenure.IdentifierKind) []tenure.AliasKey {
	var keys []tenure.AliasKey
	for _, id := range attribute.Identifiers(tenure.Mention{Attributes: attributes, IdentifierKinds: own}) {
		keys = append(keys, id.AliasKey)
	}
	return keys
}

// BlockingKeysOf lists the blocking keys of an alias. Names share a key if they differ by one letter in a
// longer word, or by the spaces between words.
func BlockingKeysOf(o tenure.Alias) []string {
	if o.Key.Kind != tenure.NameAlias {
		return nil
	}
	b := blocking.Of(o.Spelling)
	keys := []string{b.Whole}
	for _, w := range b.Words {
		if len(w.Exact) > 4 || len(b.Words) == 1 {
			keys = append(keys, w.Near...)
		}
	}
	return keys
}

// outcome is a classified decision: outcome, score and reason.
type outcome struct {
	outcome tenure.Outcome
	score   float64
	reason  string
}

// tally counts the evidence for the candidates that are not pending: how many score over the merge threshold,
// have the exact name, share an identifier, have the words of the name, or are meant in the session.
type tally struct {
	list []Scored
	best Scored
	row  bool // the mention is a row of a system of record

	over, exact, identified, sameTokens, inSession int

	// rivals are the candidates, pending ones included, that nothing rules out; namesakes those with the exact name.
	rivals, namesakes []Scored
}

func tallyOf(found []Scored, m tenure.Mention) tally {
	t := tally{row: m.Record != nil, list: make([]Scored, 0, len(found))}
	for _, c := range found {
		if c.Root.Status != tenure.EntityPending {
			t.list = append(t.list, c)
		}
		if c.Comparison.Veto != "" {
			continue
		}
		t.rivals = append(t.rivals, c)
		if c.Exact {
			t.namesakes = append(t.namesakes, c)
		}
	}
	if len(t.list) == 0 {
		return t
	}
	t.best = t.list[0]
	for _, c := range t.list {
		t.over += boolToInt(c.Comparison.Score >= similarity.MergeAt)
		t.exact += boolToInt(c.Exact)
		t.inSession += boolToInt(c.InSession)
		t.identified += boolToInt(c.Identified)
		t.sameTokens += boolToInt(c.SameTokens && c.Root.Project == t.best.Root.Project)
	}
	return t
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ambiguous reports whether several candidates have the mention's name, in any order of its words, settled or pending,
// and neither an identifier nor the session decides among them, nor that all but one are pending and far less likely.
// Rows are never ambiguous, because the name of a row decides nothing by itself.
func (t *tally) ambiguous() bool {
	switch {
	case t.row, t.best.Identified && t.over == 1:
		return false
	case t.inSession > 0:
		return t.inSession > 1
	case max(t.settledNamesakes(), t.sameTokens) > 1:
		return true
	}
	rivals := t.namesakes
	if t.over == 1 && !t.best.UniqueHolder { // by what is known of it: which of several was meant before says nothing
		rivals = slices.DeleteFunc(slices.Clone(rivals), func(c Scored) bool {
			return c.Root.Status == tenure.EntityPending && c.Root.Reason == AmbiguousName
		})
	}
	return len(rivals) > 1 && !t.leads(rivals)
}

// settledNamesakes counts the namesakes that are not pending.
func (t *tally) settledNamesakes() int {
	n := 0
	for _, c := range t.namesakes {
		n += boolToInt(c.Root.Status != tenure.EntityPending)
	}
	return n
}

// leads reports whether the best candidate is ahead of all others of a list by the margin.
func (t *tally) leads(list []Scored) bool {
	return !slices.ContainsFunc(list, func(c Scored) bool {
		return c.Root.ID != t.best.Root.ID && t.best.Comparison.LogOdds-c.Comparison.LogOdds < similarity.Margin
	})
}

// similarOnly reports whether similarity alone supports the best candidate, and nearly as much another, which may be
// pending.
func (t *tally) similarOnly() bool {
	return !t.best.Exact && !t.best.Identified && !t.best.InSession && (closeSecond(t.list) || t.tiesWithPending())
}

// tiesWithPending reports whether a pending candidate is about as likely as the best.
func (t *tally) tiesWithPending() bool {
	return slices.ContainsFunc(t.rivals, func(c Scored) bool {
		return c.Root.Status == tenure.EntityPending && c.Comparison.Score > similarity.NewAt &&
			t.best.Comparison.LogOdds-c.Comparison.LogOdds < similarity.Margin
	})
}

// contradicted reports whether a low-scoring candidate shares the mention's identifier or, except for rows,
// its name.
func (t *tally) contradicted() bool {
	return t.identified > 0 || t.exact > 0 && !t.row
}

// classify applies the thresholds of Fellegi and Sunter: match, possible match, non-match. A veto and an
// ambiguity leave the score as it is and turn a match into a review. The candidates are sorted by score;
// pending ones are ignored.
func classify(found []Scored, m tenure.Mention) outcome {
	t := tallyOf(found, m)
	if len(t.list) == 0 {
		return outcome{tenure.NewEntity, 0, NoCandidate}
	}
	score := t.best.Comparison.Score
	band := similarity.Band(score)
	over := band == tenure.AutoMerge
	switch {
	case t.identified > 1:
		return outcome{tenure.InReview, score, IdentifiersDisagree}
	case t.ambiguous():
		return outcome{tenure.InReview, score, AmbiguousName}
	case over && t.best.Comparison.Veto != "":
		return outcome{tenure.InReview, score, t.best.Comparison.Veto}
	case t.over > 1:
		return outcome{tenure.InReview, score, SeveralCandidates}
	case over && t.similarOnly():
		return outcome{tenure.InReview, score, SeveralSimilar}
	case over:
		return outcome{tenure.AutoMerge, score, t.best.basis()}
	case band == tenure.InReview:
		return outcome{tenure.InReview, score, cmp.Or(t.best.Comparison.Veto, t.best.basis())}
	case t.contradicted():
		return outcome{tenure.InReview, score, cmp.Or(t.best.Comparison.Veto, Contradicted)}
	}
	return outcome{tenure.NewEntity, score, NoCandidate}
}

// closeSecond reports whether the second candidate scores over the threshold of a new entity and within the
// margin of the first: neither can then be chosen by score.
func closeSecond(list []Scored) bool {
	if len(list) < 2 || list[1].Comparison.Score <= similarity.NewAt {
		return false
	}
	return list[0].Comparison.LogOdds-list[1].Comparison.LogOdds < similarity.Margin
}

// basis returns the strongest rule that found the candidate.
func (c Scored) basis() string {
	switch {
	case c.Identified:
		return ByIdentifier
	case c.Exact:
		return ByExactName
	case c.InSession:
		return BySession
	case c.InQuestion == 1:
		return ByOnlyCandidate
	case c.InQuestion > 1:
		return SeveralSimilar
	default:
		return BySimilarity
	}
}

// inOrder sorts candidates by score, ties by id. Candidates under the threshold of a non-match keep the order
// in which they were found, because shared names and identifiers are more relevant than differences among
// very low scores.
func inOrder(list []Scored) {
	likely := func(c Scored) float64 { return max(c.Comparison.Score, 1-similarity.NewAt) }
	slices.SortStableFunc(list, func(a, b Scored) int {
		if order := cmp.Compare(likely(b), likely(a)); order != 0 || likely(a) == 1-similarity.NewAt {
			return order
		}
		return cmp.Compare(a.Root.ID, b.Root.ID)
	})
}

func recordMatch(row Scored) Decision {
	d := Decision{
		Outcome: tenure.AutoMerge, Score: scoreByRecord, Reason: ByRecord, KnownRecord: true,
		Entity: row.Member, Root: row.Root.ID, Candidates: []Scored{row},
	}
	if row.Root.Status == tenure.EntityPending {
		d.Outcome, d.Reason = tenure.InReview, ByPending
	}
	return d
}

// replaceRecord assigns the mention of a record that was resolved before.
func (r *resolver) replaceRecord(ctx context.Context, row Scored) (Decision, error) {
	d := recordMatch(row)
	if d.Outcome == tenure.InReview {
		return r.joinPending(ctx, d, row)
	}
	return r.join(ctx, d, row.Member)
}

// ask makes a pending entity from the mention, with a review of it.
func (r *resolver) ask(d Decision, mint tenure.Mint) Decision {
	d = r.make(d, tenure.EntityPending, mint)
	d.Review = mint.NewID()
	d.Changes = append(d.Changes, tenure.ReviewPut{Review: tenure.Review{
		ID: d.Review, State: tenure.ReviewOpen, Entity: d.Entity, Candidates: asked(d.Candidates), Reason: d.Reason,
		Name: r.mention.Name, Type: r.mention.Type, Project: r.mention.Project, OpenedAt: mint.Now, Version: 1,
	}})
	return d
}

// make makes an entity from the mention alone.
func (r *resolver) make(d Decision, status tenure.EntityStatus, mint tenure.Mint) Decision {
	e := tenure.Entity{ID: mint.NewID(), Status: status, CreatedAt: mint.Now, Label: r.mention.Label}
	if status == tenure.EntityPending {
		e.Reason = d.Reason
	}
	e, aliases := BuildProfile(e, []tenure.Mention{r.mention})
	d.Entity, d.Root, d.Created = e.ID, e.ID, true
	d.Changes = append(d.Changes, tenure.EntityPut{Entity: e})
	for _, o := range aliases {
		d.Changes = append(d.Changes, tenure.AliasAdded{Alias: o})
	}
	return r.assign(d)
}

// pendingLike returns the pending entity that the mention matches over the merge threshold, or nil. A mention that may
// mean several joins none but one that is pending for the same reason: of others it is known who they may be.
func (r *resolver) pendingLike(found []Scored, reason string) *Scored {
	several := reason == AmbiguousName || reason == SeveralSimilar || reason == SeveralCandidates
	for i := range found {
		if c := &found[i]; c.Root.Status == tenure.EntityPending && c.Comparison.Score >= similarity.MergeAt &&
			c.Comparison.Veto == "" && (!several || c.Root.Reason == reason) {
			return c
		}
	}
	return nil
}

// joinPending adds the mention to a pending entity, and the mention's candidates to the review.
func (r *resolver) joinPending(ctx context.Context, d Decision, p Scored) (Decision, error) {
	d.Reason = ByPending
	d, err := r.join(ctx, d, p.Root.ID)
	if err != nil {
		return d, err
	}
	reviews, err := r.known.ReviewsOf(ctx, p.Root.ID)
	if err != nil {
		return d, err
	}
	for _, v := range reviews {
		if v.State != tenure.ReviewOpen {
			continue
		}
		d.Review = v.ID
		if p.Root.Label.Covers(r.mention.Label) { // else who sees the review would see that there is the mention
			d.Changes = append(d.Changes, tenure.ReviewPut{Review: withCandidates(v, d.Candidates)})
		}
	}
	return d, nil
}

// withCandidates returns the next version of a review with the new candidates added. The version is new so
// that an answer to the former candidates alone is refused.
func withCandidates(r tenure.Review, found []Scored) tenure.Review {
	r.Version++
	r.Candidates = slices.Clone(r.Candidates)
	for _, c := range asked(found) {
		known := func(o tenure.Candidate) bool { return o.Entity == c.Entity }
		if len(r.Candidates) < maxAsked && !slices.ContainsFunc(r.Candidates, known) {
			r.Candidates = append(r.Candidates, c)
		}
	}
	return r
}

// maxAsked bounds the candidates of a review.
const maxAsked = 20

// asked lists the candidates of a review: candidates that share the name or an identifier, and candidates
// over the threshold of a new entity.
func asked(found []Scored) []tenure.Candidate {
	var list []tenure.Candidate
	for _, c := range found {
		if c.Root.Status == tenure.EntityPending || len(list) == maxAsked {
			continue
		}
		if c.Exact || c.Identified || c.InSession || c.Comparison.Score > similarity.NewAt {
			list = append(list, tenure.Candidate{Entity: c.Root.ID, Score: c.Comparison.Score, Veto: c.Comparison.Veto})
		}
	}
	return list
}

// join assigns the mention to an entity and adds the mention's aliases that the entity lacks.
func (r *resolver) join(ctx context.Context, d Decision, id tenure.ID) (Decision, error) {
	d.Entity = id
	seen, err := r.known.Entity(ctx, id)
	if err != nil {
		return d, err
	}
	d.Root = seen.Root()
	e, err := r.stored.Entity(ctx, id)
	if err != nil {
		return d, err
	}
	if next := addMention(*e, r.mention); !same(next, *e) {
		d.Changes = append(d.Changes, tenure.EntityPut{Entity: next})
	}
	var added []tenure.Alias
	for _, o := range aliasesBy(id, r.mention) {
		have, err := r.stored.AliasesByKey(ctx, o.Key)
		if err != nil {
			return d, err
		}
		d.KnownRecord = d.KnownRecord || r.isRecord(o.Key) && slices.ContainsFunc(have, isOf(id))
		if !hasAlias(have, o) && !hasAlias(added, o) {
			added = append(added, o)
			d.Changes = append(d.Changes, tenure.AliasAdded{Alias: o})
		}
	}
	return r.assign(d), nil
}

func (r *resolver) assign(d Decision) Decision {
	d.Changes = append(d.Changes, tenure.MentionAssigned{Assignment: tenure.Assignment{
		Mention: r.mention.ID, Entity: d.Entity, Score: d.Score, Outcome: d.Outcome, Reason: d.Reason,
	}})
	return d
}
