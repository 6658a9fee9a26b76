package similarity_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tenure"

	"tenure/similarity"
)

type attrs = map[string][]string

func person(name string, a attrs) similarity.Profile {
	return similarity.Profile{Names: []string{name}, Type: "person", Attributes: a}
}

func organization(name string, a attrs) similarity.Profile {
	return similarity.Profile{Names: []string{name}, Type: "organization", Attributes: a}
}

func compare(l, r similarity.Profile, p similarity.Prior) similarity.Comparison {
	return similarity.DefaultModel().Compare(similarity.DefaultModel().Prepare(l), similarity.DefaultModel().Prepare(r), p)
}

// twins returns what twins share.
func twins() attrs {
	return attrs{"dob": {"2009-05-21"}, "address": {"12 Rope Walk, Bristol"}, "phone": {"0117 496 0123"}}
}

func system(name, description string) similarity.Profile {
	return similarity.Profile{Names: []string{name}, Type: "system", Context: []string{description}}
}

// Bands of scores.
const (
	merge  = "merge"
	review = "review"
	other  = "new"
	below  = "below merge" // review or new
	above  = "above new"   // review or merge
)

func inBand(score float64, band string) bool {
	switch band {
	case merge:
		return score >= 0.95
	case review:
		return score > 0.70 && score < 0.95
	case other:
		return score <= 0.70
	case below:
		return score < 0.95
	}
	return score > 0.70
}

func TestNamesAskedAbout(t *testing.T) {
	for _, c := range []struct {
		behaviour   string
		left, right similarity.Profile
		band        string
	}{
		{"equal rare names are one", person("Ottoline Featherstonehaugh", nil), person("Ottoline Featherstonehaugh", nil), merge},
		{"case, accents and order of a family name with a comma do not matter", person("François Delacourt", nil), person("DELACOURT, Francois", nil), merge},
		{"a very common name alone proves little", person("John Smith", nil), person("John Smith", nil), below},
		{"another given name is another person", person("Robert Featherstone", nil), person("Wilhelmina Featherstone", nil), other},
		{"a short form of the given name", person("Bob Featherstone", nil), person("Robert Featherstone", nil), above},
		{"a pet form that its ending tells", person("Tibby Featherstone", nil), person("Tibold Featherstone", nil), above},
		{"another given name that starts alike is another person", person("Martin Featherstone", nil), person("Margaret Featherstone", nil), other},
		{"two letters of a short word are no slip", person("Ottoline Oscar Rask", nil), person("Ottoline Oscar Tresk", nil), below},
		{"long vowels of Khmer", person("សុភា គឹម", nil), person("Sopha Kim", nil), above},
		{"father and son by their suffix", person("Henry Featherstone Sr", nil), person("Henry Featherstone Jr", nil), other},
		{"the second is not the third", person("Henry Featherstone II", nil), person("Henry Featherstone III", nil), other},
		{"child and father swapped around the particle", person("Salman bin Muhammad al-Otaibi", nil), person("Muhammad bin Salman al-Otaibi", nil), other},
		{"a syllable of a Korean name is not a typing slip", person("박서준", nil), person("박서진", nil), other},
		{"a letter of a Chinese name is not a typing slip", person("李建国", nil), person("李建军", nil), other},
		{"another script", person("Дмитрий Шостакович", nil), person("Dmitriy Shostakovich", nil), above},
		{"a typing slip in a long name", person("Ottoline Featherstonehaugh", nil), person("Ottoline Fetherstonehaugh", nil), above},
		{"written in one word", organization("Blue Heron Logistics", nil), organization("BlueHeron Logistics", nil), above},
		{"the company form may be written otherwise or left out", organization("Heronwell Logistics Ltd.", nil), organization("Heronwell Logistics Limited", nil), above},
		{"numbers in the names of organisations differ", organization("Heronwell Capital Partners III", nil), organization("Heronwell Capital Partners IV", nil), other},
		{"number words are numbers", organization("Brigade Twenty-Two", nil), organization("Brigade 22", nil), above},
		{"a branch in another country", organization("Heronwell Bank (Singapore) Limited", nil), organization("Heronwell Bank (Australia) Limited", nil), below},
		{"a branch is not its parent", organization("Heronwell Bank", nil), organization("Heronwell Bank Mexico", nil), below},
		{"a word that is translated", organization("Banque Heronwell", nil), organization("Heronwell Bank", nil), review},
		{"all words translated", organization("Komitet gosudarstvennoi bezopasnosti Respubliki Belarus", nil), organization("State Security Committee of the Republic of Belarus", nil), review},
		{"another country in another language", organization("Banco do Brasil", nil), organization("Bank of Bolivia", nil), below},
		{"the same country in another language", organization("Banco do Brasil", nil), organization("Bank of Brazil", nil), review},
		{"two English words are two words, however near", organization("Heronwell Trade", nil), organization("Heronwell Commerce", nil), below},
		{"two editions", similarity.Profile{Names: []string{"Harbour Games 2016"}, Type: "event"}, similarity.Profile{Names: []string{"Harbour Games 2020"}, Type: "event"}, other},
		{"initials of the name", organization("World Heron Union", nil), organization("WHU", nil), above},
		{"two syllables of Korean in Latin letters are two names, however alike", person("Han Yong Sik", nil), person("Han Jong Sik", nil), below},
		{"one Korean name in two romanisations", person("Paek Chong-min", nil), person("Baek Jung-min", nil), above},
		{"one Chinese name in two romanisations", person("Teng Hsiao-ping", nil), person("Deng Xiaoping", nil), above},
		{"brothers have one patronymic, cousins do not", person("Zaur Magomedovich Tagirov", nil), person("Zaur Salimovich Tagirov", nil), other},
		{"a sister is not her brother", person("Danil Featherstonov", nil), person("Danila Featherstonova", nil), below},
		{"nor is a woman a man whose name is nearly hers", person("Gabriel Featherstone", nil), person("Gabrielle Featherstone", nil), below},
		{"each letter of a short code counts", organization("QLF Logistics", nil), organization("QLB Logistics", nil), other},
		{"a charity is no company of its name", organization("ANO Heronwell Logistics", nil), organization("LLC Heronwell Logistics", nil), below},
		{"a sign that is read aloud", organization("Heronwell 5%ers", nil), organization("Heronwell Five Percenters", nil), above},
		{"Japanese letters that sound alike are other letters", person("高石早苗", nil), person("高市早苗", nil), other},
		{"a name of a person without a type is compared as one", similarity.Profile{Names: []string{"Bob Featherstone"}}, similarity.Profile{Names: []string{"Robert Featherstone"}}, above},
		{"and with one who has a type", similarity.Profile{Names: []string{"Featherstone, Bob"}}, person("Robert Featherstone", nil), above},
		{"a company without a type", similarity.Profile{Names: []string{"Heronwell Logistics Ltd"}}, similarity.Profile{Names: []string{"Heronwell Logistics Limited"}}, above},
		{"names with nothing in common", person("Ottoline Featherstonehaugh", nil), person("Ranulph Twisleton", nil), other},
	} {
		t.Run(strings.ReplaceAll(c.behaviour, " ", "-"), func(t *testing.T) {
			got := compare(c.left, c.right, similarity.EvenPrior())
			if !inBand(got.Score, c.band) {
				t.Errorf("%q and %q score %.3f, want %s\n%+v", c.left.Names, c.right.Names, got.Score, c.band, got.Contributions)
			}
		})
	}
}

