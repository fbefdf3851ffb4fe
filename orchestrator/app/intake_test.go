package app_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"testing"

	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
)

// zipped returns a ZIP of files.
func zipped(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, content := range files {
		w, err := z.Create(name)
		must(t, err)
		_, err = w.Write(content)
		must(t, err)
	}
	must(t, z.Close())
	return out.Bytes()
}

// drops uploads a file to a batch.
func (v *person) drops(batch, name string, content []byte, status int) {
	v.t.Helper()
	kind, form := uploadForm(v.t, name, "application/octet-stream", "", content)
	v.call("POST", "/api/batches/"+batch+"/files", kind, form, status, nil)
}

// triaged returns what has to be checked, once all reading is finished.
func (v *person) triaged() (t api.Triage) {
	v.t.Helper()
	await(v.t, "every paper is read", func() bool {
		t = api.Triage{}
		v.get("/api/triage", &t)
		return !slices.ContainsFunc(t.Batches, func(b api.Batch) bool { return b.Reading > 0 })
	})
	return t
}

// Papers are uploaded together, good and bad, one by one and in a ZIP: each is read, filed or refused on its own,
// duplicates are recognised, and a person accepts, corrects and dismisses them. The analysis is made on request, and
// is the only step that counts as a use.
func TestIntake(t *testing.T) {
	p := start(t, nil)
	f := p.staffed("intake")
	v := f.as[role.Preparer]
	var batch api.Batch
	f.as[role.Viewer].post("/api/batches", map[string]string{}, 403, nil)
	v.post("/api/batches", map[string]string{}, 201, &batch)
	first := textPDF(chain["asmt-10"])
	v.drops(batch.ID, "scrutiny.pdf", first, 204)
	v.drops(batch.ID, "scrutiny.pdf", first, 204) // the response was lost, and the request was sent again
	v.drops(batch.ID, "scrutiny (1).pdf", first, 204)
	v.drops(batch.ID, "letter.docx", []byte("no paper"), 204)
	v.drops(batch.ID, "empty.pdf", nil, 204)
	v.drops(batch.ID, "papers.zip", zipped(t, map[string][]byte{"2021/drc-01a.pdf": textPDF(chain["drc-01a"]), "2022/other.pdf": textPDF(chain["other"]),
		"broken.pdf": []byte("%PDF-1.4 but nothing more"), "__MACOSX/other.pdf": {1, 2, 3}, "again/scrutiny.pdf": first}), 204)
	v.drops(batch.ID, "no.zip", []byte("PK\x03\x04 and nothing"), 204)
	v.drops(batch.ID, "second scan.pdf", append(textPDF(chain["asmt-10"]), "% of another scanner\n"...), 204)
	f.as[role.Partner].drops("0193b6a0-0000-7000-8000-000000000001", "lost.pdf", first, 404)

	list := v.triaged()
	if b := list.Batches[0]; len(list.Batches) != 1 || b.Files != 9 || b.Refused != 4 || b.Repeated != 1 || b.By != "intake's preparer" {
		t.Errorf("the batches are %+v", list.Batches)
	}
	said := map[string]string{}
	for _, file := range list.Files {
		switch {
		case file.Repeats != nil:
			said[file.Name] += "repeats "
		case file.Problem != nil:
			said[file.Name] += file.Problem.Code + " "
		}
	}
	want := map[string]string{"scrutiny (1).pdf": "repeats ", "letter.docx": "not_pdf.upload ", "empty.pdf": "empty ", "broken.pdf": "damaged ", "no.zip": "damaged.zip "}
	if fmt.Sprint(said) != fmt.Sprint(want) {
		t.Errorf("of files that became no paper it is said %v", said)
	}
	papers := map[string]api.TriagePaper{}
	for _, paper := range list.Papers {
		papers[orNone(paper.Reference)+fmt.Sprint(paper.Filing.Duplicate != nil)] = paper
	}
	one, two, other, again := papers["ZD270524001122Bfalse"], papers["ZD270824005566Cfalse"], papers["ZD290924009988Dfalse"], papers["ZD270524001122Btrue"]
	if len(list.Papers) != 4 || list.Total != 4 || one.ID == "" || two.ID == "" || other.ID == "" || again.ID == "" {
		t.Fatalf("the papers are %+v", list.Papers)
	}
	if one.Filing.Matter == nil || two.Filing.Matter == nil || one.Filing.Matter.ID != two.Filing.Matter.ID || other.Filing.Matter.ID == one.Filing.Matter.ID {
		t.Errorf("they are filed as %+v, %+v, %+v", one.Filing, two.Filing, other.Filing)
	}
	if again.Filing.Duplicate.Paper != one.ID || again.From != "intake's preparer" {
		t.Errorf("the second scan is %+v", again)
	}

	// Papers are accepted and dismissed; a paper that was uploaded singly and is filed does not need
	// checking.
	v.post("/api/conversations/"+one.ID+"/filing/seen", map[string]string{}, 204, nil)
	v.post("/api/conversations/"+again.ID+"/filing", map[string]string{"matter": one.Filing.Matter.ID}, 200, nil)
	v.call("DELETE", "/api/conversations/"+two.ID, "", nil, 204, nil)
	v.brings("drc-07")
	var ids []string
	for _, file := range list.Files {
		ids = append(ids, file.ID)
	}
	v.post("/api/triage/aside", map[string][]string{"files": ids}, 204, nil)
	if list = v.triaged(); list.Total != 2 || len(list.Files) != 0 || !slices.ContainsFunc(list.Papers, func(p api.TriagePaper) bool { return p.ID == other.ID }) {
		t.Errorf("then there are %+v and %+v", list.Papers, list.Files)
	}

	// The analysis, once.
	used := f.as[role.Owner].me().Used
	var turn api.Turn
	v.post("/api/conversations/"+other.ID+"/analysis", map[string]string{}, 202, &turn)
	if answer := v.answer(other.ID, turn); answer.Text == "" {
		t.Error("the analysis is empty")
	}
	v.post("/api/conversations/"+other.ID+"/analysis", map[string]string{}, 409, nil)
	if now := f.as[role.Owner].me().Used; now != used+1 {
		t.Errorf("%d uses were counted, want 1", now-used)
	}

	// If a ZIP does not fit into its batch, the batch says that a part was left out.
	var full api.Batch
	v.post("/api/batches", map[string]string{}, 201, &full)
	_, err := p.connect().Exec(t.Context(), `insert into batch_files (id, workspace_id, batch_id, name, bytes, sha256, problem, seen_at)
		select gen_random_uuid(), $1, $2, n || '.txt', 1, sha256(n::text::bytea), '{}', now() from generate_series(1, 498) n`, f.id, full.ID)
	must(t, err)
	v.drops(full.ID, "rest.zip", zipped(t, map[string][]byte{"a.txt": []byte("a"), "b.txt": []byte("b"), "c.txt": []byte("c"), "d.txt": []byte("d")}), 204)
	v.drops(full.ID, "more.pdf", textPDF(chain["drc-07"]), 409)
	leftOut := slices.ContainsFunc(v.triaged().Files, func(f api.TriageFile) bool {
		return f.Name == "rest.zip" && f.Problem != nil && f.Problem.Code == "batch_full.zip"
	})
	if !leftOut {
		t.Error("nobody is told that a part of the ZIP was left out")
	}
}

func orNone(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
