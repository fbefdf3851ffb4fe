//go:build soak

package document_test

import "testing"

func TestSoakStressCorpus(t *testing.T) { readStressCorpus(t, 1) }

func TestSoakBrokenFiles(t *testing.T) { breakFiles(t, 400) }
