package tenure_test

import (
	"testing"

	"tenure"
)

// FuzzParseID holds ids to one spelling.
func FuzzParseID(f *testing.F) {
	for _, s := range []string{"0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01", "{0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01}",
		"0198C1F0-6C5E-7D0A-9A53-3F0D8A1F2B01", "urn:uuid:0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, ok := tenure.ParseID(s)
		if ok != (id != "") || ok && (string(id) != s || len(s) != 36) {
			t.Errorf("ParseID(%q) = %q, %t", s, id, ok)
		}
	})
}

// FuzzParseLabel holds that the label that a name is read as is read again from its own name.
func FuzzParseLabel(f *testing.F) {
	for _, l := range []tenure.Label{
		{}, tenure.NewLabel(tenure.Public, tenure.Scope{UserID: "u", TaskID: "t"}, tenure.PermissionScope{}),
		tenure.NewLabel(tenure.Confidential, tenure.Scope{}, tenure.PermissionScope{AllowRoles: []string{"b", "a"}, DenyRoles: []string{"c"}}),
	} {
		f.Add(l.Name())
	}
	f.Add("public\x1e\x1f\x1f\x1f\x1f\x1e\x1f\x1e\x1f")
	f.Fuzz(func(t *testing.T, name string) {
		l, ok := tenure.ParseLabel(name)
		if !ok {
			return
		}
		if again, ok := tenure.ParseLabel(l.Name()); !ok || again != l {
			t.Errorf("%q is %+v, whose name is %+v", name, l, again)
		}
	})
}
