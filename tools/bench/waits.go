package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"time"
)

// samplesFolder is the folder, below a checkout, with the PDFs for tests.
const samplesFolder = "orchestrator/app/testdata"

// waits measures other waiting times of a person: for the brief of a notice, the first page of a scan, and a sign-in.
func waits(ctx context.Context, s settings, r *report, m munshi) error {
	scan := filepath.Join(os.TempDir(), fmt.Sprintf("bench-scan-%d.pdf", os.Getpid()))
	defer os.Remove(scan)
	if err := repeat(ctx, filepath.Join(s.root, samplesFolder, "scan.pdf"), 10, scan); err != nil {
		return err
	}
	for _, w := range []struct {
		name, file string
		rounds     int
		shown      func(p *person, conversation, document string) func(context.Context) (bool, error)
	}{
		{briefShown, filepath.Join(s.root, samplesFolder, "notice.pdf"), s.of(100) / 10, (*person).hasBrief},
		{firstPage, scan, s.of(50) / 10, (*person).hasPage},
	} {
		progress("%s", w.name)
		var took samples
		for range max(w.rounds, 3) {
			one, err := (&person{munshi: m}).handIn(ctx, w.file, w.shown)
			if err != nil {
				return err
			}
			took = append(took, sample{whole: one})
		}
		r.add(row{what: w.name, ours: ms(took.whole(.5)) + " ms"})
		r.milliseconds(w.name, took.whole(.5))
	}
	return signIns(ctx, s, r, m)
}

// handIn uploads a file to a new conversation, and returns how long it took until shown reports that the result is
// there.
func (p *person) handIn(ctx context.Context, file string,
	shown func(*person, string, string) func(context.Context) (bool, error)) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*turnTime) // for a scan of ten pages, on a busy machine
	defer cancel()
	conversation, err := p.converse(ctx, "notice")
	if err != nil {
		return 0, err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	part, err := parts.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="paper.pdf"`}, "Content-Type": {"application/pdf"}})
	if err != nil {
		return 0, err
	}
	if _, err := part.Write(content); err != nil {
		return 0, err
	}
	if err := parts.Close(); err != nil {
		return 0, err
	}
	began := time.Now()
	resp, err := p.request(ctx, http.MethodPost, "/api/conversations/"+conversation+"/documents",
		parts.FormDataContentType(), &form)
	if err != nil {
		return 0, err
	}
	if err := p.answer(resp, &struct{}{}); err != nil {
		return 0, err
	}
	var c struct{ Documents []struct{ ID string } }
	if err := p.do(ctx, http.MethodGet, "/api/conversations/"+conversation, nil, &c); err != nil {
		return 0, err
	}
	if len(c.Documents) != 1 {
		return 0, fmt.Errorf("the conversation has %d documents after one was handed in", len(c.Documents))
	}
	is := shown(p, conversation, c.Documents[0].ID)
	for {
		ok, err := is(ctx)
		if err != nil {
			return 0, err
		}
		if ok {
			break
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("wait for what %s brings: %w", filepath.Base(file), ctx.Err())
		case <-time.After(2 * time.Millisecond):
		}
	}
	took := time.Since(began)
	return took, p.ended(ctx, conversation) // so that it does not disturb the next measurement
}

// hasBrief reports whether a notice's brief is available.
func (p *person) hasBrief(conversation, _ string) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		return p.there(ctx, "/api/conversations/"+conversation+"/brief")
	}
}

// hasPage reports whether the first page of a document has been read.
func (p *person) hasPage(_, document string) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return p.there(ctx, "/api/documents/"+document+"/pages/1") }
}

func (p *person) there(ctx context.Context, path string) (bool, error) {
	resp, err := p.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode == http.StatusOK, err
}

// ended waits until the conversation's turn has ended.
func (p *person) ended(ctx context.Context, conversation string) error {
	for {
		var c struct{ Turn *liveTurn }
		if err := p.do(ctx, http.MethodGet, "/api/conversations/"+conversation, nil, &c); err != nil {
			return err
		}
		if c.Turn == nil || c.Turn.State != "queued" && c.Turn.State != "running" {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// signIns measures sign-ins that happen at the same time.
func signIns(ctx context.Context, s settings, r *report, m munshi) error {
	const atOnce = 8
	progress("%s", signIn)
	credentials := func(i int) map[string]any {
		return map[string]any{"email": fmt.Sprintf("person%d@example.com", i),
			"password": "a good password for the bench", "consent": "2026-11-23"}
	}
	var notice struct{ Consent string }
	if err := (&person{munshi: m}).do(ctx, http.MethodGet, "/api/config", nil, &notice); err != nil {
		return err
	}
	for i := range atOnce {
		in := credentials(i)
		in["consent"] = notice.Consent
		if err := (&person{munshi: m}).do(ctx, http.MethodPost, "/api/sign-up", in, &struct{}{}); err != nil {
			return err
		}
	}
	took, _, faults := many(ctx, s.of(20)*atOnce, atOnce, func(ctx context.Context, i int) (sample, error) {
		in := credentials(i % atOnce)
		delete(in, "consent")
		began := time.Now()
		err := (&person{munshi: m}).do(ctx, http.MethodPost, "/api/sign-in", in, &struct{}{})
		return sample{whole: time.Since(began)}, err
	})
	if len(faults) > 0 {
		return faults[0]
	}
	r.add(row{what: signIn, ours: ms(took.whole(.95)) + " ms", other: "p50 " + ms(took.whole(.5)) + " ms"})
	r.milliseconds(signIn, took.whole(.95))
	return nil
}
