package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munshi/orchestrator/api"
)

// webApp returns a server with a small built web app, and nothing behind it.
func webApp(t *testing.T) *httptest.Server {
	t.Helper()
	root := t.TempDir()
	script := strings.Repeat("console.log('Munshi');\n", 100)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(script)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"index.html": "<!doctype html><title>the app</title>", "favicon.svg": "<svg/>", "assets/a-1.js": script,
		"assets/a-1.js.gz": zipped.String(), "assets/a-1.js.br": "brotli", "assets/b-2.webp": "RIFF????WEBP",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	landing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the landing page") })
	handler, err := api.New(api.Options{WebRoot: root, Landing: landing, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// answered is a response.
type answered struct {
	StatusCode    int
	Header        http.Header
	ContentLength int64
}

func ask(t *testing.T, method, address string, header ...string) (answered, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	// Exactly as it arrived: it is not decompressed, and no redirect is followed.
	resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answered{resp.StatusCode, resp.Header, resp.ContentLength}, string(body)
}

func TestPages(t *testing.T) {
	server := webApp(t)
	for path, want := range map[string]string{
		"/": "the landing page", "/?lang=hi": "the landing page", "/app": "the app", "/app/notices/1/reply": "the app", "/payment/success": "the app",
		"/operator": "the app", "/erased/1": "the app",
	} {
		resp, body := ask(t, "GET", server.URL+path)
		if resp.StatusCode != 200 || !strings.Contains(body, want) || resp.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s gives %d %q", path, resp.StatusCode, body)
		}
	}
	for _, path := range []string{"/no/such/page", "/application", "/payment", "/index.html", "/erased", "/app/../x"} {
		if resp, _ := ask(t, "GET", server.URL+path); resp.StatusCode != http.StatusFound || resp.Header.Get("Location") != "/" {
			t.Errorf("%s gives %d to %q, want the way home", path, resp.StatusCode, resp.Header.Get("Location"))
		}
	}
	if resp, _ := ask(t, "GET", server.URL+"/assets/gone-1.js"); resp.StatusCode != 404 {
		t.Errorf("an asset that is gone gives %d", resp.StatusCode)
	}
	if resp, _ := ask(t, "POST", server.URL+"/"); resp.StatusCode != 405 {
		t.Errorf("to post to the landing page gives %d", resp.StatusCode)
	}
}

func TestFilesAreSentInTheirSmallestForm(t *testing.T) {
	server := webApp(t)
	script := server.URL + "/assets/a-1.js"
	plain, whole := ask(t, "GET", script)
	for accepts, want := range map[string]string{
		"gzip, deflate, br, zstd": "br", "gzip": "gzip", "br;q=0, gzip": "gzip", "identity": "", "": "", "gzip;q=0": "",
	} {
		resp, body := ask(t, "GET", script, "Accept-Encoding", accepts)
		h := resp.Header
		if resp.StatusCode != 200 || h.Get("Content-Encoding") != want || h.Get("Vary") != "Accept-Encoding" ||
			!strings.HasPrefix(h.Get("Content-Type"), "text/javascript") || !strings.Contains(h.Get("Cache-Control"), "immutable") || int(resp.ContentLength) != len(body) {
			t.Errorf("%q gives %d with %v", accepts, resp.StatusCode, h)
		}
		if (want == "") != (h.Get("ETag") == plain.Header.Get("ETag")) {
			t.Errorf("%q gives the ETag %s", accepts, h.Get("ETag"))
		}
	}

	resp, body := ask(t, "GET", script, "Accept-Encoding", "br", "Range", "bytes=0-6")
	if resp.StatusCode != http.StatusPartialContent || body != whole[:7] || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("a range gives %d %q", resp.StatusCode, body)
	}
	resp, body = ask(t, "HEAD", script, "Accept-Encoding", "br")
	if resp.StatusCode != 200 || body != "" || resp.Header.Get("Content-Encoding") != "br" || resp.ContentLength != int64(len("brotli")) {
		t.Errorf("HEAD gives %d, %d bytes to come, %v", resp.StatusCode, resp.ContentLength, resp.Header)
	}
	resp, body = ask(t, "GET", script, "Accept-Encoding", "br", "If-None-Match", resp.Header.Get("ETag"))
	if resp.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("what is known is sent again: %d", resp.StatusCode)
	}
	if resp, _ := ask(t, "GET", server.URL+"/assets/b-2.webp", "Accept-Encoding", "br"); resp.Header.Get("Content-Encoding") != "" || resp.Header.Get("Content-Type") != "image/webp" {
		t.Errorf("a picture is sent with %v", resp.Header)
	}
	if resp, _ := ask(t, "GET", server.URL+"/favicon.svg"); resp.Header.Get("Cache-Control") != "no-cache" || resp.Header.Get("ETag") == "" {
		t.Errorf("a file without a hash in its name is sent with %v", resp.Header)
	}
	if resp, _ := ask(t, "GET", server.URL+"/api/no-such", "Accept-Encoding", "br, gzip"); resp.Header.Get("Content-Encoding") != "" {
		t.Error("the API compresses an answer")
	}
}
