package identifier

import "tenure/ner/words"

// Trigger words of identifiers. All word lists of this file are in lower case and
// were compiled for Tenure.
var (
	// idKeys are names of fields whose value with a digit is an identifier.
	idKeys = words.NewSet(`
		id key ref sku uid uuid guid serial order_id ticket_id user_id request_id trace_id session_id job_id
		run_id account_id customer_id txn tx`)
	// userKeys are names of fields whose value is the name of a user.
	userKeys = words.NewSet("user username login uid account acct actor uname")
	// phoneTriggers precede a phone number.
	phoneTriggers = words.NewSet(`
		tel phone telephone call called ring rang hotline mobile cell fax number at on under telefon tél
		text sms dial whatsapp reach`)
	// codeTriggers are nouns for things with a number: "order 55120".
	codeTriggers = words.NewSet(`
		flight order invoice serial lot batch tracking parcel shipment ticket case reference ref passport
		policy account acct customer contract permit licence license vat tag booking claim po rechnung
		commande factura sku article item part claim receipt docket dossier file meter membership member
		registration consignment container waybill voucher`)
	// numberWords may stand between a code trigger and the number: "order no 55120".
	numberWords = words.NewSet("no nr number num id code # ref")
	// copulas may stand between a code trigger and the number: "my policy number is 55120".
	copulas = words.NewSet("is was are ist est è es")
	// longestCopula is their greatest length.
	longestCopula = len("was")
	// logLevels begin a line of a log, after its time.
	logLevels = words.NewSet("info warn warning error debug fatal trace notice critical")
)

// Trigger words of coded names.
var (
	// toolCallTriggers precede the name of a function or command.
	toolCallTriggers = words.NewSet(`
		tool tools function action call called calls calling use used using run runs invoke via name fn
		method`)
	// runTriggers precede a command in backquotes.
	runTriggers = words.NewSet("run runs running execute executes invoke invokes use using call")
	// functionVerbs begin names of functions: "get_user".
	functionVerbs = words.NewSet(`
		get set list find fetch send make create read write open search run check parse load save update
		delete add remove post put query lookup call scan render build convert extract count compute ask
		notify publish upload download sync validate verify`)
	// builtins are functions and statements of programming languages, which are not tools of an agent.
	builtins = words.NewSet(`
		print printf println log echo len str int float repr open range assert require import include throw
		raise return if for while switch console alert`)
)

// Parts of hyphenated English words.
var (
	// compoundPrefixes begin hyphenated English words: "half-site".
	compoundPrefixes = words.NewSet(`
		re self non pre post co ex well half all off on over under high low long short multi cross anti
		double single one two three first last full part ill so by in out up follow check stand sign log set
		read write on-call front back follow open closed round year day month week old new user hand over
		real right left in-house pop drop mother father`)
	// compoundTails end hyphenated English words: "sign-off".
	compoundTails = words.NewSet(`
		in up on off out over page pages only free based like wide time term read site line book books test
		tests hand master design search host edge core call mail store stage assets web`)
	// numberNames are the cardinals that occur in hyphenated words.
	numberNames = words.NewSet(`
		one two three four five six seven eight nine ten twenty thirty forty fifty sixty seventy eighty
		ninety`)
)
