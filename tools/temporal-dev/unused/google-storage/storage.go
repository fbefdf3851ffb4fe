// Package storage has the names of Google's client that Temporal's archive in Cloud Storage mentions. No client is
// ever made, since NewClient fails.
package storage

import (
	"context"
	"errors"
	"io"

	"google.golang.org/api/option"
)

const ScopeFullControl = ""

// ErrBucketNotExist and ErrObjectNotExist are never returned.
var (
	ErrBucketNotExist = errors.New("no bucket")
	ErrObjectNotExist = errors.New("no object")
)

type (
	Client       struct{ client }
	BucketHandle struct{ bucket }
	ObjectHandle struct{ object }
	Reader       struct{ io.ReadCloser }
	Writer       struct{ writer }
	Query        struct{ Prefix string }
	BucketAttrs  struct{}
	ObjectAttrs  struct{ Name string }

	ObjectIterator interface{ Next() (*ObjectAttrs, error) }

	client interface{ Bucket(string) *BucketHandle }
	bucket interface {
		Object(string) *ObjectHandle
		Objects(context.Context, *Query) ObjectIterator
		Attrs(context.Context) (*BucketAttrs, error)
	}
	object interface {
		NewWriter(context.Context) *Writer
		NewReader(context.Context) (*Reader, error)
		Attrs(context.Context) (*ObjectAttrs, error)
	}
	writer interface {
		io.WriteCloser
		CloseWithError(error) error
	}
)

func NewClient(context.Context, ...option.ClientOption) (*Client, error) {
	return nil, errors.ErrUnsupported
}
