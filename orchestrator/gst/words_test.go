package gst_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

// A label is read even if recognition confused a letter in each of its words, and the recognised text is shown.
func TestReadsWordsWithALetterConfused(t *testing.T) {
	const notice = "FORM GST DRC-01\n[See rule 142(1)(a)]\nReference No.: ZD230826118860W        Date: 12/08/2026\nTo\n" +
		"GSTIN: 23ZKPPD4487N1ZX\nName: MALWA PIPE WORKS\nSummary of Shaw Cause Notlce\n\n" +
		"Dafe by which teply has to be submltted    14/09/2026\n\n" +
		"Tax was short paid, which is recoverable under sectian 73(1) of the Act.\n\nR. K. VERMA\nAssistont Commissloner\n"
	facts := gst.Read(tables, []gst.Page{{Text: notice, Recognised: true}})
	if due := facts.ReplyDue.Date; due == nil || *due != "2026-09-14" {
		t.Errorf("the reply date is %v", due)
	}
	if !strings.Contains(strings.Join(facts.Sections, " "), "73(1)") {
		t.Errorf("sections: %v", facts.Sections)
	}
	if d := facts.Officer.Designation; d == nil || *d != "Assistant Commissioner" {
		t.Errorf("the officer is %v", facts.Officer)
	}
	if name := facts.LegalName; name == nil || *name != "MALWA PIPE WORKS" {
		t.Errorf("the name is %v", name)
	}
}

// A zero among the letters of a GSTIN was read in place of another round letter, if the check digit
// identifies which one.
func TestReadsANoughtForARoundLetter(t *testing.T) {
	for _, test := range []struct {
		printed, want string
		recognised    bool
	}{
		{"09XVLPP612701Z0", "09XVLPP6127Q1Z0", true},
		{"09XVLPP6127Q1Z0", "09XVLPP6127Q1Z0", false},
	} {
		facts := gst.Read(tables, []gst.Page{{Text: "FORM GST REG-17\nShow Cause Notice for Cancellation of Registration\n" +
			"Date: 05/03/2026\nTo\nGSTIN: " + test.printed + "\nName: MALWA PIPE WORKS\nYou are to reply within seven working days.\n",
			Recognised: test.recognised}})
		if facts.GSTIN == nil || *facts.GSTIN != test.want {
			t.Errorf("%s is read as %v", test.printed, facts.GSTIN)
		}
	}
}
