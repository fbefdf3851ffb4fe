package notices

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/figures/workbook"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Figures compares the files uploaded for a notice, from the portal and from the books, with each other and with the
// notice.
type Figures struct {
	Store  *store.Store
	Tables *law.Tables
	Reader *read.Reader // nil in processes that do not read files, such as the API
}

var (
	_ workflows.Figures = Figures{}
	_ api.Figures       = Figures{}
)

// matcherVersion is part of the key of a stored comparison: after a change of the matcher, the same files are compared
// again.
const matcherVersion = 5

// readFile describes the content of a file without its rows.
type readFile struct {
	figures.File
	Taxable int64       `json:"taxable"` // paise, over all its documents
	Tax     figures.Tax `json:"tax"`
}

// refusedFile says why a file was refused.
type refusedFile struct {
	Code string          `json:"code"`
	Said message.Message `json:"said"`
	// parameters of the code; earlier versions stored them without Said
	Params problem.Params `json:"params,omitempty"`
}

// sides holds a document as both sides have it.
type sides struct {
	Book   *figures.Record `json:"book"`
	Portal *figures.Record `json:"portal"`
}

// noticeFacts returns the facts of a conversation's notice.
func (f Figures) noticeFacts(ctx context.Context, workspace, conversation uuid.UUID) (gst.Facts, store.Notice, error) {
	n, err := f.Store.Notice(ctx, workspace, conversation)
	if err != nil {
		return gst.Facts{}, n, err
	}
	facts, err := gst.ParseFacts(n.Facts)
	return facts, n, err
}

// Reconcile reads the files of the turn's conversation and compares them. It does not repeat a comparison with the
// same inputs and rules.
func (f Figures) Reconcile(ctx context.Context, ref workflows.Ref, rupees string,
	progress func(workflows.Note, int, int) error) (string, error) {
	id, err := activities.StoreRef(ctx, f.Store, ref)
	if err != nil {
		return "", err
	}
	facts, _, err := f.noticeFacts(ctx, id.Workspace, id.Conversation)
	if errors.Is(err, store.ErrNotFound) {
		return "", activities.Fail("no_notice", nil, err)
	}
	if err != nil {
		return "", err
	}
	files, err := f.Store.FigureFiles(ctx, id.Workspace, id.Conversation)
	if err != nil {
		return "", err
	}
	choices, err := f.choices(ctx, id.Workspace, gstinOf(facts))
	if err != nil {
		return "", err
	}
	inputs, err := figureInputs(facts, rupees, files, choices)
	if err != nil {
		return "", err
	}
	kept, err := f.Store.Reconciliation(ctx, id.Workspace, id.Conversation)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return "", err
	}
	if err != nil || kept.Inputs != inputs {
		if err := f.compare(ctx, id, facts, rupees, inputs, files, choices, progress); err != nil {
			return "", err
		}
	}
	shown, err := f.Figures(ctx, id.Workspace, id.Conversation)
	if err != nil {
		return "", err
	}
	turn, err := f.Store.TurnContext(ctx, id)
	if err != nil {
		return "", activities.Fenced(ctx, f.Store, id.Workspace, err)
	}
	return summaryOf(shown, turn.Language), nil
}

