package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"path"
	"strconv"
	"sync"
	"time"

	"munshi/tools/chart/render"
)

// metricsServer takes the place of a Prometheus adapter: it answers the autoscaler with numbers that the drill
// sets.
type metricsServer struct {
	mu     sync.Mutex
	counts map[string]int  // by the name of the metric, followed by its selector
	asked  map[string]bool // the same, for metrics that were asked for
}

func (m *metricsServer) set(series string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts[series] = n
}

func (m *metricsServer) wasAsked(series string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked[series]
}

const metricsAPI = "/apis/external.metrics.k8s.io/v1beta1"

// ServeHTTP implements http.Handler.
func (m *metricsServer) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "application/json")
	var answer any
	if r.URL.Path == metricsAPI || r.URL.Path == metricsAPI+"/" {
		answer = map[string]any{"kind": "APIResourceList", "apiVersion": "v1",
			"groupVersion": "external.metrics.k8s.io/v1beta1", "resources": []any{}}
	} else {
		series := path.Base(r.URL.Path)
		if selector := r.URL.Query().Get("labelSelector"); selector != "" {
			series += "{" + selector + "}"
		}
		m.mu.Lock()
		m.asked[series] = true
		n, known := m.counts[series]
		m.mu.Unlock()
		items := []any{}
		if known {
			items = append(items, map[string]any{"metricName": path.Base(r.URL.Path), "metricLabels": map[string]any{},
				"timestamp": time.Now().UTC().Format(time.RFC3339), "value": strconv.Itoa(n)})
		}
		answer = map[string]any{"kind": "ExternalMetricValueList", "apiVersion": "external.metrics.k8s.io/v1beta1",
			"metadata": map[string]any{}, "items": items}
	}
	_ = json.NewEncoder(rw).Encode(answer) // the client will ask again
}

// startMetrics serves the autoscaler's requests until ctx ends, and registers the address with the
// API server.
func startMetrics(ctx context.Context, c *cluster) (*metricsServer, error) {
	m := &metricsServer{counts: map[string]int{}, asked: map[string]bool{}}
	pair, err := tls.LoadX509KeyPair(c.path("server.crt"), c.path("server.key"))
	if err != nil {
		return nil, err
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair},
		NextProtos: []string{"http/1.1"}})
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	context.AfterFunc(ctx, func() { server.Close() })
	port := listener.Addr().(*net.TCPAddr).Port
	for _, o := range []render.Object{
		{"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"name": "metrics", "namespace": "default"},
			"spec": map[string]any{"type": "ExternalName", "externalName": "localhost",
				"ports": []any{map[string]any{"port": port}}}},
		{"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
			"metadata": map[string]any{"name": "v1beta1.external.metrics.k8s.io"},
			"spec": map[string]any{"group": "external.metrics.k8s.io", "version": "v1beta1", "insecureSkipTLSVerify": true,
				"groupPriorityMinimum": 100, "versionPriority": 100,
				"service": map[string]any{"name": "metrics", "namespace": "default", "port": port}}},
	} {
		if err := c.apply(ctx, o, false); err != nil {
			return nil, err
		}
	}
	return m, nil
}
