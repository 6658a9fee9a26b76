package ner_test

import "testing"

func TestCodedNamesByContext(t *testing.T) {
	check(t, []ruleCase{
		{"database", "write to orders_db now", []string{"system:orders_db"}},
		{"table-of-a-database", "read orders_db.rows now", []string{"system:orders_db"}},
		{"snake-case-repository", "see team_docs now", []string{"repository:team_docs"}},
		{"snake-case-function", "then get_user fails", []string{"tool:get_user"}},
		{"snake-case-tool", "run plan_lint now", []string{"tool:plan_lint"}},
		{"snake-case-otherwise", "then kettle_fox fails", []string{"system:kettle_fox"}},
		{"key-of-a-record", "{\"kettle_fox\": 1}", nil},
		{"assignment", "kettle_fox=1", nil},
		{"option", "pass --kettle-fox here", nil},
		{"repository-after-a-verb", "pushed a fix to kettle-fox yesterday", []string{"repository:kettle-fox"}},
		{"repository-by-its-state", "kettle-fox does not compile", []string{"repository:kettle-fox"}},
		{"command-in-backquotes", "run `kettle-fox` now", []string{"tool:kettle-fox"}},
		{"step-number-is-no-host", "see step-2 there", nil},
		{"user-in-a-log", "session for brindlewick opened", []string{"identifier:brindlewick"}},
		{"user-of-a-run", "run by brindlewick at noon", []string{"identifier:brindlewick"}},
		{"typographic-possessive", "the lynx-07’s disk", []string{"system:lynx-07"}},
		{"url-in-square-brackets", "see [https://wiki.brindle.example/a] now", []string{"identifier:https://wiki.brindle.example/a"}},
		{"memory-is-no-serial", "it has 512GB of disk", nil},
		{"unknown-hyphenated-word", "please restart the quillfen-maro again", []string{"system:quillfen-maro"}},
		{"log-source", "2031-04-05 10:20:30 house-party started", []string{"system:house-party"}},
		{"number-part-is-english", "he made a twenty-quillfen deal", nil},
	})
}

func TestNumbers(t *testing.T) {
	check(t, []ruleCase{
		{"digits-without-a-trigger", "there are 12 345 678 of them", nil},
		{"too-many-digits", "ring 0123 4567 8901 2345 6789 now", nil},
		{"time-after-a-trigger", "call at 10:30 today", nil},
		{"announced-lower-case-code", "the order number is ab-12-3", []string{"identifier:ab-12-3"}},
		{"short-number-without-announcement", "the order 55 is late", nil},
		{"copula-between", "my policy number is 55120", []string{"identifier:55120"}},
		{"date-after-a-trigger", "the order 2031-04-05 is late", nil},
		{"vat-number", "VAT number DK 40 55 01 99 here", []string{"identifier:DK 40 55 01 99"}},
		{"announced-code", "ticket no 123 is late", []string{"identifier:123"}},
		{"three-digits-without-announcement", "the order 123 is late", nil},
		{"phone-without-a-trigger", "we are at home: 0171 555 0199", []string{"identifier:0171 555 0199"}},
		{"short-phone-after-a-trigger", "ring 12 34 56 now", []string{"identifier:12 34 56"}},
		{"phone-in-brackets", "call us (0171 555 0199) today", []string{"identifier:0171 555 0199"}},
		{"word-of-digits-and-letters", "the order 5512x is late", nil},
	})
}
