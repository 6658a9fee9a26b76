// Package older gives a Neo4j database the schema that an earlier program made, with what is in it now, so that a
// migration has something to do. It is for tests that have a server of their own.
package older

import (
	"context"
	"errors"
	"regexp"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure/migrations"
)

// First is the oldest schema that Make makes: later migrations add only what they can work out again.
const First = 6

// former takes away what a migration adds to nodes that are there, by its number.
var former = map[int][]string{
	7:  {`MATCH (n:Relocation) REMOVE n.predicate`},
	8:  {`MATCH (n:Observation) REMOVE n.session_id, n.project_id`},
	9:  {`MATCH (n:QuarantineCase|QuarantineCaseVersion) REMOVE n.rank`},
	10: {`MATCH (n:Belief) REMOVE n.said`},
	11: {`MATCH (n:Belief) REMOVE n.place, n:Remark`},
	12: {`MATCH (n:Observation) REMOVE n.thread`},
	14: {`MATCH (n:Observation) REMOVE n.text_thread, n.text_speaker`},
	15: {`MATCH ()-[r:PROPOSES]->() DELETE r`},
	18: {`MATCH (n:Belief) REMOVE n:Directive`},
}

var made = regexp.MustCompile(`^CREATE (INDEX|CONSTRAINT) (\w+) `)

// Make takes the migrations after the given number back.
func Make(ctx context.Context, uri, username, password string, number int) error {
	list, err := migrations.Cypher()
	if err != nil {
		return err
	}
	db, err := driver.NewDriverWithContext(uri, driver.BasicAuth(username, password, ""))
	if err != nil {
		return err
	}
	run := func(cypher string, params map[string]any) error {
		_, err := driver.ExecuteQuery(ctx, db, cypher, params, driver.EagerResultTransformer)
		return err
	}
	err = run(`MATCH (m:Migration {ledger: 'tenure'}) WHERE m.number > $number DELETE m`, map[string]any{"number": number})
	for _, m := range list[number:] {
		for _, statement := range m.Statements {
			if name := made.FindStringSubmatch(statement); name != nil && err == nil {
				err = run(`DROP `+name[1]+` `+name[2]+` IF EXISTS`, nil)
			}
		}
		for _, statement := range former[m.Number] {
			if err == nil {
				err = run(statement, nil)
			}
		}
	}
	return errors.Join(err, db.Close(ctx))
}
