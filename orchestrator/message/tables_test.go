package message_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
)

var updateNames = flag.Bool("update-names", false, "write locales/hi/tables.json of the web app anew")

// The names and sentences in the tables of law have their Hindi next to them, as "heading" and "heading_hi"; the web
// app's copy, locales/hi/tables.json, is generated from them. After changing a table: go test ./orchestrator/message
// -run TestNamesInTables -update-names
func TestNamesInTables(t *testing.T) {
	names := map[string]string{}
	add := func(file, english, hindi string) {
		if english == "" || hindi == "" {
			return
		}
		if before := names[english]; before != "" && before != hindi {
			t.Errorf("%s says %q in Hindi as %q, another table as %q", file, english, hindi, before)
		}
		names[english] = hindi
	}
	var look func(file string, value any)
	look = func(file string, value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				look(file, item)
			}
		case map[string]any:
			for name, item := range v {
				if english, ok := item.(string); ok {
					hindi, _ := v[name+"_hi"].(string)
					add(file, english, hindi)
				}
				look(file, item)
			}
			for name, others := range map[string]string{"type": "names", "reason": "reasons"} { // the names of papers
				english, _ := v[name].(string)
				in, _ := v[others].(map[string]any)
				hindi, _ := in["hi"].(string)
				add(file, english, hindi)
			}
		}
	}
	tables := 0
	for _, pattern := range []string{"../gst/cite/tables/*.json", "../gst/cite/tables/acts/*.json", "../gst/law/tables/issues.json",
		"../law/chapters.json", "../law/digest/*/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no table is %s: %v", pattern, err)
		}
		for _, path := range paths {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var table any
			if err := yaml.Unmarshal(raw, &table); err != nil { // JSON is YAML
				t.Fatalf("%s: %v", path, err)
			}
			look(path, table)
			tables++
		}
	}
	if len(names) < 600 {
		t.Fatalf("only %d names were found in %d tables", len(names), tables)
	}
	var made bytes.Buffer
	encoder := json.NewEncoder(&made)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(names); err != nil {
		t.Fatal(err)
	}
	const path = "../../webapp/src/locales/hi/tables.json"
	if *updateNames {
		if err := os.WriteFile(path, made.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, made.Bytes()) {
		t.Errorf("%s is not what the tables say (%v): go test ./orchestrator/message -run TestNamesInTables -update-names", path, err)
	}
}
