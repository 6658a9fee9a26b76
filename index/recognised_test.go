package index_test

import (
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/index"
	"tenure/internal/names"
	"tenure/registry"
	"tenure/similarity"
)

// twoSpellings are spellings of one name.
type twoSpellings struct{ a, b string }

// spellings are names of people, organisations and things as one may find them in two texts, by kind.
var spellings = []struct {
	kind, typ string
	pairs     []twoSpellings
}{
	{"arabic", "person", []twoSpellings{
		{"يوسف الخطيب", "Youssef al-Khatib"}, {"محمد حسين", "Mohammed Hussein"}, {"خالد منصور", "Khaled Mansour"},
		{"فاطمة الزهراء", "Fatima Zahra"}, {"عبد الرحمن شاكر", "Abdurrahman Shaker"}, {"جمال حداد", "Jamal Haddad"},
		{"ليلى نصار", "Leila Nassar"}, {"طارق بن زياد", "Tariq ibn Ziyad"}, {"جورج وسوف", "George Wassouf"},
	}},
	{"arabic in Latin letters", "person", []twoSpellings{
		{"Youssef Qasemi", "Yusuf Qasimi"}, {"Mohammed Chaoui", "Mohamed Shawi"}, {"Hussein Barakat", "Husain Barakat"},
		{"Djamel Boumediene", "Jamal Bumedien"}, {"Khaled Mansour", "Khalid Mansur"}, {"Abdul Rahman Saleh", "Abdelrahman Salih"},
		{"Muhammad Jalloul", "Mohamed Djelloul"}, {"Yousef Karim", "Youcef Kareem"},
	}},
	{"hebrew", "person", []twoSpellings{
		{"דוד גולדברג", "David Goldberg"}, {"יצחק שמיר", "Yitzhak Shamir"}, {"משה כהן", "Moshe Cohen"}, {"רבקה לוי", "Rivka Levy"},
		{"שרה אברהם", "Sarah Avraham"}, {"יעקב פרידמן", "Yaakov Friedman"},
	}},
	{"chinese", "person", []twoSpellings{
		{"詹姆斯·威尔逊", "James Wilson"}, {"玛丽·史密斯", "Mary Smith"}, {"羅伯特·泰勒", "Robert Taylor"}, {"爱丽丝·门罗", "Alice Munro"},
		{"托马斯·曼", "Thomas Mann"}, {"王小明", "Wang Xiaoming"}, {"李建國", "Li Jianguo"}, {"陈美玲", "Chen Meiling"}, {"李建國", "Lee Chien-kuo"},
		{"張偉明", "Cheung Wai-ming"},
	}},
	{"chinese in Latin letters", "person", []twoSpellings{
		{"Teng Hsiao-ping", "Deng Xiaoping"}, {"Chou En-lai", "Zhou Enlai"}, {"Mao Tse-tung", "Mao Zedong"}, {"Hsu Chih-mo", "Xu Zhimo"},
	}},
	{"kana", "person", []twoSpellings{
		{"ジョン・スミス", "John Smith"}, {"マイケル・ジャクソン", "Michael Jackson"}, {"アレクサンダー・ベル", "Alexander Bell"},
		{"さくら たなか", "Sakura Tanaka"}, {"エミリー・ブロンテ", "Emily Bronte"}, {"ロバート・デ・ニーロ", "Robert De Niro"},
	}},
	{"hangul", "person", []twoSpellings{
		{"김철수", "Kim Cheol-su"}, {"박지성", "Park Ji-sung"}, {"박지성", "Pak Chi-song"}, {"이영희", "Lee Young-hee"}, {"이승만", "Syngman Rhee"},
		{"최민식", "Choi Min-sik"}, {"정우성", "Jung Woo-sung"}, {"존 스미스", "John Smith"},
	}},
	{"korean in Latin letters", "person", []twoSpellings{
		{"Lee Sang-hoon", "Yi Sanghun"}, {"Rhee Min-ho", "Lee Minho"}, {"Park Ji-young", "Pak Chi-yong"}, {"Choi Dong-wook", "Choe Tonguk"},
	}},
	{"cyrillic", "person", []twoSpellings{
		{"Юрий Гагарин", "Yuri Gagarin"}, {"Анна Щукина", "Anna Shchukina"}, {"Дмитрий Шостакович", "Dmitry Shostakovich"},
		{"Георгий Жуков", "Georgy Zhukov"}, {"Джордж Вашингтон", "George Washington"}, {"Хусейн Каримов", "Hussein Karimov"},
	}},
	{"greek", "person", []twoSpellings{
		{"Γιώργος Παπαδόπουλος", "Giorgos Papadopoulos"}, {"Μαρία Κάλλας", "Maria Callas"}, {"Νίκος Καζαντζάκης", "Nikos Kazantzakis"},
	}},
	{"devanagari", "person", []twoSpellings{
		{"सुनीता शर्मा", "Sunita Sharma"}, {"अमिताभ बच्चन", "Amitabh Bachchan"}, {"प्रियंका चोपड़ा", "Priyanka Chopra"},
		{"नरेंद्र मोदी", "Narendra Modi"}, {"लक्ष्मी मित्तल", "Lakshmi Mittal"},
	}},
	{"thai", "person", []twoSpellings{
		{"สมชาย แสงทอง", "Somchai Saengthong"}, {"ประยุทธ์ จันทร์โอชา", "Prayut Chanocha"}, {"เปรม ติณสูลานนท์", "Prem Tinsulanonda"},
		{"สมบัติ เมทะนี", "Sombat Metanee"}, {"ทักษิณ ชินวัตร", "Thaksin Shinawatra"},
	}},
	{"two scripts, neither Latin", "person", []twoSpellings{
		{"Юсуф Хатиб", "يوسف الخطيب"}, {"ジョン・スミス", "Джон Смит"}, {"דוד גולדברג", "Давид Гольдберг"},
	}},
	{"acronyms", "organization", []twoSpellings{
		{"IBM", "International Business Machines"}, {"IBM", "International Business Machines Corporation"}, {"IBM Corp.", "International Business Machines"},
		{"WHO", "World Health Organization"}, {"ESA", "European Space Agency"}, {"FAO", "Food and Agriculture Organization"},
		{"MSF", "Médecins sans Frontières"}, {"B.B.C.", "British Broadcasting Corporation"},
	}},
	{"order and parts of people", "person", []twoSpellings{
		{"Whitfield, Jonathan", "Jonathan Whitfield"}, {"J. R. Whitfield", "Jonathan Robert Whitfield"}, {"Jonathan Whitfield", "Jonathan Robert Whitfield"},
		{"J Whitfield", "Jonathan Whitfield"}, {"Dr. Greta Voss", "Voss Greta"}, {"Bob Featherstone", "Robert Featherstone"},
		{"Peggy Olsen", "Margaret Olsen"}, {"Sasha Petrov", "Alexander Petrov"}, {"Bill Smith", "William Smith"}, {"Jean-Paul Martin", "Jean Paul Martin"},
	}},
	{"order and parts of organisations", "organization", []twoSpellings{
		{"University of Leeds", "Leeds University"}, {"Ministry of Health", "Health Ministry"}, {"Bank of Heronwell", "Heronwell Bank Ltd"},
		{"The Heronwell Trading Company", "Heronwell Trading"}, {"Intl Rescue Assn", "International Rescue Association"},
		{"Heronwell Manufacturing", "Heronwell Mfg Co."},
	}},
	{"organisations in two languages", "organization", []twoSpellings{
		{"Banque Centrale de Syrie", "Central Bank of Syria"}, {"Ministerstvo oborony Rossii", "Ministry of Defence of Russia"},
		{"Sherkat Foolad Heronwell", "Heronwell Steel Company"}, {"Universität Heronwell", "University of Heronwell"},
		{"Komitet gosudarstvennoi bezopasnosti", "State Security Committee"}, {"Комитет государственной безопасности", "State Security Committee"},
	}},
	{"joined and split words", "product", []twoSpellings{
		{"PostgreSQL", "Postgre SQL"}, {"database migration tool", "data base migration tool"}, {"BlueHeron Logistics Suite", "Blue Heron Logistics Suite"},
		{"workflow engine", "work flow engine"}, {"e-mail gateway", "email gateway"}, {"Open Street Map importer", "OpenStreetMap importer"},
	}},
	{"slips", "person", []twoSpellings{
		{"Ottoline Featherstonehaugh", "Otoline Fetherstonhaugh"}, {"Catherine Hollis", "Kathryn Holis"}, {"Stephen Philips", "Steven Phillips"},
		{"Gareth Llewellyn", "Garreth Lewelyn"},
	}},
}

