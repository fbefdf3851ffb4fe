package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"munshi/tools/chart/render"
	"munshi/tools/drills"
)

// The paths of the namespace's objects at the API server.
const (
	core    = "/api/v1/namespaces/" + namespace
	podList = core + "/pods"
	apps    = "/apis/apps/v1/namespaces/" + namespace
	watches = "/apis/monitoring.coreos.com/v1/namespaces/" + namespace
)

// The metrics that the autoscalers of the workers ask for.
const (
	turnsQueued  = "munshi_turns_open{state=queued}"
	readingQueue = "munshi_reading_queue"
)

// helmFor is how long Helm may wait.
const helmFor = "5m"

// parts are the Deployments of the chart.
var parts = []string{"serve", "worker-reading", "worker-turns"}

// start starts a cluster as an operator would find it: with nodes, the kinds of the Prometheus operator, a namespace
// that enforces Pod Security "restricted", and in it the secrets and prompts that the values name.
func (d *drill) start(ctx context.Context) (err error) {
	if d.cluster, err = startCluster(ctx, d.path("bin"), d.path("cluster")); err != nil {
		return err
	}
	for _, zone := range []string{"a", "b", "c"} {
		if err := d.cluster.addNode(ctx, "node-"+zone, zone); err != nil {
			return err
		}
	}
	kinds, err := d.operatorKinds(ctx)
	if err != nil {
		return err
	}
	for _, file := range kinds {
		if err := d.cluster.applyFile(ctx, file); err != nil {
			return err
		}
	}
	labels := map[string]any{}
	for _, mode := range []string{"enforce", "warn", "audit"} {
		labels["pod-security.kubernetes.io/"+mode] = "restricted"
	}
	if err := d.cluster.apply(ctx, render.Object{"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": namespace, "labels": labels}}, false); err != nil {
		return err
	}
	if err := drills.Await(ctx, time.Minute, "the namespace's account and the operator's kinds", func(ctx context.Context) error {
		_, err := d.cluster.list(ctx, "/apis/monitoring.coreos.com/v1/servicemonitors")
		return errors.Join(err, d.cluster.ask(ctx, http.MethodGet, core+"/serviceaccounts/default", nil, nil))
	}); err != nil {
		return d.cluster.alive(err)
	}
	if err := d.prepare(ctx); err != nil {
		return err
	}
	d.kubelet = startKubelet(ctx, d.cluster)
	if d.metrics, err = startMetrics(ctx, d.cluster); err != nil {
		return err
	}
	for _, series := range []string{turnsQueued, readingQueue} {
		d.metrics.set(series, 0)
	}
	note(
		"API server, controllers and scheduler; three nodes in three zones; the namespace refuses what is not \"restricted\"",
	)
	return nil
}

// prepare creates what values-everything.yaml names and the chart does not create: secrets, prompts and a
// volume.
func (d *drill) prepare(ctx context.Context) error {
	d.secrets = map[string]string{}
	for _, of := range [][]string{{"munshi-database", "url"}, {"munshi-temporal", "keys", "api-key"},
		{"munshi-model", "key"},
		{"munshi-mail", "password"}, {"munshi-database-ca", "ca.crt"}, {"munshi-temporal-ca", "ca.crt"},
		{"munshi-database-client", "tls.crt", "tls.key"}, {"munshi-temporal-client", "tls.crt", "tls.key"}} {
		data := map[string]any{}
		for _, key := range of[1:] {
			value := rand.Text()
			data[key], d.secrets[of[0]+"/"+key] = value, value
		}
		if err := d.cluster.apply(ctx, render.Object{"apiVersion": "v1", "kind": "Secret",
			"metadata": map[string]any{"name": of[0]}, "stringData": data}, false); err != nil {
			return err
		}
	}
	for folder, name := range map[string]string{"notice": "prompts-of-notices", "_shared": "prompts-shared"} {
		files, err := filepath.Glob(filepath.Join(d.root, "prompts", folder, "*"))
		if err != nil {
			return err
		}
		data := map[string]any{}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			data[filepath.Base(file)] = string(raw)
		}
		if err := d.cluster.apply(ctx, render.Object{"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": name}, "data": data}, false); err != nil {
			return err
		}
	}
	if err := d.cluster.ask(ctx, http.MethodPost, "/api/v1/persistentvolumes", map[string]any{"apiVersion": "v1",
		"kind": "PersistentVolume", "metadata": map[string]any{"name": "law"}, "spec": map[string]any{
			"capacity": map[string]any{"storage": "1Gi"}, "accessModes": []any{"ReadOnlyMany"},
			"nfs": map[string]any{"server": "nfs.example", "path": "/law"}}}, nil); err != nil {
		return err
	}
	return d.cluster.apply(ctx, render.Object{"apiVersion": "v1", "kind": "PersistentVolumeClaim",
		"metadata": map[string]any{"name": "law"}, "spec": map[string]any{"accessModes": []any{"ReadOnlyMany"},
			"storageClassName": "", "volumeName": "law",
			"resources": map[string]any{"requests": map[string]any{"storage": "1Gi"}}}}, false)
}

