package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Notices to upload: one with a text layer, and one that needs text recognition, which takes some seconds.
const (
	textNotice = "evals/documents/drc01-s73.pdf"
	scan       = "webapp/e2e/fixtures/reg-17-scan.pdf"
)

// inDatabase is the Compose command that runs something with the data of a stopped database.
const inDatabase = "run --rm --no-deps -T "

func build(ctx context.Context, s *stack) error {
	_, err := s.compose(ctx, "build", "serve")
	return err
}

// inspect checks that the image contains no more than necessary, and writes its bill of materials.
func inspect(ctx context.Context, s *stack) error {
	name := "munshi:" + s.version
	mounted, err := s.output(ctx, "podman", "image", "mount", name)
	if err != nil {
		return err
	}
	defer func() { _ = s.run(context.WithoutCancel(ctx), "podman", "image", "unmount", name) }()
	root := strings.TrimSpace(mounted)
	var wrong []string
	for _, program := range []string{"sh", "bash", "dash", "apt", "apt-get", "dpkg", "perl", "su", "mount"} {
		for _, dir := range []string{"bin", "usr/bin", "usr/local/bin"} {
			if exists(filepath.Join(root, dir, program)) {
				wrong = append(wrong, filepath.Join("/", dir, program)+" is there")
			}
		}
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
			wrong = append(wrong, strings.TrimPrefix(path, root)+" runs as its owner")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("look through the image: %w", err)
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	cases, err := s.compose(ctx, "run", "--rm", "--no-deps", "-T", "migrate", "evals", "cases")
	if err != nil {
		return err
	}
	bill := s.path("sbom.cdx.json")
	if err := s.run(ctx, "go", "run", "./tools/sbom", "-program", filepath.Join(root, "munshi/bin/munshi"),
		"-npm", "webapp/package-lock.json", "-dpkg", filepath.Join(root, "var/lib/dpkg/status"),
		"-version", s.version, "-out", bill); err != nil {
		return err
	}
	note("no shell, no package manager, nothing that runs as its owner; %d evaluation cases",
		strings.Count(cases, "\n"))
	note("bill of materials: %s", bill)
	return nil
}

func bringUp(ctx context.Context, s *stack) error { return s.up(ctx) }

func sendNotices(ctx context.Context, s *stack) error {
	for _, file := range []string{textNotice, scan} {
		a, err := s.send(ctx, file)
		if err != nil {
			return err
		}
		if _, err := s.answered(ctx, a); err != nil {
			return err
		}
		note("%s is answered in %s", filepath.Base(file), time.Since(a.at).Round(100*time.Millisecond))
	}
	return nil
}

// services are the services that keep running, with the capabilities that each may have, in Linux's notation: the
// proxy's is CAP_NET_BIND_SERVICE.
var services = map[string]string{"web": "400", "serve": "", "worker": "", "postgres": "", "temporal": "",
	"temporal-postgres": "", "temporal-ui": ""}

// confinement checks the limits of each container's processes in the kernel, and looks for secrets in images and logs.
func confinement(ctx context.Context, s *stack) error {
	users := map[string]string{}
	for service, capabilities := range services {
		all, err := s.of(ctx, service)
		if err != nil {
			return err
		}
		for _, c := range all {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Pid))
			if err != nil {
				return err
			}
			is := map[string]string{}
			for line := range strings.Lines(string(status)) {
				name, value, _ := strings.Cut(line, ":")
				is[name] = strings.TrimSpace(value)
			}
			mounts, err := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", c.Pid))
			if err != nil {
				return err
			}
			users[service] = strings.Fields(is["Uid"])[0]
			switch {
			case users[service] == "0":
				return fmt.Errorf("%s runs as root", c.name())
			case is["NoNewPrivs"] != "1":
				return fmt.Errorf("%s may get new privileges", c.name())
			case strings.TrimLeft(is["CapBnd"], "0") != capabilities:
				return fmt.Errorf("%s has the capabilities %s", c.name(), is["CapBnd"])
			case !readOnly(string(mounts)):
				return fmt.Errorf("%s can write to its root", c.name())
			}
			said, err := s.output(ctx, "sh", "-c", "podman logs "+c.ID+" 2>&1")
			if err != nil {
				return err
			}
			if slices.ContainsFunc(s.secrets, func(secret string) bool { return strings.Contains(said, secret) }) {
				return fmt.Errorf("%s wrote a secret to its log", c.name())
			}
		}
	}
	for _, other := range []string{"web", "postgres", "temporal"} {
		if users[other] == users["serve"] || other != "web" && users[other] == users["web"] {
			return fmt.Errorf("the users are not distinct: %v", users)
		}
	}
	image, err := s.output(ctx, "podman", "image", "inspect", "munshi:"+s.version)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(s.secrets, func(secret string) bool { return strings.Contains(image, secret) }) {
		return errors.New("the image holds a secret")
	}
	note("users: %v", users)
	note("root file systems are read-only, no new privileges, no capability but the proxy's; no secret in image or logs")
	return nil
}

