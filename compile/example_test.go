package compile_test

import (
	"context"
	"fmt"

	"tenure"
	"tenure/compile"
)

// A policy binds, the newer office stands, and what the intern may not see is
// nothing but a number.
func Example() {
	state := &world{} // in the service: store.Store's View
	alice := state.entity(1, "Alice Johnson")
	state.claim(11, alice, "office", "Boston", lost(tenure.BySuccession, id(12)))
	state.claim(12, alice, "office", "Chicago", from(6))
	state.claim(13, alice, "travel", "economy class only", constraint(), level(1))
	state.claim(14, alice, "salary", "100,000", with(func(c *tenure.Claim) { c.Permission.DenyRoles = []string{"intern"} }))

	compiler, err := compile.New(compile.NewTokens(), compile.Config{})
	if err != nil {
		panic(err)
	}
	res, err := compiler.Compile(context.Background(), state, tenure.Caller{Clearance: tenure.Public, ActFor: true}, compile.Request{
		Query:    "Where does Alice Johnson work, and for how much?",
		Identity: &compile.Identity{Name: "Bob", Roles: []string{"intern"}},
	}, day(15))
	if err != nil {
		panic(err)
	}
	fmt.Println(res.Envelope.Text)
	fmt.Println()
	for _, o := range res.Trace.State.OmittedObjects {
		fmt.Println("left out:", o.Predicate, o.Reason)
	}
	fmt.Println("denied:", res.Trace.State.DeniedCounts)
	// Output:
	// == Policy ==
	// Alice Johnson / travel: economy class only
	//
	// == Identity ==
	// user_name: Bob
	// roles: intern
	//
	// == Facts ==
	// Alice Johnson / office: Chicago
	//
	// left out: office succession
	// denied: map[]
}
