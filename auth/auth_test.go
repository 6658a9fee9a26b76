package auth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/auth"
)

var start = time.Date(2026, 6, 6, 12, 0, 0, 0, time.UTC)

const client = "203.0.113.7"

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
	caller, err := a.Authenticate(t.Context(), key, client)
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
	expired, expiredKey := issue(t, s)
	expired.ExpiresAt = tenure.At(start)
	s.creds[expired.ID] = expired
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
		"expired":          expiredKey,
	} {
		_, err := a.Authenticate(t.Context(), k, client)
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
	if _, err := a.Authenticate(t.Context(), key, client); tenure.CodeOf(err) != tenure.Unavailable {
		t.Fatal(err)
	}
}

func TestARevokedKeyStopsWithinTheTTL(t *testing.T) {
	s := newSource()
	c, key := issue(t, s)
	now := start
	a := auth.New(s, func() time.Time { return now }, auth.Config{TTL: 5 * time.Second})
	for range 10 {
		if _, err := a.Authenticate(t.Context(), key, client); err != nil {
			t.Fatal(err)
		}
	}
	if s.asked != 1 {
		t.Fatalf("asked %d times", s.asked)
	}
	c.RevokedAt = tenure.At(now)
	s.creds[c.ID] = c
	now = now.Add(5 * time.Second)
	if _, err := a.Authenticate(t.Context(), key, client); tenure.CodeOf(err) != tenure.Unauthenticated {
		t.Fatal(err)
	}
}

func TestAKeyIsValidUntilItExpires(t *testing.T) {
	s := newSource()
	c, key := issue(t, s)
	c.ExpiresAt = tenure.At(start.Add(time.Second))
	s.creds[c.ID] = c
	now := start
	a := auth.New(s, func() time.Time { return now }, auth.Config{TTL: time.Hour})
	if _, err := a.Authenticate(t.Context(), key, client); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Second) // still in the cache
	if _, err := a.Authenticate(t.Context(), key, client); tenure.CodeOf(err) != tenure.Unauthenticated {
		t.Fatal(err)
	}
}

func TestTheLastUseIsNotedOnceAMinute(t *testing.T) {
	s := newSource()
	_, key := issue(t, s)
	now := start
	a := auth.New(s, func() time.Time { return now }, auth.Config{TTL: time.Hour})
	var noted []tenure.Instant
	for range 180 {
		if _, err := a.Authenticate(t.Context(), key, client); err != nil {
			t.Fatal(err)
		}
		for _, c := range a.Take().Used {
			noted = append(noted, c.LastUsedAt)
		}
		now = now.Add(time.Second)
	}
	at := func(s int) tenure.Instant { return tenure.At(start.Add(time.Duration(s) * time.Second)) }
	if diff := cmp.Diff([]tenure.Instant{at(0), at(60), at(120)}, noted); diff != "" {
		t.Error(diff)
	}
}

