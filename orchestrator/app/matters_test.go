package app_test

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
)

// chain has the papers of one dispute of a fictional taxpayer: each names the previous one, except the order, whose
// number could not be read.
var chain = map[string][]string{
	"asmt-10": {"FORM GST ASMT-10", "[See rule 99(1)]", "Reference No.: ZD270524001122B          Date: 01/05/2024", "To,", "GSTIN: 27ZAPCS4821K1Z6",
		"Name: Kaveri Textiles", "Address: 12 Example Road, Pune", "Tax Period: April 2020 to March 2021          F.Y.: 2020-21",
		"Notice for intimating discrepancies in the return after scrutiny", "This is to inform that during scrutiny of the return for the tax period referred to above, the following",
		"discrepancies have been noticed:", "1. The input tax credit claimed in GSTR-3B exceeds the credit available in GSTR-2A by Rs. 4,00,000.",
		"You are hereby directed to explain the reasons for the aforesaid discrepancies by 31/05/2024.", "Designation: State Tax Officer", "Jurisdiction: Pune-4"},
	"drc-01a": {"FORM GST DRC-01A", "Intimation of tax ascertained as being payable under section 73(5)", "[See rule 142(1A)]", "Part A",
		"Reference No.: ZD270824005566C          Date: 05/08/2024", "To,", "GSTIN: 27ZAPCS4821K1Z6", "Name: Kaveri Textiles", "F.Y.: 2020-21",
		"Sub.: Case proceeding reference. Further to the notice in FORM GST ASMT-10 No. ZD270524001122B dated 01/05/2024,",
		"the input tax credit claimed in GSTR-3B exceeds the credit available in GSTR-2A. You are advised to pay the tax of",
		"Rs. 4,00,000 as ascertained. You may submit your reply by 04/09/2024, failing which a show cause notice will be issued.", "Designation: State Tax Officer", "Jurisdiction: Pune-4"},
	"drc-07": {"FORM GST DRC-07", "[See rule 142(5)]", "Summary of the order", "Date: 20/02/2025", "To,", "GSTIN: 27ZAPCS4821K1Z6", "Name: Kaveri Textiles", "F.Y.: 2020-21",
		"Order under section 73. The input tax credit claimed in GSTR-3B exceeds the credit available in GSTR-2A by Rs. 4,00,000,",
		"which is confirmed with interest and penalty.", "Designation: State Tax Officer", "Jurisdiction: Pune-4"},
	"other": {"FORM GST ASMT-10", "[See rule 99(1)]", "Reference No.: ZD290924009988D          Date: 02/09/2024", "To,", "GSTIN: 29AAPFU0939F1ZR", "Name: Other Example Stores",
		"Tax Period: April 2021 to March 2022          F.Y.: 2021-22", "Notice for intimating discrepancies in the return after scrutiny",
		"1. The outward supplies declared in GSTR-1 exceed those in GSTR-3B by Rs. 1,00,000.", "You are directed to explain the reasons by 02/10/2024.",
		"Designation: Superintendent", "Jurisdiction: Range IV, Mysuru"},
}

// brings uploads a paper of the chain, and waits until it was read.
func (v *person) brings(name string) (conversation string) {
	v.t.Helper()
	c := v.converse()
	var turn api.Turn
	v.upload(c, name+".pdf", "application/pdf", "", textPDF(chain[name]), 202, &turn)
	v.answer(c, turn)
	return c
}

func (v *person) filing(conversation string) (f api.PaperFiling) {
	v.t.Helper()
	v.get("/api/conversations/"+conversation+"/filing", &f)
	return f
}

func (v *person) matter(id string) (m api.Matter) {
	v.t.Helper()
	v.get("/api/matters/"+id, &m)
	return m
}

