package figurestest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
)

// Folder writes a business as the files that a client would provide: the facts of a notice, its returns, the portal's
// data for each month and for the month after the year, and a purchase register. It returns the paths, the notice
// first.
func Folder(folder string, b Business, program Register) (paths []string, err error) {
	put := func(name string, write func(io.Writer) error) {
		if err != nil {
			return
		}
		path := filepath.Join(folder, name)
		var f *os.File
		if f, err = os.Create(path); err != nil {
			return
		}
		err = write(f)
		if closed := f.Close(); err == nil {
			err = closed
		}
		paths = append(paths, path)
	}
	put("notice.json", func(w io.Writer) error { return json.NewEncoder(w).Encode(Notice(b)) })
	for _, r := range b.Returns {
		put("GSTR3B_"+returnPeriod(r.Period)+".json", func(w io.Writer) error { return GSTR3B(w, r) })
	}
	periods := map[string]bool{}
	for _, r := range b.Portal {
		periods[r.Period] = true
	}
	first := b.Returns[0].Period
	for n := range 15 {
		year, month := 0, 0
		if _, scan := fmt.Sscanf(first, "%d-%d", &year, &month); scan != nil {
			return nil, scan
		}
		month += n
		period := fmt.Sprintf("%d-%02d", year+(month-1)/12, (month-1)%12+1)
		if !periods[period] {
			continue
		}
		write, name := GSTR2B, "GSTR2B_"
		if b.Portal[0].Source == figures.GSTR2A {
			write, name = GSTR2A, "GSTR2A_"
		}
		put(name+returnPeriod(period)+".json", func(w io.Writer) error { return write(w, b.GSTIN, period, b.Portal) })
	}
	put("purchases.xlsx", func(w io.Writer) error {
		return Excel(w, "Purchase Register", Rows(program, "Fictional Traders", b.Books))
	})
	return paths, err
}

// Notice returns the facts of a notice that claims the amount by which the credit of a business exceeds the portal's,
// over the year.
func Notice(b Business) gst.Facts {
	var excess figures.Tax
	for _, tax := range b.Planted {
		excess = excess.Plus(tax)
	}
	form, name := "ASMT-10", "Fictional Traders"
	year := b.Returns[0].Period[:4]
	f := gst.Facts{Form: &form, GSTIN: &b.GSTIN, LegalName: &name, Issues: []string{"itc_2a2b_vs_3b"},
		Demand:  &gst.Demand{Currency: "INR"},
		Periods: []gst.Period{{FY: b.Year, From: year + "-04-01", To: "20" + b.Year[5:] + "-03-31"}}}
	for head, paise := range excess {
		f.Demand.Rows = append(f.Demand.Rows, gst.DemandRow{Head: gst.HeadNames[head], Tax: float64(paise) / 100})
	}
	return f
}
