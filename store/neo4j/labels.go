package neo4j

import (
	"context"
	"strings"
	"sync"
)

const (
	longestLabel = 40
	// mostLabels bounds the types that become labels in a database: Neo4j never forgets the name of a label.
	mostLabels = 1000
)

// typeLabel returns the label of an entity type: the type in lower case, with "_" for what is neither a letter a to
// z nor a digit. A type without such a label gets "". Since the service's own labels begin with a capital letter, no
// type can pass for one of them.
func typeLabel(name string) string {
	label := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "_")
	if label == "" || label[0] < 'a' || len(label) > longestLabel {
		return ""
	}
	return label
}

// labels are the types that are labels in the database, as far as this process knows.
type labels struct {
	mu    sync.Mutex
	known map[string]bool
}

const labelsInUse = `CALL db.labels() YIELD label WHERE label =~ '[a-z].*' RETURN label`

// readLabels reads which types are labels.
func (s *Store) readLabels(ctx context.Context) error {
	found, err := s.query(ctx, labelsInUse, args{})
	if err != nil {
		return err
	}
	s.labels.mu.Lock()
	defer s.labels.mu.Unlock()
	for _, f := range found {
		s.labels.known[f.text(0)] = true
	}
	return nil
}

// addLabels adds to each row of an entity the label of its type, if it gets one.
func (s *Store) addLabels(rows []any) {
	s.labels.mu.Lock()
	defer s.labels.mu.Unlock()
	for _, r := range rows {
		r := r.(args)
		list := []any{}
		label := typeLabel(r["set"].(args)["type"].(string))
		if label != "" && (s.labels.known[label] || len(s.labels.known) < mostLabels) {
			s.labels.known[label] = true
			list = append(list, label)
		}
		r["labels"] = list
	}
}
