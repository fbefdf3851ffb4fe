package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBillOfMaterials(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	npm := put("package-lock.json", `{"packages": {"": {"name": "app"}, "node_modules/react": {"version": "19.0.0", "license": "MIT"},
		"node_modules/a/node_modules/@x/y": {"version": "1.2.3"}, "node_modules/vite": {"version": "7.0.0", "dev": true}}}`)
	dpkg := put("status", "Package: libc6\nStatus: install ok installed\nVersion: 2.36-9+deb12u14\nDescription: C\n more: of it\n\n"+
		"Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n")
	out := filepath.Join(dir, "sbom.json")
	if err := write(self, npm, dpkg, "v1", out); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(raw, &b); err != nil {
		t.Fatal(err)
	}
	refs := map[string]component{}
	for _, c := range b.Components {
		refs[c.PURL] = c
	}
	for _, want := range []string{"pkg:npm/react@19.0.0", "pkg:npm/%40x/y@1.2.3", "pkg:deb/debian/libc6@2.36-9+deb12u14"} {
		if _, there := refs[want]; !there {
			t.Errorf("there is no %s in %s", want, raw)
		}
	}
	if refs["pkg:npm/react@19.0.0"].Licences[0].Expression != "MIT" {
		t.Error("React's licence is lost")
	}
	if text := string(raw); strings.Contains(text, "vite") || strings.Contains(text, "gone") || !strings.Contains(text, "pkg:golang/stdlib@") {
		t.Errorf("the bill lists what it should not, or lacks Go: %s", text)
	}
}
