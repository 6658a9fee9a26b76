package reading

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/ingest"
	"tenure/statements"
	"tenure/statements/align"
	"tenure/statements/forget"
	"tenure/store"
	"tenure/text"
	"tenure/vocabulary"
)

// recentRead bounds the beliefs, and as well the remarks, of a scope that a request to forget is compared with.
const recentRead = 500

// Why a request to forget does nothing.
const (
	whyNoWords   = "it does not say what is to be forgotten"
	whyLimited   = "it may not mean all of it, or more than it: say in sentences of their own what is to be forgotten"
	whyUnknown   = "nothing that is known has all of these words"
	whySeveral   = "it may mean several: %s; say everything about it, or which"
	whyNamesakes = "several have this name: %s"
	whyThing     = "it names a thing, and nothing that was said of it; say everything about it, or what"
)

// forgetter carries out the requests to forget of a text.
type forgetter struct {
	*turn
	wishes   []wish
	memories []memory
	cut      bool // the scope may have more than recentRead
}

// wish is a request to forget with the memories it means, or why it forgets nothing; unsure if a person could tell.
type wish struct {
	forget.Request
	list   []memory
	unsure bool
	why    string
}

// memory is a belief with the words by which a request can refer to it.
type memory struct {
	tenure.Belief
	root, object              tenure.ID // the roots of its subject and of its value
	name                      string    // of the subject
	subject, predicate, value map[string]bool
	texts                     []string // the parts that may name an entity
}

// wishes finds the requests to forget in the text, with what they mean, and removes their sentences from the
// statements. A sentence such as "forget teal" that does not clearly mean a belief stays: it may be a correction.
func (t *turn) wishes(ctx context.Context) (*forgetter, error) {
	f := &forgetter{turn: t}
	asked := forget.Requests(t.text)
	t.said = forget.Proposed(t.text, t.said)
	if len(asked) == 0 {
		return f, nil
	}
	if err := f.load(ctx); err != nil {
		return nil, err
	}
	for _, a := range asked {
		w := f.meant(f.wanted(a))
		within := func(s tenure.Statement) bool { return s.Start < w.End && w.Start < s.End }
		vague := !w.All && !w.Kept && (w.why == whyUnknown || w.why == whyThing)
		if vague && slices.ContainsFunc(t.said, within) {
			continue
		}
		t.said = slices.DeleteFunc(t.said, within)
		f.wishes = append(f.wishes, w)
	}
	return f, nil
}

// grant retracts what the requests mean, and appends them to the statements.
func (f *forgetter) grant(ctx context.Context) error {
	for _, w := range f.wishes {
		said := tenure.Said{Effect: align.Keeps, Why: w.why, Statement: tenure.Statement{
			Span: w.Span, Act: tenure.Retracts, Subject: w.What, Trigger: w.Trigger, Confidence: sureOfWish,
			Extractor: statements.Extractor,
		}}
		switch {
		case f.former[saying(said.Statement)]:
			said.Why = whyBefore
		case w.why == "":
			said.Entity, said.Predicate = common(w.list)
			n, err := f.retract(ctx, w)
			if err != nil {
				return err
			}
			if said.Why = whyAlready; n > 0 {
				said.Effect, said.Why = align.Retracts, f.granted(w)
			}
		case w.unsure:
			said.Effect = align.Unsure
		}
		if f.late == nil || said.Effect == align.Retracts {
			f.out.Statements = append(f.out.Statements, said)
		}
	}
	return nil
}

// cameLate keeps the memories of the late beliefs that the text is reread for, or all if it is not.
func (f *forgetter) cameLate(list []memory) []memory {
	if f.late == nil {
		return list
	}
	return slices.DeleteFunc(list, func(m memory) bool {
		return !slices.ContainsFunc(f.late.beliefs, func(b tenure.Belief) bool { return b.Claim.ID == m.Claim.ID })
	})
}

// retract retracts what a request means, through the statement that is appended next, and returns how many beliefs.
func (f *forgetter) retract(ctx context.Context, w wish) (n int, err error) {
	own := f.cameLate(inScope(w.list, f.in.Scope))
	list, err := f.displaced(ctx, own)
	if err != nil {
		return 0, err
	}
	for _, m := range own {
		list = append(list, m.Belief)
	}
	for _, b := range list {
		if !slices.ContainsFunc(f.out.Amendments, func(a ingest.Amendment) bool { return a.Belief == b.Claim.ID }) {
			n++
			f.out.Amendments = append(f.out.Amendments, ingest.Amendment{
				Statement: len(f.out.Statements), Kind: tenure.Retract, Belief: b.Claim.ID,
			})
		}
	}
	return n, nil
}

// sureOfWish is how sure it is that a sentence asks to forget.
const sureOfWish = .9

