package identifier

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"tenure/ner/words"
)

// Span is an identifier, a file or a coded name in a text, by bytes.
type Span struct {
	Start, End int
	Type       string
	Rule       string // the rule that found the span
}

// finder finds the identifiers of one text.
type finder struct {
	*words.Lexicon
	text string
}

// Find returns the identifiers, files and coded names of a text, sorted and not
// overlapping.
func Find(text string, l *words.Lexicon) []Span {
	return (&finder{l, text}).find()
}

// rawToken is a run of text without white space, quotation marks, brackets and
// separators: the unit of identifiers, file names and coded names. Words are
// tokenised later, around the identifiers.
type rawToken struct {
	start, end int
	text       string
	signs      signs
	previous   [4]string // the words before it: "Order", "no"
	next       byte      // the byte after it, 0 at the end of the text
	prev       byte      // the byte before it, 0 at the beginning of the text
	afterTitle bool      // a capital begins the word before it
	lineStart  bool      // only times and log levels precede it on its line
}

// before returns up to four words before the raw token, in lower case: "order no".
func (a *rawToken) before() string {
	return strings.TrimSpace(strings.ToLower(strings.Join(a.previous[:], " ")))
}

// lastWord returns the word before the raw token, in lower case.
func (a *rawToken) lastWord() string {
	if w := a.previous[len(a.previous)-1]; w != "" {
		return strings.ToLower(w)
	}
	before := a.before()
	return before[strings.LastIndexByte(before, ' ')+1:]
}

// find finds all spans in one pass over the text.
func (f *finder) find() []Span {
	var found []Span
	var a rawToken
	prev, lineStart, afterTitle := [4]string{}, true, false
	for i := 0; i < len(f.text); {
		if c := f.text[i]; separates(c) || c == ':' {
			if c == '\n' {
				prev, lineStart = [4]string{}, true
			}
			i++
			continue
		}
		a = f.rawTokenAt(i)
		a.previous, a.lineStart, a.afterTitle = prev, lineStart, afterTitle
		end := a.end
		if s, ok := f.identify(&a); ok {
			found = append(found, s)
			end = max(s.End, a.end)
		}
		if w := trimMarks(f.text[a.start:a.end]); !isCopulaOfNumber(prev[3], w) {
			copy(prev[:], prev[1:])
			prev[3] = w
		}
		afterTitle = a.text != "" && a.text[0] >= 'A' && a.text[0] <= 'Z'
		lineStart = lineStart && (timeLike.MatchString(a.text) || logLevels.Has(strings.ToLower(a.text)))
		i = max(end, i+1)
	}
	return found
}

// isCopulaOfNumber reports whether w only joins a number to the noun before it:
// "my policy number is 55120".
func isCopulaOfNumber(noun, w string) bool {
	if len(w) > longestCopula || !copulas.Has(strings.ToLower(w)) {
		return false
	}
	noun = strings.ToLower(noun)
	return numberWords.Has(noun) || codeTriggers.Has(noun)
}

