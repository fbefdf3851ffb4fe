package figurestest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures"
)

// Rupees returns paise as the portal writes them, "1234.50".
func Rupees(paise int64) string {
	sign := ""
	if paise < 0 {
		sign, paise = "-", -paise
	}
	return fmt.Sprintf("%s%d.%02d", sign, paise/100, paise%100)
}

func number(paise int64) json.Number { return json.Number(Rupees(max(paise, -paise))) }

type object map[string]any

// indian converts "2023-04-05" to "05-04-2023".
func indian(date string) string { return date[8:] + "-" + date[5:7] + "-" + date[:4] }

// returnPeriod converts "2023-04" to "042023".
func returnPeriod(period string) string { return period[5:] + period[:4] }

func with(o object, r figures.Record, names [5]string) object {
	o[names[0]] = number(r.Taxable)
	for head, name := range names[1:] {
		o[name] = number(r.Tax[head])
	}
	return o
}

var (
	names2B = [5]string{"txval", "igst", "cgst", "sgst", "cess"}
	names2A = [5]string{"txval", "iamt", "camt", "samt", "csamt"}
)

func yesNo(yes bool) string {
	if yes {
		return "Y"
	}
	return "N"
}

// GSTR2B writes one month of the records in the portal's JSON format for GSTR-2B.
func GSTR2B(w io.Writer, gstin, period string, records []figures.Record) error {
	tables := map[string][]object{}
	for _, r := range records {
		if r.Period != period {
			continue
		}
		doc := with(object{"rev": yesNo(r.Reverse), "itcavl": yesNo(r.Ineligible == ""), "rsn": r.Ineligible}, r,
			names2B)
		party := object{"ctin": r.GSTIN, "trdnm": r.Name, "supprd": returnPeriod(period),
			"supfildt": "11" + "-" + period[5:] + "-" + period[:4]}
		switch r.Kind {
		case figures.Import:
			doc["boenum"], doc["boedt"], doc["portcode"] = r.Number, indian(r.Date), "INNSA1"
			tables["impg"] = append(tables["impg"], doc)
			continue
		case figures.ISD:
			doc["docnum"], doc["docdt"], doc["doctyp"], doc["itcelg"] = r.Number, indian(r.Date), "ISDI", "Y"
			party["doclist"] = []object{doc}
			tables["isd"] = append(tables["isd"], party)
			continue
		case figures.CreditNote, figures.DebitNote:
			doc["ntnum"], doc["dt"], doc["typ"] = r.Number, indian(r.Date), "C"
			if r.Kind == figures.DebitNote {
				doc["typ"] = "D"
			}
			party["nt"] = []object{doc}
			tables["cdnr"] = append(tables["cdnr"], party)
			continue
		}
		doc["inum"], doc["dt"], doc["typ"] = r.Number, indian(r.Date), "R"
		table := "b2b"
		if r.Amends != "" {
			doc["oinum"], doc["oidt"] = r.Amends, indian(r.AmendsDate)
			table = "b2ba"
		}
		party["inv"] = []object{doc}
		tables[table] = append(tables[table], party)
	}
	return json.NewEncoder(w).Encode(object{"chksum": "fictional",
		"data": object{"gstin": gstin, "rtnprd": returnPeriod(period), "version": "1.0", "docdata": tables}})
}

// GSTR2A writes one month of the records in the portal's JSON format for GSTR-2A.
func GSTR2A(w io.Writer, gstin, period string, records []figures.Record) error {
	top := object{"gstin": gstin, "fp": returnPeriod(period)}
	tables := map[string][]object{}
	for _, r := range records {
		if r.Period != period {
			continue
		}
		if r.Kind == figures.Import {
			tables["impg"] = append(tables["impg"],
				with(object{"benum": r.Number, "bedt": indian(r.Date), "portcd": "INNSA1"}, r, names2A))
			continue
		}
		party := object{"ctin": r.GSTIN, "cfs": yesNo(r.Status != figures.NotFiled)}
		if r.Status == figures.Cancelled {
			party["dtcancel"] = indian(r.Date)
		}
		doc := object{"rchrg": yesNo(r.Reverse),
			"itms": []object{{"num": 1, "itm_det": with(object{"rt": 18}, r, names2A)}}}
		switch r.Kind {
		case figures.ISD:
			party["doclist"] = []object{with(object{"docnum": r.Number, "docdt": indian(r.Date), "isd_docty": "ISD",
				"itc_elg": "Y"}, r, names2A)}
			tables["isd"] = append(tables["isd"], party)
		case figures.CreditNote, figures.DebitNote:
			doc["nt_num"], doc["nt_dt"], doc["ntty"] = r.Number, indian(r.Date), "C"
			if r.Kind == figures.DebitNote {
				doc["ntty"] = "D"
			}
			party["nt"] = []object{doc}
			tables["cdn"] = append(tables["cdn"], party)
		default:
			doc["inum"], doc["idt"] = r.Number, indian(r.Date)
			table := "b2b"
			if r.Amends != "" {
				doc["oinum"], doc["oidt"] = r.Amends, indian(r.AmendsDate)
				table = "b2ba"
			}
			party["inv"] = []object{doc}
			tables[table] = append(tables[table], party)
		}
	}
	for name, table := range tables {
		top[name] = table
	}
	return json.NewEncoder(w).Encode(top)
}

