// Command sbom writes a software bill of materials of an image in CycloneDX 1.6: the Go modules recorded in the
// program, the npm packages of the web app except those only for development, and the Debian packages. It has no
// information about vulnerabilities, and licences only if npm's lock file has them.
package main

import (
	"bufio"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
)

// bill has those parts of CycloneDX that we write.
type bill struct {
	Schema      string      `json:"$schema"`
	BOMFormat   string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	PURL     string    `json:"purl,omitempty"`
	Licences []licence `json:"licenses,omitempty"`
}

type licence struct {
	Expression string `json:"expression"`
}

func main() {
	program := flag.String("program", "bin/munshi", "the built `program`")
	npm := flag.String("npm", "webapp/package-lock.json", "npm's lock `file`")
	dpkg := flag.String("dpkg", "", "dpkg's status `file`; empty: no Debian packages")
	version := flag.String("version", "dev", "what the image says it is")
	out := flag.String("out", "", "the `file` to write")
	flag.Parse()
	if err := write(*program, *npm, *dpkg, *version, *out); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(program, npm, dpkg, version, out string) error {
	b := bill{Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", BOMFormat: "CycloneDX", SpecVersion: "1.6",
		Version: 1, Metadata: metadata{Component: component{Type: "application", Ref: "munshi", Name: "munshi",
			Version: version, Licences: []licence{{"AGPL-3.0-only"}}}}}
	modules, err := goModules(program)
	if err != nil {
		return err
	}
	packages, err := fromFile(npm, npmPackages)
	if err != nil {
		return err
	}
	b.Components = append(modules, packages...)
	if dpkg != "" {
		debs, err := fromFile(dpkg, debianPackages)
		if err != nil {
			return err
		}
		b.Components = append(b.Components, debs...)
	}
	slices.SortFunc(b.Components, func(a, b component) int { return strings.Compare(a.Ref, b.Ref) })
	b.Components = slices.CompactFunc(b.Components, func(a, b component) bool { return a.Ref == b.Ref })
	raw, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(raw, '\n'), 0o644)
}

func fromFile(name string, read func(io.Reader) ([]component, error)) ([]component, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found, err := read(f)
	if err == nil && len(found) == 0 {
		err = errors.New("it lists nothing")
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return found, nil
}

func library(kind, name, version string) component {
	purl := "pkg:" + kind + "/" + name + "@" + url.PathEscape(version)
	return component{Type: "library", Ref: purl, Name: name, Version: version, PURL: purl}
}

// goModules returns the modules recorded in the program itself.
func goModules(program string) ([]component, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, fmt.Errorf("ask %s what it was built from: %w", program, err)
	}
	found := []component{library("golang", "stdlib", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		found = append(found, library("golang", m.Path, m.Version))
	}
	return found, nil
}

func npmPackages(r io.Reader) ([]component, error) {
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.NewDecoder(r).Decode(&lock); err != nil {
		return nil, err
	}
	var found []component
	for path, p := range lock.Packages {
		_, name, ok := cutLast(path, "node_modules/")
		if !ok || p.Dev {
			continue
		}
		c := library("npm", strings.Replace(name, "@", "%40", 1), p.Version)
		c.Name = name
		if p.License != "" {
			c.Licences = []licence{{p.License}}
		}
		found = append(found, c)
	}
	return found, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// debianPackages parses dpkg's list of installed packages.
func debianPackages(r io.Reader) (found []component, err error) {
	is := map[string]string{}
	add := func() {
		if strings.HasSuffix(is["Status"], " installed") {
			found = append(found, library("deb/debian", is["Package"], is["Version"]))
		}
		clear(is)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), ": ")
		switch {
		case lines.Text() == "":
			add()
		case ok && !strings.HasPrefix(name, " "):
			is[name] = value
		}
	}
	add()
	return found, lines.Err()
}
