package read

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/figures"
)

// Pages passes on the text of each page of a PDF, in visual lines with the cells of a table two spaces apart, in the
// order of the pages. It reports false if the file has no text, as a scan. An error is a reason why the PDF cannot be
// read, or a fault of ours.
type Pages func(ctx context.Context, path string) (pages []string, ok bool, err error)

// printed reads a return that the portal printed as a PDF: GSTR-3B or GSTR-9. Such a print is read only if its own
// sums agree with its lines, since a number in a wrong column would be worse than none.
func printed(pages []string) (figures.File, error) {
	lines := strings.Split(strings.Join(pages, "\n"), "\n")
	head := strings.ToUpper(strings.Join(lines[:min(len(lines), 25)], " "))
	head = strings.ReplaceAll(strings.ReplaceAll(head, "-", ""), " ", "")
	var r figures.Return
	var err error
	switch {
	case strings.Contains(head, "GSTR9C"):
		return figures.File{}, refused("figures_pdf", errors.New("a print of GSTR-9C"))
	case strings.Contains(head, "GSTR9"):
		r, err = printed9(lines)
	case strings.Contains(head, "GSTR3B"):
		r, err = printed3B(lines)
	default:
		err = errors.New("a print of something else")
	}
	if err != nil {
		return figures.File{}, refused("figures_pdf", err)
	}
	return figures.File{Format: r.Form + " PDF", GSTIN: r.GSTIN, Returns: []figures.Return{r}}, nil
}

// amount matches an amount as the portal prints it: always with two decimals, which no number of a rule or section
// has.
var amount = regexp.MustCompile(`^-?[\d,]+\.\d{2}$`)

// gap matches the space between the cells of a row.
var gap = regexp.MustCompile(`\s{2,}`)

// amountsIn returns the amounts at the end of a line, and the line without them. A cell with a dash is empty.
func amountsIn(line string) (values []int64, rest string) {
	cells := gap.Split(strings.TrimSpace(line), -1)
	for n := len(cells); n > 0; n-- {
		words := strings.Fields(cells[n-1])
		at := len(words)
		for at > 0 && (amount.MatchString(words[at-1]) || len(words) == 1 && (words[0] == "-" || words[0] == "–")) {
			paise, _ := paiseOf(words[at-1])
			values = append(values, paise)
			at--
		}
		if at > 0 { // the words of the row
			rest = strings.Join(append(cells[:n-1:n-1], strings.Join(words[:at], " ")), " ")
			break
		}
	}
	slices.Reverse(values)
	return values, rest
}

// printedRow is a row of a printed table, whose words may take several lines.
type printedRow struct {
	mark   string // as "a", "5" or "O"
	values []int64
}

// printedRows returns the rows of a table. A row begins with a mark; its amounts may be on a later line, since the
// portal puts them beside the middle of the words.
func printedRows(lines []string, mark *regexp.Regexp) []printedRow {
	var rows []printedRow
	for _, line := range lines {
		values, _ := amountsIn(line)
		// The marks must be consecutive: a line of words may begin with a letter too.
		if m := mark.FindStringSubmatch(strings.TrimSpace(line)); m != nil && (len(rows) == 0 ||
			m[1] > rows[len(rows)-1].mark && m[1][0] <= rows[len(rows)-1].mark[0]+2) {
			rows = append(rows, printedRow{mark: m[1]})
		}
		if len(rows) > 0 && len(values) > 0 {
			row := &rows[len(rows)-1]
			row.values = append(row.values, values...)
		}
	}
	return rows
}

// between returns the lines after the first that begins with one expression and before the next that begins with
// another.
func between(lines []string, from, to *regexp.Regexp) []string {
	start := slices.IndexFunc(lines, func(s string) bool { return from.MatchString(strings.TrimSpace(s)) })
	if start < 0 {
		return nil
	}
	lines = lines[start+1:]
	if end := slices.IndexFunc(lines, func(s string) bool { return to.MatchString(strings.TrimSpace(s)) }); end >= 0 {
		lines = lines[:end]
	}
	return lines
}

