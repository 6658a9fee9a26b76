package similarity_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/similarity"
)

var update = flag.Bool("update", false, "write the golden file")

// family is a list of profiles that are compared with one another, each pair once.
type family struct {
	title    string
	profiles []similarity.Profile
	labels   []string
	first    bool // only the first is compared with the others
	near     bool // only profiles that are close in the list are compared
}

func namesOf(title, typ string, names ...string) family {
	f := family{title: title}
	for _, n := range names {
		f.profiles = append(f.profiles, similarity.Profile{Names: []string{n}, Type: typ})
		f.labels = append(f.labels, n)
	}
	return f
}

// valuesOf compares people of one name by the values of an attribute.
func valuesOf(key string, values ...string) family {
	f := family{title: "attribute " + key, labels: values}
	for _, v := range values {
		f.profiles = append(f.profiles, person("Ottoline Featherstone", attrs{key: {v}}))
	}
	return f
}

// about compares things of one name by their descriptions.
func about(descriptions ...string) family {
	f := family{title: "descriptions", labels: descriptions}
	for _, d := range descriptions {
		f.profiles = append(f.profiles, similarity.Profile{Names: []string{"Heron Quay"}, Type: "place", Context: []string{d}})
	}
	return f
}

// different compares profiles that a test writes in full.
func different(title string, profiles ...similarity.Profile) family {
	f := family{title: title, profiles: profiles}
	for i, p := range profiles {
		f.labels = append(f.labels, fmt.Sprintf("%d %s", i, strings.Join(p.Names, "/")))
	}
	return f
}

// altered compares names with themselves after some changes at random: letters and words lost, doubled, exchanged,
// added and abbreviated.
func altered(title, typ string, more []string, names ...string) []family {
	r := rand.New(rand.NewPCG(7, uint64(len(names))))
	var list []family
	for _, n := range names {
		variants := []string{n}
		for range 16 {
			v := n
			for range 1 + r.IntN(3) {
				v = alter(r, v, more)
			}
			variants = append(variants, v)
		}
		f := namesOf(title, typ, variants...)
		f.first = true
		list = append(list, f)
	}
	return list
}

func alter(r *rand.Rand, name string, more []string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return name
	}
	i := r.IntN(len(words))
	w := []rune(words[i])
	at := r.IntN(len(w))
	switch r.IntN(11) {
	case 0:
		w = slices.Delete(w, at, at+1)
	case 1:
		w = slices.Insert(w, at, w[at])
	case 2:
		w[at] = rune('a' + r.IntN(26))
	case 3:
		if at > 0 {
			w[at-1], w[at] = w[at], w[at-1]
		}
	case 4:
		w = slices.Insert(w, at, rune('a'+r.IntN(26)))
	case 5:
		w = w[:1]
	case 6:
		w = w[:max(1, len(w)/2)]
	case 7:
		w = append(w, []rune(" "+more[r.IntN(len(more))])...)
	case 8:
		w = nil
	case 9:
		if i > 0 {
			words[i-1], words[i] = words[i], words[i-1]
			return strings.Join(words, " ")
		}
	case 10:
		w = slices.Insert(w, at, ' ')
	}
	words[i] = string(w)
	return strings.Join(words, " ")
}

func families() []family {
	list := altered("altered people", "person", []string{"Jr", "III", "Dr", "bin", "van", "Maria", "J.", "de"},
		"Ottoline Featherstonehaugh", "Katharina Lindqvist", "Mohammed al-Rashid", "Sergei Petrovich Ivanov", "Wei Zhang Liu",
		"Kim Min Seo", "Elizabeth Tregarthen", "Aleksandra Nowakowska", "Jean-Pierre Dubois", "Ana")
	list = append(list, altered("altered organizations", "organization", []string{"Ltd", "GmbH", "3", "of", "Germany", "Fund", "II", "&"},
		"Heronwell Logistics", "Northern Harbour Capital Partners", "World Heron Union", "Saltmarsh Timber Trading Company", "QLF Data")...)
	list = append(list, altered("altered things", "product", []string{"2", "the", "Pro", "of", "Edition"},
		"Harbour Lamp 200", "Blue Heron Field Recorder", "Atlas", "Northern Light Engine Oil")...)
	for _, f := range written() {
		list = append(list, f)
		if strings.HasPrefix(f.title, "attribute ") {
			list = append(list, f.inPairs())
		}
	}
	return list
}

