package practice

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
)

// Every form in the tables of law has a stage, and no other form has one.
func TestEveryFormHasAStage(t *testing.T) {
	known := map[string]bool{}
	for _, f := range law.Built().Forms {
		known[f.Form] = true
		if s, ok := steps[f.Form]; !ok || stages[s.stage] == 0 {
			t.Errorf("%s has no stage", f.Form)
		}
	}
	for form := range steps {
		if !known[form] {
			t.Errorf("%s is no form of the tables", form)
		}
	}
}

func page(text string) []turns.Page { return []turns.Page{{Number: 1, Text: text}} }

func TestNumbersIn(t *testing.T) {
	found := numbersIn(page(`Ref. ZD270125004411A dated 10/01/2025, DIN 20250164SC000000A1B2. GSTIN 27AAPFU0939F1ZV. Rs. 12,45,000.00 for 2020-21.
		File V/04-12/SCN/2024-25/123; phone 9822012345; DRC-01; section 73(9); Circular 183/15/2022-GST`))
	for _, want := range []string{"ZD270125004411A", "20250164SC000000A1B2", "V/04-12/SCN/2024-25/123"} {
		if !slices.Contains(found, numberKey(want)) {
			t.Errorf("%s is not found in %q", want, found)
		}
	}
	for _, not := range []string{"27AAPFU0939F1ZV", "10/01/2025", "12,45,000.00", "2020-21", "9822012345"} {
		if slices.Contains(found, numberKey(not)) {
			t.Errorf("%s is taken for the number of a paper", not)
		}
	}
	if numberKey("ZD27O125OO4411A") != numberKey("zd27 0125-004411A") {
		t.Error("look-alikes make another number")
	}
}

const scanned = `OFFICE OF THE ASSISTANT COMMISSIONER OF STATE TAX PUNE Form GST DRC-01 summary of show cause notice issued under section 73 of the Act
	for the period April 2020 to March 2021. During scrutiny it was noticed that the taxpayer availed excess input tax credit compared with the auto
	drafted statement. You are directed to show cause why the tax with interest and penalty should not be demanded and recovered from you within thirty days.`

// A second scan, with letters that text recognition confused and a word lost, is recognised; another notice in the
// same form is not.
func TestAlike(t *testing.T) {
	one := sketchOf(page(scanned))
	again := strings.NewReplacer("OFFICE", "0FFlCE", "section", "sectlon", "availed", "", "demanded", "dernanded").Replace(scanned)
	if share := alike(one, sketchOf(page(again))); share < sameText {
		t.Errorf("another scan shares %.2f of the words", share)
	}
	other := `OFFICE OF THE SUPERINTENDENT RANGE IV NASHIK Form GST REG-17 notice for cancellation of registration. Whereas you have not filed returns for a
		continuous period of six months, you are hereby directed to furnish a reply within seven working days from the date of service of this notice.`
	if share := alike(one, sketchOf(page(other))); share > 0.3 {
		t.Errorf("another notice shares %.2f of the words", share)
	}
	if alike(one, one) != 1 || alike(nil, one) != 0 {
		t.Error("a text is not like itself, or no text is like one")
	}
}

func ref[T any](v T) *T { return &v }

var (
	theMatter, otherMatter = uuid.MustParse("0193b6a0-0000-7000-8000-0000000000a1"), uuid.MustParse("0193b6a0-0000-7000-8000-0000000000a2")
	theClient, otherClient = uuid.MustParse("0193b6a0-0000-7000-8000-0000000000c1"), uuid.MustParse("0193b6a0-0000-7000-8000-0000000000c2")
)

