package gst_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

const regNotice = `FORM GST REG-17
Reference Number: ZA290525004411B
Date: 12/05/2025
To
GSTIN: 29AAACB1234C1ZB
Legal Name: MALNAD COFFEE TRADERS
Show Cause Notice for Cancellation of Registration
You are hereby directed to furnish a reply to the notice within seven working days from the date of service of this notice.
`

func correction(field, value string) gst.Correction {
	return gst.Correction{Field: field, Value: json.RawMessage(value)}
}

func flags(f gst.Facts) string {
	var codes []string
	for _, flag := range f.Flags {
		codes = append(codes, flag.Code)
	}
	return strings.Join(codes, " ")
}

// A person's correction of a field applies, the value that was read stays beside it, and what is
// computed follows.
func TestCorrections(t *testing.T) {
	pages := []gst.Page{{Text: regNotice}}
	read := gst.Read(tables, pages)
	if read.ReplyDue.Date == nil || *read.ReplyDue.Date != "2025-05-21" {
		t.Fatalf("as read, the reply is due %v", read.ReplyDue)
	}
	if read.Corrected != nil || read.ServedOn != nil {
		t.Errorf("nobody corrected anything: %s", read.Corrected)
	}

	served := gst.Read(tables, pages, correction("served_on", `"2025-05-15"`))
	if *served.ReplyDue.Date != "2025-05-26" || !strings.Contains(*served.ReplyDue.Basis, "15 May 2025, the date of service that you gave") {
		t.Errorf("seven working days from service on 15 May are over on the 26th, not %s (%s)", *served.ReplyDue.Date, *served.ReplyDue.Basis)
	}
	if served.Deadlines[0].Date != "2025-05-26" || string(served.Corrected["served_on"]) != "null" {
		t.Errorf("the deadlines are %v, corrected %s", served.Deadlines, served.Corrected)
	}

	issued := gst.Read(tables, pages, correction("issue_date", `"2025-05-05"`))
	if *issued.IssueDate != "2025-05-05" || *issued.ReplyDue.Date != "2025-05-14" || string(issued.Corrected["issue_date"]) != `"2025-05-12"` {
		t.Errorf("issued %s, due %s, read %s", *issued.IssueDate, *issued.ReplyDue.Date, issued.Corrected["issue_date"])
	}
	if issued.Evidence["issue_date"].Quote == "" {
		t.Error("where the date was read is lost")
	}

	wrong := gst.Read(tables, pages, correction("gstin", `"29AAACB1234C1ZA"`))
	if *wrong.GSTINValid || !strings.Contains(flags(wrong), "gstin_checksum") {
		t.Errorf("a check digit that does not fit is not seen: %s", flags(wrong))
	}
	right := gst.Read(tables, pages, correction("gstin", `"29AAACB1234C1ZA"`), correction("gstin", string(must(json.Marshal(*read.GSTIN)))))
	if strings.Contains(flags(right), "gstin_checksum") != strings.Contains(flags(read), "gstin_checksum") {
		t.Error("the last word on a field does not hold")
	}

	given := gst.Read(tables, pages, correction("reply_due", `"2025-06-02"`))
	if given.ReplyDue.Source != "printed" || *given.ReplyDue.Date != "2025-06-02" || given.Deadlines[0].Date != "2025-06-02" {
		t.Errorf("the reply is due %+v", given.ReplyDue)
	}
	none := gst.Read(tables, pages, correction("reply_due", `null`))
	if none.ReplyDue.Date != nil || none.ReplyDue.Source != "unknown" || len(none.Deadlines) != 0 {
		t.Errorf("the reply is due %+v", none.ReplyDue)
	}

	years := gst.Read(tables, pages, correction("periods", `[{"fy":"2019-20","from":"2019-04-01","to":"2020-03-31"},{"fy":"2020-21","from":"2020-04-01","to":"2021-03-31"}]`))
	if !strings.Contains(flags(years), "multi_year") {
		t.Errorf("two years are flagged as %q", flags(years))
	}

	form := gst.Read(tables, pages, correction("form", `"ASMT-10"`))
	if again := gst.Read(tables, pages); *form.Form != "ASMT-10" || *again.Form != "REG-17" {
		t.Errorf("a correction of one notice changed the tables: %s, then %s", *form.Form, *again.Form)
	}

	demand := gst.Read(tables, pages, correction("demand", `{"rows":[{"head":"CGST","tax":100,"interest":0,"penalty":0,"fee":0,"other":0}],"total":500,"currency":"INR"}`))
	if !strings.Contains(flags(demand), "demand_total_mismatch") {
		t.Errorf("a total that does not add up is flagged as %q", flags(demand))
	}

	sure := gst.Read(tables, []gst.Page{{Text: regNotice, Recognised: true}}, gst.Correction{Field: "issue_date", Confirmed: true, Value: json.RawMessage("null")})
	if len(sure.Confirmed) != 1 || sure.Corrected != nil || *sure.IssueDate != "2025-05-12" {
		t.Errorf("confirmed %v, corrected %s", sure.Confirmed, sure.Corrected)
	}
}

