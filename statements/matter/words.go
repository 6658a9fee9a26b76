package matter

import (
	"strings"

	"tenure/text"
)

// set is a class of words.
type set map[string]bool

func class(list string) set {
	s := set{}
	for _, w := range strings.Fields(list) {
		s[strings.ReplaceAll(w, "_", " ")] = true
	}
	return s
}

var (
	// small are words that say nothing of what a sentence is about.
	small = class(`a an the this that these those all any each every some no not of to in on at for from with by as and or
		but so if then than into about per via without is are was were be been being am 's 're 'm 'd 'll i we you he she it
		they me us them my our your his her its their there here now just only also please still already current currently new
		will would shall should can could may might must do does did done has have had get gets got go goes going ahead
		due because since when while until till before after until's too very more most other same such one per`)
	// handling are verbs that only say that something is done with what follows, and nouns of permission.
	handling = class(`give gives giving grant grants granting approve approves approving approved make makes making allow
		allows process processing provide provides apply applies issue issues take takes approval approvals authorisation
		authorization permission sign-off signoff consent policy rule rules company`)
	// verbs begin a sentence by which somebody disposes of something.
	verbs = class(`give grant offer pay spend buy purchase order process approve allocate apply book sign issue refund
		transfer release hire extend send authorize authorise provide award accept close sell raise budget reimburse`)
	upTo = class(`up_to under below at_most no_more_than not_more_than max maximum capped_at limited_to less_than within
		not_exceed cannot_exceed never_exceed`)
	beyond    = class(`over above more_than exceeding beyond greater_than`)
	limits    = class(`max maximum cap limit ceiling capped limited`)
	joinsThem = class(`is are of at to : be remains stays`)
	restricts = class(`require requires required need needs must frozen freeze prohibited forbidden banned only cannot can't
		suspended stopped disallowed blocked`)
	consents = class("approval permission consent authorization authorisation sign-off")
	lacks    = class("without no not before")
	grants   = class(`can may could`)
	asks     = class(`if would could might maybe perhaps wants want wanted requests requested asks asked proposes proposed
		suggests suggested considering whether wish hopes hoping was were had`)
	// exempts say that going beyond a limit is meant as an exception.
	exempts = class(`exception exceptions exceptional approved waiver override overriding exempt`)
)

// word is a word of a clause.
type word struct {
	text, low string
	capital   bool
	colon     bool // stands before a colon
	amount    int  // 1 + the index of the amount that it is a part of
}

// has reports whether a list has a form of a word.
func has(list []string, w string) bool {
	for _, v := range list {
		if text.Inflected(v, w) {
			return true
		}
	}
	return false
}

// covers reports whether each word of one list is in another.
func covers(list, of []string) bool {
	for _, w := range of {
		if !has(list, w) {
			return false
		}
	}
	return true
}

// meets reports whether two lists have a word in common.
func meets(a, b []string) bool {
	for _, w := range a {
		if has(b, w) {
			return true
		}
	}
	return false
}

// topical reports whether a word may say what a sentence is about.
func topical(w word) bool {
	if w.amount > 0 || len(w.low) < 2 {
		return false
	}
	for _, said := range []set{small, speakers, handling, limits, restricts, upTo, beyond} {
		if said[w.low] {
			return false
		}
	}
	return true
}

func low(s string) string { return text.Plain(s) }
