package app

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/payload"
	"munshi/orchestrator/problem"
)

// OpenCodec returns the codec that encrypts what Temporal stores. For its own Temporal, the product creates the keys
// itself. For an external Temporal, several processes need the same keys, so an operator must supply them.
func OpenCodec(cfg config.Config, log *slog.Logger) (*payload.Codec, error) {
	t := cfg.Temporal
	seal := t.Encryption == "on"
	switch {
	case t.Keys != "":
		ring, err := payload.Parse(t.Keys)
		if err != nil {
			return nil, problem.New("keys_unreadable", problem.Params{"reason": err}, err)
		}
		return payload.NewCodec(payload.Fixed(ring), seal), nil
	case t.KeysFile == "" && !t.Own && seal:
		return nil, problem.New("keys_missing", nil, nil)
	case t.KeysFile == "" && !t.Own:
		return payload.NewCodec(payload.Fixed(nil), false), nil
	}
	file := KeysFile(cfg)
	if t.KeysFile == "" && seal {
		if err := MakeKeys(file); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	keys, err := payload.Follow(file, log)
	if errors.Is(err, fs.ErrNotExist) && t.KeysFile == "" {
		return payload.NewCodec(payload.Fixed(nil), false), nil // encryption was never on
	}
	if err != nil {
		return nil, problem.New("keys_unusable", problem.Params{"reason": err, "file": file}, err)
	}
	return payload.NewCodec(keys, seal), nil
}

// KeysFile returns the path of the file with the keys; the keys may also be in the configuration itself.
func KeysFile(cfg config.Config) string {
	if cfg.Temporal.KeysFile != "" {
		return cfg.Temporal.KeysFile
	}
	return filepath.Join(cfg.Local.StateDir, "temporal-keys")
}

// MakeKeys writes a new file with one key. It returns fs.ErrExist if the file exists.
func MakeKeys(file string) error {
	ring, err := payload.New(time.Now())
	if err != nil {
		return err
	}
	return payload.Create(file, ring)
}

// codecURL returns the address at which Temporal's Web UI, as started by `run`, gets payloads decrypted; "" if the
// product's address is unknown.
func codecURL(s config.Server) string {
	if s.PublicURL != "" {
		return strings.TrimRight(s.PublicURL, "/") + api.CodecPath
	}
	host, port, err := net.SplitHostPort(s.Address)
	if err != nil || port == "0" {
		return ""
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + api.CodecPath
}

// webUIOrigin returns the origin of Temporal's Web UI; "" if its address is unknown.
func webUIOrigin(cfg config.Temporal) (string, error) {
	if cfg.WebUIURL == "" {
		return "", nil
	}
	u, err := url.Parse(cfg.WebUIURL)
	if err != nil {
		return "", fmt.Errorf("read temporal.web_ui_url: %w", err)
	}
	return u.Scheme + "://" + u.Host, nil
}
