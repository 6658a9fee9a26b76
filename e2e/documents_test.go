package e2e

import (
	"fmt"
	"net/url"
	"strings"
)

// ingesting are the scenarios of documents.
var ingesting = []scenario{
	{"document-replaced-and-withdrawn", documentReplaced},
	{"document-of-two-labels", documentOfTwoLabels},
	{"document-listed", documentsListed},
	{"document-refused", documentRefused},
	{"document-erased", documentErased},
	{"document-of-an-erased-user", documentOfErasedUser},
}

const handbook = "https://handbook.example/refunds"

// chapter is a text of several passages about something.
func chapter(about string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# On %s\n\n", about)
	for i := range 40 {
		fmt.Fprintf(&b, "Rule %d of %s is that nobody acts alone. ", i, about)
	}
	return b.String()
}

func paper(uri, text string, more ...obj) obj {
	d := obj{"uri": uri, "text": text, "media_type": "text/markdown", "title": "Handbook"}
	for _, m := range more {
		for k, v := range m {
			d[k] = v
		}
	}
	return d
}

func (w *world) ingest(d obj, headers ...string) answer {
	w.Helper()
	return w.call("POST", "/v1/documents", d, headers...)
}

func documentReplaced(w *world) {
	first := w.ingest(paper(handbook, chapter("refunds")), idem+"one").is(201)
	id, seq := first.text("/document_id"), first.text("/seq")
	path := "/v1/documents/" + id
	same(w.T, "added", []string{first.text("/effect"), first.text("/version")}, []string{"added", "1"})
	same(w.T, "its place", first.header.Get("Location"), path)
	again := w.ingest(paper(handbook, chapter("refunds")), idem+"one").is(201)
	same(w.T, "replayed", []string{again.header.Get("Idempotency-Replayed"), again.text("/effect")}, []string{"true", "added"})
	w.ingest(paper(handbook, chapter("returns")), idem+"one").problem(409, "idempotency_key_reused")

	before := w.changesSeq()
	same(w.T, "the same again", w.ingest(paper(handbook, chapter("refunds"))).is(200).text("/effect"), "unchanged")
	same(w.T, "nothing is written", w.changesSeq(), before)
	read := w.get(path).is(200)
	if n := len(read.texts("/passages", "/passage_id")); n < 2 || fmt.Sprint(n) != first.text("/passages") {
		w.Errorf("%d passages, and the answer says %s", n, first.text("/passages"))
	}
	same(w.T, "the headings", read.text("/passages/1/headings/0"), "On refunds")
	same(w.T, "the preamble", strings.HasPrefix(read.text("/passages/1/preamble"), "Handbook > On refunds"), true)
	same(w.T, "the level", read.text("/source/authority_level"), "4")

	second := w.ingest(paper(handbook, chapter("returns"))).is(201)
	same(w.T, "replaced", []string{second.text("/effect"), second.text("/version"), second.text("/document_id")}, []string{"replaced", "2", id})
	if now := w.get(path).is(200); strings.Contains(string(now.raw), "refunds is") || !strings.Contains(string(now.raw), "returns is") {
		w.Errorf("the document says %s", short(now.raw))
	}
	then := w.get(path + "?known_at=" + seq).is(200)
	same(w.T, "as it was known", then.texts("/passages", "/text"), read.texts("/passages", "/text"))

	w.call("DELETE", path, nil).is(204)
	w.call("DELETE", path, nil).problem(404, "not_found")
	w.get(path).problem(404, "not_found")
	same(w.T, "listed", len(w.get("/v1/documents").is(200).texts("/items", "/document_id")), 0)
	same(w.T, "as it was known", w.get(path+"?known_at="+second.text("/seq")).is(200).text("/version"), "2")
	third := w.ingest(paper(handbook, chapter("returns"))).is(201)
	same(w.T, "there again", []string{third.text("/effect"), third.text("/version")}, []string{"added", "4"})
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

// documentOfTwoLabels checks that a document under another label is another one, which nobody below it can tell.
func documentOfTwoLabels(w *world) {
	low := w.issue(obj{"roles": list{"agent"}, "clearance": "restricted"})
	open := low.ingest(paper(handbook, "The open rule.")).is(201)
	secret := w.ingest(paper(handbook, "The secret rule.", obj{"security_classification": "confidential"})).is(201)
	same(w.T, "of its own", secret.text("/effect"), "added")
	hidden := "/v1/documents/" + secret.text("/document_id")
	low.get(hidden).problem(404, "not_found")
	low.call("DELETE", hidden, nil).problem(404, "not_found")
	same(w.T, "what the lower one reads", low.get("/v1/documents").is(200).texts("/items", "/document_id"), []string{open.text("/document_id")})
	same(w.T, "what the higher one reads", len(w.get("/v1/documents?uri="+url.QueryEscape(handbook)).is(200).texts("/items", "/document_id")), 2)
	low.ingest(paper(handbook, "x", obj{"security_classification": "confidential"})).problem(403, "forbidden", "/security_classification")
	low.ingest(paper(handbook, "x", obj{"permission_scope": obj{"allow_roles": list{"finance"}}})).problem(403, "forbidden", "/security_classification")
	public := w.issue(obj{"roles": list{"agent"}, "clearance": "public"})
	same(w.T, "of who is cleared for less", public.get("/v1/documents/"+public.ingest(paper(handbook, "The public rule.")).is(201).
		text("/document_id")).is(200).text("/security_classification"), "public")
	bound := w.issue(obj{"roles": list{"agent"}, "bound": obj{"project_id": "p1"}})
	own := bound.ingest(paper(handbook, "The rule of the project.")).is(201)
	same(w.T, "bound", w.get("/v1/documents/"+own.text("/document_id")).is(200).text("/scope/project_id"), "p1")
	bound.ingest(paper(handbook, "x", obj{"scope": obj{"project_id": "p2"}})).problem(403, "forbidden", "/scope/project_id")
	strong := w.ingest(paper("https://x.example", "A summary.", obj{"authority_level": 3})).is(201)
	weak := w.issue(obj{"roles": list{"agent"}, "max_authority": 4})
	weak.ingest(paper("https://x.example", "Another.")).problem(403, "authority_too_high")
	weak.call("DELETE", "/v1/documents/"+strong.text("/document_id"), nil).problem(403, "authority_too_high")
	weak.ingest(paper("https://y.example", "x", obj{"authority_level": 3})).problem(403, "authority_too_high", "/authority_level")
}

func documentsListed(w *world) {
	var all []string
	for i := range 5 {
		for _, scope := range []obj{{}, {"project_id": "p1"}, {"project_id": "p1", "user_id": "u1"}} {
			all = append(all, w.ingest(paper(fmt.Sprint("doc:", i), "x", obj{"scope": scope})).is(201).text("/document_id"))
		}
	}
	count := func(query string) int {
		return len(w.get("/v1/documents?limit=100"+query).is(200).texts("/items", "/document_id"))
	}
	same(w.T, "by scope and URI", []int{count(""), count("&project_id=p1"), count("&user_id=u1"), count("&uri=doc:1"), count("&uri=doc:1&user_id=u1"), count("&uri=doc")},
		[]int{len(all), 10, 5, 3, 1, 0})
	var paged []string
	for next := ""; ; {
		page := w.get("/v1/documents?limit=4" + next).is(200)
		paged = append(paged, page.texts("/items", "/document_id")...)
		if page.text("/next_cursor") == "" {
			break
		}
		next = "&cursor=" + page.text("/next_cursor")
		w.ingest(paper("doc:late", chapter("late"+next))).is(201) // the pages are of one state
	}
	same(w.T, "pages", len(paged), len(all))
	w.get("/v1/documents?cursor=x").problem(400, "stale_cursor")
}

func documentRefused(w *world) {
	for name, c := range map[string]struct {
		with    obj
		pointer string
		reason  string
	}{
		"no text":             {obj{"text": ""}, "/text", ""},
		"a blank text":        {obj{"text": " \n"}, "/text", "must not be blank"},
		"a long text":         {obj{"text": strings.Repeat("x", 1_000_001)}, "/text", "1000000 bytes"},
		"a rule":              {obj{"authority_level": 2}, "/authority_level", "documents are data, never rules"},
		"no level":            {obj{"authority_level": 5}, "/authority_level", ""},
		"another media type":  {obj{"media_type": "text/html"}, "/media_type", ""},
		"a control character": {obj{"text": "a\x1bb"}, "/text", "control character, after 1 bytes"},
		"a line in the title": {obj{"title": "a\nb"}, "/title", "control character"},
		"a blank URI":         {obj{"uri": " "}, "/uri", "must not be blank"},
		"a long URI":          {obj{"uri": strings.Repeat("x", 2001)}, "/uri", ""},
		"too much trust":      {obj{"source_authority": 1.5}, "/source_authority", ""},
	} {
		a := w.ingest(paper(handbook, "text", c.with)).problem(400, "invalid", c.pointer)
		if !strings.Contains(string(a.raw), c.reason) {
			w.Errorf("%s: %s", name, short(a.raw))
		}
	}
	longest := w.ingest(paper(handbook, strings.Repeat("12345678\n", 111_111))).is(201)
	if longest.text("/passages") == "1" {
		w.Error("the longest text is one passage")
	}
	w.call("GET", "/v1/documents/x", nil).problem(400, "invalid")
}

func documentErased(w *world) {
	kept := w.ingest(paper("doc:kept", "What stays.")).is(201).text("/document_id")
	first := w.ingest(paper("doc:quagga", "The first text of quagga.")).is(201)
	w.ingest(paper("doc:quagga", "The second text of quagga.")).is(201)
	id := first.text("/document_id")
	path := "/v1/documents/" + id + "/content"
	done := w.erase(path)
	same(w.T, "documents", done.text("/documents"), "1")
	w.get("/v1/documents/"+id).problem(404, "not_found")
	then := w.get("/v1/documents/" + id + "?known_at=" + first.text("/seq")).is(200)
	same(w.T, "the tombstone", []string{then.text("/erased"), then.text("/passages/0/erased"), then.text("/uri")}, []string{"true", "true", ""})
	if strings.Contains(string(then.raw), "quagga") {
		w.Errorf("the former version says %s", short(then.raw))
	}
	same(w.T, "nothing is left to erase", w.planned(path).text("/documents"), "0")
	same(w.T, "another", w.get("/v1/documents/"+kept).is(200).text("/passages/0/text"), "What stays.")
	same(w.T, "there again", w.ingest(paper("doc:quagga", "The second text of quagga.")).is(201).text("/effect"), "added")
	w.call("DELETE", "/v1/documents/01890000-0000-7000-8000-000000000000/content", nil).problem(404, "not_found")
	verify(w.T, w.srv.store, w.tenant, w.srv.login...)
}

func documentOfErasedUser(w *world) {
	mine := obj{"scope": obj{"user_id": "u1"}}
	own := w.ingest(paper("doc:own", "What only u1 reads.", mine)).is(201)
	gone := w.ingest(paper("doc:gone", "What only u1 read.", mine)).is(201)
	w.call("DELETE", "/v1/documents/"+gone.text("/document_id"), nil).is(204)
	other := w.ingest(paper("doc:other", "What u2 reads.", obj{"scope": obj{"user_id": "u2"}})).is(201)
	same(w.T, "documents", w.erase("/v1/users/u1/content").text("/documents"), "2")
	for _, d := range []answer{own, gone} {
		then := w.get("/v1/documents/" + d.text("/document_id") + "?known_at=" + d.text("/seq")).is(200)
		same(w.T, "what is left", []string{then.text("/erased"), then.text("/passages/0/text")}, []string{"true", ""})
	}
	same(w.T, "another's", w.get("/v1/documents/"+other.text("/document_id")).is(200).text("/passages/0/text"), "What u2 reads.")
	same(w.T, "nothing is left to erase", w.planned("/v1/users/u1/content").text("/documents"), "0")
}
