package app_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/api"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
)

// ourTemplates are the templates that the product comes with.
func ourTemplates(t *testing.T) []prompt.Template {
	t.Helper()
	folders, err := prompt.ReadDir(filepath.Join(localtest.Root(t), "prompts"))
	must(t, err)
	for _, f := range folders {
		if f.Plugin == prompt.TemplateFolder {
			b, err := f.Check(plugins.Registry())
			must(t, err)
			return b.Templates()
		}
	}
	t.Fatal("there is no folder of templates")
	return nil
}

// A template cites only law that is in force and no judgment, and each of its blanks has a label.
func TestTemplatesCiteTheLaw(t *testing.T) {
	list := ourTemplates(t)
	if len(list) < 16 {
		t.Errorf("there are %d templates", len(list))
	}
	index := law.Built().Index
	outside := []string{"Transfer of Property Act", "Registration Act"} // the index does not cover them
	for _, one := range list {
		text := one.Fill(nil)
		titled := text
		if strings.HasPrefix(text, "**Before ") { // a cause title, which a line across divides from the title
			_, titled, _ = strings.Cut(text, "\n\n---\n\n")
		}
		if !strings.HasPrefix(titled, "# ") || !strings.Contains(text, "[… ") || strings.Contains(text, "{{") || strings.Contains(text, "\n\n\n") {
			t.Errorf("%s reads %.300q", one.ID, text)
		}
		for _, m := range index.Check(one.Section+".\n\n"+text, cite.Context{Today: "2026-11-22"}) {
			other := slices.ContainsFunc(outside, func(act string) bool { return strings.HasPrefix(m.Act, act) })
			if m.Kind != cite.Provision && m.Kind != cite.Circular || m.Verdict != cite.Exists && !(m.Verdict == cite.NotCovered && other) {
				t.Errorf("%s: %s %q is %s: %s", one.ID, m.Kind, (one.Section + ".\n\n" + text)[m.Start:m.End], m.Verdict, m.Message)
			}
		}
	}
}