// Clients and matters are created from what is read: papers that name each other form one matter, its dates follow
// its stage, uncertain cases are left to a person, and a member's decision is final.
func TestMatters(t *testing.T) {
	p := start(t, nil)
	f := p.staffed("matters")
	v := f.as[role.Preparer]
	first := v.brings("asmt-10")
	at := v.filing(first)
	if !at.Settled || at.Matter == nil || at.Matter.Client.Name != "Kaveri Textiles" || at.Matter.Stage != "scrutiny" {
		t.Fatalf("the first paper is filed as %+v", at)
	}
	second := v.brings("drc-01a")
	if now := v.filing(second); !now.Settled || now.Matter == nil || now.Matter.ID != at.Matter.ID {
		t.Fatalf("the paper that names it is filed as %+v", now)
	}
	m := v.matter(at.Matter.ID)
	if m.Stage != "intimation" || len(m.Papers) != 2 || !m.Papers[0].Passed || m.Papers[1].Passed || !slices.Equal(m.Forms, []string{"ASMT-10", "DRC-01A"}) {
		t.Errorf("the matter is %+v", m)
	}
	if m.NextPaper == nil || *m.NextPaper != second || m.NextOn == nil || *m.NextOn != "2024-09-04" {
		t.Errorf("its next day is %v of %v", m.NextOn, m.NextPaper)
	}

	// An order that names no other paper is proposed for the matter; one click files it there, and
	// another removes it again.
	third := v.brings("drc-07")
	now := v.filing(third)
	if now.Settled || now.Matter != nil || len(now.Candidates) != 1 || now.Candidates[0].Matter.ID != m.ID || len(now.Candidates[0].Why) == 0 || now.Client == nil {
		t.Fatalf("the order is filed as %+v", now)
	}
	f.as[role.Viewer].post("/api/conversations/"+third+"/filing", map[string]string{"matter": m.ID}, 403, nil)
	v.post("/api/conversations/"+third+"/filing", map[string]string{"matter": m.ID}, 200, &now)
	if m = v.matter(m.ID); m.Stage != "order" || len(m.Papers) != 3 || !m.Papers[1].Passed {
		t.Errorf("with the order the matter is %+v", m)
	}
	v.post("/api/conversations/"+third+"/filing", map[string]string{"client": m.Client.ID}, 200, &now)
	if now.Matter.ID == m.ID {
		t.Error("the order is still in the matter")
	}
	if m = v.matter(m.ID); m.Stage != "intimation" || len(m.Papers) != 2 || m.Papers[1].Passed {
		t.Errorf("without the order the matter is %+v", m)
	}
	v.post("/api/conversations/"+third+"/filing", map[string]string{"matter": m.ID}, 200, &now)

	// The same paper is recognised when it is uploaded again, and not filed automatically.
	if again := v.filing(v.brings("asmt-10")); again.Settled || again.Duplicate == nil || again.Duplicate.Paper != first {
		t.Errorf("the same paper again is %+v", again)
	}
	v.brings("other")
	var clients api.ClientList
	v.get("/api/clients", &clients)
	if clients.Total != 2 || clients.Clients[0].Name != "Kaveri Textiles" || !slices.Equal(clients.Clients[1].GSTINs, []string{"29AAPFU0939F1ZR"}) {
		t.Fatalf("the clients are %+v", clients)
	}
	var list api.MatterList
	v.get("/api/matters?search=mysuru", &list)
	if list.Total != 1 || list.Matters[0].Client.Name != "Other Example Stores" {
		t.Errorf("the matters of Mysuru are %+v", list)
	}

	// A matter has an assignee; when the assignee leaves, it goes to another member.
	var me, partner = v.me().Acting.Member, f.as[role.Partner].me().Acting.Member
	v.post("/api/matters/"+m.ID, map[string]string{"assignee": me, "reviewer": partner, "title": " Credit  2020-21 ", "state": "drafting"}, 200, &m)
	if m.Assignee == nil || m.Assignee.ID != me || m.Reviewer.ID != partner || m.Title != "Credit 2020-21" || m.State != "drafting" {
		t.Errorf("the matter is %+v", m)
	}
	v.post("/api/matters/"+m.ID, map[string]string{"assignee": f.as[role.Viewer].me().Acting.Member}, 404, nil)
	v.post("/api/matters/"+m.ID, map[string]string{"state": "closed"}, 403, nil)
	v.post("/api/matters/"+m.ID, map[string]string{"state": "approved"}, 403, nil)
	v.get("/api/matters?assignee="+me, &list)
	if list.Total != 1 {
		t.Errorf("%d matters are theirs", list.Total)
	}
	f.as[role.Owner].call("DELETE", "/api/firm/members/"+me+"?to="+partner, "", nil, 204, nil)
	if m = f.as[role.Partner].matter(m.ID); m.Assignee.ID != partner {
		t.Errorf("the matter of a member who left is %+v's", m.Assignee)
	}
	var events []string
	for _, e := range m.Log {
		events = append(events, e.Event)
	}
	if !slices.Contains(events, "assigned") || !slices.Contains(events, "paper_filed") {
		t.Errorf("the matter's log has %q", events)
	}

	// The details of a client, a GSTIN that belongs to another client, and two clients that are the
	// same.
	owner := f.as[role.Owner]
	var client api.Client
	owner.post("/api/clients", map[string]any{"name": "Kaveri Textiles (Nashik)", "pan": "bad"}, 422, nil)
	owner.post("/api/clients", map[string]any{"name": "Kaveri Textiles (Nashik)", "people": []map[string]string{{"name": "Mr Patil", "what": "Accountant", "email": "", "phone": "98"}}}, 201, &client)
	owner.post("/api/clients/"+client.ID+"/gstins", map[string]string{"gstin": "27zapcs 4821k1z6"}, 409, nil)
	owner.post("/api/clients/"+client.ID+"/merge", map[string]string{"into": m.Client.ID}, 200, &client)
	if client.ID != m.Client.ID || len(client.Matters) != 1 {
		t.Errorf("merged, the client is %+v", client)
	}
	owner.get("/api/clients?search=nashik", &clients)
	if clients.Total != 0 {
		t.Error("the client who was merged is still there")
	}
	if strings.Contains(strings.Join(p.rows(f.id), " "), `"papers": 0`) {
		t.Error("an empty matter was left behind")
	}
	triesRegister(t, p)
}
