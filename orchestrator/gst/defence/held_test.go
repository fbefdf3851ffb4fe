package defence

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// The texts of a rule state its ground as true: a point that does not apply has none of them, but the reason.
func TestAPointThatDoesNotApplyClaimsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		reason    Words
		why, inHi string
	}{
		"with a reason of its own": {Words{"It is in time.", "यह समय पर है।"}, "It is in time.", "यह समय पर है।"},
		"with none":                {Words{}, disproved.English, disproved.Hindi},
	} {
		t.Run(name, func(t *testing.T) {
			rule := Rule{
				ID: "late", Scope: PerYear, Provision: "CGST Act s.73(2)", Takes: TakesAll, Strength: Ends,
				Title: Words{"The notice came too late", "नोटिस देर से आया"}, Heading: "Bar of limitation",
				Explain: Words{"The notice came after {year.notice73}.", "नोटिस {year.notice73} के बाद आया।"}, Plead: "Barred.",
				Raised: []Condition{{Fact: "paper.section", Is: []string{"73"}}},
				Where:  []Condition{{Fact: "paper.date", After: "year.notice73_longer", Else: c.reason}},
			}
			points := evaluated(t, []Rule{rule}, "2025-03-01", strings.Replace(lateNotice, "05/02/2025", "05/11/2022", 1))
			if len(points) != 1 || points[0].Verdict != DoesNotApply {
				t.Fatalf("%+v", points)
			}
			p := points[0]
			if p.Why != c.why || p.Explain != c.why || p.Hindi.Why != c.inHi || p.Hindi.Explain != c.inHi {
				t.Errorf("the reason is %q, %q, %+v", p.Why, p.Explain, p.Hindi)
			}
			if p.Title != "Does not apply: The notice came too late" || p.Hindi.Title != "लागू नहीं: नोटिस देर से आया" {
				t.Errorf("the title is %q, %q", p.Title, p.Hindi.Title)
			}
			if p.Plead+p.Heading != "" {
				t.Errorf("it pleads %q, %q", p.Heading, p.Plead)
			}
		})
	}
}

// The heading of the next charge is no part of the one before it.
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
			p := read(tables, gst.Read(tables, pages), pages, law.ParseDay("2026-11-22"))
			if len(p.charges) != 2 {
				t.Fatalf("%d charges", len(p.charges))
			}
			if got := strings.Contains(p.low[p.charges[0].from:p.charges[0].to], "canteen"); got != c.has {
				t.Errorf("the first charge has the words of %q: %v", c.heading, got)
			}
		})
	}
}

// The reader writes plain quotation marks where a paper has printed ones.
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
	p := read(tables, facts, pages, law.ParseDay("2026-11-22"))
	if last := p.charges[len(p.charges)-1]; last.part.Para != "7" {
		t.Errorf("the last charge is %q of %d", last.part.Para, len(p.charges))
	}
}

// A letter whose title is that of a show cause notice is one, although no table of its demand was read.
func TestATitledNoticeIsNoLetter(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"Hindi": {"कार्यालय उपायुक्त (राज्य कर), बरेली\nदिनांक 23.06.2025\n. कारण बताओ नोटिस अन्तर्गत धारा 74(1), उ.प्र. माल एवं सेवा कर अधिनियम, 2017\n" +
			"वित्तीय वर्ष 2018-19\n", "notice"},
		"English": {"Office of the Deputy Commissioner of State Tax\nDated 23.06.2025\nSHOW CAUSE NOTICE UNDER SECTION 74(1) of the GST Act\n" +
			"F.Y. 2018-19\n", "notice"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &paper{text: newText([]gst.Page{{Text: c.text}})}
			if got := p.letter(); got != c.want {
				t.Errorf("it is %q", got)
			}
		})
	}
	p := &paper{text: newText([]gst.Page{{Text: "Office of the Superintendent\nA reply to the show cause notice under section 73 is awaited."}})}
	if got := p.letter(); got != "" {
		t.Errorf("a letter that only names a notice is %q", got)
	}
}
