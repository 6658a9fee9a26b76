package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"tenure/grain"
	"tenure/text"
)

// Version is the version of the canonical forms. Increment it when a form changes: what was judged by the former
// forms is then judged again.
const Version = 2

// Kind is what a value is.
type Kind string

// The kinds of values.
const (
	Number   Kind = "number" // a percentage is the number that it stands for
	Money    Kind = "money"
	Quantity Kind = "quantity" // with a unit; durations included
	Range    Kind = "range"
	Date     Kind = "date" // a day, or a part of a date: a month, a quarter, a day of a month
	Time     Kind = "time" // of the day
	Instant  Kind = "instant"
	Moment   Kind = "datetime" // a date with a time of an unknown zone
	Boolean  Kind = "boolean"
	Phone    Kind = "phone"
	Email    Kind = "email"
	URL      Kind = "url"
	Text     Kind = "text"
	JSON     Kind = "json"
	// None is no value: "unknown", "TBD", "n/a", null.
	None Kind = "none"
)

// Value is a value that was read.
type Value struct {
	Kind Kind
	form string
	// Ambiguous says in which ways the value could be read, if in several: then it is compared as text.
	Ambiguous string

	grain *grain.Grain
}

// Canonical returns the form in which the value is compared.
func (v Value) Canonical() string { return string(v.Kind) + ":" + v.form }

// Refusals of a value.
var (
	errNotJSON = errors.New("is not JSON")
	errLarge   = errors.New("is a number beyond any real quantity")
)

// Parse reads a JSON value by what it is.
func Parse(value json.RawMessage) (Value, error) {
	v, err := decode(value)
	if err != nil {
		return Value{}, err
	}
	switch v := v.(type) {
	case string:
		return Of(v), nil
	case json.Number:
		if n, ok := plainNumber(v.String()); ok {
			return number(n), nil
		}
		return Value{}, errLarge
	case bool:
		return boolean(v), nil
	case nil:
		return Value{Kind: None}, nil
	}
	return ofJSON(v)
}

// ParseJSON compares a value as JSON: objects whatever the order of their keys.
func ParseJSON(value json.RawMessage) (Value, error) {
	v, err := decode(value)
	if err != nil {
		return Value{}, err
	}
	return ofJSON(v)
}

func ofJSON(v any) (Value, error) {
	sorted, err := json.Marshal(v)
	if err != nil {
		return Value{}, errNotJSON
	}
	return Value{Kind: JSON, form: string(sorted)}, nil
}

func decode(value json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, errNotJSON
	}
	return v, nil
}

// longest bounds the text that is read as anything but text, in bytes.
const longest = 120

// spelling is a text in two forms: compatibility characters resolved and spaces collapsed, and that in lower case.
type spelling struct{ as, low string }

func spellingOf(s string) spelling {
	s = strings.Join(strings.Fields(uniform.Replace(norm.NFKC.String(s))), " ")
	return spelling{s, strings.ToLower(s)}
}

// uniform replaces variants of dashes, quotes and the fraction slash.
var uniform = strings.NewReplacer(
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2212", "-",
	"\u2018", "'", "\u2019", "'", "\u201a", "'", "\u02bc", "'", "\u201c", `"`, "\u201d", `"`, "\u201e", `"`,
	"\u00ab", `"`, "\u00bb", `"`, "\u2044", "/", "\u00b0 ", "\u00b0",
)

// readers read the kinds of text, the most specific first.
var readers = []func(spelling) (Value, bool){
	readBoolean, readEmail, readDuration, readInstant, readDate, readTime, readPhone, readAmount, readRange, readURL,
}

// Of reads a text by what it is.
func Of(s string) Value {
	if len(s) > longest {
		return OfText(s)
	}
	p := spellingOf(s)
	p = spelling{closed(p.as), closed(p.low)}
	if isNone(p) {
		return Value{Kind: None}
	}
	ambiguous := ""
	for _, read := range readers {
		v, ok := read(p)
		if ok {
			return v
		}
		if v.Ambiguous != "" {
			ambiguous = v.Ambiguous
			break
		}
	}
	v := OfText(s)
	v.Ambiguous = ambiguous
	return v
}

// closed returns a text without closing punctuation, and without quotes around it.
func closed(s string) string {
	s = strings.TrimRight(s, ".!;, ")
	if len(s) > 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	return s
}

// truths are the words for true and false, in a dozen languages.
var truths = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("true yes y on ja wahr oui vrai sí verdadero cierto sim verdadeiro sì vero waar sant sandt tak " +
		"prawda да истина правда はい 是 真 对 예 evet doğru ✓ ✔ ☑ ✅") {
		m[w] = true
	}
	for _, w := range strings.Fields("false no n off nein falsch non faux falso não nee onwaar nej falskt falsk usant usandt nie fałsz " +
		"нет ложь неправда いいえ 否 假 不是 아니요 hayır yanlış ✗ ✘ ☐ ❌") {
		m[w] = false
	}
	return m
}()

