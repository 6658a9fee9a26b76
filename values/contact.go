package values

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/net/idna"

	"tenure/text"
)

var (
	addressed = regexp.MustCompile(`^[^<>]*<([^<>]+)>$`)                                                     // Ada Novak <ada@example.org>
	commented = regexp.MustCompile(`^([^\s@()<\[]+@[^\s@()<\[]+) ?(?:\([^()@]*\)|<[^<>@]*>|\[[^\[\]@]*\])$`) // ada@example.org (Ada Novak)
	named     = regexp.MustCompile(`^[^@<>()\[\]]*[(\[]([^\s@()\[\]]+@[^\s@()\[\]]+)[)\]]$`)
	announced = regexp.MustCompile(`^[\pL\pM.' -]{2,40}?(?:[:,;|]| -)? ?\b([^\s@]+@[^\s@]+)$`)
	followed  = regexp.MustCompile(`^([^\s@]+@[^\s@,;|]+)(?:[:,;|]| -)? [\pL\pM.' -]{2,40}$`)
	// denied are words before or after an address that say that it is not this one.
	denied    = regexp.MustCompile(`\b(?:not|never|no|former|formerly|old|ex|previous|previously|except|until|was|or|and|wrong|invalid|nicht)\b`)
	atSign    = regexp.MustCompile(` ?(?:[\[({<](?:at|@|a|ät|arroba)[\])}>]|\b at \b|-at-) ?| +@ *| *@ +`)
	dotSign   = regexp.MustCompile(` ?(?:[\[({<](?:dot|\.|punkt|point|punto)[\])}>]|\b dot \b|-dot-) ?| +\. +`)
	mailLabel = regexp.MustCompile(`^(?:(?:e-?mail|mail|e-?post|courriel|correo|contact|kontakt|to|from|cc|smtp|e)(?: ?(?:address|adresse|id))? ?[:=] ?|mailto:(?://)?|e-?mail |[✉📧] ?)+`)
	linkedTo  = regexp.MustCompile(`(?i)^\[[^\[\]]*\]\(([^()\s]+)\)$`) // [text](address)
)

var email = regexp.MustCompile(`^[^\s@<>,;:"()\[\]]+@[^\s@<>,;:"()\[\]]+\.[^\s@<>,;:."()\[\]]{2,}$`)

// readEmail reads an e-mail address. Its letters' case makes no difference to any provider in use.
func readEmail(s spelling) (Value, bool) {
	a := s.low
	if !strings.Contains(a, "@") && !strings.Contains(a, "at") && !strings.Contains(a, "%40") {
		return Value{}, false
	}
	if text.IsASCII(a) && email.MatchString(a) && !strings.HasPrefix(a, "mailto:") && !strings.Contains(a, "%") {
		return Value{Kind: Email, form: a}, true
	}
	if m := linkedTo.FindStringSubmatch(a); m != nil {
		a = m[1]
	}
	a = withoutName(mailLabel.ReplaceAllString(withSigns(a), ""), isCapital(s.as))
	if strings.Contains(s.low, "mailto:") || !strings.Contains(a, "@") {
		a, _, _ = strings.Cut(a, "?")
		if plain, err := url.PathUnescape(a); err == nil {
			a = strings.ToLower(plain)
		}
	}
	local, domain, _ := strings.Cut(a, "@")
	if n := len(local); n > 2 && local[0] == '"' && local[n-1] == '"' {
		local = local[1 : n-1]
	}
	a = local + "@" + asciiHost(strings.TrimRight(domain, "."))
	return Value{Kind: Email, form: a}, email.MatchString(a)
}

// withSigns writes an address that says "at" and "dot" with their signs.
func withSigns(a string) string {
	if !strings.Contains(a, "@") || strings.ContainsAny(a, " [({<") {
		if plain := atSign.ReplaceAllString(a, "@"); strings.Count(plain, "@") == 1 {
			return dotSign.ReplaceAllString(plain, ".")
		}
	}
	return a
}

// withoutName returns the address beside a name. Without brackets around either, the words have to be a name.
func withoutName(a string, isName bool) string {
	forms := []*regexp.Regexp{addressed, commented, named, announced, followed}
	if !strings.Contains(a, " ") || !isName || denied.MatchString(a) {
		forms = forms[:3]
	}
	for _, r := range forms {
		if m := r.FindStringSubmatch(a); m != nil {
			return mailLabel.ReplaceAllString(strings.TrimSpace(m[1]), "")
		}
	}
	return a
}

// isCapital reports whether a text but for an address is a name: its words have capitals.
func isCapital(s string) bool {
	for w := range strings.FieldsSeq(s) {
		if r, _ := utf8.DecodeRuneInString(w); !strings.Contains(w, "@") && unicode.IsLower(r) && len(w) > 3 {
			return false
		}
	}
	return true
}

