package ner_test

import "testing"

func TestRolesAndTeams(t *testing.T) {
	check(t, []ruleCase{
		{"complement-on-duty", "ask the nurse on duty", []string{"role:nurse on duty"}},
		{"complement-in-charge", "ask the officer in charge", []string{"role:officer in charge"}},
		{"department-with-capitals", "ask the Head of Design and Research", []string{"role:Head of Design and Research"}},
		{"department-of-a-function", "ask the head of legal", []string{"role:head of legal"}},
		{"contrast", "our other designer left", nil},
		{"plural-is-no-bare-role", "approved by curators", nil},
		{"one-word-needs-a-trigger", "sent to curator yesterday", nil},
		{"owner-without-a-name", "yesterday's host was late", []string{"role:host"}},
		{"owner-of-a-team", "ask Margit's night team", []string{"role:Margit's night team"}},
		{"relative-is-no-role", "it was Margit's brother", []string{"person:Margit"}},
		{"signature", "Margit Holm\nHead of Sales\nBrindle Ltd", []string{"person:Margit Holm", "role:Head of Sales", "organization:Brindle Ltd"}},
		{"quoted-role", "{\"owner\": \"night manager\"}", []string{"role:night manager"}},
		{"quoted-key-is-no-role", "{\"manager\": 1}", nil},
		{"public-body", "then the port authority wrote", []string{"organization:port authority"}},
		{"department", "then guest relations wrote", []string{"role:guest relations"}},
		{"quality-is-an-activity", "we pay for quality today", nil},
		{"quality-as-a-team", "ask quality today", []string{"role:quality"}},
		{"legal-as-a-subject", "until legal agrees", []string{"role:legal"}},
		{"it-in-lower-case", "ask it again", nil},
		{"sole-team", "then the board said no", []string{"role:board"}},
		{"adverb-after-a-role", "the host quickly left", []string{"role:host"}},
		{"noun-after-a-role", "the host machine broke", nil},
		{"elision-without-a-role", "Nous avons mangé l'orange et la pomme.", nil},
		{"swedish-suffix", "Det var chefen som inte kunde och han är hemma.", []string{"role:chefen"}},
		{"title-before-a-name", "Zavolej mi usta Hynek a to je dobře že ano.", []string{"person:Hynek"}},
		{"sole-role", "it rained. Landlord says no.", []string{"role:Landlord"}},
		{"tenant-as-owner", "the tenant's insurer came", []string{"role:tenant's insurer"}},
		{"night-crew", "ask the night crew about it", []string{"role:night crew"}},
		{"owner-of-an-unknown-team", "it was Margit's quillfen team", []string{"role:Margit's quillfen team"}},
		{"team-as-an-object", "we asked legal today", []string{"role:legal"}},
		{"department-of-two-functions", "ask the head of legal compliance", []string{"role:head of legal compliance"}},
	})
}
