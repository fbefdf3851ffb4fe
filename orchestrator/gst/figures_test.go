package gst_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

func TestFigures(t *testing.T) {
	for text, want := range map[string]string{
		"Reply by **12.06.2024** (page 1).":                                      "12.06.2024=2024-06-12",
		"on 12th June, 2024, June 12, 2024 and 2024-06-12":                       "12th June, 2024=2024-06-12 June 12, 2024=2024-06-12 2024-06-12=2024-06-12",
		"दिनांक १२ जून २०२४ को ₹१,२०,००० दें":                                    "१२ जून २०२४=2024-06-12 ₹१,२०,०००=12000000",
		"Rs. 1,20,000/- and INR 45 lakh, ₹1.5 crore, 45,000":                     "Rs. 1,20,000/-=12000000 INR 45 lakh=450000000 ₹1.5 crore=1500000000 45,000=4500000",
		"| 31.03.2029 | Premises | 2 |":                                          "31.03.2029=2029-03-31",
		"section 73(1), clause 4.2, 18%, page 12, 2020-21, 9":                    "",
		"No. ZD290524004411A of FY 2020-21, GSTIN 29AAACB1234C1ZB, DIN-20240599": "",
		"Rupees Ninety Thousand only, seven lakh rupees; nine crores":            "Rupees Ninety Thousand only=9000000 seven lakh rupees=70000000 nine crores=9000000000",
		"Rupees five hundred and paise fifty only, one rupee":                    "Rupees five hundred and paise fifty only=50050 one rupee=100",
		"सात लाख पचास हजार रुपये और नौ दिन":                                      "सात लाख पचास हजार रुपये=75000000",
		"₹7L, Rs. 90k, ₹ 700 thousand and $700":                                  "₹7L=70000000 Rs. 90k=9000000 ₹ 700 thousand=70000000 $700=70000",
		"Re. 1, 500 rupees, rupees 40, 99 paise":                                 "Re. 1=100 500 rupees=50000 rupees 40=4000 99 paise=99",
		"the sum of 654321 is due, and 9999 is not":                              "654321=65432100",
		"seven days, two thousand invoices, one lakhpati, 7 m long":              "",
		"see https://example.in/123456 and AB-123456, 123456/2024":               "",
		"31.02.2024 is no date":                                                  "",
		"1st\nApril 2026":                                                        "1st\nApril 2026=2026-04-01",
	} {
		var got []string
		for _, f := range gst.Figures(text) {
			value := f.Date
			if value == "" {
				value = fmt.Sprint(f.Paise)
			}
			got = append(got, text[f.Start:f.End]+"="+value)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("of %q:\n got %q\nwant %q", text, strings.Join(got, " "), want)
		}
	}
}

func TestLocate(t *testing.T) {
	pages := []gst.Page{
		{Text: "LEASE DEED made on 1st\nApril, 2026. Rent Rs.45,000/- a month. See clause 120000."},
		{Text: "9. Premises by 31-03-29. Deposit of Rs 2,70,000.00 on or before 15/04/2026."},
		{Text: "Total 12,45,678 (Rupees twelve lakh …). Again 15.04.2026; दिनांक ०१.०५.२०२६"},
	}
	answer := strings.Join([]string{
		"Made on 1 April 2026 (page 1), rent ₹45,000 (page 1).", // as written elsewhere
		"Deposit ₹2,70,000 by 15 April 2026 (page 3).",          // the nearer page is only for the date
		"About ₹12.46 lakh (pages 2 to 3) and ₹2.7 lakh.",       // rounded; exact
		"Ends 31 March 2029 (page 1).",                          // on another page
		"Penalty ₹9,999 from 2 May 2026; 1 May 2026.",           // invented; Hindi digits
		"",
		"| Date | What | Page |", "| --- | --- | --- |",
		"| 15 April 2026 | Deposit of ₹2,70,000 | 3 |",
		"| 31 March 2029 | Premises | page 1 |",
		"",
		"| Date | What | Number |", "| --- | --- | --- |", "| 31 March 2029 | Premises | 1 |", // not a page
	}, "\n")
	want := `1 April 2026 on 1 "1st April, 2026"
₹45,000 on 1 "Rs.45,000/-"
₹2,70,000 on 2 "Rs 2,70,000.00"
15 April 2026 on 3 "15.04.2026"
₹12.46 lakh on 3 "12,45,678"
₹2.7 lakh on 2 "Rs 2,70,000.00"
31 March 2029 on 2 "31-03-29" and not on 1
₹9,999 nowhere
2 May 2026 nowhere
1 May 2026 on 3 "०१.०५.२०२६"
15 April 2026 on 3 "15.04.2026"
₹2,70,000 on 2 "Rs 2,70,000.00" and not on 3
31 March 2029 on 2 "31-03-29" and not on 1
31 March 2029 on 2 "31-03-29"
`
	var got strings.Builder
	for _, l := range gst.Locate(answer, pages) {
		fmt.Fprint(&got, answer[l.Start:l.End])
		switch {
		case l.Page == 0:
			fmt.Fprint(&got, " nowhere")
		default:
			fmt.Fprintf(&got, " on %d %q", l.Page, l.Quote)
		}
		if l.Named > 0 {
			fmt.Fprintf(&got, " and not on %d", l.Named)
		}
		fmt.Fprintln(&got)
	}
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// In every text the figures have places within the text, whatever it contains.
func FuzzFigures(f *testing.F) {
	for _, text := range []string{"12.06.2024", "₹1,20,000/-", "rs", "१२ जून २०२४", "| 1 May 2026 | a | 2-9999 |\n", "\xff1.5 crore", "ﬁ 12,34", "12 june 2024\u00ad"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range gst.Locate(text, []gst.Page{{Text: text}}) {
			if l.Start < 0 || l.End <= l.Start || l.End > len(text) || l.Page != 1 {
				t.Fatalf("%q has %+v", text, l)
			}
		}
	})
}

func BenchmarkLocate(b *testing.B) {
	raw, err := os.ReadFile("figures_test.go")
	if err != nil {
		b.Fatal(err)
	}
	pages := make([]gst.Page, 300)
	for i := range pages {
		pages[i].Text = string(raw[:3000])
	}
	for b.Loop() {
		gst.Locate("₹1,20,000 on 12 June 2024 (page 7)", pages)
	}
}
