package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"munshi/tools/chart/render"
)

// Where, and under which name, it is installed.
const (
	release   = "munshi"
	namespace = "legal"
)

var operatorAPIs = []string{"monitoring.coreos.com/v1/ServiceMonitor", "monitoring.coreos.com/v1/PrometheusRule"}

// The chart, and two files of values for it, from the root of the source.
const (
	chart      = "deploy/chart"
	needed     = "tools/chart/values-needed.yaml" // only the values without a default
	everything = "tools/chart/values-everything.yaml"
)

func (d *drill) helm(ctx context.Context, args ...string) (string, error) {
	env := []string{"HELM_CACHE_HOME=" + d.path("helm"), "HELM_CONFIG_HOME=" + d.path("helm"),
		"HELM_DATA_HOME=" + d.path("helm")}
	if d.cluster != nil {
		env = append(env, "KUBECONFIG="+d.cluster.path("kubeconfig"))
	}
	return d.command(ctx, env, d.path("bin", "helm"), args...)
}

func (d *drill) lint(ctx context.Context) error {
	for _, values := range []string{needed, everything} {
		if _, err := d.helm(ctx, "lint", "--strict", chart, "--values", values); err != nil {
			return err
		}
	}
	const schema = "don't meet the specifications of the schema"
	for bad, why := range map[string]string{"secrets.MUNSHI_MODEL_KEY=sesame": schema, "settings.model.key=sesame": schema,
		"database.url=sesame": schema, "workers.reading=null": "nobody works on the queue reading"} {
		_, err := d.template(ctx, needed, "--set", bad)
		if err == nil || !strings.Contains(err.Error(), why) {
			return errors.Join(fmt.Errorf("helm takes %s", bad), err)
		}
	}
	note("strict, with the fewest values and with all; a secret in the values is refused")
	return nil
}

// template returns what Helm renders with a file of values, for a cluster with the Prometheus operator.
func (d *drill) template(ctx context.Context, values string, more ...string) (string, error) {
	args := []string{"template", release, chart, "--namespace", namespace, "--kube-version", "1.37", "--values", values}
	for _, api := range operatorAPIs {
		args = append(args, "--api-versions", api)
	}
	return d.helm(ctx, append(args, more...)...)
}

var looksSecret = regexp.MustCompile(
	`(?i)(password|secret|token|key)["']?\s*[:=]\s*["']?[^\s"'{}]{6,}|://[^/\s:@]+:[^/\s@…]+@|-----BEGIN`,
)

func (d *drill) render(ctx context.Context) error {
	kinds := map[string]bool{}
	for _, values := range []string{needed, everything} {
		text, err := d.template(ctx, values)
		if err != nil {
			return err
		}
		objects, err := render.Objects([]byte(text))
		if err != nil {
			return fmt.Errorf("read what Helm renders: %w", err)
		}
		if err := d.same(objects, values); err != nil {
			return err
		}
		for _, o := range objects {
			kinds[o.Kind()] = true
			if o.Kind() == "Secret" {
				return fmt.Errorf("the chart makes a Secret: %s", o.Name())
			}
			if o.Kind() == "ConfigMap" && strings.HasSuffix(o.Name(), "-dashboard") || o.Kind() == "PrometheusRule" {
				continue // PromQL
			}
			// names of secrets, and paths of their files, are not secrets
			raw, err := yaml.Marshal(withoutReferences(map[string]any(o)))
			if err != nil {
				return err
			}
			if found := looksSecret.FindString(string(raw)); found != "" {
				return fmt.Errorf("%s %s holds what looks like a secret: %s", o.Kind(), o.Name(), found)
			}
		}
	}
	note("the kinds %s; rendered by Helm as by the test of `make test`; no Secret, and nothing that looks like one",
		strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	return nil
}

// withoutReferences removes names of secrets, and variables that name a file.
func withoutReferences(from any) any {
	switch from := from.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range from {
			name, _ := from["name"].(string)
			file := key == "value" && (strings.HasSuffix(name, "_FILE") || strings.HasSuffix(name, "_PATH"))
			if !file && !slices.Contains([]string{"secretKeyRef", "secret", "secretName", "imagePullSecrets",
				"tolerations", "topologyKey", "matchLabelKeys", "matchExpressions"}, key) {
				out[key] = withoutReferences(value)
			}
		}
		return out
	case []any:
		var out []any
		for _, value := range from {
			out = append(out, withoutReferences(value))
		}
		return out
	}
	return from
}

// same compares Helm's output with that of package render, which the tests use.
func (d *drill) same(helms []render.Object, file string) error {
	raw, err := os.ReadFile(filepath.Join(d.root, file))
	if err != nil {
		return err
	}
	set := map[string]any{}
	if err := yaml.Unmarshal(raw, &set); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	dir := filepath.Join(d.root, chart)
	values, err := render.Values(dir, set)
	if err != nil {
		return err
	}
	ours, err := render.Chart(dir, values,
		render.Release{Name: release, Namespace: namespace, APIVersions: operatorAPIs})
	if err != nil {
		return err
	}
	named := func(all []render.Object) map[string]any {
		by := map[string]any{}
		for _, o := range all {
			by[o.Kind()+" "+o.Name()] = map[string]any(o)
		}
		return by
	}
	a, b := named(helms), named(ours)
	for name := range a {
		if !reflect.DeepEqual(a[name], b[name]) {
			x, _ := yaml.Marshal(a[name])
			y, _ := yaml.Marshal(b[name])
			return fmt.Errorf("by Helm %s is\n%sand by package render\n%s", name, x, y)
		}
	}
	if len(a) != len(b) || len(helms) != len(a) {
		return fmt.Errorf("there are %d objects by Helm, and %d by package render", len(helms), len(ours))
	}
	return nil
}

