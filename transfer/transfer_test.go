package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/store"
	"tenure/store/sqlite"
	"tenure/transfer"
)

const tenant = "acme"

func open(t *testing.T) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var newID = tenure.NewMint(time.Time{}).NewID

// write applies change sets of one entity each, and of a second version of the entity and its alias.
func write(t *testing.T, s store.Store, n int) {
	t.Helper()
	for i := range n {
		e := tenure.Entity{ID: newID(), Status: tenure.EntityCanonical, Name: fmt.Sprint("e", i)}
		a := tenure.Alias{Key: tenure.AliasKey{Kind: "name", Key: e.Name}, Entity: e.ID, Mention: newID()}
		next := e
		next.Name = "next"
		for _, changes := range [][]tenure.Change{
			{tenure.EntityPut{Entity: e}, tenure.AliasAdded{Alias: a}},
			{tenure.EntityPut{Entity: next}, tenure.AliasClosed{Alias: a}},
			{tenure.EntityPut{Entity: e}, tenure.AliasAdded{Alias: a}},
		} {
			cs := tenure.ChangeSet{ID: newID(), Operation: "test", Actor: "test", Changes: changes,
				Key: &tenure.IdempotencyKey{Scope: string(newID()), Hash: "h"}, Answer: []byte("a")}
			view, err := s.View(t.Context(), tenant, tenure.Present)
			if err != nil {
				t.Fatal(err)
			}
			base, _ := view.State()
			if _, err := s.Apply(t.Context(), tenant, base, []tenure.ChangeSet{cs}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.PutCompilation(t.Context(), tenant, tenure.Compilation{ID: newID(), CreatedAt: 1, Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	key := tenure.Credential{ID: newID(), Tenant: tenant, CreatedAt: 1}
	issued := tenure.AuditEvent{ID: newID(), At: 1, Kind: tenure.AuditIssued, Key: key.ID, Actor: "operator"}
	if err := s.PutCredential(t.Context(), key, issued); err != nil {
		t.Fatal(err)
	}
}

func quiet(transfer.Stats) {}

// isCopy checks that the second store answers as the first.
func isCopy(t *testing.T, from, to store.Archive) {
	t.Helper()
	found, err := transfer.Compare(t.Context(), from, to, tenant, quiet)
	if err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
	trail, err := from.Audit(t.Context(), tenant, store.AuditQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	copied, err := to.Audit(t.Context(), tenant, store.AuditQuery{Limit: 100})
	if diff := cmp.Diff(trail, copied); err != nil || diff != "" {
		t.Error("the audit trails", err, diff)
	}
	here, _ := from.Log(t.Context(), tenant, 0, 10_000)
	there, _ := to.Log(t.Context(), tenant, 0, 10_000)
	if diff := cmp.Diff(here, there); diff != "" {
		t.Errorf("the logs differ: %s", diff)
	}
}

// failing is a store whose Replay fails at the given call, before or after it has written.
type failing struct {
	store.Archive
	calls, at int
	after     bool
}

var errStop = errors.New("stopped")

func (f *failing) Replay(ctx context.Context, tenant string, list []store.Recorded) error {
	f.calls++
	if f.calls != f.at {
		return f.Archive.Replay(ctx, tenant, list)
	}
	if f.after {
		if err := f.Archive.Replay(ctx, tenant, list); err != nil {
			return err
		}
	}
	return errStop
}

// TestInterrupted checks that a copy goes on where it was interrupted, whether or not the last page was written.
func TestInterrupted(t *testing.T) {
	from := open(t)
	write(t, from, 120) // 360 entries: four pages
	for _, after := range []bool{false, true} {
		for at := 1; at <= 4; at++ {
			to := open(t)
			_, err := transfer.Tenant(t.Context(), from, &failing{Archive: to, at: at, after: after}, tenant, quiet)
			if !errors.Is(err, errStop) {
				t.Fatalf("page %d: %v", at, err)
			}
			sum, err := transfer.Tenant(t.Context(), from, to, tenant, quiet)
			done := at - 1
			if after {
				done++
			}
			if err != nil || sum.Entries != 360 || sum.Copied != tenure.Seq(360-min(100*done, 360)) {
				t.Errorf("page %d, written %v: %+v, %v", at, after, sum, err)
			}
			isCopy(t, from, to)
		}
	}
}

// TestCompilationsMoveOn checks that what was reported of a compilation, or erased, since a copy was made is so in the copy
// once it is brought up to date.
func TestCompilationsMoveOn(t *testing.T) {
	from, to := open(t), open(t)
	write(t, from, 1)
	kept := []tenure.Compilation{{ID: newID(), Body: []byte("a")}, {ID: newID(), Body: []byte("b")}, {ID: newID(), Body: []byte("c")}}
	report := func(s store.Archive, i, version int) {
		t.Helper()
		o := tenure.CompilationOutcome{Compilation: kept[i].ID, Version: version, Report: tenure.OutcomeReport{Retries: &version}}
		if err := s.PutOutcome(t.Context(), tenant, o, version-1); err != nil {
			t.Fatal(err)
		}
	}
	follow := func() error {
		_, err := transfer.Tenant(t.Context(), from, to, tenant, quiet)
		return err
	}
	for _, c := range kept {
		if err := from.PutCompilation(t.Context(), tenant, c); err != nil {
			t.Fatal(err)
		}
	}
	report(from, 0, 1)
	for _, happens := range []func(){
		func() {}, func() { report(from, 0, 2); report(from, 0, 3); report(from, 1, 1) },
		func() {
			erased := func(c tenure.Compilation) bool { return c.ID != kept[0].ID }
			if n, err := from.EraseCompilations(t.Context(), tenant, erased); err != nil || n != 3 {
				t.Fatal(n, err)
			}
		},
	} {
		happens()
		if err := follow(); err != nil {
			t.Fatal(err)
		}
		isCopy(t, from, to)
	}
	report(to, 0, 4)
	if err := follow(); tenure.CodeOf(err) != tenure.Conflicting {
		t.Errorf("a later outcome in the target: %v", err)
	}
	if found, err := transfer.Compare(t.Context(), from, to, tenant, quiet); err != nil || len(found) == 0 {
		t.Errorf("another outcome is no difference: %v", err)
	}
}

// TestFollows checks that what is written while a copy is made is copied too.
func TestFollows(t *testing.T) {
	from, to := open(t), open(t)
	write(t, from, 40)
	more := 3
	sum, err := transfer.Tenant(t.Context(), from, to, tenant, func(transfer.Stats) {
		if more--; more >= 0 {
			write(t, from, 40)
		}
	})
	if err != nil || sum.Entries < 240 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// TestRefused checks what a target may not have.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		have func(t *testing.T, to store.Archive)
		want string
	}{
		"another-log": {func(t *testing.T, to store.Archive) { write(t, to, 1) }, "which the source has not"},
		"more-log": {func(t *testing.T, to store.Archive) {
			_, err := to.Apply(t.Context(), tenant, 0, []tenure.ChangeSet{{ID: newID(), Changes: []tenure.Change{tenure.VocabularyPut{}}}})
			if err != nil {
				t.Fatal(err)
			}
		}, "1 entries that are not the first ones of the source"},
		"a-compilation": {func(t *testing.T, to store.Archive) {
			if err := to.PutCompilation(t.Context(), tenant, tenure.Compilation{ID: newID()}); err != nil {
				t.Fatal(err)
			}
		}, "the target keeps the compilation"},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := open(t), open(t)
			write(t, from, 1)
			c.have(t, to)
			_, err := transfer.Tenant(t.Context(), from, to, tenant, quiet)
			if tenure.CodeOf(err) != tenure.Conflicting || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestRevokedInTheTarget checks that a copy does not bring back a key that was revoked where it is copied to.
func TestRevokedInTheTarget(t *testing.T) {
	from, to := open(t), open(t)
	write(t, from, 1)
	if _, err := transfer.Tenant(t.Context(), from, to, tenant, quiet); err != nil {
		t.Fatal(err)
	}
	keys, err := to.Credentials(t.Context(), tenant)
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	keys[0].RevokedAt = 9
	if err := to.PutCredential(t.Context(), keys[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := transfer.Tenant(t.Context(), from, to, tenant, quiet); tenure.CodeOf(err) != tenure.Conflicting {
		t.Errorf("got %v", err)
	}
}

// altered is a store that tells another name of entities.
type altered struct{ store.Archive }

func (a altered) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	r, err := a.Archive.View(ctx, tenant, at)
	return alteredReader{r}, err
}

type alteredReader struct{ store.Reader }

func (r alteredReader) Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	list, err := r.Reader.Entities(ctx, ids)
	for i := range list {
		list[i].Name += "?"
	}
	return list, err
}

// TestCompare checks that a difference in what is told is found, and another compilation.
func TestCompare(t *testing.T) {
	from, to := open(t), open(t)
	write(t, from, 1)
	if _, err := transfer.Tenant(t.Context(), from, to, tenant, quiet); err != nil {
		t.Fatal(err)
	}
	isCopy(t, from, to)
	found, err := transfer.Compare(t.Context(), from, altered{to}, tenant, quiet)
	if err != nil || fmt.Sprint(found) != "[the entities differ in state 3]" {
		t.Errorf("%v, %v", found, err)
	}
}

// TestAliasAddedAgain checks that an alias which was added though it was there is the newest in the copy too.
func TestAliasAddedAgain(t *testing.T) {
	from, to := open(t), open(t)
	e := tenure.Entity{ID: newID(), Status: tenure.EntityCanonical}
	alias := func(name string) tenure.AliasAdded {
		return tenure.AliasAdded{Alias: tenure.Alias{Key: tenure.AliasKey{Kind: "name", Key: name}, Entity: e.ID, Mention: newID()}}
	}
	one, two, three := alias("one"), alias("two"), alias("three")
	var sets []tenure.ChangeSet
	for _, changes := range [][]tenure.Change{
		{tenure.EntityPut{Entity: e}, one, two}, {three, tenure.AliasClosed(three)}, {one}, {two, three}, {two},
	} {
		sets = append(sets, tenure.ChangeSet{ID: newID(), Changes: changes})
	}
	if _, err := from.Apply(t.Context(), tenant, 0, sets); err != nil {
		t.Fatal(err)
	}
	if _, err := transfer.Tenant(t.Context(), from, to, tenant, quiet); err != nil {
		t.Fatal(err)
	}
	isCopy(t, from, to)
	for seq := range tenure.Seq(5) {
		var told [2][]tenure.Alias
		for i, s := range []store.Store{from, to} {
			view, err := s.View(t.Context(), tenant, tenure.AsOf{Seq: seq + 1})
			if err != nil {
				t.Fatal(err)
			}
			if told[i], err = view.AliasesOf(t.Context(), []tenure.ID{e.ID}); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(told[0], told[1]); diff != "" {
			t.Errorf("state %d: %s", seq+1, diff)
		}
	}
}

// TestErasedAfterTheCopy checks that what is erased in the source after a copy was made is erased in the copy once it is
// brought up to date, in its file, too.
func TestErasedAfterTheCopy(t *testing.T) {
	from, file := open(t), filepath.Join(t.TempDir(), "copy.db")
	to, err := sqlite.Open(t.Context(), file, sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	e := tenure.Entity{ID: newID(), Status: tenure.EntityCanonical, Name: "Zimbrelle", Names: []string{"Zimbrelle"}}
	o := tenure.Observation{ID: newID(), Text: "Zimbrelle Quaggan was here"}
	m := tenure.Mention{ID: newID(), Observation: o.ID, Name: "Zimbrelle"}
	alias := func(kind, key string) tenure.Alias {
		return tenure.Alias{Key: tenure.AliasKey{Kind: kind, Key: key}, Spelling: key, Entity: e.ID, Mention: m.ID}
	}
	name, mail := alias(tenure.NameAlias, "zimbrelle"), alias("email", "zimbrelle@quaggan.example")
	unnamed := e
	unnamed.Name, unnamed.Names = "", nil
	seq := tenure.Seq(0)
	for _, changes := range [][]tenure.Change{
		{
			tenure.ObservationAdded{Observation: o}, tenure.MentionAdded{Mention: m}, tenure.EntityPut{Entity: e},
			tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: m.ID, Entity: e.ID}},
			tenure.AliasAdded{Alias: name}, tenure.AliasAdded{Alias: mail},
		},
		{
			tenure.AliasClosed{Alias: name}, tenure.AliasClosed{Alias: mail}, tenure.EntityPut{Entity: unnamed},
			tenure.ContentErased{Kind: tenure.ErasedMention, ID: m.ID, Entity: e.ID},
			tenure.ContentErased{Kind: tenure.ErasedObservation, ID: o.ID},
			tenure.ContentErased{Kind: tenure.ErasedEntity, ID: e.ID, Entity: e.ID},
		},
	} {
		set := tenure.ChangeSet{ID: newID(), Operation: "test", Actor: "test", Changes: changes}
		if _, err := from.Apply(t.Context(), tenant, seq, []tenure.ChangeSet{set}); err != nil {
			t.Fatal(err)
		}
		seq++
		if _, err := transfer.Tenant(t.Context(), from, to, tenant, quiet); err != nil {
			t.Fatal(err)
		}
		isCopy(t, from, to)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	bytes, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.ToLower(string(bytes)); strings.Contains(text, "zimbrelle") || strings.Contains(text, "quaggan") {
		t.Error("the file of the copy still has it")
	}
}
