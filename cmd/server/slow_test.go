package main

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestWhoReadsNoAnswersKeepsNobodyOut opens as many connections as an address may have, each of which asks for far more
// than fits between server and client, without a key, and reads nothing of it. A client that asks afterwards is
// answered long before the time is over that a caller with a key has.
func TestWhoReadsNoAnswersKeepsNobodyOut(t *testing.T) {
	behind := func() time.Time { return time.Now().Add(-8 * time.Second) } // so that it takes two seconds
	var log screen
	url, _ := startServerAt(t, &serveCmd{MaxConnections: 4}, &log, behind)
	requests := strings.Repeat("GET /openapi.yaml HTTP/1.1\r\nHost: tenure\r\n\r\n", 100)
	// Between two of its requests one may make room for another connection, until they are stuck.
	for stuck, end := 0, time.Now().Add(patience); stuck < 20; time.Sleep(10 * time.Millisecond) {
		c := send(t, url, "GET /openapi.yaml")
		_, _ = io.WriteString(c, requests)
		res, err := answer(t, url, "GET /healthz")
		stuck++
		if err == nil {
			stuck = 0
			_ = res.Body.Close()
		}
		if time.Now().After(end) {
			t.Fatal("nobody is kept out by the requests")
		}
	}
	began := time.Now()
	answered(t, url)
	if took := time.Since(began); took > time.Minute {
		t.Errorf("they kept others out for %s", took)
	}
	if said := log.String(); !strings.Contains(said, `"broke_off":true`) || strings.Contains(said, `"level":"ERROR"`) {
		t.Errorf("in the log:\n%s", said)
	}
}

// TestWhoReadsNoFramesIsCutOff asks over HTTP/2, where a connection has no end that follows from those of its requests.
func TestWhoReadsNoFramesIsCutOff(t *testing.T) {
	pair, err := tls.X509KeyPair(selfSigned(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		server := newHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, 1<<20))
		}), slog.New(slog.DiscardHandler))
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
		closed := make(chan struct{})
		server.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				close(closed)
			}
		}
		door := make(arriving)
		ended := make(chan error, 1)
		go func() { ended <- server.ServeTLS(door, "", "") }()
		near, far := net.Pipe()
		door <- far
		client := tls.Client(near, &tls.Config{
			InsecureSkipVerify: true, NextProtos: []string{"h2"}, // the test does not verify the certificate
		})
		if err := client.Handshake(); err != nil {
			t.Fatal(err)
		}
		if client.ConnectionState().NegotiatedProtocol != "h2" {
			t.Fatal("no HTTP/2")
		}
		go func() { _, _ = client.Write(h2Request(t)) }()
		if _, err := io.ReadFull(client, make([]byte, 32<<10)); err != nil { // the beginning of the answer
			t.Fatal(err)
		}
		began := time.Now()
		select {
		case <-closed:
		case <-time.After(time.Hour):
			t.Error("the connection is held")
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("the connection is held for %s", took)
		}
		_ = near.Close()
		_ = server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
}

// h2Request returns what a client sends over HTTP/2 that asks for / and has room for all of the answer.
func h2Request(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	frame := func(kind, flags byte, stream uint32, payload []byte) {
		head := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))[1:]
		b.Write(append(head, kind, flags))
		b.Write(binary.BigEndian.AppendUint32(nil, stream))
		b.Write(payload)
	}
	const room = 1<<30 - 1
	b.WriteString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	frame(4, 0, 0, binary.BigEndian.AppendUint32([]byte{0, 4}, room)) // SETTINGS: of each stream
	frame(8, 0, 0, binary.BigEndian.AppendUint32(nil, room))          // WINDOW_UPDATE: of all
	// HEADERS: GET, https, /, and the authority.
	frame(1, 5, 1, append([]byte{0x82, 0x87, 0x84, 0x01, 6}, "tenure"...))
	return b.Bytes()
}
