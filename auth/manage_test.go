package auth_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/audience"
	"tenure/auth"
	"tenure/roles"
)

// administrator is an administrator who is bound to a project, and to less in every other way than one can be.
func administrator() tenure.Caller {
	return tenure.Caller{
		Tenant: "acme", Roles: []tenure.Role{tenure.RoleAdmin}, Clearance: tenure.Confidential, MaxAuthority: 2,
		Role: "vp", Bound: tenure.Scope{ProjectID: "nova"}, ExpiresAt: 100,
	}
}

func TestWhoMayManageWhichKeys(t *testing.T) {
	bound := func(s tenure.Scope) func(*tenure.Credential) {
		return func(c *tenure.Credential) { c.Bound = s }
	}
	for name, tc := range map[string]struct {
		change func(*tenure.Credential)
		at     []string
	}{
		"one-like-its-own":          {func(*tenure.Credential) {}, nil},
		"of-every-role":             {func(c *tenure.Credential) { c.Roles = tenure.Roles }, nil},
		"cleared-for-less":          {func(c *tenure.Credential) { c.Clearance = tenure.Public }, nil},
		"cleared-for-more":          {func(c *tenure.Credential) { c.Clearance = tenure.HighlyRestricted }, []string{"/clearance"}},
		"of-unknown-clearance":      {func(c *tenure.Credential) { c.Clearance = "odd" }, []string{"/clearance"}},
		"of-weaker-authority":       {func(c *tenure.Credential) { c.MaxAuthority = 4 }, nil},
		"of-stronger-authority":     {func(c *tenure.Credential) { c.MaxAuthority = 1 }, []string{"/max_authority"}},
		"that-acts-for-others":      {func(c *tenure.Credential) { c.ActFor = true }, []string{"/act_for"}},
		"of-another-tenant":         {func(c *tenure.Credential) { c.Tenant = "other" }, []string{"/tenant"}},
		"bound-to-more":             {bound(tenure.Scope{ProjectID: "nova", UserID: "u"}), nil},
		"bound-to-another-project":  {bound(tenure.Scope{ProjectID: "vega"}), []string{"/bound/project_id"}},
		"bound-to-nothing":          {bound(tenure.Scope{}), []string{"/bound/project_id"}},
		"bound-to-a-user-alone":     {bound(tenure.Scope{UserID: "u"}), []string{"/bound/project_id"}},
		"in-a-role-below":           {func(c *tenure.Credential) { c.Role = "manager" }, nil},
		"in-a-role-above":           {func(c *tenure.Credential) { c.Role = "ceo" }, []string{"/role"}},
		"in-any-role":               {func(c *tenure.Credential) { c.Role = "" }, []string{"/role"}},
		"in-a-role-nobody-knows":    {func(c *tenure.Credential) { c.Role = "wizard" }, []string{"/role"}},
		"that-lives-longer":         {func(c *tenure.Credential) { c.ExpiresAt = 0 }, nil},
		"that-is-more-in-two-ways":  {func(c *tenure.Credential) { c.Clearance, c.ActFor = "odd", true }, []string{"/clearance", "/act_for"}},
		"bound-to-another-and-user": {bound(tenure.Scope{ProjectID: "Nova", UserID: "u"}), []string{"/bound/project_id"}},
	} {
		c := administrator()
		k := tenure.Credential{
			Tenant: c.Tenant, Roles: c.Roles, Clearance: c.Clearance, MaxAuthority: c.MaxAuthority, Role: c.Role,
			Bound: c.Bound, ExpiresAt: c.ExpiresAt,
		}
		tc.change(&k)
		faulty(t, name, auth.MayManage(c, k, roles.Base()), tc.at)
	}
}

func TestNobodyIssuesWhatOutlivesThem(t *testing.T) {
	for _, tc := range []struct {
		name      string
		own, keys tenure.Instant
		at        []string
	}{
		{"neither-ends", 0, 0, nil},
		{"one-that-ends", 0, 50, nil},
		{"one-that-ends-before", 100, 50, nil},
		{"one-that-ends-with-it", 100, 100, nil},
		{"one-that-ends-later", 100, 101, []string{"/expires_at"}},
		{"one-that-never-ends", 100, 0, []string{"/expires_at"}},
	} {
		c := tenure.Caller{Tenant: "acme", Roles: tenure.Roles, ExpiresAt: tc.own}
		faulty(t, tc.name, auth.MayIssue(c, tenure.Credential{Tenant: "acme", ExpiresAt: tc.keys}, roles.Base()), tc.at)
	}
}

