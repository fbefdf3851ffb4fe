package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// The parameters of new hashes. Of those that OWASP considers equally strong for argon2id, these use the least memory;
// it fits into the processor's caches, and takes a quarter less CPU time than 19 MiB in two passes.
const (
	memoryKiB = 7168
	passes    = 5
	lanes     = 1
	saltBytes = 16
	keyBytes  = 32
)

// The shortest password, in letters, and the longest, in bytes.
const (
	shortestPassword = 8
	longestPassword  = 1000
)

// hasher computes and checks password hashes. It limits how many at a time, since each needs a lot of memory.
type hasher struct {
	tickets chan struct{}
	nobody  string // a hash to compare with if an address has no account, so that it takes equally long
}

func newHasher(atOnce int) *hasher {
	h := &hasher{tickets: make(chan struct{}, max(1, atOnce))}
	h.nobody = hashOf(rand.Text())
	return h
}

func (h *hasher) enter(ctx context.Context) error {
	select {
	case h.tickets <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for a turn to check a password: %w", ctx.Err())
	}
}

// hash returns a password's hash with its parameters and salt.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer func() { <-h.tickets }()
	return hashOf(password), nil
}

// matches reports whether a password matches a hash. With an empty hash it takes equally long, and returns false.
func (h *hasher) matches(ctx context.Context, password, hash string) (bool, error) {
	if err := h.enter(ctx); err != nil {
		return false, err
	}
	defer func() { <-h.tickets }()
	known := hash != ""
	if !known {
		hash = h.nobody
	}
	var version, memory, time, threads int
	fields := strings.Split(hash, "$") // $argon2id$v=19$m=19456,t=2,p=1$salt$key
	if len(fields) != 6 || fields[1] != "argon2id" {
		return false, fmt.Errorf("the password's hash is of a kind that is not known")
	}
	if _, err := fmt.Sscanf(fields[2]+" "+fields[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &time,
		&threads); err != nil {
		return false, fmt.Errorf("read the parameters of the password's hash: %w", err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(fields[4])
	if err != nil {
		return false, fmt.Errorf("read the salt of the password's hash: %w", err)
	}
	key, err := base64.RawStdEncoding.DecodeString(fields[5])
	if err != nil {
		return false, fmt.Errorf("read the password's hash: %w", err)
	}
	same := argon2.IDKey(plain(password), salt, uint32(time), uint32(memory), uint8(threads), uint32(len(key)))
	return subtle.ConstantTimeCompare(key, same) == 1 && known, nil
}

func hashOf(password string) string {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	key := argon2.IDKey(plain(password), salt, passes, memoryKiB, lanes, keyBytes)
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memoryKiB, passes, lanes, b64(salt),
		b64(key))
}

// plain normalises a password before hashing, so that the same letters give the same bytes on every keyboard.
func plain(password string) []byte { return norm.NFKC.Bytes([]byte(password)) }
