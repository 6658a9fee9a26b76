package chatlog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure/chatlog"
)

// told lists the turns of a file, first what belongs to no conversation.
func told(t *testing.T, cfg chatlog.Config, text string) (format chatlog.Format, list []string) {
	t.Helper()
	add := func(turn chatlog.Turn) error {
		switch {
		case turn.Fault != "":
			list = append(list, turn.Place+": "+turn.Fault)
			return nil
		case turn.Skipped != "":
			list = append(list, turn.Place+" ("+turn.Skipped+")")
			return nil
		}
		who := turn.Speaker
		if turn.Role != "" {
			who += ", " + turn.Role
		}
		if turn.Assistant {
			who += "*"
		}
		if turn.Addressee != "" {
			who += " to " + turn.Addressee
		}
		late := ""
		if turn.Late {
			late = " late"
		}
		list = append(list, fmt.Sprintf("%s %s%s %s: %s", turn.ID, turn.At.Time().Format(time.RFC3339Nano), late, who, turn.Text))
		return nil
	}
	log, err := chatlog.Open(strings.NewReader(text), int64(len(text)), cfg, add)
	if err != nil {
		return "", []string{err.Error()}
	}
	for _, c := range log.Conversations {
		list = append(list, "# "+c.ID)
		for turn, err := range log.TurnsOf(c) {
			if err != nil {
				t.Fatal(err)
			}
			_ = add(turn)
		}
	}
	return log.Format, list
}

var config = chatlog.Config{User: "Ann", Thread: "file"}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		file   string
		format chatlog.Format
		want   []string
	}{
		{"team.jsonl", chatlog.JSONL, []string{
			"# canteen", // 09:05 at +01:00
			"1 2025-03-03T08:05:00Z Dana to Ilka: The guest wifi code is 4711.",
			"2 2025-03-04T08:00:00Z assistant*: The guest wifi code is 4812 now.",
			"line 7 (of the system or a tool)",
			"# harbour",
			"h1 2025-03-03T09:00:00Z Ilka: Can we talk about Plover?",
			"h2 2025-03-03T09:01:00Z late Ilka: The launch city of Plover is Namur now.",
			"h3 2025-03-03T09:02:00Z Milan, support lead: Is the launch city of Plover Bergen?",
			"# file",
			"HASH 2025-03-04T08:02:00Z Dana: Lunch at noon?",
		}},
		{"chatgpt.json", chatlog.ChatGPT, []string{
			"# c-picture",
			"p1 2025-02-19T21:20:01Z Ann to assistant: What is this?",
			"p2 2025-02-19T21:20:02Z assistant* to Ann: A heron 🐦.",
			"# c-wifi",
			"/0/mapping/n0 (of the system or a tool)",
			"n1 2025-03-04T10:00:10.25Z Ann to assistant: The guest wifi code is 4711.",
			"/0/mapping/n2 (addressed to a tool)",
			"/0/mapping/n3 (of the system or a tool)",
			"n4 2025-03-04T10:00:20Z assistant* to Ann: Noted.\n\nIs there anything else?",
			"/0/mapping/n1b (not on the current branch)",
		}},
		{"claude.json", chatlog.Claude, []string{
			"# k-plan",
			"m1 2025-03-05T10:00:01.123456Z Ann to assistant: The launch city of Plover is Oslo now.",
			"m2 2025-03-05T10:00:09Z assistant* to Ann: Shall I book the ferry?",
			"/0/chat_messages/2 (without words)",
		}},
	} {
		t.Run(c.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", c.file))
			if err != nil {
				t.Fatal(err)
			}
			for _, mark := range []string{"", "\uFEFF"} {
				format, got := told(t, config, mark+string(text))
				for i, line := range got {
					if id, rest, _ := strings.Cut(line, " "); len(id) == 24 {
						got[i] = "HASH " + rest
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" || format != c.format {
					t.Errorf("%s: %s", format, diff)
				}
			}
		})
	}
}

// gpt is an export of one conversation with nodes.
func gpt(current string, nodes ...string) string {
	return `[{"conversation_id": "c", "current_node": "` + current + `", "mapping": {` + strings.Join(nodes, ",") + `}}]`
}

