// Package defence finds the points that decide a notice: dated rules of law are compared with what the paper prints.
// A rule applies only if each of its conditions is proved by printed words, which it returns with their page. If one
// thing is not printed, the rule may apply and says what to ask. The package is pure: rules, facts and pages in,
// points out. Package printed reads what the paper prints, law/defences the rules from files.
package defence

import (
	"cmp"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
)

// The scopes of a rule: the whole paper, each financial year in it, or each of its charges.
const (
	PerPaper  = "paper"
	PerYear   = "year"
	PerCharge = "charge"
)

// The verdicts of a rule on a paper.
const (
	Applies      = "applies"        // every condition is proved by printed words
	MayApply     = "may_apply"      // one fact must be asked for
	DoesNotApply = "does_not_apply" // a condition is disproved
)

// The strength of a defence.
const (
	Ends       = "ends"       // it removes the demand, or all of it that the point concerns
	Reduces    = "reduces"    // it removes a part of it
	Procedural = "procedural" // a defect of the proceedings, or something to be done in time
)

// What a defence removes if it holds: a part of the demand (TakesAll to TakesOverHalf), or one of these.
const (
	TakesCharge   = "charge"             // the tax or credit of the charge
	TakesOnCredit = "interest on credit" // the interest of a paper that is only about credit
	TakesNothing  = "nothing"
	takesFact     = "fact " // "fact payment.amount": the amount of a fact
)

// Words is a text in both languages of the product.
type Words struct {
	English string `json:"en" yaml:"en"`
	Hindi   string `json:"hi" yaml:"hi"`
}

// Version names the text of a provision on which a rule is based, as on an ISO day.
type Version struct {
	Act    string `json:"act" yaml:"act"` // as in the digest of the law, "cgst"
	Number string `json:"number" yaml:"number"`
	On     string `json:"on" yaml:"on"`
}

// Rule is one defence.
type Rule struct {
	ID        string      `yaml:"id"`
	Title     Words       `yaml:"title"`
	Heading   string      `yaml:"heading"`   // the name of the point in a pleading, if the title is for the client
	Issue     string      `yaml:"issue"`     // the kind of allegation that it answers
	Scope     string      `yaml:"scope"`     // PerPaper, PerYear or PerCharge
	Provision string      `yaml:"provision"` // in citation form, "CGST Act s.16(5)"
	Law       []Version   `yaml:"law"`
	Authority []string    `yaml:"authority"` // circulars and notifications, "Circular 185/17/2022"
	From      string      `yaml:"from"`      // the first day on which it may be pleaded, "" for always
	Until     string      `yaml:"until"`     // the last day
	Raised    []Condition `yaml:"raised"`    // what makes the rule relevant to a paper at all
	Where     []Condition `yaml:"where"`     // what has to be proved
	AtMost    string      `yaml:"at_most"`   // MayApply if a paper can never prove it by itself
	// Proved has conditions on what the paper prints that answer the question of a rule that only may apply, so that it
	// applies.
	Proved    []Condition `yaml:"proved"`
	Files     *ByFiles    `yaml:"files"` // the result if the taxpayer's files answer its question
	Ask       Words       `yaml:"ask"`   // what to ask or prove if none of its conditions asks
	Takes     string      `yaml:"takes"`
	Strength  string      `yaml:"strength"`
	Plead     string      `yaml:"plead"`   // the paragraph for the reply; {fact} is replaced by the fact
	Explain   Words       `yaml:"explain"` // for the client
	Certainty string      `yaml:"certainty"`
	Source    string      `yaml:"source"`
	Examples  Examples    `yaml:"examples"`
}