func TestAttributesOfCandidates(t *testing.T) {
	born := func(s string) attrs { return attrs{"dob": {s}} }
	with := func(a attrs, key, value string) attrs {
		out := attrs{key: {value}}
		for k, v := range a {
			out[k] = v
		}
		return out
	}
	for _, c := range []struct {
		behaviour   string
		left, right similarity.Profile
		band, veto  string
	}{
		{"an identifier settles it", person("Ada Featherstone", attrs{"passport": {"X123456 (PT)"}}), person("A. Featherstone", attrs{"passport": {"X123456"}}), merge, ""},
		{"day and month swapped", person("Ada Featherstone", born("11/12/1978")), person("Ada Featherstone", born("12/11/1978")), merge, ""},
		{"dates in other words", person("Ada Featherstone", born("1 March 1970")), person("Ada Featherstone", born("3/1/70")), merge, ""},
		{"namesakes born in other years", person("John Smith", born("1951-04-17")), person("John Smith", born("1990-09-02")), other, similarity.VetoBirthDate},
		{"a mailbox that many read proves little", person("Ada Featherstone", attrs{"email": {"info@park.example"}}), person("Bruno Kessel", attrs{"email": {"info@park.example"}}), other, ""},
		{"one mailbox and nearly one name", person("Ada Featherstone", attrs{"email": {"ada@park.example"}}), person("Ada Fetherstone", attrs{"email": {"Ada <ada@park.example>"}}), merge, ""},
		{"one name in one house", person("Ada Featherstone", attrs{"address": {"12 Rope Walk, Bristol BS1 6ZJ"}}), person("Ada M Featherstone", attrs{"address": {"12 Rope Walk, Bristol, BS1 6ZJ, England"}}), merge, ""},
		{"a floor and a unit before the house", organization("Heronwell Works", attrs{"address": {"#02-14, Tide House, 12 Rope Walk, 059413"}}), organization("Heronwel Works", attrs{"address": {"12 Rope Walk, 059413"}}), merge, ""},
		{"a postcode is no house", person("Ada Featherstone", attrs{"address": {"Rope Walk, Oldhaven, Saltmarsh, 6069"}}), person("Ada Featherston", attrs{"address": {"Rope Walk, Oldhaven, Saltmarsh, 3044"}}), merge, ""},
		{"a family in one house", person("Ada Featherstone", attrs{"address": {"12 Rope Walk, Bristol"}, "phone": {"0117 496 0123"}, "email": {"featherstones@park.example"}}), person("Bruno Featherstone", attrs{"address": {"12 Rope Walk, Bristol"}, "phone": {"0117 496 0123"}, "email": {"featherstones@park.example"}}), below, ""},
		{"twins", person("Ada Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), person("Bruno Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), below, ""},
		{"twins who share all that a household shares", person("Bruno Featherstone", attrs{"dob": {"1978-05-04"}, "address": {"12 Rope Walk, Bristol"}, "email": {"featherstones@park.example"}}), person("Brunhilde Featherstone", attrs{"dob": {"1978-05-04"}, "address": {"12 Rope Walk, Bristol"}, "email": {"featherstones@park.example"}}), below, ""},
		{"twins whose given names differ by a letter", person("Jason Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), person("Mason Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), below, ""},
		{"twins whose given names sound alike", person("Tim Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), person("Tom Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), below, ""},
		{"twins whose given names begin with S and Z", person("Zara Featherstone", twins()), person("Sara Featherstone", twins()), below, ""},
		{"twins whose given names are two endings", person("Kayla Featherstone", twins()), person("Kaylee Featherstone", twins()), below, ""},
		{"twins with given names that nobody knows", person("Zyrelle Featherstone", twins()), person("Zyrolle Featherstone", twins()), review, ""},
		{"a slip in a known given name", person("Matilda Featherstone", twins()), person("Matylda Featherstone", twins()), merge, ""},
		{"a slip in the surname of a house", person("Zyrelle Featherstone", twins()), person("Zyrelle Fetherstone", twins()), merge, ""},
		{"a number beside given names that nobody knows", person("Zyrelle Featherstone", with(twins(), "passport", "X1234567")), person("Zyrolle Featherstone", with(twins(), "passport", "X1234567")), merge, ""},
		{"two words a letter apart", system("cart-worker", "background worker of the shop"), system("card-worker", "background worker of the shop"), review, ""},
		{"a word and what is no word", system("cart-worker", "background worker of the shop"), system("cart-wroker", "background worker of the shop"), merge, ""},
		{"two numbers of a word", system("invoice worker", "background worker of the shop"), system("invoice workers", "background worker of the shop"), merge, ""},
		{"twins with a syllable in common", person("Park Ji-woo", with(born("2001-12-11"), "address", "22 Harbour-gil, Busan")), person("Park Ji-won", with(born("2001-12-11"), "address", "22 Harbour-gil, Busan")), below, ""},
		{"sisters whose family name comes first", person("Chen Yuting", attrs{"address": {"41 Harbour St, Taipei"}, "phone": {"+886 2 5550 1188"}}), person("Chen Yuxin", attrs{"address": {"41 Harbour St, Taipei"}, "phone": {"+886 2 5550 1188"}}), below, ""},
		{"years of birth that differ in a digit", person("Ada Featherstone", born("1950-01-01")), person("Ada Featherstone", born("1980-05-07")), "", similarity.VetoBirthDate},
		{"a date of birth under another name", person("Ada Featherstone", attrs{"DateOfBirth": {"1950-03-14"}}), person("Ada Featherstone", attrs{"born": {"1980-03-14"}}), "", similarity.VetoBirthDate},
		{"a number with a digit more", person("Ada Featherstone", attrs{"employee_id": {"1042"}, "dob": {"1978-05-04"}}), person("Ada Featherstone", attrs{"employee_id": {"21042"}, "dob": {"1978-05-04"}}), "", similarity.VetoIdentifier},
		{"another register", organization("Heronwell Works", attrs{"company_number": {"123456"}}), organization("Heronwell Works", attrs{"company_number": {"SC123456"}}), "", similarity.VetoIdentifier},
		{"a number with zeros in front", person("Ada Featherstone", attrs{"employee_id": {"1042"}}), person("Ada Featherston", attrs{"employee_id": {"01042"}}), merge, ""},
		{"a number without its country", organization("Heronwell Works", attrs{"vat": {"DE123456788"}}), organization("Heronwel Works", attrs{"vat": {"123456788"}}), merge, ""},
		{"birthdays decades apart", person("Ada Featherstone", born("1950-03-14")), person("Ada Featherstone", born("1980-03-14")), "", similarity.VetoBirthDate},
		{"a year of birth with a slip of the pen", person("Ada Featherstone", born("1951-03-14")), person("Ada Featherstone", born("1957-03-14")), merge, ""},
		{"a surname at the telephone of a house", person("Featherstone", attrs{"phone": {"+44 117 496 0123"}}), person("Ada Featherstone", attrs{"phone": {"+44 117 496 0123"}}), below, ""},
		{"sisters in one house", person("Tara Featherstone", attrs{"address": {"12 Rope Walk, Bristol"}, "phone": {"0117 496 0123"}}), person("Sara Featherstone", attrs{"address": {"12 Rope Walk, Bristol"}, "phone": {"0117 496 0123"}}), below, ""},
		{"a given name in two spellings", person("Susanne Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), person("Susan Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), merge, ""},
		{"addresses of two mailboxes as names", person("h.brook@park.example", nil), person("h.brooks@park.example", nil), other, ""},
		{"one address of a mailbox as the name", person("H.Brook@park.example", nil), person("h.brook@park.example", nil), merge, ""},
		{"a repository with its host and without", similarity.Profile{Names: []string{"https://github.com/heronwell/docs.git"}, Type: "repository"}, similarity.Profile{Names: []string{"heronwell/docs"}, Type: "repository"}, merge, ""},
		{"cartridges of two sizes", similarity.Profile{Names: []string{"Heronwell ink cartridge 304XL black"}, Type: "product"}, similarity.Profile{Names: []string{"Heronwell ink cartridge 305XL black"}, Type: "product"}, other, ""},
		{"a Korean name in two romanisations", person("Lee Ji-hoon", born("1991-07-25")), person("Yi Jihun", born("1991-07-25")), merge, ""},
		{"two sizes of a product of one description", similarity.Profile{Names: []string{"Heronwell Oat Drink 1 L"}, Type: "product", Attributes: attrs{"brand": {"Heronwell"}}, Context: []string{"oat drink carton"}}, similarity.Profile{Names: []string{"Heronwell Oat Drink 500 ml"}, Type: "product", Attributes: attrs{"brand": {"Heronwell"}}, Context: []string{"oat drink carton"}}, below, ""},
		{"two models of a product of one description", similarity.Profile{Names: []string{"Heronwell TX-500 drill"}, Type: "product", Context: []string{"cordless drill"}}, similarity.Profile{Names: []string{"Heronwell TX-550 drill"}, Type: "product", Context: []string{"cordless drill"}}, below, ""},
		{"the larger of two editions of one description", similarity.Profile{Names: []string{"Heronwell Tab 11"}, Type: "product", Context: []string{"tablet by Heronwell"}}, similarity.Profile{Names: []string{"Heronwell Tab 11 Pro"}, Type: "product", Context: []string{"tablet by Heronwell"}}, below, ""},
		{"two of one role", similarity.Profile{Names: []string{"the project manager"}, Type: "person", Context: []string{"The project manager on the bridge job is off sick"}}, similarity.Profile{Names: []string{"the project manager"}, Type: "person", Context: []string{"The project manager at our bank wants a call"}}, below, ""},
		{"two articles of one name", similarity.Profile{Names: []string{"Hex bolt M8 x 40 zinc"}, Type: "product", Attributes: attrs{"article_number": {"10044-840"}}}, similarity.Profile{Names: []string{"Hex bolt M8 x 40 zinc"}, Type: "product", Attributes: attrs{"article_number": {"10044-841"}}}, "", similarity.VetoIdentifier},
		{"two models of a series", similarity.Profile{Names: []string{"Heronwell Soundbar SB-310"}, Type: "product", Attributes: attrs{"brand": {"Heronwell"}}}, similarity.Profile{Names: []string{"Heronwell Soundbar SB-330"}, Type: "product", Attributes: attrs{"brand": {"Heronwell"}}}, below, ""},
		{"twins with short forms of one name", person("Molly Featherstone", with(born("2009-05-21"), "address", "12 Rope Walk, Bristol")), person("Milly Featherstone", with(born("2009-05-21"), "address", "12 Rope Walk, Bristol")), below, ""},
		{"a role of two people", person("my manager", nil), person("my manager", nil), below, ""},
		{"tickets of one project", similarity.Profile{Names: []string{"TIDE-1043"}, Type: "ticket"}, similarity.Profile{Names: []string{"TIDE-1034"}, Type: "ticket"}, other, ""},
		{"a number with its unit apart", similarity.Profile{Names: []string{"Heronwell Oats 250g"}, Type: "product"}, similarity.Profile{Names: []string{"Heronwell Oats 250 g"}, Type: "product"}, merge, ""},
		{"a family name that was changed", person("Ada Featherstone", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), person("Ada Kessel", with(born("1978-05-04"), "address", "12 Rope Walk, Bristol")), merge, ""},
		{"another website is no other person", person("Ada Featherstone", with(born("1978-05-04"), "website", "ada.example")), person("Ada Featherstone", with(born("1978-05-04"), "website", "featherstone.example")), merge, ""},
		{"other passports are for a person to judge", person("Ada Featherstone", with(born("1978-05-04"), "passport", "X1234567")), person("Ada Featherstone", with(born("1978-05-04"), "passport", "Q7651239")), "", similarity.VetoIdentifier},
		{"a person is no organisation", person("Ada Featherstone", nil), organization("Ada Featherstone", nil), "", similarity.VetoType},
		{"letters of another script in a word are suspicious", person("Ada Featherstone", nil), person("Adа Featherstone", nil), "", similarity.VetoSpelling},
		{"descriptions of two things with one name", similarity.Profile{Names: []string{"Avalon"}, Type: "place", Context: []string{"mountain village in the Caucasus"}}, similarity.Profile{Names: []string{"Avalon"}, Type: "place", Context: []string{"suburb of a coastal city in Australia"}}, below, ""},
	} {
		t.Run(strings.ReplaceAll(c.behaviour, " ", "-"), func(t *testing.T) {
			got := compare(c.left, c.right, similarity.DefaultModel().RegistryPrior())
			if got.Veto != c.veto || c.band != "" && !inBand(got.Score, c.band) {
				t.Errorf("score %.3f, veto %q, want %s, %q\n%+v", got.Score, got.Veto, c.band, c.veto, got.Contributions)
			}
		})
	}
}

