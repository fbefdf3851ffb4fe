//go:build linux

package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/textproto"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
)

// browser is a person at the web app who does not give up: a request that was not accepted is sent again with the same
// Idempotency-Key, and a broken stream is resumed where it stopped. Each request goes to the next of the addresses, as
// behind a load balancer without sessions.
type browser struct {
	addresses []string
	at        atomic.Int64
	http      *http.Client
	refused   atomic.Int64 // responses that ask to try again
	broken    atomic.Int64 // requests without an answer
}

func newBrowser(addresses []string) *browser {
	jar, _ := cookiejar.New(nil) // it never returns an error
	return &browser{addresses: addresses, http: &http.Client{Jar: jar, Transport: &http.Transport{ResponseHeaderTimeout: 30 * time.Second}}}
}

func (b *browser) address() string {
	return b.addresses[int(b.at.Add(1))%len(b.addresses)]
}

// try makes one request. A status of 0 means that no complete response arrived.
func (b *browser) try(ctx context.Context, method, path, contentType, key string, body []byte) (status int, raw []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, b.address()+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := b.http.Do(req)
	if err != nil {
		b.broken.Add(1)
		return 0, nil, nil
	}
	defer resp.Body.Close()
	if raw, err = io.ReadAll(resp.Body); err != nil {
		b.broken.Add(1)
		return 0, nil, nil
	}
	if resp.StatusCode >= 500 {
		b.refused.Add(1)
		var p api.Problem
		if json.Unmarshal(raw, &p) != nil || p.Detail == "" || p.Code == "" {
			return 0, nil, fmt.Errorf("%s %s is refused with %d and no sentence: %.200s", method, path, resp.StatusCode, raw)
		}
	}
	return resp.StatusCode, raw, nil
}

// ask repeats a request until it succeeds, and decodes the response into out.
func (b *browser) ask(ctx context.Context, method, path, contentType string, body []byte, out any) error {
	key := ""
	if method == "POST" {
		key = uuid.NewString()
	}
	for {
		status, raw, err := b.try(ctx, method, path, contentType, key, body)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("%s %s was not answered in time: %w", method, path, ctx.Err())
		case status == 0 || status >= 500:
			time.Sleep(100 * time.Millisecond) // a person takes longer
			continue
		case status >= 300:
			return fmt.Errorf("%s %s gives %d: %s", method, path, status, raw)
		}
		return json.Unmarshal(raw, out)
	}
}

func (b *browser) converse(ctx context.Context) (string, error) {
	var c api.Conversation
	err := b.ask(ctx, "POST", "/api/conversations", "application/json", []byte(`{"plugin":"notice"}`), &c)
	return c.ID, err
}

func (b *browser) say(ctx context.Context, conversation, text string) (turn api.Turn, err error) {
	body, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		return turn, err
	}
	return turn, b.ask(ctx, "POST", "/api/conversations/"+conversation+"/messages", "application/json", body, &turn)
}

// hand uploads a paper; kind names the required document that it is, "" means a notice.
func (b *browser) hand(ctx context.Context, conversation, kind string, paper []byte) (turn api.Turn, err error) {
	form, body, err := paperForm(kind, paper)
	if err != nil {
		return turn, err
	}
	return turn, b.ask(ctx, "POST", "/api/conversations/"+conversation+"/documents", form, body, &turn)
}

