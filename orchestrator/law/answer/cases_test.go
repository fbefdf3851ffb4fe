package answer_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst/law"
)

// Each question represents others of its kind. The answer has everything that is expected, and nothing that would be
// wrong.
func TestWhatAQuestionDoesNotSay(t *testing.T) {
	a, written := answers(""), text(t)
	const askOrder, askHindi, askHinglish = "the date on which the order reached you", "आदेश किस दिन मिला", "Order kis din mila"
	for _, c := range []struct {
		about, q  string
		says, not []string
	}{
		// The time of an appeal is counted from the day on which the order reached the person.
		{"served", "I received the order dated 1 September 2026 on 5 October 2026. Last date for appeal?", []string{"5 January 2027"}, []string{"1 December 2026"}},
		{"served", "The order dated 01.09.2026 was served on 05.10.2026, until when can I appeal?", []string{"5 January 2027"}, []string{"1 December 2026"}},
		{"served", "An order passed on 1 September 2026 reached us on 5 October 2026. What is the last date for the first appeal?", []string{"5 January 2027"}, []string{"1 December 2026"}},
		{"served", "On 5 October 2026 I received the order of 1 September 2026. Last date for appeal?", []string{"5 January 2027"}, []string{"1 December 2026"}},
		{"served", "आदेश 1 सितंबर 2026 का है, मुझे 5 अक्टूबर 2026 को मिला, अपील कब तक?", []string{"5 जनवरी 2027"}, []string{"1 दिसंबर 2026"}},
		{"served", "दिनांक 1 सितंबर 2026 का आदेश 5 अक्टूबर 2026 को प्राप्त हुआ, अपील की अंतिम तारीख क्या है?", []string{"5 जनवरी 2027"}, []string{"1 दिसंबर 2026"}},
		{"served", "order 1.9.2026 ka hai, mujhe 5.10.2026 ko mila, appeal kab tak kar sakte hain?", []string{"5 January 2027"}, []string{"1 December 2026"}},
		{"its own day", "My order is dated 1.9.2026, what is the last date for appeal?", []string{askOrder}, []string{"1 December 2026"}},
		{"its own day", "Last date to appeal against the order dated 1 September 2026?", []string{askOrder}, []string{"1 December 2026"}},
		{"its own day", "आदेश 1 सितंबर 2026 का है, अपील कब तक?", []string{askHindi}, []string{"1 दिसंबर 2026"}},
		{"its own day", "order 1 September 2026 ka hai, appeal kab tak kar sakte hain?", []string{askHinglish}, []string{"1 December 2026"}},
		{"its own day", "Notice REG-17 dated 9 November 2026, by when must I reply?", []string{"the date on which it reached you"}, []string{"Served on"}},
		{"served", "REG-17 dated 6 November 2026 was received on 16 November 2026, by when must I reply?", []string{"Served on 16 November 2026"}, []string{"Served on 6 November"}},

		// A pre-deposit is a part of the tax alone, within the cap of its head.
		{"deposit", "Order: tax Rs 10,00,000, interest Rs 2,00,000, penalty Rs 1,00,000. How much pre-deposit for the first appeal?", []string{"1,00,000"}, []string{"1,30,000"}},
		{"deposit", "Order demands Rs 10,00,000 tax, Rs 2,00,000 interest and Rs 1,00,000 penalty. Pre-deposit for appeal?", []string{"1,00,000"}, []string{"1,30,000"}},
		{"deposit", "आदेश में टैक्स 10,00,000 रुपये, ब्याज 2,00,000 रुपये और जुर्माना 1,00,000 रुपये है। अपील के लिए कितना पूर्व जमा?", []string{"1,00,000"}, []string{"1,30,000"}},
		{"deposit", "Demand of Rs 13,00,000 including interest and penalty. How much pre-deposit for first appeal?", []string{"by head"}, []string{"1,30,000"}},
		{"cap", "How much pre-deposit for first appeal on disputed tax of Rs 500 crore?", []string{"10%", "20,00,00,000", "by head"}, []string{"₹50,00,00,000"}},
		{"cap", "Pre-deposit for the tribunal on a tax demand of Rs 900 crore?", []string{"10%", "by head"}, []string{"₹90,00,00,000"}},
		{"cap", "CGST of Rs 300 crore and SGST of Rs 300 crore are disputed. How much pre-deposit for first appeal?", []string{"40,00,00,000"}, []string{"60,00,00,000"}},
		{"head behind", "Pre-deposit for first appeal: Rs 5 lakh CGST and Rs 5 lakh SGST?", []string{"CGST ₹50,000, SGST ₹50,000"}, nil},
		{"head behind", "How much pre-deposit for appeal on Rs 300 crore IGST and Rs 300 crore CGST?", []string{"IGST ₹30,00,00,000, CGST ₹20,00,00,000"}, nil},
		{"head before", "Pre-deposit for first appeal: CGST Rs 5 lakh SGST Rs 6 lakh?", []string{"CGST ₹50,000, SGST ₹60,000"}, nil},
		{"no tax invoice", "The order says no tax invoice was produced and demands tax of Rs 10 lakh. Pre-deposit for first appeal?", []string{"disputed tax", "1,00,000"}, []string{"a penalty and no tax"}},
		{"no tax", "The order demands no tax, and a penalty of Rs 2,00,000. Pre-deposit for first appeal?", []string{"disputed penalty", "20,000"}, nil},

		// What is admitted is paid in full, and no part of what is disputed.
		{"admitted", "DRC-07 served on 20 September 2026: IGST 18,00,000, interest 6,50,000, penalty 1,80,000. Out of the tax we admit 3,00,000 and will contest the rest. How much has to be paid before the appeal?", []string{"₹1,50,000"}, []string{"2,10,000"}},
		{"admitted", "Order ka tax 10,00,000 hai, 4,00,000 hum maante hain. Pehli appeal ke liye pre-deposit kitna?", []string{"₹60,000"}, []string{"1,40,000"}},
		{"admitted", "आदेश में टैक्स 10,00,000 रुपये है, 4,00,000 रुपये हम मानते हैं। पहली अपील के लिए पूर्व जमा कितना?", []string{"₹60,000"}, []string{"1,40,000"}},
		{"admitted", "Disputed tax of Rs 6,00,000, admitted tax Rs 4,00,000. Pre-deposit for first appeal?", []string{"₹60,000"}, []string{"1,00,000", "20,000"}},
		{"admitted", "We do not accept Rs 5,00,000 tax of the order. Pre-deposit for first appeal?", []string{"₹50,000"}, nil},

		// The answer to a common question computes what it can, from the right figure.
		{"works", "Our company takes a godown on rent at Rs 60,000 a month from a landlord who has no GST registration. Who pays GST?", []string{"₹10,800"}, nil},
		{"works", "Nil GSTR-3B pending for 8 months, how much late fee?", nil, []string{"₹160", "₹400"}},
		{"works", "Officer says GSTIN is not on my shop board and wants 50,000 penalty", []string{"ection 125"}, nil},

		// The letter of a form touches its digits.
		{"form", "I got a DRC-01 a week ago. By when do I have to reply?", []string{"DRC-06"}, []string{"**DRC-01A**"}},
		{"form", "We received ASMT-10 a month back, in which form do we reply?", []string{"ASMT-11"}, nil},
		{"form", "They sent DRC-01 b/c of turnover, how many days to reply?", []string{"DRC-06"}, []string{"**DRC-01B**"}},
		{"form", "How to answer DRC-01A, which form?", []string{"DRC-01A"}, nil},

		// Someone who has just received a notice asks what to do, and not how to reply.
		{"next", "I got a DRC-01 notice under section 73, what should I do now?", []string{"DRC-06", "Notice Analysis"}, nil},
		{"next", "मुझे DRC-01 मिला है, अब क्या करूँ?", []string{"DRC-06"}, nil},
		{"next", "mujhe DRC-01 notice mila hai, ab kya karu?", []string{"DRC-06"}, nil},
		{"next", "I have received a GST notice. What do I do?", []string{"DRC-06", "ASMT-11", "upload it in Notice Analysis"}, nil},
		{"next", "My supplier did not file GSTR-1. What can I do?", nil, []string{"reply in FORM"}},

		// The name of a case is not the subject of a question, and nothing is decided from it.
		{"judgment", "Does Suncraft Energy Pvt Ltd v. Assistant Commissioner (Calcutta High Court, 2 August 2023) help me where my supplier did not pay the tax?", []string{"was not verified", "supplier"}, []string{"Taking assistance from an expert", "Appeal to High Court"}},

		// The day of another paper is not that of the invoice.
		{"invoice", "SCN dated 5 October 2026 denies my ITC under 16(4). Until when can credit be taken?", []string{"date of the invoice"}, []string{"30 November 2027"}},
		{"invoice", "The order of 5 October 2026 refuses ITC under section 16(4). Was I in time?", []string{"date of the invoice"}, []string{"30 November 2027"}},
		{"invoice", "Notice dated 5 October 2026 denies ITC under section 16(4) on an invoice of May 2024. Till when could it be taken?", []string{"30 November 2025"}, []string{"30 November 2027"}},
		{"before GST", "Till when could ITC be taken on an invoice dated 5 May 2015?", nil, []string{"30 November 2021", "30 November 2016"}},

		// A paper by its name, what an appeal costs in other words, a return by its month.
		{"named", "My GST registration got cancelled on 5 January 2026. How can I get it back and by when?", []string{"REG-21", "90 days"}, nil},
		{"named", "mera GST number cancel ho gaya, ise wapas chalu kaise karu aur kab tak?", []string{"REG-21", "90 days"}, nil},
		{"used", "Can the department ask me to pay 18% interest on ITC which I never utilised?", []string{"only if the credit was also used", "50(3)"}, nil},
		{"used", "ITC galti se le liya tha par use nahi kiya, byaj lagega kya?", []string{"50(3)"}, nil},
		{"named", "Registration was cancelled by an order served on 3 August 2026. Last date to apply for revocation?", []string{"REG-21", "1 November 2026"}, nil},
		{"named", "हमें 2 नवंबर 2026 को संवीक्षा का नोटिस मिला, जवाब कब तक देना है?", []string{"ASMT-11", "2 दिसंबर 2026"}, nil},
		{"named", "registration cancel karne ka notice 9 November 2026 ko mila, jawab kab tak?", []string{"REG-18"}, nil},
		{"named", "The supplier's registration was cancelled. Last date to take credit on his invoice of May 2026?", []string{"30 November 2027"}, []string{"REG-21"}},
		{"cost", "Order under section 74 confirms CGST 6,40,000 and SGST 6,40,000 plus equal penalty. What do I pay to file the first appeal?", []string{"1,28,000"}, []string{"By order"}},
		{"return", "GSTR-3B of April 2026 was filed on 4 July 2026 with cash tax of Rs 2,35,000. How much interest is that?", []string{"5,215", "20 May 2026"}, nil},
		{"return", "GSTR-3B of April 2026 was filed on 4 May 2026 with cash tax of Rs 2,35,000. How much interest is that?", nil, []string{"Interest: "}},

		// Forms of other laws.
		{"company", "Which GST form is ADT-01?", []string{"ADT-01"}, []string{"not covered by the law that Munshi has"}},
		{"company", "When must a company file ADT-1 for its new auditor?", []string{"not covered by the law that Munshi has"}, nil},
		{"company", "Due date of ADT-1 after the AGM of a private company?", []string{"not covered by the law that Munshi has"}, nil},
		{"company", "Resignation of a statutory auditor: time limit for ADT-3?", []string{"not covered by the law that Munshi has"}, nil},

		// Interest runs from the due date to the payment, whatever other days there are.
		{"interest", "GSTR-3B due on 20 May 2026 paid on 20 July 2026, tax 5 lakh; the notice of 1 November 2026 gives 30 days. How much interest?", []string{"15,041", "for 61 days"}, nil},
		{"interest", "Tax of Rs 5,00,000 was paid on 20 July 2026, due date 20 May 2026, order dated 1 October 2026. Interest?", []string{"15,041", "for 61 days"}, nil},
		{"interest", "Interest under section 50 on tax of Rs 5,00,000: 1 April 2026, 20 May 2026, 20 July 2026?", []string{"Give the due date"}, []string{"Interest: ₹"}},
		{"interest", "A notice gives 30 days to pay tax of Rs 5,00,000. What interest is payable under section 50?", []string{"18%"}, []string{"for 30 days"}},
		{"refund interest", "Refund application received on 1 June 2026, refund of Rs 10,00,000 credited on 15 October 2026. Interest?", []string{"1 August 2026", "76 days", "6%", "12,493", "9%", "follows from an appellate or court order"}, nil},
		{"refund interest", "The appellate authority allowed my refund, application received on 1 June 2026, paid on 15 October 2026, Rs 10,00,000. How much interest on the refund?", []string{"76 days", "9%", "18,740"}, nil},

		// The validity of e-way bills.
		{"e-way", "For how long is an e-way bill of a woodcraft maker valid for 300 km?", []string{"valid for 2 days"}, []string{"valid for 15 days"}},
		{"e-way", "For how long is an e-way bill valid for 300 km with ODC?", []string{"valid for 15 days"}, nil},
		{"e-way", "For how long was an e-way bill of 5 March 2020 valid for 300 km?", []string{"valid for 3 days"}, nil},

		// A last day is computed where one is asked for.
		{"count", "The officer visited on 5 October 2026 and sealed the godown. Was he allowed to inspect?", nil, []string{"days from 5 October"}},

		// What to do about a form, and the consequence of not replying, in the person's language.
		{"answer", "DRC-01D mila hai, kya karna hai, kitne din hain?", []string{"Pay the amount intimated", "Kuch na karne par"}, []string{"jawab likhkar"}},
		{"answer", "DRC-01D मिला है, कितने दिन में क्या करना है?", []string{"बताई गई रकम चुकाएँ", "कुछ न करने पर: वसूली होती है (धारा 79)"}, []string{"जवाब लिखकर"}},
		{"answer", "जीएसटी ADT-01 मिला है, कितने दिन में क्या करना है?", []string{"बही-खाते और रिकॉर्ड दिखाएँ"}, []string{"जवाब लिखकर"}},
		{"answer", "जीएसटी DRC-13 का जवाब कितने दिन में देना है?", []string{"या अपनी बात लिखकर दें"}, []string{"जवाब लिखकर"}},

		// Whether a notice or an order with a given date was in time.
		{"limits", "My SCN under section 73 for FY 2019-20 was issued on 28 May 2024 and the order on 30 August 2024. Is it time barred?",
			[]string{"notice of 28 May 2024 came after the Act's own last day, 31 December 2023", "to 31 May 2024", "order of 30 August 2024 came after the Act's own last day, 31 March 2024", "to 31 August 2024"}, []string{"**DRC-01**"}},
		{"limits", "Is an order for 2021-22 under section 73 passed on 15 March 2026 time barred?", []string{"order of 15 March 2026 came after its last day, 31 December 2025: it appears to be barred"}, nil},
		{"limits", "28 मई 2024 का नोटिस और 5 सितंबर 2024 का आदेश, धारा 73, 2019-20: समय पर हैं?", []string{"28 मई 2024 का नोटिस", "बढ़ाई गई तारीख 31 मई 2024 के भीतर", "5 सितंबर 2024 का आदेश", "समय-सीमा से बाहर"}, nil},
		{"limits", "2018-19 ka section 74 ka notice 27 June 2024 ka hai, time barred hai kya?", []string{"27 June 2024 ka notice samay par hai", "30 June 2025"}, nil},
		{"limits", "SCN under section 74 dated 5 July 2025, is it time barred?", []string{"Give the financial year"}, nil},
		{"limits", "The order under section 73 for 2021-22 reached me on 5 January 2026. Is it time barred?", []string{"31 December 2025"}, []string{"order of 5 January 2026"}},

		// Rates of tax are in notifications, which are not held here.
		{"rate", "What is the GST rate on laptops?", []string{"Munshi does not have the tax rates", "9/2025", "cbic-gst.gov.in"}, []string{"section 15"}},
		{"rate", "मोबाइल पर कितना जीएसटी लगता है?", []string{"टैक्स की दरें मुंशी के पास नहीं हैं"}, nil},
		{"rate", "cement par gst kitna hai", []string{"Tax ki rates yahan nahi rakhi hain"}, nil},
		{"rate", "What is the rate of interest on late payment of GST?", []string{"18%"}, []string{"Rates of tax are not held"}},
		{"rate", "What is the rate of tax for a composition dealer?", []string{"ection 10("}, []string{"Rates of tax are not held"}},
		{"rate", "Which rate applies if the rate changed after the supply?", []string{"ection 14("}, []string{"Rates of tax are not held"}},

		// An appeal and its cost in one question, interest on credit from the day of its use, and the stage that is
		// asked about first.
		{"both", "Order received 3 September 2026, tax Rs 8,40,000 (IGST), interest 2,10,000. Last date for appeal and how much pre-deposit?", []string{"3 December 2026", "₹84,000"}, nil},
		{"used", "I wrongly took ITC of 4 lakh on 10 May 2026 and used it on 20 May 2026, reversing on 30 November 2026. Interest?", []string{"38,268", "for 194 days"}, nil},
		{"used", "Interest on wrong ITC of 4 lakh taken on 10 May 2026?", []string{"the date on which the credit was used"}, nil},
		{"stage", "What penalty if I pay within 30 days of a section 74 notice? Tax is 5 lakh.", []string{"- Paid within 30 days of the notice: **₹1,25,000"}, nil},

		// Nothing is repeated, and little is shown that is not to the point.
		{"few", "Can credit be denied because the supplier did not pay?", []string{"ection 16(2)(c)"}, []string{"ection 10(5)", "ection 16 of"}},
		{"few", "Can CGST and SGST both issue notices for the same year?", []string{"ection 6(2)(b)"}, []string{"ection 79", "ection 75(3)"}},
		{"few", "No DIN on the notice: is it valid?", []string{"Circular 122/41/2019"}, []string{"e-way bill is valid"}},
		{"before GST", "Till when could ITC be taken on an invoice dated 5 May 2015?", []string{"GST began on 1 July 2017", "section 140"}, nil},

		// Which provision is cited, and of which Act.
		{"cited", "What is the penalty under sections 73 and 74 if I pay within 30 days of the notice?", []string{"section 73(8)", "section 74(8)"}, nil},
		{"cited", "dhara 74 me notice ke 30 din ke andar bharne par penalty kitni lagti hai?", []string{"section 74(8)"}, nil},
		{"cited", "What does section 73 of the Contract Act say about damages?", []string{"not covered by the law that Munshi has"}, nil},
		{"cited", "GST question: a contract says section 73 of the Contract Act governs the penalty. Is it taxed?", nil, []string{"section 73(8)"}},
	} {
		_, said := ask(t, a, written, c.q, "")
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q does not say %q:\n%s", c.about, c.q, want, head(said))
			}
		}
		for _, wrong := range c.not {
			if strings.Contains(said, wrong) {
				t.Errorf("%s: %q says %q:\n%s", c.about, c.q, wrong, head(said))
			}
		}
	}
}

// head returns the first lines of an answer.
func head(said string) string { return said[:min(len(said), 900)] }

// A question with any Unicode characters is answered.
func FuzzQuestions(f *testing.F) {
	for _, q := range []string{
		"Interest on GSTR-3B filed late, \u212A\u212A\u212A cash ledger: tax Rs 5,00,000, of which Rs 3,00,000",
		"\u0130\u0130 interest 3b cash Rs 1,00,000 and Rs 2,00,000 \xff\xfe",
		"आदेश 1 सितंबर 2026 का मिला \u0130 5 अक्टूबर 2026 को",
		"E-way bill \u212Am 300 km ODC \x80 ₹",
	} {
		f.Add(q)
	}
	a, day := answers(""), law.ParseDay(today)
	f.Fuzz(func(t *testing.T, q string) {
		if _, err := a.Values(q, "", day, ""); err != nil {
			t.Fatal(err)
		}
	})
}
