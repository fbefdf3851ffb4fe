package prompt_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/prompt"
)

// schemas compiles both schemas.
func schemas(t *testing.T) (manifest, front *jsonschema.Schema) {
	t.Helper()
	compile := func(schema map[string]any) *jsonschema.Schema {
		c := jsonschema.NewCompiler()
		must(t, c.AddResource("schema.json", plain(t, schema)))
		compiled, err := c.Compile("schema.json")
		must(t, err)
		return compiled
	}
	return compile(prompt.ManifestSchema(registry())), compile(prompt.FrontMatterSchema(registry()))
}

// plain returns a value as JSON knows it.
func plain(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	out, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	must(t, err)
	return out
}

func fromYAML(t *testing.T, text string) any {
	t.Helper()
	var v any
	must(t, yaml.Unmarshal([]byte(text), &v))
	return plain(t, v)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The schemas accept everything in the prompts folder, so an editor shows no mistake in it.
func TestSchemasTakeOurFiles(t *testing.T) {
	folder := filepath.Join(root(t), "prompts")
	compile := func(name string) *jsonschema.Schema {
		compiled, err := jsonschema.NewCompiler().Compile(filepath.Join(folder, name))
		must(t, err)
		return compiled
	}
	manifestSchema, frontSchema := compile("plugin.schema.json"), compile("prompt.schema.json")
	plugins, err := filepath.Glob(filepath.Join(folder, "*", "plugin.yaml"))
	must(t, err)
	// Judges have a registry of their own.
	plugins = slices.DeleteFunc(plugins, func(file string) bool { return strings.Contains(file, "_evals") })
	for _, file := range append(plugins, filepath.Join(folder, "_examples", "contract-review", "plugin.yaml")) {
		text, err := os.ReadFile(file)
		must(t, err)
		if err := manifestSchema.Validate(fromYAML(t, string(text))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		prompts, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.md"))
		must(t, err)
		for _, file := range prompts {
			text, err := os.ReadFile(file)
			must(t, err)
			if err := frontSchema.Validate(fromYAML(t, strings.Split(string(text), "\n---\n")[0])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if len(plugins) < 2 {
		t.Errorf("only %q were held against the schemas", plugins)
	}
}

// The schema accepts what the checker accepts, and both find the mistakes that an editor can show.
func TestSchemas(t *testing.T) {
	manifestSchema, frontSchema := schemas(t)
	for _, change := range [][2]string{
		{"kind: prompt", "kind: ask"}, {"order: 3", "order: nought"}, {"title: Question", "titel: Question"}, {"prompt: chat", "promt: chat"},
		{"audience: everyone", "audience: nobody"}, {"chat:", "talk:"}, {"  - {id: notice, type: pdf, title: Upload}", "  - {id: notice, type: file, title: Upload}"},
	} {
		broken := strings.Replace(manifest, change[0], change[1], 1)
		if broken == manifest || manifestSchema.Validate(fromYAML(t, broken)) == nil || len(problems(t, demo(map[string]string{"demo/plugin.yaml": broken}))) == 0 {
			t.Errorf("%q is taken", change[1])
		}
	}
	head := strings.TrimPrefix(strings.TrimSuffix(front, "---\n"), "---\n")
	for _, change := range [][2]string{
		{"purpose: Answers.", "purpose: Answers.\nmodel: {fallback: [nobody]}"}, {"purpose", "purpos"}, {"type: text, untrusted: true", "type: list, untrusted: true"}, {"type: text, untrusted: true", "type: text"}, {"  message:", "  mesage:"}, {"sample: 2", "sample: two"},
	} {
		broken := strings.Replace(head, change[0], change[1], 1)
		if broken == head || frontSchema.Validate(fromYAML(t, broken)) == nil || len(problems(t, demo(map[string]string{"demo/chat.md": "---\n" + broken + "---\n" + all}))) == 0 {
			t.Errorf("%q is taken", change[1])
		}
	}
}