// refusals shows that the API server accepts each kind of pod of the chart, and refuses it if any single
// restriction is removed.
func (d *drill) refusals(ctx context.Context) error {
	text, err := d.template(ctx, everything)
	if err != nil {
		return err
	}
	objects, err := render.Objects([]byte(text))
	if err != nil {
		return err
	}
	set := func(value any, path ...string) func(map[string]any) {
		return func(spec map[string]any) {
			at := spec
			for _, step := range path[:len(path)-1] {
				if all, is := at[step].([]any); is {
					at = all[0].(map[string]any)
				} else {
					at = at[step].(map[string]any)
				}
			}
			if last := path[len(path)-1]; value == nil {
				delete(at, last)
			} else {
				at[last] = value
			}
		}
	}
	changes := map[string]func(map[string]any){
		"root":                 set(0, "securityContext", "runAsUser"),
		"perhaps root":         set(nil, "securityContext", "runAsNonRoot"),
		"no seccomp":           set(nil, "securityContext", "seccompProfile"),
		"the node's network":   set(true, "hostNetwork"),
		"the node's processes": set(true, "hostPID"),
		"more rights":          set(true, "containers", "securityContext", "allowPrivilegeEscalation"),
		"privileged": func(spec map[string]any) {
			set(true, "containers", "securityContext", "privileged")(spec)
			set(true, "containers", "securityContext", "allowPrivilegeEscalation")(spec)
		},
		"a capability": set(
			map[string]any{"drop": []any{"ALL"}, "add": []any{"SYS_ADMIN"}},
			"containers",
			"securityContext",
			"capabilities",
		),
		"its capabilities": set(nil, "containers", "securityContext", "capabilities"),
		"the node's files": func(spec map[string]any) {
			spec["volumes"] = append(
				spec["volumes"].([]any),
				map[string]any{"name": "host", "hostPath": map[string]any{"path": "/"}},
			)
		},
	}
	kinds, refusals := 0, 0
	for _, o := range objects {
		// Its service account does not exist yet.
		if err := d.cluster.apply(ctx, o, true); err != nil && o.Kind() != "Pod" {
			return fmt.Errorf("a dry run: %w", err)
		}
		spec := o.PodSpec()
		if spec == nil {
			continue
		}
		kinds++
		pod := func(change func(map[string]any)) render.Object {
			own := clone(spec)
			delete(own, "serviceAccountName")
			if change != nil {
				change(own)
			}
			return render.Object{
				"apiVersion": "v1",
				"kind":       "Pod",
				"metadata":   map[string]any{"name": "try"},
				"spec":       own,
			}
		}
		if err := d.cluster.apply(ctx, pod(nil), true); err != nil {
			return fmt.Errorf("the pod of %s: %w", o.Name(), err)
		}
		for what, change := range changes {
			if what == "the node's files" && spec["volumes"] == nil {
				continue
			}
			err := d.cluster.apply(ctx, pod(change), true)
			if !isRefused(err, http.StatusForbidden) || !strings.Contains(err.Error(), "violates PodSecurity") {
				return errors.Join(fmt.Errorf("the pod of %s with %s is not refused", o.Name(), what), err)
			}
			refusals++
		}
		err := d.cluster.apply(ctx, pod(set(30, "terminationGracePeriodSecond")), true)
		if !isRefused(err, http.StatusBadRequest) {
			return errors.Join(errors.New("a field that does not exist is taken"), err)
		}
	}
	note(
		"%d objects taken in a dry run; %d kinds of pods as they are; %d changes refused: %s",
		len(objects),
		kinds,
		refusals,
		strings.Join(slices.Sorted(maps.Keys(changes)), ", "),
	)
	return nil
}