// TestContraryBirthDatesBesideAnIdentifier checks which dates of birth are asked about although two have an identifier
// in common, and which are a slip.
func TestContraryBirthDatesBesideAnIdentifier(t *testing.T) {
	type identifier = [2]string
	staff, passport, mailbox := identifier{"employee_id", "E-7735"}, identifier{"passport", "X1234567"}, identifier{"email", "ada@park.example"}
	const asked = similarity.VetoBirthDate
	for _, c := range []struct {
		identifier  identifier
		left, right string
		veto        string
	}{
		{staff, "1950-03-03", "1980-07-07", asked},
		{passport, "1950-03-03", "1980-07-07", asked},
		{mailbox, "1950-03-03", "1980-07-07", asked},
		{identifier{"soc_sec_id", "6089216"}, "1950-03-03", "1980-07-07", asked},
		{staff, "1950", "1980", asked},
		{staff, "1950-03-03", "1980", asked},
		{staff, "1950-03-03", "1980-03-03", asked}, // one digit, and three decades
		{staff, "1981-09-23", "1980-01-05", asked},
		{staff, "1951-03-14", "1957-03-14", ""},
		{staff, "1951", "1957", ""},
		{staff, "1978-05-04", "1978-04-05", ""},
		{staff, "1978-05-12", "1978-05-21", ""},
		{staff, "1978-05-04", "1978", ""},
	} {
		of := func(date string) similarity.Profile {
			return person("Ada Featherstone", attrs{"dob": {date}, c.identifier[0]: {c.identifier[1]}})
		}
		if got := compare(of(c.left), of(c.right), similarity.DefaultModel().IdentifiedPrior()); got.Veto != c.veto || !inBand(got.Score, above) {
			t.Errorf("%s, %s and %s: %.3f, veto %q", c.identifier[0], c.left, c.right, got.Score, got.Veto)
		}
	}
}

