// Package law is what the program knows of the law as it changes: the forms and
// their times to reply, limitation, interest, penalties, appeals with their
// pre-deposits, the kinds of dispute, and the calendar of offices. It stands in
// dated tables, each row with its source, the day from which it holds and how
// sure it is. They are part of the program; an operator's folder can be laid
// over them, so that a new notification needs no new program. The package only
// holds and checks tables: it reads no notice, computes nothing for one, and
// keeps no state.
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

// Tables is the law on the day that AsOf names.
type Tables struct {
	AsOf      string   // the newest day of which one of the tables tells
	Overlaid  []string // the files that an operator's folder laid over the built-in ones
	Changes   []Change // what they change, in their order
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
	// Certificates of suppliers, by the days of the supplies.
	Certificates []Certificate
	Calendar     Calendar
	Index        *cite.Index `json:"-"` // of the provisions that can be cited
}

// Change is one row of an operator's file: it replaces the built-in row with
// the same key, or is new.
type Change struct {
	File, List, Key string
	New             bool
}

// How sure a rule is. The last two are to be told to the person, with the
// advice to confirm against the Act.
const (
	Sourced   = "sourced"         // taken from the source that it names
	Knowledge = "knowledge"       // written from knowledge, its source not seen
	ToConfirm = "to be confirmed" // its source is secondary, or may have changed since
)

// Rule is what every row says of itself. Where a row leaves out its source,
// from or certainty, those of its file hold.
type Rule struct {
	Source    string `json:"source"`
	From      string `json:"from"` // the first day on which it holds
	To        string `json:"to"`   // the last one, "" while it holds
	Certainty string `json:"certainty"`
	Note      string `json:"note"` // what else to tell the person
	// Hindi has the row's texts in Hindi, by the names of their fields; whole sentences for notes and for how interest
	// runs.
	Hindi map[string]string `json:"hi"`
}

// Text returns a text of the row, given with the name of its field, as it is said in each language.
func (r Rule) Text(field, english string) message.Message {
	if english == "" {
		return message.Message{}
	}
	return message.Text(english, r.Hindi[field])
}

// Sentence returns a note of the row as a sentence; nothing where there is none.
func (r Rule) Sentence(field, note string) message.Message {
	if note == "" {
		return message.Message{}
	}
	return message.Text(strings.ToUpper(note[:1])+note[1:]+".", r.Hindi[field])
}

func (r Rule) rule() Rule { return r }

// HoldsOn reports whether the rule holds on the day.
func (r Rule) HoldsOn(d Day) bool {
	iso := d.ISO()
	return r.From <= iso && (r.To == "" || iso <= r.To)
}

// Doubts returns what is uncertain about the rule, a sentence each, and its note.
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

// Form is one form of notice, order or filing.
type Form struct {
	Rule
	Form     string   `json:"form"` // as "DRC-01"
	Kind     string   `json:"kind"` // "notice", "order", or "filing" for the taxpayer's own papers
	What     string   `json:"what"`
	Titles   []string `json:"titles"` // under which it goes out, in lower case
	Law      string   `json:"law"`
	Answer   string   `json:"answer"`    // what the person does about it
	Time     *Allowed `json:"time"`      // what counts where nothing is printed; nil: no fixed time
	IfMissed string   `json:"if_missed"` // what silence brings

	// Where the answer is a paper to be written: its heading, and the provision
	// under which it is filed.
	AnswerTitle string `json:"answer_title"`
	AnswerLaw   string `json:"answer_law"`
	// Reasons are what the form offers for the answer, in English and in its order.
	Reasons []string `json:"reasons"`
}

// Allowed is a number of days, working days or months.
type Allowed struct {
	Count    int    `json:"count"`
	Unit     string `json:"unit"`      // "days", "working days" or "months"
	RunsFrom string `json:"runs_from"` // "service" or "issue"
}

// Text returns the time as it is said, such as "30 days".
func (a Allowed) Text() message.Message {
	return message.New("time."+strings.ReplaceAll(a.Unit, " ", "_"), message.Params{"count": a.Count})
}

// Issue is one kind of dispute: the provisions that matter, the words that show
// it and the papers that answer it. When holds alternatives; an alternative
// holds when each of its terms does; a term is words parted by "|", of which
// one must stand in the text.
type Issue struct {
	Rule
	Key       string     `json:"key"`
	Law       []string   `json:"law"`
	When      [][]string `json:"when"`
	Unless    string     `json:"unless"`
	Documents []Document `json:"documents"`
}

