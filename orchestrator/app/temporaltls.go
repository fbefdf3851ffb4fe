package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"time"

	"go.temporal.io/sdk/contrib/envconfig"

	"munshi/config"
	"munshi/orchestrator/problem"
)

// handshakeTime is how long it may take to find out why TLS fails.
const handshakeTime = 3 * time.Second

// explainTemporal returns the problem with the certificates of Temporal or ours if that is why Temporal could not be
// reached, and otherwise err. The error of a call alone does not tell: a server may refuse a certificate after the
// client has begun to send.
func explainTemporal(ctx context.Context, cfg config.Temporal, err error) error {
	if err == nil || cfg.Own {
		return err
	}
	options, failed := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{DisableFile: true})
	if failed != nil {
		return err
	}
	if code, reason := tlsProblem(ctx, cfg.Address, options.ConnectionOptions.TLS); code != "" {
		return problem.New(code, problem.Params{"address": cfg.Address, "reason": reason}, err)
	}
	return err
}

// temporalCertificates returns the certificates with which Temporal shows itself; none without TLS.
func temporalCertificates(ctx context.Context, cfg config.Temporal) []*x509.Certificate {
	options, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{DisableFile: true})
	if err != nil || cfg.Own || options.ConnectionOptions.TLS == nil {
		return nil
	}
	try := options.ConnectionOptions.TLS.Clone()
	try.NextProtos = []string{"h2"}
	conn, err := (&tls.Dialer{Config: try}).DialContext(ctx, "tcp", cfg.Address)
	if err != nil {
		return nil // that it does not answer is said elsewhere
	}
	defer conn.Close()
	if over, ok := conn.(*tls.Conn); ok {
		return over.ConnectionState().PeerCertificates
	}
	return nil
}

// tlsProblem tries TLS with a server and returns the code of what is wrong with it, "" for nothing; ours is nil if we
// use no TLS.
func tlsProblem(ctx context.Context, address string, ours *tls.Config) (code string, reason error) {
	ctx, cancel := context.WithTimeout(ctx, handshakeTime)
	defer cancel()
	try := &tls.Config{InsecureSkipVerify: true} //nolint:gosec // nothing is sent: only whether it speaks TLS matters
	if ours != nil {
		try = ours.Clone()
	}
	try.NextProtos = []string{"h2"}
	conn, err := (&tls.Dialer{Config: try}).DialContext(ctx, "tcp", address)
	if err == nil {
		defer conn.Close()
		_ = conn.SetReadDeadline(time.Now().Add(handshakeTime))
		_, err = conn.Read(make([]byte, 1)) // the first of HTTP/2's settings, or why our certificate is refused
	}
	var other x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case ours == nil && (conn != nil || remote(err)):
		return "temporal_wants_tls", err
	case ours == nil || err == nil:
		return "", nil
	case errors.As(err, &other):
		return "temporal_other_name", other
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return "temporal_unknown_ca", err
	case errors.As(err, &invalid):
		return "temporal_certificate_invalid", invalid
	case remote(err):
		return "temporal_refuses_client", err
	case conn == nil && (errors.As(err, new(tls.RecordHeaderError)) || errors.Is(err, io.EOF)):
		return "temporal_without_tls", err
	}
	return "", nil
}

// remote reports whether err is an alert that the other side sent.
func remote(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error"
}