func TestSettle(t *testing.T) {
	facts := gst.Read(tables, []gst.Page{{Text: regNotice}})
	for _, c := range []struct{ field, value, settled, doubt, refused string }{
		{"gstin", `" 29aaacb1234c1zb "`, `"29AAACB1234C1ZB"`, "", ""},
		{"gstin", `"29AAACB1234C1ZA"`, `"29AAACB1234C1ZA"`, "check digit", ""},
		{"gstin", `"27AAPFU0939F1ZV"`, `"27AAPFU0939F1ZV"`, "", ""},
		{"gstin", `"27AAPFU0939F1Z"`, "", "", "15 characters"},
		{"gstin", `"27AAPFUO939F1ZV"`, "", "", "15 characters"}, // the letter O in place of a digit
		{"gstin", `""`, "null", "", ""},
		{"gstin", `null`, "null", "", ""},
		{"gstin", `7`, "", "", "not understood"},
		{"form", `"Form GST drc-01"`, `"DRC-01"`, "", ""},
		{"form", `"DRC-99"`, "", "", "do not know this form"},
		{"issue_date", `"2024-02-29"`, `"2024-02-29"`, "", ""},
		{"issue_date", `"2025-02-29"`, "", "", "valid date on or after 1 July 2017"},
		{"issue_date", `"1999-01-01"`, "", "", "July 2017"},
		{"served_on", `"2025-05-11"`, "", "", "dated 12 May 2025"},
		{"served_on", `"2025-05-12"`, `"2025-05-12"`, "", ""},
		{"reply_due", `"2025-05-11"`, `"2025-05-11"`, "before the date of the notice", ""},
		{"din", `"20250564SW0000555B3C"`, `"20250564SW0000555B3C"`, "", ""},
		{"din", `"20250564SW0000555B3"`, `"20250564SW0000555B3"`, "20 characters", ""},
		{"din", `"none"`, "", "", "has 20 letters"},
		{"periods", `[{"fy":"2020-21"},{"fy":"2019-20"}]`, `[{"fy":"2019-20","from":"2019-04-01","to":"2020-03-31"},{"fy":"2020-21","from":"2020-04-01","to":"2021-03-31"}]`, "", ""},
		{"periods", `[{"fy":"2020-22"}]`, "", "", "ends in the year after"},
		{"periods", `[{"fy":"2019-20","from":"2019-07-01","to":"2019-09-30"}]`, `[{"fy":"2019-20","from":"2019-07-01","to":"2019-09-30"}]`, "", ""},
		{"demand", `{"rows":[{"head":"igst","tax":100.5}],"total":null}`, `{"rows":[{"head":"IGST","tax":100.5,"interest":0,"penalty":0,"fee":0,"other":0}],"total":100.5,"currency":"INR"}`, "", ""},
		{"demand", `{"rows":[{"head":"IGST","tax":100}],"total":200}`, `{"rows":[{"head":"IGST","tax":100,"interest":0,"penalty":0,"fee":0,"other":0}],"total":200,"currency":"INR"}`, "add up to ₹100", ""},
		{"demand", `{"rows":[{"head":"VAT","tax":100}],"total":null}`, "", "", "each head"},
		{"demand", `{"rows":[{"head":"IGST","tax":-1}],"total":null}`, "", "", "not less than zero"},
		{"hearing", `{"date":"2025-06-01","time":"11:30","venue":null}`, `{"date":"2025-06-01","time":"11:30","venue":null}`, "", ""},
		{"hearing", `{"date":"2025-06-01","time":"half past","venue":null}`, "", "", "11:30"},
		{"portions", `[{"label":" GSTR-3B  May ","head":"IGST","paise":100000,"kind":"short_paid","from":"2021-06-20"}]`, `[{"label":"GSTR-3B May","head":"IGST","paise":100000,"kind":"short_paid","from":"2021-06-20"}]`, "", ""},
		{"portions", `[]`, "null", "", ""},
		{"portions", `[{"head":"IGST","paise":0,"kind":"credit","from":"2021-06-20"}]`, "", "", "Part 1 of the tax has no valid amount"},
		{"portions", `[{"head":"IGST","paise":1.5,"kind":"credit","from":""}]`, "", "", "not understood"},
		{"portions", `[{"label":"May","head":"IGST","paise":5,"kind":"credit","from":"2021-06-20","to":"2021-06-19"}]`, "", "", "before it starts"},
		{"portions", `[{"head":"IGST","paise":5,"kind":"credit","from":"2016-06-20"}]`, "", "", "1 July 2017"},
		{"portions", `[` + strings.Repeat(`{"head":"IGST","paise":5,"kind":"credit","from":""},`, 60) + `{"head":"IGST","paise":5,"kind":"credit","from":""}]`, "", "", "Too many parts"},
		{"legal_name", `"  Malnad   Coffee "`, `"Malnad Coffee"`, "", ""},
		{"flags", `[]`, "", "", "cannot be corrected"},
	} {
		settled, doubt, err := facts.Settle(tables, c.field, json.RawMessage(c.value))
		var refused gst.Refusal
		switch {
		case c.refused != "":
			if !errors.As(err, &refused) || !strings.Contains(refused.English, c.refused) {
				t.Errorf("%s %s is refused with %v, want %q", c.field, c.value, err, c.refused)
			}
		case err != nil:
			t.Errorf("%s %s is refused: %v", c.field, c.value, err)
		case string(settled) != c.settled || c.doubt == "" && !doubt.IsZero() || !strings.Contains(doubt.English, c.doubt):
			t.Errorf("%s %s is settled as %s (%q), want %s (%q)", c.field, c.value, settled, doubt, c.settled, c.doubt)
		}
	}
}

