package bulk_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/service"
	"tenure/service/bulk"
)

// road writes rows, in groups of a size where the road knows groups.
type road struct {
	name  string
	write func(ctx context.Context, w *world, rows []bulk.Row, size int) error
}

var roads = []road{
	{"single", func(ctx context.Context, w *world, rows []bulk.Row, _ int) error {
		for _, r := range rows {
			if _, err := w.Observe(ctx, importer, nil, observed(r)); err != nil {
				return err
			}
		}
		return nil
	}},
	{"batch", func(ctx context.Context, w *world, rows []bulk.Row, size int) error {
		for group := range slices.Chunk(rows, size) {
			items := make([]service.BatchItem, len(group))
			for i, r := range group {
				items[i].Observation = observed(r)
			}
			for _, res := range w.ObserveBatch(ctx, importer, items) {
				if res.Err != nil {
					return res.Err
				}
			}
		}
		return nil
	}},
	{"import", func(ctx context.Context, w *world, rows []bulk.Row, _ int) error {
		_, err := w.load(ctx, rows, nil)
		return err
	}},
}

// observed returns the observation that an import makes of a row.
func observed(r bulk.Row) service.Observation {
	return service.Observation{
		Source: service.Source{Origin: "import://crm"},
		Mentions: []service.Mention{{
			Name: r.Name, Type: r.Type, Aliases: r.Aliases, Attributes: r.Attributes, Context: r.Context, Record: &r.Record,
		}},
	}
}

// settle waits until re-resolution writes nothing more.
func (w *world) settle(t *testing.T) {
	t.Helper()
	for before := tenure.Seq(-1); before != w.end(t); {
		before = w.end(t)
		if err := w.Worker().CatchUp(t.Context(), tenant); err != nil {
			t.Fatal(err)
		}
	}
}

// partition lists the rows of each entity by their ids, sorted.
func (w *world) partition(t *testing.T, rows []bulk.Row) string {
	t.Helper()
	members := map[tenure.ID][]string{}
	for i, e := range w.entities(t, rows) {
		members[e] = append(members[e], rows[i].Record.ID)
	}
	var list []string
	for _, m := range members {
		slices.Sort(m)
		list = append(list, strings.Join(m, " "))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// told loads rows into a world of its own and returns the partition.
func told(t *testing.T, r road, size int, rows []bulk.Row) string {
	t.Helper()
	w := newWorld(t)
	if err := r.write(t.Context(), w, rows, size); err != nil {
		t.Fatal(err)
	}
	w.settle(t)
	return w.partition(t, rows)
}

func shuffled(rows []bulk.Row, r *rand.Rand) []bulk.Row {
	list := slices.Clone(rows)
	r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	return list
}

// rowsOf makes rows of people. Everything is drawn from small pools: the fewer of each, the more rows are mutually
// similar.
func rowsOf(r *rand.Rand, n, given, surnames, days, phones int) []bulk.Row {
	pick := func(list []string, n int) string { return list[r.IntN(min(n, len(list)))] }
	maybe := func(attributes map[string][]string, kind, value string) {
		if r.IntN(3) > 0 {
			attributes[kind] = []string{value}
		}
	}
	rows := make([]bulk.Row, n)
	for i := range rows {
		attributes := map[string][]string{}
		maybe(attributes, "dob", fmt.Sprintf("19%02d-0%d-1%d", 40+7*r.IntN(days), 1+r.IntN(days)%9, r.IntN(days)%9))
		maybe(attributes, "phone", fmt.Sprintf("+44 20 7946 0%03d", r.IntN(phones)))
		first := pick([]string{"Maria", "Marie", "Mary", "M.", "Anna", "Jonas", "Tomasz", "Ines", "Bo", "Kerstin"}, given)
		last := pick([]string{"Lindqvist", "Lindquist", "Okafor", "Ruiz", "Wilk", "Carvalho", "Brandt", "Featherstone"}, surnames)
		rows[i] = bulk.Row{
			Record: tenure.Record{Source: "crm", ID: fmt.Sprint(i)}, Name: first + " " + last, Type: "person",
			Attributes: attributes,
		}
	}
	return rows
}

// TestPartitionDoesNotDependOnOrderOrRoad loads sets of rows in several orders, in groups of several sizes, and one by
// one, by batch and by import: who belongs together is always the same.
func TestPartitionDoesNotDependOnOrderOrRoad(t *testing.T) {
	for _, c := range []struct {
		name                                string
		rows, given, surnames, days, phones int
	}{
		{"more-than-twenty-alike", 40, 4, 2, 3, 4},
		{"namesakes", 36, 2, 1, 4, 12},
		{"few-alike", 60, 10, 8, 40, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			sets := 3
			if testing.Short() {
				sets = 1
			}
			for set := range sets {
				r := rand.New(rand.NewPCG(uint64(set), 52))
				rows := rowsOf(r, c.rows, c.given, c.surnames, c.days, c.phones)
				want := told(t, roads[1], len(rows), rows)
				for i := range 6 {
					by, size := roads[i%len(roads)], []int{1, 7, 64}[r.IntN(3)]
					if got := told(t, by, size, shuffled(rows, r)); got != want {
						t.Errorf("set %d, order %d, %s, groups of %d: %s", set, i, by.name, size, apart(want, got, rows))
					}
				}
			}
		})
	}
}

// apart describes the clusters that only one of two partitions has.
func apart(want, got string, rows []bulk.Row) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	show := func(title string, list, other []string) {
		for _, c := range list {
			if !slices.Contains(other, c) {
				fmt.Fprintf(&out, "\n%s:", title)
				for _, id := range strings.Fields(c) {
					i := slices.IndexFunc(rows, func(r bulk.Row) bool { return r.Record.ID == id })
					fmt.Fprintf(&out, " [%s %s %v]", id, rows[i].Name, cmp.Or(fmt.Sprint(rows[i].Attributes), "-"))
				}
			}
		}
	}
	show("first", a, b)
	show("now", b, a)
	return out.String()
}
