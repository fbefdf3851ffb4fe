package practice

import (
	"bytes"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/store"
)

// rowsOf returns the rows of a register.
func rowsOf(rows ...[]string) (all []read.Row) {
	for i, r := range rows {
		all = append(all, read.Row{Number: i + 1, Cells: r})
	}
	return all
}

// planOf returns the planned outcome of each row of a register in a firm.
func planOf(t *testing.T, rows []read.Row, known store.Holdings, firm store.Firm, mayClose bool) (all []outcome, l layout) {
	t.Helper()
	at, l := recognise(rows)
	o := opened{layout: l, rows: rows}
	if at >= 0 {
		o.kept.Heading = int32(rows[at].Number)
	}
	p := newPlanner(known)
	p.mayAll, p.strict = mayClose, l.Own
	for _, one := range o.lines(firm) {
		if one.state == leftOut {
			all = append(all, outcome{line: one, what: lineLeft})
			continue
		}
		all = append(all, p.place("register", one))
	}
	return all, l
}

func whats(all []outcome) (w []string) {
	for _, o := range all {
		w = append(w, o.what)
	}
	return w
}

// Columns are recognised by headings that offices use, in English and Hindi, and by their content.
func TestRecognise(t *testing.T) {
	for name, test := range map[string]struct {
		rows []read.Row
		want map[string]int
		head int // the index of the row of headings
	}{
		"an office's": {rowsOf([]string{"Register of GST notices 2024-25"}, []string{"Sr. No.", "Name of Assessee", "GSTIN/UIN", "F.Y.", "Type of Notice", "DIN/RFN",
			"Notice Date", "Due Date of Reply", "PH Date", "Amount Involved (Rs.)", "Jurisdiction", "Status", "Handled by", "Remarks"},
			[]string{"1", "Kaveri Textiles", "27ZAPCS4821K1Z6", "2020-21", "ASMT-10", "ZD270524001122B", "01/05/2024", "31/05/2024", "", "4,00,000", "Pune-4", "Reply filed", "Asha", "ITC"}),
			map[string]int{"client": 1, "gstin": 2, "years": 3, "form": 4, "reference": 5, "issued": 6, "due": 7, "hearing": 8, "demand": 9, "officer": 10, "state": 11, "assignee": 12, "about": 13}, 1},
		"in Hindi": {rowsOf([]string{"क्र.", "करदाता का नाम", "जीएसटीआईएन", "वित्तीय वर्ष", "नोटिस का प्रकार", "संदर्भ संख्या", "जारी तिथि", "अंतिम तिथि", "कुल मांग", "स्थिति"},
			[]string{"१", "कावेरी", "27ZAPCS4821K1Z6", "2020-21", "DRC-01", "ZD270524001122B", "०१/०५/२०२४", "31-05-2024", "₹ 4 लाख", "लंबित"}),
			map[string]int{"client": 1, "gstin": 2, "years": 3, "form": 4, "reference": 5, "issued": 6, "due": 7, "demand": 8, "state": 9}, 0},
		"a State is no state": {rowsOf([]string{"Client", "GSTIN", "State", "Status"}, []string{"A", "27ZAPCS4821K1Z6", "Maharashtra", "Pending"}, []string{"B", "", "Goa", "Closed"}),
			map[string]int{"client": 0, "gstin": 1, "state": 3}, 0},
		"without headings": {rowsOf([]string{"Kaveri", "27ZAPCS4821K1Z6", "ASMT-10", "2020-21"}, []string{"Malnad", "29AAPFU0939F1ZR", "DRC-01", "2021-22"}),
			map[string]int{"gstin": 1, "form": 2, "years": 3}, -1},
	} {
		at, l := recognise(test.rows)
		if at != test.head {
			t.Errorf("%s: the headings are row %d", name, at)
		}
		for code, place := range test.want {
			if got, has := l.Columns[code]; !has || got != place {
				t.Errorf("%s: %s is column %d (%v), want %d", name, code, got, has, place)
			}
		}
		if len(l.Columns) != len(test.want) {
			t.Errorf("%s: the columns are %v, want %v", name, l.Columns, test.want)
		}
	}
}

