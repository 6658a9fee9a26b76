package ner

// This file holds the closed word classes of the rules: trigger words, which are
// evidence that a name precedes or follows, and stop words, which are evidence
// against one. All are in lower case and were compiled for Tenure. Open classes
// are in words/ (see lexicon.go).

// Closed classes of English.
var (
	// indefiniteArticles and quantifiers make a noun phrase indefinite.
	indefiniteArticles = newWordSet("a an no each every some any")
	// determiners make a noun phrase definite: the article and the possessives.
	determiners = newWordSet("the our their my his her your its")
	// auxiliaries before a month, unlike other verbs, are no evidence of a person: "it was April."
	auxiliaries = newWordSet("is was has had have will would can could may might must be isn't wasn't and")
	// questionAuxiliaries precede the subject of a question: "did baldwin send it".
	questionAuxiliaries = newWordSet("did does will can could should would has")
	// datePrepositions precede a date.
	datePrepositions = newWordSet("on in by until till since last next this every from before after to early late mid")
	// clauseOpeners after the first word of a sentence are evidence against a name: "Rose the flower."
	clauseOpeners = newWordSet("i you he she it we they the a an this that there be not my our your")
	// numberNames are the cardinals that occur in hyphenated words.
	numberNames = newWordSet(`
		one two three four five six seven eight nine ten twenty thirty forty fifty sixty seventy eighty
		ninety`)
	// compoundPrefixes begin hyphenated English words: "half-site".
	compoundPrefixes = newWordSet(`
		re self non pre post co ex well half all off on over under high low long short multi cross anti
		double single one two three first last full part ill so by in out up follow check stand sign log set
		read write on-call front back follow open closed round year day month week old new user hand over
		real right left in-house pop drop mother father`)
	// compoundTails end hyphenated English words: "sign-off".
	compoundTails = newWordSet(`
		in up on off out over page pages only free based like wide time term read site line book books test
		tests hand master design search host edge core call mail store stage assets web`)
)

// Trigger words of identifiers. Each precedes a value.
var (
	// idKeys are names of fields whose value with a digit is an identifier.
	idKeys = newWordSet(`
		id key ref sku uid uuid guid serial order_id ticket_id user_id request_id trace_id session_id job_id
		run_id account_id customer_id txn tx`)
	// userKeys are names of fields whose value is the name of a user.
	userKeys = newWordSet("user username login uid account acct actor uname")
	// phoneTriggers precede a phone number.
	phoneTriggers = newWordSet(`
		tel phone telephone call called ring rang hotline mobile cell fax number at on under telefon tél
		text sms dial whatsapp reach`)
	// codeTriggers are nouns for things with a number: "order 55120".
	codeTriggers = newWordSet(`
		flight order invoice serial lot batch tracking parcel shipment ticket case reference ref passport
		policy account acct customer contract permit licence license vat tag booking claim po rechnung
		commande factura sku article item part claim receipt docket dossier file meter membership member
		registration consignment container waybill voucher`)
	// numberWords may stand between a code trigger and the number: "order no 55120".
	numberWords = newWordSet("no nr number num id code # ref")
	// copulas may stand between a code trigger and the number: "my policy number is 55120".
	copulas = newWordSet("is was are ist est è es")
	// logLevels begin a line of a log, after its time.
	logLevels = newWordSet("info warn warning error debug fatal trace notice critical")
	// builtins are functions and statements of programming languages, which are not tools of an agent.
	builtins = newWordSet(`
		print printf println log echo len str int float repr open range assert require import include throw
		raise return if for while switch console alert`)
)

// Trigger words of names of programs.
var (
	// toolCallTriggers precede the name of a function or command.
	toolCallTriggers = newWordSet(`
		tool tools function action call called calls calling use used using run runs invoke via name fn
		method`)
	// runTriggers precede a command in backquotes.
	runTriggers = newWordSet("run runs running execute executes invoke invokes use using call")
	// functionVerbs begin names of functions: "get_user".
	functionVerbs = newWordSet(`
		get set list find fetch send make create read write open search run check parse load save update
		delete add remove post put query lookup call scan render build convert extract count compute ask
		notify publish upload download sync validate verify`)
	// toolVerbs precede a tool, their object: "install kettle".
	toolVerbs = newWordSet(`
		install installed uninstall bump bumps pin pinned upgrade upgraded replace replaced use using uses
		via import vendored run drop`)
	// machineVerbs are what a program does or is: "crashed", "unreachable".
	machineVerbs = newWordSet(`
		crashes crashed restarts restarted logs returns returned retries times emits consumes processes must
		does doesn't fails failed hangs hung writes deadlocks serves polls down unreachable slow offline up
		full red green stuck`)
)