// trimMarks returns s without the marks of sentences, lists and headings at its ends.
func trimMarks(s string) string {
	isMark := func(c byte) bool { return c == '.' || c == ':' || c == '*' || c == '#' }
	for s != "" && isMark(s[0]) {
		s = s[1:]
	}
	for s != "" && isMark(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

var timeLike = regexp.MustCompile(`^(?:\d[\d:T./Z+-]*|[A-Z][a-z]{2})$`)

// maxRawToken bounds raw tokens, in bytes.
const maxRawToken = 1024

// rawTokenAt reads the raw token at i. A URL includes what would separate other
// raw tokens.
func (f *finder) rawTokenAt(i int) rawToken {
	end := i
	for end < len(f.text) && end-i < maxRawToken && !separates(f.text[end]) && !f.stopsAt(end) {
		if f.text[end] == ':' && f.hasScheme(i, end) {
			return f.urlAt(i, end+len("://"))
		}
		end++
	}
	end = max(words.RuneStart(f.text, end), i)
	if end == i { // punctuation outside ASCII
		_, size := utf8.DecodeRuneInString(f.text[i:])
		return rawToken{start: i, end: i + size}
	}
	for end > i+1 && strings.IndexByte(".:!?*-", f.text[end-1]) >= 0 {
		end--
	}
	end = f.cutKey(i, end)
	if words.Possessive(f.text[end:]) == 0 && strings.HasSuffix(f.text[i:end], "’s") {
		end -= len("’s")
	}
	return f.newRawToken(i, end)
}

// maxScheme bounds the scheme of a URL, in bytes.
const maxScheme = 11

func (f *finder) hasScheme(start, end int) bool {
	return end-start <= maxScheme && strings.HasPrefix(f.text[end:], "://") && schemes.MatchString(f.text[start:end])
}

var schemes = regexp.MustCompile(
	`^(?i:https?|ftp|ssh|git|s3|file|wss?|postgres|mysql|redis|mailto|tel|jdbc|amqp|mongodb|ldap)$`)

// cutKey returns the end of the key in "key:value" and "host:/path", which are
// two raw tokens, and otherwise end.
func (f *finder) cutKey(start, end int) int {
	text := f.text[start:end]
	c := strings.IndexByte(text, ':')
	if c <= 0 || c+1 == len(text) || words.IsDigit(text[c+1]) || strings.Contains(text, "::") {
		return end
	}
	return start + c
}

func (f *finder) urlAt(start, end int) rawToken {
	for end < len(f.text) && end-start < maxRawToken && continuesURL(f.text[end]) && !f.stopsAt(end) {
		end++
	}
	end = words.RuneStart(f.text, end)
	for strings.IndexByte(".,;:!?*'\"", f.text[end-1]) >= 0 || hasUnpairedBracket(f.text[start:end]) {
		end--
	}
	return f.newRawToken(start, end)
}

func continuesURL(c byte) bool { return c > ' ' && strings.IndexByte("\"'`<>{}|\\", c) < 0 }

// hasUnpairedBracket reports whether s ends in a bracket that it does not open.
func hasUnpairedBracket(s string) bool {
	switch s[len(s)-1] {
	case ')':
		return strings.Count(s, "(") < strings.Count(s, ")")
	case ']':
		return strings.Count(s, "[") < strings.Count(s, "]")
	}
	return false
}

func (f *finder) newRawToken(start, end int) rawToken {
	a := rawToken{start: start, end: end, text: f.text[start:end], signs: signsOf(f.text[start:end])}
	if end < len(f.text) {
		a.next = f.text[end]
	}
	if start > 0 {
		a.prev = f.text[start-1]
	}
	return a
}

// stopsAt reports whether punctuation outside ASCII, or a script without
// identifiers, begins at byte i.
func (f *finder) stopsAt(i int) bool {
	if f.text[i] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(f.text[i:])
	return r >= 0x2e80 || strings.ContainsRune("“”„«»‹›…–—·•‘→⟶。、，", r)
}

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if words.IsDigit(s[i]) {
			n++
		}
	}
	return n
}

// identifierForms are tried in order on a raw token.
var identifierForms = []struct {
	name, typ string
	// A raw token without all of the signs, or shorter, cannot match form.
	needs signs
	least int
	form  *regexp.Regexp
}{
	{"url", words.Identifier, point, 5, regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+]*://\S+|www\.\S+\.\S+|mailto:\S+@\S+)$`)},
	{"e-mail", words.Identifier, at, 5, regexp.MustCompile(`^[\pL\d._%+-]+@[\pL\d-]+(?:\.[\pL\d-]+)+$`)},
	{"handle", words.Identifier, at, 2, regexp.MustCompile(`^@[\pL\d_][\pL\d_.-]*(?::[\w.-]+)?$`)},
	{"cve", words.Identifier, hyphen, 5, regexp.MustCompile(`^(?i:cve|ghsa|cwe)-[\w-]+$`)},
	{"ip", words.Identifier, point, 3, regexp.MustCompile(
		`^(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?::\d+)?$|` +
			`^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$|^[0-9a-f:]*::[0-9a-f:]*[0-9a-f]$`)},
	{"number-sign", words.Identifier, sharp | digit, 2, regexp.MustCompile(`^[!#]\d+$`)},
	{"channel", words.Identifier, sharp, 3, regexp.MustCompile(`^#[\pL][\pL\d_-]+$`)},
	{"uuid", words.Identifier, hyphen, 36, regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)},
	{"path", words.Identifier, slash, 2, regexp.MustCompile(
		`^(?:~|\.{1,2})?/[\w@.+-]+(?:/[\w@.+*-]*)*(?::\d+(?:[:-]\d+)?)?$|^[A-Z]:\\\S+$`)},
	{"path", words.Identifier, slash, 2, regexp.MustCompile(
		`^[\w@.+-]+(?:/[\w@.+*-]+)*/(?:[\w@+-]*\.[A-Za-z][A-Za-z0-9]{0,4}(?::\d+(?:[:-]\d+)?)?)?$`)},
	{"iban", words.Identifier, digit | upper, 15, regexp.MustCompile(`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`)},
	{"coded", words.Identifier, hyphen | digit | upper, 3, regexp.MustCompile(
		`^[A-Z][A-Z0-9_]*-\d+[A-Z0-9]*(?:[-/][A-Z0-9]+)*$|^\d[A-Z0-9]*-[A-Z0-9-]*[A-Z][A-Z0-9-]*$|` +
			`^[A-Z]+\d[A-Z0-9]*(?:-[A-Z0-9]+)+$|^[A-Z]+-[A-Z0-9]+-\d[A-Z0-9-]*$`)},
	{"hash", words.Identifier, digit, 7, regexp.MustCompile(`^(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{5,62}$`)},
	{"serial", words.Identifier, digit | upper, 4, regexp.MustCompile(
		`^(?:[A-Z]{1,4}\d{5,}[A-Z]{0,3}|\d{3,}[A-Z]{1,3}\d*|[A-Z0-9]*[A-Z]\d[A-Z0-9]*\d{3,}[A-Z0-9]*)$`)},
	{"key", words.Identifier, underscore | digit, 4, regexp.MustCompile(
		`^(?:ak|sk|pk|tok|key|usr|user|req|run|job|txn|ord|cus|inv|evt|msg|acct|session|sess|trace|id)_[0-9A-Za-z]*\d[0-9A-Za-z]*$`)},
	{"branch", words.Identifier, slash, 5, regexp.MustCompile(
		`^(?:feature|feat|fix|bugfix|hotfix|release|chore|refactor|docs|test|wip|origin|users?)/[\w.#/-]*[\w#]$`)},
	{"file", words.Document, dot, 3, regexp.MustCompile(`^[\pL\d_@+-][\pL\d_.@+-]*\.(?i:` + fileExtensions + `)$`)},
	{"host", words.Identifier, dot, 4, regexp.MustCompile(
		`^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+(?:` + topLevels + `)(?::\d+)?(?:/\S*)?$`)},
}

