package main

import (
	"context"
	"errors"
	"fmt"

	"tenure/store"
	"tenure/verify"
)

type migrateCmd struct{ storeFlags }

// Run migrates the schema, which opening the store does.
func (c *migrateCmd) Run(w *world) error {
	s, err := c.open(w.ctx, w.now)
	if err != nil {
		return err
	}
	fmt.Fprintln(w.errOut, "the schema is up to date")
	return s.Close()
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
		fmt.Fprintf(w.out, "%s: %d entries, %d slots, %d findings\n", tenant, report.Entries, report.Slots,
			len(report.Findings))
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
