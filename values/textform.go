package values

import (
	"regexp"
	"strings"

	"tenure/text"
)

// OfText compares a text as words: case, width, spacing, the kinds of quotes and dashes, punctuation between words and
// at the end make no difference.
func OfText(s string) Value { return Value{Kind: Text, form: textForm(s), grain: ofPlace(s)} }

func textForm(s string) string {
	const enough = 5 // what one change uncovers, as a full stop that ends an abbreviation no more, another may take away
	s = text.Key(uniform(s))
	for range enough {
		before := s
		if s = plainForm(s); s == before {
			break
		}
	}
	return s
}

func plainForm(s string) string {
	if plain := closed(s); plain != "" {
		s = plain
	}
	if strings.Contains(s, ". ") {
		s = initials.ReplaceAllString(initials.ReplaceAllString(s, "$1$2.$3."), "$1$2.$3.")
	}
	if m := inverted(s); m != "" {
		s = m
	}
	if strings.Contains(s, "x") {
		s = sizes.ReplaceAllString(sizes.ReplaceAllString(s, "${1}x$2"), "${1}x$2")
	}
	words := strings.Fields(strings.ReplaceAll(s, "\u2044", "/"))
	for i, w := range words {
		words[i] = plainWord(w)
	}
	return strings.Join(legal(titled(words)), " ")
}

var (
	sizes    = regexp.MustCompile(`(\d) ?x ?(\d)`)
	initials = regexp.MustCompile(`(^|[ .])(\pL)\. (\pL)(?:\.|$)`)
)

// titles are the words before a name that are written in full and short.
var titles = map[string]string{"doctor": "dr", "professor": "prof", "mister": "mr", "st": "saint", "mt": "mount"}

func titled(words []string) []string {
	if len(words) > 1 && titles[words[0]] != "" {
		words[0] = titles[words[0]]
	}
	return words
}

// legalForms are the legal forms of companies that are written in full and short.
var legalForms = func() map[string]string {
	m := map[string]string{}
	for short, full := range map[string]string{
		"inc": "incorporated;incorporée", "corp": "corporation", "ltd": "limited;ltée;limitée", "co": "company;cie;compagnie",
		"gmbh": "gesellschaft mit beschränkter haftung;ges m b h;gesmbh;ges.m.b.h", "ag": "aktiengesellschaft", "plc": "public limited company",
		"llc": "limited liability company", "llp": "limited liability partnership", "lp": "limited partnership",
		"sa": "société anonyme;sociedad anónima;sociedade anónima;sociedade anônima;societate pe acțiuni", "sa de cv": "sociedad anónima de capital variable", "sas": "société par actions simplifiée",
		"sarl": "s à rl;sà rl;sàrl;société à responsabilité limitée", "srl": "società a responsabilità limitata;sociedad de responsabilidad limitada",
		"sl": "sociedad limitada", "spa": "società per azioni", "ab": "aktiebolag", "as": "a/s;aksjeselskap;aktieselskab",
		"asa": "allmennaksjeselskap", "aps": "anpartsselskab", "oy": "osakeyhtiö", "oyj": "julkinen osakeyhtiö", "oü": "osaühing",
		"bv": "besloten vennootschap", "nv": "naamloze vennootschap", "kg": "kommanditgesellschaft", "ohg": "offene handelsgesellschaft",
		"ev": "eingetragener verein", "pty": "proprietary;(pty)", "se": "societas europaea", "pvt": "private;pte", "kk": "kabushiki kaisha;株式会社",
		"spzoo": "sp z oo;sp zoo;spółka z ograniczoną odpowiedzialnością", "sro": "společnost s ručením omezeným", "doo": "d oo",
		"kft": "korlátolt felelősségű társaság", "ltda": "limitada;lda", "bhd": "berhad", "sdn": "sendirian",
	} {
		m[short] = short
		for f := range strings.SplitSeq(full, ";") {
			m[f] = short
		}
	}
	return m
}()

// longestForm is the number of words of the longest legal form.
const longestForm = 6

// legal shortens the legal forms at the end of a name.
func legal(words []string) []string {
	var tail []string
	for len(words) > 1 {
		n := min(longestForm, len(words)-1)
		for n > 0 && legalForms[strings.Join(words[len(words)-n:], " ")] == "" {
			n--
		}
		if n == 0 {
			break
		}
		tail = append(tail, legalForms[strings.Join(words[len(words)-n:], " ")])
		words = words[:len(words)-n]
	}
	for i := len(tail) - 1; i >= 0; i-- {
		words = append(words, tail[i])
	}
	return words
}

// invertedName is a name with the family name first, and what follows the name last.
var invertedName = regexp.MustCompile(`^([\pL\pM'-]+(?: [\pL\pM'-]+){0,2}), ?` +
	`([\pL\pM'-]+\.?(?: ?[\pL\pM'-]+\.?){0,3})(?:, (jr|sr|ii|iii|iv|phd|ph\.d|md|m\.d|esq))?$`)

// inverted returns a name that has the family name first with it last, "" for any other text.
func inverted(s string) string {
	if !strings.Contains(s, ",") {
		return ""
	}
	m := invertedName.FindStringSubmatch(s)
	if len(m) == 0 || legalForms[plainWord(m[2])] != "" {
		return ""
	}
	first, _, _ := strings.Cut(m[2], " ")
	if w := plainWord(first); legalForms[w] != "" || suffixes[w] {
		return ""
	}
	return strings.TrimSpace(m[2] + " " + m[1] + " " + m[3])
}

// suffixes are what follows a name and is none.
var suffixes = map[string]bool{
	"jr": true, "junior": true, "sr": true, "ii": true, "iii": true, "iv": true, "phd": true, "md": true, "esq": true, "mba": true, "cpa": true,
	"qc": true, "kc": true, "obe": true, "mbe": true, "mp": true, "msc": true, "ma": true, "ba": true, "bsc": true, "rn": true, "pe": true,
}

// contracted are the contractions that can be read in one way.
var contracted = map[string]string{
	"won't": "will not", "can't": "can not", "cannot": "can not", "shan't": "shall not", "i'm": "i am", "&": "and", "--": "-", "---": "-",
	"ph.d": "phd",
}

// plainWord returns a word without punctuation after it, an abbreviation without its full stops, and a contraction in
// full.
func plainWord(w string) string {
	w = strings.ReplaceAll(w, "`", "'")
	if plain := strings.TrimRight(w, ".,;:!"); plain != "" {
		w = plain
	}
	if full, ok := contracted[w]; ok {
		return full
	}
	if strings.IndexByte(w, '\'') > 0 {
		for short, full := range map[string]string{"n't": " not", "'re": " are", "'ll": " will", "'ve": " have"} {
			if stem, ok := strings.CutSuffix(w, short); ok && stem != "" {
				return stem + full
			}
		}
	}
	if !strings.Contains(w, ".") {
		return w
	}
	letters := strings.Split(w, ".")
	for _, l := range letters {
		if r := []rune(l); len(r) != 1 || r[0] >= '0' && r[0] <= '9' {
			return w
		}
	}
	return strings.Join(letters, "")
}
