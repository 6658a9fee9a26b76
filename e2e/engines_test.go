package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestEnginesAgree tells every engine one story and asks the same of each:
// what they answer is equal to the byte once ids are numbered as they first
// occur and the clock of the store is left out.
func TestEnginesAgree(t *testing.T) {
	t.Parallel()
	answers := map[string][]string{}
	for _, e := range engines {
		answers[e.name] = story(newWorld(t, e, serve(t, e.store(t))))
	}
	for i, got := range answers[neo4j.name] {
		same(t, fmt.Sprint("answer ", i), strings.Split(got, ","), strings.Split(answers[sqlite.name][i], ","))
	}
}

func story(w *world) []string {
	at := func(day int) edit { return seen(fmt.Sprintf("2021-03-%02dT09:00:00Z", day)) }
	people := []string{"Ann Lee", "Bob Ray", "Zoë Müller", "山田太郎", "Ann Lee"}
	for i, name := range people {
		w.say(name, "office", fmt.Sprint("City ", i%3), at(1+i), by(fmt.Sprint("speaker ", i%2)), trust(.6+.1*float64(i%3)))
		w.say(name, "skill", fmt.Sprint("skill ", i), at(1+i), key(fmt.Sprint("skill-", i)), within(obj{"project_id": "p1"}))
		w.relate(name, "knows", people[(i+1)%4], at(2+i))
	}
	w.say("Ann Lee", "limit", "100", at(9), level(0), claims("object_type", "policy_rule"), claims("is_constraint", true))
	w.say("Ann Lee", "limit", "900", at(10), level(3))
	w.say("Bob Ray", "team", "red", at(10), by("Dana"))
	w.say("Bob Ray", "team", "blue", at(10), by("Eve"))
	w.say("Bob Ray", "team", "green", at(11), within(obj{"project_id": "p1"}))
	ground := w.say("Zoë Müller", "visa", "granted", at(11))
	w.say("Zoë Müller", "travel", "allowed", at(12), dependsOn(ground.belief))
	w.say("Zoë Müller", "visa", "refused", at(13), key("visa2"), supersedes(ground.belief))
	gone := w.say("山田太郎", "floor", "3", at(1), from("2021-03-01T00:00:00Z"), until("2021-03-20T00:00:00Z"))
	w.post("/v1/beliefs/"+gone.belief+"/retract", nil).is(200)
	w.say("Jordan", "height", "180", kind("person"), at(14))
	w.say("Jordan", "capital", "Amman", kind("country"), at(14))
	w.say("Jordan", "area", "89342", at(15), func(s statement) { delete(s.mention, "type") })

	var answers []string
	add := func(a answer, part string) { answers = append(answers, plain(a, part)) }
	for _, day := range []string{"2021-03-05T00:00:00Z", "2021-03-11T12:00:00Z", "2022-01-01T00:00:00Z"} {
		for _, provider := range []string{"plain", "anthropic", "openai"} {
			c := w.compile(obj{
				"query": "Where do Ann Lee, Bob Ray, Zoë Müller, 山田太郎 and Jordan work and travel?", "provider": provider, "hops": 2,
				"scope": obj{"project_id": "p1"}, "valid_at": day, "budget_tokens": 150, "environment": obj{"today": day},
			})
			add(c, "/envelope")
			add(c, "/trace")
		}
		add(w.get("/v1/beliefs?limit=500&status=any&valid_at="+day).is(200), "/items")
		add(w.get("/v1/conflicts?limit=500&valid_at="+day).is(200), "/items")
	}
	add(w.get("/v1/quarantine?state=any").is(200), "/items")
	add(w.get("/v1/changes?limit=500").is(200), "/items")
	for _, name := range []string{"jordan", "ann+lee"} {
		add(w.get("/v1/entities?name="+name).is(200), "/items")
	}
	return answers
}

var (
	uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	// stored are times that the store's clock gave and random salts, and what depends on them.
	stored = regexp.MustCompile(`(known_at|tx_start|tx_end|recorded_at|opened_at|closed_at|priority|created_at|hash|digest|tenant_id):\S+`)
)

// plain writes a part of an answer with its fields in order, ids numbered and
// times of the store left out.
func plain(a answer, part string) string {
	numbers := map[string]string{}
	text := strings.ReplaceAll(fmt.Sprintf("%+v", a.at(part)), " ", ", ")
	return uuids.ReplaceAllStringFunc(stored.ReplaceAllString(text, "$1"), func(id string) string {
		if _, ok := numbers[id]; !ok {
			numbers[id] = fmt.Sprint("id-", len(numbers)+1)
		}
		return numbers[id]
	})
}
