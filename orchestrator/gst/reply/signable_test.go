package reply_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/gst/reply"
)

// Things that keep a person from signing a draft: an unconfirmed point among the certain ones, a blank for something
// that they have said, an answer to something that is not charged, the same plea twice.

func point(id, heading string, verdict string) defence.Point {
	return defence.Point{ID: id, Title: heading, Heading: heading, Verdict: verdict, Strength: defence.Reduces,
		Provision: "CGST Act s.16(4)", Plead: "It is submitted: " + heading + ".", Ask: "Is it so?"}
}

// drawn returns the part of a draft with an id.
func drawn(t *testing.T, parts []reply.Part, id string) string {
	t.Helper()
	for _, p := range parts {
		if p.ID == id {
			return p.Text
		}
	}
	t.Fatalf("the draft has no part %s", id)
	return ""
}

// Points that a person still has to confirm are in a separate table, after everything that is
// certain.
func TestWhatIsOpenStandsApart(t *testing.T) {
	g := before([]gst.Page{{Text: papers(t)["points-73-notice-2017-18-late"]}})
	hearing := point("hearing", "No hearing", defence.Applies)
	hearing.Strength = defence.Procedural
	g.Decides = []defence.Point{point("open", "Open to doubt", defence.MayApply), hearing, point("sure", "Beyond doubt", defence.Applies),
		point("told", "As they said", defence.MayApply)}
	g.Answers = map[string]reply.Response{reply.AskDefence + "told": {Holds: "yes"}}
	text := drawn(t, reply.Parts(tables, g), "decisive")
	at := 0
	for _, want := range []string{"rests on these points", "| Beyond doubt |", "| As they said |", "| No hearing |", "pleaded as well", "| Open to doubt |", "[To be confirmed: "} {
		next := strings.Index(text[at:], want)
		if next < 0 {
			t.Fatalf("%q is missing or stands too early:\n%s", want, text)
		}
		at += next
	}
	g.Decides = g.Decides[:1]
	if text := drawn(t, reply.Parts(tables, g), "decisive"); !strings.HasPrefix(text, "These points are pleaded below") {
		t.Errorf("with nothing certain it begins\n%s", text)
	}
}

// The reduction is always stated: if it cannot be computed from the person's words, the highest possible amount is
// given.
func TestReductionIsStated(t *testing.T) {
	g := before([]gst.Page{{Text: papers(t)["points-73-notice-2017-18-late"]}})
	most := printed.Amount(50_000_00)
	p := point("told", "As they said", defence.MayApply)
	p.Amount = &most
	g.Decides = []defence.Point{p}
	g.Answers = map[string]reply.Response{reply.AskDefence + "told": {Holds: "yes", Words: []string{"Rs. 10,000 and perhaps Rs. 20,000"}}}
	if text := drawn(t, reply.Parts(tables, g), "decisive"); !strings.Contains(text, "| up to ₹50,000 |") {
		t.Errorf("the table is\n%s", text)
	}
}

const intimated = `FORM GST DRC-01C
[See rule 88D]
PART-A (System Generated)
Intimation of difference in input tax credit available in auto-generated statement containing the details of input tax credit and that availed in return
Ref No: ZD270926140083R Date: 30/09/2026
GSTIN: 27XDVSW7716C1Z4
Legal Name: DEVASHRI SOFTWARE WORKS PRIVATE LIMITED
1. It is noticed that the input tax credit availed by you in the return in FORM GSTR-3B exceeds the amount of input tax credit available to you in accordance with the auto-generated statement in FORM GSTR-2B for the period AUG 2026, details:
Form type    IGST    CGST    SGSTIUTGST    Cess    Total
FORM GSTR-2B    3,90,000    1,24,000    1,24,000    0    6,38,000
FORM GSTR-3B    6,42,000    1,55,000    1,55,000    0    9,52,000
Excess input tax credit availed    2,52,000    31,000    31,000    0    3,14,000
Note: table 4(A) of FORM GSTR-3B has credit of inward supplies liable to reverse charge.
2. You are requested to, in accordance with sub-rule (1) of rule 88D, either pay an amount equal to the said excess input tax credit, along with interest payable under section 50, through FORM GST DRC-03 and furnish the details in Part-B, and/or furnish the reply in Part-B incorporating reasons, within a period of seven days.
`

