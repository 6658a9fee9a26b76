package e2e

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"                  //nolint:depguard // the files are searched without the index
	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j" //nolint:depguard // the nodes are searched without the engine

	"github.com/google/go-cmp/cmp"
)

// erasing are the scenarios of erasure that look at answers alone.
var erasing = []scenario{
	{"erase-a-user", eraseUser},
	{"erase-an-observation", eraseObservation},
	{"erase-only-what-was-planned", erasePlanned},
	{"erase-ends-what-had-yielded", eraseYielded},
	{"erase-one-side-of-a-tie", eraseTied},
	{"erase-finds-other-words", eraseElsewhere},
	{"erase-what-is-written-in-escapes", eraseEscapes},
	{"erase-what-is-hidden-from-some", eraseHidden},
	{"erase-what-was-taken-back", eraseTakenBack},
	{"erase-what-was-asked", eraseAsked},
}

// planned asks what would be erased, and returns the plan.
func (w *world) planned(path string) answer {
	w.Helper()
	return w.call("DELETE", path, nil).is(200)
}

// erase erases what the plan of a request names.
func (w *world) erase(path string) answer {
	w.Helper()
	return w.call("DELETE", path+"?plan="+w.planned(path).text("/plan"), nil).is(200)
}

// shown compiles an answer in which a text is, and returns the id of its trace.
func (w *world) shown(part, query string, scope obj) string {
	w.Helper()
	c := w.compile(obj{"query": query, "scope": scope, "provider": "plain"})
	c.shows(part)
	return c.text("/run/trace_id")
}

// secrets are words that nothing but what is erased has.
type secrets struct{ person, alias, email, text, value, note, wording string }

// TestErase erases a person and checks that no answer, file or node has one of the erased words.
func TestErase(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		store, index := e.store(t), t.TempDir()
		s := serve(t, store, "--index", index)
		w := newWorld(t, e, s)
		x := secrets{"Zimbrella Quaggan", "Zimbrella", "quaggan@zimbrel.example", "okapiphone", "tapirstreet 7", "gharialnote", "numbatfriend"}
		before := w.changesSeq()
		person, kept := x.tell(w)
		w.settled()
		trace := w.shown(x.value, "Where does "+x.person+" live?", obj{})
		other := w.shown("vim", "Which editor uses Cleo Park?", obj{})
		if n := x.told(w, before, person); n < 20 {
			t.Fatalf("the words are told %d times before they are erased", n)
		}
		if found := x.held(t, e, store, w.tenant, index); len(found) == 0 {
			t.Fatal("nothing holds the words: the search is of no use")
		} else if e.name == sqlite.name && !slices.Contains(found, "compilation.body") {
			t.Fatalf("the words are in %v, and in no compilation: the search is of no use", found)
		}

		path := "/v1/entities/" + person + "/content"
		plan := w.planned(path)
		if plan.seq("/texts") == 0 || plan.seq("/mentions") == 0 || plan.seq("/claims") == 0 || plan.seq("/compilations") != 1 {
			t.Errorf("the plan: %s", short(plan.raw))
		}
		same(t, "what mentions the name and stays", plan.texts("/elsewhere", ""), []string{kept})
		done := w.call("DELETE", path+"?plan="+plan.text("/plan"), nil).is(200)
		same(t, "the files", done.text("/rewritten"), fmt.Sprint(e.name == sqlite.name))
		w.settled()
		w.call("DELETE", "/v1/observations/"+kept+"/content?plan="+w.planned("/v1/observations/"+kept+"/content").text("/plan"),
			nil).is(200)
		w.settled()

		if n := x.told(w, before, person); n > 0 {
			t.Errorf("the words are still told %d times", n)
		}
		w.get("/v1/compilations/"+trace).problem(410, "gone")
		w.get("/v1/compilations/" + other).is(200)
		same(t, "the entity", w.get("/v1/entities/"+person).is(200).text("/name"), "")
		w.compile(obj{"query": "Which editor uses Cleo Park?", "provider": "plain"}).shows("vim")
		verify(t, store, w.tenant)
		s.stop(t)
		if found := x.held(t, e, store, w.tenant, index); len(found) > 0 {
			t.Errorf("the words are still in %s", strings.Join(found, ", "))
		}
		if found := indexed(t, index, append(x.words(), "zimbrella")...); len(found) > 0 {
			t.Errorf("there are still terms of the words in %s", strings.Join(found, ", "))
		}
		if found := indexed(t, index, "cleo", "somebody"); len(found) != 2 {
			t.Errorf("terms of what is left are in %v: the search is of no use", found)
		}
	})
}

