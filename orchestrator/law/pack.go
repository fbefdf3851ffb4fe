package law

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
)

// The digest is written in YAML, which takes almost a second to read, so the program contains it in packed form.
// `make generate-digest` packs it, and a test compares the two.
//
//go:embed digest.json.gz
var packed []byte

// Pack returns entries in the packed form.
func Pack(entries []*Entry) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("pack the digest of the law: %w", err)
	}
	if err := json.NewEncoder(z).Encode(entries); err != nil {
		return nil, fmt.Errorf("pack the digest of the law: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack the digest of the law: %w", err)
	}
	return b.Bytes(), nil
}

func unpack(data []byte) ([]*Entry, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the digest of the law: %w", err)
	}
	var entries []*Entry
	if err := json.NewDecoder(z).Decode(&entries); err != nil {
		return nil, fmt.Errorf("read the digest of the law: %w", err)
	}
	return entries, nil
}
