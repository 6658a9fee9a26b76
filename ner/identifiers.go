package ner

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// An atom is a run of text without white space, quotes, brackets or
// separators: what an identifier, a file name or a coded name consists of.
type atom struct {
	start, end int
	text       string
	before     string // up to four lower-case words before it, "order no"
	after      byte   // the byte behind it, 0 at the end
	prior      byte   // the byte before it, 0 at the beginning
	titled     bool   // the word before it has a capital
	head       bool   // first of its line but for times and log levels
}

var schemes = regexp.MustCompile(`^(?i:https?|ftp|ssh|git|s3|file|wss?|postgres|mysql|redis|mailto|tel|jdbc|amqp|mongodb|ldap)$`)

// findIdentifiers fills ids in one walk over the text.
func (d *document) findIdentifiers() {
	prev, head, titled := [4]string{}, true, false
	for i := 0; i < len(d.text); {
		if c := d.text[i]; separates(c) || c == ':' {
			if c == '\n' {
				prev, head = [4]string{}, true
			}
			i++
			continue
		}
		a := d.atomAt(i)
		a.before, a.head, a.titled = strings.TrimSpace(strings.Join(prev[:], " ")), head, titled
		end := a.end
		if s, ok := d.identify(a); ok {
			d.ids = append(d.ids, s)
			d.add(s)
			end = max(s.end, a.end)
		}
		if w := strings.ToLower(strings.Trim(d.text[a.start:a.end], ".:*#")); !copulas.has(w) || !numberWords.has(prev[3]) && !codeCues.has(prev[3]) {
			copy(prev[:], prev[1:])
			prev[3] = w
		}
		titled = a.text != "" && a.text[0] >= 'A' && a.text[0] <= 'Z'
		head = head && (timeLike.MatchString(a.text) || logLevels[strings.ToLower(a.text)])
		i = max(end, i+1)
	}
}

var (
	timeLike  = regexp.MustCompile(`^(?:\d[\d:T./Z+-]*|[A-Z][a-z]{2})$`)
	logLevels = map[string]bool{"info": true, "warn": true, "warning": true, "error": true, "debug": true, "fatal": true, "trace": true, "notice": true, "critical": true}
)

func separates(c byte) bool {
	return c <= ' ' || strings.IndexByte("\"'`()[]{}<>,;|=!?*", c) >= 0
}

// maxAtom bounds identifiers, in bytes.
const maxAtom = 1024

// atomAt reads the atom at i. A URL goes on through what else would end it.
func (d *document) atomAt(i int) atom {
	end := i
	for end < len(d.text) && end-i < maxAtom && !separates(d.text[end]) {
		if d.text[end] >= utf8.RuneSelf && wideStop(d.text[end:]) {
			break
		}
		if end-i < 12 && strings.HasPrefix(d.text[end:], "://") && schemes.MatchString(d.text[i:end]) {
			return d.urlAt(i, end+3)
		}
		end++
	}
	end = max(runeStart(d.text, end), i)
	if end == i { // a wide stop
		_, size := utf8.DecodeRuneInString(d.text[i:])
		return atom{start: i, end: i + size}
	}
	a := atom{start: i, end: end}
	for a.end > i+1 && strings.IndexByte(".:!?*-", d.text[a.end-1]) >= 0 {
		a.end--
	}
	// "key:value" and "host:/path" are two atoms
	if c := strings.IndexByte(d.text[i:a.end], ':'); c > 0 && i+c+1 < a.end && !isDigit(d.text[i+c+1]) && !strings.Contains(d.text[i:a.end], "::") {
		a.end = i + c
	}
	if p := possessive(d.text[a.end:]); p == 0 && strings.HasSuffix(d.text[i:a.end], "’s") {
		a.end -= len("’s")
	}
	return d.framed(a)
}