// Trigger words of persons, and parts of their names.
var (
	// addressTriggers precede a person: verbs of asking, greetings, "by" and "from".
	addressTriggers = newWordSet(`
		ask asked tell told thank thanks thx hi hello hey dear ping cc remind invite page todo fixme hack by
		from`)
	// personLabels precede a name and are no part of it: fields of a form, greetings.
	personLabels = newWordSet(`
		model brand assignee reporter watcher customer candidate patient guest user caller author contact
		attn cc signed regards cheers best greetings sincerely present absent welcome`)
	// postnominals are honorifics after a name.
	postnominals = newWordSet("hanım bey abla efendi")
	// homographNames are given names that are also words or abbreviations in lower case.
	homographNames = newWordSet(`
		per mei sue pat jun ali max liv kim jan dan don ray eva ada ana art una ira ten rut eli mina per sid
		marc lin`)
	// commonSurnames are common English words that are frequent surnames.
	commonSurnames = newWordSet(`
		fisher smith taylor baker cooper carter turner walker miller mason parker porter potter cook hunter
		archer clark wright young king bell brown green white black gray stone wood woods hill brooks banks
		fox wolf bird rivers reed marsh ford lane price long short field barnes weaver shepherd gardner
		fields bishop pope knight cross day`)
	// functionWordSurnames are surnames that are also English function words: "Xiaolin He".
	functionWordSurnames = newWordSet("he an so do you my long may see will her")
	// homographParticles are surname particles that are more often English words.
	homographParticles = newWordSet("do y e am et")
)

// Trigger words of organizations, and parts of their names.
var (
	// firmTriggers precede the name of a firm in languages other than English.
	firmTriggers = newWordSet(`
		firma firmy firmą firmie firmę firmo société entreprise empresa ditta bedrijf företaget firmaet
		selskapet yritys şirketi cég фирма фирмы фирму фирме компания компании компанию`)
	// employmentTriggers precede "at" or "for" and an employer.
	employmentTriggers = newWordSet(
		"work works worked working job career teaches taught studied studies intern internship")
	// lowercaseLegalForms are legal forms that are also written in lower case.
	lowercaseLegalForms = newWordSet("plc ltd inc llc gmbh sp sarl ag oy")
	// dottedLegalForms are legal forms that may end in a dot: "Co.".
	dottedLegalForms = newWordSet("co inc corp bros lda ltda")
	// partnerConjunctions join the names of partners in a firm.
	partnerConjunctions = newWordSet("i y e and und et en og och ja és ve и та a")
	// partnerNouns follow "and" in the name of a firm: "and Sons".
	partnerNouns = newWordSet("sons daughters co partners company associates brothers sister sisters son")
)

// Trigger words of places and projects, and numbered nouns.
var (
	// travelTriggers precede "to", "from", "at" or "off" and a place.
	travelTriggers = newWordSet(`
		flies flew travel travels travelled went goes go going came comes coming arrive arrives arrived
		moved moves move train flight bus ferry drive drove van trip route from back shipped landed lands
		born headed returns returned way`)
	// foreignPlacePrepositions precede a town in languages other than English.
	foreignPlacePrepositions = newWordSet("nach aus in da à en naar te till til fra från i w do z из в во до")
	// germanTownPrepositions precede a town without an article.
	germanTownPrepositions = newWordSet("nach aus in bei")
	// projectNouns after "project" make a compound, no name: "project plan".
	projectNouns = newWordSet(`
		plan plans planning room board budget name code work page file files root folder directory settings
		scope status meeting review start goals data id team`)
	// numberedNouns take a number and name nothing: "Step 2", "Sev 2".
	numberedNouns = newWordSet(`
		step phase option priority prio sev severity level grade part section article chapter paragraph page
		line row item question round day week month year version number figure fig table deposit total score
		point points rank case attempt try run session lesson unit module task story milestone sprint
		quarter tier class rule clause verse act scene vol volume issue season episode candidate order`)
)

