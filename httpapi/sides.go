package httpapi

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenure"
	"tenure/api"
	"tenure/registry"
)

// sideBySide lists what is known of two sides, field beside field: names first,
// then attributes by their kinds. Evidence is put to the field whose values it
// was found in.
func sideBySide(left, right api.ReviewSide, asked, members []tenure.Entity, evidence []registry.Contribution) []api.SideBySide {
	var list []api.SideBySide
	add := func(field string, l, r []string) {
		if row := beside(field, some(l), some(r)); len(l)+len(r) > 0 {
			row.LogOdds = evidenceIn(row, evidence)
			list = append(list, row)
		}
	}
	add("name", append([]string{left.Name}, left.Aliases...), append([]string{right.Name}, right.Aliases...))
	add("type", filled(left.Type), filled(right.Type))
	add("project", filled(left.ProjectId), filled(right.ProjectId))
	add("record", recordNames(left.Records), recordNames(right.Records))
	add("context", contextsOf(asked), contextsOf(members))
	kinds := maps.Clone(left.Attributes)
	maps.Copy(kinds, right.Attributes)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		add(kind, left.Attributes[kind], right.Attributes[kind])
	}
	return list
}

func filled(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func recordNames(list []tenure.Record) []string {
	var names []string
	for _, r := range list {
		names = append(names, r.Source+" "+r.ID)
	}
	return names
}

func contextsOf(members []tenure.Entity) []string {
	var list []string
	for _, m := range members {
		list = append(list, m.Context...)
	}
	return list
}

// beside compares values by the key that names are compared with.
func beside(field string, left, right []string) api.SideBySide {
	row := api.SideBySide{Field: field, Left: left, Right: right, Agreement: "different"}
	switch {
	case len(right) == 0:
		row.Agreement = "left"
	case len(left) == 0:
		row.Agreement = "right"
	case slices.ContainsFunc(left, func(l string) bool {
		return slices.ContainsFunc(right, func(r string) bool { return registry.Key(l) == registry.Key(r) })
	}):
		row.Agreement = "same"
	}
	return row
}

// evidenceIn adds up the evidence that was found in the values of a row.
func evidenceIn(row api.SideBySide, evidence []registry.Contribution) float64 {
	sum := 0.0
	for _, c := range evidence {
		isName := c.Feature == "name" || strings.HasPrefix(c.Feature, "name_")
		found := slices.Contains(row.Left, c.Left) && slices.Contains(row.Right, c.Right)
		if found && isName == (row.Field == "name") {
			sum += c.LogOdds
		}
	}
	return sum
}

// inWords says of each kind of evidence what it does to the odds.
func inWords(evidence []registry.Contribution) []string {
	var list []string
	for _, c := range evidence {
		factor := math.Exp(math.Abs(c.LogOdds))
		if factor < 1.05 {
			continue
		}
		effect := fmt.Sprintf("%.3g times as likely", factor)
		if c.LogOdds < 0 {
			effect = fmt.Sprintf("%.3g times less likely", factor)
		}
		where := ""
		if c.Left != "" || c.Right != "" {
			where = fmt.Sprintf(" (%q, %q)", c.Left, c.Right)
		}
		list = append(list, c.Reason+where+": "+effect)
	}
	return list
}
