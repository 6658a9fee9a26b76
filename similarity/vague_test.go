package similarity_test

import (
	"testing"

	"tenure/similarity"
)

// TestVague checks which names cannot tell by themselves who or what is meant.
func TestVague(t *testing.T) {
	for _, c := range []struct {
		typ   string
		vague []string
		named []string
	}{
		{"person", []string{
			"Greta", "Dr. Voss", "the architect", "our landlord", "my Landlord", "Chief Architect", "der Chef", "Der Chef", "mein Vermieter",
			"meinem alten Chef", "die Chefin von Anna", "mi jefe", "Mi Jefe", "nuestra jefa", "le patron", "notre comptable", "mes voisins", "il capo",
			"o chefe", "mijn baas", "Meine Mutter",
		}, []string{"Greta Voss", "Die Antwoord", "La Toya Jackson", "El Fadil Ahmed", "Di Maria Angel", "Le Corbusier Junior"}},
		{"", []string{
			"Sanjay", "Wei", "Priya", "Greta", "Mom", "mum", "Chief Architect", "project manager", "the Project Manager", "head of sales", "HR manager",
			"der Chef", "mi jefe", "our landlord", "the Architect", "the database", "The database",
		}, []string{
			"Heron", "Atlas", "Paris", "Jenkins", "Prometheus Operator", "Google Tag Manager", "Greta Editor", "Project Heron", "The Hague", "The Beatles",
			"the Beatles", "El Salvador", "Le Monde", "Die Zeit", "The Rolling Stones", "los angeles", "das Rote Kreuz", "UN agency", "LA office", "die casting",
		}},
		{"organization", []string{"our landlord", "our Landlord", "my company", "our Company", "unsere Firma", "mi banco", "la empresa", "the Company"}, []string{
			"The Guardian", "The Times", "The Beatles", "The Body Shop", "Le Monde", "Die Zeit", "El País", "La Banque Postale", "Our Lady of Lourdes",
			"Chief Architect Software", "UN agency",
		}},
		{"system", []string{"the database", "the Database", "our old billing system", "die Datenbank", "la base de datos", "nos serveurs"}, []string{
			"Payments database", "Password Manager", "The Graph", "die casting machine",
		}},
		{"project", []string{"my project", "My project", "The Project", "das Projekt", "notre projet"}, []string{"Project Heron", "Wei", "The Heron Project"}},
		{"place", []string{"my house", "the office", "das Büro"}, []string{"The Hague", "Las Vegas", "las vegas", "El Salvador", "Le Havre", "Die Schweiz", "die Schweiz"}},
	} {
		for want, names := range map[bool][]string{true: c.vague, false: c.named} {
			for _, name := range names {
				if got := similarity.Vague(name, c.typ); got != want {
					t.Errorf("%q of type %q: vague %v, want %v", name, c.typ, got, want)
				}
			}
		}
	}
}
