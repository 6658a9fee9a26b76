package linking

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"tenure"
	"tenure/ner/words"
	"tenure/similarity"
	"tenure/store"
	"tenure/text"
)

// The bounds of what is asked about the names of a query.
const (
	askedNames  = 16 // names
	spellingsOf = 64 // of an entity
	longestName = 6  // words
	leastTypo   = 5  // letters of a single word in which one may be wrong
)

// How a span of words fits a name, the weakest first.
const (
	fitsMisspelt = iota + 1 // a word of it, with a slip
	fitsLoosely             // like it, but not enough to choose it
	fitsPart                // words of it
	fitsPerson              // words of a person's name: a first name, a surname
	fitsWhole               // all of it, with slips that the model forgives
	fitsEqual               // all of it, ignoring case and marks
)

// nameFit says that the words from first to last may name a root.
type nameFit struct {
	first, last int
	root        tenure.ID
	fits        int
}

// addAlike adds the entities that the query names inexactly: with a typo, by a first name, by a part of the name. A
// span that fits one entity names it; one that fits several, or fits loosely, is reported as unresolved.
func (x *Linker) addAlike(ctx context.Context, r store.IdentityReader, l *Links, q Query) error {
	names := asked(q.Text, l.Words)
	proposed, err := x.Propose(ctx, r, q.Tenant, names, q.Project)
	if err != nil {
		return err
	}
	spellings, err := l.spellings(ctx, r, proposed, q.Project)
	if err != nil {
		return err
	}
	var fits []nameFit
	for _, id := range l.oldestFirst(setOf(spellings)) {
		for _, s := range spellings[id] {
			fits = append(fits, x.fit(q.Text, l.Words, l.Known[id], s)...)
		}
	}
	l.settle(q.Text, l.Words, fits, q.Project)
	return nil
}

func setOf(spellings map[tenure.ID][]string) map[tenure.ID]bool {
	set := make(map[tenure.ID]bool, len(spellings))
	for id := range spellings {
		set[id] = true
	}
	return set
}

// spellings reads the names of the roots of the entities, as far as the project sees them.
func (l *Links) spellings(
	ctx context.Context, r store.IdentityReader, ids []tenure.ID, project string,
) (map[tenure.ID][]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	aliases, err := l.aliasesOfWhole(ctx, r, ids)
	if err != nil {
		return nil, err
	}
	found := map[tenure.ID][]string{}
	for _, o := range aliases {
		root, ok := l.Known.Root(o.Entity)
		if !ok || o.Key.Kind != tenure.NameAlias || !InProject(o.Project, project) || len(found[root.ID]) == spellingsOf {
			continue
		}
		if reason := Excluded(root, project); reason == "" || reason == PendingEntity {
			found[root.ID] = append(found[root.ID], o.Spelling)
		}
	}
	return found, nil
}

// aliasesOfWhole reads the aliases of the roots of entities and of all members of these: those of the entities beside
// the entities themselves, which most often are all.
func (l *Links) aliasesOfWhole(
	ctx context.Context, r store.IdentityReader, ids []tenure.ID,
) ([]tenure.Alias, error) {
	var own []tenure.Alias
	err := store.Beside(
		func() error { return l.Known.Load(ctx, r, ids) },
		func() (err error) {
			own, err = r.AliasesOf(ctx, ids)
			return err
		},
	)
	if err != nil {
		return nil, err
	}
	members := map[tenure.ID]bool{}
	for _, id := range ids {
		if root, ok := l.Known.Root(id); ok {
			for _, m := range root.Whole() {
				members[m] = true
			}
		}
	}
	for _, id := range ids {
		delete(members, id)
	}
	if len(members) == 0 {
		return own, nil
	}
	others, err := r.AliasesOf(ctx, slices.Sorted(maps.Keys(members)))
	return append(own, others...), err
}

// fit lists the spans of the query that a spelling of a root fits.
func (x *Linker) fit(query string, list []Word, root tenure.Entity, spelling string) []nameFit {
	var name []string
	for _, s := range text.Words(spelling) {
		name = append(name, text.Unmarked(spelling[s.From:s.Until]))
	}
	if len(name) == 0 || len(name) > longestName {
		return nil
	}
	var fits []nameFit
	for first := range list {
		if f := x.fitWhole(query, list, first, name, root.Type, spelling); f != 0 {
			fits = append(fits, nameFit{first, first + len(name) - 1, root.ID, f})
		}
		for n := 1; n < len(name) && first+n <= len(list); n++ {
			f := nameFit{first, first + n - 1, root.ID, fitPart(list[first:first+n], name, root.Type)}
			if f.fits > fitsLoosely && extends(list, f) {
				f.fits = fitsLoosely
			}
			if f.fits != 0 {
				fits = append(fits, f)
			}
		}
	}
	return fits
}

// fitWhole compares a whole name with as many words of the query. A slip in one of several words is judged by the
// model that judges mentions, under the prior that who asks means somebody who is there.
func (x *Linker) fitWhole(query string, list []Word, first int, name []string, typ, spelling string) int {
	last := first + len(name) - 1
	if last >= len(list) || !free(list[first:last+1]) {
		return 0
	}
	equal := 0
	for i, n := range name {
		switch w := list[first+i].Key; {
		case w == n:
			equal++
		case !slip(w, n):
			return 0
		}
	}
	if equal == len(name) {
		return fitsEqual
	}
	if len(name) == 1 {
		return fitsLoosely
	}
	model := x.model
	l := model.Prepare(similarity.Profile{Names: []string{query[list[first].From:list[last].Until]}, Type: typ})
	r := model.Prepare(similarity.Profile{Names: []string{spelling}, Type: typ})
	switch model.Compare(l, r, similarity.EvenPrior()).Band() {
	case tenure.AutoMerge:
		return fitsWhole
	case tenure.InReview:
		return fitsLoosely
	}
	return 0
}

