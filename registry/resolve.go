package registry

import (
	"context"
	"slices"

	"tenure"
)

// The scores of decisions by rule, as probabilities: docs/adr/0004.
const (
	scoreByIdentifier = 0.99
	scoreByForm       = 0.97
	scoreNew          = 0.0
)

// The reasons of a decision.
const (
	ByIdentifier            = "identifier"
	ByExactForm             = "exact_form"
	ByPending               = "joins_pending"
	NoCandidate             = "no_candidate"
	AmbiguousForm           = "ambiguous_form"
	IdentifiersDisagree     = "identifiers_disagree"
	ContradictingIdentifier = "contradicting_identifier"
)

// Known is what the registry reads to decide: the owners of a form, the forms
// of an entity, an entity (nil if there is none), a term of a type (nil if it
// is not defined).
type Known interface {
	Owners(ctx context.Context, f tenure.Form) ([]tenure.Owner, error)
	OwnedBy(ctx context.Context, id tenure.ID) ([]tenure.Owner, error)
	Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error)
	Term(ctx context.Context, id string) (*tenure.Term, error)
}

// Decision says which entity a mention means. Candidates are the roots that
// were considered, in order of their ids. Changes make it so, the assignment
// included.
type Decision struct {
	Outcome    tenure.Outcome
	Score      float64
	Entity     tenure.ID
	Pending    bool
	Created    bool // the entity is made by this decision
	Reason     string
	Candidates []tenure.ID
	Changes    []tenure.Change
}

// Forms lists the forms under which a mention could be known.
func Forms(m tenure.Mention) []tenure.Form {
	forms := []tenure.Form{NameForm(m.Name)}
	for _, a := range m.Aliases {
		forms = append(forms, NameForm(a))
	}
	for _, id := range identifiers(m) {
		forms = append(forms, id.form)
	}
	return forms
}

// Resolve decides which entity a mention means, seen from a project ("" for
// none): by an identifier that belongs to one entity alone, else by its exact
// form, if one visible entity of a compatible type goes by it and nothing
// contradicts; an ambiguity makes or joins a pending entity; what nobody goes
// by is a new entity.
//
// Source: Context Architecture, Named Entity Resolution model, Similarity
// Score Decision.
func Resolve(ctx context.Context, k Known, m tenure.Mention, project string, mint tenure.Mint) (Decision, error) {
	r := resolver{known: k, mention: m, project: project, mint: mint, ids: identifiers(m)}
	return r.decide(ctx)
}

type resolver struct {
	known   Known
	mention tenure.Mention
	project string
	mint    tenure.Mint
	ids     []identifier
}

func (r *resolver) decide(ctx context.Context) (Decision, error) {
	byIdentifier, err := r.identified(ctx)
	if err != nil {
		return Decision{}, err
	}
	switch len(byIdentifier) {
	case 0:
	case 1:
		return r.bind(ctx, byIdentifier[0], tenure.AutoMerge, scoreByIdentifier, ByIdentifier)
	default:
		return r.unsure(ctx, byIdentifier, scoreByIdentifier, IdentifiersDisagree)
	}
	named, err := r.named(ctx)
	if err != nil {
		return Decision{}, err
	}
	switch len(named) {
	case 0:
		return r.create(ctx)
	case 1:
		contradicts, err := r.contradicts(ctx, named[0])
		if err != nil {
			return Decision{}, err
		}
		if contradicts {
			return r.unsure(ctx, named, scoreByForm, ContradictingIdentifier)
		}
		return r.bind(ctx, named[0], tenure.AutoMerge, scoreByForm, ByExactForm)
	default:
		return r.unsure(ctx, named, scoreByForm, AmbiguousForm)
	}
}

// identified lists the entities that own an exclusive identifier of the
// mention.
func (r *resolver) identified(ctx context.Context) ([]tenure.ID, error) {
	var list []tenure.ID
	for _, id := range r.ids {
		if !id.exclusive {
			continue
		}
		owners, err := r.known.Owners(ctx, id.form)
		if err != nil {
			return nil, err
		}
		if list, err = r.add(ctx, list, owners, tenure.EntityCanonical); err != nil {
			return nil, err
		}
	}
	slices.Sort(list)
	return list, nil
}

