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

// Read reads the keyring in a file.
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

// Create writes a keyring to a file that is not there yet, for its owner alone. Of several that create it at once, one
// does; the others get fs.ErrExist.
func Create(file string, r *Keyring) error {
	draft, err := write(file, r)
	if err != nil {
		return err
	}
	defer os.Remove(draft) // a second name of the same file, or one that nobody took
	if err := os.Link(draft, file); err != nil {
		return fmt.Errorf("write the keyring: %w", err)
	}
	return nil
}

// Change reads the keyring in a file, has change alter it, and puts it in the file's place at once: who reads finds the
// old one or the new one. Of several that change it, each waits for the one before.
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

// write puts the keyring into a new file beside the one that it is for.
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
	file string // "" for one that never changes
	log  *slog.Logger

	mu    sync.RWMutex
	ring  *Keyring
	state fs.FileInfo // of the file when it was read
	stuck bool        // it could not be read the last time
}

// Fixed returns keys that never change; nil is none.
func Fixed(r *Keyring) *Keys {
	if r == nil {
		r = &Keyring{}
	}
	return &Keys{ring: r}
}

// Follow returns the keys in a file, and takes in what changes there. While the file cannot be read, the keys that were
// in it stay.
func Follow(file string, log *slog.Logger) (*Keys, error) {
	k := &Keys{file: file, log: log}
	return k, k.read()
}

func (k *Keys) read() error {
	state, err := os.Stat(k.file) // before it is read: what changes in between is seen the next time
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

// current returns the key that encrypts.
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

// find returns the key of the id, for which it reads the file once more.
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

// again reads the file once more, and returns the keyring that there was when it cannot be.
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
