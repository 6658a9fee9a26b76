package similarity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/text"
)

// description is a one-line description, prepared for comparison.
type description struct {
	text    string
	norm    string
	words   []token
	numbers []string
	codes   []string // model numbers
	proper  []string // the words that are written with a capital, except the first
}

func (m *Model) describe(s string) (description, bool) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	head, rest := text.Cut(s, maxRunes)
	d := description{text: head, norm: text.Plain(head) + rest}
	for _, w := range splitWords(head, things) {
		if strings.ContainsAny(w.text, "0123456789") {
			d.numbers = append(d.numbers, w.text)
		}
	}
	slices.Sort(d.numbers)
	d.numbers = slices.Compact(d.numbers)
	for i, w := range strings.FieldsFunc(head, separator) {
		if i > 0 && capital(w) {
			d.proper = append(d.proper, text.Plain(w))
		}
	}
	d.codes = modelNumbers(head)
	d.words = m.wordsOf(head, false)
	return d, len(d.words) > 0
}

// capital reports whether a word begins with a capital letter.
func capital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// marks are the name features that distinguish two products or organisations of one kind, such as another size or model
// number. A description that both share then describes their kind, and is no evidence of a match.
var marks = []nameFeature{nameNumberDiffers, nameNumberSome, nameNumberMissing, nameCodeDiffers, nameEditionDiffers,
	nameEditionMissing, nameGeneration, nameFormKind, nameCountryDiffers}

// marked reports whether the names differ in one of the marks.
func (e *evidence) marked() bool {
	return slices.ContainsFunc(marks, func(f nameFeature) bool { return e.name[f] > 0 })
}

// namesDiffer reports whether two names rather name two of a kind, whatever description both have: they have nothing
// in common, each has a word of its own, or they differ in a mark or a given name. Words with few letters in common are
// two words where the names share another.
func (e *evidence) namesDiffer() bool {
	n := &e.name
	unlike := n[nameSimilarTwoShort]+n[nameSimilarFar] > n[nameSound] && n[nameSingle]+n[nameOneWord] == 0
	return n[nameNothing]+n[nameConflict]+n[nameGiven]+n[nameGender]+n[nameSyllable] > 0 || unlike || e.marked()
}

// compareContexts adds the evidence of the best pair of descriptions. A description says of what kind something is, and
// is no evidence for one entity where the names differ, unless one is described by the other's name.
func compareContexts(e *evidence, l, r *Prepared) {
	best, x, y := bestDescriptions(l, r)
	against := best.feature == contextDiffers || best.feature == contextNumber || best.feature == contextSlot
	named, naming := namingEither(l, r)
	if !best.none && (against || named != "" || !e.namesDiffer()) {
		e.add(best.feature, best.by, x.text, y.text)
		if best.info > 0 {
			e.add(contextInfo, best.info/6, x.text, y.text)
		}
	}
	if named == "" {
		return
	}
	e.add(contextNames, 1, named, naming)
	if best.feature == contextEqual && e.class != people {
		for _, f := range otherWords {
			e.name[f] = 0
		}
	}
}

// bestDescriptions returns the result of the pair of descriptions that are most alike.
func bestDescriptions(l, r *Prepared) (best found, x, y *description) {
	best.none = true
	for i := range l.contexts {
		for j := range r.contexts {
			f := compareDescriptions(&l.contexts[i], &r.contexts[j])
			if best.none || f.rank > best.rank || f.rank == best.rank && f.info > best.info {
				best, x, y = f, &l.contexts[i], &r.contexts[j]
			}
		}
	}
	return best, x, y
}

// otherWords are the features that speak against names in other words: no evidence where one description of both says
// what else they are called ("brands of warfarin").
var otherWords = [...]nameFeature{nameConflict, nameConflictFirst, nameConflictLast, nameConflictInfo, nameExtraFirst,
	nameExtraMiddle, nameExtraLast, nameExtraInfo, nameOneWord, nameNothing, nameSimilarFar}

// namingEither returns a name of one profile that a description of the other contains, and the description, with what
// is of the left profile first; "" if there is none.
func namingEither(l, r *Prepared) (left, right string) {
	if n, c := naming(l, r); n != "" {
		return n, c
	}
	n, c := naming(r, l)
	return c, n
}

