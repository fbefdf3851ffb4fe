package figurestest

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"munshi/orchestrator/figures"
)

// print is a page on which text is placed as the portal places it: words in a narrow column, over several lines if
// needed, and the amounts of a row at the height of their middle.
type print struct {
	content bytes.Buffer
	y       float64
	columns []float64 // where the amounts begin
	width   int       // number of letters in a line of words
}

func (p *print) text(x, y float64, s string) {
	s = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s)
	fmt.Fprintf(&p.content, "BT /F 8 Tf %.1f %.1f Td (%s) Tj ET\n", x, y, s)
}

func (p *print) row(words string, cells ...string) {
	var lines []string
	line := ""
	for _, word := range strings.Fields(words) {
		if line != "" && len(line)+1+len(word) > p.width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	lines = append(lines, line)
	for i, l := range lines {
		p.text(40, p.y-10*float64(i), l)
	}
	for i, cell := range cells {
		p.text(p.columns[i], p.y-5*float64(len(lines)-1), cell)
	}
	p.y -= 10*float64(len(lines)) + 4
}

func (p *print) write(w io.Writer) error {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[4 0 R]/Count 1>>",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 1200]/Contents 5 0 R/Resources<</Font<</F 3 0 R>>>>>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", p.content.Len(), p.content.String())}
	var out, table bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1, table.String(), len(objects)+1, start)
	_, err := w.Write(out.Bytes())
	return err
}

// printed is an amount as the portal prints it: "1,23,456.50".
func printed(paise int64) string {
	whole, fraction, _ := strings.Cut(Rupees(paise), ".")
	minus := ""
	if strings.HasPrefix(whole, "-") {
		minus, whole = "-", whole[1:]
	}
	if n := len(whole); n > 3 {
		head := whole[:n-3]
		for i := len(head) - 2; i > 0; i -= 2 {
			head = head[:i] + "," + head[i:]
		}
		whole = head + "," + whole[n-3:]
	}
	return minus + whole + "." + (fraction + "00")[:2]
}

func cells(values ...int64) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = printed(v)
	}
	return all
}

func heads(t figures.Tax) []string { return cells(t[:]...) }

// Print3B writes a GSTR-3B as the portal prints it as PDF. year and month are as in "2023-24" and "April".
func Print3B(w io.Writer, r figures.Return, year, month string) error {
	p := &print{y: 1150, columns: []float64{270, 340, 405, 470, 535}, width: 52}
	p.row("Form GSTR-3B")
	p.row("[See rule 61(5)]")
	p.text(430, p.y, "Year")
	p.text(490, p.y, year)
	p.text(430, p.y-12, "Period")
	p.text(490, p.y-12, month)
	p.y -= 30
	p.row("1. GSTIN of the supplier", r.GSTIN)
	p.row("2(a). Legal name of the registered person", "Fictional Traders")
	p.row("2(b). Trade name, if any", "Fictional Traders")
	p.row("2(c). ARN", "AA270423000000X")
	p.row("2(d). Date of ARN", "20/05/2023")
	p.row("(Amount in Rs. for all tables)")
	p.row("3.1 Details of Outward supplies and inward supplies liable to reverse charge (other than those covered by Table 3.1.1)")
	p.row("Nature of Supplies", "Total taxable value", "Integrated tax", "Central tax", "State/UT tax", "Cess")
	of := func(code string) (value int64, tax figures.Tax) {
		for _, l := range r.Tables {
			if l.Code == code {
				value, tax = l.Taxable, l.Tax
			}
		}
		return value, tax
	}
	for _, row := range [][2]string{{"a", "(a) Outward taxable supplies (other than zero rated, nil rated and exempted)"},
		{"b", "(b) Outward taxable supplies (zero rated)"}, {"c", "(c) Other outward supplies (nil rated, exempted)"},
		{"d", "(d) Inward supplies (liable to reverse charge)"}, {"e", "(e) Non-GST outward supplies"}} {
		value, tax := of("3.1" + row[0])
		all := append(cells(value), heads(tax)...)
		switch row[0] {
		case "b":
			all[2], all[3] = "-", "-"
		case "c", "e":
			all = []string{all[0], "-", "-", "-", "-"}
		}
		p.row(row[1], all...)
	}
	p.row("3.1.1 Details of Supplies notified under section 9(5) of the CGST Act, 2017")
	p.row("(i) Taxable supplies on which electronic commerce operator pays tax u/s 9(5)", cells(0, 0, 0, 0, 0)...)
	p.row("3.2 Out of supplies made in 3.1 (a) and 3.1.1 (i), details of inter-state supplies made")
	p.row("Supplies made to Unregistered Persons", cells(0, 0)...)
	p.row("4. Eligible ITC")
	p.columns = p.columns[1:]
	p.row("Details", "Integrated tax", "Central tax", "State/UT tax", "Cess")
	p.row("A. ITC Available (whether in full or part)")
	net := figures.Tax{}
	line := func(code, words string, sign int64) {
		_, tax := of(code)
		for h := range tax {
			net[h] += sign * tax[h]
		}
		p.row(words, heads(tax)...)
	}
	line("4A1", "(1) Import of goods", 1)
	line("4A2", "(2) Import of services", 1)
	line("4A3", "(3) Inward supplies liable to reverse charge (other than 1 & 2 above)", 1)
	line("4A4", "(4) Inward supplies from ISD", 1)
	line("4A5", "(5) All other ITC", 1)
	p.row("B. ITC Reversed")
	line("4B1", "(1) As per rules 38,42 & 43 of CGST Rules and section 17(5)", -1)
	line("4B2", "(2) Others", -1)
	p.row("C. Net ITC available (A-B)", heads(net)...)
	p.row("(D) Other Details", cells(0, 0, 0, 0)...)
	p.row("(1) ITC reclaimed which was reversed under Table 4(B)(2) in earlier tax period", cells(0, 0, 0, 0)...)
	p.row("(2) Ineligible ITC under section 16(4) & ITC restricted due to PoS rules", cells(0, 0, 0, 0)...)
	p.row("5. Values of exempt, nil-rated and non-GST inward supplies")
	p.row("From a supplier under composition scheme, Exempt, Nil rated supply", "0.00", "0.00")
	return p.write(w)
}

