package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// booleans are forms of a boolean by their words for yes and no.
func booleans(weight int, yes, no string) []form[bool] {
	y, n := strings.Split(yes, " "), strings.Split(no, " ")
	out := make([]form[bool], len(y))
	for i := range y {
		out[i] = form[bool]{name: y[i], weight: weight, write: func(b bool) string {
			if b {
				return y[i]
			}
			return n[i]
		}}
	}
	return out
}

func drawBool(r *rand.Rand) bool { return r.IntN(2) == 0 }

func boolMiss(_ *rand.Rand, b bool) miss[bool] { return miss[bool]{value: !b, note: "the other"} }

var sharedBool = append(booleans(3, "true yes", "false no"), form[bool]{name: "JSON", weight: 6, json: true,
	write: func(b bool) string { return fmt.Sprint(b) }})

var devBool = kind[bool]{name: "boolean", draw: drawBool, near: boolMiss, shared: sharedBool,
	stray: []string{" %s", "%s ", "%s.", "\t%s"},
	own: append(booleans(3, "True Yes YES TRUE y Y", "False No NO FALSE n N"),
		booleans(1, "ja Ja JA oui Oui OUI sí Sí wahr WAHR vrai VRAI verdadero on ✓", "nein Nein NEIN non Non NON no No falsch FALSCH faux FAUX falso off ✗")...),
	unequal: [][2]string{{"yes", "yesterday"}, {"true", "true north"}, {"no", "north"}, {"on", "one"}, {"yes", "eyes"},
		{"false", "false alarm"}, {"Yes", "Yes, but not before June"}, {"no", "no later than Friday"}, {"y", "x"}, {"off", "office"}},
}

var heldBool = kind[bool]{name: "boolean", draw: drawBool, near: boolMiss, shared: sharedBool,
	stray: []string{"\u00a0%s", "%s\n", "%s!", "  %s  "},
	own: append(booleans(4, "yep Yes. tRUE ON On True. yEs", "nope No. fALSE OFF Off False. nO"),
		booleans(1, "sim sì si Sim Sì tak Tak да Да はい 是 ja Ja vero verdadeiro waar ✔ ✅ ☑",
			"não no no Não No nie Nie нет Нет いいえ 否 nee Nej falso falso onwaar ✘ ❌ ☐")...),
	unequal: [][2]string{{"Yes.", "Yes, from 2026"}, {"true", "untrue"}, {"No", "No one"}, {"on", "on hold"}, {"no", "know"},
		{"nope", "hope"}, {"True", "True Corporation"}, {"off", "off-site"}, {"no", "not before May"}, {"yes", "yes/no"}},
}

// phone is a number by its groups; without a country code it is a national one.
type phone struct {
	cc     string
	groups string // of digits, a space between them
	ext    string
}

// plan is a country's numbering: # is a digit, * one from 2 to 9. Trunk is the 0 that only callers at home dial.
type plan struct {
	cc     string
	groups string
	trunk  bool
}

var devPlans = []plan{{"1", "212 555 01##", false}, {"1", "415 555 01##", false}, {"44", "20 7946 0###", true}, {"44", "161 496 0###", true},
	{"49", "30 23125 ###", true}, {"33", "1 99 00 ## ##", true}, {"33", "6 39 98 ## ##", true}}

var heldPlans = []plan{{"47", "*# ## ## ##", false}, {"91", "9#### #####", true}, {"81", "3 #### ####", true}, {"55", "11 9#### ####", false},
	{"61", "2 5550 ####", true}, {"39", "02 #### ####", false}, {"34", "91 ### ## ##", false}, {"46", "8 465 004 ##", true}, {"1", "604 555 01##", false}}

func drawPhone(plans []plan) func(*rand.Rand) phone {
	return func(r *rand.Rand) phone {
		p := pick(r, plans)
		out := phone{cc: p.cc, groups: strings.Map(func(c rune) rune {
			switch c {
			case '#':
				return '0' + rune(r.IntN(10))
			case '*':
				return '2' + rune(r.IntN(8))
			}
			return c
		}, p.groups)}
		switch r.IntN(10) {
		case 0:
			out.ext = fmt.Sprint(1 + r.IntN(999))
		case 1, 2:
			if p.trunk {
				out.cc, out.groups = "", "0"+out.groups
			} else if p.cc == "1" {
				out.cc = ""
			}
		}
		return out
	}
}

