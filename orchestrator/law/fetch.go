package law

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Official is an official file that is published.
type Official struct {
	Name    string `yaml:"name"` // file name under which it is stored
	What    string `yaml:"what"`
	Address string `yaml:"address"`
	AsOn    string `yaml:"as_on"`  // ISO day up to which it is amended
	SHA256  string `yaml:"sha256"` // "" if not known
}

// ReadOfficials reads a list of such files, such as config/law/sources.yaml.
func ReadOfficials(data []byte) ([]Official, error) {
	var list []Official
	if err := yaml.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("read the list of official files: %w", err)
	}
	for _, o := range list {
		u, err := url.Parse(o.Address)
		if err != nil || u.Scheme != "https" && u.Hostname() != "127.0.0.1" || o.Name == "" ||
			o.Name != filepath.Base(o.Name) || o.AsOn != "" && !isDay(o.AsOn) {
			return nil, fmt.Errorf("read the list of official files: %q needs a plain name, an https address and a "+
				"day such as 2020-09-30", o.Name)
		}
	}
	return list, nil
}

// Fetch downloads a file into a folder and returns its path. It rejects a file that is too large, or whose SHA-256
// differs from the expected one.
func (o Official) Fetch(ctx context.Context, client *http.Client, folder string) (path string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.Address, nil)
	if err != nil {
		return "", fmt.Errorf("ask for %s: %w", o.Name, err)
	}
	response, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("download %s: %w", o.Name, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("download %s: the site answers %s", o.Name, response.Status)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("make the folder of downloads: %w", err)
	}
	temp, err := os.CreateTemp(folder, ".download-*")
	if err != nil {
		return "", fmt.Errorf("keep %s: %w", o.Name, err)
	}
	defer func() {
		temp.Close()
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	sha := sha256.New()
	n, err := io.Copy(io.MultiWriter(temp, sha), io.LimitReader(response.Body, maxFile+1))
	if err != nil {
		return "", fmt.Errorf("download %s: %w", o.Name, err)
	}
	if n > maxFile {
		return "", fmt.Errorf("download %s: it is larger than %d MB", o.Name, maxFile>>20)
	}
	if got := hex.EncodeToString(sha.Sum(nil)); o.SHA256 != "" && !strings.EqualFold(got, o.SHA256) {
		return "", fmt.Errorf("download %s: its sha256 is %s, and the list of sources says %s", o.Name, got, o.SHA256)
	}
	if err := temp.Close(); err != nil {
		return "", fmt.Errorf("keep %s: %w", o.Name, err)
	}
	path = filepath.Join(folder, o.Name)
	if err := os.Rename(temp.Name(), path); err != nil {
		return "", fmt.Errorf("keep %s: %w", o.Name, err)
	}
	return path, nil
}

// FetchAll downloads the files of a list. It returns the paths of those that were downloaded, and the errors of the
// others.
func FetchAll(ctx context.Context, client *http.Client, list []Official, folder string) ([]string, error) {
	var paths []string
	var errs []error
	for _, o := range list {
		path, err := o.Fetch(ctx, client, folder)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		paths = append(paths, path)
	}
	return paths, errors.Join(errs...)
}