// GSTR3B writes a return in the portal's JSON format.
func GSTR3B(w io.Writer, r figures.Return) error {
	available := []object{}
	for _, line := range [][2]string{{"4A1", "IMPG"}, {"4A2", "IMPS"}, {"4A3", "ISRC"}, {"4A4", "ISD"},
		{"4A5", "OTH"}} {
		tax := r.Table(line[0])
		available = append(available, object{"ty": line[1], "iamt": json.Number(Rupees(tax[0])),
			"camt": json.Number(Rupees(tax[1])), "samt": json.Number(Rupees(tax[2])),
			"csamt": json.Number(Rupees(tax[3]))})
	}
	return json.NewEncoder(w).Encode(object{"gstin": r.GSTIN, "ret_period": returnPeriod(r.Period),
		"sup_details": object{}, "itc_elg": object{"itc_avl": available}})
}

// Register is the accounting program whose format a purchase register has.
type Register string

// The accounting programs.
const (
	Tally Register = "tally"
	Busy  Register = "busy"
	Zoho  Register = "zoho"
	Plain Register = "plain"
)

// Rows returns the rows of a purchase register, with titles and headings.
func Rows(program Register, company string, records []figures.Record) [][]string {
	kinds := map[figures.Kind]string{figures.Invoice: "Purchase", figures.DebitNote: "Purchase",
		figures.CreditNote: "Debit Note", figures.Import: "Import"}
	var rows [][]string
	sum := int64(0)
	for i, r := range records {
		tax := func(head int) string { return Rupees(r.Tax[head]) }
		total := Rupees(r.Taxable + r.Tax.Sum())
		booked := r.Period + "-" + "28"
		sum += r.Taxable
		switch program {
		case Tally:
			rows = append(rows, []string{indian(booked), r.Name, r.GSTIN, kinds[r.Kind], fmt.Sprint(i + 1), r.Number,
				indian(r.Date), Rupees(r.Taxable), total, tax(0), tax(1), tax(2), yesNo(r.Reverse)})
		case Busy:
			rows = append(rows, []string{indian(booked), kinds[r.Kind], r.Number, indian(r.Date), r.Name, r.GSTIN,
				Rupees(r.Taxable), tax(0), tax(1), tax(2), tax(3), total, yesNo(r.Reverse)})
		case Zoho:
			rows = append(rows, []string{booked, r.Date, r.Number, r.Name, r.GSTIN, kinds[r.Kind], Rupees(r.Taxable),
				tax(1), tax(2), tax(0), tax(3), total, fmt.Sprint(r.Reverse)})
		default:
			rows = append(rows, []string{fmt.Sprint(i + 1), r.GSTIN, r.Name, r.Number,
				strings.ReplaceAll(indian(r.Date), "-", "/"), r.Period[5:] + r.Period[:4], kinds[r.Kind],
				Rupees(r.Taxable), tax(0), tax(1), tax(2), tax(3), yesNo(r.Reverse)})
		}
	}
	switch program {
	case Tally:
		head := [][]string{{company}, {"Purchase Register"}, {"1-Apr-23 to 31-Mar-24"}, {},
			{"Date", "Particulars", "GSTIN/UIN", "Voucher Type", "Voucher No.", "Supplier Invoice No.",
				"Supplier Invoice Date", "Value", "Gross Total", "Input IGST @18%", "Input CGST @9%", "Input SGST @9%",
				"Reverse Charge"}}
		return slices.Concat(head, rows, [][]string{{"", "Grand Total", "", "", "", "", "", Rupees(sum)}})
	case Busy:
		head := [][]string{{company}, {"Purchase Register (GST)"},
			{"Date", "Vch Type", "Vch/Bill No", "Bill Date", "Party", "GSTIN", "Taxable Amt", "IGST", "CGST", "SGST",
				"Cess", "Total Amt", "RCM"}}
		return slices.Concat(head, rows, [][]string{{"Total", "", "", "", "", "", Rupees(sum)}})
	case Zoho:
		return slices.Concat([][]string{{"Date", "Bill Date", "Bill Number", "Vendor Name",
			"GST Identification Number (GSTIN)", "Transaction Type", "Item Total", "CGST", "SGST", "IGST", "CESS",
			"Total", "Is Reverse Charge"}}, rows)
	}
	return slices.Concat([][]string{{"Purchase details"},
		{"S. No.", "Supplier", "", "Invoice details", "", "Month", "Document", "Amounts", "", "", "", "", "Reverse"},
		{"", "GSTIN", "Name", "No.", "Date", "", "type", "Taxable value", "Integrated Tax", "Central Tax",
			"State/UT Tax", "Cess", "charge"}}, rows)
}

// CSV writes rows as a CSV file.
func CSV(w io.Writer, rows [][]string) error { return csv.NewWriter(w).WriteAll(rows) }

// Excel writes rows as a workbook of one sheet. Amounts, and dates of the form 05-04-2023, become numbers, as
// accounting programs export them.
func Excel(w io.Writer, sheet string, rows [][]string) error {
	book := excelize.NewFile()
	defer book.Close()
	if err := book.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	stream, err := book.NewStreamWriter(sheet)
	if err != nil {
		return err
	}
	for i, row := range rows {
		cells := make([]any, len(row))
		for j, text := range row {
			cells[j] = text
			if amount := json.Number(text); strings.Contains(text, ".") && strings.Trim(text, "-0123456789.") == "" {
				if f, err := amount.Float64(); err == nil {
					cells[j] = f
				}
			}
		}
		if err := stream.SetRow(fmt.Sprintf("A%d", i+1), cells); err != nil {
			return err
		}
	}
	if err := stream.Flush(); err != nil {
		return err
	}
	return book.Write(w)
}
