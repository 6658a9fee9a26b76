package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"tenure"
	"tenure/chatlog"
	"tenure/service"
	"tenure/service/bulk"
	"tenure/store/sqlite"
	"tenure/transfer"
)

type importChatCmd struct {
	storeFlags
	indexFlag
	modelFlag
	statementsFlags
	extractorFlags
	File      string `arg:"" type:"existingfile" help:"File of the chats. A line of JSON lines has \"at\" (a time of RFC 3339), \"speaker\" and \"text\", and may have \"id\", \"thread\", \"addressee\" and \"role\"."`
	Format    string `default:"auto" enum:"auto,jsonl,chatgpt,claude" help:"Format of the file: jsonl, chatgpt or claude (the conversations.json of an export); auto finds it out."`
	Tenant    string `required:"" placeholder:"TENANT" help:"Tenant to import into. It must have a key."`
	User      string `placeholder:"NAME" help:"Name of the person who speaks where the file says only that it is the user. An export needs it."`
	UserID    string `name:"user-id" placeholder:"ID" help:"Keep what is said private to this user. Default: it is everybody's in the tenant."`
	ProjectID string `name:"project-id" placeholder:"ID" help:"Keep what is said within this project."`
	DryRun    bool   `help:"Import into a temporary copy of the tenant, print the same, and write nothing to the store."`
	Output    string `short:"o" default:"-" placeholder:"FILE" help:"File for what became of each message, with its statements, one JSON object per line. Default: standard output, which is also -."`
}

// Run imports the chats of a file, and says what became of each message and what they changed.
func (c *importChatCmd) Run(w *world) (err error) {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	o, end, err := c.open(w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	model, err := c.load()
	if err != nil {
		return err
	}
	svc, stop, err := o.reading(w, model, c.statementsFlags, c.extractorFlags)
	if err != nil {
		return err
	}
	defer stop()
	out, written, err := create(w, c.Output)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, written()) }()
	defer lendMemory()()
	return c.chats(w, file, o, svc, out)
}

// open opens the store, or a temporary copy of the tenant.
func (c *importChatCmd) open(w *world) (o *opened, end func() error, err error) {
	if !c.DryRun {
		if o, err = openTenant(w, c.storeFlags, c.indexFlag, c.Tenant); err != nil {
			return nil, nil, err
		}
		return o, func() error { o.close(); return nil }, nil
	}
	dir, err := os.MkdirTemp("", "tenure-dry-run-")
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, "copy.db")
	if err = c.copy(w, path); err == nil {
		o, err = openTenant(w, storeFlags{Store: sqlitePrefix + path}, indexFlag{}, c.Tenant)
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return o, func() error { o.close(); return os.RemoveAll(dir) }, nil
}

