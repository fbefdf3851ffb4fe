package payload

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Keyring is a list of keys with their ids. The first one encrypts; all of them decrypt.
type Keyring struct{ keys []key }

type key struct {
	id     string
	secret []byte
	aead   cipher.AEAD
}

// keyBytes is the key length of AES-256.
const keyBytes = 32

var keyID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Parse reads a keyring: ID:KEY on each line, or separated by commas, where KEY is 32 bytes in base64. The first key
// encrypts. Text after # is a comment. Errors name ids, but never contain keys.
func Parse(text string) (*Keyring, error) {
	r := &Keyring{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for entry := range strings.FieldsFuncSeq(line, func(c rune) bool {
			return strings.ContainsRune(", \t\r\n", c)
		}) {
			id, encoded, found := strings.Cut(entry, ":")
			if !found || !keyID.MatchString(id) {
				return nil, errors.New("a key has to be ID:KEY, where ID is of letters, digits, dots, hyphens and " +
					"underscores, at most 64")
			}
			secret, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil || len(secret) != keyBytes {
				return nil, fmt.Errorf("what stands for the key %s is not %d bytes in base64", id, keyBytes)
			}
			if err := r.insert(len(r.keys), id, secret); err != nil {
				return nil, err
			}
		}
	}
	if len(r.keys) == 0 {
		return nil, errors.New("there is no key in it")
	}
	return r, nil
}

// New returns a keyring with one new key.
func New(now time.Time) (*Keyring, error) {
	r := &Keyring{}
	_, err := r.Add(now, true)
	return r, err
}

// Add adds a new key to the keyring and returns its id; if current is true, it encrypts from now on.
func (r *Keyring) Add(now time.Time, current bool) (id string, err error) {
	secret := make([]byte, keyBytes)
	_, _ = rand.Read(secret) // never fails
	id = now.UTC().Format("2006-01-02") + "-" + strings.ToLower(rand.Text()[:6])
	at := 0
	if !current {
		at = len(r.keys)
	}
	return id, r.insert(at, id, secret)
}

// Use makes the key with this id the one that encrypts.
func (r *Keyring) Use(id string) error {
	at := slices.IndexFunc(r.keys, func(k key) bool { return k.id == id })
	if at < 0 {
		return fmt.Errorf("there is no key %s; there are %s", id, strings.Join(r.IDs(), ", "))
	}
	k := r.keys[at]
	r.keys = slices.Insert(slices.Delete(r.keys, at, at+1), 0, k)
	return nil
}

// IDs returns the ids of the keys, that of the encrypting key first.
func (r *Keyring) IDs() []string {
	ids := make([]string, len(r.keys))
	for i, k := range r.keys {
		ids[i] = k.id
	}
	return ids
}

// Reveal returns the keyring in the format of Parse, including the secrets.
func (r *Keyring) Reveal() string {
	var text strings.Builder
	for _, k := range r.keys {
		fmt.Fprintf(&text, "%s:%s\n", k.id, base64.StdEncoding.EncodeToString(k.secret))
	}
	return text.String()
}

// String returns only the ids, so that no log shows a key.
func (r *Keyring) String() string { return "keys " + strings.Join(r.IDs(), ", ") }

// GoString returns only the ids.
func (r *Keyring) GoString() string { return r.String() }

func (r *Keyring) insert(at int, id string, secret []byte) error {
	if _, there := r.find(id); there {
		return fmt.Errorf("there are two keys of the id %s", id)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return fmt.Errorf("prepare the key %s: %w", id, err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return fmt.Errorf("prepare the key %s: %w", id, err)
	}
	r.keys = slices.Insert(r.keys, at, key{id, secret, aead})
	return nil
}

func (r *Keyring) find(id string) (key, bool) {
	for _, k := range r.keys {
		if k.id == id {
			return k, true
		}
	}
	return key{}, false
}
