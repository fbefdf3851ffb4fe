package gst_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"munshi/orchestrator/gst"
)

// Papers assembled from parts: the same notice in other words, shapes and layouts. Some variants of each part were
// used in developing the reader ("known"), and others were not looked at during the development ("kept").

// made is a notice that was assembled, with its truth.
type made struct {
	text  string
	truth map[string]any // as in the truth files, for the fields that are stated
	parts string         // the variant of each part
}

// dues is the demand of a made notice: amounts in rupees by head and by kind (tax, interest, penalty).
type dues struct {
	heads  []string
	years  []string
	byYear map[string]map[string]int // tax by head and year
	sum    map[string][3]int
}

func (c dues) total() int {
	n := 0
	for _, v := range c.sum {
		n += v[0] + v[1] + v[2]
	}
	return n
}

func (c dues) of(k int) int {
	n := 0
	for _, v := range c.sum {
		n += v[k]
	}
	return n
}

func rupees(n int) string {
	s := fmt.Sprint(n)
	if len(s) <= 3 {
		return s
	}
	out := s[len(s)-3:]
	for s = s[:len(s)-3]; len(s) > 2; s = s[:len(s)-2] {
		out = s[len(s)-2:] + "," + out
	}
	return s + "," + out
}

var (
	units = strings.Split(" One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen", " ")
	tens  = strings.Split("  Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety", " ")
)

func inWords(n int) string {
	switch {
	case n < 20:
		return units[n]
	case n < 100:
		return strings.TrimSpace(tens[n/10] + " " + units[n%10])
	}
	for _, s := range []struct {
		n    int
		name string
	}{{1e7, "Crore"}, {1e5, "Lakh"}, {1e3, "Thousand"}, {100, "Hundred"}} {
		if n >= s.n {
			return strings.TrimSpace(inWords(n/s.n) + " " + s.name + " " + inWords(n%s.n))
		}
	}
	return ""
}

