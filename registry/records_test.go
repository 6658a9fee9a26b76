package registry_test

import (
	"testing"

	"tenure"
)

// TestARowThatIsReused checks when a row that comes again is about somebody else: it takes both, a fact that is contrary
// and a name that is unlike.
func TestARowThatIsReused(t *testing.T) {
	jon := attributeMap{"dob": {"1950-03-12"}, "phone": {"+44 117 496 0123"}}
	number := func(passport string) attributeMap { return attributeMap{"passport": {passport}} }
	mail := func(address string) attributeMap { return attributeMap{"email": {address}} }
	for _, c := range []struct {
		behaviour string
		was, now  tenure.Mention
		reused    bool
	}{
		{"another-birth-date-and-name", one("Jon Smith", jon), one("Mary Brown", attributeMap{"dob": {"1980-07-01"}}), true},
		{"the-telephone-of-a-household", one("Jon Smith", jon), one("Mary Smith", attributeMap{"dob": {"1980-07-01"}, "phone": jon["phone"]}), true},
		{"another-surname-and-birth-date", one("Mary Smith", jon), one("Mary Brown", attributeMap{"dob": {"1980-07-01"}}), true},
		{"the-day-of-a-year", one("Jon Smith", jon), one("Mary Brown", attributeMap{"dob": {"1950-09-27"}}), true},
		{"another-passport-and-name", one("Jon Smith", number("C01X00T47")), one("Mary Brown", number("F7K229310")), true},
		{"another-mailbox-and-name", one("Jon Smith", mail("jon@park.example")), one("Mary Brown", mail("mary@park.example")), true},
		{"a-marriage", one("Mary Smith", jon), one("Mary Brown", jon), false},
		{"a-marriage-and-a-mailbox", one("Mary Smith", mail("smith@park.example")), one("Mary Brown", mail("brown@park.example")), false},
		{"a-marriage-and-a-new-passport", one("Mary Smith", number("C01X00T47")), one("Mary Brown", number("F7K229310")), false},
		{"another-name-and-the-same-birth-date", one("Jon Smith", jon), one("Mary Brown", jon), false},
		{"another-name-and-the-same-passport", one("Jon Smith", number("C01X00T47")), one("Mary Brown", number("C01X00T47")), false},
		{"another-name-alone", one("Jon Smith", nil), one("Mary Brown", jon), false},
		{"a-birth-date-put-right", one("Jon Smith", jon), one("Jon Smith", attributeMap{"dob": {"1980-07-01"}}), false},
		{"a-slip-in-a-birth-date", one("Jon Smith", jon), one("Mary Brown", attributeMap{"dob": {"1950-03-13"}}), false},
		{"a-passport-put-right", one("Jon Smith", number("C01X00T47")), one("Jonathan Smith", number("F7K229310")), false},
		{"another-telephone", one("Jon Smith", jon), one("Jon Smith", attributeMap{"dob": jon["dob"], "phone": {"+44 20 7946 0991"}}), false},
		{"a-thing-that-is-renamed", tenure.Mention{Name: "Falcon", Type: "project", Attributes: attributeMap{"url": {"https://falcon.example"}}},
			tenure.Mention{Name: "Heron", Type: "project", Attributes: attributeMap{"url": {"https://heron.example"}}}, false},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			m := newMemory(t)
			first := m.decide(row("crm", "1", c.was))
			again := m.decide(row("crm", "1", c.now))
			want := "auto_merge record"
			if c.reused {
				want = "new_entity record_reused"
			}
			if said(again) != want || (again.Entity != first.Entity) != c.reused || again.KnownRecord == c.reused {
				t.Errorf("decided %q, want %q; the same: %v", said(again), want, again.Entity == first.Entity)
			}
			third := m.decide(row("crm", "1", c.now))
			if said(third) != "auto_merge record" || third.Entity != again.Entity {
				t.Errorf("once more: decided %q; the same: %v", said(third), third.Entity == again.Entity)
			}
		})
	}
}

// TestAReusedRowIsOfWhomItFits checks that a row that is reused is resolved as if it came for the first time, without
// the entity that it was about.
func TestAReusedRowIsOfWhomItFits(t *testing.T) {
	jon, mary := one("Jon Smith", attributeMap{"dob": {"1950-03-12"}}), one("Mary Brown", attributeMap{"dob": {"1980-07-01"}})
	m := newMemory(t)
	known := m.know(mary)
	first := m.decide(row("crm", "1", jon))
	if second := m.decide(row("crm", "1", mary)); said(second) != "auto_merge exact_name" || second.Root != known {
		t.Errorf("of somebody who is known: %q\n%s", said(second), candidates(second))
	}
	if third := m.decide(row("crm", "1", jon)); third.Root != first.Root {
		t.Errorf("of the first again: %q\n%s", said(third), candidates(third))
	}
	apart := 0
	for _, v := range m.decisions[first.Entity] {
		if v.BarsLink() {
			apart++
		}
	}
	if apart != 1 {
		t.Errorf("%d cannot-links, want one", apart)
	}
}

// TestARowThatFewerSaw checks that a row is known again by the entity that it joins, also where it was said before what
// not everybody sees: the entity is then what its mentions say in order.
func TestARowThatFewerSaw(t *testing.T) {
	ada := attributeMap{"passport": {"C01X00T47"}}
	m := newMemory(t)
	known := m.know(one("Ada Featherstone", ada))
	hidden := row("crm", "1", one("Ada Featherstone", ada))
	hidden.Label = tenure.NewLabel(tenure.HighlyRestricted, tenure.Scope{}, tenure.PermissionScope{})
	if d := m.decide(hidden); said(d) != "auto_merge identifier" || d.Root != known || d.KnownRecord {
		t.Fatalf("the first: %q of %s, known: %v", said(d), d.Root, d.KnownRecord)
	}
	if d := m.decide(row("crm", "1", one("Ada Featherstone", ada))); said(d) != "auto_merge identifier" || !d.KnownRecord {
		t.Errorf("what all see: %q, known: %v", said(d), d.KnownRecord)
	}
}
