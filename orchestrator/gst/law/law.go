// Package law holds the changing law as dated tables: the forms and their times to reply, limitation, interest,
// penalties, appeals with their pre-deposits, the issues in disputes, and the calendar of offices. Each row has its
// source, the day from which it applies and its certainty. The tables are built in; an operator's folder can replace
// and add rows, so that a new notification needs no new version of the program. The package only holds and checks
// tables: it reads no notice, computes nothing for one, and keeps no state.
package law

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/message"
)

//go:embed tables/*.json
var builtIn embed.FS

// Tables is the law as on the day AsOf.
type Tables struct {
	AsOf      string   // the latest date of any of the tables
	Overlaid  []string // the files of an operator's folder that were applied
	Changes   []Change // what they changed, in order
	Forms     []Form
	Issues    []Issue
	Sections  []Section
	Years     []Year
	Interest  []Rate
	Penalties []Penalty
	Times     []Time
	Windows   []Window
	Deposits  []Deposit
	Letters   []Letter
	// Certificates lists the circulars on suppliers' certificates, by the dates of the supplies.
	Certificates []Certificate
	Calendar     Calendar
	Index        *cite.Index `json:"-"` // the provisions that can be cited
}

// Change is one row of an operator's file: it replaces the built-in row with the same key, or is new.
type Change struct {
	File, List, Key string
	New             bool
}

// The certainty of a rule. The last two must be shown to the person, with the advice to confirm against the Act.
const (
	Sourced   = "sourced"         // taken from the source that it names
	Knowledge = "knowledge"       // from knowledge, without having seen the source
	ToConfirm = "to be confirmed" // the source is secondary, or may have changed since
)

// Rule has the fields that every row has. Where a row leaves out source, from or certainty, those of its file apply.
type Rule struct {
	Source    string `json:"source"`
	From      string `json:"from"` // the first day on which it applies
	To        string `json:"to"`   // the last day, "" if it still applies
	Certainty string `json:"certainty"`
	Note      string `json:"note"` // what else the person should know
	// Hindi has the texts of the row in Hindi, by field name; notes and the text on how interest runs are whole
	// sentences.
	Hindi map[string]string `json:"hi"`
}

// Text returns a text of the row, with its Hindi by field name, as a message.
func (r Rule) Text(field, english string) message.Message {
	if english == "" {
		return message.Message{}
	}
	return message.Text(english, r.Hindi[field])
}

// Sentence returns a note of the row as a sentence, or the empty message if there is none.
func (r Rule) Sentence(field, note string) message.Message {
	if note == "" {
		return message.Message{}
	}
	return message.Text(strings.ToUpper(note[:1])+note[1:]+".", r.Hindi[field])
}

func (r Rule) rule() Rule { return r }

// HoldsOn reports whether the rule applies on the day.
func (r Rule) HoldsOn(d Day) bool {
	iso := d.ISO()
	return r.From <= iso && (r.To == "" || iso <= r.To)
}

// Doubts returns what is uncertain about the rule, one sentence each, and its note.
func (r Rule) Doubts() []message.Message {
	var doubts []message.Message
	switch r.Certainty {
	case Knowledge:
		doubts = append(doubts, message.New("doubts.knowledge", nil))
	case ToConfirm:
		source := message.Citation(strings.TrimSuffix(r.Source, "."))
		doubts = append(doubts, message.New("doubts.to_confirm", message.Params{"source": source}))
	}
	if r.Note != "" {
		doubts = append(doubts, r.Sentence("note", r.Note))
	}
	return doubts
}

// Form is one form of a notice, order or filing.
type Form struct {
	Rule
	Form     string   `json:"form"` // such as "DRC-01"
	Kind     string   `json:"kind"` // "notice", "order", or "filing" for the taxpayer's own papers
	What     string   `json:"what"`
	Titles   []string `json:"titles"` // under which it is issued, in lower case
	Law      string   `json:"law"`
	Answer   string   `json:"answer"`    // what the person has to do
	Time     *Allowed `json:"time"`      // applies if no time is printed; nil: no fixed time
	IfMissed string   `json:"if_missed"` // the consequence of not replying

	// The heading of the answer, if it is a paper to write, and the provision under which it is filed.
	AnswerTitle string `json:"answer_title"`
	AnswerLaw   string `json:"answer_law"`
	// Reasons lists the reasons that the form offers for the answer, in English and in the form's order.
	Reasons []string `json:"reasons"`
}

