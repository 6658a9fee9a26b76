package audience_test

import (
	"slices"
	"testing"

	"tenure"
	"tenure/audience"
)

func TestOf(t *testing.T) {
	inA := tenure.Scope{ProjectID: "a"}
	allow := func(roles ...string) tenure.PermissionScope { return tenure.PermissionScope{AllowRoles: roles} }
	for name, tc := range map[string]struct {
		caller tenure.Caller
		more   []string
		label  tenure.Label
		want   bool
	}{
		"within-clearance": {
			caller: tenure.Caller{Clearance: tenure.Confidential}, label: tenure.NewLabel(tenure.Restricted, tenure.Scope{}, allow()), want: true,
		},
		"above-clearance": {
			caller: tenure.Caller{Clearance: tenure.Restricted}, label: tenure.NewLabel(tenure.Confidential, tenure.Scope{}, allow()),
		},
		"the-zero-label-is-restricted": {caller: tenure.Caller{Clearance: tenure.Public}},
		"unknown-classification": {
			caller: tenure.Caller{Clearance: tenure.HighlyRestricted}, label: tenure.NewLabel("odd", tenure.Scope{}, allow()),
		},
		"unknown-clearance": {caller: tenure.Caller{Clearance: "odd"}},
		"bound-elsewhere": {
			caller: tenure.Caller{Clearance: tenure.Restricted, Bound: inA}, label: tenure.NewLabel("", tenure.Scope{ProjectID: "b"}, allow()),
		},
		"of-no-project":  {caller: tenure.Caller{Clearance: tenure.Restricted, Bound: inA}, want: true},
		"unbound":        {caller: tenure.Caller{Clearance: tenure.Restricted}, label: tenure.NewLabel("", inA, allow()), want: true},
		"not-in-a-role":  {caller: tenure.Caller{Clearance: tenure.Restricted}, label: tenure.NewLabel("", tenure.Scope{}, allow("finance"))},
		"in-a-role":      {caller: tenure.Caller{Clearance: tenure.Restricted, Role: "Finance"}, label: tenure.NewLabel("", tenure.Scope{}, allow("finance")), want: true},
		"in-a-role-now":  {caller: tenure.Caller{Clearance: tenure.Restricted}, more: []string{"finance"}, label: tenure.NewLabel("", tenure.Scope{}, allow("finance")), want: true},
		"deny-wins":      {caller: tenure.Caller{Clearance: tenure.Restricted, Role: "finance"}, label: tenure.NewLabel("", tenure.Scope{}, tenure.PermissionScope{AllowRoles: []string{"finance"}, DenyRoles: []string{"finance"}})},
		"denied-another": {caller: tenure.Caller{Clearance: tenure.Restricted, Role: "sales"}, label: tenure.NewLabel("", tenure.Scope{}, tenure.PermissionScope{DenyRoles: []string{"finance"}}), want: true},
	} {
		if got := audience.Of(tc.caller, tc.more...).Sees(tc.label); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestWhoSeesALabelSeesWhatItCovers checks that whoever sees evidence of a label sees that of all labels that it covers,
// for all pairs of some labels and all of some callers.
func TestWhoSeesALabelSeesWhatItCovers(t *testing.T) {
	scopes := []tenure.Scope{{}, {UserID: "u"}, {UserID: "v"}, {UserID: "u", SessionID: "s"}, {ProjectID: "p"}}
	permissions := []tenure.PermissionScope{{}, {AllowRoles: []string{"a"}}, {AllowRoles: []string{"a", "b"}}, {DenyRoles: []string{"a"}}}
	levels := []tenure.Classification{tenure.Public, tenure.Restricted, tenure.Confidential}
	var labels []tenure.Label
	var callers []tenure.Caller
	for _, s := range scopes {
		for _, l := range levels {
			for _, p := range permissions {
				labels = append(labels, tenure.NewLabel(l, s, p))
			}
			for _, role := range []string{"", "a", "b"} {
				callers = append(callers, tenure.Caller{Clearance: l, Bound: s, Role: role})
			}
		}
	}
	covered := 0
	for _, l := range labels {
		if !l.Covers(l) {
			t.Errorf("%+v does not cover itself", l)
		}
		for _, o := range labels {
			if !l.Covers(o) {
				continue
			}
			covered++
			if o.Covers(l) && l != o {
				t.Errorf("%+v and %+v cover each other", l, o)
			}
			for _, c := range callers {
				if sees := audience.Of(c); sees.Sees(l) && !sees.Sees(o) {
					t.Errorf("%+v sees %+v and not %+v", c, l, o)
				}
			}
		}
	}
	if covered == 0 || covered == len(labels)*len(labels) {
		t.Errorf("%d pairs cover each other", covered)
	}
}

func TestLabelNames(t *testing.T) {
	for _, l := range []tenure.Label{
		{}, tenure.NewLabel(tenure.Public, tenure.Scope{UserID: "u"}, tenure.PermissionScope{}),
		tenure.NewLabel("", tenure.Scope{SessionID: "s", TaskID: "t"}, tenure.PermissionScope{AllowRoles: []string{"b", "a"}, DenyRoles: []string{"c"}}),
	} {
		got, ok := tenure.ParseLabel(l.Name())
		if !ok || got != l {
			t.Errorf("%+v became %+v, %v", l, got, ok)
		}
		if list := tenure.AppendLabel(tenure.AppendLabel(nil, l), got); !slices.Equal(list, []tenure.Label{l}) {
			t.Errorf("%+v twice is %+v", l, list)
		}
	}
	if _, ok := tenure.ParseLabel("public"); ok {
		t.Error("a name of no label has one")
	}
}
