package align

import (
	"cmp"
	"slices"
	"strings"

	"tenure/ner/words"
	"tenure/text"
)

// contentWords returns the words of a text, folded, without the words that only bind others.
func contentWords(s string) (list []string) {
	for _, w := range text.Words(s) {
		if k := text.Fold(s[w.From:w.Until]); !binds(s[w.From:w.Until]) {
			list = append(list, k)
		}
	}
	return list
}

// valueWords are the content words of a value, with what tells one week from another: "this week", "next week".
func valueWords(s string) (list []string) {
	for _, w := range text.Words(s) {
		word := s[w.From:w.Until]
		if k := text.Fold(word); !binds(word) || nearby[k] && len(s) > len(word) {
			list = append(list, k)
		}
	}
	return list
}

var nearby = wordSet("this next last diese dieses cette ce esta este")

// binds reports whether a word only binds others. A capital letter alone is a name: "block D".
func binds(w string) bool {
	return binding[text.Fold(w)] && (len(w) != 1 || w[0] >= 'a' || w == "A")
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// binding are the words that name nothing.
var binding = wordSet(`a an the of and or s re ve ll d is are was were be been am this that these those it its m
	der die das des dem den ein eine einen einem einer und oder ist sind el la los las un una y o es son le les l une et ou
	est sont du de del von der`)

// pronouns are the words by which a clause names a subject without saying which.
var pronouns = wordSet(`it he she they this that these those there here him her them we us you one who which what
	er sie es das dies ihr ihm ihn wir uns man él ella ello ellos eso esto il elle ils elles on ce cela ça nous vous`)

// isKin reports whether w is a word by which people speak of persons of theirs, whose facts are not the speaker's.
func isKin(w string) bool { return words.Load().Kin.Has(w) }

// kinNames are other words for kin.
var kinNames = map[string]string{"mum": "mother", "mom": "mother", "mama": "mother", "mummy": "mother", "dad": "father",
	"papa": "father", "daddy": "father", "nan": "grandmother", "gran": "grandmother", "grandma": "grandmother",
	"grandpa": "grandfather", "hubby": "husband", "oma": "großmutter", "opa": "großvater", "maman": "mère"}

// firstPerson are the words by which a speaker says that it is about the speaker.
var firstPerson = wordSet(`i me my mine myself ich mir mich mein meine meinen meinem meiner yo mi mis me mío je j moi mon ma mes`)

// additions say that a value stands beside what stands.
var additions = []string{"also", "too", "as well", "in addition", "additionally", "besides", "on top", "auch",
	"außerdem",
	"zusätzlich", "también", "además", "aussi", "en plus", "également"}

// endings are what inflection and derivation put after a stem.
var endings = wordSet(`s es ed d e er ers or ors ing ion ions ation ations ment ments ure ures al ance ence ant ent y ies ied
	ier iers ist ists ship ness ly t en n te ten ung ungen in innen o a os as ar ado ada ée és`)

// irregular are the forms of verbs that do not begin alike.
var irregular = func() map[string]string {
	m := map[string]string{}
	for forms := range strings.SplitSeq(`teach taught,sell sold,pay paid,run ran,lead led,keep kept,hold held,leave left,
		drive drove driven,sit sat,stand stood,meet met,buy bought,send sent,build built,make made,go went gone,
		write wrote written,speak spoke spoken,take took taken,give gave given,begin began begun,choose chose chosen,
		wear wore worn,ride rode ridden,fly flew flown,bring brought`, ",") {
		list := strings.Fields(forms)
		for _, f := range list[1:] {
			m[f] = list[0]
		}
	}
	return m
}()

// related reports whether two words are forms of one: "supplier" and "supplied", "maintainer" and "maintains".
func related(a, b string) bool {
	if !beginAlike(a, b) {
		return false
	}
	a, b = cmp.Or(irregular[a], a), cmp.Or(irregular[b], b)
	if a == b {
		return true
	}
	n := shared(a, b)
	if n < 3 || n < 4 && min(len(a), len(b)) > n {
		return false
	}
	ends := func(w string, cut int) bool { return cut == len(w) || endings[w[cut:]] }
	for cut := n; cut >= max(3, n-2); cut-- {
		if ends(a, cut) && ends(b, cut) {
			return true
		}
	}
	return doubled(a, b) || doubled(b, a)
}

// shared is with how many bytes two words begin alike.
func shared(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// beginAlike reports whether two words begin as forms of one do.
func beginAlike(a, b string) bool {
	return a != "" && b != "" && (a[0] == b[0] || a == "went" || b == "went")
}

// doubled reports whether b is a with its last letter doubled and an ending: "run" and "runner".
func doubled(a, b string) bool {
	return len(a) >= 3 && len(b) > len(a)+1 && strings.HasPrefix(b, a) && b[len(a)] == a[len(a)-1] && endings[b[len(a)+1:]]
}

// hasForm reports whether a list has a form of a word.
func hasForm(list []string, w string) bool {
	return slices.ContainsFunc(list, func(x string) bool { return related(x, w) })
}

// propertyField is a kind of property: the words by which predicates are named that have it, and the words by which
// people speak of it without naming it.
type propertyField struct {
	heads, ways map[string]bool
	agent       bool // its values are who does what the ways say
}

// heading reports whether a word of a predicate says that it is of the kind.
func (f propertyField) heading(w string) bool {
	return f.heads[w] || len(w) > 3 && f.heads[strings.TrimSuffix(w, "s")]
}

// fields are the everyday ways to speak of common properties. They are evidence among other, and decide nothing alone:
// so a way may be as common as "in".
var fields = []propertyField{
	{heads: wordSet(`location place venue site room city town region address office headquarters storage hall classroom desk floor
		destination port harbour stage residence home position base building street depot hotel gym flat ort raum adresse
		treffpunkt standort stadt lugar ciudad dirección destino encuentro ubicación lieu ville adresse salle`),
		ways: wordSet(`where location place address in at to into inside near live lives lived living sit sits stand stands lie lies stay stays stayed staying
		locate located base based house housed keep kept store stored move moved bound head heads heading meet
		wo wohin in im steht liegt wohnt zieht sitzt dónde en vive está queda quedamos vemos où à habite se trouve`)},
	{heads: wordSet(`owner lead leader head manager boss engineer nurse teacher chair chef doctor dentist holder contact guide judge
		keeper person leitung leiter leiterin verantwortlich guía médico jefe chefin`),
		ways: wordSet(`who person has have had own owns run runs lead leads carry carries hold holds handle handles handling look looks after
		charge responsible take takes took taken over hands boss cover covers covering ask call telephone
		reach belongs wears successor replacement
		wer macht leitet führt übernimmt hat quién lleva dirige tiene qui dirige fait`), agent: true},
	{heads: wordSet(`supplier vendor provider carrier insurer bank brand firm company sponsor operator lieferant versicherung
		proveedor seguro fournisseur assurance`),
		ways: wordSet(`from by with buy buys bought supply supplies supplied deliver delivers delivered delivery ship ships shipped
		order orders come comes bei von mit liefert con de chez avec livre`)},
	{heads: wordSet(`date day deadline due start end birthday weekday beginning expiry appointment hearing termin datum frist fecha día
		jour échéance`),
		ways: wordSet(`when date day on by until before due fall falls schedule scheduled happen happens take place monday tuesday wednesday
		thursday friday saturday sunday wann am bis cuándo quand le`)},
	{heads: wordSet(`time hour hours start departure arrival opening closing soundcheck lesson zeit uhrzeit uhr telefonzeiten abfahrt
		hora salida horario heure départ horaires`),
		ways: wordSet(`at when time leave leaves left open opens start starts begin begins depart departs go goes arrive arrives set sets off
		until till clock um ab uhr fährt öffnet a las sale abre à part ouvre`)},
	{heads: wordSet(`price fee cost budget rate salary rent fare charge allowance amount discount total deposit preis kosten gebühr
		miete precio tarifa coste prix tarif loyer`),
		ways: wordSet(`price fee cost costs costing charge charges charged charging pay pays paid paying price priced sell sells selling sold worth
		bill billed ask asking quid bucks cheap expensive for kostet zahlen cuesta vale coûte`)},
	{heads: wordSet(`number count capacity stock seats limit size quantity guests machines length width dose slope anzahl zahl número
		nombre`),
		ways: wordSet(`count many much number have hold holds fit fits up count left about total wie viele cuántos combien`)},
	{heads: wordSet(`status state phase stage condition progress zustand estado statut état`),
		ways: wordSet(`now currently still again ready done back jetzt ahora maintenant`)},
	{heads: wordSet(`version revision release runtime build edition engine database system software firmware drawing format sistema`),
		ways: wordSet(`run runs running on use uses using upgrade upgraded issue issued version rev läuft auf nutzt usa corre utilise`)},
	{heads: wordSet(`code pin password passcode key combination combinación passwort`),
		ways: wordSet(`punch type enter dial press opens get gets in pass tippen`)},
	{heads: wordSet(`title headline name line subject slogan signature caption titel titre título`),
		ways: wordSet(`call calls called read reads say says title titled headed name named sign signs signed heißt llama appelle`)},
	{heads: wordSet(`colour color paint finish material covering floor farbe couleur`),
		ways: wordSet(`colour color paint painted paints coat coated made lay laid wear`)},
	{heads: wordSet(`diet food meal`), ways: wordSet(`eat eats ate eating diet isst come mange`)},
	{heads: wordSet(`vehicle car bike auto fahrrad coche voiture vélo commute`),
		ways: wordSet(`drive drives driving ride rides riding take takes fahre fahren fährt conduce conduzco roule`)},
}

// agent reports whether a word says who does something: "maintainer", "director", "dentist".
func agent(w string) bool {
	if len(w) < 6 {
		return false
	}
	for _, e := range []string{"er", "or", "ist", "ian", "eer", "man"} {
		if strings.HasSuffix(w, e) {
			return !numberHeads[w]
		}
	}
	return false
}

var numberHeads = wordSet("number order letter weather water paper colour floor harbour corner border calendar trailer")
