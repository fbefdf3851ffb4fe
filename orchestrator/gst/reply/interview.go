package reply

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/message"
)

// The kinds of answers.
const (
	AskDay    = "day"    // one ISO day
	AskMoney  = "money"  // an amount in rupees
	AskYear   = "year"   // a financial year, "2020-21"
	AskWhich  = "choice" // whether something is so, and what fills the places
	AskWords  = "words"  // what fills the places
	AskPapers = "papers" // which of the options exist
)

// MostQuestions is the largest number of questions in one interview.
const MostQuestions = 10

// Enquiry is one question that only the person can answer, and whose answer changes the reply.
type Enquiry struct {
	// Key is "served_on"; "para:" and the key of a Point; "defence:" and the id of a rule (with "|", a fact, "|" and
	// its part if a single fact is asked for); or the name of a place in the draft.
	Key       string
	Kind      string
	Text, Why message.Message
	Places    []string // what each place in the draft needs, in its own words; "" for facts in general
	Options   []string // papers by type
	Provision string
	Quote     *printed.Quote // where the notice prints the subject
}

// Response is a person's answer to a question of the interview.
type Response struct {
	Holds   string   // "yes" or "no", if the question is whether something is so
	Words   []string // one for each place, "" if nothing was said; or the papers that exist
	Unknown bool     // they do not know, so the place stays open
}

// known reports whether anything was answered.
func (a Response) known() bool {
	return !a.Unknown && (a.Holds != "" || slices.ContainsFunc(a.Words, func(s string) bool {
		return strings.TrimSpace(s) != ""
	}))
}

// at returns the answer for a place in the draft, or "" if there is none.
func (a Response) at(place int) string {
	if a.Unknown || place >= len(a.Words) {
		return ""
	}
	return strings.TrimSpace(a.Words[place])
}

// The keys of questions.
const (
	askServed  = "served_on"
	askEarlier = "earlier"
	askPapers  = "papers"
	askLedger  = "ledger"
	askPaid    = "paid"
	askRefund  = "refund"
	askOfficer = "officer"
	askFor     = "asks"
	askRelied  = "relied"
	askModify  = "modify"
	askReasons = "reasons"
	// For an order:
	askHistory  = "before_order"
	askDelay    = "delay"
	askBefore   = "authority"
	askDeposit  = "deposit"
	askMadeGood = "made_good"
	// AskPara and AskDefence are the prefixes of keys for questions about a paragraph and about a rule.
	AskPara    = "para:"
	AskDefence = "defence:"
)

// AnsweredTo returns the answers to questions of rules. Values of the wrong type are left out.
func AnsweredTo(answers map[string]Response) []defence.RuleAnswer {
	var all []defence.RuleAnswer
	for key, a := range answers {
		of, ok := strings.CutPrefix(key, AskDefence)
		if !ok || !a.known() {
			continue
		}
		rule, rest, isFact := strings.Cut(of, "|")
		if !isFact {
			if a.Holds != "" {
				all = append(all, defence.RuleAnswer{Rule: rule, Holds: a.Holds == "yes"})
			}
			continue
		}
		fact, part, _ := strings.Cut(rest, "|")
		if v, ok := printed.ParseValue(printed.KindOf(fact), a.at(0)); ok {
			all = append(all, defence.RuleAnswer{Rule: rule, Fact: fact, Part: part, Value: v})
		}
	}
	slices.SortFunc(all, func(a, b defence.RuleAnswer) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fact, b.Fact), cmp.Compare(a.Part, b.Part))
	})
	return all
}

// Questions returns the questions to a person about a notice, the most decisive first. There are at most
// MostQuestions, except that answered questions always stay, so that an answer can be taken back. before are the
// points according to the paper alone, so that answered questions can still be shown and changed; g.Decides are the
// points with the answers.
func Questions(t *law.Tables, g Given, before []defence.Point) []Enquiry {
	w := newWriter(t, g)
	if w.form.Kind != "reply" && w.form.Kind != "appeal" {
		return []Enquiry{}
	}
	first, last := w.onDates(), w.onDraft()
	rest := MostQuestions - len(first) - len(last)
	rules := w.onRules(before, rest-min(len(w.points), 2))
	if slices.ContainsFunc(rules, func(q Enquiry) bool { return ruleOf(q.Key) == onLedger }) {
		last = slices.DeleteFunc(last, func(q Enquiry) bool { // the rule asks for the ledger too
			return q.Key == askLedger && !g.Answers[askLedger].known()
		})
	}
	all := append(first, rules...)
	all = append(all, w.onParas(before, rules, MostQuestions-len(all)-len(last))...)
	return append(all, last...)
}

