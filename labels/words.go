package labels

import "strings"

// class is what a word of a label says of the text.
type class uint8

// The classes.
const (
	none         class = iota
	draft              // is not settled yet
	supposed           // is not meant to hold
	restricted         // is not for everybody
	confidential       // is for few
	secret             // is for very few
	wrong              // never held
	over               // holds no longer
)

// meaning is a class of words, and where these are labels.
type meaning struct {
	class
	where where
}

// where tells in which places words are labels.
type where uint8

const (
	anywhere where = iota
	clearly        // where they cannot be a part of the value: "Guinness (draft)", "[Draft] beer"
	firmly         // only in square brackets at the beginning: elsewhere they are a part of many a value
)

// in reports whether words of the meaning are a label in a place. Words such as "deprecated" are no label at the end
// ("Basic plan (deprecated)" is a plan), and before a colon only in capitals.
func (m meaning) in(at place) bool {
	switch {
	case m.class == wrong || m.class == over:
		return at.square && at.leading || at.colon && at.capitals
	case m.where == firmly:
		return at.square && at.leading
	case m.where == clearly:
		return at.clear()
	}
	return true
}

// clear reports whether a place is that of a label even for words that are part of many a value: before a colon or at
// the end of three words or more; in square brackets before two, or in capitals before any.
func (at place) clear() bool {
	switch {
	case at.square && at.leading:
		return at.capitals || at.words > 1
	case at.colon || !at.leading:
		return at.words > 2
	}
	return false
}

const longestPhrase = 4

var meanings = map[string]meaning{}

// whole holds the phrases of several words: cut does not divide them.
var whole = map[string]bool{}

func init() {
	for _, row := range []struct {
		meaning
		phrases string
	}{
		{meaning{draft, clearly}, "draft drafts preliminary"},
		{meaning{draft, anywhere}, "tentative provisional unconfirmed tbc " +
			"to-be-confirmed not-final not-confirmed work-in-progress wip for-discussion"},
		{meaning{draft, firmly}, "proposed proposal idea ideas"},
		{meaning{supposed, anywhere}, "hypothetical hypothetically what-if thought-experiment"},
		{meaning{supposed, firmly}, "whatif brainstorm brainstorming scenario scenarios sandbox simulation simulated " +
			"exploratory exploration exercise example sample mock dummy fictional"},
		{meaning{restricted, anywhere}, "need-to-know"},
		{meaning{restricted, firmly}, "restricted internal"},
		{meaning{confidential, anywhere}, "confidential"},
		{meaning{confidential, firmly}, "private sensitive eyes-only"},
		{meaning{secret, anywhere}, "strictly-confidential highly-confidential top-secret"},
		{meaning{secret, firmly}, "secret highly-restricted"},
		{meaning{wrong, firmly}, "invalidated invalid void voided retracted withdrawn refuted incorrect wrong erroneous"},
		{meaning{over, firmly}, "cancelled canceled obsolete superseded deprecated archived outdated expired revoked " +
			"rescinded discontinued no-longer-valid no-longer-applies no-longer-true out-of-date"},
	} {
		for p := range strings.FieldsSeq(row.phrases) {
			p = strings.ReplaceAll(p, "-", " ")
			meanings[p] = row.meaning
			whole[p] = strings.Contains(p, " ")
		}
	}
}

// neutral holds words that stand beside those of the classes and change nothing.
var neutral = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq("a an the this is was still now only just purely strictly version copy document " +
		"doc text note data item entry record information info session discussion planning mode numbers figures use " +
		"estimate estimation environment meeting and or") {
		neutral[w] = true
	}
}
