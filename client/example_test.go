package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"tenure/client"
)

// The smallest write that says something, and a compilation of what is
// believed then.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(canned)) // in earnest: "server serve"
	defer server.Close()
	ctx := context.Background()
	c, err := client.New(server.URL, "tnr_key")
	if err != nil {
		panic(err)
	}
	first := 0
	made, err := c.ObserveWithResponse(ctx, nil, client.ObservationInput{
		Source:   client.SourceInput{Origin: "conversation://s1/7"},
		Mentions: []client.MentionInput{{Name: "Jon Smith", Type: "person"}},
		Claims: []client.ClaimInput{{
			Subject: client.SubjectInput{Mention: &first}, Predicate: "office", Value: "Chicago",
		}},
	})
	switch {
	case err != nil:
		panic(err)
	case made.JSON201 == nil:
		panic(made.ApplicationproblemJSONDefault.Detail)
	}
	fmt.Println(made.JSON201.Mentions[0].Decision, made.JSON201.Beliefs[0].Status)

	compiled, err := c.CompileWithResponse(ctx, client.CompileInput{Query: "Where does Jon Smith work?"})
	if err != nil || compiled.JSON200 == nil {
		panic(err)
	}
	for _, o := range compiled.JSON200.Trace.StateCompilationMetadata.CompiledObjects {
		fmt.Println(o.Zone, o.Line, o.Predicate, o.CompiledAs)
	}
	// Output:
	// new_entity clean
	// facts 1 office normalized_fact
}

// canned answers like a server that has nothing in its store.
func canned(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path == "/v1/observations" {
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"mentions":[{"decision":"new_entity"}],"beliefs":[{"status":"clean"}]}`)
		return
	}
	_, _ = io.WriteString(w, `{"trace":{"state_compilation_metadata":{"compiled_objects":[
		{"zone":"facts","line":1,"predicate":"office","compiled_as":"normalized_fact"}]}}}`)
}
