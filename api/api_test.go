package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"tenure"
	"tenure/api"
)

func TestTheDocumentIsValid(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	// Examples are checked too. Lookaheads in patterns, which Go lacks, are not used.
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
}

func TestEveryOperationSaysWhoMayCallIt(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			open := op.Security != nil && len(*op.Security) == 0
			roles, _ := op.Extensions["x-roles"].([]any)
			if open == (len(roles) > 0) {
				t.Errorf("%s %s: public %v, roles %v", method, path, open, roles)
			}
			for _, r := range roles {
				if !slices.Contains(tenure.Roles, tenure.Role(r.(string))) {
					t.Errorf("%s %s: no such role %v", method, path, r)
				}
			}
		}
	}
}

func TestEveryCodeIsInTheDocument(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	listed := doc.Components.Schemas["Code"].Value.Enum
	for _, c := range tenure.Codes {
		if !slices.Contains(listed, any(string(c))) {
			t.Errorf("%s is not in openapi.yaml", c)
		}
	}
	if len(listed) != len(tenure.Codes) {
		t.Errorf("openapi.yaml lists %d codes, there are %d", len(listed), len(tenure.Codes))
	}
}

// TestTheTablesOfStatusAndCause checks the causes and relations of segments in the document against the code, and
// the statuses of causes in both tables.
func TestTheTablesOfStatusAndCause(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	var causes, ofCause, ofStatus, want []string
	for _, row := range table(doc, "Cause") {
		ofCause = append(ofCause, row[0]+" "+row[1])
	}
	for _, row := range table(doc, "Status") {
		for _, cause := range strings.Split(row[2], ", ") {
			ofStatus = append(ofStatus, cause+" "+row[0])
		}
	}
	for _, c := range tenure.Causes {
		causes = append(causes, string(c))
		want = append(want, string(c)+" "+string(c.Status()))
	}
	sameWords(t, "causes", enum(doc, "Cause"), causes)
	sameWords(t, "relations of intervals", enum(doc, "IntervalRelation"), constants(t, "conflicts", "before"))
	sameWords(t, "the table of Cause", ofCause, want)
	sameWords(t, "the table of Status", ofStatus, want)
}

// TestEveryReasonIsInTheDocument checks the enums of reasons against the constants of the code.
func TestEveryReasonIsInTheDocument(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	resolution := constants(t, "registry", "NoCandidate")
	vetoes := constants(t, "similarity", "VetoIdentifier")
	sameWords(t, "vetoes", enum(doc, "Veto"), vetoes)
	resolution = append(resolution, vetoes...)
	sameWords(t, "reasons of resolution", enum(doc, "ResolutionReason"), append(resolution, "split"))

	trace := append(constants(t, "compile", "reasonIrrelevant"), constants(t, "linking", "PendingEntity")...)
	for _, c := range tenure.Causes {
		if c != tenure.Stands && c != tenure.ByTie {
			trace = append(trace, string(c))
		}
	}
	documented := enum(doc, "OmissionReason")
	for _, schema := range []string{"UnresolvedEntity", "QuarantinedObject"} {
		documented = append(documented, words(doc.Components.Schemas[schema].Value.Properties["reason"].Value.Enum)...)
	}
	// An entity that the project does not have is an error, and in no trace.
	sameWords(t, "reasons of a trace", append(documented, "unknown_entity"), trace)

	sameWords(t, "warnings", enum(doc, "WarningCode"), constants(t, ".", "TextOnly"))
	for _, row := range table(doc, "WarningCode") {
		if tenure.WarningCode(row[0]).Message() == "" {
			t.Errorf("the warning %s has no message", row[0])
		}
	}
	sameWords(t, "acts", enum(doc, "Act"), constants(t, ".", "Asserts"))
	sameWords(t, "effects", enum(doc, "Effect"), constants(t, ".", "Set"))

	var explained []string
	for _, row := range table(doc, "ResolutionReason") {
		explained = append(explained, strings.Split(row[0], ", ")...)
	}
	sameWords(t, "the table of ResolutionReason", explained, enum(doc, "ResolutionReason"))
}

func enum(doc *openapi3.T, schema string) []string {
	return words(doc.Components.Schemas[schema].Value.Enum)
}

func words(list []any) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.(string))
	}
	return out
}

// table returns the rows of the table in the description of a schema, without its head.
func table(doc *openapi3.T, schema string) [][]string {
	var rows [][]string
	for line := range strings.Lines(doc.Components.Schemas[schema].Value.Description) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "| ") {
			rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
		}
	}
	return rows[2:]
}

// constants returns the strings of the group of constants that member belongs to, in a package of this module.
func constants(t *testing.T, pkg, member string) []string {
	t.Helper()
	files, err := filepath.Glob("../" + pkg + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if list := constantsOf(d); list[member] != "" {
				return slices.Collect(maps.Values(list))
			}
		}
	}
	t.Fatalf("%s has no constant %s", pkg, member)
	return nil
}

// constantsOf returns the string constants of a declaration, by name.
func constantsOf(d ast.Decl) map[string]string {
	list := map[string]string{}
	group, ok := d.(*ast.GenDecl)
	if !ok || group.Tok != token.CONST {
		return list
	}
	for _, spec := range group.Specs {
		c := spec.(*ast.ValueSpec)
		if len(c.Values) != 1 {
			continue
		}
		if value, ok := c.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
			list[c.Names[0].Name], _ = strconv.Unquote(value.Value)
		}
	}
	return list
}

func sameWords(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: in openapi.yaml %q, in the code %q", what, got, want)
	}
}

func TestTheDocumentIsEmbeddedAsItIs(t *testing.T) {
	file, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if string(file) != string(api.Document) {
		t.Fatal("the embedded document differs from the file")
	}
}
