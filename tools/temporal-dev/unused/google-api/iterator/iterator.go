// Package iterator has the error that ends a list.
package iterator

import "io"

var Done = io.EOF
