package values

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

var (
	addressed = regexp.MustCompile(`^[^<>@]*<([^<>]+)>$`) // Ada Novak <ada@example.org>
	at        = regexp.MustCompile(` ?[\[(]at[\])] ?`)
)

var email = regexp.MustCompile(`^[^\s@<>,;:"]+@[^\s@<>,;:"]+\.[^\s@<>,;:."]{2,}$`)

// readEmail reads an e-mail address. Its letters' case makes no difference to any provider in use.
func readEmail(s spelling) (Value, bool) {
	a := strings.TrimPrefix(s.low, "mailto:")
	if m := addressed.FindStringSubmatch(a); m != nil {
		a = m[1]
	}
	a = at.ReplaceAllString(a, "@")
	return Value{Kind: Email, form: a}, email.MatchString(a)
}

var (
	international = regexp.MustCompile(`^(?:\+|00)[1-9][\d\s().\-/]{5,24}$`)
	// northAmerican is the grouping that only the North American plan has.
	northAmerican = regexp.MustCompile(`^(?:1[-. ])?\(?([2-9]\d\d)\)?[-. ]{1,2}(\d{3})[-. ](\d{4})$`)
	national      = regexp.MustCompile(`^\(?0\d[\d().\-/ ]*[().\-/ ][\d().\-/ ]{2,20}$|^0\d{8,11}$`)
	extension     = regexp.MustCompile(`(?:[,;]? ?(?:ext|extension|x|durchwahl|poste)[.:=]? ?)(\d{1,6})$`)
	label         = regexp.MustCompile(`^(?:tel|phone|mobile|cell|fax|téléphone|telefon|t|m|p)[.:]+ ?`)
)

// readPhone reads a telephone number. One without a country's code is compared by its digits, but for the North
// American grouping.
func readPhone(s spelling) (Value, bool) {
	n := label.ReplaceAllString(s.low, "")
	ext := ""
	if m := extension.FindStringSubmatch(n); m != nil {
		n, ext = n[:len(n)-len(m[0])], "x"+m[1]
	}
	switch {
	case international.MatchString(n):
		if strings.HasPrefix(n, "00") {
			n = "+" + n[2:]
		}
		n = strings.ReplaceAll(n, "(0)", "")
		p, err := phonenumbers.Parse(n, "")
		if err != nil || !phonenumbers.IsPossibleNumber(p) {
			return Value{}, false
		}
		return Value{Kind: Phone, form: phonenumbers.Format(p, phonenumbers.E164) + ext}, true
	case northAmerican.MatchString(n):
		m := northAmerican.FindStringSubmatch(n)
		return Value{Kind: Phone, form: "+1" + m[1] + m[2] + m[3] + ext}, true
	case national.MatchString(n):
		return Value{Kind: Phone, form: digits(n) + ext}, true
	}
	return Value{}, false
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

var (
	link = regexp.MustCompile(`(?i)^(?:https?://\S+|www\.\S+)$`)
	bare = regexp.MustCompile(`(?i)^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)*\.[a-z]{2,18}(?::\d+)?(?:[/?#]\S*)?$`)
)

// readURL reads a web address. Whether http or https, www or not, and a slash at the end make no difference.
func readURL(s spelling) (Value, bool) {
	raw := strings.Trim(s.as, "<>")
	if !link.MatchString(raw) && !bare.MatchString(raw) {
		return Value{}, false
	}
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" {
		return Value{}, false
	}
	host := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), ".")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	path := (&url.URL{Path: strings.TrimRight(u.Path, "/")}).EscapedPath()
	form := host + path
	if u.RawQuery != "" {
		form += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		form += "#" + u.Fragment
	}
	return Value{Kind: URL, form: form}, true
}
