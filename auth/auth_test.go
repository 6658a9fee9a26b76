package auth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/auth"
)

var start = time.Date(2026, 6, 6, 12, 0, 0, 0, time.UTC)

// source counts its calls.
type source struct {
	creds map[tenure.ID]tenure.Credential
	asked int
	err   error
}

func (s *source) Credential(_ context.Context, id tenure.ID) (tenure.Credential, error) {
	s.asked++
	if s.err != nil {
		return tenure.Credential{}, s.err
	}
	c, ok := s.creds[id]
	if !ok {
		return c, tenure.Errorf(tenure.NotFound, "no such credential")
	}
	return c, nil
}

func issue(t *testing.T, s *source) (tenure.Credential, string) {
	t.Helper()
	c, key, err := auth.Issue(tenure.NewMint(start), rand.Reader, tenure.Credential{
		Tenant: "acme", Roles: []tenure.Role{tenure.RoleAgent}, MaxAuthority: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.creds[c.ID] = c
	return c, key
}

func newSource() *source { return &source{creds: map[tenure.ID]tenure.Credential{}} }

func TestAKeySpeaksForItsCredential(t *testing.T) {
	s := newSource()
	c, key := issue(t, s)
	if !strings.HasPrefix(key, "tnr_"+string(c.ID)+"_") || strings.Contains(key, c.Hash) {
		t.Fatalf("key %q", key)
	}
	a := auth.New(s, func() time.Time { return start }, auth.Config{})
	caller, err := a.Authenticate(t.Context(), key)
	if err != nil || caller.Tenant != "acme" || caller.Actor != string(c.ID) || caller.Clearance != tenure.Restricted {
		t.Fatalf("%+v, %v", caller, err)
	}
	other, otherKey := issue(t, s)
	if other.Hash == c.Hash || otherKey == key {
		t.Fatal("two keys are alike")
	}
}

func TestWrongKeysAreAllDeniedAlike(t *testing.T) {
	s := newSource()
	c, key := issue(t, s)
	a := auth.New(s, func() time.Time { return start }, auth.Config{})
	revoked, revokedKey := issue(t, s)
	revoked.RevokedAt = 1
	s.creds[revoked.ID] = revoked
	var messages []string
	for name, k := range map[string]string{
		"empty":            "",
		"another-scheme":   "ghp_x",
		"no-secret":        "tnr_" + string(c.ID),
		"empty-secret":     "tnr_" + string(c.ID) + "_",
		"wrong-secret":     key[:len(key)-1] + "!",
		"the-hash":         "tnr_" + string(c.ID) + "_" + c.Hash,
		"unknown-id":       strings.Replace(key, string(c.ID), string(tenure.DerivedID("x")), 1),
		"id-in-upper-case": strings.Replace(key, string(c.ID), strings.ToUpper(string(c.ID)), 1),
		"too-long":         key + strings.Repeat("x", 1<<20),
		"revoked":          revokedKey,
	} {
		_, err := a.Authenticate(t.Context(), k)
		if tenure.CodeOf(err) != tenure.Unauthenticated {
			t.Errorf("%s: %v", name, err)
			continue
		}
		messages = append(messages, err.Error())
	}
	for _, m := range messages {
		if m != messages[0] {
			t.Errorf("%q tells more than %q", m, messages[0])
		}
	}
}

func TestASourceThatFailsIsNotAWrongKey(t *testing.T) {
	s := newSource()
	_, key := issue(t, s)
	s.err = tenure.Errorf(tenure.Unavailable, "down")
	a := auth.New(s, func() time.Time { return start }, auth.Config{})
	if _, err := a.Authenticate(t.Context(), key); tenure.CodeOf(err) != tenure.Unavailable {
		t.Fatal(err)
	}
}

func TestARevokedKeyStopsWithinTheTTL(t *testing.T) {
	s := newSource()
	c, key := issue(t, s)
	now := start
	a := auth.New(s, func() time.Time { return now }, auth.Config{TTL: 5 * time.Second})
	for range 10 {
		if _, err := a.Authenticate(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	if s.asked != 1 {
		t.Fatalf("asked %d times", s.asked)
	}
	c.RevokedAt = tenure.At(now)
	s.creds[c.ID] = c
	now = now.Add(5 * time.Second)
	if _, err := a.Authenticate(t.Context(), key); tenure.CodeOf(err) != tenure.Unauthenticated {
		t.Fatal(err)
	}
}

func TestForgetStopsAKeyAtOnce(t *testing.T) {
	s := newSource()
	c, key := issue(t, s)
	a := auth.New(s, func() time.Time { return start }, auth.Config{})
	if _, err := a.Authenticate(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	c.RevokedAt = 1
	s.creds[c.ID] = c
	a.Forget(c.ID)
	if _, err := a.Authenticate(t.Context(), key); tenure.CodeOf(err) != tenure.Unauthenticated {
		t.Fatal(err)
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	s := newSource()
	a := auth.New(s, func() time.Time { return start }, auth.Config{Size: 3})
	keys := make([]string, 10)
	for i := range keys {
		_, keys[i] = issue(t, s)
		if _, err := a.Authenticate(t.Context(), keys[i]); err != nil {
			t.Fatal(err)
		}
	}
	s.asked = 0
	for _, k := range keys {
		if _, err := a.Authenticate(t.Context(), k); err != nil {
			t.Fatal(err)
		}
	}
	if s.asked < len(keys)-3 {
		t.Fatalf("%d of %d were still held", len(keys)-s.asked, len(keys))
	}
}

func TestIssueRefusesWhatNoKeyCanBe(t *testing.T) {
	good := tenure.Credential{Tenant: "acme", Roles: []tenure.Role{tenure.RoleAgent}}
	for name, tc := range map[string]struct {
		change  func(*tenure.Credential)
		pointer string
	}{
		"no-tenant":         {func(c *tenure.Credential) { c.Tenant = "" }, "/tenant"},
		"no-role":           {func(c *tenure.Credential) { c.Roles = nil }, "/roles"},
		"an-unknown-role":   {func(c *tenure.Credential) { c.Roles = []tenure.Role{"root"} }, "/roles/0"},
		"unknown-clearance": {func(c *tenure.Credential) { c.Clearance = "cosmic" }, "/clearance"},
		"level-5":           {func(c *tenure.Credential) { c.MaxAuthority = 5 }, "/max_authority"},
		"level-minus-1":     {func(c *tenure.Credential) { c.MaxAuthority = -1 }, "/max_authority"},
		"a-long-label":      {func(c *tenure.Credential) { c.Label = strings.Repeat("x", 201) }, "/label"},
	} {
		c := good
		tc.change(&c)
		_, _, err := auth.Issue(tenure.NewMint(start), rand.Reader, c)
		var e *tenure.Error
		if !errors.As(err, &e) || e.Code != tenure.Invalid || len(e.Fields) != 1 || e.Fields[0].Pointer != tc.pointer {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := auth.Issue(tenure.NewMint(start), bytes.NewReader(make([]byte, 31)), good); err == nil {
		t.Error("a key of 31 random bytes was issued")
	}
}

func TestBindFillsInAndRefuses(t *testing.T) {
	c := tenure.Caller{Bound: tenure.Scope{ProjectID: "nova"}}
	s, err := auth.Bind(c, tenure.Scope{UserID: "u"}, "/scope")
	if err != nil || s != (tenure.Scope{UserID: "u", ProjectID: "nova"}) {
		t.Fatalf("%+v, %v", s, err)
	}
	_, err = auth.Bind(c, tenure.Scope{ProjectID: "other"}, "/scope")
	var e *tenure.Error
	if !errors.As(err, &e) || e.Code != tenure.Forbidden || e.Fields[0].Pointer != "/scope/project_id" {
		t.Fatal(err)
	}
}

func TestLevel(t *testing.T) {
	at := func(level int) *int { return &level }
	for _, c := range []struct {
		strongest int
		stated    *int
		unstated  int
		want      int
		ok        bool
	}{
		{0, nil, tenure.UserLevel, 2, true},
		{3, nil, tenure.UserLevel, 3, true},
		{0, nil, 1, 1, true},
		{2, at(2), tenure.UserLevel, 2, true},
		{2, at(4), tenure.UserLevel, 4, true},
		{0, at(0), tenure.UserLevel, 0, true},
		{2, at(1), tenure.UserLevel, 1, false},
	} {
		got, err := tenure.Caller{MaxAuthority: c.strongest}.Level(c.stated, c.unstated, "/x")
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
		var e *tenure.Error
		if !c.ok && (!errors.As(err, &e) || e.Code != tenure.AuthorityTooHigh || e.Fields[0].Pointer != "/x") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func ExampleIssue() {
	c, key, err := auth.Issue(tenure.NewMint(start), rand.Reader, tenure.Credential{
		Tenant: "acme", Roles: []tenure.Role{tenure.RoleAgent}, MaxAuthority: 2,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(key[:4], len(c.Hash), c.Clearance)
	// Output: tnr_ 64 restricted
}