// named lists the visible entities that go by the mention's name, or by one of
// its aliases where nobody goes by the name. In a project, the project's own
// go before everybody's.
func (r *resolver) named(ctx context.Context) ([]tenure.ID, error) {
	list, err := r.goBy(ctx, NameForm(r.mention.Name), tenure.EntityCanonical)
	if err != nil || len(list) > 0 {
		return list, err
	}
	for _, a := range r.mention.Aliases {
		more, err := r.goBy(ctx, NameForm(a), tenure.EntityCanonical)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func (r *resolver) goBy(ctx context.Context, f tenure.Form, status tenure.EntityStatus) ([]tenure.ID, error) {
	owners, err := r.known.Owners(ctx, f)
	if err != nil {
		return nil, err
	}
	for _, project := range []string{r.project, ""} {
		inScope := slices.DeleteFunc(slices.Clone(owners), func(o tenure.Owner) bool { return o.Project != project })
		list, err := r.add(ctx, nil, inScope, status)
		if err != nil || len(list) > 0 {
			slices.Sort(list)
			return list, err
		}
	}
	return nil, nil
}

// add appends the roots of the owners that have the status and a type that
// the mention's may be.
func (r *resolver) add(ctx context.Context, list []tenure.ID, owners []tenure.Owner, status tenure.EntityStatus) ([]tenure.ID, error) {
	for _, o := range owners {
		e, err := r.known.Entity(ctx, o.Entity)
		if err != nil {
			return nil, err
		}
		if e == nil || slices.Contains(list, e.Root()) {
			continue
		}
		if e.Status == tenure.EntityMerged {
			if e, err = r.known.Entity(ctx, e.Root()); err != nil {
				return nil, err
			}
		}
		if e == nil || e.Status != status {
			continue
		}
		ok, err := r.compatible(ctx, e.Type)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, e.ID)
		}
	}
	return list, nil
}

// compatible tells whether an entity's type and the mention's may be one: they
// are equal, one is not known, or one is a kind of the other.
func (r *resolver) compatible(ctx context.Context, entityType string) (bool, error) {
	a, b := entityType, r.mention.Type
	if a == "" || b == "" || a == b {
		return true, nil
	}
	up, err := r.isKindOf(ctx, a, b)
	if err != nil || up {
		return up, err
	}
	return r.isKindOf(ctx, b, a)
}

// deepest bounds the hierarchy of types.
const deepest = 16

func (r *resolver) isKindOf(ctx context.Context, t, of string) (bool, error) {
	for range deepest {
		term, err := r.known.Term(ctx, tenure.TermID(tenure.EntityTypes, t))
		if err != nil || term == nil || term.Parent == "" {
			return false, err
		}
		if term.Parent == of {
			return true, nil
		}
		t = term.Parent
	}
	return false, nil
}

// contradicts tells whether the mention and the entity both have exclusive
// identifiers of a kind, and none in common.
func (r *resolver) contradicts(ctx context.Context, entity tenure.ID) (bool, error) {
	if !slices.ContainsFunc(r.ids, func(id identifier) bool { return id.exclusive }) {
		return false, nil
	}
	owned, err := r.known.OwnedBy(ctx, entity)
	if err != nil {
		return false, err
	}
	theirs := map[string][]string{}
	for _, o := range owned {
		if o.Exclusive {
			theirs[o.Form.Kind] = append(theirs[o.Form.Kind], o.Form.Key)
		}
	}
	for _, id := range r.ids {
		// A row of another system of record says nothing against this one.
		if id.exclusive && id.form.Kind != recordKind && len(theirs[id.form.Kind]) > 0 &&
			!slices.Contains(theirs[id.form.Kind], id.form.Key) {
			return true, nil
		}
	}
	return false, nil
}