var (
	table31   = regexp.MustCompile(`^3\.1[^.\d].*(?i:outward)`)
	after31   = regexp.MustCompile(`^(3\.1\.1\s|3\.2|4[ .])`)
	table4    = regexp.MustCompile(`^4[ .].*(?i:eligible)`)
	after4    = regexp.MustCompile(`^5(\.1)?[ .]`)
	letter    = regexp.MustCompile(`^\(?([a-e])\)`)
	part      = regexp.MustCompile(`^\(?([A-D])[.)]\s`)
	number    = regexp.MustCompile(`^\(?([1-5])\)`)
	yearOf    = regexp.MustCompile(`(?i)\byear\b[\s:]+(20\d\d-\d{2,4})`)
	periodOf  = regexp.MustCompile(`(?i)\bperiod\b[\s:]+(?:[a-z]+\s*-\s*)?([a-z]{3,9})\b`)
	filedOn   = regexp.MustCompile(`(?i)\bdate of (?:arn|filing)\b[\s:]+(\d[\d/.-]+)`)
	nineTable = regexp.MustCompile(`^(\d{1,2})[. ]`)
	nineRow   = regexp.MustCompile(`^([A-O])(?:[.)]|\s|$)`)
)

// headOf returns the GSTIN, the year, the month (the last one of a quarter) and the day of filing that a print gives
// in its head; "" for what it does not give.
func headOf(lines []string) (gstin, year, month, filed string) {
	text := strings.Join(lines[:min(len(lines), 60)], "  ")
	for _, word := range strings.Fields(text) {
		if isGSTIN(word) {
			gstin = strings.ToUpper(word)
			break
		}
	}
	first := func(of *regexp.Regexp) string {
		if m := of.FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return ""
	}
	return gstin, first(yearOf), first(periodOf), day(first(filedOn))
}

func printed3B(lines []string) (figures.Return, error) {
	gstin, year, month, filed := headOf(lines)
	r := figures.Return{Form: "GSTR-3B", GSTIN: gstin, Period: monthIn(year, month), Filed: filed}
	if r.Period == "" || gstin == "" {
		return r, errors.New("no GSTIN or period in its head")
	}
	supplies := printedRows(between(lines, table31, after31), letter)
	for _, row := range supplies {
		line := figures.ReturnLine{Code: "3.1" + row.mark}
		switch {
		case len(row.values) == 5:
			line.Taxable, line.Tax = row.values[0], figures.Tax(row.values[1:])
		case (row.mark == "c" || row.mark == "e") && len(row.values) > 0:
			line.Taxable = row.values[0] // without tax the cells are empty
		default:
			return r, fmt.Errorf("%d amounts in row (%s) of table 3.1", len(row.values), row.mark)
		}
		r.Tables = append(r.Tables, line)
	}
	credit := between(lines, table4, after4)
	var parts [4][]string
	at := -1
	for _, line := range credit {
		if m := part.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			at = int(m[1][0] - 'A')
		}
		if at >= 0 {
			parts[at] = append(parts[at], line)
		}
	}
	sum := figures.Tax{}
	for i, code := range []string{"4A", "4B"} {
		for _, row := range printedRows(parts[i], number) {
			if len(row.values) != 4 {
				return r, fmt.Errorf("%d amounts in row (%s) of table %s", len(row.values), row.mark, code)
			}
			tax := figures.Tax(row.values)
			r.Tables = append(r.Tables, figures.ReturnLine{Code: code + row.mark, Tax: tax})
			if i == 0 {
				sum = sum.Plus(tax)
			} else {
				sum = sum.Minus(tax)
			}
		}
	}
	net := printedRows(parts[2], part)
	if len(supplies) < 5 || len(net) == 0 || len(net[0].values) != 4 {
		return r, errors.New("tables 3.1 and 4 are not whole")
	}
	if of := figures.Tax(net[0].values); of != sum {
		return r, fmt.Errorf("table 4C is %v, its lines come to %v", of, sum)
	}
	r.Tables = append(r.Tables, figures.ReturnLine{Code: "4C", Tax: sum})
	return r, nil
}

