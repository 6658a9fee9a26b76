package vocabulary_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/vocabulary"
)

var update = flag.Bool("update", false, "write docs/vocabulary.md anew")

// TestDocument fails when docs/vocabulary.md is not what predicates.csv says.
func TestDocument(t *testing.T) {
	const file = "../docs/vocabulary.md"
	want := document(vocabulary.All())
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("run go generate ./vocabulary:\n%s", diff)
	}
}

const preamble = `# The base vocabulary

The predicates that are known before anybody has said anything: version %d, %d predicates, %d words for them. This page is made from ` + "`vocabulary/predicates.csv`" + ` by ` + "`go generate ./vocabulary`" + `.

- **Spelling.** ` + "`homeCity`, `Home City` and `HOME-CITY` are `home_city`" + `. A word that changes nothing may stand before a predicate: ` + "`has_email`, `current_employer`, `is_owner_of`" + `; not ` + "`is_owner`" + `, which says something else. Words that say which of several values is meant are no part of the name of a term that has one at a time: ` + "`new_deadline`" + `, ` + "`revised_price`" + ` and ` + "`deadline_v2`" + ` are ` + "`deadline`" + ` and ` + "`price`" + `; not ` + "`old_price`" + `, and not ` + "`api_v2`" + `, which is no term.
- **Values.** ` + "`one`" + ` holds one value at a time: the next displaces the last. ` + "`many`" + ` keeps them side by side. Where either could be meant, what goes wrong decides: a true value that is lost in silence is worse than two that are kept, except where two current values would contradict, as of a status.
- **Type.** How values are compared. For ` + "`entity`" + ` values usually are entities; a name that is none yet will do.
- **Stale.** How fast confidence falls by half: ` + "`slow`" + ` in %g days, ` + "`fast`" + ` in %g, ` + "`volatile`" + ` in %g, ` + "`stable`" + ` not at all. A compilation says of what was not confirmed for that time that it is ` + "`stale`" + ` (in its trace), and compiles it all the same: only a ` + "`decay_rule`" + ` with a threshold, on the claim, leaves something out. It changes neither what stands nor its order. What is ` + "`constant`" + ` never changes, so that a newer statement is no reason to prefer its value.
- **Inverse.** The predicate that says the same from the value's side.
- **Subjects.** Each predicate stands under the first kind of subject that has it; the description names the others.
`

func document(terms []vocabulary.Term) string {
	words := len(terms)
	for _, t := range terms {
		words += len(t.Synonyms)
	}
	var b strings.Builder
	fmt.Fprintf(&b, preamble, vocabulary.Version, len(terms), words,
		vocabulary.HalfLifeDays(tenure.Slow), vocabulary.HalfLifeDays(tenure.Fast), vocabulary.HalfLifeDays(tenure.Volatile))
	for _, kind := range kinds {
		fmt.Fprintf(&b, "\n## %s\n\n| predicate | values | type | stale | inverse | description | synonyms |\n| --- | --- | --- | --- | --- | --- | --- |\n", kind)
		for _, t := range terms {
			if t.Subjects[0] == kind {
				b.WriteString(row(t))
			}
		}
	}
	return b.String()
}

func row(t vocabulary.Term) string {
	stale, inverse, description := string(t.Decay), "", t.Description
	if t.Constant {
		stale = "constant"
	}
	if t.Inverse != "" {
		inverse = "`" + t.Inverse + "`"
	}
	if len(t.Subjects) > 1 {
		description += " (also " + strings.Join(t.Subjects[1:], ", ") + ")"
	}
	synonyms := slices.Clone(t.Synonyms)
	for i, word := range synonyms {
		synonyms[i] = strings.ReplaceAll(word, "_", " ")
	}
	return fmt.Sprintf("| %#q | %s | %s | %s | %s | %s | %s |\n",
		t.Name, t.Cardinality, t.ValueType, stale, inverse, description, strings.Join(synonyms, ", "))
}
