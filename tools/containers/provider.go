package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"munshi/orchestrator/model/modeltest"
)

// provider is a stand-in for a provider of models on this machine, which the containers reach by the gateway of their
// network.
type provider struct {
	model    modeltest.Server
	listener net.Listener
	server   *http.Server
	storms   atomic.Int32 // number of active storms; while there is one, it fails
	asked    atomic.Int64
	failed   atomic.Int64
}

// addProvider starts a stand-in for a provider, and configures serve and worker to use it, with the offline engine
// after it.
func (s *stack) addProvider(ctx context.Context) error {
	out, err := s.output(ctx, "podman", "network", "inspect", "--format", "{{(index .Subnets 0).Gateway}}", s.project+"_default")
	if err != nil {
		return err
	}
	p := &provider{}
	p.model.Latency, p.model.TokenDelay = 300*time.Millisecond, 5*time.Millisecond
	if p.listener, err = net.Listen("tcp", net.JoinHostPort(strings.TrimSpace(out), "0")); err != nil {
		return fmt.Errorf("listen for the stand-in model: %w", err)
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	go p.server.Serve(p.listener) //nolint:errcheck // ends with close
	s.provider = p
	s.env = append(s.env, "MUNSHI_MODEL_PROVIDER=compatible", "MUNSHI_MODEL_BASE_URL=http://"+p.listener.Addr().String()+"/v1",
		"MUNSHI_MODEL_NAME=stand-in", "MUNSHI_MODEL_FALLBACK=offline")
	return s.up(ctx)
}

func (p *provider) close() { _ = p.server.Close() }

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || p.storms.Load() == 0 {
		if r.Method == http.MethodPost {
			p.asked.Add(1)
		}
		p.model.ServeHTTP(w, r)
		return
	}
	n := p.asked.Add(1)
	p.failed.Add(1)
	switch n % 4 {
	case 0:
		w.Header().Set("Retry-After", "2")
		http.Error(w, `{"error":{"message":"Rate limit reached"}}`, http.StatusTooManyRequests)
	case 1:
		http.Error(w, `{"error":{"message":"The server is overloaded"}}`, http.StatusServiceUnavailable)
	case 2:
		for p.storms.Load() > 0 && r.Context().Err() == nil { // says nothing
			sleep(r.Context(), 100*time.Millisecond)
		}
		panic(http.ErrAbortHandler)
	case 3:
		p.model.ServeHTTP(&breaking{w, 600}, r)
	}
}

// breaking breaks off after some bytes.
type breaking struct {
	http.ResponseWriter
	left int
}

func (b *breaking) Write(data []byte) (int, error) {
	if b.left -= len(data); b.left < 0 {
		panic(http.ErrAbortHandler)
	}
	return b.ResponseWriter.Write(data)
}

func (b *breaking) Flush() { _ = http.NewResponseController(b.ResponseWriter).Flush() }
