package plugins

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// gitTime is how long git may take to say who made a change; a later answer is ignored.
const gitTime = 2 * time.Second

// committed returns the last commit and its author for files below dir, if that is in a git checkout. If the files
// have uncommitted changes, it returns no commit, and the user of this checkout as author.
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

// gitUser returns the git user of this checkout, or "" if git does not know.
func gitUser(ctx context.Context, dir string) string {
	name, _ := git(ctx, dir, "config", "user.name")
	return name
}

func git(ctx context.Context, dir string, args ...string) (said string, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	// Takes no lock that could block a person's own git, and runs no program from the checkout's settings.
	cmd := exec.CommandContext(
		ctx,
		"git",
		append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-C", dir}, args...)...)
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err == nil
}

// Short returns the beginning of a hash or commit id, enough for people to tell it from others.
func Short(sha string) string { return sha[:min(len(sha), 10)] }
