package printed

import (
	"strings"
	"testing"
)

// What is read from forms of the portal, and what an order says about itself.
func TestSystemForms(t *testing.T) {
	const (
		liability = "FORM GST DRC-01B\nPART-A (System Generated)\nRef No ZD331026088214X Date 28/10/2026\nGSTIN 33WNLEX4429F1ZR\nTax period SEP 2026\n" +
			"Description IGST CGST SGST/UTGST Cess Total\n" +
			"Liability declared / statement of outward supplies (GSTR-1 / IFF) 9,84,300 1,46,250 1,46,250 0 12,76,800\n" +
			"Liability paid in GSTR-3B 8,12,700 1,21,750 1,21,750 0 10,56,200\n"
		difference = "Difference in liability 1,71,600 24,500 24,500 0 2,20,600\n"
		credit     = "FORM GST DRC-01C\nPART-A (System Generated)\nRef No: ZD270926140083R Date: 30/09/2026\nGSTIN: 27XDVSW7716C1Z4\n" +
			"Form type IGST CGST SGST/UTGST Cess Total\nFORM GSTR-2B 3,90,000 1,24,000 1,24,000 0 6,38,000\n" +
			"FORM GSTR-3B 6,42,000 1,55,000 1,55,000 0 9,52,000\nExcess input tax credit availed 2,52,000 31,000 31,000 0 3,14,000\n"
		rows = "Table 4(A)\n(2) Import of services 1,80,000 0 0\n(3) Inward supplies liable to reverse charge 72,000 9,000 9,000\n" +
			"(5) All other ITC 3,90,000 1,46,000 1,46,000\n"
		late = "FORM GSTR - 3A\n[See rule 68]\nReference No: ZA211126073340U Date: 19/11/2026\nGSTIN: 21YBHDM3308P1ZN\n" +
			"Notice to return defaulter u/s 46 for not filing return\nType of Return - GSTR-3B\nTax Period - OCT 2026 "
		rectified = "FORM GST DRC-08\n[See rule 142(7)]\nRectification of Order\nReference no.: ZD241026009917P Date: 05/10/2026\nGSTIN 24WRNCE7138L1ZM\n"
		refund    = "FORM GST RFD-06\nOrder rejecting refund\nRef. No.: ZD291126015561B Date: 09/11/2026\nGSTIN: 29YGTQS1186R1ZC\nREASONS FOR REJECTION\n" +
			"1. Limitation. The claim is beyond two years under Section 54(1).\n"
	)
	for name, c := range map[string]struct {
		text, fact, want string
	}{
		"the difference head by head":             {liability + difference, "difference.right", "₹2,20,600"},
		"a difference that subtracts":             {liability + difference, "difference.over", ""},
		"a difference that does not":              {liability + "Difference in liability 1,81,600 24,500 24,500 0 2,30,600\n", "difference.over", "₹10,000"},
		"exports in words":                        {liability + difference + "* Table 3.1(b) zero rated supplies - taxable value 14,30,000.00, IGST 1,71,600.00; 3.1(d) CGST 24,500.00\n", "difference.zero_rated", "₹1,71,600"},
		"exports in a row":                        {liability + difference + "(b) Outward taxable supplies (zero rated) 14,30,000 1,50,000 0 0\n", "difference.zero_rated", "₹1,50,000"},
		"more exports than difference":            {liability + difference + "(b) Outward taxable supplies (zero rated) 24,30,000 2,91,600 0 0\n", "difference.zero_rated", "₹1,71,600"},
		"no exports":                              {liability + difference + "Table 3.1(d) inward supplies - CGST 24,500.00, SGST 24,500.00\n", "difference.zero_rated", ""},
		"imported services":                       {credit + rows, "difference.services", "₹1,80,000"},
		"no imported goods":                       {credit + rows, "difference.goods", ""},
		"imported goods":                          {credit + strings.Replace(rows, "services", "goods", 1), "difference.goods", "₹1,80,000"},
		"reverse charge":                          {credit + rows, "difference.reverse", "₹90,000"},
		"what they leave":                         {credit + rows, "difference.left", "₹44,000"},
		"a form without Table 4":                  {credit, "difference.services", ""},
		"the due day of a monthly return":         {late + "(filing frequency: Monthly)\n", "return.due", "2026-11-20"},
		"of a quarterly one":                      {late + "(filing frequency: Quarterly)\n", "return.due", "2027-01-22"},
		"of one who left the quarterly scheme":    {late + "QRMP: No\n", "return.due", "2026-11-20"},
		"the return of another month":             {late + "\n6. Return of SEP 2026 was filed on 18/10/2026.\n", "default.filed", ""},
		"the return itself":                       {late + "\n6. Return of OCT 2026 was filed on 18/11/2026.\n", "default.filed", "yes"},
		"a return without its month":              {late + "\n6. The return was filed on 18/11/2026.\n", "default.filed", "yes"},
		"the statement of another":                {"FORM GST DRC-01\nDate: 21/08/2025\nSection 74\nThe statement of Shri A, transporter, was recorded.", "statement.other", "yes"},
		"the statement of the noticee's director": {"FORM GST DRC-01\nDate: 21/08/2025\nSection 74\nThe statement of Shri A, Director, was recorded.", "statement.other", ""},
		"a bare rejection":                        {order("The reply is not acceptable."), "order.bare", "yes"},
		"a rejection with its reason":             {order("The reply is not acceptable as the invoices are prior to the amendment."), "order.bare", ""},
		"six months from an order":                {rectified + "Original order ZD241225048130M dated 24/12/2025, section 73\n", "rectification.six", "2026-06-24"},
		"an order whose day is not printed":       {rectified + "The original order is rectified.\n", "rectification.six", ""},
		"a ground not in the notice": {refund + "2. Nature of service. The applicant is an intermediary.\n3. Notice in Form GST RFD-08 was issued on 02/11/2026 on the " +
			"ground of limitation.\n", "order.new_ground", "intermediary"},
		"the grounds of the notice": {refund + "2. Nature of service. The applicant is an intermediary.\n3. Notice in Form GST RFD-08 was issued on 02/11/2026 on the " +
			"ground of limitation and of intermediary services.\n", "order.new_ground", ""},
		"a notice that was issued for less": {order("The notice in FORM GST DRC-01 was issued on 24/09/2025 for CGST 2,05,000.00 and SGST 2,05,000.00 of tax."), "order.excess", "₹1,25,000"},
		"a notice for as much":              {order("The notice in FORM GST DRC-01 was issued on 24/09/2025 for CGST 2,67,500.00 and SGST 2,67,500.00 of tax."), "order.excess", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := printedIn(c.text, c.fact); got != c.want {
				t.Errorf("%s is %q, it should be %q", c.fact, got, c.want)
			}
		})
	}
}