// Allowed is a time in days, working days or months.
type Allowed struct {
	Count    int    `json:"count"`
	Unit     string `json:"unit"`      // "days", "working days" or "months"
	RunsFrom string `json:"runs_from"` // "service" or "issue"
}

// Text returns the time as a message, such as "30 days".
func (a Allowed) Text() message.Message {
	return message.New("time."+strings.ReplaceAll(a.Unit, " ", "_"), message.Params{"count": a.Count})
}

// Issue is one kind of dispute: the provisions that matter, the words by which it is recognised, and the papers that
// answer it. When has alternatives, one of which must be true. All terms of an alternative must be true. A term is a
// list of words separated by "|", one of which must be in the text.
type Issue struct {
	Rule
	Key       string     `json:"key"`
	Law       []string   `json:"law"`
	When      [][]string `json:"when"`
	Unless    string     `json:"unless"`
	Documents []Document `json:"documents"`
}

// About reports whether a text in lower case has the words of the issue.
func (i Issue) About(low string) bool {
	return (i.Unless == "" || !anyOf(low, i.Unless)) && hold(i.When, low)
}

// hold reports whether an alternative is true, which is so if each of its terms has a word that is in the text.
func hold(when [][]string, low string) bool {
	return slices.ContainsFunc(when, func(terms []string) bool {
		return !slices.ContainsFunc(terms, func(term string) bool { return !anyOf(low, term) })
	})
}

func anyOf(low, term string) bool {
	for word := range strings.SplitSeq(term, "|") {
		if strings.Contains(low, word) {
			return true
		}
	}
	return false
}

// Document is a paper that answers an issue. If it has When, it applies only if the allegation has these words.
type Document struct {
	Type    string            `json:"type"`
	Reason  string            `json:"reason"`
	When    [][]string        `json:"when"`
	Files   []string          `json:"files"`   // the kinds of files of figures that together make it up, alternatives by "|"
	Names   map[string]string `json:"names"`   // names in other languages, by language code
	Reasons map[string]string `json:"reasons"` // reasons in other languages, by language code
}

// Answers reports whether the paper answers an allegation, given in lower case.
func (d Document) Answers(low string) bool { return len(d.When) == 0 || hold(d.When, low) }

// Letter is the wording in one language for asking a client for papers. {client}, {notice}, {date} and {reason} are
// replaced.
type Letter struct {
	Rule
	Language string `json:"language"` // such as "en"
	Name     string `json:"name"`     // of the language, in that language
	Client   string `json:"client"`   // used if the name is not known
	Notice   string `json:"notice"`   // used if nothing is known about the notice
	Greeting string `json:"greeting"`
	Opening  string `json:"opening"`
	Due      string `json:"due"` // used if the reply date is known
	Ask      string `json:"ask"`
	Reason   string `json:"reason"` // after each paper
	Closing  string `json:"closing"`
	// Questions precedes an address at which the client answers questions until {until}.
	Questions string `json:"questions"`
}

// Certificate is a circular under which a supplier can certify supplies that its returns do not have. It is for
// supplies from First to Last.
type Certificate struct {
	Rule
	First           string `json:"first"`
	Last            string `json:"last"`
	Circular        string `json:"circular"`
	AccountantAbove int64  `json:"accountant_above"` // tax in rupees of a supplier and financial year above which an accountant must certify
	Within          int    `json:"within"`           // per cent: the limit of rule 36(4) up to which it applies; 0 for none
}

// CertificateOn returns the circular under which a supply on an ISO date can be certified, or nil if there is none.
func (t *Tables) CertificateOn(day string) *Certificate {
	for i, c := range t.Certificates {
		if c.First <= day && day <= c.Last {
			return &t.Certificates[i]
		}
	}
	return nil
}