// ByFiles is the result of a rule if the taxpayer's files answer its question. If a condition is false and has a
// reason, the rule does not apply. If one is false without a reason, or is not known, the files answer nothing.
// Fields that are left out here are the same as in the rule.
type ByFiles struct {
	Where   []Condition `yaml:"where"`
	AtMost  string      `yaml:"at_most"` // MayApply if the files only show how much there is to ask about
	Ask     Words       `yaml:"ask"`
	Takes   string      `yaml:"takes"`
	Plead   string      `yaml:"plead"`
	Explain Words       `yaml:"explain"`
}

// Examples has the facts, by name, with which each rule is tested. With Holds the rule applies, or may apply if AtMost
// says so. Not has changes after which it does not apply. Proved has changes after which even a rule with AtMost
// applies.
type Examples struct {
	Holds  map[string]string `yaml:"holds"`
	Not    map[string]string `yaml:"not"`
	Proved map[string]string `yaml:"proved"`
	Files  map[string]string `yaml:"files"` // with which the files answer its question
}

// Point is the result of one rule on a paper.
type Point struct {
	ID        string          `json:"id"`
	Provision string          `json:"provision"`
	Verdict   string          `json:"verdict"`
	Strength  string          `json:"strength"`
	Amount    *printed.Amount `json:"amount"`  // the amount that it removes, in rupees; nil if not printed
	Remains   *printed.Amount `json:"remains"` // of the demand, if the point holds
	Because   []printed.Quote `json:"because"`
	Ask       string          `json:"ask,omitempty"`   // what is missing, if it may apply
	Wants     *Lacking        `json:"wants,omitempty"` // the fact that is asked for, if the answer is a day, an amount or a year
	Said      bool            `json:"said,omitempty"`  // it also relies on what a person said
	Why       string          `json:"why,omitempty"`   // the reason if it does not apply
	Title     string          `json:"title"`
	Heading   string          `json:"heading,omitempty"` // its name in a pleading, if that is not the title
	Explain   string          `json:"explanation"`       // for a point that does not apply, the reason
	Plead     string          `json:"plead,omitempty"`
	Hindi     Hindi           `json:"hi"`
	For       []printed.For   `json:"for"` // the years or charges concerned, each with its amount
	Issue     string          `json:"issue"`
	Certainty string          `json:"certainty"`
	Source    string          `json:"source"`
}

// Hindi is the Hindi text of a point.
type Hindi struct {
	Title   string `json:"title"`
	Ask     string `json:"ask,omitempty"`
	Why     string `json:"why,omitempty"`
	Explain string `json:"explanation"`
}

// RuleAnswer is a person's answer to the question of a rule: a fact, or whether something is so.
type RuleAnswer struct {
	Rule  string
	Fact  string        // "" if the question is whether something is so
	Part  string        // the paragraph, else the year, that the fact belongs to; "" for the paper
	Value printed.Value // of the fact
	Holds bool          // the answer if no fact is asked for
}

// Lacking is a fact that a rule needs and that is not known.
type Lacking struct {
	Fact string `json:"fact"`
	Part string `json:"part,omitempty"` // the paragraph, else the year, that it belongs to
}

// Evaluate applies the rules to a paper on a day. Irrelevant rules are left out; the others come with the strongest
// first. A paper that is not a notice has none.
//
// What a person said counts if the paper prints nothing about it: a fact they gave is used like a printed one, and a
// rule that is false according to them does not apply. A rule that can only possibly apply does not become certain by
// their word.
func Evaluate(rules []Rule, t *law.Tables, f gst.Facts, pages []gst.Page, today law.Day, said ...RuleAnswer) []Point {
	e := evaluation{Paper: printed.Read(t, f, pages, today), said: said}
	points := []Point{}
	if !e.IsNotice() {
		return points
	}
	for i := range rules {
		points = e.judge(points, &rules[i])
	}
	slices.SortStableFunc(points, func(a, b Point) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(b.Amount.Paise(), a.Amount.Paise()))
	})
	return points
}

// evaluation is what rules are applied to: a paper, and what a person answered about it.
type evaluation struct {
	*printed.Paper
	said []RuleAnswer
}

