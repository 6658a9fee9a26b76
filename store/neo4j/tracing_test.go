package neo4j

import (
	"slices"
	"strings"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"tenure"
)

// Each statement of a write and of a read is a span, with its text and without its parameters.
func TestStatementsAreTraced(t *testing.T) {
	s, tenant := internal(t), "t-"+string(newID())
	spans := tracetest.NewInMemoryExporter()
	ctx, root := sdk.NewTracerProvider(sdk.WithSyncer(spans)).Tracer("test").Start(t.Context(), "root")
	id := newID()
	_, err := s.Apply(ctx, tenant, 0, []tenure.ChangeSet{{
		ID: newID(), Changes: []tenure.Change{tenure.EntityPut{Entity: tenure.Entity{ID: id, Name: "Zaphod"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	view, err := s.View(ctx, tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := view.Entities(ctx, []tenure.ID{id}); err != nil {
		t.Fatal(err)
	}
	root.End()
	var names []string
	for _, span := range spans.GetSpans() {
		names = append(names, span.Name)
		for _, a := range span.Attributes {
			for _, said := range []string{"Zaphod", tenant, string(id)} {
				if strings.Contains(a.Value.String(), said) {
					t.Errorf("the span %q holds a parameter: %s", span.Name, a.Value.String())
				}
			}
		}
	}
	for _, want := range []string{"MERGE Tenant", "MERGE Entity", "MATCH Tenant", "COMMIT", "MATCH Entity"} {
		if !slices.Contains(names, want) {
			t.Errorf("no span %q among %q", want, names)
		}
	}
}