func clone(from map[string]any) (to map[string]any) {
	raw, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(raw, &to)
	}
	if err != nil {
		panic(err) // it came from YAML
	}
	return to
}

func (d *drill) install(ctx context.Context) error {
	at := time.Now()
	if _, err := d.helm(ctx, "install", release, chart, "--namespace", namespace, "--wait", "--timeout", helmFor,
		"--values", everything); err != nil {
		return d.explain(ctx, err)
	}
	took := time.Since(at)
	var err error
	if d.before, err = d.helm(ctx, "get", "manifest", release, "--namespace", namespace); err != nil {
		return err
	}
	if d.kubelet.firstOf("migrate").IsZero() || d.kubelet.firstOf("serve").Before(d.kubelet.firstOf("migrate")) {
		return errors.New("the database was not migrated first")
	}
	if err := d.await(ctx, map[string]int{"serve": 2, "worker-reading": 2, "worker-turns": 2}); err != nil {
		return err
	}
	spread, err := d.spread(ctx)
	if err != nil {
		return err
	}
	for service, want := range map[string]int{release: 2, release + "-operators": 6} {
		if err := d.awaitEndpoints(ctx, service, want); err != nil {
			return err
		}
	}
	for _, kind := range []string{"servicemonitors", "prometheusrules"} {
		if all, err := d.cluster.list(ctx, watches+"/"+kind); err != nil || len(all) != 1 {
			return errors.Join(fmt.Errorf("%d %s", len(all), kind), err)
		}
	}
	note("in %s: the migration first, then two of each; %s; two behind the app's address, six behind operators'",
		took.Round(time.Second), spread)
	return d.kubelet.failed()
}

// explain adds the cluster's warnings to an error.
func (d *drill) explain(ctx context.Context, err error) error {
	events, asking := d.cluster.list(ctx, core+"/events")
	said := map[string]bool{}
	for _, e := range events {
		if e["type"] == "Warning" {
			said[fmt.Sprintf("%v %v: %v", render.Get(e, "involvedObject", "name"), e["reason"], e["message"])] = true
		}
	}
	return d.cluster.alive(
		errors.Join(err, asking, d.kubelet.failed(), errors.New(strings.Join(slices.Sorted(maps.Keys(said)), "\n"))),
	)
}

// await waits until each Deployment has this many pods, all up to date and ready.
func (d *drill) await(ctx context.Context, want map[string]int) error {
	err := drills.Await(ctx, 2*time.Minute, fmt.Sprintf("%v pods", want), func(ctx context.Context) error {
		for part, n := range want {
			status, err := d.statusOf(ctx, part)
			if err != nil {
				return err
			}
			for _, count := range []string{"replicas", "readyReplicas", "updatedReplicas"} {
				if got, _ := render.Get(status, count).(float64); int(got) != n {
					return fmt.Errorf("%s has %d %s", part, int(got), count)
				}
			}
		}
		return nil
	})
	if err != nil {
		return d.explain(context.WithoutCancel(ctx), err)
	}
	return nil
}

