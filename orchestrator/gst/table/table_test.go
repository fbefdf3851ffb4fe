package table_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"munshi/orchestrator/gst/table"
)

// typed returns the words of a text in fixed-width type. Pages are separated by form feeds.
func typed(text string) []table.Word {
	var words []table.Word
	at := 0
	for p, page := range strings.Split(text, "\f") {
		for y, line := range strings.Split(page, "\n") {
			column := 0
			for i := 0; i < len(line); {
				if line[i] == ' ' {
					i, column = i+1, column+1
					continue
				}
				end := i + strings.IndexByte(line[i:]+" ", ' ')
				width := utf8.RuneCountInString(line[i:end])
				words = append(words, table.Word{Text: line[i:end], Start: at + i, End: at + end, Page: p + 1,
					X0: float64(column), X1: float64(column + width), Y0: float64(2 * y), Y1: float64(2*y + 1)})
				i, column = end, column+width
			}
			at += len(line) + 1
		}
	}
	return words
}

// summary describes a table, one line for each column and row: its name, and T for a total, D for a
// difference, W for workings, A for a column or row that is set apart, ! for one that does not add up.
func summary(t table.Table) string {
	var b strings.Builder
	role := func(l table.Line) string {
		s := [...]string{"", " T", " D", " W", " A"}[l.Role]
		if l.Misfit {
			s += "!"
		}
		return s
	}
	for _, c := range t.Columns {
		fmt.Fprintf(&b, "[%s%s]", c.Heading, role(c.Line))
	}
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "\n%s%s:", strings.TrimSpace(r.Label), role(r.Line))
		for _, c := range r.Cells {
			switch {
			case c.Amount.Is() && c.Amount.Paise%100 != 0:
				fmt.Fprintf(&b, " %.2f", float64(c.Amount.Paise)/100)
			case c.Amount.Is():
				fmt.Fprintf(&b, " %d", c.Amount.Paise/100)
			default:
				fmt.Fprintf(&b, " (%s)", c.Text)
			}
		}
	}
	return b.String()
}

