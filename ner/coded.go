package ner

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	dottedCall = regexp.MustCompile(`^[a-z][a-z0-9_]*(?:\.[a-z][a-zA-Z0-9_]*)+$`)
	hyphenName = regexp.MustCompile(`^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$`)
	snakeName  = regexp.MustCompile(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$`)
	ownerRepo  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]+/[A-Za-z][A-Za-z0-9_.-]*[A-Za-z0-9]$`)
	numbered   = regexp.MustCompile(`^(?:[a-z][a-z0-9]*-)+\d{1,4}[a-z]?$`)
)

// codedName is the type of a name that is written like a program: dotted,
// hyphenated, with underscores, or owner/repository.
func (d *document) codedName(a atom) (typ, rule string) {
	low := strings.ToLower(a.text)
	switch {
	case versionLike.MatchString(a.text):
		return "", ""
	case ownerRepo.MatchString(a.text):
		if a.text == strings.ToUpper(a.text) {
			return "", ""
		}
		return d.slashed(low)
	case dottedCall.MatchString(a.text) && a.after != '@':
		if a.text == "e.g" || a.text == "i.e" || isAbbreviation(a.text) {
			return "", ""
		}
		return Tool, "call"
	case snakeName.MatchString(a.text):
		return d.snake(a)
	case hyphenName.MatchString(a.text):
		return d.hyphenated(a)
	}
	return "", ""
}

// isAbbreviation says whether all parts between dots are single letters.
func isAbbreviation(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if len(part) > 1 {
			return false
		}
	}
	return true
}

func (d *document) slashed(low string) (typ, rule string) {
	owner, name, _ := strings.Cut(low, "/")
	if d.isCommon(owner) && d.isCommon(name) && !d.repositoryTails.has(name) || len(owner) < 3 || len(name) < 2 {
		return "", ""
	}
	return Repository, "owner/name"
}

// snake tells functions from databases; fields of records are neither.
func (d *document) snake(a atom) (typ, rule string) {
	quoted := a.prior == '"' && a.after == '"'
	if a.after == '=' || quoted && a.end+1 < len(d.text) && strings.HasPrefix(strings.TrimLeft(d.text[a.end+1:min(len(d.text), a.end+4)], " "), ":") ||
		a.after == ':' && !a.head {
		return "", ""
	}
	if a.after == ':' && d.allPartsCommon(a.text, "_") {
		return "", "" // the key of a setting
	}
	tail := a.text[strings.LastIndexByte(a.text, '_')+1:]
	cue := lastWord(a.before)
	switch {
	case a.after == '(' || toolCues.has(cue):
		return Tool, "function"
	case d.systemTails.has(tail) || a.head:
		return System, "coded system"
	case d.repositoryTails.has(tail):
		return Repository, "coded repository"
	case d.toolTails.has(tail) || a.prior == '`' || d.startsWithVerb(a.text):
		return Tool, "function"
	}
	return System, "coded system"
}

var toolCues = newWordSet("tool tools function action call called calls calling use used using run runs invoke via name fn method")

var runCues = newWordSet("run runs running execute executes invoke invokes use using call")

// allCommonParts says whether all parts of a word are ordinary words or numbers.
func (d *document) allPartsCommon(w, sep string) bool {
	for part := range strings.SplitSeq(w, sep) {
		if !d.isCommon(part) && (part == "" || !isDigit(part[0])) {
			return false
		}
	}
	return true
}

func (d *document) startsWithVerb(s string) bool {
	head, _, _ := strings.Cut(s, "_")
	return actionVerbs.has(head)
}

var actionVerbs = newWordSet("get set list find fetch send make create read write open search run check parse load save update delete add remove post put query lookup call scan render build convert extract count compute ask notify publish upload download sync validate verify")

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

