package similarity

import (
	_ "embed"
	"maps"
	"slices"
	"strings"

	"tenure/text"
)

// The tables in this file are closed lists of words of everyday language and company law, each compiled for
// Tenure. The frequencies of all other words are learned: see Model.

// nicknameLines has one line per given name: the name, then its short forms.
//
//go:embed data/nicknames.txt
var nicknameLines string

// givenNames maps a spelling to the sorted numbers of the given names that it may stand for.
// fullNames maps a given name to its own numbers.
var givenNames, fullNames = readNicknames(nicknameLines)

// moreGivenNames are given names that are in no other table. They tell a name from a slip of the
// pen, and nothing else.
var moreGivenNames = func() map[string]bool {
	table := map[string]bool{}
	for line := range strings.Lines(givenNameLines) {
		if !strings.HasPrefix(line, "#") {
			maps.Copy(table, set(line))
		}
	}
	return table
}()

// feminine maps given names of men to those of women that are made of them by an ending: Julian to Juliane.
var feminine = func() map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(feminineLines) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for entry := range strings.SplitSeq(line, ";") {
			if words := strings.Fields(entry); len(words) > 1 {
				table[words[0]] = words[1:]
			}
		}
	}
	return table
}()

//go:embed data/feminine.txt
var feminineLines string

//go:embed data/given.txt
var givenNameLines string

func readNicknames(lines string) (table, fullNames map[string][]uint16) {
	table, fullNames = map[string][]uint16{}, map[string][]uint16{}
	n := uint16(0)
	for line := range strings.Lines(lines) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for i, w := range strings.Fields(line) {
			table[w] = append(table[w], n)
			if i == 0 {
				fullNames[w] = append(fullNames[w], n)
			}
		}
		n++
	}
	return table, fullNames
}

// shortForms reports whether two given names are different short forms of the names that they share, and neither is one
// of these: Molly and Polly, Bill and Liam.
func shortForms(a, b *token) bool {
	return a.text[:min(2, len(a.text))] != b.text[:min(2, len(b.text))] && !sameGiven(fullNames[a.text], b.given) && !sameGiven(fullNames[b.text], a.given)
}

// translationLines has one line per meaning: the English word, then words of other languages for it.
//
//go:embed data/translations.txt
var translationLines string

// meanings maps the words that the names of organisations share in many languages to the English word; stems those
// beginnings that stand for all words that begin so.
var meanings, stems = readTranslations(translationLines)

func readTranslations(lines string) (meanings, stems map[string]string) {
	meanings, stems = map[string]string{}, map[string]string{}
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for _, w := range words {
			if stem, ok := strings.CutSuffix(w, "*"); ok {
				stems[stem] = words[0]
			} else {
				meanings[w] = words[0]
			}
		}
	}
	return meanings, stems
}

// shortestMeant is the least number of letters of a stem in the table.
const shortestMeant = 4

// Meaning returns the English word for a folded word that the names of organisations share in many languages, in Latin
// letters: "bank" for "banque" and "masrif". It is "" for other words.
func Meaning(word string) string {
	if m := meanings[word]; m != "" {
		return m
	}
	for n := len(word); n >= shortestMeant; n-- {
		if m := stems[word[:n]]; m != "" {
			return m
		}
	}
	return ""
}

