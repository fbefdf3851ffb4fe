package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// programs are built together from the module tools/chart/kubernetes, which pins their versions: they share most of
// their packages, so building all of them takes little longer than the API server alone.
var programs = []string{"helm.sh/helm/v3/cmd/helm", "github.com/yannh/kubeconform/cmd/kubeconform",
	"k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes/cmd/kube-controller-manager",
	"k8s.io/kubernetes/cmd/kube-scheduler"}

// operatorModule is the module that defines the kinds of the Prometheus operator.
const operatorModule = "github.com/prometheus-operator/prometheus-operator@v0.92.0"

func (d *drill) programs(ctx context.Context) error {
	if err := os.MkdirAll(d.path("bin"), 0o755); err != nil {
		return err
	}
	if _, err := exec.LookPath("etcd"); err != nil {
		note("installing etcd")
		var root []string
		if os.Geteuid() != 0 {
			root = []string{"sudo"}
		}
		install := append(root, "apt-get", "install", "-qy", "--no-install-recommends", "etcd-server")
		if _, err := d.command(ctx, []string{"DEBIAN_FRONTEND=noninteractive"}, install[0], install[1:]...); err != nil {
			return err
		}
	}
	server, err := d.module(ctx, "k8s.io/kubernetes")
	if err != nil {
		return err
	}
	// Helm asks the API server for its version, which is set when it is built.
	number := server[strings.LastIndex(server, "@")+1:]
	const set = " -X k8s.io/component-base/version.git"
	minor := strings.Split(number, ".")[1]
	flags := "-ldflags=-s -w" + set + "Version=" + number + set + "Major=1" + set + "Minor=" + minor
	for _, path := range programs {
		at := time.Now()
		// Go's own cache knows what has changed.
		if _, err := d.command(ctx, []string{"GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0"}, "go", "build", "-C",
			filepath.Join("tools", "chart", "kubernetes"), "-buildvcs=false", "-trimpath", flags, "-o",
			d.path("bin")+"/", path); err != nil {
			return err
		}
		if took := time.Since(at); took > 10*time.Second {
			note("built %s in %s", filepath.Base(path), took.Round(time.Second))
		}
	}
	helm, err := d.module(ctx, "helm.sh/helm/v3")
	if err != nil {
		return err
	}
	etcd, err := d.command(ctx, nil, "etcd", "--version")
	if err != nil {
		return err
	}
	etcd, _, _ = strings.Cut(etcd, "\n")
	note("Helm %s, Kubernetes %s (both from their Go modules), %s", helm[strings.LastIndex(helm, "@")+1:], number, etcd)
	return nil
}

// module returns the folder of a module of tools/chart/kubernetes.
func (d *drill) module(ctx context.Context, path string) (string, error) {
	dir, err := d.command(ctx, []string{"GOFLAGS=", "GOWORK=off"}, "go", "list", "-C",
		filepath.Join("tools", "chart", "kubernetes"), "-m", "-f", "{{.Dir}}", path)
	return strings.TrimSpace(dir), err
}

// operatorKinds returns the files that define ServiceMonitor and PrometheusRule for an API server.
func (d *drill) operatorKinds(ctx context.Context) ([]string, error) {
	if _, err := d.command(ctx, []string{"GOFLAGS=-mod=mod", "GOWORK=off"}, "go", "mod", "download",
		operatorModule); err != nil {
		return nil, err
	}
	cache, err := d.command(ctx, nil, "go", "env", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(strings.TrimSpace(cache), operatorModule, "example", "prometheus-operator-crd")
	var files []string
	for _, kind := range []string{"servicemonitors", "prometheusrules"} {
		files = append(files, filepath.Join(dir, "monitoring.coreos.com_"+kind+".yaml"))
	}
	return files, nil
}
