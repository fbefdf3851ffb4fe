package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"munshi/tools/chart/render"
	"munshi/tools/drills"
)

// cluster is Kubernetes without nodes that run anything: etcd, the API server, its controllers and its scheduler.
type cluster struct {
	dir     string
	address string
	http    *http.Client
	pool    *x509.CertPool
	running []running // in the order in which they were started
}

// running is a program that lasts as long as the cluster.
type running struct {
	name  string
	cmd   *exec.Cmd
	ended chan struct{}
}

func (c *cluster) path(parts ...string) string {
	return filepath.Join(append([]string{c.dir}, parts...)...)
}

func startCluster(ctx context.Context, bin, dir string) (_ *cluster, err error) {
	c := &cluster{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.stop())
		}
	}()
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return nil, err
	}
	if err := c.certificates(); err != nil {
		return nil, err
	}
	var ports []string
	for range 5 {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		ports = append(ports, port)
	}
	etcd := "http://127.0.0.1:" + ports[0]
	if err := c.run("etcd", "etcd", "--data-dir", c.path("etcd"), "--listen-client-urls", etcd, "--advertise-client-urls",
		etcd, "--listen-peer-urls", "http://127.0.0.1:"+ports[1], "--unsafe-no-fsync"); err != nil {
		return nil, err
	}
	c.address = "https://127.0.0.1:" + ports[2]
	if err := c.writeKubeconfig(); err != nil {
		return nil, err
	}
	if err := c.run("kube-apiserver", filepath.Join(bin, "kube-apiserver"), "--etcd-servers", etcd,
		"--bind-address", "127.0.0.1", "--secure-port", ports[2], "--endpoint-reconciler-type", "none",
		"--tls-cert-file", c.path("server.crt"), "--tls-private-key-file", c.path("server.key"),
		"--client-ca-file", c.path("ca.crt"), "--service-account-issuer", "https://kubernetes.default.svc",
		"--service-account-key-file", c.path("server.key"), "--service-account-signing-key-file", c.path("server.key"),
		"--service-cluster-ip-range", "10.96.0.0/16", "--authorization-mode", "Node,RBAC", "--allow-privileged",
		"--enable-admission-plugins", "NodeRestriction", "--requestheader-client-ca-file", c.path("ca.crt"),
		"--requestheader-allowed-names", "aggregator", "--requestheader-username-headers", "X-Remote-User",
		"--requestheader-group-headers", "X-Remote-Group", "--requestheader-extra-headers-prefix", "X-Remote-Extra-",
		"--proxy-client-cert-file", c.path("aggregator.crt"), "--proxy-client-key-file", c.path("aggregator.key"),
	); err != nil {
		return nil, err
	}
	if err := drills.Await(ctx, 5*time.Minute, "the API server", func(ctx context.Context) error {
		return c.ask(ctx, http.MethodGet, "/readyz", nil, nil)
	}); err != nil {
		return nil, c.alive(err)
	}
	// Nodes here report nothing, and must not be taken for dead.
	if err := c.run("kube-controller-manager", filepath.Join(bin, "kube-controller-manager"), "--kubeconfig",
		c.path("kubeconfig"), "--leader-elect=false", "--bind-address", "127.0.0.1", "--secure-port", ports[3],
		"--service-account-private-key-file", c.path("server.key"), "--root-ca-file", c.path("ca.crt"),
		"--horizontal-pod-autoscaler-sync-period", "2s", "--controllers",
		"*,-node-lifecycle-controller,-taint-eviction-controller,-node-ipam-controller",
	); err != nil {
		return nil, err
	}
	if err := c.run("kube-scheduler", filepath.Join(bin, "kube-scheduler"), "--kubeconfig", c.path("kubeconfig"),
		"--leader-elect=false", "--bind-address", "127.0.0.1", "--secure-port", ports[4]); err != nil {
		return nil, err
	}
	return c, nil
}

// run starts a program that lasts as long as the cluster.
func (c *cluster) run(name, program string, args ...string) error {
	log, err := os.Create(c.path(name + ".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	one := running{name, cmd, make(chan struct{})}
	go func() { _ = cmd.Wait(); close(one.ended) }()
	c.running = append(c.running, one)
	return nil
}

// alive adds the last output of an ended program to an error.
func (c *cluster) alive(err error) error {
	if err == nil {
		return nil
	}
	for _, one := range c.running {
		select {
		case <-one.ended:
			raw, _ := os.ReadFile(c.path(one.name + ".log"))
			return fmt.Errorf("%w; %s has ended: %s", err, one.name, drills.LastLines(string(raw), 5))
		default:
		}
	}
	return err
}

func (c *cluster) stop() error {
	for _, one := range slices.Backward(c.running) {
		_ = one.cmd.Process.Signal(syscall.SIGTERM) // a program that has already ended is fine too
		select {
		case <-one.ended:
		case <-time.After(15 * time.Second):
			_ = one.cmd.Process.Kill()
			<-one.ended
		}
	}
	c.running = nil
	return os.RemoveAll(c.path("etcd"))
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// certificates creates a CA, and with it the certificates of the API server, of an administrator and of the
// aggregator, and the kubeconfig of the administrator.
func (c *cluster) certificates() error {
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "chart"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().AddDate(0, 0, 2)}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	if err := c.sign("ca", authority, authority, key, key); err != nil {
		return err
	}
	for n, of := range []x509.Certificate{
		{Subject: pkix.Name{CommonName: "server"}, DNSNames: []string{"localhost"},
			IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}},
		{Subject: pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}},
		{Subject: pkix.Name{CommonName: "aggregator"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}},
	} {
		of.SerialNumber, of.NotBefore, of.NotAfter = big.NewInt(int64(n+2)), authority.NotBefore, authority.NotAfter
		of.KeyUsage = x509.KeyUsageDigitalSignature
		own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return err
		}
		if err := c.sign(of.Subject.CommonName, &of, authority, own, key); err != nil {
			return err
		}
	}
	pair, err := tls.LoadX509KeyPair(c.path("admin.crt"), c.path("admin.key"))
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(c.path("ca.crt"))
	if err != nil {
		return err
	}
	c.pool = x509.NewCertPool()
	c.pool.AppendCertsFromPEM(raw)
	c.http = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{
		Certificates: []tls.Certificate{pair}, RootCAs: c.pool}, ForceAttemptHTTP2: true}}
	return nil
}

