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

// OpenCodec gives the codec of what Temporal keeps. For a Temporal of its own the product makes the keys by itself; for
// another, several processes need the same ones, and somebody has to give them.
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

// KeysFile is where the keyring is, unless the configuration holds it.
func KeysFile(cfg config.Config) string {
	if cfg.Temporal.KeysFile != "" {
		return cfg.Temporal.KeysFile
	}
	return filepath.Join(cfg.Local.StateDir, "temporal-keys")
}

// MakeKeys makes a keyring with one key in a new file; fs.ErrExist where there is one.
func MakeKeys(file string) error {
	ring, err := payload.New(time.Now())
	if err != nil {
		return err
	}
	return payload.Create(file, ring)
}

// codecURL is where the Web UI that `run` brings up has payloads decrypted; "" when that is not known before the
// product listens.
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

// webUIOrigin is the origin of Temporal's Web UI, "" when its address is not known.
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
