package ner

import (
	"regexp"
	"strings"
	"unicode"
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
func (d *document) codedName(a rawToken) (typ, rule string) {
	switch {
	case versionLike.MatchString(a.text):
		return "", ""
	case ownerRepo.MatchString(a.text):
		if d.isRepository(a.text) {
			return Repository, "owner/name"
		}
	case dottedName.MatchString(a.text) && a.next != '@':
		if !isAbbreviation(a.text) {
			return Tool, "call"
		}
	case snakeName.MatchString(a.text):
		return d.snakeCaseName(a)
	case hyphenName.MatchString(a.text):
		return d.hyphenatedName(a)
	}
	return "", ""
}

// isAbbreviation reports whether all parts of s between dots are single letters:
// "e.g".
func isAbbreviation(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if len(part) > 1 {
			return false
		}
	}
	return true
}

// isRepository reports whether an owner/name is no alternative such as "and/or".
func (d *document) isRepository(s string) bool {
	owner, name, _ := strings.Cut(strings.ToLower(s), "/")
	return s != strings.ToUpper(s) && len(owner) >= 3 && len(name) >= 2 &&
		(!d.isCommon(owner) || !d.isCommon(name) || d.repositoryTails.has(name))
}

// snakeCaseName classifies functions, databases and repositories. Names of
// fields are none of them.
func (d *document) snakeCaseName(a rawToken) (typ, rule string) {
	tail := lastPart(a.text, '_')
	switch {
	case d.isFieldName(a):
		return "", ""
	case a.next == '(' || toolCallTriggers.has(a.lastWord()):
		return Tool, "function"
	case d.systemTails.has(tail) || a.lineStart:
		return System, "coded system"
	case d.repositoryTails.has(tail):
		return Repository, "coded repository"
	case d.toolTails.has(tail) || a.prev == '`' || beginsWithVerb(a.text):
		return Tool, "function"
	}
	return System, "coded system"
}

// lastPart returns what follows the last separator of s.
func lastPart(s string, separator byte) string { return s[strings.LastIndexByte(s, separator)+1:] }

// isFieldName reports whether a is the key of a record, an assignment or a
// setting. What begins the line of a log with a colon may be a system.
func (d *document) isFieldName(a rawToken) bool {
	switch a.next {
	case '=':
		return true
	case ':':
		return !a.lineStart || d.allPartsCommon(a.text, "_")
	case '"':
		rest := d.text[a.end+1 : min(len(d.text), a.end+4)]
		return a.prev == '"' && strings.HasPrefix(strings.TrimLeft(rest, " "), ":")
	}
	return false
}

// allPartsCommon reports whether all parts of w are common words or begin with a
// digit.
func (d *document) allPartsCommon(w, separator string) bool {
	for part := range strings.SplitSeq(w, separator) {
		if !d.isCommon(part) && (part == "" || !isDigit(part[0])) {
			return false
		}
	}
	return true
}

func beginsWithVerb(s string) bool {
	verb, _, _ := strings.Cut(s, "_")
	return functionVerbs.has(verb)
}

// hyphenated is a raw token with hyphens, in lower case.
type hyphenated struct {
	rawToken
	d          *document
	head, tail string // the first and the last part
	common     bool   // all parts are common words or numbers
}

// hyphenatedName sets names of systems, repositories and tools off from
// hyphenated English.
func (d *document) hyphenatedName(a rawToken) (typ, rule string) {
	head, _, _ := strings.Cut(a.text, "-")
	if a.prev == '-' || a.next == '=' && a.prev != '"' || head == "mid" || head == "al" {
		return "", ""
	}
	h := hyphenated{a, d, head, lastPart(a.text, '-'), d.allPartsCommon(a.text, "-")}
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
	{Tool, "known tool", func(h hyphenated) bool { return h.d.isTool(h.text) }},
	{Person, "given name", func(h hyphenated) bool { return h.d.isGivenName(h.text) }},
	{Tool, "command", func(h hyphenated) bool { return h.prev == '`' && runTriggers.has(h.lastWord()) }},
	{Repository, "coded repository", hyphenated.hasRepositoryContext},
	{"", "", hyphenated.isNumberedPhrase},
	{System, "numbered host", func(h hyphenated) bool { return numbered.MatchString(h.text) }},
	{Repository, "coded repository", func(h hyphenated) bool { return h.hasTail(h.d.repositoryTails) }},
	{Tool, "coded tool", func(h hyphenated) bool { return h.hasTail(h.d.toolTails) }},
	{System, "coded system", func(h hyphenated) bool { return h.hasTail(h.d.systemTails) }},
	{System, "first of a log line", hyphenated.isLogSource},
	{System, "coded system", hyphenated.isUnknownInEnglish},
}

// isNumberedPhrase holds for "step-2" and "top-10", not for the host "lynx-07".
func (h hyphenated) isNumberedPhrase() bool {
	return h.common && h.d.sentenceStarters.has(h.head) && numbered.MatchString(h.text)
}

// hasRepositoryContext reports whether the words on either side say that h holds
// code.
func (h hyphenated) hasRepositoryContext() bool {
	const window = 32
	following := h.d.text[h.end:min(len(h.d.text), h.end+window)]
	return h.d.repositoryTriggers.has(h.lastWord()) || h.isFollowedBy(h.d.repositoryTriggers) ||
		accessTo.MatchString(h.before) || repositoryWork.MatchString(h.before) || repositoryState.MatchString(following)
}

var (
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
func (h hyphenated) isFollowedBy(list wordSet) bool {
	const window = 24
	text := h.d.text
	word := strings.TrimLeft(text[h.end:min(len(text), h.end+window)], " `\"")
	if i := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		word = word[:i]
	}
	return list.has(strings.ToLower(word))
}

// hasTail reports whether the last part of h is in list and h is no English
// compound.
func (h hyphenated) hasTail(list wordSet) bool { return list.has(h.tail) && !h.isEnglishCompound() }

// isEnglishCompound reports whether h is English, as "half-site" is: all parts
// are common words, and neither a backquote nor the line's start says more.
func (h hyphenated) isEnglishCompound() bool {
	return h.common && (compoundPrefixes.has(h.head) || h.d.roleHeads.has(h.text) ||
		compoundTails.has(h.tail) && h.prev != '`' && !h.lineStart)
}

// isLogSource reports whether h begins a line of a log, or follows a word
// for a call.
func (h hyphenated) isLogSource() bool {
	return h.lineStart && h.isInLogLine() || toolCallTriggers.has(h.lastWord()) && !h.common
}

// isInLogLine reports whether a time or a level precedes h on its line.
func (h hyphenated) isInLogLine() bool {
	const window = 200
	text := h.d.text
	from := runeStart(text, max(0, h.start-window))
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
	text, end := h.d.text, h.end
	from, to := runeStart(text, max(0, h.start-window)), runeStart(text, min(len(text), end+window))
	common, words := 0, 0
	for w := range strings.FieldsSeq(text[from:h.start] + " " + text[end:to]) {
		w = strings.Trim(w, ".,;:!?\"'()`")
		if w == "" || w != strings.ToLower(w) {
			continue
		}
		words++
		common += boolInt(h.d.isCommon(w))
	}
	return common*2 >= words
}

func (h hyphenated) hasNumberPart() bool {
	for part := range strings.SplitSeq(h.text, "-") {
		if numberNames.has(part) || isDigit(part[0]) {
			return true
		}
	}
	return false
}