// TestContraryBirthDatesOfRows checks when the dates of two rows are one that was mistyped or estimated.
func TestContraryBirthDatesOfRows(t *testing.T) {
	const home, number = "12 Rope Walk, Bristol", "6089216"
	row := func(id, name string, a attrs) similarity.Profile {
		p := person(name, a)
		p.Records = []tenure.Record{{Source: "crm", ID: id}}
		return p
	}
	for _, c := range []struct {
		behaviour         string
		left, right       string
		leftDob, rightDob string
		common            attrs
		veto              string
	}{
		{"nothing-of-the-dates-is-common", "Ada Featherstone", "Ada Featherstone", "1981-09-23", "1980-01-05", attrs{"address": {home}}, similarity.VetoBirthDate},
		{"the-day-is-common", "Ada Featherstone", "Ada Featherstone", "1981-09-23", "1980-01-23", attrs{"address": {home}}, ""},
		{"estimated-years", "Ada Featherstone", "Ada Featherstone", "1851", "1855", attrs{"address": {home}}, ""},
		{"an-exclusive-identifier", "Ada Featherstone", "Ada Featherstone", "1950-03-03", "1980-07-07", attrs{"address": {home}, "employee_id": {number}}, similarity.VetoBirthDate},
		{"a-mailbox-and-years", "Ada Featherstone", "Ada Featherstone", "1950", "1980", attrs{"address": {home}, "email": {"ada@park.example"}}, similarity.VetoBirthDate},
		{"a-number-and-all-else", "Ada Featherstone", "Ada Featherstone", "1950-03-03", "1980-07-07", attrs{"address": {home}, "soc_sec_id": {number}}, ""},
		{"a-number-and-another-given-name", "Ada Featherstone", "Bruno Featherstone", "1950-03-03", "1980-07-07", attrs{"address": {home}, "soc_sec_id": {number}}, similarity.VetoBirthDate},
		{"a-number-and-a-name", "Ada Featherstone", "Ada Featherstone", "1950-03-03", "1980-07-07", attrs{"soc_sec_id": {number}}, similarity.VetoBirthDate},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			with := func(dob string) attrs {
				a := attrs{"dob": {dob}}
				for k, v := range c.common {
					a[k] = v
				}
				return a
			}
			got := compare(row("1", c.left, with(c.leftDob)), row("2", c.right, with(c.rightDob)), similarity.DefaultModel().RegistryPrior())
			if got.Veto != c.veto {
				t.Errorf("%.3f, veto %q, want %q", got.Score, got.Veto, c.veto)
			}
		})
	}
}