// printed9 reads the lines of GSTR-9 that are compared: 4N, 5N, 6K, 6L, 6O, 7J and the tax payable of table 9. The
// print has the heads in another order than GSTR-3B: central, State, integrated, cess.
func printed9(lines []string) (figures.Return, error) {
	gstin, year, _, filed := headOf(lines)
	r := figures.Return{Form: "GSTR-9", GSTIN: gstin, Period: monthIn(year, "March"), Filed: filed}
	if r.Period == "" || gstin == "" {
		return r, errors.New("no GSTIN or year in its head")
	}
	tables := map[string][]string{}
	at := 0
	for _, line := range lines {
		if m := nineTable.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n >= 4 && (n == at+1 || at == 0 && n == 4) {
				at = n
				continue
			}
		}
		if at > 0 {
			tables[strconv.Itoa(at)] = append(tables[strconv.Itoa(at)], line)
		}
	}
	rows := map[string][]int64{}
	for _, table := range []string{"4", "5", "6", "7"} {
		for _, row := range printedRows(tables[table], nineRow) {
			rows[table+row.mark] = row.values
		}
	}
	taxes := func(v []int64) figures.Tax { return figures.Tax{v[2], v[0], v[1], v[3]} }
	for _, of := range []struct {
		row, code string
		value     bool // the first amount is the value
		optional  bool
	}{{"4N", "table4.sup_adv", true, false}, {"5N", "table5.total_tover", true, false},
		{"6K", "table6.tran1", false, true}, {"6L", "table6.tran2", false, true},
		{"6O", "table6.total_itc_availed", false, false}, {"7J", "table7.net_itc_aval", false, false}} {
		values := rows[of.row]
		switch {
		case of.value && len(values) == 5:
			r.Tables = append(r.Tables, figures.ReturnLine{Code: of.code, Taxable: values[0], Tax: taxes(values[1:])})
		case !of.value && len(values) == 4:
			r.Tables = append(r.Tables, figures.ReturnLine{Code: of.code, Tax: taxes(values)})
		case of.optional && len(values) <= 2: // TRAN-I and TRAN-II have central and State tax alone
			if len(values) == 2 {
				r.Tables = append(r.Tables, figures.ReturnLine{Code: of.code, Tax: figures.Tax{0, values[0], values[1]}})
			}
		default:
			return r, fmt.Errorf("%d amounts in row %s", len(values), of.row)
		}
	}
	for _, check := range [][3]string{{"4N", "4H", "4M"}, {"6O", "6I", "6N"}} {
		whole, a, b := rows[check[0]], rows[check[1]], rows[check[2]]
		if len(a) != len(whole) || len(b) != len(whole) {
			return r, fmt.Errorf("rows %v are not whole", check)
		}
		for i := range whole {
			if whole[i] != a[i]+b[i] {
				return r, fmt.Errorf("row %s is not %s and %s", check[0], check[1], check[2])
			}
		}
	}
	payable := figures.ReturnLine{Code: "table9.payable"}
	found := 0
	for _, line := range tables["9"] {
		values, words := amountsIn(line)
		head := slices.Index([]string{"integrated tax", "central tax", "state ut tax", "cess"},
			strings.ToLower(strings.TrimSpace(strings.NewReplacer("/", " ", "  ", " ").Replace(words))))
		if len(values) > 0 && head >= 0 {
			payable.Tax[head] = values[0]
			found++
		}
	}
	if found != 4 {
		return r, fmt.Errorf("%d heads in table 9", found)
	}
	r.Tables = append(r.Tables, payable)
	return r, nil
}