func question(key, kind, code string, params message.Params) Enquiry {
	return Enquiry{Key: key, Kind: kind, Text: message.New("interview."+code, params),
		Why: message.New("interview.why."+code, params), Places: []string{""}}
}

// onDates returns the question on the date from which the time to reply or to appeal runs.
func (w *writer) onDates() []Enquiry {
	what := "served"
	if w.form.Kind == "appeal" {
		what = "communicated"
	}
	return []Enquiry{question(askServed, AskDay, what, nil)}
}

// onRules returns the questions on the facts that rules of law need and the notice does not print.
func (w *writer) onRules(before []defence.Point, most int) []Enquiry {
	var all []Enquiry
	for _, p := range slices.Concat(before, w.given.Decides) {
		if p.Verdict != defence.MayApply || p.Ask == "" || p.Plead == "" || isAdvice(p) || w.outOfPeriod(p) || w.asReason(p) {
			continue
		}
		q := Enquiry{Key: AskDefence + p.ID, Kind: AskWhich, Text: message.Text(p.Ask, p.Hindi.Ask),
			Provision: p.Provision, Places: places(p.Plead)}
		if p.Wants != nil {
			q.Key += "|" + p.Wants.Fact + "|" + p.Wants.Part
			q.Kind = map[printed.Kind]string{printed.Day: AskDay, printed.Money: AskMoney,
				printed.Year: AskYear}[printed.KindOf(p.Wants.Fact)]
			q.Places = []string{""}
		}
		title := message.Text(p.Title, p.Hindi.Title)
		q.Why = message.New("interview.why.defence", message.Params{"title": title})
		if p.Amount != nil {
			q.Why = message.New("interview.why.defence_amount",
				message.Params{"title": title, "amount": message.Paise(*p.Amount)})
		}
		if len(p.Because) > 0 {
			q.Quote = &p.Because[0]
		}
		if !slices.ContainsFunc(all, func(other Enquiry) bool { return other.Key == q.Key }) {
			all = append(all, q)
		}
	}
	return w.atMost(most, all)
}

