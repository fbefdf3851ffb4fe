package gst_test

import (
	"fmt"
	"testing"

	"munshi/orchestrator/gst"
)

// The notice around each sentence is dated 10-03-2026, a Tuesday.
func TestReplyDue(t *testing.T) {
	const (
		none    = "unknown"
		scn     = ""
		printed = "printed"
		counted = "computed"
	)
	for _, test := range []struct {
		form, text   string
		date, source string
	}{
		// Printed dates in various styles.
		{scn, "You are directed to furnish your reply by 09.04.2026.", "2026-04-09", printed},
		{scn, "You are hereby called upon to show cause on or before 9th April, 2026 why the tax should not be demanded.", "2026-04-09", printed},
		{scn, "The noticee shall submit a written reply not later than April 9, 2026.", "2026-04-09", printed},
		{scn, "Kindly submit your explanation latest by 09-Apr-26 at 5 p.m.", "2026-04-09", printed},
		{scn, "You are required to file your reply on or before the 9th day of April, 2026.", "2026-04-09", printed},
		{scn, "Due date for reply : 09/04/2026", "2026-04-09", printed},
		{scn, "Last date for submission of reply 9 April 2026", "2026-04-09", printed},
		{scn, "Reply to be furnished by: 09/04/26", "2026-04-09", printed},
		{scn, "You should send your objections, if any, so as to reach this office by Thursday, 09.04.2026.", "2026-04-09", printed},
		{scn, "आप दिनांक 09-04-2026 तक अपना उत्तर प्रस्तुत करें।", "2026-04-09", printed},
		{scn, "You are directed to appear on 15.04.2026 and to submit your reply on or before 09.04.2026.", "2026-04-09", printed},
		{"DRC-01", "Date by which reply has to be submitted\n09/04/2026", "2026-04-09", printed},
		{"ASMT-10", "You are hereby directed to explain the reasons by 09/04/2026. If no explanation is received by the aforesaid date, proceedings may be initiated.", "2026-04-09", printed},
		{"ASMT-10", "You are required to reply within 30 days of this notice, that is, by 09.04.2026.", "2026-04-09", printed},
		{"DRC-01A", "You are advised to pay the amount in full by 25.03.2026, failing which notice will be issued.", "2026-03-25", printed},
		{"DRC-01A", "You are advised to pay the amount by 25.03.2026. Submissions may be furnished by 30.03.2026 in Part B.", "2026-03-30", printed},
		{"ADT-01", "You are directed to attend on 02/04/2026 at Pune and to produce your books of account and records.", "2026-04-02", printed},
		{"GSTR-3A", "You are requested to furnish the said return by 25/03/2026.", "2026-03-25", printed},

		{scn, "Your response must reach this office on or before the ninth of April, two thousand and twenty-six.", "2026-04-09", printed},
		{scn, "Time to respond ends on 09/04/2026.", "2026-04-09", printed},
		{scn, "The noticee is granted time up to 09.04.2026 to put forth its defence.", "2026-04-09", printed},
		{scn, "Aap apna jawab 09.04.2026 tak prastut karein.", "2026-04-09", printed},
		{scn, "Written submissions are to be lodged not beyond 09.04.2026.", "2026-04-09", printed},
		{"DRC-01A", "You may give your version in Part B by close of office hours on the 27th instant.", "2026-03-27", printed},

		// A printed number of days.
		{scn, "You are given thirty days' time from the receipt of this letter to file a reply.", "2026-04-09", counted},
		{scn, "Your explanation must be furnished within a fortnight of receipt hereof.", "2026-03-24", counted},
		{scn, "The reply may be given before the lapse of fifteen days from the day you are served.", "2026-03-25", counted},
		{scn, "आपको 15 दिवस के अन्दर अपना पक्ष प्रस्तुत करने का अवसर दिया जाता है।", "2026-03-25", counted},
		{scn, "You are called upon to show cause within thirty days of receipt of this notice why the tax should not be recovered.", "2026-04-09", counted},
		{scn, "Your reply should reach this office within 15 (fifteen) days from the date of service of this notice.", "2026-03-25", counted},
		{scn, "You are required to furnish a reply within a period of twenty-one days from the receipt of this notice.", "2026-03-31", counted},
		{scn, "You may submit your reply within one month from the date of receipt of this notice.", "2026-04-10", counted},
		{scn, "Please furnish your reply within two weeks of this letter.", "2026-03-24", counted},
		{scn, "Within 7 days of the receipt of this notice you should submit your explanation.", "2026-03-17", counted},
		{scn, "आप इस नोटिस की प्राप्ति के पन्द्रह दिनों के भीतर अपना स्पष्टीकरण प्रस्तुत करें।", "2026-03-25", counted},
		{"REG-17", "You are hereby directed to furnish a reply to the notice within seven working days from the date of service of this notice.", "2026-03-19", counted},
		{"REG-17", "You are hereby directed to furnish a reply to the notice within thirty days from the date of service of this notice.", "2026-04-09", counted},
		{"GSTR-3A", "You are, therefore, requested to furnish the said return within 15 days failing which the tax liability may be assessed u/s 62.", "2026-03-25", counted},
		{"CMP-05", "You are hereby directed to furnish a reply to this notice within fifteen working days from the date of service of this notice.", "2026-03-31", counted},
		{"SPL-03", "You are directed to furnish a reply in FORM GST SPL-04 within one month.", "2026-04-10", counted},
		{"MOV-07", "You are hereby directed to show cause, within seven days from the receipt of this notice, as to why the penalty should not be payable by you.", "2026-03-17", counted},

		// The form's own time, if the law fixes one and the notice prints none.
		{"RFD-08", "Your refund application is liable to be rejected.", "2026-03-25", counted},
		{"REG-17", "Your registration is liable to be cancelled.", "2026-03-19", counted},
		{"DRC-07", "You are hereby directed to make the payment by 25/03/2026 failing which proceedings shall be initiated.", "2026-06-10", counted},
		{"DRC-07", "You are hereby directed to make the payment within thirty days.", "2026-06-10", counted},
		{"REG-19", "You are required to pay the dues within 10 days.", "2026-06-08", counted},
		{"ASMT-16", "The amount shall be paid within seven days.", "2026-04-09", counted},
		{"ASMT-13", "If you furnish the return within a period of thirty days from the date of service of this order, the order shall be deemed withdrawn.", "2026-04-09", counted},

		// Without a time to reply, the reply date stays unknown.
		{"DRC-01", "Tax has not been paid.", "", none},
		{scn, "Tax has not been paid, show cause.", "", none},
		{"MOV-07", "The goods were detained.", "", none},
		{"ADT-02", "You are directed to discharge your liability.", "", none},
		{"RVN-01", "It is proposed to revise the order.", "", none},
		{scn, "You may pay the tax and interest within thirty days of issue of this notice, and no penalty shall be payable.", "", none},
		{scn, "The noticee may pay the tax on or before 09.04.2026 and show cause why the rest should not be recovered.", "", none},
		{scn, "You were required to submit your reply by 05.03.2026.", "", none},
		{scn, "The noticee filed its reply on 09.04.2026.", "", none},
		{scn, "You are directed to appear for personal hearing on or before 09.04.2026.", "", none},
		{scn, "The return for March 2026 should be filed by 20.04.2026 and you must show cause.", "", none},
		{scn, "You should show cause within 15 days of the receipt of the relied upon documents.", "", none},
		{scn, "You should submit your reply within 15 (thirty) days of receipt of this notice.", "", none},
		{scn, "You should submit your reply by 31.02.2026.", "", none},
		{scn, "You should submit your reply by __/__/2026.", "", none},
		{scn, "You should submit your reply by 09.04.2026. Your reply must be furnished on or before 15.04.2026.", "", none},
		{scn, "Reply within 15 days of receipt of this notice, you are directed. You must submit your reply within 30 days of receipt of this notice.", "", none},
		{scn, "An appeal lies within three months; submit your appeal by 10.06.2026.", "", none},
		{scn, "If you do not reply, an order under section 73 will be passed by 31.12.2026.", "", none},
		{scn, "You must reply. The cancelled registration can be revoked within 90 days of service of the order.", "", none},
		{"ASMT-10", "You are hereby directed to explain the reasons by 0?/04/2026.", "", none},
		{"ASMT-10", "You are hereby directed to explain the reasons. Interest has been computed upto 30/04/2026.", "", none},
		{"REG-17", "You are directed to furnish a reply within ### working days from the date of service.", "", none},
		{"DRC-01", "Date by which reply has to be submitted\nDate of personal hearing\n09/04/2026\n15/04/2026", "", none},
		{"DRC-01", "Date by which reply has to be submitted NA\nDate of personal hearing 15/04/2026", "", none},
	} {
		heading := "OFFICE OF THE SUPERINTENDENT OF GST\nSHOW CAUSE NOTICE No. 7/2025-26"
		if test.form != "" {
			heading = "FORM GST " + test.form
		}
		text := fmt.Sprintf("%s\nDated: 10.03.2026\nGSTIN: 27AAPFU0939F1ZV\n\n%s\n", heading, test.text)
		due := gst.Read(tables, pagesOf(text, false)).ReplyDue
		date := ""
		if due.Date != nil {
			date = *due.Date
		}
		if date != test.date || due.Source != test.source {
			t.Errorf("%s %q: %q %s, want %q %s", test.form, test.text, date, due.Source, test.date, test.source)
		}
	}
}
