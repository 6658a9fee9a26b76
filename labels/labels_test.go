package labels_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/labels"
)

func TestRead(t *testing.T) {
	draft, supposed, task := tenure.ScopeDraft, tenure.ScopeHypothetical, tenure.ScopeTask
	for _, c := range []struct {
		text, rest string
		want       labels.Labels
	}{
		{"[DRAFT] 12 May", "12 May", labels.Labels{Kind: draft}},
		{"  [draft v2]  12 May ", "12 May", labels.Labels{Kind: draft}},
		{"$85 (tentative)", "$85", labels.Labels{Kind: draft}},
		{"Ghent (to be confirmed)", "Ghent", labels.Labels{Kind: draft}},
		{"(provisional) room 4", "room 4", labels.Labels{Kind: draft}},
		{"Draft: two years at most", "two years at most", labels.Labels{Kind: draft}},
		{"Two years at most (draft)", "Two years at most", labels.Labels{Kind: draft}},
		{"[DRAFT] Namur", "Namur", labels.Labels{Kind: draft}},
		{"Work in progress: two years", "two years", labels.Labels{Kind: draft}},
		{"[What-if] 40 seats", "40 seats", labels.Labels{Kind: supposed}},
		{"[sandbox] 40 seats", "40 seats", labels.Labels{Kind: supposed}},
		{"[SCOPE: what-if discussion] 40 seats", "40 seats", labels.Labels{Kind: supposed, Scope: "what-if discussion"}},
		{"[SCOPE: draft schedule] 4 May", "4 May", labels.Labels{Kind: draft, Scope: "draft schedule"}},
		{"[Scope: Ann's session] German", "German", labels.Labels{Kind: task, Scope: "Ann's session"}},
		{"[RESTRICTED: prices restricted to VP+] $30k", "$30k", labels.Labels{Classification: tenure.Restricted, Audience: []string{"VP+"}}},
		{"[Restricted: HR only] $30k", "$30k", labels.Labels{Classification: tenure.Restricted, Audience: []string{"HR"}}},
		{"[CONFIDENTIAL - only HR] $30k", "$30k", labels.Labels{Classification: tenure.Confidential, Audience: []string{"HR"}}},
		{"[CONFIDENTIAL - only for the board, HR team and Legal] $30k", "$30k",
			labels.Labels{Classification: tenure.Confidential, Audience: []string{"board", "HR", "Legal"}}},
		{"[CONFIDENTIAL: not visible to clients] $30k", "$30k", labels.Labels{Classification: tenure.Confidential}},
		{"CONFIDENTIAL: $30k", "$30k", labels.Labels{Classification: tenure.Confidential}},
		{"[INTERNAL USE ONLY] $30k", "$30k", labels.Labels{Classification: tenure.Restricted}},
		{"[CONFIDENTIAL][DRAFT] $30k", "$30k", labels.Labels{Kind: draft, Classification: tenure.Confidential}},
		{"[INVALIDATED - was based on wrong data: March 1] Freeze Feb 15", "Freeze Feb 15", labels.Labels{Void: tenure.Retract}},
		{"[CANCELLED] Offsite on 4 May", "Offsite on 4 May", labels.Labels{Void: tenure.End}},
		{"[superseded by v3] 4 May", "4 May", labels.Labels{Void: tenure.End}},
		{"[No longer valid] 4 May", "4 May", labels.Labels{Void: tenure.End}},
		{"ARCHIVED: 4 May", "4 May", labels.Labels{Void: tenure.End}},
	} {
		t.Run(c.text, func(t *testing.T) {
			got, from, until := labels.Read(c.text)
			if !got.Any() {
				t.Error("nothing was read as a label")
			}
			got.Written = ""
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
			if rest := c.text[from:until]; rest != c.rest {
				t.Errorf("rest %q, want %q", rest, c.rest)
			}
		})
	}
}

func TestReadNothing(t *testing.T) {
	for _, s := range []string{
		"", "[", "[]", "()", "(", "[DRAFT]", "draft", "(draft)", "  [DRAFT]  ", "[DRAFT", "[DRAFT\n] x",
		"[Example Corp] signed", "[JIRA-12] fixed", "[VP] Vera: go ahead", "[Draught] 12 May", "[1] see below",
		"Acme (private)", "Basic plan (deprecated)", "Concert (cancelled)", "Beige (sample)", "Berlin (Germany)",
		"cancelled: no money", "Note: the draft is late", "Draft pricing: $85 per unit", "To be clear: yes",
		"The draft: version two", "the (draft) is late", "[PUBLIC] 12 May", "Scope: backend", "(scope: backend) x",
		"Guinness (draft)", "[Draft] beer", "(draft) beer", "(draft) beer of the house", "Draft: pale ale",
		"First-round pick (2003 Draft)", "First-round pick of the year (2003 Draft)", "Rooftop pool (preliminary)",
		"Rooftop pool (restricted to members)", "Rooftop pool on the north side (restricted)", "Restricted: the north side of it",
		"Sandbox: eu-1", "Sample: 12 ml", "[cash only] pay", "http://draft", "12:30",
	} {
		l, from, until := labels.Read(s)
		if l.Any() {
			t.Errorf("%q: read as %+v, rest %q", s, l, s[from:until])
		}
	}
}
