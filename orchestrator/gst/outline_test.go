package gst_test

import (
	"slices"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// Text around the charges of long papers is not charged: facts, replies and remarks under a point, points that
// were dropped, what the noticee says, and what is asked for head by head.
func TestChargesOfLongPapers(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"audit report": {`OFFICE OF THE COMMISSIONER OF CGST, AUDIT, JAIPUR
FORM GST ADT-02
Audit Report under section 65(6)
GSTIN 08ZXKCS4411M1ZV
Name M/s SAMBHAR STONE WORKS PRIVATE LIMITED
PART I - Paras settled

Para 1. Late filing of GSTR-3B for May 2023: interest of CGST Rs. 9,100 and SGST Rs. 9,100. Paid by DRC-03.

PART II - Paras not settled

Para 2. Tax short paid on freight received under reverse charge.

2.1 Facts: Freight of Rs. 12,00,000 was booked in 2022-23 and 2023-24.

2.2 Audit's view: section 9(3) applies. Tax of CGST Rs. 30,000 and SGST Rs. 30,000 was not paid.

2.3 Reply of the taxpayer dated 03/02/2026: the transporters did not issue consignment notes.

2.4 Remarks: Not accepted.

Para 3. Credit on a motor car is not admissible under section 17(5)(a): CGST Rs. 80,000 and SGST Rs. 80,000.

PART III - Paras dropped

Para 4. Difference of Rs. 4,10,000 between GSTR-2A and GSTR-3B was explained.
`, []string{"Para 2", "Para 3"}},
		"show cause notice": {`FORM GST DRC-01
SHOW CAUSE NOTICE UNDER SECTION 73(1)
GSTIN 08ZXKCS4411M1ZV
Dated 04/02/2026

1. The records were examined and it was seen that returns were filed late.

2. Points on which tax is payable

2.1 Tax on scrap of CGST Rs. 40,000 and SGST Rs. 40,000 was not paid under section 9(1).

2.2 Credit of IGST Rs. 25,000 on a car was wrongly availed, contrary to section 17(5)(a).

3. Submissions of the noticee

3.1 It was said that the scrap was not sold. No proof was furnished.

4. Points closed

4.1 Stock short by two tonnes, for which no tax was paid.

5. You are called upon to show cause why the following should not be recovered:

a. Central tax Rs. 40,000 and penalty Rs. 10,000;

b. State tax Rs. 40,000 and penalty Rs. 10,000;

c. Integrated tax Rs. 25,000 and penalty Rs. 10,000.
`, []string{"2.1", "2.2"}},
	} {
		t.Run(name, func(t *testing.T) {
			facts := gst.Read(law.Built(), []gst.Page{{Text: c.text}})
			var got []string
			for _, p := range facts.Charges() {
				got = append(got, p.Number)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("charges = %q, want %q; paragraphs %+v", got, c.want, facts.Paragraphs)
			}
		})
	}
}

// A total that was added up is not given if a page could not be read.
func TestTotalWithAnUnreadPage(t *testing.T) {
	page := gst.Page{Text: `FORM GST DRC-01
SHOW CAUSE NOTICE UNDER SECTION 73(1)
GSTIN 08ZXKCS4411M1ZV
Dated 04/02/2026
1. Tax on scrap of CGST Rs. 40,000 and SGST Rs. 40,000 was not paid under section 9(1).
2. Credit of CGST Rs. 25,000 and SGST Rs. 25,000 on a car was wrongly availed, contrary to section 17(5)(a).
`}
	whole := gst.Read(law.Built(), []gst.Page{page})
	if whole.Demand == nil || whole.Demand.Total == nil || *whole.Demand.Total != 130000 {
		t.Fatalf("demand = %+v", whole.Demand)
	}
	if part := gst.Read(law.Built(), []gst.Page{page, {}}); part.Demand != nil && part.Demand.Total != nil {
		t.Errorf("a total of %.0f is given, though a page was not read", *part.Demand.Total)
	}
}
