package plugins

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
)

// History gives commands access to the versions of the prompts.
type History struct {
	Store *store.Store
	Dir   string // the prompts folder
}

// RolledBack is the result of a rollback.
type RolledBack struct {
	Before, Now store.Bundle // in Before only SHA is set
	Written     []string     // files of the folder that were written or removed
	Why         string       // why the files were left unchanged; "" if they were not
}

// Rollback puts an earlier version of a plugin to use: the given one, or the one in use before if version is "". It
// also writes that version to the plugin's folder, unless other changes there would be lost. Its errors can be shown
// to people.
func (h History) Rollback(ctx context.Context, plugin, version string) (RolledBack, error) {
	serving, err := h.Store.Serving(ctx)
	if err != nil {
		return RolledBack{}, err
	}
	now := serving[plugin]
	if now == "" {
		return RolledBack{}, problem.New("plugin_not_serving", problem.Params{"plugin": plugin}, nil)
	}
	var target store.Bundle
	if version == "" {
		target, err = h.previous(ctx, plugin, now)
	} else if target, err = h.Version(ctx, version); err == nil && target.Plugin != plugin {
		err = problem.New("version_of_another_plugin",
			problem.Params{"version": Short(target.SHA), "its": target.Plugin, "plugin": plugin}, nil)
	}
	if err != nil {
		return RolledBack{}, err
	}
	if target.SHA == now {
		return RolledBack{}, problem.New(
			"version_serves_already",
			problem.Params{"version": Short(now), "plugin": plugin},
			nil,
		)
	}
	if _, err := prompt.Open(target.Files, Registry()); err != nil {
		return RolledBack{}, problem.New(
			"version_does_not_fit",
			problem.Params{"version": Short(target.SHA), "mistakes": err},
			err,
		)
	}
	if err := h.Store.Rollback(ctx, plugin, target.SHA, h.Me(ctx)); err != nil {
		return RolledBack{}, err
	}
	done := RolledBack{Before: store.Bundle{SHA: now}, Now: target}
	done.Written, done.Why, err = h.writeBack(target)
	return done, err
}

// Override puts prompts to use that the gate holds back, and returns their hash. Its errors can be shown to people.
func (h History) Override(ctx context.Context, plugin, reason string) (sha string, err error) {
	status, err := h.Store.PromptStatus(ctx)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(status, func(s store.PromptStatus) bool { return s.Plugin == plugin })
	if at < 0 || status[at].Folder.Event != store.PromptHeld ||
		status[at].Serving != nil && status[at].Serving.SHA == status[at].Folder.SHA {
		return "", problem.New("nothing_held_back", problem.Params{"plugin": plugin}, nil)
	}
	sha = status[at].Folder.SHA
	return sha, h.Store.Publish(ctx, store.Publication{Plugin: plugin, SHA: sha, Author: h.Me(ctx), Reason: reason})
}

// Withdraw removes a plugin whose folder is gone. Its errors can be shown to people.
func (h History) Withdraw(ctx context.Context, plugin string) error {
	if _, err := os.Stat(filepath.Join(h.Dir, plugin)); err == nil {
		return problem.New("plugin_folder_there", problem.Params{"folder": filepath.Join(h.Dir, plugin)}, nil)
	}
	err := h.Store.Withdraw(ctx, plugin, h.Me(ctx))
	if errors.Is(err, store.ErrNotFound) {
		return problem.New("plugin_not_serving", problem.Params{"plugin": plugin}, err)
	}
	return err
}

// Version finds the version that a person names: a plugin, for the version in use, or the beginning of a hash.
func (h History) Version(ctx context.Context, name string) (store.Bundle, error) {
	serving, err := h.Store.Serving(ctx)
	if err != nil {
		return store.Bundle{}, err
	}
	if sha := serving[name]; sha != "" {
		return h.Store.Bundle(ctx, sha)
	}
	b, err := h.Store.BundleLike(ctx, strings.ToLower(name))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return b, problem.New("no_such_version", problem.Params{"version": name}, err)
	case errors.Is(err, store.ErrAmbiguous):
		return b, problem.New("ambiguous_version", problem.Params{"version": name}, err)
	}
	return b, err
}

