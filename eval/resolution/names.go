package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	api "tenure/client"
	"tenure/internal/erdata"
	"tenure/internal/measure"
)

// The parts of generated names: enough that a hundred thousand names differ, few enough that many share a
// word, as real names do.
var (
	givenNames = strings.Fields(`Adaeze Albin Amira Anselm Aoife Baraka Birgit Bruno Camila Cedric Chidi Dagmar Darius Delphine
		Edda Elif Emeka Esther Farid Fenja Fiona Gaspard Goran Greta Hakan Hana Henrik Ignacio Imani Ingrid Ivo Jasmin Jelena
		Joao Kamal Katja Kofi Lena Lorenzo Ludmila Magnus Mariam Matteo Mina Nadia Nikhil Nils Noor Odile Olga Oskar Paloma
		Petra Priya Quentin Rahel Ramon Rosa Samir Selma Sven Tamar Tariq Tomas Ulrike Valentina Viktor Wanda Xenia Yara Yusuf Zeynep`)
	firstSyllables = strings.Fields("Ab Bel Cor Dra Ek Fal Gron Hol Isk Jor Kal Lind Mar Nor Ost Pet Rim Sol Tor Vas Wil Zan Bran Sten")
	nextSyllables  = strings.Fields("a ber da el fan go han ill ka lo mer ni or per ra sen ta ul ver wi")
	lastSyllables  = strings.Fields("bach berg den dorf ez feld ham ić ini ko land man nen ovic quist sen ska ström ton wald wicz yan")
)

// inventor generates names; equal seeds generate equal names.
type inventor struct {
	rand *rand.Rand
	used map[string]bool
}

func newInventor(seed uint64) *inventor {
	return &inventor{rand.New(rand.NewPCG(seed, 5)), map[string]bool{}} //nolint:gosec // no secrecy needed
}

func (v *inventor) pick(from []string) string { return from[v.rand.IntN(len(from))] }

// name returns a name that was not generated before.
func (v *inventor) name() string {
	for {
		n := v.pick(givenNames) + " " + v.pick(firstSyllables) + v.pick(nextSyllables) + v.pick(lastSyllables)
		if v.rand.IntN(4) == 0 {
			n = v.pick(givenNames) + " " + n
		}
		if !v.used[n] {
			v.used[n] = true
			return n
		}
	}
}

// typo deletes, doubles or replaces a letter in the longest word of a name.
func (v *inventor) typo(name string) string {
	words := strings.Fields(name)
	longest := 0
	for i, w := range words {
		if len(w) > len(words[longest]) {
			longest = i
		}
	}
	letters := []rune(words[longest])
	at := 1 + v.rand.IntN(len(letters)-1)
	switch v.rand.IntN(3) {
	case 0:
		letters = append(letters[:at], letters[at+1:]...)
	case 1:
		letters = append(letters[:at+1], letters[at:]...)
	default:
		letters[at] = rune('a' + v.rand.IntN(26))
	}
	words[longest] = string(letters)
	return strings.Join(words, " ")
}

const (
	inventedNames   = 100_000
	inventedQueries = 2_000
)

// measureScale loads generated names and queries some of them, misspelt. Their source is declared
// deduplicated, which is true: the queries are measured, not the resolution of similar names on loading.
func measureScale(ctx context.Context, s *service, names int, t *taken) (map[string]any, error) {
	v := newInventor(uint64(names))
	list := make([]string, names)
	for i := range list {
		list[i] = v.name()
	}
	const system = "invented"
	if err := s.declare(ctx, system); err != nil {
		return nil, err
	}
	began := time.Now()
	rows := make([]erdata.Record, names)
	for i, n := range list {
		rows[i] = erdata.Record{ID: fmt.Sprint(i), Name: n, Type: "person"}
	}
	done, err := s.load(ctx, func(yield func(api.BatchLine) bool) {
		for _, r := range rows {
			if !yield(observationOf(r, system)) {
				return
			}
		}
	})
	t.rows, t.load = names, time.Since(began)
	if err != nil {
		return nil, err
	}
	if t.settle, err = s.settle(ctx, done[len(done)-1]); err != nil {
		return nil, err
	}
	var wanted []erdata.Record
	for range inventedQueries {
		wanted = append(wanted, rows[v.rand.IntN(names)])
	}
	meant, err := standing(ctx, s, wanted, system)
	if err != nil {
		return nil, err
	}
	var asked []api.MentionInput
	for _, r := range wanted {
		asked = append(asked, api.MentionInput{Name: v.typo(r.Name), Type: r.Type})
	}
	const top = 5
	if _, err := timeSingle(ctx, s, asked[:100], top, &taken{}); err != nil { // the first few read from disk
		return nil, err
	}
	answers, err := timeSingle(ctx, s, asked, top, t)
	found := 0
	for i, a := range answers {
		for _, c := range a.Candidates {
			if c.EntityId == meant[i] {
				found++
			}
		}
	}
	rss, _ := measure.Memory(s.server.PID())
	return map[string]any{
		"n": names, "p50_ms": millis(t.p50), "p99_ms": millis(t.p99), "rss_mb": float64(rss) / 1e6, "found": float64(found) / inventedQueries,
	}, err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
