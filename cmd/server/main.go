// Command server is Tenure: the service, and the tools to run it.
//
//	server serve           --store sqlite:PATH | neo4j://HOST:7687
//	server demo            a server with a story in it, on this machine only
//	server keys            create, list and revoke API keys
//	server import          import rows of a system of record
//	server import-chat     import the messages of chats
//	server reextract       read old texts again
//	server scan-duplicates scan for missed duplicates and open reviews
//	server reindex         rebuild the index of names
//	server model           fit the scores to decisions of people
//	server migrate         bring a store up to date
//	server copy            copy tenants from one store to another
//	server verify          check a store against itself
//	server version         print the build and the schema versions
//
// Every flag has an environment variable, which --help names.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"tenure"
)

// cli is the command line.
type cli struct {
	Serve          serveCmd          `cmd:"" help:"Serve the HTTP API over a store, until interrupted."`
	Demo           demoCmd           `cmd:"" help:"Try it out: serve example data on this machine, from a temporary folder or a Neo4j, and show calls with their answers."`
	Keys           keysCmd           `cmd:"" help:"Create, list and revoke API keys. A server may be running on the same store."`
	Import         importCmd         `cmd:"" help:"Import rows of a system of record, and print which entity each row means. A row that is imported again replaces what it said before. An interrupted import continues where it stopped when it is run again."`
	ImportChat     importChatCmd     `cmd:"" help:"Import the messages of chats, read what they say, and print what became of each: of JSON lines, or of an export of ChatGPT or Claude (its conversations.json). A message that is there is passed over: an import can be repeated, also of a file that has gone on, and an interrupted one continues. A message that cannot be imported is named with its place and its reason, the others are imported, and the exit status is 1."`
	Reextract      reextractCmd      `cmd:"" help:"Read old texts again by the present extractor, and print which of them it reads otherwise; with --apply, write these readings as new evidence beside the old one. Reads texts, too, that nobody could read when they came. It can be repeated, and an interrupted run continues where it stopped when it is run again."`
	ScanDuplicates scanDuplicatesCmd `cmd:"" help:"Scan every entity for duplicates, and open reviews of entities that may be the same. Merges nothing. An interrupted scan continues where it stopped when it is run again."`
	Reindex        reindexCmd        `cmd:"" help:"Rebuild the index of names from the log. A running server switches to the new index."`
	Model          modelCmd          `cmd:"" help:"Fit the scoring model of entity resolution to a tenant's data."`
	Migrate        migrateCmd        `cmd:"" help:"Bring a store up to date: its schema, as every command that opens the store does, and what is believed, which is judged by the vocabulary and the rules of this program. Prints what changed. An interrupted migration is run again."`
	Copy           copyCmd           `cmd:"" help:"Copy tenants from one store to another, of the same engine or the other one: log, API keys and compilations, with their numbers, ids and times. Compares and verifies the copy at the end. An interrupted copy continues where it stopped when it is run again. The source may be served meanwhile; what is written to it after the copy is brought by running it again."`
	Verify         verifyCmd         `cmd:"" help:"Check a store: the log has no gaps, its hashes match, and every standing follows from the evidence. Exits with 1 if a check fails."`
	Version        versionCmd        `cmd:"" help:"Print the version and revision of the program, the Go version that built it, and the schema version of each storage engine."`
}

// world is the environment of the commands.
type world struct {
	ctx    context.Context
	out    io.Writer
	errOut io.Writer
	now    func() time.Time
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "server:", message(err))
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c cli
	parser := kong.Parse(&c,
		kong.Name("server"),
		kong.Description("Tenure resolves who each statement is about, keeps what is believed and since when, and compiles what a model may see. Begin with \"server demo\". Each flag can also be given by the environment variable named in its help."),
		kong.DefaultEnvars("TENURE"),
		kong.UsageOnError(),
	)
	return parser.Run(&world{ctx: ctx, out: os.Stdout, errOut: os.Stderr, now: time.Now})
}

// message formats an error for the operator, who, unlike a caller of the API, may see the cause.
func message(err error) string {
	var e *tenure.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	text := e.Message
	if about, ok := strings.CutSuffix(err.Error(), e.Error()); ok {
		text = about + text
	}
	for _, f := range e.Fields {
		text += "; " + f.Pointer + " " + f.Reason
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}