// About reports whether the issue's words stand in a text in small letters.
func (i Issue) About(low string) bool {
	return (i.Unless == "" || !anyOf(low, i.Unless)) && hold(i.When, low)
}

// hold reports whether an alternative holds: each of its terms has one of its words in the text.
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

// Document is a paper that answers an issue; with When, only where those words stand in what is alleged.
type Document struct {
	Type    string            `json:"type"`
	Reason  string            `json:"reason"`
	When    [][]string        `json:"when"`
	Names   map[string]string `json:"names"`   // what it is called in other languages, by their codes
	Reasons map[string]string `json:"reasons"` // why it is asked for, likewise
}

// Answers reports whether the paper answers what a text in small letters alleges.
func (d Document) Answers(low string) bool { return len(d.When) == 0 || hold(d.When, low) }

// Letter is how a client is asked for papers in one language. In its texts
// {client}, {notice}, {date} and {reason} stand for what they name.
type Letter struct {
	Rule
	Language string `json:"language"` // as "en"
	Name     string `json:"name"`     // of the language, in itself
	Client   string `json:"client"`   // where the name is not known
	Notice   string `json:"notice"`   // where nothing is known of the notice
	Greeting string `json:"greeting"`
	Opening  string `json:"opening"`
	Due      string `json:"due"` // where the reply date is known
	Ask      string `json:"ask"`
	Reason   string `json:"reason"` // below each paper
	Closing  string `json:"closing"`
	// Questions stands before an address at which the client answers questions, until {until}.
	Questions string `json:"questions"`
}

// Certificate is a circular under which a supplier certifies supplies that its returns do not show, for supplies from
// one day to another.
type Certificate struct {
	Rule
	First           string `json:"first"`
	Last            string `json:"last"`
	Circular        string `json:"circular"`
	AccountantAbove int64  `json:"accountant_above"` // rupees of tax of a supplier and financial year above which an accountant certifies
	Within          int    `json:"within"`           // per cent: the limit of rule 36(4) within which it holds; 0 for none
}

// CertificateOn returns the circular under which a supply of an ISO day can be certified, nil where there is none.
func (t *Tables) CertificateOn(day string) *Certificate {
	for i, c := range t.Certificates {
		if c.First <= day && day <= c.Last {
			return &t.Certificates[i]
		}
	}
	return nil
}

// Section is how a section counts the time for its notices and orders, from the
// due date of the annual return.
type Section struct {
	Rule
	Section                 string `json:"section"`
	FirstFY                 string `json:"first_fy"` // "" from the beginning
	LastFY                  string `json:"last_fy"`  // "" until today
	OrderMonths             int    `json:"order_months"`
	NoticeMonthsBeforeOrder int    `json:"notice_months_before_order"`
	NoticeMonths            int    `json:"notice_months"`
	OrderMonthsAfterNotice  int    `json:"order_months_after_notice"`
	ExtendableMonths        int    `json:"extendable_months"` // of the time for the order
	Words                   string `json:"words"`
}

// Year is the due date of the annual return of one financial year, and what
// notifications made of the last days that follow from it.
type Year struct {
	Rule
	FY              string   `json:"fy"` // as "2020-21"
	AnnualReturnDue string   `json:"annual_return_due"`
	EarlierDue      string   `json:"earlier_due"`    // in the earlier States
	EarlierStates   []string `json:"earlier_states"` // by their GST codes
	NoticeExtended  string   `json:"s73_notice_extended"`
	OrderExtended   string   `json:"s73_order_extended"`
	ExtendedBy      string   `json:"extended_by"`
	Litigated       bool     `json:"litigated"`
	S73Note         string   `json:"s73_note"`
	S74Note         string   `json:"s74_note"`
}

// Rate is how interest runs on one kind of tax, credit or refund.
type Rate struct {
	Rule
	Kind      string  `json:"kind"` // "late_return", "short_paid", "credit", "refund" or "refund_by_order"
	Percent   Percent `json:"percent"`
	YearDays  int     `json:"year_days"`
	Provision string  `json:"provision"`
	Runs      string  `json:"runs"`
}