func phoneMiss(r *rand.Rand, p phone) miss[phone] {
	g := []byte(p.groups)
	i := len(g) - 1 - r.IntN(5)
	out, note := p, ""
	switch r.IntN(7) {
	case 0, 1, 2:
		if g[i] != ' ' {
			g[i] = '0' + (g[i]-'0'+1+byte(r.IntN(9)))%10
			out.groups, note = string(g), "one digit"
		}
	case 3:
		if g[i-1] != ' ' && g[i] != ' ' && g[i] != g[i-1] {
			g[i], g[i-1] = g[i-1], g[i]
			out.groups, note = string(g), "two digits swapped"
		}
	case 4:
		if p.cc != "" {
			out.cc = pick(r, []string{"1", "44", "49", "33", "47", "45", "353"})
			note = map[bool]string{true: "country"}[out.cc != p.cc]
		}
	case 5:
		if p.ext != "" {
			out.ext, note = p.ext+"1", "extension"
		}
	case 6:
		out.groups, note = string(g[:len(g)-1]), "a digit less"
	}
	return miss[phone]{value: out, note: note}
}

// dialled writes the number with its groups joined: head stands before the country code, gap after it.
func dialled(head, gap, joint, ext string) func(phone) string {
	return func(p phone) string {
		s := strings.ReplaceAll(p.groups, " ", joint)
		if p.cc == "" {
			return only(head == "+", s)
		}
		if p.ext != "" {
			s = only(ext != "", s+ext+p.ext)
		}
		return before(head+p.cc+gap, s)
	}
}

// bracketed writes the first group in brackets.
func bracketed(l string) func(phone) string {
	return func(p phone) string {
		area, rest, _ := strings.Cut(p.groups, " ")
		if p.ext != "" || (p.cc == "") == strings.Contains(l, "C") {
			return ""
		}
		return strings.NewReplacer("C", p.cc, "A", area, "R", rest, "D", strings.ReplaceAll(rest, " ", "-")).Replace(l)
	}
}

// trunked writes the 0 that is not dialled from abroad.
func trunked(l string) func(phone) string {
	return func(p phone) string {
		return only(slices.Contains([]string{"44", "49", "33", "61", "46", "81"}, p.cc), bracketed(l)(p))
	}
}

var sharedPhone = []form[phone]{{name: "E.164", weight: 6, write: func(p phone) string { return only(p.cc != "", dialled("+", "", "", "")(p)) }}}

var devPhone = kind[phone]{name: "phone", draw: drawPhone(devPlans), near: phoneMiss, shared: sharedPhone,
	stray: []string{" %s", "%s "},
	own: []form[phone]{
		{name: "+1 212 555 0100", weight: 5, write: dialled("+", " ", " ", " ext. ")},
		{name: "+1-212-555-0100", weight: 4, write: dialled("+", "-", "-", " x")},
		{name: "+1.212.555.0100", weight: 2, write: dialled("+", ".", ".", "")},
		{name: "+1 (212) 555-0100", weight: 4, write: bracketed("+C (A) D")},
		{name: "(212) 555-0100", weight: 4, write: bracketed("(A) D")},
		{name: "2125550100", weight: 4, write: func(p phone) string { return only(p.cc == "", strings.ReplaceAll(p.groups, " ", "")) }},
		{name: "tel:+1-212-555-0100", weight: 2, write: func(p phone) string { return only(p.cc != "", before("tel:", dialled("+", "-", "-", ";ext=")(p))) }},
		{name: "0044 20 7946 0000", weight: 3, write: dialled("00", " ", " ", " ext ")},
		{name: "+44 (0)20 7946 0000", weight: 3, write: trunked("+C (0)A R")},
	}}