const (
	fileExtensions = `pdf|docx?|odt|ods|odp|xlsx?|pptx?|key|pages|numbers|txt|md|mdx|rst|adoc|tex|csv|tsv|json|jsonl|` +
		`ndjson|yaml|yml|toml|ini|cfg|conf|xml|xsd|html?|css|scss|js|jsx|ts|tsx|mjs|vue|svelte|go|mod|sum|py|` +
		`ipynb|rb|rs|java|kt|scala|swift|c|h|cc|cpp|hpp|cs|fs|php|pl|lua|r|jl|sh|bash|zsh|ps1|bat|sql|db|` +
		`sqlite|parquet|avro|proto|graphql|tf|lock|log|po|pot|png|jpe?g|gif|svg|webp|psd|ai|eps|mp3|mp4|wav|` +
		`mov|avi|zip|gz|tgz|tar|bz2|7z|rar|iso|exe|msi|dmg|deb|rpm|jar|ics|vcf|eml|bak|tmp|patch|diff|dwg|` +
		`stl|gpx|epub|properties|env|service|plist`
	topLevels = `example|invalid|test|localhost|internal|local|lan|corp|intra|home|com|org|net|edu|gov|mil|int|io|` +
		`dev|app|ai|co|info|biz|cloud|tech|online|shop|site|xyz|me|tv|eu|uk|de|fr|es|it|nl|be|ch|at|se|no|dk|` +
		`fi|pl|cz|sk|hu|pt|ie|gr|tr|ru|ua|jp|cn|kr|in|br|mx|ar|au|nz|za|ca|us|ke|ng|is|ee|lv|lt`
)

// identify returns the identifier, the file or the coded name that the raw token
// is, or begins.
func (f *finder) identify(a *rawToken) (Span, bool) {
	if a.text == "" {
		return Span{}, false
	}
	s := Span{Start: a.start, End: a.end}
	if a.signs&digit != 0 || a.text[0] == '+' || isTag(a.text) {
		if end, rule := f.numberAt(*a); end > 0 {
			s.End, s.Type, s.Rule = end, words.Identifier, rule
			return s, true
		}
	}
	if a.signs&(digit|joins) == 0 {
		s.Type, s.Rule = f.plainWord(a)
		return s, s.Type != ""
	}
	if s.Type, s.Rule = f.identifierByForm(a); s.Type != "" {
		return s, true
	}
	s.Type, s.Rule = f.codedName(a)
	if database := f.databaseOf(a.text); s.Rule == "call" && database != "" {
		s.End, s.Type, s.Rule = a.start+len(database), words.System, "coded system"
	}
	return s, s.Type != ""
}