// The portal's intimation has one difference to explain: a row on reverse charge in its tables is no charge of tax,
// and the form's title is no allegation. The explanation adds up to the difference, or the rest is named.
func TestOneDifferenceIsAnswered(t *testing.T) {
	g := before([]gst.Page{{Text: intimated}})
	if points := reply.Points(tables, g.Facts); len(points) != 1 || points[0].Key != "issue:itc_2a2b_vs_3b" {
		t.Fatalf("the points are %+v", points)
	}
	reasons := make([]string, 9)
	reasons[8] = "Import of services IGST 1,80,000; reverse charge IGST 72,000, CGST 9,000, SGST 9,000"
	g.Answers = map[string]reply.Response{"reasons": {Words: reasons}}
	whole := reply.Whole(reply.Parts(tables, g))
	for _, want := range []string{"₹3,14,000 (tax)", "| Any other reason: Import of services", "| ₹2,70,000 |", "The reasons come to ₹2,70,000; ₹44,000 of the difference is left."} {
		if !strings.Contains(whole, want) {
			t.Errorf("%q is missing:\n%s", want, whole)
		}
	}
	for _, not := range []string{"tax under reverse charge", "PART-A", "payable under reverse charge"} {
		if strings.Contains(whole, not) {
			t.Errorf("%q stands in the reply", not)
		}
	}
}

// No question asks for the facts of a plea that follows from the notice: what the person said about its paragraph
// fills its blank.
func TestPleaTakesWhatWasToldOnItsParagraph(t *testing.T) {
	g := before([]gst.Page{{Text: papers(t)["points-73-notice-2017-18-late"]}})
	points := reply.Points(tables, g.Facts)
	p := point("sure", "Paid later", defence.Applies)
	p.Plead, p.For = "It was paid later: [… table of months].", []printed.For{{Para: points[0].Number}}
	g.Decides = []defence.Point{p}
	g.Said[points[0].Key] = reply.Said{Stance: reply.Deny, Facts: "Paid with the return of April."}
	whole := reply.Whole(reply.Parts(tables, g))
	if !strings.Contains(whole, "It was paid later: as stated in answer to "+"para "+points[0].Number) {
		t.Errorf("the plea leaves a blank:\n%s", whole)
	}
	p.Verdict = defence.MayApply // its own question asks for it
	g.Decides = []defence.Point{p}
	if whole := reply.Whole(reply.Parts(tables, g)); !strings.Contains(whole, "[… table of months]") {
		t.Errorf("what is asked for elsewhere is taken as told:\n%s", whole)
	}
}

// The penalty of an order is pleaded against only once.
func TestPenaltyOfAnOrderIsPleadedOnce(t *testing.T) {
	f := taxed("DRC-07", 500_000, 100_000)
	if text := filed(f, "2026-08-01", nil); !strings.Contains(text, "more than section 73(9) allows") {
		t.Errorf("the penalty is not disputed:\n%s", text)
	}
	p := point("penalty-73-over-ten", "Penalty above ten per cent", defence.Applies)
	if text := filed(f, "2026-08-01", nil, p); strings.Contains(text, "more than section 73(9) allows") {
		t.Errorf("the penalty is disputed twice:\n%s", text)
	}
}

const cancellation = `Form GST REG-17
[See Rule 22(1)/sub-rule (2A) of rule 21A]
Reference Number: ZA240926118834K    Date: 14/09/2026
To
Registration Number (GSTIN/UIN): 24XQVPL6142K1ZP
NARMADA POLY FILMS LLP
Show Cause Notice for Cancellation of Registration
Whereas on the basis of information which has come to my notice, it appears that your registration is liable to be cancelled for the following reasons, namely:
1. Rule 21(a) - the person does not conduct any business from the declared place of business.
Observations: During field visit on 09/09/2026 at 7.45 PM the unit was found closed. No signboard was seen.
You are hereby directed to furnish a reply to the notice within seven working days from the date of service of this notice.
Please note that your registration stands suspended with effect from 14/09/2026. It is proposed to cancel the registration with effect from 01/07/2017.
Place: Ahmedabad
R. K. Solanki
State Tax Officer, Ghatak 9 (Ahmedabad)
`

// The reply about premises that were found closed speaks about the premises: no returns, no challans, no default to
// be remedied, and no ground outside rule 21, which the notice names.
func TestClosedPremises(t *testing.T) {
	g := before([]gst.Page{{Text: cancellation}})
	whole := reply.Whole(reply.Parts(tables, g))
	for _, want := range []string{"**Before the State Tax Officer, Ghatak 9 (Ahmedabad)**", "Business is carried on at the registered place", "Dated photographs of the premises"} {
		if !strings.Contains(whole, want) {
			t.Errorf("%q is missing:\n%s", want, whole)
		}
	}
	for _, not := range []string{"not listed in rule 21", "Challans for tax", "a default that has been", "until 03.08.2023", "[… month]", "[… day]"} {
		if strings.Contains(whole, not) {
			t.Errorf("%q stands in the reply", not)
		}
	}
}