// figureInputs returns a hash of everything that a comparison depends on.
func figureInputs(facts gst.Facts, rupees string, files []store.FigureFile, choices read.Choices) (string, error) {
	from, to := figures.PeriodOf(facts)
	parts := []any{matcherVersion, rupees, gstinOf(facts), from, to}
	for _, file := range files {
		parts = append(parts, hex.EncodeToString(file.Sha256), file.Name)
	}
	if len(choices) > 0 {
		parts = append(parts, choices)
	}
	raw, err := json.Marshal(parts)
	if err != nil {
		return "", fmt.Errorf("name the files that are compared: %w", err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

func gstinOf(facts gst.Facts) string {
	if facts.GSTIN == nil {
		return ""
	}
	return *facts.GSTIN
}

// choices returns the columns that a person chose for a client's registers.
func (f Figures) choices(ctx context.Context, workspace uuid.UUID, gstin string) (read.Choices, error) {
	kept, err := f.Store.FigureColumns(ctx, workspace, gstin)
	if err != nil {
		return nil, err
	}
	choices := read.Choices{}
	for shape, raw := range kept {
		var chosen map[string]int
		if err := json.Unmarshal(raw, &chosen); err != nil {
			return nil, fmt.Errorf("decode the columns of a client's registers: %w", err)
		}
		choices[shape] = chosen
	}
	return choices, nil
}

// Columns stores which columns of a client's registers hold what, for all files with the same headings; nil deletes
// the choice.
func (f Figures) Columns(ctx context.Context, workspace, conversation, file uuid.UUID, columns map[string]int) error {
	facts, _, err := f.noticeFacts(ctx, workspace, conversation)
	if err != nil {
		return err
	}
	files, err := f.Store.FigureFiles(ctx, workspace, conversation)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(files, func(of store.FigureFile) bool { return of.ID == file })
	if i < 0 || files[i].Read == nil {
		return store.ErrNotFound
	}
	var r readFile
	if err := json.Unmarshal(files[i].Read, &r); err != nil {
		return fmt.Errorf("decode what was read of a file: %w", err)
	}
	if r.Table == nil {
		return problem.New("figures_columns", nil, nil)
	}
	for value, column := range columns {
		if !slices.Contains(read.Choosable(), value) || column < -1 || column >= len(r.Table.Headings) {
			return problem.New("figures_columns", nil, nil)
		}
	}
	var kept json.RawMessage
	if len(columns) > 0 {
		if kept, err = json.Marshal(columns); err != nil {
			return fmt.Errorf("encode the columns of a register: %w", err)
		}
	}
	return f.Store.PutFigureColumns(ctx, workspace, gstinOf(facts), r.Table.Shape, kept)
}

// compare reads all files, compares them and stores the result.
func (f Figures) compare(ctx context.Context, id store.Ref, facts gst.Facts, rupees, inputs string,
	files []store.FigureFile,
	choices read.Choices, progress func(workflows.Note, int, int) error) error {
	folder, err := os.MkdirTemp("", "munshi-figures-")
	if err != nil {
		return fmt.Errorf("make a folder for files of figures: %w", err)
	}
	defer os.RemoveAll(folder)
	from, to := figures.PeriodOf(facts)
	var all []figures.File
	for i, file := range files {
		told := time.Now()
		count := func(rows int) {
			if time.Since(told) < time.Second {
				return
			}
			told = time.Now()
			_ = progress(workflows.Note{Code: "reading_rows", Params: map[string]any{"file": file.Name, "count": rows}},
				i, len(files))
		}
		content, err := f.read(ctx, id, f.Reader.Choosing(choices), folder, file, count)
		var refused *problem.Error
		if errors.As(err, &refused) &&
			len(choices) > 0 { // with the columns that the person chose, there may be nothing to read
			if content, err = f.read(ctx, id, f.Reader, folder, file, count); err == nil {
				content.Notes = append(content.Notes, "columns_not_used")
			}
		}
		if err == nil {
			err = read.Check(content, gstinOf(facts), from, to)
		}
		if err := f.note(ctx, id, file, content, err); err != nil {
			return err
		}
		if err == nil {
			all = append(all, content)
		}
		if err := progress(workflows.Note{Code: "read_file",
			Params: map[string]any{"file": file.Name, "count": content.Rows}}, i+1, len(files)); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return activities.Fenced(ctx, f.Store, id.Workspace, f.Store.SaveReconciliation(ctx, id, inputs, nil, nil))
	}
	documents := 0
	for _, file := range all {
		documents += len(file.Records)
	}
	if err := progress(workflows.Note{Code: "comparing", Params: map[string]any{"count": documents}}, len(files),
		len(files)); err != nil {
		return err
	}
	// The manifest offers a few amounts. If it names none, this is 0 and the default applies.
	tolerance, _ := strconv.ParseInt(rupees, 10, 64)
	compared := figures.Compare(from, to, all, figures.Rules{Tolerance: 100 * tolerance})
	own, err := f.Store.FigureClasses(ctx, id.Workspace, id.Conversation)
	if err != nil {
		return err
	}
	var entries []store.FigureEntry
	for _, m := range compared.Matchings {
		names := namesOf(m)
		for i, e := range m.Entries {
			class := figures.Class(own[names[i]])
			if class.Given(m.What) && e.Class != figures.Replaced {
				m.Entries[i].Class, m.Entries[i].Own = class, true
			}
		}
		of, err := entriesOf(m, names, len(entries))
		if err != nil {
			return err
		}
		entries = append(entries, of...)
	}
	if len(own) > 0 {
		compared = compared.Reclassed(compared.Matchings)
	}
	result, err := json.Marshal(compared)
	if err != nil {
		return fmt.Errorf("encode a reconciliation: %w", err)
	}
	return activities.Fenced(ctx, f.Store, id.Workspace, f.Store.SaveReconciliation(ctx, id, inputs, result, entries))
}

// read copies a file to disk and reads it.
func (f Figures) read(ctx context.Context, id store.Ref, reader *read.Reader, folder string, file store.FigureFile,
	rows func(int)) (figures.File, error) {
	// The name that the person knows is kept: it may say what a file is.
	own := filepath.Join(folder, file.ID.String())
	if err := os.Mkdir(own, 0o700); err != nil {
		return figures.File{}, fmt.Errorf("make a folder for a file of figures: %w", err)
	}
	defer os.RemoveAll(own)
	path := filepath.Join(own, shortName(file.Name))
	out, err := os.Create(path)
	if err != nil {
		return figures.File{}, fmt.Errorf("make a temporary file: %w", err)
	}
	d, err := f.Store.Document(ctx, id.Workspace, file.ID)
	if err == nil {
		err = f.Store.WriteDocument(ctx, id.Workspace, d, out)
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return figures.File{}, activities.Fenced(ctx, f.Store, id.Workspace,
			fmt.Errorf("copy a file of figures: %w", err))
	}
	content, err := reader.Read(ctx, path, rows)
	content.Name = file.Name
	var refused *problem.Error
	if errors.As(err, &refused) && refused.Params != nil {
		refused.Params["file"] = file.Name
	}
	return content, err
}

// shortName returns the end of a file's name, without folders and short enough for any file system.
func shortName(name string) string {
	name = filepath.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), "\\", "/"))
	for len(name) > 100 {
		_, size := utf8.DecodeRuneInString(name)
		name = name[size:]
	}
	if strings.Trim(name, "./") == "" {
		return "file"
	}
	return name
}

