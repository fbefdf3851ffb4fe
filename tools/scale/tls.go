package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"munshi/tools/drills"
)

// certificates are those of our own CA, as files.
type certificates struct {
	dir  string
	pool *x509.CertPool
	pair tls.Certificate // of the client
}

func (c *certificates) file(name string) string { return filepath.Join(c.dir, name) }

// makeCertificates makes a CA, and certificates of the server and of a client that it has signed.
func makeCertificates(dir string) (*certificates, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	c := &certificates{dir: dir, pool: x509.NewCertPool()}
	ca := &x509.Certificate{Subject: pkix.Name{CommonName: "a CA of our own"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign}
	caKey, err := c.sign("ca", ca, ca, nil)
	if err != nil {
		return nil, err
	}
	for name, usage := range map[string]x509.ExtKeyUsage{"server": x509.ExtKeyUsageServerAuth,
		"client": x509.ExtKeyUsageClientAuth} {
		// the server's own parts connect to each other with its certificate, as clients
		template := &x509.Certificate{Subject: pkix.Name{CommonName: name}, DNSNames: []string{"temporal.internal"},
			IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
			ExtKeyUsage: []x509.ExtKeyUsage{usage, x509.ExtKeyUsageClientAuth}}
		if _, err := c.sign(name, template, ca, caKey); err != nil {
			return nil, err
		}
	}
	text, err := os.ReadFile(c.file("ca.crt"))
	if err != nil {
		return nil, err
	}
	c.pool.AppendCertsFromPEM(text)
	c.pair, err = tls.LoadX509KeyPair(c.file("client.crt"), c.file("client.key"))
	return c, err
}

// sign writes a certificate and its key to files; without a signer's key it is self-signed.
func (c *certificates) sign(name string, template, by *x509.Certificate, with *ecdsa.PrivateKey) (*ecdsa.PrivateKey,
	error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	if with == nil {
		with = key
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	signed, err := x509.CreateCertificate(rand.Reader, template, by, &key.PublicKey, with)
	if err != nil {
		return nil, fmt.Errorf("sign the certificate of %s: %w", name, err)
	}
	raw, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, errors.Join(
		os.WriteFile(c.file(name+".crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), 0o644),
		os.WriteFile(c.file(name+".key"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}), 0o600))
}

// server returns the environment with which Temporal's published image accepts only our clients.
func (c *certificates) server() []string {
	return []string{"TEMPORAL_TLS_REQUIRE_CLIENT_AUTH=true",
		"TEMPORAL_TLS_SERVER_CA_CERT=" + c.file("ca.crt"),
		"TEMPORAL_TLS_SERVER_CERT=" + c.file("server.crt"), "TEMPORAL_TLS_SERVER_KEY=" + c.file("server.key"),
		"TEMPORAL_TLS_FRONTEND_CERT=" + c.file("server.crt"), "TEMPORAL_TLS_FRONTEND_KEY=" + c.file("server.key"),
		"TEMPORAL_TLS_CLIENT1_CA_CERT=" + c.file("ca.crt"), "TEMPORAL_TLS_CLIENT2_CA_CERT=" + c.file("ca.crt"),
		"TEMPORAL_TLS_INTERNODE_SERVER_NAME=temporal.internal", "TEMPORAL_TLS_FRONTEND_SERVER_NAME=temporal.internal"}
}

func (c *certificates) client() *tls.Config {
	return &tls.Config{RootCAs: c.pool, Certificates: []tls.Certificate{c.pair}, MinVersion: tls.VersionTLS12}
}

// environment returns Temporal's own variables, as an operator sets them for serve and worker.
func (c *certificates) environment() []string {
	return []string{"TEMPORAL_TLS=true", "TEMPORAL_TLS_SERVER_CA_CERT_PATH=" + c.file("ca.crt"),
		"TEMPORAL_TLS_CLIENT_CERT_PATH=" + c.file("client.crt"), "TEMPORAL_TLS_CLIENT_KEY_PATH=" + c.file("client.key")}
}

// secure restarts Temporal so that it requires certificates, and tries it with the right ones, without a client
// certificate, with certificates of another CA, with a name that is not the server's, and without TLS. Then it
// starts Temporal without TLS again.
func secure(ctx context.Context, m *machine) error {
	right, err := makeCertificates(filepath.Join(m.dir, "certificates"))
	if err != nil {
		return err
	}
	wrong, err := makeCertificates(filepath.Join(m.dir, "others"))
	if err != nil {
		return err
	}
	m.temporal.stop()
	if m.temporal, err = m.startTemporal(ctx, right); err != nil {
		return err
	}
	for _, command := range []string{"serve", "worker"} {
		p, err := m.launch(command, connectionsOfEach, right.environment()...)
		if err != nil {
			return err
		}
		if err := p.awaitReady(ctx); err != nil {
			return err
		}
	}
	v := &visitor{address: m.serves()[0], client: newClient()}
	if err := v.ask(ctx); err != nil {
		return err
	}
	m.report.add("Temporal demands client certificates (mTLS)", "serve and worker are ready, a question is answered")
	m.stopParts()
	for _, try := range []struct {
		what string
		env  []string
	}{
		{"no client certificate", []string{"TEMPORAL_TLS=true", "TEMPORAL_TLS_SERVER_CA_CERT_PATH=" + right.file("ca.crt")}},
		{"a client certificate of another CA", append(wrong.environment(),
			"TEMPORAL_TLS_SERVER_CA_CERT_PATH="+right.file("ca.crt"))},
		{"the server's certificate is of another CA", append(right.environment(),
			"TEMPORAL_TLS_SERVER_CA_CERT_PATH="+wrong.file("ca.crt"))},
		{"another name than the certificate's", append(right.environment(), "TEMPORAL_TLS_SERVER_NAME=elsewhere")},
		{"no TLS", nil},
	} {
		said, err := m.refused(ctx, try.env)
		if err != nil {
			return fmt.Errorf("%s: %w", try.what, err)
		}
		m.report.add("mTLS, "+try.what, "%s", said)
	}
	m.temporal.stop()
	m.temporal, err = m.startTemporal(ctx, nil)
	return err
}

// refused returns what `munshi doctor` and a starting worker say about a Temporal server that they cannot reach, and an
// error if they reach it.
func (m *machine) refused(ctx context.Context, env []string) (string, error) {
	w, err := m.launch("worker", connectionsOfEach, env...)
	if err != nil {
		return "", err
	}
	defer m.stopParts()
	var line string
	if err := drills.Await(ctx, time.Minute, "the worker to complain", func(context.Context) error {
		text, err := os.ReadFile(w.log)
		if err != nil {
			return err
		}
		for found := range strings.Lines(string(text)) {
			if strings.Contains(found, "Temporal") {
				line = strings.TrimSpace(found)
				return nil
			}
		}
		return errors.New("it says nothing of Temporal")
	}); err != nil {
		return "", err
	}
	note("the worker logs: %s", line)
	doctor := exec.CommandContext(ctx, filepath.Join(m.root, "bin", "munshi"), "doctor")
	doctor.Env = append(w.cmd.Env, env...)
	out, err := doctor.CombinedOutput()
	if err == nil {
		return "", errors.New("munshi doctor finds nothing to mend")
	}
	for found := range strings.Lines(string(out)) {
		if strings.Contains(found, "Temporal") {
			return "munshi doctor says: " + strings.TrimSpace(found), nil
		}
	}
	return "", fmt.Errorf("munshi doctor says nothing of Temporal:\n%s", out)
}
