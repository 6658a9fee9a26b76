package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/service"
	"tenure/store/sqlite"
)

// selfSigned returns a certificate of 127.0.0.1 with a serial number, and its key, as PEM.
func selfSigned(t *testing.T, serial int64) (cert, key []byte) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "tenure"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
}

func write(t *testing.T, path string, content []byte) string {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// startServer runs "server serve" over a new SQLite store until the test ends, and returns its address and a key. What it
// logs goes to log.
func startServer(t *testing.T, cmd *serveCmd, log io.Writer) (url, key string) {
	t.Helper()
	return startServerAt(t, cmd, log, time.Now)
}

// startServerAt is startServer with a clock.
func startServerAt(t *testing.T, cmd *serveCmd, log io.Writer, now func() time.Time) (url, key string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tenure.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Config{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	issued, err := service.NewKeys(s, now, rand.Reader).CreateKey(t.Context(), service.Operator("acme", operator),
		service.KeyRequest{Roles: tenure.Roles})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	cmd.Store, cmd.Listen, cmd.Grace = sqlitePrefix+path, "127.0.0.1:0", time.Minute
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := cmd.Run(&world{ctx: ctx, out: in, errOut: log, now: now})
		_ = in.CloseWithError(io.EOF)
		ended <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	line := make([]byte, 100)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return strings.TrimSpace(string(line[:n])), issued.Key
}

// presented returns the serial number of the certificate that a server presents, and the version that is agreed on.
func presented(t *testing.T, url string) (serial int64, version uint16) {
	t.Helper()
	conn, err := (&tls.Dialer{Config: &tls.Config{
		InsecureSkipVerify: true, // the certificate is looked at, whoever signed it
	}}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	state := conn.(*tls.Conn).ConnectionState()
	return state.PeerCertificates[0].SerialNumber.Int64(), state.Version
}

func TestTLSCertificatesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	cert, key := selfSigned(t, 1)
	flags := tlsFlags{
		TLSCert: write(t, filepath.Join(dir, "cert.pem"), cert), TLSKey: write(t, filepath.Join(dir, "key.pem"), key),
	}
	var log screen
	url, apiKey := startServer(t, &serveCmd{tlsFlags: flags, LogLevel: slog.LevelInfo}, &log)
	if !strings.HasPrefix(url, "https://127.0.0.1:") {
		t.Fatal(url)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	trusting := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	if status := asked(t, trusting, url+"/v1/beliefs", apiKey); status != http.StatusOK {
		t.Errorf("a request is answered with %d", status)
	}
	trusting.CloseIdleConnections()
	_, err := (&tls.Dialer{Config: &tls.Config{
		InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, // it has to be refused
	}}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "https://"))
	if err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	// becomes waits until the server presents a certificate.
	becomes := func(want int64) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			if serial, _ := presented(t, url); serial == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("certificate %d is never presented", want)
			}
		}
	}
	becomes(1)
	newCert, newKey := selfSigned(t, 2)
	write(t, flags.TLSCert, newCert) // with the key of another
	for end := time.Now().Add(time.Minute); !strings.Contains(log.String(), "the old one stays"); {
		if serial, _ := presented(t, url); serial != 1 {
			t.Fatal("half a pair is presented")
		}
		if time.Now().After(end) {
			t.Fatal("a broken pair is not logged")
		}
	}
	write(t, flags.TLSKey, newKey)
	becomes(2)
	if err := os.Remove(flags.TLSKey); err != nil {
		t.Fatal(err)
	}
	time.Sleep(reread)
	becomes(2)
	write(t, flags.TLSKey, key)
	write(t, flags.TLSCert, cert)
	becomes(1)
	if n := strings.Count(log.String(), "the TLS certificate was read again"); n != 2 {
		t.Errorf("%d replacements are logged:\n%s", n, log.String())
	}
}