// Words of role phrases and teams.
var (
	// roleTriggers precede a role of one word or more, without an article.
	roleTriggers = newWordSet("by ask tell paging page paged informed notified notify notifies contact cc")
	// phraseTriggers precede a role of two words or more, without an article.
	phraseTriggers = newWordSet("to from via call called through with")
	// roleStopWords never belong to a role phrase before its head.
	roleStopWords = newWordSet(`
		the a an and or of to in is was has with who that which this our their my his her your for from by
		on at as if not`)
	// contrastAdjectives before a role are evidence against a mention: "our other designer".
	contrastAdjectives = newWordSet("own following other same whole next")
	// compoundHeads are nouns that a role modifies: "host name".
	compoundHeads = newWordSet("name names list number numbers page section system text version key side part role policy")
	// officeHeads take "of" and a department: "head of security".
	officeHeads = newWordSet(`
		head director chief master minister secretary manager vp chair dean keeper president officer lead`)
	// soleRoles are roles at the beginning of a sentence even without an article.
	soleRoles = newWordSet("landlord insurer auditor management reception counsel")
	// genericOwners are possessors that belong to the role: "the tenant's insurer".
	genericOwners = newWordSet("user client customer company tenant landlord neighbour school")
	// relatives are no roles: "Ann's brother".
	relatives = newWordSet(`
		brother sister mother father son daughter wife husband nephew niece cousin uncle aunt child kid`)
	// teamHeads are nouns for a group of people, after a modifier.
	teamHeads = newWordSet(`
		team crew desk office department squad guild helpdesk committee staff board relations management
		group unit shift`)
	// soleTeams are groups of people without a modifier, where they act as persons do.
	soleTeams = newWordSet("board committee council jury secretariat crew")
	// teamModifiers precede "relations" and "management".
	teamModifiers = newWordSet(`
		guest vendor customer client investor public media press product project facility facilities risk
		office people account partner community event property supplier stock quality change incident`)
	// teamVerbs are verbs whose subject is a person or a team.
	teamVerbs = newWordSet(`
		gets got gives gave takes took sends sent prefers decides decided complains complained noticed
		notices blocks blocked refuses refused handles checks checked reviewed reviews thinks tells told
		claims claimed will nods says said wants needs agrees agreed approves approved signs signed has
		insists insisted confirmed confirms asks asked pays paid knows rejects rejected`)
	// teamTriggers precede a team without an article: "ask legal".
	teamTriggers = newWordSet("call ask tell by from to with in cc ping told asked via until for loop")
	// clauseStarters precede a team that is a subject: "until legal agrees".
	clauseStarters = newWordSet("until if and but can before when ,")
	// teamFollowers may follow a team that is an object: "ask legal today".
	teamFollowers = newWordSet(`
		and or to for about before after says said wants needs if when whether today tomorrow first on at
		again by in is has please why who it they we she he i you now`)
	// articlelessLanguages have no article, so that a bare role is definite.
	articlelessLanguages = newWordSet("pl cs ru uk bg hr fi tr id sw")
	// roleLinkers join a role to its department in Romance languages and Dutch.
	roleLinkers = newWordSet("de di des du do da della van")
	// elidedArticles are written with an apostrophe: "l'avocat".
	elidedArticles = newWordSet("l dell all dall nell sull")
)

// Structure: what delimits a field, a cell or a title.
var (
	// fieldStarts precede the value of a field.
	fieldStarts = newWordSet(`| " : ( ; = ,`)
	// fieldEnds follow the value of a field.
	fieldEnds = newWordSet(`| " ( < ; )`)
	// emptyCells begin table cells that name nothing.
	emptyCells = newWordSet(`
		none nobody n/a na tbd tba unknown - — ? yes no open closed done pending both all any me us you
		everyone various vacant`)
	// titleParticles are written in lower case inside a title.
	titleParticles = newWordSet("a an the of and or in on at to for from by with as its nor but into")
)
