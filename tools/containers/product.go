package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"munshi/tools/drills"
)

// turnTime is long, since a turn may lose its worker, and Temporal needs some time to notice.
const turnTime = 4 * time.Minute

// errAway means that nobody answered, or only a proxy: the same request may be repeated.
var errAway = errors.New("nobody answers")

// visitor is a browser with its session; it repeats requests while the proxy has no server to pass them to.
type visitor struct {
	address string
	cookies []*http.Cookie
}

func (v *visitor) do(ctx context.Context, method, path, contentType, key string, body []byte, out any) error {
	return drills.Await(ctx, 2*time.Minute, method+" "+path, func(ctx context.Context) error {
		err := v.once(ctx, method, path, contentType, key, body, out)
		if err != nil && !errors.Is(err, errAway) {
			return drills.Fatal{Err: err}
		}
		return err
	})
}

func (v *visitor) once(ctx context.Context, method, path, contentType, key string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, v.address+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	for _, c := range v.cookies {
		req.AddCookie(c)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", errAway, err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", errAway, err)
	}
	if got := resp.Cookies(); len(got) > 0 {
		v.cookies = got
	}
	switch {
	case resp.StatusCode >= 500:
		return fmt.Errorf("%w: %s %s", errAway, resp.Status, raw)
	case resp.StatusCode >= 300:
		return fmt.Errorf("%s %s answers %s: %s", method, path, resp.Status, raw)
	case out == nil:
		return nil
	}
	return json.Unmarshal(raw, out)
}

// notice is a request for a conversation about a notice.
var notice = []byte(`{"plugin":"notice"}`)

// accepted is a turn that the product has accepted. Each has its own visitor, so that its charge can be checked.
type accepted struct {
	visitor            *visitor
	conversation, turn string
	at                 time.Time
}

// send uploads a notice as a new visitor.
func (s *stack) send(ctx context.Context, file string) (a accepted, err error) {
	a.visitor = &visitor{address: s.address}
	var c, t struct{ ID string }
	err = a.visitor.do(ctx, http.MethodPost, "/api/conversations", "application/json", "",
		notice, &c)
	if err != nil {
		return a, err
	}
	raw, err := os.ReadFile(filepath.Join(s.root, file))
	if err != nil {
		return a, err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition("file", filepath.Base(file))},
		"Content-Type":        {"application/pdf"},
	})
	if err != nil {
		return a, err
	}
	if _, err := part.Write(raw); err != nil {
		return a, err
	}
	if err := form.Close(); err != nil {
		return a, err
	}
	a.conversation, a.at = c.ID, time.Now()
	err = a.visitor.do(ctx, http.MethodPost, "/api/conversations/"+c.ID+"/documents", form.FormDataContentType(),
		secret(16), body.Bytes(), &t)
	a.turn = t.ID
	return a, err
}

func (s *stack) sendMany(ctx context.Context, n int, file string) (sent []accepted, err error) {
	for range n {
		a, err := s.send(ctx, file)
		if err != nil {
			return nil, err
		}
		sent = append(sent, a)
	}
	return sent, nil
}

// record is what the database says about a turn.
type record struct {
	ID       string
	State    string
	Created  time.Time
	Started  *time.Time // when a worker first took it
	Finished *time.Time
	Answers  int // complete answers
	Uses     int // settled uses
	Charged  int // uses counted against the visitor's allowance
}

const recordsQuery = `select coalesce(json_agg(r), '[]') from (
select t.id, t.state, t.created_at as created, t.started_at as started, t.finished_at as finished,
  (select count(*) from messages m where m.turn_id = t.id and m.role = 'assistant' and m.state = 'complete'
    and m.text <> '') as answers,
  (select count(*) from uses u where u.turn_id = t.id and u.state = 'settled') as uses,
  (select sum(s.usage_count) from subscriptions s where s.workspace_id = t.workspace_id) as charged
from turns t where t.id in (%s)) r`

// records reads turns directly from the database.
func (s *stack) records(ctx context.Context, turns []accepted) ([]record, error) {
	var ids []string
	for _, a := range turns {
		ids = append(ids, "'"+a.turn+"'")
	}
	out, err := s.query(ctx, fmt.Sprintf(recordsQuery, strings.Join(ids, ",")))
	if err != nil {
		return nil, err
	}
	var found []record
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		return nil, fmt.Errorf("read what the database says: %w", err)
	}
	if len(found) != len(turns) {
		return nil, fmt.Errorf("the database has %d of %d accepted turns", len(found), len(turns))
	}
	return found, nil
}

