package ner

import "tenure/ner/words"

// This file holds the closed word classes of the rules: trigger words, which are
// evidence that a name precedes or follows, and stop words, which are evidence
// against one. All are in lower case and were compiled for Tenure. Open classes
// are in package words.

// Closed classes of English.
var (
	// indefiniteArticles and quantifiers make a noun phrase indefinite.
	indefiniteArticles = words.NewSet("a an no each every some any")
	// determiners make a noun phrase definite: the article and the possessives.
	determiners = words.NewSet("the our their my his her your its")
	// auxiliaries before a month, unlike other verbs, are no evidence of a person: "it was April."
	auxiliaries = words.NewSet("is was has had have will would can could may might must be isn't wasn't and")
	// questionAuxiliaries precede the subject of a question: "did baldwin send it".
	questionAuxiliaries = words.NewSet("did does will can could should would has")
	// datePrepositions precede a date.
	datePrepositions = words.NewSet("on in by until till since last next this every from before after to early late mid")
	// clauseOpeners after the first word of a sentence are evidence against a name: "Rose the flower."
	clauseOpeners = words.NewSet("i you he she it we they the a an this that there be not my our your")
)

// Trigger words of names of programs.
var (
	// toolVerbs precede a tool, their object: "install kettle".
	toolVerbs = words.NewSet(`
		install installed uninstall bump bumps pin pinned upgrade upgraded replace replaced use using uses
		via import vendored run drop`)
	// machineVerbs are what a program does or is: "crashed", "unreachable".
	machineVerbs = words.NewSet(`
		crashes crashed restarts restarted logs returns returned retries times emits consumes processes must
		does doesn't fails failed hangs hung writes deadlocks serves polls down unreachable slow offline up
		full red green stuck`)
)

// Trigger words of persons, and parts of their names.
var (
	// addressTriggers precede a person: verbs of asking, greetings, "by" and "from".
	addressTriggers = words.NewSet(`
		ask asked tell told thank thanks thx hi hello hey dear ping cc remind invite page todo fixme hack by
		from`)
	// personLabels precede a name and are no part of it: fields of a form, greetings.
	personLabels = words.NewSet(`
		model brand assignee reporter watcher customer candidate patient guest user caller author contact
		attn cc signed regards cheers best greetings sincerely present absent welcome`)
	// postnominals are honorifics after a name.
	postnominals = words.NewSet("hanım bey abla efendi")
	// homographNames are given names that are also words or abbreviations in lower case.
	homographNames = words.NewSet(`
		per mei sue pat jun ali max liv kim jan dan don ray eva ada ana art una ira ten rut eli mina per sid
		marc lin`)
	// commonSurnames are common English words that are frequent surnames.
	commonSurnames = words.NewSet(`
		fisher smith taylor baker cooper carter turner walker miller mason parker porter potter cook hunter
		archer clark wright young king bell brown green white black gray stone wood woods hill brooks banks
		fox wolf bird rivers reed marsh ford lane price long short field barnes weaver shepherd gardner
		fields bishop pope knight cross day`)
	// functionWordSurnames are surnames that are also English function words: "Xiaolin He".
	functionWordSurnames = words.NewSet("he an so do you my long may see will her")
	// homographParticles are surname particles that are more often English words.
	homographParticles = words.NewSet("do y e am et")
)

// Trigger words of organizations, and parts of their names.
var (
	// firmTriggers precede the name of a firm in languages other than English.
	firmTriggers = words.NewSet(`
		firma firmy firmą firmie firmę firmo société entreprise empresa ditta bedrijf företaget firmaet
		selskapet yritys şirketi cég фирма фирмы фирму фирме компания компании компанию`)
	// employmentTriggers precede "at" or "for" and an employer.
	employmentTriggers = words.NewSet(
		"work works worked working job career teaches taught studied studies intern internship")
	// lowercaseLegalForms are legal forms that are also written in lower case.
	lowercaseLegalForms = words.NewSet("plc ltd inc llc gmbh sp sarl ag oy")
	// dottedLegalForms are legal forms that may end in a dot: "Co.".
	dottedLegalForms = words.NewSet("co inc corp bros lda ltda")
	// partnerConjunctions join the names of partners in a firm.
	partnerConjunctions = words.NewSet("i y e and und et en og och ja és ve и та a")
	// partnerNouns follow "and" in the name of a firm: "and Sons".
	partnerNouns = words.NewSet("sons daughters co partners company associates brothers sister sisters son")
)

