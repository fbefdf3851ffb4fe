package law

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Problem is one mistake in a table, described in a sentence.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // from 1
	Row     string `json:"row"`  // the list and its row, such as "years 3 (2020-21)"; "" for the whole file
	Message string `json:"message"`
}

func (p Problem) String() string {
	if p.Row == "" {
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
	}
	return fmt.Sprintf("%s:%d: %s: %s", p.File, p.Line, p.Row, p.Message)
}

// Problems has all mistakes in a folder of tables, by file and line.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return p
}

// row is a row of a table: it knows its key and checks itself.
type row interface {
	key() string
	check(*inspection)
	rule() Rule
}

// lay replaces rows of the tables with those of the files, and adds new ones. If there is any problem, the tables must
// not be used.
func (t *Tables) lay(files map[string][]byte) Problems {
	var problems Problems
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := &file{name: name, data: files[name], problems: &problems}
		switch name {
		case "forms.json":
			f.open("forms")
			t.Forms = layRows(t, f, "forms", t.Forms)
		case "issues.json":
			f.open("issues")
			t.Issues = layRows(t, f, "issues", t.Issues)
		case "limitation.json":
			f.open("sections", "years")
			t.Sections = layRows(t, f, "sections", t.Sections)
			t.Years = layRows(t, f, "years", t.Years)
		case "interest.json":
			f.open("rates")
			t.Interest = layRows(t, f, "rates", t.Interest)
		case "penalties.json":
			f.open("penalties")
			t.Penalties = layRows(t, f, "penalties", t.Penalties)
		case "appeals.json":
			f.open("times", "windows", "predeposits")
			t.Times = layRows(t, f, "times", t.Times)
			t.Windows = layRows(t, f, "windows", t.Windows)
			t.Deposits = layRows(t, f, "predeposits", t.Deposits)
		case "letters.json":
			f.open("letters")
			t.Letters = layRows(t, f, "letters", t.Letters)
		case "certificates.json":
			f.open("certificates")
			t.Certificates = layRows(t, f, "certificates", t.Certificates)
		case "calendar.json":
			f.open("holidays", "weekend", "count_without_holidays")
			t.Calendar.Holidays = layRows(t, f, "holidays", t.Calendar.Holidays)
			t.layCalendar(f)
		case "index.json":
			f.open("provisions", "circulars", "notifications")
			t.layIndex(f)
		default:
			f.problem(1, "", "no table has this name: there are forms.json, issues.json, limitation.json, "+
				"interest.json, penalties.json, appeals.json, letters.json, certificates.json, calendar.json and "+
				"index.json")
			continue
		}
		t.AsOf = max(t.AsOf, f.head.AsOf)
		t.Overlaid = append(t.Overlaid, name)
	}
	return problems
}

// layCalendar sets those fields of the calendar that are not rows.
func (t *Tables) layCalendar(f *file) {
	if raw, ok := f.fields["count_without_holidays"]; ok {
		if json.Unmarshal(raw, &t.Calendar.CountWithoutHolidays) != nil {
			f.problem(f.lineOf("count_without_holidays"), "", "count_without_holidays is %s: write true or false", raw)
		}
	}
	raw, ok := f.fields["weekend"]
	if !ok {
		return
	}
	var names []string
	if json.Unmarshal(raw, &names) != nil {
		f.problem(f.lineOf("weekend"), "", "weekend is no list of days: write such as [\"Saturday\", \"Sunday\"]")
		return
	}
	t.Calendar.Weekend = nil // a new list, because the old one may still be needed
	for _, name := range names {
		d, ok := weekday(name)
		if !ok {
			f.problem(f.lineOf("weekend"), "", "weekend holds %q, which is no day of the week", name)
			continue
		}
		t.Calendar.Weekend = append(t.Calendar.Weekend, d)
	}
	if len(names) > 3 {
		f.problem(f.lineOf("weekend"), "", "a weekend of %d days leaves no week to work in", len(names))
	}
}

func weekday(name string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if d.String() == name {
			return d, true
		}
	}
	return 0, false
}

// file is one file being read.
type file struct {
	name   string
	data   []byte
	head   header
	fields map[string]json.RawMessage // the fields outside the header
	bad    bool                       // it is not a JSON object

	problems *Problems
}

// header has the defaults of a file for rows that leave these fields out.
type header struct {
	AsOf      string `json:"as_of"`
	Source    string `json:"source"`
	From      string `json:"from"`
	Certainty string `json:"certainty"`
}

