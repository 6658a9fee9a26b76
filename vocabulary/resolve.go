package vocabulary

import (
	"cmp"
	"context"
	"slices"

	"tenure"
)

// Terms finds a tenant's terms by their ids (see tenure.TermID): nil for one that is not defined.
type Terms interface {
	Term(ctx context.Context, id string) (*tenure.Term, error)
}

// Resolve returns the term that a predicate as written means. Of its normal form, and of what is left as words that
// change nothing are removed from it (see Set.Lookup), the first counts that names a term: one that the tenant
// defined, or has as another name of one, before one of the base vocabulary. A word that names none is a predicate
// of its own: see Unknown.
//
// What a tenant's term of the name of a base term leaves open (inverse, decay, description), the base term says.
func Resolve(ctx context.Context, terms Terms, predicate string) (tenure.Term, error) {
	t, _, err := resolve(ctx, terms, predicate)
	return t, err
}

// Of returns the term of the predicate that claims are held under. A synonym of the base vocabulary holds what does not
// fit its term (see Place), as an unknown predicate.
func Of(ctx context.Context, terms Terms, held string) (tenure.Term, error) {
	t, synonymOf, err := resolve(ctx, terms, held)
	if synonymOf != nil && err == nil {
		return Unknown(cmp.Or(Normal(held), held)), nil
	}
	return t, err
}

// resolve returns the term that a predicate as written means, and the base term of which that is a synonym in the base
// vocabulary, nil if it is none.
func resolve(ctx context.Context, terms Terms, predicate string) (tenure.Term, *tenure.Term, error) {
	normal := cmp.Or(Normal(predicate), predicate)
	if normal != predicate { // a name that was defined before names had a normal form
		if own, err := defined(ctx, terms, predicate); own != nil || err != nil {
			t, err := follow(ctx, terms, own, err)
			return t, nil, err
		}
	}
	for _, p := range phrases(normal) {
		own, synonymOf, err := named(ctx, terms, p.word)
		if err != nil {
			return tenure.Term{}, nil, err
		}
		if own == nil {
			continue
		}
		if t, err := follow(ctx, terms, own, nil); err != nil || p.means(&t) {
			return t, synonymOf, err
		}
		break
	}
	return Unknown(normal), nil, nil
}

// named returns the term that a word names, nil if it names none, and the base term of which it is a synonym there.
func named(ctx context.Context, terms Terms, word string) (own, synonymOf *tenure.Term, err error) {
	own, err = defined(ctx, terms, word)
	t := base().exact(word)
	if own != nil || err != nil || t == nil {
		return own, nil, err
	}
	if own, err = defined(ctx, terms, t.Name); own == nil {
		own = &t.Term
	}
	if t.Name != word {
		synonymOf = &t.Term
	}
	return own, synonymOf, err
}

// SameWord reports whether two predicates as written are one word, in whatever spelling, and not synonyms.
func SameWord(a, b string) bool { return wordOf(a) == wordOf(b) }

// wordOf returns the word of the base vocabulary that a predicate is, else its normal form.
func wordOf(predicate string) string {
	normal := cmp.Or(Normal(predicate), predicate)
	for _, p := range phrases(normal) {
		if base().exact(p.word) != nil {
			return p.word
		}
	}
	return normal
}

// Unknown returns the term of a predicate that is not defined: one value at a time, compared by what it is.
func Unknown(name string) tenure.Term {
	return tenure.Term{
		Vocabulary: tenure.Predicates, Name: name, Cardinality: tenure.One, ValueType: tenure.AnyValue,
		SuccessionGap: tenure.DefaultSuccessionGap, Registered: true,
	}
}

// defined returns the tenant's term of a name, nil if there is none or a claim alone brought it.
func defined(ctx context.Context, terms Terms, name string) (*tenure.Term, error) {
	t, err := terms.Term(ctx, tenure.TermID(tenure.Predicates, name))
	if t == nil || t.Registered {
		return nil, err
	}
	return t, err
}

// maxParents bounds the names of names that are followed; Check allows one.
const maxParents = 8

