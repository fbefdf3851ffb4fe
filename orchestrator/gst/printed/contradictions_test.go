package printed

import "testing"

func TestWhatAPaperPrintsAgainstItself(t *testing.T) {
	const (
		defaulter = "Form GSTR-3A\n[See rule 68]\nReference No: ZA300226031174M Date: 27/02/2026\nNotice to return defaulter u/s 46\n"
		dismissed = "FORM GST APL-04\nSummary of the demand after issue of order by the Appellate Authority\nDate of order : 20/11/2025\n" +
			"4. Appeal no. AD070525006661W, filed on 06/05/2025.\n"
		cancelled = "FORM GST REG-19\n[See Rule 22(3)]\nReference Number : ZA030825049926L Date : 14/08/2025\nDate of registration : 05/09/2018\n" +
			"Order for Cancellation of Registration\nThis has reference to the notice dated 21/07/2025, in which the following ground alone was " +
			"entered : Returns not filed for six months. The registration is liable to be cancelled for the following reason :\n"
		corrected = "Office of the Joint Commissioner, CGST and CX, Siliguri\nF.No. V(15)08/GST/ADJ/SLG/2025/3318\nCORRIGENDUM\nSub : Corrigendum to Show Cause " +
			"Notice dated 26.09.2025 issued to M/s Duars Works Private Limited, GSTIN 19QPXCD2150J1ZW, for the financial year 2021-22.\n"
		refused = "FORM GST RFD-06\nOrder No. ZD240424011672C Date : 03-04-2024\nGSTIN : 24UCJCV9045H1ZD\nREFUND REJECTION ORDER under section 77.\n"
	)
	for name, c := range map[string]struct{ text, fact, want string }{
		"a month of a quarterly filer":  {defaulter + "Return profile : Quarterly (QRMP)\nTax Period - Jan 2026 Type of Return - GSTR-3B\n", "return.quarterly", "yes"},
		"the last month of the quarter": {defaulter + "Return profile : Quarterly (QRMP)\nTax Period - March 2026 Type of Return - GSTR-3B\n", "return.quarterly", ""},
		"a monthly filer":               {defaulter + "Return profile : Monthly\nTax Period - Jan 2026 Type of Return - GSTR-3B\n", "return.quarterly", ""},
		"an appeal in a list":           {dismissed, "appeal.filed", "2025-05-06"},
		"what the record bears out": {
			dismissed + "The order was sent by e-mail on 10/01/2025, and the record of the ward bears it out.\n", "appeal.condonable", "2025-05-10",
		},
		"what only the appellant says": {
			dismissed + "The appellant says that the order was sent by e-mail on 10/01/2025.\n", "appeal.condonable", "",
		},
		"counted from the order": {dismissed + "Counted from the date of the order, the last day was 28/04/2025.\n", "appeal.overlooked", "yes"},
		"another ground":         {cancelled + "The firm was not found functioning at the declared place.\n", "ground.differs", "yes"},
		"the same ground":        {cancelled + "Returns have not been filed.\n", "ground.differs", ""},
		"since when":             {cancelled, "registration.day", "2018-09-05"},
		"section 74 for 73": {
			corrected + "In the said notice the following may be carried out.\n Place        For            Read\n Paragraph 9  section 73(1)  section 74(1)\nThe thirty days for reply will count from receipt of this corrigendum.\nJoint Commissioner\nDIN 20251057WM0000D0B219 - dated at Siliguri, 13 October 2025\n", "corrigendum.puts_74", "yes",
		},
		"section 73 for 74": {corrected + "In the said notice the following may be carried out.\n Place        For            Read\n Paragraph 9  section 74(1)  section 73(1)\n", "corrigendum.puts_74", ""},
		"the right tax":     {refused + "IGST of Rs. 6,84,000 was paid in DRC-03 on 10-03-2022.\n", "refund.right_last", "2024-03-10"},
		"the wrong tax":     {refused + "IGST of Rs. 6,84,000 was not paid until 10-03-2022.\n", "refund.right_last", ""},
	} {
		t.Run(name, func(t *testing.T) { is(t, factsOf(c.text), c.fact, c.want) })
	}
}
