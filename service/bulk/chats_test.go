package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tenure"
	"tenure/chatlog"
	"tenure/service/bulk"
)

// chats imports lines of a chat, and lists what became of each as "place outcome reason".
func (w *world) chats(
	ctx context.Context, t *testing.T, scope tenure.Scope, lines ...string,
) (bulk.ImportedChats, []string) {
	t.Helper()
	w.imports++
	caller := importer
	caller.Actor = fmt.Sprint("import ", w.imports) // none uses the idempotency keys of those before it
	var told []string
	text := strings.Join(lines, "\n")
	importer := bulk.NewChatImporter(w.store, w.Service, bulk.ChatConfig{
		Caller: caller, Scope: scope, Told: func(turn bulk.ImportedTurn) error {
			late := ""
			if turn.Late {
				late = "late"
			}
			told = append(told, strings.TrimSpace(fmt.Sprintf("%s %s %s%s", turn.Place, turn.Outcome, turn.Reason, late)))
			return nil
		},
	})
	log, err := chatlog.Open(strings.NewReader(text), int64(len(text)), chatlog.Config{Thread: "chat"}, importer.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := importer.Import(ctx, log)
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return sum, told
}

func turn(id, minute int, text string) string {
	return fmt.Sprintf(`{"at": "2025-03-03T09:%02d:00Z", "speaker": "Ilka", "text": %q, "id": %d}`, minute, text, id)
}

var global tenure.Scope

// TestChatsAgain checks that no message is written twice, whatever is remembered of idempotency keys, and that a file
// that has gone on is imported as far as it is new.
func TestChatsAgain(t *testing.T) {
	w := newWorld(t)
	lines := []string{
		turn(1, 1, "The guest wifi code is 4711."), turn(2, 2, "The guest wifi code is 4812 now."),
		turn(2, 2, "The guest wifi code is 4812 now."), // the same message twice
	}
	first, told := w.chats(t.Context(), t, global, lines...)
	want := bulk.ImportedChats{
		Conversations: 1, Turns: 3, Written: 2, Replayed: 1, Made: 2, Displaced: 1, Reasons: map[string]int{},
		Statements: map[bulk.StatementKind]int{
			{Act: tenure.Asserts, Effect: "add"}: 1,
			{Act: tenure.Asserts, Effect: "set"}: 1,
		},
	}
	if diff := cmp.Diff(want, first, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v: %s", told, diff)
	}
	end := w.end(t)
	if again, _ := w.chats(t.Context(), t, global, lines...); again.Replayed != 3 || w.end(t) != end {
		t.Errorf("the same again: %+v; the log ends at %d, was %d", again, w.end(t), end)
	}

	_, told = w.chats(t.Context(), t, global, turn(1, 1, "The guest wifi code is 9999."), lines[1],
		`{"at": "2025-03-03T09:00:00Z"}`,
		turn(3, 0, "Is the guest wifi code 4913?"), turn(4, 3, "The guest wifi code is 5000 now."))
	wanted := []string{
		"line 3 refused has no speaker",
		"line 4 written late", "line 1 refused was imported before with other words, another time or another speaker",
		"line 2 replayed", "line 5 written",
	}
	if diff := cmp.Diff(wanted, told); diff != "" {
		t.Error(diff)
	}

	private, _ := w.chats(t.Context(), t, tenure.Scope{UserID: "ann"}, lines[0])
	if private.Written != 1 {
		t.Errorf("in another scope: %+v", private)
	}
}

// TestChatsGoOn checks that an interrupted import resumes.
func TestChatsGoOn(t *testing.T) {
	w := newWorld(t)
	var lines []string
	for i := range 6 {
		lines = append(lines, strings.Replace(turn(i, i, "Is anybody there?"), "{", fmt.Sprintf(`{"thread": "t%d", `, i/2), 1))
	}
	ctx, cancel := context.WithCancel(t.Context())
	importing := bulk.NewChatImporter(w.store, w.Service, bulk.ChatConfig{
		Caller: importer, Progress: func(sum bulk.ImportedChats) {
			if sum.Written == 2 {
				cancel()
			}
		},
	})
	text := strings.Join(lines, "\n")
	log, err := chatlog.Open(strings.NewReader(text), int64(len(text)), chatlog.Config{}, importing.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	if part, err := importing.Import(ctx, log); !errors.Is(err, context.Canceled) || part.Written != 2 {
		t.Fatalf("an import that was interrupted: %+v, %v", part, err)
	}
	rest, told := w.chats(t.Context(), t, global, lines...)
	if rest.Replayed != 2 || rest.Written != 4 || slices.Index(told, "line 2 replayed") != 1 {
		t.Errorf("the rest: %+v: %v", rest, told)
	}
}
