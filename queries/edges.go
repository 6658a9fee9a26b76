package queries

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenure"
)

// The edges of the graph that segments of a standing become.
const (
	Supersedes  = "SUPERSEDES"  // from the belief that took the place
	Overrides   = "OVERRIDES"   // from the amendment that ended or withdrew the claim
	Contradicts = "CONTRADICTS" // between two that tie
)

// Edge is how a cause is shown: as an edge of a type with the property rule.
type Edge struct{ Type, Rule string }

// Edges says of each cause which edge its segments become. Claims that stand have none, and of a lost ground
// DEPENDS_ON tells.
var Edges = map[tenure.Cause]Edge{
	tenure.Stands:       {},
	tenure.ByDependency: {},
	tenure.ByName:       {Supersedes, "explicit"},
	tenure.BySuccession: {Supersedes, "succession"},
	tenure.ByAuthority:  {Supersedes, "authority"},
	tenure.ByRank:       {Supersedes, "rank"},
	tenure.ByTrust:      {Supersedes, "trust"},
	tenure.ByBar:        {Supersedes, "bar"},
	tenure.NoValue:      {Supersedes, "no_value"},
	tenure.ByTie:        {Contradicts, "tie"},
	tenure.ByRetraction: {Overrides, "retraction"},
	tenure.ByRejection:  {Overrides, "rejection"},
	tenure.ByEnd:        {Overrides, "end"},
	tenure.ByStart:      {Overrides, "start"},
}

// causesOf returns the causes whose segments become edges of the types, as a list in SQL.
func causesOf(types ...string) string {
	var list []string
	for _, c := range slices.Sorted(maps.Keys(Edges)) {
		if slices.Contains(types, Edges[c].Type) {
			list = append(list, "'"+string(c)+"'")
		}
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// ruleOf returns the rule of the column cause, in SQL.
func ruleOf() string {
	var b strings.Builder
	b.WriteString("CASE cause")
	for _, c := range slices.Sorted(maps.Keys(Edges)) {
		if rule := Edges[c].Rule; rule != "" {
			fmt.Fprintf(&b, " WHEN '%s' THEN '%s'", c, rule)
		}
	}
	return b.String() + " END"
}