func (s *stack) query(ctx context.Context, sql string) (string, error) {
	return s.compose(ctx, "exec", "-T", s.database, "psql", "-XAtq", "-U", "munshi", "-d", "munshi", "-c", sql)
}

// awaitRunning waits until workers are working on at least n of the turns.
func (s *stack) awaitRunning(ctx context.Context, n int, turns []accepted) error {
	return drills.Await(ctx, time.Minute, "turns to be under way", func(ctx context.Context) error {
		return s.running(ctx, n, turns)
	})
}

// running returns an error unless workers are working on at least n of the turns.
func (s *stack) running(ctx context.Context, n int, turns []accepted) error {
	found, err := s.records(ctx, turns)
	if err != nil {
		return err
	}
	at := 0
	for _, r := range found {
		if r.State == "running" {
			at++
		}
	}
	if at < n {
		return fmt.Errorf("%d of %d turns are under way", at, len(turns))
	}
	return nil
}

// answered waits until the turns have ended, and checks that each has one answer and one charge, both as its visitor
// sees it and in the database.
func (s *stack) answered(ctx context.Context, turns ...accepted) ([]record, error) {
	for _, a := range turns {
		if err := a.awaitAnswer(ctx); err != nil {
			return nil, err
		}
	}
	found, err := s.records(ctx, turns)
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		once := r.Answers == 1 && r.Uses == 1 && r.Charged == 1
		if r.State != "answered" || !once || r.Started == nil || r.Finished == nil {
			return nil, fmt.Errorf("turn %s is %s with %d answers, %d settled uses and %d charged", r.ID, r.State,
				r.Answers, r.Uses, r.Charged)
		}
	}
	return found, nil
}

func (a accepted) awaitAnswer(ctx context.Context) error {
	var c struct {
		TurnState string `json:"turn_state"`
		Turn      *struct {
			Error *struct{ Code, Sentence string }
		}
		Messages []struct {
			Role, State, Text string
			TurnID            string `json:"turn_id"`
		}
	}
	err := drills.Await(ctx, turnTime, "the answer to "+a.turn, func(ctx context.Context) error {
		err := a.visitor.do(ctx, http.MethodGet, "/api/conversations/"+a.conversation, "", "", nil, &c)
		if err == nil && slices.Contains([]string{"queued", "running"}, c.TurnState) {
			err = fmt.Errorf("the turn is %s", c.TurnState)
		}
		return err
	})
	if err != nil {
		return err
	}
	answers := 0
	for _, m := range c.Messages {
		if m.Role == "assistant" && m.TurnID == a.turn && m.State == "complete" && m.Text != "" {
			answers++
		}
	}
	if c.TurnState != "answered" || answers != 1 {
		return fmt.Errorf("turn %s is %s with %d answers: %+v", a.turn, c.TurnState, answers, c.Turn)
	}
	return nil
}

// underWay counts the turns that started before a time and ended after another. Containers use the machine's clock.
func underWay(found []record, before, after time.Time) (n int) {
	for _, r := range found {
		if r.Started.Before(before) && r.Finished.After(after) {
			n++
		}
	}
	return n
}

// stream describes a turn's event stream: how often it was interrupted, and for how long at most.
type stream struct {
	cuts    int
	longest time.Duration
}

// follow reads a turn's event stream like a browser, until ctx ends.
func (a accepted) follow(ctx context.Context) (st stream) {
	cookies := slices.Clone(a.visitor.cookies)
	var lost time.Time // zero: not interrupted
	for ctx.Err() == nil {
		if opened := a.read(ctx, cookies, func() {
			if !lost.IsZero() {
				st.longest = max(st.longest, time.Since(lost))
				lost = time.Time{}
			}
		}); opened && ctx.Err() == nil {
			st.cuts++
			lost = time.Now()
		}
		sleep(ctx, 100*time.Millisecond)
	}
	if !lost.IsZero() {
		st.longest = max(st.longest, time.Since(lost))
	}
	return st
}

// read calls got for every line of the turn's event stream, and reports whether the stream could be opened.
func (a accepted) read(ctx context.Context, cookies []*http.Cookie, got func()) (opened bool) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		a.visitor.address+"/api/conversations/"+a.conversation+"/events", nil)
	if err != nil {
		return false
	}
	for _, c := range cookies {
		req.AddCookie(c)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return false
	}
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); opened = true {
		got()
	}
	return opened
}