// Section says how a section counts the time for its notices and orders, from the due date of the annual return.
type Section struct {
	Rule
	Section                 string `json:"section"`
	FirstFY                 string `json:"first_fy"` // "" for no limit
	LastFY                  string `json:"last_fy"`  // "" for no limit
	OrderMonths             int    `json:"order_months"`
	NoticeMonthsBeforeOrder int    `json:"notice_months_before_order"`
	NoticeMonths            int    `json:"notice_months"`
	OrderMonthsAfterNotice  int    `json:"order_months_after_notice"`
	ExtendableMonths        int    `json:"extendable_months"` // added to the time for the order
	Words                   string `json:"words"`
}

// Year is the due date of the annual return of one financial year, and the extensions by notification of the last
// days that follow from it.
type Year struct {
	Rule
	FY              string   `json:"fy"` // such as "2020-21"
	AnnualReturnDue string   `json:"annual_return_due"`
	EarlierDue      string   `json:"earlier_due"`    // in the States where it was earlier
	EarlierStates   []string `json:"earlier_states"` // their GST codes
	NoticeExtended  string   `json:"s73_notice_extended"`
	OrderExtended   string   `json:"s73_order_extended"`
	ExtendedBy      string   `json:"extended_by"`
	Litigated       bool     `json:"litigated"`
	S73Note         string   `json:"s73_note"`
	S74Note         string   `json:"s74_note"`
}

// Rate is the rule for interest on one kind of tax, credit or refund.
type Rate struct {
	Rule
	Kind      string  `json:"kind"` // "late_return", "short_paid", "credit", "refund" or "refund_by_order"
	Percent   Percent `json:"percent"`
	YearDays  int     `json:"year_days"`
	Provision string  `json:"provision"`
	Runs      string  `json:"runs"`
	// LyingFrom is, for "late_return", the first date from which no interest is due on cash that was in the ledger from
	// the due date until it was debited.
	LyingFrom string `json:"lying_from"`
	// RelaxedFrom and RelaxedTo are, for "late_return", the first and last date of the months for whose returns lower
	// rates or later due dates were notified that the table does not have. RelaxedBy names the notifications.
	RelaxedFrom string `json:"relaxed_from"`
	RelaxedTo   string `json:"relaxed_to"`
	RelaxedBy   string `json:"relaxed_by"`
}

// Relaxes reports whether the rate may not apply to the return for a month ("2020-03"), because a lower rate or another
// due date was notified for it.
func (r *Rate) Relaxes(month string) bool {
	first := month + "-01"
	return r.RelaxedFrom != "" && r.RelaxedFrom <= first && first <= r.RelaxedTo
}

// Penalty is the penalty under a section at one stage of the proceedings.
type Penalty struct {
	Rule
	Section      string  `json:"section"`
	Case         string  `json:"case"`          // "fraud", "owner" or "other"; "" if the section has only one case
	Stage        string  `json:"stage"`         // "before_notice", "after_notice", "order", "after_order" or "release"
	Percent      Percent `json:"percent"`       // of the tax
	ValuePercent Percent `json:"value_percent"` // of the value of goods; the higher amount applies
	Least        int64   `json:"least"`         // in rupees
	Most         int64   `json:"most"`          // in rupees, 0 for no limit
	Days         int     `json:"days"`          // in which to pay, for after_notice from issue and for after_order from communication
	Provision    string  `json:"provision"`
	Label        string  `json:"label"`
}

// Time is a remedy against an order, such as an appeal, with its time limit.
type Time struct {
	Rule
	Code                string `json:"code"` // "first_appeal", "tribunal", "rectify" or "recovery"
	What                string `json:"what"`
	Months              int    `json:"months"`
	RunsFrom            string `json:"runs_from"` // "service" or "issue"
	Provision           string `json:"provision"`
	CondonableMonths    int    `json:"condonable_months"`
	CondonableProvision string `json:"condonable_provision"`
}

// Window is a later last date for a remedy against orders communicated before a certain date.
type Window struct {
	Rule
	Code               string `json:"code"` // of the Time that it extends
	CommunicatedBefore string `json:"communicated_before"`
	LastDay            string `json:"last_day"`
}

// Deposit is the amount to be paid before an appeal is heard.
type Deposit struct {
	Rule
	Code      string           `json:"code"` // of the Time to which it belongs
	Of        string           `json:"of"`   // "tax", or "penalty" if an order demands no tax
	Percent   Percent          `json:"percent"`
	Caps      map[string]int64 `json:"caps"` // in rupees, by head of tax
	Only      string           `json:"only"` // the section to whose orders it is limited
	Provision string           `json:"provision"`
}

