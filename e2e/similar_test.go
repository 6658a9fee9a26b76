package e2e

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"
)

// TestSimilarNamesAtOnce has many write similar names at once, through two
// processes on one store. Once re-resolution has passed, no exact form has two
// entities that nobody is asked about, and no two entities are left that the
// score says are the same.
func TestSimilarNamesAtOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		store := e.store(t)
		one, two := serveWatched(t, e, store), serveWatched(t, e, store)
		w := newWorld(t, e, one)
		var observations []obj
		for i := range writers {
			person := i % 8
			spellings := []string{"Katharina Lindqvist %s", "Katarina Lindqvist %s", "Katharina Lindquist %s", "KATHARINA LINDQVIST %s"}
			name := fmt.Sprintf(spellings[i/8%len(spellings)], []string{"Abel", "Bauer", "Celan", "Drost", "Ebner", "Fuchs", "Gross", "Huber"}[person])
			observations = append(observations, stating(name, fmt.Sprint("fact_", i), i, identified("phone", fmt.Sprintf("+49 30 555 01%02d", person))))
		}
		answers := w.atOnce([]*server{one, two}, observations)
		w.settledOn(two)

		roots := map[string]bool{}
		for _, a := range answers {
			roots[w.get("/v1/entities/"+a.text("/mentions/0/entity_id")).is(200).text("/root_id")] = true
		}
		asked := map[[2]string]bool{}
		for _, r := range w.get("/v1/reviews?limit=200").is(200).items("/items") {
			for _, c := range at(r, "/candidates").(list) {
				asked[[2]string{text(r, "/entity_id"), text(c, "/entity_id")}] = true
				asked[[2]string{text(c, "/entity_id"), text(r, "/entity_id")}] = true
			}
		}
		for _, o := range observations {
			mention := o["mentions"].(list)[0].(obj)
			name := mention["name"].(string)
			aliases := w.get("/v1/entities?name=" + url.QueryEscape(name)).is(200).items("/items")
			for i, x := range aliases {
				for _, y := range aliases[:i] {
					if pair := [2]string{text(x, "/entity_id"), text(y, "/entity_id")}; !asked[pair] {
						w.Errorf("%q is two entities, %v, and nobody is asked", name, pair)
					}
				}
			}
			m := w.post("/v1/resolve", obj{"mentions": list{mention}, "max_candidates": 20}).is(200).items("/mentions/0/candidates")
			var over []string
			for _, c := range m {
				if score, err := strconv.ParseFloat(text(c, "/score"), 64); err != nil {
					w.Error(err)
				} else if score >= .95 && text(c, "/status") == "canonical" {
					over = append(over, text(c, "/entity_id"))
				}
			}
			for i, x := range over {
				for _, y := range over[:i] {
					if !asked[[2]string{x, y}] {
						w.Errorf("%q is over the line for both %s and %s, and nobody is asked", name, x, y)
					}
				}
			}
		}
		if len(roots) > 24 {
			w.Errorf("%d entities are left of 8 people in 3 forms each", len(roots))
		}
		verify(w.T, w.srv.store, w.tenant)
	})
}

// settledOn waits until two processes have no re-resolution before them: each has
// looked at all of the log, and neither has written since the other had.
func (w *world) settledOn(second *server) {
	w.Helper()
	other := *w
	other.url = second.url
	eventually(w.T, "re-resolution ends in both processes", func() bool {
		a, b := w.resolve(obj{"name": "Nobody"}), other.resolve(obj{"name": "Nobody"})
		return a.text("/index/lag")+b.text("/index/lag") == "00" && a.seq("/as_of/seq") == b.seq("/as_of/seq")
	})
}
