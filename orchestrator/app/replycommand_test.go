package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The reply on the command line: made from facts, with the stances that the person chose.
func TestReplyCommand(t *testing.T) {
	facts := filepath.Join(t.TempDir(), "facts.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(facts, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"form": "DRC-01", "issue_date": "2025-12-01", "sections": ["73(1)"], "periods": [{"fy": "2021-22", "from": "2021-04-01", "to": "2022-03-31"}], "reply_due": {"source": "unknown"},
		"paragraphs": [{"number": "4.1", "text": "4.1 Tax under reverse charge was not paid on freight.", "page": 2}]}`)
	out, err := runCommand(t, "reply", facts, "--today", "2026-01-02", "--stance", "4.1=deny,No freight was paid")
	for _, want := range []string{"**FORM GST DRC-06** (rule 142(4))", "is barred by limitation for F.Y. 2021-22", "The allegation in para 4.1 is denied. No freight was paid.", "section 75(4)"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%v: no %q in\n%s", err, want, out)
		}
	}
	if _, err := runCommand(t, "reply", facts, "--stance", "9=deny"); err == nil || !strings.Contains(err.Error(), "no paragraph 9. Its allegations are 4.1") {
		t.Errorf("a paragraph that is not there: %v", err)
	}
	if _, err := runCommand(t, "reply", facts, "--stance", "4.1=maybe"); err == nil || !strings.Contains(err.Error(), "admit, =deny or =explain") {
		t.Errorf("a stance that is none: %v", err)
	}
	write(factsFile) // for an order there is an appeal and no reply
	if out, err := runCommand(t, "reply", facts, "--today", "2026-01-02"); err != nil || !strings.Contains(out, "# MEMORANDUM OF APPEAL") || strings.Contains(out, "REPLY") {
		t.Errorf("%v: %s", err, out)
	}
	write(`{"form": "ADT-01", "issue_date": "2025-12-01", "reply_due": {"source": "unknown"}}`)
	if out, err := runCommand(t, "reply", facts, "--today", "2026-01-02"); err != nil || !strings.Contains(out, "Produce the books and records") {
		t.Errorf("%v: %s", err, out)
	}
}