// note stores what was read from a file, or why it was refused. Any other error is a fault of the program and is
// returned.
func (f Figures) note(ctx context.Context, id store.Ref, file store.FigureFile, content figures.File,
	reading error) error {
	var what, why any
	var refused *problem.Error
	switch {
	case errors.As(reading, &refused):
		why = refusedFile{Code: refused.Code, Said: refused.Message()}
	case reading != nil:
		return reading
	default:
		what = about(content)
	}
	var raw [2]json.RawMessage
	for i, value := range []any{what, why} {
		if value == nil {
			continue
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode what was read of a file: %w", err)
		}
		raw[i] = encoded
	}
	return activities.Fenced(ctx, f.Store, id.Workspace, f.Store.NoteFigureFile(ctx, id, file.ID, raw[0], raw[1]))
}

// about summarises a file.
func about(content figures.File) readFile {
	r := readFile{File: content}
	for i := range content.Records {
		r.Taxable += content.Records[i].Taxable
		r.Tax = r.Tax.Plus(content.Records[i].Tax)
	}
	return r
}

// namesOf returns an identifier for each entry, from the comparison and the entry's document, so that the same
// document in another file gets the same identifier.
func namesOf(m figures.Matching) []string {
	names := make([]string, len(m.Entries))
	seen := map[string]int{}
	for i, e := range m.Entries {
		r := m.Record(e)
		what := m.What + "|"
		if m.What == figures.CreditClaimed {
			what = "" // the first version had only this comparison, and no prefix
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%s%s|%s|%s|%s|%s|%s|%v", what, r.Source, r.Kind, r.GSTIN, r.Number,
			r.Date, r.Period, r.Tax))
		name := hex.EncodeToString(sum[:12])
		if seen[name]++; seen[name] > 1 {
			name += "." + strconv.Itoa(seen[name])
		}
		names[i] = name
	}
	return names
}