var heldPhone = kind[phone]{name: "phone", draw: drawPhone(heldPlans), near: phoneMiss, shared: sharedPhone,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[phone]{
		{name: "+47 22 33 44 55 nbsp", weight: 4, write: dialled("+", "\u00a0", "\u00a0", " extension ")},
		{name: "+47 22-33-44-55", weight: 4, write: dialled("+", " ", "-", " ext ")},
		{name: "+47 22.33.44.55", weight: 2, write: dialled("+", " ", ".", "")},
		{name: "+47 22334455", weight: 4, write: dialled("+", " ", "", " ext.")},
		{name: "(+47) 22 33 44 55", weight: 3, write: func(p phone) string { return only(p.cc != "" && p.ext == "", "(+"+p.cc+") "+p.groups) }},
		{name: "(+47)22334455", weight: 1, write: func(p phone) string {
			return only(p.cc != "" && p.ext == "", "(+"+p.cc+")"+strings.ReplaceAll(p.groups, " ", ""))
		}},
		{name: "+47 (22) 33 44 55", weight: 2, write: bracketed("+C (A) R")},
		{name: "+ 47 22 33 44 55", weight: 1, write: func(p phone) string { return only(p.cc != "", dialled("+ ", " ", " ", ", ext. ")(p)) }},
		{name: "004722334455", weight: 3, write: dialled("00", "", "", "")},
		{name: "00 47 22 33 44 55", weight: 1, write: dialled("00 ", " ", " ", "")},
		{name: "+61 (0) 2 5550 0000", weight: 2, write: trunked("+C (0) A R")},
		{name: "Tel.: +47 22 33 44 55", weight: 1, write: func(p phone) string { return only(p.cc != "", before("Tel.: ", dialled("+", " ", " ", "")(p))) }},
		{name: "tel:+4722334455", weight: 2, write: func(p phone) string { return only(p.cc != "", before("tel:", dialled("+", "", "", ";ext=")(p))) }},
		{name: "dashes of print", weight: 1, write: dialled("+", "\u2011", "\u2011", "")},
		{name: "02 5550 0000", weight: 3, write: func(p phone) string { return only(p.cc == "", p.groups) }},
		{name: "02-5550-0000", weight: 3, write: func(p phone) string { return only(p.cc == "", strings.ReplaceAll(p.groups, " ", "-")) }},
		{name: "(02) 5550 0000", weight: 3, write: bracketed("(A) R")},
		{name: "02/5550 0000", weight: 1, write: bracketed("A/R")},
	}}

// email is an address with the name of its owner.
type email struct{ local, domain, owner string }

func drawEmail(domains string) func(*rand.Rand) email {
	return func(r *rand.Rand) email {
		first, last := pick(r, firsts), pick(r, lasts)
		a, b := strings.ToLower(first), strings.ToLower(last)
		local := pick(r, []string{a + "." + b, a[:1] + b, a + "_" + b, a, b + "." + a, a + "-" + b, a + "." + b + "2", "info", "sales." + b})
		return email{local, pick(r, strings.Fields(domains)), first + " " + last}
	}
}

func emailMiss(r *rand.Rand, e email) miss[email] {
	out, note := e, ""
	name, tld, _ := strings.Cut(e.domain, ".")
	i := 1 + r.IntN(len(e.local)-1)
	switch r.IntN(9) {
	case 0:
		out.local, note = e.local[:i]+e.local[i+1:], "a letter less"
	case 1:
		out.local, note = strings.Replace(e.local, ".", "_", 1), "dot and underscore"
	case 2:
		out.local, note = e.local+"+news", "a tag"
	case 3:
		out.local, note = e.local+"1", "a digit more"
	case 4:
		out.domain, note = name+"."+pick(r, []string{"com", "org", "net", "co.uk", "example"}), "top-level domain"
	case 5:
		out.domain, note = "mail."+e.domain, "subdomain"
	case 6:
		out.domain, note = name+"s."+tld, "domain"
	case 7:
		out.local, note = pick(r, []string{"support", "office", strings.ToLower(pick(r, firsts))}), "mailbox"
	case 8:
		out.local, note = strings.ReplaceAll(e.local, "-", ""), "hyphen"
	}
	return miss[email]{value: out, note: only(out != e, note)}
}

func (e email) address() string { return e.local + "@" + e.domain }

// mail writes an address into a text.
func mail(l string) func(email) string {
	return func(e email) string {
		first, last, _ := strings.Cut(e.owner, " ")
		return strings.NewReplacer("ADDRESS", e.address(), "LOCAL", e.local, "DOMAIN", e.domain, "UPPER", strings.ToUpper(e.domain),
			"FIRST", first, "LAST", last, "HOST", strings.ReplaceAll(e.domain, ".", " [dot] ")).Replace(l)
	}
}

var sharedEmail = []form[email]{{name: "plain", weight: 6, write: email.address}}

var devEmail = kind[email]{name: "e-mail", draw: drawEmail("acme.com acme.example berg-media.no hafen.de north.co.uk"), near: emailMiss, shared: sharedEmail,
	stray: []string{" %s", "%s "},
	own: []form[email]{
		{name: "Domain in capitals", weight: 3, write: mail("LOCAL@UPPER")},
		{name: "all capitals", weight: 4, write: func(e email) string { return strings.ToUpper(e.address()) }},
		{name: "mailto:", weight: 4, write: mail("mailto:ADDRESS")},
		{name: "<a@b>", weight: 3, write: mail("<ADDRESS>")},
		{name: "Anna Berg <a@b>", weight: 3, write: mail("FIRST LAST <ADDRESS>")},
		{name: "full stop", weight: 2, write: mail("ADDRESS.")},
		{name: "a [at] b", weight: 1, write: mail("LOCAL [at] DOMAIN")},
	}}