func compareDescriptions(x, y *description) found {
	s := commonWords(x.words, y.words)
	info := min(s.info, 24)
	share := s.dice()
	switch {
	case x.norm == y.norm:
		return found{feature: contextEqual, rank: 4, by: 1, info: info}
	case len(x.numbers) > 0 && len(y.numbers) > 0 && !slices.Equal(x.numbers, y.numbers) && share >= 0.3:
		return found{feature: contextNumber, rank: 3, by: 1}
	case share >= 0.3 && otherProper(x, y):
		return found{feature: contextSlot, rank: 3, by: 1}
	case share >= 0.6:
		return found{feature: contextClose, rank: 2, by: 1, info: info}
	case share >= 0.2:
		return found{feature: contextPart, rank: 1, by: share, info: info}
	}
	return found{feature: contextDiffers, by: 1}
}

// otherProper reports whether each of two descriptions has a proper name that the other lacks: "city in Oregon" and
// "city in Maine".
func otherProper(x, y *description) bool { return x.lacks(y) && y.lacks(x) }

// lacks reports whether the other description has a proper name that d has not.
func (d *description) lacks(o *description) bool {
	return slices.ContainsFunc(o.proper, func(w string) bool {
		return !slices.ContainsFunc(d.words, func(t token) bool {
			return t.text == w || t.native == w || strings.HasPrefix(t.text, w) || strings.HasPrefix(w, t.text)
		})
	})
}

// minInformation is the least information content, in nats, of a word that identifies one thing: a frequency
// of about 1 in 1,000 names.
const minInformation = 7

// naming returns a name of one profile that is no name of the other and that a description of the other contains, with
// the description.
func naming(named, told *Prepared) (spelling, context string) {
	for i := range told.contexts {
		for j := range named.names {
			n := &named.names[j]
			own := func(o name) bool { return o.all == n.all }
			if n.info >= minInformation && within(n.tokens, told.contexts[i].words) && !slices.ContainsFunc(told.names, own) {
				return n.written, told.contexts[i].text
			}
		}
	}
	return "", ""
}

// within reports whether a text has the words in their order, with at most one other between two of them: "payments
// service" is in "the payments event service", but not in "service of the payments team".
func within(words, content []token) bool {
	for i := range content {
		if follows(words, content[i:]) {
			return true
		}
	}
	return false
}

// follows reports whether a text begins with the words, with at most one other between two of them.
func follows(words, content []token) bool {
	for i := range words {
		next := slices.IndexFunc(content[:min(len(content), 2)], func(t token) bool { return t.text == words[i].text })
		if next < 0 || i == 0 && next > 0 {
			return false
		}
		content = content[next+1:]
	}
	return len(words) > 0
}

// compareSurroundings adds the evidence of type, project, records and neighbours.
func compareSurroundings(e *evidence, l, r *Prepared) {
	if l.typ != r.typ && l.typ != "" && r.typ != "" && (l.kind != r.kind || incompatible(l.typ, r.typ)) {
		e.add(typeDiffers, 1, l.typ, r.typ)
	}
	switch {
	case l.project == "" || r.project == "":
	case l.project == r.project:
		e.add(projectSame, 1, l.project, r.project)
	default:
		e.add(projectDiffers, 1, l.project, r.project)
	}
	compareRecords(e, l.records, r.records)
	if n := commonIDs(l.neighbours, r.neighbours); n > 0 {
		e.add(neighbourShared, logOnePlus[min(n, len(logOnePlus)-1)], "", "")
	}
}

// logOnePlus is ln(1+n) by n: each further common neighbour says less than the one before.
var logOnePlus = [...]float64{0, 0.69, 1.10, 1.39, 1.61, 1.79, 1.95, 2.08, 2.20}

func compareRecords(e *evidence, l, r []tenure.Record) {
	differ := false
	for i := range l {
		for j := range r {
			switch {
			case l[i] == r[j]:
				e.add(recordSame, 1, l[i].Source+" "+l[i].ID, r[j].Source+" "+r[j].ID)
				return
			case l[i].Source == r[j].Source:
				differ = true
			}
		}
	}
	if differ {
		e.add(recordDiffers, 1, l[0].Source+" "+l[0].ID, r[0].Source+" "+r[0].ID)
	}
}

// commonIDs counts the elements that two sorted lists share.
func commonIDs(a, b []tenure.ID) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch strings.Compare(string(a[i]), string(b[j])) {
		case -1:
			i++
		case 1:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}
