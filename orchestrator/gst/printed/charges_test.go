package printed

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// chargedIn returns the amounts of each charge of a paper, "1: IGST ₹42,300, CGST ₹1,32,150".
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

// The heading of the next charge is not part of the one before it.
func TestAChargeEndsBeforeTheNextHeading(t *testing.T) {
	notice := func(heading string) string {
		return "FORM GST DRC-01\nDate 22/09/2025\nSection 73\nF.Y. 2021-22\nGSTIN 20XDLFT4417R1ZZ\n" +
			"1. Tax under reverse charge on services from abroad was not paid under section 5(3). IGST Rs. 42,300 is payable.\n" +
			heading + "\n2. Credit of CGST Rs. 10,000 and SGST Rs. 10,000 on food is blocked by section 17(5).\n"
	}
	for name, c := range map[string]struct {
		heading string
		has     bool
	}{
		"a matter":         {"MATTER THE SECOND: canteen in the factory", false},
		"an issue":         {"Issue No 2 - canteen", false},
		"a lettered part":  {"C. The canteen", false},
		"a sentence":       {"The point of the canteen is left open.", true},
		"a row of a table": {"Canteen 5,200 5,200", true},
	} {
		t.Run(name, func(t *testing.T) {
			pages := []gst.Page{{Text: notice(c.heading)}}
			tables := law.Built()
			p := Read(tables, gst.Read(tables, pages), pages, law.ParseDay("2026-11-22"))
			if len(p.Charges) != 2 {
				t.Fatalf("%d charges", len(p.Charges))
			}
			if got := strings.Contains(p.low[p.Charges[0].from:p.Charges[0].to], "canteen"); got != c.has {
				t.Errorf("the first charge has the words of %q: %v", c.heading, got)
			}
		})
	}
}

// The reader writes plain quotation marks where a paper printed typographic ones.
func TestAChargeWithPrintedQuotationMarksIsFound(t *testing.T) {
	text := "FORM GST DRC-01\nDate 22/09/2025\nSection 73\nF.Y. 2021-22\nGSTIN 20XDLFT4417R1ZZ\n" +
		"6. Tax under reverse charge on services from abroad was not paid under section 5(3). IGST Rs. 42,300 is payable.\n" +
		"7. The ledger ‘Miscellaneous Income’ shows Rs. 16,00,000 as liquidated damages, which is a supply under section 7(1A). " +
		"Central tax Rs. 1,44,000 and State tax Rs. 1,44,000 appears payable under section 9(1).\n"
	pages := []gst.Page{{Text: text}}
	tables := law.Built()
	facts := gst.Read(tables, pages)
	facts.Paragraphs = []gst.Paragraph{
		{Number: "6", Page: 1, Kind: "charge", Text: "6. Tax under reverse charge on services from abroad was not paid"},
		{Number: "7", Page: 1, Kind: "charge", Text: "7. The ledger 'Miscellaneous Income' shows Rs. 16,00,000 as liquidated damages"},
	}
	p := Read(tables, facts, pages, law.ParseDay("2026-11-22"))
	if last := p.Charges[len(p.Charges)-1]; last.Part.Para != "7" {
		t.Errorf("the last charge is %q of %d", last.Part.Para, len(p.Charges))
	}
}

// If a charge about the whole tax alleges fraud, it is alleged for every other charge too.
func TestFraudForTheWholeTax(t *testing.T) {
	notice := func(fraud string) string {
		return `FORM GST DRC-01
[See rule 142(1)(a)]
Summary of Show Cause Notice
Reference No. : ZD290125004411A    Date : 05/02/2025
GSTIN : 29XKMFM7714C1ZX
Tax Period : APR 2020 - MAR 2021    F.Y. : 2020-21
Section under which show cause notice is issued 74
Date by which reply has to be submitted 07/03/2025
1. Credit of CGST Rs. 40,000 and SGST Rs. 40,000 was taken on purchases of which no receipt was shown.
2. Credit of CGST Rs. 10,000 and SGST Rs. 10,000 was taken on motor cars, which is blocked.
3. ` + fraud + `
Act    Tax    Interest    Penalty    Total
CGST    70,000    0    70,000    1,40,000
SGST    70,000    0    70,000    1,40,000
Total    1,40,000    0    1,40,000    2,80,000`
	}
	silent := func(text string) (n int) {
		pages := []gst.Page{{Text: text}}
		tables := law.Built()
		for _, s := range Read(tables, gst.Read(tables, pages), pages, law.ParseDay("2025-03-01")).Charges {
			n += len(s.Known["charge.fraud_elsewhere"])
		}
		return n
	}
	if n := silent(notice("The credit of CGST Rs. 70,000 and SGST Rs. 70,000 was availed by fraud and wilful suppression of facts.")); n != 0 {
		t.Errorf("%d charges are said to allege no fraud", n)
	}
	if n := silent(notice("Credit of CGST Rs. 20,000 and SGST Rs. 20,000 was taken on bogus invoices with intent to evade tax.")); n != 2 {
		t.Errorf("%d charges are told from the one that alleges fraud, want 2", n)
	}
}