// around are people in the scripts of the spellings, many of which share a name with one of them.
var around = []struct{ given, family string }{
	{"محمد أحمد علي خالد يوسف ليلى فاطمة جورج سامي", "حسين منصور حداد الخطيب نصار كريم عباس صالح"},
	{"דוד משה שרה רבקה יעקב נועה", "כהן לוי גולדברג פרידמן מזרחי שמיר"},
	{"詹姆斯 玛丽 罗伯特 托马斯 爱丽丝 约翰", "·威尔逊 ·史密斯 ·泰勒 ·曼 ·布朗 ·门罗"}, {"王 李 张 陈 林", "小明 建国 美玲 伟明 建华"},
	{"ジョン マイケル ロバート エミリー アレクサンダー", "・スミス ・ジャクソン ・ベル ・ブラウン"}, {"김 박 이 최 정", "철수 지성 영희 민식 우성 지영"},
	{"Юрий Анна Дмитрий Георгий Джон", "Гагарин Щукина Жуков Каримов Смирнов"}, {"Γιώργος Μαρία Νίκος", "Παπαδόπουλος Κάλλας"},
	{"सुनीता अमिताभ प्रियंका नरेंद्र", "शर्मा वर्मा मोदी मित्तल"}, {"สมชาย ประยุทธ์ สมบัติ ทักษิณ", "แสงทอง ชินวัตร เมทะนี"},
	{"James John Robert Mary Emily Alice George David Sarah Kim Lee Park Maria Anna Yuri Khaled Mohammed Youssef Sunita Bill Margaret",
		"Smith Wilson Taylor Brown Jackson Bell Cohen Levy Mansour Hussein Khatib Sharma Petrov Olsen Martin Whitfield Washington Tanaka"},
}

