package app_test

import (
	"bytes"
	"mime/multipart"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
)

// imports uploads a register.
func (v *person) imports(name, content string, status int) (i api.RegisterImport) {
	v.t.Helper()
	form, b := uploadForm(v.t, name, "text/csv", "", []byte(content))
	var into any
	if status < 300 {
		into = &i
	}
	v.call("POST", "/api/register/imports", form, b, status, into)
	return i
}

// takesOver confirms an import until it is done.
func (v *person) takesOver(id string, leave ...int) (i api.RegisterImport) {
	v.t.Helper()
	for range 20 {
		if v.post("/api/register/imports/"+id+"/confirm", map[string]any{"leave": append([]int{}, leave...)}, 200, &i); i.Done {
			return i
		}
	}
	v.t.Fatal("the import is never done")
	return i
}

// looks uploads the portal's table of notices for a client.
func (v *person) looks(client, text string, status int) (seen api.PortalSeen) {
	v.t.Helper()
	var b bytes.Buffer
	form := fileForm(v.t, &b, "", nil, map[string]string{"text": text})
	var into any
	if status < 300 {
		into = &seen
	}
	v.call("POST", "/api/clients/"+client+"/portal", form, &b, status, into)
	return seen
}

// fileForm writes a form with fields and, where it has a name, a file.
func fileForm(t *testing.T, b *bytes.Buffer, name string, content []byte, fields map[string]string) (contentType string) {
	t.Helper()
	form := multipart.NewWriter(b)
	for field, value := range fields {
		must(t, form.WriteField(field, value))
	}
	if name != "" {
		part, err := form.CreateFormFile("file", name)
		must(t, err)
		_, err = part.Write(content)
		must(t, err)
	}
	must(t, form.Close())
	return form.FormDataContentType()
}

const oldRegister = `Client,GSTIN,Type of Notice,DIN/RFN,F.Y.,Notice Date,Due Date,Amount Involved,Jurisdiction,Status,Handled by
Nandi Foods,29AAPFU0939F1ZR,ASMT-10,ZD290924009988D,2021-22,02/09/2024,02/10/2024,"1,00,000","Range IV, Mysuru",Pending,imports-preparer@example.com
,,DRC-01A,ZD291124007766E,2021-22,05/11/2024,05/12/2099,"1,00,000","Range IV, Mysuru",Draft,
Old Mill,,DRC-07,,2018-19,not a day,,,,Closed,
,,,,,,,,,,
Third Stores,,SCN,,2019-20,01/01/2024,01/02/2099,,,Open,Nobody
`

