package gst_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

const (
	covering = `OFFICE OF THE ASSISTANT COMMISSIONER OF STATE TAX, WARD 12, INDORE
No. AC/W-12/2026-27/881                                   Date: 12.08.2026
To
M/s Malwa Pipe Works, Indore
GSTIN 23ZKPPD4487N1ZX
Sir,
Please find enclosed a notice in FORM GST DRC-01 for the year 2021-22. You are requested to acknowledge its receipt by return of post, and to send the acknowledgement to the clerk of this office.
Assistant Commissioner of State Tax
Ward 12, Indore
`
	summary01 = `FORM GST DRC-01
[See rule 142(1)(a)]
Reference No.: ZD230826118860W        Date: 12/08/2026
To
GSTIN: 23ZKPPD4487N1ZX
Name: MALWA PIPE WORKS
Summary of Show Cause Notice
Section under which notice is issued      73(1)
Date by which reply has to be submitted      14/09/2026
Date of personal hearing      18/09/2026
`
	annexe = `ANNEXURE A
Month      CGST      SGST
April 2021      1,000      1,000
Total      1,000      1,000
`
	summary07 = `FORM GST DRC-07
[See rule 142(5)]
Summary of the order
Reference No.: ZD231226118111K        Date: 22/12/2026
GSTIN: 23ZKPPD4487N1ZX
Name: MALWA PIPE WORKS
(a) Order No.      AC/W-12/ORD/31
(b) Order date      22/12/2026
Section of the Act under which demand is created      73(9)
You are hereby directed to make the payment by 22/03/2027.
`
)

// Several papers in one file: which of them is read, and what the others are.
func TestPartsOfAFile(t *testing.T) {
	for _, test := range []struct {
		name        string
		pages       []string
		form, due   string
		kinds, read string // of the parts, in their order
	}{
		{"a letter, a form, an annexure", []string{covering, summary01, annexe}, "DRC-01", "2026-09-14", "letter notice annexure", "yes yes yes"},
		{"a notice behind the order that it led to", []string{summary07, summary01}, "DRC-07", "2027-03-22", "order notice", "yes no"},
		{"an order behind its notice", []string{summary01, annexe, summary07}, "DRC-07", "2027-03-22", "notice annexure order", "no no yes"},
		{"one paper of two pages", []string{summary01, "You may reply in FORM GST DRC-06."}, "DRC-01", "2026-09-14", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := gst.Read(tables, pagesOf(strings.Join(test.pages, "\f"), false))
			if f.Form == nil || *f.Form != test.form {
				t.Errorf("form %v, want %s", deref(f.Form), test.form)
			}
			if got := deref(f.ReplyDue.Date); got != test.due {
				t.Errorf("reply by %s, want %s", got, test.due)
			}
			var kinds, read []string
			for _, p := range f.Parts {
				kinds = append(kinds, p.Kind)
				read = append(read, map[bool]string{true: "yes", false: "no"}[p.Read])
			}
			if got := strings.Join(kinds, " "); got != test.kinds {
				t.Errorf("parts %q, want %q", got, test.kinds)
			}
			if got := strings.Join(read, " "); got != test.read {
				t.Errorf("read %q, want %q", got, test.read)
			}
		})
	}
}

// Orders, with misread codes, and how each is to be answered.
func TestOrders(t *testing.T) {
	for _, test := range []struct{ head, form, answer string }{
		{"FORM GST REG-19\n[See rule 22(3)]\nOrder for Cancellation of Registration", "REG-19", "REG-21"},
		{"FORM GST REG-05\n[See rule 9(4)]\nOrder of Rejection of Application for Registration", "REG-05", "APL-01"},
		{"FORM GST ASMT-13\n[See rule 100(1)]\nAssessment order under section 62", "ASMT-13", "APL-01"},
		{"FORM GST ASMT-15\n[See rule 100(2)]\nAssessment order under section 63", "ASMT-15", "APL-01"},
		{"FORM GST ASMT-16\n[See rule 100(3)]\nAssessment order under section 64", "ASMT-16", "ASMT-17"},
		{"FORM GST RFD-06\n[See rule 92(1), 92(3)]\nRefund Sanction/Rejection Order", "RFD-06", "APL-01"},
		{"FORM GST MOV-09\nOrder of demand of tax and penalty", "MOV-09", "APL-01"},
		{"FORM GST MOV-11\nOrder of confiscation of goods and conveyance", "MOV-11", "APL-01"},
		{"FORM GST DRC-08\n[See rule 142(7)]\nRectification of order", "DRC-08", "APL-01"},
		{"FORM GST APL-04\n[See rules 113(1) and 115]\nSummary of the demand after issue of order by the Appellate Authority", "APL-04", "APL-05"},
		{"FORM GST DRO-07\n[See rule 142(5)]\nSummary of the order", "DRC-07", "APL-01"},
		{"FORM GST ASNT-15\n[See rule 100(2)]\nAssessment order under section 63", "ASMT-15", "APL-01"},
		{"FORM GST ASMT-14\n[See rule 100(2)]\nShow cause notice for assessment under section 63", "ASMT-14", "in writing"},
	} {
		text := test.head + "\nReference No.: ZD230826118860W   Date: 12/08/2026\nGSTIN: 23ZKPPD4487N1ZX\nName: MALWA PIPE WORKS\n" +
			"This has reference to your reply in FORM GST DRC-06 to the notice in FORM GST DRC-01 dated 12/01/2026.\n" +
			"Name: A. K. Das\nDesignation: State Tax Officer\n"
		f := gst.Read(tables, pagesOf(text, false))
		if deref(f.Form) != test.form {
			t.Errorf("%.30q: form %s, want %s", test.head, deref(f.Form), test.form)
			continue
		}
		if answer := tables.Form(test.form).Answer; !strings.Contains(answer, test.answer) {
			t.Errorf("%s: %s", test.form, answer)
		}
		if f.ReplyDue.Date == nil {
			t.Errorf("%s: no last day: %v", test.form, deref(f.ReplyDue.Basis))
		}
	}
}

func deref(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}
