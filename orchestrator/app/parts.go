package app

import (
	"log/slog"
	"net/url"
	"strings"
	"time"

	"munshi/config"
	"munshi/orchestrator/account"
	"munshi/orchestrator/store"
)

// newAccounts returns the service that signs people up and in.
func newAccounts(cfg config.Config, s *store.Store, log *slog.Logger) *account.Accounts {
	return account.New(
		account.Options{
			Store:        s,
			Mail:         Mailer(cfg.Mail),
			Life:         store.SessionLife{Idle: cfg.Account.SessionIdle, Whole: cfg.Account.SessionLongest},
			HashesAtOnce: cfg.Account.HashesAtOnce,
			URL:          cfg.Server.PublicURL,
			Product:      cfg.Links.ProductName,
			Log:          log,
		},
	)
}

// Mailer returns the mail sender, or nil if no mail server is configured.
func Mailer(m config.Mail) account.Mailer {
	if m.Host == "" {
		return nil
	}
	return account.Post{Host: m.Host, Port: m.Port, User: m.User, Password: m.Password, From: m.From, TLS: m.TLS}
}

// fairUse returns the limit on turns for someone with an unlimited subscription.
func fairUse(n int) store.Rate {
	if n == 0 {
		return store.Rate{}
	}
	return store.Rate{Every: time.Hour / time.Duration(n), Burst: n}
}

// runsURL returns the address of workflows in Temporal's Web UI; "" if unknown.
func runsURL(cfg config.Temporal) string {
	if cfg.WebUIURL == "" {
		return ""
	}
	return strings.TrimRight(cfg.WebUIURL, "/") + "/namespaces/" + url.PathEscape(cfg.Namespace) + "/workflows/"
}
