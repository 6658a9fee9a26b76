package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tenure"
	"tenure/service"
	"tenure/store"
	"tenure/transfer"
	"tenure/verify"
)

type copyCmd struct {
	neo4jFlags
	From   string `required:"" placeholder:"STORE" env:"TENURE_FROM" help:"Store to copy from: sqlite:PATH, neo4j://HOST:7687 or bolt://HOST:7687. It is only read, but for its schema, which is brought up to date, and for the audit trail, which says that its keys were copied."`
	To     string `required:"" placeholder:"STORE" env:"TENURE_TO" help:"Store to copy to. Of a tenant that is copied it may have nothing but an earlier copy; other tenants are left alone."`
	Tenant string `placeholder:"TENANT" help:"Copy only this tenant. Default: all tenants."`
}

// Run copies tenants, compares the copies with the originals, and verifies them.
func (c *copyCmd) Run(w *world) error {
	if c.From == c.To {
		return errors.New("--from and --to are the same store")
	}
	from, err := c.open(w.ctx, c.From, w.now)
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	defer func() { _ = from.Close() }()
	to, err := c.open(w.ctx, c.To, w.now)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	defer func() { _ = to.Close() }()
	tenants, err := c.tenants(w.ctx, from)
	if err != nil {
		return err
	}
	var faults []error
	for _, tenant := range tenants {
		if err := copyTenant(w, from, to, tenant); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", tenant, err))
			if !errors.Is(err, errFaulty) {
				break
			}
		}
	}
	return errors.Join(faults...)
}

// tenants lists those of the source that wrote or have a key, or the one that the flag names.
func (c *copyCmd) tenants(ctx context.Context, from store.Archive) ([]string, error) {
	names, err := from.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := from.Credentials(ctx, "")
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		names = append(names, k.Tenant)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if c.Tenant == "" {
		return names, nil
	}
	if !slices.Contains(names, c.Tenant) {
		return nil, tenure.Errorf(tenure.NotFound, "%s has no tenant %q", c.From, c.Tenant)
	}
	return []string{c.Tenant}, nil
}

// errFaulty says that a tenant was copied and has faults, which were printed.
var errFaulty = errors.New("the copy was made and")

// copyTenant copies one tenant, compares it with the original, and verifies it.
func copyTenant(w *world, from, to store.Archive, tenant string) error {
	// before, so that no hash leaves the store without a trace
	if err := keysOf(w, from).Exported(w.ctx, service.Operator(tenant, operator)); err != nil {
		return err
	}
	sum, err := transfer.Tenant(w.ctx, from, to, tenant, copyProgress(w, tenant, "copied"))
	if err != nil {
		return err
	}
	differences, err := transfer.Compare(w.ctx, from, to, tenant, copyProgress(w, tenant, "compared"))
	if err != nil {
		return err
	}
	report, err := verify.Tenant(w.ctx, to, tenant)
	if err != nil {
		return err
	}
	for _, f := range slices.Concat(differences, report.Findings) {
		fmt.Fprintf(w.out, "%s: %s\n", tenant, f)
	}
	fmt.Fprintf(w.out, "%s: %d entries (%d copied now), API keys: %d, compilations: %d, %d differences, %d findings\n",
		tenant, sum.Entries, sum.Copied, sum.Credentials, sum.Compilations, len(differences), len(report.Findings))
	switch {
	case len(differences) > 0:
		return fmt.Errorf("%w is not the same as the original", errFaulty)
	case len(report.Findings) > 0:
		return fmt.Errorf("%w is the same as the original, but does not agree with itself", errFaulty)
	}
	return nil
}

// copyProgress returns a function that tells every ten seconds how far a tenant is.
func copyProgress(w *world, tenant, done string) func(transfer.Stats) {
	const pause = 10 * time.Second
	began := w.now()
	last, first := began, tenure.Seq(-1)
	return func(s transfer.Stats) {
		if first < 0 {
			first = s.Entries
		}
		now := w.now()
		if now.Sub(last) < pause {
			return
		}
		last = now
		fmt.Fprintf(w.errOut, "%s: %d of %d entries %s, %.0f a second\n", tenant, s.Entries, s.Of, done,
			float64(s.Entries-first)/now.Sub(began).Seconds())
	}
}
