//go:build soak

package gst_test

import "testing"

func TestSoakCorrectionsOfAnyText(t *testing.T) { correctAnyText(t, 1) }