// Built returns the built-in tables.
func Built() *Tables {
	files, err := read(builtIn, "tables")
	t := &Tables{}
	if err == nil {
		err = t.lay(files).err()
	}
	if err != nil {
		panic("law: the built-in tables: " + err.Error()) // the build is broken; a test reads the tables
	}
	t.Overlaid, t.Changes = nil, nil
	t.Index = openIndex()
	return t
}

func openIndex() *cite.Index {
	index, err := cite.Open(cite.Tables())
	if err != nil {
		panic("law: the built-in index: " + err.Error())
	}
	return index
}

// Load returns the built-in tables with the *.json files of an operator's folder applied. The folder may have any of
// the files, each with only the rows that differ. A row replaces the built-in one with the same key, or is added. If
// anything is wrong, the built-in tables are returned, and the error is Problems (or says that the folder cannot be
// read).
func Load(folder fs.FS) (*Tables, error) {
	built := Built()
	files, err := read(folder, ".")
	if err != nil {
		return built, err
	}
	t := *built
	t.Index = openIndex() // a new one, since a wrong file may leave it half changed
	if err := t.lay(files).err(); err != nil {
		return built, err
	}
	return &t, nil
}

// Form returns the row of a form, or nil if it is not in the table.
func (t *Tables) Form(code string) *Form {
	if i := slices.IndexFunc(t.Forms, func(f Form) bool { return f.Form == code }); i >= 0 {
		return &t.Forms[i]
	}
	return nil
}

// FormOn returns the row of a form as it was on a date. If the date is unknown or has no row, it returns the present
// one.
func (t *Tables) FormOn(code string, day Day) *Form {
	if i := slices.IndexFunc(t.Forms, func(f Form) bool {
		return f.Form == code && !day.IsZero() && f.HoldsOn(day)
	}); i >= 0 {
		return &t.Forms[i]
	}
	return t.Form(code)
}

// After adds a time to a date, for offices in the State. within has the holidays that were counted as working days.
func (t *Tables) After(a Allowed, from Day, state string) (last Day, within []message.Message) {
	switch a.Unit {
	case "working days":
		return t.Calendar.AddWorkingDays(from, a.Count, state)
	case "months":
		return from.AddMonths(a.Count), nil
	}
	return from.AddDays(a.Count), nil
}

// Time returns a remedy against an order, by its code, as the law was on a date, or nil if there is none.
func (t *Tables) Time(code string, on Day) *Time {
	return latest(t.Times, on, func(r Time) bool { return r.Code == code })
}

// Rate returns the rule for interest on a kind of tax, as the law was on a date, or nil if there is none.
func (t *Tables) Rate(kind string, on Day) *Rate {
	return latest(t.Interest, on, func(r Rate) bool { return r.Kind == kind })
}

// Deposit returns the rule on the amount to be paid before an appeal filed on a date, or nil if there is none. section
// is that of the order.
func (t *Tables) Deposit(code, of, section string, on Day) *Deposit {
	return latest(t.Deposits, on, func(r Deposit) bool {
		return r.Code == code && r.Of == of && (r.Only == "" || r.Only == section)
	})
}

// latest returns the row that applies on the date; of several, the one that applies from the latest date.
func latest[T interface{ rule() Rule }](rows []T, on Day, wanted func(T) bool) *T {
	var best *T
	for i := range rows {
		if r := rows[i].rule(); wanted(rows[i]) && r.HoldsOn(on) && (best == nil || (*best).rule().From < r.From) {
			best = &rows[i]
		}
	}
	return best
}

// read returns the contents of the *.json files of a folder, by name.
func read(folder fs.FS, dir string) (map[string][]byte, error) {
	entries, err := fs.ReadDir(folder, dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	var errs []error
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || len(name) < len(".json") || name[len(name)-len(".json"):] != ".json" {
			continue
		}
		path := name
		if dir != "." {
			path = dir + "/" + name
		}
		data, err := fs.ReadFile(folder, path)
		files[name], errs = data, append(errs, err)
	}
	return files, errors.Join(errs...)
}