func TestCells(t *testing.T) {
	for typed, want := range map[string]string{"01/05/2024": "2024-05-01", "1.5.24": "2024-05-01", "01-May-2024": "2024-05-01", "1st May 2024": "2024-05-01", "May 1, 2024": "2024-05-01",
		"2024-05-01": "2024-05-01", "2024-05-01 00:00:00": "2024-05-01", "45413": "2024-05-01", "०१/०५/२०२४": "2024-05-01", "1 मई 2024": "2024-05-01", "31/02/2024": "", "soon": "", "2024": ""} {
		if got, _ := dayOf(typed, false); got != want {
			t.Errorf("%s is the day %q, want %q", typed, got, want)
		}
	}
	if got, _ := dayOf("05/01/2024", american([]string{"05/01/2024", "12/31/2024"})); got != "2024-05-01" {
		t.Errorf("of an American column the day is %s", got)
	}
	for typed, want := range map[string]int64{"1,18,000.50": 118000_50, "₹ 4 लाख": 400000_00, "Rs. 5,00,000/-": 500000_00, "1.5 Cr": 15000000_00, "0": 0, "118000.5": 118000_50} {
		if got, ok := paiseOf(typed); !ok || got != want {
			t.Errorf("%s is %d paise, want %d", typed, got, want)
		}
	}
	for typed, want := range map[string][]string{"2020-21": {"2020-21"}, "FY 2017-18 to 2019-20": {"2017-18", "2018-19", "2019-20"}, "2017-18, 2019-20": {"2017-18", "2019-20"}, "2020-2021": {"2020-21"},
		"2020-21 – 2021-22": {"2020-21", "2021-22"}, "F.Y. 20-21": {"2020-21"}, "Jul 2017 to Mar 2018": {"2017-18"}, "12/2024": {}} {
		if got := yearsIn(typed); !slices.Equal(got, want) {
			t.Errorf("%s are the years %v, want %v", typed, got, want)
		}
	}
	for typed, want := range map[string]string{"FORM GST DRC-01A": "DRC-01A", "DRC 1A": "DRC-01A", "asmt10": "ASMT-10", "GSTR 3A": "GSTR-3A", "SCN": "", "Section 73": ""} {
		if got := formIn(typed); got != want {
			t.Errorf("%s is the form %q, want %q", typed, got, want)
		}
	}
	for typed, want := range map[string]string{"Reply filed on portal": "filed", "Pending": "new", "Order awaited": "heard", "Disposed": "closed", "बंद": "", "Waiting for the client": "waiting", "ड्राफ़्ट बन रहा है": "drafting"} {
		if got := stateOf(typed); got != want && want != "" {
			t.Errorf("%s is the state %q, want %q", typed, got, want)
		}
	}
}