// TestDescriptionsOfAKind checks that a description which two share merges them only where their names may be of one
// thing, whatever common words these have together.
func TestDescriptionsOfAKind(t *testing.T) {
	const team, cafe, hotel = "Internal service owned by the payments team", "coffee shop in the old town", "hotel in the old town"
	for _, c := range []struct {
		left, right, typ, description string
		band                          string
	}{
		{"Falcon Indexer", "Heron Indexer", "service", team, other},
		{"payments-api-gateway", "orders-api-gateway", "service", team, other},
		{"auth-service", "user-service", "service", team, other},
		{"payments-service", "orders-service", "service", team, other}, // the description has the words of one name, but not the name
		{"billing-api", "mailing-api", "service", team, other},
		{"Maple Street Cafe", "Oak Street Cafe", "place", cafe, other},
		{"Maple Street Cafe", "Marble Street Cafe", "place", cafe, other},
		{"Grand Hotel Vienna", "Grand Hotel Prague", "place", hotel, other},
		{"Robert Featherstone", "Wilhelmina Featherstone", "person", "dentist in the old town", other},
		{"Jason Featherstone", "Mason Featherstone", "person", "dentist in the old town", other},
		{"Coumadin", "warfarin", "concept", "brand name of warfarin", merge},
		{"candidate generation", "blocking", "concept", "candidate-pair generation by keys", merge},
		{"Falcon", "Falcon Indexer", "service", team, merge},
		{"invoice-service", "invoices-service", "service", team, merge},
		{"Postgres database", "PostgreSQL database", "service", "open-source relational database", merge},
		{"Intl Falcon Group", "International Falcon Group", "organization", "holding of shipping companies", merge},
		{"Ottoline Featherstonehaugh", "Ottoline Fetherstonehaugh", "person", "dentist in the old town", merge},
	} {
		t.Run(c.left+"/"+c.right, func(t *testing.T) {
			described := func(name string) similarity.Profile {
				return similarity.Profile{Names: []string{name}, Type: c.typ, Context: []string{c.description}}
			}
			got := compare(described(c.left), described(c.right), similarity.DefaultModel().RegistryPrior())
			if !inBand(got.Score, c.band) {
				t.Errorf("%q: %.3f, want %s\n%+v", c.description, got.Score, c.band, got.Contributions)
			}
		})
	}
}