func readOnly(mountinfo string) bool {
	for line := range strings.Lines(mountinfo) {
		if f := strings.Fields(line); len(f) > 5 && f[4] == "/" {
			return slices.Contains(strings.Split(f[5], ","), "ro")
		}
	}
	return false
}

// kills kills each part in turn, with all its replicas at once, while scans are being read.
func kills(ctx context.Context, s *stack) error {
	for _, service := range []string{"worker", "serve", "temporal", "postgres", "temporal-postgres"} {
		if err := s.killUnderWay(ctx, service); err != nil {
			return fmt.Errorf("%s: %w", service, err)
		}
	}
	return nil
}

func (s *stack) killUnderWay(ctx context.Context, service string) error {
	before, err := s.of(ctx, service)
	if err != nil {
		return err
	}
	sent, err := s.sendMany(ctx, 4, scan)
	if err != nil {
		return err
	}
	if err := s.awaitRunning(ctx, 2, sent); err != nil {
		return err
	}
	at := time.Now()
	for _, c := range before {
		if err := s.kill(c); err != nil {
			return err
		}
	}
	killed := time.Now()
	if err := s.awaitBack(ctx, service, before); err != nil {
		return err
	}
	back := time.Since(killed)
	found, err := s.answered(ctx, sent...)
	if err != nil {
		return err
	}
	answered := time.Since(killed)
	under := underWay(found, at, killed)
	if under == 0 {
		return errors.New("no turn was under way when the kill came: nothing was shown")
	}
	if err := s.awaitHealthy(ctx, service, len(before), before...); err != nil {
		return err
	}
	if err := s.awaitHealthy(ctx, "worker", 2); err != nil {
		return err
	}
	note("%s (all %d): %d of %d turns were under way; back after %s, all answered and charged once after %s",
		service, len(before), under, len(sent), back.Round(100*time.Millisecond), answered.Round(100*time.Millisecond))
	return nil
}

func scaleOut(ctx context.Context, s *stack) error {
	s.env = append(s.env, "MUNSHI_SERVE_REPLICAS=3", "MUNSHI_WORKER_REPLICAS=3")
	if err := s.up(ctx); err != nil {
		return err
	}
	for _, service := range []string{"serve", "worker"} {
		if err := s.awaitHealthy(ctx, service, 3); err != nil {
			return err
		}
	}
	sent, err := s.sendMany(ctx, 9, scan)
	if err != nil {
		return err
	}
	if _, err := s.answered(ctx, sent...); err != nil {
		return err
	}
	done, err := s.activities(ctx, sent)
	if err != nil {
		return err
	}
	workers, err := s.of(ctx, "worker")
	if err != nil {
		return err
	}
	for _, c := range workers {
		if !slices.ContainsFunc(done, func(a activity) bool { return a.by(c) }) {
			return fmt.Errorf("%s had no part in %d turns", c.name(), len(sent))
		}
	}
	note("%d turns are answered and charged once; each of 3 workers had a part in them", len(sent))
	return nil
}