func node(id, parent, role, at, text string) string {
	return fmt.Sprintf(`%q: {"parent": %s, "message": {"author": {"role": %q}, "create_time": %s, "content": {"content_type": "text", "parts": [%q]}}}`,
		id, parent, role, at, text)
}

// TestFaults checks that each fault is named with its place, and that what is beside it is read.
func TestFaults(t *testing.T) {
	const good = `{"at": "2025-03-03T09:00:00Z", "speaker": "Ilka", "text": "Yes.", "id": 1}`
	const said = "1 2025-03-03T09:00:00Z Ilka: Yes."
	const claude = `{"uuid": "k", "chat_messages": [{"uuid": "1", "sender": "human", "created_at": "2025-03-03T09:00:00Z", "text": "Yes."}]}`
	const saidThere = "1 2025-03-03T09:00:00Z Ann to assistant: Yes."
	long := strings.Repeat("x", 1<<20+1)
	for _, c := range []struct {
		name, text string
		format     chatlog.Format
		user       string
		want       []string
	}{
		{"not-json", "yes\n" + good, "", "Ann", []string{"line 1: is not JSON: ", "# file", said}},
		{"half-a-line", good + "\n" + good[:30], "", "Ann", []string{"line 2: is not JSON: ", "# file", said}},
		{"no-time", `{"speaker": "Ilka", "text": "No."}` + "\n" + good, "", "Ann", []string{"line 1: has no time", "# file", said}},
		{"wrong-time", `{"at": "yesterday", "speaker": "Ilka", "text": "No."}` + "\n" + good, "", "Ann", []string{`line 1: has the time "yesterday"`, "# file", said}},
		{"time-without-zone", `{"at": "2025-03-03T09:00:00", "speaker": "Ilka", "text": "No."}` + "\n" + good, "", "Ann", []string{`line 1: has the time "2025-03-03T09:00:00"`, "# file", said}},
		{"no-speaker", `{"at": "2025-03-03T09:00:00Z", "text": "No."}` + "\n" + good, "", "Ann", []string{"line 1: has no speaker", "# file", said}},
		{"no-name-of-the-user", `{"at": "2025-03-03T09:00:00Z", "role": "user", "text": "No."}` + "\n" + good, "", "", []string{"line 1: has no speaker", "# file", said}},
		{"empty", `{"at": "2025-03-03T09:00:00Z", "speaker": "Ilka", "text": " "}` + "\n" + good, "", "Ann", []string{"line 1: has no text", "# file", said}},
		{"number-for-a-text", `{"at": "2025-03-03T09:00:00Z", "speaker": "Ilka", "text": 7}` + "\n" + good, "", "Ann", []string{"line 1: has /text as a number", "# file", said}},
		{"list-for-an-id", `{"at": "2025-03-03T09:00:00Z", "speaker": "Ilka", "text": "No.", "id": []}` + "\n" + good, "", "Ann", []string{"line 1: has an id that is neither", "# file", said}},
		{"too-long", `{"at": "2025-03-03T09:00:00Z", "speaker": "Ilka", "text": "` + long + `"}` + "\n" + good, "", "Ann", []string{"line 1: has 1048577 bytes of text", "# file", said}},
		{"a-line-without-end", strings.Repeat(long, 5) + "\n" + good, chatlog.JSONL, "Ann", []string{"line 1: has more than 4194304 bytes", "# file", said}},
		{"long-speaker", `{"at": "2025-03-03T09:00:00Z", "speaker": "` + long[:1001] + `", "text": "No."}` + "\n" + good, "", "Ann", []string{"line 1: has a name or an id of more", "# file", said}},
		{"another-format", good, chatlog.Claude, "Ann", []string{"/0: has no chat_messages"}},
		{"no-format", `[{"hello": "world"}]`, "", "Ann", []string{"it is neither JSON lines"}},
		{"a-list-of-messages", "[" + good + "]", "", "Ann", []string{"it is neither JSON lines"}},
		{"nothing", " \n", "", "Ann", []string{"it has nothing in it"}},
		{"whose-export", "[" + claude + "]", "", "", []string{"an export does not name its user"}},
		{"broken-conversation", `[{"uuid": "x", "chat_messages": [}]}, 7, "a, b", ` + claude + "]", "", "Ann",
			[]string{"/0: is not JSON: ", "/1: is no object", "/2: is no object", "# k", saidThere}},
		{"cut-off", "[" + claude + "," + claude[:40], "", "Ann", []string{"/1: does not end: the file is cut off", "/2: the list does not end", "# k", saidThere}},
		{"no-id", `[{"chat_messages": []},` + claude + "]", "", "Ann", []string{"/0: has no uuid", "# k", saidThere}},
		{"faults-of-turns", `[{"uuid": "k", "chat_messages": [{"sender": "human", "text": "No."}, {"created_at": "2025-03-03T09:00:00Z", "text": "No."}, 7, {"sender": "human", "created_at": "2025-03-03T09:00:00Z", "text": ""}, {"uuid": "1", "sender": "human", "created_at": "2025-03-03T09:00:00Z", "text": "Yes."}]}]`, "", "Ann",
			[]string{"# k", "/0/chat_messages/0: has no time", "/0/chat_messages/1: has no speaker", "/0/chat_messages/2: has its whole as a number", "/0/chat_messages/3: has no text", saidThere}},
		{"cycle", gpt("b", node("a", `"b"`, "user", "1740000000", "One."), node("b", `"a"`, "assistant", "1740000001", "Two.")), "", "Ann",
			[]string{"# c", "a 2025-02-19T21:20:00Z Ann to assistant: One.", "b 2025-02-19T21:20:01Z assistant* to Ann: Two.", "/0/mapping/b: its parents lead back to it"}},
		{"no-parent", gpt("a/b", node("a/b", `"gone"`, "user", "1740000000", "One.")), "", "Ann",
			[]string{"# c", "a/b 2025-02-19T21:20:00Z Ann to assistant: One.", `/0/mapping/a~1b: its parent "gone" is no node`}},
		{"no-current", gpt("", node("a", "null", "user", "1740000000", "One."), node("b", `"a"`, "user", "1740000009", "Two."), node("c", `"a"`, "user", "1740000001", "Three.")), "", "Ann",
			[]string{"# c", "a 2025-02-19T21:20:00Z Ann to assistant: One.", "b 2025-02-19T21:20:09Z Ann to assistant: Two.", "/0/current_node: names no node", "/0/mapping/c (not on the current branch)"}},
		{"no-time-in-a-node", gpt("b", node("a", "null", "user", "null", "One."), node("b", `"a"`, "user", "1740000009", "Two.")), "", "Ann",
			[]string{"# c", "/0/mapping/a: has no time", "b 2025-02-19T21:20:09Z Ann to assistant: Two."}},
		{"broken-node", gpt("b", node("b", `"a"`, "user", "1740000009", "Two."), `"a": {"parent": 7}`), "", "Ann",
			[]string{"# c", "b 2025-02-19T21:20:09Z Ann to assistant: Two.", "/0/mapping/a: has /parent as a number", `/0/mapping/b: its parent "a" is no node`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := told(t, chatlog.Config{Format: c.format, User: c.user, Thread: "file"}, c.text)
			if len(got) != len(c.want) {
				t.Fatalf("got %.2000q\nwant %q", got, c.want)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("%.200q, want %q", got[i], want)
				}
			}
		})
	}
}

// TestSameMessageWithoutID checks that a message without an id is the same one in another place of the file.
func TestSameMessageWithoutID(t *testing.T) {
	const a = `{"at": "2025-03-03T09:00:00Z", "speaker": "Ilka", "text": "Yes."}`
	const b = `{"at": "2025-03-03T09:00:00Z", "speaker": "Ilka", "text": "No."}`
	_, got := told(t, config, a+"\n"+b+"\n"+a)
	if len(got) != 4 || got[1] != got[3] || got[1][:24] == got[2][:24] {
		t.Errorf("%q", got)
	}
}
