package ner_test

import "testing"

func TestScriptsWithoutCapitals(t *testing.T) {
	check(t, []ruleCase{
		{"chinese-role", "我问经理了", []string{"role:经理"}},
		{"chinese-title-after-a-surname", "请王经理来", []string{"person:王"}},
		{"japanese-line-with-chinese-words", "林です。\n王秀英", []string{"person:王秀英"}},
		{"japanese-short-surname", "林が来ました", nil},
		{"korean-firm", "그는 한빛전자에 갔다", []string{"organization:한빛전자"}},
		{"korean-name-before-a-comma", "김민준, 안녕하세요", []string{"person:김민준"}},
		{"korean-name-in-a-sentence-is-none", "그는 김민준 안녕하세요 말했다", nil},
		{"arabic-town", "سافر إلى دمشق أمس", []string{"place:دمشق"}},
		{"arabic-title-alone", "وصلت السيدة. ليلى", []string{"person:ليلى"}},
		{"arabic-two-given-names", "محمد علي حسن وصل", []string{"person:محمد علي حسن"}},
	})
}

func TestQuotedTitles(t *testing.T) {
	check(t, []ruleCase{
		{"capital-and-particle", "a talk on \"Glue and Tape\" at noon", []string{"document:Glue and Tape"}},
		{"three-capitals", "a talk on \"Glue Tape Enemies\" at noon", []string{"document:Glue Tape Enemies"}},
		{"two-capitals", "a talk on \"Glue Tape\" at noon", nil},
		{"sentence-in-quotes", "he said \"Glue is bad\" at noon", nil},
		{"firm-in-quotes", "from \"Glue and Tape Ltd\" at noon", []string{"organization:Glue and Tape Ltd"}},
	})
}
