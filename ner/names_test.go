package ner_test

import "testing"

func TestTypesByTheNameItself(t *testing.T) {
	check(t, []ruleCase{
		{"letter-after-a-room", "meet me in Hangar C at noon", []string{"place:Hangar C"}},
		{"letter-after-a-document", "see Annex B for that", []string{"document:Annex B"}},
		{"german-street", "the shop in Brunnengasse is closed", []string{"place:Brunnengasse"}},
		{"bank-of", "the Bank of Ghent called back", []string{"organization:Bank of Ghent"}},
		{"manual-for", "read the Manual for Guests first", []string{"document:Manual for Guests"}},
		{"academy-of-the", "the Academy of the Arts opened", []string{"organization:Academy of the Arts"}},
		{"isle-of", "a trip to the Isle of Skye", []string{"place:Isle of Skye"}},
		{"known-tools", "the cluster runs Grafana and Postgres", []string{"tool:Grafana", "tool:Postgres"}},
		{"saint", "the ferry to Saint-Malo is late", []string{"place:Saint-Malo"}},
		{"operation", "she leads Operation Teal now", []string{"project:Operation Teal"}},
		{"team", "ask Team Heron about it", []string{"organization:Team Heron"}},
		{"year-of-three-words", "the Brindle Water Survey 2031 is out", []string{"document:Brindle Water Survey 2031"}},
		{"product-suffix", "the Teal Radio Pro hums", []string{"product:Teal Radio Pro"}},
		{"number-after-a-street", "at Barley Lane 7 in town", []string{"place:Barley Lane 7"}},
		{"inner-capital-with-another-word", "the BasketPricer Deluxe box", []string{"product:BasketPricer Deluxe"}},
		{"inner-capital-before-a-machine-verb", "BasketPricer crashed again", []string{"system:BasketPricer"}},
		{"inner-capital-otherwise", "use BasketPricer for that", []string{"tool:BasketPricer"}},
		{"scottish-surname", "then McDonald said no", []string{"person:McDonald"}},
		{"title-and-author", "we read The Blue Lantern by Ada", []string{"document:The Blue Lantern", "person:Ada"}},
		{"quoted-title-and-author", "we read \"Blue Lantern Stories\" by Ada", []string{"document:Blue Lantern Stories", "person:Ada"}},
		{"the-as-part-of-a-name", "he plays in The Lanterns tonight", []string{"organization:The Lanterns"}},
		{"two-common-words-after-the", "we bought the Blue Lantern today", []string{"product:Blue Lantern"}},
		{"two-common-words", "we discussed Blue Lantern today", []string{"project:Blue Lantern"}},
		{"given-name-and-surname-that-are-words", "then Will Cooper left", []string{"person:Will Cooper"}},
		{"acronym", "then BVRK paid the rest", []string{"organization:BVRK"}},
		{"hall-before-a-name", "Hall Neptune is full", []string{"place:Hall Neptune"}},
		{"hall-before-a-firm", "by Hall Neptune Ltd today", []string{"organization:Hall Neptune Ltd"}},
		{"number-after-a-name", "moved to Zircon 8 now", []string{"product:Zircon 8"}},
		{"plan-of-a-year", "the Plan 2031 is out", []string{"document:Plan 2031"}},
		{"town-with-a-noun", "the Turku Office is closed", []string{"place:Turku Office"}},
		{"given-name-before-a-lane", "then Anna Lane spoke", []string{"person:Anna Lane"}},
	})
}

