package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// chatFile is a program's chats on the way into a store.
type chatFile struct {
	*testing.T

	store, tenant string
}

// load imports a file and lists what became of each message as "place outcome". It expects the log to have each of some
// texts; the first is "!" if messages are to be refused.
func (f chatFile) load(file string, flags, want []string) (told []string) {
	f.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	args := append([]string{"import-chat", "--store", f.store, "--tenant", f.tenant, file}, flags...)
	out, log, err := quick.Run(ctx, args...)
	refused := want[0] == "!"
	if refused {
		want = want[1:]
	}
	if refused != (err != nil) {
		f.Fatalf("import-chat: %v\n%s%s", err, out, log)
	}
	for _, s := range want {
		if !strings.Contains(log, s) {
			f.Errorf("import-chat does not say %q:\n%s", s, log)
		}
	}
	for line := range strings.Lines(out) {
		var m struct{ Place, Outcome string }
		if json.Unmarshal([]byte(line), &m) == nil && m.Place != "" {
			told = append(told, m.Place+" "+m.Outcome)
		}
	}
	return told
}

// TestImportChat takes chats in: tried, for good, and again; with the faults of a file named and the rest of it imported.
func TestImportChat(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		f := chatFile{t, e.store(t), newTenant()}
		key := newKey(t, f.store, f.tenant)
		samples := filepath.Join("..", "chatlog", "testdata")
		team := filepath.Join(samples, "team.jsonl")
		told := []string{
			"3 conversations, 7 messages: 6 written, 0 replayed, 0 refused, 1 left out (1 of the system or a tool)",
			"line 5: is older than a message of its conversation", "assert  set     1",
			"beliefs: 3 made (1 of them do not stand), 0 displaced",
		}
		f.load(team, []string{"--dry-run"}, append(told, "nothing was written to the store"))
		w := &world{t, client{serve(t, f.store).url, key}, e, nil, f.tenant}
		same(t, "after a dry run", len(w.get("/v1/observations").is(200).items("/items")), 0)

		same(t, "in the order of conversations and times", strings.Join(f.load(team, nil, told), ", "),
			"line 2 written, line 6 written, line 7 left_out, line 1 written, line 5 written, line 4 written, line 8 written")
		w.unchanged("the same again", func() {
			f.load(team, nil, []string{"0 written, 6 replayed", "statements: none"})
		})
		w.compile(obj{"query": "What is the guest wifi code?"}).shows("4711", not, "4812") // an assistant's word is less
		w.compile(obj{"query": "Where does Plover launch?"}).shows("Namur", not, "Bergen")
		turn := w.get("/v1/observations?origin=chat%3A%2F%2Fjsonl%2Fharbour%2Fh2").is(200)
		for pointer, want := range map[string]string{
			"/items/0/source/thread": "harbour", "/items/0/source/speaker": "Ilka", "/items/0/observed_at": "2025-03-03T09:01:00Z",
		} {
			same(t, pointer, turn.text(pointer), want)
		}

		f.load(filepath.Join(samples, "chatgpt.json"), []string{"--user", "Ann"},
			[]string{"2 conversations, 8 messages: 4 written, 0 replayed, 0 refused, 4 left out", "1 not on the current branch"})
		f.load(filepath.Join(samples, "claude.json"), []string{"--user", "Ann", "--user-id", "ann"},
			[]string{"1 conversations, 3 messages: 2 written, 0 replayed, 0 refused, 1 left out (1 without words)"})
		w.compile(obj{"query": "Where does Plover launch?"}).shows("Namur", not, "Oslo")
		w.compile(obj{"query": "Where does Plover launch?", "scope": obj{"user_id": "ann"}}).shows("Oslo")

		bad := filepath.Join(t.TempDir(), "bad.jsonl")
		lines := `{"at": "2025-04-01T09:00:00Z", "speaker": "Ilka", "text": "The launch city of Plover is Ghent now."}` + "\n" +
			`{"speaker": "Ilka", "text": "Yes."}` + "\nno\n"
		if err := os.WriteFile(bad, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		f.load(bad, nil, []string{"!", "bad.jsonl: line 2: has no time", "bad.jsonl: line 3: is not JSON", "1 written, 0 replayed, 2 refused",
			"2 messages were refused, the others are imported"})
		w.compile(obj{"query": "Where does Plover launch?"}).shows("Ghent", not, "Namur")
		f.load(bad, []string{"--format", "claude", "--user", "Ann"}, []string{"!", "bad.jsonl: /0: has no chat_messages"})
		f.load(filepath.Join(samples, "claude.json"), nil, []string{"!", "does not name its user: do it with --user"})
		verify(t, f.store, f.tenant)
	})
}