func TestTables(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"heads as rows, a heading over two lines, labels that wrap, serial numbers", `
Sr.   Act      Place of    Tax        Interest     Sum of
No.            supply                              both
1     IGST     Tamil       1,000      180          1,180
               Nadu
2     CGST     NA          2,000      360          2,360
      All in               3,000      540          3,540`,
			"[Tax][Interest][Sum of both T]\n1 IGST Tamil Nadu: 1000 180 1180\n2 CGST NA: 2000 360 2360\nAll in T: 3000 540 3540"},
		{"kinds as rows, right-aligned amounts far from their headings", `
Particulars        CGST            SGST            TOTAL
Levy                        405            406          811
Charge                       40             41           81
Fine                        100            101          201
G. TOTAL                    545            548         1093`,
			"[CGST][SGST][TOTAL T]\nLevy: 405 406 811\nCharge: 40 41 81\nFine: 100 101 201\nG. TOTAL T: 545 548 1093"},
		{"a heading over the middle of two columns, of which each has its own below", `
              Central levy            State levy              Both
           Claimed    Allowed     Claimed    Allowed     Claimed    Allowed
Levy       4,000      1,000       4,000      1,000       8,000      2,000
Charge     400        100         400        100         800        200`,
			"[Central levy Claimed][Central levy Allowed][State levy Claimed][State levy Allowed][Both Claimed][Both Allowed]\n" +
				"Levy: 4000 1000 4000 1000 8000 2000\nCharge: 400 100 400 100 800 200"},
		{"a printed total that does not fit", `
Head      Tax       Penalty    Total
CGST      5,000     500        5,500
SGST      5,000     500        5,500
Total     10,000    1,000      11,100`,
			"[Tax][Penalty][Total T!]\nCGST: 5000 500 5500\nSGST: 5000 500 5500\nTotal T!: 10000 1000 11100"},
		{"a line that repeats the sum above it, and is an addend of the last", `
Point      CGST       SGST       Both
First      6,000      6,000      12,000
Second     750        750        1,500
Levy       6,750      6,750      13,500
Fine       6,750      6,750      13,500
Total      13,500     13,500     27,000`,
			"[CGST][SGST][Both T]\nFirst: 6000 6000 12000\nSecond: 750 750 1500\nLevy T: 6750 6750 13500\nFine: 6750 6750 13500\nTotal T: 13500 13500 27000"},
		{"totals without a name", `
April          1,000      700
May            2,000      900
June           4,000    1,100
First quarter  7,000    2,700`,
			"[][]\nApril: 1000 700\nMay: 2000 900\nJune: 4000 1100\nFirst quarter T: 7000 2700"},
		{"subtotals and a grand total", `
Year         CGST     SGST     IGST
2020-21      100      110      7
2021-22      200      210      NIL
Sub-total A  300      320      7
2020-21      40       41       8
2021-22      60       61       9
Sub-total B  100      102      17
Grand total  400      422      24`,
			"[CGST][SGST][IGST]\n2020-21: 100 110 7\n2021-22: 200 210 0\nSub-total A T: 300 320 7\n2020-21: 40 41 8\n2021-22: 60 61 9\nSub-total B T: 100 102 17\nGrand total T: 400 422 24"},
		{"a difference of two rows, with bracketed amounts and a sum before it", `
               Integrated     Central
Taken          6,12,340       2,88,115
Reclaimed      24,100         9,060
Reversed       (-) 51,200     (18,400)
Net            5,85,240       2,78,775
By statement   4,46,500       2,14,325
Left           1,38,740       64,450`,
			"[Integrated][Central]\nTaken W: 612340 288115\nReclaimed W: 24100 9060\nReversed W: -51200 -18400\nNet W: 585240 278775\nBy statement W: 446500 214325\nLeft D: 138740 64450"},
		{"differences of columns in groups", `
         As per A            As per B            Gap
Month    CGST     SGST      CGST     SGST      CGST     SGST
April    900      910       500      520       400      390
May      800      830       700      720       100      110`,
			"[As per A CGST W][As per A SGST W][As per B CGST W][As per B SGST W][Gap CGST D][Gap SGST D]\nApril: 900 910 500 520 400 390\nMay: 800 830 700 720 100 110"},
		{"a taxable value stands apart from the sum", `
Head     Value       Tax      Cess     Sum
A        10,000      1,800    120      1,920
B        20,000      3,600    250      3,850
Total    30,000      5,400    370      5,770`,
			"[Value A][Tax][Cess][Sum T]\nA: 10000 1800 120 1920\nB: 20000 3600 250 3850\nTotal T: 30000 5400 370 5770"},
		{"cells left open, dashes", `
Particulars      CGST             SGST             TOTAL
Tax              4,000            4,000            8,000
Interest         as applicable    as applicable    -
Penalty          400              400              800
Total            4,400            4,400            8,800`,
			"[CGST][SGST][TOTAL T]\nTax: 4000 4000 8000\nInterest: (as applicable) (as applicable) 0\nPenalty: 400 400 800\nTotal T: 4400 4400 8800"},
		{"drawn with strokes", `
|Act|Tax|Interest|Total|
|---|---|---|---|
|CGST|1,000|200|1,200|
|SGST|1,000|200|1,200|
|Total|2,000|400|2,400|`,
			"[Tax][Interest][Total T]\nCGST: 1000 200 1200\nSGST: 1000 200 1200\nTotal T: 2000 400 2400"},
		{"one space between cells", `
Act Tax Interest Penalty Total
CGST Rs. 1,000/- Rs. 200/- Nil Rs. 1,200/-
SGST Rs. 11,000/- Rs. 2,200/- Nil Rs. 13,200/-`,
			"[Tax][Interest][Penalty][Total T]\nCGST: 1000 200 0 1200\nSGST: 11000 2200 0 13200"},
		{"one cell a line", `
Act
Place
Tax
Penalty
Total
IGST
Assam
3,000
300
3,300
CGST
NA
1,000
100
1,100
Total
4,000
400
4,400`,
			"[Tax][Penalty][Total T]\nIGST Assam: 3000 300 3300\nCGST NA: 1000 100 1100\nTotal T: 4000 400 4400"},
		{"over a page break, the heading said again", "Head     Tax       Interest    Total\nIGST     1,000     100         1,100\nCGST     2,000     200         2,200\n\n              2\f" +
			"Head     Tax       Interest    Total\nSGST     2,000     200         2,200\nTotal    5,000     500         5,500",
			"[Tax][Interest][Total T]\nIGST: 1000 100 1100\nCGST: 2000 200 2200\nSGST: 2000 200 2200\nTotal T: 5000 500 5500"},
		{"the total first", `
             Total     IGST      CGST      SGST
Tax          9,400     4,000     2,700     2,700
Penalty      940       400       270       270`,
			"[Total T][IGST][CGST][SGST]\nTax: 9400 4000 2700 2700\nPenalty: 940 400 270 270"},
		{"what recognition makes of points and commas", `
Head     Tax          Interest    Total
IGST     1000,00      100.50      1,100,.50
CGST     2,000.00     200.00      2,200.00
Total    3,000.00     300.50      3,300.50`,
			"[Tax][Interest][Total T]\nIGST: 1000 100.50 1100.50\nCGST: 2000 200 2200\nTotal T: 3000 300.50 3300.50"},
		{"equal halves are no total of each other", `
Tax      CGST     SGST
April    100      100
May      200      200`,
			"[CGST][SGST]\nApril: 100 100\nMay: 200 200"},
		{"numbers of rows that wander into columns of their own are no addends", `
    Point                                   CGST       SGST
       1(a)   Sales to the east             4,65,000   4,65,000
       1(b)   Sales to the west             2,16,000   2,16,000
       2      Common levy                   1,00,000   1,00,000
       3      Mini-bus                      1,26,000   1,26,000
4             Store room                    25,200     25,200
       Total                                9,32,200   9,32,200`,
			"[ A][Point A][CGST][SGST]\n1(a) Sales to the east: () () 465000 465000\n1(b) Sales to the west: () () 216000 216000\n" +
				"Common levy: () 2 100000 100000\nMini-bus: () 3 126000 126000\nStore room: 4 () 25200 25200\nTotal T: () () 932200 932200"},
		{"sentences are no table", "Tax of Rs. 1,86,215 under section 73 is payable for 2020-21 and\nRs. 52,200 for the year after. The sum of Rs. 1,000 was paid on 12.05.2025.", ""},
		{"two tables", `
Head     Tax       Interest
IGST     1,000     100
CGST     2,000     250
Head     Value     Rate
Goods    7,000     18.00
Works    8,000     12.00`,
			"[Tax][Interest]\nIGST: 1000 100\nCGST: 2000 250\n\n[Value][Rate]\nGoods: 7000 18\nWorks: 8000 12"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, found := range table.Find(typed(strings.TrimPrefix(test.text, "\n"))) {
				got = append(got, summary(found))
			}
			if s := strings.Join(got, "\n\n"); s != test.want {
				t.Errorf("got\n%s\nwant\n%s", s, test.want)
			}
		})
	}
}

