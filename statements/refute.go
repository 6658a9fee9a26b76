package statements

import (
	"regexp"
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// Refutation is a sentence that says that what somebody said is wrong: "Ann's estimate was wrong".
type Refutation struct {
	tenure.Span
	// Voices are the indexes of the voices that are refuted.
	Voices  []int
	Trigger string
	// Quoted is the quotation that is refuted, "" if there is none.
	Quoted string
	// About are the words that say which part is wrong, none if all of it is.
	About []string
}

// Refutations finds the sentences of a text that say nothing but that one of the voices was wrong. A voice is named by
// its name, or by the first word of it that no other voice has.
func Refutations(s string, voices []string) (list []Refutation) {
	for _, at := range sentence.FindAllStringIndex(s, -1) {
		if r, ok := refutation(s[at[0]:at[1]], voices); ok {
			r.Start, r.End = at[1]-len(strings.TrimLeft(s[at[0]:at[1]], " \t")), at[1]
			r.Text = s[r.Start:r.End]
			list = append(list, r)
		}
	}
	return list
}

var (
	sentence = regexp.MustCompile(`(?:[^.!?;\n ]|\.[0-9]| (?:['"“‘«][^'"”’»\n]*['"”’»])?)+[.!?;]*`)
	isWrong  = regexp.MustCompile(`(?i)^(.+?)[ ,]+` +
		`(?:was|were|is|are|has been|have been|had been|got it|got this|got that|had it)` +
		`((?: (?:also|all|both|just|simply|completely|entirely|totally|plain|flat out|too|apparently))*` +
		` (?:wrong|incorrect|mistaken|inaccurate|erroneous|in error|not right|not correct))` +
		`((?: (?:about|on|with|regarding) .+)|(?: too| as well| again)?)$`)
	quotedWrong = regexp.MustCompile(`(?i)^(?:(?:the|our|my|your|his|her|their|that|this|earlier|previous|original|conclusion|` +
		`statement|claim|assumption|note|actually|correction)[,:]? +)*['"“‘«](.+)['"”’»] +(?:was|were|is|are) +((?:now |also |all )*` +
		`(?:based on (?:incorrect|wrong|outdated|bad|false|old|stale|invalid) ` +
		`(?:information|data|numbers|figures|assumptions|input)` +
		`|wrong|incorrect|invalid|no longer (?:valid|true|correct)|not (?:right|correct|valid)))`)
	beginsWith = regexp.MustCompile(`(?i)^(?:actually|correction|update|sorry|ok|okay|well|so|and|but|no|yes|then|` +
		`it turns out|turns out|it turned out|turned out|both|that)[,:]? +`)
)

// longestRefutation is the number of bytes of the longest sentence that is looked at.
const longestRefutation = 300

// leastQuoted is the number of words that a quotation has at least to be recognised.
const leastQuoted = 3

// refutation reads a sentence.
func refutation(s string, voices []string) (r Refutation, ok bool) {
	s = strings.TrimSpace(s)
	if strings.HasSuffix(s, "?") || len(s) > longestRefutation {
		return r, false
	}
	s = strings.TrimSpace(strings.TrimRight(s, ".!;"))
	if m := quotedWrong.FindStringSubmatch(s); len(m) > 2 && len(plainWords(m[1])) >= leastQuoted {
		r.Quoted, r.Trigger = m[1], strings.TrimSpace(m[2])
		return r, true
	}
	for beginsWith.MatchString(s) {
		s = beginsWith.ReplaceAllString(s, "")
	}
	m := isWrong.FindStringSubmatch(s)
	if m == nil {
		return r, false
	}
	r.Trigger = strings.TrimSpace(m[2])
	for part := range strings.SplitSeq(strings.ReplaceAll(m[1], " nor ", " and "), " and ") {
		i, about := voiceOf(part, voices)
		if i < 0 {
			return r, false
		}
		r.Voices, r.About = append(r.Voices, i), append(r.About, about...)
	}
	for _, w := range text.Words(m[3]) {
		if low := text.Fold(m[3][w.From:w.Until]); !besideVoice[low] {
			r.About = append(r.About, low)
		}
	}
	return r, true
}

// voiceOf returns the index of the voice that a phrase names, -1 if none or several, and the words that say which part.
func voiceOf(s string, voices []string) (found int, about []string) {
	spoken, thing := plainWords(s), false
	for len(spoken) > 0 && (besideVoice[spoken[0]] || spoken[0] == "what") {
		thing = spoken[0] == "the"
		spoken = spoken[1:]
	}
	found, longest := named(spoken, voices)
	if found < 0 || thing && longest < len(plainWords(voices[found])) { // "the build" is no build bot
		return -1, nil
	}
	name, rest := plainWords(voices[found]), spoken[longest:]
	for _, w := range rest {
		if !besideVoice[w] && !slices.Contains(name, w) {
			about = append(about, w)
		}
	}
	if len(about) > 0 && rest[0] != "s" { // "customer data" is not what a customer said
		return -1, nil
	}
	return found, about
}

// named returns the index of the voice whose name begins a phrase, -1 if none or several, and the length in words.
func named(spoken, voices []string) (found, longest int) {
	found = -1
	for i, v := range voices {
		n, name := 0, plainWords(v)
		for n < len(name) && n < len(spoken) && name[n] == spoken[n] {
			n++
		}
		switch {
		case n > longest:
			found, longest = i, n
		case n > 0 && n == longest:
			found = -1
		}
	}
	return found, longest
}

func plainWords(s string) (list []string) {
	for _, w := range text.Words(s) {
		list = append(list, text.Fold(s[w.From:w.Until]))
	}
	return list
}

// besideVoice are the words beside a name that only refer to what the voice said.
var besideVoice = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`s the our my his her their this that what of from by in on a an about with regarding
		said says told us me wrote claimed suggested reported diagnosis diagnoses answer answers statement statements claim
		claims estimate analysis assessment conclusion conclusions theory guess explanation report assumption assumptions
		information info advice finding findings view opinion earlier previous first initial original last support team too
		as well again it both also`) {
		set[w] = true
	}
	return set
}()
