package app_test

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"mime/multipart"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/api"
	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
	"munshi/orchestrator/gst"
	"munshi/workflows"
)

// handFigures uploads files of figures for a notice.
func (v *person) handFigures(conversation string, paths ...string) api.Message {
	v.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, path := range paths {
		content, err := os.ReadFile(path)
		must(v.t, err)
		part, err := form.CreateFormFile("file", filepath.Base(path))
		must(v.t, err)
		_, err = part.Write(content)
		must(v.t, err)
	}
	must(v.t, form.Close())
	var turn api.Turn
	v.call("POST", "/api/conversations/"+conversation+"/figures", form.FormDataContentType(), &body, 202, &turn)
	return v.answer(conversation, turn)
}

func (v *person) figures(conversation string) (f api.FiguresShown) {
	v.t.Helper()
	v.get("/api/conversations/"+conversation+"/figures", &f)
	return f
}

func (v *person) figureEntries(conversation, query string) (list api.FigureEntries) {
	v.t.Helper()
	v.get("/api/conversations/"+conversation+"/figures/entries?"+query, &list)
	return list
}

func together(tax []int64) (sum int64) {
	for _, paise := range tax {
		sum += paise
	}
	return sum
}

// scrutiny is an ASMT-10 about credit claimed in excess of GSTR-2B.
func scrutiny(b figurestest.Business) []byte {
	var excess figures.Tax
	for _, tax := range b.Planted {
		excess = excess.Plus(tax)
	}
	rupees := func(paise int64) string { return strings.TrimPrefix(gst.Rupees(paise), "₹") }
	return textPDF([]string{"FORM GST ASMT-10", "[See rule 99(1)]", "Reference No.: ZD270125004411A          Date: 10/01/2025", "To,", "GSTIN: " + b.GSTIN,
		"Name: Fictional Traders", "Address: 12 Example Road, Pune", "Tax Period: April 2023 to March 2024          F.Y.: 2023-24",
		"Notice for intimating discrepancies in the return after scrutiny",
		"This is to inform that during scrutiny of the return for the tax period referred to above, the following", "discrepancies have been noticed:",
		"1. The input tax credit claimed in table 4(A)(5) of GSTR-3B exceeds the credit available in GSTR-2B. The excess",
		"credit of tax is IGST Rs. " + rupees(excess[0]) + ", CGST Rs. " + rupees(excess[1]) + " and SGST Rs. " + rupees(excess[2]) + ",",
		"in all Rs. " + rupees(excess.Sum()) + ".",
		"You are hereby directed to explain the reasons for the aforesaid discrepancies by 09/02/2025.", "Designation: State Tax Officer", "Jurisdiction: Pune-4"})
}