// triesRegister does what a firm does that has kept its notices in Excel and on the portal: it imports the register
// once, even if steps are repeated; a notice that is on the portal but not in the firm is requested, and marked as
// received when it arrives.
func triesRegister(t *testing.T, p *product) {
	f := p.staffed("imports")
	v, partner := f.as[role.Preparer], f.as[role.Partner]
	v.imports("register.pdf", "%PDF-1.4", 422)
	begun := v.imports("register.csv", oldRegister, 201)
	if begun.Counts["new_client"] != 2 || begun.Counts["attached"] != 1 || begun.Counts["refused"] != 1 || begun.Done || begun.Begun {
		t.Fatalf("the register comes to %+v", begun)
	}
	var matters api.MatterList
	if v.get("/api/matters", &matters); matters.Total != 0 {
		t.Errorf("%d matters were created before it was confirmed", matters.Total)
	}
	f.as[role.Viewer].post("/api/register/imports/"+begun.ID+"/confirm", map[string]any{}, 403, nil)
	done := v.takesOver(begun.ID)
	if v.get("/api/matters", &matters); matters.Total != 2 || done.Counts["refused"] != 1 {
		t.Fatalf("the register has become %d matters, %+v", matters.Total, done)
	}
	nandi := matters.Matters[slices.IndexFunc(matters.Matters, func(m api.MatterLine) bool { return m.Client.Name == "Nandi Foods" })]
	if nandi.Stage != "intimation" || nandi.State != "drafting" || nandi.NextOn == nil || *nandi.NextOn != "2099-12-05" || nandi.Assignee == nil || nandi.Assignee.ID != v.me().Acting.Member ||
		*nandi.DemandPaise != 100000_00 || *nandi.Officer != "Range IV, Mysuru" || nandi.Count != 2 || !slices.Equal(nandi.Forms, []string{"ASMT-10", "DRC-01A"}) {
		t.Errorf("the matter is %+v", nandi)
	}

	// A repeated import changes nothing; a partner also imports closed matters, and mistakes are
	// reported.
	if again := v.takesOver(v.imports("register.csv", oldRegister, 201).ID); again.Counts["known"] != 3 || again.Counts["new_client"]+again.Counts["new_matter"] != 0 {
		t.Errorf("the same register again comes to %+v", again.Counts)
	}
	closed := partner.takesOver(partner.imports("register.csv", oldRegister, 201).ID)
	if closed.Counts["known"] != 3 || closed.Counts["new_client"] != 1 {
		t.Errorf("for a partner it comes to %+v", closed.Counts)
	}
	if v.get("/api/matters?closed=true", &matters); matters.Total != 3 {
		t.Errorf("there are %d matters", matters.Total)
	}

	// If the firm's own register is exported and imported again, every row is recognised.
	status, book := v.try(routed{method: "GET", path: "/api/register?closed=true"})
	if status != 200 {
		t.Fatalf("the register is answered %d", status)
	}
	form, b := uploadForm(t, "own.xlsx", "application/octet-stream", "", []byte(book))
	var own api.RegisterImport
	v.call("POST", "/api/register/imports", form, b, 201, &own)
	if own.Counts["known"] != 4 || len(own.Counts) != 1 {
		t.Errorf("our own register comes to %+v", own)
	}

	// The portal has a notice that nobody saw. It is added at once with its date; the next check does not add it
	// again.
	table := "Notice/Demand Order Id\tIssued By\tType\tNotice/Order Description\tDate of Issuance\tDue Date\n" +
		"ZD290924009988D\tRange IV\tNOTICE\tASMT-10\t02/09/2024\t02/10/2024\nZD290125001234F\tRange IV\tNOTICE\tShow cause notice DRC-01 for F.Y. 2021-22\t10/01/2025\t09/02/2099\n"
	seen := v.looks(nandi.Client.ID, table, 200)
	if seen.New != 1 || seen.Missing != 2 || len(seen.Client.Listed) != 3 || seen.Client.Look != "fresh" {
		t.Fatalf("the portal shows %+v", seen)
	}
	if again := v.looks(nandi.Client.ID, table, 200); again.New != 0 || again.Missing != 2 || len(again.Client.Listed) != 3 {
		t.Errorf("the same table again shows %+v", again)
	}
	v.looks(nandi.Client.ID, "27ZAPCS4821K1Z6\n"+table, 422)
	v.looks(nandi.Client.ID, "Good morning", 422)
	m := v.matter(nandi.ID)
	if m.Stage != "notice" || len(m.Listed) != 3 || *m.NextOn != "2099-02-09" {
		t.Errorf("the matter is at %s, %v, with %+v", m.Stage, m.NextOn, m.Listed)
	}

	// Its paper arrives: its number leads to the matter, and it is no longer requested.
	paper := v.brings("other") // ASMT-10 ZD290924009988D
	if at := v.filing(paper); !at.Settled || at.Matter == nil || at.Matter.ID != nandi.ID {
		t.Errorf("the paper is filed as %+v", at)
	}
	if m = v.matter(nandi.ID); len(m.Listed) != 2 || len(m.Papers) != 1 || m.Count != 3 {
		t.Errorf("the matter has %+v and %+v", m.Listed, m.Papers)
	}
	// A paper with another number is filed with the listed notice for which it was uploaded.
	i := slices.IndexFunc(m.Listed, func(l api.ListedNotice) bool { return l.Form != nil && *l.Form == "DRC-01A" })
	var batch api.Batch
	v.post("/api/batches", map[string]string{}, 201, &batch)
	pdf := textPDF([]string{"FORM GST DRC-01A", "Intimation of tax ascertained as being payable under section 73(5)", "Date: 05/11/2024", "GSTIN: 29AAPFU0939F1ZR", "Name: Nandi Foods", "F.Y.: 2021-22",
		"You may submit your reply by 05/12/2099."})
	var upload bytes.Buffer
	kind := fileForm(t, &upload, "scan.pdf", pdf, map[string]string{"listed": m.Listed[i].ID})
	v.call("POST", "/api/batches/"+batch.ID+"/files", kind, &upload, 204, nil)
	await(t, "the document that was uploaded is in the matter", func() bool {
		m = v.matter(nandi.ID)
		return len(m.Papers) == 2 && len(m.Listed) == 1
	})
	last := m.Listed[0].ID
	v.post("/api/listed/"+last, map[string]bool{"answered": true}, 200, nil)
	v.post("/api/listed/"+last, map[string]bool{"aside": true}, 200, nil)
	f.as[role.Viewer].post("/api/listed/"+last, map[string]bool{"aside": false}, 403, nil)
	if seen := v.looks(nandi.Client.ID, table, 200); seen.New != 0 || seen.Missing != 0 || !slices.ContainsFunc(seen.Rows, func(r api.PortalRow) bool { return r.State == "aside" }) {
		t.Errorf("what was put aside shows as %+v", seen.Rows)
	}

	// A client whose portal was not checked for two weeks is listed.
	_, err := p.connect().Exec(t.Context(), "update clients set portal_looked_at = now() - interval '15 days' where id = $1", nandi.Client.ID)
	must(t, err)
	var board api.Board
	if v.get("/api/board", &board); board.Forgotten != 1 || len(board.Unlooked) != 1 || board.Unlooked[0].Name != "Nandi Foods" {
		t.Errorf("the board names %+v", board.Unlooked)
	}
	var client api.Client
	if v.get("/api/clients/"+nandi.Client.ID, &client); client.Look != "late" {
		t.Errorf("the client's page says %q", client.Look)
	}
	var log api.FirmLog
	partner.get("/api/firm/log", &log)
	events := []string{}
	for _, e := range log.Entries {
		events = append(events, e.Event)
	}
	for _, want := range []string{"register_imported", "portal_looked", "listed_register", "listed_portal", "listed_aside", "listed_replied", "client_added"} {
		if !slices.Contains(events, want) {
			t.Errorf("the log has no %s: %s", want, strings.Join(events, " "))
		}
	}
}