// inPairs returns the family with two values in each profile.
func (f family) inPairs() family {
	out := family{title: f.title + " in pairs", near: true}
	for i, p := range f.profiles {
		next := (i + 1) % len(f.profiles)
		both := attrs{}
		for k, v := range p.Attributes {
			both[k] = append(slices.Clone(v), f.profiles[next].Attributes[k]...)
		}
		out.profiles = append(out.profiles, person("Ottoline Featherstone", both))
		out.labels = append(out.labels, f.labels[i]+"+"+f.labels[next])
	}
	return out
}

// written lists the families that are chosen by hand.
func written() []family {
	return []family{
		namesOf("an English name", "person",
			"Robert Featherstone", "Bob Featherstone", "R. Featherstone", "FEATHERSTONE, Robert", "Rob J. Featherstone",
			"Robert James Featherstone", "Robert Featherstone Jr.", "Robert Featherstone III", "Robert I Featherstone",
			"Roberta Featherstone", "Robert Fetherstone", "Robret Featherstone", "Rupert Featherstone", "Featherstone",
			"Dr. Robert Feather Stone", "R0bert Featherstone", "Robert Featherstonehaugh", "James Robert Featherstone", "Robert Featherstone Sr", "Robert Featherstone SA", "Robert Featherstone Ltd", "Robert SA Featherstone"),
		namesOf("short forms", "person",
			"William Tregarthen", "Bill Tregarthen", "Will Tregarthen", "Wilhelmina Tregarthen", "Margaret Tregarthen",
			"Peggy Tregarthen", "Meg Tregarthen", "Martin Tregarthen", "Marty Tregarthen", "Tibby Tregarthen", "Tibold Tregarthen",
			"Tibold Tregarten", "W Tregarthen", "Wm Tregarthen"),
		namesOf("slips and spaces", "person",
			"Ottoline Oscar Rask", "Ottoline Oscar Tresk", "Ottoline Rask", "Otoline Rask", "Ottolnie Rask", "Ottoline O. Rask",
			"Oscar Ottoline Rask", "Ottoline Oscar van der Bilt", "Ottoline Vanderbilt", "Ottoline van der Bilt", "Vanderbilt Ottoline",
			"Attoline Rusk", "Ottoline Castillo", "Ottoline Castro", "OttolineRask", "Ottoline Lee", "Ottoline Le E", "Ottoline Li", "Ottoline Leah", "Featherstone Ltd", "Otto Line Rask", "Rask", "Rusk", "O. O. R.", "Ottoline Ra\xffsk", "Ottoline\xffRask"),
		namesOf("Slavic names", "person",
			"Дмитрий Дмитриевич Шостакович", "Dmitri Shostakovich", "Dmitriy D. Shostakovich", "Dimitri Schostakowitsch",
			"Zaur Magomedovich Tagirov", "Zaur Magomedovich Tagirova", "Zaur Salimovich Tagirov", "Zaur Magomedovych Tagiroff",
			"Zaur Tagirov", "Zaura Magomedovna Tagirova", "Tagirov Zaur Magomedovich", "Danil Featherstonov", "Danila Featherstonova"),
		namesOf("Arabic names", "person",
			"Salman bin Muhammad al-Otaibi", "Muhammad bin Salman al-Otaibi", "Salman Mohammed Al Otaibi", "Abdulaziz bin Salman",
			"Abdul Aziz Salman", "Abd al-Aziz ibn Salman", "Abdel Salman", "Salman Otaibi", "محمد بن سلمان", "Mohamed Salman"),
		namesOf("Korean names", "person",
			"박서준", "박서진", "Park Seo-joon", "Pak So Jun", "Seo Jun Park", "Paek Chong-min", "Baek Jung-min", "Han Yong Sik",
			"Han Jong Sik", "Kim Yong-un", "Kim Jong Un"),
		namesOf("Chinese and Japanese names", "person",
			"Mao Tse-tung", "Mao Zedong", "毛泽东", "Zedong Mao", "Teng Hsiao-ping", "Deng Xiaoping", "李建国", "李建军", "Li Jianguo",
			"高石早苗", "高市早苗", "Takaichi Sanae", "たかいち さなえ", "诸葛孔明", "欧阳修文", "司马相如", "マリア・デルラ・ロサ", "Maria Della Rosa"),
		namesOf("legal forms", "organization",
			"Heronwell Logistics Ltd.", "Heronwell Logistics Limited", "Heronwell Logistics GmbH", "Heronwell Logistics",
			"HERONWELL LOGISTICS CORP", "The Heronwell Logistics Company", "Heron Well Logistics", "ANO Heronwell Logistics",
			"Heronwell Logistics (Singapore) Pte Ltd", "Heronwell Logistics Australia", "Heronwell Logistics Asia", "HL", "HLC",
			"H.L.C.", "Heronwell Logistcs", "Heronwell & Sons Logistics", "Limited Liability Company Heronwell Logistics",
			"Limited Liabilty Company Heronwell Logistics", "Logistics Heronwell", "QLF Logistics", "QLB Logistics"),
		namesOf("numbers", "organization",
			"Heronwell Capital Partners III", "Heronwell Capital Partners IV", "Heronwell Capital Partners 3",
			"Heronwell Capital Partners Three", "Heronwell Capital Partners", "Heronwell Capital Partners V",
			"Heronwell Growth Equity Capital Partners Fund", "Heronwell Growth Equity Capital Partners Fund 3", "Brigade Twenty-Two",
			"22nd Brigade", "Brigade 22", "Brigade Twenty Three", "Brigade 2 3", "Heronwell 5%ers", "Heronwell Five Percenters", "AHL1", "AHL 1"),
		namesOf("things", "event",
			"Harbour Games 2016", "Harbour Games 2020", "Harbour Games", "Games of the Harbour", "Harbor Games", "MV Harbour Star",
			"Harbour Star", "Harbour Star II", "Harbour Star 2", strings.Repeat("Harbour Star of the Northern Light ", 9),
			strings.Repeat("Harbour Star of the Northern Light ", 8)+"again", "♥"),
		namesOf("without a type", "",
			"Bob Featherstone", "Robert Featherstone", "Featherstone, Robert", "Heronwell Logistics Ltd", "Heronwell Logistics Limited",
			"Heronwell", "Mr Featherstone", "Featherstone 2016"),
		valuesOf("dob", "1978-05-04", "4 May 1978", "05/04/1978", "1978-04-05", "1978-05-14", "1978-05-13", "1978", "1979", "1988", "78",
			"1978-06-04", "May 1978", "June 1978", "1978-01-01", "1981-05-04", "1980-02-03", "19780504", "circa 1965", "1978-12-25", "unknown"),
		valuesOf("email", "ada@park.example", "Ada <ADA@park.example>", "ada@other.example", "info@park.example", "Info@Park.example", "nonsense", "bea@park.example"),
		valuesOf("phone", "+44 117 496 0123", "0117 496 0123", "+44 (0)117 496 0123", "496 0123", "+44 117 496 0124", "+49 201 5550123", "12"),
		valuesOf("passport", "X1234567", "X 1234567", "X1234568", "X1234576", "1234567", "Q9", "112233 (NV)", "112233", "  "),
		valuesOf("handle", "@ada", "@ADA", "@adam", "@bea"),
		valuesOf("iban", "DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "DE89370400440532013001", "0532013000"),
		valuesOf("address", "12 Mill Road, Leer", "12 Mill Rd Leer", "14 Mill Road, Leer", "12 Mill Road, Flat 3, Leer 26789", "Mill Road, Leer",
			"19 Harbour Lane, Emden", "12 Mil Road, Leer", "12 Harbour Road, Leer", "26789 Leer"),
		valuesOf("postcode", "BS1 4ND", "BS1 4NE", "BS2 4ND", "BS1 7XX", "bs1  4nd", "BS1 4DN", "1234567890123456", "1234567890123457", "12345678901234567", "12345678901234568", "BS14ND", "26789", "26798", "26788", "26111"),
		valuesOf("gender", "m", "Male", "f", "woman", "x"),
		valuesOf("country", "FR", "fr", "France", "US", "USA", "Germany", "france"),
		valuesOf("year", "1998", "1999", "2001", "1998.5"),
		valuesOf("floors", "12", "13", "15", "twelve"),
		valuesOf("role", "Chief Engineer", "chief  engineer", "Engineer", "Chief Engineerr of Ships", "Cook", "Baker", "Cook of ships and harbours"),
		valuesOf("city", "Leer", "leer", "Emden", "Leer (Ostfriesland)", "Leer in the north of Lower Saxony", "Emden in the west of Lower Saxony"),
		valuesOf("motto", "north wind over cold water", "north wind over cold water and stone", "north wind and stone", "cold water at dawn by the stone bridge", "warm bread"),
		valuesOf("founded", "1978-05-04", "1978-05-04T00:00:00Z", "99-05-04", "1999-04-05", "1st May 1999", "31/12/1999", "13/31/1999", "1999", "2000", "2001", "2002", "999", "998", "04/05/99", "04 / 05 / 99", "19990405", "4 May 99", "4 May 100", "4 May 00", "May 99", "Ma 1999", "1 Jan 1999", "2 Jan 1999", "1999-02", "1999-03", "1000", "2000-06-07", "1999-06-08"),
		about("A quay on the northern harbour", "a quay on the Northern Harbour", "Northern harbour quay, built 1901", "Northern harbour quay, built 1911",
			"A harbour", "The bakery of Mill Road", "Beside Heron Quay and Tregarthen"),
		different("households",
			person("Johann Brandt", attrs{"dob": {"1950-03-07"}, "address": {"4 Harbour Lane, Emden"}}),
			person("Johann Brandt", attrs{"dob": {"1980-11-23"}, "address": {"4 Harbour Lane, Emden"}}),
			person("Wilhelmina Brandt", attrs{"dob": {"1950-03-07"}, "address": {"4 Harbour Lane, Emden"}}),
			person("Johann Brandt", attrs{"dob": {"1950-03-07"}, "postcode": {"26721"}}),
			person("Lotte Brandt", attrs{"dob": {"1950-03-07"}, "postcode": {"26721"}}),
			person("Lotte Brandt", attrs{"phone": {"+49 201 5550123"}, "email": {"info@brandt.example"}, "address": {"4 Harbour Lane, Emden"}}),
			person("Johann Brandt", attrs{"phone": {"+49 201 5550123"}, "email": {"info@brandt.example"}, "address": {"4 Harbour Lane, Emden"}}),
			organization("Brandt", attrs{"phone": {"+49 201 5550123"}, "address": {"4 Harbour Lane, Emden"}}),
			person("Johannes Brandt", attrs{"dob": {"1950-03-07"}, "address": {"4 Harbour Lane, Emden"}}),
			person("J. Brand", attrs{"dob": {"1950-03-08"}, "street": {"Harbour Lane"}, "city": {"Emden"}, "state": {"NI"}}),
			person("J. Brand", attrs{"dob": {"1950-03-08"}, "street": {"Harbour Ln"}, "city": {"Emden"}, "state": {"NI"}}),
		),
		different("types and surroundings",
			similarity.Profile{Names: []string{"Heron"}, Type: "person"}, similarity.Profile{Names: []string{"Heron"}, Type: "team"},
			similarity.Profile{Names: []string{"Heron"}, Type: "company"}, similarity.Profile{Names: []string{"Heron"}, Type: "idea"},
			similarity.Profile{Names: []string{"Heron"}, Type: "concept", Project: "atlas"},
			similarity.Profile{Names: []string{"Heron"}, Type: "concept", Project: "nova", Neighbours: []tenure.ID{"b", "a", "c"}},
			similarity.Profile{Names: []string{"Heron"}, Type: "concept", Project: "atlas", Context: []string{"a grey bird"}},
			similarity.Profile{Names: []string{"Heron"}, Type: "bird", Context: []string{"A  grey bird", "a bird of 1901", "a bird that stands still"}},
			similarity.Profile{Names: []string{"Heron"}, Project: "nova", Neighbours: []tenure.ID{"a", "b", "d", "a"}},
			similarity.Profile{Names: []string{"Heron"}, Records: []tenure.Record{{Source: "crm", ID: "1"}, {Source: "hr", ID: "9"}}},
			similarity.Profile{Names: []string{"Heron"}, Records: []tenure.Record{{Source: "crm", ID: "2"}}},
			similarity.Profile{Names: []string{"Heron"}, Records: []tenure.Record{{Source: "hr", ID: "9"}}, Neighbours: []tenure.ID{"a"}},
			similarity.Profile{Names: []string{"Herоn"}}, // a Cyrillic letter
			similarity.Profile{Names: []string{"Gull", "Heron", "Heron Bank Singapore"}}, similarity.Profile{Names: []string{"Heron", "Heron Bank Mexico"}},
			similarity.Profile{},
		),
		different("countries in names",
			organization("Heronwell Bank (Singapore) Limited", nil), organization("Heronwell Bank (Australia) Limited", nil),
			organization("Heronwell Bank", nil), organization("Heronwell Bank Mexico", nil), organization("Heronwell Bank of the Asia Pacific", nil),
			organization("Heronwell Savings Investment Credit Trust Bank", nil), organization("Heronwell Savings Investment Credit Trust Bank Mexico", nil),
			organization("World Heron Union", nil), organization("WHU", nil), organization("World Heron Union 3", nil), organization("WHUC", nil),
			organization("World Heron Union Corp", nil), organization("Association World Heron Union e.V.", nil),
			similarity.Profile{Names: []string{"Heronwell Bank Singapore", "Heronwell"}, Type: "company"}, similarity.Profile{Names: []string{"Heronwell", "Heronwell Bank Mexico"}, Type: "company"},
		),
		different("several values",
			person("Ada Park", attrs{"email": {"ada@one.example", "ada@two.example"}, "passport": {"X1234567", "Y7654321"}, "E-Mail": {"ada@three.example"}}),
			person("Ada Park", attrs{"email_address": {"ADA@three.example"}, "passport_number": {"Z5554443"}}),
			person("Ada Park", attrs{"passport": {"Y7654321"}, "dob": {"1978", "1978-05-04"}}),
			person("Ada Park", attrs{"dob": {"1978-05-04", "1990-01-02"}, "first_name": {"Ada"}, "tax_id": {"1"}, "vat": {"2"}}),
			person("Ada Park", attrs{"date_of_birth": {"04.05.1978"}, "surname": {"Other"}, "vat_number": {"2"}, "employee_id": {"E7"}}),
		),
	}
}

// TestComparisons checks the score, the veto and every kind of evidence of some thousand pairs against the golden
// file. A change of the file changes decisions about stores that exist.
func TestComparisons(t *testing.T) {
	model := similarity.DefaultModel()
	nameKinds, attributeKinds := similarity.Kinds()
	var b strings.Builder
	for _, f := range families() {
		fmt.Fprintf(&b, "\n%s\n", f.title)
		prepared := make([]*similarity.Prepared, len(f.profiles))
		for i, p := range f.profiles {
			prepared[i] = model.Prepare(p)
		}
		for i := range prepared {
			for j := range i {
				if f.first && j > 0 {
					break
				}
				if f.near && i-j > 4 {
					continue
				}
				c := model.Compare(prepared[j], prepared[i], model.RegistryPrior())
				class, names, attributes := model.Evidence(prepared[j], prepared[i])
				left := short(f.labels[j])
				if f.first && i > 1 {
					left = ""
				}
				fmt.Fprintf(&b, "%s | %s: %s %.2f%s", left, short(f.labels[i]), class[:1], c.LogOdds, prefixed(" veto=", c.Veto))
				p := model.CachedPair(prepared[j], prepared[i])
				if p.Against > 0 {
					fmt.Fprintf(&b, " against %.2f", p.Against)
				}
				if p.CannotLink() {
					b.WriteString(" apart")
				}
				for k, x := range names {
					evidence(&b, nameKinds[k].Name, x)
				}
				for k, x := range attributes {
					evidence(&b, attributeKinds[k].Name, x)
				}
				b.WriteString("\n")
			}
		}
	}
	const name = "testdata/comparisons.golden"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("comparisons have changed; -update writes the file: %s", diff)
	}
}

func short(s string) string {
	const most = 50
	s = strings.ToValidUTF8(s, "?")
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func evidence(b *strings.Builder, name string, x float64) {
	switch {
	case x == 0 || name == "name":
	case x == 1:
		b.WriteString(" " + strings.TrimPrefix(name, "name_"))
	default:
		fmt.Fprintf(b, " %s=%.3g", strings.TrimPrefix(name, "name_"), math.Round(x*1000)/1000)
	}
}