// statusOf returns the status of a part's Deployment.
func (d *drill) statusOf(ctx context.Context, part string) (any, error) {
	var deployment map[string]any
	err := d.cluster.ask(ctx, http.MethodGet, apps+"/deployments/"+release+"-"+part, nil, &deployment)
	return deployment["status"], err
}

// pods returns the pods of a part that are not being deleted.
func (d *drill) pods(ctx context.Context, part string) (all []map[string]any, err error) {
	found, err := d.cluster.list(ctx, podList+"?labelSelector=app.kubernetes.io/component%3D"+part)
	for _, pod := range found {
		if render.Get(pod, "metadata", "deletionTimestamp") == nil {
			all = append(all, pod)
		}
	}
	return all, err
}

// spread returns on how many nodes the pods of each part are. Two on the same node are an error.
func (d *drill) spread(ctx context.Context) (string, error) {
	var said []string
	for _, part := range parts {
		pods, err := d.pods(ctx, part)
		if err != nil {
			return "", err
		}
		nodes := map[any]bool{}
		for _, pod := range pods {
			nodes[render.Get(pod, "spec", "nodeName")] = true
		}
		if len(nodes) < min(len(pods), 3) {
			return "", fmt.Errorf("%d pods of %s on %d nodes", len(pods), part, len(nodes))
		}
		said = append(said, fmt.Sprintf("%s on %d nodes", part, len(nodes)))
	}
	return strings.Join(said, ", "), nil
}

// awaitEndpoints waits until a Service has this many ready pods.
func (d *drill) awaitEndpoints(ctx context.Context, service string, want int) error {
	return drills.Await(ctx, time.Minute, "the endpoints of "+service, func(ctx context.Context) error {
		n := 0
		slicesOf, err := d.cluster.list(ctx, "/apis/discovery.k8s.io/v1/namespaces/"+namespace+
			"/endpointslices?labelSelector=kubernetes.io/service-name%3D"+service)
		if err != nil {
			return err
		}
		for _, s := range slicesOf {
			if ports, _ := s["ports"].([]any); len(ports) == 0 {
				continue // of pods without such a port
			}
			all, _ := s["endpoints"].([]any)
			for _, e := range all {
				if render.Get(e, "conditions", "ready") == true && render.Get(e, "conditions", "terminating") != true {
					n++
				}
			}
		}
		if n != want {
			return fmt.Errorf("it leads to %d pods, not %d", n, want)
		}
		return nil
	})
}