// sibling returns an ASMT-10 that is filed, after a function has changed it.
func sibling(change func(*store.Sibling)) store.Sibling {
	s := store.Sibling{Numbered: true}
	s.DocumentID, s.ConversationID = uuid.New(), uuid.New()
	s.MatterID, s.MatterClient = &theMatter, &theClient
	s.Gstin, s.Form, s.Track, s.Stage, s.Issued = ref("27AAPFU0939F1ZV"), ref("ASMT-10"), "demand", Scrutiny, ref("2024-05-01")
	s.Years, s.Issues = []string{"2020-21"}, []string{"itc_mismatch"}
	if change != nil {
		change(&s)
	}
	return s
}

func TestDecide(t *testing.T) {
	paper := func(change func(*store.PaperFacts)) store.PaperFacts {
		p := store.PaperFacts{GSTIN: ref("27AAPFU0939F1ZV"), PAN: ref("AAPFU0939F"), GSTINValid: true, IsNotice: true, Name: "Uttam Traders", NameKey: "UTTAMTRADERS", Form: ref("DRC-01"),
			Track: "demand", Stage: Notice, Issued: ref("2025-01-10"), Years: []string{"2020-21"}, Issues: []string{"itc_mismatch"}, Own: []string{"2270125004411A"}}
		if change != nil {
			change(&p)
		}
		return p
	}
	known := func(siblings ...store.Sibling) store.OnFile {
		return store.OnFile{ByGSTIN: &theClient, Siblings: siblings}
	}
	for name, c := range map[string]struct {
		paper store.PaperFacts
		known store.OnFile
		want  func(store.Decision) bool
	}{
		"the first paper of a taxpayer makes a client and a matter": {paper(nil), store.OnFile{}, func(d store.Decision) bool {
			return d.Sure && d.Client.New != nil && d.Client.New.Name == "Uttam Traders" && len(d.Candidates) == 0
		}},
		"a number without a name makes a client who is called by it": {paper(func(p *store.PaperFacts) { p.Name, p.NameKey = "", "" }), store.OnFile{}, func(d store.Decision) bool {
			return d.Sure && d.Client.New.Name == "27AAPFU0939F1ZV"
		}},
		"a number that cannot be is asked about": {paper(func(p *store.PaperFacts) { p.GSTINValid = false }), store.OnFile{}, func(d store.Decision) bool {
			return !d.Sure && d.Client.New != nil && d.Client.New.GSTIN == nil
		}},
		"no number but a name that is known is asked about": {paper(func(p *store.PaperFacts) { p.GSTIN, p.PAN = nil, nil }), store.OnFile{ByName: []uuid.UUID{theClient}}, func(d store.Decision) bool {
			return !d.Sure && d.Client.ID != nil && *d.Client.ID == theClient
		}},
		"what names the number of a paper goes to it": {paper(nil), known(sibling(func(s *store.Sibling) { s.Cited = true })), func(d store.Decision) bool {
			return d.Sure && len(d.Candidates) == 1 && d.Candidates[0].Matter == theMatter
		}},
		"a number leads to another client: asked": {paper(nil), known(sibling(func(s *store.Sibling) { s.Cited, s.MatterClient = true, &otherClient })), func(d store.Decision) bool {
			return !d.Sure && len(d.Candidates) == 1
		}},
		"two matters are named: asked": {paper(nil), known(sibling(func(s *store.Sibling) { s.Cited = true }), sibling(func(s *store.Sibling) { s.Cited, s.MatterID = true, &otherMatter })), func(d store.Decision) bool {
			return !d.Sure && len(d.Candidates) == 2
		}},
		"the next stage of the same year and point is proposed": {paper(nil), known(sibling(nil)), func(d store.Decision) bool {
			return !d.Sure && len(d.Candidates) == 1 && d.Candidates[0].Points >= likely
		}},
		"another year is another matter": {paper(func(p *store.PaperFacts) { p.Years = []string{"2021-22"} }), known(sibling(nil)), func(d store.Decision) bool {
			return d.Sure && len(d.Candidates) == 0
		}},
		"another registration is another matter": {paper(func(p *store.PaperFacts) { p.GSTIN = ref("29AAPFU0939F1ZR") }), known(sibling(nil)), func(d store.Decision) bool {
			return d.Sure && len(d.Candidates) == 0
		}},
		"another proceeding is another matter": {paper(func(p *store.PaperFacts) { p.Form, p.Track = ref("REG-17"), "registration" }), known(sibling(nil)), func(d store.Decision) bool {
			return d.Sure && len(d.Candidates) == 0
		}},
		"a second notice of the same form and year on another point is another matter": {
			paper(func(p *store.PaperFacts) { p.Issues = []string{"rcm"} }),
			known(sibling(func(s *store.Sibling) { s.Form, s.Stage = ref("DRC-01"), Notice })),
			func(d store.Decision) bool { return d.Sure && len(d.Candidates) == 0 },
		},
		"an order follows the notice of the same demand": {
			paper(func(p *store.PaperFacts) { p.Form, p.Stage, p.DemandPaise = ref("DRC-07"), Order, ref(int64(100_00)) }),
			known(sibling(func(s *store.Sibling) { s.Form, s.Stage, s.DemandPaise = ref("DRC-01"), Notice, ref(int64(100_50)) })),
			func(d store.Decision) bool {
				return len(d.Candidates) == 1 && d.Candidates[0].Points >= sameYears+nextStage+sameIssue+sameDemand
			},
		},
		"the same number again is the same paper": {paper(nil), known(sibling(func(s *store.Sibling) { s.Form, s.OwnSame = ref("DRC-01"), true })), func(d store.Decision) bool {
			return !d.Sure && d.Duplicate != nil && d.Why.Code == "filing.same_number"
		}},
		"the same words with another number are another paper": {
			paper(func(p *store.PaperFacts) { p.Sketch = sketchOf(page(scanned)) }),
			known(sibling(func(s *store.Sibling) {
				s.Form, s.Issued, s.Sketch = ref("DRC-01"), ref("2025-01-10"), sketchOf(page(scanned))
			})),
			func(d store.Decision) bool { return d.Duplicate == nil },
		},
		"the same words where no number was read are the same paper": {
			paper(func(p *store.PaperFacts) { p.Own, p.Sketch = nil, sketchOf(page(scanned)) }),
			known(sibling(func(s *store.Sibling) {
				s.Form, s.Issued, s.Sketch = ref("DRC-01"), ref("2025-01-10"), sketchOf(page(scanned))
			})),
			func(d store.Decision) bool { return d.Duplicate != nil && d.Why.Code == "filing.same_text" },
		},
		"a paper that is no notice is asked about": {paper(func(p *store.PaperFacts) { p.IsNotice = false }), known(), func(d store.Decision) bool { return !d.Sure }},
	} {
		if d := decide(c.paper, c.known); !c.want(d) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// A paper is filed by what was read from it.
func TestPaperOf(t *testing.T) {
	f := gst.Facts{Form: ref("DRC-01"), Reference: ref("ZD270125004411A"), GSTIN: ref("27AAPFU0939F1ZV"), LegalName: ref("M/s. Uttam Traders Private Limited"),
		Periods: []gst.Period{{FY: "2020-21"}}, Demand: &gst.Demand{Total: ref(1245000.5)}, Officer: gst.Officer{Designation: ref("State Tax Officer")}}
	p := paperOf(f, page("Further to ZD270524001122B of 01/05/2024, Ref. ZD270125004411A"))
	if *p.PAN != "AAPFU0939F" || p.Stage != Notice || *p.DemandPaise != 124500050 || *p.Officer != "State Tax Officer" || p.NameKey != "UTTAMTRADERSPVTLTD" {
		t.Errorf("the paper is %+v", p)
	}
	if !slices.Equal(p.Own, []string{numberKey("ZD270125004411A")}) || !slices.Equal(p.Cited, []string{numberKey("ZD270524001122B")}) {
		t.Errorf("its own numbers are %q, it cites %q", p.Own, p.Cited)
	}
}
