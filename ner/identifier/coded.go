package identifier

import (
	"regexp"
	"strings"
	"unicode"

	"tenure/ner/words"
)

// The forms of coded names: names as programs write them.
var (
	dottedName = regexp.MustCompile(`^[a-z][a-z0-9_]*(?:\.[a-z][a-zA-Z0-9_]*)+$`)
	hyphenName = regexp.MustCompile(`^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$`)
	snakeName  = regexp.MustCompile(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$`)
	ownerRepo  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]+/[A-Za-z][A-Za-z0-9_.-]*[A-Za-z0-9]$`)
	numbered   = regexp.MustCompile(`^(?:[a-z][a-z0-9]*-)+\d{1,4}[a-z]?$`)
)

// codedName classifies a name that is dotted, hyphenated, in snake case, or
// owner/repository. typ is empty for other words.
func (f *finder) codedName(a *rawToken) (typ, rule string) {
	switch {
	case a.signs&dot != 0 && versionLike.MatchString(a.text):
		return "", ""
	case a.signs&slash != 0 && ownerRepo.MatchString(a.text):
		if f.isRepository(a.text) {
			return words.Repository, "owner/name"
		}
	case a.signs&dot != 0 && dottedName.MatchString(a.text) && a.next != '@':
		if !words.IsAbbreviation(a.text) {
			return words.Tool, "call"
		}
	case a.signs&underscore != 0 && snakeName.MatchString(a.text):
		return f.snakeCaseName(a)
	case a.signs&hyphen != 0 && hyphenName.MatchString(a.text):
		return f.hyphenatedName(a)
	}
	return "", ""
}

// isRepository reports whether an owner/name is no alternative such as "and/or".
func (f *finder) isRepository(s string) bool {
	owner, name, _ := strings.Cut(strings.ToLower(s), "/")
	return s != strings.ToUpper(s) && len(owner) >= 3 && len(name) >= 2 &&
		(!f.IsCommon(owner) || !f.IsCommon(name) || f.RepositoryTails.Has(name))
}

// snakeCaseName classifies functions, databases and repositories. Names of
// fields are none of them.
func (f *finder) snakeCaseName(a *rawToken) (typ, rule string) {
	tail := lastPart(a.text, '_')
	switch {
	case f.isFieldName(a):
		return "", ""
	case a.next == '(' || toolCallTriggers.Has(a.lastWord()):
		return words.Tool, "function"
	case f.SystemTails.Has(tail) || a.lineStart:
		return words.System, "coded system"
	case f.RepositoryTails.Has(tail):
		return words.Repository, "coded repository"
	case f.ToolTails.Has(tail) || a.prev == '`' || beginsWithVerb(a.text):
		return words.Tool, "function"
	}
	return words.System, "coded system"
}

// lastPart returns what follows the last separator of s.
func lastPart(s string, separator byte) string { return s[strings.LastIndexByte(s, separator)+1:] }

// isFieldName reports whether a is the key of a record, an assignment or a
// setting. What begins the line of a log with a colon may be a system.
func (f *finder) isFieldName(a *rawToken) bool {
	switch a.next {
	case '=':
		return true
	case ':':
		return !a.lineStart || f.allPartsCommon(a.text, "_")
	case '"':
		rest := f.text[a.end+1 : min(len(f.text), a.end+4)]
		return a.prev == '"' && strings.HasPrefix(strings.TrimLeft(rest, " "), ":")
	}
	return false
}

// allPartsCommon reports whether all parts of w are common words or begin with a
// digit.
func (f *finder) allPartsCommon(w, separator string) bool {
	for part := range strings.SplitSeq(w, separator) {
		if !f.IsCommon(part) && (part == "" || !words.IsDigit(part[0])) {
			return false
		}
	}
	return true
}

func beginsWithVerb(s string) bool {
	verb, _, _ := strings.Cut(s, "_")
	return functionVerbs.Has(verb)
}

// hyphenated is a raw token with hyphens, in lower case.
type hyphenated struct {
	*rawToken
	f          *finder
	head, tail string // the first and the last part
	common     bool   // all parts are common words or numbers
}

// hyphenatedName sets names of systems, repositories and tools off from
// hyphenated English.
func (f *finder) hyphenatedName(a *rawToken) (typ, rule string) {
	head, _, _ := strings.Cut(a.text, "-")
	if a.prev == '-' || a.next == '=' && a.prev != '"' || head == "mid" || head == "al" {
		return "", ""
	}
	h := hyphenated{a, f, head, lastPart(a.text, '-'), f.allPartsCommon(a.text, "-")}
	for _, r := range hyphenatedRules {
		if r.holds(h) {
			return r.typ, r.name
		}
	}
	return "", ""
}

// hyphenatedRules are tried in order; a rule without a type rejects the name.
var hyphenatedRules = []struct {
	typ, name string
	holds     func(hyphenated) bool
}{
	{words.Tool, "known tool", func(h hyphenated) bool { return h.f.IsTool(h.text) }},
	{words.Person, "given name", func(h hyphenated) bool { return h.f.IsGivenName(h.text) }},
	{words.Tool, "command", func(h hyphenated) bool { return h.prev == '`' && runTriggers.Has(h.lastWord()) }},
	{words.Repository, "coded repository", hyphenated.hasRepositoryContext},
	{"", "", hyphenated.isNumberedPhrase},
	{words.System, "numbered host", func(h hyphenated) bool { return numbered.MatchString(h.text) }},
	{words.Repository, "coded repository", func(h hyphenated) bool { return h.hasTail(h.f.RepositoryTails) }},
	{words.Tool, "coded tool", func(h hyphenated) bool { return h.hasTail(h.f.ToolTails) }},
	{words.System, "coded system", func(h hyphenated) bool { return h.hasTail(h.f.SystemTails) }},
	{words.System, "first of a log line", hyphenated.isLogSource},
	{words.System, "coded system", hyphenated.isUnknownInEnglish},
}

