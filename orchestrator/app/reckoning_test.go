package app_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/cmd"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/plugins"
)

// factsFile holds facts as `munshi facts` prints them.
const factsFile = `{"form": "DRC-07", "issue_date": "2025-12-19", "sections": ["73(9)"], "periods": [{"fy": "2021-22"}], "fraud_alleged": false,
	"reply_due": {"date": "2026-03-19", "source": "computed"}, "demand": {"rows": [{"head": "IGST", "tax": 192400, "interest": 138528, "penalty": 19240}]}}`

func runCommand(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := cmd.Command("test")
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestReckonCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "facts.json")
	if err := os.WriteFile(file, []byte(factsFile), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := runCommand(t, "reckon", file, "--today", "2026-01-02", "--served", "2025-12-24", "--part", "short_paid,IGST,1000,2022-04-20,2023-04-20,March")
	if err != nil {
		t.Fatal(err)
	}
	var r reckon.Reckoning
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Today != "2026-01-02" || r.Served == nil || r.Law.AsOf != law.Built().AsOf {
		t.Errorf("reckoned on %s, served %v, law of %s", r.Today, r.Served, r.Law.AsOf)
	}
	for _, d := range r.Deadlines {
		if d.Code == reckon.Appeal && (*d.Date != "2026-03-24" || *d.DaysLeft != 81) {
			t.Errorf("appeal by %s, %d days", *d.Date, *d.DaysLeft)
		}
	}
	if row := r.Money[0].Rows[0]; row.Label.English != "March" || *row.Paise != 18000 {
		t.Errorf("interest %+v", row)
	}
	for _, wrong := range [][]string{{"--today", "22.11.2026"}, {"--served", "soon"}, {"--part", "credit,IGST,much"}, {"--part", "credit,GST,5,2022-04-20"}} {
		if _, err := runCommand(t, append([]string{"reckon", file}, wrong...)...); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}

// What prompts get: the facts as they are, and what is computed from them.
func TestReckonedFacts(t *testing.T) {
	today := law.ParseDay("2026-01-02").Time
	told := func(facts string) string {
		t.Helper()
		with, err := activities.Told(law.Built(), nil, facts, nil, today, nil)
		if err != nil {
			t.Fatal(err)
		}
		return with
	}
	var fields map[string]any
	if err := json.Unmarshal([]byte(told(strings.Replace(factsFile, "{", `{"served_on": "2025-12-24", "portions": [{"label": "March", "head": "IGST", "paise": 100000, "kind": "short_paid", "from": "2022-04-20", "to": "2023-04-20"}], `, 1))), &fields); err != nil {
		t.Fatal(err)
	}
	lines, _ := fields["reckoning"].([]any)
	text := ""
	for _, line := range lines {
		text += line.(string) + "\n"
	}
	for _, want := range []string{"Reckoned on 2026-01-02", "March: ₹180", "Appeal in FORM APL-01: 2026-03-24, 81 days left", "Pre-deposit for the first appeal, 10% of the disputed tax: ₹19,240 (10%; CGST Act s.107(6))", "in time; the last day was 2025-12-31"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if fields["form"] != "DRC-07" {
		t.Error("the facts are not there")
	}
	coded := told(`{"flags": [{"code": "din_missing", "message": "No DIN.", "page": 1, "said": {"code": "flags.din_missing", "en": "No DIN."}}]}`)
	coded, _ = plugins.ShortFacts(map[string]any{"facts": coded})["facts"].(string) // as prompts get them
	if strings.Contains(coded, `"said"`) || !strings.Contains(coded, "No DIN.") || strings.Contains(coded, "reply_due") {
		t.Errorf("a prompt gets %s", coded)
	}
	for _, none := range []string{"", "not JSON", "null"} {
		if got := told(none); got != none {
			t.Errorf("%q became %q", none, got)
		}
	}
}

func TestLawCommand(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "interest.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := runCommand(t, "law")
	if err != nil || !strings.Contains(out, "Tables of law as of "+law.Built().AsOf) || !strings.Contains(out, "No folder") {
		t.Errorf("%v: %s", err, out)
	}
	write(`{"as_of": "2027-01-01", "source": "N.1/2027-CT", "certainty": "sourced", "rates": [{"kind": "credit", "percent": 15, "year_days": 365, "provision": "s.50(3)", "runs": "as before", "from": "2027-01-01"}]}`)
	out, err = runCommand(t, "law", dir)
	if err != nil || !strings.Contains(out, "as of 2027-01-01") || !strings.Contains(out, "interest.json adds rates: credit 2027-01-01") {
		t.Errorf("%v: %s", err, out)
	}
	write(`{"as_of": "2027-01-01", "source": "N.1/2027-CT", "certainty": "sourced", "rates": [{"kind": "credit", "percent": "15"}]}`)
	out, err = runCommand(t, "law", dir)
	if err == nil || !strings.Contains(out, `interest.json:1: rates 1`) || !strings.Contains(err.Error(), "so the built-in tables of "+law.Built().AsOf+" are used") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := runCommand(t, "law", filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "There is no folder") {
		t.Errorf("a folder that is not there: %v", err)
	}
	// The product itself continues with the built-in tables, and reports it.
	var said bytes.Buffer
	t.Setenv("MUNSHI_LAW_OVERLAY", dir)
	facts := filepath.Join(t.TempDir(), "facts.json")
	if err := os.WriteFile(facts, []byte(factsFile), 0o600); err != nil {
		t.Fatal(err)
	}
	c := cmd.Command("test")
	c.SetArgs([]string{"reckon", facts})
	c.SetOut(&said)
	if err := c.ExecuteContext(t.Context()); err != nil || !strings.Contains(said.String(), law.Built().AsOf) {
		t.Errorf("%v: %s", err, said.String())
	}
}
