package attribute

import (
	"math"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tenure/cache"
	"tenure/text"

	"github.com/nyaruka/phonenumbers"
)

func always(string) bool { return true }
func never(string) bool  { return false }

// sharedMailboxes lists local parts of mailboxes that several people read.
var sharedMailboxes = strings.Fields(`admin billing contact help hello hr info jobs legal mail marketing no-reply noreply
	office postmaster press privacy sales security service support team webmaster`)

// personalMailbox reports whether one person reads the mailbox of an address.
func personalMailbox(key string) bool {
	local, _, _ := strings.Cut(key, "@")
	return !slices.Contains(sharedMailboxes, local)
}

func email(s string) (string, bool) {
	a, err := mail.ParseAddress(strings.TrimSpace(s))
	if err != nil {
		return "", false
	}
	return text.Key(a.Address), true
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

// fewestDigits is the least number of digits of a telephone number.
const fewestDigits = 6

// phone returns the digits of a telephone number as written.
func phone(s string) (string, bool) {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
	return digits, len(digits) >= fewestDigits
}

// wholeNumbers bounds the cached E.164 numbers, in each half of the cache.
const wholeNumbers = 4096

// parsed caches E.164 by region and number. One mention asks for the same number several times, and parsing
// costs as much as preparing a name.
var parsed = cache.New[[2]string, string](wholeNumbers)

// international returns a telephone number in E.164 without the plus sign. A number without a country code
// needs the region.
func international(s, region string) (string, bool) {
	s = strings.TrimSpace(s)
	if region == "" && !strings.HasPrefix(s, "+") && !strings.HasPrefix(s, "＋") {
		return "", false
	}
	whole, ok := parsed.Get([2]string{region, s})
	if !ok {
		if n, err := phonenumbers.Parse(s, region); err == nil && phonenumbers.IsPossibleNumber(n) {
			whole = strings.TrimPrefix(phonenumbers.Format(n, phonenumbers.E164), "+")
		}
		parsed.Put([2]string{region, s}, whole, 1)
	}
	return whole, whole != ""
}

// phoneDigits returns the normal form of a telephone number: E.164 if its country is known, else its digits
// without leading zeros.
func phoneDigits(s, region string) (string, bool) {
	digits, ok := phone(s)
	if whole, known := international(s, region); known && ok {
		return whole, true
	}
	return strings.TrimLeft(digits, "0"), ok
}

func folded(s string) (string, bool) {
	k := text.Key(s)
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
	}, text.Key(s))
	return k, k != ""
}

// after wraps a normalizer so that it drops an optional prefix of the value.
func after(prefix string, normalize func(string) (string, bool)) func(string) (string, bool) {
	return func(s string) (string, bool) {
		return normalize(strings.TrimLeft(strings.TrimPrefix(text.Key(s), prefix), ": "))
	}
}

// researcher returns the key of an ORCID iD, which may be written as a URL.
func researcher(s string) (string, bool) {
	return compact(s[strings.LastIndexByte(s, '/')+1:])
}

// digitalObject returns the key of a DOI, which starts with 10 and may be written as a URL.
func digitalObject(s string) (string, bool) {
	k := text.Key(s)
	i := strings.Index(k, "10.")
	if i < 0 {
		return "", false
	}
	return k[i:], true
}

// repositoryPath returns the owner and the name of a repository of GitHub however its address is written, else the key:
// "https://github.com/acme/docs.git" and "git@github.com:acme/docs.git" are "acme/docs".
func repositoryPath(key string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(key, "https://"), "http://"), "www.")
	for _, host := range []string{"github.com/", "git@github.com:", "ssh://git@github.com/"} {
		if path, ok := strings.CutPrefix(rest, host); ok {
			return strings.TrimSuffix(strings.TrimSuffix(path, "/"), ".git")
		}
	}
	return key
}

// tradeItem returns the key of a Global Trade Item Number, which has 8, 12, 13 or 14 digits: the 14 that all of them
// are with zeros in front.
func tradeItem(s string) (string, bool) {
	const longest = 14
	k, _ := compact(s)
	if !text.AllDigits(k) {
		return "", false
	}
	switch len(k) {
	case 8, 12, 13, longest:
		return strings.Repeat("0", longest-len(k)) + k, true
	}
	return "", false
}

// identifierKey drops spaces, punctuation and a country in brackets at the end: "112233 (NV)" becomes
// "112233".
func identifierKey(s string) string {
	if i := strings.LastIndexByte(s, '('); i > 0 && strings.HasSuffix(strings.TrimSpace(s), ")") {
		s = s[:i]
	}
	return text.PlainASCII(text.Fold(s))
}

// ParseGender returns "m" or "f", false for any other value.
func ParseGender(s string) (string, bool) {
	switch text.Plain(s) {
	case "m", "male", "man":
		return "m", true
	case "f", "female", "woman":
		return "f", true
	}
	return "", false
}

// ParseNumber returns a whole number of at most nine ASCII digits, false for any other value.
func ParseNumber(s string) (int, bool) {
	n := 0
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 9 || !text.AllDigits(s) {
		return 0, false
	}
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return n, true
}

// ParseAmount parses a decimal number, with or without a currency, a unit and commas between the thousands.
func ParseAmount(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }), ",", "")
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && !math.IsInf(n, 0)
}
