package view

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenure"

	"tenure/similarity"
	"tenure/text"
)

// FieldComparison compares the values of two sides in one field. LogOdds is the sum of the evidence found in
// the values.
type FieldComparison struct {
	Field       string
	Left, Right []string
	Agreement   string
	LogOdds     float64
}

// The agreements of a field.
const (
	SameValue      = "agree"
	DifferentValue = "disagree"
	OnlyLeft       = "left_only"
	OnlyRight      = "right_only"
)

// compareFields compares two sides field by field: names first, then attributes by kind. Evidence belongs to
// the field whose values it was found in.
func compareFields(
	left, right ReviewSide, asked, members []tenure.Entity, evidence []similarity.Contribution,
) []FieldComparison {
	var list []FieldComparison
	add := func(field string, l, r []string) {
		if len(l)+len(r) > 0 {
			row := FieldComparison{Field: field, Left: l, Right: r, Agreement: agreement(l, r)}
			row.LogOdds = evidenceIn(row, evidence)
			list = append(list, row)
		}
	}
	add("name", append([]string{left.Entity.Name}, left.Aliases...), append([]string{right.Entity.Name}, right.Aliases...))
	add("type", nonEmpty(left.Entity.Type), nonEmpty(right.Entity.Type))
	add("project", nonEmpty(left.Entity.Project), nonEmpty(right.Entity.Project))
	add("record", recordNames(left.Records), recordNames(right.Records))
	add("context", contextsOf(asked), contextsOf(members))
	kinds := maps.Clone(left.Attributes)
	maps.Copy(kinds, right.Attributes)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		add(kind, left.Attributes[kind], right.Attributes[kind])
	}
	return list
}

func nonEmpty(content string) []string {
	if content == "" {
		return nil
	}
	return []string{content}
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

// agreement compares values by their comparison keys, which are those of names.
func agreement(left, right []string) string {
	keys := map[string]bool{}
	for _, l := range left {
		keys[text.Key(l)] = true
	}
	switch {
	case len(right) == 0:
		return OnlyLeft
	case len(left) == 0:
		return OnlyRight
	case slices.ContainsFunc(right, func(r string) bool { return keys[text.Key(r)] }):
		return SameValue
	}
	return DifferentValue
}

// evidenceIn returns the sum of the evidence found in the values of a row.
func evidenceIn(row FieldComparison, evidence []similarity.Contribution) float64 {
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

// explain renders each kind of evidence with the factor by which it changes the odds.
func explain(evidence []similarity.Contribution) []string {
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