// No correction of any notice panics, even if that is a correction of any text. Each text is corrected in a fifth of
// its fields, in turn; the soak test corrects every text in every field.
func TestCorrectionsOfAnyText(t *testing.T) { correctAnyText(t, 5) }

// correctAnyText corrects each text in one of every n fields, beginning with another field each time, and then in all
// fields at once.
func correctAnyText(t *testing.T, every int) {
	texts := map[string]string{"empty": "", "no notice": "Dear Sir, thank you for the mangoes."}
	for _, file := range must(filepath.Glob("testdata/notices/*.txt")) {
		texts[file] = string(must(os.ReadFile(file)))
	}
	values := map[string]string{"is_notice": `"yes"`, "form": `"DRC-01"`, "reference": `"ZD290524004411A"`, "din": `"20240564SW0000555B3C"`, "issue_date": `"2024-05-13"`, "served_on": `"2024-05-20"`,
		"portions": `[{"label":"May","head":"IGST","paise":100,"kind":"credit","from":"2024-05-20"}]`,
		"gstin":    `"29AAACB1234C1ZA"`, "legal_name": `"A"`, "trade_name": `null`, "officer": `"State Tax Officer"`, "periods": `[{"fy":"2019-20","from":"2019-04-01","to":"2020-03-31"}]`,
		"demand": `{"rows":[{"head":"CGST","tax":1,"interest":0,"penalty":0,"fee":0,"other":0}],"total":9,"currency":"INR"}`, "reply_due": `"2024-06-12"`, "hearing": `{"date":"2024-06-01","time":null,"venue":null}`}
	if len(values) != len(gst.Correctable) {
		t.Fatal("a field has no value here")
	}
	fields := slices.Sorted(maps.Keys(values))
	turn := 0
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, recognised := range []bool{false, true} {
			pages := []gst.Page{{Text: texts[name], Recognised: recognised}}
			var all []gst.Correction
			for i, field := range fields {
				all = append(all, correction(field, values[field]))
				if (i+turn)%every != 0 {
					continue
				}
				f := gst.Read(tables, pages, correction(field, values[field]))
				if _, kept := f.Corrected[field]; !kept {
					t.Errorf("%s: the correction of %s is not kept", name, field)
				}
				gst.Read(tables, pages, correction(field, "null"))
			}
			turn++
			if f := gst.Read(tables, pages, all...); *f.ReplyDue.Date != "2024-06-12" || *f.Form != "DRC-01" {
				t.Errorf("%s: with all corrected it is %s, due %v", name, *f.Form, f.ReplyDue)
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
