package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// munshi is an installation of Munshi to chat with.
type munshi struct {
	address string
	client  *http.Client
}

// person is a browser with a session.
type person struct {
	munshi
	cookie *http.Cookie
}

// people is how many different people take part in a load.
const people = 32

// lawyer is the plugin for the questions: it looks up the law, and checks the answer.
const lawyer = "lawyer"

// prepare creates a conversation for each turn, so that all turns are alike.
func (m munshi) prepare(ctx context.Context, n int) (func(context.Context, int) (sample, error), error) {
	persons := make([]*person, min(n, people))
	conversations := make([]string, n)
	_, _, faults := many(ctx, len(persons), 4, func(ctx context.Context, i int) (_ sample, err error) {
		persons[i] = &person{munshi: m}
		for c := i; c < n && err == nil; c += len(persons) {
			conversations[c], err = persons[i].converse(ctx, lawyer)
		}
		return sample{}, err
	})
	if len(faults) > 0 {
		return nil, faults[0]
	}
	return func(ctx context.Context, i int) (sample, error) {
		return persons[i%len(persons)].ask(ctx, conversations[i])
	}, nil
}

// do sends a request and decodes the answer.
func (p *person) do(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return err
		}
	}
	resp, err := p.send(ctx, method, path, &body)
	if err != nil {
		return err
	}
	return p.answer(resp, out)
}

// answer decodes the answer to a request.
func (p *person) answer(resp *http.Response, out any) error {
	asked := resp.Request
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", asked.Method, asked.URL.Path, err)
	}
	for _, c := range resp.Cookies() {
		p.cookie = c
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("%s %s answers %s: %s", asked.Method, asked.URL.Path, resp.Status, raw)
	}
	return json.Unmarshal(raw, out)
}

func (p *person) send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	return p.request(ctx, method, path, "application/json", body)
}

func (p *person) request(ctx context.Context, method, path, kind string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.address+path, body)
	if err != nil {
		return nil, err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", kind)
	}
	if p.cookie != nil {
		req.AddCookie(p.cookie)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return resp, nil
}

func (p *person) converse(ctx context.Context, plugin string) (string, error) {
	var c struct{ ID string }
	err := p.do(ctx, http.MethodPost, "/api/conversations", map[string]string{"plugin": plugin}, &c)
	return c.ID, err
}

// liveTurn is a turn in the event stream.
type liveTurn struct {
	ID, State string
	Error     *struct{ Sentence string }
}

// ask sends a question and follows the event stream until the turn has ended, like the web app.
func (p *person) ask(ctx context.Context, conversation string) (sample, error) {
	began := time.Now()
	var turn liveTurn
	if err := p.do(ctx, http.MethodPost, "/api/conversations/"+conversation+"/messages",
		map[string]string{"text": question}, &turn); err != nil {
		return sample{}, err
	}
	resp, err := p.send(ctx, http.MethodGet, "/api/conversations/"+conversation+"/events", nil)
	if err != nil {
		return sample{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return sample{}, fmt.Errorf("the stream answers %s", resp.Status)
	}
	var took sample
	text, name := "", ""
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ": ")
		if key == "event" {
			name = value
		}
		if key != "data" || name == "ping" {
			continue
		}
		var e struct {
			Turn *liveTurn
			Text string
		}
		if err := json.Unmarshal([]byte(value), &e); err != nil {
			return sample{}, fmt.Errorf("read the stream: %w", err)
		}
		if name == "snapshot" {
			text = ""
		}
		if text += e.Text; text != "" && took.first == 0 {
			took.first = time.Since(began)
		}
		if e.Turn == nil || e.Turn.ID != turn.ID {
			continue
		}
		switch e.Turn.State {
		case "answered":
			took.whole = time.Since(began)
			if text == "" {
				return sample{}, fmt.Errorf("turn %s was answered with nothing", turn.ID)
			}
			return took, nil
		case "failed", "stopped":
			return sample{}, fmt.Errorf("turn %s is %s: %+v", turn.ID, e.Turn.State, e.Turn.Error)
		}
	}
	if err := lines.Err(); err != nil {
		return sample{}, fmt.Errorf("read the stream: %w", err)
	}
	return sample{}, fmt.Errorf("the stream ended before turn %s did", turn.ID)
}