// fewest records the lowest number of ready pods of each part until it is stopped.
func (d *drill) fewest(ctx context.Context) (stop func() map[string]int) {
	ctx, cancel := context.WithCancel(ctx)
	least := map[string]int{}
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			for _, part := range parts {
				status, err := d.statusOf(ctx, part)
				if err != nil {
					continue
				}
				ready, _ := render.Get(status, "readyReplicas").(float64)
				if n, seen := least[part]; !seen || int(ready) < n {
					least[part] = int(ready)
				}
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	return func() map[string]int { cancel(); done.Wait(); return least }
}

func (d *drill) upgrade(ctx context.Context) error {
	before, err := d.pods(ctx, "serve")
	if err != nil {
		return err
	}
	stop := d.fewest(ctx)
	at := time.Now()
	_, err = d.helm(ctx, "upgrade", release, chart, "--namespace", namespace, "--wait", "--timeout", helmFor,
		"--values", everything, "--set", "serve.autoscaling.enabled=false", "--set", "serve.replicas=3",
		"--set", "settings.log.level=debug", "--set", "monitoring.enabled=false",
		"--set", "workers.reading.shutdownSeconds=60")
	took := time.Since(at)
	if err == nil {
		err = d.await(ctx, map[string]int{"serve": 3, "worker-reading": 2, "worker-turns": 2})
	}
	least := stop()
	if err != nil {
		return d.explain(ctx, err)
	}
	for _, part := range parts {
		if least[part] < 2 {
			return fmt.Errorf("only %d of %s were ready at a time", least[part], part)
		}
	}
	after, err := d.pods(ctx, "serve")
	if err != nil {
		return err
	}
	for _, old := range before {
		if slices.ContainsFunc(after, func(pod map[string]any) bool {
			return render.Get(pod, "metadata", "uid") == render.Get(old, "metadata", "uid")
		}) {
			return errors.New("settings changed, and a pod stayed")
		}
	}
	if all, err := d.cluster.list(ctx, watches+"/servicemonitors"); err != nil || len(all) != 0 {
		return errors.Join(fmt.Errorf("%d ServiceMonitors are left", len(all)), err)
	}
	// The old pods were asked to stop, with the grace period of their own specification.
	if serve, reading := d.kubelet.grace("serve"), d.kubelet.grace("worker-reading"); serve != 35 || reading != 30 {
		return fmt.Errorf("pods may take %d and %d s to go", serve, reading)
	}
	note("in %s: every pod is new, never fewer than two of each were ready; serve may take 35 s to go, a worker 30 s",
		took.Round(time.Second))
	return d.kubelet.failed()
}

// drain removes the pods of a node, as draining a node does.
func (d *drill) drain(ctx context.Context) error {
	if err := d.await(ctx, map[string]int{"serve": 3}); err != nil {
		return err
	}
	var budget map[string]any
	if err := drills.Await(ctx, time.Minute, "the disruption budget", func(ctx context.Context) error {
		path := "/apis/policy/v1/namespaces/" + namespace + "/poddisruptionbudgets/" + release + "-serve"
		if err := d.cluster.ask(ctx, http.MethodGet, path, nil, &budget); err != nil {
			return err
		}
		if n := render.Get(budget, "status", "disruptionsAllowed"); n != 1. {
			return fmt.Errorf("%v may be taken away", n)
		}
		return nil
	}); err != nil {
		return err
	}
	pods, err := d.pods(ctx, "serve")
	if err != nil {
		return err
	}
	evict := func(pod map[string]any) error {
		name := render.Get(pod, "metadata", "name")
		return d.cluster.ask(ctx, http.MethodPost, fmt.Sprintf("%s/%v/eviction", podList, name), map[string]any{
			"apiVersion": "policy/v1", "kind": "Eviction",
			"metadata": map[string]any{"name": name, "namespace": namespace}}, nil)
	}
	if err := evict(pods[0]); err != nil {
		return fmt.Errorf("take one of three away: %w", err)
	}
	if err := evict(pods[1]); !isRefused(err, http.StatusTooManyRequests) {
		return errors.Join(errors.New("a second one may be taken away at the same time"), err)
	}
	if err := drills.Await(ctx, time.Minute, "the second to be let go", func(context.Context) error {
		return evict(pods[1])
	}); err != nil {
		return err
	}
	note("one of serve at a time: the second is refused until the first has been replaced")
	return d.await(ctx, map[string]int{"serve": 3})
}

func (d *drill) backlog(ctx context.Context) error {
	at := time.Now()
	d.metrics.set(readingQueue, 20)
	d.metrics.set(turnsQueued, 35)
	if err := d.await(ctx, map[string]int{"worker-reading": 5, "worker-turns": 4}); err != nil {
		return err
	}
	took := time.Since(at)
	for _, series := range []string{readingQueue, turnsQueued} {
		if !d.metrics.wasAsked(series) {
			return fmt.Errorf("the autoscaler did not ask for %s", series)
		}
	}
	note(
		"20 documents wait: from 2 to 5 readers; 35 turns wait: from 2 to 4 workers; after %s",
		took.Round(time.Second),
	)
	return nil
}

func (d *drill) test(ctx context.Context) error {
	if _, err := d.helm(ctx, "test", release, "--namespace", namespace, "--timeout", helmFor); err != nil {
		return d.explain(ctx, err)
	}
	note("its pod was taken; that it succeeded is only what this program told")
	return nil
}

// kept fails if the value of one of the operator's secrets appears in Helm's release or in the cluster's objects
// other than Secrets: pods, deployments, replica sets, config maps, events and services.
func (d *drill) kept(ctx context.Context) error {
	text, err := d.helm(ctx, "get", "all", release, "--namespace", namespace)
	if err != nil {
		return err
	}
	places := map[string]string{"Helm's release": text}
	for _, path := range []string{podList, apps + "/deployments", apps + "/replicasets", core + "/configmaps",
		core + "/events", core + "/services"} {
		all, err := d.cluster.list(ctx, path)
		if err != nil {
			return err
		}
		raw, err := json.Marshal(all)
		if err != nil {
			return err
		}
		places[path] = string(raw)
	}
	for where, text := range places {
		for name, value := range d.secrets {
			if strings.Contains(text, value) {
				return fmt.Errorf("%s holds the secret %s", where, name)
			}
		}
	}
	note(
		"none of the %d values of secrets is in Helm's release or in %d kinds of objects",
		len(d.secrets),
		len(places)-1,
	)
	return nil
}

func (d *drill) rollback(ctx context.Context) error {
	stop := d.fewest(ctx)
	at := time.Now()
	_, err := d.helm(ctx, "rollback", release, "1", "--namespace", namespace, "--wait", "--timeout", helmFor)
	took := time.Since(at)
	least := stop()
	if err != nil {
		return d.explain(ctx, err)
	}
	if least["serve"] < 2 {
		return fmt.Errorf("only %d of serve were ready at a time", least["serve"])
	}
	now, err := d.helm(ctx, "get", "manifest", release, "--namespace", namespace)
	if err != nil {
		return err
	}
	if now != d.before {
		return errors.New("what is installed is not what was installed first")
	}
	if all, err := d.cluster.list(ctx, watches+"/servicemonitors"); err != nil || len(all) != 1 {
		return errors.Join(fmt.Errorf("%d ServiceMonitors", len(all)), err)
	}
	var settings map[string]any
	if err := d.cluster.ask(ctx, http.MethodGet, core+"/configmaps/"+release+"-settings", nil, &settings); err != nil {
		return err
	}
	var set map[string]any
	if err := yaml.Unmarshal([]byte(fmt.Sprint(render.Get(settings, "data", "munshi.yaml"))), &set); err != nil ||
		set["log"] != nil {
		return errors.Join(fmt.Errorf("the settings are %v", set), err)
	}
	note(
		"in %s, to what was installed first; never fewer than %d of serve were ready",
		took.Round(time.Second),
		least["serve"],
	)
	return d.kubelet.failed()
}

func (d *drill) uninstall(ctx context.Context) error {
	if _, err := d.helm(ctx, "uninstall", release, "--namespace", namespace, "--wait", "--timeout", helmFor); err != nil {
		return d.explain(ctx, err)
	}
	if err := drills.Await(ctx, time.Minute, "the last object to go", func(ctx context.Context) error {
		for _, path := range []string{
			podList, core + "/services", core + "/configmaps", core + "/serviceaccounts", apps + "/deployments",
			apps + "/replicasets", watches + "/servicemonitors", watches + "/prometheusrules",
			"/apis/batch/v1/namespaces/" + namespace + "/jobs",
			"/apis/autoscaling/v2/namespaces/" + namespace + "/horizontalpodautoscalers",
			"/apis/policy/v1/namespaces/" + namespace + "/poddisruptionbudgets",
			"/apis/networking.k8s.io/v1/namespaces/" + namespace + "/networkpolicies",
			"/apis/networking.k8s.io/v1/namespaces/" + namespace + "/ingresses",
		} {
			all, err := d.cluster.list(ctx, path+"?labelSelector=app.kubernetes.io/instance%3D"+release)
			if err != nil {
				return err
			}
			if len(all) > 0 {
				return fmt.Errorf("%d are left at %s", len(all), path)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	left, err := d.cluster.list(ctx, core+"/secrets")
	if err != nil {
		return err
	}
	if len(left) != 8 {
		return fmt.Errorf("%d secrets are left, of the operator's own eight", len(left))
	}
	note("nothing of it is left; the operator's own secrets are")
	return nil
}
