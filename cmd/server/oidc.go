package main

import (
	"errors"
	"fmt"

	"tenure/auth"
	"tenure/auth/oidc"
	"tenure/service"
)

// oidcFlags say whose tokens are taken beside keys, and what their claims mean.
type oidcFlags struct {
	OIDCIssuer    string `name:"oidc-issuer" placeholder:"URL" env:"TENURE_OIDC_ISSUER" help:"OpenID Connect issuer whose tokens are taken beside keys; https, except on this machine. See docs/operations.md."`
	OIDCAudience  string `name:"oidc-audience" placeholder:"NAME" env:"TENURE_OIDC_AUDIENCE" help:"Audience that a token has to be for."`
	OIDCTenant    string `name:"oidc-tenant-claim" default:"tenant" placeholder:"CLAIM" env:"TENURE_OIDC_TENANT_CLAIM" help:"Claim with the tenant of the holder: a name, or a JSON pointer such as /app/tenant."`
	OIDCRoles     string `name:"oidc-roles-claim" default:"roles" placeholder:"CLAIM" env:"TENURE_OIDC_ROLES_CLAIM" help:"Claim with the roles of the holder, a list or a text with spaces between. Roles of other programs are passed over."`
	OIDCClearance string `name:"oidc-clearance-claim" default:"clearance" placeholder:"CLAIM" env:"TENURE_OIDC_CLEARANCE_CLAIM" help:"Claim with the highest classification that the holder may see. A token without it is for restricted."`
	OIDCUser      string `name:"oidc-user-claim" default:"sub" placeholder:"CLAIM" env:"TENURE_OIDC_USER_CLAIM" help:"Claim with the user id to which the holder is bound; none to bind nobody."`
}

// configure has the tokens of the configured issuer taken. Nothing is configured where there is none.
func (f oidcFlags) configure(w *world, cfg *service.Config) error {
	if f.OIDCIssuer == "" {
		if f.OIDCAudience != "" {
			return errors.New("--oidc-audience needs --oidc-issuer")
		}
		return nil
	}
	if f.OIDCAudience == "" {
		return errors.New("--oidc-issuer needs --oidc-audience")
	}
	v, err := oidc.New(w.ctx, oidc.Config{
		Issuer: f.OIDCIssuer, Audience: f.OIDCAudience, TenantClaim: f.OIDCTenant, RolesClaim: f.OIDCRoles,
		ClearanceClaim: f.OIDCClearance, UserClaim: f.OIDCUser, Now: w.now, Logger: cfg.Logger,
	})
	if err != nil {
		return fmt.Errorf("--oidc-issuer: %w", err)
	}
	cfg.Tokens = v
	return nil
}

var _ auth.TokenVerifier = (*oidc.Verifier)(nil)