// TestUniqueName checks that the only visible entity with exactly that name matches, unless evidence
// contradicts it.
func TestUniqueName(t *testing.T) {
	prior := similarity.DefaultModel().UniqueHolderPrior()
	for _, name := range []string{"John Smith", "Ada", "Nova", "billing-api", "王伟"} {
		for _, typ := range []string{"person", "project", "organization", "system", ""} {
			p := similarity.Profile{Names: []string{name}, Type: typ}
			if got := compare(p, p, prior); got.Score < 0.95 {
				t.Errorf("%q of type %q scores %.3f\n%+v", name, typ, got.Score, got.Contributions)
			}
		}
	}
	l, r := person("John Smith", attrs{"dob": {"1951-04-17"}}), person("John Smith", attrs{"dob": {"1990-09-02"}})
	if got := compare(l, r, prior); got.Score >= 0.95 {
		t.Errorf("namesakes born in other years score %.3f\n%+v", got.Score, got.Contributions)
	}
}

// TestBranchesShareAnAlias checks that evidence in other names counts where two branches share an alias.
func TestBranchesShareAnAlias(t *testing.T) {
	l, r := organization("Heronwell Exports Singapore", nil), organization("Heronwell Exports India", nil)
	l.Names, r.Names = append(l.Names, "Heronwell Exports"), append(r.Names, "Heronwell Exports")
	if got := compare(l, r, similarity.DefaultModel().RegistryPrior()); got.Score >= 0.95 {
		t.Errorf("score %.3f\n%+v", got.Score, got.Contributions)
	}
}

func TestExplanationAddsUp(t *testing.T) {
	l := person("Ada J Featherstone", attrs{"dob": {"1978-05-04"}, "email": {"ada@park.example"}, "city": {"Porto"}})
	r := person("Ada Fetherstone", attrs{"dob": {"4 May 1978"}, "email": {"info@park.example"}, "city": {"Lisbon"}})
	got := compare(l, r, similarity.DefaultModel().RegistryPrior())
	sum := 0.0
	for _, c := range got.Contributions {
		sum += c.LogOdds
		if c.Feature == "" || c.Reason == "" {
			t.Errorf("a line without name or reason: %+v", c)
		}
	}
	if math.Abs(sum-got.LogOdds) > 1e-9 {
		t.Errorf("the lines add up to %v, want %v", sum, got.LogOdds)
	}
	if p := 1 / (1 + math.Exp(-got.LogOdds)); math.Abs(p-got.Score) > 1e-12 {
		t.Errorf("score %v, want the probability of its log-odds %v", got.Score, p)
	}
	back := compare(r, l, similarity.DefaultModel().RegistryPrior())
	for i := range back.Contributions {
		c := &back.Contributions[i]
		c.Left, c.Right = c.Right, c.Left
	}
	if diff := cmp.Diff(got, back); diff != "" {
		t.Errorf("the other way round (-there +back):\n%s", diff)
	}
}

func TestScoreIsCompare(t *testing.T) {
	m := similarity.DefaultModel()
	l, r := similarity.DefaultModel().Prepare(person("Ada Featherstone", attrs{"dob": {"1978"}})), similarity.DefaultModel().Prepare(person("A Featherston", attrs{"dob": {"1978-03-02"}}))
	for _, p := range []similarity.Prior{similarity.EvenPrior(), m.RegistryPrior(), m.UniqueHolderPrior(), m.IdentifiedPrior()} {
		if a, b := m.Score(l, r, p), m.Compare(l, r, p).Score; a != b {
			t.Errorf("%s: Score %v, Compare %v", p.Name, a, b)
		}
	}
}

