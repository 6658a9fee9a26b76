package tenure

import (
	"slices"
	"strconv"
)

// ErasedKind says whose content is erased.
type ErasedKind string

// What is erased: of an observation all that was said and who said it, or its words alone; a mention with its aliases;
// a claim with its amendments' reasons, or only the wording of one that stays; what a former version of an entity says
// more than the present one, with the notes of people on the entity; of a document what its versions up to then say.
const (
	ErasedObservation ErasedKind = "observation"
	ErasedText        ErasedKind = "text"
	ErasedMention     ErasedKind = "mention"
	ErasedClaim       ErasedKind = "claim"
	ErasedWording     ErasedKind = "wording"
	ErasedEntity      ErasedKind = "entity"
	ErasedDocument    ErasedKind = "document"
)

// ContentErased erases content in every version of a thing, past and present: the one change that is not an addition.
// What stays is a tombstone: ids, times, labels, and what the thing is connected with. The versions that the rest of
// the change set puts are those that follow.
type ContentErased struct {
	Kind ErasedKind
	ID   ID
	// Entity is the entity concerned: the one that is erased, or that a mention is assigned to or a claim is about.
	Entity ID
}

// Entry implements [Change].
func (c ContentErased) Entry() EntryChange {
	e := EntryChange{Kind: KindContentErased, ID: c.ID, Entity: c.Entity, Name: string(c.Kind)}
	if c.Kind == ErasedClaim || c.Kind == ErasedWording {
		e.Belief = c.ID
	}
	return e
}

// ErasedBy returns the change that an entry of the log names.
func ErasedBy(e EntryChange) ContentErased {
	return ContentErased{Kind: ErasedKind(e.Name), ID: e.ID, Entity: e.Entity}
}

// WriteSet implements [Change].
func (c ContentErased) WriteSet() []ConflictKey {
	switch c.Kind {
	case ErasedObservation, ErasedText:
		return []ConflictKey{ObservationConflict(c.ID)}
	case ErasedClaim, ErasedWording:
		return []ConflictKey{BeliefConflict(c.ID)}
	case ErasedDocument:
		return []ConflictKey{DocumentConflict(c.ID)}
	default:
		return []ConflictKey{EntityConflict(c.Entity)}
	}
}

// Accept implements [Change].
func (c ContentErased) Accept(v ChangeVisitor) error { return v.ContentErased(c) }

// Evidence implements [Change].
func (c ContentErased) Evidence() any { return nil }

// Erases reports whether an entry of the log erases content.
func (e Entry) Erases() bool {
	return slices.ContainsFunc(e.Changes, func(c EntryChange) bool { return c.Kind == KindContentErased })
}

// Erase returns the tombstone of the observation: when, under which scope and by which credential something was
// observed, and what was made of it.
func (o Observation) Erase() Observation {
	o = o.EraseText()
	o.Source, o.Named, o.Erased = o.Source.erase(), nil, true
	if o.Answer != nil { // a copy by now
		o.Answer.Reviewer = ""
	}
	return o
}

// erase returns the weight of the source alone.
func (s Source) erase() Source {
	return Source{AuthorityLevel: s.AuthorityLevel, SourceAuthority: s.SourceAuthority, Role: s.Role}
}

// EraseText returns the observation without its words and what was read in them.
func (o Observation) EraseText() Observation {
	o.Text, o.Addressee, o.Statements, o.TextErased = "", "", nil, true
	if o.Answer != nil {
		answer := *o.Answer
		answer.Note = ""
		o.Answer = &answer
	}
	return o
}

// Erase returns the tombstone of the mention: its type, and where and under which label it was made.
func (m Mention) Erase() Mention {
	return Mention{
		ID: m.ID, Observation: m.Observation, Index: m.Index, Type: m.Type, Project: m.Project, Label: m.Label, Erased: true,
	}
}

// Erase returns the tombstone of the claim: its slot, weight and times, without a value. No other value is the same.
func (c Claim) Erase() Claim {
	d := c.Description
	c.PredicateAsWritten, c.Inverted, c.Key, c.Evidence, c.Recalls = "", false, "", nil, false
	c.Value = Value{Canonical: "erased:" + string(c.ID)}
	c.Source = c.Source.erase()
	c.Description = Description{ObjectType: d.ObjectType, Classification: d.Classification, Permission: d.Permission}
	c.Erased = true
	return c
}

// EraseSource returns the claim without who said it and where: it stays of an observation that is erased.
func (c Claim) EraseSource() Claim {
	c.Source = c.Source.erase()
	return c
}

// EraseWording returns the claim without the words in which it was made, which may name what its value is.
func (c Claim) EraseWording() Claim {
	c.Value.Name, c.Evidence = "", nil
	c.Content, c.NormalizedClaim, c.WhyItMatters, c.BehavioralImplication = "", "", "", ""
	c.UpdatePath, c.RetirementRule = "", ""
	return c
}

// Erase returns a former version of the entity without what the present one does not say.
func (e Entity) Erase(present Entity) Entity {
	said := present.Spellings()
	if !slices.Contains(said, e.Name) {
		e.Name = present.Name
	}
	e.Names = kept(e.Names, said)
	e.Records = kept(e.Records, present.Records)
	e.Context = kept(e.Context, present.Context)
	attributes := map[string][]string{}
	for name, values := range e.Attributes {
		if values = kept(values, present.Attributes[name]); len(values) > 0 {
			attributes[name] = values
		}
	}
	if e.Attributes = nil; len(attributes) > 0 {
		e.Attributes = attributes
	}
	return e
}

// kept returns the members of a list that are in another; nil for none.
func kept[T comparable](list, in []T) (rest []T) {
	for _, t := range list {
		if slices.Contains(in, t) {
			rest = append(rest, t)
		}
	}
	return rest
}

// Erase returns the alias of an erased mention: the number tells those of one mention apart.
func (a Alias) Erase(number int) Alias {
	a.Key = AliasKey{Kind: ErasedAlias, Key: string(a.Mention) + "/" + strconv.Itoa(number)}
	a.Spelling, a.Exclusive = "", false
	return a
}

// Erase returns the standing that a claim has in every state once it is erased: retracted, as in the present one.
func (s Standing) Erase(present Standing) Standing {
	present.Labels = s.Labels
	present.Object, present.Turned = "", false
	return present
}

// Erase returns the review without the notes of people, which may tell of any entity that it is about, and with a name
// that the entity still has, if that is the one which it asks about.
func (r Review) Erase(present Entity) Review {
	if r.Entity == present.ID && !slices.Contains(present.Spellings(), r.Name) {
		r.Name = present.Name
	}
	r.Note, r.DeferNote, r.Events = "", "", slices.Clone(r.Events)
	for i := range r.Events {
		r.Events[i].Note = ""
	}
	return r
}

// Erase returns the decision without the reasons that people gave. Those of the program are words of its own.
func (v IdentityDecision) Erase() IdentityDecision {
	if !v.Automatic {
		v.Reason = ""
	}
	v.UndoneReason = ""
	return v
}

// Erase returns the case without the notes of people and the question, which may name values.
func (c Case) Erase() Case {
	c.Note, c.DeferNote, c.Resolver.Task, c.Events = "", "", "", slices.Clone(c.Events)
	for i := range c.Events {
		c.Events[i].Note = ""
	}
	return c
}

// Erase returns the amendment without its reason.
func (a Amendment) Erase() Amendment {
	a.Reason = ""
	return a
}
