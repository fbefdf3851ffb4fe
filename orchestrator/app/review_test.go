package app_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
)

// marked downloads a draft, and reports whether it has the watermark DRAFT.
func (v *person) marked(draft string) bool {
	v.t.Helper()
	said, _ := v.download("/api/drafts/" + draft + "/word")
	archive, err := zip.NewReader(bytes.NewReader(said), int64(len(said)))
	must(v.t, err)
	document, err := archive.Open("word/document.xml")
	must(v.t, err)
	content, err := io.ReadAll(document)
	must(v.t, err)
	return strings.Contains(string(content), "headerReference")
}

// A reply goes from its preparer to its reviewer and is filed: its matter's state follows, and it has the
// watermark DRAFT until it is approved. In a person's own workspace there is no review.
func TestReview(t *testing.T) {
	p := start(t, nil)
	f := p.staffed("review")
	preparer, partner := f.as[role.Preparer], f.as[role.Partner]
	c := preparer.brings("drc-01a")
	preparer.draftReply(c)
	var reply api.Reply
	preparer.get("/api/conversations/"+c+"/reply", &reply)
	d := *reply.Draft
	path, matter := "/api/drafts/"+d.ID, preparer.filing(c).Matter.ID
	if d.State != "" || d.Review != nil || !slices.Equal(d.Acts, []string{"send"}) || !preparer.marked(d.ID) {
		t.Errorf("before its review the draft is %s %+v %v", d.State, d.Review, d.Acts)
	}
	preparer.post(path+"/approve", map[string]any{"read": d.UpdatedAt}, 403, nil)
	preparer.post(path+"/send", nil, 200, &d)
	if !d.Locked || d.State != "review" || !slices.Equal(d.Acts, []string{"take_back"}) || preparer.matter(matter).State != "review" {
		t.Errorf("sent, the draft is %s %v", d.State, d.Acts)
	}
	preparer.post(path, map[string]string{"title": "Mine"}, 409, nil)
	preparer.post("/api/conversations/"+c+"/reply", map[string]string{}, 409, nil)
	partner.get(path, &d)
	if d.Locked || !slices.Equal(d.Acts, []string{"return", "approve"}) {
		t.Errorf("for its reviewer the draft is %v %v", d.Locked, d.Acts)
	}
	sent, read := d.Version, d.UpdatedAt
	part := d.Parts[len(d.Parts)-1]
	partner.post(path, map[string]any{"part": part.ID, "text": part.Text + "\n\nMost respectfully.", "revision": part.Revision}, 200, &d)
	partner.post(path+"/approve", map[string]any{"read": read}, 409, nil)
	var version api.DraftText
	preparer.get(path+"/versions/"+strconv.Itoa(sent), &version)
	if !strings.Contains(version.Changes, "+Most respectfully.") {
		t.Errorf("since it was sent %q has changed", version.Changes)
	}
	partner.post(path+"/approve", map[string]any{"read": d.UpdatedAt}, 200, &d)
	if d.State != "approved" || d.Review.Decided.Name != "review's partner" || preparer.marked(d.ID) {
		t.Errorf("approved, the draft is %s %+v", d.State, d.Review)
	}
	preparer.post(path, map[string]string{"title": "Another title"}, 200, &d)
	m := preparer.matter(matter)
	if d.State != "undone" || !preparer.marked(d.ID) || m.State != "drafting" {
		t.Errorf("changed, the draft is %s, its matter %s", d.State, m.State)
	}
	var events []string
	for _, e := range m.Log {
		events = append(events, e.Event)
	}
	for _, want := range []string{"draft_sent", "draft_changed", "draft_approved", "draft_approval_undone", "state"} {
		if !slices.Contains(events, want) {
			t.Errorf("the matter's log %q has no %s", events, want)
		}
	}
	var log api.FirmLog
	partner.get("/api/firm/log", &log)
	at := slices.IndexFunc(log.Entries, func(e api.FirmEntry) bool { return e.Event == "draft_approved" })
	if at < 0 || log.Entries[at].Named != "Another title" || log.Entries[at].Matter == nil || log.Entries[at].Matter.ID != matter ||
		!strings.HasPrefix(log.Entries[at].Matter.Name, m.Client.Name+", ") {
		t.Errorf("in the firm's log the approval is %+v", log.Entries)
	}

	own := p.visitor()
	own.signUp("own-review@example.com")
	var templates api.TemplateList
	own.get("/api/templates", &templates)
	own.post("/api/drafts", map[string]string{"template": templates.Templates[0].ID}, 201, &d)
	if len(d.Acts) > 0 || own.marked(d.ID) {
		t.Errorf("in one's own workspace the draft is %v", d.Acts)
	}
	own.post("/api/drafts/"+d.ID+"/send", nil, 404, nil)
}