func TestOrderOfWhatIsKnownDoesNotMatter(t *testing.T) {
	a := similarity.Profile{
		Names: []string{"Ada Park", "A. Park", "Adelaide Park"}, Type: "person", Context: []string{"runs billing", "writes Go"},
		Attributes: attrs{"email": {"a@x.example", "b@x.example"}, "phone": {"+351 210 000 000", "702-919-1300"}},
		Records:    []tenure.Record{{Source: "crm", ID: "1"}, {Source: "hr", ID: "9"}}, Neighbours: []tenure.ID{"n1", "n2"},
	}
	b := similarity.Profile{
		Names: []string{"Adelaide Park", "Ada Park", "A. Park"}, Type: "person", Context: []string{"writes Go", "runs billing"},
		Attributes: attrs{"phone": {"702-919-1300", "+351 210 000 000"}, "email": {"b@x.example", "a@x.example"}},
		Records:    []tenure.Record{{Source: "hr", ID: "9"}, {Source: "crm", ID: "1"}}, Neighbours: []tenure.ID{"n2", "n1", "n1"},
	}
	c := person("Adelaide Parker", attrs{"phone": {"9191300"}})
	opt := cmpopts.EquateEmpty()
	if diff := cmp.Diff(compare(a, c, similarity.EvenPrior()), compare(b, c, similarity.EvenPrior()), opt); diff != "" {
		t.Errorf("(-one order +another):\n%s", diff)
	}
}

func TestCostIsBounded(t *testing.T) {
	flood := similarity.Profile{Type: "person", Attributes: attrs{}}
	for i := range 1000 {
		flood.Names = append(flood.Names, strings.Repeat("name", 2500)+string(rune('a'+i%26)))
		flood.Attributes["key"+strings.Repeat("x", i)] = []string{strings.Repeat("v ", 100)}
		flood.Context = append(flood.Context, strings.Repeat("c ", 5000))
	}
	l := similarity.DefaultModel().Prepare(flood)
	r := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			similarity.DefaultModel().Score(l, l, similarity.EvenPrior())
		}
	})
	if us := r.NsPerOp() / 1000; us > 20_000 {
		t.Errorf("one comparison takes %d us", us)
	}
}

// FuzzScore checks that a score is between 0 and 1, symmetric to the bit, and at most the score of a profile
// with itself.
func FuzzScore(f *testing.F) {
	for _, s := range [][4]string{
		{"Ada Park", "Ada Parker", "1978-05-04", "4/5/78"}, {"", " ", "", "0000-00-00"}, {"a", "A", "9999", "0"},
		{"🙂🙂", "🙂", "x", "🙂"}, {"\u202eada\u202c", "ada", "a\u200db", "ab"}, {"Adа", "Ada", "\xff\xfe", "�"}, {"...", "-", "&", "@"},
		{"김정은", "Kim Jong-un", "kim@x.example", "info@x.example"}, {strings.Repeat("ab ", 3400), strings.Repeat("ab", 5000), "1", "1"},
		{"Hsi Chin-ping", "Ping Xi Jin", "Kim Jong-un", "Gim Jeongeun"},
		{strings.Repeat("ai", 30) + "x wei", strings.Repeat("yo", 30) + "v kim", "Magomedovich Ivanova", "Mahomedovych Ivanov"}, {"3%ers", "%", "Li", "Lee Ri"},
		{"II III IV", "Jr", "II", "2"}, {"bin bin bin", "A bin B", "al", "of the"}, {"贝拉克·奥巴马", "バラク・オバマ", "१२३", "123"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	m := similarity.DefaultModel()
	types := []string{"", "person", "organization", "place", "project"}
	f.Fuzz(func(t *testing.T, a, b, u, v string) {
		for i, typ := range types {
			l := similarity.Profile{Names: []string{a, v}, Type: typ, Context: []string{b}, Attributes: attrs{"dob": {u}, "email": {v}, "address": {a}, "passport": {u}, "colour": {v, u}, "phone": {b}}}
			r := similarity.Profile{Names: []string{b}, Type: types[(i+len(a))%len(types)], Context: []string{a, u}, Attributes: attrs{"dob": {v}, "email": {u}, "address": {b}, "passport": {v}, "colour": {a}, "phone": {u}}}
			checkLaws(t, m, m.Prepare(l), m.Prepare(r))
			checkLaws(t, m, m.Prepare(similarity.Profile{Names: []string{a}, Type: typ}), m.Prepare(similarity.Profile{Names: []string{b}, Type: typ}))
		}
		if !utf8.ValidString(a) {
			return
		}
	})
}

func checkLaws(t *testing.T, m *similarity.Model, l, r *similarity.Prepared) {
	t.Helper()
	there, back := m.Score(l, r, similarity.EvenPrior()), m.Score(r, l, similarity.EvenPrior())
	if math.IsNaN(there) || there < 0 || there > 1 {
		t.Errorf("score %v", there)
	}
	if there != back {
		t.Errorf("%v there, %v back", there, back)
	}
	if self := min(m.Score(l, l, similarity.EvenPrior()), m.Score(r, r, similarity.EvenPrior())); self < there {
		t.Errorf("%v with itself, %v with the other", self, there)
	}
}

// TestRejectingAllocatesNothing checks that rejecting a non-match allocates no memory.
func TestRejectingAllocatesNothing(t *testing.T) {
	m := similarity.DefaultModel()
	full := attrs{"dob": {"1978-05-04"}, "email": {"ada@park.example"}, "phone": {"702-919-1300"}, "gender": {"F"}}
	moved := attrs{"dob": {"1951-11-30"}, "email": {"bruno@other.example"}, "phone": {"+1 212 555 0100"}, "gender": {"M"}}
	for _, c := range []struct {
		behaviour   string
		left, right similarity.Profile
	}{
		{"names", person("Ottoline Featherstonehaugh", nil), person("Ranulph Twisleton Wykeham", nil)},
		{"names and attributes", person("Ada Featherstone", full), person("Bruno Kessel", moved)},
		{"organisations", organization("Heronwell Logistics Ltd", nil), organization("Kessel Bank Singapore", nil)},
		{"no types", similarity.Profile{Names: []string{"Ada Featherstone"}}, similarity.Profile{Names: []string{"kessel-api"}}},
	} {
		l, r := m.Prepare(c.left), m.Prepare(c.right)
		if n := testing.AllocsPerRun(100, func() { m.Score(l, r, m.RegistryPrior()) }); n != 0 {
			t.Errorf("%s: %v allocations", c.behaviour, n)
		}
	}
}

func BenchmarkScore(b *testing.B) {
	m := similarity.DefaultModel()
	full := attrs{"dob": {"1978-05-04"}, "email": {"ada@park.example"}, "phone": {"702-919-1300"}, "address": {"123 Main Street, Las Vegas NV 89132"}, "gender": {"F"}}
	moved := attrs{"dob": {"5/4/78"}, "email": {"a.park@other.example"}, "phone": {"+1 702 919 1300"}, "address": {"1515 Adela Lane, Las Vegas, NV, 89111"}, "gender": {"female"}}
	for _, c := range []struct {
		name        string
		left, right similarity.Profile
	}{
		{"names-alike", person("Ottoline J Featherstonehaugh", nil), person("Otoline Fetherstonehaugh", nil)},
		{"names-apart", person("Ottoline Featherstonehaugh", nil), person("Ranulph Twisleton Wykeham", nil)},
		{"names-long", person("Muhammad Abd al-Karim Hasan Ibrahim al-Houthi", nil), person("Mohammed Abdulkarim Ibrahim Hassan al-Ghamari", nil)},
		{"attributes", person("Ada Featherstone", full), person("Ada Fetherston", moved)},
		{"attributes-apart", person("Ada Featherstone", full), person("Bruno Kessel", moved)},
	} {
		l, r := m.Prepare(c.left), m.Prepare(c.right)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Score(l, r, similarity.EvenPrior())
			}
		})
	}
	b.Run("prepare", func(b *testing.B) {
		p := person("Ottoline Featherstonehaugh", full)
		b.ReportAllocs()
		for b.Loop() {
			m.Prepare(p)
		}
	})
}

