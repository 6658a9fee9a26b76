package reading

import (
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/ingest"
)

// amends lists the beliefs that an input amends.
func amends(in ingest.Input) (ids []tenure.ID) {
	for _, a := range in.Reading.Amendments {
		ids = append(ids, a.Belief)
	}
	slices.Sort(ids)
	return ids
}

// TestANameThatIsAWordIsForgottenAsAName checks that what has the word and not the name is kept.
func TestANameThatIsAWordIsForgottenAsAName(t *testing.T) {
	f := newFixture(t)
	will, eva := f.person("Will"), f.person("Eva")
	want := []tenure.ID{
		f.believed(will, "office", "Oslo", 1, nil).Claim.ID,
		f.believed(eva, "manager", "Will", 1, nil).Claim.ID,
		f.believed(eva, tenure.Remark, "she had lunch with Will today", 1, nil).Claim.ID,
	}
	f.believed(eva, tenure.Remark, "it will rain", 2, nil)
	f.believed(eva, tenure.Remark, "Will it rain?", 3, nil)
	f.believed(eva, tenure.Remark, "It rains. Will she come?", 4, nil)
	if got := amends(f.read(said("x", "Ann", "Forget everything about Will."))); !slices.Equal(got, want) {
		t.Errorf("forgets %v, not %v", got, want)
	}
}

// TestARequestBehindManyStatementsIsGranted checks that a request has room where the text has as many statements as are
// listed.
func TestARequestBehindManyStatementsIsGranted(t *testing.T) {
	f := newFixture(t)
	b := f.believed(f.person("Plover"), "office", "Oslo", 1, nil)
	text := strings.Repeat("x", maxStatements) + ".\nForget everything about Plover."
	for i := range maxStatements {
		f.reads.says[text] = append(f.reads.says[text], tenure.Statement{
			Span: tenure.Span{Start: i, End: i + 1, Text: "x"}, Act: tenure.Asks,
		})
	}
	if got, want := amends(f.read(said("x", "Ann", text))), []tenure.ID{b.Claim.ID}; !slices.Equal(got, want) {
		t.Errorf("forgets %v, not %v", got, want)
	}
}