// Penalty is what a section takes at one stage of the proceedings.
type Penalty struct {
	Rule
	Section      string  `json:"section"`
	Case         string  `json:"case"`          // "fraud", "owner" or "other"; "" where the section knows one case
	Stage        string  `json:"stage"`         // "before_notice", "after_notice", "order", "after_order" or "release"
	Percent      Percent `json:"percent"`       // of the tax
	ValuePercent Percent `json:"value_percent"` // of the value of goods; the higher counts
	Least        int64   `json:"least"`         // in rupees
	Most         int64   `json:"most"`          // in rupees, 0 for none
	Days         int     `json:"days"`          // within which to pay, after_notice from issue and after_order from communication
	Provision    string  `json:"provision"`
	Label        string  `json:"label"`
}

// Time is what can be done against an order, and until when.
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

// Window is a later last day for orders communicated before some day.
type Window struct {
	Rule
	Code               string `json:"code"` // of the Time that it widens
	CommunicatedBefore string `json:"communicated_before"`
	LastDay            string `json:"last_day"`
}

// Deposit is what an appeal wants paid before it is heard.
type Deposit struct {
	Rule
	Code      string           `json:"code"` // of the Time that it belongs to
	Of        string           `json:"of"`   // "tax", or "penalty" where an order demands no tax
	Percent   Percent          `json:"percent"`
	Caps      map[string]int64 `json:"caps"` // in rupees, by head of tax
	Only      string           `json:"only"` // a section to whose orders it is limited
	Provision string           `json:"provision"`
}

// Built returns the tables that are part of the program.
func Built() *Tables {
	files, err := read(builtIn, "tables")
	t := &Tables{}
	if err == nil {
		err = t.lay(files).err()
	}
	if err != nil {
		panic("law: the built-in tables: " + err.Error()) // a broken build: a test reads them
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

// Load lays the *.json files of an operator's folder over the built-in tables:
// any of them, each with only the rows that differ. A row replaces the built-in
// one with the same key, or is added. If anything is wrong with one of them,
// the error is Problems (or that the folder cannot be read), and the tables are
// the built-in ones.
func Load(folder fs.FS) (*Tables, error) {
	built := Built()
	files, err := read(folder, ".")
	if err != nil {
		return built, err
	}
	t := *built
	t.Index = openIndex() // not the other one's: a file that is wrong may leave it half changed
	if err := t.lay(files).err(); err != nil {
		return built, err
	}
	return &t, nil
}

// Form returns the row of a form, nil when it is none of the table's.
func (t *Tables) Form(code string) *Form {
	if i := slices.IndexFunc(t.Forms, func(f Form) bool { return f.Form == code }); i >= 0 {
		return &t.Forms[i]
	}
	return nil
}

// FormOn returns the form as it was on a day; as it is now if the day is not known or has no row.
func (t *Tables) FormOn(code string, day Day) *Form {
	if i := slices.IndexFunc(t.Forms, func(f Form) bool {
		return f.Form == code && !day.IsZero() && f.HoldsOn(day)
	}); i >= 0 {
		return &t.Forms[i]
	}
	return t.Form(code)
}

// After counts the time from a day, in offices of the State. Within are the
// holidays that it counted as working days.
func (t *Tables) After(a Allowed, from Day, state string) (last Day, within []message.Message) {
	switch a.Unit {
	case "working days":
		return t.Calendar.AddWorkingDays(from, a.Count, state)
	case "months":
		return from.AddMonths(a.Count), nil
	}
	return from.AddDays(a.Count), nil
}

// Time returns what can be done against an order on a day; nil for nothing.
func (t *Tables) Time(code string, on Day) *Time {
	return latest(t.Times, on, func(r Time) bool { return r.Code == code })
}

// Rate returns how interest runs on a kind of tax on a day; nil when no row says.
func (t *Tables) Rate(kind string, on Day) *Rate {
	return latest(t.Interest, on, func(r Rate) bool { return r.Kind == kind })
}

// Deposit returns what an appeal that is filed on a day wants paid before; nil
// for nothing. Section is that of the order.
func (t *Tables) Deposit(code, of, section string, on Day) *Deposit {
	return latest(t.Deposits, on, func(r Deposit) bool {
		return r.Code == code && r.Of == of && (r.Only == "" || r.Only == section)
	})
}

// latest returns the row that holds on the day and began last.
func latest[T interface{ rule() Rule }](rows []T, on Day, wanted func(T) bool) *T {
	var best *T
	for i := range rows {
		if r := rows[i].rule(); wanted(rows[i]) && r.HoldsOn(on) && (best == nil || (*best).rule().From < r.From) {
			best = &rows[i]
		}
	}
	return best
}

// read returns the *.json files of a folder.
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
