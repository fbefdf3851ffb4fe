package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"munshi/tools/chart/render"
)

// kubelet reports to the API server what a kubelet would report about pods, and runs nothing: a pod with a node is
// running at once and ready after readyAfter; a pod of a job or a test then succeeds; and a deleted pod is gone after
// goneAfter.
type kubelet struct {
	cluster *cluster

	mu     sync.Mutex
	seen   map[string]time.Time // when a pod was first seen on a node
	ready  map[string]bool
	number map[string]int // of a pod, for its address
	going  map[string]time.Time
	first  map[string]time.Time
	graces map[string]int // the grace period of each part's deleted pods, in seconds
	err    error
}

const (
	readyAfter = 1500 * time.Millisecond
	goneAfter  = time.Second
)

func startKubelet(ctx context.Context, c *cluster) *kubelet {
	k := &kubelet{cluster: c, seen: map[string]time.Time{}, ready: map[string]bool{}, going: map[string]time.Time{},
		number: map[string]int{}, first: map[string]time.Time{}, graces: map[string]int{}}
	go func() {
		for ctx.Err() == nil {
			if err := k.once(ctx); err != nil && ctx.Err() == nil {
				k.mu.Lock()
				k.err = err
				k.mu.Unlock()
			}
			time.Sleep(200 * time.Millisecond)
		}
	}()
	return k
}

func (k *kubelet) once(ctx context.Context) error {
	pods, err := k.cluster.list(ctx, "/api/v1/pods")
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if node, _ := render.Get(pod, "spec", "nodeName").(string); node == "" {
			continue
		}
		if err := k.tell(ctx, pod); err != nil && !isRefused(err, http.StatusNotFound) &&
			!isRefused(err, http.StatusConflict) {
			return err
		}
	}
	return nil
}

func partOf(pod any) string {
	part, _ := render.Get(pod, "metadata", "labels", "app.kubernetes.io/component").(string)
	return part
}

func (k *kubelet) tell(ctx context.Context, pod map[string]any) error {
	uid, name := fmt.Sprint(render.Get(pod, "metadata", "uid")), fmt.Sprint(render.Get(pod, "metadata", "name"))
	path := fmt.Sprintf("/api/v1/namespaces/%v/pods/%s", render.Get(pod, "metadata", "namespace"), name)
	phase, _ := render.Get(pod, "status", "phase").(string)
	now := time.Now()
	k.mu.Lock()
	if k.seen[uid].IsZero() {
		k.seen[uid], k.number[uid] = now, len(k.number)
		if k.first[partOf(pod)].IsZero() {
			k.first[partOf(pod)] = now
		}
	}
	n, old, ready := k.number[uid], now.Sub(k.seen[uid]), k.ready[uid]
	deleted := render.Get(pod, "metadata", "deletionTimestamp") != nil
	if deleted {
		if grace, is := render.Get(pod, "metadata", "deletionGracePeriodSeconds").(float64); is && grace > 0 {
			k.graces[partOf(pod)] = int(grace)
		}
		if k.going[uid].IsZero() {
			k.going[uid] = now
		}
	}
	gone := deleted && now.Sub(k.going[uid]) > goneAfter
	k.mu.Unlock()
	switch once := partOf(pod) == "migrate" || partOf(pod) == "test"; {
	case gone:
		return k.cluster.ask(ctx, http.MethodDelete, path+"?gracePeriodSeconds=0", nil, nil)
	case deleted, phase == "Succeeded", phase == "Failed":
		return nil
	case once && phase == "Running" && old > readyAfter:
		return k.status(ctx, path, n, "Succeeded", false)
	case !once && !ready && old > readyAfter:
		if err := k.status(ctx, path, n, "Running", true); err != nil {
			return err
		}
		k.mu.Lock()
		k.ready[uid] = true
		k.mu.Unlock()
		return nil
	case phase == "Pending":
		return k.status(ctx, path, n, "Running", false)
	}
	return nil
}

func (k *kubelet) status(ctx context.Context, path string, n int, phase string, ready bool) error {
	now := time.Now().UTC().Format(time.RFC3339)
	is := "False"
	if ready {
		is = "True"
	}
	state := map[string]any{"running": map[string]any{"startedAt": now}}
	if phase == "Succeeded" {
		state = map[string]any{"terminated": map[string]any{"exitCode": 0, "reason": "Completed", "finishedAt": now}}
	}
	address := fmt.Sprintf("10.244.%d.%d", n/250, n%250+2)
	status := map[string]any{"phase": phase, "startTime": now, "podIP": address,
		"podIPs": []any{map[string]any{"ip": address}},
		"conditions": []any{
			map[string]any{"type": "PodScheduled", "status": "True", "lastTransitionTime": now},
			map[string]any{"type": "Initialized", "status": "True", "lastTransitionTime": now},
			map[string]any{"type": "ContainersReady", "status": is, "lastTransitionTime": now},
			map[string]any{"type": "Ready", "status": is, "lastTransitionTime": now}},
		"containerStatuses": []any{map[string]any{"name": "munshi", "ready": ready, "started": ready, "restartCount": 0,
			"image": "none", "imageID": "", "state": state}}}
	return k.cluster.ask(ctx, http.MethodPatch, path+"/status", map[string]any{"status": status}, nil)
}

// grace returns the grace period of the last deleted pod of a part.
func (k *kubelet) grace(part string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.graces[part]
}

// firstOf returns when the first pod of a part got a node.
func (k *kubelet) firstOf(part string) time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.first[part]
}

// failed returns the last failed report to the API server, nil if none failed.
func (k *kubelet) failed() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

// addNode creates a node that is ready for pods.
func (c *cluster) addNode(ctx context.Context, name, zone string) error {
	node := render.Object{
		"apiVersion": "v1",
		"kind":       "Node",
		"metadata": map[string]any{"name": name, "labels": map[string]any{
			"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone, "example/many-cores": "yes"}},
	}
	if err := c.apply(ctx, node, false); err != nil {
		return err
	}
	room := map[string]any{"cpu": "16", "memory": "64Gi", "pods": "110"}
	now := time.Now().UTC().Format(time.RFC3339)
	path := "/api/v1/nodes/" + name
	if err := c.ask(ctx, http.MethodPatch, path+"/status", map[string]any{"status": map[string]any{"capacity": room,
		"allocatable": room, "conditions": []any{map[string]any{"type": "Ready", "status": "True", "reason": "ToldSo",
			"lastHeartbeatTime": now, "lastTransitionTime": now}}}}, nil); err != nil {
		return err
	}
	return c.ask(ctx, http.MethodPatch, path, map[string]any{"spec": map[string]any{"taints": nil}}, nil)
}
