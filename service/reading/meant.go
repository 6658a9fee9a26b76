package reading

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/beliefs"
	lexicon "tenure/ner/words"
	"tenure/statements/forget"
	"tenure/text"
)

// wanted is what a request asks to forget: the entities that it names, and the terms of its other words.
type wanted struct {
	forget.Request
	named []called
	terms []string
}

// called is an entity that a request names, by some words.
type called struct {
	root  tenure.ID
	words []string
	// name reports whether it is one capitalised word; such a word may be an ordinary one, too: "Will".
	name  bool
	names map[string]bool // the words of its names
}

func (f *forgetter) wanted(w forget.Request) wanted {
	asked := wanted{Request: w}
	rest := w.Words
	for _, p := range f.named.Places {
		if p.Start >= w.What.End || w.What.Start >= p.End {
			continue
		}
		c := called{root: p.Root.ID, words: keysOf(f.text[p.Start:p.End]), names: map[string]bool{}}
		c.name = len(c.words) == 1 && capital(f.text[p.Start:])
		for _, name := range append([]string{p.Root.Name}, p.Root.Names...) {
			for _, word := range keysOf(name) {
				c.names[word] = true
			}
		}
		asked.named = append(asked.named, c)
		rest = slices.DeleteFunc(slices.Clone(rest), func(s tenure.Span) bool { return p.Start <= s.Start && s.End <= p.End })
	}
	for _, s := range rest {
		for term := range termsOf(s.Text) {
			asked.terms = append(asked.terms, term)
		}
	}
	return asked
}

// keysOf returns the folded words of a text.
func keysOf(s string) []string {
	var list []string
	for _, w := range text.Words(s) {
		list = append(list, text.Fold(s[w.From:w.Until]))
	}
	return list
}

// meant returns what a request means, or why it forgets nothing.
func (f *forgetter) meant(asked wanted) wish {
	w := wish{Request: asked.Request}
	refuse := func(unsure bool, why string, parts ...any) wish {
		w.unsure, w.why = unsure, fmt.Sprintf(why, parts...)
		return w
	}
	if len(asked.terms)+len(asked.named) == 0 && !asked.Own {
		return refuse(true, whyNoWords)
	}
	if asked.Limited {
		return refuse(true, whyLimited)
	}
	for _, m := range f.memories {
		if f.means(asked, m) {
			w.list = append(w.list, m)
		}
	}
	switch kinds := slotsOf(w.list); {
	case len(w.list) == 0:
		return refuse(false, whyUnknown)
	case asked.All:
		if names := namesakes(asked, w.list); len(names) > 1 {
			return refuse(true, whyNamesakes, shown(names))
		}
	case len(kinds) > 1:
		return refuse(true, whySeveral, shown(kinds))
	case !asked.Kept && !slices.ContainsFunc(w.list, asked.saysWhat):
		return refuse(true, whyThing)
	}
	if len(inScope(w.list, f.in.Scope)) == 0 {
		return refuse(false, whyWider)
	}
	return w
}

// means reports whether a request means a belief: the belief has all entities that it names and all of its words.
func (f *forgetter) means(asked wanted, m memory) bool {
	for _, c := range asked.named {
		if m.root != c.root && m.object != c.root && !slices.ContainsFunc(m.texts, c.in) {
			return false
		}
	}
	for _, t := range asked.terms {
		if !m.subject[t] && !m.predicate[t] && !m.value[t] {
			return false
		}
	}
	return !asked.Own || f.isOwn(m)
}

// isOwn reports whether a belief is about the speaker, or about what is the speaker's.
func (f *forgetter) isOwn(m memory) bool {
	who := f.in.Source.Speaker
	return m.root != "" && (f.named.Speaker != nil && m.root == f.named.Speaker.ID ||
		who != "" && (text.Key(m.name) == text.Key(who) || strings.HasPrefix(m.name, who+genitive)))
}

// in reports whether a text names an entity by the words by which the request names it, and not another: "Ada" is
// neither in "Ada Street" nor in "Port Ada".
func (c called) in(s string) bool {
	spans := text.Words(s)
	for i := 0; i+len(c.words) <= len(spans); i++ {
		same := true
		for j, word := range c.words {
			same = same && text.Fold(s[spans[i+j].From:spans[i+j].Until]) == word
		}
		end := i + len(c.words)
		if same && (!c.name || c.isName(s, spans, i)) && !c.goesOn(s, spans, i-1, i) && !c.goesOn(s, spans, end, end) {
			return true
		}
	}
	return false
}

// isName reports whether the word at i is written as a name: with a capital, and not at the beginning of a sentence if
// it is an ordinary word.
func (c called) isName(s string, spans []text.Span, i int) bool {
	if !capital(s[spans[i].From:]) {
		return false
	}
	begins := len(spans) > 1 && (i == 0 || strings.ContainsAny(s[spans[i-1].Until:spans[i].From], ".!?…:\n"))
	return !begins || !lexicon.Load().IsCommon(c.words[0])
}