// roll adds three replicas of the next version to three of this one, and then stops the old ones while turns are
// running. The next version is built from the same source with another version number.
func roll(ctx context.Context, s *stack) error {
	old := map[string][]container{}
	for _, service := range []string{"worker", "serve"} {
		all, err := s.of(ctx, service)
		if err != nil {
			return err
		}
		old[service] = all
	}
	s.version = "drill-2"
	for _, args := range [][]string{
		{"build", "serve"},
		{"run", "--rm", "--no-deps", "migrate"},
		{"up", "-d", "--no-build", "--no-deps", "--no-recreate", "--scale", "worker=6", "--scale", "serve=6",
			"worker", "serve"},
	} {
		if _, err := s.compose(ctx, args...); err != nil {
			return err
		}
	}
	for _, service := range []string{"worker", "serve"} {
		if err := s.awaitHealthy(ctx, service, 6); err != nil {
			return err
		}
		if err := s.stopUnderWay(ctx, service, old[service]); err != nil {
			return fmt.Errorf("%s: %w", service, err)
		}
		all, err := s.of(ctx, service)
		if err != nil {
			return err
		}
		for _, c := range all {
			h, err := s.inspect(ctx, c)
			if err != nil {
				return err
			}
			if !strings.HasSuffix(h.Config.Image, ":"+s.version) {
				return fmt.Errorf("%s still runs %s", c.name(), h.Config.Image)
			}
		}
		if len(all) != 3 {
			return fmt.Errorf("%d of %s run after the roll", len(all), service)
		}
	}
	return nil
}

// stopUnderWay stops containers while turns are running and people keep sending requests.
func (s *stack) stopUnderWay(ctx context.Context, service string, old []container) error {
	sent, err := s.sendMany(ctx, 9, scan)
	if err != nil {
		return err
	}
	if err := s.awaitRunning(ctx, 3, sent); err != nil {
		return err
	}
	asking, ask := context.WithCancel(ctx)
	defer ask()
	asked, streams := make(chan string, 1), make(chan stream, len(sent))
	go func() { asked <- s.askAlways(asking) }()
	for _, a := range sent {
		go func() { streams <- a.follow(asking) }()
	}
	sleep(ctx, time.Second) // until the streams are open
	at := time.Now()
	for _, c := range old {
		if err := s.run(ctx, "podman", "stop", "--time", "30", c.ID); err != nil {
			return err
		}
	}
	stopped := time.Now()
	found, err := s.answered(ctx, sent...)
	if err != nil {
		return err
	}
	ask()
	requests := <-asked
	if strings.Contains(requests, "failed") {
		return fmt.Errorf("while old ones stopped: %s", requests)
	}
	all := stream{}
	for range sent {
		st := <-streams
		all = stream{all.cuts + st.cuts, max(all.longest, st.longest)}
	}
	if all.longest > 5*time.Second {
		return fmt.Errorf("live events were away for %s", all.longest)
	}
	under := underWay(found, at, at)
	if under == 0 {
		return errors.New("no turn was under way when the old ones were stopped: nothing was shown")
	}
	for _, c := range old {
		h, err := s.inspect(ctx, c)
		if err != nil {
			return err
		}
		if h.State.ExitCode != 0 {
			return fmt.Errorf("%s ended with code %d", c.name(), h.State.ExitCode)
		}
		if err := s.run(ctx, "podman", "rm", c.ID); err != nil {
			return err
		}
	}
	note("%d old of %s stopped in %s with %d of %d turns under way, each answered and charged once; %s", len(old),
		service, stopped.Sub(at).Round(100*time.Millisecond), under, len(sent), requests)
	if service != "worker" {
		if all.cuts == 0 {
			return errors.New("no live events broke off: nothing was shown")
		}
		note("live events of the turns broke off %d times, and went on after %s at most", all.cuts,
			all.longest.Round(time.Millisecond))
		return nil
	}
	done, err := s.activities(ctx, sent)
	if err != nil {
		return err
	}
	finished := 0
	for _, a := range done {
		byOld := slices.ContainsFunc(old, a.by)
		if byOld && a.began.Before(at) && a.ended.After(at) {
			finished++
		}
	}
	if finished == 0 {
		return errors.New("no old worker was in the middle of anything when it was stopped: nothing was shown")
	}
	note("the old workers finished the %d activities that they were at when told to stop; none was tried twice",
		finished)
	return nil
}