func TestTypesByContext(t *testing.T) {
	check(t, []ruleCase{
		{"employer-after-joined", "Margit joined Brindlewick in spring", []string{"person:Margit", "organization:Brindlewick"}},
		{"employer-after-works-at", "Margit works at Brindlewick", []string{"person:Margit", "organization:Brindlewick"}},
		{"tool-after-its-noun", "the library Brindlewick is slow", []string{"tool:Brindlewick"}},
		{"noun-after-a-tool", "the Brindlewick plugin is slow", []string{"tool:Brindlewick"}},
		{"noun-after-a-repository", "the Brindlewick repo is private", []string{"repository:Brindlewick"}},
		{"noun-after-a-product", "the Brindlewick firmware is old", []string{"product:Brindlewick"}},
		{"common-word-before-a-service", "the Lantern service is down", []string{"system:Lantern"}},
		{"town-before-a-trip", "the train to Brindlewick is late", []string{"place:Brindlewick"}},
		{"town-in-another-language", "Wir fahren nach Brindlewick und dann weiter.", []string{"place:Brindlewick"}},
		{"apposition-without-an-adjective", "we bought it from Brindlewick, a supplier", []string{"organization:Brindlewick"}},
		{"town-as-the-subject-of-a-person", "then Florence said no", []string{"person:Florence"}},
		{"town-after-near", "she lives near Florence now", []string{"place:Florence"}},
		{"project-after-in", "it is tracked in Lantern now", []string{"project:Lantern"}},
		{"bot-before-a-system", "the bot Brindlewick answered", []string{"system:Brindlewick"}},
		{"agent-with-an-inner-capital", "the agent BasketPricer answered", []string{"system:BasketPricer"}},
		{"german-town-without-an-article", "Wir fahren nach Quillfen und das ist gut.", []string{"place:Quillfen"}},
		{"name-of-an-english-sentence-in-german", "Margit met Quillfen. Wir haben das mit Quillfen und der Bestellung.", []string{"person:Margit", "person:Quillfen", "person:Quillfen"}},
	})
}

func TestExtentOfNames(t *testing.T) {
	check(t, []ruleCase{
		{"nickname", "then Eleanor \"Nell\" Holm spoke", []string{"person:Eleanor \"Nell\" Holm"}},
		{"possessive-inside", "mass at St. Olave's Hall today", []string{"place:St. Olave's Hall"}},
		{"legal-form-after-a-comma", "sold to Brindle Works, Inc. last year", []string{"organization:Brindle Works, Inc."}},
		{"legal-form-of-several-tokens", "od firmy Stalmex sp. z o.o. wczoraj", []string{"organization:Stalmex sp. z o.o."}},
		{"partners-with-an-ampersand", "by Dupont & Fils SA today", []string{"organization:Dupont & Fils SA"}},
		{"partners-with-a-conjunction", "by Puig i Ferrer SL today", []string{"organization:Puig i Ferrer SL"}},
		{"and-sons", "by Harker and Sons today", []string{"organization:Harker and Sons"}},
		{"arabic-article", "then Khalid al-Masri spoke", []string{"person:Khalid al-Masri"}},
		{"arabic-article-in-lower-case", "then Khalid al-masri spoke", []string{"person:Khalid"}},
		{"firm-after-a-particle", "escribe a Iñaki de Talleres Urkiola", []string{"person:Iñaki", "organization:Talleres Urkiola"}},
		{"version-with-a-dot", "install Corvid 4.2 today", []string{"product:Corvid 4.2"}},
		{"time-stays-out", "at Corvid 10:30 we meet", []string{"person:Corvid"}},
		{"initials-without-spaces", "by J.P. Okafor yesterday", []string{"person:J.P. Okafor"}},
		{"letter-after-a-ward", "moved to Ward C tonight", []string{"place:Ward C"}},
		{"sentence-after-a-letter", "it is in Cellar B. The door is open.", []string{"place:Cellar B"}},
		{"weekday-stays-out", "tell Margit Monday works", []string{"person:Margit"}},
		{"title-of-the-sentence-stays-out", "Booked Margit for noon", []string{"person:Margit"}},
		{"postnominal-stays-out", "sonra Ayşe Hanım geldi ve çok iyi", []string{"person:Ayşe"}},
		{"honorific-after-a-pronoun", "Sie Frau Steindl kommt und das ist gut", []string{"person:Steindl"}},
		{"irish", "then Ó Briain spoke", []string{"person:Ó Briain"}},
		{"line-break-ends-a-name", "from Margit\nHolm is out", []string{"person:Margit", "person:Holm"}},
		{"passenger-list", "seat 4A: QUILLFEN/JANE MAROVIC", []string{"person:QUILLFEN/JANE MAROVIC"}},
		{"comma-between-two-persons", "Doe, Jane came", []string{"person:Doe", "person:Jane"}},
		{"label-stays-out", "then Customer Blue Lantern Quillfen came", []string{"person:Blue Lantern Quillfen"}},
	})
}

