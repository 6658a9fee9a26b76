package graph

import (
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

// Labels are the types that are labels in the database, as far as this process knows.
type Labels struct {
	mu    sync.Mutex
	known map[string]bool
}

// NewLabels returns no labels.
func NewLabels() *Labels { return &Labels{known: map[string]bool{}} }

// Know notes a label that the database has.
func (l *Labels) Know(label string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[label] = true
}

// Add adds to each row of an entity the label of its type, if it gets one.
func (l *Labels) Add(rows []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range rows {
		r := r.(props)
		list := []any{}
		label := typeLabel(r["set"].(props)["type"].(string))
		if label != "" && (l.known[label] || len(l.known) < mostLabels) {
			l.known[label] = true
			list = append(list, label)
		}
		r["labels"] = list
	}
}