// atMost removes unanswered questions from the end until no more than the given number is left.
func (w *writer) atMost(most int, all []Enquiry) []Enquiry {
	for i := len(all) - 1; i >= 0 && len(all) > most; i-- {
		if !w.given.Answers[all[i].Key].known() {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all
}

// isAdvice reports whether a point is for the client to decide, and not a plea.
func isAdvice(p defence.Point) bool { return p.Issue == "waiver" || strings.HasPrefix(p.ID, "pay-") }

// placeIn matches a place to be filled in a draft, such as "[… date of service]", and captures what it needs.
var placeIn = regexp.MustCompile(`\[…([^\]]*)\]`)

// places returns what each place in a text needs, or a single "" if the text has no place.
func places(text string) []string {
	var all []string
	for _, at := range placeIn.FindAllStringSubmatchIndex(text, -1) {
		what := strings.TrimSpace(text[at[2]:at[3]])
		if !strings.Contains(what, " ") { // a single word does not say which day or amount is meant
			what = strings.TrimSpace(lastWords(text[:at[0]], 4) + " … " + what)
		}
		all = append(all, what)
	}
	if len(all) == 0 {
		return []string{""}
	}
	return all
}

// lastWords returns the last words of a text that are plain words in small letters. A client's link shows them, and
// must not show names and figures of the notice.
func lastWords(text string, most int) string {
	words := strings.Fields(text)
	from := len(words)
	for from > 0 && len(words)-from < most && strings.Trim(words[from-1], "abcdefghijklmnopqrstuvwxyz") == "" {
		from--
	}
	return strings.Join(words[from:], " ")
}

// onParas returns the questions on the facts of allegations that no rule asks about, those with the most tax first.
func (w *writer) onParas(before []defence.Point, rules []Enquiry, most int) []Enquiry {
	var open []Point
	for _, p := range w.points {
		// The reasons answer a difference, and so does a comparison of the files.
		if p.Allegation && !w.askedOf(p, before, rules) && !isPenal(p) && !w.ofDifference() && w.working(p.Key) == nil &&
			w.lateFor(p.Key) == nil {
			open = append(open, p)
		}
	}
	slices.SortStableFunc(open, func(a, b Point) int { return cmp.Compare(w.taxOf(b), w.taxOf(a)) })
	var all []Enquiry
	for _, p := range open[:max(0, min(most, len(open)))] {
		q := question(AskPara+p.Key, AskWords, "whole", nil)
		if p.Number != "" {
			q = question(AskPara+p.Key, AskWords, "para", message.Params{"para": strings.Trim(p.Number, "()")})
		}
		q.Places = []string{""}
		for _, key := range p.Issues {
			if words, ok := issues[key]; ok && words.needs != "" {
				q.Places[0] = words.needs
				break
			}
		}
		if tax := w.taxOf(p); tax > 0 {
			q.Why = message.New("interview.why.para_amount", message.Params{"amount": message.Paise(paise(tax))})
		}
		if p.Alleged != "" {
			q.Quote = &printed.Quote{Page: p.Page, Quote: shorten(p.Alleged, 240)}
		}
		all = append(all, q)
	}
	return all
}

// askedOf reports whether one of the questions on the rules is about a paragraph.
func (w *writer) askedOf(p Point, points []defence.Point, rules []Enquiry) bool {
	return slices.ContainsFunc(points, func(d defence.Point) bool {
		fails := slices.ContainsFunc(w.given.Decides, func(now defence.Point) bool {
			return now.ID == d.ID && now.Verdict == defence.DoesNotApply // as it was answered
		})
		return !fails && slices.ContainsFunc(rules, func(q Enquiry) bool { return ruleOf(q.Key) == d.ID }) &&
			slices.ContainsFunc(d.For, func(f printed.For) bool { return f.Para != "" && samePara(f.Para, p.Number) })
	})
}

func ruleOf(key string) string {
	rule, _, _ := strings.Cut(strings.TrimPrefix(key, AskDefence), "|")
	return rule
}

// onDraft returns the questions on the places in the draft that do not depend on what is alleged.
func (w *writer) onDraft() []Enquiry {
	var all []Enquiry
	add := func(q Enquiry, places ...string) {
		if len(places) > 0 {
			q.Places = places
		}
		all = append(all, q)
	}
	if papers := w.wanted(); len(papers) > 0 {
		q := question(askPapers, AskPapers, "papers", nil)
		q.Options = papers
		add(q)
	}
	if of := w.form.filing(); w.form.Kind == "appeal" {
		if of != nil {
			w.askOnOrder(of, add)
		}
		return w.atMost(5, all)
	}
	if reasons := w.reasonsFor(); len(reasons) > 0 && (len(w.given.Workings) == 0 || w.given.Answers[askReasons].known()) {
		add(question(askReasons, AskWords, "reasons", nil), reasons...)
	}
	if w.is("REG-03") {
		add(question(askModify, AskWhich, "modify", nil), "fields of the application, and what each becomes")
	}
	if w.is("RFD-08") && (w.given.Application.Number == "" || w.given.Application.Claimed == 0) {
		add(question(askRefund, AskWords, "refund", nil), "ARN and date of the application, amount claimed, amount "+
			"proposed to be rejected", "amount of the refund")
	}
	if sum, _ := w.demanded(); (sum.Interest > 0 || w.cites("50")) && w.onCredit() && !w.ofDifference() && !w.hasLedger() {
		add(question(askLedger, AskWhich, "ledger", nil))
	}
	if w.paysLate() {
		add(question(askPaid, AskWhich, "paid", nil))
	}
	if !w.isQuery() {
		add(question(askEarlier, AskWhich, "earlier", nil))
	}
	if w.facts.Kind == "" && w.facts.Form == nil {
		add(question(askFor, AskWords, "asks", nil))
	}
	if len(w.restsOnOthers()) > 0 {
		add(question(askRelied, AskWords, "relied", nil))
	}
	if (w.facts.Officer.Designation == nil || w.facts.Officer.Jurisdiction == nil) && !w.ofDifference() {
		add(question(askOfficer, AskWords, "officer", nil), "designation of the officer", "jurisdiction")
	}
	return w.atMost(5, all)
}

// askOnOrder adds the questions for an appeal or application against an order, except those on its grounds.
func (w *writer) askOnOrder(of *filing, add func(Enquiry, ...string)) {
	if w.is("REG-19") {
		add(question(askMadeGood, AskWords, "made_good", nil), "how what the order finds was put right, with its day",
			"returns filed, with their days; where the cancellation has another ground, that none is pending")
	}
	if w.isLate(of) {
		add(question(askDelay, AskWords, "delay", nil), "the cause, day by day, with documents")
	}
	if of.deposit != "" {
		add(question(askDeposit, AskWords, "deposit", nil), "reference of the payment and its day")
	}
	if of.before != "" {
		add(question(askBefore, AskWords, "authority", nil), "designation and place of the authority, as the order or "+
			"the portal names it")
	}
	if len(w.given.Earlier) == 0 {
		add(question(askHistory, AskWords, "before_order", nil), "number and day of the show cause notice",
			"day of the reply", "day of the hearing")
	}
}

// wanted returns the papers that the paragraphs require and that nobody has provided.
func (w *writer) wanted() []string {
	var all []string
	for _, p := range w.points {
		for _, paper := range w.papersOf(p) {
			handedIn := slices.ContainsFunc(w.given.Papers, func(have RequiredPaper) bool {
				return have.Type == paper && have.State != "needed"
			})
			if !handedIn && !slices.Contains(all, paper) {
				all = append(all, paper)
			}
		}
	}
	return all
}

// filled returns the answer for a place in the draft, else a blank.
func (w *writer) filled(key string, place int, what string) string {
	if said := w.given.Answers[key].at(place); said != "" {
		return escape(oneLine(said))
	}
	return blank(what)
}

// fillPlea fills the blanks of a plea with the person's answers to the question of its rule.
func (w *writer) fillPlea(p defence.Point) string {
	text, answer, n := w.dated(plea(p)), w.answerTo(p), -1
	elsewhere := ""
	if told := w.toldOf(p); len(told) > 0 {
		elsewhere = "as stated in answer to " + names(told)
	}
	return placeIn.ReplaceAllStringFunc(text, func(place string) string {
		n++
		if said := answer.at(n); answer.Holds == "yes" && said != "" {
			return strings.TrimRight(escape(oneLine(said)), ".")
		}
		return cmp.Or(elsewhere, place)
	})
}

// toldOf returns the paragraphs on which a person gave the facts that a point needs. These are the paragraphs that it
// is about, if the point follows from the notice, because then no question asked for the facts.
func (w *writer) toldOf(p defence.Point) []Point {
	if p.Verdict != defence.Applies || w.answerTo(p).known() || len(places(p.Plead)) > 1 {
		return nil
	}
	return slices.DeleteFunc(w.parasOf(p), func(point Point) bool {
		said := w.given.Said[point.Key]
		return strings.TrimSpace(said.Facts) == "" || said.Unconfirmed
	})
}

// stated returns the answer to a rule's question if its plea has no place for it, or the question if it is still
// open.
func (w *writer) stated(p defence.Point) string {
	answer := w.answerTo(p)
	switch {
	case answer.Holds != "yes":
		return asked(p)
	case !placeIn.MatchString(p.Plead) && answer.at(0) != "":
		return "The Noticee states: " + sentences(answer.at(0))
	}
	return ""
}

// answered reports whether the facts on a paragraph were given in answer to the question of a rule about it.
func (w *writer) answered(point Point) bool {
	return slices.ContainsFunc(w.pleaded(), func(p defence.Point) bool {
		return w.answerTo(p).Holds == "yes" && w.answerTo(p).at(0) != "" &&
			slices.ContainsFunc(p.For, func(f printed.For) bool {
				return f.Para != "" && samePara(f.Para, point.Number)
			})
	})
}

// paysLate reports whether interest on tax paid late is in dispute.
func (w *writer) paysLate() bool {
	sum, _ := w.demanded()
	return (sum.Interest > 0 || w.cites("50")) && !w.ofDifference() &&
		w.about("gstr1_vs_3b", "rcm", "classification_rate", "valuation_discount")
}

func paise(rupees float64) int64 { return int64(math.Round(rupees * 100)) }

// hasLedger reports whether the electronic credit ledger is among the files of a comparison.
func (w *writer) hasLedger() bool {
	return slices.ContainsFunc(w.facts.Reconciled, func(c gst.Reconciled) bool { return c.Ledger })
}