func entriesOf(m figures.Matching, names []string, before int) ([]store.FigureEntry, error) {
	entries := make([]store.FigureEntry, len(m.Entries))
	for i, e := range m.Entries {
		var both sides
		if e.Book >= 0 {
			both.Book = &m.Books[e.Book]
		}
		if e.Portal >= 0 {
			both.Portal = &m.Portal[e.Portal]
		}
		raw, err := json.Marshal(both)
		if err != nil {
			return nil, fmt.Errorf("encode a document: %w", err)
		}
		r := m.Record(e)
		name := r.Name
		if name == "" && both.Portal != nil {
			name = both.Portal.Name
		}
		entries[i] = store.FigureEntry{Position: before + i, What: m.What, Record: names[i], Class: string(e.Class),
			Own: e.Own, GSTIN: r.GSTIN, Name: name, Number: r.Number, Date: r.Date, Period: r.Period,
			Paise: r.Tax.Sum(), Entry: raw}
	}
	return entries, nil
}

// matchingsOf puts stored entries together as comparisons again.
func matchingsOf(entries []store.FigureEntry) ([]figures.Matching, error) {
	var all []figures.Matching
	for _, kept := range entries {
		if len(all) == 0 || all[len(all)-1].What != kept.What {
			all = append(all, figures.Matching{What: kept.What})
		}
		m := &all[len(all)-1]
		var both sides
		if err := json.Unmarshal(kept.Entry, &both); err != nil {
			return nil, fmt.Errorf("decode a document: %w", err)
		}
		e := figures.Entry{Class: figures.Class(kept.Class), Own: kept.Own, Book: -1, Portal: -1}
		if both.Book != nil {
			e.Book, m.Books = len(m.Books), append(m.Books, *both.Book)
		}
		if both.Portal != nil {
			e.Portal, m.Portal = len(m.Portal), append(m.Portal, *both.Portal)
		}
		m.Entries = append(m.Entries, e)
	}
	return all, nil
}

func today() law.Day { return law.DayOf(time.Now().In(clock.India)) }

