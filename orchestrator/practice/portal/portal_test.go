package portal_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/practice/portal"
)

// paste is a text that a person pasted, or that was recognised from an image, with the expected
// result.
type paste struct {
	Name, Text, GSTIN string
	Rows              []struct{ Reference, Form, Issued, Due string }
}

func pastes(t *testing.T) (all []paste) {
	t.Helper()
	raw, err := os.ReadFile("testdata/pastes.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// The portal's tables are read however they were copied: in any order of columns, with tabs or spaces, wrapped, one
// cell per line, without headings, from an image.
func TestRead(t *testing.T) {
	for _, p := range pastes(t) {
		t.Run(p.Name, func(t *testing.T) {
			got := portal.Read(p.Text)
			if p.GSTIN != "" && (len(got.GSTINs) != 1 || got.GSTINs[0] != p.GSTIN) {
				t.Errorf("the registrations are %q, want %s", got.GSTINs, p.GSTIN)
			}
			if len(got.Rows) != len(p.Rows) {
				t.Fatalf("read %+v, want %+v", got.Rows, p.Rows)
			}
			for i, want := range p.Rows {
				if r := got.Rows[i]; r.Reference != want.Reference || r.Form != want.Form || r.Issued != want.Issued || r.Due != want.Due {
					t.Errorf("row %d is %+v, want %+v", i+1, r, want)
				}
			}
		})
	}
}

// A saved page gives its table, without anything that a browser would run or hide.
func TestText(t *testing.T) {
	page := `<!DOCTYPE html><html><head><title>View Notices</title><style>td{color:red}</style><script>var x="ZD270524009999Z<td>01/01/2024"</script></head>
<body><div>27ZAPCS4821K1Z6</div><!-- ZD270524008888Z 01/01/2024 --><table><thead><tr><th>Notice/Demand Order Id</th><th>Type</th><th>Notice/Order Description</th>
<th>Date of Issuance</th><th>Due Date</th></tr></thead><tbody><tr><td><span>ZD270524001122B</span></td><td>NOTICE</td><td>Notice for
 <div>intimating &amp; discrepancies</div> ASMT-10</td><td>01/05/2024</td><td>31/05/2024</td></tr><tr><td>ZD270824005566C</td><td>ORDER</td><td>DRC-07</td><td>05/08/2024</td><td></td></tr></tbody></table></body></html>`
	got := portal.Read(portal.Text(page))
	want := []portal.Row{{Reference: "ZD270524001122B", Form: "ASMT-10", Kind: "NOTICE", Description: "Notice for intimating & discrepancies ASMT-10", Issued: "2024-05-01", Due: "2024-05-31"},
		{Reference: "ZD270824005566C", Form: "DRC-07", Kind: "ORDER", Description: "DRC-07", Issued: "2024-08-05"}}
	if !slices.Equal(got.Rows, want) || len(got.GSTINs) != 1 {
		t.Errorf("read %+v, want %+v", got, want)
	}
}

// Any pasted text, cut anywhere, is read without harm.
func TestAnything(t *testing.T) {
	for _, p := range pastes(t) {
		letters := []rune(p.Text)
		for i := 0; i < len(letters); i += 41 {
			portal.Read(string(letters[i:]))
			portal.Read(portal.Text(string(letters[:i])))
		}
	}
	for _, odd := range []string{"", "<", "<td", "|||", "\t\t\t", "<!--", strings.Repeat("ZD270524001122B ", 2000), strings.Repeat("01/05/2024\t", 5000)} {
		portal.Read(portal.Text(odd))
		portal.Read(odd)
	}
}