// identifierByForm classifies a raw token by its form, or by the key before it.
func (f *finder) identifierByForm(a *rawToken) (typ, rule string) {
	for _, r := range identifierForms {
		if a.signs&r.needs == r.needs && len(a.text) >= r.least && r.form.MatchString(a.text) && !f.isLookAlike(r.name, a) {
			return r.typ, r.name
		}
	}
	switch key := a.lastWord(); {
	case idKeys.Has(key) && a.signs&digit != 0 && keyedID.MatchString(a.text),
		userKeys.Has(key) && a.prev == '=' && userName.MatchString(a.text):
		return words.Identifier, "keyed"
	case a.signs&dot != 0 && initialUser.MatchString(a.text) && a.next != '(':
		return words.Identifier, "user"
	}
	return "", ""
}

var (
	keyedID     = regexp.MustCompile(`^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$`)
	initialUser = regexp.MustCompile(`^[a-z]\.[a-z]{3,}$`)
	userName    = regexp.MustCompile(`^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)+$`)
)

// databaseOf returns the "orders_db" of "orders_db.rows", "" for other names.
func (f *finder) databaseOf(name string) string {
	database, _, ok := strings.Cut(name, ".")
	if !ok || !snakeName.MatchString(database) || !f.SystemTails.Has(lastPart(database, '_')) {
		return ""
	}
	return database
}

// standardCodes are codes of standards, formats and epochs, which identify
// nothing.
var standardCodes = regexp.MustCompile(`^(?:UTF|SHA|ISO|RFC|MD|BASE|COVID|EN|DIN|IEC|IEEE|ADR|PEP|ECMA|TLS|HTTP|` +
	`H|Q|USB|MP|GPT|AES|RSA|X|WEBP)-?\d|^[A-Z]-\d$`)

// isLookAlike reports whether a raw token that matches a form is something else:
// a standard, a quantity, a date, a version, an abbreviation.
func (f *finder) isLookAlike(form string, a *rawToken) bool {
	switch form {
	case "coded":
		return standardCodes.MatchString(a.text)
	case "serial", "iban":
		return standardCodes.MatchString(a.text) || strings.HasSuffix(a.text, "GB") || strings.HasSuffix(a.text, "MB")
	case "path":
		return dateLike.MatchString(a.text) || len(a.text) <= 2
	case "handle":
		return a.prev == '/' || a.prev != 0 && words.IsWordRune(rune(a.prev))
	case "channel":
		return a.next == '='
	case "host":
		return versionLike.MatchString(a.text)
	case "file": // "Node.js" is a tool, "e.g" an abbreviation, "io.read(" a call
		return isLatinAbbreviation(a.text) || f.IsTool(strings.ToLower(a.text)) || a.next == '('
	}
	return false
}

func isLatinAbbreviation(s string) bool { return s == "e.g" || s == "i.e" }

var (
	dateLike    = regexp.MustCompile(`^\d{1,4}/\d{1,2}(?:/\d{1,4})?$`)
	versionLike = regexp.MustCompile(`^v?\d+(?:\.\d+)+`)
)

// plainWord classifies a raw token of letters alone: the function of a call, or
// a user where a log names one.
func (f *finder) plainWord(a *rawToken) (typ, rule string) {
	switch {
	case len(a.text) < 3 || a.signs&upper != 0 || strings.ToLower(a.text) != a.text:
		return "", ""
	case f.isCall(a):
		return words.Tool, "call"
	case f.followsUserTrigger(a) && !f.IsCommon(a.text) &&
		(!f.IsGivenName(a.text) || strings.HasSuffix(a.before(), "started by")):
		return words.Identifier, "user"
	}
	return "", ""
}

// isCall reports whether the arguments that an agent gives to a tool follow.
func (f *finder) isCall(a *rawToken) bool {
	const window = 48
	return a.next == '(' && !builtins.Has(a.text) &&
		callArguments.MatchString(f.text[a.end:min(len(f.text), a.end+window)])
}

var callArguments = regexp.MustCompile(`^\((?:[a-z_]+ ?[=:]|["'{\[])`)

// followsUserTrigger reports whether a log names a user after the words before
// a.
func (f *finder) followsUserTrigger(a *rawToken) bool {
	last := a.lastWord()
	switch last {
	case "for", "user", "by", "uid", "login", "operator": // the last words of the triggers
		before := a.before()
		for _, trigger := range userTriggers {
			if strings.HasSuffix(before, trigger) {
				return true
			}
		}
	}
	return a.prev == '=' && strings.HasSuffix(last, "user")
}

var userTriggers = []string{
	"publickey for", "password for", "session for", "for user", "started by", " uid", " login", " operator", "run by",
}