// On a sideways page the words are above each other.
func TestSidewaysPage(t *testing.T) {
	upright := typed("Charged     Integrated     Central     Aggregate\nLiability   1,00,000       2,00,000    3,00,000\nInterest    10,000         20,000      30,000\nTogether    1,10,000       2,20,000    3,30,000")
	want := summary(table.Find(upright)[0])
	clockwise, anticlockwise := slices.Clone(upright), slices.Clone(upright)
	for i, w := range upright {
		w.X0, w.Y0, w.X1, w.Y1 = 6*w.X0, 6*w.Y0, 6*w.X1, 6*w.Y1
		c, a := w, w
		c.X0, c.Y0, c.X1, c.Y1 = 500-w.Y1, w.X0, 500-w.Y0, w.X1
		a.X0, a.Y0, a.X1, a.Y1 = w.Y0, 500-w.X1, w.Y1, 500-w.X0
		clockwise[i], anticlockwise[i] = c, a
	}
	for name, words := range map[string][]table.Word{"clockwise": clockwise, "anticlockwise": anticlockwise} {
		tables := table.Find(words)
		if len(tables) != 1 || summary(tables[0]) != want {
			t.Errorf("%s: %d tables, want\n%s", name, len(tables), want)
			for _, got := range tables {
				t.Log(summary(got))
			}
		}
	}
}