// Each row is a new client, another stage of a matter, a duplicate, or not understood, with the reason; none of them
// stops another.
func TestPlace(t *testing.T) {
	asha, member := uuid.New(), store.Firm{Mail: map[uuid.UUID]string{}}
	member.Members = append(member.Members, store.Member{ID: asha, Name: "Asha Rao", Role: "preparer"})
	member.Mail[asha] = "asha@example.com"
	head := []string{"Client", "GSTIN", "Form", "Reference No.", "Financial year", "Date of issue", "Reply due", "Total demand", "State", "Assigned to"}
	rows := rowsOf(head,
		[]string{"Kaveri Textiles", "27ZAPCS4821K1Z6", "ASMT-10", "ZD270524001122B", "2020-21", "01/05/2024", "31/05/2024", "4,00,000", "New", "ASHA@example.com"},
		[]string{"", "", "DRC-01A", "ZD270824005566C", "2020-21", "05/08/2024", "04/09/2024", "4,00,000", "Drafting", "Nobody Here"},
		[]string{"Kaveri Textiles", "27ZAPCS4821K1Z6", "ASMT-10", "ZD270524001122B", "2020-21", "01/05/2024", "31/05/2024", "", "", ""},
		[]string{"", "bad", "", "", "", "", "", "", "", ""},
		[]string{"Malnad Coffee", "29AAPFU0939F1Z9", "DRC-01", "", "2021-22", "40/40/2024", "01/07/2024", "many", "On hold", ""},
		[]string{"Nandi Foods", "", "", "", "", "", "", "", "", ""},
		[]string{"Old Mill", "", "DRC-07", "ZD270120000001A", "2018-19", "01/01/2020", "", "", "Closed", ""},
		[]string{"Total", "", "", "", "", "", "", "8,00,000", "", ""},
		head)
	all, _ := planOf(t, rows, store.Holdings{}, member, false)
	want := []string{lineNewClient, lineAttached, lineKnown, lineUnclear, lineNewClient, lineClientOnly, lineRefused, lineLeft, lineLeft}
	if !slices.Equal(whats(all), want) {
		t.Fatalf("the rows come to %q, want %q", whats(all), want)
	}
	first := all[0].step
	if first.NewMatter.Assignee == nil || *first.NewMatter.Assignee != asha || first.NewMatter.State != "drafting" || *first.Listed.DemandPaise != 400000_00 {
		t.Errorf("the first row is %+v %+v", first.NewMatter, first.Listed)
	}
	if all[1].step.Matter != first.Matter || all[1].step.Client != first.Client {
		t.Error("the second row is not in the matter of the first")
	}
	codes := []string{}
	for _, w := range all[4].why {
		codes = append(codes, w.Code)
	}
	slices.Sort(codes)
	if !slices.Equal(codes, []string{"import.bad_amount", "import.bad_day", "import.bad_gstin", "import.unknown_state"}) || *all[4].step.Listed.Due != "2024-07-01" {
		t.Errorf("of the row with mistakes it is said %q", codes)
	}
	if all, _ := planOf(t, rows, store.Holdings{}, member, true); all[6].what != lineNewClient || all[6].step.NewMatter.State != "closed" {
		t.Errorf("for a partner the closed row comes to %s", all[6].what)
	}

	// A notice that is there already is recognised by its number, even with a misread letter, and by
	// its mark.
	matter, client := uuid.New(), uuid.New()
	known := store.Holdings{}
	known.Clients = append(known.Clients, store.KnownClient{ID: client, Name: "Kaveri Textiles", NameKey: nameKey("Kaveri Textiles"), Gstins: []string{"27ZAPCS4821K1Z6"}})
	known.Papers = append(known.Papers, store.KnownPaper{MatterID: &matter, ClientID: &client, Gstin: new("27ZAPCS4821K1Z6"), Form: new("ASMT-10"), Track: "demand", Stage: "scrutiny",
		Years: []string{"2020-21"}, Numbers: []string{numberKey("ZD27O524OO1122B")}})
	all, _ = planOf(t, rows[:3], known, member, false)
	if !slices.Equal(whats(all), []string{lineKnown, lineAttached}) || *all[1].matter != matter || all[1].step.NewMatter != nil {
		t.Errorf("beside what is there the rows come to %q", whats(all))
	}
}

// Rows with the same registration and year that are about different things become separate matters.
func TestPlaceApart(t *testing.T) {
	for name, test := range map[string]struct {
		rows    [][]string
		matters int
	}{
		"a chain": {[][]string{{"ASMT-10", "ZD270524001122B", "01/05/2024", "4,00,000", "excess credit"},
			{"DRC-01A", "ZD270824001122B", "01/08/2024", "4,00,000", "section 73"}, {"DRC-01", "ZD271124001122B", "01/11/2024", "4,20,000", "u/s 73"}}, 1},
		"two show cause notices": {[][]string{{"DRC-01A", "ZD270824001122B", "01/08/2024", "4,00,000", ""},
			{"DRC-01", "ZD271124001122B", "01/11/2024", "4,00,000", ""}, {"DRC-01", "ZD271124009999B", "05/11/2024", "90,000", ""}}, 2},
		"a scrutiny after the order": {[][]string{{"DRC-07", "ZD270524001122B", "01/05/2024", "4,00,000", ""},
			{"ASMT-10", "ZD270824001122B", "01/08/2024", "4,00,000", ""}}, 2},
		"another section": {[][]string{{"DRC-01A", "ZD270824001122B", "01/08/2024", "4,00,000", "u/s 73"},
			{"DRC-01", "ZD271124001122B", "01/11/2024", "25,000", "Penalty under section 125"}}, 2},
		"dates unknown": {[][]string{{"DRC-07", "ZD270524001122B", "", "4,00,000", ""}, {"ASMT-10", "ZD270824001122B", "", "4,00,000", ""}}, 1},
	} {
		rows := [][]string{{"Client", "GSTIN", "F.Y.", "Form", "Reference", "Notice Date", "Demand", "Subject"}}
		for _, r := range test.rows {
			rows = append(rows, append([]string{"Kaveri Textiles", "27ZAPCS4821K1Z6", "2020-21"}, r...))
		}
		all, _ := planOf(t, rowsOf(rows...), store.Holdings{}, store.Firm{}, true)
		matters := map[uuid.UUID]bool{}
		for _, o := range all {
			matters[o.step.Matter] = true
		}
		if len(matters) != test.matters {
			t.Errorf("%s: %d matters, want %d: %v", name, len(matters), test.matters, whats(all))
		}
	}
}

