package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"
)

// quiet is what came of the requests of the quiet tenant: the p99 of its writes and of its reads, and how many of both
// were not answered well.
type quiet struct {
	Writes, Reads time.Duration
	Lost          int
}

// quietEvery is the pause between the writes of the quiet tenant, and between its reads.
const quietEvery = 100 * time.Millisecond

// quietTenant asks for little: some writes a second, and as many reads. Its client is a process of its own, since one
// that it shares with thousands of requests of another tenant would have it wait for its own side.
type quietTenant struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

// startQuietTenant starts the process, which asks with a key.
func startQuietTenant(ctx context.Context, url, key string) (*quietTenant, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	t := &quietTenant{process: exec.CommandContext(ctx, self, "quiet", url)} //nolint:gosec // this program itself
	t.process.Env = append(os.Environ(), "TENURE_KEY="+key)
	t.process.Stderr = os.Stderr
	if t.in, err = t.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := t.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.out = bufio.NewScanner(out)
	return t, t.process.Start()
}

// offer sends the requests that are due within a time.
func (t *quietTenant) offer(within time.Duration) (q quiet, err error) {
	if _, err = fmt.Fprintln(t.in, within); err != nil {
		return quiet{}, err
	}
	if !t.out.Scan() {
		return quiet{}, errors.Join(errors.New("the quiet tenant ended"), t.out.Err())
	}
	err = json.Unmarshal(t.out.Bytes(), &q)
	return q, err
}

// stop ends the process.
func (t *quietTenant) stop() error {
	return errors.Join(t.in.Close(), t.process.Wait())
}

// beQuiet is the process of a quiet tenant: for each line of input, which is a duration, it sends the requests of that
// time and prints what came of them.
func beQuiet(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("quiet: wants the address of a server")
	}
	c, err := newClient(args[0], os.Getenv("TENURE_KEY"))
	if err != nil {
		return err
	}
	written, read, err := quietSenders(ctx, c)
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		within, err := time.ParseDuration(lines.Text())
		if err != nil {
			return err
		}
		var of, by endings
		var both sync.WaitGroup
		both.Go(func() { of = written.offer(ctx, 1/quietEvery.Seconds(), within) })
		both.Go(func() { by = read.offer(ctx, 1/quietEvery.Seconds(), within) })
		both.Wait()
		if err := json.NewEncoder(os.Stdout).Encode(quietOf(of, by)); err != nil {
			return err
		}
	}
	return nil
}

// quietSenders returns what sends the writes of the quiet tenant and its reads, when what these are about is written.
func quietSenders(ctx context.Context, c *client) (written, read *sender, err error) {
	const name = "Petra Lindqvist"
	var entity string
	for i, city := range cities {
		if entity, _, err = c.observe(ctx, said(i, name, fmt.Sprintf("place_%02d", i), city, started)); err != nil {
			return nil, nil, err
		}
	}
	ask := func(ctx context.Context, i int) error {
		if i%2 == 0 {
			_, err := c.Send(ctx, http.MethodGet, "/v1/beliefs?entity_id="+entity, nil)
			return err
		}
		_, err := c.Send(ctx, http.MethodPost, "/v1/recall",
			encode(obj{"query": fmt.Sprintf("Where in %s was %s?", cities[i%len(cities)], name)}))
		return err
	}
	const outstanding = 1000
	return &sender{send: writes(c, "Q"), outstanding: outstanding}, &sender{send: ask, outstanding: outstanding}, nil
}

func quietOf(written, read endings) quiet {
	return quiet{
		Writes: written.quantile(.99), Reads: read.quantile(.99),
		Lost: len(written) + len(read) - written.share().good - read.share().good,
	}
}