func TestScaled(t *testing.T) {
	found := table.Find(typed("Head     Tax        Interest\nIGST     12.456     1.05\nCGST     0.864      0.00001"))
	if len(found) != 1 {
		t.Fatalf("%d tables", len(found))
	}
	for _, c := range []struct{ row, col, rupees, want int64 }{{0, 0, 1e5, 1245600_00}, {1, 0, 1e5, 86400_00}, {1, 1, 1e5, 1_00}, {0, 1, 1e7, 10500000_00}} {
		if got := found[0].Rows[c.row].Cells[c.col].Amount.Scaled(c.rupees); got != c.want {
			t.Errorf("row %d, column %d: %d, want %d", c.row, c.col, got, c.want)
		}
	}
}

// Whatever the words and boxes are, nothing panics, and each table is a complete grid.
func TestHostileBoxes(t *testing.T) {
	wide := make([]table.Word, 0, 20_000)
	for r := range 2 {
		for c := range 10_000 {
			wide = append(wide, table.Word{Text: "1,000", Page: 1, X0: float64(10 * c), X1: float64(10*c + 5), Y0: float64(20 * r), Y1: float64(20*r + 10)})
		}
	}
	base := typed("Head     Tax       Interest    Total\nIGST     1,000     100         1,100\nCGST     2,000     200         2,200\nTotal    3,000     300         3,300")
	changed := func(change func(i int, w *table.Word)) []table.Word {
		words := slices.Clone(base)
		for i := range words {
			change(i, &words[i])
		}
		return words
	}
	for name, words := range map[string][]table.Word{
		"none":           nil,
		"many columns":   wide,
		"one box":        changed(func(_ int, w *table.Word) { w.X0, w.Y0, w.X1, w.Y1 = 1, 1, 2, 2 }),
		"no box":         changed(func(_ int, w *table.Word) { w.X0, w.Y0, w.X1, w.Y1 = 0, 0, 0, 0 }),
		"not a number":   changed(func(_ int, w *table.Word) { w.X0, w.Y1 = math.NaN(), math.NaN() }),
		"infinite":       changed(func(i int, w *table.Word) { w.X1, w.Y0 = math.Inf(1), math.Inf(i%2*2-1) }),
		"inverted":       changed(func(_ int, w *table.Word) { w.X0, w.X1, w.Y0, w.Y1 = w.X1, w.X0, w.Y1, w.Y0 }),
		"backwards":      changed(func(i int, w *table.Word) { w.X0 = float64(-i) }),
		"each on a page": changed(func(i int, w *table.Word) { w.Page = -i }),
		"huge numbers":   changed(func(_ int, w *table.Word) { w.Text = strings.Repeat("9", 400) }),
		"largest":        changed(func(_ int, w *table.Word) { w.Text = "9999999999999.99999" }),
		"strokes":        changed(func(_ int, w *table.Word) { w.Text = "||1,000||" }),
		"empty":          changed(func(_ int, w *table.Word) { w.Text = "" }),
		"marks":          changed(func(_ int, w *table.Word) { w.Text = "(-)Rs.-/-" }),
		"broken text":    changed(func(_ int, w *table.Word) { w.Text = "\xff1,0\xe0\xa4" }),
	} {
		t.Run(name, func(t *testing.T) {
			for _, found := range table.Find(words) {
				for _, r := range found.Rows {
					if len(r.Cells) != len(found.Columns) {
						t.Fatalf("a row of %d cells in a table of %d columns", len(r.Cells), len(found.Columns))
					}
				}
			}
		})
	}
}

// BenchmarkFind reads long tables: four times the words must take about four times as long.
func BenchmarkFind(b *testing.B) {
	for name, unit := range map[string]string{
		"rows":  "IGST     1,000     100         1,100\n",
		"stack": "IGST\n1,000\n100\n1,100\n",
		"heads": "Head  Tax  Total\nIGST  1,000  1,000\n",
		"words": "a  b  c\n",
		"line":  "1,000   ",
	} {
		for _, n := range []int{2_000, 8_000, 32_000} {
			words := typed(strings.Repeat(unit, n))
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					table.Find(words)
				}
			})
		}
	}
}