// schemas lets kubeconform check the output against the schemas of Kubernetes and of the Prometheus operator. Fields
// that these do not know are refused.
func (d *drill) schemas(ctx context.Context) error {
	folder := d.path("schemas")
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	module, err := d.module(ctx, "k8s.io/kubernetes")
	if err != nil {
		return err
	}
	kinds, err := writeSchemas(filepath.Join(module, "api", "openapi-spec", "swagger.json"), folder)
	if err != nil {
		return err
	}
	operators, err := d.operatorKinds(ctx)
	if err != nil {
		return err
	}
	for _, file := range operators {
		if err := writeOperatorSchema(file, folder); err != nil {
			return err
		}
	}
	for _, values := range []string{needed, everything} {
		text, err := d.template(ctx, values)
		if err != nil {
			return err
		}
		file := d.path("rendered.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
		said, err := d.kubeconform(ctx, folder, file)
		if err != nil {
			return err
		}
		note("%s", said)
		broken := strings.Replace(text, "terminationGracePeriodSeconds:", "terminationGracePeriodSecond:", 1)
		if err := os.WriteFile(file, []byte(broken), 0o644); err != nil {
			return err
		}
		if _, err := d.kubeconform(ctx, folder, file); err == nil {
			return errors.New("a field that does not exist is let pass")
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	note("by %d schemas made from Kubernetes' own description; a misspelt field is refused", kinds+len(operators))
	return nil
}

func (d *drill) kubeconform(ctx context.Context, folder, file string) (string, error) {
	said, err := d.command(ctx, nil, d.path("bin", "kubeconform"), "-strict", "-summary", "-schema-location",
		folder+"/{{.ResourceKind}}{{.KindSuffix}}.json", file)
	return strings.TrimSpace(said), err
}

// writeSchemas makes a file for each kind of Kubernetes' OpenAPI description, and returns how many.
func writeSchemas(swagger, folder string) (int, error) {
	raw, err := os.ReadFile(swagger)
	if err != nil {
		return 0, err
	}
	var described struct{ Definitions map[string]map[string]any }
	if err := json.Unmarshal(raw, &described); err != nil {
		return 0, fmt.Errorf("read Kubernetes' description: %w", err)
	}
	kinds := 0
	for name, definition := range described.Definitions {
		if strings.HasSuffix(name, ".Quantity") {
			delete(definition, "type")
			definition["type"] = []any{"string", "number"}
		}
		exact(definition)
		of, _ := definition["x-kubernetes-group-version-kind"].([]any)
		for _, one := range of {
			group, _ := render.Get(one, "group").(string)
			file := strings.ToLower(fmt.Sprint(render.Get(one, "kind")))
			if group != "" {
				file += "-" + strings.Split(group, ".")[0]
			}
			file += "-" + fmt.Sprint(render.Get(one, "version")) + ".json"
			to := map[string]any{"$ref": "_definitions.json#/definitions/" + name}
			if err := writeJSON(filepath.Join(folder, file), to); err != nil {
				return 0, err
			}
			kinds++
		}
	}
	return kinds, writeJSON(
		filepath.Join(folder, "_definitions.json"),
		map[string]any{"definitions": described.Definitions},
	)
}

// exact makes a schema refuse unknown fields, and corrects what JSON Schema expresses differently.
func exact(from any) {
	switch from := from.(type) {
	case map[string]any:
		if ref, is := from["$ref"].(string); is {
			from["$ref"] = strings.Replace(ref, "#/definitions/", "_definitions.json#/definitions/", 1)
		}
		_, fields := from["properties"].(map[string]any)
		open := from["x-kubernetes-preserve-unknown-fields"]
		if fields && open == nil && from["additionalProperties"] == nil {
			from["additionalProperties"] = false
		}
		if from["format"] == "int-or-string" {
			delete(from, "format")
			from["type"] = []any{"string", "integer"}
		}
		for _, value := range from {
			exact(value)
		}
	case []any:
		for _, value := range from {
			exact(value)
		}
	}
}

func writeOperatorSchema(file, folder string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var kind map[string]any
	if err := yaml.Unmarshal(raw, &kind); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	schema := render.Get(kind, "spec", "versions", 0, "schema", "openAPIV3Schema")
	if fields, is := render.Get(schema, "properties").(map[string]any); is {
		fields["metadata"] = map[string]any{"type": "object"}
	}
	exact(schema)
	name := strings.ToLower(fmt.Sprint(render.Get(kind, "spec", "names", "kind")))
	return writeJSON(filepath.Join(folder, name+"-monitoring-v1.json"), schema)
}

func writeJSON(file string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o644)
}