// follow returns the term of which another name is one.
func follow(ctx context.Context, terms Terms, t *tenure.Term, err error) (tenure.Term, error) {
	for range maxParents {
		if err != nil || t.Parent == "" {
			break
		}
		var parent *tenure.Term
		if parent, err = defined(ctx, terms, t.Parent); parent == nil && err == nil {
			b := base().exact(t.Parent)
			if b == nil {
				break
			}
			if parent, err = defined(ctx, terms, b.Name); parent == nil {
				parent = &b.Term
			}
		}
		t = parent
	}
	if err != nil {
		return tenure.Term{}, err
	}
	return inherit(*t), nil
}

// inherit fills in what a tenant's term leaves open from the base term of the same name.
func inherit(t tenure.Term) tenure.Term {
	if b := base().exact(t.Name); b != nil && b.Name == t.Name && !t.Base {
		t.Inverse, t.Decay = cmp.Or(t.Inverse, b.Inverse), cmp.Or(t.Decay, b.Decay)
		t.Description = cmp.Or(t.Description, b.Description)
	}
	return t
}

// IDs lists the ids of the tenant's terms that Resolve and Held read for a predicate, but for the parents of these
// and the inverses that they name.
func IDs(predicate string) []string {
	ids := []string{tenure.TermID(tenure.Predicates, predicate)}
	add := func(name string) {
		if id := tenure.TermID(tenure.Predicates, name); name != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, p := range phrases(cmp.Or(Normal(predicate), predicate)) {
		add(p.word)
		if t := base().exact(p.word); t != nil {
			add(t.Name)
			add(t.Inverse)
			break
		}
	}
	return ids
}

// Held returns the term under which a claim that relates two entities is held, and whether that is the converse of
// the one given: what is said from both sides is held in one direction. That is the direction in which there is one
// value. Where both are such, it is the one whose name comes first; where neither is, the one that comes first in the
// base vocabulary, which has people before what they work on, and else by name.
func Held(ctx context.Context, terms Terms, t tenure.Term) (held tenure.Term, inverted bool, err error) {
	if t.Inverse == "" || t.Inverse == t.Name {
		return t, false, nil
	}
	other, err := Resolve(ctx, terms, t.Inverse)
	if err != nil || other.Inverse != t.Name || other.Name == t.Name {
		return t, false, err
	}
	inverted = other.Name < t.Name
	if t.Cardinality == tenure.Many && other.Cardinality == tenure.Many {
		a, known := base().words[t.Name]
		if b, both := base().words[other.Name]; known && both {
			inverted = b < a
		}
	}
	if one := other.Cardinality == tenure.One; one != (t.Cardinality == tenure.One) {
		inverted = one
	}
	if inverted {
		return other, true, nil
	}
	return t, false, nil
}

// Place gives a claim the predicate and the direction in which it is held today, whatever it had before, and returns
// the term of the predicate. A synonym of the base vocabulary means its term only of what fits the term's type: of
// another shape, the claim stays under the predicate as written.
func Place(
	ctx context.Context, terms Terms, c tenure.Claim, shape func() Shape,
) (tenure.Claim, tenure.Term, error) {
	c = c.AsSaid()
	t, inverted, err := Placed(ctx, terms, c.Predicate, c.Value.Entity != "", shape)
	if err != nil {
		return c, t, err
	}
	if inverted {
		c = c.Turned()
	}
	return c.Under(t.Name), t, nil
}

// Placed returns the term under which a claim of a predicate as written is held, and whether from the other side. The
// shape of the value is only asked for where it decides.
func Placed(
	ctx context.Context, terms Terms, predicate string, relates bool, shape func() Shape,
) (t tenure.Term, inverted bool, err error) {
	t, synonymOf, err := resolve(ctx, terms, predicate)
	switch {
	case err != nil:
		return t, false, err
	case synonymOf != nil && !shape().fits(synonymOf.ValueType):
		return Unknown(cmp.Or(Normal(predicate), predicate)), false, nil
	case relates:
		return Held(ctx, terms, t)
	}
	return t, false, nil
}

// Apart returns the predicate under which claims are held that a predicate as written names and that do not fit its
// term, "" if there are none.
func Apart(ctx context.Context, terms Terms, predicate string) (string, error) {
	if _, synonymOf, err := resolve(ctx, terms, predicate); synonymOf == nil || err != nil {
		return "", err
	}
	return cmp.Or(Normal(predicate), predicate), nil
}
