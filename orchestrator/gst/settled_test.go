package gst_test

import (
	"testing"

	"munshi/orchestrator/gst"
)

// A wrong sum is worse than none: what arithmetic proves is used, and what nothing proves is left to a person.
func TestSumsThatNothingPrints(t *testing.T) {
	for name, test := range map[string]struct {
		text       string
		recognised bool
		want       string
	}{
		"totals that nothing calls so": {"The dues determined are:\n\nPoint           IGST        CGST        SGST\nA / 2021-22     0           31,200      31,200\n" +
			"A / 2022-23     0           18,700      18,700\nPoint A         0           49,900      49,900\nB / 2022-23     72,300      0           0\n" +
			"Point B         72,300      0           0\nTo pay          72,300      49,900      49,900\n",
			false, "IGST 72300 0 0, CGST 49900 0 0, SGST 49900 0 0, total 172100"},
		"a like penalty with twice the tax": {"Tax that is payable:\n\nHead     CGST        SGST        Total\nTax      45,200      45,200      90,400\n\n" +
			"Tax of Rs. 90,400 should not be demanded, and penalty equal to the tax should not be imposed.\n\nTax and penalty proposed: Rs. 1,80,800/-.\n",
			false, "CGST 45200 0 45200, SGST 45200 0 45200, total 180800"},
		"a like penalty that is asked for by its amount": {"1. Services were imported.\n\n2. The company is asked to explain why (a) IGST of Rs. 207.20 lakh should not be determined; " +
			"(b) interest should not be recovered; (c) penalty of Rs. 207.20 lakh should not be imposed.\n",
			false, "IGST 2.072e+07 0 2.072e+07, total 4.144e+07, interest"},
		"a penalty by the heads of a table": {"1. The tax is:\n\nHead      Tax\nIGST      7,20,000\nCGST      1,15,200\nSGST      1,15,200\nTotal     9,50,400\n\n" +
			"2. Show cause why (a) tax of Rs. 9,50,400/- should not be demanded; (b) a penalty of Rs. 9,50,400/- (IGST Rs. 7,20,000; CGST Rs. 1,15,200; SGST Rs. 1,15,200) should not be imposed under section 74(1).\n",
			false, "IGST 720000 0 720000, CGST 115200 0 115200, SGST 115200 0 115200, total 1.9008e+06"},
		"a table of all after the last charge": {"Para 1 : Fees were paid to advocates without tax under section 9(3). CGST Rs. 27,900 and SGST Rs. 27,900 is payable.\n\n" +
			"Para 2 : Credit on civil work is hit by section 17(5)(c): CGST Rs. 20,000 and SGST Rs. 20,000 in 2023-24; CGST Rs. 32,200 and SGST Rs. 32,200 in 2024-25.\n\n" +
			"Para      CGST      SGST      Both\n1         27,900    27,900    55,800\n2         52,200    52,200    1,04,400\nTotal     80,100    80,100    1,60,200\n",
			false, "CGST 80100 0 0, SGST 80100 0 0, total 160200"},
		"a penalty on both halves": {"Show cause why CGST of Rs. 90,000 and SGST of Rs. 90,000 should not be demanded, and why penalty of Rs. 18,000 should not be imposed.\n",
			false, "CGST 90000 0 9000, SGST 90000 0 9000, total 198000"},
		"a scan that may have lost a column": {"The demand is:\n\nHead      Tax         Interest\nCGST      52,300      11,420\nSGST      52,300      11,420\nTotal     1,04,600    22,840\n",
			true, "CGST 52300 11420 0, SGST 52300 11420 0"},
	} {
		f := gst.Read(tables, pagesOf(notice(test.text), test.recognised))
		if got := claimed(f.Demand); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// A paper whose title names another law is not a GST notice, even if it contains a GSTIN.
func TestTitleOfAnotherLaw(t *testing.T) {
	text := "TRANSPORT DEPARTMENT\nNo. 14/2026\nCHECK REPORT AND NOTICE\nUNDER SECTION 194(1) OF THE MOTOR VEHICLES ACT, 1988\n\n" +
		"Consignor's invoice: GSTIN 27AAPFU0939F1ZV\nThe owner is directed to show cause on or before 24.09.2026.\nThe GST invoice was seen.\n"
	if f := gst.Read(tables, pagesOf(text, false)); f.IsNotice.Answer != "no" || f.ReplyDue.Date != nil {
		t.Errorf("is a notice: %+v", f.IsNotice)
	}
}