// Munshi's own register is imported exactly: every row is understood without a doubt, and each cell is
// unchanged.
func TestOwnRegister(t *testing.T) {
	due, hearing, arn, answered := "2026-06-11", "2026-06-20", "AD270525001234X", "2026-06-01"
	paise := int64(118000_50)
	was := []store.RegisterRow{
		{Client: "+Kaveri Textiles", Gstin: new("27ZAPCS4821K1Z6"), Form: new("DRC-01"), Reference: new("ZD270524001122B"), Issued: new("2026-05-12"), ServedOn: "2026-05-14",
			ReplyBy: &due, HearingOn: &hearing, Stage: "notice", State: "drafting", FirstYear: new("2020-21"), LastYear: new("2021-22"), DemandPaise: &paise,
			Demand: []byte(`[{"head":"CGST","tax":50000.25},{"head":"SGST","tax":50000.25},{"head":"","interest":18000,"penalty":0}]`), Officer: new("Pune-4")},
		{Client: "Malnad Coffee", Stage: "order", State: "filed", Form: new("DRC-07"), AnsweredOn: answered, Arn: &arn, Demand: []byte("[]"), Listed: true},
		{Client: "Malnad Coffee", Stage: "scrutiny", State: "heard", Form: new("Letter"), Issued: new("2026-01-02"), Demand: []byte("[]"), Listed: true},
	}
	for _, language := range []string{"en", "hi"} {
		var b bytes.Buffer
		if err := (Register{}).Write(&b, was, language); err != nil {
			t.Fatal(err)
		}
		before := cellsOf(t, b.Bytes())
		rows := []read.Row{}
		for i, cells := range before {
			rows = append(rows, read.Row{Number: i + 1, Cells: cells})
		}
		all, l := planOf(t, rows, store.Holdings{}, store.Firm{}, true)
		if !l.Own || len(all) != len(was) {
			t.Fatalf("%s: it is not known as ours: %+v", language, l)
		}
		again := []store.RegisterRow{}
		for i, o := range all {
			if len(o.doubts) > 0 || o.step == nil {
				t.Fatalf("%s: row %d comes to %s, %v", language, i, o.what, o.why)
			}
			n := o.step.Listed
			row := store.RegisterRow{Client: o.client, Gstin: n.GSTIN, Form: n.Form, Reference: n.Reference, Issued: n.Issued, ServedOn: orEmpty(n.Received), ReplyBy: n.Due, HearingOn: n.Hearing,
				Demand: n.Demand, DemandPaise: n.DemandPaise, Officer: n.Officer, Stage: n.Stage, State: o.step.NewMatter.State, AnsweredOn: orEmpty(n.AnsweredOn), Arn: n.Arn, Listed: true}
			if row.Form == nil && n.Kind != "" {
				row.Form = &n.Kind
			}
			if len(n.Years) > 0 {
				row.FirstYear, row.LastYear = &n.Years[0], &n.Years[len(n.Years)-1]
			}
			again = append(again, row)
		}
		b.Reset()
		if err := (Register{}).Write(&b, again, language); err != nil {
			t.Fatal(err)
		}
		for i, cells := range cellsOf(t, b.Bytes()) {
			if !slices.Equal(cells, before[i]) {
				t.Errorf("%s: row %d was\n%q and is\n%q", language, i, before[i], cells)
			}
		}
	}
}

func cellsOf(t *testing.T, book []byte) [][]string {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(book), excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := f.GetRows(f.GetSheetList()[0])
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Five thousand rows are placed in a moment: the number of comparisons for a row does not grow with
// the firm.
func BenchmarkPlace(b *testing.B) {
	lines := []line{}
	for i := range mostRows {
		lines = append(lines, line{key: strconv.Itoa(i), client: "Client " + strconv.Itoa(i%500), form: "DRC-01", reference: "ZD2705240" + strconv.Itoa(100000+i), years: []string{"2020-21"},
			issued: time.Date(2024, 1, 1+i%300, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), track: "demand", stage: Notice})
	}
	for b.Loop() {
		p := newPlanner(store.Holdings{})
		for _, l := range lines {
			p.place("register", l)
		}
	}
}