func paperForm(kind string, paper []byte) (contentType string, _ []byte, err error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if kind != "" {
		err = form.WriteField("type", kind)
	}
	if err == nil {
		var part io.Writer
		part, err = form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="paper.pdf"`}, "Content-Type": {"application/pdf"}})
		if err == nil {
			_, err = part.Write(paper)
		}
	}
	if err == nil {
		err = form.Close()
	}
	return form.FormDataContentType(), body.Bytes(), err
}

// follow watches the turn until it has ended, and returns the streamed text and the state of the conversation after
// that.
func (b *browser) follow(ctx context.Context, conversation, turn string) (text string, d api.ConversationDetail, err error) {
	var id string
	for ctx.Err() == nil {
		ended := b.listen(ctx, conversation, turn, &text, &id)
		if ended {
			return text, d, b.ask(ctx, "GET", "/api/conversations/"+conversation, "", nil, &d)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return text, d, fmt.Errorf("turn %s of conversation %s did not end: %w", turn, conversation, ctx.Err())
}

// listen keeps one stream open and reports whether the turn has ended.
func (b *browser) listen(ctx context.Context, conversation, turn string, text, id *string) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", b.address()+"/api/conversations/"+conversation+"/events", nil)
	if err != nil {
		return false
	}
	if *id != "" {
		req.Header.Set("Last-Event-ID", *id)
	}
	resp, err := b.http.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return false
	}
	for e := range eventsIn(resp.Body) {
		if e.id != "" {
			*id = e.id
		}
		switch e.name {
		case "snapshot":
			var s api.SnapshotEvent
			if json.Unmarshal(e.data, &s) == nil {
				*text = s.Text
			}
		case "text":
			var s api.TextEvent
			if json.Unmarshal(e.data, &s) == nil {
				*text += s.Text
			}
		}
		if now := e.turn(); now != nil && now.ID == turn && (now.State == "answered" || now.State == "failed" || now.State == "stopped") {
			return true
		}
	}
	return false
}

// answered returns an error unless the turn was answered once, with the model's text for its mark; streamed is
// the text as it was last seen.
func answered(d api.ConversationDetail, turn, mark, streamed string) error {
	questions, answers := 0, 0
	for _, m := range d.Messages {
		switch {
		case m.TurnID != turn:
		case m.Role == "user":
			questions++
		case m.State != "complete" || !strings.Contains(m.Text, "On "+mark+".") || strings.Count(m.Text, "On MARK") != 1:
			return fmt.Errorf("turn %s has the answer %q, %s; want one on %s", turn, m.Text, m.State, mark)
		default:
			answers++
			if m.Text != streamed {
				return &otherText{streamed: streamed, kept: m.Text}
			}
		}
	}
	if questions != 1 || answers != 1 {
		return fmt.Errorf("turn %s, on %s, has %d questions and %d answers; the latest turn is %+v", turn, mark, questions, answers, d.Turn)
	}
	return nil
}

// otherText means that the streamed text of a turn differs from the stored one.
type otherText struct{ streamed, kept string }

func (o *otherText) Error() string {
	return fmt.Sprintf("streamed was\n%q\nand kept is\n%q", o.streamed, o.kept)
}

// cutShort reports whether the only fault is that the end of the text was not streamed. Pieces of text are stored
// without waiting for the disk, so a killed database may lose the last of them; the browser then reads the answer
// when the turn ends.
func cutShort(err error) bool {
	var o *otherText
	return errors.As(err, &o) && strings.HasPrefix(o.kept, o.streamed)
}

// Each question or paper of a test has its own mark, by which the model tells them apart; later ones are greater.
var (
	anyMark  = regexp.MustCompile(`MARK\d{6}`)
	lastMark atomic.Int64
)

func newMark() string { return fmt.Sprintf("MARK%06d", lastMark.Add(1)) }

// markOf returns the mark that a request to the model is about: the greatest, since the history has smaller ones.
func markOf(req modeltest.Request) string {
	greatest := ""
	for _, m := range req.Messages {
		for _, mark := range anyMark.FindAllString(m.Content, -1) {
			greatest = max(greatest, mark)
		}
	}
	return greatest
}

// countingModel is a stand-in for a model. It counts how often it is asked about each mark, and can be paused in the
// middle of an answer.
type countingModel struct {
	modeltest.Server
	address string

	mu    sync.Mutex
	asked map[string]int
	gates map[string]*gate
}

// gate stops one answer until it is opened.
type gate struct {
	reached, open chan struct{}
}

// registerType is the one document that the stand-in asks for.
const registerType = "Purchase register"

// gateAt is how many tokens the model sends before it stops at a gate.
const gateAt = 20

func newCountingModel(t *testing.T) *countingModel {
	m := &countingModel{asked: map[string]int{}, gates: map[string]*gate{}}
	m.Answer = func(req modeltest.Request) string {
		text, _, analysis := strings.Cut(modeltest.Answer(req), "Required Document(s):")
		if analysis && !slices.ContainsFunc(req.Messages, func(m modeltest.Message) bool { return strings.Contains(m.Content, "supplied a document") }) {
			text += "Required Document(s):\n- " + registerType + ": to match each credit with its invoice\n"
		}
		return "On " + markOf(req) + ".\n\n" + text
	}
	m.Before = m.before
	server := httptest.NewServer(&m.Server)
	t.Cleanup(server.CloseClientConnections) // a gate may still be shut
	t.Cleanup(server.Close)
	m.address = server.URL + "/v1"
	return m
}

func (m *countingModel) before(ctx context.Context, req modeltest.Request, token int) {
	if slices.ContainsFunc(req.Messages, func(m modeltest.Message) bool { return strings.Contains(m.Content, "where these particulars are") }) {
		return // open fields of the notice are asked about separately; only the answer counts
	}
	mark := markOf(req)
	m.mu.Lock()
	if token == 0 {
		m.asked[mark]++
	}
	g := m.gates[mark]
	if g == nil || token != gateAt {
		m.mu.Unlock()
		return
	}
	delete(m.gates, mark) // for repeated requests it is open
	m.mu.Unlock()
	close(g.reached)
	select {
	case <-g.open:
	case <-ctx.Done():
	}
}

// hold makes the model stop in the middle of its answer to the mark.
func (m *countingModel) hold(mark string) *gate {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := &gate{make(chan struct{}), make(chan struct{})}
	m.gates[mark] = g
	return g
}

// times returns how often the model was asked about the mark.
func (m *countingModel) times(mark string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked[mark]
}

// paper makes a PDF of two pages with the mark on it: the shortest text that is recognised as a
// notice.
func paper(mark string) []byte {
	pages := [][]string{{
		"FORM GST DRC-01", "[See rule 142(1)(a)]", "Reference No.: ZD290524004411A    Date: 13.05.2024",
		"To: BHARAT TRADERS, GSTIN 29AAACB1234C1ZB", "File " + mark, "Show cause notice under section 73(1) of the CGST Act, 2017",
		"Tax period: April 2020 to March 2021", "1. Input tax credit in GSTR-3B exceeds GSTR-2A by Rs. 1,20,000.",
	}, {"Reply by 12.06.2024.", "Personal hearing on 19.06.2024 at 11:30.", "Deputy Commissioner of State Tax"}}
	var out bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n"+format+"\nendobj\n", append([]any{len(offsets)}, args...)...)
	}
	out.WriteString("%PDF-1.4\n")
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>")
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
	for _, lines := range pages {
		var text strings.Builder
		for i, line := range lines {
			line = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(line)
			fmt.Fprintf(&text, "BT /F1 12 Tf 60 %d Td (%s) Tj ET\n", 760-24*i, line)
		}
		object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>", len(offsets)+2)
		object("<</Length %d>>\nstream\n%sendstream", text.Len(), text.String())
	}
	xref := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, xref)
	return out.Bytes()
}