// changesSeq is the number of the newest entry of the log.
func (w *world) changesSeq() int {
	w.Helper()
	return len(w.entries())
}

// tell tells all that the words are of, and returns the entity and an observation about another that has the name in its
// text without naming the person.
func (x secrets) tell(w *world) (person, kept string) {
	w.Helper()
	person = w.say(x.person, "address", x.value, identified("email", x.email), claims("why_it_matters", x.note), key(x.text),
		from("2021-01-01T00:00:00Z"), by("Dana")).entity
	w.say(x.person, "address", "Main Street 1 "+x.value, from("2020-01-01T00:00:00Z"), identified("email", x.email))
	w.say(x.person, "phone", x.text, level(3), by("Eve"), identified("email", x.email))
	w.say(x.person, "phone", x.text+" 2", level(3), by("Finn"), identified("email", x.email))
	w.relate("Ben Okri", "knows", x.person, claims("content", "Ben knows "+x.wording))
	w.say("Cleo Park", "editor", "vim")
	w.post("/v1/remember", obj{"speaker": "Dana", "text": x.person + " lives in " + x.value + ". " + x.alias + " likes the " + x.text + "."}).
		is(201)
	kept = w.post("/v1/observations", obj{
		"source": obj{"origin": "test://conversation", "authority_level": 2, "source_authority": .8}, "extract": "none",
		"text": "Somebody mentioned " + x.person + " at lunch.",
	}).is(201).text("/observation_id")
	w.record(stating(x.person, "hobby", x.wording, identified("email", x.email)), idem+"erased")
	twin := w.say("Octavia "+x.alias, "office", "Rome").entity
	w.settled()
	merge := w.post("/v1/entities/"+person+"/merge", obj{"into": twin, "reason": x.note}).is(201).text("/merge_id")
	w.post("/v1/merges/"+merge+"/undo", obj{"reason": x.note})
	w.post("/v1/entities/"+person+"/merge", obj{"into": twin, "reason": x.note}).is(201)
	for _, k := range w.get("/v1/quarantine").is(200).texts("/items", "/case_id") {
		w.post("/v1/quarantine/"+k+"/resolution", obj{"defer": true, "note": x.note, "version": 1})
	}
	return person, kept
}

// told counts how often the words are told, by every listing, in the present state and in each former one.
func (x secrets) told(w *world, from int, person string) (n int) {
	w.Helper()
	var known []string
	for _, e := range w.entries()[from:] {
		known = append(known, text(e, "/tx"))
	}
	count := func(a answer) { n += x.in(a.raw) }
	for _, path := range []string{
		"/v1/beliefs?limit=500&status=any", "/v1/observations?limit=500", "/v1/entities?limit=500&q=quagg",
		"/v1/entities/" + person, "/v1/entities/" + person + "/history?limit=500", "/v1/entities/" + person + "/aliases",
		"/v1/entities/" + person + "/neighborhood", "/v1/reviews?state=any&limit=500", "/v1/quarantine?state=any&limit=500",
		"/v1/conflicts?limit=500", "/v1/changes?limit=500", "/v1/tasks?limit=500", "/v1/vocabularies/predicates?limit=500",
	} {
		count(w.get(path).is(200))
	}
	for _, e := range w.entries()[from:] {
		for _, c := range e.(obj)["changes"].(list) {
			id := text(c, "/id")
			for kind, path := range map[string]string{
				"observation_added": "/v1/observations/", "claim_added": "/v1/beliefs/", "review_put": "/v1/reviews/",
				"case_put": "/v1/quarantine/", "amended": "/v1/amendments/",
			} {
				if text(c, "/kind") == kind {
					count(w.get(path + id).is(200))
				}
			}
		}
	}
	for _, at := range known {
		for _, path := range []string{"/v1/beliefs?limit=500&status=any", "/v1/entities/" + person} {
			sign := "?"
			if strings.Contains(path, "?") {
				sign = "&"
			}
			a := w.get(path + sign + "known_at=" + url.QueryEscape(at))
			n += x.in(a.raw)
		}
	}
	return n
}