// askAlways sends requests to the proxy until it is stopped, and says how that went.
func (s *stack) askAlways(ctx context.Context) string {
	v := &visitor{address: s.address}
	n, longest := 0, time.Duration(0)
	for ctx.Err() == nil {
		at := time.Now()
		if err := v.once(ctx, http.MethodGet, "/api/ready", "", "", nil, nil); err != nil && ctx.Err() == nil {
			return fmt.Sprintf("request %d failed: %v", n+1, err)
		}
		n, longest = n+1, max(longest, time.Since(at))
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Sprintf("%d requests went through, the slowest in %s", n, longest.Round(time.Millisecond))
}

// activity is a worker's work on a turn, from Temporal's history.
type activity struct {
	worker       string // the worker's identity, which contains its host: the container's short id
	began, ended time.Time
}

func (a activity) by(c container) bool { return strings.Contains(a.worker, c.ID[:12]) }

// activities returns the activities of the turns. One with more than one attempt is an error.
func (s *stack) activities(ctx context.Context, turns []accepted) (done []activity, err error) {
	script := "for turn in"
	for _, a := range turns {
		script += " " + a.turn
	}
	script += "; do temporal workflow show --workflow-id turn-$turn --output json; done"
	out, err := s.compose(ctx, "run", "--rm", "--no-deps", "-T", "temporal-namespace", script)
	if err != nil {
		return nil, err
	}
	histories := json.NewDecoder(strings.NewReader(out))
	for _, a := range turns {
		var history struct {
			Events []struct {
				EventTime time.Time
				EventType string
				Started   struct {
					ScheduledEventID string
					Identity         string
					Attempt          int
				} `json:"activityTaskStartedEventAttributes"`
				Completed struct {
					ScheduledEventID string
				} `json:"activityTaskCompletedEventAttributes"`
			}
		}
		if err := histories.Decode(&history); err != nil {
			return nil, fmt.Errorf("read the history of %s: %w", a.turn, err)
		}
		begun := map[string]activity{}
		for _, e := range history.Events {
			switch e.EventType {
			case "EVENT_TYPE_ACTIVITY_TASK_STARTED":
				if e.Started.Attempt > 1 {
					return nil, fmt.Errorf("an activity of %s was tried %d times", a.turn, e.Started.Attempt)
				}
				begun[e.Started.ScheduledEventID] = activity{worker: e.Started.Identity, began: e.EventTime}
			case "EVENT_TYPE_ACTIVITY_TASK_COMPLETED":
				one := begun[e.Completed.ScheduledEventID]
				one.ended = e.EventTime
				done = append(done, one)
			}
		}
	}
	return done, nil
}

// restore backs up both databases while turns are open, as described in docs/operations.md, restores them into an
// empty stack, and checks that this answers the turns.
func restore(ctx context.Context, s *stack) error {
	before, err := s.send(ctx, textNotice)
	if err != nil {
		return err
	}
	if _, err := s.answered(ctx, before); err != nil {
		return err
	}
	sent, err := s.sendMany(ctx, 6, scan)
	if err != nil {
		return err
	}
	if err := s.awaitRunning(ctx, 2, sent); err != nil {
		return err
	}
	at := time.Now()
	if _, err := s.compose(ctx, "kill", "worker"); err != nil {
		return err
	}
	if _, err := s.compose(ctx, "stop"); err != nil {
		return err
	}
	stopped := time.Now()
	databases := []string{"postgres", "temporal-postgres"}
	size := int64(0)
	for _, database := range databases {
		file := s.path(database + ".tar.gz")
		defer os.Remove(file)
		if err := s.shell(ctx, inDatabase+database+" tar -cz -C /var/lib/postgresql/data . >"+file); err != nil {
			return err
		}
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		size += info.Size()
	}
	if err := s.down(ctx); err != nil {
		return err
	}
	s.project = "munshi-restored"
	if err := s.addDisk(ctx); err != nil {
		return err
	}
	for _, database := range databases {
		file := s.path(database + ".tar.gz")
		if err := s.shell(ctx, inDatabase+database+" tar -xz -C /var/lib/postgresql/data <"+file); err != nil {
			return err
		}
	}
	if err := s.up(ctx); err != nil {
		return err
	}
	found, err := s.answered(ctx, sent...)
	if err != nil {
		return err
	}
	if _, err := s.answered(ctx, before); err != nil {
		return err
	}
	under, open := underWay(found, at, stopped), 0
	for _, r := range found {
		if r.Finished.After(stopped) {
			open++
		}
	}
	if under == 0 {
		return errors.New("no turn was under way when the backup was made: nothing was shown")
	}
	note("%d MiB of backup; the %d turns that were open in it, %d of them under way, are answered and charged once",
		size>>20, open, under)
	return nil
}
