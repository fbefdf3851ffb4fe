package app_test

import (
	"slices"
	"testing"

	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
)

// Members comment on a matter, its drafts and documents, mention colleagues, and have tasks there. Comments and
// tasks are on the matter's page, counted in the list, and recorded in the log; the tasks of a member who leaves
// go to another member.
func TestCommentsAndTasks(t *testing.T) {
	p := start(t, nil)
	f := p.staffed("talk")
	v, partner := f.as[role.Preparer], f.as[role.Partner]
	c := v.brings("drc-01a")
	v.draftReply(c)
	m := v.matter(v.filing(c).Matter.ID)
	d := v.reply(c).Draft
	me, boss := v.me().Acting.Member, partner.me().Acting.Member
	say := func(kind, about string, more map[string]any) {
		t.Helper()
		body := map[string]any{"kind": kind, "about": about, "text": "Look at this, @talk's partner"}
		for k, x := range more {
			body[k] = x
		}
		v.post("/api/comments", body, 204, nil)
	}
	say("matter", m.ID, map[string]any{"mentions": []string{boss}})
	say("draft", d.ID, map[string]any{"part": d.Parts[0].ID, "quote": "some words"})
	say("document", v.detail(c).Documents[0].ID, nil)
	// Not a member.
	v.post("/api/comments", map[string]any{"kind": "matter", "about": m.ID, "text": "x", "mentions": []string{m.ID}}, 404, nil)
	f.as[role.Viewer].post("/api/comments", map[string]any{"kind": "matter", "about": m.ID, "text": "x"}, 403, nil)

	var list, told, ofDraft api.CommentList
	f.as[role.Viewer].get("/api/comments?matter="+m.ID, &list)
	if len(list.Comments) != 3 || list.Comments[0].Who != "talk's preparer" || list.Comments[1].Part != d.Parts[0].ID || list.Comments[1].Title != d.Title || *list.Comments[2].Matter != m.ID {
		t.Fatalf("the comments are %+v", list)
	}
	partner.get("/api/comments", &told)
	v.get("/api/comments?draft="+d.ID, &ofDraft)
	if len(told.Comments) != 1 || told.Comments[0].ID != list.Comments[0].ID || len(ofDraft.Comments) != 1 {
		t.Errorf("told are %+v", told)
	}
	partner.post("/api/comments/"+list.Comments[0].ID, map[string]bool{"settled": true}, 204, nil)
	partner.call("DELETE", "/api/comments/"+list.Comments[1].ID, "", nil, 409, nil) // written by another member
	if partner.get("/api/comments", &told); len(told.Comments) != 0 {
		t.Errorf("settled, told are %+v", told)
	}

	v.post("/api/matters/"+m.ID+"/tasks", map[string]any{"text": "Call the officer", "due": "2030-02-01", "assignee": me}, 204, nil)
	v.post("/api/matters/"+m.ID+"/tasks", map[string]any{"text": "Ask for GSTR-2A", "due": "2030-01-01"}, 204, nil)
	v.post("/api/matters/"+m.ID+"/tasks", map[string]any{"text": "x", "due": "soon"}, 422, nil)
	var tasks api.TaskList
	v.get("/api/tasks?matter="+m.ID, &tasks)
	if len(tasks.Tasks) != 2 || tasks.Tasks[0].Text != "Ask for GSTR-2A" {
		t.Fatalf("the tasks are %+v", tasks)
	}
	v.post("/api/tasks/"+tasks.Tasks[0].ID, map[string]any{"done": true}, 204, nil)
	var matters api.MatterList
	v.get("/api/matters", &matters)
	if one := matters.Matters[0]; one.Comments != 2 || one.Tasks != 1 {
		t.Errorf("the list counts %d comments and %d tasks", one.Comments, one.Tasks)
	}
	if m = v.matter(m.ID); m.Comments != 2 || m.Tasks != 1 {
		t.Errorf("the matter's page counts %d comments and %d tasks", m.Comments, m.Tasks)
	}
	var events []string
	for _, e := range m.Log {
		events = append(events, e.Event)
	}
	for _, want := range []string{"commented", "comment_settled", "task_added", "task_done"} {
		if !slices.Contains(events, want) {
			t.Errorf("the log %q has no %s", events, want)
		}
	}
	v.post("/api/firm/leave", nil, 204, nil)
	if f.as[role.Owner].get("/api/tasks", &tasks); len(tasks.Tasks) != 1 || tasks.Tasks[0].Text != "Call the officer" {
		t.Errorf("whoever is left has to do %+v", tasks)
	}
}
