package model_test

import (
	"context"
	"strings"
	"testing"

	"tenure"
	"tenure/statements"
	"tenure/statements/model"
)

func TestRedaction(t *testing.T) {
	for _, c := range []struct {
		name, text, private, placeholder string
	}{
		{"e-mail", "write to zoe.k+x@korvex.example please", "zoe.k+x@korvex.example", "[EMAIL_1]"},
		{"phone-abroad", "call +49 (30) 1234-567 now", "+49 (30) 1234-567", "[PHONE_1]"},
		{"phone-at-home", "call 0171 5554433 now", "0171 5554433", "[PHONE_1]"},
		{"phone-of-america", "call 555-010-4477 now", "555-010-4477", "[PHONE_1]"},
		{"card", "my card is 4111 1111 1111 1111, ok", "4111 1111 1111 1111", "[CARD_1]"},
		{"account", "pay to DE89 3704 0044 0532 0130 00 please", "DE89 3704 0044 0532 0130 00", "[ACCOUNT_1]"},
		{"key-of-an-issuer", "use sk-proj-abcdefghijklmnop1234 for it", "sk-proj-abcdefghijklmnop1234", "[SECRET_1]"},
		{"token-of-a-session", "it is eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl here", "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl", "[SECRET_1]"},
		{"password-said", "the wifi password is now hunter2!", "hunter2", "[SECRET_1]"},
		{"password-set", "password=Tr0ub4dor&3 since today", "Tr0ub4dor&3", "[SECRET_1]"},
		{"password-in-a-url", "it is at postgres://app:pa55@db.example/x", "pa55", "[SECRET_1]"},
		{"random-token", "key 9f8Xk2Lq0Zr7Tb4Wm1Vd3Gh6 works", "9f8Xk2Lq0Zr7Tb4Wm1Vd3Gh6", "[SECRET_1]"},
		{"private-key", "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[SECRET_1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := saying(t, reply(stated(strings.Replace(c.text, c.private, c.placeholder, 1), "assert", "new", c.placeholder)))
			before := []statements.Turn{{Speaker: c.private, Text: "was it " + c.private + "?"}}
			found, err := client(t, e.URL, nil).Statements(context.Background(), turn(c.text), before)
			if err != nil || len(found) != 1 || found[0].New != at(c.text, c.private) || found[0].Text != c.text {
				t.Errorf("read %+v, %v", found, err)
			}
			plain := strings.NewReplacer("&", `\u0026`, "\n", `\\n`).Replace(c.private)
			if strings.Count(e.asked[0], c.placeholder) < 1 || strings.Contains(e.asked[0], `"text\":\"was it `+plain) || strings.Contains(dataOf(e), c.text) {
				t.Errorf("sent %s", e.asked[0])
			}

			open := client(t, e.URL, func(cfg *model.Config) { cfg.Unredacted = true })
			if _, err := open.Statements(context.Background(), turn(c.text), nil); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(e.asked[1], c.placeholder) {
				t.Errorf("what is to be sent as it is was redacted: %s", e.asked[1])
			}
		})
	}
}

func dataOf(e *chat) string {
	return strings.NewReplacer(`\"`, `"`, `\u0026`, "&").Replace(e.asked[0])
}

// TestNotRedacted checks that what only looks private reaches the model.
func TestNotRedacted(t *testing.T) {
	for _, text := range []string{
		"due on 03.04.2026, not 05/06/2026", "2026-03-04 at 09:30", "the budget is 1,200,000 dollars", "password is changed weekly",
		"the token budget is 5000", "order 4500-11928", "room 0.12 and port 8443", "commit to payments-service-v2-candidate",
		"the order number is 4111 1111 1111 1112",
	} {
		e := saying(t, reply(stated(text, "assert")))
		if read(t, client(t, e.URL, nil), text); !strings.Contains(e.asked[0], text) {
			t.Errorf("sent %s", e.asked[0])
		}
	}
}

// TestPlaceholdersInTheText checks that a text that holds a placeholder itself means itself.
func TestPlaceholdersInTheText(t *testing.T) {
	const text = "[EMAIL_1] is no address, a@x.example is one and b@x.example, a@x.example again"
	e := saying(t, reply(
		stated("[EMAIL_1] is no address", "assert", "new", "[EMAIL_1]"),
		stated("[EMAIL_2] is one", "assert", "new", "EMAIL_2"),
		stated("[EMAIL_3]", "assert", "new", "_3"),
		stated("[EMAIL_2] again", "assert"),
	))
	got := read(t, client(t, e.URL, nil), text)
	want := []tenure.Span{at(text, "[EMAIL_1]"), at(text, "a@x.example"), {}, {}}
	if len(got) != len(want) || got[3].Text != "a@x.example again" {
		t.Fatalf("read %+v", got)
	}
	for i := range want {
		if got[i].New != want[i] {
			t.Errorf("%d: %+v, not %+v", i, got[i].New, want[i])
		}
	}
}