var heldEmail = kind[email]{name: "e-mail", draw: drawEmail("contoso.com contoso.example sol-data.es quai.fr müller.example sud.it tech.io"), near: emailMiss,
	shared: sharedEmail, stray: []string{"\u00a0%s", "%s\n", "\u200b%s"},
	own: []form[email]{
		{name: "Capitals", weight: 6, write: func(e email) string {
			words := strings.Split(e.local, ".")
			for i := range words {
				words[i] = capital(words[i])
			}
			return strings.Join(words, ".") + "@" + e.domain
		}},
		{name: "Domain capital", weight: 3, write: func(e email) string { return only(e.domain[0] < 128, e.local+"@"+capital(e.domain)) }},
		{name: "MAILTO:", weight: 2, write: mail("MAILTO:ADDRESS")},
		{name: "Mailto: ", weight: 1, write: mail("Mailto: ADDRESS")},
		{name: "\"Berg, Anna\" <a@b>", weight: 2, write: mail("\"LAST, FIRST\" <ADDRESS>")},
		{name: "'Anna Berg' <a@b>", weight: 1, write: mail("'FIRST LAST' <ADDRESS>")},
		{name: "a@b;", weight: 2, write: mail("ADDRESS;")},
		{name: "a@b,", weight: 2, write: mail("ADDRESS,")},
		{name: "full width @", weight: 1, write: mail("LOCAL＠DOMAIN")},
		{name: "<mailto:a@b>", weight: 2, write: mail("<mailto:ADDRESS>")},
		{name: "quoted", weight: 2, write: mail("\"ADDRESS\"")},
		{name: "markdown", weight: 1, write: mail("[ADDRESS](mailto:ADDRESS)")},
		{name: "a(at)b", weight: 1, write: mail("LOCAL(at)DOMAIN")},
		{name: "Punycode", weight: 6, write: func(e email) string { return only(e.domain == "müller.example", e.local+"@xn--mller-kva.example") }},
	}}

// link is an address on the web; the host is in lower case and without www.
type link struct{ scheme, host, path, query, fragment string }

func drawLink(hosts, words string) func(*rand.Rand) link {
	return func(r *rand.Rand) link {
		out := link{scheme: "https", host: pick(r, strings.Fields(hosts))}
		if r.IntN(12) == 0 {
			out.scheme = "http"
		}
		w := strings.Fields(words)
		for range r.IntN(4) {
			out.path += "/" + pick(r, w)
		}
		if out.path != "" && r.IntN(4) == 0 {
			out.path += fmt.Sprintf("/%d", 1+r.IntN(999))
		}
		if out.path == "" {
			out.path = "/"
		}
		if r.IntN(6) == 0 {
			out.query = fmt.Sprintf("id=%d", 1+r.IntN(500))
		}
		if r.IntN(8) == 0 {
			out.fragment = pick(r, w)
		}
		return out
	}
}

func linkMiss(r *rand.Rand, u link) miss[link] {
	out, note := u, ""
	switch r.IntN(9) {
	case 0:
		out.path, note = strings.TrimSuffix(u.path, "/")+"/old", "a step more"
	case 1:
		out.path, note = u.path[:strings.LastIndex(u.path, "/")+1], "a step less"
	case 2:
		out.host, note = pick(r, []string{"dev.", "api.", "docs.", "m."})+u.host, "subdomain"
	case 3:
		out.host, note = u.host[:strings.LastIndex(u.host, ".")]+pick(r, []string{".org", ".net", ".eu"}), "top-level domain"
	case 4:
		out.query, note = "id=501", "query"
	case 5:
		out.path, note = nextLetter(u.path, len(u.path)-1), "a letter"
	case 6:
		out.host, note = u.host+":8443", "port"
	case 7:
		out.fragment, note = u.fragment+"top", "fragment"
	case 8:
		out.path, note = u.path+fmt.Sprint(r.IntN(9)), "a digit more"
	}
	return miss[link]{value: out, note: only(out != u && steps(out.path), note)}
}

// steps reports whether the path is the root or ends in a name.
func steps(path string) bool { return path == "/" || path != "" && !strings.HasSuffix(path, "/") }

// nextLetter replaces a small letter by the next one.
func nextLetter(s string, i int) string {
	if s[i] < 'a' || s[i] > 'y' {
		return s
	}
	return s[:i] + string(s[i]+1) + s[i+1:]
}

func (u link) String() string {
	return u.scheme + "://" + u.tail()
}