// granted returns the reason that is listed with a granted request.
func (f *forgetter) granted(w wish) string {
	why := "what was forgotten has all of its words"
	if wider := len(w.list) - len(inScope(w.list, f.in.Scope)); wider > 0 {
		why += fmt.Sprintf("; %d more are of a wider scope and stay", wider)
	}
	if f.cut {
		why += fmt.Sprintf("; the newest %d of the scope were looked at", recentRead)
	}
	return why
}

// load reads beliefs of any valid time: the newest of the scope, and those about entities that the text names.
func (f *forgetter) load(ctx context.Context) error {
	always := tenure.Window{From: tenure.MinTime, Until: tenure.MaxTime}
	var list []tenure.Belief
	for _, of := range []store.Selection{store.AllClaims, store.Remarks} {
		found, err := f.r.Recent(ctx, store.RecentQuery{In: f.in.Scope, Of: of, Window: always, Limit: recentRead})
		if err != nil {
			return err
		}
		f.cut = f.cut || len(found) == recentRead
		list = append(list, found...)
	}
	var named []tenure.ID
	for _, p := range f.named.Places {
		named = append(named, p.Root.Whole()...)
	}
	if named = unique(named); len(named) > 0 {
		slices.Sort(named)
		found, err := f.r.Live(ctx, named, always, recentRead)
		if err != nil {
			return err
		}
		list = append(list, found...)
	}
	return f.remember(ctx, list)
}

// remember makes one memory of each belief that the caller may see and that was not observed after the text.
func (f *forgetter) remember(ctx context.Context, list []tenure.Belief) error {
	var ids []tenure.ID
	var predicates []string
	for _, b := range list {
		ids = append(ids, b.Claim.Subject, b.Claim.Value.Entity)
		predicates = append(predicates, vocabulary.IDs(b.Claim.Predicate)...)
	}
	roots, err := f.roots(ctx, unique(ids))
	if err != nil {
		return err
	}
	of := map[tenure.ID]tenure.Entity{}
	for _, e := range roots {
		for _, id := range e.Whole() {
			of[id] = e
		}
	}
	terms := store.NewTerms(f.r)
	slices.Sort(predicates)
	if err := terms.Load(ctx, slices.Compact(predicates)); err != nil {
		return err
	}
	seen := map[tenure.ID]bool{}
	for _, b := range list {
		subject, ok := of[b.Claim.Subject]
		if !ok || seen[b.Claim.ID] || !f.sees(b) || b.Claim.ObservedAt > f.at { // what is said later is not meant
			continue
		}
		seen[b.Claim.ID] = true
		term, err := vocabulary.Of(ctx, terms, b.Claim.Predicate)
		if err != nil {
			return err
		}
		f.memories = append(f.memories, memoryOf(b, subject, of[b.Claim.Value.Entity], term))
	}
	return nil
}

// memoryOf returns a belief with its words. A remark that is held for its speaker is not about the speaker, unless it
// says "I".
func memoryOf(b tenure.Belief, subject, object tenure.Entity, term tenure.Term) memory {
	value := textOf(b.Claim.Value, map[tenure.ID]string{object.ID: object.Name})
	m := memory{
		Belief: b, root: subject.ID, object: object.ID, name: subject.Name,
		value: termsOf(append([]string{value}, object.Names...)...), texts: []string{value},
	}
	if !m.remark() || b.Claim.Source.Speaker == "" || text.Key(b.Claim.Source.Speaker) != text.Key(subject.Name) ||
		speaksOfSelf(value) {
		names := append([]string{subject.Name}, subject.Names...)
		m.subject, m.texts = termsOf(names...), append(m.texts, names...)
	} else {
		m.root = ""
	}
	if !m.remark() {
		words := append([]string{b.Claim.Predicate, b.Claim.PredicateAsWritten, b.Claim.Key, term.Name}, term.Synonyms...)
		m.predicate = termsOf(words...)
	}
	return m
}

func (m memory) remark() bool { return m.Claim.Predicate == tenure.Remark }

// speaksOfSelf reports whether a text says "I".
func speaksOfSelf(s string) bool {
	return slices.ContainsFunc(text.Words(s), func(w text.Span) bool { return selves[text.Fold(s[w.From:w.Until])] })
}

// selves are the words by which people speak of themselves.
var selves = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`i me my mine myself ich mich mir mein meine meinen meiner je me moi mon ma mes
		yo mi mis conmigo`) {
		set[w] = true
	}
	return set
}()

// termsOf returns the search terms of texts.
func termsOf(list ...string) map[string]bool {
	set := map[string]bool{}
	var room []byte
	for _, s := range list {
		room = text.Terms(s, room, func(term []byte) { set[string(term)] = true })
	}
	return set
}
