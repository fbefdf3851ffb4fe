package notices_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/problem"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var tag = regexp.MustCompile(`<[^>]+>`)

// wordsOf returns the text of a Word file, and its number of explicit page breaks.
func wordsOf(t *testing.T, file []byte) (words string, breaks int) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	must(t, err)
	part, err := archive.Open("word/document.xml")
	must(t, err)
	content, err := io.ReadAll(part)
	must(t, err)
	return tag.ReplaceAllString(strings.ReplaceAll(string(content), "</w:p>", "\n"), ""), strings.Count(string(content), `<w:br w:type="page"/>`)
}

// One file has a letter for each supplier, with what the circular for the supply's date requires: an accountant's
// certificate above ₹5 lakh a year, the supplier's own up to that, and no certificate at all if no circular
// applies.
func TestSupplierLetters(t *testing.T) {
	name, gstin, form := "Fictional | Traders", "27AAKCF4821M1Z9", "ASMT-10"
	facts := gst.Facts{LegalName: &name, GSTIN: &gstin, Form: &form}
	large, small, later := "29AAAAA0000A1Z5", "24BBBBB0000B1Z5", "33CCCCC0000C1Z5"
	var m figures.Matching
	add := func(class figures.Class, of, number, date string, igst, portal int64) {
		e := figures.Entry{Class: class, Book: len(m.Books), Portal: -1}
		m.Books = append(m.Books, figures.Record{Source: figures.Purchases, Kind: figures.Invoice, GSTIN: of, Name: "Supplier " + of[:2], Number: number, Date: date, Period: date[:7],
			Taxable: igst * 5, Tax: figures.Tax{igst}})
		if portal > 0 {
			e.Portal = len(m.Portal)
			m.Portal = append(m.Portal, figures.Record{Source: figures.GSTR2A, GSTIN: of, Number: number, Tax: figures.Tax{portal}})
		}
		m.Entries = append(m.Entries, e)
	}
	add(figures.OnlyBooks, large, "L-1", "2018-05-10", 4_00_000_00, 0)
	add(figures.SupplierOpen, large, "L-2", "2018-06-10", 1_00_000_01, 0)
	add(figures.OnlyBooks, large, "L-3", "2019-11-10", 5_00_000_00, 0)
	add(figures.AmountDiffers, small, "=S|1", "2018-07-10", 90_000_00, 60_000_00)
	add(figures.AmountDiffers, small, "S-2", "2018-08-10", 60_000_00, 90_000_00) // the portal has more
	add(figures.OnlyBooks, later, "N-1", "2022-07-10", 9_00_000_00, 0)
	add(figures.Matched, "07DDDDD0000D1Z5", "M-1", "2018-07-10", 9_000_00, 9_000_00)
	add(figures.OnlyPortal, large, "outside", "2017-03-10", 9_000_00, 0)

	suppliers := figures.Suppliers(law.Built(), m, "2017-07", "2023-03")
	if len(suppliers) != 3 || suppliers[0].GSTIN != large || suppliers[0].Tax() != (figures.Tax{10_00_000_01}) || len(suppliers[0].Years) != 2 {
		t.Fatalf("the suppliers are %+v", suppliers)
	}
	if y := suppliers[0].Years; !y[0].Accountant || y[1].Accountant || y[1].Certificates[0].Within != 20 {
		t.Errorf("₹5,00,000.01 and ₹5,00,000 of one supplier are %+v", y)
	}
	if len(suppliers[1].Years[0].Certificates) != 0 || suppliers[2].Tax() != (figures.Tax{30_000_00}) {
		t.Errorf("the others are %+v", suppliers[1:])
	}

	var first, second bytes.Buffer
	must(t, notices.SupplierLetters(t.Context(), &first, law.Built(), facts, m, "2017-07", "2023-03"))
	must(t, notices.SupplierLetters(t.Context(), &second, law.Built(), facts, m, "2017-07", "2023-03"))
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same letters have other bytes")
	}
	words, breaks := wordsOf(t, first.Bytes())
	if breaks != 3 {
		t.Errorf("%d pages begin a letter", breaks)
	}
	for wanted, times := range map[string]int{
		"Certificate of a Chartered Accountant or Cost Accountant, 2018-19": 1, "Certificate of the supplier, 2019-20": 1, "Certificate of the supplier, 2018-19": 1,
		"UDIN: [number]": 1, "(Circular No. 183/15/2022-GST)": 2, "(Circular No. 193/05/2023-GST)": 1, "from 09.10.2019 to 31.12.2019, 20 %": 1,
		"Financial year 2022-23": 1, "What is not reported yet": 1, "Fictional | Traders": 10, "=S|1": 1, "S-2": 0, "M-1": 0, "written from knowledge": 0, "[To be confirmed": 2,
	} {
		if got := strings.Count(words, wanted); got != times {
			t.Errorf("%q stands %d times, want %d", wanted, got, times)
		}
	}
	if t.Failed() {
		t.Log(words)
	}
	var nobody *problem.Error
	if err := notices.SupplierLetters(t.Context(), io.Discard, law.Built(), facts, figures.Matching{}, "2017-07", "2023-03"); !errors.As(err, &nobody) || nobody.Code != "figures_no_letters" {
		t.Errorf("letters to nobody: %v", err)
	}
}
