package vocabulary_test

import (
	"testing"

	"tenure"
	"tenure/vocabulary"
)

// TestPhrasings looks up predicates as people and extractors write them, in the middle of "X ... Y".
func TestPhrasings(t *testing.T) {
	one, many := tenure.One, tenure.Many
	for _, c := range []struct {
		phrase, name string
		cardinality  tenure.Cardinality
	}{
		// people
		{"lives in", "lives_in", one},
		{"homeCity", "lives_in", one},
		{"current_city", "lives_in", one},
		{"City of Residence", "lives_in", one},
		{"is based in", "based_in", one},
		{"works for", "employer", one},
		{"current employer", "employer", one},
		{"worksAt", "employer", one},
		{"job title", "job_title", one},
		{"work title", "job_title", one},
		{"reports to", "manager", one},
		{"is managed by", "manager", one},
		{"line-manager", "manager", one},
		{"direct reports", "manages", many},
		{"is manager of", "manages", many},
		{"is allergic to", "allergies", many},
		{"has_allergy", "allergies", many},
		{"speaks", "languages", many},
		{"native language", "native_language", many},
		{"birthday", "birth_date", one},
		{"date of birth", "birth_date", one},
		{"DOB", "birth_date", one},
		{"is married to", "spouse", one},
		{"wife", "spouse", one},
		{"has children", "children", many},
		{"e-mail address", "email", many},
		{"mobile", "phone", many},
		{"phone number", "phone", many},
		{"prefers", "preferences", many},
		{"dietary restrictions", "diet", many},
		{"time zone", "time_zone", one},
		{"pronouns", "pronouns", one},
		{"studied at", "education", many},
		{"knows", "knows", many},
		{"hobbies", "interests", many},
		{"is skilled in", "skills", many},
		{"vacation", "leave", many},
		{"sits in", "office", one},
		{"office location", "office", one},
		{"member of", "member_of", many},
		// projects
		{"works on", "works_on", many},
		{"is assigned to project", "works_on", many},
		{"project lead", "lead", one},
		{"is led by", "lead", one},
		{"leads", "leads", many},
		{"team members", "members", many},
		{"due", "due_date", one},
		{"Deadline", "due_date", one},
		{"ETA", "expected_date", one}, // what is expected is not what is due
		{"kick-off date", "start_date", one},
		{"budget", "budget", one},
		{"status", "status", one},
		{"blocked by", "blocked_by", many},
		{"depends on", "depends_on", many},
		{"has dependency", "depends_on", many},
		{"is owned by", "owner", one},
		{"owns", "owns", many},
		{"priority level", "priority", one},
		// systems
		{"database", "database", one},
		{"uses database", "database", one},
		{"runs on", "runs_on", one},
		{"hosted on", "runs_on", one},
		{"written in", "programming_language", many},
		{"current version", "version", one},
		{"repo URL", "repository", many},
		{"on call", "on_call", one},
		{"uptime SLA", "availability_target", one},
		{"integrates with", "integrates_with", many},
		// organisations, places, the rest
		{"headquartered in", "headquarters", one},
		{"HQ location", "headquarters", one},
		{"number of employees", "headcount", one},
		{"CEO", "ceo", one},
		{"was founded in", "founded", one},
		{"founders", "founders", many},
		{"subsidiary of", "parent_organization", one},
		{"competes with", "competitors", many},
		{"written by", "authors", many},
		{"capital city", "capital", one},
		{"population", "population", one},
		{"opening hours", "opening_hours", one},
		{"takes place at", "venue", one},
		{"attended by", "attendees", many},
		{"unit price", "price", one},
		{"renewalDate", "renewal_date", one},
		{"account manager", "account_manager", one},
	} {
		got, ok := vocabulary.Lookup(c.phrase)
		if !ok || got.Name != c.name || got.Cardinality != c.cardinality {
			t.Errorf("%q is %q (%s), want %q (%s)", c.phrase, got.Name, got.Cardinality, c.name, c.cardinality)
		}
	}
}

// TestUnlike looks up words that are like a known predicate and mean something else: a wrong word is worse than none.
func TestUnlike(t *testing.T) {
	for phrase, not := range map[string]string{
		"is manager":        "manager",    // that X is one, not who X's is
		"is owner":          "owner",      // the other way round
		"is lead":           "lead",       // the other way round
		"former employer":   "employer",   // not the present one
		"previous address":  "address",    // not the present one
		"desired salary":    "salary",     // a wish
		"emergency phone":   "phone",      // somebody else's
		"start time":        "start_date", // of an event
		"not allergic to":   "allergies",  // the opposite
		"does not work on":  "works_on",   // the opposite
		"no longer uses":    "uses",       // the opposite
		"planned end date":  "end_date",   // a plan
		"staging database":  "database",   // that of another stage
		"spouse's employer": "employer",   // that of another person
		"birth year":        "birth_date", // less
		"allergic":          "allergies",  // to what?
		"":                  "",
		"is":                "",
		"has":               "",
		"???":               "",
	} {
		if got, ok := vocabulary.Lookup(phrase); ok && got.Name == not {
			t.Errorf("%q must not be %q", phrase, got.Name)
		}
	}
}