func readBoolean(s spelling) (Value, bool) {
	b, ok := truths[s.low]
	return boolean(b), ok
}

func boolean(b bool) Value {
	if b {
		return Value{Kind: Boolean, form: "true"}
	}
	return Value{Kind: Boolean, form: "false"}
}

func number(n *big.Rat) Value { return Value{Kind: Number, form: n.RatString(), grain: ofNumber(n)} }

// nothing lists the texts that are no value.
var nothing = func() map[string]bool {
	set := map[string]bool{}
	for _, s := range []string{
		"", "-", "--", "---", "?", "??", "???", "n/a", "n.a", "n/k", "null", "nil", "undefined", "unknown", "not known",
		"unspecified", "not specified", "not stated", "not given", "not provided", "not available", "not_available",
		"not applicable", "not set", "unset", "not sure", "unsure", "don't know", "i don't know", "dont know", "idk",
		"no idea", "no data", "no information", "no info", "tbd", "tba", "tbc", "t.b.d", "t.b.a", "t.b.c",
		"to be determined", "to be decided", "to be defined", "to be announced", "to be confirmed", "<unknown>",
		"(unknown)", "[unknown]", "<none>", "(none)", "(blank)", "(empty)", "nicht verfügbar", "non disponible", "no disponible", "s.o", "ej tillgänglig", "не указано", "unbekannt", "keine angabe", "k.a", "k. a", "nicht bekannt",
		"weiß nicht", "inconnu", "inconnue", "non communiqué", "non renseigné", "à déterminer", "à définir", "à confirmer",
		"desconocido", "desconocida", "se desconoce", "sin datos", "no se sabe", "por determinar", "por definir",
		"por confirmar", "desconhecido", "desconhecida", "a definir", "a confirmar", "sconosciuto", "sconosciuta",
		"non noto", "da definire", "da determinare", "onbekend", "niet bekend", "nog te bepalen", "n.n.b", "ukjent", "ukendt",
		"okänd", "okänt", "nieznany", "nieznane", "brak danych", "неизвестно", "неизвестен", "неизвестна", "нет данных",
		"未知", "不明", "不詳", "待定", "未定", "알 수 없음", "미정",
	} {
		set[s] = true
	}
	return set
}()

// isNone reports whether a text is no value. Null with one capital is a surname.
func isNone(s spelling) bool { return nothing[s.low] && s.as != "Null" }

// OfWords compares a text by its words, unless it is no value.
func OfWords(s string) Value {
	if len(s) <= longest {
		if p := spellingOf(s); isNone(spelling{closed(p.as), closed(p.low)}) {
			return Value{Kind: None}
		}
	}
	return OfText(s)
}

// OfText compares a text as words: case, width, spacing, the kinds of quotes and dashes, punctuation between words and
// at the end make no difference.
func OfText(s string) Value { return Value{Kind: Text, form: textForm(s), grain: ofPlace(s)} }

func textForm(s string) string {
	s = text.Key(uniform.Replace(s))
	if plain := closed(s); plain != "" {
		s = plain
	}
	if m := inverted.FindStringSubmatch(s); len(m) > 0 && legalForms[plainWord(m[2])] == "" {
		s = m[2] + " " + m[1]
	}
	words := strings.Fields(s)
	for i, w := range words {
		words[i] = plainWord(w)
	}
	if n := len(words) - 1; n > 0 && legalForms[words[n]] != "" {
		words[n] = legalForms[words[n]]
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// inverted is a name with the family name first.
var inverted = regexp.MustCompile(`^([\pL\pM'-]+), ([\pL\pM'-]+\.?(?: [\pL\pM'-]+\.?)?)$`)

// legalForms are the legal forms of companies that are written in full and short.
var legalForms = map[string]string{
	"incorporated": "inc", "inc": "inc", "corporation": "corp", "corp": "corp", "limited": "ltd", "ltd": "ltd", "company": "co",
	"co": "co", "gmbh": "gmbh", "ag": "ag", "plc": "plc", "llc": "llc", "llp": "llp", "sa": "sa", "srl": "srl", "ab": "ab", "as": "as",
	"oy": "oy", "bv": "bv", "nv": "nv", "kg": "kg", "spa": "spa", "pty": "pty", "kk": "kk",
}

// plainWord returns a word without punctuation after it, and an abbreviation without its full stops.
func plainWord(w string) string {
	if w == "&" {
		return "and"
	}
	if plain := strings.TrimRight(w, ".,;:!"); plain != "" {
		w = plain
	}
	letters := strings.Split(w, ".")
	if len(letters) < 2 {
		return w
	}
	for _, l := range letters {
		if r := []rune(l); len(r) != 1 || r[0] >= '0' && r[0] <= '9' {
			return w
		}
	}
	return strings.Join(letters, "")
}