func (x secrets) words() []string {
	return []string{"zimbrel", "quaggan", "okapiphone", "tapirstreet", "gharialnote", "numbatfriend"}
}

// in counts the words in a text.
func (x secrets) in(body []byte) (n int) {
	body = bytes.ToLower(body)
	for _, word := range x.words() {
		n += bytes.Count(body, []byte(word))
	}
	return n
}

// held lists where the words are: the files of the store and of the index and the rows, or the nodes and edges.
func (x secrets) held(t *testing.T, e engine, store, tenant, index string) (found []string) {
	t.Helper()
	places := []string{index}
	if e.name == sqlite.name {
		file := strings.TrimPrefix(store, "sqlite:")
		places = append(places, filepath.Dir(file))
		found = append(found, x.rows(t, file)...)
	} else {
		found = append(found, x.nodes(t, store, tenant)...)
	}
	for _, dir := range places {
		if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			body, err := os.ReadFile(path)
			if x.in(body) > 0 {
				found = append(found, filepath.Base(path))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// inflated returns a stored value with what is compressed in it: a compilation is, after a line of its own.
func inflated(value any) []byte {
	var raw []byte
	switch v := value.(type) {
	case []byte:
		raw = v
	default:
		raw = []byte(fmt.Sprint(v))
	}
	out := bytes.Clone(raw)
	for _, from := range []int{0, bytes.IndexByte(raw, '\n') + 1} {
		more, _ := io.ReadAll(flate.NewReader(bytes.NewReader(raw[from:]))) // up to where it is none
		out = append(out, more...)
	}
	return out
}

// rows lists the tables and columns of a SQLite file that have the words.
func (x secrets) rows(t *testing.T, file string) (found []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	tables := strings.Split(scalar(t, db, "SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table'"), ",")
	for _, table := range tables {
		found = append(found, x.columns(t, db, table)...)
	}
	return found
}

// columns lists the columns of a table that have the words, as TABLE.COLUMN.
func (x secrets) columns(t *testing.T, db *sql.DB, table string) (found []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT * FROM "`+table+`"`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if place := table + "." + names[i]; x.in(inflated(v)) > 0 && !slices.Contains(found, place) {
				found = append(found, place)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

func scalar(t *testing.T, db *sql.DB, query string) (s string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

// indexed lists the folders of a closed index of which a file has the term of a word: of its beginning from the fourth
// letter on, since some terms are stems. Terms are hashes, five bytes after the number of the tenant.
func indexed(t *testing.T, dir string, words ...string) (found []string) {
	t.Helper()
	hashed := map[uint64]bool{}
	for _, word := range words {
		for n := min(4, len(word)); n <= len(word); n++ {
			for class := byte('a'); class <= 'z'; class++ {
				for _, kind := range []string{"", "t"} { // of a word; of a word of a name
					h := fnv.New64a()
					_, _ = h.Write([]byte(string(class) + kind + word[:n]))
					sum := h.Sum64()
					hashed[(sum^sum>>40)&(1<<40-1)] = true
				}
			}
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "index_meta.json" {
			return err
		}
		folder := filepath.Dir(path)
		if has, err := hasTerm(folder, hashed); err != nil || !has {
			return err
		}
		found = append(found, folder)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// hasTerm reports whether a segment has a term, also if it is one of a deleted document alone.
func hasTerm(folder string, hashed map[uint64]bool) (bool, error) {
	x, err := bleve.OpenUsing(folder, map[string]any{"read_only": true})
	if err != nil {
		return false, err
	}
	defer func() { _ = x.Close() }()
	inner, err := x.Advanced()
	if err != nil {
		return false, err
	}
	reader, err := inner.Reader()
	if err != nil {
		return false, err
	}
	defer func() { _ = reader.Close() }()
	fields, err := reader.Fields()
	if err != nil {
		return false, err
	}
	for _, field := range fields {
		terms, err := reader.FieldDict(field)
		if err != nil {
			return false, err
		}
		for {
			e, err := terms.Next()
			if err != nil {
				return false, err
			}
			if e == nil {
				break
			}
			if len(e.Term) == 8 && hashed[binary.BigEndian.Uint64([]byte(e.Term))&(1<<40-1)] {
				return true, nil
			}
		}
	}
	return false, nil
}

// database connects to a Neo4j server without the engine, until the test ends.
func database(t *testing.T, uri string) driver.DriverWithContext {
	t.Helper()
	d, err := driver.NewDriverWithContext(uri, driver.BasicAuth(os.Getenv("NEO4J_USERNAME"), os.Getenv("NEO4J_PASSWORD"), ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close(context.Background()) })
	return d
}

func (x secrets) nodes(t *testing.T, uri, tenant string) (found []string) {
	t.Helper()
	ctx := context.Background()
	d := database(t, uri)
	const all = `MATCH (n) WHERE n.tenant = $tenant RETURN labels(n) AS kind, properties(n) AS held
UNION ALL MATCH (n)-[x]->() WHERE n.tenant = $tenant RETURN [type(x)] AS kind, properties(x) AS held`
	session := d.NewSession(ctx, driver.SessionConfig{AccessMode: driver.AccessModeRead})
	defer func() { _ = session.Close(ctx) }()
	rows, err := session.Run(ctx, all, obj{"tenant": tenant})
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next(ctx) {
		values := rows.Record().AsMap()
		for name, v := range values["held"].(map[string]any) {
			if x.in(inflated(v)) > 0 {
				found = append(found, fmt.Sprint(values["kind"], " ", name))
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

func eraseUser(w *world) {
	mine := obj{"user_id": "u1"}
	jon := w.say("Jon Smith", "drink", "tea").entity
	private := w.say("", "drink", "cocoa", about(jon), within(mine))
	friend := w.say("Ibrahim Oduya", "office", "Accra", within(mine))
	public := w.say("", "editor", "vim", about(jon), by("Eve"))
	trace := w.shown("cocoa", "What does Jon Smith drink?", mine)
	done := w.erase("/v1/users/u1/content")
	same(w.T, "what was erased", []string{done.text("/observations"), done.text("/claims"), done.text("/mentions"), done.text("/compilations")},
		[]string{"2", "2", "1", "1"})
	w.compile(obj{"query": "What does Jon Smith drink?", "scope": mine}).shows("tea", not, "cocoa")
	w.get("/v1/compilations/"+trace).problem(410, "gone")
	b := w.belief(private.belief)
	same(w.T, "the belief", []string{b.text("/erased"), b.text("/contradiction_status"), b.text("/segments/0/cause")},
		[]string{"true", "overridden", "retraction"})
	same(w.T, "the observation", w.get("/v1/observations/"+private.id).is(200).text("/erased"), "true")
	same(w.T, "the friend", w.get("/v1/entities/"+friend.entity).is(200).text("/name"), "")
	same(w.T, "nobody is found by the name", len(w.get("/v1/entities?name=ibrahim+oduya").is(200).texts("/items", "/entity_id")), 0)
	same(w.T, "what was said to everybody", w.belief(public.belief).text("/value"), "vim")
	same(w.T, "nothing is left to erase", w.planned("/v1/users/u1/content").text("/observations"), "0")
	// The amendment cannot be undone to any effect that has a value, and so it is refused.
	amendment := w.get("/v1/beliefs/" + private.belief + "/amendments").is(200).text("/items/0/amendment_id")
	w.post("/v1/amendments/"+amendment+"/undo", obj{}).problem(422, "unprocessable")
	again := w.say("", "drink", "cocoa", about(jon), within(mine), level(3))
	same(w.T, "an erased value bars nothing", again.status, "clean")
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

func eraseObservation(w *world) {
	acme := w.say("Jon Smith", "employer", "Acme", from("2019-01-01T00:00:00Z"))
	globex := w.say("Jon Smith", "employer", "Globex", from("2021-01-01T00:00:00Z"))
	same(w.T, "the former one", w.belief(acme.belief).text("/segments/1/cause"), "succession")
	shared := w.say("Jon Smith", "office", "Boston", by("Dana"))
	also := w.say("Jon Smith", "office", "Boston", by("Eve"))
	done := w.erase("/v1/observations/" + globex.id + "/content")
	same(w.T, "what had yielded to it", done.texts("/ended", ""), []string{acme.belief})
	c := w.compile(obj{"query": "Who is the employer of Jon Smith?"})
	c.shows(not, "Acme", "Globex")
	same(w.T, "the name that others say stays", w.get("/v1/entities/"+acme.entity).is(200).text("/name"), "Jon Smith")
	// It is an end like any other: who knows that Acme is true again says so.
	amendment := w.get("/v1/beliefs/" + acme.belief + "/amendments").is(200).text("/items/0/amendment_id")
	w.post("/v1/amendments/"+amendment+"/undo", obj{}).is(200)
	w.compile(obj{"query": "Who is the employer of Jon Smith?"}).shows("Acme")
	w.erase("/v1/observations/" + shared.id + "/content")
	same(w.T, "what another says", w.belief(also.belief).text("/contradiction_status"), "clean")
	w.compile(obj{"query": "Where is the office of Jon Smith?"}).shows("Boston")
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

func erasePlanned(w *world) {
	said := w.say("Jon Smith", "office", "Boston")
	path := "/v1/entities/" + said.entity + "/content"
	plan := w.planned(path).text("/plan")
	w.call("DELETE", path+"?plan="+strings.Repeat("0", 32), nil).problem(409, "conflict")
	w.call("DELETE", path+"?plan=short", nil).problem(400, "invalid")
	w.say("Jon Smith", "office", "Chicago", by("Eve"))
	w.call("DELETE", path+"?plan="+plan, nil).problem(409, "conflict")
	same(w.T, "nothing is erased", w.belief(said.belief).text("/value"), "Boston")
	for name, key := range map[string]obj{
		"an agent":                    {"roles": list{"agent"}},
		"a bound administrator":       {"roles": list{"admin"}, "bound": obj{"project_id": "p1"}},
		"one who is cleared for less": {"roles": list{"admin"}, "clearance": "confidential"},
	} {
		if a := w.issue(key).call("DELETE", path, nil); a.status != 403 {
			w.Errorf("%s: %d %s", name, a.status, short(a.raw))
		}
	}
	nobody := "01890000-0000-7000-8000-000000000000"
	w.call("DELETE", "/v1/entities/"+nobody+"/content", nil).problem(404, "not_found")
	w.call("DELETE", "/v1/observations/"+nobody+"/content", nil).problem(404, "not_found")
	if diff := cmp.Diff([]string{}, w.planned("/v1/users/nobody/content").texts("/ended", "")); diff != "" {
		w.Error(diff)
	}
}

// eraseYielded erases values that others had yielded to.
func eraseYielded(w *world) {
	day := func(y string) string { return y + "-01-01T00:00:00Z" }
	acme := w.say("Jon Smith", "employer", "Acme", from(day("2015")))
	globex := w.say("Jon Smith", "employer", "Globex", from(day("2019")))
	initech := w.say("Jon Smith", "employer", "Initech", from(day("2022")))
	done := w.erase("/v1/observations/" + initech.id + "/content")
	same(w.T, "ended", done.texts("/ended", ""), []string{globex.belief})
	at := func(predicate, y string) []string { return w.believed(acme.entity, predicate, "valid_at="+day(y)) }
	same(w.T, "what was true once", []string{at("employer", "2016")[0], at("employer", "2020")[0]}, []string{"Acme", "Globex"})
	same(w.T, "what is true now, and what had yielded to what ends", w.believed(acme.entity, "employer"), []string{})
	w.say("Jon Smith", "employer", "Acme", by("Eve"))
	same(w.T, "an end bars nobody who says so again", w.believed(acme.entity, "employer"), []string{"Acme"})

	weak := w.say("Jon Smith", "city", "Lyon", level(3))
	strong := w.say("Jon Smith", "city", "Nice", level(1))
	done = w.erase("/v1/observations/" + strong.id + "/content")
	same(w.T, "what never stood", done.texts("/ended", ""), []string{weak.belief})
	same(w.T, "it does not stand", w.believed(acme.entity, "city"), []string{})
	w.say("Jon Smith", "city", "Lyon", level(3), by("Eve"))
	same(w.T, "until somebody says so", w.believed(acme.entity, "city"), []string{"Lyon"})

	berlin := w.say("Jon Smith", "office", "Berlin", from(day("2015")))
	visit := w.say("Jon Smith", "office", "Paris", from(day("2020")), until(day("2021")))
	same(w.T, "for a year", at("office", "2020"), []string{"Paris"})
	done = w.erase("/v1/observations/" + visit.id + "/content")
	same(w.T, "what stands again by now stays", fmt.Sprint(len(done.items("/ended")), w.believed(acme.entity, "office")), "0 [Berlin]")
	same(w.T, "and in that year, too", fmt.Sprint(done.texts("/restored", ""), at("office", "2020")), fmt.Sprintf("[%s] [Berlin]", berlin.belief))

	first := w.say("Jon Smith", "floor", "3", from(day("2015")))
	w.say("Jon Smith", "floor", "4", from(day("2020")), until(day("2021")))
	last := w.say("Jon Smith", "floor", "5", from(day("2021")))
	done = w.erase("/v1/observations/" + last.id + "/content")
	same(w.T, "what had yielded to another before", done.texts("/restored", ""), []string{first.belief})

	rome, _, _ := w.tied("Jon Smith", "desk", "12", "14", from(day("2015")))
	stay := w.say("Jon Smith", "desk", "99", from(day("2020")), until(day("2021")))
	done = w.erase("/v1/observations/" + stay.id + "/content")
	same(w.T, "a tie before and after is a tie", fmt.Sprint(len(done.items("/ended")), w.belief(rome.belief).text("/segments/0/cause")), "0tie")

	phone := w.say("Jon Smith", "locker", "112", from(day("2020")))
	named := w.say("Jon Smith", "cabinet", "114", from(day("2023")), supersedes(phone.belief))
	same(w.T, "superseded by name", w.believed(acme.entity, "locker"), []string{})
	w.erase("/v1/observations/" + named.id + "/content")
	same(w.T, "does not come back", w.believed(acme.entity, "locker"), []string{})
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

func eraseTied(w *world) {
	boston, chicago, _ := w.tied("Jon Smith", "office", "Boston", "Chicago")
	same(w.T, "the tie", w.believed(boston.entity, "office"), []string{})
	done := w.erase("/v1/observations/" + boston.id + "/content")
	same(w.T, "nobody yields in a tie", len(done.items("/ended")), 0)
	same(w.T, "restored", done.texts("/restored", ""), []string{chicago.belief})
	same(w.T, "the other", w.believed(boston.entity, "office"), []string{"Chicago"})

	lyon, nice, id := w.tied("Jon Smith", "city", "Lyon", "Nice")
	w.settle(id, obj{"accept": lyon.belief, "note": "gharialnote"}).is(200)
	told := func() bool {
		a := w.get("/v1/beliefs/" + nice.belief + "/amendments").is(200)
		return strings.Contains(string(a.raw), "gharialnote")
	}
	same(w.T, "the note is the reason", told(), true)
	w.erase("/v1/observations/" + lyon.id + "/content")
	same(w.T, "afterwards", told(), false)
	same(w.T, "a settlement holds", w.believed(boston.entity, "city"), []string{})
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

// eraseElsewhere checks that words of others are listed however the name is written, and where it is.
func eraseElsewhere(w *world) {
	person := w.say("Zoë Quaggan", "office", "Boston", identified("iban", "DE89 3704 0044 0532 0130 00"), claims("key", "k"))
	text := func(s string) string {
		return w.post("/v1/observations", obj{
			"source": obj{"origin": "test://conversation", "authority_level": 2, "source_authority": .8}, "extract": "none", "text": s,
		}).is(201).text("/observation_id")
	}
	want := []string{
		text("Yesterday I met ZOE\nQUAGGAN there."),
		text("Please pay to DE89370400440532013000 by Friday."),
		w.say("Cleo Park", "note", "ask zoe quaggan").id,
		w.say("Cleo Park", "editor", "vim", by("Zoë Quaggan")).id,
		w.say("Cleo Park", "shell", "zsh", claims("why_it_matters", "Zoë Quaggan asked")).id,
	}
	text("Zoequagganese is no name.")
	beside := w.record(stating("Graz Branch", "city", "Graz", field(inMention, "aliases", list{"Quaggan & Co, run by Zoë Quaggan"})))
	waiting := w.say("Zoë Quaggan", "badge", "7", field(inMention, "record", obj{"source": "crm", "id": "r-81"}))
	want = append(want, beside.id, waiting.id)
	own := w.post("/v1/observations", obj{
		"source":   obj{"origin": "test://crm", "authority_level": 2, "source_authority": .8, "speaker": "Zoë Quaggan"},
		"mentions": list{obj{"name": "Zoë Quaggan", "type": "person", "attributes": obj{"iban": list{"DE89 3704 0044 0532 0130 00"}}}, obj{"name": "Graz Branch", "type": "organization"}},
		"claims":   list{obj{"subject": obj{"mention": 0}, "predicate": "desk", "value": 4}, obj{"subject": obj{"mention": 1}, "predicate": "country", "value": "Austria"}},
	}).is(201)
	w.settled()
	path := "/v1/entities/" + person.entity + "/content"
	if own.text("/mentions/0/entity_id") != person.entity {
		want = append(want, own.text("/observation_id"))
	}
	same(w.T, "elsewhere", sorted(w.planned(path).texts("/elsewhere", "")...), sorted(want...))
	w.erase(path)
	same(w.T, "what the person said of another", w.belief(own.text("/beliefs/1/belief_id")).text("/value"), "Austria")
	same(w.T, "entities of a second plan", w.planned(path).seq("/entities"), 0)
	for _, id := range want {
		w.erase("/v1/observations/" + id + "/content")
	}
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

// eraseAsked checks that what was asked for a user goes with the user's content, though it found nothing.
func eraseAsked(w *world) {
	w.say("Jon Smith", "drink", "tea")
	asked := w.compile(obj{"query": "Is it true that I owe 4,000?", "scope": obj{"user_id": "u1"}}).text("/run/trace_id")
	other := w.compile(obj{"query": "Is it true that I owe 4,000?", "scope": obj{"user_id": "u2"}}).text("/run/trace_id")
	same(w.T, "how many", w.erase("/v1/users/u1/content").seq("/compilations"), 1)
	w.get("/v1/compilations/"+asked).problem(410, "gone")
	w.get("/v1/compilations/" + other).is(200)
}

// eraseEscapes checks that what was written as \uXXXX is found as what it says.
func eraseEscapes(w *world) {
	said := w.post("/v1/observations", json.RawMessage(`{
		"source": {"origin": "test://crm", "authority_level": 2, "source_authority": 0.8},
		"text": "Zo\u00eb Quaggan was with Graz Branch.", "extract": "none",
		"mentions": [{"name": "Zo\u00eb Quaggan", "type": "person"}, {"name": "Graz Branch", "type": "organization"}],
		"claims": [{"subject": {"mention": 1}, "predicate": "staff", "value": ["Zo\u00eb Quaggan", {"Zo\u00eb Quaggan": "<b>\u0041\"</b>"}]},
			{"subject": {"mention": 0}, "predicate": "desk", "value": 4}]
	}`)).is(201)
	branch, person := said.text("/mentions/1/entity_id"), said.text("/mentions/0/entity_id")
	claim := said.text("/beliefs/0/belief_id")
	if raw := string(w.belief(claim).raw); !strings.Contains(raw, `["Zoë Quaggan",{"Zoë Quaggan":"`) {
		w.Errorf("the value is told as %s", short([]byte(raw)))
	}
	trace := w.compile(obj{"entities": list{branch}}).text("/run/trace_id")
	w.erase("/v1/entities/" + person + "/content")
	same(w.T, "the claim", w.belief(claim).text("/erased"), "true")
	w.get("/v1/compilations/"+trace).problem(410, "gone")
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

// eraseHidden erases what some readers did not see: to them nothing happens.
func eraseHidden(w *world) {
	public := w.issue(obj{"roles": list{"agent"}, "clearance": "public"})
	open := func(c string) edit { return field(inObservation, "security_classification", c) }
	seen := w.say("Jon Smith", "office", "Boston", open("public"), level(2))
	hidden := w.say("Jon Smith", "office", "Rome", open("highly_restricted"), level(1))
	same(w.T, "for the cleared", w.believed(seen.entity, "office"), []string{"Rome"})
	before := public.belief(seen.belief)
	done := w.erase("/v1/observations/" + hidden.id + "/content")
	same(w.T, "restored", done.texts("/restored", ""), []string{seen.belief})
	same(w.T, "ended", done.texts("/ended", ""), []string{})
	after := public.belief(seen.belief)
	for _, part := range []string{"/value", "/contradiction_status", "/segments/0/cause"} {
		same(w.T, "to the others "+part, after.text(part), before.text(part))
	}
	same(w.T, "amendments", len(public.get("/v1/beliefs/"+seen.belief+"/amendments").is(200).items("/items")), 0)
	same(w.T, "for the cleared", w.believed(seen.entity, "office"), []string{"Boston"})

	w.say("Jon Smith", "city", "Bonn", open("public"), from("2015-01-01T00:00:00Z"))
	later := w.say("Jon Smith", "city", "Cork", open("public"), from("2018-01-01T00:00:00Z"))
	hidden = w.say("Jon Smith", "city", "Rome", open("highly_restricted"), from("2020-01-01T00:00:00Z"))
	shown := func() string {
		a := public.page("entity_id="+seen.entity, "predicate=city", "status=any")
		return fmt.Sprint(a.texts("/items", "/value"), a.texts("/items", "/contradiction_status"), a.texts("/items", "/segments/0/until"))
	}
	told := shown()
	done = w.erase("/v1/observations/" + hidden.id + "/content")
	same(w.T, "of a chain", fmt.Sprint(done.texts("/restored", ""), len(done.items("/ended"))), "["+later.belief+"] 0")
	same(w.T, "to the others", shown(), told)
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

// eraseTakenBack erases a value that was retracted: it bars nothing any more.
func eraseTakenBack(w *world) {
	a := w.say("Jon Smith", "office", "Boston", by("Dana"))
	w.post("/v1/beliefs/"+a.belief+"/retract", obj{"reason": "wrong"}).is(200)
	b := w.say("Jon Smith", "office", "Boston", by("Eve"))
	same(w.T, "barred", w.believed(a.entity, "office"), []string{})
	done := w.erase("/v1/observations/" + a.id + "/content")
	same(w.T, "nothing had yielded", len(done.items("/ended")), 0)
	same(w.T, "what another says", w.belief(b.belief).text("/contradiction_status"), "clean")
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}
