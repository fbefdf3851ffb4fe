package main

import (
	"crypto/subtle"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/temporalio/ui-server/v2/server/api"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/csrf"
	"github.com/temporalio/ui-server/v2/server/headers"
	"github.com/temporalio/ui-server/v2/server/route"
	"github.com/temporalio/ui-server/v2/ui"
)

// uiKeyVariable is the environment variable with the key that requests to the Web UI must carry. Without it, the Web
// UI answers every program on this machine, and browsers that use one of this machine's names.
const uiKeyVariable = "TEMPORAL_DEV_UI_KEY"

// uiKeyHeader is the header with the key, added by the proxy that serves the Web UI to people.
const uiKeyHeader = "Temporal-Dev-UI-Key"

// newUI returns Temporal's Web UI, built from its parts: the ready-made server would answer anyone who finds the port.
func newUI(o options) (*http.Server, error) {
	settings, err := uiconfig.NewConfigProviderWithRefresh(&uiconfig.Config{
		Host:                host,
		Port:                o.uiPort,
		TemporalGRPCAddress: o.address(),
		EnableUI:            true,
		DefaultNamespace:    o.namespace,
		Codec: uiconfig.Codec{
			Endpoint:           o.codec,
			IncludeCredentials: true, // returns who has signed in there
			DefaultErrorMessage: "The payloads are encrypted. To read them, become an operator of the product in this " +
				"browser, at the same host name as this page: its start and `munshi operator link` print a link.",
		},
		CORS:             uiconfig.CORS{CookieInsecure: true}, // plain http on this machine
		HideLogs:         true,
		DisableNewsFetch: true,
	})
	if err != nil {
		return nil, fmt.Errorf("read the settings of the Web UI: %w", err)
	}
	files, err := ui.Assets()
	if err != nil {
		return nil, fmt.Errorf("open the files of the Web UI: %w", err)
	}
	if files, err = fs.Sub(files, "local"); err != nil {
		return nil, fmt.Errorf("open the files of the Web UI: %w", err)
	}
	e := echo.New()
	e.Use(middleware.Recover(), middleware.Gzip(), middleware.Secure())
	e.Use(csrf.EnsureTokenCookie(false), middleware.CSRFWithConfig(csrf.MiddlewareConfig(settings, false)))
	route.SetHealthRoute(e)
	if err := route.SetAPIRoutes(e, settings,
		[]api.Middleware{headers.WithForwardHeaders([]string{"Caller-Type"})}); err != nil {
		return nil, fmt.Errorf("connect the Web UI to the server: %w", err)
	}
	route.SetAuthRoutes(e, settings)
	if err := route.SetUIRoutes(e, "", files, settings); err != nil {
		return nil, fmt.Errorf("prepare the pages of the Web UI: %w", err)
	}
	route.SetRenderRoute(e, "/")
	return &http.Server{Addr: net.JoinHostPort(host, fmt.Sprint(o.uiPort)), Handler: door(o.uiKey, e),
		ReadHeaderTimeout: 10 * time.Second}, nil
}

// door accepts requests that carry the key or, if there is none, use a host name that no other site can have.
func door(key string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ours := subtle.ConstantTimeCompare([]byte(r.Header.Get(uiKeyHeader)), []byte(key)) == 1
		if key == "" {
			ours = loopback(r.Host)
		}
		if !ours && r.URL.Path != "/healthz" {
			http.Error(w, "Temporal's Web UI is not served here.", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// loopback reports whether a Host header is a loopback name of this machine.
func loopback(name string) bool {
	if bare, _, err := net.SplitHostPort(name); err == nil {
		name = bare
	}
	ip, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return strings.EqualFold(name, "localhost") || err == nil && ip.IsLoopback()
}
