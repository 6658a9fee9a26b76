package align

import (
	"fmt"
	"testing"

	"tenure"
	"tenure/ner"
	"tenure/statements"
)

// A text of about sixty words beside the properties of as many entities as the service reads.
func BenchmarkStatements(b *testing.B) {
	const said = `Morning all. The launch city of Plover 3 is Namur now, Rita Sand told me on Monday. The build server moved to
room 112, and the budget of Plover 3 went up to 45,000 euros. Could we push the review to Friday? Otto Holm no longer
owns the payments API; Ines takes it from 3 May on. It runs on port 9443, not 8443. Thanks everybody, see you at noon.`
	list := statements.Read(statements.Turn{Speaker: "Ann", At: tenure.Instant(0), Text: said, Mentions: []ner.Mention{}}, nil)
	var slots []Slot
	for i := range 24 {
		for _, p := range []string{"launch city", "owner", "budget", "room", "port", "review date", "status", "lead", "version", "channel"} {
			slots = append(slots, Slot{Names: []string{fmt.Sprintf("Plover %d", i)}, Predicate: p, Values: []string{"Kotka"},
				Kinds: []string{"name"}, Named: i == 3, Turn: i})
		}
	}
	for b.Loop() {
		Statements(list, slots)
	}
	b.ReportMetric(float64(len(list)), "statements")
}