func (f *file) problem(line int, row, format string, args ...any) {
	*f.problems = append(*f.problems, Problem{File: f.name, Line: line, Row: row,
		Message: fmt.Sprintf(format, args...)})
}

// line returns the line of an offset, from 1.
func (f *file) line(offset int) int {
	return 1 + bytes.Count(f.data[:max(0, min(offset, len(f.data)))], []byte("\n"))
}

// find returns the offset at which a top-level name of the JSON stands in the file.
func (f *file) find(name string) int {
	return max(0, bytes.Index(f.data, []byte(strconv.Quote(name))))
}

// lineOf returns the line of a top-level name of the JSON in the file.
func (f *file) lineOf(name string) int { return f.line(f.find(name)) }

// open reads the header of the file and finds its lists.
func (f *file) open(known ...string) {
	f.fields = map[string]json.RawMessage{}
	dec := json.NewDecoder(bytes.NewReader(f.data))
	var fields map[string]json.RawMessage
	if err := dec.Decode(&fields); err != nil || fields == nil {
		f.bad = true
		f.problem(f.line(offsetOf(err, len(f.data))), "", "this is no table: %s", plain(err))
		return
	}
	if _, err := dec.Token(); err != io.EOF {
		f.problem(f.line(int(dec.InputOffset())), "", "something stands behind the end of the table")
	}
	head := map[string]*string{"as_of": &f.head.AsOf, "source": &f.head.Source, "from": &f.head.From,
		"certainty": &f.head.Certainty}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		raw := fields[name]
		if into, ok := head[name]; ok {
			if json.Unmarshal(raw, into) != nil {
				f.problem(f.lineOf(name), "", "%s is %s: write words in quotation marks", name, raw)
			}
			continue
		}
		if !slices.Contains(known, name) {
			f.problem(f.lineOf(name), "", "%q is nothing that this table has; it has %s", name,
				strings.Join(known, ", "))
			continue
		}
		f.fields[name] = raw
	}
	if !isDay(f.head.AsOf) {
		f.problem(1, "", "as_of is %q: write the day of which the table tells, such as \"2026-11-20\"", f.head.AsOf)
	}
	if len(f.fields) == 0 {
		f.problem(1, "", "the table holds none of %s", strings.Join(known, ", "))
	}
}

// layRows reads a list of the file strictly, and replaces and adds rows.
func layRows[T row](t *Tables, f *file, list string, rows []T) []T {
	raw, ok := f.fields[list]
	if !ok || f.bad {
		return rows
	}
	var raws []json.RawMessage
	if json.Unmarshal(raw, &raws) != nil {
		f.problem(f.lineOf(list), "", "%s is no list of rows", list)
		return rows
	}
	rows = slices.Clone(rows) // the original rows may still be needed
	at := f.find(list)
	seen := map[string]bool{}
	for i, one := range raws {
		// Each row is located by its text, starting after the previous one.
		if next := bytes.Index(f.data[at:], one); next >= 0 {
			at += next
		}
		is := &inspection{f: f, line: f.line(at), row: fmt.Sprintf("%s %d", list, i+1)}
		at += len(one)
		var r T
		if !is.decode(one, &r) {
			continue
		}
		any(&r).(interface{ fill(header) }).fill(f.head)
		key := r.key()
		is.row += " (" + key + ")"
		is.checkRule(r.rule())
		r.check(is)
		is.that(!seen[key], "the table has this row twice")
		seen[key] = true
		have := slices.IndexFunc(rows, func(have T) bool { return have.key() == key })
		t.Changes = append(t.Changes, Change{File: f.name, List: list, Key: key, New: have < 0})
		if have >= 0 {
			rows[have] = r
		} else {
			rows = append(rows, r)
		}
	}
	return rows
}

// fill sets missing fields from the header of the file.
func (r *Rule) fill(h header) {
	r.Source, r.From, r.Certainty = cmp.Or(r.Source, h.Source), cmp.Or(r.From, h.From), cmp.Or(r.Certainty, h.Certainty)
}

// inspection collects the mistakes in one row.
type inspection struct {
	f    *file
	line int
	row  string
}

func (is *inspection) that(ok bool, format string, args ...any) {
	if !ok {
		is.f.problem(is.line, is.row, format, args...)
	}
}

