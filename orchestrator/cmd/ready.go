package cmd

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"munshi/orchestrator/app"
	"munshi/orchestrator/problem"
)

// readyTime is how long a part may take to say whether it is ready.
const readyTime = 4 * time.Second

// askReady asks the product on this machine whether it is ready, for health checks of containers.
func askReady(ctx context.Context, a *app.App) error {
	host, port, err := net.SplitHostPort(a.Config.Server.OperatorAddress)
	if err != nil {
		return problem.New("operator_address_needed", nil, err)
	}
	if at := net.ParseIP(host); host == "" || at != nil && at.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/ready", nil)
	if err != nil {
		return fmt.Errorf("ask for readiness: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return problem.New("nothing_answers", problem.Params{"address": req.URL.Host}, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return fmt.Errorf("read how ready it is: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return problem.New("not_ready", problem.Params{"answer": strings.TrimSpace(string(answer))}, nil)
	}
	fmt.Println(strings.TrimSpace(string(answer)))
	return nil
}
