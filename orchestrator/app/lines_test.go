package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// hidden is a name that turns what follows it round, has a letter that is not seen, and goes over two lines.
const hidden = "\u202EAsha\u200B \u2066and\nSons\u200D"

// manyLines are the columns in which a person writes as much as they like, and those whose text a document or a model
// wrote.
var manyLines = []string{"messages.text", "comments.text", "clients.note", "matters.note", "authorities.proposition", "drafts.parts", "drafts.text", "draft_versions.parts",
	"draft_reviews.reason", "interview_answers.answer", "reply_points.facts", "pages.text", "documents.facts", "turns.inputs", "run_events.text", "step_results.output", "step_results.question"}

// What a person, a file, a mail or a portal gives as a name or a reference is stored on one line, without what is not
// seen, by whichever way it comes.
func TestLinesHideNothing(t *testing.T) {
	p := start(t, withSeats)
	f := p.staffed("lines")
	ids := p.filled(f)
	v := f.as[role.Owner]
	quoted, err := json.Marshal(hidden)
	must(t, err)
	given := maps.Clone(bodies) // most have "Theirs" for a name
	maps.Copy(given, map[string]string{
		"add-comment": "", "return-draft": "", // which are not one line
		"add-client":      `{"name":"Theirs","people":[{"name":"Theirs","what":"Theirs","email":"Theirs","phone":"Theirs"}]}`,
		"add-authority":   `{"citation":"Theirs","court":"Theirs"}`,
		"keep-taxpayer":   `{"signatory":"Theirs","designation":"Theirs","place":"Theirs","representative":"Theirs","enrolment":"Theirs"}`,
		"change-member":   `{"role":"preparer","name":"Theirs"}`,
		"change-task":     `{"text":"Theirs"}`,
		"make-link":       `{"recipient":"Theirs","language":"en","days":1}`,
		"add-mail-sender": `{"address":"th\u200Beirs@example.com"}`,
	})
	for _, a := range everyRoute(t, ids) {
		if a.contentType != "application/json" || !strings.Contains(given[a.operation], "heirs") {
			continue
		}
		a.body = []byte(strings.ReplaceAll(given[a.operation], `"Theirs"`, string(quoted)))
		if status, said := v.try(a); status >= 300 {
			t.Errorf("%s is answered %d %.200s", a.operation, status, said)
		}
	}

	upload := func(path, name, kind string, content []byte) (said string) {
		t.Helper()
		var b bytes.Buffer
		form := multipart.NewWriter(&b)
		part, err := form.CreatePart(textproto.MIMEHeader{"Content-Type": {kind},
			"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename="%s"`, name)}})
		must(t, err)
		_, err = part.Write(content)
		must(t, err)
		must(t, form.Close())
		status, said := v.try(routed{method: "POST", path: path, contentType: form.FormDataContentType(), body: b.Bytes()})
		if status >= 300 {
			t.Errorf("%s is answered %d %.200s", path, status, said)
		}
		return said
	}
	notice, err := os.ReadFile("testdata/notice.pdf")
	must(t, err)
	named := strings.ReplaceAll(hidden, "\n", "") // which no header has
	c := v.converse()
	var turn api.Turn
	must(t, json.Unmarshal([]byte(upload("/api/conversations/"+c+"/documents", "papers/"+named+".pdf", "application/pdf", notice)), &turn))
	v.answer(c, turn)
	var batch api.Batch
	v.post("/api/batches", map[string]string{}, 201, &batch)
	upload("/api/batches/"+batch.ID+"/files", named+".pdf", "application/octet-stream", paper("another"))
	v.triaged()
	cell := `"` + hidden + `"`
	v.takesOver(v.imports("old.csv", "Client,Form,Reference No.,Officer,ARN,Remarks\n"+cell+",DRC-01,"+cell+","+cell+","+cell+","+cell+"\n", 201).ID)
	var clients api.ClientList
	v.get("/api/clients", &clients)
	v.looks(clients.Clients[0].ID, "Notice/Demand Order Id\tIssued By\tType\tNotice/Order Description\tDate of Issuance\tDue Date\n"+
		"ZD29\u200B0924009988D\tRange \u202EIV\tNOTICE\tASMT\u2066-10\t02/09/2024\t02/10/2024\n", 200)
	must(t, p.app.Store.KeepMail(t.Context(), store.NewMail{Workspace: uuid.MustParse(f.id), SHA256: []byte("lines"), Sender: "str\u200Banger@example.com", Subject: hidden,
		Files: 1, Raw: []byte("x")}))

	found := map[string]string{}
	var look func(column string, value any)
	look = func(column string, value any) {
		switch v := value.(type) {
		case string:
			if i := strings.IndexFunc(v, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }); i >= 0 {
				found[column] = v
			}
		case []any:
			for _, one := range v {
				look(column, one)
			}
		case map[string]any:
			for _, one := range v {
				look(column, one)
			}
		}
	}
	here := 0
	must(t, p.app.Store.Exported(t.Context(), uuid.MustParse(f.id), func(table string) (func(json.RawMessage) error, error) {
		return func(raw json.RawMessage) error {
			here += strings.Count(string(raw), "Asha and Sons") + strings.Count(string(raw), "Asha andSons")
			var row map[string]any
			if err := json.Unmarshal(raw, &row); err != nil {
				return err
			}
			for column, value := range row {
				look(table+"."+column, value)
			}
			return nil
		}, nil
	}))
	for column, text := range found {
		if !slices.Contains(manyLines, column) {
			t.Errorf("%s hides something: %+q", column, text)
		}
	}
	if here < 25 {
		t.Errorf("the name is stored in only %d places", here)
	}
}
