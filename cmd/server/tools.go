package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"tenure"
	"tenure/amend"
	"tenure/service/bulk"
	"tenure/store"
	"tenure/verify"
)

type migrateCmd struct{ storeFlags }

// Run migrates the schema, which opening the store does, and judges what is believed by the vocabulary and the rules
// of this program. It prints what changed.
func (c *migrateCmd) Run(w *world) error {
	return c.with(w, func(s store.Store) error {
		fmt.Fprintln(w.errOut, "the schema is up to date")
		tenants, err := tenantsOf(w.ctx, s)
		if err != nil {
			return err
		}
		for _, tenant := range tenants {
			stats, err := bulk.Rejudge(w.ctx, s, bulk.RejudgeConfig{
				Tenant: tenant, Now: w.now, Found: func(a amend.RejudgeAnswer) error { return reportRejudged(w.out, tenant, a) },
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(w.out, "%s: %d slots judged; %d claims have another predicate, %d beliefs stand again, %d no longer\n",
				tenant, stats.Slots, stats.Moved, stats.Restored, stats.Displaced)
		}
		return nil
	})
}

// reportRejudged prints a line for each belief that changed.
func reportRejudged(out io.Writer, tenant string, a amend.RejudgeAnswer) error {
	for _, change := range []struct {
		what string
		ids  []tenure.ID
	}{{"has another predicate", a.Moved}, {"stands again", a.Restored}, {"no longer stands", a.Displaced}} {
		for _, id := range change.ids {
			if _, err := fmt.Fprintf(out, "%s: belief %s %s\n", tenant, id, change.what); err != nil {
				return err
			}
		}
	}
	return nil
}

type verifyCmd struct {
	storeFlags
	Tenant string `placeholder:"TENANT" help:"Check only this tenant. Default: all tenants."`
}

// Run checks the store and returns an error if it found a fault.
func (c *verifyCmd) Run(w *world) error {
	s, err := c.open(w.ctx, w.now)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	tenants, err := c.tenants(w.ctx, s)
	if err != nil {
		return err
	}
	found := 0
	if engine, ok := s.(interface{ Integrity(context.Context) error }); ok {
		if err := engine.Integrity(w.ctx); err != nil {
			found++
			fmt.Fprintln(w.out, "engine:", message(err))
		}
	}
	for _, tenant := range tenants {
		report, err := verify.Tenant(w.ctx, s, tenant)
		if err != nil {
			return err
		}
		for _, f := range report.Findings {
			fmt.Fprintf(w.out, "%s: %s\n", tenant, f)
		}
		fmt.Fprintf(w.out, "%s: %d entries, %d attested, %d slots, %d findings\n", tenant,
			report.Entries, report.Attested, report.Slots, len(report.Findings))
		found += len(report.Findings)
	}
	if found > 0 {
		return errors.New("the store does not agree with itself")
	}
	return nil
}

func (c *verifyCmd) tenants(ctx context.Context, s store.Store) ([]string, error) {
	if c.Tenant != "" {
		return []string{c.Tenant}, nil
	}
	return tenantsOf(ctx, s)
}

// tenantsOf lists the tenants that have a key.
func tenantsOf(ctx context.Context, s store.Store) ([]string, error) {
	list, err := s.Credentials(ctx, "")
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	for _, k := range list {
		if !seen[k.Tenant] {
			seen[k.Tenant] = true
			names = append(names, k.Tenant)
		}
	}
	return names, nil
}
