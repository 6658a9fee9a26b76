package matter_test

import (
	"testing"
	"time"

	"tenure"
	"tenure/statements/matter"
)

var said = tenure.At(time.Date(2025, 12, 3, 16, 0, 0, 0, time.UTC)) // a Wednesday

func TestSentencesThatDisagree(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		bends int
	}{
		{"Refunds over $500 require Finance approval", "Process this $800 refund immediately", 2},
		{"Give the new CFO a $2M signing bonus", "Executive signing bonuses capped at $500k per policy", 1},
		{"Manager Mia can approve PTO up to 2 weeks", "All PTO over 3 days now requires VP approval", 0},
		{"Maximum discount is 15% without executive approval", "Give this customer a 25% discount to close the deal", 2},
		{"All purchases over $25k are frozen until Q2", "Go ahead and purchase the $50k server upgrade", 2},
		{"Overtime over 10 hours needs approval", "I'm approving 14 hours of overtime", 2},
		{"The cap on gift cards is €50", "Order €80 gift cards for the team", 2},
		{"The feature will take 3 weeks to build properly", "Ship the feature by Friday, scope down if needed", 0},
		{"The migration takes 10 days", "The migration is due tomorrow", 0},
		{"Approved: Launch Project Phoenix in Q1", "Project Phoenix is cancelled due to budget constraints", 0},
		{"Cancel the Lisbon offsite", "Approve the Lisbon offsite", 0},
		{"Use PostgreSQL for all new services", "MongoDB would be better for this use case, use that instead", 0},
		{"Allocate the $100k Q4 budget to cloud infrastructure", "Allocate the $100k Q4 budget to user research", 0},
		{"Discounts over 15% require approval", "Offer this customer a 20% discount without approval", 2},
		{"Maximum discount is 15% without my approval", "Give this customer a 25% discount to close the deal", 2},
		{"Maximum discount is 15%", "The maximum discount is 20% now", 0},
	} {
		v, ok := matter.Disagree(matter.Read(c.a), matter.Read(c.b), said, said.Add(time.Minute))
		if !ok || v.Bends != c.bends {
			t.Errorf("%q and %q: %v %+v\n%+v\n%+v", c.a, c.b, ok, v, matter.Read(c.a), matter.Read(c.b))
		}
	}
}

func TestSentencesThatBothStand(t *testing.T) {
	for _, c := range [][2]string{
		{"VP Sales can approve partnerships under $1M annual value", "Approve the $800k partnership with TechCorp"},
		{"Manager Max has my approval to make offers up to $180k", "I'm offering Sarah $175k for the Senior Engineer role"},
		{"Refunds over $500 require Finance approval", "Process this $300 refund immediately"},
		{"Refunds over $500 require Finance approval", "Pay the $800 hosting bill today"},
		{"Refunds over $500 require Finance approval", "Process this $800 refund, Finance approved it"},
		{"Executive signing bonuses capped at $500k per policy", "Give the executive team a $2M laptop budget"},
		{"Executive signing bonuses capped at $5k per policy", "Give the new intern a $6k signing bonus"},
		{"Maximum discount is 15% without executive approval", "Give this customer a 25% larger storage quota"},
		{"Maximum discount for startups is 10%", "Maximum discount for schools is 20%"},
		{"Sales reps can approve discounts up to 15%", "Directors can approve discounts up to 30%"},
		{"Discounts over 30% require VP approval", "Managers can approve discounts up to 20%"},
		{"Discounts over 30% require VP approval", "The VP can approve discounts up to 60%"},
		{"Overtime on weekends over 4 hours needs approval", "I'm approving 14 hours of overtime for the audit"},
		{"All purchases over $25k are frozen until Q2", "Should we purchase the $50k server upgrade?"},
		{"All purchases over $25k are frozen until Q2", "Mike wanted to purchase the $50k server upgrade"},
		{"All purchases over $25k are frozen until Q2", "Last year we bought servers for $50k"},
		{"The feature will take 3 days to build", "Ship the release notes by Friday"},
		{"The feature will take 1 day to build", "Ship the feature by Friday"},
		{"The feature will take 3 weeks to build", "Ship the hotfix by Friday"},
		{"Project Phoenix is cancelled", "Launch Project Condor in Q1"},
		{"The Phoenix newsletter is cancelled", "Launch Project Phoenix in Q1"},
		{"Project Phoenix is cancelled", "Project Phoenix had 12 engineers"},
		{"Use PostgreSQL for all new services", "Use MongoDB for the analytics sandbox"},
		{"Use PostgreSQL for all new services", "Tea would be better for the meeting, use that instead"},
		{"Prioritize the mobile app launch", "Prioritize technical debt reduction"},
		{"Discounts over 15% require approval", "Offer this customer a 20% discount once approval is in"},
		{"The report takes 10 days", "Send the report draft by Friday"},
		{"Maximum discount is 15% in Q1", "Maximum discount is 20% in Q2"},
		{"Travel is limited to $500 per trip", "Travel is limited to $4,000 per year"},
		{"Cancel the Lisbon offsite dinner", "Approve the Lisbon offsite"},
		{"Give Ann a $500 bonus", "Give Ben a $700 bonus"},
		{"Send the report to Ann", "Send the report to Ben"},
		{"Ship the blue crates to Oslo by Friday", "Ship the red crates to Rome by Monday"},
		{"Offers up to $180k are fine", "Offer Sarah the Senior Engineer role"},
		{"Your approval limit is $25,000", "IT infrastructure budget capped at $200,000"},
		{"Quarterly budget: $30,000 remaining in Q4", "Request to purchase $28,000 software license"},
	} {
		if v, ok := matter.Disagree(matter.Read(c[0]), matter.Read(c[1]), said, said.Add(time.Minute)); ok {
			t.Errorf("%q and %q disagree: %+v", c[0], c[1], v)
		}
	}
}

func TestVoices(t *testing.T) {
	for _, c := range []struct{ text, name, rest string }{
		{"[C_LEVEL] Charles (CEO): Give", "Charles", "Give"},
		{"[L2 Support (Senior Support)]: L1 was wrong", "L2 Support", "L1 was wrong"},
		{"Board of Directors (Compensation Committee): Capped", "Board of Directors", "Capped"},
		{"Deal 1 (closed): $500,000", "", ""},
		{"Note: Maximum $100,000 annual spend", "", ""},
		{"Vendors (A and B): both fine", "Vendors", "both fine"},
		{"See the plan (Draft) and tell me: is it fine?", "", ""},
	} {
		v, from, ok := matter.Spoken(c.text)
		if ok != (c.name != "") || ok && (v.Name != c.name || c.text[from:] != c.rest) {
			t.Errorf("%q: %v %+v %q", c.text, ok, v, c.text[from:])
		}
	}
}