// InFolder returns the content of a plugin's folder, with or without mistakes.
func (h History) InFolder(plugin string) (store.Bundle, error) {
	folders, err := prompt.ReadDir(h.Dir)
	if err != nil {
		return store.Bundle{}, problem.New("folder_unreadable", problem.Params{"folder": h.Dir}, err)
	}
	at := slices.IndexFunc(folders, func(f prompt.Folder) bool { return f.Plugin == plugin })
	if at < 0 {
		return store.Bundle{}, problem.New(
			"no_such_folder",
			problem.Params{"folder": filepath.Join(h.Dir, plugin)},
			nil,
		)
	}
	b := store.Bundle{SHA: folders[at].SHA, Plugin: plugin, Files: map[string][]byte{}}
	for _, name := range folders[at].Files() {
		if b.Files[name], err = os.ReadFile(filepath.Join(h.Dir, name)); err != nil {
			return b, fmt.Errorf("read the prompts: %w", err)
		}
	}
	return b, nil
}

// previous returns the version that was in use before the present one.
func (h History) previous(ctx context.Context, plugin, now string) (store.Bundle, error) {
	const enough = 1000
	events, err := h.Store.PromptHistory(ctx, plugin, enough)
	if err != nil {
		return store.Bundle{}, err
	}
	for _, e := range events {
		if slices.Contains(
			[]string{store.PromptServed, store.PromptRolledBack, store.PromptPublished, store.PromptOverridden},
			e.Event,
		) &&
			e.SHA != now {
			return h.Store.Bundle(ctx, e.SHA)
		}
	}
	return store.Bundle{}, problem.New("no_other_version", problem.Params{"plugin": plugin}, nil)
}

// Me returns the name of the person who is working here, as far as known.
func (h History) Me(ctx context.Context) string {
	if name := gitUser(ctx, h.Dir); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// writeBack writes a version to the plugin's folder. It returns the files that it wrote and removed, or why it did
// not.
func (h History) writeBack(target store.Bundle) (written []string, why string, err error) {
	folders, err := prompt.ReadDir(h.Dir)
	if err != nil {
		return nil, "the prompts folder cannot be read from here.", nil
	}
	now := map[string]bool{} // the plugin's files in the folder
	var others []string
	changed := map[string][]byte{}
	for name, data := range target.Files {
		if there, err := os.ReadFile(filepath.Join(h.Dir, name)); err != nil || string(there) != string(data) {
			changed[name] = data
		}
	}
	for _, f := range folders {
		for _, name := range f.Files() {
			if f.Plugin == target.Plugin {
				now[name] = true
			} else if changed[name] != nil {
				others = append(others, fmt.Sprintf("%s, which %s uses too", name, f.Plugin))
			}
		}
	}
	if others != nil {
		return nil, fmt.Sprintf("that version has another text in %s.", strings.Join(others, ", and in ")), nil
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if err := h.replace(name, changed[name]); err != nil {
			if written != nil {
				return nil, "", fmt.Errorf("write %s: %w", name, err)
			}
			return nil, fmt.Sprintf("%s cannot be written.", filepath.Join(h.Dir, name)), nil
		}
		written = append(written, name)
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, kept := target.Files[name]; !kept && strings.HasPrefix(name, target.Plugin+"/") {
			if err := os.Remove(filepath.Join(h.Dir, name)); err != nil {
				return nil, "", fmt.Errorf("remove a file that the version did not have: %w", err)
			}
			written = append(written, name+" removed")
		}
	}
	return written, "", nil
}

// replace writes a file of the prompts folder completely or not at all. It follows a link only within the folder.
func (h History) replace(name string, data []byte) error {
	dir, err := filepath.EvalSymlinks(h.Dir)
	if err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.Dir(name)))
	if err != nil {
		return err
	}
	file := filepath.Join(folder, filepath.Base(name))
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if inside, err := filepath.Rel(dir, file); err != nil || !filepath.IsLocal(inside) {
		return fmt.Errorf("%s leads out of the prompts folder", name)
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".munshi-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
