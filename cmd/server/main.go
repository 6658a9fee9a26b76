// Command server is Tenure: the service, and the tools to run it.
//
//	server serve           --store sqlite:PATH | neo4j://HOST:7687
//	server demo            a server with a story in it, on this machine only
//	server keys            create, list and revoke API keys
//	server import          import rows of a system of record
//	server scan-duplicates scan for missed duplicates and open reviews
//	server reindex         rebuild the index of names
//	server model           fit the scores to decisions of people
//	server migrate         bring a store's schema up to date
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
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"tenure"
)

// cli is the command line.
type cli struct {
	Serve          serveCmd          `cmd:"" help:"Serve the API over a store."`
	Demo           demoCmd           `cmd:"" help:"Serve a small story from a temporary folder, on the loopback address, and show how to ask about it."`
	Keys           keysCmd           `cmd:"" help:"Create, list and revoke API keys. Works beside a running server."`
	Import         importCmd         `cmd:"" help:"Import rows of a system of record, and write which entity each of them means. Can be repeated; one that was interrupted goes on where it stopped."`
	ScanDuplicates scanDuplicatesCmd `cmd:"" help:"Scan every entity for duplicates, and open reviews of entities that may be the same. Merges nothing. One that was interrupted goes on where it stopped."`
	Reindex        reindexCmd        `cmd:"" help:"Build the index of names anew from the log. Works beside a running server, which goes over to it."`
	Model          modelCmd          `cmd:"" help:"Fit the model of entity resolution to a tenant."`
	Migrate        migrateCmd        `cmd:"" help:"Bring a store's schema up to date. Serve does it too."`
	Verify         verifyCmd         `cmd:"" help:"Check that a store's log has no gap and that every standing is what its evidence says."`
	Version        versionCmd        `cmd:"" help:"Print the version and revision of the program, its Go, and the schema of each engine."`
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
		kong.Description("Tenure works out who each statement is about, keeps what is believed and since when, and compiles what a model may see."),
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
	for _, f := range e.Fields {
		text += "; " + f.Pointer + " " + f.Reason
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}
