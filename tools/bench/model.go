package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"munshi/orchestrator/model/modeltest"
)

// standIn is the imitated model for all measurements, at one address, with a latency that can be changed.
type standIn struct {
	listener net.Listener
	server   *http.Server
	client   *http.Client // for the bare calls
	serving  atomic.Pointer[modeltest.Server]
	asked    atomic.Int64
	body     atomic.Pointer[[]byte] // the last request from the server under load
}

// bareHeader marks the bench's own calls to the model.
const bareHeader = "X-Bench-Bare"

func listen(address string, client *http.Client) (*standIn, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for the stand-in model: %w", err)
	}
	m := &standIn{listener: l, client: client}
	m.wait(0)
	m.server = &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second}
	go m.server.Serve(l) //nolint:errcheck // ends with close
	return m, nil
}

func (m *standIn) close()      { m.server.Close() }
func (m *standIn) url() string { return "http://" + m.listener.Addr().String() + "/v1" }

// wait sets how long the model waits before its first token.
func (m *standIn) wait(latency time.Duration) { m.serving.Store(&modeltest.Server{Latency: latency}) }

// write makes the model write a long answer from now on, at this many tokens per second.
func (m *standIn) write(text string, perSecond int) {
	m.serving.Store(&modeltest.Server{TokenDelay: time.Second / time.Duration(perSecond),
		Answer: func(modeltest.Request) string {
			return text
		}})
}

func (m *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && r.Header.Get(bareHeader) == "" {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		m.asked.Add(1)
		m.body.Store(&body)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	m.serving.Load().ServeHTTP(w, r)
}

// bare sends the model the last request of the server under load again, and streams the answer.
func (m *standIn) bare(ctx context.Context) (sample, error) {
	body := m.body.Load()
	if body == nil {
		return sample{}, fmt.Errorf("the server under load asked the stand-in model nothing: point it at %s", m.url())
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url()+"/chat/completions", bytes.NewReader(*body))
	if err != nil {
		return sample{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(bareHeader, "1")
	began := time.Now()
	resp, err := m.client.Do(req)
	if err != nil {
		return sample{}, fmt.Errorf("ask the stand-in model: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return sample{}, fmt.Errorf("the stand-in model answers %s", resp.Status)
	}
	var took sample
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || took.first > 0 {
			continue
		}
		var chunk struct {
			Choices []struct{ Delta struct{ Content string } }
		}
		if json.Unmarshal(data, &chunk) == nil && len(chunk.Choices) > 0 && chunk.Choices[0].Delta.Content != "" {
			took.first = time.Since(began)
		}
	}
	took.whole = time.Since(began)
	if took.first == 0 {
		took.first = took.whole // the request did not ask for streaming
	}
	return took, lines.Err()
}