// Files from the portal and the books answer an allegation that is arithmetic: the result adds up, a class that a
// person chose is kept, the reply has the table, and wrong files are refused with an explanation.
func TestFigures(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	b := figurestest.New(figurestest.Design{Seed: 7, Invoices: 300, Portal: figures.GSTR2B, FirstYear: 2023})
	folder := t.TempDir()
	paths, err := figurestest.Folder(folder, b, figurestest.Tally)
	must(t, err)
	paths = paths[1:] // without the notice's facts
	c := v.converse()
	var turn api.Turn
	v.upload(c, "asmt-10.pdf", "application/pdf", "", scrutiny(b), 202, &turn)
	v.answer(c, turn)
	if f := v.figures(c); len(f.Files) != 0 || f.ComputedAt != nil {
		t.Errorf("before any file there are %+v", f)
	}
	v.draftReply(c)
	point := func(id string) api.Point {
		t.Helper()
		var brief api.Brief
		v.get("/api/conversations/"+c+"/brief", &brief)
		i := slices.IndexFunc(brief.Points, func(p api.Point) bool { return p.ID == id })
		if i < 0 {
			t.Fatalf("the brief has no point %s", id)
		}
		return brief.Points[i]
	}
	asked := func() string {
		t.Helper()
		var interview api.Interview
		v.get("/api/conversations/"+c+"/reply/interview", &interview)
		var all []string
		for _, q := range interview.Questions {
			all = append(all, q.Key)
		}
		return strings.Join(all, " ")
	}
	if before := point("credit-timing"); before.Verdict != "may_apply" || before.English.Ask == "" || !strings.Contains(asked(), "credit-timing") {
		t.Errorf("before any file timing is %+v; asked is %s", before, asked())
	}

	broken := filepath.Join(folder, "secret.xls")
	must(t, os.WriteFile(broken, []byte("\xd0\xcf\x11\xe0 an old workbook"), 0o600))
	said := v.handFigures(c, append(slices.Clone(paths), broken)...)
	p.keepHistory(t, "figures", workflows.TurnWorkflowID(said.TurnID))
	if !strings.Contains(said.Text, "is explained") || !strings.Contains(said.Text, "secret.xls is in a spreadsheet format") {
		t.Errorf("the conversation says %q", said.Text)
	}
	f := v.figures(c)
	refused := f.Files[slices.IndexFunc(f.Files, func(f api.FigureFile) bool { return f.Name == "secret.xls" })]
	if refused.State != "refused" || refused.Problem == nil || refused.Problem.Code != "figures_old_excel" {
		t.Errorf("the old workbook is %+v", refused)
	}
	if len(f.Files) != len(paths)+1 || f.Files[0].State != "read" || f.Files[0].Rows == 0 {
		t.Errorf("the files are %+v", f.Files)
	}
	if len(f.Allegations) != 1 || f.Allegations[0].What != figures.CreditClaimed || f.Allegations[0].Notice == nil {
		t.Fatalf("what is alleged is %+v", f.Allegations)
	}
	a := f.Allegations[0]
	if together(a.Explained)+together(a.Remains) != together(a.Files) || math.Abs(float64(together(a.Notice)-together(a.Files))) > 100 {
		t.Errorf("explained %v and remaining %v do not make up %v, or the notice's %v", a.Explained, a.Remains, a.Files, a.Notice)
	}
	if len(a.Pay) == 0 || a.Pay[0].Interest == 0 || a.PayBy == nil {
		t.Errorf("the DRC-03 is %+v by %v", a.Pay, a.PayBy)
	}

	// The defences and the interview use the result of the comparison.
	timing := point("credit-timing")
	var moved int64
	for _, s := range a.Shares {
		if s.Class == string(figures.OtherMonth) || s.Class == string(figures.AcrossYear) {
			moved += together(s.Tax)
		}
	}
	if timing.Verdict != "applies" || timing.Amount == nil || math.Round(*timing.Amount*100) != float64(moved) || timing.English.Ask != "" ||
		!slices.ContainsFunc(timing.Because, func(q api.PointQuote) bool { return strings.HasPrefix(q.File, "GSTR") && q.Rows > 0 }) {
		t.Errorf("with the files timing of %d is %+v", moved, timing)
	}
	if now := asked(); strings.Contains(now, "credit-timing") || strings.Contains(now, "para:") {
		t.Errorf("with the files these are still asked: %s", now)
	}
	paragraph := partOf(t, v.reply(c).Draft, "para:1").Text
	if !strings.Contains(paragraph, "- Explained, ") || !strings.Contains(paragraph, "What remains so far is ") || strings.Contains(paragraph, "for each invoice in dispute") ||
		strings.Contains(paragraph, "Reconciliation of GSTR-2A") {
		t.Errorf("the paragraph is %q", paragraph)
	}

	// A class that a person chose is kept, even with other files.
	only := v.figureEntries(c, "class=only_books&sort=amount&most=5")
	if only.Total == 0 || len(only.Entries) == 0 || only.Entries[0].Books == nil {
		t.Fatalf("documents in the books alone: %+v", only)
	}
	chosen := only.Entries[0]
	if found := v.figureEntries(c, "q="+chosen.Books.GSTIN); found.Total == 0 || found.Total == v.figureEntries(c, "").Total {
		t.Errorf("a search for one supplier finds %d", found.Total)
	}
	v.post("/api/conversations/"+c+"/figures/class", map[string]string{"record": chosen.Record, "class": "beyond_books"}, 422, nil)
	var after api.FiguresShown
	v.post("/api/conversations/"+c+"/figures/class", map[string]string{"record": chosen.Record, "class": "other_month"}, 200, &after)
	if moved := together(after.Allegations[0].Explained) - together(a.Explained); moved != together(chosen.Books.Tax) {
		t.Errorf("with a document of %d in another class %d more is explained", together(chosen.Books.Tax), moved)
	}
	v.post("/api/conversations/"+c+"/figures/"+refused.ID+"/remove", struct{}{}, 202, &turn)
	v.answer(c, turn)
	if again := v.figures(c); len(again.Files) != len(paths) || together(again.Allegations[0].Explained) != together(after.Allegations[0].Explained) {
		t.Errorf("with a file less %v is explained, and there are %d files", again.Allegations[0].Explained, len(again.Files))
	}
	if own := v.figureEntries(c, "class=other_month&sort=amount&most=200"); !slices.ContainsFunc(own.Entries, func(e api.FigureEntry) bool { return e.Record == chosen.Record && e.Own }) {
		t.Error("the class that the person gave is gone")
	}

	// In the reply that was drafted before, and in the workbook.
	draft := v.reply(c).Draft
	if table := partOf(t, draft, "figures:1").Text; !strings.Contains(table, "As alleged in the notice") || !strings.Contains(table, "FORM GST DRC-03") {
		t.Errorf("the reply has %q", table)
	}
	if annexure := partOf(t, draft, "annexure:1").Text; !strings.Contains(annexure, "Only in the books") {
		t.Errorf("the annexure is %.300q", annexure)
	}
	if index := partOf(t, draft, "annexures").Text; !strings.Contains(index, "with the workbook") {
		t.Errorf("the index of annexures is %q", index)
	}
	file, kind := v.download("/api/conversations/" + c + "/figures/workbook")
	if !strings.Contains(kind, ".xlsx") {
		t.Errorf("the workbook is sent as %q", kind)
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	must(t, err)
	book, err := archive.Open("xl/workbook.xml")
	must(t, err)
	sheets, err := io.ReadAll(book)
	must(t, err)
	if !strings.Contains(string(sheets), "Allegation (credit)") {
		t.Errorf("the workbook has %s", sheets)
	}

	// Sales are compared too, each comparison with documents and classes of its own.
	register, gstr1 := filepath.Join(folder, "sales register.csv"), filepath.Join(folder, "gstr-1.json")
	must(t, os.WriteFile(register, []byte("Invoice No,Invoice Date,Customer GSTIN,Customer Name,Taxable Value,IGST\n"+
		"S-1001,10-04-2023,29AAAAA0000A1Z5,Fictional Buyer,1000,180\nS-1002,11-04-2023,29AAAAA0000A1Z5,Fictional Buyer,2000,360\n"), 0o600))
	must(t, os.WriteFile(gstr1, []byte(`{"gstin":"`+b.GSTIN+`","fp":"042023","b2cs":[],"b2b":[{"ctin":"29AAAAA0000A1Z5","inv":[
		{"inum":"S-1001","idt":"10-04-2023","itms":[{"itm_det":{"txval":1000,"iamt":180}}]}]}]}`), 0o600))
	v.handFigures(c, register, gstr1)
	f = v.figures(c)
	i := slices.IndexFunc(f.Allegations, func(a api.FigureAllegation) bool { return a.What == figures.SalesDeclared })
	if i < 0 || together(f.Allegations[i].Remains) != 360_00 || f.Allegations[i].Name.English != "Sales register against GSTR-1" {
		t.Fatalf("with sales %+v is compared", f.Allegations)
	}
	sold := v.figureEntries(c, "what=sales_declared&class=not_declared")
	if sold.Total != 1 || sold.Entries[0].Books.Number != "S-1002" {
		t.Errorf("not in GSTR-1 are %+v", sold)
	}
	v.post("/api/conversations/"+c+"/figures/class", map[string]string{"record": sold.Entries[0].Record, "class": "only_portal"}, 422, nil)
	v.post("/api/conversations/"+c+"/figures/class", map[string]string{"record": sold.Entries[0].Record, "class": "across_year"}, 200, &f)
	if together(f.Allegations[i].Explained) != 360_00 || len(f.Papers) != 2 {
		t.Errorf("with another class %+v", f.Allegations[i])
	}
	if own := v.figureEntries(c, "class=other_month&sort=amount&most=200"); !slices.ContainsFunc(own.Entries, func(e api.FigureEntry) bool { return e.Own }) {
		t.Error("the class given for a purchase is gone")
	}
	file, _ = v.download("/api/conversations/" + c + "/figures/workbook?language=hi")
	if book, err := excelize.OpenReader(bytes.NewReader(file)); err != nil || !slices.Contains(book.GetSheetList(), "आरोप (बिक्री)") {
		t.Errorf("the workbook in Hindi has %v", err)
	}

	letters, kind := v.download("/api/conversations/" + c + "/figures/letters")
	if !strings.Contains(kind, ".docx") || !bytes.HasPrefix(letters, []byte("PK")) {
		t.Errorf("the letters are sent as %q", kind)
	}

	// Another column that a person chooses for a value is kept for the client, and the choice can
	// be undone.
	registered := func() api.FigureFile {
		all := v.figures(c).Files
		return all[slices.IndexFunc(all, func(f api.FigureFile) bool { return f.Name == "sales register.csv" })]
	}
	was := registered()
	if was.Table == nil || was.Table.Chosen || !slices.Equal(was.Table.Taken["number"], []int{0}) {
		t.Fatalf("the columns are %+v", was.Table)
	}
	columns := func(chosen map[string]int, status int) {
		t.Helper()
		v.post("/api/conversations/"+c+"/figures/"+was.ID+"/columns", map[string]any{"columns": chosen}, status, &turn)
		if status == 202 {
			v.answer(c, turn)
		}
	}
	columns(map[string]int{"igst": 9}, 422)
	columns(map[string]int{"igst": 4}, 202)
	if now := registered(); !now.Table.Chosen || now.Tax != 3000_00 {
		t.Errorf("with another column the register is %+v", now)
	}
	columns(map[string]int{"date": 3, "booked": -1}, 202)
	if now := registered(); now.State != "read" || !slices.Contains(now.Notes, "columns_not_used") || now.Tax != was.Tax {
		t.Errorf("with a column that has no days the register is %+v", now)
	}
	columns(map[string]int{}, 202)
	if now := registered(); now.Table.Chosen || now.Tax != was.Tax {
		t.Errorf("with the columns as recognised the register is %+v", now)
	}

	// A file that does not belong to the notice is refused, and no file of figures becomes a page.
	other := figurestest.New(figurestest.Design{Seed: 8, Invoices: 10, Portal: figures.GSTR2B, FirstYear: 2015})
	strange := t.TempDir()
	wrong, err := figurestest.Folder(strange, other, figurestest.Tally)
	must(t, err)
	v.handFigures(c, wrong[1])
	if f := v.figures(c); f.Files[len(f.Files)-1].Problem == nil || f.Files[len(f.Files)-1].Problem.Code != "figures_other_period" {
		t.Errorf("a return of other months is %+v", f.Files[len(f.Files)-1])
	}
	var problem api.Problem
	form, body := uploadForm(t, "reply.docx", "application/octet-stream", "", []byte("words"))
	v.call("POST", "/api/conversations/"+c+"/figures", form, body, 422, &problem)
	if problem.Code != "figures_type" {
		t.Errorf("a Word file is refused as %+v", problem)
	}
	if documents := v.detail(c).Documents; len(documents) != 1 {
		t.Errorf("the conversation has %d documents to open", len(documents))
	}
}

// The cash ledger answers a notice that asks for interest on late returns: on the screen of figures, in what the
// conversation says, in the brief and in the reply.
func TestFiguresOfLateReturns(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	var turn api.Turn
	v.upload(c, "drc-01.pdf", "application/pdf", "", textPDF([]string{"FORM GST DRC-01", "[See rule 142(1)(a)]", "Summary of Show Cause Notice",
		"Reference No. : ZD290525004411A    Date : 20/05/2025", "GSTIN : 29XKMFM7714C1ZX", "Name : Fictional Traders",
		"Tax Period : AUG 2024 - SEP 2024    F.Y. : 2024-25", "Section under which show cause notice is issued 73",
		"1. Interest under section 50 on delayed filing of GSTR-3B returns.", "Act    Tax    Interest    Penalty    Total",
		"CGST    0    1,000    0    1,000", "SGST    0    1,000    0    1,000", "Total    0    2,000    0    2,000"}), 202, &turn)
	v.answer(c, turn)
	v.draftReply(c)
	ledger := filepath.Join(t.TempDir(), "cash.csv")
	must(t, os.WriteFile(ledger, []byte(strings.Join([]string{
		"Electronic Cash Ledger,,,,,,,,,,,,,,,,,", "GSTIN,29XKMFM7714C1ZX,,,,,,,,,,,,,,,,",
		"Sr No,Date,Reference No.,Tax Period,Description,Transaction Type,Amount Debited/Credited (Rs.),,,,,,Balance (Rs.),,,,,",
		",,,,,,Central Tax,,,State Tax,,,Central Tax,,,State Tax,,",
		",,,,,,Tax,Interest,Total,Tax,Interest,Total,Tax,Interest,Total,Tax,Interest,Total",
		"1,10/09/2024,CPIN1,-,Amount deposited,Credit,18250,0,18250,36500,0,36500,18250,0,18250,36500,0,36500",
		"2,30/09/2024,CPIN2,-,Amount deposited,Credit,18250,0,18250,0,0,0,36500,0,36500,36500,0,36500",
		"3,30/09/2024,DC1,Aug-24,Other than reverse charge,Debit,36500,0,36500,36500,0,36500,0,0,0,0,0,0",
		"4,20/10/2024,CPIN3,-,Amount deposited,Credit,100,0,100,100,0,100,100,0,100,100,0,100",
		"5,20/10/2024,DC2,Sep-24,Other than reverse charge,Debit,100,0,100,100,0,100,0,0,0,0,0,0",
	}, "\n")), 0o600))
	said := v.handFigures(c, ledger)
	if !strings.Contains(said.Text, "the notice asks for ₹2,000; according to the ledgers ₹90 is due") {
		t.Errorf("the conversation says %q", said.Text)
	}
	l := v.figures(c).Late
	if l == nil || len(l.Returns) != 1 || l.Due != 90_00 || l.OnLay != 270_00 || l.Notice == nil || *l.Notice != 2_000_00 || l.Other == nil || *l.Other != 1_640_00 ||
		!slices.Equal(l.Paragraphs, []string{"1"}) {
		t.Fatalf("the interest on late returns is %+v", l)
	}
	if r := l.Returns[0]; r.Period != "2024-08" || r.Due != "2024-09-20" || r.Paid != "2024-09-30" || r.Days != 10 || !slices.Equal(r.Cash, []int64{0, 36_500_00, 36_500_00, 0}) ||
		r.Lay != 54_750_00 || r.Interest != 90_00 {
		t.Errorf("the return is %+v", r)
	}
	var brief api.Brief
	v.get("/api/conversations/"+c+"/brief", &brief)
	if i := slices.IndexFunc(brief.Points, func(p api.Point) bool { return p.ID == "interest-on-cash-in-ledger" }); i < 0 || brief.Points[i].Verdict != "applies" {
		t.Errorf("the points of the brief are %+v", brief.Points)
	}
	draft := v.reply(c).Draft
	if table := partOf(t, draft, "figures:late").Text; !strings.Contains(table, "| August 2024 | 20.09.2024 | 30.09.2024 | 10 | ₹36,500 | ₹36,500 | ₹54,750 | ₹90 |") ||
		!strings.Contains(table, "| Interest asked for | ₹2,000 |") {
		t.Errorf("the reply has %q", table)
	}
}