func (d *document) urlAt(i, end int) atom {
	for end < len(d.text) && end-i < maxAtom && d.text[end] > ' ' && strings.IndexByte("\"'`<>{}|\\", d.text[end]) < 0 {
		if d.text[end] >= utf8.RuneSelf && wideStop(d.text[end:]) {
			break
		}
		end++
	}
	end = runeStart(d.text, end)
	for strings.IndexByte(".,;:!?*'\"", d.text[end-1]) >= 0 || unpaired(d.text[i:end]) {
		end--
	}
	return d.framed(atom{start: i, end: end})
}

// unpaired says whether s ends in a bracket that it does not open.
func unpaired(s string) bool {
	switch s[len(s)-1] {
	case ')':
		return strings.Count(s, "(") < strings.Count(s, ")")
	case ']':
		return strings.Count(s, "[") < strings.Count(s, "]")
	}
	return false
}

func (d *document) framed(a atom) atom {
	a.text = d.text[a.start:a.end]
	if a.end < len(d.text) {
		a.after = d.text[a.end]
	}
	if a.start > 0 {
		a.prior = d.text[a.start-1]
	}
	return a
}

// wideStop says whether s begins with punctuation outside ASCII that ends an
// atom, or with a script whose words are not identifiers.
func wideStop(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x2e80 || strings.ContainsRune("“”„«»‹›…–—·•‘→⟶。、，", r)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// idRules are tried in order on an atom; those with a cue need a cue word
// before the atom.
var idRules = []struct {
	name, typ string
	// needs are bytes of which the atom must have one, to skip the expression
	// on ordinary words.
	needs string
	form  *regexp.Regexp
}{
	{"url", Identifier, ":.", regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+]*://\S+|www\.\S+\.\S+|mailto:\S+@\S+)$`)},
	{"e-mail", Identifier, "@", regexp.MustCompile(`^[\pL\d._%+-]+@[\pL\d-]+(?:\.[\pL\d-]+)+$`)},
	{"handle", Identifier, "@", regexp.MustCompile(`^@[\pL\d_][\pL\d_.-]*(?::[\w.-]+)?$`)},
	{"cve", Identifier, "-", regexp.MustCompile(`^(?i:cve|ghsa|cwe)-[\w-]+$`)},
	{"ip", Identifier, ".:", regexp.MustCompile(`^(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?::\d+)?$|^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$|^[0-9a-f:]*::[0-9a-f:]*[0-9a-f]$`)},
	{"number-sign", Identifier, "#", regexp.MustCompile(`^[!#]\d+$`)},
	{"channel", Identifier, "#", regexp.MustCompile(`^#[\pL][\pL\d_-]+$`)},
	{"uuid", Identifier, "-", regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)},
	{"path", Identifier, "/", regexp.MustCompile(`^(?:~|\.{1,2})?/[\w@.+-]+(?:/[\w@.+*-]*)*(?::\d+(?:[:-]\d+)?)?$|^[A-Z]:\\\S+$`)},
	{"path", Identifier, "/", regexp.MustCompile(`^[\w@.+-]+(?:/[\w@.+*-]+)*/(?:[\w@+-]*\.[A-Za-z][A-Za-z0-9]{0,4}(?::\d+(?:[:-]\d+)?)?)?$`)},
	{"iban", Identifier, "0123456789", regexp.MustCompile(`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`)},
	{"coded", Identifier, "-", regexp.MustCompile(`^[A-Z][A-Z0-9_]*-\d+[A-Z0-9]*(?:[-/][A-Z0-9]+)*$|^\d[A-Z0-9]*-[A-Z0-9-]*[A-Z][A-Z0-9-]*$|^[A-Z]+\d[A-Z0-9]*(?:-[A-Z0-9]+)+$|^[A-Z]+-[A-Z0-9]+-\d[A-Z0-9-]*$`)},
	{"hash", Identifier, "0123456789", regexp.MustCompile(`^(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{5,62}$`)},
	{"serial", Identifier, "0123456789", regexp.MustCompile(`^(?:[A-Z]{1,4}\d{5,}[A-Z]{0,3}|\d{3,}[A-Z]{1,3}\d*|[A-Z0-9]*[A-Z]\d[A-Z0-9]*\d{3,}[A-Z0-9]*)$`)},
	{"key", Identifier, "_", regexp.MustCompile(`^(?:ak|sk|pk|tok|key|usr|user|req|run|job|txn|ord|cus|inv|evt|msg|acct|session|sess|trace|id)_[0-9A-Za-z]*\d[0-9A-Za-z]*$`)},
	{"branch", Identifier, "/", regexp.MustCompile(`^(?:feature|feat|fix|bugfix|hotfix|release|chore|refactor|docs|test|wip|origin|users?)/[\w.#/-]*[\w#]$`)},
	{"file", Document, ".", regexp.MustCompile(`^[\pL\d_@+-][\pL\d_.@+-]*\.(?i:` + fileExtensions + `)$`)},
	{"host", Identifier, ".", regexp.MustCompile(`^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+(?:` + topLevels + `)(?::\d+)?(?:/\S*)?$`)},
}

