package e2e

import (
	"testing"
	"time"

	"tenure/internal/issuer"
)

// TestTokens has people come with tokens of an issuer, beside those with keys.
func TestTokens(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		i := issuer.New(t, time.Now())
		s := serve(t, e.store(t), "--oidc-issuer", i.URL, "--oidc-audience", issuer.Audience)
		w := newWorld(t, e, s)
		as := func(changes obj) *world {
			claims := obj{"tenant": w.tenant}
			for name, v := range changes {
				claims[name] = v
			}
			return w.with(i.Token(claims))
		}
		dana, eve := as(nil), as(obj{"sub": "eve"})
		t.Run("what-one-says-is-ones-own", func(t *testing.T) {
			said := dana.say("Jon Smith", "office", "Boston")
			same(t, "who said it", dana.get("/v1/observations/"+said.id).is(200).text("/actor"), "oidc:dana")
			dana.get("/v1/beliefs/" + said.belief).is(200)
			eve.get("/v1/beliefs/"+said.belief).problem(404, "not_found")
			w.get("/v1/beliefs/" + said.belief).is(200)
		})
		t.Run("roles-are-those-of-the-token", func(t *testing.T) {
			dana.get("/v1/changes").problem(403, "forbidden")
			as(obj{"roles": nil}).get("/v1/beliefs").problem(403, "forbidden")
		})
		t.Run("an-administrator-issues-keys-within-their-bounds", func(t *testing.T) {
			admin := as(obj{"sub": "ada", "roles": list{"admin"}})
			k := admin.issue(obj{"roles": list{"agent"}})
			k.get("/v1/beliefs").is(200)
			same(t, "whose it is", text(w.keyOf(k.key), "/created_by"), "oidc:ada")
			same(t, "whom it is bound to", text(w.keyOf(k.key), "/bound/user_id"), "ada")
			admin.call("DELETE", "/v1/keys/"+keyID(w.key), nil).problem(404, "not_found")
		})
		t.Run("others-are-refused", func(t *testing.T) {
			other := issuer.New(t, time.Now())
			for name, token := range map[string]string{
				"another issuer":   other.Token(obj{"tenant": w.tenant}),
				"another audience": i.Token(obj{"tenant": w.tenant, "aud": "other"}),
				"expired":          i.Token(obj{"tenant": w.tenant, "exp": time.Now().Add(-time.Hour).Unix()}),
			} {
				if a := w.with(token).get("/v1/beliefs"); a.status != 401 {
					t.Errorf("%s: %d", name, a.status)
				}
			}
		})
	})
}
