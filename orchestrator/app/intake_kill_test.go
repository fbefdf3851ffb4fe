//go:build linux

package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"munshi/orchestrator/api"
)

// batchKilled uploads files to a batch while the worker, the API, Temporal and PostgreSQL are killed: each file is in
// the batch once, and is read, refused or recognised as a duplicate; none remains in the state "being read".
func batchKilled(t *testing.T, c *cluster) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	b := newBrowser(c.addresses())
	ask := func(method, path string, in, out any) {
		t.Helper()
		body, err := json.Marshal(in)
		must(t, err)
		must(t, b.ask(ctx, method, path, "application/json", body, out))
	}
	var me api.Me
	ask("POST", "/api/sign-up", credentials("batch@example.com", password), &me)
	var firm api.FirmLine
	ask("POST", "/api/firms", map[string]string{"name": "Batch & Co", "called": "Asha"}, &firm)
	at := "/firm/" + firm.ID
	var batch api.Batch
	ask("POST", at+"/api/batches", map[string]string{}, &batch)

	const good, damaged = 8, 2
	same := paper(newMark())
	files := map[string][]byte{"same.pdf": same, "same again.pdf": same, "no paper.docx": []byte("no paper")}
	for i := range good - 1 {
		files[fmt.Sprintf("%d.pdf", i)] = paper(newMark())
	}
	for i := range damaged {
		files[fmt.Sprintf("damaged %d.pdf", i)] = fmt.Appendf(nil, "%%PDF-1.4 but nothing more %d", i)
	}
	worker, serve, temporal, postgres, _ := c.killings()
	var killing sync.WaitGroup
	killing.Go(func() {
		for _, k := range []func(){worker.kill, temporal.kill, serve.kill, postgres.kill, worker.kill} {
			k()
		}
	})
	for name, content := range files {
		kind, form := uploadForm(t, name, "application/octet-stream", "", content)
		body, err := io.ReadAll(form)
		must(t, err)
		for {
			status, raw, err := b.try(ctx, "POST", at+"/api/batches/"+batch.ID+"/files", kind, "", body)
			must(t, err)
			if status == http.StatusNoContent {
				break
			}
			if ctx.Err() != nil || status != 0 && status < 500 {
				t.Fatalf("%s is answered %d %s", name, status, raw)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	killing.Wait()
	var list api.Triage
	await(t, "nothing is being read", func() bool {
		list = api.Triage{}
		must(t, b.ask(ctx, "GET", at+"/api/triage", "", nil, &list))
		return len(list.Batches) == 1 && list.Batches[0].Reading == 0
	})
	if got := list.Batches[0]; got.Files != len(files) || got.Refused != damaged+1 || got.Repeated != 1 || list.Total != good {
		t.Errorf("of %d files the batch is %+v, with %d documents to look at", len(files), got, list.Total)
	}
}
