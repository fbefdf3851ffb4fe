package app

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"munshi"
	"munshi/config"
)

// WithBuiltInFolders returns the configuration with folders of the program's own prompts, cases and texts, if the
// default folders do not exist because the program runs outside its checkout. The files are unpacked into the user's
// cache, in a folder named by their hash, since editors and file watchers need real files. It does not change a folder
// that somebody configured; if that is missing, there is an error.
func WithBuiltInFolders(cfg config.Config) (config.Config, error) {
	var folder string
	for _, f := range []struct {
		dir     *string
		builtIn string
	}{{&cfg.Prompts.Dir, "prompts"}, {&cfg.Evals.Dir, "evals"}, {&cfg.Links.Texts, "config/site"}} {
		if *f.dir != filepath.Join(cfg.Home, f.builtIn) {
			continue
		}
		if _, err := os.Stat(*f.dir); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if folder == "" {
			var err error
			if folder, err = builtInFolder(); err != nil {
				return cfg, fmt.Errorf("unpack the built-in prompts, cases and texts: %w", err)
			}
		}
		*f.dir = filepath.Join(folder, filepath.FromSlash(f.builtIn))
	}
	return cfg, nil
}

// builtInFolder unpacks the files into the user's cache or, if that cannot be written, into the folder for temporary
// files.
func builtInFolder() (string, error) {
	if cache, err := os.UserCacheDir(); err == nil {
		if folder, err := unpackBuiltIn(munshi.Files, filepath.Join(cache, "munshi")); err == nil {
			return folder, nil
		}
	}
	return unpackBuiltIn(munshi.Files, filepath.Join(os.TempDir(), fmt.Sprintf("munshi-%d", os.Getuid())))
}

// unpackBuiltIn writes the files to a folder below parent that is named by their hash, unless it exists, and returns
// it.
func unpackBuiltIn(files fs.FS, parent string) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := files.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		fmt.Fprintf(sum, "%s\x00", path)
		_, err = io.Copy(sum, file)
		return err
	})
	if err != nil {
		return "", err
	}
	folder := filepath.Join(parent, fmt.Sprintf("%x", sum.Sum(nil)[:8]))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}
	draft, err := os.MkdirTemp(parent, "new-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(draft)
	if err := os.CopyFS(draft, files); err != nil {
		return "", err
	}
	// Another process may have been faster, with the same result.
	if err := os.Rename(draft, folder); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return folder, nil
}