// isNumberedPhrase holds for "step-2" and "top-10", not for the host "lynx-07".
func (h hyphenated) isNumberedPhrase() bool {
	return h.common && h.f.SentenceStarters.Has(h.head) && numbered.MatchString(h.text)
}

// hasRepositoryContext reports whether the words on either side say that h holds
// code.
func (h hyphenated) hasRepositoryContext() bool {
	const window = 32
	following := h.f.text[h.end:min(len(h.f.text), h.end+window)]
	last := h.lastWord()
	if h.f.RepositoryTriggers.Has(last) || h.isFollowedBy(h.f.RepositoryTriggers) || repositoryState.MatchString(following) {
		return true
	}
	if !endsRepositoryContext.Has(lastPart(last, '-')) {
		return false
	}
	before := h.before()
	return accessTo.MatchString(before) || repositoryWork.MatchString(before)
}

var (
	// endsRepositoryContext holds the last words of what accessTo and repositoryWork match.
	endsRepositoryContext = words.NewSet("to on into from in of for against clone fork checkout mirror mirrors")
	// accessTo matches the words before what one gets access to.
	accessTo = regexp.MustCompile(
		`(?:access|rights|permission|permissions|commit|merged|migrated|fixtures|moved) (?:to|on|into|from|in)$`)
	// repositoryWork matches the words before code that one works on.
	repositoryWork = regexp.MustCompile(
		`\b(?:merged?|pushe[sd]|push|forked?|clone[sd]?|committ?(?:ed|s)?|mirrors?|rebased?|codeowners|readme|maintainers?|` +
			`contributors?|check(?:ed)? out|prs?|pull requests?|patch(?:es)?|branch|tagged)` +
			`(?: \S+){0,2} (?:to|into|in|of|from|for|on|against)$|` +
			`\b(?:clone|fork|checkout|mirrors?)$`)
	// repositoryState matches the words after code.
	repositoryState = regexp.MustCompile(
		`^[\x60"]? (?:no longer compiles|does not compile|doesn't compile|compiles|does not build|doesn't build|` +
			`is archived|has no tests|has no license)\b`)
)

// isFollowedBy reports whether the word after h is in list.
func (h hyphenated) isFollowedBy(list words.Set) bool {
	const window = 24
	text := h.f.text
	word := strings.TrimLeft(text[h.end:min(len(text), h.end+window)], " `\"")
	if i := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		word = word[:i]
	}
	return list.Has(strings.ToLower(word))
}

// hasTail reports whether the last part of h is in list and h is no English
// compound.
func (h hyphenated) hasTail(list words.Set) bool { return list.Has(h.tail) && !h.isEnglishCompound() }

// isEnglishCompound reports whether h is English, as "half-site" is: all parts
// are common words, and neither a backquote nor the line's start says more.
func (h hyphenated) isEnglishCompound() bool {
	return h.common && (compoundPrefixes.Has(h.head) || h.f.RoleHeads.Has(h.text) ||
		compoundTails.Has(h.tail) && h.prev != '`' && !h.lineStart)
}

// isLogSource reports whether h begins a line of a log, or follows a word
// for a call.
func (h hyphenated) isLogSource() bool {
	return h.lineStart && h.isInLogLine() || toolCallTriggers.Has(h.lastWord()) && !h.common
}

// isInLogLine reports whether a time or a level precedes h on its line.
func (h hyphenated) isInLogLine() bool {
	const window = 200
	text := h.f.text
	from := words.RuneStart(text, max(0, h.start-window))
	line := text[from+strings.LastIndexByte(text[from:h.start], '\n')+1 : h.start]
	return !strings.HasPrefix(strings.TrimSpace(line), "-") && strings.ContainsAny(line, "0123456789OEW")
}

// isUnknownInEnglish reports whether h is no English word although the words
// around it are.
func (h hyphenated) isUnknownInEnglish() bool {
	return !h.common && h.isAmongEnglish() && !h.hasNumberPart()
}

// isAmongEnglish reports whether at least half of the lower-case words around h
// are common English words.
func (h hyphenated) isAmongEnglish() bool {
	const window = 60
	text, end := h.f.text, h.end
	from, to := words.RuneStart(text, max(0, h.start-window)), words.RuneStart(text, min(len(text), end+window))
	common, all := 0, 0
	for w := range strings.FieldsSeq(text[from:h.start] + " " + text[end:to]) {
		w = strings.Trim(w, ".,;:!?\"'()`")
		if w == "" || w != strings.ToLower(w) {
			continue
		}
		all++
		if h.f.IsCommon(w) {
			common++
		}
	}
	return common*2 >= all
}

func (h hyphenated) hasNumberPart() bool {
	for part := range strings.SplitSeq(h.text, "-") {
		if numberNames.Has(part) || words.IsDigit(part[0]) {
			return true
		}
	}
	return false
}