// asciiHost returns the name of a host in ASCII, as it is looked up.
func asciiHost(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

var (
	international = regexp.MustCompile(`^(?:\+|00|011[-. ])[ \-.]?[1-9][\d\s().\-/]{5,24}$`)
	// northAmerican is the grouping that only the North American plan has.
	northAmerican = regexp.MustCompile(`^(?:1[-. /]?)?(?:\(([2-9]\d\d)\) ?|([2-9]\d\d)[-./ ]{1,2})(\d{3})[-. ](\d{4})$`)
	national      = regexp.MustCompile(`^\(?0\d[\d().\-/ ]*[().\-/ ][\d().\-/ ]{2,20}$|^0\d{8,11}$`)
	grouped       = regexp.MustCompile(`^\(\d{2,5}\) ?\d[\d\-. ]{4,14}\d$|^\d{2,5}(?:[-. ]\d{2,5}){2,5}$|^\d{3,5}-\d{4}$`)
	freephone     = regexp.MustCompile(`^(?:\+?1[-. ])?\(?(8(?:00|33|44|55|66|77|88))\)?[-. ]([a-z0-9][a-z0-9-]{6,})$`)
	extension     = regexp.MustCompile(`[,;/-]? ?(?:ext|extension|extn|xtn|x|durchwahl|dw|poste|anexo|int|interno|apparat|app|toestel|#)[.:=]? ?(\d{1,6})$`)
	phoneLabel    = regexp.MustCompile(`^(?:(?:tel|phone|mobile|mob|cell|fax|office|work|home|téléphone|tél|telefon|telefono|teléfono|telefone|telephone|` +
		`handy|mobil|móvil|cel|t|m|p|ph|call|whatsapp|телефон|тел|電話|电话)(?: ?(?:no|number|nr|nummer|#))?[.:]+ ?|[☎📞📱☏] ?)+`)
	spokenLabel = regexp.MustCompile(`^(?:tel|phone|mobile|telephone|telefon|call|ph|cell|mob) `)
)

// readPhone reads a telephone number. One without a country's code is compared by its digits, but for the North
// American grouping.
func readPhone(s spelling) (Value, bool) {
	const fewest = 4
	if countDigits(s.low) < fewest {
		return Value{}, false
	}
	n, ext, labelled := dialled(s.low)
	count := countDigits(n)
	if count > 16 || count < 3 || !labelled && !isDialled(n) {
		return Value{}, false
	}
	if m := freephone.FindStringSubmatch(n); m != nil {
		number := keys(m[2])
		return Value{Kind: Phone, form: "+1" + m[1] + number[:min(7, len(number))] + ext}, len(number) >= 7
	}
	if international.MatchString(n) {
		return abroad(n, ext)
	}
	if m := northAmerican.FindStringSubmatch(n); m != nil {
		return Value{Kind: Phone, form: "+1" + m[1] + m[2] + m[3] + m[4] + ext}, true
	}
	switch {
	case national.MatchString(n), grouped.MatchString(n) && isTelephone(n, labelled || ext != ""):
		return Value{Kind: Phone, form: digits(n) + ext}, true
	case labelled && !strings.ContainsFunc(n, isNoDialling):
		return Value{Kind: Phone, form: digits(n) + ext}, count >= 5
	}
	return Value{}, false
}

// dialled cuts the words before a number and its extension, and says whether there were such words.
func dialled(low string) (n, ext string, labelled bool) {
	n = low
	if !isDigitAt(n, 0) && n[0] != '+' && n[0] != '(' {
		n = spokenLabel.ReplaceAllString(phoneLabel.ReplaceAllString(n, ""), "")
		labelled = n != low
	}
	if isDigitAt(n, len(n)-1) && strings.ContainsFunc(n, isNoDialling) {
		if m := extension.FindStringSubmatch(n); m != nil {
			n, ext = strings.TrimSpace(n[:len(n)-len(m[0])]), "x"+m[1]
		}
	}
	if strings.HasPrefix(n, "(+") || strings.HasPrefix(n, "(00") {
		n = strings.Replace(n[1:], ")", "", 1)
	}
	return n, ext, labelled
}

// isDialled is a quick look: a number has digits and what stands between them, or is free of charge: 1-800-FLOWERS.
func isDialled(n string) bool {
	return !strings.ContainsFunc(strings.TrimPrefix(n, "+"), isNoDialling) || strings.Contains(n, "8")
}

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if isDigitAt(s, i) {
			n++
		}
	}
	return n
}

func isNoDialling(r rune) bool { return (r < '0' || r > '9') && !strings.ContainsRune(" -./()", r) }

// isTelephone reports whether digits in groups are a telephone number and not a number, a date or a time.
func isTelephone(n string, labelled bool) bool {
	if labelled {
		return true
	}
	if _, isNumber := writtenNumber(n); isNumber || strings.Contains(n, ".") {
		return false
	}
	count := countDigits(n)
	return count >= 7 && count <= 12 && (n[0] == '(' || strings.Contains(n, " ") && !strings.Contains(n, "-"))
}