// decode decodes a row. A field that such rows do not have is a mistake, so that a misspelt field is not silently
// ignored.
func (is *inspection) decode(raw json.RawMessage, into any) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || fields == nil {
		is.that(false, "this is no row: write { … }")
		return false
	}
	names := fieldsOf(reflect.TypeOf(into).Elem())
	ok := true
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(names, name) {
			ok = false
			is.that(false, "it has no field %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	if !ok {
		return false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields() // within the fields
	if err := dec.Decode(into); err != nil {
		is.that(false, "%s", plain(err))
		return false
	}
	return true
}

// fieldsOf returns the names of a row's JSON fields.
func fieldsOf(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			names = append(names, fieldsOf(field.Type)...)
			continue
		}
		names = append(names, field.Tag.Get("json"))
	}
	slices.Sort(names)
	return names
}

// checkRule checks what must be true of every row.
func (is *inspection) checkRule(r Rule) {
	is.need("source", r.Source)
	is.day("from", r.From, true)
	is.day("to", r.To, false)
	is.that(r.To == "" || r.From == "" || r.From <= r.To, "it ends on %s, before it begins on %s", r.To, r.From)
	is.oneOf("certainty", r.Certainty, Sourced, Knowledge, ToConfirm)
}

func (is *inspection) need(field, value string) {
	is.that(strings.TrimSpace(value) != "", "%s is missing", field)
}

func (is *inspection) day(field, value string, needed bool) {
	if value == "" {
		is.that(!needed, "%s is missing", field)
		return
	}
	is.that(isDay(value), "%s is %q, which is no day: write such as \"2026-11-20\"", field, value)
}

// isDay reports whether a string is a day in the years for which there can be rules.
func isDay(s string) bool {
	d := ParseDay(s)
	return !d.IsZero() && d.Year() >= 2000 && d.Year() < 2200
}

func (is *inspection) fy(field, value string, needed bool) {
	if value == "" {
		is.that(!needed, "%s is missing", field)
		return
	}
	first, _, _ := strings.Cut(value, "-")
	year, err := strconv.Atoi(first)
	is.that(err == nil && year >= 2000 && year < 2200 && yearName(year) == value,
		"%s is %q, which is no financial year: write such as \"2020-21\"", field, value)
}

func (is *inspection) oneOf(field, value string, allowed ...string) {
	is.that(slices.Contains(allowed, value), "%s is %q: write %s", field, value, strings.Join(allowed, ", "))
}

func (is *inspection) from0(field string, n, most int) {
	is.that(n >= 0 && n <= most, "%s is %d: write a number from 0 to %d", field, n, most)
}

// A form may have one current row and others that were valid up to an earlier day.
func (f Form) key() string { return strings.TrimSpace(f.Form + " " + f.To) }

func (f Form) check(is *inspection) {
	is.need("form", f.Form)
	is.oneOf("kind", f.Kind, "notice", "order", "filing")
	is.need("law", f.Law)
	if f.Kind != "filing" {
		is.need("answer", f.Answer)
	}
	is.that((f.AnswerTitle == "") == (f.AnswerLaw == ""), "answer_title and answer_law belong together: write both or "+
		"neither")
	if t := f.Time; t != nil {
		is.that(t.Count >= 1 && t.Count <= 730, "time.count is %d: write a number from 1 to 730", t.Count)
		is.oneOf("time.unit", t.Unit, "days", "working days", "months")
		is.oneOf("time.runs_from", t.RunsFrom, "service", "issue")
	}
}

func (i Issue) key() string { return i.Key }

func (i Issue) check(is *inspection) {
	is.need("key", i.Key)
	for _, alternative := range i.When {
		is.that(len(alternative) > 0, "when holds an alternative without terms, which would always hold")
		for _, term := range alternative {
			is.words("when", term)
		}
	}
	if i.Unless != "" {
		is.words("unless", i.Unless)
	}
	for _, d := range i.Documents {
		is.need("documents.type", d.Type)
		for language, name := range d.Names {
			is.need("documents.names."+language, name)
		}
		for language, reason := range d.Reasons {
			is.need("documents.reasons."+language, reason)
		}
	}
}

// words checks a field's list of words: each must be in lower case and not empty.
func (is *inspection) words(field, term string) {
	for word := range strings.SplitSeq(term, "|") {
		is.that(strings.TrimSpace(word) != "", "%s holds %q, an empty word of which stands in every text", field, term)
		is.that(word == strings.ToLower(word), "%s holds %q: write it in small letters, as the text is compared", field,
			term)
	}
}