// TestWhatAComparisonRecognisesTheIndexFinds holds that of two names that are compared as one, at even odds or with the
// prior of a registry, each is proposed for the other among thousands of other names, nearly always among the few that a
// write compares.
func TestWhatAComparisonRecognisesTheIndexFinds(t *testing.T) {
	const others = 4000
	m := similarity.DefaultModel()
	profile := func(name, typ string) *similarity.Prepared {
		return m.Prepare(similarity.Profile{Names: []string{name}, Type: typ})
	}
	x := open(t, t.TempDir(), index.Config{})
	docs := crowd(others)
	first := len(docs)
	for _, s := range spellings {
		for _, p := range s.pairs {
			for _, n := range []string{p.a, p.b} {
				docs = append(docs, index.Document{Entity: id(len(docs)), Type: s.typ, Names: []string{n}})
			}
		}
	}
	put(t, x, "t", 1, docs...)
	at, recognised, late := first, 0, []string(nil)
	for _, s := range spellings {
		for _, p := range s.pairs {
			l, r := profile(p.a, s.typ), profile(p.b, s.typ)
			a, b := id(at), id(at+1)
			at += 2
			if even := m.Score(l, r, similarity.EvenPrior()); even < similarity.NewAt && m.Score(l, r, m.RegistryPrior()) < 1-similarity.NewAt {
				t.Logf("%s: %s and %s are not recognised: %.2f", s.kind, p.a, p.b, even)
				continue
			}
			recognised++
			for name, want := range map[string]tenure.ID{p.a: b, p.b: a} {
				switch place := slices.Index(proposed(t, x, name, s.typ), want); {
				case place < 0:
					t.Errorf("%s: %s does not find the other of %s and %s", s.kind, name, p.a, p.b)
				case place >= registry.MaxBlockedCandidates:
					late = append(late, name)
				}
				alike := index.Query{Names: []string{name}, Types: []string{s.typ}, Limit: 50, Alike: true}
				if !slices.Contains(candidates(t, x, "t", alike), want) {
					t.Errorf("%s: %s is not alike the other of %s and %s", s.kind, name, p.a, p.b)
				}
			}
		}
	}
	if least := 60; recognised < least {
		t.Errorf("only %d pairs are recognised", recognised)
	}
	if len(late) > 2*recognised/50 {
		t.Errorf("a write does not compare %q", late)
	}
	t.Log(late, "late;", recognised, "recognised of", (at-first)/2, "pairs")
}

// proposed lists the candidates for a name.
func proposed(t *testing.T, x *index.Index, name, typ string) []tenure.ID {
	t.Helper()
	return candidates(t, x, "t", index.Query{Names: []string{name}, Types: []string{typ}, Limit: 50})
}

// crowd returns people and organisations: made-up names, and the people around.
func crowd(n int) (docs []index.Document) {
	add := func(typ, name string) {
		docs = append(docs, index.Document{Entity: id(len(docs)), Type: typ, Names: []string{name}})
	}
	for _, a := range around {
		for given := range strings.FieldsSeq(a.given) {
			for family := range strings.FieldsSeq(a.family) {
				switch joined := strings.ContainsAny(family, "·・") || len([]rune(given)) == 1; {
				case joined:
					add("person", given+family)
				default:
					add("person", given+" "+family)
				}
			}
		}
	}
	namer := names.New(5)
	for i := range n {
		add([]string{"person", "person", "organization", "product"}[i%4], namer.Name())
	}
	return docs
}
