package amend_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tenure"
	"tenure/amend"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/registry"
)

var (
	keepers   = []string{"Wilma Storm", "Otto Kranz"}
	companies = []string{"Nordic Lines", "Quay Street", "Blue Otter", "Harbour Trust"}
)

// busy is one slot of two people in which much is said, while others decide who is who and how it is judged.
type busy struct {
	*teller
	r        *rand.Rand
	entities bool                 // the values are companies
	known    map[string]tenure.ID // entities by name
	merges   map[string]tenure.ID // that were not undone, by the names
	words    int                  // the version of the predicates
	roles    int                  // the version of the roles
}

// do carries out a command that is not refused.
func (b *busy) do(c ledger.Command) ledger.Result {
	b.Helper()
	res := b.Do(b.T, c)[0]
	if res.Err != nil {
		b.Fatal(res.Err)
	}
	return res
}

func (b *busy) say(value string, at time.Time) {
	in := world.Said(keepers[b.r.IntN(5)/4], "kept_by", value, nil)
	in.ObservedAt = world.Ptr(tenure.At(at))
	in.Source.Speaker = fmt.Sprint("speaker ", b.r.IntN(3))
	if b.r.IntN(40) == 0 {
		in.Source.Role = []string{"keeper", "guard"}[b.r.IntN(2)]
	}
	if b.entities {
		in.Mentions = append(in.Mentions, ingest.Mention{Name: companies[b.r.IntN(4)], Type: "organization"})
		in.Claims[0].Value = ingest.Value{Entity: &ingest.Ref{Mention: world.Ptr(1)}}
	}
	for i, m := range world.Answer[ingest.Answer](b.T, b.do(b.Command(in))).Mentions {
		if name := in.Mentions[i].Name; b.known[name] == "" {
			b.known[name] = m.EntityID
		}
	}
}

// link merges two, or undoes their merge.
func (b *busy) link(one, other string) {
	if id := b.merges[one+other]; id != "" {
		b.do(registry.UndoDecision{Caller: b.Caller, Kind: tenure.Merge, Decision: id, Reason: "they are two"})
		delete(b.merges, one+other)
		return
	}
	res := b.Do(b.T, registry.Merge{Caller: b.Caller, From: b.known[other], Into: b.known[one]})[0]
	if res.Err == nil { // they are not one already, by others
		b.merges[one+other] = world.Answer[registry.MergeAnswer](b.T, res).MergeID
	}
}

func (b *busy) define() {
	term := tenure.Term{Name: "kept_by", Cardinality: tenure.One, ValueType: tenure.AnyValue, SuccessionGap: b.r.IntN(2) * 7200}
	if b.r.IntN(3) == 0 {
		term.Cardinality = tenure.Many
	}
	term.Constant = b.r.IntN(4) == 0
	b.do(amend.PutVocabulary{Name: tenure.Predicates, Version: b.words, Terms: []tenure.Term{term}})
	b.words++
}

func (b *busy) rank() {
	terms := []tenure.Term{{Name: "keeper"}, {Name: "guard"}}
	if k := b.r.IntN(3); k < 2 {
		terms[k].Outranks = []string{terms[1-k].Name}
	}
	b.do(amend.PutVocabulary{Name: tenure.SpeakerRoles, Version: b.roles, Terms: terms})
	b.roles++
}

// TestLargeSlotAfterMergesAndDefinitions merges and splits the subjects and the entity values of a large slot, and
// changes the term of its predicate and the order of roles. It checks that the standings are those of [beliefs.Stand]
// over the whole slot.
func TestLargeSlotAfterMergesAndDefinitions(t *testing.T) {
	const steps = 200
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			b := &busy{
				teller: newTeller(t), r: rand.New(rand.NewPCG(37, uint64(round))), entities: round%2 == 1,
				known: map[string]tenure.ID{}, merges: map[string]tenure.ID{},
			}
			for i := range steps {
				if i > 80 && b.r.IntN(4) == 0 {
					switch b.r.IntN(8) {
					case 0:
						b.define()
					case 1:
						b.rank()
					case 2, 3, 4:
						if b.entities {
							b.link(companies[b.r.IntN(2)], companies[2+b.r.IntN(2)])
						}
					default:
						b.link(keepers[0], keepers[1])
					}
				}
				b.say(fmt.Sprint("value ", i-b.r.IntN(1+i/10)), world.Begin.Add(time.Duration(i-steps)*time.Hour))
				if i > 64 && i%8 == 0 {
					b.sound()
				}
			}
			b.sound()
		})
	}
}