// slip reports whether two words differ by few enough edits for a typo or a mishearing: one, and one more per eight
// letters; or by one transposition of neighbouring letters alone.
func slip(a, b string) bool {
	x, y := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	n := min(x, y)
	if max(x, y)-n > 1+n/8 || n < leastTypo-1 || a[0] != b[0] && n < leastTypo {
		return false
	}
	return levenshtein.ComputeDistance(a, b) <= 1+n/8 || swapped([]rune(a), []rune(b))
}

// swapped reports whether two words differ by exactly one transposition of neighbouring letters.
func swapped(a, b []rune) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
		}
	}
	return false
}

// free reports whether no word was taken and one may be part of a name.
func free(part []Word) bool {
	named := false
	for _, w := range part {
		if w.Taken {
			return false
		}
		named = named || w.Name
	}
	return named
}

// fitPart compares words with some successive words of a name. People go by a first name or a surname, in small letters
// too, and with a slip if it is written as a name and no given name itself; a thing by a part of its name only where it
// is written as one.
func fitPart(part []Word, name []string, typ string) int {
	fits := fitsPart
	if typ == words.Person || len(name) > 1 && !slices.Contains(things, typ) && words.Load().IsGivenName(name[0]) {
		fits = fitsPerson
	}
	for _, w := range part {
		if w.Taken || !w.Name || fits == fitsPart && !w.Capital {
			return 0
		}
	}
	for at := 0; at+len(part) <= len(name); at++ {
		if equalWords(part, name[at:]) {
			return fits
		}
	}
	if fits == fitsPerson && misspelt(part, name) {
		return fitsMisspelt
	}
	return 0
}

// misspelt reports whether a word is one of a name with a slip after the first letter, and no given name or common word
// itself.
func misspelt(part []Word, name []string) bool {
	if len(part) != 1 || !part[0].Capital {
		return false
	}
	word := part[0].Key
	return !words.Load().IsGivenName(word) && !words.Load().IsCommon(word) &&
		slices.ContainsFunc(name, func(n string) bool { return word[0] == n[0] && slip(word, n) })
}

// things are the types of what is no person. One of another type may be a person: an employee, a patient.
var things = []string{
	words.Organization, words.Project, words.Document, words.Repository, words.System, words.Tool, words.Place,
	words.Product, words.Role, words.Identifier,
}

func equalWords(part []Word, name []string) bool {
	for i, w := range part {
		if w.Key != name[i] {
			return false
		}
	}
	return true
}

// extends reports whether a word beside a span is part of the name: "Ben Carter" is no Ben Ortiz.
func extends(list []Word, f nameFit) bool {
	beside := func(i int) bool { return list[i].Name && list[i].Capital && !list[i].Taken }
	return f.first > 0 && list[f.first].Joined && beside(f.first-1) ||
		f.last+1 < len(list) && list[f.last+1].Joined && beside(f.last+1)
}

// settle resolves the spans that fit a name, the longest first, then by position.
func (l *Links) settle(query string, list []Word, fits []nameFit, project string) {
	slices.SortStableFunc(fits, func(a, b nameFit) int {
		return cmp.Or(cmp.Compare(b.last-b.first, a.last-a.first), cmp.Compare(a.first, b.first), cmp.Compare(b.fits, a.fits))
	})
	for len(fits) > 0 {
		n := 1
		for n < len(fits) && fits[n].first == fits[0].first && fits[n].last == fits[0].last {
			n++
		}
		span := list[fits[0].first : fits[0].last+1]
		if !slices.ContainsFunc(span, func(w Word) bool { return w.Taken }) {
			l.settleSpan(nameSpan{text: query[span[0].From:span[len(span)-1].Until], first: fits[0].first}, fits[:n], project)
			for i := range span {
				span[i].Taken = true
			}
		}
		fits = fits[n:]
	}
}

// settleSpan decides which root a span names, by its fits, best first. A span that may be a typo of several names is
// unresolved.
func (l *Links) settleSpan(run nameSpan, fits []nameFit, project string) {
	if settled := slices.DeleteFunc(slices.Clone(fits), func(f nameFit) bool {
		return l.Known[f.root].Status == tenure.EntityPending
	}); len(settled) > 0 {
		fits = settled
	}
	best, slips := map[tenure.ID]bool{}, map[tenure.ID]bool{}
	for _, f := range fits {
		if f.fits == fits[0].fits {
			best[f.root] = true
		}
		if f.fits <= fitsLoosely || f.fits == fitsWhole {
			slips[f.root] = true
		}
	}
	if fits[0].fits <= fitsLoosely || fits[0].fits == fitsWhole && len(slips) > 1 {
		roots, _ := l.usable(slips, project)
		if len(roots) > 0 {
			l.Unresolved = append(l.Unresolved, Unresolved{
				Text: run.text, Reason: SimilarName, Candidates: roots, Misspelt: fits[0].fits == fitsMisspelt, first: run.first,
			})
		}
		return
	}
	roots, pending := l.usable(best, project)
	l.addNamed(run, roots, slices.DeleteFunc(pending, func(id tenure.ID) bool { return l.Topics[id] != nil }))
}
