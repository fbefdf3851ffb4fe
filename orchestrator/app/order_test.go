package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"munshi/orchestrator/api"
)

// anOrder is a summary of an order with fictional parties.
var anOrder = []string{
	"FORM GST DRC-07", "[See rule 142(5)]", "Summary of the order", "Reference No. ZD2706260012345 Date 10/06/2026", "GSTIN 27AAPFU0939F1ZV",
	"Name SAHYADRI COPPER WORKS", "1. Details of order -", "(a) Order no. PUNE/73/2022-23/17", "(b) Order date 10/06/2026", "(c) Financial year 2022-23",
	"4. Section(s) of the Act under which demand is created - 73(9)", "5. Details of demand (Amount in Rs.)", "Act Tax Interest Penalty Total",
	"CGST 2,00,000 60,000 20,000 2,80,000", "SGST 2,00,000 60,000 20,000 2,80,000", "Total 4,00,000 1,20,000 40,000 5,60,000",
	"Reasons. Show cause notice ZD2701260054321 was issued on 15/01/2026 to which he replied on 12/02/2026.",
	"He was heard on 20/03/2026. The input tax credit availed in GSTR-3B over GSTR-2B is disallowed.",
	"An appeal lies under section 107 in FORM GST APL-01.", "Designation: State Tax Officer", "Jurisdiction: Pune-4",
}

// textPDF is a PDF of one page with lines of text.
func textPDF(lines []string) []byte {
	var text, b bytes.Buffer
	text.WriteString("BT /F1 10 Tf 40 800 Td 16 TL\n")
	for _, line := range lines {
		fmt.Fprintf(&text, "(%s) Tj T*\n", strings.NewReplacer("(", `\(`, ")", `\)`).Replace(line))
	}
	text.WriteString("ET")
	b.WriteString("%PDF-1.4\n")
	var at []int
	for _, object := range []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream ", text.Len(), text.String()), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj%sendobj\n", len(at), object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
	return b.Bytes()
}

// Against an order a memorandum of appeal is drafted and never a reply; the items still missing are counted once, and
// the fields of the portal's form are listed.
func TestAgainstAnOrder(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	var turn api.Turn
	v.upload(c, "order.pdf", "application/pdf", "", textPDF(anOrder), http.StatusAccepted, &turn)
	v.answer(c, turn)
	r := v.reply(c)
	if r.Form.Kind != "appeal" || r.Form.Name != "FORM GST APL-01" || !r.Form.Drafted || r.Draft != nil {
		t.Fatalf("the order is answered by %+v", r.Form)
	}
	said := v.draftReply(c)
	r = v.reply(c)
	var text strings.Builder
	for _, part := range r.Draft.Parts {
		if part.By != "program" {
			t.Errorf("the part %s is by %s", part.ID, part.By)
		}
		text.WriteString(part.Title + "\n" + part.Text + "\n")
	}
	for _, want := range []string{"# MEMORANDUM OF APPEAL", "ZD2706260012345", "Statement of facts", "Show cause notice ZD2701260054321 was issued on 15/01/2026", "asks for ₹40,000", "SAHYADRI COPPER WORKS"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing:\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "Noticee") {
		t.Errorf("it speaks of a Noticee:\n%s", text.String())
	}
	if want := fmt.Sprintf("**%d things are missing before it can be sent**", len(r.Missing)); len(r.Missing) < 2 || !strings.Contains(said.Text, want) {
		t.Errorf("the conversation says %q, the list has %d: %+v", said.Text, len(r.Missing), r.Missing)
	}
	blanks := 0
	for _, one := range r.Missing {
		if one.Kind == "blank" {
			blanks++
		}
	}
	if want := strings.Count(text.String(), "[…"); blanks != want {
		t.Errorf("%d blanks are listed, the draft has %d", blanks, want)
	}
	fields := map[string]string{}
	for _, field := range r.Sheet {
		fields[field.Name] = field.Value
	}
	if fields["Tax, CGST"] != "200000" || fields["Pre-deposit, SGST"] != "20000" || !strings.Contains(fields["Grounds"], "without prejudice") {
		t.Errorf("for the portal there is %+v", fields)
	}

	// Once the interview has the date of communication, it is no longer missing.
	before := len(r.Missing)
	v.post("/api/conversations/"+c+"/reply/interview", map[string]any{"key": "served_on", "words": []string{"2026-06-12"}}, 200, nil)
	v.draftReply(c)
	if r = v.reply(c); len(r.Missing) >= before {
		t.Errorf("with the day of communication %d are missing, before it %d: %+v", len(r.Missing), before, r.Missing)
	}
}
