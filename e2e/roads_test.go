package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryRoadEndsTheSame writes rows of people who are mutually similar in three orders: one by one, by batch, and by
// import. Who belongs together is the same.
func TestEveryRoadEndsTheSame(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		store := e.store(t)
		s := serve(t, store)
		rows := alike(26)

		one := newWorld(t, e, s)
		for _, r := range rows {
			one.record(ofRow(r))
		}
		want := one.partition(rows)
		if n := strings.Count(want, "\n") + 1; n < 3 || n > 23 {
			t.Errorf("the rows make %d entities: too few or too many to compare\n%s", n, want)
		}

		slices.Reverse(rows)
		batch := newWorld(t, e, s)
		var lines []string
		for _, r := range rows {
			lines = append(lines, line("", ofRow(r)))
		}
		for _, a := range batch.batch(lines) {
			same(t, "a line", a.seq("/status"), 201)
		}
		same(t, "by batch, the last first", batch.partition(rows), want)

		for i := range rows { // neither order
			k := (i*11 + 5) % len(rows)
			rows[i], rows[k] = rows[k], rows[i]
		}
		imported := newWorld(t, e, s)
		var file strings.Builder
		for _, r := range rows {
			fmt.Fprintln(&file, line("", r))
		}
		path := filepath.Join(t.TempDir(), "rows.jsonl")
		if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if out, log, err := quick.Run(ctx, "import", "--store", store, "--tenant", imported.tenant, "--source", "crm", path); err != nil {
			t.Fatalf("import: %v\n%s%s", err, out, log)
		}
		same(t, "by import", imported.partition(rows), want)
		verify(t, store, imported.tenant)
	})
}

// alike makes rows of people from few names, dates and telephones.
func alike(n int) []obj {
	rows := make([]obj, n)
	for i := range rows {
		attributes := obj{}
		if i%3 > 0 {
			attributes["dob"] = list{[]string{"1961-02-10", "1961-03-12", "1954-04-11"}[i/3%3]}
		}
		if i%4 > 0 {
			attributes["phone"] = list{fmt.Sprintf("+44 20 7946 00%02d", i/2%5)}
		}
		rows[i] = obj{
			"id": fmt.Sprint(i), "type": "person", "attributes": attributes,
			"name": []string{"Maria", "Marie", "Mary", "M."}[i%4] + " " + []string{"Lindqvist", "Lindquist"}[i/4%2],
		}
	}
	return rows
}

// ofRow is the observation of a row.
func ofRow(r obj) obj {
	return obj{"source": obj{"origin": "records://crm", "authority_level": 3, "source_authority": 0.8},
		"mentions": list{obj{"name": r["name"], "type": r["type"], "attributes": r["attributes"],
			"record": obj{"source": "crm", "id": r["id"]}}}}
}

// partition lists the rows of each entity.
func (w *world) partition(rows []obj) string {
	w.Helper()
	w.settled()
	members := map[string][]string{}
	for _, r := range rows {
		m := ofRow(r)["mentions"].(list)[0].(obj)
		root := w.resolve(m).text("/mentions/0/candidates/0/entity_id")
		members[root] = append(members[root], r["id"].(string))
	}
	var all []string
	for _, m := range members {
		slices.Sort(m)
		all = append(all, strings.Join(m, " "))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}