func asked(t *testing.T, client *http.Client, url, key string) (status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

func TestTLSNeedsAWholePair(t *testing.T) {
	dir := t.TempDir()
	cert, key := selfSigned(t, 1)
	_, other := selfSigned(t, 2)
	certFile, keyFile := write(t, filepath.Join(dir, "cert"), cert), write(t, filepath.Join(dir, "key"), key)
	otherFile := write(t, filepath.Join(dir, "other"), other)
	for name, f := range map[string]tlsFlags{
		"no-key":         {TLSCert: certFile},
		"no-certificate": {TLSKey: keyFile},
		"no-such-file":   {TLSCert: certFile, TLSKey: filepath.Join(dir, "none")},
		"another's-key":  {TLSCert: certFile, TLSKey: otherFile},
		"swapped":        {TLSCert: keyFile, TLSKey: certFile},
	} {
		_, err := f.serverTLS(time.Now, slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), "--tls-") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoSecretIsLogged starts a server with every secret that it takes, uses some well and some badly, and looks for
// them in what it logs at the most talkative level.
func TestNoSecretIsLogged(t *testing.T) {
	secrets := map[string]string{
		"TENURE_CURSOR_KEY": strings.Repeat("c5", 32), statementsKey: "sk-statements-secret",
		"TENURE_NEO4J_PASSWORD": "neo4j-password-secret",
	}
	for name, value := range secrets {
		t.Setenv(name, value)
	}
	const signing = "webhook-signing-secret"
	cert, key := selfSigned(t, 1)
	dir := t.TempDir()
	cmd := &serveCmd{
		LogLevel: slog.LevelDebug, Webhook: "http://127.0.0.1:1/", WebhookAttempts: 2,
		WebhookSecret:   write(t, filepath.Join(dir, "webhook"), []byte(signing)),
		statementsFlags: statementsFlags{StatementsModelURL: "http://127.0.0.1:1", StatementsModel: "m", StatementsTimeout: time.Second},
		tlsFlags: tlsFlags{
			TLSCert: write(t, filepath.Join(dir, "cert"), cert), TLSKey: write(t, filepath.Join(dir, "key"), key),
		},
	}
	var log screen
	url, apiKey := startServer(t, cmd, &log)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	defer client.CloseIdleConnections()
	for k, want := range map[string]int{apiKey: 200, apiKey + "x": 401, "tnr_" + strings.Repeat("z", 40): 401} {
		if status := asked(t, client, url+"/v1/keys", k); status != want {
			t.Errorf("%d, want %d", status, want)
		}
	}
	body := `{"text":"Jon Smith works at Acme.","source":{"origin":"test://x","speaker":"Dana"}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/observations", bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+apiKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if answer, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s %v", res.StatusCode, answer, err)
	}
	logged := log.String()
	if strings.Count(logged, `"msg":"request"`) < 4 {
		t.Fatalf("the requests are not logged:\n%s", logged)
	}
	secrets["signing"], secrets["key"] = signing, apiKey[len(apiKey)-43:]
	secrets["key of TLS"] = strings.Split(string(key), "\n")[1]
	for name, value := range secrets {
		if strings.Contains(logged, value) {
			t.Errorf("%s is in the log:\n%s", name, logged)
		}
	}
}

// TestASecretComesFromAFileOrTheEnvironment looks at what no flag takes.
func TestASecretComesFromAFileOrTheEnvironment(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "secret"), []byte(" of the file\n"))
	t.Setenv("TENURE_NEO4J_PASSWORD", "")
	t.Setenv("NEO4J_PASSWORD", "of the environment")
	for _, tc := range []struct{ file, want string }{{"", "of the environment"}, {file, "of the file"}} {
		if got, err := (neo4jFlags{Neo4jPasswordFile: tc.file}).password(); err != nil || got != tc.want {
			t.Errorf("%q, %v", got, err)
		}
	}
	_, err := neo4jFlags{Neo4jPasswordFile: file + "x"}.password()
	if err == nil || !strings.Contains(err.Error(), "--neo4j-password-file") {
		t.Error(err)
	}
}
