package defence

import (
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// chargedIn returns what each charge of a paper comes to, "1: IGST ₹42,300, CGST ₹1,32,150".
func chargedIn(text string) string {
	pages := []gst.Page{{Text: text}}
	tables := law.Built()
	all := ""
	for _, c := range Amounted(tables, gst.Read(tables, pages), pages).Charges() {
		if len(c.Amounts) == 0 {
			continue
		}
		if all != "" {
			all += "; "
		}
		all += c.Number + ":"
		for _, a := range c.Amounts {
			all += " " + a.Head + " " + gst.Rupees(int64(a.Tax*100))
		}
	}
	return all
}

func TestWhatAChargeComesTo(t *testing.T) {
	notice := "FORM GST DRC-01\nDate 22/09/2025\nSection 73\nF.Y. 2021-22\nGSTIN 20XDLFT4417R1ZZ\n" +
		"Act Tax Interest Penalty Total\nIGST 42,300.00 0.00 0.00 42,300.00\nCGST 1,86,420.00 0.00 0.00 1,86,420.00\n" +
		"SGST 1,86,420.00 0.00 0.00 1,86,420.00\nTotal 4,15,140.00 0.00 0.00 4,15,140.00\nANNEXURE\n"
	for name, c := range map[string]struct{ text, want string }{
		"sums without the mark of rupees behind their heads": {
			notice + "1. Outward tax declared in GSTR-1 is CGST 9,07,340.00 and SGST 9,07,340.00 and that paid in GSTR-3B is CGST 7,75,190.00 and " +
				"SGST 7,75,190.00. Tax short paid works out to IGST 42,300.00, CGST\n1,32,150.00 and SGST 1,32,150.00.\n" +
				"2. Reverse charge on services of a goods transport agency: CGST 54,270.00 and SGST 54,270.00 is payable.\n",
			"1: IGST ₹42,300 CGST ₹1,32,150 SGST ₹1,32,150; 2: CGST ₹54,270 SGST ₹54,270",
		},
		"a table that lists the charges by their numbers": {
			notice + "1. Rate of tax: 5% was charged on snacks taxable at 18% under section 9(1). Tax short paid on Rs. 24,54,154.\n" +
				"2. Excess credit over GSTR-2B: credit availed in excess of the statement, contrary to section 16(2)(aa).\n" +
				"Sl. No. Issue IGST CGST SGST\n1 Rate difference 42,300 89,300 89,300\n2 Excess ITC 0 97,120 97,120\nTotal tax 42,300 1,86,420 1,86,420\n",
			"1: IGST ₹42,300 CGST ₹89,300 SGST ₹89,300; 2: CGST ₹97,120 SGST ₹97,120",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := chargedIn(c.text); got != c.want {
				t.Errorf("read %q, it should be %q", got, c.want)
			}
		})
	}
}
