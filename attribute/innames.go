package attribute

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tenure"
)

// The forms by which a name is recognised as an identifier. A kind without a form never occurs in names.
var (
	repositoryForm = regexp.MustCompile(`^(git@[\w.-]+:)?[\w.-]+/[\w.-]+$`)
	ticketForm     = regexp.MustCompile(`^\p{L}[\p{L}\d]*-\d+$`)
)

var formOf = map[string]func(name string) bool{
	"email":      func(name string) bool { return strings.Contains(name, "@") && strings.Contains(name, ".") },
	"repository": func(name string) bool { return repositoryForm.MatchString(name) || isWebAddress(name) },
	"url":        isWebAddress,
	"ticket_id":  ticketForm.MatchString,
	"doi": func(name string) bool {
		return strings.HasPrefix(strings.ToLower(name), "10.") && strings.Contains(name, "/")
	},
}

func isWebAddress(name string) bool { return strings.Contains(name, "://") }

// InName lists the exclusive identifiers that a name may be: an e-mail address, a repository, a web address, a
// ticket, a DOI, in the form that is theirs. Such a name refers to the owner of the identifier, if there is one.
func InName(name string) []Identifier {
	name = strings.TrimSpace(name)
	if name == "" || strings.ContainsFunc(name, unicode.IsSpace) {
		return nil
	}
	var list []Identifier
	for _, k := range builtinKinds {
		form := formOf[k.name]
		if form == nil || !form(name) {
			continue
		}
		for _, key := range k.keys(name) {
			if k.Exclusive(key) {
				list = append(list, Identifier{tenure.AliasKey{Kind: k.name, Key: key}, name, true})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Identifier) int { return strings.Compare(a.AliasKey.Kind, b.AliasKey.Kind) })
	return list
}
