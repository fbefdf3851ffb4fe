package bookkeeping

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// Registers are the programs in whose format purchase registers can be written.
var Registers = []string{"tally", "busy", "zoho", "accountant", "hindi"}

// Write writes the papers into a folder and returns their paths: the monthly statements, twelve returns, the purchase
// register; and for sales the monthly GSTR-1, the register, the e-way bills and the e-invoices.
func (b *Business) Write(folder string) (paths []string, err error) {
	w := &writer{b: b, folder: folder}
	for i := range 21 {
		w.statement(time.Date(b.Year, time.April, 1, 0, 0, 0, 0, time.UTC).AddDate(0, i, 0))
	}
	for i := range 12 {
		month := time.Date(b.Year, time.April, 1, 0, 0, 0, 0, time.UTC).AddDate(0, i, 0)
		w.gstr3b(month, b.returns[i])
		w.gstr1(month)
	}
	w.purchases()
	w.salesRegister()
	w.ewayBills()
	w.eInvoices()
	return w.paths, w.err
}

type writer struct {
	b      *Business
	folder string
	paths  []string
	err    error
}

type object = map[string]any

func rupees(paise int64) json.Number { return json.Number(plain(paise)) }

// plain formats paise as "-1234.5", without trailing zeros, as spreadsheets and JSON do.
func plain(paise int64) string {
	sign := ""
	if paise < 0 {
		sign, paise = "-", -paise
	}
	s := fmt.Sprintf("%s%d.%02d", sign, paise/100, paise%100)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// grouped formats paise as "1,23,456.00".
func grouped(paise int64) string {
	sign := ""
	if paise < 0 {
		sign, paise = "-", -paise
	}
	whole := fmt.Sprint(paise / 100)
	head, tail := "", whole
	if len(whole) > 3 {
		head, tail = whole[:len(whole)-3], whole[len(whole)-3:]
		for i := len(head) - 2; i > 0; i -= 2 {
			head = head[:i] + "," + head[i:]
		}
		head += ","
	}
	return fmt.Sprintf("%s%s%s.%02d", sign, head, tail, paise%100)
}

func dmy(t time.Time) string    { return t.Format("02-01-2006") }
func mmyyyy(t time.Time) string { return t.Format("012006") }

func abs(n int64) int64 { return max(n, -n) }

func (w *writer) put(name string, content []byte) {
	if w.err != nil {
		return
	}
	path := filepath.Join(w.folder, name)
	if w.err = os.WriteFile(path, content, 0o600); w.err == nil {
		w.paths = append(w.paths, path)
	}
}

func (w *writer) json(name string, v any) {
	content, err := json.Marshal(v)
	if err != nil {
		w.err = err
		return
	}
	w.put(name, content)
}

// statement writes a month of GSTR-2A or 2B, grouped by supplier as on the portal.
func (w *writer) statement(month time.Time) {
	tables := map[string][]reported{}
	found := false
	for _, r := range w.b.reported {
		if r.period.Equal(month) {
			tables[r.table] = append(tables[r.table], r)
			found = true
		}
	}
	if !found {
		return
	}
	if w.b.Statement == "GSTR-2A" {
		w.gstr2a(month, tables)
		return
	}
	flat := w.b.Year >= 2024
	docs := object{}
	for table, all := range tables {
		slices.SortStableFunc(all, func(a, b reported) int { return strings.Compare(a.gstin, b.gstin) })
		var parties []object
		for i := 0; i < len(all); {
			r := all[i]
			party := object{"ctin": r.gstin, "trdnm": r.name, "supprd": mmyyyy(r.date),
				"supfildt": "11-" + r.period.AddDate(0, 1, 0).Format("01-2006")}
			var list []object
			for ; i < len(all) && (all[i].gstin == r.gstin && table != "impg" || len(list) == 0); i++ {
				list = append(list, w.doc2b(all[i], flat))
			}
			switch table {
			case "impg":
				parties = append(parties, list[0])
				continue
			case "isd":
				party["doclist"] = list
			case "cdnr":
				party["nt"] = list
			default:
				party["inv"] = list
			}
			parties = append(parties, party)
		}
		docs[table] = parties
	}
	w.json("returns_R2B_"+w.b.GSTIN+"_"+mmyyyy(month)+".json",
		object{"chksum": "0000", "data": object{"gstin": w.b.GSTIN, "rtnprd": mmyyyy(month), "version": "1.0",
			"gendt": "14-" + month.AddDate(0, 1, 0).Format("01-2006"), "itcsumm": object{}, "cpsumm": object{},
			"docdata": docs}})
}

func (w *writer) doc2b(r reported, flat bool) object {
	taxable, tax := total(r.lines)
	amounts := func(taxable int64, tax heads) object {
		return object{"txval": rupees(abs(taxable)), "igst": rupees(abs(tax[0])), "cgst": rupees(abs(tax[1])),
			"sgst": rupees(abs(tax[2])), "cess": rupees(abs(tax[3]))}
	}
	o := amounts(taxable, tax)
	if !flat && r.table != "impg" && r.table != "isd" {
		o = object{}
		var items []object
		for i, l := range r.lines {
			item := amounts(l.taxable, l.tax)
			item["num"], item["rt"] = i+1, l.rate
			items = append(items, item)
		}
		o["items"] = items
	}
	rev := "N"
	if r.reverse {
		rev = "Y"
	}
	switch r.table {
	case "impg":
		o["boenum"], o["boedt"], o["refdt"], o["recdt"], o["portcode"], o["isamd"] = r.number, dmy(r.date), dmy(r.date), dmy(r.date), "INMAA1", "N"
		return o
	case "isd":
		delete(o, "txval")
		o["docnum"], o["docdt"], o["doctyp"], o["itcelg"] = r.number, dmy(r.date), "ISDI", "Y"
		if r.credit {
			o["doctyp"] = "ISDC"
		}
		return o
	case "cdnr":
		o["ntnum"], o["typ"], o["suptyp"] = r.number, r.noteType, "R"
	default:
		o["inum"], o["typ"] = r.number, "R"
	}
	if r.original != "" {
		o["oinum"], o["oidt"] = r.original, dmy(r.originalDate)
	}
	o["dt"], o["val"], o["pos"], o["rev"], o["itcavl"], o["rsn"], o["diffprcnt"] = dmy(r.date), rupees(abs(taxable)+
		abs(tax.sum())), w.b.GSTIN[:2], rev, r.available, r.why, 1
	return o
}

func (w *writer) gstr2a(month time.Time, tables map[string][]reported) {
	top := object{"gstin": w.b.GSTIN, "fp": mmyyyy(month)}
	names := map[string]string{"cdnr": "cdn", "ecom": "b2b"}
	for table, all := range tables {
		for _, r := range all {
			taxable, tax := total(r.lines)
			items := []object{}
			for i, l := range r.lines {
				items = append(items, object{"num": i + 1,
					"itm_det": object{"rt": l.rate, "txval": rupees(abs(l.taxable)), "iamt": rupees(abs(l.tax[0])),
						"camt": rupees(abs(l.tax[1])), "samt": rupees(abs(l.tax[2])), "csamt": 0}})
			}
			yes := func(b bool) string {
				if b {
					return "Y"
				}
				return "N"
			}
			party := object{"ctin": r.gstin, "cfs": yes(r.filed), "cfs3b": yes(r.filed),
				"fldtr1": r.period.AddDate(0, 1, 10).Format("02-Jan-06"), "flprdr1": r.period.Format("Jan-06")}
			if !r.filed {
				delete(party, "fldtr1")
			}
			if r.cancelled {
				party["dtcancel"] = r.cancelledOn.Format("02-Jan-06")
			}
			name := table
			if n, ok := names[table]; ok {
				name = n
			}
			switch table {
			case "impg":
				top[name] = append(list(top[name]),
					object{"refdt": dmy(r.date), "portcd": "INMAA1", "benum": json.Number(r.number),
						"bedt": dmy(r.date), "txval": rupees(taxable), "iamt": rupees(tax[0]), "csamt": 0, "amd": "N"})
				continue
			case "isd":
				kind := "ISD"
				if r.credit {
					kind = "ISDCN"
				}
				party["doclist"] = []object{{"isd_docty": kind, "docnum": r.number, "docdt": dmy(r.date),
					"itc_elg": "Y", "iamt": rupees(abs(tax[0])), "camt": rupees(abs(tax[1])),
					"samt": rupees(abs(tax[2])), "cess": 0}}
			case "cdnr":
				party["nt"] = []object{{"ntty": r.noteType, "nt_num": r.number, "nt_dt": dmy(r.date), "p_gst": "N",
					"inum": strings.TrimPrefix(r.number, "C"), "idt": dmy(r.date),
					"val": rupees(abs(taxable) + abs(tax.sum())), "rchrg": yes(r.reverse), "pos": w.b.GSTIN[:2],
					"inv_typ": "R", "itms": items}}
			default:
				doc := object{"inum": r.number, "idt": dmy(r.date), "val": rupees(taxable + tax.sum()),
					"pos": w.b.GSTIN[:2], "rchrg": yes(r.reverse), "inv_typ": "R", "itms": items}
				if r.original != "" {
					doc["oinum"], doc["oidt"] = r.original, dmy(r.originalDate)
				}
				party["inv"] = []object{doc}
			}
			top[name] = append(list(top[name]), party)
		}
	}
	w.json("returns_R2A_"+w.b.GSTIN+"_"+mmyyyy(month)+".json", top)
}

func list(v any) []object {
	l, _ := v.([]object)
	return l
}

func (w *writer) gstr3b(month time.Time, s summary) {
	amounts := func(t heads) object {
		return object{"iamt": rupees(t[0]), "camt": rupees(t[1]), "samt": rupees(t[2]), "csamt": rupees(t[3])}
	}
	var available []object
	for _, ty := range []string{"IMPG", "IMPS", "ISRC", "ISD", "OTH"} {
		o := amounts(s.available[ty])
		o["ty"] = ty
		available = append(available, o)
	}
	reversed := amounts(s.reversed)
	reversed["ty"] = "OTH"
	outward := amounts(s.outward)
	outward["txval"] = rupees(s.taxable)
	w.json("GSTR3B_"+w.b.GSTIN+"_"+mmyyyy(month)+".json",
		object{"gstin": w.b.GSTIN, "ret_period": mmyyyy(month), "sup_details": object{"osup_det": outward},
			"itc_elg": object{"itc_avl": available, "itc_rev": []object{reversed}, "itc_net": amounts(heads{})}})
}

func (w *writer) gstr1(month time.Time) {
	var b2b, cdnr, exp, b2cs []object
	for i, s := range w.b.sales {
		if s.inGSTR1 == "" || !s.declared.Equal(month) {
			continue
		}
		taxable, tax := total(s.lines)
		items := []object{}
		for n, l := range s.lines {
			items = append(items, object{"num": n + 1,
				"itm_det": object{"rt": l.rate, "txval": rupees(abs(l.taxable)), "iamt": rupees(abs(l.tax[0])),
					"camt": rupees(abs(l.tax[1])), "samt": rupees(abs(l.tax[2])), "csamt": 0}})
		}
		switch {
		case s.consumer && !s.note:
			b2cs = append(b2cs, object{"sply_ty": "INTRA", "rt": s.lines[0].rate, "typ": "OE", "pos": w.b.GSTIN[:2],
				"txval": rupees(taxable), "iamt": rupees(tax[0]), "camt": rupees(tax[1]), "samt": rupees(tax[2]),
				"csamt": 0})
		case s.export && !s.note:
			exp = append(exp, object{"exp_typ": "WPAY",
				"inv": []object{{"inum": s.number, "idt": dmy(s.date), "val": rupees(taxable + tax.sum()),
					"itms": []object{{"rt": 18, "txval": rupees(taxable), "iamt": rupees(tax.sum()), "csamt": 0}}}}})
		case s.note:
			cdnr = append(cdnr, object{"ctin": s.customer,
				"nt": []object{{"ntty": "C", "nt_num": s.number, "nt_dt": dmy(s.date), "rchrg": "N", "pos": "29",
					"inv_typ": "R", "val": rupees(abs(taxable) + abs(tax.sum())), "itms": items}}})
		default:
			b2b = append(b2b, object{"ctin": s.customer,
				"inv": []object{{"inum": s.number, "idt": dmy(s.date), "val": rupees(taxable + tax.sum()), "pos": "29",
					"rchrg": "N", "inv_typ": "R", "itms": items}}})
		}
		_ = i
	}
	w.json("returns_R1_"+w.b.GSTIN+"_"+mmyyyy(month)+".json",
		object{"gstin": w.b.GSTIN, "fp": mmyyyy(month), "gt": 0, "b2b": b2b, "cdnr": cdnr, "exp": exp, "b2cs": b2cs,
			"hsn": object{}})
}

// sheet writes a workbook with one table; cells are texts, numbers and dates.
func (w *writer) sheet(file, name string, rows [][]any) {
	book := excelize.NewFile()
	defer book.Close()
	date, err := book.NewStyle(&excelize.Style{NumFmt: 14})
	if err == nil {
		err = book.SetSheetName("Sheet1", name)
	}
	var stream *excelize.StreamWriter
	if err == nil {
		stream, err = book.NewStreamWriter(name)
	}
	if err != nil {
		w.err = err
		return
	}
	for i, row := range rows {
		cells := slices.Clone(row)
		for j, c := range cells {
			switch v := c.(type) {
			case time.Time:
				cells[j] = excelize.Cell{StyleID: date, Value: v}
			case int64: // in paise
				cells[j] = float64(v) / 100
			}
		}
		if err := stream.SetRow(fmt.Sprintf("A%d", i+1), cells); err != nil {
			w.err = err
			return
		}
	}
	if err := stream.Flush(); err != nil {
		w.err = err
		return
	}
	content, err := book.WriteToBuffer()
	if err != nil {
		w.err = err
		return
	}
	w.put(file, content.Bytes())
}

func (w *writer) csv(file string, comma rune, rows [][]string) {
	var b strings.Builder
	out := csv.NewWriter(&b)
	out.Comma = comma
	if err := out.WriteAll(rows); err != nil {
		w.err = err
		return
	}
	w.put(file, []byte(b.String()))
}

// purchases writes the register in the format of a program.
func (w *writer) purchases() {
	postings := slices.Clone(w.b.postings)
	slices.SortStableFunc(postings, func(a, b posting) int { return a.booked.Compare(b.booked) })
	switch w.b.Register {
	case "tally":
		w.tally(postings)
	case "busy":
		w.busy(postings)
	case "zoho":
		w.zoho(postings)
	case "hindi":
		w.hindi(postings)
	default:
		w.accountant(postings)
	}
}

// tally writes a column for each ledger, dates as dates, and purchase returns in a separate register.
func (w *writer) tally(postings []posting) {
	rates := []int64{5, 12, 18, 28}
	heading := []any{"Date", "Particulars", "Supplier Invoice No.", "Supplier Invoice Date", "Voucher Type",
		"Voucher No.", "GSTIN/UIN", "Narration", "Value", "Gross Total"}
	for _, r := range rates {
		heading = append(heading, fmt.Sprintf("Purchase @ %d%%", r))
	}
	for _, r := range rates {
		heading = append(heading, fmt.Sprintf("Input IGST %d%%", r), fmt.Sprintf("Input CGST %s%%", plain(r*50)),
			fmt.Sprintf("Input SGST %s%%", plain(r*50)))
	}
	heading = append(heading, "Round Off")
	table := func(title, kind string) [][]any {
		rows := [][]any{{"M/s Mandya Fabricators"}, {"Plot 7, KIADB Industrial Area"}, {title},
			{fmt.Sprintf("1-Apr-%02d to 31-Mar-%02d", w.b.Year%100, (w.b.Year+1)%100)}, {}, heading}
		var sum int64
		for _, p := range postings {
			if (p.kind == "return") != (kind == "Debit Note") {
				continue
			}
			taxable, tax := total(p.lines)
			gross := rounded(taxable + tax.sum())
			number := p.number
			narration := "Being goods purchased"
			if p.reverse {
				narration = "RCM"
			}
			row := []any{p.booked, p.name, number, p.date, kind, fmt.Sprintf("%d", p.withOwnVoucherNumber), p.gstin,
				narration, taxable, gross}
			by, base := map[int64]heads{}, map[int64]int64{}
			for _, l := range p.lines {
				by[l.rate], base[l.rate] = by[l.rate].plus(l.tax), base[l.rate]+l.taxable
			}
			for _, r := range rates {
				row = append(row, blank(base[r]))
			}
			for _, r := range rates {
				row = append(row, blank(by[r][0]), blank(by[r][1]), blank(by[r][2]))
			}
			rows = append(rows, append(row, blank(gross-taxable-tax.sum())))
			sum += taxable
		}
		return append(rows, []any{nil, "Grand Total", nil, nil, nil, nil, nil, nil, sum})
	}
	w.sheet("Purchase Register.xlsx", "Purchase Register", table("Purchase Register", "Purchase"))
	w.sheet("Debit Note Register.xlsx", "Debit Note Register", table("Debit Note Register", "Debit Note"))
}

func blank(paise int64) any {
	if paise == 0 {
		return nil
	}
	return paise
}

// busy writes one line for each rate, with the bill's number on every line.
func (w *writer) busy(postings []posting) {
	rows := [][]string{{"Mandya Fabricators"}, {"GST Purchase Register"},
		{fmt.Sprintf("From 01-04-%d To 31-03-%d", w.b.Year, w.b.Year+1)},
		{"Date", "Vch Type", "Vch/Bill No.", "Bill Date", "Party Name", "GSTIN No.", "Tax Rate", "Taxable Amt.",
			"IGST Amt.", "CGST Amt.", "SGST Amt.", "Cess Amt.", "Total Amt.", "RCM"}}
	for _, p := range postings {
		kind := map[string]string{"bill": "Purc", "return": "Purc Ret", "boe": "Import", "journal": "Jrnl"}[p.kind]
		for _, l := range p.lines {
			rcm := "No"
			if p.reverse {
				rcm = "Yes"
			}
			taxable, tax := l.taxable, l.tax
			rows = append(rows, []string{dmy(p.booked), kind, p.number, dmy(p.date), p.name, p.gstin,
				plain(l.rate * 100), grouped(taxable), grouped(tax[0]), grouped(tax[1]), grouped(tax[2]),
				grouped(tax[3]), grouped(taxable + tax.sum()), rcm})
		}
	}
	w.csv("purchase.csv", ',', append(rows, []string{"", "", "Total"}))
}

// zoho writes one line for each item, with the totals of the whole bill repeated on every line.
func (w *writer) zoho(postings []posting) {
	rows := [][]string{{"Bill Date", "Due Date", "Bill ID", "Vendor Name", "Entity Discount Percent", "Bill Number",
		"PurchaseOrder", "Bill Status", "Source of Supply", "Destination of Supply", "GST Treatment",
		"GST Identification Number (GSTIN)", "Item Name", "Quantity", "Rate", "Tax Percentage", "Tax Amount",
		"Item Total", "SubTotal", "Total", "Balance", "CGST Rate %", "SGST Rate %", "IGST Rate %", "CESS Rate %",
		"CGST", "SGST", "IGST", "CESS", "ITC Eligibility", "Is Reverse Charge Applied", "Created Time",
		"Transaction Type"}}
	for _, p := range postings {
		taxable, tax := total(p.lines)
		eligible, treatment, kind := "Eligible For ITC", "business_gst", "bill"
		if p.ineligible {
			eligible = "Ineligible - Section 17"
		}
		switch p.kind {
		case "return":
			kind = "vendor_credit"
		case "boe":
			treatment, kind = "overseas", "bill of entry"
		}
		for i, l := range p.lines {
			rows = append(rows, []string{p.booked.Format("2006-01-02"), p.date.AddDate(0, 1, 0).Format("2006-01-02"),
				fmt.Sprint(46_000_000_000 + p.withOwnVoucherNumber), p.name, "0", p.number, "", "Paid", w.b.GSTIN[:2],
				w.b.GSTIN[:2], treatment, p.gstin, fmt.Sprintf("Item %d", i+1), "1", plain(l.taxable),
				fmt.Sprint(l.rate), plain(l.tax.sum()), plain(l.taxable), plain(taxable), plain(taxable + tax.sum()),
				"0", plain(l.rate * 50), plain(l.rate * 50), fmt.Sprint(l.rate), "0", plain(l.tax[1]), plain(l.tax[2]),
				plain(l.tax[0]), plain(l.tax[3]), eligible, fmt.Sprint(p.reverse), p.booked.Format("2006-01-02 15:04"),
				kind})
		}
	}
	w.csv("Bill.csv", ',', rows)
}

// accountant writes a sheet as somebody keeps it by hand: short headings, and the number only on the first line of a
// bill.
func (w *writer) accountant(postings []posting) {
	rows := [][]any{{"PURCHASE DETAILS FOR GST"},
		{"MONTH", "SR", "INV DT", "INV NO", "PARTY NAME", "GST NO", "HSN", "GST %", "BASIC AMT", "IGST", "CGST", "SGST",
			"R/OFF", "BILL AMT", "REMARKS"}}
	for n, p := range postings {
		for i, l := range p.lines {
			remark := ""
			switch {
			case p.reverse:
				remark = "RCM"
			case p.kind == "return":
				remark = "Goods returned"
			}
			row := []any{p.booked.Format("Jan-06"), n + 1, p.date.Format("2/1/06"), p.number, strings.ToUpper(p.name),
				p.gstin, "8481", fmt.Sprintf("%d%%", l.rate), plain(l.taxable), plain(l.tax[0]), plain(l.tax[1]),
				plain(l.tax[2]), nil, plain(l.taxable + l.tax.sum()), remark}
			if i > 0 && p.blankContinuation {
				for _, c := range []int{0, 1, 2, 3, 4, 5} {
					row[c] = nil
				}
			}
			rows = append(rows, row)
		}
	}
	w.sheet("GST PURCHASE.xlsx", "Sheet1", rows)
}

// hindi writes a sheet with Hindi headings.
func (w *writer) hindi(postings []posting) {
	rows := [][]any{{"मैसर्स मांड्या फैब्रिकेटर्स"}, {"क्रय रजिस्टर"},
		{"क्र.", "प्रविष्टि दिनांक", "बिल दिनांक", "बिल संख्या", "विक्रेता का नाम", "जीएसटी नंबर", "प्रकार",
			"कर योग्य मूल्य", "आईजीएसटी", "सीजीएसटी", "एसजीएसटी", "उपकर", "कुल राशि", "रिवर्स चार्ज"}}
	for n, p := range postings {
		kind := map[string]string{"bill": "खरीद", "return": "खरीद वापसी", "boe": "आयात", "journal": "जर्नल"}[p.kind]
		for _, l := range p.lines {
			reverse := "नहीं"
			if p.reverse {
				reverse = "हाँ"
			}
			rows = append(rows, []any{n + 1, dmy(p.booked), dmy(p.date), p.number, p.name, p.gstin, kind, l.taxable,
				l.tax[0], l.tax[1], l.tax[2], l.tax[3], l.taxable + l.tax.sum(), reverse})
		}
	}
	w.sheet("क्रय रजिस्टर.xlsx", "Sheet1", append(rows, []any{nil, nil, nil, nil, "कुल योग"}))
}

func (s sale) elsewhere() []line {
	if s.other != nil {
		return s.other
	}
	return s.lines
}

func (w *writer) salesRegister() {
	rows := [][]string{{"Sales Register"},
		{"Invoice Date", "Invoice No.", "Customer Name", "Customer GSTIN", "Voucher Type", "Taxable Value", "IGST",
			"CGST", "SGST", "Cess", "Invoice Value"}}
	for _, s := range w.b.sales {
		if s.register == "" {
			continue
		}
		kind := "Sales"
		if s.note {
			kind = "Credit Note"
		}
		for _, l := range s.elsewhere() {
			tax := l.tax
			if s.export && !s.note {
				tax = heads{l.tax.sum()}
			}
			rows = append(rows, []string{dmy(s.date), s.number, s.name, s.customer, kind, plain(abs(l.taxable)),
				plain(abs(tax[0])), plain(abs(tax[1])), plain(abs(tax[2])), "0",
				plain(abs(l.taxable) + abs(tax.sum()))})
		}
	}
	w.csv("sales register.csv", ',', rows)
}

func (w *writer) ewayBills() {
	rows := [][]any{{"EWB No", "EWB Date", "Supply Type", "Doc.No", "Doc.Date", "Doc.Type", "Other Party GSTIN",
		"Transporter Details", "From GSTIN Info", "TO GSTIN Info", "status", "No of Items", "Main HSN Code",
		"Main HSN Desc", "Assessable Value", "SGST Value", "CGST Value", "IGST Value", "CESS Value",
		"CESS Non.Advol Value", "Other Value", "Total Invoice Value", "Valid Till Date", "Mode of Generation"}}
	for i, s := range w.b.sales {
		if s.ewayBill == "" && !s.cancelledEway {
			continue
		}
		taxable, tax := total(s.elsewhere())
		if s.export {
			tax = heads{tax.sum()}
		}
		status, to := "Active", s.customer
		if s.cancelledEway {
			status = "Cancelled"
		}
		if to == "" {
			to = "URP"
		}
		rows = append(rows, []any{fmt.Sprint(141_000_000_000 + i*37),
			s.date.AddDate(0, 0, 1).Format("02/01/2006 03:04:05 PM"), "Outward-Supply", s.number,
			s.date.Format("02/01/2006"), "Tax Invoice", to, "29AAACT0000A1Z1 / Road Carriers",
			w.b.GSTIN + " / Mandya Fabricators, MANDYA, 571401", to + " / " + s.name, status, len(s.lines), "8481",
			"Valves", taxable, tax[2], tax[1], tax[0], tax[3], int64(0), int64(0), taxable + tax.sum(),
			s.date.AddDate(0, 0, 4).Format("02/01/2006"), "Online"})
	}
	// Goods sent for job work, and incoming goods: neither is a supply by the business.
	rows = append(rows, []any{"141900000001", "05/06/2023 10:00:00 AM", "Outward-Job Work", "JW/1", "05/06/2023",
		"Delivery Challan", w.b.GSTIN, "", w.b.GSTIN, w.b.GSTIN, "Active", 1, "8481", "Valves", int64(90_000_00),
		int64(0), int64(0), int64(16_200_00), int64(0), int64(0), int64(0), int64(106_200_00), "", "Online"},
		[]any{"141900000002", "06/06/2023 10:00:00 AM", "Inward-Supply", "XX/9", "06/06/2023", "Tax Invoice",
			"27AAACT0000A1Z1", "", "27AAACT0000A1Z1", w.b.GSTIN, "Active", 1, "8481", "Valves", int64(70_000_00),
			int64(0), int64(0), int64(12_600_00), int64(0), int64(0), int64(0), int64(82_600_00), "", "Online"})
	w.sheet("EWB_Outward.xlsx", "EWB", rows)
}

func (w *writer) eInvoices() {
	rows := [][]any{{"E-invoice details auto-populated for Form GSTR-1"}, {},
		{"Taxable supplies made to registered taxpayers (invoices only) - B2B, SEZ, DE Invoices"},
		{"GSTIN/UIN of Recipient", "Reciever Name", "Invoice number", "Invoice date", "Invoice value",
			"Place of Supply", "Reverse Charge", "Applicable % of Tax Rate", "Invoice Type", "E-Commerce GSTIN", "Rate",
			"Taxable Value", "Integrated Tax", "Central Tax", "State/UT Tax", "Cess Amount", "IRN", "IRN date",
			"E-invoice status", "GSTR-1 auto-population/ deletion upon cancellation date",
			"GSTR-1 auto-population/ deletion status", "Error in auto-population/ deletion"}}
	for i := range 12 {
		month := time.Date(w.b.Year, time.April, 1, 0, 0, 0, 0, time.UTC).AddDate(0, i, 0)
		rows = append(rows, []any{fmt.Sprintf("Financial Year: %d-%02d  |  Tax Period: %s  |  Date Updated till: "+
			"03-Aug-%d 11:57:25", w.b.Year, (w.b.Year+1)%100, mmyyyy(month), w.b.Year+1)})
		for _, s := range w.b.sales {
			if !monthOf(s.date).Equal(month) || s.eInvoice == "" && !s.cancelledIRN || s.note {
				continue
			}
			status := "Valid"
			if s.cancelledIRN {
				status = "Cancelled"
			}
			taxable, tax := total(s.elsewhere())
			for _, l := range s.elsewhere() {
				rows = append(rows, []any{s.customer, s.name, s.number, s.date.Format("02-Jan-2006"),
					taxable + tax.sum(), "29 - Karnataka", "N", nil, "Regular B2B", nil, l.rate * 100, l.taxable,
					l.tax[0], l.tax[1], l.tax[2], int64(0), "irn" + s.number, s.date.Format("02-Jan-2006"), status,
					s.date.Format("02-Jan-2006"), "Auto-populated", nil})
			}
		}
	}
	w.sheet("E-Invoice.xlsx", "b2b, sez, de", rows)
}
