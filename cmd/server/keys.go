package main

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"strings"
	"text/tabwriter"

	"tenure"
	"tenure/service"
	"tenure/store"
)

type keysCmd struct {
	Create keysCreateCmd `cmd:"" help:"Create a key and print it on standard output. It cannot be printed again."`
	List   keysListCmd   `cmd:"" help:"List the keys, without their secrets."`
	Revoke keysRevokeCmd `cmd:"" help:"Revoke a key. Running servers refuse it within five seconds."`
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
}

// Run creates the key.
func (c *keysCreateCmd) Run(w *world) error {
	r := service.KeyRequest{
		Label: c.Label, Clearance: tenure.Classification(c.Clearance), ActFor: c.ActFor,
		Bound: tenure.Scope{UserID: c.User, ProjectID: c.Project}, MaxAuthority: c.MaxAuthority,
		Role: c.Role,
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
	fmt.Fprintln(t, "ID\tTENANT\tROLES\tCLEARANCE\tAUTHORITY\tROLE\tCREATED\tREVOKED\tLABEL")
	for _, k := range list {
		revoked := "-"
		if k.RevokedAt != 0 {
			revoked = k.RevokedAt.String()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n", k.ID, k.Tenant, roles(k), k.Clearance, k.MaxAuthority,
			cmp.Or(k.Role, "-"), k.CreatedAt, revoked, k.Label)
	}
	return t.Flush()
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
	return c.with(w, func(s store.Store) error { return keysOf(w, s).Revoke(w.ctx, tenure.ID(c.ID)) })
}