// capital reports whether a text begins with one. Letters without case count as capitals.
func capital(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(first) && !unicode.IsLower(first)
}

// goesOn reports whether the word at i, across the gap before the word at gap, extends the name to that of another
// entity. The first word of a text has a capital anyway, and counts only if it is a given name.
func (c called) goesOn(s string, spans []text.Span, i, gap int) bool {
	if i < 0 || i >= len(spans) || strings.TrimSpace(s[spans[gap-1].Until:spans[gap].From]) != "" {
		return false
	}
	word := s[spans[i].From:spans[i].Until]
	first, _ := utf8.DecodeRuneInString(word)
	key := text.Fold(word)
	known := lexicon.Load()
	return unicode.IsUpper(first) && !c.names[key] && !known.CalendarWords.Has(key) && (i > 0 || known.IsGivenName(key))
}

// saysWhat reports whether the words of a request that only says "forget" single out a belief, and not a thing: they
// name its property, or its subject and its value, or are two words of a remark.
func (w wanted) saysWhat(m memory) bool {
	if m.remark() {
		return len(w.terms)+len(w.named) > 1
	}
	about := w.Own || slices.ContainsFunc(w.named, func(c called) bool { return c.root == m.root })
	value := slices.ContainsFunc(w.named, func(c called) bool { return c.root == m.object })
	for _, t := range w.terms {
		if m.predicate[t] {
			return true
		}
		about, value = about || m.subject[t], value || !m.subject[t] && m.value[t]
	}
	return about && value
}

// namesakes lists the names of the subjects that a request may mean by a part of a name.
func namesakes(w wanted, list []memory) (names []string) {
	name := slices.ContainsFunc(w.Words, func(s tenure.Span) bool {
		first, n := utf8.DecodeRuneInString(s.Text)
		next, _ := utf8.DecodeRuneInString(s.Text[n:])
		return unicode.IsUpper(first) && unicode.IsLower(next)
	})
	if !name || len(w.named) > 0 {
		return nil
	}
	roots := map[tenure.ID]bool{}
	for _, m := range list {
		if roots[m.root] || slices.ContainsFunc(w.terms, func(t string) bool { return !m.subject[t] }) {
			continue
		}
		roots[m.root] = true
		names = append(names, m.name)
	}
	return names
}

// slotsOf lists the slots of beliefs by name, and the remarks that depend on none of them by their text.
func slotsOf(list []memory) (kinds []string) {
	in, seen := map[tenure.ID]bool{}, map[string]bool{}
	for _, m := range list {
		in[m.Claim.ID] = true
	}
	for _, m := range list {
		if m.remark() && slices.ContainsFunc(m.Claim.DependsOn, func(id tenure.ID) bool { return in[id] }) {
			continue
		}
		kind, name := string(m.root)+"\x1f"+m.Claim.Predicate, m.name+" / "+m.Claim.Predicate
		if m.remark() {
			kind, name = text.Key(m.texts[0]), `"`+text.Head(m.texts[0], longestShown)+`"`
		}
		if !seen[kind] {
			seen[kind] = true
			kinds = append(kinds, name)
		}
	}
	return kinds
}

// longestShown bounds what a reason quotes, in characters; mostShown how much it lists.
const longestShown, mostShown = 80, 5

func shown(names []string) string {
	s := strings.Join(names[:min(len(names), mostShown)], "; ")
	if n := len(names) - mostShown; n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s
}

// inScope returns the memories of exactly one scope.
func inScope(list []memory, scope tenure.Scope) []memory {
	return slices.DeleteFunc(slices.Clone(list), func(m memory) bool { return m.Claim.Scope.Key() != scope.Key() })
}

// common returns the subject and the predicate that beliefs have in common.
func common(list []memory) (root tenure.ID, predicate string) {
	root, predicate = list[0].root, list[0].Claim.Predicate
	for _, m := range list {
		if m.root != root {
			return "", ""
		}
		if m.Claim.Predicate != predicate {
			predicate = ""
		}
	}
	return root, predicate
}

// displaced lists the beliefs that would stand again once the given ones are retracted: they are forgotten with them.
func (f *forgetter) displaced(ctx context.Context, list []memory) ([]tenure.Belief, error) {
	gone := map[tenure.ID]bool{}
	var in []tenure.Slot
	for _, m := range list {
		gone[m.Claim.ID] = true
		if !slices.ContainsFunc(in, func(s tenure.Slot) bool { return s.Key() == m.Claim.Slot().Key() }) && !m.remark() {
			in = append(in, m.Claim.Slot())
		}
	}
	states, err := f.r.Slots(ctx, in)
	if err != nil {
		return nil, err
	}
	var more []tenure.Belief
	for _, s := range states {
		seen := slices.DeleteFunc(slices.Clone(s.Beliefs), func(b tenure.Belief) bool { return !f.sees(b) })
		more = append(more, beliefs.Yielded(seen, gone)...)
	}
	return more, nil
}
