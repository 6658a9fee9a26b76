package neo4j

import (
	"context"
	"strings"
)

// renames are the statements of migration 4. Each renames at most $limit things and returns how many it found.
var renames = []string{
	`MATCH (n:Verdict) WITH n LIMIT $limit SET n:IdentityDecision REMOVE n:Verdict RETURN count(n)`,
	`MATCH (n:VerdictVersion) WITH n LIMIT $limit
SET n:IdentityDecisionVersion REMOVE n:VerdictVersion RETURN count(n)`,
	`MATCH (n:Home) WITH n LIMIT $limit SET n:Relocation REMOVE n:Home RETURN count(n)`,
	`MATCH (v:IdentityDecision)-[old:JUDGES]->(e) WITH v, old, e LIMIT $limit
CREATE (v)-[new:CONCERNS]->(e) SET new = properties(old) DELETE old RETURN count(new)`,
	`MATCH (n:IdentityDecision|IdentityDecisionVersion) WHERE n.kind = 'distinct' WITH n LIMIT $limit
SET n.kind = 'cannot_link', n.body = replace(n.body, '"kind":"distinct"', '"kind":"cannot_link"') RETURN count(n)`,
	`MATCH (n:IdentityDecision|IdentityDecisionVersion)
WHERE n.body CONTAINS ':"second_look"' OR n.body CONTAINS ':"exact_form"' OR n.body CONTAINS ':"ambiguous_form"'
WITH n LIMIT $limit
SET n.actor = replace(n.actor, 'second_look', 're_resolution'), n.body =
  replace(replace(replace(n.body, ':"second_look"', ':"re_resolution"'), ':"exact_form"', ':"exact_name"'),
    ':"ambiguous_form"', ':"ambiguous_name"') RETURN count(n)`,
	`MATCH (n:Review|ReviewVersion) WHERE n.priority IS NULL WITH n LIMIT $limit
SET n.priority = coalesce(n.value, 0.0), n.decided_by = replace(n.decided_by, 'second_look', 're_resolution'),
  n.reason = replace(n.reason, 'ambiguous_form', 'ambiguous_name'), n.body =
  replace(replace(replace(replace(replace(replace(n.body,
    '"waiting":', '"pending_mentions":'), '"held":', '"pending_beliefs":'), '"value":', '"priority":'),
    '"verdict":', '"merge":'), ':"ambiguous_form"', ':"ambiguous_name"'), ':"second_look"', ':"re_resolution"')
REMOVE n.value RETURN count(n)`,
	`MATCH (n:Entity|EntityVersion) WHERE n.body CONTAINS '"reason":"ambiguous_form"' WITH n LIMIT $limit
SET n.body = replace(n.body, '"reason":"ambiguous_form"', '"reason":"ambiguous_name"') RETURN count(n)`,
	`MATCH ()-[a:ASSIGNED]->() WHERE a.reason IN ['exact_form', 'ambiguous_form'] WITH a LIMIT $limit
SET a.reason = replace(a.reason, '_form', '_name') RETURN count(a)`,
}

// renameWords renames the labels, properties and stored words of earlier versions. JSON escapes each quotation
// mark inside a string: what stands between two plain ones is a whole key or value.
func (s *Store) renameWords(ctx context.Context) error {
	for _, statement := range renames {
		if err := s.repeat(ctx, statement); err != nil {
			return err
		}
	}
	return s.renameEntries(ctx)
}

const (
	formerEntries = `MATCH (x:Entry) WHERE x.cells IS NOT NULL RETURN elementId(x), x.answer LIMIT $limit`
	renameEntries = `UNWIND $rows AS row MATCH (x) WHERE elementId(x) = row.node
SET x.write_set = x.cells, x.answer = row.answer REMOVE x.cells`
)

var formerAnswers = strings.NewReplacer(
	`"undone_verdicts":`, `"undone_decisions":`, `"verdict_id":`, `"decision_id":`, `"not_the_same":`, `"cannot_links":`,
	`"reason":"exact_form"`, `"reason":"exact_name"`, `"reason":"ambiguous_form"`, `"reason":"ambiguous_name"`,
)

// renameEntries renames the write set of each log entry, and the fields of its answer. The entry itself is
// sealed and keeps its words.
func (s *Store) renameEntries(ctx context.Context) error {
	return s.rewrite(ctx, formerEntries, renameEntries, changedAtOnce, func(r row) (args, error) {
		entry := args{"node": r.text(0), "answer": nil}
		if answer, ok := r[1].([]byte); ok {
			entry["answer"] = []byte(formerAnswers.Replace(string(answer)))
		}
		return entry, nil
	})
}
