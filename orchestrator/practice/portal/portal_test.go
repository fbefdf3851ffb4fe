package portal_test

import (
	"encoding/json"
	"os"
	"testing"

	"munshi/orchestrator/practice/portal"
)

// paste is what a person pasted, or what was recognised on a picture, with what is to be read of it.
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

// The portal's tables are read however they were copied: in any order of columns, with tabs or spaces, wrapped, a cell a
// line, without headings, from a picture.
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
