// Package render renders the chart of deploy/chart without Helm, so that a test can compare it with the program even
// without Helm and a network. It supports only the part of Helm's language that our templates use; `make chart`
// compares its output with Helm's.
package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"go.yaml.in/yaml/v3"
)

// Release is the name and the namespace for which the chart is rendered, and the API versions that the cluster has
// in addition to Kubernetes' own.
type Release struct {
	Name, Namespace string
	APIVersions     []string // such as monitoring.coreos.com/v1/ServiceMonitor
}

// An Object is a Kubernetes object.
type Object map[string]any

// Kind returns the object's kind.
func (o Object) Kind() string { kind, _ := o["kind"].(string); return kind }

// Name returns the object's name.
func (o Object) Name() string { name, _ := Get(o, "metadata", "name").(string); return name }

// PodSpec returns the specification of the pods that the object creates, nil if it creates none.
func (o Object) PodSpec() map[string]any {
	path := []any{"spec"}
	switch o.Kind() {
	case "Deployment", "Job":
		path = []any{"spec", "template", "spec"}
	case "Pod":
	default:
		return nil
	}
	spec, _ := Get(o, path...).(map[string]any)
	return spec
}

// Get returns the value at a path of keys and numbers, nil if there is none.
func Get(from any, path ...any) any {
	for _, step := range path {
		switch at := from.(type) {
		case Object:
			from = at[fmt.Sprint(step)]
		case map[string]any:
			from = at[fmt.Sprint(step)]
		case []any:
			n, ok := step.(int)
			if !ok || n >= len(at) {
				return nil
			}
			from = at[n]
		default:
			return nil
		}
	}
	return from
}

// Values returns the chart's default values with others over them.
func Values(dir string, over map[string]any) (map[string]any, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "values.yaml"))
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	if err := yaml.Unmarshal(raw, &values); err != nil {
		return nil, fmt.Errorf("read values.yaml: %w", err)
	}
	return merge(values, over), nil
}

func merge(under, over map[string]any) map[string]any {
	out := maps.Clone(under)
	for key, value := range over {
		a, both := out[key].(map[string]any)
		b, are := value.(map[string]any)
		if both && are {
			value = merge(a, b)
		}
		out[key] = value
	}
	return out
}

// Chart renders the chart in the folder with the values, as they are.
func Chart(dir string, values map[string]any, r Release) ([]Object, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "Chart.yaml"))
	if err != nil {
		return nil, err
	}
	var about struct {
		Name, Version string
		AppVersion    string `yaml:"appVersion"`
	}
	if err := yaml.Unmarshal(raw, &about); err != nil {
		return nil, fmt.Errorf("read Chart.yaml: %w", err)
	}
	root := map[string]any{
		"Values": values, "Chart": about, "Files": files(dir), "Capabilities": capabilities{r.APIVersions},
		"Release": map[string]any{"Name": r.Name, "Namespace": r.Namespace, "Service": "Helm"},
	}
	all := template.New("")
	all.Option("missingkey=zero").Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out strings.Builder
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"required": func(why string, value any) (any, error) {
			if value == nil || value == "" {
				return nil, errors.New(why)
			}
			return value, nil
		},
		"lookup": func(...string) map[string]any { return map[string]any{} }, // there is no cluster to look into
		"toYaml": func(value any) (string, error) {
			var out strings.Builder
			lines := yaml.NewEncoder(&out)
			lines.SetIndent(2)
			lines.CompactSeqIndent()
			err := lines.Encode(value)
			return strings.TrimSuffix(out.String(), "\n"), err
		},
		"toJson": func(value any) (string, error) {
			out, err := json.Marshal(value)
			return string(out), err
		},
	})
	var names []string
	err = filepath.WalkDir(filepath.Join(dir, "templates"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".yaml") {
			names = append(names, path)
		}
		_, err = all.New(path).Parse(string(raw))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the templates: %w", err)
	}
	var objects []Object
	for _, name := range names {
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, name, root); err != nil {
			return nil, err
		}
		some, err := Objects(out.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s renders no YAML: %w\n%s", filepath.Base(name), err, out.Bytes())
		}
		objects = append(objects, some...)
	}
	return objects, nil
}

// Objects reads the documents of a YAML text; empty ones are left out.
func Objects(text []byte) (all []Object, err error) {
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var one map[string]any // not Object, because yaml would then use it for nested objects too
		switch err := documents.Decode(&one); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		if len(one) > 0 {
			all = append(all, one)
		}
	}
}

type capabilities struct{ APIVersions versions }

type versions []string

// Has reports whether the cluster has this API version.
func (v versions) Has(name string) bool { return slices.Contains(v, name) }

type files string

// Get returns a file of the chart, "" if there is none, as Helm does.
func (f files) Get(name string) string {
	raw, _ := os.ReadFile(filepath.Join(string(f), name))
	return string(raw)
}