// copy copies the tenant to a new SQLite file.
func (c *importChatCmd) copy(w *world, path string) (err error) {
	from, err := c.neo4jFlags.open(w.ctx, c.Store, w.now)
	if err != nil {
		return fmt.Errorf("--store: %w", err)
	}
	defer func() { _ = from.Close() }()
	if err := hasTenant(w.ctx, from, c.Tenant); err != nil {
		return err
	}
	to, err := sqlite.Open(w.ctx, path, sqlite.Config{Now: w.now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	_, err = transfer.Tenant(w.ctx, from, to, c.Tenant, copyProgress(w, c.Tenant, "copied"))
	return err
}

// notices bounds the messages that are named for people: the output has all of them.
const notices = 20

// chats imports the chats of an opened file.
func (c *importChatCmd) chats(w *world, file *os.File, o *opened, svc *service.Service, out *bufio.Writer) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	p := newProgress(w, 0)
	told := 0
	importer := bulk.NewChatImporter(o.store, svc, bulk.ChatConfig{
		Caller: tenure.Caller{Tenant: c.Tenant, Actor: "import", Clearance: tenure.HighlyRestricted},
		Scope:  tenure.Scope{UserID: c.UserID, ProjectID: c.ProjectID},
		Told: func(t bulk.ImportedTurn) error {
			if notice := noticeOf(t); notice != "" {
				if told++; told <= notices {
					p.clear()
					fmt.Fprintf(w.errOut, "%s: %s: %s\n", c.File, t.Place, notice)
				}
			}
			return writeLine(out, t)
		},
		Progress: func(sum bulk.ImportedChats) {
			p.line(func() string { return fmt.Sprintf("%d of %d messages: %s", sum.Turns, p.total, outcomes(sum)) })
		},
	})
	name := filepath.Base(c.File)
	log, err := chatlog.Open(file, info.Size(), chatlog.Config{
		Format: chatlog.Format(strings.TrimPrefix(c.Format, "auto")), User: c.User,
		Thread: strings.TrimSuffix(name, filepath.Ext(name)),
	}, importer.Refuse)
	if errors.Is(err, chatlog.ErrNoUser) {
		err = fmt.Errorf("%w: do it with --user", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	p.total = log.Turns
	sum, err := importer.Import(w.ctx, log)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	p.clear()
	if told > notices {
		fmt.Fprintf(w.errOut, "and %d more such messages (the output has them)\n", told-notices)
	}
	if c.DryRun {
		fmt.Fprintln(w.errOut, "dry run: nothing was written to the store. On a copy of it:")
	}
	return p.endChats(sum)
}

// noticeOf returns what an operator is told of a message, "" for nothing.
func noticeOf(t bulk.ImportedTurn) string {
	switch {
	case t.Outcome == bulk.TurnRefused:
		return t.Reason
	case t.Late:
		return "is older than a message of its conversation that came before it; it counts for its time"
	}
	return ""
}

// endChats prints the final counts of an import of chats. It returns an error if messages were refused.
func (p *progress) endChats(sum bulk.ImportedChats) error {
	fmt.Fprintf(p.w.errOut, "%d conversations, %d messages: %s\n", sum.Conversations, sum.Turns, outcomes(sum))
	if sum.Late > 0 {
		fmt.Fprintf(p.w.errOut, "%d came after newer ones of their conversation\n", sum.Late)
	}
	if sum.NotRead+sum.Cut > 0 {
		fmt.Fprintf(p.w.errOut, "written, but not read for statements: %d; read only in part: %d\n", sum.NotRead, sum.Cut)
	}
	if err := p.statements(sum); err != nil {
		return err
	}
	fmt.Fprintf(p.w.errOut, "beliefs: %s\n", sum.Changed())
	fmt.Fprintf(p.w.errOut, "looked at again: %d entities merged into others, %d asked about\n", sum.Later.Merged,
		sum.Later.Opened)
	fmt.Fprintf(p.w.errOut, "in %s, %.0f messages/s\n", p.w.now().Sub(p.began).Round(time.Second/10), p.rate(sum.Turns))
	if sum.Refused > 0 {
		return fmt.Errorf("%d messages were refused, the others are imported", sum.Refused)
	}
	return nil
}

// statements prints a table of what the statements of an import did.
func (p *progress) statements(sum bulk.ImportedChats) error {
	if len(sum.Statements) == 0 {
		fmt.Fprintln(p.w.errOut, "statements: none")
		return nil
	}
	kinds := slices.SortedFunc(maps.Keys(sum.Statements), func(a, b bulk.StatementKind) int {
		return cmp.Or(cmp.Compare(a.Act, b.Act), cmp.Compare(a.Effect, b.Effect))
	})
	t := tabwriter.NewWriter(p.w.errOut, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "ACT\tEFFECT\tSTATEMENTS")
	for _, k := range kinds {
		fmt.Fprintf(t, "%s\t%s\t%d\n", k.Act, k.Effect, sum.Statements[k])
	}
	return t.Flush()
}

// outcomes counts what became of messages.
func outcomes(sum bulk.ImportedChats) string {
	text := fmt.Sprintf("%d written, %d replayed, %d refused, %d left out", sum.Written, sum.Replayed, sum.Refused,
		sum.LeftOut)
	var reasons []string
	for _, reason := range slices.Sorted(maps.Keys(sum.Reasons)) {
		reasons = append(reasons, fmt.Sprintf("%d %s", sum.Reasons[reason], reason))
	}
	if len(reasons) > 0 {
		text += " (" + strings.Join(reasons, ", ") + ")"
	}
	return text
}
