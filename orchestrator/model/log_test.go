package model_test

import (
	"bytes"
	"log"
	"testing"
)

// captureLog returns what the standard logger writes from now on.
func captureLog(t *testing.T) func() string {
	var b bytes.Buffer
	old := log.Writer()
	log.SetOutput(&b)
	t.Cleanup(func() { log.SetOutput(old) })
	return b.String
}
