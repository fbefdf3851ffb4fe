package reckon

import (
	"math"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// paper is a notice's facts in the form that the computations need. It is made only from the facts, so that a
// person's corrections take effect.
type paper struct {
	law    *law.Tables
	facts  gst.Facts
	given  Given
	today  law.Day
	form   *law.Form // nil for a letter, or a form that is not in the table
	issued law.Day
	served law.Day // zero if the person gave no possible date
	state  string

	section      string // under which it proceeds: "73", "74", "74A" or ""
	sectionDoubt message.Message
	claim        []gst.DemandRow
}

func newPaper(t *law.Tables, f gst.Facts, given Given, today law.Day) *paper {
	p := &paper{law: t, facts: f, given: given, today: today, served: law.ParseDay(given.Served)}
	if f.IssueDate != nil {
		p.issued = law.ParseDay(*f.IssueDate)
	}
	if f.Form != nil {
		p.form = t.FormOn(*f.Form, p.issued)
	} else if f.OnAppeal() { // the order itself; FORM GST APL-04 is its summary
		p.form = t.FormOn("APL-04", p.issued)
	}
	if !p.issued.IsZero() && p.served.Before(p.issued) {
		p.served = law.Day{}
	}
	if f.GSTIN != nil && len(*f.GSTIN) == 15 && f.GSTINValid != nil && *f.GSTINValid {
		p.state = (*f.GSTIN)[:2]
	}
	if f.Demand != nil {
		p.claim = f.Demand.Rows
	}
	p.section, p.sectionDoubt = ProceedsUnder(f)
	return p
}

// ProceedsUnder returns under which of sections 73, 74 and 74A a notice proceeds according to its facts. It is "" if
// none is named or it cannot be decided; if several are named, doubt says so.
func ProceedsUnder(f gst.Facts) (section string, doubt message.Message) {
	var cited []string
	for _, s := range f.Sections {
		root, _, _ := strings.Cut(s, "(")
		if (root == "73" || root == "74" || root == "74A") && !slices.Contains(cited, root) {
			cited = append(cited, root)
		}
	}
	switch len(cited) {
	case 0:
		return "", message.Message{}
	case 1:
		return cited[0], message.Message{}
	}
	newer, older := 0, 0
	for _, p := range f.Periods {
		if p.FY >= "2024-25" {
			newer++
		} else {
			older++
		}
	}
	fraud := f.FraudAlleged != nil && *f.FraudAlleged ||
		slices.ContainsFunc(f.Flags, func(f gst.Flag) bool { return f.Code == "section_74_ingredients_missing" })
	because := func(code string) message.Message {
		return message.New("doubts."+code,
			message.Params{"cited": message.List{Items: asAny(cited), By: "and"}, "section": cited[0]})
	}
	switch {
	case newer > 0 && older > 0:
		return "", because("sections_years")
	case newer > 0 && slices.Contains(cited, "74A"):
		return "74A", because("section_74a")
	case fraud && slices.Contains(cited, "74"):
		return "74", because("section_74")
	case slices.Contains(cited, "73"):
		return "73", because("section_73")
	}
	return cited[0], because("section_other")
}

func asAny(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

// fraud reports whether the paper proceeds for fraud, wilful misstatement or suppression.
func (p *paper) fraud() bool {
	return p.section == "74" || p.section == "74A" && p.fraudAlleged()
}

func (p *paper) fraudAlleged() bool {
	return p.facts.FraudAlleged != nil && *p.facts.FraudAlleged
}

func (p *paper) isOrder() bool {
	return p.form != nil && p.form.Kind == "order" || p.form == nil && p.facts.Kind == "order"
}

// isDemandNotice reports whether the paper is a show cause notice for tax, as a form or a letter.
func (p *paper) isDemandNotice() bool {
	return p.section != "" && (p.is("DRC-01", "DRC-02") || p.form == nil && p.facts.Kind == "notice")
}

// isDemandOrder reports whether the paper is an order on a show cause notice for tax.
func (p *paper) isDemandOrder() bool {
	return p.section != "" && (p.is("DRC-07") || p.form == nil && p.facts.Kind == "order")
}

// is reports whether the paper is in one of the forms.
func (p *paper) is(forms ...string) bool {
	return p.form != nil && slices.Contains(forms, p.form.Form)
}

// communicated returns the date from which times that run from service are counted. known is false if the person has
// not given it, and the date of issue is used.
func (p *paper) communicated() (from law.Day, known bool) {
	if !p.served.IsZero() {
		return p.served, true
	}
	return p.issued, false
}

// The sums of the claim, in paise.
func (p *paper) tax() int64      { return p.sum(func(r gst.DemandRow) float64 { return r.Tax }) }
func (p *paper) interest() int64 { return p.sum(func(r gst.DemandRow) float64 { return r.Interest }) }
func (p *paper) penalty() int64  { return p.sum(func(r gst.DemandRow) float64 { return r.Penalty }) }

func (p *paper) sum(of func(gst.DemandRow) float64) int64 {
	total := int64(0)
	for _, r := range p.claim {
		total += paiseOf(of(r))
	}
	return total
}

// paiseOf converts rupees to paise; it returns 0 for an impossible demand.
func paiseOf(rupees float64) int64 {
	paise := math.Round(rupees * 100)
	if !(paise > 0 && paise <= gst.MostPaise) {
		return 0
	}
	return int64(paise)
}

// totalsDoubt returns a warning if the notice's own figures contradict each other.
func (p *paper) totalsDoubt() []message.Message {
	for _, f := range p.facts.Flags {
		if f.Code == "demand_total_mismatch" || f.Code == "annexure_mismatch" {
			return []message.Message{message.New("doubts.totals", nil)}
		}
	}
	return nil
}
