// Package iterator has the error for the end of a list in Google's API.
package iterator

import "io"

var Done = io.EOF
