package main

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"tenure"
	"tenure/httpapi/wire"
	"tenure/service"
	"tenure/store"
)

type keysCmd struct {
	Create keysCreateCmd `cmd:"" help:"Create a key and print it on standard output. It cannot be printed again."`
	List   keysListCmd   `cmd:"" help:"List the keys, without their secrets."`
	Rotate keysRotateCmd `cmd:"" help:"Replace a key with a new one that may do the same, and print that. The old one expires after the overlap."`
	Revoke keysRevokeCmd `cmd:"" help:"Revoke a key. Running servers refuse it within five seconds."`
	Audit  keysAuditCmd  `cmd:"" help:"List what happened to the keys of a tenant, the newest first."`
}

type keysCreateCmd struct {
	storeFlags
	Tenant       string   `required:"" placeholder:"TENANT" help:"Tenant that the key belongs to. A new name creates the tenant."`
	Roles        []string `required:"" sep:"," placeholder:"ROLE" help:"Roles of the holder, separated by commas: agent, reviewer, resolver, analyst, admin."`
	Label        string   `placeholder:"TEXT" help:"What the key is for, as a note in the list."`
	Clearance    string   `default:"restricted" enum:"public,restricted,confidential,highly_restricted" help:"Highest classification that the holder may see: public, restricted, confidential or highly_restricted."`
	MaxAuthority *int     `placeholder:"LEVEL" help:"Strongest authority level that the holder may state, 0 (strongest) to 4. Default: 2."`
	Role         string   `placeholder:"ROLE" help:"Role in which the holder speaks where a source names none, such as manager. See docs/roles.md."`
	ActFor       bool     `help:"Let the holder compile for other people, by stating their identity and roles."`
	User         string   `placeholder:"ID" help:"Bind the key to this user id."`
	Project      string   `placeholder:"ID" help:"Bind the key to this project id."`
	expiryFlag
}

// expiryFlag says when a key that is issued expires.
type expiryFlag struct {
	ExpiresAt *time.Time `placeholder:"TIME" help:"When the key expires, RFC 3339 with a zone. Default: never; in keys rotate, as long from now as the old key was to live."`
}

// instant returns when the key expires, 0 for what the flag leaves open.
func (f expiryFlag) instant() tenure.Instant {
	if f.ExpiresAt == nil {
		return 0
	}
	return max(1, tenure.At(*f.ExpiresAt))
}

// Run creates the key.
func (c *keysCreateCmd) Run(w *world) error {
	r := service.KeyRequest{
		Label: c.Label, Clearance: tenure.Classification(c.Clearance), ActFor: c.ActFor,
		Bound: tenure.Scope{UserID: c.User, ProjectID: c.Project}, MaxAuthority: c.MaxAuthority,
		Role: c.Role, ExpiresAt: c.instant(),
	}
	for _, role := range c.Roles {
		r.Roles = append(r.Roles, tenure.Role(strings.TrimSpace(role)))
	}
	return c.with(w, func(s store.Store) error {
		issued, err := keysOf(w, s).CreateKey(w.ctx, service.Operator(c.Tenant, operator), r)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(w.out, issued.Key)
		return err
	})
}

// operator is the actor recorded for the commands.
const operator = "operator"

func keysOf(w *world, s store.Store) *service.Keys { return service.NewKeys(s, w.now, rand.Reader) }

type keysListCmd struct {
	storeFlags
	Tenant string `placeholder:"TENANT" help:"Only the keys of this tenant. Default: all keys."`
}

// Run lists the keys.
func (c *keysListCmd) Run(w *world) error {
	var list []tenure.Credential
	err := c.with(w, func(s store.Store) (err error) {
		list, err = keysOf(w, s).Credentials(w.ctx, c.Tenant)
		return err
	})
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tTENANT\tROLES\tCLEARANCE\tAUTHORITY\tROLE\tCREATED\tBY\tUSED\tEXPIRES\tREVOKED\tLABEL")
	for _, k := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Tenant, roles(k), k.Clearance,
			k.MaxAuthority, cmp.Or(k.Role, "-"), k.CreatedAt, cmp.Or(k.CreatedBy, "-"), orNone(k.LastUsedAt),
			orNone(k.ExpiresAt), orNone(k.RevokedAt), k.Label)
	}
	return t.Flush()
}

// orNone returns the text of an instant, "-" for none.
func orNone(i tenure.Instant) string {
	if i == 0 {
		return "-"
	}
	return i.String()
}

func roles(c tenure.Credential) string {
	var names []string
	for _, r := range c.Roles {
		names = append(names, string(r))
	}
	return strings.Join(names, ",")
}

type keysRevokeCmd struct {
	storeFlags
	ID string `arg:"" help:"Id of the key, as shown by \"keys list\"."`
}

// Run revokes the key.
func (c *keysRevokeCmd) Run(w *world) error {
	return c.with(w, func(s store.Store) error {
		k, err := s.Credential(w.ctx, tenure.ID(c.ID))
		if err != nil {
			return err
		}
		return keysOf(w, s).RevokeKey(w.ctx, service.Operator(k.Tenant, operator), k.ID)
	})
}

type keysRotateCmd struct {
	storeFlags
	ID      string        `arg:"" help:"Id of the key, as shown by \"keys list\"."`
	Overlap time.Duration `default:"24h" help:"How long the old key stays valid beside the new one; 0s for not at all."`
	expiryFlag
}

// Run replaces the key.
func (c *keysRotateCmd) Run(w *world) error {
	if c.Overlap < 0 {
		return errors.New("--overlap is less than 0")
	}
	return c.with(w, func(s store.Store) error {
		k, err := s.Credential(w.ctx, tenure.ID(c.ID))
		if err != nil {
			return err
		}
		rotated, err := keysOf(w, s).RotateKey(w.ctx, service.Operator(k.Tenant, operator), k.ID,
			service.Rotation{Overlap: &c.Overlap, ExpiresAt: c.instant()})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(w.out, rotated.Key)
		return err
	})
}

type keysAuditCmd struct {
	storeFlags
	Tenant string `required:"" placeholder:"TENANT" help:"Tenant whose keys these are."`
}

// auditAtOnce is the number of events that are read together.
const auditAtOnce = 500

// Run lists the events, a JSON object a line.
func (c *keysAuditCmd) Run(w *world) error {
	return c.with(w, func(s store.Store) error {
		lines := json.NewEncoder(w.out)
		for before := tenure.ID(""); ; {
			events, err := s.Audit(w.ctx, c.Tenant, store.AuditQuery{Before: before, Limit: auditAtOnce})
			if err != nil || len(events) == 0 {
				return err
			}
			for _, e := range events {
				if err := lines.Encode(wire.AuditEvent(e)); err != nil {
					return err
				}
			}
			before = events[len(events)-1].ID
		}
	})
}