func TestOnlyAdministratorsGiveRolesThatTheyLack(t *testing.T) {
	c := tenure.Caller{Tenant: "acme", Roles: []tenure.Role{tenure.RoleAgent}}
	k := tenure.Credential{Tenant: "acme", Roles: []tenure.Role{tenure.RoleAgent, tenure.RoleReviewer}}
	faulty(t, "agent", auth.MayManage(c, k, roles.Base()), []string{"/roles/1"})
}

// faulty checks that an error is Forbidden at the pointers, or nil if there are none.
func faulty(t *testing.T, name string, err error, at []string) {
	t.Helper()
	var e *tenure.Error
	if len(at) == 0 {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	if !errors.As(err, &e) || e.Code != tenure.Forbidden {
		t.Errorf("%s: %v", name, err)
		return
	}
	var got []string
	for _, f := range e.Fields {
		got = append(got, f.Pointer)
	}
	if diff := cmp.Diff(at, got); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

// TestNoChainOfKeysEndsWithMore issues keys with keys at random, and looks at what the last holder of each chain may do
// that the first may not.
func TestNoChainOfKeysEndsWithMore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	issued := 0
	for range 2_000 {
		first := anyCredential(r).Caller()
		last := first
		for range 30 {
			k := near(r, last)
			if auth.MayIssue(last, k, roles.Base()) == nil {
				last = k.Caller()
				issued++
			}
		}
		if what := beyond(r, first, last); what != "" {
			t.Fatalf("a chain from %+v ends with %+v, who may %s", first, last, what)
		}
	}
	if issued < 1_000 {
		t.Fatalf("only %d keys were issued", issued)
	}
}

// near returns a credential that differs from a caller's in one or two ways.
func near(r *rand.Rand, c tenure.Caller) tenure.Credential {
	k, other := tenure.Credential{
		Tenant: c.Tenant, Roles: c.Roles, Clearance: c.Clearance, MaxAuthority: c.MaxAuthority, Role: c.Role,
		ActFor: c.ActFor, Bound: c.Bound, ExpiresAt: c.ExpiresAt,
	}, anyCredential(r)
	for range 1 + r.IntN(2) {
		[]func(){
			func() { k.Tenant = other.Tenant }, func() { k.Roles = other.Roles }, func() { k.Clearance = other.Clearance },
			func() { k.MaxAuthority = other.MaxAuthority }, func() { k.Role = other.Role },
			func() { k.ActFor = other.ActFor }, func() { k.Bound = other.Bound }, func() { k.ExpiresAt = other.ExpiresAt },
		}[r.IntN(8)]()
	}
	return k
}

func anyCredential(r *rand.Rand) tenure.Credential {
	id := func() string { return []string{"", "a", "b"}[r.IntN(3)] }
	levels := []tenure.Classification{tenure.Public, tenure.Restricted, tenure.Confidential, tenure.HighlyRestricted}
	return tenure.Credential{
		Tenant:       []string{"acme", "acme", "acme", "other"}[r.IntN(4)],
		Roles:        []tenure.Role{tenure.RoleAdmin, tenure.Roles[r.IntN(len(tenure.Roles))]}[r.IntN(2):],
		Clearance:    levels[r.IntN(len(levels))],
		MaxAuthority: r.IntN(5),
		Role:         []string{"", "ceo", "vp", "svp", "director", "manager", "wizard"}[r.IntN(7)],
		ActFor:       r.IntN(2) == 0,
		Bound:        tenure.Scope{UserID: id(), ProjectID: id(), SessionID: id(), TaskID: id()},
		ExpiresAt:    tenure.Instant(r.IntN(4)),
	}
}

// beyond returns what the last of two callers may do that the first may not, "" for nothing.
func beyond(r *rand.Rand, first, last tenure.Caller) string {
	if first.Tenant != last.Tenant {
		return "see another tenant"
	}
	for _, role := range last.Roles {
		if !slices.Contains(first.Roles, role) && !slices.Contains(first.Roles, tenure.RoleAdmin) {
			return "do what is for " + string(role)
		}
	}
	for range 100 {
		c := anyCredential(r)
		claim := tenure.Claim{Scope: c.Bound, Description: tenure.Description{Classification: c.Clearance}}
		if audience.Of(last).Sees(claim.Label()) && !audience.Of(first).Sees(claim.Label()) {
			return fmt.Sprintf("see %+v", claim)
		}
		if last.MayState(c.MaxAuthority, "") == nil && first.MayState(c.MaxAuthority, "") != nil {
			return fmt.Sprint("state level ", c.MaxAuthority)
		}
		if first.Role != "" && last.Role != first.Role && roles.Base().Outranks(last.Role, first.Role) {
			return "speak as " + last.Role
		}
	}
	if last.ActFor && !first.ActFor {
		return "act for others"
	}
	if first.ExpiresAt != 0 && (last.ExpiresAt == 0 || last.ExpiresAt > first.ExpiresAt) {
		return "live longer"
	}
	return ""
}