func TestRefusalsOfKnownKeysAreNoted(t *testing.T) {
	s := newSource()
	c, key := issue(t, s)
	a := auth.New(s, func() time.Time { return start }, auth.Config{})
	for _, k := range []string{key + "x", key + "y", "", "tnr_x", strings.Replace(key, string(c.ID), string(tenure.DerivedID("x")), 1)} {
		if _, err := a.Authenticate(t.Context(), k, client); tenure.CodeOf(err) != tenure.Unauthenticated {
			t.Fatal(err)
		}
	}
	got := a.Take()
	want := auth.Notes{Refusals: []auth.Refusal{{Credential: c, Client: client, Count: 2, At: tenure.At(start)}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if again := a.Take(); len(again.Refusals) != 0 {
		t.Error("noted twice")
	}
}

func TestRefusalsAreNotedInBoundedMemory(t *testing.T) {
	s := newSource()
	_, key := issue(t, s)
	a := auth.New(s, func() time.Time { return start }, auth.Config{})
	for i := range 300 {
		_, _ = a.Authenticate(t.Context(), key+"x", fmt.Sprintf("10.0.%d.%d", i>>8, i&255))
	}
	if n := len(a.Take().Refusals); n != 256 {
		t.Errorf("%d are held", n)
	}
}

// attempts counts the failures that are answered as such, until one is refused, and returns how long to wait then.
func attempts(t *testing.T, a *auth.Authenticator, key, from string) (answered int, wait time.Duration) {
	t.Helper()
	for range 1_000 {
		_, err := a.Authenticate(t.Context(), key, from)
		var e *tenure.Error
		switch {
		case errors.As(err, &e) && e.Code == tenure.TooMany:
			return answered, e.RetryAfter
		case tenure.CodeOf(err) != tenure.Unauthenticated:
			t.Fatal(err)
		}
		answered++
	}
	t.Fatal("a thousand failures were answered")
	return answered, 0
}

func TestFailuresAreRefusedAfterABudget(t *testing.T) {
	s := newSource()
	_, key := issue(t, s)
	now := start
	a := auth.New(s, func() time.Time { return now }, auth.Config{})
	if n, wait := attempts(t, a, "tnr_x", client); n != 60 || wait != time.Second {
		t.Errorf("%d were answered, then %s", n, wait)
	}
	t.Run("a-valid-key-from-there-is-not", func(t *testing.T) {
		if _, err := a.Authenticate(t.Context(), key, client); err != nil {
			t.Error(err)
		}
	})
	t.Run("nor-are-those-from-elsewhere", func(t *testing.T) {
		if _, err := a.Authenticate(t.Context(), "tnr_x", "203.0.113.8"); tenure.CodeOf(err) != tenure.Unauthenticated {
			t.Error(err)
		}
	})
	t.Run("the-budget-comes-back", func(t *testing.T) {
		now = now.Add(3 * time.Second)
		if n, _ := attempts(t, a, "tnr_x", client); n != 3 {
			t.Errorf("%d after three seconds", n)
		}
		now = now.Add(750 * time.Millisecond)
		if n, wait := attempts(t, a, "tnr_x", client); n != 0 || wait != 250*time.Millisecond {
			t.Errorf("%d after three quarters of another, then %s", n, wait)
		}
	})
	t.Run("a-64-of-ipv6-is-one-address", func(t *testing.T) {
		attempts(t, a, "tnr_x", "2001:db8::1")
		if n, _ := attempts(t, a, "tnr_x", "2001:db8::2"); n != 0 {
			t.Errorf("%d were answered", n)
		}
		if n, _ := attempts(t, a, "tnr_x", "2001:db8:0:1::1"); n != 60 {
			t.Errorf("%d were answered", n)
		}
	})
}

func TestFailuresOfOneKeyAreRefusedSooner(t *testing.T) {
	s := newSource()
	_, key := issue(t, s)
	_, other := issue(t, s)
	a := auth.New(s, func() time.Time { return start }, auth.Config{})
	if n, wait := attempts(t, a, key+"x", client); n != 10 || wait != 6*time.Second {
		t.Errorf("%d were answered, then %s", n, wait)
	}
	if n, _ := attempts(t, a, other+"x", client); n != 10 {
		t.Errorf("%d of another key", n)
	}
	for name, from := range map[string]string{"there": client, "elsewhere": "203.0.113.8"} {
		if _, err := a.Authenticate(t.Context(), key, from); err != nil {
			t.Errorf("its holder is locked out %s: %v", name, err)
		}
	}
}

// tokens verifies one token.
type tokens struct{ err error }

func (v tokens) Verify(_ context.Context, token string) (tenure.Caller, error) {
	if v.err != nil || token != "a.b.c" {
		return tenure.Caller{}, v.refusal()
	}
	return tenure.Caller{Tenant: "acme", Actor: "oidc:dana"}, nil
}

func (v tokens) refusal() error {
	if v.err != nil {
		return v.err
	}
	return tenure.Errorf(tenure.Unauthenticated, "no such token")
}

func TestTokensAreTakenBesideKeys(t *testing.T) {
	s := newSource()
	_, key := issue(t, s)
	a := auth.New(s, func() time.Time { return start }, auth.Config{Tokens: tokens{}})
	caller, err := a.Authenticate(t.Context(), "a.b.c", client)
	if err != nil || caller.Actor != "oidc:dana" || caller.Client != client {
		t.Errorf("%+v, %v", caller, err)
	}
	if _, err := a.Authenticate(t.Context(), key, client); err != nil {
		t.Error(err)
	}
	_, wrongKey := a.Authenticate(t.Context(), key+"x", client)
	_, wrongToken := a.Authenticate(t.Context(), "a.b.d", client)
	if wrongToken == nil || wrongToken.Error() != wrongKey.Error() {
		t.Errorf("%v tells more than %v", wrongToken, wrongKey)
	}
	if n, _ := attempts(t, a, "a.b.d", "203.0.113.9"); n != 60 {
		t.Errorf("%d wrong tokens were answered", n)
	}
	down := auth.New(s, func() time.Time { return start }, auth.Config{
		Tokens: tokens{tenure.Errorf(tenure.Unavailable, "down")},
	})
	if _, err := down.Authenticate(t.Context(), "a.b.c", client); tenure.CodeOf(err) != tenure.Unavailable {
		t.Error(err)
	}
	none := auth.New(s, func() time.Time { return start }, auth.Config{})
	if _, err := none.Authenticate(t.Context(), "a.b.c", client); tenure.CodeOf(err) != tenure.Unauthenticated {
		t.Error(err)
	}
}

func TestFailuresAreCountedInBoundedMemory(t *testing.T) {
	now := start
	a := auth.New(newSource(), func() time.Time { return now }, auth.Config{Size: 100})
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range 200_000 {
		_, _ = a.Authenticate(t.Context(), "tnr_x", fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255))
	}
	if grown := int64(heap()) - int64(before); grown > 1<<20 {
		t.Errorf("%d bytes are held", grown)
	}
	runtime.KeepAlive(a)
}

func TestForgetStopsAKeyAtOnce(t *testing.T) {
	s := newSource()
	c, key := issue(t, s)
	a := auth.New(s, func() time.Time { return start }, auth.Config{})
	if _, err := a.Authenticate(t.Context(), key, client); err != nil {
		t.Fatal(err)
	}
	c.RevokedAt = 1
	s.creds[c.ID] = c
	a.Forget(c.ID)
	if _, err := a.Authenticate(t.Context(), key, client); tenure.CodeOf(err) != tenure.Unauthenticated {
		t.Fatal(err)
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	s := newSource()
	a := auth.New(s, func() time.Time { return start }, auth.Config{Size: 3})
	keys := make([]string, 10)
	for i := range keys {
		_, keys[i] = issue(t, s)
		if _, err := a.Authenticate(t.Context(), keys[i], client); err != nil {
			t.Fatal(err)
		}
	}
	s.asked = 0
	for _, k := range keys {
		if _, err := a.Authenticate(t.Context(), k, client); err != nil {
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
		"that-has-expired":  {func(c *tenure.Credential) { c.ExpiresAt = tenure.At(start) }, "/expires_at"},
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