// Remedy is the issue of those rules that are about a remedy which exists against every paper of a kind.
const Remedy = "remedy"

// The order of points.
const (
	endsIt = iota
	reducesIt
	mayEndIt
	mayReduceIt
	isDefect
	mayBeDefect
	isRemedy // available against any such paper
	doesNotApply
)

// rank returns the place of a point in that order.
func rank(p Point) int {
	switch {
	case p.Verdict == DoesNotApply:
		return doesNotApply
	case p.Strength == Procedural && p.Verdict == Applies:
		return isDefect
	case p.Issue == Remedy:
		return isRemedy
	case p.Strength == Procedural:
		return mayBeDefect
	case p.Verdict == Applies && p.Strength == Ends:
		return endsIt
	case p.Verdict == Applies:
		return reducesIt
	case p.Strength == Ends:
		return mayEndIt
	}
	return mayReduceIt
}

// finding is the result of a rule for one paper, year or charge.
type finding struct {
	verdict string
	because []printed.Quote
	ask     Words
	why     Words
	part    printed.For
	known   printed.Known
	wants   string // the name of the fact that is not known
	said    bool
	files   *ByFiles // what the files show, if they answer the question
}

// scopes returns the parts of a paper to which a rule is applied: the paper itself, its years or its charges.
func (e *evaluation) scopes(of string) []printed.Scope {
	switch of {
	case PerYear:
		return e.Years
	case PerCharge:
		return e.Charges
	}
	return []printed.Scope{e.Whole()}
}

// judge adds the result of a rule on the paper, if the rule is relevant.
func (e *evaluation) judge(points []Point, r *Rule) []Point {
	today := e.Today.ISO()
	if r.From != "" && today < r.From || r.Until != "" && today > r.Until {
		return points
	}
	var best []finding
	for _, s := range e.scopes(r.Scope) {
		f, raised := e.try(r, s)
		if !raised {
			continue
		}
		switch {
		case len(best) == 0 || weight(f) > weight(best[0]):
			best = []finding{f}
		case weight(f) == weight(best[0]):
			best = append(best, f)
		}
	}
	if len(best) == 0 {
		return points
	}
	return append(points, e.point(r, best))
}

func weight(f finding) int {
	switch f.verdict {
	case Applies:
		return 3
	case MayApply:
		return 2
	}
	return 1
}

// try applies a rule to one paper, year or charge.
func (e *evaluation) try(r *Rule, s printed.Scope) (finding, bool) {
	s.Known = e.withSaid(r, s)
	f := finding{known: s.Known, part: s.Part, said: e.says(r, s.Part)}
	for i := range r.Raised {
		truth, quotes := r.Raised[i].holds(s)
		if truth != yes {
			return f, false
		}
		f.because = append(f.because, quotes...)
	}
	doubtful := r.reports(f.because)
	if doubtful {
		f.ask = reported
	} else if at, besides := s.Says(otherGround, grounds, anew); besides && r.answersGround() {
		doubtful, f.ask, f.because = true, alsoOtherwise, append(f.because, at)
	}
	for i := range r.Where {
		c := &r.Where[i]
		truth, quotes := c.holds(s)
		if truth == yes && c.Words != "" && !doubtful && isArgued(quotes) {
			truth, f.ask = unknown, reported
			doubtful = true
		}
		switch truth {
		case no:
			return finding{verdict: DoesNotApply, why: fillBoth(s.Known, or(c.Else, disproved)), because: quotes,
				part: s.Part, known: s.Known, said: f.said}, true
		case unknown:
			if !doubtful {
				f.ask = or(c.Ask, r.Ask)
				if kind := printed.KindOf(c.Fact); len(s.Known[c.Fact]) == 0 && c.Ask.English != "" &&
					(kind == printed.Day || kind == printed.Money || kind == printed.Year) {
					f.wants = c.Fact
				}
			}
			doubtful = true
		}
		f.because = append(f.because, quotes...)
	}
	answer, quotes := r.byFiles(s)
	switch {
	case answer.verdict == DoesNotApply:
		answer.because, answer.part, answer.known, answer.said = quotes, s.Part, s.Known, f.said
		return answer, true
	case answer.verdict != "" && !doubtful:
		answer.because, answer.part, answer.known, answer.said = append(f.because, quotes...), s.Part, s.Known, f.said
		answer.part.Amount, answer.part.Heads = e.takes(r, cmp.Or(r.Files.Takes, r.Takes), s)
		return answer, true
	}
	f.verdict = Applies
	proved, quotes := r.proved(s)
	if proved && !doubtful {
		f.because = append(f.because, quotes...)
	}
	if doubtful || r.AtMost == MayApply && !proved {
		if at := slices.IndexFunc(e.said, func(a RuleAnswer) bool {
			return a.Rule == r.ID && a.Fact == ""
		}); at >= 0 && !e.said[at].Holds {
			return finding{verdict: DoesNotApply, why: answeredNo, part: s.Part, known: s.Known, said: true}, true
		}
		f.verdict = MayApply
		if !doubtful {
			f.ask = r.Ask
		}
		f.ask = fillBoth(s.Known, f.ask)
	}
	f.part.Amount, f.part.Heads = e.takes(r, r.Takes, s)
	return f, true
}