// bind assigns the mention to an entity, which from now on goes by its forms,
// has the mention's type if it had none, and is no project's own if it is met
// outside its project.
func (r *resolver) bind(ctx context.Context, id tenure.ID, outcome tenure.Outcome, score float64, reason string) (Decision, error) {
	d := Decision{Outcome: outcome, Score: score, Entity: id, Reason: reason, Candidates: []tenure.ID{id}}
	e, err := r.known.Entity(ctx, id)
	if err != nil {
		return d, err
	}
	next := *e
	if next.Type == "" {
		next.Type = r.mention.Type
	}
	if next.Project != r.project {
		next.Project = "" // known beyond the project that it was met in
	}
	if next != *e {
		d.Changes = append(d.Changes, tenure.EntityPut{Entity: next})
	}
	return r.own(ctx, d, tenure.EntityCanonical)
}

// create makes a new entity that goes by the mention's forms.
func (r *resolver) create(ctx context.Context) (Decision, error) {
	d := Decision{Outcome: tenure.NewEntity, Score: scoreNew, Entity: r.mint.NewID(), Created: true, Reason: NoCandidate}
	d.Changes = append(d.Changes, tenure.EntityPut{Entity: tenure.Entity{
		ID: d.Entity, Type: r.mention.Type, Status: tenure.EntityCanonical, Name: r.mention.Name,
		Project: r.project, CreatedAt: r.mint.Now,
	}})
	return r.own(ctx, d, tenure.EntityCanonical)
}

// unsure joins the pending entity of the same name, or makes one.
func (r *resolver) unsure(ctx context.Context, candidates []tenure.ID, score float64, reason string) (Decision, error) {
	d := Decision{Outcome: tenure.InReview, Score: score, Pending: true, Reason: reason, Candidates: candidates}
	waiting, err := r.goBy(ctx, NameForm(r.mention.Name), tenure.EntityPending)
	if err != nil {
		return d, err
	}
	if len(waiting) > 0 {
		d.Entity = waiting[0]
		d.Reason = ByPending
		return r.assign(d), nil
	}
	d.Entity, d.Created = r.mint.NewID(), true
	d.Changes = append(d.Changes, tenure.EntityPut{Entity: tenure.Entity{
		ID: d.Entity, Type: r.mention.Type, Status: tenure.EntityPending, Name: r.mention.Name,
		Project: r.project, Reason: reason, CreatedAt: r.mint.Now,
	}})
	d.Changes = append(d.Changes, tenure.OwnerAdded{Owner: r.owner(d.Entity, NameForm(r.mention.Name), r.mention.Name, tenure.EntityPending)})
	return r.assign(d), nil
}

// own gives the entity those forms of the mention that it does not go by yet.
func (r *resolver) own(ctx context.Context, d Decision, status tenure.EntityStatus) (Decision, error) {
	spellings := append([]string{r.mention.Name}, r.mention.Aliases...)
	var owners []tenure.Owner
	for _, s := range spellings {
		owners = append(owners, r.owner(d.Entity, NameForm(s), s, status))
	}
	for _, id := range r.ids {
		o := r.owner(d.Entity, id.form, id.spelling, status)
		o.Project, o.Exclusive = "", id.exclusive
		owners = append(owners, o)
	}
	for i, o := range owners {
		known, err := r.known.Owners(ctx, o.Form)
		if err != nil {
			return d, err
		}
		same := func(x tenure.Owner) bool {
			return x.Form == o.Form && x.Entity == o.Entity && (x.Project == o.Project || x.Project == "")
		}
		if !slices.ContainsFunc(known, same) && !slices.ContainsFunc(owners[:i], same) {
			d.Changes = append(d.Changes, tenure.OwnerAdded{Owner: o})
		}
	}
	return r.assign(d), nil
}

func (r *resolver) owner(entity tenure.ID, f tenure.Form, spelling string, status tenure.EntityStatus) tenure.Owner {
	return tenure.Owner{
		Form: f, Entity: entity, Type: r.mention.Type, Status: status, Project: r.project,
		Spelling: spelling, Mention: r.mention.ID,
	}
}

func (r *resolver) assign(d Decision) Decision {
	d.Changes = append(d.Changes, tenure.MentionAssigned{Assignment: tenure.Assignment{
		Mention: r.mention.ID, Entity: d.Entity, Score: d.Score, Outcome: d.Outcome, Reason: d.Reason,
	}})
	return d
}