func (c *cluster) sign(name string, of, by *x509.Certificate, key, byKey *ecdsa.PrivateKey) error {
	raw, err := x509.CreateCertificate(rand.Reader, of, by, key.Public(), byKey)
	if err != nil {
		return err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(c.path(name+".crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600),
		os.WriteFile(
			c.path(name+".key"),
			pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}),
			0o600,
		),
	)
}

// writeKubeconfig lets other programs reach the API server as its administrator.
func (c *cluster) writeKubeconfig() error {
	config := map[string]any{"apiVersion": "v1", "kind": "Config", "current-context": "chart",
		"clusters": []any{
			map[string]any{
				"name":    "chart",
				"cluster": map[string]any{"server": c.address, "certificate-authority": c.path("ca.crt")},
			},
		},
		"users": []any{map[string]any{"name": "admin", "user": map[string]any{"client-certificate": c.path("admin.crt"),
			"client-key": c.path("admin.key")}}},
		"contexts": []any{
			map[string]any{"name": "chart", "context": map[string]any{"cluster": "chart", "user": "admin"}},
		}}
	return writeJSON(c.path("kubeconfig"), config)
}

// refused is an error response of the API server.
type refused struct {
	status  int
	message string
}

func (r refused) Error() string { return fmt.Sprintf("%d: %s", r.status, r.message) }

// ask sends a request to the API server; in and out may be nil.
func (c *cluster) ask(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.address+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/merge-patch+json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("ask the API server: %w", err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("read the API server's answer: %w", err)
	}
	if resp.StatusCode >= 300 {
		var why struct{ Message string }
		if json.Unmarshal(raw, &why) != nil || why.Message == "" {
			why.Message = string(raw)
		}
		return refused{resp.StatusCode, why.Message}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}

// list returns the objects at a path, such as /api/v1/pods.
func (c *cluster) list(ctx context.Context, path string) ([]map[string]any, error) {
	var answer struct{ Items []map[string]any }
	err := c.ask(ctx, http.MethodGet, path, nil, &answer)
	return answer.Items, err
}

func isRefused(err error, status int) bool {
	var r refused
	return errors.As(err, &r) && r.status == status
}

// apply creates an object; fields that the API server does not know are refused, and dry runs change
// nothing.
func (c *cluster) apply(ctx context.Context, o render.Object, dry bool) error {
	path, err := c.pathOf(o)
	if err != nil {
		return err
	}
	path += "?fieldValidation=Strict"
	if dry {
		path += "&dryRun=All"
	}
	if err := c.ask(ctx, http.MethodPost, path, o, nil); err != nil {
		return fmt.Errorf("make %s %s: %w", o.Kind(), o.Name(), err)
	}
	return nil
}

// plurals of kinds that do not only add an s.
var plurals = map[string]string{"NetworkPolicy": "networkpolicies", "Ingress": "ingresses"}

var wide = map[string]bool{"Namespace": true, "Node": true, "CustomResourceDefinition": true, "APIService": true}

func (c *cluster) pathOf(o render.Object) (string, error) {
	version, _ := o["apiVersion"].(string)
	if version == "" || o.Kind() == "" {
		return "", fmt.Errorf("no object: %v", o)
	}
	path := "/apis/" + version
	if !strings.Contains(version, "/") {
		path = "/api/" + version
	}
	if !wide[o.Kind()] {
		in, _ := render.Get(o, "metadata", "namespace").(string)
		if in == "" {
			in = namespace
		}
		path += "/namespaces/" + in
	}
	plural := plurals[o.Kind()]
	if plural == "" {
		plural = strings.ToLower(o.Kind()) + "s"
	}
	return path + "/" + plural, nil
}

// applyFile creates the objects of a YAML file.
func (c *cluster) applyFile(ctx context.Context, file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return c.applyText(ctx, string(raw))
}

func (c *cluster) applyText(ctx context.Context, text string) error {
	all, err := render.Objects([]byte(text))
	if err != nil {
		return err
	}
	for _, o := range all {
		if err := c.apply(ctx, o, false); err != nil {
			return err
		}
	}
	return nil
}
