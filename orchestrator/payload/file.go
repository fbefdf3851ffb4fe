package payload

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// Read reads a keyring from a file.
func Read(file string) (*Keyring, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the keyring: %w", err)
	}
	r, err := Parse(string(raw))
	if err != nil {
		return nil, fmt.Errorf("the keyring %s: %w", file, err)
	}
	return r, nil
}

// Create writes a keyring to a new file that only its owner can read. If several processes create it at the same time,
// one succeeds and the others get fs.ErrExist.
func Create(file string, r *Keyring) error {
	draft, err := write(file, r)
	if err != nil {
		return err
	}
	defer os.Remove(draft) // after success only a second name of the file
	if err := os.Link(draft, file); err != nil {
		return fmt.Errorf("write the keyring: %w", err)
	}
	return nil
}

// Change reads the keyring in a file, lets change modify it, and replaces the file in one step, so that readers see
// the old or the new one. Concurrent changes wait for each other.
func Change(file string, change func(*Keyring) error) error {
	lock, err := os.OpenFile(file+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("lock the keyring: %w", err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock the keyring: %w", err)
	}
	r, err := Read(file)
	if err != nil {
		return err
	}
	if err := change(r); err != nil {
		return err
	}
	draft, err := write(file, r)
	if err != nil {
		return err
	}
	if err := os.Rename(draft, file); err != nil {
		return errors.Join(fmt.Errorf("write the keyring: %w", err), os.Remove(draft))
	}
	return nil
}

// write writes the keyring to a new file next to the given one.
func write(file string, r *Keyring) (draft string, err error) {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // 0600
	if err != nil {
		return "", fmt.Errorf("write the keyring: %w", err)
	}
	_, err = f.WriteString("# Who has these keys reads what Temporal keeps; without them nobody does. The first one " +
		"encrypts.\n" + r.Reveal())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("write the keyring: %w", err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// Keys is the keyring of a running process.
type Keys struct {
	file string // "" if it never changes
	log  *slog.Logger

	mu    sync.RWMutex
	ring  *Keyring
	state fs.FileInfo // of the file when it was last read
	stuck bool        // the last attempt to read it failed
}

// Fixed returns keys that never change; nil means no keys.
func Fixed(r *Keyring) *Keys {
	if r == nil {
		r = &Keyring{}
	}
	return &Keys{ring: r}
}

// Follow returns the keys in a file, and follows its changes. While the file cannot be read, the last known keys are
// used.
func Follow(file string, log *slog.Logger) (*Keys, error) {
	k := &Keys{file: file, log: log}
	return k, k.read()
}

func (k *Keys) read() error {
	state, err := os.Stat(k.file) // taken before reading, so that a change in between is noticed next time
	if err != nil {
		return fmt.Errorf("read the keyring: %w", err)
	}
	r, err := Read(k.file)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ring, k.state, k.stuck = r, state, false
	return nil
}

// current returns the key for encryption.
func (k *Keys) current() (key, error) {
	k.mu.RLock()
	ring, state := k.ring, k.state
	k.mu.RUnlock()
	if k.file != "" {
		now, err := os.Stat(k.file)
		if err != nil || !os.SameFile(now, state) || !now.ModTime().Equal(state.ModTime()) ||
			now.Size() != state.Size() {
			ring = k.again(ring)
		}
	}
	if len(ring.keys) == 0 {
		return key{}, errors.New("there is no key to encrypt with")
	}
	return ring.keys[0], nil
}

// find returns the key with an id; if it is unknown, the file is read again.
func (k *Keys) find(id string) (key, bool) {
	k.mu.RLock()
	ring := k.ring
	k.mu.RUnlock()
	found, ok := ring.find(id)
	if !ok && k.file != "" {
		found, ok = k.again(ring).find(id)
	}
	return found, ok
}

// again reads the file again, and returns the keyring before if that fails.
func (k *Keys) again(before *Keyring) *Keyring {
	err := k.read()
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil {
		return k.ring
	}
	if !k.stuck {
		k.log.Warn("the keyring cannot be read again; the keys that were in it stay", "error", err)
	}
	k.stuck = true
	return before
}
