package printed

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// of returns a fact as the texts of rules print it: of the paper, or else of the charges, each with its number; "" if
// there is none.
func of(t *testing.T, text, name string) string {
	t.Helper()
	pages := []gst.Page{{Text: text}}
	tables := law.Built()
	p := Read(tables, gst.Read(tables, pages), pages, law.ParseDay("2026-11-27"))
	shown := func(k Known) string {
		if len(k[name]) == 0 {
			return ""
		}
		for _, q := range k[name][0].At {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), q.Quote) {
				t.Errorf("%s quotes what is not printed: %q", name, q.Quote)
			}
		}
		return k.Shown(name, "")
	}
	if v := shown(p.Known); v != "" {
		return v
	}
	var all []string
	for _, c := range p.Charges {
		if v := shown(c.Known); v != "" {
			all = append(all, c.Part.Para+": "+v)
		}
	}
	return strings.Join(all, "; ")
}

// notice returns a notice under section 73 for 2021-22 with a demand of the given tax under each of
// two heads.
func notice(tax, charges string) string {
	return "FORM GST DRC-01\nDate 22/09/2025\nSection under which show cause notice is issued 73\nF.Y. 2021-22\nGSTIN 29XKMFM7714C1ZX\n" +
		"Act Tax Interest Penalty Total\nCGST " + tax + " 0 0 " + tax + "\nSGST " + tax + " 0 0 " + tax + "\n" + charges
}

type reading struct{ text, fact, want string }

func (r reading) check(t *testing.T) {
	t.Helper()
	if got := of(t, r.text, r.fact); got != r.want {
		t.Errorf("%s is %q, it should be %q", r.fact, got, r.want)
	}
}