// byFiles returns what the files answer to the question of a rule. It returns a finding without a verdict if they
// answer nothing.
func (r *Rule) byFiles(s printed.Scope) (f finding, quotes []printed.Quote) {
	if r.Files == nil {
		return f, nil
	}
	for i := range r.Files.Where {
		c := &r.Files.Where[i]
		truth, at := c.holds(s)
		switch {
		case truth == no && c.Else.English != "":
			return finding{verdict: DoesNotApply, why: fillBoth(s.Known, c.Else)}, at
		case truth != yes:
			return f, nil
		}
		for _, q := range at {
			if !slices.Contains(quotes, q) {
				quotes = append(quotes, q)
			}
		}
	}
	f.verdict, f.files = Applies, r.Files
	if r.Files.AtMost != "" {
		f.verdict, f.ask = r.Files.AtMost, fillBoth(s.Known, or(r.Files.Ask, r.Ask))
	}
	return f, quotes
}

// reports reports whether the words that trigger a rule are in a sentence on what somebody argued.
func (r *Rule) reports(quotes []printed.Quote) bool {
	return slices.ContainsFunc(r.Raised, func(c Condition) bool { return c.Words != "" }) &&
		isArgued(quotes)
}

// otherGround lists words by which a charge adds another ground to its first one, if the sentence says what it is.
const (
	otherGround = "besides|; in addition|. in addition|moreover|apart from this|apart from the above|even otherwise|" +
		"is also blocked|also in contravention|also contrary to|इसके अतिरिक्त|इसके अलावा"
	grounds = "credit|section|16(|17(|rule|supplier|supply|supplies|invoice|payment|goods|received|tax was|tax is|क्रेडिट|धारा|नियम"
	anew    = "while passing|it is seen|it was seen|noticed|penalty|appellant|noticee says"
)

// alsoOtherwise is the question that is asked if a charge also rests on another ground, since a rule answers only one.
var alsoOtherwise = Words{"The charge gives another ground as well: does it stand without the one that this point answers?",
	"आरोप में एक और आधार भी है: जिस आधार का यह बिंदु उत्तर है, उसके बिना भी क्या आरोप बचता है?"}

// answersGround reports whether a rule removes something from a charge and rests on the charge's words, that is on its
// ground and not on its dates or amounts alone.
func (r *Rule) answersGround() bool {
	return r.Scope == PerCharge && r.Takes != TakesNothing && r.Takes != takesFact+"refund.item" &&
		slices.ContainsFunc(r.Raised, func(c Condition) bool { return c.Words != "" })
}