// sameGiven reports whether two sorted lists of given names intersect.
func sameGiven(a, b []uint16) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// SharesGivenName reports whether two names of people have words that may stand for one given name.
func SharesGivenName(a, b string) bool {
	x, y := splitWords(a, people), splitWords(b, people)
	for i := range x {
		for j := range y {
			if sameGiven(givenNames[x[i].text], givenNames[y[j].text]) {
				return true
			}
		}
	}
	return false
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// isHonorific reports whether a word before a person's name does not identify.
func isHonorific(w string) bool { return w == "the" || text.IsTitle(w) }

// givenGender maps given names that differ from one of the other gender in only a letter or two to their
// gender: 1 for men, -1 for women.
var givenGender = func() map[string]int8 {
	men := `adrian alain albert alexander alexandre alexis alfonso alfred amin andre andreas andrew angel angelo antoine anton antonio
		antony armand bernard bruno camille carl carlo carlos charles christian christopher claude claudio clement cyril damian daniel
		daniil danilo denis dennis dominic dominik dominique edmond eduardo emil emile emilio eric erik ernest eugene fabian fabio felix
		fernando filip franc francesco francis francisco francois franz frederic frederick gabriel george georges gerald gerard
		giovanni giuliano gregor hassan henri henry igor ivan jack jacques jean johan johann john josef joseph juan jules julian julien
		julio karel karim karl karol konstantin laurent leo leon leonard lorenz louis luca lucian lucien luciano luis marcel marcello
		marcelo marco marian mario marius mark martin maurice max maxim michael michel mikhail mohamed nabil nadir natan nicholas nicolas
		nikita oleg olaf olav orlando oscar otto pascal patrick paul paulo pavel pedro peter philip philippe pierre rafael raphael raoul
		rashid raymond rene richard robert roberto roland roman ronald samir sergio simon stanislav stefan stephan stephane stephen
		steven theodor theodore thomas valentin valery victor viktor vincent virgil vladimir vladislav walid yves yusuf zahir`
	women := `adriana adriane adrienne alaine alberta alexandra alexandrine alfonsa alfreda amina amine andrea angela angelina antoinette
		antonia armande bernarda bernadette bruna carla carlotta charlotte christiane christina christine claudette claudia clementine
		damiana daniela daniele daniella danielle denise dominica edmonda edmonde eduarda emilia emily erica erika ernesta ernestine
		eugenia fabiana fabienne felicia fernanda filippa franca frances francesca francisca francoise frederica frederique gabriela
		gabriele gabriella gabrielle georgette georgia georgina geralda geraldine giovanna giuliana hassana henrietta henriette ivana
		ivanka ivanna jacqueline jane janet janina jeanne jeannette joan joana joanna johanna josefa josefina josepha josephine juana
		julia juliana julianne julie julienne karima karla karolina konstantina laura laurence leona leonarda leonie lorenza louisa
		louise luciana lucie lucienne luisa marcela marcella marcelle maria mariana marianna marianne marie marina martina maurizia
		michaela michela michele michelle mikhaila nabila nadia nadira natasha nicola nicole nicoletta olga orlanda paola paula
		paulette paulina pauline petra philippa pierrette rafaela raphaela rashida renata renee roberta rolanda romana samira
		sergia simona simone stanislava stefania stephania stephanie theodora thomasina valentina valeria victoria viktoria vincenza
		virginia vladimira vladislava walida yvette yvonne zahira`
	table := map[string]int8{}
	for w := range set(men) {
		table[w] = 1
	}
	for w := range set(women) {
		table[w] = -1
	}
	for _, either := range []string{"camille", "claude", "dominique", "alexis", "andrea", "michele", "daniele", "gabriele", "nicola", "nikita", "jean", "laurence"} {
		delete(table, either)
	}
	return table
}()

// particles belong to a neighbouring name and are often omitted or spelled differently.
var particles = set(`al el ul as ad ar az an at ash ed es de del della di da das dos do du des den der van von zu zur la
	le les los las y e i ibn bin ben bn bint binti ould wuld oglu ogly kyzy qizi ap mac`)

// patronymics are particles between a child's name and the father's.
var patronymics = set("ibn bin ben bn bint binti ould wuld")

var stopWords = set("the of and for a an in on at to by de la le les des du et y e del und fur der die das di & und von zu")

// IsStopWord reports whether a folded word carries no information in the name of an organisation or a thing.
func IsStopWord(w string) bool { return stopWords[w] }

// vesselPrefixes precede the names of ships.
var vesselPrefixes = set("mv mt ms ss hms uss my")

// generations maps generational suffixes to their number.
var generations = map[string]uint8{
	"sr": 1, "senior": 1, "jr": 2, "junior": 2, "ii": 2, "iii": 3, "iv": 4, "2nd": 2, "3rd": 3,
}

var romans = map[string]string{
	"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11", "xii": "12",
	"xiii": "13", "xiv": "14", "xv": "15", "xvi": "16",
}

// oneLetterRomans are numerals only at the end of a name ("Fund V").
var oneLetterRomans = map[string]string{"i": "1", "v": "5", "x": "10"}

var numberWords = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
	"fourty": 40, //nolint:misspell // people write it so

	"fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
	"tenth": 10,
}