// Figures returns the files of a conversation and the result, compared with the present facts of its notice.
func (f Figures) Figures(ctx context.Context, workspace, conversation uuid.UUID) (api.FiguresShown, error) {
	out := api.FiguresShown{Files: []api.FigureFile{}, Allegations: []api.FigureAllegation{},
		Classes: []api.FigureClass{}, Papers: []api.FigurePapers{}, Names: map[string]api.Sentence{}}
	for _, c := range figures.Classes() {
		out.Names[string(c)] = api.Sentence(workbook.Class(c))
	}
	files, err := f.Store.FigureFiles(ctx, workspace, conversation)
	if err != nil {
		return out, err
	}
	for _, file := range files {
		shown, err := fileShown(file)
		if err != nil {
			return out, err
		}
		out.Files = append(out.Files, shown)
	}
	facts, _, err := f.noticeFacts(ctx, workspace, conversation)
	if errors.Is(err, store.ErrNotFound) {
		if _, err := f.Store.Plugin(ctx, workspace, conversation); err != nil {
			return out, err // the conversation does not exist, or belongs to someone else
		}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	compared, at, err := activities.Reconciled(ctx, f.Store, workspace, conversation)
	if err != nil || compared == nil {
		return out, err
	}
	out.ComputedAt, out.Repeated = &at, compared.Repeated
	out.Papers = papersShown(compared.Classes)
	for _, c := range compared.Classes {
		out.Classes = append(out.Classes,
			api.FigureClass{What: cmp.Or(c.What, figures.CreditClaimed), Class: string(c.Class), Books: c.Books,
				Portal: c.Portal})
	}
	payBy := payBy(f.Tables, facts)
	all := compared.Against(f.Tables, facts, today())
	out.Late = f.lateShown(all, facts)
	for _, d := range all.Answers {
		a := allegationShown(d)
		a.PayBy = payBy
		for _, charge := range facts.Charges() {
			if figures.Names(charge.Text, d.Outcome.What) && charge.Number != "" {
				a.Paragraphs = append(a.Paragraphs, charge.Number)
			}
		}
		out.Allegations = append(out.Allegations, a)
	}
	return out, nil
}

// lateShown returns the interest on late returns; nil if there is none.
func (f Figures) lateShown(all figures.Reconciliation, facts gst.Facts) *api.FigureLate {
	l := all.Late
	if l == nil {
		return nil
	}
	out := &api.FigureLate{From: all.From, To: all.To, Paragraphs: []string{}, Returns: []api.FigureLateReturn{},
		Cash: l.Cash[:], Lay: l.Lay.Sum(), Notice: l.Notice, Due: l.Interest.Sum(), OnLay: l.OnLay().Sum(),
		OnCredit: l.OnCredit, Doubts: []api.Sentence{}}
	if l.Notice != nil {
		other := l.Other()
		out.Other = &other
	}
	for _, charge := range facts.Charges() {
		if charge.Number != "" && figures.AsksLate(f.Tables, charge.Text) {
			out.Paragraphs = append(out.Paragraphs, charge.Number)
		}
	}
	for _, r := range l.Returns {
		out.Returns = append(out.Returns, api.FigureLateReturn{Period: r.Period, Due: r.Due, Paid: r.Paid, Days: r.Days,
			Cash: r.Cash[:], Lay: r.Lay.Sum(), Interest: r.Interest.Sum()})
	}
	for _, doubt := range workbook.LateDoubts(l) {
		out.Doubts = append(out.Doubts, api.Sentence(doubt))
	}
	return out
}

// papersShown returns the document-by-document comparisons, each with the classes that a person may choose.
func papersShown(counted []figures.Counted) []api.FigurePapers {
	all := []api.FigurePapers{}
	for _, c := range counted {
		what := cmp.Or(c.What, figures.CreditClaimed)
		if len(all) > 0 && all[len(all)-1].What == what {
			continue
		}
		first, second := figures.Papers(what)
		p := api.FigurePapers{
			What:   what,
			First:  api.Sentence(workbook.Paper(first)),
			Second: api.Sentence(workbook.Paper(second)),
			Given:  []string{},
		}
		for _, class := range figures.Classes() {
			if class.Given(what) {
				p.Given = append(p.Given, string(class))
			}
		}
		all = append(all, p)
	}
	return all
}

// payBy returns the last day on which a payment closes the matter, or else the reply date; nil if neither is known.
func payBy(t *law.Tables, facts gst.Facts) *string {
	reckoned := reckon.Reckon(t, facts, reckon.GivenWith(facts), today())
	for _, code := range []string{reckon.PayAndClose, reckon.Reply} {
		for _, d := range reckoned.Deadlines {
			if d.Code == code && d.Date != nil {
				return d.Date
			}
		}
	}
	return nil
}

func fileShown(file store.FigureFile) (api.FigureFile, error) {
	out := api.FigureFile{ID: file.ID.String(), Name: file.Name, Type: file.Type, Bytes: file.Bytes, State: "waiting",
		LeftOut: []api.FigureLeftOut{}, Notes: []string{}, Columns: map[string]string{}}
	switch {
	case file.Problem != nil:
		var why refusedFile
		if err := json.Unmarshal(file.Problem, &why); err != nil {
			return out, fmt.Errorf("decode why a file was refused: %w", err)
		}
		out.State = "refused"
		if why.Said.IsZero() {
			why.Said = problem.New(why.Code, why.Params, nil).Message()
		}
		out.Problem = &api.FileProblem{Code: why.Code, Said: api.Sentence(why.Said)}
	case file.Read != nil:
		var r readFile
		if err := json.Unmarshal(file.Read, &r); err != nil {
			return out, fmt.Errorf("decode what was read of a file: %w", err)
		}
		out.State, out.Format, out.GSTIN, out.Rows, out.From, out.To, out.Taxable, out.Tax = "read", r.Format, r.GSTIN, r.Rows, r.From, r.To, r.Taxable, r.Tax.Sum()
		for _, l := range r.LeftOut {
			out.LeftOut = append(out.LeftOut, api.FigureLeftOut(l))
		}
		out.Notes = append(out.Notes, r.Notes...)
		for name, column := range r.Columns {
			out.Columns[name] = column
		}
		if r.Table != nil {
			out.Table = &api.FigureTable{
				Headings: []api.FigureHeading{},
				Values:   read.Choosable(),
				Taken:    r.Table.Taken,
				Chosen:   r.Table.Chosen,
			}
			for _, h := range r.Table.Headings {
				out.Table.Headings = append(out.Table.Headings, api.FigureHeading(h))
			}
		}
	}
	return out, nil
}

func allegationShown(d figures.Dispute) api.FigureAllegation {
	o, v := d.Outcome, d.Variance
	first, second, _ := v.Sums()
	a := api.FigureAllegation{What: o.What, Name: api.Sentence(workbook.Comparison(v)),
		FirstName: api.Sentence(workbook.First(v)), SecondName: api.Sentence(workbook.Second(v)),
		Value: figures.OfValue(o.What), Differs: o.Differs(), Notes: []api.Sentence{}, Against: string(v.Against),
		From: o.From, To: o.To, Paragraphs: []string{}, First: first[:], Second: second[:], Files: o.Files[:],
		Explained: o.Explained[:], Remains: o.Remains[:], Unused: o.Unused[:], Reversed: v.Reversed[:],
		Shares: []api.FigureShare{}, Months: []api.FigureMonth{}, Pay: []api.FigureDues{},
		Missing: append([]string{}, v.Missing...), Books: v.Books, Ledger: o.Ledger, InterestTo: today().ISO()}
	if o.Notice != nil {
		a.Notice = o.Notice[:]
	}
	for _, note := range workbook.Notes(v) {
		a.Notes = append(a.Notes, api.Sentence(note))
	}
	for _, s := range o.Shares {
		a.Shares = append(a.Shares, api.FigureShare{Class: string(s.Class), Explains: s.Class.Explains(),
			Tax: s.Tax[:]})
	}
	for _, m := range v.Months {
		var explained int64
		for _, s := range m.Shares {
			if s.Class.Explains() {
				explained += s.Tax.Sum()
			}
		}
		a.Months = append(a.Months, api.FigureMonth{Period: m.Period, First: m.First.Sum(), Second: m.Second.Sum(),
			Explained: explained, Remains: m.Difference().Sum() - explained})
	}
	for _, p := range o.Pay {
		a.Pay = append(a.Pay, api.FigureDues(p))
	}
	return a
}

// Entries returns one page of the compared documents.
func (f Figures) Entries(ctx context.Context, workspace, conversation uuid.UUID,
	by store.FigureQuery) (api.FigureEntries, error) {
	out := api.FigureEntries{Entries: []api.FigureEntry{}}
	kept, total, err := f.Store.FigureEntries(ctx, workspace, conversation, by)
	if err != nil {
		return out, err
	}
	out.Total = total
	for _, e := range kept {
		var both sides
		if err := json.Unmarshal(e.Entry, &both); err != nil {
			return out, fmt.Errorf("decode a document: %w", err)
		}
		out.Entries = append(out.Entries,
			api.FigureEntry{Record: e.Record, Class: e.Class, Own: e.Own, Given: figures.Class(e.Class).Given(e.What),
				Books: sideShown(both.Book), Portal: sideShown(both.Portal)})
	}
	return out, nil
}

func sideShown(r *figures.Record) *api.FigureSide {
	if r == nil {
		return nil
	}
	return &api.FigureSide{GSTIN: r.GSTIN, Name: r.Name, Kind: string(r.Kind), Number: r.Number, Date: r.Date,
		Period: r.Period, Taxable: r.Taxable, Tax: r.Tax[:], Row: r.Row}
}

// Class sets the class that a person chose for a document.
func (f Figures) Class(ctx context.Context, workspace, conversation uuid.UUID, record, class string) error {
	err := f.Store.ClassFigure(ctx, workspace, conversation, record, class,
		func(kept json.RawMessage, entries []store.FigureEntry) (json.RawMessage, error) {
			of := slices.IndexFunc(entries, func(e store.FigureEntry) bool { return e.Record == record })
			if of < 0 || !figures.Class(class).Given(entries[of].What) {
				return nil, store.ErrNoRecord
			}
			var c figures.Compared
			if err := json.Unmarshal(kept, &c); err != nil {
				return nil, fmt.Errorf("decode a reconciliation: %w", err)
			}
			all, err := matchingsOf(entries)
			if err != nil {
				return nil, err
			}
			return json.Marshal(c.Reclassed(all))
		})
	if errors.Is(err, store.ErrNoRecord) {
		return problem.New("figures_class", nil, err)
	}
	return err
}

// whole returns the facts of a notice and the comparison with all entries; nil if nothing was compared.
func (f Figures) whole(ctx context.Context, workspace, conversation uuid.UUID) (gst.Facts, *figures.Compared, error) {
	facts, _, err := f.noticeFacts(ctx, workspace, conversation)
	if err != nil {
		return facts, nil, err
	}
	compared, _, err := activities.Reconciled(ctx, f.Store, workspace, conversation)
	if err != nil || compared == nil {
		return facts, nil, err
	}
	entries, err := f.Store.AllFigureEntries(ctx, workspace, conversation)
	if err != nil {
		return facts, nil, err
	}
	compared.Matchings, err = matchingsOf(entries)
	return facts, compared, err
}

// Workbook writes the annexure as a workbook with formulas, in a language.
func (f Figures) Workbook(ctx context.Context, workspace, conversation uuid.UUID, language string, w io.Writer) error {
	facts, compared, err := f.whole(ctx, workspace, conversation)
	if err != nil {
		return err
	}
	if compared == nil {
		return store.ErrNotFound
	}
	all, err := activities.ReadFigures(ctx, f.Store, workspace, conversation)
	if err != nil {
		return err
	}
	return workbook.Write(w, workbook.Annexure{Facts: facts, Files: all,
		Reconciliation: compared.Against(f.Tables, facts, today()), Language: language})
}

// summaryOf returns what the files show, as a message in the conversation.
func summaryOf(shown api.FiguresShown, language string) string {
	if len(shown.Files) == 0 {
		return message.New("figures.no_files", nil).In(language)
	}
	var b strings.Builder
	for _, a := range shown.Allegations {
		result := message.Params{"compared": message.Message(a.Name), "months": workbook.Span(a.From, a.To),
			"result": explained(a)}
		fmt.Fprintf(&b, "%s\n\n", message.New("figures.result", result).In(language))
	}
	if l := shown.Late; l != nil {
		code, params := "figures.late.by_ledgers", message.Params{"due": message.Paise(l.Due)}
		if l.Notice != nil {
			code, params["notice"] = "figures.late.against", message.Paise(*l.Notice)
		}
		fmt.Fprintf(&b, "%s\n\n", message.New(code, params).In(language))
	}
	if len(shown.Allegations) == 0 && shown.Late == nil {
		fmt.Fprintf(&b, "%s\n\n", message.New("figures.nothing", nil).In(language))
	}
	for _, f := range shown.Files {
		if f.Problem != nil {
			fmt.Fprintf(&b, "- %s\n", message.Message(f.Problem.Said).In(language))
		}
	}
	return strings.TrimSpace(b.String())
}

// explained returns the message that says how much of a difference is explained.
func explained(a api.FigureAllegation) message.Message {
	total := message.Params{"total": message.Paise(sum(a.Files))}
	switch {
	case sum(a.Files) <= 0:
		return message.New("figures.no_excess", total)
	case a.Differs:
		return message.New("figures.differs", total)
	}
	total["explained"], total["remains"] = message.Paise(sum(a.Explained)), message.Paise(sum(a.Remains))
	return message.New("figures.explained", total)
}

func sum(tax []int64) (all int64) {
	for _, paise := range tax {
		all += paise
	}
	return all
}
