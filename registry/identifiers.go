package registry

import (
	"net/mail"
	"net/url"
	"slices"
	"strings"

	"tenure"
)

// kind is a kind of identifier that a mention's attributes may carry.
type kind struct {
	// exclusive tells whether a value belongs to one entity alone.
	exclusive func(value string) bool
	// normalize gives the frozen key of a value, false if it has no such form.
	normalize func(value string) (string, bool)
}

// kinds are the identifiers by the attribute that carries them. Attributes
// that are not here describe and do not identify.
var kinds = map[string]kind{
	"email":            {personalMailbox, email},
	"url":              {always, webAddress},
	"handle":           {always, folded},
	"path":             {always, exact},
	"repository":       {always, folded},
	"ticket_id":        {always, folded},
	"document_id":      {always, exact},
	"system_of_record": {always, exact},
	"employee_id":      {always, folded},
	"passport":         {always, compact},
	"tax_id":           {always, compact},
	"phone":            {never, phone},
}

func always(string) bool { return true }
func never(string) bool  { return false }

// shared are mailboxes that many people read.
var shared = []string{
	"admin", "billing", "contact", "help", "hello", "hr", "info", "jobs", "legal", "mail", "marketing",
	"no-reply", "noreply", "office", "postmaster", "press", "privacy", "sales", "security", "service",
	"support", "team", "webmaster",
}

func personalMailbox(key string) bool {
	local, _, _ := strings.Cut(key, "@")
	return !slices.Contains(shared, local)
}

func email(s string) (string, bool) {
	a, err := mail.ParseAddress(strings.TrimSpace(s))
	if err != nil {
		return "", false
	}
	return Key(a.Address), true
}

func webAddress(s string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" {
		return "", false
	}
	key := strings.TrimPrefix(strings.ToLower(u.Host), "www.") + strings.TrimSuffix(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		key += "?" + u.RawQuery
	}
	return key, true
}

func phone(s string) (string, bool) {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
	return digits, len(digits) >= 6
}

func folded(s string) (string, bool) {
	k := Key(s)
	return k, k != ""
}

func exact(s string) (string, bool) {
	s = strings.TrimSpace(s)
	return s, s != ""
}

func compact(s string) (string, bool) {
	k := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -./", r) {
			return -1
		}
		return r
	}, Key(s))
	return k, k != ""
}

// identifier is one identifier of a mention.
type identifier struct {
	form      tenure.Form
	spelling  string
	exclusive bool
}

// recordKind is the kind of the form that a row of a system of record is.
const recordKind = "record"

// identifiers lists those of a mention, in order of their kind and as given.
func identifiers(m tenure.Mention) []identifier {
	var list []identifier
	for _, name := range sortedKeys(m.Attributes) {
		k, ok := kinds[name]
		if !ok {
			continue
		}
		for _, v := range m.Attributes[name] {
			if key, ok := k.normalize(v); ok {
				list = append(list, identifier{tenure.Form{Kind: name, Key: key}, v, k.exclusive(key)})
			}
		}
	}
	if m.Record != nil {
		list = append(list, identifier{RecordForm(*m.Record), m.Record.ID, true})
	}
	return list
}

// RecordForm is the form of a row of a system of record.
func RecordForm(r tenure.Record) tenure.Form {
	return tenure.Form{Kind: recordKind, Key: r.Source + "\x1f" + r.ID}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