// TestUntypedByTheirIdentifiers checks that profiles without a type are compared by the class that their
// attributes imply, in any spelling.
func TestUntypedByTheirIdentifiers(t *testing.T) {
	for name, want := range map[string]string{
		"ssn": "person", "SSN": "person", "Date-Of-Birth": "person", "lei": "organization", "isbn": "thing",
	} {
		left := similarity.Profile{Names: []string{"Bob Heronwell"}, Attributes: attrs{name: {"5"}}}
		right := similarity.Profile{Names: []string{"Robert Heronwell"}, Attributes: attrs{name: {"5"}}}
		class, _, _ := similarity.DefaultModel().Evidence(similarity.DefaultModel().Prepare(left), similarity.DefaultModel().Prepare(right))
		if class != want {
			t.Errorf("%s: compared as %s, want %s", name, class, want)
		}
	}
}

// TestOffers checks that two offers are merged by a number that they have in common and not by their title.
func TestOffers(t *testing.T) {
	m := similarity.DefaultModel()
	offer := func(title, price string) *similarity.Prepared {
		return m.Prepare(similarity.Profile{Names: []string{title}, Type: "product", Attributes: attrs{"price": {price}}})
	}
	score := func(l, r *similarity.Prepared) float64 { return m.Score(l, r, similarity.EvenPrior()) }
	title, same := offer("Heronwell Photo Studio Deluxe", "49.90"), offer("Heronwell Photo Studio Deluxe", "49.00")
	if got := score(title, same); got >= similarity.MergeAt || got < .9 {
		t.Errorf("one title: %.3f", got)
	}
	if near := score(title, offer("Heronwell Photo Studio", "49.00")); near >= score(title, same) {
		t.Errorf("a part of the title: %.3f", near)
	}
	if got := score(offer("Heronwell drill TX-500", "89"), offer("Heronwell TX500 cordless drill", "92")); got < similarity.MergeAt {
		t.Errorf("one model number: %.3f", got)
	}
	bare := func(title string) *similarity.Prepared {
		return m.Prepare(similarity.Profile{Names: []string{title}, Type: "product"})
	}
	c := m.Compare(title, same, similarity.EvenPrior())
	if !slices.ContainsFunc(c.Contributions, func(x similarity.Contribution) bool { return x.Feature == "bound" && x.LogOdds < 0 }) {
		t.Errorf("the bound is not told: %+v", c.Contributions)
	}
	if got := score(bare("Heronwell Photo Studio Deluxe"), bare("The Heronwell Photo Studio Deluxe")); got < c.Score {
		t.Errorf("names alone are no offers: %.3f", got)
	}
}
