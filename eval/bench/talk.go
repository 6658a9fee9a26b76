package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// talkedOf is how many people of the registry are talked of, and speakers how many of them speak.
const (
	talkedOf = 1000
	speakers = 50
)

// talk writes what people say of people in a registry.
type talk struct {
	w               *world
	known           []registered
	tenant, dir     string
	texts, messages int
}

// name returns a name of the registry as people write it: each word with a capital.
func (t *talk) name(i int) string {
	words := strings.Fields(t.known[i%len(t.known)].name)
	for k, w := range words {
		_, n := utf8.DecodeRuneInString(w)
		words[k] = strings.ToUpper(w[:n]) + w[n:]
	}
	return strings.Join(words, " ")
}

// A thread has three speakers, who talk of five people.
func (t *talk) speaker(thread int) string { return t.name((3*thread + t.w.rand.IntN(3)) % speakers) }
func (t *talk) person(thread int) string  { return t.name((7*thread + 131*t.w.rand.IntN(5)) % talkedOf) }

// fact returns what is known of somebody before anything is said.
func (t *talk) fact(i int) obj {
	o := said(i, t.name(i), "office", t.w.pick(cities), started)
	var claims list
	for _, c := range [][2]string{
		{"office", t.w.pick(cities)}, {"title", "level " + t.w.pick(firms)},
		{"phone", fmt.Sprintf("+1 555 %07d", i)}, {"project", t.w.pick(firms)},
	} {
		claims = append(claims, obj{"subject": obj{"mention": 0}, "predicate": c[0], "value": c[1]})
	}
	o["claims"] = claims
	return o
}

// What people say. A name in braces is replaced by something of its kind.
var (
	changes = []string{
		"The office of {who} is {city} now, so please send the badges over there.",
		"{who} moved to {city} last week and has a desk on the third floor.",
		"From today on {who} works on {firm} instead of the old project.",
		"Correction: the phone of {who} is {phone}, the other number was wrong.",
		"{who} has taken over the budget of {firm} from {other}.",
	}
	firsts = []string{
		"The deadline for the {firm} contract is {day} June.",
		"My manager is {other}, in case anybody needs a signature.",
		"The guest wifi code at the {city} office is {number}.",
		"The review of {firm} costs {number} euros a month.",
	}
	asides = []string{
		"Should we ask {other} whether the room in {city} is still free on {day} June?",
		"What if {who} stayed in {city} until the audit is over?",
		"I had lunch with {other} yesterday and the train back was late again.",
		"Thanks for the slides, they look much better than the ones from last year.",
		"Nobody has decided yet whether {firm} gets the second license.",
		"The coffee machine next to the kitchen makes a strange noise since Monday.",
		"Let me know when you have had a look at the numbers of {firm}.",
		"By the way, the visitors from {city} liked the demo a lot.",
	}
)

// sentence fills one of some sentences.
func (t *talk) sentence(from []string, who, other string) string {
	return strings.NewReplacer(
		"{who}", who, "{other}", other, "{city}", t.w.pick(cities), "{firm}", t.w.pick(firms),
		"{day}", fmt.Sprint(1+t.w.rand.IntN(28)), "{number}", fmt.Sprint(100+t.w.rand.IntN(9900)),
		"{phone}", fmt.Sprintf("+1 555 %07d", t.w.rand.IntN(1e7)),
	).Replace(t.w.pick(from))
}

// text returns a text of some 60 words: a change, something new, and what changes nothing.
func (t *talk) text(thread int) string {
	who, other := t.person(thread), t.person(thread)
	parts := []string{
		t.sentence(asides, who, other), t.sentence(changes, who, other), t.sentence(firsts, who, other),
		t.sentence(asides, who, other),
	}
	for len(strings.Fields(strings.Join(parts, " "))) < 55 {
		parts = append(parts, t.sentence(asides, who, other))
	}
	return strings.Join(parts, " ")
}

// observation returns the i-th of some texts, which are in as many threads, in turns.
func (t *talk) observation(kind string, i, threads int) obj {
	thread := i % threads
	return obj{
		"source": obj{
			"origin": fmt.Sprintf("chat://bench/%s/%d", kind, i), "authority_level": 2, "speaker": t.speaker(thread),
			"thread": fmt.Sprintf("%s-%d", kind, thread),
		},
		"observed_at": started.AddDate(0, 1, 0).Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
		"text":        t.text(thread),
	}
}

// messagesEach is how many messages a conversation of a chat log has.
const messagesEach = 50

// chat returns a chat log of six people, in conversations.
func (t *talk) chat() []byte {
	var lines bytes.Buffer
	for i := range t.messages {
		part := [][]string{asides, asides, changes, firsts}[t.w.rand.IntN(4)]
		lines.Write(append(encode(obj{
			"at":      started.Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
			"speaker": t.name(t.w.rand.IntN(6)), "thread": fmt.Sprintf("chat-%d", i/messagesEach),
			"text": t.sentence(part, t.name(t.w.rand.IntN(12)), t.name(t.w.rand.IntN(12))),
		}), '\n'))
	}
	return lines.Bytes()
}