// Trigger words of places and projects, and numbered nouns.
var (
	// travelTriggers precede "to", "from", "at" or "off" and a place.
	travelTriggers = words.NewSet(`
		flies flew travel travels travelled went goes go going came comes coming arrive arrives arrived
		moved moves move train flight bus ferry drive drove van trip route from back shipped landed lands
		born headed returns returned way`)
	// foreignPlacePrepositions precede a town in languages other than English.
	foreignPlacePrepositions = words.NewSet("nach aus in da à en naar te till til fra från i w do z из в во до")
	// germanTownPrepositions precede a town without an article.
	germanTownPrepositions = words.NewSet("nach aus in bei")
	// projectNouns after "project" make a compound, no name: "project plan".
	projectNouns = words.NewSet(`
		plan plans planning room board budget name code work page file files root folder directory settings
		scope status meeting review start goals data id team`)
	// numberedNouns take a number and name nothing: "Step 2", "Sev 2".
	numberedNouns = words.NewSet(`
		step phase option priority prio sev severity level grade part section article chapter paragraph page
		line row item question round day week month year version number figure fig table deposit total score
		point points rank case attempt try run session lesson unit module task story milestone sprint
		quarter tier class rule clause verse act scene vol volume issue season episode candidate order`)
)

// Words of role phrases and teams.
var (
	// roleTriggers precede a role of one word or more, without an article.
	roleTriggers = words.NewSet("by ask tell paging page paged informed notified notify notifies contact cc")
	// phraseTriggers precede a role of two words or more, without an article.
	phraseTriggers = words.NewSet("to from via call called through with")
	// roleStopWords never belong to a role phrase before its head.
	roleStopWords = words.NewSet(`
		the a an and or of to in is was has with who that which this our their my his her your for from by
		on at as if not`)
	// contrastAdjectives before a role are evidence against a mention: "our other designer".
	contrastAdjectives = words.NewSet("own following other same whole next")
	// compoundHeads are nouns that a role modifies: "host name".
	compoundHeads = words.NewSet(`
		name names list number numbers page section system text version key side part role policy`)
	// officeHeads take "of" and a department: "head of security".
	officeHeads = words.NewSet(`
		head director chief master minister secretary manager vp chair dean keeper president officer lead`)
	// soleRoles are roles at the beginning of a sentence even without an article.
	soleRoles = words.NewSet("landlord insurer auditor management reception counsel")
	// genericOwners are possessors that belong to the role: "the tenant's insurer".
	genericOwners = words.NewSet("user client customer company tenant landlord neighbour school")
	// relatives are no roles: "Ann's brother".
	relatives = words.NewSet(`
		brother sister mother father son daughter wife husband nephew niece cousin uncle aunt child kid`)
	// teamHeads are nouns for a group of people, after a modifier.
	teamHeads = words.NewSet(`
		team crew desk office department squad guild helpdesk committee staff board relations management
		group unit shift`)
	// soleTeams are groups of people without a modifier, where they act as persons do.
	soleTeams = words.NewSet("board committee council jury secretariat crew")
	// teamModifiers precede "relations" and "management".
	teamModifiers = words.NewSet(`
		guest vendor customer client investor public media press product project facility facilities risk
		office people account partner community event property supplier stock quality change incident`)
	// teamVerbs are verbs whose subject is a person or a team.
	teamVerbs = words.NewSet(`
		gets got gives gave takes took sends sent prefers decides decided complains complained noticed
		notices blocks blocked refuses refused handles checks checked reviewed reviews thinks tells told
		claims claimed will nods says said wants needs agrees agreed approves approved signs signed has
		insists insisted confirmed confirms asks asked pays paid knows rejects rejected`)
	// teamTriggers precede a team without an article: "ask legal".
	teamTriggers = words.NewSet("call ask tell by from to with in cc ping told asked via until for loop")
	// clauseStarters precede a team that is a subject: "until legal agrees".
	clauseStarters = words.NewSet("until if and but can before when ,")
	// teamFollowers may follow a team that is an object: "ask legal today".
	teamFollowers = words.NewSet(`
		and or to for about before after says said wants needs if when whether today tomorrow first on at
		again by in is has please why who it they we she he i you now`)
	// articlelessLanguages have no article, so that a bare role is definite.
	articlelessLanguages = words.NewSet("pl cs ru uk bg hr fi tr id sw")
	// roleLinkers join a role to its department in Romance languages and Dutch.
	roleLinkers = words.NewSet("de di des du do da della van")
	// elidedArticles are written with an apostrophe: "l'avocat".
	elidedArticles = words.NewSet("l dell all dall nell sull")
)

// Structure: what delimits a field, a cell or a title.
var (
	// fieldStarts precede the value of a field.
	fieldStarts = words.NewSet(`| " : ( ; = ,`)
	// fieldEnds follow the value of a field.
	fieldEnds = words.NewSet(`| " ( < ; )`)
	// emptyCells begin table cells that name nothing.
	emptyCells = words.NewSet(`
		none nobody n/a na tbd tba unknown - — ? yes no open closed done pending both all any me us you
		everyone various vacant`)
	// titleParticles are written in lower case inside a title.
	titleParticles = words.NewSet("a an the of and or in on at to for from by with as its nor but into")
)
