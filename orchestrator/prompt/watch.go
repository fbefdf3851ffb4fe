package prompt

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// how long a folder must be unchanged before it is read, since an editor or git may still be writing
	quiet    = 150 * time.Millisecond
	patience = time.Second // after which a folder that keeps changing is read anyway
)

// Watch calls saw with all plugin folders below dir: once at first, and again each time files in them have changed and
// are then unchanged for a moment, until ctx ends. The operating system reports changes; Watch also checks every poll,
// since network file systems report none. If saw returns an error, it is called again with the same folders.
func Watch(ctx context.Context, dir string, poll time.Duration, log *slog.Logger,
	saw func(context.Context, []Folder) error) {
	w := &watch{dir: dir, log: log}
	w.open()
	defer w.close()
	ticks := time.NewTicker(poll)
	defer ticks.Stop()
	w.follow()
	for taken := ""; ; {
		if folders, state := w.rested(ctx, taken); state != taken && ctx.Err() == nil {
			w.follow()
			if err := saw(ctx, folders); err == nil {
				taken = state
				continue // changes before follow were not reported
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-w.events():
		case err := <-w.errors():
			log.Debug("a change to the prompts may not have been told; looking again", "error", err)
		case <-ticks.C:
		}
	}
}

type watch struct {
	dir      string
	log      *slog.Logger
	system   *fsnotify.Watcher // nil if there is none
	followed []string
	wrong    string // the last reported error of the prompts folder
}

// open starts watching for changes; if that is impossible, there is only polling.
func (w *watch) open() {
	var err error
	if w.system, err = fsnotify.NewWatcher(); err != nil {
		w.system = nil
		w.log.Warn("the system cannot tell of changes to the prompts; they are looked at regularly instead", "error",
			err)
	}
}

func (w *watch) close() {
	if w.system != nil {
		_ = w.system.Close() // an error loses nothing
	}
}

func (w *watch) events() <-chan fsnotify.Event {
	if w.system == nil {
		return nil
	}
	return w.system.Events
}

// errors returns the errors of the watcher; they only mean that events were lost.
func (w *watch) errors() <-chan error {
	if w.system == nil {
		return nil
	}
	return w.system.Errors
}

// follow watches the folders as they are now, since a mount may have replaced them by others with the same names.
// Errors can be ignored, since polling continues.
func (w *watch) follow() {
	if w.system == nil {
		return
	}
	for _, folder := range w.followed {
		_ = w.system.Remove(folder)
	}
	w.followed = append(w.followed[:0], w.dir)
	entries, _ := os.ReadDir(w.dir)
	for _, e := range entries {
		folder := filepath.Join(w.dir, e.Name())
		if info, err := os.Stat(folder); err == nil && info.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			w.followed = append(w.followed, folder)
		}
	}
	for _, folder := range w.followed {
		_ = w.system.Add(folder)
	}
}

// rested reads the folders until they have been unchanged for a while. The string identifies their content.
func (w *watch) rested(ctx context.Context, taken string) ([]Folder, string) {
	begun := time.Now()
	for last := taken; ; {
		folders, err := ReadDir(w.dir)
		if !w.readable(err) {
			return nil, taken
		}
		state := stateOf(folders)
		if state == last || taken == "" || time.Since(begun) > patience {
			return folders, state
		}
		last = state
		select {
		case <-ctx.Done():
			return nil, taken
		case <-time.After(quiet):
		}
		w.forget()
	}
}

// readable reports whether the prompts folder can be read; it logs each new error once.
func (w *watch) readable(err error) bool {
	said := ""
	if err != nil {
		said = err.Error()
	}
	if said != w.wrong {
		if w.wrong = said; err != nil {
			w.log.Error("the prompts folder cannot be read; what served before goes on", "error", err)
		} else {
			w.log.Info("the prompts folder can be read again")
		}
	}
	return err == nil
}

// forget drops events about changes that are about to be read.
func (w *watch) forget() {
	for {
		select {
		case <-w.events():
		default:
			return
		}
	}
}

func stateOf(folders []Folder) string {
	var b strings.Builder
	for _, f := range folders {
		b.WriteString(f.Plugin + " " + f.SHA + "\n")
	}
	return b.String()
}
