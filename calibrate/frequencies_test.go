package calibrate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/calibrate"
	"tenure/similarity"
)

func TestFrequencies(t *testing.T) {
	firms := &calibrate.Collection{}
	for i := range 400 {
		kind := "Trading"
		if i%4 == 0 {
			kind = "Shipping"
		}
		firms.Add(fmt.Sprintf("Globexia %s N%d", kind, i), "organization")
	}
	before := similarity.FrequencyFile{Unseen: 9.5, Words: map[string]string{"2": "trading", "1": "shipping", "6.5": "harbour"}}
	for _, c := range []struct {
		name  string
		lists []*calibrate.Collection
		want  map[string]string
	}{
		{"nothing new", nil, before.Words},
		{"the commonest of each", []*calibrate.Collection{firms}, map[string]string{"0.25": "globexia trading", "1": "shipping", "6.5": "harbour"}},
		{"too few names", []*calibrate.Collection{few()}, before.Words},
	} {
		got, err := calibrate.Frequencies(before, c.lists...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got.Words); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if _, err := calibrate.Frequencies(similarity.FrequencyFile{Words: map[string]string{"much": "a"}}); err == nil {
		t.Error("a table without numbers is taken")
	}
}

func few() *calibrate.Collection {
	c := &calibrate.Collection{}
	for range calibrate.LeastNames - 1 {
		c.Add("Globexia", "organization")
	}
	return c
}