func TestColumnsAndRows(t *testing.T) {
	table := func(lines ...string) string { return notice("10,000", strings.Join(lines, "\n")+"\n") }
	for name, r := range map[string]reading{
		"two columns, one wrong":   {table("Annexure", "PT/101 05.05.2021 1,00,000 5,000", "PT/119 17.06.2021 2,00,000 10,000", "PT/133 11.08.2021 1,50,000 7,500", "Total 4,50,000 23,500"), "column.differs", "₹1,000"},
		"both right":               {table("Annexure", "PT/101 05.05.2021 1,00,000 5,000", "PT/119 17.06.2021 2,00,000 10,000", "Total 3,00,000 15,000"), "column.differs", ""},
		"both wrong, so misread":   {table("Annexure", "PT/101 05.05.2021 1,00,000 5,000", "PT/119 17.06.2021 2,00,000 10,000", "Total 3,10,000 16,000"), "column.differs", ""},
		"the number of the row":    {table("Month Value CGST SGST", "1 May 1,00,000 500 500", "2 June 2,00,000 1,000 1,000", "Total 3,00,000 1,500 1,600"), "column.differs", "₹100"},
		"a column without a total": {table("Month Value CGST SGST", "1 May 1,00,000 500 30", "2 June 2,00,000 1,000 30", "Total 3,00,000 1,500 -"), "column.differs", ""},
		"a sub-total among them":   {table("Month Value CGST SGST", "1 May 1,00,000 500", "Sub-total 1,00,000 500", "2 June 2,00,000 1,000", "Total 3,00,000 1,500"), "column.differs", ""},
		"a row of the demand":      {table("Head Tax Interest Penalty Total", "IGST 40,000 8,000 4,000 52,000", "CGST 50,000 9,000 5,000 66,000"), "row.differs", "₹2,000"},
		"rows that add up":         {table("IGST 40,000 8,000 4,000 52,000", "CGST 50,000 9,000 5,000 64,000"), "row.differs", ""},
		"a row without a total":    {table("IGST 40,000 8,000 4,000", "CGST 50,000 9,000 5,000"), "row.differs", ""},
		"a row twice":              {table("1 SP/0871 11.10.2021 1,80,000 16,200 16,200", "2 SP/0904 02.11.2021 1,40,000 12,600 12,600", "3 SP/0871 11.10.2021 1,80,000 16,200 16,200", "Total 5,00,000 45,000 45,000"), "row.twice", "₹32,400"},
		"two items of an invoice":  {table("1 SP/0871 11.10.2021 1,80,000 16,200 16,200", "2 SP/0871 11.10.2021 1,40,000 12,600 12,600"), "row.twice", ""},
		"two like invoices":        {table("1 SP/0871 11.10.2021 1,80,000 16,200 16,200", "2 SP/0872 11.10.2021 1,80,000 16,200 16,200"), "row.twice", ""},
		"two tables":               {table("1 SP/0871 11.10.2021 1,80,000 16,200 16,200", "Total 1,80,000 16,200 16,200", "Summary", "1 SP/0871 11.10.2021 1,80,000 16,200 16,200"), "row.twice", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestTaxAtItsRate(t *testing.T) {
	for name, r := range map[string]reading{
		"too much": {notice("15,000", "1. Freight of Rs. 5,00,000 to a goods transport agency under reverse charge @ 5% under section 9(3): CGST Rs. 15,000 and SGST Rs. 15,000 not paid.\n"), "rate.over", "1: ₹5,000"},
		"the difference": {"FORM GST ASMT-10\nDate 22/09/2025\nTax period 2022-23\nGSTIN 29XKMFM7714C1ZX\n1. Outward supply as per GSTR-1 Rs. 84,00,000 and GSTR-3B Rs. 80,00,000, section 9(1); " +
			"differential turnover Rs. 4,00,000 and tax thereon @ 18% Rs. 84,000.\n2. Legal fee of Rs. 1,00,000, section 9(3), @18% Rs. 18,000.\n", "rate.over", "1: ₹12,000"},
		"right":                   {notice("12,500", "1. Freight of Rs. 5,00,000 to a goods transport agency under reverse charge @ 5% under section 9(3): CGST Rs. 12,500 and SGST Rs. 12,500 not paid.\n"), "rate.over", ""},
		"a rate for each head":    {notice("45,000", "1. Services worth Rs. 5,00,000 not declared, section 9(1), tax @ 9% CGST Rs. 45,000 and @ 9% SGST Rs. 45,000.\n"), "rate.over", ""},
		"too little":              {notice("10,000", "1. Freight of Rs. 5,00,000 under reverse charge @ 5% under section 9(3): CGST Rs. 10,000 and SGST Rs. 10,000 not paid.\n"), "rate.over", ""},
		"two rates":               {notice("45,000", "1. Goods worth Rs. 5,00,000 cleared at 12% instead of 18% under section 9(1): CGST Rs. 45,000 and SGST Rs. 45,000.\n"), "rate.over", ""},
		"two values":              {notice("15,000", "1. Freight of Rs. 2,00,000 and of Rs. 3,00,000 under reverse charge @ 5% section 9(3): CGST Rs. 15,000 and SGST Rs. 15,000 not paid.\n"), "rate.over", ""},
		"a price with tax in it":  {notice("45,000", "1. Receipts of Rs. 5,00,000 inclusive of tax at 18%, section 9(1): CGST Rs. 45,100 and SGST Rs. 45,100.\n"), "rate.over", ""},
		"credit":                  {notice("15,000", "1. Credit on purchases of Rs. 5,00,000 at 5% is denied under section 16(2): CGST Rs. 15,000 and SGST Rs. 15,000.\n"), "rate.over", ""},
		"the rate is of interest": {notice("45,000", "1. Sales of Rs. 5,00,000 not declared, section 9(1), with interest at 5%: CGST Rs. 45,000 and SGST Rs. 45,000.\n"), "rate.over", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestInterestForItsDays(t *testing.T) {
	for name, r := range map[string]reading{
		"in words":               {notice("10,000", "1. Interest at 18% on Rs. 4,80,000 from 20.08.2021 to 18.09.2023 (759 days) amounts to Rs. 2,28,000.\n"), "interest.beyond", "₹48,335"},
		"days that are not so":   {notice("10,000", "1. Tax of Rs. 3,00,000 paid on 20.09.2021, due 20.08.2021: interest at 18% for 62 days Rs. 9,172.\n"), "interest.beyond", "₹4,586"},
		"right":                  {notice("10,000", "1. Tax of Rs. 3,00,000 paid on 20.09.2021, due 20.08.2021: interest at 18% for 31 days Rs. 4,586.\n"), "interest.beyond", ""},
		"no interest":            {notice("10,000", "1. Tax of Rs. 3,00,000 was paid from 20.08.2021 to 20.09.2021 and Rs. 90,000 was short, with interest.\n"), "interest.beyond", ""},
		"months":                 {notice("10,000", "1. Interest under section 50 on Rs. 1,00,000 for 10 months is Rs. 20,000.\n"), "interest.beyond", "₹4,712"},
		"in a table":             {notice("10,000", "Interest on late returns\nApril 20.05.2021 20.06.2021 1,00,000 1,529\nMay 20.06.2021 20.07.2021 1,00,000 2,959\n"), "interest.beyond", "₹1,480"},
		"a table without others": {notice("10,000", "Interest on late returns\nMay 20.06.2021 20.07.2021 1,00,000 2,959\n"), "interest.beyond", ""},
		"of the whole demand": {"FORM GST DRC-01\nDate 22/09/2022\nSection under which show cause notice is issued 73\nF.Y. 2021-22\nGSTIN 29XKMFM7714C1ZX\n" +
			"1. Tax short paid in GSTR-3B against GSTR-1, section 9(1).\nAct Tax Interest Penalty Total\nCGST 1,00,000 40,000 10,000 1,50,000\nSGST 1,00,000 40,000 10,000 1,50,000\nTotal 2,00,000 80,000 20,000 3,00,000\n", "interest.over_most", "₹31,671"},
		"which can have run": {"FORM GST DRC-01\nDate 22/09/2025\nSection under which show cause notice is issued 73\nF.Y. 2021-22\nGSTIN 29XKMFM7714C1ZX\n" +
			"1. Tax short paid in GSTR-3B against GSTR-1, section 9(1).\nAct Tax Interest Penalty Total\nCGST 1,00,000 40,000 10,000 1,50,000\nSGST 1,00,000 40,000 10,000 1,50,000\nTotal 2,00,000 80,000 20,000 3,00,000\n", "interest.over_most", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestLimitsOfPenalties(t *testing.T) {
	for name, r := range map[string]reading{
		"section 125":        {notice("10,000", "1. A general penalty of Rs. 1,00,000 is proposed under section 125.\n"), "general.over", "₹50,000"},
		"both Acts":          {notice("10,000", "1. A general penalty of Rs. 50,000 is proposed under section 125.\n"), "general.over", ""},
		"the law quoted":     {notice("10,000", "1. Under section 125 a penalty which may extend to Rs. 25,000 is payable; Rs. 1,00,000 of tax is not paid.\n"), "general.over", ""},
		"another section":    {notice("10,000", "1. Penalty of Rs. 1,00,000 under section 122(1) and not section 125 is proposed.\n"), "general.over", ""},
		"more than the tax":  {strings.NewReplacer("issued 73", "issued 74", "0 0 10,000", "0 15,000 25,000").Replace(notice("10,000", "1. Sales hidden.\n")), "penalty.over_tax", "₹10,000"},
		"as much as the tax": {strings.NewReplacer("issued 73", "issued 74", "0 0 10,000", "0 10,000 20,000").Replace(notice("10,000", "1. Sales hidden.\n")), "penalty.over_tax", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestParagraphsAndTheDemand(t *testing.T) {
	paper := func(tax, total, more string) string {
		return "FORM GST DRC-01\nDate 22/09/2025\nSection under which show cause notice is issued 73\nF.Y. 2021-22\nGSTIN 29XKMFM7714C1ZX\n" +
			"1. Sales not declared, section 9(1): CGST Rs. 6,000 and SGST Rs. 6,000.\n2. Credit on food, section 17(5): CGST Rs. 3,500 and SGST Rs. 3,500.\n" + more +
			"Demand\nAct Tax Interest Penalty Total\nCGST " + tax + " 5,000 10,000 " + total + "\nSGST " + tax + " 5,000 10,000 " + total + "\n"
	}
	for name, r := range map[string]reading{
		"less":           {paper("10,000", "25,000", ""), "charges.over", "₹1,000"},
		"as much":        {paper("9,500", "24,500", ""), "charges.over", ""},
		"one not stated": {paper("20,000", "35,000", "3. Rule 42 reversal of common credit.\n"), "charges.over", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestSumsInWords(t *testing.T) {
	for name, r := range map[string]reading{
		"others":        {notice("9,000", "1. Tax of Rs. 5,48,120 (Rupees Five Lakh Forty Eight Thousand Twenty only) is not paid.\n"), "words.sum", "₹5,48,020"},
		"the same":      {notice("9,000", "1. Tax of Rs. 5,48,120/- (Rupees Five Lakh Forty Eight Thousand One Hundred Twenty only) is not paid.\n"), "words.sum", ""},
		"of both heads": {notice("9,000", "1. CGST Rs. 1,70,650 and SGST Rs. 1,70,650 (Rupees Three Lakh Forty One Thousand Three Hundred only) is not paid.\n"), "words.sum", ""},
		"in all":        {notice("9,000", "1. IGST Rs. 1,70,650 (Rupees Three Lakh Forty One Thousand only in all) is not paid.\n"), "words.sum", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestTotalsThatDoNotAddUp(t *testing.T) {
	table := func(total, words string) string {
		return "FORM GST DRC-01\nDate 22/09/2025\nSection under which show cause notice is issued 73\nF.Y. 2021-22\nGSTIN 29XKMFM7714C1ZX\n" +
			"1. Tax was short paid.\nAct Tax Interest Penalty Total\nCGST 2,05,000 1,66,750 20,500 3,92,250\nSGST 2,05,000 1,66,750 20,500 3,92,250\nTotal " + total + "\n" + words
	}
	for name, r := range map[string]reading{
		"digits in another order":        {table("8,74,500", ""), "demand.excess", "₹90,000"},
		"it adds up":                     {table("7,84,500", ""), "demand.excess", "₹0"},
		"the grand total is another sum": {table("7,84,500", "Grand total payable: Rs. 7,94,500.\n"), "demand.excess", ""},
		"the grand total is that sum":    {table("7,84,500", "Grand total payable: Rs. 7,84,500.\n"), "demand.excess", "₹0"},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestPaymentsWithTheirHeads(t *testing.T) {
	for name, r := range map[string]reading{
		"an amount and its heads":  {notice("4,00,000", "1. You paid Rs. 4,32,000 (CGST 2,16,000, SGST 2,16,000) by DRC-03 dated 18-08-2025.\n"), "payment.amount", "₹4,32,000"},
		"two amounts":              {notice("4,00,000", "1. You paid Rs. 4,32,000 and Rs. 2,16,000 by DRC-03 dated 18-08-2025.\n"), "payment.amount", ""},
		"credit and cash of a tax": {notice("4,00,000", "1. Tax of Rs. 6,00,000 was discharged as to Rs. 4,00,000 by credit and as to Rs. 2,00,000 by cash ledger.\n"), "payment.amount", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
