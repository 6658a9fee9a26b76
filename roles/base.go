package roles

import (
	"strings"

	"tenure"
)

// base is the order that holds for every tenant. A role outranks those listed and, through them, all that these
// outrank. Two words of one role, as "vp" and "svp", outrank each other as little as the role itself.
var base = []struct {
	name, synonyms string
	outranks       []string
}{
	{"policy", "policies company_policy handbook rule rules regulation regulations law", []string{"board", "customer"}},
	{"board", "board_of_directors supervisory_board board_member member_of_the_board chair chairman chairwoman chairperson",
		[]string{"ceo"}},
	{"ceo", "chief_executive chief_executive_officer", []string{"executive"}},
	{"executive", "executives exec c_level c_suite officer chief_officer president managing_director " +
		"cto cfo coo cio ciso cmo cpo chro chief_technology_officer chief_financial_officer chief_operating_officer " +
		"chief_information_officer chief_information_security_officer chief_marketing_officer chief_product_officer " +
		"chief_people_officer chief_human_resources_officer", []string{"vp"}},
	{"vp", "vice_president svp evp senior_vice_president executive_vice_president", []string{"director"}},
	{"director", "senior_director head head_of_department department_head division_head", []string{"manager"}},
	{"manager", "managers senior_manager line_manager team_manager supervisor boss", []string{"lead"}},
	{"lead", "team_lead team_leader tech_lead technical_lead lead_engineer group_leader foreman", []string{"employee"}},
	{"employee", "employees staff staff_member member_of_staff worker colleague personnel team_member " +
		"individual_contributor individual ic",
		[]string{"contractor", "intern"}},
	{"contractor", "contractors freelancer consultant temp temporary_worker agency_worker external", []string{"guest"}},
	{"intern", "interns trainee apprentice working_student volunteer volunteers", []string{"guest"}},
	{"customer", "customers client clients", []string{"guest"}},
	{"guest", "guests visitor visitors anonymous", nil},
}

// Row is a role of the base order: its other names, and the roles that it outranks directly.
type Row struct {
	Name               string
	Synonyms, Outranks []string
}

// Table returns the base order, the highest roles first.
func Table() []Row {
	var rows []Row
	for _, r := range base {
		rows = append(rows, Row{r.name, strings.Fields(r.synonyms), r.outranks})
	}
	return rows
}

// baseTerms returns the base order as terms, one for each synonym too.
func baseTerms() []tenure.Term {
	var list []tenure.Term
	for _, r := range Table() {
		list = append(list, tenure.Term{Name: r.Name, Outranks: r.Outranks})
		for _, s := range r.Synonyms {
			list = append(list, tenure.Term{Name: s, Parent: r.Name})
		}
	}
	return list
}
