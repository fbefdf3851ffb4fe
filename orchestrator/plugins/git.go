package plugins

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// gitTime is how long git may take to say whose a change is; an answer that is late is none.
const gitTime = 2 * time.Second

// committed tells, where dir is in a git checkout, who wrote the files below it: the last commit that touched them and
// its author; where they hold more than was committed no commit, and whoever works in this checkout.
func committed(ctx context.Context, dir string, files []string) (commit, author string) {
	paths := append([]string{"--"}, files...)
	changed, ok := git(ctx, dir, append([]string{"status", "--porcelain", "--untracked-files=all"}, paths...)...)
	if !ok {
		return "", ""
	}
	if changed != "" {
		return "", gitUser(ctx, dir)
	}
	last, _ := git(ctx, dir, append([]string{"log", "-1", "--format=%H %an"}, paths...)...)
	commit, author, _ = strings.Cut(last, " ")
	return commit, author
}

// gitUser returns who works in this checkout, "" where git does not know.
func gitUser(ctx context.Context, dir string) string {
	name, _ := git(ctx, dir, "config", "user.name")
	return name
}

func git(ctx context.Context, dir string, args ...string) (said string, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	// No lock that a person's own git would meet, no program that the checkout's settings name.
	cmd := exec.CommandContext(
		ctx,
		"git",
		append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-C", dir}, args...)...)
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err == nil
}

// Short is as much of a sha or a commit as people need to tell it from others.
func Short(sha string) string { return sha[:min(len(sha), 10)] }
