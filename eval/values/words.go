package main

import (
	"math/rand/v2"
	"strings"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Given names and family names without letters that a half needs for its own forms.
var (
	firsts = strings.Fields("Anna Maria Jonas Clara Omar Priya Kenji Laura Peter Sofia Ivan Grace Samuel Nadia Viktor Elena")
	lasts  = strings.Fields("Berg Novak Haddad Costa Tanaka Keller Larsen Moreau Okafor Petrov Walsh Fischer Lind Romano Singh Weber")
)

// name is a person by given and family name, or an organisation by its name and legal form.
type name struct {
	given, middle, family, suffix string
	org, form                     string
}

func drawName(given, family, orgs, forms string) func(*rand.Rand) name {
	return func(r *rand.Rand) name {
		if r.IntN(5) < 2 {
			return name{org: pick(r, strings.Split(orgs, ",")), form: pick(r, strings.Split(forms, ","))}
		}
		out := name{given: pick(r, strings.Fields(given)), family: pick(r, strings.Fields(family))}
		switch r.IntN(5) {
		case 0:
			out.middle = string(rune('A'+r.IntN(20))) + "."
		case 1:
			out.suffix = pick(r, []string{"Jr.", "Sr.", "III"})
		}
		return out
	}
}

func nameMiss(r *rand.Rand, n name) miss[name] {
	if n.org != "" {
		return orgMiss(r, n)
	}
	out, note := n, ""
	switch r.IntN(6) {
	case 0:
		out.given, note = pick(r, firsts), "given name"
	case 1:
		out.family, note = n.family+pick(r, []string{"s", "er", "mann"}), "family name"
	case 2:
		out.family, note = pick(r, lasts), "family name"
	case 3:
		if n.suffix != "" {
			out.suffix, note = map[string]string{"Jr.": "Sr.", "Sr.": "Jr.", "III": "II"}[n.suffix], "generation"
		}
	case 4:
		if n.middle != "" {
			out.middle, note = string(n.middle[0]+1)+".", "initial"
		}
	case 5:
		out.given, note = n.given+pick(r, []string{"e", "h", "a"}), "a letter more"
	}
	return miss[name]{value: out, note: only(out != n, note)}
}

func orgMiss(r *rand.Rand, n name) miss[name] {
	out, note := n, ""
	switch r.IntN(4) {
	case 0:
		out.org, note = n.org+" "+pick(r, []string{"Health", "Logistics", "East", "Capital", "Labs", "Group"}), "one more word"
	case 1:
		out.form, note = pick(r, []string{"AG", "GmbH", "Inc.", "Ltd.", "S.A.", "AB", "LLC"}), "legal form"
	case 2:
		out.org, note = pick(r, []string{"New ", "Old ", "First ", "Royal "})+n.org, "one more word"
	case 3:
		if i := 1 + r.IntN(len(n.org)-1); n.org[i-1] < 128 {
			out.org, note = nextLetter(n.org, i), "a letter"
		}
	}
	return miss[name]{value: out, note: only(legal(out.form) != legal(n.form) || out.org != n.org, note)}
}

// legal folds the spellings of legal forms that the tables use.
func legal(s string) string {
	return strings.NewReplacer("incorporated", "inc", "corporation", "corp", "limited", "ltd", "company", "co").Replace(
		strings.ReplaceAll(strings.ToLower(s), ".", ""))
}

func (n name) String() string {
	if n.org != "" {
		return n.org + before(" ", n.form)
	}
	return n.given + before(" ", n.middle) + " " + n.family + before(" ", n.suffix)
}

// changed changes the text of a value, where that changes it.
func changed[T interface{ String() string }](change func(string) string) func(T) string {
	return func(v T) string {
		s := change(v.String())
		return only(s != v.String(), s)
	}
}

func swap(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }

// person writes a person: G given, M middle with its space, F family name.
func person(l string) func(name) string {
	return func(n name) string {
		if n.org != "" || n.suffix != "" {
			return ""
		}
		return strings.NewReplacer("{G}", n.given, "{M}", before(" ", n.middle), "{F}", n.family, "{FF}", strings.ToUpper(n.family)).Replace(l)
	}
}

// company writes an organisation with another spelling of its legal form.
func company(joint string, forms table) func(name) string {
	return func(n name) string {
		return only(n.org != "" && forms[n.form] != "", n.org+joint+forms[n.form])
	}
}

func wide(s string) string { return width.Widen.String(s) }

var sharedName = []form[name]{{name: "plain", weight: 6, write: name.String}}

var devName = kind[name]{name: "name", near: nameMiss, shared: sharedName,
	draw: drawName("Anna José Zoë Siobhán Jean-Luc Omar Priya Kenji François Grace", "Berg Núñez O'Brien Haddad Ångström Keller Larsen D'Arcy Tanaka Costa",
		"Acme,Northwind,Berg & Sons,Café Central,Blue River,Hafen", "Inc.,Corp.,Ltd.,Co.,LLC"),
	stray: []string{" %s", "%s ", "%s.", "\t%s"},
	own: []form[name]{
		{name: "CAPITALS", weight: 4, write: changed[name](strings.ToUpper)},
		{name: "small letters", weight: 4, write: changed[name](strings.ToLower)},
		{name: "two spaces", weight: 3, write: changed[name](swap(" ", "  "))},
		{name: "decomposed", weight: 3, write: changed[name](norm.NFD.String)},
		{name: "curly apostrophe", weight: 3, write: changed[name](swap("'", "’"))},
		{name: "Berg, Anna", weight: 3, write: person("{F}, {G}{M}")},
		{name: "Acme, Inc.", weight: 4, write: company(", ", table{"Inc.": "Inc.", "Corp.": "Corp.", "LLC": "LLC", "Ltd.": "Ltd."})},
		{name: "Acme Inc", weight: 4, write: company(" ", table{"Inc.": "Inc", "Corp.": "Corp", "Ltd.": "Ltd", "Co.": "Co"})},
		{name: "Acme Corporation", weight: 3, write: company(" ", table{"Corp.": "Corporation", "Ltd.": "Limited"})},
		{name: "and", weight: 2, write: changed[name](swap(" & ", " and "))},
	},
	unequal: [][2]string{{"Oslo", "Oslo Airport"}, {"Paris, France", "Paris, Texas"}, {"Springfield, Illinois", "Springfield, Ohio"},
		{"New York", "New York Times"}, {"Georgia Tech", "Georgia"}, {"J. Smith", "K. Smith"}, {"Meyer", "Meier"}, {"Hansen", "Hanssen"},
		{"King's College London", "King's College Cambridge"}, {"Niger", "Nigeria"}, {"Austria", "Australia"}, {"Iran", "Iraq"},
		{"Slovakia", "Slovenia"}, {"Dominica", "Dominican Republic"}, {"Guinea", "Guinea-Bissau"}, {"Java", "JavaScript"}},
}

var heldName = kind[name]{name: "name", near: nameMiss, shared: sharedName,
	draw: drawName("Clara André Chloë Søren Mary-Ann Viktor Nadia Łukasz Jürgen Li", "Novak Peña D'Angelo Okafor Müller O'Neill Walsh García Smith-Jones Lind",
		"Contoso,Fabrikam,Meyer & Co,Société Nord,Green Field,Quai", "Incorporated,Limited,GmbH,S.A.,B.V.,PLC,L.L.C.,S.p.A.,Company"),
	stray: []string{"\u00a0%s", "%s\n", "\u200b%s", "  %s  "},
	own: []form[name]{
		{name: "no-break space", weight: 4, write: changed[name](swap(" ", "\u00a0"))},
		{name: "capitals, decomposed", weight: 4, write: changed[name](func(s string) string { return norm.NFD.String(strings.ToUpper(s)) })},
		{name: "NOVAK, Clara", weight: 3, write: person("{FF}, {G}{M}")},
		{name: "novak, clara", weight: 2, write: func(n name) string { return strings.ToLower(person("{F}, {G}{M}")(n)) }},
		{name: "Clara NOVAK", weight: 3, write: person("{G}{M} {FF}")},
		{name: "full width", weight: 2, write: changed[name](wide)},
		{name: "\"quoted\"", weight: 3, write: func(n name) string { return "\"" + n.String() + "\"" }},
		{name: "“quoted”", weight: 1, write: func(n name) string { return "“" + n.String() + "”" }},
		{name: "hyphen of print", weight: 3, write: changed[name](swap("-", "\u2010"))},
		{name: "modifier apostrophe", weight: 2, write: changed[name](swap("'", "ʼ"))},
		{name: "initial without a point", weight: 3, write: func(n name) string {
			n.middle = strings.TrimSuffix(n.middle, ".")
			return only(n.middle != "", n.String())
		}},
		{name: "Jr", weight: 3, write: func(n name) string { return only(n.org == "" && n.suffix != "", strings.TrimSuffix(n.String(), ".")) }},
		{name: ", Jr.", weight: 2, write: func(n name) string {
			return only(n.org == "" && n.suffix != "", n.given+before(" ", n.middle)+" "+n.family+", "+n.suffix)
		}},
		{name: "Contoso Inc.", weight: 3, write: company(" ", table{"Incorporated": "Inc.", "Limited": "Ltd", "S.A.": "SA", "B.V.": "BV", "PLC": "plc",
			"L.L.C.": "LLC", "S.p.A.": "SpA", "Company": "Co."})},
		{name: "Contoso, Inc", weight: 3, write: company(", ", table{"Incorporated": "Inc", "Limited": "Ltd.", "GmbH": "GmbH", "L.L.C.": "LLC", "PLC": "PLC"})},
		{name: "AND", weight: 1, write: changed[name](swap(" & ", " AND "))},
	},
	unequal: [][2]string{{"Bergen", "Berg"}, {"London, Ontario", "London, England"}, {"Cambridge, MA", "Cambridge, UK"}, {"Mali", "Malawi"},
		{"Congo", "DR Congo"}, {"Lisa", "Lise"}, {"University of York", "York University"}, {"Sven Lind", "Sven Lindh"}, {"South Korea", "North Korea"},
		{"St. John", "St. Johns"}, {"Anne Clark", "Ann Clarke"}, {"Mauritius", "Mauritania"}, {"Micro Soft Systems", "Macro Soft Systems"},
		{"Oracle", "Oracle Park"}, {"Amazon", "Amazonas"}, {"Washington State", "Washington, D.C."}},
}

// phrase is a sentence by its parts, so that a near miss changes one of them.
type phrase struct{ who, verb, what, when string }

func (p phrase) String() string { return p.who + " " + p.verb + " " + p.what + before(" ", p.when) }

func drawPhrase(who, verb, what, when []string) func(*rand.Rand) phrase {
	return func(r *rand.Rand) phrase { return phrase{pick(r, who), pick(r, verb), pick(r, what), pick(r, when)} }
}

func phraseMiss(who, verb, what, when []string) func(*rand.Rand, phrase) miss[phrase] {
	return func(r *rand.Rand, p phrase) miss[phrase] {
		out, note := p, ""
		switch r.IntN(6) {
		case 0:
			out.who, note = pick(r, who), "subject"
		case 1:
			out.verb, note = pick(r, verb), "verb"
		case 2:
			out.what, note = pick(r, what), "object"
		case 3:
			out.when, note = pick(r, when), "adverbial"
		case 4:
			out.verb, note = p.verb+pick(r, []string{" not", " no longer", " only", " almost"}), "one more word"
		case 5:
			out.what, note = pick(r, []string{"half of ", "most of ", "all but ", "the old "})+p.what, "one more word"
		}
		return miss[phrase]{value: out, note: only(out != p, note)}
	}
}

var (
	devWho  = strings.Split("the team’s lead|Legal|the café on site|our “gold” plan|the vendor|the on-call engineer|Résumé screening", "|")
	devVerb = strings.Split("approves|rejects|prefers|replaces|needs|owns", "|")
	devWhat = strings.Split("the new contract|the old contract|Postgres 16|Postgres 15|option A|option B|C++ builds|weekly reviews — with notes", "|")
	devWhen = strings.Split("|on Mondays|before launch|after launch|every quarter|without exception...", "|")

	heldWho  = strings.Split("procurement|the client's counsel|Zürich office|tier-1 support|node B|the “blue” squad|naïve caching", "|")
	heldVerb = strings.Split("accepts|declines|moves to|starts with|stops|breaks", "|")
	heldWhat = strings.Split("version 2.1|version 2.10|the draft|the final text|region eu-west-1|region eu-west-2|C# services|plan B – with caveats", "|")
	heldWhen = strings.Split("|at night|during audits|next sprint|last sprint|for now…", "|")
)

var sharedText = []form[phrase]{{name: "plain", weight: 6, write: phrase.String}}

var devText = kind[phrase]{name: "text", draw: drawPhrase(devWho, devVerb, devWhat, devWhen), near: phraseMiss(devWho, devVerb, devWhat, devWhen),
	shared: sharedText, stray: []string{" %s", "%s ", "%s\n"},
	own: []form[phrase]{
		{name: "Sentence.", weight: 4, write: func(p phrase) string { return capital(strings.TrimRight(p.String(), ".")) + "." }},
		{name: "CAPITALS", weight: 2, write: changed[phrase](strings.ToUpper)},
		{name: "small letters", weight: 2, write: changed[phrase](strings.ToLower)},
		{name: "two spaces", weight: 2, write: changed[phrase](swap(" ", "  "))},
		{name: "straight quotes", weight: 3, write: changed[phrase](swap("“", "\"", "”", "\"", "’", "'"))},
		{name: "decomposed", weight: 2, write: changed[phrase](norm.NFD.String)},
		{name: "ellipsis", weight: 1, write: changed[phrase](swap("...", "…"))},
		{name: "no-break space", weight: 2, write: changed[phrase](swap(" ", "\u00a0"))},
		{name: "in quotes", weight: 2, write: func(p phrase) string { return "\"" + capital(p.String()) + "\"" }},
		{name: "exclamation", weight: 1, write: func(p phrase) string { return strings.TrimRight(p.String(), ".") + "!" }},
	},
	unequal: [][2]string{{"C", "C++"}, {"C", "C#"}, {"A", "A+"}, {"A-", "A+"}, {"v1.10", "v1.1"}, {"1.2.0", "1.20"}, {"10.0.0.1", "10.0.0.10"},
		{"ISO 9001", "ISO 27001"}, {"re-sign", "resign"}, {"approved", "not approved"}, {"approved", "approved?"}, {"in stock", "out of stock"},
		{"HTTP/1.1", "HTTP/2"}, {"x86", "x86-64"}, {"eu-west-1", "eu-west-2"}, {"INC-0042", "INC-0043"}, {"H2O", "H2O2"}, {"Rust", "Trust"},
		{"TLS 1.2", "TLS 1.3"}, {"read", "read/write"}, {"full-time", "part-time"}, {"B2B", "B2C"}, {"open", "opened by mistake"},
		{"#general", "#general-eng"}, {"@anna", "@anna_b"}, {"10.0.0.0/8", "10.0.0.0/16"}, {"~/src", "~/srv"}, {"*.go", "*.mod"}},
}

var heldText = kind[phrase]{name: "text", draw: drawPhrase(heldWho, heldVerb, heldWhat, heldWhen), near: phraseMiss(heldWho, heldVerb, heldWhat, heldWhen),
	shared: sharedText, stray: []string{"\u00a0%s", "\t%s", "%s\r\n", "\u200b%s"},
	own: []form[phrase]{
		{name: "SENTENCE.", weight: 2, write: func(p phrase) string { return strings.ToUpper(strings.TrimRight(p.String(), "…")) + "." }},
		{name: "Title Case", weight: 3, write: func(p phrase) string {
			words := strings.Fields(p.String())
			for i := range words {
				if words[i][0] < 128 {
					words[i] = capital(words[i])
				}
			}
			return strings.Join(words, " ")
		}},
		{name: "line break", weight: 3, write: func(p phrase) string { return p.who + " " + p.verb + "\n" + p.what + before("\n", p.when) }},
		{name: "tabs", weight: 2, write: changed[phrase](swap(" ", "\t"))},
		{name: "full width", weight: 2, write: changed[phrase](wide)},
		{name: "thin spaces", weight: 2, write: changed[phrase](swap(" ", "\u2009"))},
		{name: "curly apostrophe", weight: 3, write: changed[phrase](swap("'", "’"))},
		{name: "straight quotes", weight: 2, write: changed[phrase](swap("“", "\"", "”", "\""))},
		{name: "hyphens of print", weight: 2, write: changed[phrase](swap("-", "\u2011"))},
		{name: "three points", weight: 3, write: changed[phrase](swap("…", "..."))},
		{name: "soft hyphen", weight: 1, write: changed[phrase](swap("version", "ver\u00adsion", "procurement", "procure\u00adment", "region", "re\u00adgion"))},
		{name: "decomposed capitals", weight: 2, write: func(p phrase) string { return norm.NFD.String(strings.ToUpper(p.String())) }},
		{name: "«in quotes»", weight: 1, write: func(p phrase) string { return "«" + p.String() + "»" }},
		{name: "“in quotes.”", weight: 2, write: func(p phrase) string { return "“" + capital(strings.TrimRight(p.String(), "…")) + ".”" }},
		{name: "Sentence. ", weight: 3, write: func(p phrase) string { return capital(strings.TrimRight(p.String(), "…")) + ". " }},
		{name: "closing semicolon", weight: 1, write: func(p phrase) string { return strings.TrimRight(p.String(), "…") + ";" }},
	},
	unequal: [][2]string{{"F#", "F"}, {"B+", "B"}, {"A*", "A"}, {"2.1.0", "2.10"}, {"192.168.1.1", "192.168.11.1"}, {"IPv4", "IPv6"}, {"SOC 1", "SOC 2"},
		{"Python 2", "Python 3"}, {"recover", "re-cover"}, {"confirmed", "unconfirmed"}, {"signed?", "signed"}, {"read-only", "read-write"}, {"CO", "CO2"},
		{"UTF-8", "UTF-16"}, {"us-east-1", "us-east-1a"}, {"TICKET-100", "TICKET-1000"}, {"MIT", "MIT-0"}, {"GPL-2.0", "GPL-3.0"}, {"-Wall", "-Werror"},
		{"/etc/hosts", "/etc/host"}, {"remote", "remote-first"}, {"main", "main-2"}, {"O+", "O-"}, {"AB+", "A+"}, {"#sales", "sales team"},
		{"left", "left-handed"}, {"sha-1", "sha-256"}, {"RFC 3339", "RFC 3399"}},
}