func (l Letter) key() string { return l.Language }

func (l Letter) check(is *inspection) {
	for field, text := range map[string]string{"language": l.Language, "name": l.Name, "client": l.Client,
		"notice": l.Notice, "greeting": l.Greeting, "opening": l.Opening, "ask": l.Ask, "closing": l.Closing} {
		is.need(field, text)
	}
	is.that(strings.Contains(l.Due, "{date}"), "due has to say {date}")
	is.that(strings.Contains(l.Reason, "{reason}"), "reason has to say {reason}")
	is.that(l.Questions == "" || strings.Contains(l.Questions, "{until}"), "questions has to say {until}")
}

func (c Certificate) key() string { return c.First }

func (c Certificate) check(is *inspection) {
	is.need("circular", c.Circular)
	is.that(ParseDay(c.First).ISO() == c.First && ParseDay(c.Last).ISO() == c.Last && c.First <= c.Last,
		"first is %q and last %q: write days as 2017-07-01", c.First, c.Last)
	is.that(c.AccountantAbove > 0, "accountant_above is %d: write rupees", c.AccountantAbove)
	is.that(c.Within >= 0 && c.Within <= 100, "within is %d: write a number from 0 to 100", c.Within)
}

func (s Section) key() string { return s.Section }

func (s Section) check(is *inspection) {
	is.oneOf("section", s.Section, "73", "74", "74A")
	is.fy("first_fy", s.FirstFY, false)
	is.fy("last_fy", s.LastFY, false)
	for field, n := range map[string]int{"order_months": s.OrderMonths,
		"notice_months_before_order": s.NoticeMonthsBeforeOrder, "notice_months": s.NoticeMonths,
		"order_months_after_notice": s.OrderMonthsAfterNotice, "extendable_months": s.ExtendableMonths} {
		is.from0(field, n, 240)
	}
	is.that((s.OrderMonths > 0) != (s.NoticeMonths > 0), "it wants either order_months or notice_months, counted from "+
		"the due date of the annual return")
	is.need("words", s.Words)
}

func (y Year) key() string { return y.FY }

func (y Year) check(is *inspection) {
	is.fy("fy", y.FY, true)
	is.day("annual_return_due", y.AnnualReturnDue, true)
	is.that(y.FY == "" || y.AnnualReturnDue > y.FY[:4], "annual_return_due is %s, before the financial year %s",
		y.AnnualReturnDue, y.FY)
	is.day("earlier_due", y.EarlierDue, len(y.EarlierStates) > 0)
	is.that(y.EarlierDue == "" || len(y.EarlierStates) > 0, "earlier_due wants earlier_states")
	is.that(y.EarlierDue == "" || y.EarlierDue < y.AnnualReturnDue, "earlier_due is %s, which is not before "+
		"annual_return_due, %s", y.EarlierDue, y.AnnualReturnDue)
	for _, s := range y.EarlierStates {
		is.that(isState(s), "earlier_states holds %q, which is no GST code of a State: write two digits, such as \"29\"", s)
	}
	is.day("s73_notice_extended", y.NoticeExtended, y.OrderExtended != "")
	is.day("s73_order_extended", y.OrderExtended, y.NoticeExtended != "")
	is.that(y.NoticeExtended <= y.OrderExtended, "s73_notice_extended is %s, after s73_order_extended, %s",
		y.NoticeExtended, y.OrderExtended)
	is.that(y.NoticeExtended == "" || y.ExtendedBy != "", "extended_by is missing: name the notification")
}

func (r Rate) key() string { return strings.TrimSpace(r.Kind + " " + r.From) }

func (r Rate) check(is *inspection) {
	is.oneOf("kind", r.Kind, "late_return", "short_paid", "credit", "refund", "refund_by_order")
	is.percent("percent", r.Percent, 100)
	is.that(r.YearDays >= 360 && r.YearDays <= 366, "year_days is %d: write 365, or what the rule has", r.YearDays)
	is.need("provision", r.Provision)
	is.need("runs", r.Runs)
	is.day("lying_from", r.LyingFrom, false)
	is.day("relaxed_from", r.RelaxedFrom, r.RelaxedTo != "")
	is.day("relaxed_to", r.RelaxedTo, r.RelaxedFrom != "")
	is.that(r.RelaxedFrom <= r.RelaxedTo, "relaxed_from is %s, after relaxed_to, %s", r.RelaxedFrom, r.RelaxedTo)
	is.that(r.RelaxedFrom == "" || r.RelaxedBy != "", "relaxed_by is missing: name the notifications")
}

