package neo4j

import (
	"fmt"
	"regexp"
	"sync"
)

// statement is a Cypher text as it is sent, with the names of its parameters.
type statement struct {
	text  string
	names []string
}

var (
	parameter  = regexp.MustCompile(`\$([A-Za-z_]\w*)`)
	statements sync.Map // of texts to statements
)

// asOneMap returns a statement that takes its parameters in one map, $p.name for $name, and that map. Neo4j plans a
// statement again for each combination of types and sizes of its parameters, where none, one, up to ten and up to a
// hundred are sizes of a list; it does not look into a map. An unknown name in a map is null, so that a missing
// parameter is refused here.
func asOneMap(cypher string, params args) (string, args, error) {
	found, ok := statements.Load(cypher)
	if !ok {
		s := statement{text: parameter.ReplaceAllString(cypher, `$$p.$1`)}
		for _, m := range parameter.FindAllStringSubmatch(cypher, -1) {
			s.names = append(s.names, m[1])
		}
		found, _ = statements.LoadOrStore(cypher, s)
	}
	s := found.(statement)
	for _, name := range s.names {
		if _, ok := params[name]; !ok {
			return "", nil, fmt.Errorf("the parameter %s of a statement is missing: %.80s", name, cypher)
		}
	}
	return s.text, args{"p": params}, nil
}
