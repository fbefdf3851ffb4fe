package app

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"munshi/config"
	"munshi/orchestrator/problem"
)

// authority is a CA for a test.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.cert = &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.cert, a.key = a.sign("ca", a.cert, time.Now().Add(time.Hour))
	return a
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

func (a *authority) sign(name string, c *x509.Certificate, end time.Time) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(a.t, err)
	by, with := a.cert, a.key
	if with == nil {
		by, with = c, key
	}
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(-2*time.Hour), end
	raw, err := x509.CreateCertificate(rand.Reader, c, by, &key.PublicKey, with)
	must(a.t, err)
	private, err := x509.MarshalECPrivateKey(key)
	must(a.t, err)
	must(a.t, os.WriteFile(a.file(name+".crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600))
	must(a.t, os.WriteFile(a.file(name+".key"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}), 0o600))
	signed, err := x509.ParseCertificate(raw)
	must(a.t, err)
	return signed, key
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// serve starts a gRPC server, which is the only part of Temporal that matters here.
func serve(t *testing.T, options ...grpc.ServerOption) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server := grpc.NewServer(options...)
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return l.Addr().String()
}

// A message says which certificate is wrong, whatever the error of the call is.
func TestExplainTemporal(t *testing.T) {
	ours, others := newAuthority(t), newAuthority(t)
	here := func() *x509.Certificate {
		return &x509.Certificate{DNSNames: []string{"temporal.internal"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	}
	secured := func(name string, end time.Time) grpc.ServerOption {
		ours.sign(name, here(), end)
		pair, err := tls.LoadX509KeyPair(ours.file(name+".crt"), ours.file(name+".key"))
		must(t, err)
		clients := x509.NewCertPool()
		clients.AddCert(ours.cert)
		return grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: clients,
			ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12}))
	}
	for _, a := range []*authority{ours, others} {
		a.sign("client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, time.Now().Add(time.Hour))
	}
	secure := serve(t, secured("server", time.Now().Add(time.Hour)))
	ended := serve(t, secured("ended", time.Now().Add(-time.Hour)))
	plain := serve(t)
	type env map[string]string
	right := func(more env) env {
		all := env{"TEMPORAL_TLS_SERVER_CA_CERT_PATH": ours.file("ca.crt"),
			"TEMPORAL_TLS_CLIENT_CERT_PATH": ours.file("client.crt"), "TEMPORAL_TLS_CLIENT_KEY_PATH": ours.file("client.key")}
		for name, value := range more {
			all[name] = value
		}
		return all
	}
	for name, c := range map[string]struct {
		address string
		env     env
		want    string
	}{
		"all right":        {secure, right(nil), ""},
		"no certificate":   {secure, env{"TEMPORAL_TLS_SERVER_CA_CERT_PATH": ours.file("ca.crt")}, "temporal_refuses_client"},
		"another's client": {secure, right(env{"TEMPORAL_TLS_CLIENT_CERT_PATH": others.file("client.crt"), "TEMPORAL_TLS_CLIENT_KEY_PATH": others.file("client.key")}), "temporal_refuses_client"},
		"another's server": {secure, right(env{"TEMPORAL_TLS_SERVER_CA_CERT_PATH": others.file("ca.crt")}), "temporal_unknown_ca"},
		"another name":     {secure, right(env{"TEMPORAL_TLS_SERVER_NAME": "elsewhere"}), "temporal_other_name"},
		"ended":            {ended, right(nil), "temporal_certificate_invalid"},
		"without TLS":      {secure, nil, "temporal_wants_tls"},
		"plain":            {plain, nil, ""},
		"TLS with plain":   {plain, right(nil), "temporal_without_tls"},
		"nobody there":     {"127.0.0.1:1", right(nil), ""},
	} {
		t.Run(name, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			shown := temporalCertificates(t.Context(), config.Temporal{Address: c.address})
			if c.want == "" && c.address == secure && (len(shown) == 0 || !slices.Contains(shown[0].DNSNames, "temporal.internal")) {
				t.Errorf("its certificates are %v", shown)
			}
			cause := errors.New("broken pipe")
			err := explainTemporal(context.Background(), config.Temporal{Address: c.address}, cause)
			var p *problem.Error
			if found := errors.As(err, &p); !found && c.want != "" || found && p.Code != c.want || !errors.Is(err, cause) {
				t.Errorf("it says %v, want %q", err, c.want)
			}
			if p != nil {
				t.Log(p.Sentence())
			}
		})
	}
}

// In a file with several certificates, the one that expires first counts; a key in the same file does
// not matter.
func TestReadCertificates(t *testing.T) {
	a := newAuthority(t)
	a.sign("soon", &x509.Certificate{}, time.Now().Add(time.Minute))
	var all []byte
	for _, name := range []string{"ca.crt", "soon.key", "soon.crt"} {
		raw, err := os.ReadFile(a.file(name))
		must(t, err)
		all = append(all, raw...)
	}
	must(t, os.WriteFile(a.file("all.pem"), all, 0o600))
	chain, err := readCertificates(a.file("all.pem"))
	must(t, err)
	x := &examiner{Examination: Examination{Now: time.Now().Add(2 * time.Minute)}}
	x.certificates("all.pem", chain)
	if len(chain) != 2 || len(x.findings) != 1 || x.findings[0].Verdict != Mend {
		t.Errorf("%d certificates, found %v", len(chain), x.findings)
	}
	if _, err := readCertificates(a.file("ca.key")); err == nil {
		t.Error("a key is taken for a certificate")
	}
}