func (is *inspection) percent(field string, p Percent, most int) {
	is.that(p >= 0 && p <= Percent(most)*100, "%s is %s: write a number from 0 to %d", field, p, most)
}

func (p Penalty) key() string {
	return strings.Join(slices.DeleteFunc([]string{p.Section, p.Case, p.Stage, p.From}, func(s string) bool {
		return s == ""
	}), " ")
}

func (p Penalty) check(is *inspection) {
	is.need("section", p.Section)
	is.oneOf("stage", p.Stage, "before_notice", "after_notice", "order", "after_order", "release")
	if p.Case != "" {
		is.oneOf("case", p.Case, "fraud", "owner", "other")
	}
	is.percent("percent", p.Percent, 1000)
	is.percent("value_percent", p.ValuePercent, 1000)
	is.from0("least", int(p.Least), 1e12)
	is.from0("most", int(p.Most), 1e12)
	is.from0("days", p.Days, 730)
	is.that(p.Days > 0 || p.Stage != "after_notice" && p.Stage != "after_order", "days is missing: how long to pay")
	is.need("provision", p.Provision)
	is.need("label", p.Label)
}

func (t Time) key() string { return t.Code + " " + t.From }

func (t Time) check(is *inspection) {
	is.oneOf("code", t.Code, "first_appeal", "tribunal", "rectify", "recovery")
	is.need("what", t.What)
	is.that(t.Months >= 1 && t.Months <= 120, "months is %d: write a number from 1 to 120", t.Months)
	is.oneOf("runs_from", t.RunsFrom, "service", "issue")
	is.need("provision", t.Provision)
	is.from0("condonable_months", t.CondonableMonths, 120)
	is.that(t.CondonableMonths == 0 || t.CondonableProvision != "", "condonable_provision is missing")
}

func (w Window) key() string { return w.Code + " " + w.CommunicatedBefore }

func (w Window) check(is *inspection) {
	is.oneOf("code", w.Code, "first_appeal", "tribunal")
	is.day("communicated_before", w.CommunicatedBefore, true)
	is.day("last_day", w.LastDay, true)
}

func (d Deposit) key() string {
	return strings.TrimSpace(strings.Join(slices.DeleteFunc([]string{d.Code, d.Of, d.Only, d.From},
		func(s string) bool {
			return s == ""
		}), " "))
}

func (d Deposit) check(is *inspection) {
	is.oneOf("code", d.Code, "first_appeal", "tribunal")
	is.oneOf("of", d.Of, "tax", "penalty")
	is.percent("percent", d.Percent, 100)
	is.need("provision", d.Provision)
	for _, head := range slices.Sorted(maps.Keys(d.Caps)) {
		is.oneOf("caps", head, "IGST", "CGST", "SGST", "UTGST", "CESS")
		is.that(d.Caps[head] > 0 && d.Caps[head] <= 1e12, "caps of %s is %d: write rupees", head, d.Caps[head])
	}
}

// Percent is a rate in hundredths of a percent.
type Percent int64

// UnmarshalJSON decodes a number such as 18 or 7.5.
func (p *Percent) UnmarshalJSON(data []byte) error {
	whole, part, _ := strings.Cut(string(data), ".")
	n, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 32)
	if err != nil || len(part) > 2 {
		return fmt.Errorf("%s is no rate: write percent, such as 18 or 7.5", data)
	}
	*p = Percent(n)
	return nil
}

// Hundredths returns the rate in hundredths of a percent.
func (p Percent) Hundredths() int64 { return int64(p) }

func (p Percent) String() string {
	if p%100 == 0 {
		return fmt.Sprintf("%d%%", p/100)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%02d", p/100, p%100), "0") + "%"
}

// plain describes an error of the JSON decoder in words.
func plain(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return "it is empty"
	case errors.As(err, &syntax):
		return "it is not valid JSON: " + syntax.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "it ends too early"
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("%s is a %s, where %s is wanted", kind.Field, kind.Value, kindWords(kind.Type))
	case errors.As(err, &kind):
		return fmt.Sprintf("it is a %s, where %s is wanted", kind.Value, kindWords(kind.Type))
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

func kindWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text in quotation marks"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "{ … }"
	}
	return "a whole number"
}

func offsetOf(err error, end int) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return int(syntax.Offset)
	}
	return end
}