// companyForms maps words to a legal form. Variants in one country's law, and forms that are used
// interchangeably, map to the same form.
var companyForms = map[string]string{
	"ltd": "ltd", "limited": "ltd", "limitada": "ltd", "ltda": "ltd", "pvt ltd": "ltd", "private limited": "ltd",
	"co ltd": "ltd", "company limited": "ltd", "pty ltd": "ltd", "pte ltd": "ltd", "pte": "ltd", "pty": "ltd",
	"llc": "llc", "limited liability company": "llc", "ooo": "llc", "limited liability co": "llc", "tov": "llc",
	"inc": "corp", "incorporated": "corp", "corp": "corp", "corporation": "corp", "co": "corp", "company": "corp",
	"jsc": "jsc", "ojsc": "jsc", "oao": "jsc", "pjsc": "jsc", "pao": "jsc", "zao": "jsc", "cjsc": "jsc", "ao": "jsc",
	"joint stock company": "jsc", "open joint stock company": "jsc", "public joint stock company": "jsc",
	"closed joint stock company": "jsc", "joint stock co": "jsc",
	"gmbh": "gmbh", "gesellschaft mit beschrankter haftung": "gmbh", "ag": "ag", "aktiengesellschaft": "ag",
	"kg": "kg", "gmbh co kg": "kg", "ohg": "ohg", "ev": "ev", "se": "se",
	"sa": "sa", "sociedad anonima": "sa", "societe anonyme": "sa", "sa de cv": "sa", "de cv": "sa", "cv": "sa",
	"sarl": "sarl", "srl": "sarl", "sl": "sarl", "eurl": "sarl", "sas": "sas", "spa": "spa",
	"plc": "plc", "public limited company": "plc", "llp": "llp", "lp": "lp", "limited partnership": "lp",
	"bv": "bv", "nv": "nv", "ab": "ab", "aktiebolag": "ab", "as": "as", "asa": "as", "oy": "oy", "oyj": "oy",
	"sp z oo": "spzoo", "spzoo": "spzoo", "sp zoo": "spzoo", "sro": "sro", "kft": "kft", "doo": "doo", "ood": "ood",
	"eood": "ood", "kk": "kk", "kabushiki kaisha": "kk", "sdn bhd": "bhd", "bhd": "bhd", "pt": "pt", "tbk": "pt",
	"ano": "ngo", "ngo": "ngo", "fze": "fze", "fzco": "fze", "fz llc": "fze", "est": "est",
}

// associations are the legal forms of non-profit organisations.
var associations = set("ngo ev")

// longestForm is the most words of a legal form.
const longestForm = 4

// abbreviations maps customary abbreviations in the names of organisations, and national spellings, to one
// spelling.
var abbreviations = map[string]string{
	"intl": "international", "int": "international", "natl": "national", "assn": "association", "assoc": "association",
	"dept": "department", "dpt": "department", "univ": "university", "inst": "institute", "govt": "government",
	"gov": "government", "mfg": "manufacturing", "bros": "brothers", "grp": "group", "hldgs": "holdings",
	"tech": "technology", "svcs": "services", "mgmt": "management", "organisation": "organization",
	"organisations": "organizations", "labour": "labor", "centre": "center", "defence": "defense",
	"programme": "program", "bldg": "building", "eng": "engineering", "lab": "laboratory", "labs": "laboratories",
	"repo": "repository", "docs": "documentation", "doc": "document",
}

// countryWords are the names and adjectives of countries. In the name of an organisation they distinguish a
// branch from its parent.
var countryWords = set(`afghanistan albania algeria angola argentina armenia australia austria azerbaijan bahrain bangladesh
	belarus belgium bolivia bosnia brazil brasil bulgaria cambodia cameroon canada chad chile china colombia congo croatia cuba cyprus
	czech denmark ecuador egypt eritrea estonia ethiopia finland france gambia georgia germany deutschland ghana greece guatemala
	guinea haiti honduras hungary iceland india indonesia iran iraq ireland israel italy italia jamaica japan jordan kazakhstan
	kenya korea kuwait laos latvia lebanon liberia libya liechtenstein lithuania luxembourg macau macedonia madagascar
	malaysia mali malta mexico moldova monaco mongolia morocco mozambique myanmar namibia nepal netherlands nicaragua niger
	nigeria norway oman pakistan palestine panama paraguay peru philippines poland portugal qatar romania russia rwanda
	saudi senegal serbia singapore slovakia slovenia somalia spain espana sudan sweden switzerland syria taiwan tajikistan
	tanzania thailand tunisia turkey turkmenistan uganda ukraine uae uk usa us uruguay uzbekistan venezuela vietnam yemen
	zambia zimbabwe hong kong britain british`)

// regionWords are the names and adjectives of other regions.
var regionWords = set(`america europe asia africa asian african european american arabia london worldwide global north south east
	west northern southern eastern western`)