func TestNoNames(t *testing.T) {
	check(t, []ruleCase{
		{"label-of-a-value", "Sak: DRIFT-88", []string{"identifier:DRIFT-88"}},
		{"label-of-a-speaker", "S1: hello there", nil},
		{"foreign-greeting", "Guten Tag, wir sind da und das ist gut.", nil},
		{"suffix-of-a-derived-noun", "Brindlement helps us a lot.", nil},
		{"compound-with-a-name", "a Spain-adjacent island", nil},
		{"demonym", "the menu is in Dutch", nil},
		{"format", "send it as YAML please", nil},
		{"variable", "set $Lantern and %Path here", nil},
		{"german-nouns", "Die Verwaltung hat das Protokoll und die Bestellung nicht.", nil},
		{"month-without-a-verb-of-persons", "we met in April and it was fine", nil},
		{"version-is-no-name", "Version 4.2 is out", nil},
		{"common-word-elsewhere-in-lower-case", "Lantern works. the lantern is on.", nil},
		{"german-noun-after-nach", "Wir fahren nach Rechnung und das ist gut.", nil},
		{"french-preposition", "Avec Margit, nous avons une réunion et du vin.", []string{"person:Margit"}},
		{"buttons", "press START/STOP now", nil},
	})
}

func TestWordsThatAreAlsoGivenNames(t *testing.T) {
	check(t, []ruleCase{
		{"before-a-surname", "Will Okafor came.", []string{"person:Okafor"}},
		{"before-a-verb", "Mark says no.", []string{"person:Mark"}},
		{"will-at-the-beginning", "Will it rain?", nil},
		{"name-elsewhere", "Rose was late. I saw Rose.", []string{"person:Rose", "person:Rose"}},
		{"month-as-a-subject", "April said no.", []string{"person:April"}},
		{"month-as-an-object", "then I asked April.", []string{"person:April"}},
		{"month-before-a-surname", "then April Okafor left", []string{"person:April Okafor"}},
		{"month-with-a-possessive", "it is April's turn", []string{"person:April"}},
		{"word-before-an-article", "Rose the flower. I saw Rose.", []string{"person:Rose"}},
	})
}

func TestLowerCase(t *testing.T) {
	check(t, []ruleCase{
		{"project", "i work on project nightjar now", []string{"project:project nightjar"}},
		{"project-plan-is-none", "i work on project plan now", nil},
		{"town", "we fly to lisbon tomorrow", []string{"place:lisbon"}},
		{"tool", "put it on github please", []string{"tool:github"}},
		{"repeated-name", "Brindlewick is late. ask brindlewick again", []string{"person:Brindlewick", "person:brindlewick"}},
		{"firm", "ask brindle bakery for more", []string{"organization:brindle bakery"}},
		{"speaker", "brindlewick: i am late", []string{"person:brindlewick"}},
		{"speaker-in-brackets", "<brindlewick> i am late", []string{"person:brindlewick"}},
		{"object-of-install", "install brindlewick first", []string{"tool:brindlewick"}},
		{"object-of-by", "replaced it by brindlewick now", []string{"tool:brindlewick"}},
		{"participle-is-no-tool", "install brindlewicking first", nil},
		{"location", "we met in brindlewick.", []string{"place:brindlewick"}},
		{"said", "and thornquist said no", []string{"person:thornquist"}},
		{"given-name-and-surname", "thanks oksana petrenko, see you", []string{"person:oksana petrenko"}},
		{"common-surname", "thanks oksana baker, see you", []string{"person:oksana baker"}},
		{"given-name-that-is-a-word", "the jun build is red", nil},
		{"given-name-that-is-a-word-after-ask", "ask jun about it", []string{"person:jun"}},
		{"foreign-word-that-is-a-given-name", "das ist per Post und nicht gut", nil},
		{"part-of-a-path", "see x/oksana and oksana/y there", nil},
		{"possessor", "and quillfen's car", []string{"person:quillfen"}},
		{"honorific", "then mister quillfen spoke", []string{"person:quillfen"}},
		{"speaker-in-round-brackets", "(quillfen) i am late", []string{"person:quillfen"}},
		{"thanked", "thanks quillfen, bye", []string{"person:quillfen"}},
	})
}
