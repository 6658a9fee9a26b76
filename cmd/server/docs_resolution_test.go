package main

import (
	"crypto/rand"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/index"
	"tenure/internal/serving"
	"tenure/service"
	"tenure/store/sqlite"
)

// TestResolution runs the example of docs/resolution.md.
func TestResolution(t *testing.T) {
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "tenure.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	x, err := index.Open(filepath.Join(dir, "index"), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	credential, key, err := auth.Issue(tenure.NewMint(time.Now()), rand.Reader, tenure.Credential{
		Tenant: "saltmarsh", Roles: tenure.Roles, Clearance: tenure.HighlyRestricted,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutCredential(t.Context(), credential); err != nil {
		t.Fatal(err)
	}
	a, err := serving.HTTP(s, service.Config{Now: time.Now, Index: x}, serving.Options{CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	server := httptest.NewServer(a.Handler)
	defer server.Close()
	document{dir: t.TempDir(), env: map[string]string{"TENURE_URL": server.URL, "KEY": key}}.run(t, "docs/resolution.md")
}