// columns formats a table: the first column is left-aligned, the others are right-aligned, each as wide as
// its widest cell.
func columns(rows ...[]string) string {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-len(cell))
			if i == 0 {
				line += cell + pad
			} else {
				line += "    " + pad + cell
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func wrap(text string) string {
	var b strings.Builder
	for para := range strings.SplitSeq(text, "\n") {
		n := 0
		for word := range strings.FieldsSeq(para) {
			if n > 0 && n+len(word) > 92 {
				b.WriteByte('\n')
				n = 0
			}
			if n > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
			n += len(word) + 1
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var longHead = map[string]string{"IGST": "Integrated tax", "CGST": "Central tax", "SGST": "State tax"}

func amountsByHead(c dues, k int, join string) string {
	var list []string
	for _, h := range c.heads {
		list = append(list, h+join+rupees(c.sum[h][k]))
	}
	if len(list) < 2 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

func headCells(c dues, k int) (cells []string) {
	for _, h := range c.heads {
		cells = append(cells, rupees(c.sum[h][k]))
	}
	return cells
}

func row(label string, cells ...[]string) []string {
	return append([]string{label}, slices.Concat(cells...)...)
}

func total(c dues, k int) []string { return []string{rupees(c.of(k))} }

func sumOf(c dues, h string) string { return rupees(c.sum[h][0] + c.sum[h][1] + c.sum[h][2]) }

// kindRows returns a table with a row for each kind and a column for each head.
func kindRows(c dues, heading []string, tax, interest, penalty, all string) string {
	rows := [][]string{heading, row(tax, headCells(c, 0), total(c, 0))}
	if c.of(1) > 0 {
		rows = append(rows, row(interest, headCells(c, 1), total(c, 1)))
	}
	if c.of(2) > 0 {
		rows = append(rows, row(penalty, headCells(c, 2), total(c, 2)))
	}
	last := []string{all}
	for _, h := range c.heads {
		last = append(last, sumOf(c, h))
	}
	return columns(append(rows, append(last, rupees(c.total())))...)
}

// headRows returns a table with a row for each head and a column for each kind.
func headRows(c dues, first string, names [4]string, name func(string) string, all string) string {
	heading, last := []string{first, names[0]}, []string{all, rupees(c.of(0))}
	for k := 1; k < 3; k++ {
		if c.of(k) > 0 {
			heading, last = append(heading, names[k]), append(last, rupees(c.of(k)))
		}
	}
	rows := [][]string{append(heading, names[3])}
	for _, h := range c.heads {
		r := []string{name(h), rupees(c.sum[h][0])}
		for k := 1; k < 3; k++ {
			if c.of(k) > 0 {
				r = append(r, rupees(c.sum[h][k]))
			}
		}
		rows = append(rows, append(r, sumOf(c, h)))
	}
	return columns(append(rows, append(last, rupees(c.total())))...)
}

func same(s string) string { return s }
func long(h string) string { return longHead[h] }

// ways of setting out a demand. Those without interest or penalty are for demands without them.
type way struct {
	name    string
	taxOnly bool
	set     func(c dues) string
}

func knownDemands() []way {
	return []way{
		{"heads-by-kinds", false, func(c dues) string {
			return headRows(c, "Head", [4]string{"Tax (Rs.)", "Interest", "Penalty", "Sum"}, same, "Both taken together")
		}},
		{"kinds-by-heads", false, func(c dues) string {
			return kindRows(c, append(append([]string{"Component"}, c.heads...), "In all"), "Tax", "Interest u/s 50", "Penalty", "Payable")
		}},
		{"items", false, func(c dues) string {
			s := "(i) " + amountsByHead(c, 0, " of Rs. ") + " should not be demanded and recovered from them under section 73(1);\n"
			if c.of(1) > 0 {
				s += "(ii) interest of " + amountsByHead(c, 1, " Rs. ") + " should not be charged under section 50;\n"
			}
			if c.of(2) > 0 {
				s += "(iii) penalty of " + amountsByHead(c, 2, " Rs. ") + " should not be imposed under section 73(9).\n"
			}
			return wrap(s)
		}},
		{"heads-in-cells", false, func(c dues) string {
			var rows [][]string
			for k, name := range []string{"Tax", "Interest", "Penalty u/s 73(9)"} {
				if c.of(k) == 0 {
					continue
				}
				r := []string{name}
				for _, h := range c.heads {
					r = append(r, h+" "+rupees(c.sum[h][k]))
				}
				rows = append(rows, r)
			}
			return columns(append(rows, []string{"All told", "Rs. " + rupees(c.total())})...)
		}},
		{"years-across", true, func(c dues) string {
			rows := [][]string{append(append([]string{"Tax (Rs.)"}, c.years...), "Total")}
			last, all := []string{"Grand total"}, 0
			for _, h := range c.heads {
				r := []string{h}
				for _, y := range c.years {
					r = append(r, rupees(c.byYear[y][h]))
				}
				rows = append(rows, append(r, rupees(c.sum[h][0])))
			}
			for _, y := range c.years {
				n := 0
				for _, v := range c.byYear[y] {
					n += v
				}
				all += n
				last = append(last, rupees(n))
			}
			return columns(append(rows, append(last, rupees(all)))...)
		}},
		{"years-down", true, func(c dues) string {
			rows := [][]string{append(append([]string{"F.Y."}, c.heads...), "Total")}
			for _, y := range c.years {
				r, n := []string{y}, 0
				for _, h := range c.heads {
					r = append(r, rupees(c.byYear[y][h]))
					n += c.byYear[y][h]
				}
				rows = append(rows, append(r, rupees(n)))
			}
			return columns(append(rows, row("Total", headCells(c, 0), total(c, 0)))...)
		}},
		{"value-on-top", false, func(c dues) string {
			rows := [][]string{append(append([]string{""}, c.heads...), "Rs. in all")}
			value, all := []string{"Value of supplies"}, 0
			for _, h := range c.heads {
				n := c.sum[h][0]*100/9 + 7
				value, all = append(value, rupees(n)), all+n
			}
			rows = append(rows, append(value, rupees(all)))
			for k, name := range []string{"Tax assessed", "Interest", "Penalty"} {
				if c.of(k) > 0 {
					rows = append(rows, row(name, headCells(c, k), total(c, k)))
				}
			}
			last := []string{"Payable"}
			for _, h := range c.heads {
				last = append(last, sumOf(c, h))
			}
			return columns(append(rows, append(last, rupees(c.total())))...)
		}},
		{"a-line-a-head", false, func(c dues) string {
			s := "The demand is quantified as under:\n"
			for _, h := range c.heads {
				s += longHead[h] + " : Rs. " + rupees(c.sum[h][0]) + "/-"
				if c.of(1) > 0 {
					s += ", interest Rs. " + rupees(c.sum[h][1]) + "/-"
				}
				if c.of(2) > 0 {
					s += ", penalty Rs. " + rupees(c.sum[h][2]) + "/-"
				}
				s += "\n"
			}
			return s + "Total : Rs. " + rupees(c.total()) + "/-\n"
		}},
		{"each", false, func(c dues) string {
			s := "(a) " + amountsByHead(c, 0, " Rs. ") + " should not be recovered as tax;\n"
			if c.of(1) > 0 {
				s += "(b) interest of " + amountsByHead(c, 1, " Rs. ") + " should not be recovered;\n"
			}
			if c.of(2) > 0 {
				s += "(c) penalty, " + amountsByHead(c, 2, " Rs. ") + ", should not be imposed. The total comes to Rs. " + rupees(c.total()) + ".\n"
			} else {
				s += "The total comes to Rs. " + rupees(c.total()) + " (Rupees " + inWords(c.total()) + " only).\n"
			}
			return wrap(s)
		}},
		{"letters-of-columns", false, func(c dues) string {
			return headRows(c, "Act", [4]string{"Tax [A]", "Interest [B]", "Penalty [C]", "A+B+C"}, func(h string) string { return h + " Act" }, "Total")
		}},
	}
}

func keptDemands() []way {
	return []way{
		{"levy-fine", false, func(c dues) string {
			var heads []string
			for _, h := range c.heads {
				heads = append(heads, longHead[h])
			}
			return kindRows(c, append(append([]string{"Nature of dues"}, heads...), "Aggregate"), "Tax short levied", "Interest u/s 50(1)", "Penalty u/s 73(9)", "Sum due")
		}},
		{"colon-list", false, func(c dues) string {
			s := ""
			for k, name := range []string{"Tax", "Interest", "Penalty"} {
				if c.of(k) == 0 {
					continue
				}
				for _, h := range c.heads {
					s += name + " - " + h + " : " + rupees(c.sum[h][k]) + ".00\n"
				}
			}
			return s + "Amount payable : " + rupees(c.total()) + ".00\n"
		}},
		{"two-level-heading", false, func(c dues) string {
			top, second, cells := []string{""}, []string{"Period"}, []string{strings.Join(c.years, ", ")}
			for _, h := range c.heads {
				top, second, cells = append(top, h), append(second, "Tax"), append(cells, rupees(c.sum[h][0]))
				for k, name := range []string{"", "Interest", "Penalty"} {
					if k > 0 && c.of(k) > 0 {
						top, second, cells = append(top, ""), append(second, name), append(cells, rupees(c.sum[h][k]))
					}
				}
			}
			return columns(append(top, ""), append(second, "Total"), append(cells, rupees(c.total())))
		}},
		{"brackets", false, func(c dues) string {
			s := "The amounts proposed are (a) tax Rs. " + rupees(c.of(0)) + " (" + amountsByHead(c, 0, ": Rs. ") + ")"
			if c.of(1) > 0 {
				s += "; (b) interest Rs. " + rupees(c.of(1)) + " (" + amountsByHead(c, 1, ": Rs. ") + ")"
			}
			if c.of(2) > 0 {
				s += "; (c) penalty Rs. " + rupees(c.of(2)) + " (" + amountsByHead(c, 2, ": Rs. ") + ")"
			}
			return wrap(s + "; in all Rs. " + rupees(c.total()) + " (Rupees " + inWords(c.total()) + " only).")
		}},
		{"official", false, func(c dues) string {
			rows := [][]string{{"Sr.", "Tax", "Turnover", "Tax period", "", "Act", "POS", "Tax", "Interest", "Penalty", "Fee", "Others", "Total"},
				{"No.", "Rate", "", "From", "To", "", "", "", "", "", "", "", ""}}
			for i, h := range c.heads {
				rows = append(rows, []string{fmt.Sprint(i + 1), "0", "0.00", "APR 2021", "MAR 2022", h, "NA", rupees(c.sum[h][0]) + ".00",
					rupees(c.sum[h][1]) + ".00", rupees(c.sum[h][2]) + ".00", "0.00", "0.00", sumOf(c, h) + ".00"})
			}
			return columns(append(rows, []string{"Total", "", "", "", "", "", "", rupees(c.of(0)) + ".00", rupees(c.of(1)) + ".00", rupees(c.of(2)) + ".00", "0.00", "0.00", rupees(c.total()) + ".00"})...)
		}},
		{"issues-by-heads", true, func(c dues) string {
			rows := [][]string{append(append([]string{"Issue"}, c.heads...), "Aggregate")}
			for i, y := range c.years {
				r, n := []string{[]string{"A. Credit", "B. Outward supply", "C. Services"}[i]}, 0
				for _, h := range c.heads {
					r, n = append(r, rupees(c.byYear[y][h])), n+c.byYear[y][h]
				}
				rows = append(rows, append(r, rupees(n)))
			}
			return columns(append(rows, row("Sum of A and B", headCells(c, 0), total(c, 0)))...)
		}},
		{"sections-first", false, func(c dues) string {
			return headRows(c, "Minor head", [4]string{"Sec. 73 tax", "Sec. 50 interest", "Sec. 73(9) penalty", "Row total"}, long, "G. Total")
		}},
	}
}

func ordinal(d int) string {
	switch {
	case d%10 == 1 && d != 11:
		return fmt.Sprintf("%dst", d)
	case d%10 == 2 && d != 12:
		return fmt.Sprintf("%dnd", d)
	case d%10 == 3 && d != 13:
		return fmt.Sprintf("%drd", d)
	}
	return fmt.Sprintf("%dth", d)
}

func shaped(t time.Time, shape string) string {
	if upper := strings.ReplaceAll(shape, "JANUARY", "January"); upper != shape {
		return strings.ToUpper(t.Format(upper))
	}
	return strings.ReplaceAll(t.Format(shape), "ORD", ordinal(t.Day()))
}

// choice has the variants of one part: the known and the kept ones.
type choice struct{ known, kept []string }

func (c choice) pick(r *rand.Rand, kept bool) (string, int) {
	list := c.known
	if kept {
		list = c.kept
	}
	i := r.IntN(len(list))
	return list[i], i
}

var (
	dateShapes = choice{
		[]string{"02/01/2006", "02.01.2006", "2 January 2006", "ORD January, 2006", "02-Jan-2006", "ORD day of January, 2006"},
		[]string{"02-01-2006", "January 2, 2006", "2-1-2006", "ORD of January 2006", "02 Jan. 2006", "02 JANUARY 2006"},
	}
	letterheads = choice{
		[]string{
			"          GOVERNMENT OF INDIA\n   OFFICE OF THE %[1]s\n   CGST Division-IV, Nashik - 422002\n",
			"Commercial Taxes Department, Circle Kota\n",
			"O/o the %[1]s, Range-II, Rajkot\n",
		},
		[]string{
			"STATE TAX DEPARTMENT * Unit 12 * Guntur\n",
			"     Office of %[1]s\n     Ward 44, Delhi\n",
			"Goods and Services Tax Wing\nBlock B, Tax Tower, Thiruvananthapuram\n",
		},
	}
	titles = choice{
		[]string{"SHOW CAUSE NOTICE No. %[1]s\nDated %[2]s\n", "No. %[1]s                                  Date: %[2]s\n\nSHOW CAUSE NOTICE\n",
			"%[1]s / %[2]s\nFORM GST DRC-01 (rule 142(1))\nSummary of Show Cause Notice\n",
			"FORM GST DRC-01                No. %[1]s                 %[2]s\nSummary of Show Cause Notice\n",
			"C. No. %[1]s\nNashik, the %[2]s\nNOTICE TO SHOW CAUSE\n"},
		[]string{"Form GST DRC - 01\n[See rule 100(2) & 142(1)(a)]\nReference No: %[1]s\nDate: %[2]s\nSummary of Show Cause Notice\n",
			"File: %[1]s                         Issued on %[2]s\nSub: Show cause notice under the CGST Act, 2017 - reg.\n",
			"SCN No.          %[1]s\nDate of notice   %[2]s\nShow cause notice under section 73\n",
			"Notice ref. %[1]s of %[2]s\n   SHOW CAUSE NOTICE UNDER SECTION 73 OF THE CGST ACT\n"},
	}
	addressees = choice{
		[]string{"To\nM/s %[1]s,\n14, Station Road, Nashik\nGSTIN: %[2]s\n", "%[1]s, Station Road. %[2]s.\n", "GSTIN            %[2]s\nLegal name       %[1]s\n",
			"To, M/s. %[1]s (GSTIN %[2]s)\n", "Noticee: %[1]s, GSTIN %[2]s\n"},
		[]string{"%[2]s\n%[1]s\nShop 4, Market Yard\n", "Name and GSTIN of the taxpayer: %[1]s, %[2]s\n", "To: The Proprietor, %[1]s\nMarket Yard. GSTIN - %[2]s\n",
			"Addressed to : %[1]s\nRegistration : %[2]s\n"},
	}
	charges = choice{
		[]string{"1. Input tax credit was availed in excess of GSTR-2B, in contravention of section 16(2)(c). %[1]s is recoverable.\n2. Output supplies were declared short in GSTR-3B as against GSTR-1. %[2]s is payable under section 9.\n",
			"(A) Credit on works contract was taken against section 17(5)(c): %[1]s.\n(B) Freight suffered no tax in reverse charge, section 9(3): %[2]s.\n"},
		[]string{"Issue 1: Invoices of a cancelled supplier were used for credit, violating section 16(2). Tax involved %[1]s.\nIssue 2: Advances received were not offered to tax as section 13 requires. Tax involved %[2]s.\n",
			"I. Exempt supplies were made and rule 42 was not applied; %[1]s to be reversed.\nII. Turnover as per the accounts exceeds that returned; %[2]s short paid.\n"},
	}
	asks = choice{
		[]string{"You are hereby called upon to show cause on or before %[1]s why the above should not be recovered.\n", "Reply in DRC-06 by %[1]s.\n",
			"Reply on or before             %[1]s\n", "The noticee shall furnish its written submissions latest by %[1]s, failing which the matter will be decided ex parte.\n",
			"Last date for reply: %[1]s\n"},
		[]string{"Your explanation must reach this office not later than %[1]s.\n", "Date by which reply has to be submitted      %[1]s\n",
			"You have time up to %[1]s to answer this notice in writing.\n", "Defence reply, if any, may be lodged till %[1]s.\n", "Written reply due on : %[1]s\n"},
	}
	hearings = choice{
		[]string{"Personal hearing: %[1]s at %[2]s in the chamber of the undersigned.\n", "You may be heard on %[1]s at %[2]s.\n", "Hearing on %[1]s at %[2]s, virtual mode.\n",
			"Hearing is fixed on %[1]s at %[2]s.\n", "Hearing              %[1]s, %[2]s, Room 4\n"},
		[]string{"The undersigned will hear you on %[1]s at %[2]s.\n", "Date of personal hearing   %[1]s\nTime of personal hearing   %[2]s\n", "You are given an opportunity to appear on %[1]s at %[2]s.\n",
			"PH is scheduled for %[1]s (%[2]s).\n"},
	}
	clocks     = choice{[]string{"11.00 A.M.", "3 p.m.", "11:00 hrs"}, []string{"03:30 PM", "11 a.m.", "15.00 hours"}}
	clockValue = map[string]string{"11.00 A.M.": "11:00", "3 p.m.": "15:00", "11:00 hrs": "11:00", "03:30 PM": "15:30", "11 a.m.": "11:00", "15.00 hours": "15:00"}
	signatures = choice{
		[]string{"\n                                    (R. K. Meena)\n                                    %[1]s\n", "\nA. K. Biswas, %[1]s\n", "\n%[1]s\nMrs. Leena R. Shah\n", "\nSd/-\nVinod Thomas\n%[1]s\n"},
		[]string{"\nName: Harish Rao\nDesignation: %[1]s\n", "\nYours faithfully,\n\n%[1]s\n(Smt. P. Lakshmi)\n", "\nDigitally signed by Gopal Sen\n%[1]s, Circle 2\n"},
	}
	ranks = choice{[]string{"Assistant Commissioner", "State Tax Officer", "Superintendent"}, []string{"Deputy Commissioner of State Tax", "Joint Commissioner", "Commercial Tax Officer"}}
	firms = choice{[]string{"BHARGAV METALS PRIVATE LIMITED", "NEELKANTH TRADERS", "SURYA AGRO FOODS LLP"}, []string{"Konark Ceramics", "ANAND AND SONS", "Himgiri Pharma Limited"}}
)

// paper assembles one paper.
func paper(seed uint64, kept bool, demand way) made {
	r := rand.New(rand.NewPCG(seed, 7))
	var parts []string
	take := func(name string, c choice) string {
		s, i := c.pick(r, kept)
		parts = append(parts, fmt.Sprintf("%s%d", name, i))
		return s
	}
	shape := take("d", dateShapes)
	issued := time.Date(2024+r.IntN(2), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
	reply, hearing := issued.AddDate(0, 0, 28+r.IntN(5)), issued.AddDate(0, 0, 36+r.IntN(9))
	rank, firm := take("r", ranks), take("n", firms)
	body := "27ABCFN" + fmt.Sprintf("%04d", 1000+r.IntN(8999)) + "K1Z"
	gstin := body + string(checkDigit(body))
	reference := fmt.Sprintf("V/15-%d/Adj/%d", 10+r.IntN(80), issued.Year())
	if seed%2 == 0 {
		reference = fmt.Sprintf("ZD27%02d%02d0%05dQ", issued.Month(), issued.Year()%100, r.IntN(99999))
	}
	c := dues{heads: [][]string{{"CGST", "SGST"}, {"IGST"}, {"IGST", "CGST", "SGST"}}[r.IntN(3)], years: []string{"2020-21", "2021-22"}, byYear: map[string]map[string]int{}, sum: map[string][3]int{}}
	if strings.Contains(demand.name, "each") {
		c.heads = c.heads[:min(2, len(c.heads))]
	}
	central := map[string]int{}
	kinds := r.IntN(3)
	if demand.taxOnly {
		kinds = 0
	}
	for _, y := range c.years {
		c.byYear[y] = map[string]int{}
		for _, h := range c.heads {
			n := 10*(1000+r.IntN(90000)) + r.IntN(9)
			if h == "SGST" && central[y] > 0 {
				n = central[y]
			}
			central[y] = n
			c.byYear[y][h] = n
			s := c.sum[h]
			s[0] += n
			c.sum[h] = s
		}
	}
	for _, h := range c.heads {
		s := c.sum[h]
		if kinds > 1 {
			s[1] = s[0] * 31 / 100
		}
		if kinds > 0 {
			s[2] = s[0] / 10
		}
		c.sum[h] = s
	}
	one := func(year string) string {
		var list []string
		for _, h := range c.heads {
			list = append(list, h+" Rs. "+rupees(c.byYear[year][h]))
		}
		return strings.Join(list, ", ")
	}
	var b strings.Builder
	put := func(format string, a ...any) {
		if strings.Contains(format, "%") {
			format = fmt.Sprintf(format, a...)
		}
		b.WriteString(strings.ReplaceAll(format, "%!(EXTRA", "") + "\n")
	}
	head, _, _ := strings.Cut(fmt.Sprintf(take("l", letterheads), strings.ToUpper(rank)), "%!(")
	put("%s", head)
	put(take("t", titles), reference, shaped(issued, shape))
	put(take("a", addressees), firm, gstin)
	b.WriteString("On scrutiny of the returns for the years 2020-21 and 2021-22 the following was noticed.\n\n")
	b.WriteString(wrap(fmt.Sprintf(take("c", charges), one(c.years[0]), one(c.years[1]))))
	b.WriteString("The amounts proposed to be recovered are as follows:\n\n" + demand.set(c) + "\n")
	put("%s", wrap(fmt.Sprintf(take("k", asks), shaped(reply, shape))))
	truth := map[string]any{}
	if at := take("w", clocks); r.IntN(3) > 0 {
		put(take("h", hearings), shaped(hearing, shape), at)
		truth["hearing"] = fmt.Sprintf("%s %s", hearing.Format(time.DateOnly), clockValue[at])
	}
	put(take("s", signatures), rank)
	truth["reference"], truth["gstin"], truth["legal_name"], truth["officer"] = reference, gstin, strings.ToLower(firm), strings.ToLower(rank)
	truth["issue_date"], truth["reply_due"] = issued.Format(time.DateOnly), reply.Format(time.DateOnly)
	truth["total"] = float64(c.total())
	for _, h := range c.heads {
		truth["demand "+h] = fmt.Sprint(c.sum[h])
	}
	truth["charges"] = 2
	return made{text: b.String(), truth: truth, parts: demand.name + " " + strings.Join(parts, " ")}
}

func checkDigit(number string) byte {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := 0
	for i := range len(number) {
		n := strings.IndexByte(alphabet, number[i]) * (1 + i%2)
		sum += n/36 + n%36
	}
	return alphabet[(36-sum%36)%36]
}

// readBack returns the facts in the format of an assembled paper's truth.
func readBack(f gst.Facts) map[string]any {
	got := map[string]any{}
	text := func(field string, s *string, lower bool) {
		if s != nil {
			got[field] = *s
			if lower {
				got[field] = strings.ToLower(*s)
			}
		}
	}
	text("reference", f.Reference, false)
	text("gstin", f.GSTIN, false)
	text("legal_name", f.LegalName, true)
	text("officer", f.Officer.Designation, true)
	text("issue_date", f.IssueDate, false)
	text("reply_due", f.ReplyDue.Date, false)
	if f.Hearing != nil {
		at := ""
		if f.Hearing.Time != nil {
			at = *f.Hearing.Time
		}
		got["hearing"] = f.Hearing.Date + " " + at
	}
	if f.Demand != nil {
		if f.Demand.Total != nil {
			got["total"] = *f.Demand.Total
		}
		for _, row := range f.Demand.Rows {
			got["demand "+row.Head] = fmt.Sprint([3]int{int(row.Tax), int(row.Interest), int(row.Penalty)})
		}
	}
	if n := len(f.Charges()); n > 0 {
		got["charges"] = n
	}
	return got
}

// noisy changes a text as recognition would: letters confused, spaces lost, columns shifted by a
// character.
func noisy(text string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	look := map[byte]byte{'e': 'c', 'l': '1', 'i': 'l', 'S': '5', 'O': '0', 'h': 'b', 'n': 'r', 'a': 'o', 'm': 'n', ':': '.', '(': 'C'}
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if r.IntN(4) == 0 && strings.HasPrefix(line, " ") {
			line = line[1:]
		}
		for i := range len(line) {
			if to, ok := look[line[i]]; ok && r.IntN(120) == 0 {
				b.WriteByte(to)
				continue
			}
			if line[i] == ' ' && i > 0 && line[i-1] == ' ' && r.IntN(150) == 0 {
				continue
			}
			b.WriteByte(line[i])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The lowest recall of any field over papers assembled from known parts, clean and with recognition noise; and no
// wrong amount and no wrong reply date. Papers of kept parts show what to expect for unfamiliar wording: they are
// only counted (-v).
func TestMadePapers(t *testing.T) {
	const each = 4 // papers for each way to set out a demand
	for _, test := range []struct {
		name        string
		kept, noisy bool
		least       float64
	}{{"known", false, false, 0.97}, {"known, recognised", false, true, 0.9}, {"kept", true, false, 0}, {"kept, recognised", true, true, 0}} {
		t.Run(test.name, func(t *testing.T) {
			ways := knownDemands()
			if test.kept {
				ways = keptDemands()
			}
			right, wrong, all := map[string]int{}, map[string]int{}, map[string]int{}
			for w, demand := range ways {
				for n := range each {
					seed := uint64(100*w + n)
					p := paper(seed, test.kept, demand)
					if test.noisy {
						p.text = noisy(p.text, seed)
					}
					got := readBack(gst.Read(tables, []gst.Page{{Text: p.text, Recognised: test.noisy}}))
					for field, want := range p.truth {
						name, _, _ := strings.Cut(field, " ")
						all[name]++
						switch have := got[field]; {
						case have == want:
							right[name]++
						default:
							if have != nil {
								wrong[name]++
							}
							t.Logf("%s: %s is %v, not %v", p.parts, field, have, want)
						}
					}
				}
			}
			for _, field := range slices.Sorted(maps.Keys(all)) {
				recall := float64(right[field]) / float64(all[field])
				t.Logf("%-10s recall %.3f, %d wrong of %d", field, recall, wrong[field], all[field])
				if recall < test.least {
					t.Errorf("recall of %s is %.3f, and was at least %.2f", field, recall, test.least)
				}
			}
			if !test.kept && wrong["total"]+wrong["demand"]+wrong["reply_due"] > 0 {
				t.Error("an amount or a reply date is wrong")
			}
		})
	}
}