// abroad reads a number with its country's code.
func abroad(n, ext string) (Value, bool) {
	switch {
	case strings.HasPrefix(n, "00"):
		n = "+" + n[2:]
	case n[0] != '+':
		n = "+" + n[3:]
	}
	n = strings.ReplaceAll(n, "(0)", "")
	p, err := phonenumbers.Parse(n, "")
	if err != nil || !phonenumbers.IsPossibleNumber(p) {
		return Value{}, false
	}
	const shortest = 8 // digits that are rather a number with its sign, if no country has them
	if isDigits(n[1:]) && len(n) <= shortest+1 && !phonenumbers.IsValidNumber(p) {
		return Value{}, false
	}
	return Value{Kind: Phone, form: phonenumbers.Format(p, phonenumbers.E164) + ext}, true
}

// keys returns the digits of the keys of letters.
func keys(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return r
		case r >= 'a' && r <= 'z':
			return rune("22233344455566677778889999"[r-'a'])
		}
		return -1
	}, s)
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
	link      = regexp.MustCompile(`(?i)^(?:[a-z][a-z0-9+.-]*://\S+|www\.\S+|//[^/\s]\S*)$`)
	bare      = regexp.MustCompile(`(?i)^[\pL\pN][\pL\pM\pN-]*(?:\.[\pL\pN][\pL\pM\pN-]*)*\.(?:\pL{2,18}|xn--[a-z0-9-]+)\.?(?::\d+)?(?:[/?#]\S*)?$`)
	linkLabel = regexp.MustCompile(`(?i)^(?:url|website|web|site|homepage|link|see|visit) ?: ?`)
)

// ports are those that need not be written.
var ports = map[string]string{"80": "http", "443": "https", "21": "ftp", "22": "ssh"}

// readURL reads a web address. Whether http or https, www or not, and a slash at the end make no difference.
func readURL(s spelling) (Value, bool) {
	raw := linkLabel.ReplaceAllString(strings.Trim(s.as, "<>"), "")
	if m := linkedTo.FindStringSubmatch(raw); m != nil {
		raw = m[1]
	}
	raw = strings.Trim(raw, "<>\"'")
	if n := len(raw); n > 2 && raw[0] == '(' && raw[n-1] == ')' || n > 2 && raw[0] == '[' && raw[n-1] == ']' {
		raw = raw[1 : n-1]
	}
	if !strings.Contains(raw, ".") && !strings.Contains(raw, "://") || !link.MatchString(raw) && !bare.MatchString(raw) {
		return Value{}, false
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		scheme, rest = "", strings.TrimPrefix(raw, "//")
	}
	return linkOf(strings.ToLower(scheme), rest)
}

// linkOf is the address behind a scheme.
func linkOf(scheme, rest string) (Value, bool) {
	rest, fragment, _ := strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	authority, path, hasPath := strings.Cut(rest, "/")
	u, err := url.Parse("http://" + authority)
	if err != nil || u.Hostname() == "" {
		return Value{}, false
	}
	host := strings.TrimSuffix(asciiHost(strings.ToLower(u.Hostname())), ".")
	host = strings.TrimPrefix(host, "www.")
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && (ports[port] == "" || scheme != "" && ports[port] != scheme) {
		host += ":" + port
	}
	if u.User != nil {
		host = u.User.String() + "@" + host
	}
	form := host
	if hasPath {
		form += strings.TrimRight(withoutDots("/"+escaped(path)), "/")
	}
	if query != "" {
		form += "?" + escaped(query)
	}
	if fragment != "" {
		form += "#" + escaped(fragment)
	}
	if scheme != "" && scheme != "http" && scheme != "https" {
		form = scheme + "://" + form
	}
	return Value{Kind: URL, form: form}, true
}

// escaped returns a part of an address with the escapes that it needs: of what is not ASCII, and of what has a meaning.
func escaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if code, ok := escapedAt(s, i); ok {
			c, i = code, i+2
			if isUnreserved(c) {
				b.WriteByte(c)
				continue
			}
		} else if c > ' ' && c < 0x7f && !strings.ContainsRune("\"<>\\^`{|}", rune(c)) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte("0123456789ABCDEF"[c>>4])
		b.WriteByte("0123456789ABCDEF"[c&15])
	}
	return b.String()
}

// escapedAt returns the character of an escape.
func escapedAt(s string, i int) (byte, bool) {
	if s[i] != '%' || i+2 >= len(s) {
		return 0, false
	}
	code, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
	return byte(code), err == nil
}

// isUnreserved reports whether a character means itself, escaped or not (RFC 3986, section 2.3).
func isUnreserved(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("-._~", c) >= 0
}

// withoutDots returns a path without the steps "." and ".." (RFC 3986, section 5.2.4).
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	var out []string
	for step := range strings.SplitSeq(path[1:], "/") {
		switch step {
		case ".":
		case "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		default:
			out = append(out, step)
		}
	}
	return "/" + strings.Join(out, "/")
}