// Annual are the amounts of a GSTR-9 by their row, as "4N" or "6O", with the value before the heads in tables 4 and 5.
type Annual map[string][5]int64

// Print9 writes a GSTR-9 as the portal prints it as PDF. Rows that are not in it are nil.
func Print9(w io.Writer, gstin, year string, rows Annual, payable figures.Tax) error {
	p := &print{y: 1150, columns: []float64{280, 345, 410, 475, 540}, width: 48}
	p.row("FORM GSTR-9")
	p.row("[See rule 80]")
	p.row("Annual Return")
	p.row("1. Financial Year", year)
	p.row("2. GSTIN", gstin)
	p.row("3A. Legal Name", "Fictional Traders")
	p.row("Pt. II Details of Outward and inward supplies made during the financial year")
	table := func(number, title string, value bool, of string, words map[string]string) {
		p.row(number + " " + title)
		if p.columns = []float64{280, 345, 410, 475, 540}; !value {
			p.columns = p.columns[1:]
		}
		for _, letter := range strings.Split(of, "") {
			v := rows[number+letter]
			// Central, State, integrated, cess.
			all := cells(v[2], v[3], v[1], v[4])
			if value {
				all = append(cells(v[0]), all...)
			}
			text := words[letter]
			if text == "" {
				text = "a line of the form"
			}
			p.row(letter+" "+text, all...)
		}
	}
	table("4", "Details of advances, inward and outward supplies made during the financial year on which tax is payable", true,
		"ABCDEFGHIJKLMN", map[string]string{"A": "Supplies made to un-registered persons (B2C)", "H": "Sub-total (A to G above)",
			"I": "Credit Notes issued in respect of transactions specified in (B) to (E) above (-)", "M": "Sub-total (I to L above)",
			"N": "Supplies and advances on which tax is to be paid (H + M) above"})
	table("5", "Details of Outward supplies made during the financial year on which tax is not payable", true, "ABCDEFGHIJKLMN",
		map[string]string{"N": "Total Turnover (including advances) (4N + 5M - 4G) above"})
	table("6", "Details of ITC availed during the financial year", false, "ABCDEFGHIJKLMNO",
		map[string]string{"K": "Transition Credit through TRAN-1 (including revisions if any)", "O": "Total ITC availed (I + N) above"})
	table("7", "Details of ITC Reversed and Ineligible ITC for the financial year", false, "ABCDEFGHIJ",
		map[string]string{"A": "As per Rule 37", "J": "Net ITC Available for Utilization (6O - 7I)"})
	p.row("8 Other ITC related information")
	p.row("A ITC as per GSTR-2A (Table 3 & 5 thereof)", cells(0, 0, 0, 0)...)
	p.row("9 Details of tax paid as declared in returns filed during the financial year")
	p.columns = []float64{180, 250, 320, 390, 460}
	p.row("Description", "Tax Payable", "Paid through cash", "Central Tax", "State Tax", "Integrated Tax")
	for head, name := range []string{"Integrated Tax", "Central Tax", "State/UT Tax", "Cess"} {
		p.row(name, printed(payable[head]), "0.00", "-", "-", printed(payable[head]))
	}
	p.row("10 Supplies / tax declared through Amendments (+) (net of debit notes)", cells(0, 0, 0, 0)...)
	return p.write(w)
}
