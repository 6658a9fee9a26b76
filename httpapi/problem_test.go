package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"tenure"
	"tenure/api"
)

func TestEveryCodeHasAStatusAndStandsInTheDocument(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	code := doc.Components.Schemas["Code"].Value
	for _, c := range tenure.Codes {
		kind, ok := kinds[c]
		if !ok || kind.status < 400 || kind.title == "" {
			t.Errorf("%s has no status or title", c)
		}
		if !slices.Contains(code.Enum, any(string(c))) {
			t.Errorf("%s is not in openapi.yaml", c)
		}
		if row := fmt.Sprintf("| %s | %d | ", c, kind.status); !strings.Contains(code.Description, row) {
			t.Errorf("openapi.yaml has no row %q", row)
		}
	}
	if len(kinds) != len(tenure.Codes) {
		t.Errorf("%d statuses for %d codes", len(kinds), len(tenure.Codes))
	}
}

func TestProblemOf(t *testing.T) {
	secret := errors.New("bolt://10.0.0.7:7687 refused")
	for _, tc := range []struct {
		name    string
		err     error
		code    tenure.Code
		pointer string
	}{
		{"a-domain-error", tenure.FieldError(tenure.Conflicting, "/version", "is old"), tenure.Conflicting, "/version"},
		{"a-wrapped-one", fmt.Errorf("x: %w", tenure.FieldError(tenure.Invalid, "/a", "b")), tenure.Invalid, "/a"},
		{"a-foreign-error", secret, tenure.Internal, ""},
		{"an-unknown-code", &tenure.Error{Code: "odd", Message: secret.Error()}, tenure.Internal, ""},
		{"internal-keeps-its-message", &tenure.Error{Code: tenure.Internal, Message: secret.Error(), Err: secret}, tenure.Internal, ""},
		{"the-cause-stays-inside", &tenure.Error{Code: tenure.Unavailable, Message: "later", Err: secret}, tenure.Unavailable, ""},
		{"deadline", fmt.Errorf("x: %w", context.DeadlineExceeded), tenure.Unavailable, ""},
		{"gone", context.Canceled, tenure.Unavailable, ""},
		{"no-route", echo.ErrNotFound, tenure.NotFound, ""},
		{"no-method", echo.ErrMethodNotAllowed, tenure.MethodNotAllowed, ""},
		{"a-bad-request", echo.NewHTTPError(http.StatusBadRequest, "?"), tenure.Malformed, ""},
	} {
		p := problemOf(tc.err)
		pointer := ""
		if len(p.Errors) > 0 {
			pointer = p.Errors[0].Pointer
		}
		if p.Code != tc.code || p.Status != kinds[tc.code].status || pointer != tc.pointer {
			t.Errorf("%s: %+v", tc.name, p)
		}
		if strings.Contains(fmt.Sprintf("%+v", p), "bolt") {
			t.Errorf("%s tells what is inside: %+v", tc.name, p)
		}
	}
}

func TestLongPointersAreCut(t *testing.T) {
	p := problemOf(tenure.FieldError(tenure.Malformed, "/"+strings.Repeat("é", 5000), "x"))
	if n := len(p.Errors[0].Pointer); n > 1003 {
		t.Errorf("%d bytes", n)
	}
}

func TestLogLevels(t *testing.T) {
	for code := range kinds {
		wanted := code == tenure.Internal || code == tenure.Unavailable
		if got := logLevel(&tenure.Error{Code: code}) > 0; got != wanted {
			t.Errorf("%s: %v", code, got)
		}
	}
}