// A person starts a draft from a template, empty or filled in from a notice; legal ops change a template while the
// product runs, and a broken one changes nothing and is reported.
func draftsBeginFromTemplates(t *testing.T, p *product, dir string) {
	v := p.visitor()
	list := func() []api.Template {
		t.Helper()
		var l api.TemplateList
		v.get("/api/templates", &l)
		return l.Templates
	}
	all := list()
	if len(all) < 16 || !slices.IsSortedFunc(all, func(a, b api.Template) int { return strings.Compare(a.Title, b.Title) }) {
		t.Fatalf("these templates serve: %+v", all)
	}
	begin := func(template, conversation string, want int) (d api.Draft) {
		t.Helper()
		in := map[string]string{"template": template}
		if conversation != "" {
			in["conversation"] = conversation
		}
		var out any = &d
		if want != http.StatusCreated {
			out = nil
		}
		v.post("/api/drafts", in, want, out)
		return d
	}
	empty := begin("adjournment", "", http.StatusCreated) // the first action of a new visitor
	if text := empty.Parts[0].Text; !strings.Contains(text, "GSTIN [… GSTIN]") || !strings.Contains(text, "The [… designation of the officer]") || empty.ConversationID != nil ||
		empty.Kind != "Applications" || empty.Version != 1 || empty.Parts[0].By != "program" {
		t.Errorf("the empty draft is %+v", empty)
	}

	c := v.converse()
	begin("drc06_73", c, http.StatusNotFound) // it has no notice yet
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	d := begin("drc06_73", c, http.StatusCreated)
	text := d.Parts[0].Text
	for _, want := range []string{"| GSTIN | 27ZAPCS4821K1Z6 |", "FORM GST DRC-01", "₹9,68,058", "| Head |", "**Paragraph ", "[… nature of the business]"} {
		if !strings.Contains(text, want) {
			t.Errorf("the draft from the notice lacks %q", want)
		}
	}
	if strings.Contains(text, "[… GSTIN]") || strings.Contains(text, "{{") || d.ConversationID == nil || *d.ConversationID != c || !strings.Contains(d.Title, " · DRC-01") {
		t.Errorf("the draft from the notice is %q:\n%s", d.Title, text)
	}
	for _, check := range d.Parts[0].Checks {
		if check.Verdict != "exists" {
			t.Errorf("its check says of %q: %s", check.Quote, check.Message)
		}
	}
	paper, _ := v.download("/api/drafts/" + d.ID + "/word")
	if cause, _, found := strings.Cut(wordText(t, paper), "REPLY TO SHOW CAUSE NOTICE"); !found || !strings.HasPrefix(cause, "\nBefore the ") || strings.Contains(cause, "FORM GST DRC-06") {
		t.Errorf("above the title, on paper, stands %q", cause)
	}
	for _, one := range all { // each can be started from any notice
		if text := begin(one.ID, c, http.StatusCreated).Parts[0].Text; strings.Contains(text, "{{") || strings.Contains(text, "<no value>") {
			t.Errorf("%s reads %s", one.ID, text)
		}
	}
	begin("drc06_999", "", http.StatusNotFound)
	other := p.visitor()
	other.converse()
	other.post("/api/drafts", map[string]string{"template": "drc06_73", "conversation": c}, http.StatusNotFound, nil)

	file := filepath.Join(dir, "_templates", "adjournment.md")
	edit(t, file, "title: Request for adjournment", "title: A request for more time")
	await(t, "the new title serves", func() bool { return list()[0].Title == "A request for more time" })
	edit(t, file, "{{ .gstin }}", "{{ .gstn }}")
	await(t, "the mistake is told", func() bool {
		out, err := p.munshi(t, "prompts", "status")
		must(t, err)
		return strings.Contains(out, `Nothing of a matter is called "gstn". Did you mean "gstin"?`) && strings.Contains(out, "_templates/adjournment.md:")
	})
	if got := list(); got[0].Title != "A request for more time" || len(got) != len(all) {
		t.Errorf("with a broken template these serve: %d, the first is %q", len(got), got[0].Title)
	}
	if out, err := p.munshi(t, "prompts", "lint"); err == nil || !strings.Contains(out, "adjournment.md:") {
		t.Errorf("lint says %v:\n%s", err, out)
	}
	must(t, os.WriteFile(file, []byte("---\ntitle: Affidavit\ncategory: X\nabout: Y\n---\nText {{ env \"HOME\" }}\n"), 0o644))
	if out, _ := p.munshi(t, "prompts", "lint"); !strings.Contains(out, "There is no function") || !strings.Contains(out, "has the same title") {
		t.Errorf("lint says:\n%s", out)
	}
	if out, err := p.munshi(t, "prompts", "rollback", "_templates"); err != nil {
		t.Errorf("the rollback says %v:\n%s", err, out)
	}
	if got := list(); got[0].Title == "A request for more time" || len(got) != len(all) {
		t.Errorf("after the rollback these serve: %d, the first is %q", len(got), got[0].Title)
	}
}

// With the same key, a draft is created once, however often and whenever it is requested.
func TestADraftIsBegunOnce(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	v.converse()
	begin := func(key, template string) (status int, id string) {
		req, err := http.NewRequestWithContext(t.Context(), "POST", v.address+"/api/drafts", strings.NewReader(`{"template": "`+template+`"}`))
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", key)
		res, err := v.http.Do(req)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer res.Body.Close()
		var d api.Draft
		if err := json.NewDecoder(res.Body).Decode(&d); err != nil {
			t.Error(err)
		}
		return res.StatusCode, d.ID
	}
	begun := make(chan string, 6)
	for range cap(begun) {
		go func() {
			_, id := begin("one", "adjournment")
			begun <- id
		}()
	}
	first := <-begun
	for range cap(begun) - 1 {
		if id := <-begun; id != first || id == "" {
			t.Errorf("the same request begins %s and %s", first, id)
		}
	}
	if status, _ := begin("one", "drc06_73"); status != http.StatusUnprocessableEntity {
		t.Errorf("the key of another draft gives %d", status)
	}
	if _, id := begin("two", "adjournment"); id == first || id == "" {
		t.Errorf("another key gives %q", id)
	}
	var list api.DraftList
	if v.get("/api/drafts", &list); len(list.Drafts) != 2 {
		t.Errorf("there are %d drafts", len(list.Drafts))
	}
}