// hyphenated tells names of systems, repositories and tools from ordinary
// hyphenated English.
func (d *document) hyphenated(a atom) (typ, rule string) {
	low := a.text
	tail := low[strings.LastIndexByte(low, '-')+1:]
	if a.prior == '-' || a.after == '=' && a.prior != '"' || strings.HasPrefix(a.text, "mid-") || strings.HasPrefix(a.text, "al-") {
		return "", ""
	}
	allCommonWords := d.allPartsCommon(low, "-")
	cued := d.repositoryTriggers.has(lastWord(a.before)) || d.followedBy(a.end, d.repositoryTriggers) || accessTo.MatchString(a.before) || repoWork.MatchString(a.before) || repoState.MatchString(d.text[a.end:min(len(d.text), a.end+32)])
	switch {
	case d.isTool(low):
		return Tool, "known tool"
	case d.isGivenName(low):
		return Person, "given name"
	case a.prior == '`' && runCues.has(lastWord(a.before)):
		return Tool, "command"
	case cued:
		return Repository, "coded repository"
	case numbered.MatchString(low):
		if allCommonWords && d.sentenceStarters.has(low[:strings.IndexByte(low, '-')]) {
			return "", ""
		}
		return System, "numbered host"
	case d.repositoryTails.has(tail) && !d.plainHyphen(a, low, allCommonWords):
		return Repository, "coded repository"
	case d.toolTails.has(tail) && !d.plainHyphen(a, low, allCommonWords):
		return Tool, "coded tool"
	case d.systemTails.has(tail) && !d.plainHyphen(a, low, allCommonWords):
		return System, "coded system"
	case a.head && d.logLine(a), toolCues.has(lastWord(a.before)) && !allCommonWords:
		return System, "first of a log line"
	case !allCommonWords && d.englishAround(a) && !d.partlyNumber(low):
		return System, "coded system"
	}
	return "", ""
}

// accessTo are words before what one is given access to.
var accessTo = regexp.MustCompile(`(?:access|rights|permission|permissions|commit|merged|migrated|fixtures|moved) (?:to|on|into|from|in)$`)

var (
	// repoWork and repoState are what people do with code and what code does.
	repoWork  = regexp.MustCompile(`\b(?:merged?|pushe[sd]|push|forked?|clone[sd]?|committ?(?:ed|s)?|mirrors?|rebased?|codeowners|readme|maintainers?|contributors?|check(?:ed)? out|prs?|pull requests?|patch(?:es)?|branch|tagged)(?: \S+){0,2} (?:to|into|in|of|from|for|on|against)$|\b(?:clone|fork|checkout|mirrors?)$`)
	repoState = regexp.MustCompile(`^[\x60"]? (?:no longer compiles|does not compile|doesn't compile|compiles|does not build|doesn't build|is archived|has no tests|has no license)\b`)
)

// plainHyphen says whether a word such as "half-site" is English: all its parts
// are ordinary words and nothing around it says more.
func (d *document) plainHyphen(a atom, low string, allCommonWords bool) bool {
	if !allCommonWords {
		return false
	}
	if englishPrefixes.has(low[:strings.IndexByte(low, '-')]) || d.roleHeads.has(low) {
		return true
	}
	tail := low[strings.LastIndexByte(low, '-')+1:]
	return englishTails.has(tail) && a.prior != '`' && !a.head
}

var (
	englishPrefixes = newWordSet("re self non pre post co ex well half all off on over under high low long short multi cross anti double single one two three first last full part ill so by in out up follow check stand sign log set read write on-call front back follow open closed round year day month week old new user hand over real right left in-house pop drop mother father")
	englishTails    = newWordSet("in up on off out over page pages only free based like wide time term read site line book books test tests hand master design search host edge core call mail store stage assets web")
)

func (d *document) partlyNumber(low string) bool {
	for part := range strings.SplitSeq(low, "-") {
		if _, ok := numberNames[part]; ok || isDigit(part[0]) {
			return true
		}
	}
	return false
}

var numberNames = newWordSet("one two three four five six seven eight nine ten twenty thirty forty fifty sixty seventy eighty ninety")

// followedBy says whether the next word is on a list.
func (d *document) followedBy(end int, list wordSet) bool {
	rest := strings.TrimLeft(d.text[end:min(len(d.text), end+24)], " `\"")
	word := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		word = rest[:i]
	}
	return list.has(strings.ToLower(word))
}

// logLine says whether the line of an atom begins with a time or a level.
func (d *document) logLine(a atom) bool {
	from := runeStart(d.text, max(0, a.start-200))
	begin := from + strings.LastIndexByte(d.text[from:a.start], '\n') + 1
	return begin < a.start && !strings.HasPrefix(strings.TrimSpace(d.text[begin:a.start]), "-") && strings.ContainsAny(d.text[begin:a.start], "0123456789OEW")
}

// englishAround says whether the words around an atom are mostly English, so
// that an unknown one stands out.
func (d *document) englishAround(a atom) bool {
	from, to := runeStart(d.text, max(0, a.start-60)), runeStart(d.text, min(len(d.text), a.end+60))
	known, all := 0, 0
	for w := range strings.FieldsSeq(d.text[from:a.start] + " " + d.text[a.end:to]) {
		w = strings.Trim(w, ".,;:!?\"'()`")
		if w == "" || w != strings.ToLower(w) {
			continue
		}
		all++
		if d.isCommon(w) {
			known++
		}
	}
	return known*2 >= all
}