const (
	fileExtensions = `pdf|docx?|odt|ods|odp|xlsx?|pptx?|key|pages|numbers|txt|md|mdx|rst|adoc|tex|csv|tsv|json|jsonl|ndjson|yaml|yml|toml|ini|cfg|conf|xml|xsd|html?|css|scss|js|jsx|ts|tsx|mjs|vue|svelte|go|mod|sum|py|ipynb|rb|rs|java|kt|scala|swift|c|h|cc|cpp|hpp|cs|fs|php|pl|lua|r|jl|sh|bash|zsh|ps1|bat|sql|db|sqlite|parquet|avro|proto|graphql|tf|lock|log|po|pot|png|jpe?g|gif|svg|webp|psd|ai|eps|mp3|mp4|wav|mov|avi|zip|gz|tgz|tar|bz2|7z|rar|iso|exe|msi|dmg|deb|rpm|jar|ics|vcf|eml|bak|tmp|patch|diff|dwg|stl|gpx|epub|properties|env|service|plist`
	topLevels      = `example|invalid|test|localhost|internal|local|lan|corp|intra|home|com|org|net|edu|gov|mil|int|io|dev|app|ai|co|info|biz|cloud|tech|online|shop|site|xyz|me|tv|eu|uk|de|fr|es|it|nl|be|ch|at|se|no|dk|fi|pl|cz|sk|hu|pt|ie|gr|tr|ru|ua|jp|cn|kr|in|br|mx|ar|au|nz|za|ca|us|ke|ng|is|ee|lv|lt`
)

// identify says what an atom is, if it is an identifier, a file or a coded
// name of a system, tool or repository.
func (d *document) identify(a atom) (span, bool) {
	s := span{start: a.start, end: a.end, sure: true}
	if a.text == "" {
		return s, false
	}
	digit := strings.ContainsAny(a.text, "0123456789")
	if digit || a.text[0] == '+' || spacedTag.MatchString(a.text) {
		if end, rule := d.numberAt(a); end > 0 {
			s.end, s.typ, s.rule = end, Identifier, rule
			return s, true
		}
	}
	if !digit && !strings.ContainsAny(a.text, "@:./-_#\\") {
		return d.plainAtom(a)
	}
	for _, r := range idRules {
		if strings.ContainsAny(a.text, r.needs) && r.form.MatchString(a.text) && d.plausible(r.name, a) {
			s.typ, s.rule = r.typ, r.name
			return s, true
		}
	}
	if digit && idKeys.has(lastWord(a.before)) && keyedID.MatchString(a.text) || userKeys.has(lastWord(a.before)) && a.prior == '=' && userName.MatchString(a.text) {
		s.typ, s.rule = Identifier, "keyed"
		return s, true
	}
	if initialUser.MatchString(a.text) && a.after != '(' {
		s.typ, s.rule = Identifier, "user"
		return s, true
	}
	s.typ, s.rule = d.codedName(a)
	if head, _, ok := strings.Cut(a.text, "."); ok && s.rule == "call" && snakeName.MatchString(head) && d.systemTails.has(head[strings.LastIndexByte(head, '_')+1:]) {
		// a table of a database
		s.end, s.typ, s.rule = a.start+len(head), System, "coded system"
	}
	return s, s.typ != ""
}

