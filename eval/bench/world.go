package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// obj is a JSON object, list a JSON array.
type (
	obj  = map[string]any
	list = []any
)

var (
	first  = strings.Fields("Amara Bruno Chidi Dana Elif Farid Greta Hana Ivo Jun Kofi Lena Mina Nils Olga Priya Quinn Rosa Sven Tomas")
	last   = strings.Fields("Okafor Lindqvist Moreau Tanaka Haddad Novak Silva Petrov Brandt Castillo Dubois Eriksen Fischer Gupta Horvat Ito")
	cities = strings.Fields("Chicago Lagos Lyon Osaka Oslo Porto Quito Riga Seoul Turin Vienna Warsaw")
	firms  = strings.Fields("Acme Borealis Cobalt Delta Ember Fathom Granite Harbor Indigo Juniper")
)

// started is the time of the first observation.
var started = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// world generates observations. Equal seeds generate equal observations.
type world struct{ rand *rand.Rand }

func newWorld(seed uint64) *world { return &world{rand.New(rand.NewPCG(seed, 1))} } //nolint:gosec // no secrecy needed

func (w *world) pick(from []string) string { return from[w.rand.IntN(len(from))] }

// name returns a person's name that is unique to the number.
func (w *world) name(kind string, n int) string {
	return fmt.Sprintf("%s %s %s%d", w.pick(first), w.pick(last), kind, n)
}

func source(n int) obj {
	return obj{"origin": fmt.Sprintf("conversation://bench/%d", n), "authority_level": 2, "source_authority": 0.9}
}

// said returns an observation with one claim about one person.
func said(n int, name, predicate, value string, at time.Time) obj {
	return obj{
		"source": source(n), "observed_at": at.Format(time.RFC3339),
		"text":     name + ": " + value,
		"mentions": list{obj{"name": name, "type": "person"}},
		"claims": list{obj{
			"subject": obj{"mention": 0}, "predicate": predicate, "value": value,
			"object_type": "identity_fact", "confidence_score": 0.9,
		}},
	}
}

// filedClaims is the number of claims of an observation that fills the store.
const filedClaims = 5

// filed returns an observation that fills the store: a person and their workplace.
func (w *world) filed(n int) obj {
	name := w.name("F", n)
	person := obj{"name": name, "type": "person"}
	if n%5 == 0 {
		person["attributes"] = obj{"email": list{fmt.Sprintf("f%d@fill.example", n)}}
	}
	firm := fmt.Sprintf("%s %d Ltd", w.pick(firms), w.rand.IntN(500))
	var claims list
	for _, c := range [filedClaims]struct {
		predicate string
		value     any
	}{
		{"works_at", obj{"mention": 1}},
		{"office", w.pick(cities)},
		{"title", "level " + w.pick(firms)},
		{"phone", fmt.Sprintf("+1 555 %07d", n)},
		{"speaks", w.pick(cities) + "ish"},
	} {
		claims = append(claims, obj{"subject": obj{"mention": 0}, "predicate": c.predicate, "value": c.value,
			"confidence_score": 0.9})
	}
	return obj{
		"source": source(n), "observed_at": started.Add(time.Duration(n) * time.Second).Format(time.RFC3339),
		"mentions": list{person, obj{"name": firm, "type": "organization"}}, "claims": claims,
	}
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // the values are our own
	}
	return b
}