func isArgued(quotes []printed.Quote) bool {
	return slices.ContainsFunc(quotes, func(q printed.Quote) bool { return printed.IsArgued(q.Quote) })
}

// reported is the question to ask if a paper only reports what somebody argued.
var reported = Words{"The paper reports this as what was argued: is it so?", "कागज़ इसे दी गई दलील के रूप में बताता है: क्या ऐसा ही है?"}

// proved reports whether the paper prints what answers the question of a rule, and returns the words.
func (r *Rule) proved(s printed.Scope) (bool, []printed.Quote) {
	var quotes []printed.Quote
	for i := range r.Proved {
		truth, at := r.Proved[i].holds(s)
		if truth != yes || r.Proved[i].Words != "" && isArgued(at) {
			return false, nil
		}
		quotes = append(quotes, at...)
	}
	return len(r.Proved) > 0, quotes
}

// disproved is the reason for a condition that gives no reason of its own.
var disproved = Words{"What the paper prints excludes it.", "कागज़ में जो छपा है, उससे यह लागू नहीं होता।"}

var answeredNo = Words{"By what was answered it is not so.", "दिए गए उत्तर के अनुसार ऐसा नहीं है।"}

// withSaid returns the facts of a paper, year or charge together with the facts that a person gave for it.
func (e *evaluation) withSaid(r *Rule, s printed.Scope) printed.Known {
	k := s.Known
	for _, a := range e.said {
		if a.Rule == r.ID && a.Fact != "" && a.Part == s.Part.Part() && len(s.Known[a.Fact]) == 0 {
			k = k.Clone()
			k.Put(a.Fact, a.Value)
		}
	}
	return k
}

// says reports whether a person gave a fact to a rule for a year or charge.
func (e *evaluation) says(r *Rule, part printed.For) bool {
	return slices.ContainsFunc(e.said, func(a RuleAnswer) bool {
		return a.Rule == r.ID && a.Fact != "" && a.Part == part.Part()
	})
}

func or(w, other Words) Words {
	if w.English == "" {
		return other
	}
	return w
}