var (
	// idKeys and userKeys come before the value of a field that is an
	// identifier whatever it looks like.
	idKeys      = newWordSet("id key ref sku uid uuid guid serial order_id ticket_id user_id request_id trace_id session_id job_id run_id account_id customer_id txn tx")
	userKeys    = newWordSet("user username login uid account acct actor uname")
	keyedID     = regexp.MustCompile(`^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$`)
	initialUser = regexp.MustCompile(`^[a-z]\.[a-z]{3,}$`)
	userName    = regexp.MustCompile(`^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)+$`)
)

// notCoded are codes that name a standard or a format.
var notCoded = regexp.MustCompile(`^(?:UTF|SHA|ISO|RFC|MD|BASE|COVID|EN|DIN|IEC|IEEE|ADR|PEP|ECMA|TLS|HTTP|H|Q|USB|MP|GPT|AES|RSA|X|WEBP)-?\d|^[A-Z]-\d$`)

// plausible takes out look-alikes of a rule.
func (d *document) plausible(rule string, a atom) bool {
	switch rule {
	case "coded":
		return !notCoded.MatchString(a.text)
	case "serial", "iban":
		return !notCoded.MatchString(a.text) && !strings.HasSuffix(a.text, "GB") && !strings.HasSuffix(a.text, "MB")
	case "path":
		return !dateLike.MatchString(a.text) && len(a.text) > 2
	case "handle":
		return a.prior != '/' && (a.prior == 0 || !isWordRune(rune(a.prior)))
	case "channel":
		return a.after != '='
	case "host":
		return !versionLike.MatchString(a.text)
	case "file":
		// "e.g" and "Node.js"
		return a.text != "e.g" && a.text != "i.e" && !d.isTool(strings.ToLower(a.text)) && a.after != '('
	}
	return true
}

var (
	dateLike    = regexp.MustCompile(`^\d{1,4}/\d{1,2}(?:/\d{1,4})?$`)
	versionLike = regexp.MustCompile(`^v?\d+(?:\.\d+)+`)
)

var (
	// called is the beginning of the arguments that an agent gives to a tool
	called   = regexp.MustCompile(`^\((?:[a-z_]+ ?[=:]|["'{\[])`)
	builtins = newWordSet("print printf println log echo len str int float repr open range assert require import include throw raise return if for while switch console alert")
)

// plainAtom finds user names where a log says that a word is one.
func (d *document) plainAtom(a atom) (span, bool) {
	s := span{start: a.start, end: a.end, typ: Identifier, rule: "user", sure: true}
	if a.after == '(' && len(a.text) > 2 && strings.ToLower(a.text) == a.text && !builtins.has(a.text) && called.MatchString(d.text[a.end:min(len(d.text), a.end+48)]) {
		s.typ, s.rule = Tool, "call"
		return s, true
	}
	if a.before == "" || len(a.text) < 3 || strings.ToLower(a.text) != a.text || d.isCommon(a.text) || d.isGivenName(a.text) && !strings.HasSuffix(a.before, "started by") {
		return s, false
	}
	for _, cue := range []string{"publickey for", "password for", "session for", "for user", "started by", " uid", " login", " operator", "run by", "user"} {
		if strings.HasSuffix(a.before, cue) && (cue != "user" || a.prior == '=') {
			return s, true
		}
	}
	return s, false
}
