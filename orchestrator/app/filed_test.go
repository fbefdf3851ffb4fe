package app_test

import (
	"bytes"
	"testing"

	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
)

// A filing is recorded with its number and date, and the portal's acknowledgement as a PDF; the notice is then
// answered and its matter filed, until the record is removed.
func TestFiled(t *testing.T) {
	p := start(t, nil)
	f := p.staffed("filed")
	v := f.as[role.Preparer]
	c := v.brings("drc-01a")
	path, matter := "/api/conversations/"+c+"/filed", v.filing(c).Matter.ID
	for body, code := range map[[2]string]string{{"??", "2025-01-02"}: "bad_arn", {"AD270125001234X", "2999-01-02"}: "filed_ahead"} {
		if said := v.problemOf(path, map[string]string{"arn": body[0], "day": body[1]}, 422); said.Code != code {
			t.Errorf("%v is answered %s", body, said.Code)
		}
	}
	v.post(path, map[string]string{"arn": " ad270125 001234x ", "day": "2025-01-02"}, 204, nil)
	form, body := uploadForm(t, "ack.pdf", "application/pdf", "", paper("acknowledged"))
	v.call("POST", path+"/document", form, body, 204, nil)
	m := v.matter(matter)
	note := m.Papers[0].Filed
	if m.State != "filed" || note == nil || note.ARN != "AD270125001234X" || note.Day != "2025-01-02" || note.Acknowledgement == nil || m.Papers[0].AnsweredAt == nil || len(m.HandedIn) > 0 {
		t.Fatalf("filed, the matter is %+v", m)
	}
	if content, _ := v.download("/api/documents/" + *note.Acknowledgement); !bytes.Equal(content, paper("acknowledged")) {
		t.Error("the acknowledgement is another file")
	}
	if log := m.Log[0]; log.Event != "acknowledgement_added" || log.Who != "filed's preparer" {
		t.Errorf("the log says %+v", log)
	}
	v.call("DELETE", path, "", nil, 204, nil)
	if m = v.matter(matter); m.State != "drafting" || m.Papers[0].Filed != nil || m.Papers[0].AnsweredAt != nil {
		t.Errorf("taken back, the matter is %+v", m)
	}
	v.call("GET", "/api/documents/"+*note.Acknowledgement, "", nil, 404, &api.Problem{})
}