// point combines the findings for each year or charge into one point.
func (e *evaluation) point(r *Rule, found []finding) Point {
	first := found[0]
	takes, plead, explain := r.Takes, r.Plead, r.Explain
	if by := first.files; by != nil {
		takes, plead, explain = cmp.Or(by.Takes, takes), cmp.Or(by.Plead, plead), or(by.Explain, explain)
	}
	pt := Point{
		ID: r.ID, Provision: r.Provision, Verdict: first.verdict, Strength: r.Strength, Because: []printed.Quote{},
		Issue: r.Issue, Certainty: r.Certainty, Source: r.Source, Ask: first.ask.English, Why: first.why.English,
		For: []printed.For{},
	}
	pt.Hindi = Hindi{Ask: first.ask.Hindi, Why: first.why.Hindi}
	pt.Said = slices.ContainsFunc(found, func(f finding) bool { return f.said })
	if first.wants != "" && len(found) == 1 {
		pt.Wants = &Lacking{Fact: first.wants, Part: first.part.Part()}
	}
	var sum printed.Amount
	whole := true
	for _, f := range found {
		for _, q := range f.because {
			if q.Quote != "" && !slices.Contains(pt.Because, q) && len(pt.Because) < 8 {
				pt.Because = append(pt.Because, q)
			}
		}
		if f.part.Heads == nil {
			f.part.Heads = []printed.Head{}
		}
		if r.Scope != PerPaper || len(f.part.Heads) > 0 {
			pt.For = append(pt.For, f.part)
		}
		if f.part.Amount == nil {
			whole = false
		} else {
			sum += *f.part.Amount
		}
	}
	if part := printed.Sum(e.DemandOf(takes)); !whole && part != nil && r.Scope == PerYear && len(found) == len(e.Years) &&
		!strings.HasPrefix(takes, takesFact) {
		sum, whole = *part, true // all of it, however it is divided among the years
	}
	if takes == TakesCharge && len(found) > 1 && whole && e.IsOneCharge() {
		sum = *found[0].part.Amount // the same tax in each paragraph
	}
	all := first.known.Clone()
	perYear(all, found)
	list(all, "years", found, func(f finding) string { return f.part.FY })
	list(all, "paras", found, func(f finding) string { return f.part.Para })
	if pt.Verdict != DoesNotApply {
		if whole && (sum > 0 || takes == TakesNothing) && takes != TakesNothing {
			pt.Amount = &sum
			all.Put("amount", printed.Value{Kind: printed.Money, Paise: int64(sum)})
			if total, ok := e.Total(); ok && total >= sum {
				left := total - sum
				pt.Remains = &left
				all.Put("remains", printed.Value{Kind: printed.Money, Paise: int64(left)})
				if pt.Strength == Ends && left > 0 && r.Scope == PerYear {
					pt.Strength = Reduces
				}
			}
			if tax := printed.Sum(e.DemandOf(printed.TakesTax)); takes == TakesCharge && tax != nil && *tax == sum {
				pt.Strength = Ends
			}
		}
		pt.Plead = fill(all, plead, "")
	}
	if pt.Verdict == DoesNotApply {
		// The texts of the rule state its ground as true.
		pt.Title, pt.Explain = notSo.English+fill(all, r.Title.English, "en"), pt.Why
		pt.Hindi.Title, pt.Hindi.Explain = notSo.Hindi+fill(all, r.Title.Hindi, "hi"), pt.Hindi.Why
		return pt
	}
	pt.Heading = fill(all, r.Heading, "")
	pt.Title, pt.Hindi.Title = fill(all, r.Title.English, "en"), fill(all, r.Title.Hindi, "hi")
	pt.Explain, pt.Hindi.Explain = tell(all, explain.English, "en"), tell(all, explain.Hindi, "hi")
	return pt
}

// notSo stands before the title of a point that does not apply, because the title alone would say that it does.
var notSo = Words{"Does not apply: ", "लागू नहीं: "}

func fillBoth(k printed.Known, w Words) Words {
	return Words{tell(k, w.English, "en"), tell(k, w.Hindi, "hi")}
}

// takes returns what a rule removes for one paper, year or charge, and by head if the heads are printed.
func (e *evaluation) takes(r *Rule, takes string, s printed.Scope) (*printed.Amount, []printed.Head) {
	name, isFact := strings.CutPrefix(takes, takesFact)
	switch {
	case isFact:
		if v := s.Known.One(name); v != nil && v.Paise > 0 {
			a := printed.Amount(v.Paise)
			if most := printed.Sum(s.Amounts); len(v.Heads) > 0 && !printed.IsInterest(name) && most != nil && a > *most {
				return most, s.Amounts // what the files explain beyond the charge takes nothing more away
			}
			return &a, v.Heads
		}
		return nil, nil
	case takes == TakesCharge:
		if part := r.partOf(s); part != nil {
			return part, nil
		}
		return printed.Sum(s.Amounts), s.Amounts
	case takes == TakesNothing || takes == "":
		return nil, nil
	}
	if s.Part.FY != "" && len(e.Facts.Periods) > 1 {
		if takes != printed.TakesAll && takes != printed.TakesTax {
			return nil, nil
		}
		return printed.Sum(s.Amounts), s.Amounts
	}
	if takes == TakesOnCredit {
		if !e.OnCreditAlone() {
			return nil, nil
		}
		heads := e.DemandOf(printed.TakesInterest)
		return printed.Sum(heads), heads
	}
	heads := e.DemandOf(takes)
	if takes == printed.TakesPenalty && heads == nil {
		heads = e.PenaltyInWords()
	}
	return printed.Sum(heads), heads
}
