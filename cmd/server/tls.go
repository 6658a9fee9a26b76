package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// tlsFlags are the certificate of the server, if it speaks TLS.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" placeholder:"FILE" env:"TENURE_TLS_CERT" help:"File with the certificate of the server and those between it and a root, PEM. With it the server speaks HTTPS alone, TLS 1.2 or newer. It is read again when it changes."`
	TLSKey  string `name:"tls-key" placeholder:"FILE" env:"TENURE_TLS_KEY" help:"File with the private key of the certificate, PEM."`
}

// serverTLS returns how the server speaks TLS, nil for not at all.
func (f tlsFlags) serverTLS(now func() time.Time, logger *slog.Logger) (*tls.Config, error) {
	switch {
	case f.TLSCert == "" && f.TLSKey == "":
		return nil, nil // nil is none
	case f.TLSCert == "" || f.TLSKey == "":
		return nil, errors.New("--tls-cert and --tls-key go together")
	}
	p := &keyPair{certFile: f.TLSCert, keyFile: f.TLSKey, now: now, logger: logger}
	if err := p.load(); err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: p.certificate}, nil
}

// keyPair is a certificate with its key, which are read again from their files: at most once a second, when a client
// connects.
type keyPair struct {
	certFile, keyFile string
	now               func() time.Time
	logger            *slog.Logger

	mu      sync.Mutex
	read    time.Time
	cert    []byte // the contents of the files of which the pair was made
	key     []byte
	fault   string // why the files could not be used last, "" if they could
	current *tls.Certificate
}

// reread is how long a pair is used before its files are looked at again.
const reread = time.Second

// certificate returns the pair that is in the files now or, while they hold none, as during their replacement, the last
// one that was.
func (p *keyPair) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); now.Sub(p.read) >= reread || now.Before(p.read) {
		p.refresh(hello.Context())
	}
	return p.current, nil
}

// refresh loads the pair again, and logs when it changes or cannot be used any more.
func (p *keyPair) refresh(ctx context.Context) {
	before, fault := p.current, p.fault
	err := p.load()
	switch {
	case err != nil && err.Error() != fault:
		p.fault = err.Error()
		p.logger.WarnContext(ctx, "the new TLS certificate cannot be used, the old one stays", "error", err)
	case err == nil && (p.current != before || fault != ""):
		p.fault = ""
		p.logger.InfoContext(ctx, "the TLS certificate was read again", "expires_at", p.current.Leaf.NotAfter)
	}
}

// load reads the files, and keeps the pair that they hold if they have changed. After an error the pair is as before.
func (p *keyPair) load() error {
	p.read = p.now()
	cert, err := os.ReadFile(p.certFile)
	if err != nil {
		return err
	}
	key, err := os.ReadFile(p.keyFile)
	if err != nil {
		return err
	}
	if p.current != nil && bytes.Equal(cert, p.cert) && bytes.Equal(key, p.key) {
		return nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return err
	}
	p.cert, p.key, p.current = cert, key, &pair
	return nil
}
