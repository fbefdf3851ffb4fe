package cmd

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"munshi/config"
)

// Times on the command line are Indian times, with the zone; a JSON log is for programs, and uses
// UTC.
func TestTimesAreThoseOfIndia(t *testing.T) {
	if got, want := moment(time.Date(2026, 11, 26, 20, 0, 5, 0, time.UTC)), "27 November 2026, 01:30:05 IST"; got != want {
		t.Errorf("a moment is %q, want %q", got, want)
	}
	for format, want := range map[string]string{
		"text": `^time="\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} IST" level=INFO msg=hello`,
		"json": `^\{"time":"[^"]+T[^"]+","level":"INFO","msg":"hello"`,
	} {
		var out bytes.Buffer
		var cfg config.Config
		cfg.Log.Level, cfg.Log.Format = "info", format
		loggerTo(&out, cfg).Info("hello")
		if !regexp.MustCompile(want).Match(out.Bytes()) {
			t.Errorf("a log as %s says %s", format, out.String())
		}
	}
}
