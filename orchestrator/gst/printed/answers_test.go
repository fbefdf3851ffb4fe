package printed

import (
	"slices"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// What a paper prints about the steps before and after it, in the words of several offices.
func TestAnswersAndSteps(t *testing.T) {
	memo := "FORM GST RFD-03\nDeficiency memo\nMemo date 29-04-2026\nGSTIN 20AAQFS8851C1Z5\n"
	reject := "FORM GST RFD-08\nDate 15.07.2022\nGSTIN 02AABCD4406P1ZT\n"
	cancel := "Form GST REG-17\nDate 03/08/2026\nGSTIN 07DSVPK4459G1Z3\n"
	cancelled := "FORM GST REG-19\nDate 21/05/2026\nGSTIN 03AHTPS7720E1Z5\nOrder for Cancellation of Registration\n"
	report := "FORM GST ADT-02\nDate 18-08-2026\nGSTIN 06AADCB8143J1ZN\n"
	goods := "FORM GST MOV-07\nDate : 14.07.2026\nGSTIN 23ABMFS5507N1ZR\nDetained by MOV-06 of 13.07.2026. Value of the goods Rs. 6,20, 000, " +
		"integrated tax at 5% on it Rs. 31, 000. Penalty Rs. 3,10,000.\n"
	for name, c := range map[string]struct {
		text, fact, want string // "" if the fact is not known
	}{
		"a memo answers the last application": {memo + "Application (second) ARN AA200426001193T filed 02-04-2026\n" +
			"Application (first) ARN AA200226000871P filed 26-02-2026", "application.days", "27"},
		"an application in words":              {reject + "On 20.05.2022 you asked for refund of accumulated credit.", "application.day", "2022-05-20"},
		"an application dated":                 {reject + "Your application dated 15.05.2022 was examined.", "application.day", "2022-05-15"},
		"the period is no application":         {reject + "Refund claim for the period ending 31.03.2022.", "application.day", ""},
		"months one after another":             {cancel + "Returns have not been furnished for April 2026, May 2026 and June 2026.", "default.months", "3"},
		"the books made available":             {report + "Books made available / audit begun at the factory 05-Jan-26", "audit.began", "2026-01-05"},
		"an audit closed":                      {report + "Audit closed 03-Aug-26", "audit.closed", "2026-08-03"},
		"days from the reply to the order":     {cancelled + "This has reference to your reply dated 30/03/2026.", "reply.until", "52"},
		"a hearing after the order":            {cancelled + "Personal hearing was fixed on 28/05/2026.", "hearing.later", "2026-05-28"},
		"the time of an order is no hearing":   {cancelled + "The time limit for passing the order stands extended up to 31/08/2026.", "reply.allowed", ""},
		"time to reply after the order":        {cancelled + "You were asked to reply by 25/05/2026.", "reply.allowed", "2026-05-25"},
		"an owner who came, and twice the tax": {goods + "The owner of the goods came forward on 14.07.2026.", "penalty.over_twice", "₹2,48,000"},
		"an owner who did not come":            {goods + "The owner did not come forward.", "owner.came", ""},
		"a vehicle that recognition spoils":    {goods + "Vehicle MPO9-HG-4481, in Part-B MPOQ-HG-4418.", "vehicle.letters", "2"},
		"an office of Central GST": {"OFFICE OF THE SUPERINTENDENT OF CENTRAL GST, RANGE-5, KANPUR\nSHOW CAUSE NOTICE No 5/2026\n" +
			"Date: 12.08.2026\nunder section 73 of the CGST Act", "paper.side", "central"},
		"the Act is no office": {"FORM GST MOV-07\nNotice under the Central Goods and Services Tax Act, 2017\nDate: 12.08.2026",
			"paper.side", ""},
		"days to an auction": {"FORM GST DRC-10\nDate 01/06/2026\nNotice for auction of goods\nThe goods will be sold by auction on 10/06/2026.",
			"auction.days", "9"},
		"three years of a revision": {"FORM GST RVN-01\nDate 01/06/2026\nGSTIN 03AHTPS7720E1Z5\nThe order dated 12/03/2023 is erroneous.",
			"revision.ends", "2026-03-12"},
		"what an order adds by its own words": {order("The rate difference of Rs. 1,40,000, though not in the notice, is determined here."),
			"order.excess", "₹1,40,000"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := printedIn(c.text, c.fact); got != c.want {
				t.Errorf("%s is %q, it should be %q", c.fact, got, c.want)
			}
		})
	}
}

// Grounds that are marked only by brackets or a short word are charges of their own; papers to produce
// are not.
func TestMarkedGrounds(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"in square brackets": {"FORM GST RFD-08\nDate 15.07.2022\n[A] the claim is made after two years, section 54(1): Rs. 11,86,420;\n" +
			"[B] Rs. 1,90,650 of it is credit of input services, rule 89(5).", []string{"A", "B"}},
		"(x) and (y)": {"FORM GST DRC-01A\nDate 05-10-2026\n(x) Credit notes were issued by the suppliers, section 16(2). CGST Rs. 2,45,700\n" +
			"(y) Credit on cement is blocked by section 17(5)(d). CGST Rs. 5,18,400", []string{"X", "Y"}},
		"papers to produce": {"GOODS AND SERVICES TAX\nSUMMONS under section 70\nDate 05-10-2026\nProduce:\n(a) invoices of all purchases of the year;\n" +
			"(b) bank statements of all accounts held;", []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			pages := []gst.Page{{Text: c.text}}
			tables := law.Built()
			f := gst.Read(tables, pages)
			f.Paragraphs = nil
			p := Read(tables, f, pages, law.ParseDay("2026-11-26"))
			var got []string
			for _, s := range p.Charges {
				got = append(got, s.Part.Para)
			}
			if !slices.Equal(got, c.want) && !(len(got) == 0 && c.want[0] == "") {
				t.Errorf("the charges are %q, they should be %q", got, c.want)
			}
		})
	}
}