// tail is the address without its scheme.
func (u link) tail() string {
	return u.host + u.path + before("?", u.query) + before("#", u.fragment)
}

func bare(u link) string {
	u.path = only(u.path != "/" || u.query != "" || u.fragment != "", u.path)
	return u.tail()
}

func web(change func(*link)) func(link) string {
	return func(u link) string { change(&u); return u.String() }
}

// defaultPort is the port that the scheme means, unless the host has one.
func defaultPort(u link) string {
	return only(!strings.Contains(u.host, ":"), map[string]string{"https": ":443", "http": ":80"}[u.scheme])
}

// around puts the address into l.
func around(l string) func(link) string {
	return func(u link) string { return strings.ReplaceAll(l, "URL", u.String()) }
}

// shown applies change to the text of the address, where that changes it.
func shown(old, replacement string) func(link) string {
	return func(u link) string {
		s := strings.Replace(u.String(), old, replacement, 1)
		return only(s != u.String(), s)
	}
}

var sharedLink = []form[link]{{name: "plain", weight: 6, write: link.String}}

var devLink = kind[link]{name: "URL",
	draw: drawLink("acme.com docs.acme.com hafen.de status.north.co.uk", "team about pricing caf%C3%A9 release-notes ~anna guide"),
	near: linkMiss, shared: sharedLink, stray: []string{" %s", "%s "},
	own: []form[link]{
		{name: "HOST", weight: 4, write: web(func(u *link) { u.host = strings.ToUpper(u.host) })},
		{name: "HTTPS", weight: 3, write: web(func(u *link) { u.scheme = strings.ToUpper(u.scheme) })},
		{name: "no scheme", weight: 5, write: func(u link) string { return only(u.scheme == "https", bare(u)) }},
		{name: "no slash at the root", weight: 5, write: func(u link) string { return only(u.path == "/", u.scheme+"://"+bare(u)) }},
		{name: "default port", weight: 3, write: web(func(u *link) { u.host += defaultPort(*u) })},
		{name: "<URL>", weight: 3, write: around("<URL>")},
		{name: "URL.", weight: 2, write: around("URL.")},
		{name: "escapes in lower case", weight: 3, write: shown("%C3%A9", "%c3%a9")},
		{name: "needless escape", weight: 2, write: shown("~", "%7E")},
	}}

var heldLink = kind[link]{name: "URL",
	draw: drawLink("contoso.com wiki.contoso.io müller.example quai.fr files.sud.it", "jobs blog r%C3%A9sum%C3%A9 2025 white-paper q.1 terms_of_use"),
	near: linkMiss, shared: sharedLink, stray: []string{"\u00a0%s", "%s\n", "\u200b%s"},
	own: []form[link]{
		{name: "Https://Host", weight: 5, write: web(func(u *link) {
			u.scheme = capital(u.scheme)
			u.host = strings.ToUpper(u.host[:1]) + u.host[1:]
		})},
		{name: "Host, no scheme", weight: 3, write: func(u link) string {
			return only(u.scheme == "https", strings.ToUpper(u.host[:1])+bare(u)[1:])
		}},
		{name: "HTTP://HOST:80", weight: 3, write: func(u link) string {
			return strings.ToUpper(u.scheme+"://"+u.host) + defaultPort(u) + strings.TrimPrefix(u.tail(), u.host)
		}},
		{name: "letters for escapes", weight: 4, write: shown("r%C3%A9sum%C3%A9", "résumé")},
		{name: "Punycode", weight: 6, write: shown("müller.example", "xn--mller-kva.example")},
		{name: "needless escape", weight: 2, write: shown("terms_of_use", "terms%5Fof%5Fuse")},
		{name: "/./", weight: 1, write: func(u link) string {
			return only(u.path != "/", u.scheme+"://"+u.host+"/."+strings.TrimPrefix(u.tail(), u.host))
		}},
		{name: "/../", weight: 1, write: func(u link) string {
			return only(u.path != "/", u.scheme+"://"+u.host+"/x/.."+strings.TrimPrefix(u.tail(), u.host))
		}},
		{name: "quoted", weight: 2, write: around("\"URL\"")},
		{name: "URL,", weight: 2, write: around("URL,")},
		{name: "URL;", weight: 1, write: around("URL;")},
		{name: "(URL)", weight: 1, write: around("(URL)")},
		{name: "markdown", weight: 1, write: around("[URL](URL)")},
		{name: "no slash at the root", weight: 3, write: func(u link) string {
			return only(u.path == "/", strings.ToUpper(u.scheme)+"://"+bare(u))
		}},
	}}
